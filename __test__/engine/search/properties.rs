//! What holds for every text and every pattern.

use gajae_tool_core::engine::text::split_lines;
use proptest::prelude::*;
use serde_json::json;

use super::{bare, facts, run, run_in};
use crate::tree::Tree;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// The lines that match are those of the one splitter, with the numbers that every other tool gives them.
    #[test]
    fn lines_are_those_of_every_tool(
        pieces in prop::collection::vec(prop::sample::select(vec!["a", "b", "ab", " ", "\n", "\r\n", "\r", "é", "\u{FEFF}"]), 0..40),
        needle in prop::sample::select(vec!["a", "ab", "b", "é"]),
    ) {
        let text = pieces.concat();
        let tree = Tree::new(&[("f", &text)]).with(bare());
        let found = run(&tree, json!({"pattern": needle, "paths": ["f"]})).text;
        let expected: Vec<usize> = split_lines(text.as_bytes())
            .enumerate()
            .filter(|(_, line)| String::from_utf8_lossy(line.text).contains(needle))
            .map(|(index, _)| index + 1)
            .collect();
        let numbers: Vec<usize> = found
            .split('\n')
            .filter_map(|line| line.strip_prefix('*')?.split('|').next()?.parse().ok())
            .collect();
        prop_assert_eq!(numbers, expected, "{:?}", text);
    }

    /// Whatever people write is a pattern or an error that says why.
    #[test]
    fn any_text_is_a_pattern_or_a_clear_error(
        pieces in prop::collection::vec(
            prop::sample::select(vec!["(", ")", "[", "]", "{", "}", "|", "\\", "^", "$", "?", "*", "+", ",", "1", "a", "p", "x", "\n", "-", "é", ":", "s"]),
            1..12,
        ),
    ) {
        let tree = Tree::new(&[("f", "a1(x){é}\n")]).with(bare());
        match run_in(&tree.context(), json!({"pattern": pieces.concat()})) {
            Ok(found) => prop_assert!(found.text.starts_with("# f") || found.text == "No matches found"),
            Err(error) => prop_assert_eq!(error.code(), "invalid_regex"),
        }
    }

    /// Paging with any context shows each matching line of small files exactly once.
    #[test]
    fn pages_show_each_match_once(
        counts in prop::collection::vec(0_usize..20, 1..60),
        before in 0..3,
        after in 0..4,
    ) {
        let settings = json!({"readHashLines": false, "search.contextBefore": before, "search.contextAfter": after});
        let tree = Tree::new(&[]).with(settings);
        for (n, count) in counts.iter().enumerate() {
            tree.write(format!("d{}/f{n}", n % 4), "needle\nother\n".repeat(*count));
        }
        let (mut matches, mut shown, mut skip) = (0, 0, json!(0));
        while !skip.is_null() {
            let page = run(&tree, json!({"pattern": "needle", "skip": skip}));
            matches += page.details["matchCount"].as_u64().unwrap();
            shown += page.text.matches("|needle").count() as u64;
            skip = facts(&page, "search_page")["next_skip"].clone();
        }
        let expected: usize = counts.iter().sum();
        prop_assert_eq!((matches, shown), (expected as u64, expected as u64));
    }

    /// Whatever is asked first to save time, the lines are those that match one by one.
    #[test]
    fn lines_are_those_that_match_by_themselves(
        lines in prop::collection::vec(
            prop::collection::vec(prop::sample::select(vec!["a", "K", "\u{212A}", "_", "1", " ", "é", "\u{a0}", "٣", "日本", "x:", "-"]), 0..8),
            1..30,
        ),
        pieces in prop::collection::vec(
            prop::sample::select(vec![r"\w", r"\d", r"\s", r"\W", r"\S", r"\b", r"\B", ".", "[^a]", r"[\w-]", "a", "k", "é", "x:", "(?:a|é)", "^", "$"]),
            1..6,
        ),
        counts in prop::collection::vec(prop::sample::select(vec!["", "", "+", "*", "?", "{2}", "{2,3}"]), 6),
        ignore_case in any::<bool>(),
        only_ascii in any::<bool>(),
    ) {
        let pattern: String = pieces
            .iter()
            .zip(&counts)
            // A brace behind `$` is text.
            .flat_map(|(piece, count)| [*piece, if matches!(*piece, "^" | "$") { "" } else { *count }])
            .collect();
        let is_wanted = |piece: &&str| !only_ascii || piece.is_ascii();
        let lines: Vec<String> =
            lines.iter().map(|pieces| pieces.iter().copied().filter(is_wanted).collect()).collect();
        let tree = Tree::new(&[("f", &lines.join("\n"))]).with(bare());
        let Ok(by_line) = regex::bytes::RegexBuilder::new(&pattern).case_insensitive(ignore_case).build() else {
            return Ok(());
        };
        let found = run(&tree, json!({"pattern": pattern, "paths": ["f"], "i": ignore_case})).text;
        let numbers: Vec<usize> =
            found.split('\n').filter_map(|line| line.strip_prefix('*')?.split('|').next()?.parse().ok()).collect();
        // There is no line behind the last break.
        let count = lines.len() - usize::from(lines.last().is_some_and(String::is_empty));
        let matches = |(index, line): (usize, &String)| by_line.is_match(line.as_bytes()).then_some(index + 1);
        let expected: Vec<usize> = lines[..count].iter().enumerate().filter_map(matches).collect();
        prop_assert_eq!(numbers, expected, "{} in {:?}", pattern, lines);
    }

    /// A large file of a walk is looked at in pieces first; a named one is not. They have the same lines.
    #[test]
    fn pieces_of_large_files_hide_nothing(
        places in prop::collection::vec(
            (prop::sample::select(vec![20_usize, 256 << 10, 512 << 10]), 0_usize..10),
            0..3,
        ),
        unit in prop::sample::select(vec!["abc\n", "abcdefghi é\r\n", "abcde\r", "abcdef"]),
        pattern in prop::sample::select(vec!["needle", "needle", "needl", "l", "ne+dle", "(?i)NEEDLE$", r"\bneedle", "é needle", "needle\r?\n"]),
        head in prop::sample::select(vec!["", "\u{FEFF}", "\0", "\n"]),
        tail in prop::sample::select(vec!["", "\n", "\0"]),
    ) {
        let mut text = format!("{head}{}", unit.repeat(700_100 / unit.len())).into_bytes();
        for (place, offset) in places {
            let at = place + offset - 8;
            text[at..at + 6].copy_from_slice(b"needle");
        }
        text.extend_from_slice(tail.as_bytes());
        let tree = Tree::new(&[]).with(bare());
        tree.write("f", text);
        let lines = |paths| {
            let found = run(&tree, json!({"pattern": pattern, "paths": [paths]}));
            let lines: Vec<String> = found.text.lines().filter(|line| line.starts_with('*')).map(String::from).collect();
            (lines, found.details["matchCount"].clone(), facts(&found, "skipped_files"))
        };
        prop_assert_eq!(lines("."), lines("f"));
    }
}
