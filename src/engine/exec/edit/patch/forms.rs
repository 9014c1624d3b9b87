//! The forms in which lines are compared, each more forgiving than the one before.

use std::borrow::Cow;

use crate::engine::text::normalise::{fuzzy_form, is_white, trim, unicode_form, without_comment};

/// How a pattern was found, the strictest way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// Every character.
    Exact,
    /// Blanks at the end aside.
    TrimEnd,
    /// Blanks around aside.
    Trim,
    /// A comment marker aside.
    Comment,
    /// Quotes, dashes and spaces of the same kind are equal.
    Unicode,
    /// Context lines are the start of the file's lines.
    Prefix,
    /// Context lines are a part of the file's lines.
    Substring,
    /// The lines are much alike.
    Similar,
}

impl Strategy {
    /// The forms in which lines are equal or not, in this order.
    pub const EQUAL: [Self; 5] = [Self::Exact, Self::TrimEnd, Self::Trim, Self::Comment, Self::Unicode];

    /// The name in the facts of errors and warnings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TrimEnd => "trim_end",
            Self::Trim => "trim",
            Self::Comment => "comment",
            Self::Unicode => "unicode",
            Self::Prefix => "prefix",
            Self::Substring => "substring",
            Self::Similar => "fuzzy",
        }
    }

    /// A line as this way compares it; the last three take the folded form.
    pub fn form(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(line),
            Self::TrimEnd => Cow::Borrowed(line.trim_end_matches(is_white)),
            Self::Trim => Cow::Borrowed(trim(line)),
            Self::Comment => Cow::Borrowed(without_comment(line)),
            Self::Unicode => unicode_form(line),
            Self::Prefix | Self::Substring | Self::Similar => fuzzy_form(line),
        }
    }
}
