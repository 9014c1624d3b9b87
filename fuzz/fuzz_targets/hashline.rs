//! A file and an input of mode `hashline`. `12??` in the input gets the letters of line 12, so that anchors fit.
//!
//! Nothing outside the lines that the operations name changes, unless a warning says so.

#![no_main]

use gajae_tool_core::engine::exec::edit::hashline::{Memory, Section, Seen, Target, arriving, parse, plan};
use gajae_tool_core::engine::text::{Document, letters};
use gajae_tool_core_fuzz::{applied, file_and_rest};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((file, input)) = file_and_rest(bytes) else { return };
    let (Ok(input), Ok(document)) = (std::str::from_utf8(input), Document::new(file)) else { return };
    let input = with_letters(input, document.text());
    let _ = arriving(&input, Some("f"));
    let Ok(input) = parse(&input, Some("f")) else { return };
    for section in &input.sections {
        let Ok(plan) = plan(document.text(), &section.operations, &Memory::of(&Seen::new()), true, "f")
        else {
            continue;
        };
        if plan.warnings.is_empty() {
            assert_named(document.text(), section, &plan.splices);
        }
        let _ = applied(file, &document, &plan);
    }
});

fn with_letters(input: &str, text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut parts = input.split("??");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = filled.bytes().rev().take_while(u8::is_ascii_digit).count();
        let number: usize = filled[filled.len() - digits..].parse().unwrap_or(0);
        filled.push_str(lines.get(number.wrapping_sub(1)).map_or("aa", |line| letters(line)));
        filled.push_str(part);
    }
    filled
}

/// Each span lies in lines that some operation names; a line break beside them may belong to it.
fn assert_named(text: &str, section: &Section, splices: &[gajae_tool_core::engine::text::Splice]) {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let end_of = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let named: Vec<(usize, usize)> = section
        .operations
        .iter()
        .map(|operation| match operation.target {
            Target::Top => (0, 0),
            Target::Bottom => (text.trim_end_matches('\n').len().min(text.len()), text.len()),
            Target::Before(anchor) | Target::After(anchor) => {
                (starts[anchor.number - 1], end_of(anchor.number))
            }
            Target::Lines(first, last) => (starts[first.number - 1], end_of(last.number)),
        })
        .collect();
    for splice in splices {
        // A span may join what several operations name, but every byte that goes is in a range that one names.
        for at in splice.range.clone() {
            let is_named = named.iter().any(|(from, to)| at + 1 >= *from && at < *to);
            assert!(is_named, "byte {at} goes, and nothing names it: {splices:?} {named:?}");
        }
    }
}
