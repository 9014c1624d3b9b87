//! How a change looks: of every place the whole lines before and after, old ones with `-`, new ones with `+`, in file
//! order. The numbers of new lines are those that they will have.

use std::path::PathBuf;

use serde_json::json;

use super::plan::PlannedFile;
use super::scan::Edit;
use crate::engine::exec::Context;
use crate::engine::exec::ast::issues::Issue;
use crate::engine::exec::ast::sweep::NAMED_LIMIT;
use crate::engine::exec::search::{arrange, show};
use crate::engine::files::read_regular;
use crate::engine::outcome::Notice;
use crate::engine::text::{Document, letters};

/// Bytes of a preview.
const PREVIEW_BYTES: usize = 50 << 10;

/// The lines of a change.
#[derive(Debug, Default)]
pub(super) struct Preview {
    files: Vec<FileRows>,
    /// Replacements that are shown.
    shown: usize,
    /// Whether the last of them is cut.
    cut: bool,
    /// Files that are not what they were a moment ago; the plan has lost them.
    pub(super) changed: Vec<(PathBuf, Issue)>,
}

#[derive(Debug)]
struct FileRows {
    name: String,
    replacements: usize,
    rows: Vec<Row>,
    anchors: bool,
}

#[derive(Debug)]
struct Row {
    marker: char,
    /// 1-based.
    number: usize,
    /// Of the change, in characters, 1-based.
    column: usize,
    text: String,
    letters: Option<&'static str>,
}

/// Neighbouring replacements that share lines.
struct Hunk<'a> {
    edits: &'a [Edit],
    /// The bytes of its lines, without the last line ending.
    start: usize,
    end: usize,
}

impl Preview {
    /// Looks at the files once more, as far as they are shown.
    pub(super) fn new(planned: &mut Vec<PlannedFile>, context: &Context) -> Self {
        let mut preview = Self::default();
        let mut room = PREVIEW_BYTES;
        planned.retain(|file| {
            if room == 0 {
                return true;
            }
            let bytes = read_regular(&file.path, &file.name, NAMED_LIMIT as u64).map(|(bytes, _)| bytes);
            match bytes.ok().filter(|bytes| file.stamp.fits(bytes)) {
                Some(bytes) => preview.add(file, &bytes, &mut room, context.shows_anchors()),
                None => preview.changed.push((file.path.clone(), Issue::Changed)),
            }
            preview.changed.last().is_none_or(|(path, _)| *path != file.path)
        });
        preview
    }

    fn add(&mut self, file: &PlannedFile, bytes: &[u8], room: &mut usize, anchors: bool) {
        let Ok(document) = Document::new(bytes) else { return };
        let text = document.text();
        let mut rows = Vec::new();
        *room = room.saturating_sub(2 * file.name.len() + 30);
        let (mut counted, mut line, mut shift) = (0, 1, 0);
        for hunk in hunks(text, &file.edits) {
            line += newlines(&text[counted..hunk.start]);
            counted = hunk.start;
            let column = hunk.edits.first().map_or(0, |edit| edit.range.start - hunk.start);
            let (old, new) = (&text[hunk.start..hunk.end], hunk.apply(text));
            let sides = [('-', line, old), ('+', shifted(line, shift), new.as_str())];
            for (marker, number, side) in sides {
                for (index, text) in side.split('\n').enumerate() {
                    let row =
                        Row::new(marker, number + index, text, if index == 0 { column } else { 0 }, anchors);
                    let size = row.text.len() + 16;
                    if size > *room {
                        *room = 0;
                        self.cut = true;
                        break;
                    }
                    *room -= size;
                    rows.push(row);
                }
            }
            if *room == 0 {
                break;
            }
            self.shown += hunk.edits.len();
            shift += newlines(&new).cast_signed() - newlines(old).cast_signed();
        }
        if !rows.is_empty() {
            let name = file.name.clone();
            self.files.push(FileRows { name, replacements: file.edits.len(), rows, anchors });
        }
    }

    /// The text for the model.
    pub(super) fn text(&self, single: bool) -> String {
        arrange(&self.files, single, &FileRows::heading, &FileRows::text)
    }

    /// The text for people.
    pub(super) fn display(&self, single: bool) -> String {
        arrange(&self.files, single, &FileRows::heading, &FileRows::display)
    }

    /// What is planned and not shown.
    pub(super) fn cut_notice(&self, planned: &[PlannedFile]) -> Option<Notice> {
        let total: usize = planned.iter().map(|file| file.edits.len()).sum();
        let (shown, files) = (self.shown, planned.len());
        (self.cut || shown < total).then(|| {
            let text = format!(
                "The preview shows {shown} of {total} replacements in {files} files; applying makes all of them. Narrow `paths` to see each."
            );
            Notice::new("preview_cut", text, json!({"shown": shown, "total": total, "files": files}))
        })
    }
}

impl FileRows {
    fn heading(&self) -> String {
        let noun = if self.replacements == 1 { "replacement" } else { "replacements" };
        format!("{} ({} {noun})", self.name, self.replacements)
    }

    fn text(&self) -> String {
        self.each_row(|Row { marker, number, column, text, letters }| match letters {
            Some(letters) => format!("{marker}{number}{letters}|{text}"),
            None if self.anchors => format!("{marker}{number}|{text}"),
            None => format!("{marker}{number}:{column} {text}"),
        })
    }

    fn display(&self) -> String {
        let width = self.rows.iter().map(|row| row.number.to_string().len()).max().unwrap_or(0) + 1;
        self.each_row(|row| format!("{:>width$}│{}", format!("{}{}", row.marker, row.number), row.text))
    }

    fn each_row(&self, show: impl Fn(&Row) -> String) -> String {
        self.rows.iter().map(show).collect::<Vec<_>>().join("\n")
    }
}

impl Row {
    /// A line whose change starts at a byte of it.
    fn new(marker: char, number: usize, line: &str, at: usize, anchors: bool) -> Self {
        let shown = show(line, at);
        let letters = (anchors && !shown.cut).then(|| letters(line));
        let column = line.get(..at).unwrap_or_default().chars().count() + 1;
        Self { marker, number, column, text: shown.text, letters }
    }
}

impl Hunk<'_> {
    /// Its lines after the change.
    fn apply(&self, text: &str) -> String {
        let (mut new, mut copied) = (String::new(), self.start);
        for edit in self.edits {
            new.push_str(&text[copied..edit.range.start]);
            new.push_str(&edit.new);
            copied = edit.range.end;
        }
        new.push_str(&text[copied..self.end]);
        new
    }
}

/// Replacements by the lines they change.
fn hunks<'a>(text: &'a str, edits: &'a [Edit]) -> impl Iterator<Item = Hunk<'a>> {
    let mut rest = edits;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let start = text[..first.range.start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end);
        let (mut end, mut count) = (line_end(first.range.end), 1);
        while let Some(next) = rest.get(count).filter(|next| next.range.start <= end) {
            end = line_end(next.range.end);
            count += 1;
        }
        let (edits, others) = rest.split_at(count);
        rest = others;
        Some(Hunk { edits, start, end })
    })
}

fn newlines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

fn shifted(line: usize, by: isize) -> usize {
    line.saturating_add_signed(by)
}
