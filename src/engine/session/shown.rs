//! Lines as a call showed them.

/// Whole lines of one file with their numbers, in the order they were shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The lines behind each other.
    text: String,
    /// Number and end of each line.
    lines: Vec<(u64, usize)>,
    /// The last line is the last one of the file.
    has_end: bool,
}

impl Shown {
    /// Every line of a text that has LF between its lines.
    #[must_use]
    pub fn all(text: &str) -> Self {
        let mut shown = Self { text: String::with_capacity(text.len()), lines: Vec::new(), has_end: true };
        for (number, line) in (1..).zip(text.split('\n')) {
            shown.push(number, line);
        }
        shown
    }

    /// Adds a line, without its ending.
    pub fn push(&mut self, number: u64, line: &str) {
        self.text.push_str(line);
        self.lines.push((number, self.text.len()));
    }

    /// Says that the file has no line behind the last one.
    pub fn mark_end(&mut self) {
        self.has_end = true;
    }

    /// The number of the last line of the file, if it was shown.
    #[must_use]
    pub fn end(&self) -> Option<u64> {
        self.lines.last().filter(|_| self.has_end).map(|(number, _)| *number)
    }

    /// No line was shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Bytes it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.text.len() + self.lines.len() * size_of::<(u64, usize)>()
    }

    /// The lines.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &str)> {
        let mut start = 0;
        self.lines
            .iter()
            .map(move |(number, end)| (*number, &self.text[std::mem::replace(&mut start, *end)..*end]))
    }
}
