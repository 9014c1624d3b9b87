//! The text of a diff of one file, taken apart into hunks. Forgiving about what surrounds them, never about what a
//! line is: a line that could be lost in silence is an error.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::header;
use super::hunk::{Hunk, Sign};

/// What is wrong with the text of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A line that cannot be read.
    Line {
        /// 1-based.
        line: usize,
        /// Why.
        reason: String,
    },
    /// It names several files.
    SeveralFiles {
        /// How many.
        count: usize,
    },
    /// It changes nothing: no line in it comes or goes.
    NoHunks,
}

/// Takes a diff apart. Its lines end with LF.
pub fn read(text: &str) -> Result<Vec<Hunk<'_>>, Fault> {
    let lines: Vec<&str> = text.split('\n').collect();
    let count = files_named(&lines).len();
    if count > 1 {
        return Err(Fault::SeveralFiles { count });
    }
    let mut reader = Reader { at: 0, end: lines.len(), lines, hunks: Vec::new() };
    reader.peel();
    reader.read()?;
    if reader.hunks.iter().any(|hunk| hunk.changes() || hunk.final_break.is_some()) {
        Ok(reader.hunks)
    } else {
        Err(Fault::NoHunks)
    }
}

/// The hunks of a diff as they stand there, without what surrounds them: an envelope, names of files, and what programs
/// write between those and the hunks.
#[must_use]
pub fn bare(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut reader = Reader { at: 0, end: lines.len(), lines, hunks: Vec::new() };
    reader.peel();
    let (mut kept, mut in_preamble) = (Vec::new(), true);
    while let Some(line) = reader.line() {
        in_preamble |= starts_file(line);
        if in_preamble && reader.names_both_sides() {
            reader.at += 2;
            continue;
        }
        in_preamble &= starts_file(line) || METADATA.iter().any(|known| line.starts_with(known));
        if !in_preamble {
            kept.push(line);
        }
        reader.at += 1;
    }
    kept.join("\n")
}

/// Names of files in lines that belong to no hunk.
fn files_named<'p>(lines: &[&'p str]) -> BTreeSet<&'p str> {
    let name = |line: &&'p str| {
        if let Some(name) = file_marker(line) {
            return Some(name);
        }
        let names = line.strip_prefix("diff --git ")?;
        // `a/NAME b/NAME`, both of the same length unless the file moves.
        Some(names.rsplit_once(" b/").map_or(names, |(_, name)| name))
    };
    lines.iter().filter_map(name).collect()
}

/// The name in `*** Update File: NAME` and its like.
pub fn file_marker(line: &str) -> Option<&str> {
    let rest = line.trim_end().strip_prefix("*** ")?;
    let (operation, name) = rest.split_once(" File:")?;
    matches!(operation, "Add" | "Update" | "Delete").then(|| name.trim())
}

/// What programs write between the name of a file and its hunks.
const METADATA: [&str; 12] = [
    "index ",
    "new file mode ",
    "deleted file mode ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "similarity index ",
    "dissimilarity index ",
    "old mode ",
    "new mode ",
    "diff --git ",
];

/// Stands below the last hunk of a file.
pub const END_OF_FILE: &str = "*** End of File";

struct Reader<'p> {
    lines: Vec<&'p str>,
    at: usize,
    end: usize,
    hunks: Vec<Hunk<'p>>,
}

impl<'p> Reader<'p> {
    /// Drops the envelope and the blank lines around the diff.
    fn peel(&mut self) {
        let is_edge = |line: &str, marker: &str| line.trim() == "***" || line.starts_with(marker);
        self.drop_blank_end();
        if self.at < self.end && is_edge(self.lines[self.end - 1], "*** End Patch") {
            self.end -= 1;
        }
        self.drop_blank_end();
        while self.at < self.end && self.lines[self.at].trim().is_empty() {
            self.at += 1;
        }
        if self.at < self.end && is_edge(self.lines[self.at], "*** Begin Patch") {
            self.at += 1;
        }
    }

    fn drop_blank_end(&mut self) {
        while self.at < self.end && is_blank(self.lines[self.end - 1]) {
            self.end -= 1;
        }
    }

