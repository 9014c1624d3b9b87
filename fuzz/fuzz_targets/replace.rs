//! A file and pairs of texts of mode `replace`. Without tolerance, one pair is what `replacen` says.

#![no_main]

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::Context;
use gajae_tool_core::engine::exec::edit::replace::{Edit, Options, plan};
use gajae_tool_core::engine::text::Document;
use gajae_tool_core_fuzz::{applied, file_and_rest, spliced, texts};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let Some((file, rest)) = file_and_rest(bytes) else { return };
    let Ok(document) = Document::new(file) else { return };
    let parts = texts(rest, 6);
    for (fuzzy, threshold, all) in
        [(false, 0.95, false), (false, 0.95, true), (true, 0.95, false), (true, 0.6, true)]
    {
        let context: Context = serde_json::from_value(json!({
            "cwd": "/", "settings": {"edit.fuzzyMatch": fuzzy, "edit.fuzzyThreshold": threshold},
        }))
        .expect("a context");
        let edits: Vec<Edit> = parts
            .chunks_exact(2)
            .map(|pair| Edit { old_text: pair[0].into(), new_text: pair[1].into(), all: Some(all) })
            .collect();
        let options = Options { path: "f".into(), edits };
        let done = plan(&options, &document, "f", &context, &CancelToken::new());
        if let Ok(plan) = &done {
            let _ = applied(file, &document, plan);
        }
        let [edit] = &options.edits[..] else { continue };
        if fuzzy || all || edit.old_text.is_empty() || bytes.contains(&b'\r') {
            continue;
        }
        let text = document.text();
        // `aa` stands twice in `aaa`: which of the two is meant, nobody knows.
        let starts =
            (0..text.len()).filter(|at| text.as_bytes()[*at..].starts_with(edit.old_text.as_bytes()));
        match (starts.count(), done) {
            (1, Ok(plan)) if plan.warnings.is_empty() => {
                assert_eq!(text.replacen(&*edit.old_text, &edit.new_text, 1), spliced(text, &plan.splices));
            }
            (1, Err(error)) => panic!("a text that occurs once: {error}"),
            (2.., Ok(_)) => panic!("a text that occurs several times"),
            _ => {}
        }
    }
});
