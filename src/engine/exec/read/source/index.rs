//! Where the lines of a text are: how many line breaks lie before places at even distances. Learnt on every walk
//! that starts where an earlier one ended, and small whatever the size of the file.

use super::CHUNK;

/// Places that are remembered; beyond it every second one is dropped and the distance doubles.
const MOST: usize = 8192;

/// The line breaks before some places. Offsets count from the first line.
#[derive(Debug, Clone)]
pub struct Index {
    step: u64,
    /// Line breaks before `step`, `2 * step`, …
    before: Vec<u64>,
    covered: Place,
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Where it is.
    pub offset: u64,
    /// Line breaks before it.
    pub breaks: u64,
}

impl Default for Index {
    fn default() -> Self {
        Self { step: CHUNK as u64, before: Vec::new(), covered: Place::default() }
    }
}

impl Index {
    /// How far the text is known.
    #[must_use]
    pub fn covered(&self) -> Place {
        self.covered
    }

    /// Takes in a stretch and its line breaks, where it goes on from what is known.
    pub fn advance(&mut self, from: u64, length: u64, breaks: u64) {
        if from != self.covered.offset || length == 0 {
            return;
        }
        self.covered = Place { offset: from + length, breaks: self.covered.breaks + breaks };
        if !self.covered.offset.is_multiple_of(self.step) {
            return;
        }
        self.before.push(self.covered.breaks);
        if self.before.len() > MOST {
            let mut index = 0;
            self.before.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.step *= 2;
        }
    }

    /// The last known place that is not behind the start of a line.
    #[must_use]
    pub fn place_before(&self, line: u64) -> Place {
        // A place that has as many breaks before it as the line may lie inside the line.
        let wanted = line.saturating_sub(1);
        if self.covered.breaks < wanted {
            return self.covered;
        }
        match self.before.partition_point(|breaks| *breaks < wanted) {
            0 => Place::default(),
            known => Place { offset: known as u64 * self.step, breaks: self.before[known - 1] },
        }
    }
}
