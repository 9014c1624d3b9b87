//! One ASCII character among encoded bytes: line breaks are found without decoding, in UTF-16 too.

/// A character as it stands in the bytes of an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    character: u8,
    layout: Layout,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Byte,
    /// Two bytes, the lower one first. Bytes handed in start between two units.
    Little,
    /// Two bytes, the higher one first.
    Big,
}

impl Unit {
    pub(super) fn byte(character: u8) -> Self {
        Self { character, layout: Layout::Byte }
    }

    pub(super) fn little(character: u8) -> Self {
        Self { character, layout: Layout::Little }
    }

    pub(super) fn big(character: u8) -> Self {
        Self { character, layout: Layout::Big }
    }

    /// The character itself.
    #[must_use]
    pub fn character(self) -> u8 {
        self.character
    }

    /// Bytes of one unit.
    #[must_use]
    pub fn width(self) -> usize {
        if self.layout == Layout::Byte { 1 } else { 2 }
    }

    /// Where it first occurs.
    #[must_use]
    pub fn find(self, bytes: &[u8]) -> Option<usize> {
        match self.layout {
            Layout::Byte => memchr::memchr(self.character, bytes),
            _ => self.places(bytes).next(),
        }
    }

    /// Where it last occurs.
    #[must_use]
    pub fn find_last(self, bytes: &[u8]) -> Option<usize> {
        match self.layout {
            Layout::Byte => memchr::memrchr(self.character, bytes),
            _ => self.places(bytes).next_back(),
        }
    }

    /// Where it occurs after `skipped` others.
    #[must_use]
    pub fn find_nth(self, bytes: &[u8], skipped: usize) -> Option<usize> {
        self.places(bytes).nth(skipped)
    }

    /// How often it occurs.
    #[must_use]
    pub fn count(self, bytes: &[u8]) -> u64 {
        let count = match self.layout {
            Layout::Byte => memchr::memchr_iter(self.character, bytes).count(),
            _ => self.places(bytes).count(),
        };
        count as u64
    }

    fn places(self, bytes: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
        memchr::memchr_iter(self.character, bytes).filter_map(move |at| match self.layout {
            Layout::Byte => Some(at),
            Layout::Little => (at % 2 == 0 && bytes.get(at + 1) == Some(&0)).then_some(at),
            Layout::Big => (at % 2 == 1 && bytes[at - 1] == 0).then(|| at - 1),
        })
    }
}
