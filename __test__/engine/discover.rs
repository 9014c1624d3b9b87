//! Discovery: tokens, order of names, the two rankings, and an index that stays true as tools come and go.

use std::cmp::Ordering;

use gajae_tool_core::engine::discover::{Corpus, DiscoveryIndex, Ranking, compare_names, tokenize};
use proptest::prelude::*;

/// Name, server, summary and parameters of a tool.
type Tool = (&'static str, &'static str, &'static str, &'static str);

const TOOLS: &[Tool] = &[
    ("tracker_create_issue", "tracker", "Open a new issue in a project", "project title body"),
    ("tracker_list_issues", "tracker", "List the issues of a project", "project state"),
    ("chat_send_message", "chat", "Send a message to a channel", "channel text"),
    ("chat_delete_message", "chat", "Remove a message", "channel id"),
    ("warehouse_run_query", "warehouse", "Run a SQL query on the warehouse database", "sql"),
    ("일정_목록", "", "캘린더의 일정을 조회합니다", "날짜"),
    ("fileSearch", "", "Find files by their name", "pattern"),
];

fn corpus(tools: &[Tool]) -> Corpus {
    let mut corpus = Corpus::default();
    for (name, server, summary, keys) in tools {
        corpus.push([name, name, server, "", summary, "", keys]);
    }
    corpus
}

fn found(index: &mut DiscoveryIndex, query: &str, ranking: Ranking) -> Vec<(u32, f64)> {
    let hits = index.search(query, ranking, f64::INFINITY).expect("search");
    hits.into_iter().map(|hit| (hit.slot, hit.score)).collect()
}

fn names(query: &str, ranking: Ranking) -> Vec<&'static str> {
    let mut index = DiscoveryIndex::build(corpus(TOOLS)).expect("index");
    found(&mut index, query, ranking).into_iter().map(|(slot, _)| TOOLS[slot as usize].0).collect()
}

#[test]
fn tokens_follow_the_documented_steps() {
    let check = |text: &str, tokens: &[&str]| assert_eq!(tokenize(text), tokens, "{text}");
    check(
        "HTTPServer parseURLs v2Beta ABcDEf",
        &["http", "server", "parse", "ur", "ls", "v2", "beta", "a", "bc", "d", "ef"],
    );
    check("café ﬁle ½ Ⅷ", &["cafe", "file", "1", "2", "viii"]);
    check("ΟΔΟΣ ΣΑΣ", &["οδος", "σας"]);
    check("\u{301}a\u{301}B", &["a", "b"]);
    check("a\u{fffd}b\u{0}c", &["a", "b", "c"]);
    check("한글", &["\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"]);
    check(" \t- ", &[]);
}

#[test]
fn names_are_ordered_by_root_collation() {
    let sorted = ["_a", "-a", "a", "A", "ä", "a_b", "a1", "ab", "Ab", "AB", "b", "é", "z", "가"];
    for (place, left) in sorted.iter().enumerate() {
        for right in &sorted[place + 1..] {
            assert_eq!(compare_names(left, right), Ordering::Less, "{left} {right}");
            assert_eq!(compare_names(right, left), Ordering::Greater, "{right} {left}");
        }
    }
    assert_eq!(compare_names("a\u{1}b", "ab"), Ordering::Equal);
}

#[test]
fn the_exact_ranking_knows_only_exact_words() {
    assert_eq!(names("issue", Ranking::Exact), ["tracker_create_issue"]);
    assert_eq!(names("isue", Ranking::Exact), [""; 0]);
    assert_eq!(names("message channel", Ranking::Exact), ["chat_send_message", "chat_delete_message"]);
}

#[test]
fn the_agent_ranking_finds_what_is_meant() {
    let check =
        |query: &str, name: &str| assert_eq!(names(query, Ranking::Agent).first(), Some(&name), "{query}");
    check("could you please list all of the issues", "tracker_list_issues");
    check("delte mesage", "chat_delete_message");
    check("post something to a channel", "chat_send_message");
    check("db query", "warehouse_run_query");
    check("메시지 보내기", "chat_send_message");
    check("메시지를 삭제해줘", "chat_delete_message");
    check("일정 조회", "일정_목록");
    check("file search", "fileSearch");
}

