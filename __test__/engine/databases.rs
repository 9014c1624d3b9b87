//! SQLite databases in `read` and `write`: what they show, that a read leaves no trace, and rows that change one by one.

use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::Result;
use gajae_tool_core::engine::exec::{parse_value, read, write};
use gajae_tool_core::engine::outcome::Outcome;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::tree::Tree;

const SCHEMA: &str = "
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, score REAL, note TEXT);
    CREATE TABLE pair (a INTEGER, b TEXT, v TEXT, PRIMARY KEY (a, b));
    CREATE TABLE plain (t TEXT);
    CREATE TABLE raw (k BLOB PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE \"a:b\" (x);
    CREATE VIEW named AS SELECT name FROM users;
    INSERT INTO users VALUES (1, 'ann', 1.5, NULL), (2, 'bob', 3.0, 'two\nlines'), (3, 'cy', 1e300, 'x');
    INSERT INTO pair VALUES (1, 'x', 'one'), (1, 'y,z', 'two');
    INSERT INTO plain VALUES ('first');
    INSERT INTO raw VALUES (x'0102', x'616263');
";

fn tree() -> Tree {
    let tree = Tree::new(&[]);
    Connection::open(tree.path("d.db")).unwrap().execute_batch(SCHEMA).unwrap();
    tree
}

fn read(tree: &Tree, path: &str) -> Result<Outcome> {
    read::run(&parse_value(&json!({"path": path}))?, &tree.context(), &CancelToken::new())
}

fn write(tree: &Tree, path: &str, content: &str) -> Result<Outcome> {
    let options = parse_value(&json!({"path": path, "content": content}))?;
    write::run(&options, &tree.context(), &CancelToken::new())
}

fn text(tree: &Tree, path: &str) -> String {
    read(tree, path).unwrap_or_else(|error| panic!("{path}: {error}")).text
}

fn names(tree: &Tree) -> Vec<String> {
    let entries = std::fs::read_dir(tree.root()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_database_is_shown_part_by_part() {
    let tree = tree();
    for (path, expected) in [
        ("d.db", "a:b (0 rows)\nnamed (view)\npair (2 rows)\nplain (1 rows)\nraw (1 rows)\nusers (3 rows)"),
        ("d.db:plain", "CREATE TABLE plain (t TEXT)\n\nSample rows:\n| t     |\n| ----- |\n| first |"),
        ("d.db:USERS:2", "id: 2\nname: bob\nscore: 3\nnote: two\nlines"),
        ("d.db:users:3", "id: 3\nname: cy\nscore: 1e300\nnote: x"),
        ("d.db:plain:1", "t: first"),
        ("d.db:pair:1,x", "a: 1\nb: x\nv: one"),
        ("d.db:pair:[1, 'y,z']", "a: 1\nb: y,z\nv: two"),
        ("d.db:raw:x'0102'", "k: <BLOB 2B> x'0102'\nv: <BLOB 3B> x'616263'"),
        ("d.db:a:b", "CREATE TABLE \"a:b\" (x)\n\nSample rows:\n| x |\n| - |\n(no rows)"),
        (
            "d.db:users?where=note LIKE '%l%'",
            "| id | name | score | note      |\n| -- | ---- | ----- | --------- |\n| 2  | bob  | 3     | two lines |",
        ),
        (
            "d.db:users?where=name%3D'bob'&limit=1",
            "| id | name | score | note      |\n| -- | ---- | ----- | --------- |\n| 2  | bob  | 3     | two lines |",
        ),
        ("d.db?q=SELECT count(*) AS n FROM users", "| n |\n| - |\n| 3 |"),
        ("d.db?q=WITH x AS (SELECT 1 AS a) SELECT a FROM x", "| a |\n| - |\n| 1 |"),
        ("d.db?q=SELECT name FROM pragma_table_info('plain')", "| name |\n| ---- |\n| t    |"),
    ] {
        assert_eq!(text(&tree, path), expected, "{path}");
    }
    assert_eq!(names(&tree), ["d.db"]);
}

#[test]
fn more_rows_are_named_with_the_way_to_them() {
    let tree = tree();
    let outcome = read(&tree, "d.db:users?limit=1&order=name:desc").unwrap();
    let notice = &outcome.notices[0];
    assert_eq!(notice.kind, "more_rows");
    assert_eq!(
        Value::Object(notice.facts.clone()),
        json!({"remaining": 2, "table": "users", "limit": 1, "next_offset": 1})
    );
    assert!(notice.text.contains("d.db:users?limit=1&offset=1&order=name:desc"), "{}", notice.text);
    let outcome = read(&tree, "d.db:users?limit=9999").unwrap();
    assert_eq!(outcome.notices[0].kind, "limit_capped");
}

#[test]
fn what_makes_no_sense_has_its_own_error() {
    let tree = tree();
    for (path, code) in [
        ("d.db:gone", "sqlite_table_not_found"),
        ("d.db:users:abc", "sqlite_bad_key"),
        ("d.db:pair:1", "sqlite_composite_key"),
        ("d.db:pair:1,2,3", "sqlite_composite_key"),
        ("d.db:named:1", "sqlite_no_rowid"),
        ("d.db:users?limit=0", "sqlite_bad_param"),
        ("d.db:users?limit=x", "sqlite_bad_param"),
        ("d.db:users?offset=-1", "sqlite_bad_param"),
        ("d.db:users?order=nope", "sqlite_bad_order"),
        ("d.db:users?foo=1", "sqlite_bad_selector"),
        ("d.db?limit=3", "sqlite_bad_selector"),
        ("d.db:users?q=SELECT 1", "sqlite_bad_query"),
        ("d.db?q=SELECT 1; SELECT 2", "sqlite_bad_query"),
        ("d.db?q=DELETE FROM users", "sqlite_bad_query"),
        ("d.db?q=WITH x AS (SELECT 1) DELETE FROM users", "sqlite_bad_query"),
        ("d.db?q=SELECT load_extension('x')", "sqlite_bad_query"),
        ("d.db?q=SELECT ?", "sqlite_bad_query"),
        ("d.db?q=ATTACH 'x' AS y", "sqlite_bad_query"),
        ("d.db?q=SELECT FROM", "sqlite_runtime"),
        ("d.db:users?where=1=1--x", "sqlite_bad_where"),
        ("d.db:users?where=1=1/*x", "sqlite_bad_where"),
        ("d.db:users?where=1;", "sqlite_bad_where"),
        ("d.db:users?where=id=?", "sqlite_bad_where"),
        ("d.db:users?where=1) OR (1=1", "sqlite_bad_where"),
        ("d.db:users?where=1)", "sqlite_bad_where"),
        ("d.db:users?where=(1", "sqlite_bad_where"),
        ("d.db:users?where='x", "sqlite_bad_where"),
        ("d.db:users?where=1 UNION SELECT 1", "sqlite_bad_where"),
        ("d.db:users?where=nope=1", "sqlite_bad_where"),
        ("d.db:users?where=", "sqlite_bad_where"),
    ] {
        let error = read(&tree, path).expect_err(path);
        assert_eq!(error.code(), code, "{path}: {error}");
    }
    assert_eq!(text(&tree, "d.db:users?where=name='limit; --'").lines().count(), 3);
    assert_eq!(text(&tree, "d.db:users:99").lines().count(), 1);
}

#[test]
fn a_read_takes_no_longer_than_it_may() {
    let tree = tree();
    let started = Instant::now();
    let endless =
        "d.db?q=WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c";
    assert_eq!(read(&tree, endless).unwrap_err().code(), "sqlite_runtime");
    assert_eq!(read(&tree, "d.db?q=SELECT randomblob(900000000)").unwrap_err().code(), "sqlite_runtime");
    assert!(started.elapsed() < Duration::from_secs(20));

    let cancel = CancelToken::new();
    let (seen, path) = (cancel.clone(), json!({"path": endless}));
    let stopped = std::thread::scope(|scope| {
        let call = scope.spawn(|| read::run(&parse_value(&path).unwrap(), &tree.context(), &seen));
        std::thread::sleep(Duration::from_millis(100));
        cancel.cancel();
        call.join().unwrap()
    });
    assert_eq!(stopped.unwrap_err().code(), "aborted");
}

#[test]
fn wide_tables_stay_within_a_line() {
    let tree = tree();
    let database = Connection::open(tree.path("w.db")).unwrap();
    let columns: Vec<String> = (0..60).map(|index| format!("column_{index:02}")).collect();
    database.execute_batch(&format!("CREATE TABLE wide ({})", columns.join(", "))).unwrap();
    database.execute("INSERT INTO wide DEFAULT VALUES", []).unwrap();
    database.execute_batch("CREATE TABLE long (a, b, c, d)").unwrap();
    let text_of = "\u{ac00}".repeat(200);
    database.execute("INSERT INTO long VALUES (?1, ?1, ?1, 'e')", [&text_of]).unwrap();
    drop(database);
    let wide = read(&tree, "w.db:wide").unwrap();
    assert!(wide.text.lines().filter(|line| line.starts_with('|')).all(|line| line.chars().count() <= 120));
    assert!(wide.text.lines().next().unwrap().chars().count() <= 120, "{}", wide.text);
    assert!(
        wide.text.split_whitespace().any(|word| word.starts_with("column_59")),
        "nothing of the schema is lost"
    );
    assert_eq!(wide.notices[0].kind, "columns_left_out");
    let long = text(&tree, "w.db?q=SELECT a, b, c, d FROM long");
    let row = long.lines().last().unwrap();
    assert!(row.contains('…') && row.ends_with("| e |"), "{row}");
    // Each of these characters takes two columns of a terminal.
    assert!(row.chars().filter(|c| *c == '\u{ac00}').count() <= 60, "{row}");
}

/// A database as a writer leaves it: `after` copies it while it is open.
fn with_log(tree: &Tree, keep_shared: bool) {
    let database = Connection::open(tree.path("live.db")).unwrap();
    database.pragma_update(None, "journal_mode", "wal").unwrap();
    database.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1);").unwrap();
    let endings: &[&str] = if keep_shared { &["", "-wal", "-shm"] } else { &["", "-wal"] };
    for ending in endings {
        std::fs::copy(tree.path(&format!("live.db{ending}")), tree.path(&format!("w.db{ending}"))).unwrap();
    }
    drop(database);
}

#[test]
fn a_log_is_read_and_nothing_is_left_beside_the_database() {
    for keep_shared in [false, true] {
        let tree = tree();
        with_log(&tree, keep_shared);
        let before = names(&tree);
        let bytes = |name: &str| std::fs::read(tree.path(name)).unwrap();
        let (main, log) = (bytes("w.db"), bytes("w.db-wal"));
        assert_eq!(text(&tree, "w.db"), "t (1 rows)", "the row is only in the log");
        // This one was closed: its log is gone, its header still says that it has one.
        assert_eq!(text(&tree, "live.db"), "t (1 rows)");
        assert_eq!(names(&tree), before);
        assert_eq!((bytes("w.db"), bytes("w.db-wal")), (main, log));
    }
}

#[test]
fn a_database_in_use_is_read_beside_its_writer() {
    let tree = tree();
    let writer = Connection::open(tree.path("live.db")).unwrap();
    writer.pragma_update(None, "journal_mode", "wal").unwrap();
    writer.execute_batch("CREATE TABLE t (x); BEGIN; INSERT INTO t VALUES (1);").unwrap();
    assert_eq!(text(&tree, "live.db"), "t (0 rows)");
    writer.execute_batch("COMMIT").unwrap();
    assert_eq!(text(&tree, "live.db"), "t (1 rows)");
}

#[test]
fn damage_is_an_error_and_not_the_end() {
    let tree = tree();
    let whole = std::fs::read(tree.path("d.db")).unwrap();
    tree.write("cut.db", &whole[..4096]);
    tree.write("head.db", &whole[..50]);
    let mut torn = whole;
    torn[4096..8192].fill(0xA5);
    tree.write("torn.db", torn);
    for path in ["cut.db", "head.db", "torn.db", "cut.db:users", "torn.db:users:1", "torn.db:pair"] {
        match read(&tree, path) {
            Ok(_) => {}
            Err(error) => assert!(error.code().starts_with("sqlite_"), "{path}: {error}"),
        }
    }
    assert!(read(&tree, "head.db").is_err());
}

#[test]
fn rows_are_inserted_changed_and_deleted() {
    let tree = tree();
    for (path, content, kind, then, expected) in [
        ("d.db:plain", "{t: 'added'}", "row_inserted", "d.db:plain:2", "t: added"),
        (
            "d.db:users:2",
            "{name: null, score: 7, /* x */}",
            "row_updated",
            "d.db:users:2",
            "id: 2\nname: NULL\nscore: 7\nnote: two\nlines",
        ),
        ("d.db:pair:1,x", "{v: true}", "row_updated", "d.db:pair:1,x", "a: 1\nb: x\nv: 1"),
        (
            "d.db:users",
            "{id: 9007199254740993, name: \"'; DROP TABLE users; --\"}",
            "row_inserted",
            "d.db:users:9007199254740993",
            "id: 9007199254740993\nname: '; DROP TABLE users; --\nscore: NULL\nnote: NULL",
        ),
    ] {
        let outcome = write(&tree, path, content).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(outcome.notices[0].kind, kind);
        assert_eq!(text(&tree, then), expected);
    }
    let outcome = write(&tree, "d.db:users:3", " {\"$delete\": true} ").unwrap();
    assert_eq!(outcome.notices[0].kind, "row_deleted");
    assert_eq!(read(&tree, "d.db:users:3").unwrap().notices[0].kind, "row_not_found");
    for content in ["{name: 'x'}", "{$delete: true}"] {
        assert_eq!(write(&tree, "d.db:users:99", content).unwrap().notices[0].kind, "row_not_found");
    }
}

#[test]
fn what_is_no_row_changes_nothing() {
    let tree = tree();
    tree.write("text.db", "plain text");
    let before = std::fs::read(tree.path("d.db")).unwrap();
    for (path, content, code) in [
        ("d.db:users:3", "", "sqlite_bad_content"),
        ("d.db:users:3", " \n", "sqlite_bad_content"),
        ("d.db:users:3", "{}", "sqlite_bad_content"),
        ("d.db:users:3", "[1]", "sqlite_bad_content"),
        ("d.db:users:3", "{name: {a: 1}}", "sqlite_bad_content"),
        ("d.db:users:3", "{name: NaN}", "sqlite_bad_content"),
        ("d.db:users:3", "{name: 1e400}", "sqlite_bad_content"),
        ("d.db:users:3", "{name: 1, NAME: 2}", "sqlite_bad_content"),
        ("d.db:users:3", "{$delete: true, name: 1}", "sqlite_bad_content"),
        ("d.db:users:3", "{$delete: false}", "sqlite_bad_content"),
        ("d.db:users:3", "{id: 18446744073709551615}", "sqlite_bad_content"),
        ("d.db:users", "", "sqlite_bad_target"),
        ("d.db:users", "{$delete: true}", "sqlite_bad_target"),
        ("d.db:users?limit=1", "{}", "sqlite_bad_target"),
        ("d.db:", "{a: 1}", "sqlite_bad_target"),
        ("d.db:named", "{name: 1}", "sqlite_bad_target"),
        ("d.db:gone", "{a: 1}", "sqlite_table_not_found"),
        ("d.db:users:3", "{nope: 1}", "sqlite_unknown_column"),
        ("d.db:users:x", "{name: 1}", "sqlite_bad_key"),
        ("d.db:pair:1", "{v: 1}", "sqlite_composite_key"),
        ("d.db:users", "{id: 1}", "sqlite_runtime"),
        ("gone.db:users", "{a: 1}", "sqlite_db_not_found"),
        ("text.db:users", "{a: 1}", "sqlite_db_not_found"),
    ] {
        let error = write(&tree, path, content).expect_err(path);
        assert_eq!(error.code(), code, "{path} {content}: {error}");
    }
    let deep = format!("{{name: {}", "[".repeat(100_000));
    assert_eq!(write(&tree, "d.db:users:3", &deep).unwrap_err().code(), "sqlite_bad_content");
    assert_eq!(std::fs::read(tree.path("d.db")).unwrap(), before);
    assert_eq!(names(&tree), ["d.db", "text.db"]);
}
