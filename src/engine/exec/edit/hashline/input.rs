//! The grammar of the input: sections, one for each file, and the operations in them.
//!
//! ```text
//! §src/main.rs            the file
//! ≔12ab..14cd             lines 12 to 14 go, the lines below take their place (none: they are deleted)
//! let x = 1;
//! »20ef                   the lines below come after line 20; «20ef: before it; BOF and EOF name the ends
//! \» a line that starts with a sigil, or with a backslash, is written behind a backslash
//! ```
//!
//! Reads no file, and knows nothing of what the anchors stand for.

use super::Warning;
use super::anchor::Anchor;
use crate::engine::error::{Result, ToolError};
use crate::engine::text::letters;

const HEADER: char = '§';
const AFTER: char = '»';
const BEFORE: char = '«';
const REPLACE: char = '≔';
/// Stands in front of a payload line that would end the payload.
const ESCAPE: char = '\\';

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ABORT: &str = "*** Abort";

/// What a whole input asks for.
#[derive(Debug, Default)]
pub struct Input<'a> {
    /// In the order they first appear; sections of one path are one. None is without operations.
    pub sections: Vec<Section<'a>>,
    /// What the caller should know about the input.
    pub warnings: Vec<Warning>,
}

/// The operations on one file. All of them speak of the file as it is before the call.
#[derive(Debug)]
pub struct Section<'a> {
    /// The file, as it is written in the input.
    pub path: &'a str,
    /// In the order of the input.
    pub operations: Vec<Operation<'a>>,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation<'a> {
    /// The line of the section on which it stands, 1-based.
    pub line: usize,
    /// Where it works.
    pub target: Target<'a>,
    /// The lines it brings in.
    pub payload: Vec<&'a str>,
}

/// Where an operation works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    /// Before everything else.
    Top,
    /// Behind the last line that has a text.
    Bottom,
    /// Before a line.
    Before(Anchor<'a>),
    /// After a line.
    After(Anchor<'a>),
    /// From the first line to the last, both included.
    Lines(Anchor<'a>, Anchor<'a>),
}

/// Reads a whole input. `path` is the file of an input that names none itself.
pub fn parse<'a>(input: &'a str, path: Option<&'a str>) -> Result<Input<'a>> {
    let lines = lines_of(input);
    let mut reader = Reader::default();
    let has_header = lines.iter().any(|line| line.starts_with(HEADER));
    if let Some(path) = path.filter(|_| !has_header && lines.iter().any(|line| starts_operation(line))) {
        reader.begin(path);
    }
    for (at, line) in lines.iter().enumerate() {
        if reader.read(line)? == Flow::Stop {
            reader.note_end(line, &lines[at + 1..]);
            break;
        }
    }
    reader.finish(lines.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default())
}

/// The new lines of an input that is still arriving, by the path of their file, as a diff without numbers. Forgives
/// whatever does not fit: it may be about to.
#[must_use]
pub fn arriving<'a>(input: &'a str, path: Option<&'a str>) -> Vec<(&'a str, String)> {
    let mut files: Vec<(&str, String)> = path.map(|path| (path, String::new())).into_iter().collect();
    let mut is_payload = false;
    for line in lines_of(input) {
        if let Some(name) = line.strip_prefix(HEADER) {
            files.extend(path_of(name, line).ok().map(|path| (path, String::new())));
            is_payload = false;
        } else if [END, ABORT].contains(&line.trim_end()) {
            break;
        } else if starts_operation(line) {
            is_payload = true;
        } else if let Some((_, diff)) = files.last_mut().filter(|_| is_payload) {
            let separator = if diff.is_empty() { "" } else { "\n" };
            diff.push_str(separator);
            diff.push('+');
            diff.push_str(line.strip_prefix(ESCAPE).unwrap_or(line));
        }
    }
    files.retain(|(_, diff)| !diff.is_empty());
    files
}

/// The lines of an input; what follows its last line end is no line, and neither is a mark at its start.
fn lines_of(input: &str) -> Vec<&str> {
    let input = input.strip_prefix('\u{FEFF}').unwrap_or(input);
    let input = input.strip_suffix('\n').unwrap_or(input);
    input.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

fn starts_operation(line: &str) -> bool {
    line.starts_with([AFTER, BEFORE, REPLACE])
}

#[derive(Debug, PartialEq, Eq)]
enum Flow {
    GoOn,
    Stop,
}

#[derive(Debug, Default)]
struct Reader<'a> {
    input: Input<'a>,
    open: Option<Section<'a>>,
    /// Some section began, even if it holds nothing.
    has_section: bool,
    /// Lines of the open section so far.
    line: usize,
    /// Takes the lines that come; the last of the open section once it is complete.
    operation: Option<Operation<'a>>,
}

