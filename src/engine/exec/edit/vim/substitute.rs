//! `:s`: patterns replaced in lines.

use super::buffer::Position;
use super::editor::Editor;
use super::ex::{Range, no_second_command};
use super::fault::{FaultKind, Run, fault};
use super::pattern::{Haystack, Pattern, too_much_work};
use super::search::split_at_delimiter;
use super::work::{Work, require_size};

/// What was replaced last, for `:s` and `:&` without a pattern.
#[derive(Debug, Clone)]
pub struct Substitution {
    pattern: Pattern,
    replacement: Vec<Piece>,
    all: bool,
}

/// A part of a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Group(usize),
    /// The case of the next character, or of all that follow.
    Case {
        upper: bool,
        one: bool,
    },
    CaseEnd,
}

impl Editor {
    /// `:s/pattern/replacement/flags count`.
    pub fn substitute(&mut self, range: Range, rest: &str) -> Run<()> {
        let is_delimiter =
            |next: &char| !next.is_alphanumeric() && !next.is_whitespace() && !"\"|&\\".contains(*next);
        let Some(delimiter) = rest.chars().next().filter(is_delimiter) else {
            return self.substitute_again(range, rest);
        };
        let (source, after) = split_at_delimiter(&rest[delimiter.len_utf8()..], delimiter);
        let Some(after) = after else {
            return fault(
                FaultKind::ExSyntax,
                format!("`:s{delimiter}pattern{delimiter}replacement{delimiter}` is expected"),
            );
        };
        let (replacement, flags) = split_at_delimiter(after, delimiter);
        let flags = Flags::read(flags.unwrap_or(""))?;
        let pattern = self.substitute_pattern(&source, flags.ignore_case)?;
        let last = self.substitution.as_ref().map_or(&[][..], |last| &last.replacement);
        if replacement.starts_with("\\=") {
            return fault(FaultKind::ExUnsupported, "an expression (`\\=`) cannot take the place of a match");
        }
        let replacement = read_replacement(&replacement, last);
        self.run_substitution(Substitution { pattern, replacement, all: flags.all }, range, &flags)
    }

    fn substitute_pattern(&self, source: &str, ignore_case: bool) -> Run<Pattern> {
        if !source.is_empty() {
            return Ok(Pattern::new(source, ignore_case));
        }
        match &self.search {
            Some((pattern, _)) => Ok(pattern.clone()),
            None => fault(FaultKind::NoPrevious, "nothing was searched for before"),
        }
    }

    /// `:s` and `:&` without a pattern.
    pub fn substitute_again(&mut self, range: Range, rest: &str) -> Run<()> {
        let Some(mut last) = self.substitution.clone() else {
            return fault(FaultKind::ExSyntax, "a pattern between delimiters is expected");
        };
        let keeps_flags = rest.starts_with('&');
        let flags = Flags::read(rest.trim_start_matches('&'))?;
        last.all = flags.all || keeps_flags && last.all;
        self.run_substitution(last, range, &flags)
    }

    fn run_substitution(&mut self, substitution: Substitution, range: Range, flags: &Flags) -> Run<()> {
        let (mut first, mut last) = (range.first, range.last);
        if let Some(count) = flags.count {
            (first, last) = (last, last.saturating_add(count - 1).min(self.buffer.last()));
        }
        self.search = Some((substitution.pattern.clone(), true));
        // Replacing each line break by nothing means joining the lines.
        if substitution.pattern.source == r"\n" && substitution.replacement.is_empty() && !flags.count_only {
            let count = last - first + 1 + usize::from(last < self.buffer.last());
            self.substitution = Some(substitution);
            self.cursor = Position::new(first, 0);
            self.join(first, count, false);
            return Ok(());
        }
        let haystack = self.haystack().with_last_break();
        let found = replace_all(&haystack, &substitution, first, last, &self.work)?;
        self.substitution = Some(substitution);
        let Some(replaced) = found else {
            if flags.silent {
                return Ok(());
            }
            let source = self.search.as_ref().map_or("", |(pattern, _)| pattern.source.as_str());
            return fault(FaultKind::PatternNotFound, format!("`{source}` does not occur in the range"));
        };
        self.status = Some(format!("{} replaced in {} lines", replaced.matches, replaced.lines));
        if flags.count_only {
            return Ok(());
        }
        self.cursor = Position::new(replaced.first, 0);
        let new: Vec<String> = replaced.text.split('\n').map(str::to_owned).collect();
        self.replace_lines(replaced.first..replaced.last + 1, new);
        self.go_to_line(replaced.cursor);
        Ok(())
    }
}

/// What the replacement makes of the lines from the first to the last match.
struct Replaced {
    first: usize,
    last: usize,
    text: String,
    /// The line of the last replacement, afterwards.
    cursor: usize,
    matches: usize,
    lines: usize,
}