#[test]
fn words_of_other_scripts_keep_their_marks() {
    let tools: &[Tool] =
        &[("ka", "", "किताब", ""), ("ki", "", "कताब", ""), ("pa", "", "パイ", ""), ("ha", "", "ハイ", "")];
    let mut index = DiscoveryIndex::build(corpus(tools)).expect("index");
    for (query, slot) in [("किताब", 0), ("कताब", 1), ("パイ", 2), ("ハイ", 3)] {
        let slots: Vec<u32> =
            found(&mut index, query, Ranking::Agent).into_iter().map(|(slot, _)| slot).collect();
        assert_eq!(slots, [slot], "{query}");
    }
}

#[test]
fn a_query_is_plain_words_and_needs_one() {
    for ranking in [Ranking::Exact, Ranking::Agent] {
        assert_eq!(names("+\"sql\" (query: AND^2 [a TO b]", ranking).first(), Some(&"warehouse_run_query"));
        let mut empty = DiscoveryIndex::build(Corpus::default()).expect("index");
        assert_eq!(found(&mut empty, "word", ranking), []);
        let error = empty.search(" -!\u{301} ", ranking, 8.0).expect_err("no words");
        assert_eq!(error.code(), "invalid_arguments");
    }
}

#[test]
fn a_limit_cuts_like_a_slice() {
    let mut index = DiscoveryIndex::build(corpus(TOOLS)).expect("index");
    let all = found(&mut index, "message issue issues a", Ranking::Exact);
    for (limit, kept) in
        [(0.0, 0), (1.0, 1), (2.9, 2), (-1.0, all.len() - 1), (-99.0, 0), (f64::NAN, 0), (1e9, all.len())]
    {
        let hits = index.search("message issue issues a", Ranking::Exact, limit).expect("search");
        let hits: Vec<(u32, f64)> = hits.into_iter().map(|hit| (hit.slot, hit.score)).collect();
        assert_eq!(hits, all[..kept], "{limit}");
    }
}

#[test]
fn a_token_longer_than_the_index_takes_costs_no_other_word() {
    let long = "A".repeat(70_000);
    let mut tools = Corpus::default();
    let summary = format!("needleword {long}");
    tools.push(["long", "long", "", "", &summary, &summary, ""]);
    tools.push(["other", "other", "", "", "nothing", "", ""]);
    let mut index = DiscoveryIndex::build(tools).expect("index");
    for ranking in [Ranking::Exact, Ranking::Agent] {
        assert_eq!(found(&mut index, "needleword", ranking).len(), 1);
        assert_eq!(found(&mut index, &"A".repeat(70_001), ranking), []);
    }
    // Ranking `agent` does not read a query to so late an end.
    assert_eq!(found(&mut index, &long, Ranking::Exact).len(), 1);
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    for (text, lengths) in [
        ("ab", vec![1]),
        ("a\n", vec![9; 7]),
        ("é\n\n\n\n\n\n", vec![1, 0, 0, 0, 0, 0, 0]),
        ("😀\n", vec![1; 7]),
    ] {
        assert!(Corpus::parse(text.into(), &lengths).is_err(), "{text:?} {lengths:?}");
    }
    let text = "é😀\nb\n\n\n\n\n가\n".into();
    let corpus = Corpus::parse(text, &[3, 1, 0, 0, 0, 0, 1]).expect("lengths that fit");
    assert_eq!(corpus.field(0, gajae_tool_core::engine::discover::Field::Keys), "가");
}