impl<'a> Reader<'a> {
    fn begin(&mut self, path: &'a str) {
        self.open = Some(Section { path, operations: Vec::new() });
        (self.has_section, self.line) = (true, 0);
    }

    fn read(&mut self, line: &'a str) -> Result<Flow> {
        if let Some(name) = line.strip_prefix(HEADER) {
            self.close_section(true)?;
            self.begin(path_of(name, line)?);
            return Ok(Flow::GoOn);
        }
        let Some(path) = self.open.as_ref().map(|section| section.path) else {
            return if line.trim().is_empty() || line.trim_end() == BEGIN {
                Ok(Flow::GoOn)
            } else {
                Err(ToolError::HeaderMissing { text: line.to_owned() })
            };
        };
        self.line += 1;
        match line.trim_end() {
            BEGIN => self.close_operation(false)?,
            END | ABORT => return Ok(Flow::Stop),
            _ if starts_operation(line) => {
                let operation = operation(line, self.line, path)?;
                self.close_operation(false)?;
                self.operation = Some(operation);
            }
            trimmed => match &mut self.operation {
                Some(operation) => {
                    let line = self.input.unescape(line, path, self.line);
                    operation.payload.push(line);
                }
                None if trimmed.is_empty() => {}
                None => return Err(stray(line, self.line, path)),
            },
        }
        Ok(Flow::GoOn)
    }

    /// Nothing of what follows the end is done; that should not go unnoticed.
    fn note_end(&mut self, marker: &str, rest: &[&str]) {
        let is_abort = marker.trim_end() == ABORT;
        if is_abort || rest.iter().any(|line| !line.trim().is_empty()) {
            let text =
                format!("The input ends at its line `{}`: what follows it was not done.", marker.trim_end());
            self.input.warnings.push(Warning { kind: "truncated", text });
        }
    }

    fn finish(mut self, first: &str) -> Result<Input<'a>> {
        self.close_section(false)?;
        match (self.input.sections.is_empty(), self.has_section) {
            (false, _) => Ok(self.input),
            (true, false) => Err(ToolError::HeaderMissing { text: first.to_owned() }),
            (true, true) => Err(ToolError::argument("input", "holds no operation")),
        }
    }

    fn close_section(&mut self, before_header: bool) -> Result<()> {
        self.close_operation(before_header)?;
        let Some(mut section) = self.open.take() else { return Ok(()) };
        if section.operations.is_empty() {
            return Ok(());
        }
        match self.input.sections.iter_mut().find(|known| known.path == section.path) {
            Some(known) => known.operations.append(&mut section.operations),
            None => self.input.sections.push(section),
        }
        Ok(())
    }

    fn close_operation(&mut self, before_header: bool) -> Result<()> {
        let (Some(mut operation), Some(section)) = (self.operation.take(), &mut self.open) else {
            return Ok(());
        };
        if before_header {
            operation.drop_separator();
        }
        if operation.payload.is_empty() && !matches!(operation.target, Target::Lines(..)) {
            return Err(ToolError::MissingPayload { path: section.path.to_owned(), line: operation.line });
        }
        section.operations.push(operation);
        Ok(())
    }
}

impl<'a> Input<'a> {
    /// A payload line without its escape. Where nothing had to be escaped, the backslash may have been meant.
    fn unescape(&mut self, line: &'a str, path: &str, number: usize) -> &'a str {
        let Some(plain) = line.strip_prefix(ESCAPE) else { return line };
        let is_needed =
            starts_operation(plain) || plain.starts_with([HEADER, ESCAPE]) || plain.starts_with("***");
        if !is_needed {
            let text = format!(
                "Line {number} of the section for {path} lost its first character: a backslash there is an escape; \
                 write two for one."
            );
            self.warnings.push(Warning { kind: "escape_removed", text });
        }
        plain
    }
}

impl Section<'_> {
    /// Nothing in it needs a line to be there.
    #[must_use]
    pub fn makes_file(&self) -> bool {
        self.operations.iter().all(|operation| matches!(operation.target, Target::Top | Target::Bottom))
    }

