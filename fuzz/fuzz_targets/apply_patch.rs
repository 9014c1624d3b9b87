//! Two files and an envelope, on the disk: all of it or nothing, and no file but the ones it names.

#![no_main]

use std::collections::BTreeMap;
use std::path::Path;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::{Context, call, edit};
use gajae_tool_core_fuzz::texts;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let parts = texts(bytes, 3);
    let [one, two, envelope] = parts[..] else { return };
    if leaves(envelope) {
        return;
    }
    let tree = tempfile::tempdir().expect("a directory");
    let root = tree.path().join("work");
    std::fs::create_dir(&root).expect("a directory");
    std::fs::write(root.join("a"), one).expect("a file");
    std::fs::write(root.join("b"), two).expect("a file");
    let context: Context = serde_json::from_value(json!({
        "cwd": root, "allowedRoots": [root], "stateDirs": [tree.path().join("state")],
        "settings": {"edit.mode": "apply_patch", "write.durable": false},
    }))
    .expect("a context");
    let options: edit::Options = serde_json::from_value(json!({"input": envelope})).expect("arguments");
    let before = files(&root);
    let done = call(edit::run, &options, &context, &CancelToken::new());
    let after = files(&root);
    match done {
        Ok(outcome) if !outcome.is_error => {
            for (name, content) in &before {
                let is_named = envelope.contains(name.as_str());
                assert!(is_named || after.get(name) == Some(content), "{name} was not named");
            }
        }
        _ => assert_eq!(before, after, "a call that failed changed something"),
    }
});

/// Names that lead out of the tree: the roots would stop them, but nothing is staked on that.
fn leaves(envelope: &str) -> bool {
    let rooted = envelope
        .match_indices('/')
        .any(|(at, _)| !envelope[..at].ends_with(|before: char| before.is_ascii_alphanumeric()));
    rooted || envelope.contains("..") || envelope.contains('~') || envelope.contains("://")
}

fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                found.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}
