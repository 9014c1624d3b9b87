//! A file and the text of a diff. No more lines go than the diff says.

#![no_main]

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::exec::edit::Tolerance;
use gajae_tool_core::engine::exec::edit::patch::plan_diff;
use gajae_tool_core::engine::text::Document;
use gajae_tool_core_fuzz::{applied, file_and_rest, spliced};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((file, diff)) = file_and_rest(bytes) else { return };
    let (Ok(diff), Ok(document)) = (std::str::from_utf8(diff), Document::new(file)) else { return };
    for allow_fuzzy in [false, true] {
        let tolerance = Tolerance { allow_fuzzy, threshold: 0.95 };
        let cancel = CancelToken::new();
        let Ok(plan) = plan_diff(document.text(), diff, tolerance, "f", 0, &cancel) else { continue };
        let _ = applied(file, &document, &plan);
        let new = spliced(document.text(), &plan.splices);
        let count = |text: &str, sign: char| text.split('\n').filter(|line| line.starts_with(sign)).count();
        let (lines, left) = (document.text().lines().count(), new.lines().count());
        assert!(left + count(diff, '-') >= lines, "more lines went than the diff says");
        assert!(left <= lines + count(diff, '+'), "more lines came than the diff says");
    }
});
