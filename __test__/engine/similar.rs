//! Finding lines that are like given ones: the same winner, score and count as the documented formula, however much of
//! the work is spared.

#![expect(clippy::cast_precision_loss, reason = "small numbers")]
#![expect(clippy::float_cmp, reason = "the same sums of the same numbers")]

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::text::normalise::{fuzzy_form, indent, trim, unicode_form, without_comment};
use gajae_tool_core::engine::text::similar::{Forms, Prefix, best_windows, similarity};
use proptest::prelude::*;

/// The textbook's table, in UTF-16 units.
fn plain_similarity(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<u16>, Vec<u16>) = (one.encode_utf16().collect(), other.encode_utf16().collect());
    let length = one.len().max(other.len());
    if length == 0 {
        return 1.0;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, left) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, right) in other.iter().enumerate() {
            let best = (diagonal + usize::from(left != right)).min(1 + row[column].min(row[column + 1]));
            diagonal = std::mem::replace(&mut row[column + 1], best);
        }
    }
    1.0 - row[other.len()] as f64 / length as f64
}

fn encoded(window: &[&str], prefix: Prefix) -> Vec<String> {
    let sizes: Vec<usize> =
        window.iter().filter(|line| !trim(line).is_empty()).map(|line| indent(line).len()).collect();
    let least = sizes.iter().min().copied().unwrap_or(0);
    let unit = sizes.iter().map(|size| size - least).filter(|size| *size > 0).min().unwrap_or(1);
    let encode = |line: &&str| {
        let blank = trim(line).is_empty();
        let depth = if blank { 0.0 } else { ((indent(line).len() - least) as f64 / unit as f64).round() };
        match prefix {
            Prefix::Depth => format!("{depth}|{}", fuzzy_form(line)),
            Prefix::Bar => format!("|{}", fuzzy_form(line)),
            Prefix::None => fuzzy_form(line).into_owned(),
        }
    };
    window.iter().map(encode).collect()
}

/// Every window in full: line, score, weakest line, second score, how many reach the threshold.
fn plain_windows(
    file: &[&str],
    searched: &[&str],
    prefix: Prefix,
    threshold: f64,
) -> Option<(usize, f64, f64, f64, usize)> {
    let searched = encoded(searched, prefix);
    let mut found: Option<(usize, f64, f64, f64, usize)> = None;
    for (line, window) in file.windows(searched.len()).enumerate() {
        let own: Vec<f64> = encoded(window, prefix)
            .iter()
            .zip(&searched)
            .map(|(one, other)| plain_similarity(other, one))
            .collect();
        let score = own.iter().sum::<f64>() / own.len() as f64;
        let weakest = own.iter().copied().fold(1.0, f64::min);
        let reaches = usize::from(score >= threshold);
        found = Some(match found {
            None => (line, score, weakest, f64::MIN, reaches),
            Some((_, best, _, _, count)) if score > best => (line, score, weakest, best, count + reaches),
            Some((at, best, least, second, count)) => (at, best, least, second.max(score), count + reaches),
        });
    }
    found
}

fn any_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("let x = 1;"),
        Just("let y = 12;"),
        Just("return total"),
        Just(""),
        Just("}"),
        Just("\u{201c}caf\u{e9}\u{201d} \u{1f7e2}"),
        Just("a  b\tc"),
        Just("for each of the many items"),
    ];
    ("[ \t]{0,3}| {8,14}", word, "[ab ]{0,3}")
        .prop_map(|(indent, word, more)| format!("{indent}{word}{more}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_spared_changes_nothing(
        file in proptest::collection::vec(any_line(), 0..60),
        searched in proptest::collection::vec(any_line(), 1..5),
        from in any::<proptest::sample::Index>(),
        is_near in any::<bool>(),
        threshold in prop_oneof![Just(0.95), Just(0.8), Just(0.5), Just(0.0), Just(1.0)],
        prefix in prop_oneof![Just(Prefix::Depth), Just(Prefix::Bar), Just(Prefix::None)],
    ) {
        let file: Vec<&str> = file.iter().map(String::as_str).collect();
        let mut searched: Vec<String> = searched;
        if is_near && file.len() >= searched.len() {
            let at = from.index(file.len() - searched.len() + 1);
            searched = file[at..at + searched.len()].iter().map(|line| format!("  {line}x")).collect();
        }
        let searched: Vec<&str> = searched.iter().map(String::as_str).collect();
        let (forms, wanted) = (Forms::new(file.iter().copied()), Forms::new(searched.iter().copied()));
        let found = best_windows(&forms, &wanted, prefix, threshold, &|_| false, &CancelToken::new()).expect("no abort");
        let plain = plain_windows(&file, &searched, prefix, threshold);
        prop_assert_eq!(found.map(|found| (found.line, found.score, found.weakest, found.reaching)), plain.map(|(line, score, weakest, _, count)| (line, score, weakest, count)));
        if let (Some(found), Some(plain)) = (found, plain) && plain.3 >= threshold {
            prop_assert_eq!(found.second, plain.3);
        }
    }

    #[test]
    fn similarity_is_that_of_the_table(one in "[ab\u{1f7e2}]{0,90}", other in "[ab\u{1f7e2}]{0,90}") {
        prop_assert_eq!(similarity(&one, &other), plain_similarity(&one, &other));
    }
}

#[test]
fn forms_drop_what_nobody_means() {
    for (line, form) in [
        ("  a  b\t\tc ", "a b c"),
        ("\u{201e}x\u{201f} \u{ab}y\u{bb} \u{201c}z\u{201d}", "\"x\" \"y\" \"z\""),
        ("don`t \u{2014} \u{2212}1", "don't - -1"),
        ("\u{a0}a\u{feff}", "a"),
        ("a\u{85}", "a\u{85}"),
    ] {
        assert_eq!(fuzzy_form(line), form);
    }
    assert_eq!(unicode_form(" a\u{200b}\u{2260}\u{bd}e\u{301} "), "a!=1/2\u{e9}");
    for (line, rest) in
        [("  // x ", "x "), ("* x", "x"), ("/x", "/x"), ("/ x", "x"), ("## x", "# x"), ("*/", "")]
    {
        assert_eq!(without_comment(line), rest, "{line}");
    }
}
