//! The whole of an output, for a store: its first part, up to what a store keeps.

use crate::engine::files::KEPT_BYTES;
use crate::engine::text::floor_char_boundary;

/// Takes an output piece by piece; what is too much is counted.
#[derive(Debug, Clone, Default)]
pub struct Whole {
    /// The text.
    pub text: String,
    /// Bytes that are not there.
    pub missing: u64,
}

impl Whole {
    /// Appends.
    pub fn push(&mut self, text: &str) {
        // Once something is missing, nothing that follows may close the gap.
        let room = if self.missing == 0 { KEPT_BYTES - self.text.len() } else { 0 };
        let kept = &text[..floor_char_boundary(text, room)];
        self.text.push_str(kept);
        self.missing += (text.len() - kept.len()) as u64;
    }
}
