//! A text and steps of mode `vim`: keys, a text to type, keys, … Whatever the keys do, undo brings the text back.

#![no_main]

use gajae_tool_core::engine::exec::edit::vim::{Editor, Step, run_steps};
use gajae_tool_core_fuzz::texts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let parts = texts(bytes, 9);
    let Some((text, keys)) = parts.split_first() else { return };
    let steps: Vec<Step> = keys
        .chunks(2)
        .map(|pair| Step {
            kbd: vec![pair[0].to_owned()],
            insert: pair.get(1).filter(|text| !text.is_empty()).map(|text| (*text).to_owned()),
        })
        .collect();
    let mut editor = Editor::new(text);
    let before = editor.text();
    let done = run_steps(&mut editor, &steps, false);
    let (line, column) = editor.cursor();
    assert!(line >= 1 && column >= 1 && line <= editor.text().split('\n').count());
    if done.is_err() {
        return;
    }
    let undo = Step { kbd: vec!["<Esc>".into(), "<Esc>9999u".into()], insert: None };
    // A buffer that was closed takes no more keys.
    if run_steps(&mut editor, &[undo], false).is_ok() {
        assert_eq!(before, editor.text(), "undo does not bring the text back");
    }
});
