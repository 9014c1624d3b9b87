//! Ex commands: ranges, and what is done with lines.

use super::buffer::Position;
use super::editor::{Editor, Want};
use super::fault::{FaultKind, Run, fault};
use super::operator::{Manner, Operator};
use super::pattern::Pattern;
use super::region::{Region, Shape};
use super::register::{Registers, Text};
use super::search::split_at_delimiter;

/// First and last line, counted from 0; `given` of them were written. A line 0 stands before the first.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub first: usize,
    pub last: usize,
    pub given: usize,
    /// The last address was line 0.
    zero: bool,
}

impl Editor {
    /// Carries out an ex command, without its colon.
    pub fn ex_line(&mut self, line: &str) -> Run<()> {
        let line = line.trim_start_matches([' ', ':', '\t']);
        if line.trim().is_empty() {
            return fault(FaultKind::ExSyntax, "there is no command behind `:`");
        }
        let before = self.buffer.history_mark();
        let (range, rest) = self.range(line)?;
        let rest = rest.trim_start();
        if rest.is_empty() {
            let line = if range.zero { 0 } else { range.last };
            self.go_to_line(line);
            return Ok(());
        }
        self.ex_command(range, rest)?;
        self.changed_by_line |= self.buffer.history_mark() != before;
        Ok(())
    }

    fn ex_command(&mut self, range: Range, text: &str) -> Run<()> {
        if let Some(rest) = text.strip_prefix(['&', '~']) {
            return self.substitute_again(range, rest);
        }
        let length = text.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(text.len());
        let (name, rest) = text.split_at(length);
        // `s` takes any delimiter, and `t3` and `m0` need no blank.
        let (name, rest) = match name {
            "" => split_at_first(text),
            _ => (name, rest),
        };
        let (bang, rest) = rest.strip_prefix('!').map_or((false, rest), |rest| (true, rest));
        let argument = rest.trim();
        match name {
            "s" | "su" | "substitute" if !bang => self.substitute(range, rest),
            "g" | "global" => self.global(range, rest, bang),
            "v" | "vglobal" if !bang => self.global(range, rest, true),
            "d" | "de" | "del" | "delete" => self.ex_delete(range, argument),
            "y" | "ya" | "yank" => self.ex_yank(range, argument),
            "pu" | "put" => self.ex_put(range, argument, bang),
            "t" | "co" | "copy" => self.ex_copy(range, argument),
            "m" | "mo" | "move" => self.ex_move(range, argument),
            "j" | "join" => self.ex_join(range, argument, bang),
            "sor" | "sort" => self.ex_sort(range, argument, bang),
            ">" | "<" => self.ex_shift(range, name == ">", argument),
            "a" | "append" | "i" | "insert" => self.ex_insert(range, rest, name.starts_with('a')),
            "u" | "undo" | "red" | "redo" if argument.is_empty() => {
                self.undo(1, name.starts_with('r'));
                Ok(())
            }
            "noh" | "nohlsearch" => Ok(()),
            _ => self.ex_file(name, bang, argument),
        }
    }

