//! Fractions of any size, within bounds that keep every step short.

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// Bits of the longer half of a fraction.
const MOST_BITS: u64 = 100_000;
/// Digits behind the point where they never end.
const PLACES: u32 = 30;

/// What goes wrong in arithmetic.
pub(super) type Outcome = std::result::Result<Number, String>;

/// A fraction, and whether it is the whole truth.
#[derive(Debug, Clone)]
pub(super) struct Number {
    value: BigRational,
    rounded: bool,
}

impl Number {
    pub(super) fn exact(value: BigRational) -> Outcome {
        Self { value, rounded: false }.bounded()
    }

    pub(super) fn whole(value: BigInt) -> Outcome {
        Self::exact(value.into())
    }

    /// A decimal number such as `1.5e3`, given as its digits and the power of ten they count.
    pub(super) fn decimal(digits: &str, power: i64) -> Outcome {
        let digits: BigInt = digits.parse().map_err(|_| format!("`{digits}` is no number"))?;
        let scale = Number::whole(BigInt::from(10))?.power(&Number::whole(power.into())?)?;
        Number::whole(digits)?.times(&scale)
    }

    pub(super) fn is_exact(&self) -> bool {
        !self.rounded
    }

    fn bounded(self) -> Outcome {
        let bits = self.value.numer().bits().max(self.value.denom().bits());
        if bits > MOST_BITS { Err(format!("the result has more than {MOST_BITS} bits")) } else { Ok(self) }
    }

    fn combined(&self, other: &Self, value: BigRational) -> Outcome {
        Self { value, rounded: self.rounded || other.rounded }.bounded()
    }

    fn mapped(&self, value: BigRational) -> Self {
        Self { value, rounded: self.rounded }
    }

    pub(super) fn plus(&self, other: &Self) -> Outcome {
        self.combined(other, &self.value + &other.value)
    }

    pub(super) fn minus(&self, other: &Self) -> Outcome {
        self.combined(other, &self.value - &other.value)
    }

    pub(super) fn times(&self, other: &Self) -> Outcome {
        self.combined(other, &self.value * &other.value)
    }

    pub(super) fn over(&self, other: &Self) -> Outcome {
        other.require_not_zero()?;
        self.combined(other, &self.value / &other.value)
    }

    /// The rest of a division; it has the sign of the left side, as in most programming languages.
    pub(super) fn modulo(&self, other: &Self) -> Outcome {
        other.require_not_zero()?;
        self.combined(other, &self.value % &other.value)
    }

    fn require_not_zero(&self) -> std::result::Result<(), String> {
        if self.value.is_zero() { Err("division by zero".to_owned()) } else { Ok(()) }
    }

    pub(super) fn negated(&self) -> Self {
        self.mapped(-&self.value)
    }

    pub(super) fn power(&self, exponent: &Self) -> Outcome {
        if exponent.value.denom() == &BigInt::from(2) {
            return self.power(&exponent.mapped(exponent.value.numer().clone().into()))?.root();
        }
        if !exponent.value.is_integer() {
            return Err("an exponent must be a whole number, or half of one".to_owned());
        }
        let too_large = || format!("the result has more than {MOST_BITS} bits");
        let steps = exponent.value.numer().magnitude().to_u32();
        if self.value.is_zero() && exponent.value.is_negative() {
            return Err("division by zero".to_owned());
        }
        let is_unit =
            self.value.is_zero() || self.value.numer().magnitude().is_one() && self.value.is_integer();
        let steps = match steps {
            // Zero and one stay what they are; of minus one only odd and even count.
            _ if is_unit => {
                u32::from(exponent.value.numer().bit(0)) + 2 * u32::from(!exponent.value.is_zero())
            }
            Some(steps) => steps,
            None => return Err(too_large()),
        };
        let bits = self.value.numer().bits().max(self.value.denom().bits());
        if !is_unit && (bits - 1).saturating_mul(steps.into()) > MOST_BITS {
            return Err(too_large());
        }
        let (numer, denom) = (Pow::pow(self.value.numer(), steps), Pow::pow(self.value.denom(), steps));
        let value = BigRational::new(numer, denom);
        let value = if exponent.value.is_negative() { value.recip() } else { value };
        self.combined(exponent, value)
    }

    /// The square root: exact where it is a fraction, else rounded down to the digits that are shown.
    pub(super) fn root(&self) -> Outcome {
        if self.value.is_negative() {
            return Err("the square root of a negative number".to_owned());
        }
        let (numer, denom) = (self.value.numer(), self.value.denom());
        let (top, bottom) = (numer.sqrt(), denom.sqrt());
        if &(&top * &top) == numer && &(&bottom * &bottom) == denom {
            return self.mapped(BigRational::new(top, bottom)).bounded();
        }
        let scale = BigInt::from(10).pow(PLACES + 5);
        let scaled = (numer * &scale * &scale / denom).sqrt();
        Self { value: BigRational::new(scaled, scale), rounded: true }.bounded()
    }

    pub(super) fn absolute(&self) -> Self {
        self.mapped(self.value.abs())
    }

    pub(super) fn floor(&self) -> Self {
        self.mapped(self.value.floor())
    }

    pub(super) fn ceiling(&self) -> Self {
        self.mapped(self.value.ceil())
    }

    /// To the nearest number with so many places; halves away from zero.
    pub(super) fn round(&self, places: &Self) -> Outcome {
        let scale = Number::whole(BigInt::from(10))?.power(places)?;
        let scaled = self.times(&scale)?;
        scaled.mapped(scaled.value.round()).over(&scale)
    }

    pub(super) fn is_less_than(&self, other: &Self) -> bool {
        self.value < other.value
    }

    /// Such as `1/3`.
    pub(super) fn fraction(&self) -> String {
        self.value.to_string()
    }

    /// Decimal digits, and whether they are all of them.
    pub(super) fn digits(&self) -> (String, bool) {
        let (twos, fives, rest) = factors(self.value.denom());
        let ends = rest.is_one() && !self.rounded;
        let places = if ends { twos.max(fives) } else { PLACES };
        let scaled = (&self.value * BigRational::from(BigInt::from(10).pow(places))).round().to_integer();
        let sign = if scaled.sign() == Sign::Minus { "-" } else { "" };
        let digits = scaled.magnitude().to_string();
        let places = places as usize;
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        (format!("{sign}{whole}{point}{fraction}"), ends)
    }
}

/// How often 2 and 5 divide a number, and what is left of it.
fn factors(number: &BigInt) -> (u32, u32, BigInt) {
    let twos = u32::try_from(number.trailing_zeros().unwrap_or(0)).unwrap_or(u32::MAX);
    let mut rest: BigInt = number >> twos;
    let mut fives = 0;
    let five = BigInt::from(5);
    while !rest.is_one() && (&rest % &five).is_zero() {
        rest /= &five;
        fives += 1;
    }
    (twos, fives, rest)
}
