//! Line anchors: a line number and two letters that tell whether the line is still the one that was seen.
//!
//! The letters are xxHash32 (seed 0) of the line without carriage returns and trailing white space, modulo the
//! number of letter pairs in use. The number does not enter the hash; a blank line hashes to `yy`.

use std::sync::LazyLock;

/// Pairs left out of `aa`..`zz`.
const UNUSED: &str = "bq gk gq jv jz kq kz lq nq qf qg qj qk qv qz rj tq wq wz xg xj xk xq xv xw yq zj zq zv";

static PAIRS: LazyLock<Vec<[u8; 2]>> = LazyLock::new(|| {
    let all = (b'a'..=b'z').flat_map(|first| (b'a'..=b'z').map(move |second| [first, second]));
    all.filter(|pair| !UNUSED.as_bytes().split(|byte| *byte == b' ').any(|unused| unused == pair)).collect()
});

/// The two letters of a line, its ending excluded.
///
/// # Panics
/// Never: the pairs are ASCII letters.
#[must_use]
pub fn letters(line: &str) -> &'static str {
    let without_returns;
    let text = if line.contains('\r') {
        without_returns = line.replace('\r', "");
        without_returns.as_str()
    } else {
        line
    };
    let hash = xxhash_rust::xxh32::xxh32(trim_end(text).as_bytes(), 0);
    let pair = &PAIRS[hash as usize % PAIRS.len()];
    std::str::from_utf8(pair).expect("ASCII letters")
}

/// The anchor of a line: `12ab`.
#[must_use]
pub fn anchor(number: u64, line: &str) -> String {
    let mut anchor = String::new();
    push_anchor(&mut anchor, number, line);
    anchor
}

/// Appends the anchor of a line.
pub fn push_anchor(text: &mut String, number: u64, line: &str) {
    push_number(text, number);
    text.push_str(letters(line));
}

/// Appends a line number. There is one for each line of a result: the general way to write numbers takes longer than the
/// rest of the line.
///
/// # Panics
/// Never: digits are text.
pub fn push_number(text: &mut String, mut number: u64) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] += (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.push_str(std::str::from_utf8(&digits[first..]).expect("digits"));
}

/// The lines of an LF text, each behind its anchor and a bar; the first one has the number `start`.
#[must_use]
pub fn anchored(text: &str, start: u64) -> String {
    let mut anchored = String::with_capacity(text.len() + text.len() / 4);
    for (number, line) in (start..).zip(text.split('\n')) {
        if number > start {
            anchored.push('\n');
        }
        push_anchor(&mut anchored, number, line);
        anchored.push('|');
        anchored.push_str(line);
    }
    anchored
}

/// Trims what ECMAScript calls white space, which is not quite what Unicode does.
fn trim_end(text: &str) -> &str {
    text.trim_end_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{FEFF}')
}
