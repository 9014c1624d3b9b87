//! Which sequences of three bytes a text holds, in so little memory that it can be kept for every file of a tree.
//!
//! A Bloom filter with one hash function (B. H. Bloom, 1970, "Space/time trade-offs in hash coding with allowable
//! errors") over trigrams, letters of ASCII in lower case. It may take something for held that is not, never the other
//! way around. The table of a text is first made large and then folded in halves while that leaves three of four bits
//! free, so its size follows the number of different trigrams and not the length of the text.

/// Bits of the largest table: 32 KiB, which a text of about 65,000 different trigrams fills to a quarter.
const MOST_BITS: u32 = 18;

/// Bits of the smallest table.
const LEAST_BITS: u32 = 7;

/// Bits of a table for each trigram in it, at least.
const BITS_PER_TRIGRAM: usize = 4;

/// Three bytes, as the table knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigram(u32);

impl Trigram {
    fn of(window: u32) -> Self {
        // Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
        Self(window.wrapping_mul(0x9E37_79B1) >> (u32::BITS - MOST_BITS))
    }

    fn bit(self, words: usize) -> (usize, u64) {
        let at = self.0 as usize & (words * 64 - 1);
        (at / 64, 1 << (at % 64))
    }
}

/// The trigrams of a text, letters of ASCII in lower case. None for a text of less than three bytes.
pub fn trigrams(text: &[u8]) -> impl Iterator<Item = Trigram> + '_ {
    let mut window = 0;
    let after = move |byte: &u8| {
        window = (window << 8 | u32::from(byte.to_ascii_lowercase())) & 0x00FF_FFFF;
        Trigram::of(window)
    };
    text.iter().map(after).skip(2)
}

/// The trigrams of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrigramFilter {
    /// A power of two of them.
    words: Box<[u64]>,
}

impl TrigramFilter {
    /// Of a text, with memory that is used again for the next one.
    #[must_use]
    pub fn of(text: &[u8], table: &mut Vec<u64>) -> Self {
        let wanted = (text.len() * 2 * BITS_PER_TRIGRAM).clamp(1 << LEAST_BITS, 1 << MOST_BITS);
        table.clear();
        table.resize(wanted.next_power_of_two() / 64, 0);
        for trigram in trigrams(text) {
            let (word, bit) = trigram.bit(table.len());
            table[word] |= bit;
        }
        let set = table.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        while table.len() * 32 >= (set * BITS_PER_TRIGRAM).max(1 << LEAST_BITS) {
            let half = table.len() / 2;
            let (kept, folded) = table.split_at_mut(half);
            kept.iter_mut().zip(folded).for_each(|(kept, folded)| *kept |= *folded);
            table.truncate(half);
        }
        Self { words: table.as_slice().into() }
    }

    /// Whether the text may hold a trigram. No is certain.
    #[must_use]
    pub fn may_hold(&self, trigram: Trigram) -> bool {
        let (word, bit) = trigram.bit(self.words.len());
        self.words[word] & bit != 0
    }

    /// The memory it takes beside itself, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of_val(&*self.words)
    }
}
