//! The marker that stands for a part of a text that was left out.

use super::format_bytes;

/// `[… 1,148 lines elided (53.8KB) …]`. Digits are grouped by commas everywhere, whatever the locale.
#[must_use]
pub fn elision_marker(lines: u64, bytes: u64) -> String {
    let size = format_bytes(bytes);
    match lines {
        0 => format!("[… part of a line elided ({size}) …]"),
        1 => format!("[… 1 line elided ({size}) …]"),
        _ => format!("[… {} lines elided ({size}) …]", grouped(lines)),
    }
}

/// A count with a comma before every third digit from the end.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