fn replace_all(
    haystack: &Haystack,
    substitution: &Substitution,
    first: usize,
    last: usize,
    work: &Work,
) -> Run<Option<Replaced>> {
    let text = haystack.text();
    let regex = substitution.pattern.regex();
    let mut at = haystack.offset(Position::new(first, 0));
    let limit = haystack.line_end(last);
    let mut done: Option<Replaced> = None;
    let mut copied = 0;
    let mut last_line = None;
    // An empty match right behind another one does not count.
    let mut previous_end = None;
    let mut counted = 0;
    while at <= limit {
        work.next_match()?;
        let Ok(found) = regex.captures_from_pos(text, at) else { return too_much_work() };
        let Some(captures) = found else { break };
        let Some(whole) = captures.get(0).filter(|whole| whole.start() <= limit) else { break };
        let (start, end) = (whole.start(), whole.end());
        let line = haystack.position(start).line;
        if start == end && previous_end == Some(start) {
            at = next_offset(text, end);
            // At the end of a line there is nothing more to match in it.
            if at == haystack.line_end(line) {
                at += 1;
            }
            continue;
        }
        let replaced = done.get_or_insert_with(|| {
            copied = haystack.offset(Position::new(line, 0));
            Replaced { first: line, last: line, text: String::new(), cursor: line, matches: 0, lines: 0 }
        });
        replaced.text.push_str(&text[copied..start]);
        push_replacement(&mut replaced.text, &substitution.replacement, &captures);
        copied = end;
        replaced.matches += 1;
        if last_line != Some(line) {
            replaced.lines += 1;
            last_line = Some(line);
        }
        replaced.last = haystack.position(end).line;
        replaced.cursor += memchr::memchr_iter(b'\n', &replaced.text.as_bytes()[counted..]).count();
        counted = replaced.text.len();
        require_size(counted)?;
        previous_end = Some(end);
        let line_end = haystack.line_end(replaced.last.max(line));
        let next = if end > start { end } else { next_offset(text, end) };
        // What a match takes from another line makes one line of both, which may match again.
        let has_joined = end > haystack.line_end(line);
        at = if has_joined || substitution.all && next < line_end { next } else { line_end + 1 };
    }
    if let Some(replaced) = &mut done {
        // The break of the last line may be a part of the last match.
        replaced.text.push_str(text.get(copied..haystack.line_end(replaced.last)).unwrap_or_default());
    }
    Ok(done)
}

fn next_offset(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
}

fn push_replacement(out: &mut String, pieces: &[Piece], captures: &fancy_regex::Captures<str>) {
    let (mut all, mut one) = (None, None);
    for piece in pieces {
        let text = match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Group(number) => captures.get(*number).map_or("", |group| group.as_str()),
            Piece::Case { upper, one: true } => {
                one = Some(*upper);
                continue;
            }
            Piece::Case { upper, one: false } => {
                all = Some(*upper);
                continue;
            }
            Piece::CaseEnd => {
                (all, one) = (None, None);
                continue;
            }
        };
        for character in text.chars() {
            match one.take().or(all) {
                Some(true) => out.extend(character.to_uppercase()),
                Some(false) => out.extend(character.to_lowercase()),
                None => out.push(character),
            }
        }
    }
}

fn read_replacement(text: &str, last: &[Piece]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let push = |pieces: &mut Vec<Piece>, character: char| match pieces.last_mut() {
        Some(Piece::Text(text)) => text.push(character),
        _ => pieces.push(Piece::Text(character.to_string())),
    };
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '&' => pieces.push(Piece::Group(0)),
            '~' => pieces.extend_from_slice(last),
            '\\' => match characters.next() {
                Some(digit @ '0'..='9') => pieces.push(Piece::Group(digit as usize - '0' as usize)),
                // A line break: a text holds no NUL.
                Some('r' | 'n') => push(&mut pieces, '\n'),
                Some('t') => push(&mut pieces, '\t'),
                Some(case @ ('u' | 'l' | 'U' | 'L')) => pieces
                    .push(Piece::Case { upper: case.eq_ignore_ascii_case(&'u'), one: case.is_lowercase() }),
                Some('e' | 'E') => pieces.push(Piece::CaseEnd),
                Some(other) => push(&mut pieces, other),
                None => push(&mut pieces, '\\'),
            },
            other => push(&mut pieces, other),
        }
    }
    pieces
}

/// What stands behind the replacement.
#[expect(clippy::struct_excessive_bools, reason = "flags of the command, each on or off")]
struct Flags {
    all: bool,
    ignore_case: bool,
    silent: bool,
    count_only: bool,
    count: Option<usize>,
}

impl Flags {
    fn read(text: &str) -> Run<Self> {
        let mut flags =
            Self { all: false, ignore_case: false, silent: false, count_only: false, count: None };
        let text = text.trim();
        let digits = text.find(|next: char| next.is_ascii_digit()).unwrap_or(text.len());
        for flag in text[..digits].chars() {
            match flag {
                'g' => flags.all = true,
                'i' => flags.ignore_case = true,
                'I' => flags.ignore_case = false,
                'e' => flags.silent = true,
                'n' => flags.count_only = true,
                ' ' => {}
                '|' => return no_second_command(),
                _ => {
                    return fault(
                        FaultKind::ExUnsupported,
                        format!("the flag `{flag}` of `:s` is not supported"),
                    );
                }
            }
        }
        if digits < text.len() {
            match text[digits..].parse() {
                Ok(count @ 1..) => flags.count = Some(count),
                _ => return fault(FaultKind::ExSyntax, format!("`{}` is no count", &text[digits..])),
            }
        }
        Ok(flags)
    }
}
