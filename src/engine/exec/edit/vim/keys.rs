//! Keys as they are typed in `kbd`: names in angle brackets, a few escapes, everything else is itself. What a
//! `<` or a backslash means depends on where it is typed, so keys are read one by one.

use super::fault::{Fault, FaultKind, Run, fault};

/// One key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A character; a line feed is one too.
    Char(char),
    Escape,
    Enter,
    Backspace,
    Delete,
    /// `<C-x>`, lower case.
    Ctrl(char),
}

/// Where a key is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A command of normal or visual mode, or its argument.
    Command,
    /// Text that is inserted.
    Insert,
    /// The line of `:`, `/` or `?`.
    Line,
}

const NAMED: &[(&str, Key)] = &[
    ("esc", Key::Escape),
    ("escape", Key::Escape),
    ("c-[", Key::Escape),
    ("cr", Key::Enter),
    ("enter", Key::Enter),
    ("return", Key::Enter),
    ("c-m", Key::Enter),
    ("bs", Key::Backspace),
    ("backspace", Key::Backspace),
    ("c-h", Key::Backspace),
    ("del", Key::Delete),
    ("delete", Key::Delete),
    ("tab", Key::Char('\t')),
    ("c-i", Key::Char('\t')),
    ("space", Key::Char(' ')),
    ("lt", Key::Char('<')),
    ("gt", Key::Char('>')),
    ("bar", Key::Char('|')),
    ("bslash", Key::Char('\\')),
    ("nl", Key::Char('\n')),
    ("c-j", Key::Char('\n')),
    ("c-d", Key::Ctrl('d')),
    ("c-u", Key::Ctrl('u')),
    ("c-r", Key::Ctrl('r')),
    ("c-w", Key::Ctrl('w')),
    ("c-o", Key::Ctrl('o')),
    ("c-f", Key::Ctrl('f')),
    ("c-b", Key::Ctrl('b')),
    ("c-e", Key::Ctrl('e')),
    ("c-y", Key::Ctrl('y')),
    ("c-n", Key::Ctrl('n')),
    ("c-p", Key::Ctrl('p')),
];

/// A source of keys that remembers the ones it gave, so that a change can be repeated.
#[derive(Debug)]
pub struct Keys<'a> {
    text: &'a str,
    at: usize,
    /// Byte offset of the key given last.
    last: usize,
    /// Keys that are repeated instead of typed.
    stored: Option<std::slice::Iter<'a, Key>>,
    taken: Vec<Key>,
}

impl<'a> Keys<'a> {
    /// The keys of one entry of `kbd`.
    pub fn typed(text: &'a str) -> Self {
        Self { text, at: 0, last: 0, stored: None, taken: Vec::new() }
    }

    /// Keys that were taken before.
    pub fn stored(keys: &'a [Key]) -> Self {
        Self { stored: Some(keys.iter()), ..Self::typed("") }
    }

    /// Whether there are none left.
    pub fn is_done(&self) -> bool {
        self.stored.as_ref().map_or(self.at == self.text.len(), |keys| keys.len() == 0)
    }

    /// The next key.
    pub fn next(&mut self, place: Place) -> Run<Option<Key>> {
        let key = match &mut self.stored {
            Some(keys) => keys.next().copied(),
            None => self.read(place)?,
        };
        self.taken.extend(key);
        Ok(key)
    }

    /// The next key of a command that is not complete without it.
    pub fn argument(&mut self) -> Run<Key> {
        let missing =
            || Fault { kind: FaultKind::MissingArgument, reason: "the command is not complete".into() };
        self.next(Place::Command)?.ok_or_else(missing)
    }

    /// Forgets the key given last: counts are no part of what is repeated.
    pub fn drop_taken(&mut self) {
        self.taken.pop();
    }

    /// The keys given since the last call.
    pub fn take(&mut self) -> Vec<Key> {
        std::mem::take(&mut self.taken)
    }

    /// Offset of the key given last, in UTF-16 units.
    pub fn offset(&self) -> usize {
        self.text[..self.last].encode_utf16().count()
    }

    fn read(&mut self, place: Place) -> Run<Option<Key>> {
        self.last = if self.at < self.text.len() { self.at } else { self.last };
        let rest = &self.text[self.at..];
        let Some(character) = rest.chars().next() else { return Ok(None) };
        let (key, length) = match character {
            '<' => named(rest, place)?.unwrap_or((Key::Char('<'), 1)),
            '\\' if place != Place::Line => match rest.as_bytes().get(1) {
                Some(b'r') => (Key::Enter, 2),
                Some(b'e') => (Key::Escape, 2),
                Some(b't') => (Key::Char('\t'), 2),
                Some(b'n') => (Key::Char('\n'), 2),
                _ => (Key::Char('\\'), 1),
            },
            '\r' => (Key::Enter, 1),
            '\x1b' => (Key::Escape, 1),
            '\x08' | '\x7f' => (Key::Backspace, 1),
            other => (Key::Char(other), other.len_utf8()),
        };
        self.at += length;
        Ok(Some(key))
    }
}

/// The key that `<…>` at the start of a text names, and its length; none where `<` is only itself.
fn named(text: &str, place: Place) -> Run<Option<(Key, usize)>> {
    let is_part = |character: &char| character.is_ascii_alphanumeric() || matches!(character, '-' | '[');
    let name: String = text[1..].chars().take_while(is_part).collect::<String>().to_ascii_lowercase();
    if !text[1 + name.len()..].starts_with('>') {
        let is_cut = text.len() == 1 + name.len() && name.len() > 1;
        if is_cut && NAMED.iter().any(|(known, _)| known.starts_with(&name)) {
            return fault(FaultKind::UnterminatedKey, format!("the key `<{name}` has no `>`"));
        }
        return Ok(None);
    }
    if let Some((_, key)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Ok(Some((*key, name.len() + 2)));
    }
    // In a text, `<div>` is more likely than a key that is not known.
    let is_key = name.len() > 1 && (place == Place::Command || looks_like_key(&name));
    if is_key {
        return fault(
            FaultKind::UnknownKey,
            format!("`<{name}>` is not a known key; type `<lt>` for the character `<`"),
        );
    }
    Ok(None)
}

fn looks_like_key(name: &str) -> bool {
    let is_modified = ["c-", "s-", "m-", "a-", "d-"].iter().any(|start| name.starts_with(start));
    let number = name.strip_prefix('f').filter(|rest| !rest.is_empty());
    let is_function = number.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    let named = ["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert"];
    is_modified || is_function || named.contains(&name)
}
