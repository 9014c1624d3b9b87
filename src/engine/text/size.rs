//! Sizes for people.

/// A byte count as text: below 1024 `nB`, else one decimal and KB, MB or GB (base 1024).
/// What would round up to the next unit stays just below it; GB has no upper bound.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub fn format_bytes(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["KB", "MB", "GB"];
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    // JavaScript's toFixed picks the larger value on an exact tie, Rust's formatter the even one.
    let mut tenths = (value * 10.0 + 0.5).floor() / 10.0;
    if unit + 1 < UNITS.len() {
        tenths = tenths.min(1023.9);
    }
    format!("{tenths:.1}{}", UNITS[unit])
}
