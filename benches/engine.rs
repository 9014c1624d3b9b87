//! The engine's hot paths by themselves, without JavaScript: `cargo bench`, or `cargo bench -- walk` for some of them.
//! What whole calls take, beside other packages, is `npm run bench`.

#![expect(clippy::disallowed_methods, reason = "makes its trees itself")]
#![expect(clippy::needless_pass_by_value, reason = "`json!` literals as arguments read better without `&`")]

use std::borrow::Cow;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use gajae_tool_core::engine::calls::Schema;
use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::edit::replace;
use gajae_tool_core::engine::exec::{Context, find, search};
use gajae_tool_core::engine::text::{Document, Splice, numbered_diff, splices_between, unified_diff};
use serde_json::{Value, json};

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_secs(1));
    targets = walk_and_scan, fuzzy_match, splice_and_diff, validation
}
criterion_main!(benches);

/// 2,000 files in 100 folders, 4 MB in all: what a search goes through.
fn walk_and_scan(criterion: &mut Criterion) {
    let tree = tempfile::tempdir().expect("a folder");
    for at in 0..2000 {
        let folder = tree.path().join(format!("{}", at % 100));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(format!("{at}.ts")), code(50, at)).expect("a file");
    }
    let context = context(tree.path(), json!({}));
    let mut group = criterion.benchmark_group("walk+scan");
    group.throughput(Throughput::Elements(2000));
    let find: find::Options = options(json!({"paths": ["**/*.ts"]}));
    group.bench_function("find all files", |bencher| {
        bencher.iter(|| find::run(&find, &context, &CancelToken::new()).expect("files"));
    });
    for (name, pattern) in [
        ("literal, in no file", "zq_never"),
        ("regex, in no file", r"[a-z]+\d{9}z\b"),
        ("in every file", "value7 "),
    ] {
        let options: search::Options = options(json!({"pattern": pattern}));
        group.bench_function(name, |bencher| {
            bencher.iter(|| search::run(&options, &context, &CancelToken::new()).expect("a result"));
        });
    }
}

/// A text that stands in the file with a letter wrong, and one that stands nowhere.
fn fuzzy_match(criterion: &mut Criterion) {
    let context = context(Path::new("/"), json!({}));
    let mut group = criterion.benchmark_group("fuzzy match");
    for lines in [5_000, 50_000] {
        let file = code(lines, 1);
        let document = Document::new(file.as_bytes()).expect("a text");
        let near: Vec<String> =
            file.lines().skip(lines / 2).take(5).map(|line| line.replacen("note", "npte", 1)).collect();
        let nowhere = "while (nothing like it) {\n  stands anywhere\n}";
        for (name, old_text, found) in
            [("a typo", near.join("\n").as_str(), true), ("nothing close", nowhere, false)]
        {
            let edit = replace::Edit { old_text: old_text.into(), new_text: "x".into(), all: None };
            let options = replace::Options { path: "f".into(), edits: vec![edit] };
            let plan = || replace::plan(&options, &document, "f", &context, &CancelToken::new());
            assert_eq!(plan().is_ok(), found, "{name}");
            group.bench_function(format!("{name}, {lines} lines"), |bencher| bencher.iter(plan));
        }
    }
}

/// 100 changes in 50,000 lines, given as splices, and a diff of two whole texts of which half is changed.
fn splice_and_diff(criterion: &mut Criterion) {
    let old = code(50_000, 1);
    let document = Document::new(old.as_bytes()).expect("a text");
    let starts: Vec<usize> = old.match_indices("note").map(|(at, _)| at).step_by(500).collect();
    let splice = |at: &usize| Splice { range: *at..*at + 4, new: Cow::Borrowed(b"remark".as_slice()) };
    let splices: Vec<Splice> = starts.iter().map(splice).collect();
    let half: String = code(5_000, 1).lines().enumerate().fold(String::new(), |mut text, (at, line)| {
        let line = if at % 2 == 0 { line.replace("note", "remark") } else { line.to_owned() };
        let _ = writeln!(text, "{line}");
        text
    });
    let before = code(5_000, 1);

    let mut group = criterion.benchmark_group("splice+diff");
    group.bench_function("apply 100 splices", |bencher| {
        bencher.iter(|| document.apply(black_box(&splices)).expect("a text"));
    });
    group.bench_function("numbered diff of 100 splices", |bencher| {
        bencher.iter(|| numbered_diff(old.as_bytes(), black_box(&splices)));
    });
    group.bench_function("unified diff of 100 splices", |bencher| {
        bencher.iter(|| unified_diff(old.as_bytes(), black_box(&splices)));
    });
    group.bench_function("lines of a half-changed text", |bencher| {
        bencher.iter(|| splices_between(before.as_bytes(), black_box(half.as_bytes())));
    });
}

/// Arguments of a tool against its schema: compiled once, then good ones, wrong ones, and some that can be repaired.
fn validation(criterion: &mut Criterion) {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "minLength": 1},
            "edits": {"type": "array", "minItems": 1, "items": {
                "type": "object",
                "properties": {
                    "old_text": {"type": "string"},
                    "new_text": {"type": "string"},
                    "all": {"type": "boolean"},
                },
                "required": ["old_text", "new_text"],
                "additionalProperties": false,
            }},
            "mode": {"enum": ["fast", "safe"]},
            "limit": {"type": "integer", "minimum": 1},
        },
        "required": ["path", "edits"],
        "additionalProperties": false,
    });
    let edit = json!({"old_text": "const a = 1", "new_text": "const a = 2", "all": true});
    let good = json!({"path": "src/main.ts", "edits": [edit, edit, edit, edit], "mode": "safe", "limit": 20});
    let wrong = json!({"path": "", "edits": [{"old_text": 1}], "mode": "slow", "more": null});
    let mendable = json!({"path": "src/main.ts", "edits": json!([edit]).to_string(), "limit": "20"});

    let compiled = Schema::compile(&schema);
    assert!(compiled.accepts(&good) && !compiled.issues(&wrong).is_empty());
    let mut group = criterion.benchmark_group("validation");
    group.bench_function("compile", |bencher| bencher.iter(|| Schema::compile(black_box(&schema))));
    group.bench_function("accept", |bencher| bencher.iter(|| compiled.accepts(black_box(&good))));
    group.bench_function("tell what is wrong", |bencher| bencher.iter(|| compiled.issues(black_box(&wrong))));
    group.bench_function("repair", |bencher| {
        bencher.iter_batched(|| mendable.clone(), |value| compiled.repair(value), BatchSize::SmallInput);
    });
}

/// Lines as they stand in a program, each of them another one.
fn code(lines: usize, seed: usize) -> String {
    (0..lines).fold(String::new(), |mut text, at| {
        let depth = (at % 4) * 2;
        let _ = writeln!(
            text,
            "{:depth$}const value{at} = call(argument{}, 'note {seed}')",
            "",
            at * 7919 % 9973
        );
        text
    })
}

fn context(cwd: &Path, settings: Value) -> Context {
    options(json!({"cwd": cwd, "settings": settings}))
}

fn options<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("options of the engine")
}
