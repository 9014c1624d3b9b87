//! `calc`: arithmetic without rounding. Numbers are fractions of whole numbers of any size; only a root that is no
//! fraction is rounded, and said to be. Never takes long: what would grow beyond bounds is refused.

mod number;
mod parse;

use serde::{Deserialize, Serialize};

use super::Context;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Issue, Result, ToolError};
use crate::engine::outcome::Outcome;
use number::Number;

/// Arguments of `calc`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// At least one.
    pub calculations: Vec<Calculation>,
}

/// One expression, and what is put around its result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calculation {
    /// Such as `2 ** 64 / 3`.
    pub expression: String,
    /// Before the result.
    #[serde(default)]
    pub prefix: Option<String>,
    /// After the result.
    #[serde(default)]
    pub suffix: Option<String>,
}

/// A result, as the receipt has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Answer {
    expression: String,
    /// In decimal digits; rounded where it is not exact.
    value: String,
    /// Whether the digits are the whole truth.
    exact: bool,
    /// The exact value where its digits never end.
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
}

/// Evaluates expressions; if one is wrong, all wrong ones are named and none is answered.
pub fn run(options: &Options, _context: &Context, cancel: &CancelToken) -> Result<Outcome> {
    if options.calculations.is_empty() {
        return Err(ToolError::argument("calculations", "must hold at least one expression"));
    }
    let (mut answers, mut issues, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for (index, calculation) in options.calculations.iter().enumerate() {
        cancel.check()?;
        match parse::evaluate(&calculation.expression) {
            Ok(number) => {
                let answer = Answer::of(&calculation.expression, &number);
                lines.push(calculation.line(&answer));
                answers.push(answer);
            }
            Err(message) => issues.push(Issue { path: format!("calculations[{index}].expression"), message }),
        }
    }
    if !issues.is_empty() {
        return Err(ToolError::InvalidArguments { issues });
    }
    Ok(Outcome::text(lines.join("\n")).detail("results", answers))
}

impl Answer {
    fn of(expression: &str, number: &Number) -> Self {
        let (value, ends) = number.digits();
        let fraction = (!ends && number.is_exact()).then(|| number.fraction());
        Self { expression: expression.to_owned(), value, exact: ends && number.is_exact(), fraction }
    }
}

impl Calculation {
    fn line(&self, answer: &Answer) -> String {
        let text = |part: &Option<String>| part.clone().unwrap_or_default();
        let (prefix, suffix) = (text(&self.prefix), text(&self.suffix));
        let (about, fraction) = match &answer.fraction {
            Some(fraction) => ("≈ ", format!(" (exactly {fraction})")),
            None if answer.exact => ("", String::new()),
            None => ("≈ ", String::new()),
        };
        format!("{prefix}{about}{}{suffix}{fraction}", answer.value)
    }
}