    fn line(&self) -> Option<&'p str> {
        (self.at < self.end).then(|| self.lines[self.at])
    }

    fn fault(&self, reason: impl Into<String>) -> Fault {
        Fault::Line { line: self.at + 1, reason: reason.into() }
    }

    fn read(&mut self) -> Result<(), Fault> {
        let mut in_preamble = true;
        while let Some(line) = self.line() {
            if is_blank(line) {
                self.at += 1;
            } else if starts_file(line) {
                in_preamble = true;
                self.at += 1;
            } else if in_preamble && METADATA.iter().any(|known| line.starts_with(known)) {
                self.at += 1;
            } else if in_preamble && self.names_both_sides() {
                self.at += 2;
            } else if line.starts_with("@@")
                && self.lines[self.at + 1..self.end].iter().all(|line| is_blank(line))
            {
                break;
            } else {
                in_preamble = false;
                self.hunk()?;
            }
        }
        Ok(())
    }

    /// `--- OLD` and `+++ NEW`: names only as a pair, and only before the hunks. Else lines that go and come.
    fn names_both_sides(&self) -> bool {
        let next = self.lines.get(self.at + 1).filter(|_| self.at + 1 < self.end);
        self.lines[self.at].starts_with("--- ") && next.is_some_and(|next| next.starts_with("+++ "))
    }

    fn hunk(&mut self) -> Result<(), Fault> {
        let mut hunk = Hunk::default();
        while let Some(line) = self.line().filter(|line| line.starts_with("@@")) {
            let header = header::read(line).map_err(|reason| self.fault(reason))?;
            hunk.anchors.extend(header.anchor);
            hunk.hint = header.hint.or(hunk.hint);
            self.at += 1;
        }
        while let Some(line) = self.line() {
            let next = self.lines.get(self.at + 1).filter(|_| self.at + 1 < self.end);
            if line.starts_with("@@") || starts_file(line) {
                break;
            }
            // A blank line in front of the next hunk divides the two.
            if line.is_empty() && next.is_some_and(|next| next.starts_with("@@") || starts_file(next)) {
                break;
            }
            if line.trim_end() == END_OF_FILE {
                return self.end_of_file(hunk);
            }
            self.body_line(&mut hunk, line)?;
            self.at += 1;
        }
        self.close(hunk)
    }

    fn body_line(&self, hunk: &mut Hunk<'p>, line: &'p str) -> Result<(), Fault> {
        let mut push = |sign, text| hunk.lines.push((sign, Cow::Borrowed(text)));
        match line.as_bytes().first() {
            Some(b'+') => push(Sign::Add, &line[1..]),
            Some(b'-') => push(Sign::Remove, &line[1..]),
            Some(b' ') => push(Sign::Keep, &line[1..]),
            Some(b'\\') if line.starts_with("\\ ") => {
                let of_new = hunk.lines.last().map(|(sign, _)| *sign != Sign::Remove);
                // A line without a break in the old file alone gets one.
                hunk.final_break = of_new.map(|of_new| !of_new).or(hunk.final_break);
            }
            // A marker that is misspelt or out of place: as a context line it would hide what was meant.
            Some(b'*') if line.starts_with("*** ") => {
                return Err(self.fault(format!("`{}` is no line of a hunk", line.trim_end())));
            }
            _ => push(Sign::Keep, line),
        }
        Ok(())
    }

    fn end_of_file(&mut self, mut hunk: Hunk<'p>) -> Result<(), Fault> {
        hunk.at_end = true;
        self.close(hunk)?;
        self.at += 1;
        while self.line().is_some_and(is_blank) {
            self.at += 1;
        }
        match self.line() {
            Some(line) if !line.starts_with("@@") && !starts_file(line) => {
                Err(self.fault(format!("nothing but another hunk can follow `{END_OF_FILE}`")))
            }
            _ => Ok(()),
        }
    }

    fn close(&mut self, hunk: Hunk<'p>) -> Result<(), Fault> {
        if hunk.lines.is_empty() {
            return Err(self.fault("a hunk needs at least one line"));
        }
        self.hunks.push(hunk);
        Ok(())
    }
}

/// A blank that is no line of a hunk: one that starts with a space is a blank line of the file.
fn is_blank(line: &str) -> bool {
    line.trim().is_empty() && !line.starts_with(' ')
}

fn starts_file(line: &str) -> bool {
    file_marker(line).is_some() || line.starts_with("diff --git ")
}
