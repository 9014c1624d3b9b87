//! Expressions, evaluated while they are read.
//!
//! From loose to tight: `+ -`, `* / %`, signs, `**` (from the right), then numbers, parentheses and functions.

use num_bigint::BigInt;
use num_traits::Num;

use super::number::{Number, Outcome};

/// Parentheses, signs and powers within each other.
const DEPTH: usize = 200;
/// Longer expressions are refused.
const BYTES: usize = 64 * 1024;
/// Powers of ten in a number.
const MOST_POWER: i64 = 20_000;

const FUNCTIONS: &str = "abs, ceil, floor, max, min, round and sqrt";

/// The value of an expression, or what is wrong with it.
pub(super) fn evaluate(expression: &str) -> Outcome {
    if expression.len() > BYTES {
        return Err(format!("is longer than {BYTES} bytes"));
    }
    let mut reader = Reader { text: expression, at: 0, depth: 0 };
    let number = reader.sum()?;
    match reader.peek() {
        None => Ok(number),
        Some(character) => Err(reader.unexpected(character)),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn takes(&mut self, token: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn unexpected(&self, character: char) -> String {
        let place = self.text[..self.at].chars().count() + 1;
        match character {
            '^' => format!("`^` at character {place} could mean two things; write `**` for a power"),
            _ => format!("`{character}` at character {place} is not expected there"),
        }
    }

    fn sum(&mut self) -> Outcome {
        let mut sum = self.product()?;
        loop {
            if self.takes("+") {
                sum = sum.plus(&self.product()?)?;
            } else if self.takes("-") || self.takes("−") {
                sum = sum.minus(&self.product()?)?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Outcome {
        let mut product = self.signed()?;
        loop {
            if self.takes("*") || self.takes("×") || self.takes("·") {
                product = product.times(&self.signed()?)?;
            } else if self.takes("/") || self.takes("÷") {
                product = product.over(&self.signed()?)?;
            } else if self.takes("%") {
                product = product.modulo(&self.signed()?)?;
            } else {
                return Ok(product);
            }
        }
    }

    fn signed(&mut self) -> Outcome {
        let mut negative = false;
        loop {
            if self.takes("-") || self.takes("−") {
                negative = !negative;
            } else if !self.takes("+") {
                break;
            }
        }
        let number = self.power()?;
        Ok(if negative { number.negated() } else { number })
    }

    fn power(&mut self) -> Outcome {
        let base = self.atom()?;
        if !self.takes("**") {
            return Ok(base);
        }
        let exponent = self.deeper(Self::signed)?;
        base.power(&exponent)
    }

    fn atom(&mut self) -> Outcome {
        match self.peek() {
            None => Err("ends where a number is expected".to_owned()),
            Some('(') => {
                self.at += 1;
                let number = self.deeper(Self::sum)?;
                self.close()?;
                Ok(number)
            }
            Some(character) if character.is_ascii_digit() || character == '.' => self.number(),
            Some(character) if character.is_ascii_alphabetic() => self.call(),
            Some(character) => Err(self.unexpected(character)),
        }
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(format!("is nested deeper than {DEPTH} levels"));
        }
        let number = read(self);
        self.depth -= 1;
        number
    }

    fn close(&mut self) -> std::result::Result<(), String> {
        if self.takes(")") { Ok(()) } else { Err("a `)` is missing".to_owned()) }
    }

    fn number(&mut self) -> Outcome {
        let prefix = self.text[self.at..].get(..2).unwrap_or_default().to_ascii_lowercase();
        let radix = match prefix.as_str() {
            "0x" => 16,
            "0o" => 8,
            "0b" => 2,
            _ => return self.decimal(),
        };
        self.at += 2;
        let digits = self.run(|character| character.is_ascii_alphanumeric());
        let number = BigInt::from_str_radix(&digits, radix);
        Number::whole(number.map_err(|_| format!("`{prefix}{digits}` is no number"))?)
    }

    fn decimal(&mut self) -> Outcome {
        let whole = self.run(|character| character.is_ascii_digit());
        let mut fraction = String::new();
        if self.text[self.at..].starts_with('.') {
            self.at += 1;
            fraction = self.run(|character| character.is_ascii_digit());
        }
        if whole.is_empty() && fraction.is_empty() {
            return Err(self.unexpected('.'));
        }
        let power = self.exponent()? - i64::try_from(fraction.len()).unwrap_or(i64::MAX);
        if power.abs() > MOST_POWER {
            return Err(format!("a number has more than {MOST_POWER} places"));
        }
        Number::decimal(&(whole + &fraction), power)
    }

    fn exponent(&mut self) -> std::result::Result<i64, String> {
        let rest = &self.text[self.at..];
        let Some(power) = rest.strip_prefix(['e', 'E']) else { return Ok(0) };
        let sign = power.starts_with(['+', '-']);
        if !power[usize::from(sign)..].starts_with(|character: char| character.is_ascii_digit()) {
            return Ok(0);
        }
        let negative = power.starts_with('-');
        self.at += 1 + usize::from(sign);
        let digits = self.run(|character| character.is_ascii_digit());
        let power: i64 = digits.parse().map_err(|_| format!("`e{digits}` is out of bounds"))?;
        Ok(if negative { -power } else { power })
    }

    /// Characters of a number; underscores between them only help the eye.
    fn run(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let rest = &self.text[self.at..];
        let length = rest.find(|character| !belongs(character) && character != '_').unwrap_or(rest.len());
        self.at += length;
        rest[..length].replace('_', "")
    }

    fn call(&mut self) -> Outcome {
        let name = self.run(|character| character.is_ascii_alphanumeric());
        if !self.takes("(") {
            return Err(format!("`{name}` is unknown; there are {FUNCTIONS}, each with parentheses"));
        }
        let mut arguments = vec![self.deeper(Self::sum)?];
        while self.takes(",") {
            arguments.push(self.deeper(Self::sum)?);
        }
        self.close()?;
        apply(&name, &arguments)
    }
}

fn apply(name: &str, arguments: &[Number]) -> Outcome {
    match (name, arguments) {
        ("abs", [number]) => Ok(number.absolute()),
        ("floor", [number]) => Ok(number.floor()),
        ("ceil", [number]) => Ok(number.ceiling()),
        ("sqrt", [number]) => number.root(),
        ("round", [number]) => number.round(&Number::whole(BigInt::ZERO)?),
        ("round", [number, places]) => number.round(places),
        ("min" | "max", [first, rest @ ..]) => Ok(rest.iter().fold(first.clone(), |best, number| {
            if number.is_less_than(&best) == (name == "min") { number.clone() } else { best }
        })),
        ("abs" | "floor" | "ceil" | "sqrt" | "round", _) => {
            Err(format!("`{name}` does not take {} numbers", arguments.len()))
        }
        _ => Err(format!("`{name}` is unknown; there are {FUNCTIONS}")),
    }
}