#[test]
fn a_tool_added_again_replaces_the_first() {
    let mut index = DiscoveryIndex::build(corpus(&TOOLS[..3])).expect("index");
    let twice = [("chat_send_message", "chat", "Old", ""), ("chat_send_message", "chat", "Newest words", "")];
    assert_eq!(index.add(&corpus(&twice)).expect("add"), [2, 3]);
    assert_eq!(index.living_slots().collect::<Vec<_>>(), [0, 1, 4]);
    assert_eq!(found(&mut index, "newest", Ranking::Exact).len(), 1);
    assert_eq!(found(&mut index, "channel old", Ranking::Exact), []);
    assert_eq!(index.remove(&["chat_send_message", "nobody"]).expect("remove"), [4]);
    assert_eq!(index.len(), 2);
}

/// Words that tools and queries are made of.
const WORDS: [&str; 12] = [
    "create",
    "issues",
    "list",
    "message",
    "데이터를",
    "search",
    "files",
    "日本語",
    "query",
    "tracker",
    "deleted",
    "getUserV2",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..6).prop_map(|words| words.join("_"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn ascii_names_are_ordered_as_the_root_collator_does(left in "[ -~\t]{0,6}", right in "[ -~\t]{0,6}") {
        // A letter outside ASCII sends the comparison to the collator.
        let (accented_left, accented_right) = (format!("{left}é"), format!("{right}é"));
        let order = compare_names(&left, &right);
        if order != Ordering::Equal && !left.starts_with(&right) && !right.starts_with(&left) {
            prop_assert_eq!(compare_names(&accented_left, &accented_right), order);
        }
    }

    #[test]
    fn adding_and_removing_equals_a_fresh_build(
        texts in prop::collection::vec((text(), text()), 1..30),
        first in 0_usize..30,
        removed in prop::collection::vec(0_usize..30, 0..12),
        queries in prop::collection::vec(text(), 1..4),
    ) {
        let tool = |place: usize| {
            let (name, summary) = &texts[place];
            (format!("{name}_{place}"), summary.replace('_', " "))
        };
        let of = |places: &[usize]| {
            let mut corpus = Corpus::default();
            for &place in places {
                let (name, summary) = tool(place);
                let server = if place.is_multiple_of(3) { "tracker" } else { "" };
                corpus.push([&name, &name, server, "", &summary, "", ""]);
            }
            corpus
        };
        let all: Vec<usize> = (0..texts.len()).collect();
        let (start, later) = all.split_at(first.min(all.len()));
        let mut changed = DiscoveryIndex::build(of(start)).expect("index");
        // Both rankings are in use before anything changes.
        for ranking in [Ranking::Exact, Ranking::Agent] {
            found(&mut changed, "list", ranking);
        }
        for &place in later {
            changed.add(&of(&[place])).expect("add");
        }
        let gone: Vec<usize> = all.iter().copied().filter(|place| removed.contains(place)).collect();
        for &place in &gone {
            changed.remove(&[&tool(place).0]).expect("remove");
        }
        let left: Vec<usize> = all.into_iter().filter(|place| !gone.contains(place)).collect();
        let mut fresh = DiscoveryIndex::build(of(&left)).expect("index");
        prop_assert_eq!(changed.average_length().to_bits(), fresh.average_length().to_bits());
        for query in &queries {
            for ranking in [Ranking::Exact, Ranking::Agent] {
                let expected: Vec<_> = found(&mut fresh, query, ranking)
                    .into_iter()
                    .map(|(slot, score)| (left[slot as usize], score))
                    .collect();
                let got: Vec<_> =
                    found(&mut changed, query, ranking).into_iter().map(|(slot, score)| (slot as usize, score)).collect();
                for limit in 0..4_u8 {
                    let hits = changed.search(query, ranking, f64::from(limit)).expect("search");
                    let hits: Vec<_> = hits.into_iter().map(|hit| (hit.slot as usize, hit.score)).collect();
                    prop_assert_eq!(&hits, &got[..got.len().min(usize::from(limit))], "{} {:?} {}", query, ranking, limit);
                }
                prop_assert_eq!(got, expected, "{} {:?}", query, ranking);
            }
        }
    }
}
