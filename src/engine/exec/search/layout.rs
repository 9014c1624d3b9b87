//! How hits look: files under their directories, matching lines with `*`, `...` where lines are left out.

use super::page::FileHits;
use super::scan::FoundLine;

/// The text for the model.
pub(super) fn text(files: &[FileHits], single: bool) -> String {
    arrange(files, single, &name, &|file| block(&file.hits.lines))
}

/// The text for people: numbers in a column of their own, no anchors.
pub(super) fn display(files: &[FileHits], single: bool) -> String {
    arrange(files, single, &name, &|file| display_block(&file.hits.lines))
}

fn name(file: &FileHits) -> String {
    file.name.clone()
}

/// The lines of one file for the model.
pub(super) fn block(lines: &[FoundLine]) -> String {
    with_gaps(lines, "...", |line| {
        let letters = line.letters.unwrap_or_default();
        format!("{}{}{letters}|{}", marker(line), line.number, line.shown.text)
    })
}

fn display_block(lines: &[FoundLine]) -> String {
    let width = lines.last().map_or(0, |line| line.number.to_string().len()) + 1;
    let gap = format!("{:width$}│...", "");
    with_gaps(lines, &gap, |line| {
        let number = format!("{}{}", marker(line), line.number);
        format!("{number:>width$}│{}", line.shown.text)
    })
}

/// Whether lines are left out between two shown ones.
pub(super) fn is_gap(previous: Option<u64>, number: u64) -> bool {
    previous.is_some_and(|previous| previous + 1 < number)
}

fn with_gaps(lines: &[FoundLine], gap: &str, show: impl Fn(&FoundLine) -> String) -> String {
    let mut shown = Vec::with_capacity(lines.len());
    let mut previous = None;
    for line in lines {
        if is_gap(previous, line.number) {
            shown.push(gap.to_owned());
        }
        shown.push(show(line));
        previous = Some(line.number);
    }
    shown.join("\n")
}

fn marker(line: &FoundLine) -> char {
    if line.is_match { '*' } else { ' ' }
}

/// Groups stand where their first file stands; files without a directory form a group together.
pub fn arrange<F>(
    files: &[F],
    single: bool,
    name: &dyn Fn(&F) -> String,
    block: &dyn Fn(&F) -> String,
) -> String {
    if single {
        return files.iter().map(block).collect();
    }
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for file in files {
        let name = name(file);
        let (directory, name) = split(&name);
        let heading = if directory.is_empty() { "#" } else { "##" };
        let part = format!("{heading} {name}\n{}", block(file));
        match groups.iter_mut().find(|(known, _)| *known == directory) {
            Some((_, parts)) => parts.push(part),
            None => groups.push((directory.to_owned(), vec![part])),
        }
    }
    let render = |(directory, parts): (String, Vec<String>)| match directory.as_str() {
        "" => parts.join("\n\n"),
        directory => format!("# {directory}\n{}", parts.join("\n")),
    };
    groups.into_iter().map(render).collect::<Vec<_>>().join("\n\n")
}

/// A path as directory, with its slash, and name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}
