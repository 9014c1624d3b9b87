//! Any text as a path with a selector: every reading is a part of it, and parses or says why not.

#![no_main]

use gajae_tool_core::engine::exec::read::selector::{parse, splits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for split in splits(text) {
        assert!(text.starts_with(split.target));
        let _ = parse(&split);
    }
});
