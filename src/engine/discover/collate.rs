//! The order of names that score the same: root collation.

use std::cmp::Ordering;

use icu_collator::options::CollatorOptions;
use icu_collator::provider::{self as collation, CollationTailoringV1};
use icu_collator::{Collator, CollatorPreferences};
use icu_normalizer::provider as normalization;
use icu_provider::prelude::*;

/// Compares two names as the root locale orders them: variants differ, punctuation counts, digits are characters.
#[must_use]
pub fn compare_names(left: &str, right: &str) -> Ordering {
    if left.is_ascii() && right.is_ascii() {
        return compare_ascii(left, right);
    }
    ROOT.with(|root| {
        root.as_ref().map_or_else(|| left.cmp(right), |root| root.as_borrowed().compare(left, right))
    })
}

thread_local! {
    /// None only if the compiled data lacked the root, which it never does.
    static ROOT: Option<Collator> =
        Collator::try_new_unstable(&RootOnly, CollatorPreferences::default(), CollatorOptions::default()).ok();
}

/// The compiled data without what other locales change of the root order, which is most of it: about a megabyte.
struct RootOnly;

impl DataProvider<CollationTailoringV1> for RootOnly {
    fn load(&self, request: DataRequest) -> Result<DataResponse<CollationTailoringV1>, DataError> {
        Err(DataErrorKind::IdentifierNotFound.with_req(CollationTailoringV1::INFO, request))
    }
}

macro_rules! compiled {
    ($($from:ident::$marker:ident),* $(,)?) => { $(
        impl DataProvider<$from::$marker> for RootOnly {
            fn load(&self, request: DataRequest) -> Result<DataResponse<$from::$marker>, DataError> {
                $from::Baked.load(request)
            }
        }
    )* };
}

compiled!(
    collation::CollationRootV1,
    collation::CollationDiacriticsV1,
    collation::CollationJamoV1,
    collation::CollationMetadataV1,
    collation::CollationReorderingV1,
    collation::CollationSpecialPrimariesV1,
    normalization::NormalizerNfdDataV1,
    normalization::NormalizerNfdTablesV1,
);

/// Printable characters that are neither letters nor digits, in root order; all stand before the digits.
const PUNCTUATION: &[u8] = b"\t\n\x0b\x0c\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Primary rank of each ASCII character; 0 is ignored.
const RANKS: [u8; 128] = ranks();

const fn ranks() -> [u8; 128] {
    let mut ranks = [0; 128];
    let mut rank = 0_u8;
    while (rank as usize) < PUNCTUATION.len() {
        ranks[PUNCTUATION[rank as usize] as usize] = rank + 1;
        rank += 1;
    }
    let mut byte = 0;
    while byte < 128_u8 {
        if byte.is_ascii_digit() {
            ranks[byte as usize] = 64 + byte - b'0';
        } else if byte.is_ascii_alphabetic() {
            ranks[byte as usize] = 80 + byte.to_ascii_lowercase() - b'a';
        }
        byte += 1;
    }
    ranks
}

fn compare_ascii(left: &str, right: &str) -> Ordering {
    ranks_of(left).cmp(ranks_of(right)).then_with(|| cases_of(left).cmp(cases_of(right)))
}

fn ranks_of(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().map(|byte| RANKS[byte as usize]).filter(|&rank| rank > 0)
}

/// Lower case stands before upper case, at the first place where only the case differs.
fn cases_of(text: &str) -> impl Iterator<Item = bool> {
    text.bytes().filter(|&byte| RANKS[byte as usize] > 0).map(|byte| byte.is_ascii_uppercase())
}
