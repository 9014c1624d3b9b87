//! Any bytes as a notebook: a text or a reason.

#![no_main]

use gajae_tool_core::engine::content::notebook::render;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = render(bytes);
});