    /// Addresses at the start of a command.
    fn range<'a>(&mut self, line: &'a str) -> Run<(Range, &'a str)> {
        if let Some(rest) = line.strip_prefix('%') {
            return Ok((Range { first: 0, last: self.buffer.last(), given: 2, zero: false }, rest));
        }
        let mut base = self.cursor.line;
        let mut rest = line;
        let mut found: Vec<Option<usize>> = Vec::new();
        loop {
            let (address, after) = self.address(rest.trim_start(), base)?;
            rest = after.trim_start();
            let separator = rest.chars().next().filter(|next| matches!(next, ',' | ';'));
            match (address, separator) {
                (None, None) if found.is_empty() => {
                    let line = self.cursor.line;
                    return Ok((Range { first: line, last: line, given: 0, zero: false }, rest));
                }
                (address, _) => found.push(address.unwrap_or(Some(base))),
            }
            match separator {
                Some(separator) => {
                    if let (';', Some(Some(line))) = (separator, found.last()) {
                        base = *line;
                    }
                    rest = &rest[1..];
                }
                None => break,
            }
        }
        let last = found[found.len() - 1];
        let first = if found.len() > 1 { found[found.len() - 2] } else { last };
        // None stands for line 0, before all others.
        if first > last {
            return fault(FaultKind::ExSyntax, "the range goes backwards");
        }
        let range = Range {
            first: first.unwrap_or(0),
            last: last.unwrap_or(0),
            given: found.len().min(2),
            zero: last.is_none(),
        };
        Ok((range, rest))
    }

    /// One address, within the file; the inner `None` is line 0.
    #[expect(clippy::option_option, reason = "no address at all, or one that names no line")]
    fn address<'a>(&mut self, text: &'a str, base: usize) -> Run<(Option<Option<usize>>, &'a str)> {
        let last = self.buffer.len();
        // Counted from 1.
        let (mut line, mut rest) = match text.chars().next() {
            Some('.') => (Some(base + 1), &text[1..]),
            Some('$') => (Some(last), &text[1..]),
            Some('\'') => {
                let mark = text[1..].chars().next();
                let Some((visual, false)) = self.last_visual.as_ref().map(|visual| (visual, mark.is_none()))
                else {
                    return fault(FaultKind::ExSyntax, "nothing was selected for `'<` and `'>`");
                };
                let (start, end) = if visual.anchor <= visual.end {
                    (visual.anchor, visual.end)
                } else {
                    (visual.end, visual.anchor)
                };
                match mark {
                    Some('<') => (Some(start.line + 1), &text[2..]),
                    Some('>') => (Some(end.line + 1), &text[2..]),
                    _ => return fault(FaultKind::ExSyntax, "only the marks `'<` and `'>` are supported"),
                }
            }
            Some(delimiter @ ('/' | '?')) => {
                let (source, after) = split_at_delimiter(&text[1..], delimiter);
                let found = self.pattern_line(&source, base, delimiter == '/')?;
                (Some(found + 1), after.unwrap_or(""))
            }
            Some('0'..='9') => {
                let (number, after) = number(text);
                (Some(number), after)
            }
            Some('+' | '-') => (Some(base + 1), text),
            _ => (None, text),
        };
        while let Some(sign) = rest.chars().next().filter(|next| matches!(next, '+' | '-')) {
            let (by, after) = match rest[1..].chars().next() {
                Some('0'..='9') => number(&rest[1..]),
                _ => (1, &rest[1..]),
            };
            let from = line.unwrap_or(base + 1);
            line = Some(if sign == '+' { from.saturating_add(by) } else { from.saturating_sub(by) });
            rest = after;
        }
        Ok((line.map(|line| line.min(last).checked_sub(1)), rest))
    }

    fn pattern_line(&mut self, source: &str, base: usize, forward: bool) -> Run<usize> {
        if !source.is_empty() {
            self.search = Some((Pattern::new(source, false), forward));
        }
        let Some((pattern, _)) = &self.search else {
            return fault(FaultKind::NoPrevious, "nothing was searched for before");
        };
        let haystack = self.haystack();
        let from =
            if forward { Position::new(base, self.buffer.line(base).len()) } else { Position::new(base, 0) };
        match haystack.search(pattern, from, forward)? {
            Some(found) => Ok(found.line),
            None => fault(FaultKind::PatternNotFound, format!("`{}` does not occur", pattern.source)),
        }
    }

    /// The register and count behind `:d` and `:y`.
    fn register_and_count(&self, range: Range, argument: &str) -> Run<(Option<char>, usize, usize)> {
        let register = argument.chars().next().filter(|next| !next.is_ascii_digit());
        if let Some(name) = register {
            if name == '|' {
                return no_second_command();
            }
            Registers::check(name)?;
        }
        let rest = register.map_or(argument, |name| argument[name.len_utf8()..].trim_start());
        if rest.is_empty() {
            return Ok((register, range.first, range.last));
        }
        let (count, after) = number(rest);
        if count == 0 || !after.is_empty() {
            return fault(FaultKind::ExSyntax, format!("`{rest}` is no count"));
        }
        Ok((register, range.last, (range.last + count - 1).min(self.buffer.last())))
    }

    fn ex_delete(&mut self, range: Range, argument: &str) -> Run<()> {
        let (register, first, last) = self.register_and_count(range, argument)?;
        let region = lines(first, last);
        self.operate(Operator::Delete, region, Manner { register, ..Manner::default() });
        Ok(())
    }

    fn ex_yank(&mut self, range: Range, argument: &str) -> Run<()> {
        let (register, first, last) = self.register_and_count(range, argument)?;
        let pieces = lines(first, last).text(&self.buffer);
        self.registers.yank(register, Text { pieces, lines: true });
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "one shape for all that keys and commands do")]
    fn ex_put(&mut self, range: Range, argument: &str, bang: bool) -> Run<()> {
        let Some(text) = self.registers.get(argument.chars().next()).cloned() else {
            self.status = Some("the register is empty".to_owned());
            return Ok(());
        };
        let at = if bang && !range.zero { range.last } else { range.last + usize::from(!range.zero) };
        let last = self.put_lines(at, &text, 1);
        self.go_to_line(last);
        Ok(())
    }

    /// Where copied or moved lines go: before which line.
    fn destination(&mut self, argument: &str) -> Run<usize> {
        let (address, rest) = self.address(argument, self.cursor.line)?;
        match address {
            Some(line) if rest.trim().is_empty() => Ok(line.map_or(0, |line| line + 1)),
            _ => fault(FaultKind::ExSyntax, format!("`{argument}` is no line to go to")),
        }
    }

    fn ex_copy(&mut self, range: Range, argument: &str) -> Run<()> {
        let at = self.destination(argument)?;
        let copied = lines(range.first, range.last).text(&self.buffer);
        let count = copied.len();
        self.replace_lines(at..at, copied);
        self.go_to_line(at + count - 1);
        Ok(())
    }

    fn ex_move(&mut self, range: Range, argument: &str) -> Run<()> {
        let at = self.destination(argument)?;
        if range.first < at && at <= range.last {
            return fault(FaultKind::ExSyntax, "lines cannot be moved into themselves");
        }
        let moved = lines(range.first, range.last).text(&self.buffer);
        let count = moved.len();
        if at == range.first || at == range.last + 1 {
            self.go_to_line(range.last);
            return Ok(());
        }
        if at > range.last {
            self.replace_lines(at..at, moved);
            self.replace_lines(range.first..range.last + 1, Vec::new());
            self.go_to_line(at - 1);
        } else {
            self.replace_lines(range.first..range.last + 1, Vec::new());
            self.replace_lines(at..at, moved);
            self.go_to_line(at + count - 1);
        }
        Ok(())
    }

    fn ex_join(&mut self, range: Range, argument: &str, bang: bool) -> Run<()> {
        let (mut first, mut last) = (range.first, range.last);
        if let (count @ 1.., "") = number(argument) {
            (first, last) = (last, (last + count - 1).min(self.buffer.last()));
        } else if !argument.is_empty() {
            return fault(FaultKind::ExSyntax, format!("`{argument}` is no count"));
        } else if first == last && range.given < 2 {
            if last == self.buffer.last() {
                return Ok(());
            }
            last += 1;
        }
        self.cursor = Position::new(first, 0);
        self.join(first, last - first + 1, !bang);
        self.go_to_line(first);
        Ok(())
    }

    fn ex_shift(&mut self, range: Range, right: bool, argument: &str) -> Run<()> {
        let more = argument.chars().filter(|next| *next == if right { '>' } else { '<' }).count();
        if more != argument.chars().count() {
            return fault(FaultKind::ExSyntax, format!("`{argument}` cannot follow a shift"));
        }
        self.shift_lines(range.first, range.last, right, more + 1);
        self.go_to_line(range.last);
        Ok(())
    }

    fn ex_insert(&mut self, range: Range, argument: &str, below: bool) -> Run<()> {
        let text = argument.strip_prefix(' ').unwrap_or(argument);
        if text.is_empty() {
            return fault(FaultKind::ExSyntax, "the text to insert is missing");
        }
        let at = if range.zero || !below { range.last } else { range.last + 1 };
        self.open_line(at);
        self.replace_in_line(at, 0..0, text);
        self.go_to_line(at);
        Ok(())
    }

    fn ex_sort(&mut self, range: Range, argument: &str, reverse: bool) -> Run<()> {
        if let Some(unknown) = argument.chars().find(|flag| !matches!(flag, 'i' | 'u' | 'n' | ' ')) {
            return fault(
                FaultKind::ExUnsupported,
                format!("the flag `{unknown}` of `:sort` is not supported"),
            );
        }
        let has = |flag| argument.contains(flag);
        let (first, last) =
            if range.given == 0 { (0, self.buffer.last()) } else { (range.first, range.last) };
        if first == last {
            return Ok(());
        }
        let mut sorted = lines(first, last).text(&self.buffer);
        let folded = |line: &str| if has('i') { line.to_lowercase() } else { line.to_owned() };
        if has('n') {
            sorted.sort_by_key(|line| first_number(line));
        } else {
            sorted.sort_by_cached_key(|line| folded(line));
        }
        if reverse {
            sorted.reverse();
        }
        if has('u') {
            let same = |one: &mut String, other: &mut String| {
                if has('n') { first_number(one) == first_number(other) } else { folded(one) == folded(other) }
            };
            sorted.dedup_by(same);
        }
        self.cursor = Position::new(first, 0);
        if sorted != lines(first, last).text(&self.buffer) {
            self.replace_lines(first..last + 1, sorted);
        }
        self.go_to_line(first);
        self.want = Want::Cursor;
        Ok(())
    }

    fn global(&mut self, range: Range, rest: &str, inverse: bool) -> Run<()> {
        let Some(delimiter) = rest.chars().next().filter(char::is_ascii_punctuation) else {
            return fault(FaultKind::ExSyntax, "a pattern between delimiters is expected");
        };
        let (source, command) = split_at_delimiter(&rest[1..], delimiter);
        let command = command.unwrap_or("").trim();
        if !matches!(command, "" | "d" | "delete") {
            return fault(FaultKind::ExUnsupported, format!("`:g` can only delete lines, not `{command}`"));
        }
        if source.is_empty() && self.search.is_none() {
            return fault(FaultKind::ExSyntax, "the pattern is empty");
        }
        if !source.is_empty() {
            self.search = Some((Pattern::new(&source, false), true));
        }
        let Some((pattern, _)) = &self.search else { return Ok(()) };
        let (first, last) =
            if range.given == 0 { (0, self.buffer.last()) } else { (range.first, range.last) };
        let mut hit = vec![false; last - first + 1];
        let haystack = self.haystack();
        let mut at = haystack.offset(Position::new(first, 0));
        while let Some((start, _)) = haystack.find(pattern, at)? {
            let line = haystack.position(start).line;
            if line > last {
                break;
            }
            hit[line - first] = true;
            if line == self.buffer.last() {
                break;
            }
            at = haystack.offset(Position::new(line + 1, 0));
        }
        let goes: Vec<usize> = (first..=last).filter(|line| hit[line - first] != inverse).collect();
        let Some(lowest) = goes.first().copied() else {
            self.status = Some(if inverse { "every line matches" } else { "no line matches" }.to_owned());
            return Ok(());
        };
        let highest = goes[goes.len() - 1];
        let last_deleted = self.buffer.line(highest).to_owned();
        let keeps = |line: &usize| hit[line - first] == inverse;
        let kept: Vec<String> =
            (lowest..=highest).filter(keeps).map(|line| self.buffer.line(line).to_owned()).collect();
        let to = highest + 1 - goes.len();
        self.cursor = Position::new(lowest, 0);
        self.replace_lines(lowest..highest + 1, kept);
        self.registers.delete(None, Text { pieces: vec![last_deleted], lines: true }, true);
        self.status = Some(format!("{} lines deleted", goes.len()));
        self.go_to_line(to);
        Ok(())
    }
}

/// `|` behind a command.
pub fn no_second_command<T>() -> Run<T> {
    fault(FaultKind::ExUnsupported, "a second command behind `|` is not supported; give it a line of its own")
}

fn lines(first: usize, last: usize) -> Region {
    Region { start: Position::new(first, 0), end: Position::new(last, 0), shape: Shape::Lines }
}

fn split_at_first(text: &str) -> (&str, &str) {
    text.split_at(text.chars().next().map_or(0, char::len_utf8))
}

/// The number a text starts with, 0 where there is none, and the rest.
fn number(text: &str) -> (usize, &str) {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (text[..length].parse().unwrap_or(if length > 0 { usize::MAX / 2 } else { 0 }), &text[length..])
}

/// The first decimal number of a line; lines without one come first.
fn first_number(line: &str) -> Option<i128> {
    let start = line.find(|next: char| next.is_ascii_digit())?;
    let digits: String = line[start..].chars().take_while(char::is_ascii_digit).take(36).collect();
    let value: i128 = digits.parse().ok()?;
    Some(if line[..start].ends_with('-') { -value } else { value })
}