    /// The text of the file it makes.
    #[must_use]
    pub fn new_text(&self) -> String {
        let at = |target| self.operations.iter().filter(move |operation| operation.target == target);
        let lines = at(Target::Top).chain(at(Target::Bottom)).flat_map(|operation| &operation.payload);
        lines.flat_map(|line| [*line, "\n"]).collect()
    }
}

impl Operation<'_> {
    /// A blank line before a header only sets the sections apart, and no number of them makes a deletion leave
    /// something behind.
    fn drop_separator(&mut self) {
        if self.payload.iter().all(|line| line.is_empty()) {
            if matches!(self.target, Target::Lines(..)) {
                self.payload.clear();
            }
        } else if self.payload.last().is_some_and(|line| line.is_empty()) {
            self.payload.pop();
        }
    }
}

fn path_of<'a>(name: &'a str, line: &str) -> Result<&'a str> {
    let name = name.trim_start_matches(HEADER).trim();
    let inside = |quote| name.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    let path = inside('"').or_else(|| inside('\'')).unwrap_or(name);
    if path.trim().is_empty() {
        return Err(ToolError::HeaderEmpty { text: line.to_owned() });
    }
    Ok(path)
}

fn operation<'a>(text: &'a str, line: usize, path: &str) -> Result<Operation<'a>> {
    let mut characters = text.chars();
    let sigil = characters.next();
    let operand = characters.as_str().trim_start_matches(' ');
    if sigil == Some(REPLACE) {
        let (first, last) = range(operand.trim_end(), text, line, path)?;
        return Ok(Operation { line, target: Target::Lines(first, last), payload: Vec::new() });
    }
    let (target, inline) = place(sigil == Some(AFTER), operand).ok_or_else(|| ToolError::BadAnchor {
        path: path.to_owned(),
        line,
        text: text.to_owned(),
    })?;
    Ok(Operation { line, target, payload: inline.into_iter().collect() })
}

/// Where an insertion goes, and the payload on its own line, if there is some.
fn place(after: bool, operand: &str) -> Option<(Target<'_>, Option<&str>)> {
    let (name, behind) = operand.split_once('|').map_or((operand, None), |(name, text)| (name, Some(text)));
    let behind = behind.filter(|text| !text.is_empty());
    match name.trim_end() {
        "BOF" => return Some((Target::Top, behind)),
        "EOF" => return Some((Target::Bottom, behind)),
        _ => {}
    }
    let (anchor, text) = Anchor::parse(operand)?;
    // The line that was copied with its anchor is no payload.
    let inline = text.filter(|text| !text.is_empty() && letters(text) != anchor.letters);
    Some((if after { Target::After(anchor) } else { Target::Before(anchor) }, inline))
}

fn range<'a>(operand: &'a str, text: &str, line: usize, path: &str) -> Result<(Anchor<'a>, Anchor<'a>)> {
    let bad_range = || ToolError::BadRange { path: path.to_owned(), line, text: text.to_owned() };
    let bad_anchor = || ToolError::BadAnchor { path: path.to_owned(), line, text: text.to_owned() };
    if operand.contains(char::is_whitespace) || operand.starts_with(['+', '<', '-', '=']) {
        return Err(bad_range());
    }
    let sides: Vec<&str> = operand.split("..").collect();
    let (first, last) = match sides[..] {
        [only] if !only.is_empty() => (only, only),
        [first, last] if !first.is_empty() && !last.is_empty() => (first, last),
        _ => return Err(bad_range()),
    };
    let (first, _) = Anchor::parse(first).ok_or_else(bad_anchor)?;
    let (last, _) = Anchor::parse(last).ok_or_else(bad_anchor)?;
    if last.number < first.number {
        return Err(ToolError::RangeReversed { path: path.to_owned(), line, text: text.to_owned() });
    }
    if last.number == first.number && last.letters != first.letters {
        return Err(ToolError::RangeHashConflict { path: path.to_owned(), line, text: text.to_owned() });
    }
    Ok((first, last))
}

/// A line that belongs to no operation.
fn stray(text: &str, line: usize, path: &str) -> ToolError {
    let (path, text) = (path.to_owned(), text.to_owned());
    if text.starts_with(['-', '@', '¶']) {
        ToolError::UnknownOp { path, line, text }
    } else {
        ToolError::OrphanPayload { path, line, text }
    }
}
