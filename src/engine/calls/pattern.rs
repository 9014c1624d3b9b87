//! Regular expressions as ECMAScript writes them (with the flag `u`, and what browsers forgive beside it). Compiled when
//! first needed, and every search counts as work: a pattern comes from a server that nobody vouches for.

use std::sync::OnceLock;

use jsonschema::json::Node;
use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

use super::counted::{Counted, Look};
use super::pattern_syntax::translate;

/// Characters of a pattern that is compiled at all.
const LONGEST: usize = 4_000;

/// Bytes of a compiled pattern: one that stays below the first is cheap for texts of any length.
const SMALL: usize = 64 << 10;
const LARGEST: usize = 1 << 20;

/// How long a pattern that goes back and forth is searched with, each time after the one before did not suffice: steps,
/// and the looks that they are worth. The last takes about two milliseconds.
const GEARS: [(usize, u64); 3] = [(200, 100), (1_000, 2_000), (50_000, 200_000)];

/// Looks that compiling is worth: of any pattern, for each of its characters, and of one that becomes large.
const COMPILING: u64 = 2_000;
const COMPILING_CHARACTER: u64 = 50;
const COMPILING_LARGE: u64 = 200_000;

/// Makes the keyword `pattern`. One that cannot be used refuses every text.
#[expect(clippy::unnecessary_wraps, reason = "the shape of a keyword's maker")]
pub(super) fn keyword<'a>(
    _: &'a Map<String, Value>,
    pattern: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i, Counted>>, ValidationError<'a>> {
    let source = pattern.as_str().unwrap_or_default().to_owned();
    Ok(Box::new(Pattern { source, engine: OnceLock::new() }))
}

struct Pattern {
    source: String,
    engine: OnceLock<Result<Engine, String>>,
}

enum Engine {
    /// Takes time in proportion to the text.
    Linear { regex: regex::Regex, small: bool },
    /// Has look-around or refers back. One for each gear.
    Backtracking(Box<[fancy_regex::Regex; 3]>),
}

impl Pattern {
    /// What is wrong with a text.
    fn fault(&self, text: &str, look: &Look<'_>) -> Option<String> {
        match self.engine(look) {
            Err(reason) => Some(format!("the schema's pattern `{}` cannot be used: {reason}", self.shown())),
            Ok(engine) => match self.find(engine, text, look) {
                Some(true) => None,
                Some(false) => Some(format!("does not match the pattern `{}`", self.shown())),
                None => Some(self.ran_away()),
            },
        }
    }

    fn find(&self, engine: &Engine, text: &str, look: &Look<'_>) -> Option<bool> {
        let found = engine.find(text, look);
        if let (None, Some(meter)) = (found, look.meter) {
            meter.blame(self.ran_away());
        }
        found
    }

    fn ran_away(&self) -> String {
        format!("the schema's pattern `{}` takes too many steps for this text", self.shown())
    }

    fn engine(&self, look: &Look<'_>) -> &Result<Engine, String> {
        self.engine.get_or_init(|| Engine::compile(&self.source, look))
    }

    fn shown(&self) -> String {
        super::validate::shortened(&self.source, 100)
    }
}

impl<'i> Keyword<'i, Counted> for Pattern {
    fn validate(&self, look: Look<'i>) -> Result<(), ValidationError<'i>> {
        let fault = look.as_string().and_then(|text| self.fault(&text, &look));
        fault.map_or(Ok(()), |fault| Err(ValidationError::custom(fault)))
    }

    fn is_valid(&self, look: Look<'i>) -> bool {
        let matches = |text: &str| match self.engine(&look) {
            Ok(engine) => self.find(engine, text, &look) == Some(true),
            Err(_) => false,
        };
        look.as_string().is_none_or(|text| matches(&text))
    }
}

impl Engine {
    /// The error says what cannot be used.
    fn compile(source: &str, look: &Look<'_>) -> Result<Self, String> {
        if source.len() > LONGEST {
            return Err(format!("it is longer than {LONGEST} characters"));
        }
        look.charge(COMPILING + COMPILING_CHARACTER * source.len() as u64);
        let translated = translate(source)?;
        let linear =
            |limit| regex::RegexBuilder::new(&translated).size_limit(limit).dfa_size_limit(limit).build();
        match linear(SMALL) {
            Ok(regex) => Ok(Self::Linear { regex, small: true }),
            Err(regex::Error::CompiledTooBig(_)) => {
                look.charge(COMPILING_LARGE);
                let regex = linear(LARGEST).map_err(|_| "it is too large when compiled".to_owned())?;
                Ok(Self::Linear { regex, small: false })
            }
            Err(_) => {
                let [first, second, last] = GEARS.map(|(steps, _)| backtracking(&translated, steps));
                Ok(Self::Backtracking(Box::new([first?, second?, last?])))
            }
        }
    }

    /// Whether a text matches; `None` if that takes too many steps.
    fn find(&self, text: &str, look: &Look<'_>) -> Option<bool> {
        let bytes = text.len() as u64;
        match self {
            Self::Linear { regex, small } => {
                look.charge(5 + if *small { bytes / 4 } else { bytes * 10 });
                Some(regex.is_match(text))
            }
            Self::Backtracking(regexes) => {
                look.charge(bytes);
                regexes.iter().zip(GEARS).find_map(|(regex, (_, looks))| {
                    look.charge(looks);
                    regex.is_match(text).ok()
                })
            }
        }
    }
}

fn backtracking(translated: &str, steps: usize) -> Result<fancy_regex::Regex, String> {
    fancy_regex::RegexBuilder::new(translated)
        .backtrack_limit(steps)
        .delegate_size_limit(LARGEST)
        .build()
        .map_err(|error| super::validate::shortened(&error.to_string().replace('\n', " "), 160))
}
