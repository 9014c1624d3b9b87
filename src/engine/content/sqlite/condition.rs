//! The condition of `where=`: it stays between the parentheses it is put in.

use crate::engine::error::{Result, ToolError};

const REFUSED: &[&str] = &["limit", "offset", "union", "intersect", "except", "attach", "detach", "pragma"];

/// The condition, if it is one expression.
pub(super) fn checked(condition: &str) -> Result<&str> {
    match fault(condition) {
        None => Ok(condition),
        Some(reason) => {
            Err(ToolError::SqliteBadWhere { condition: condition.to_owned(), reason: reason.to_owned() })
        }
    }
}

fn fault(condition: &str) -> Option<&'static str> {
    let bytes = condition.as_bytes();
    let (mut at, mut depth) = (0, 0i64);
    if condition.trim().is_empty() {
        return Some("it is empty");
    }
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\'' | b'"' | b'`' | b'[' => {
                let close = if *byte == b'[' { b']' } else { *byte };
                // A doubled quote closes one text and opens the next, which comes to the same.
                let Some(length) = memchr::memchr(close, &bytes[at + 1..]) else {
                    return Some("a quote is not closed");
                };
                at += length + 2;
                continue;
            }
            b'-' if bytes.get(at + 1) == Some(&b'-') => return Some("comments are not allowed"),
            b'/' if bytes.get(at + 1) == Some(&b'*') => return Some("comments are not allowed"),
            b';' => return Some("`;` is not allowed"),
            0 => return Some("it has a NUL character"),
            b'?' | b':' | b'@' | b'$' | b'#' => return Some("parameters are not allowed"),
            b'(' => depth += 1,
            b')' => depth -= 1,
            byte if is_word(*byte) => {
                let length = bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                let word = &condition[at..at + length];
                if REFUSED.iter().any(|refused| word.eq_ignore_ascii_case(refused)) {
                    return Some(
                        "of `limit`, `offset`, `union`, `intersect`, `except`, `attach`, `detach` and `pragma` none is allowed",
                    );
                }
                at += length;
                continue;
            }
            _ => {}
        }
        if depth < 0 {
            return Some("a parenthesis is closed that was not opened");
        }
        at += 1;
    }
    (depth > 0).then_some("a parenthesis is not closed")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
