//! The line in which ex commands and search patterns are typed.

use super::editor::{Editor, Mode};
use super::fault::Run;
use super::keys::{Key, Keys, Place};
use super::visual::Visual;

/// A line that is being typed.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// `:`, `/` or `?`.
    pub kind: char,
    pub text: String,
    /// The selection that a search extends.
    visual: Option<Visual>,
    count: usize,
}

impl Prompt {
    /// A line that begins with `text`.
    pub fn new(kind: char, text: String, visual: Option<Visual>, count: usize) -> Self {
        Self { kind, text, visual, count }
    }
}

impl Editor {
    /// One key of the line.
    pub fn line_key(&mut self, keys: &mut Keys) -> Run<()> {
        let Some(key) = keys.next(Place::Line)? else { return Ok(()) };
        let Mode::Line(prompt) = &mut self.mode else { return Ok(()) };
        match key {
            Key::Enter => return self.enter_line(),
            Key::Escape => self.cancel_line(),
            Key::Backspace if prompt.text.is_empty() => self.cancel_line(),
            Key::Backspace => {
                prompt.text.pop();
            }
            Key::Ctrl('u') => prompt.text.clear(),
            Key::Ctrl('w') => {
                let text = prompt.text.trim_end();
                let keep =
                    text.rfind(|last: char| !last.is_alphanumeric() && last != '_').map_or(0, |at| at + 1);
                let keep = if keep == text.len() { keep.saturating_sub(1) } else { keep };
                prompt.text.truncate(keep);
            }
            Key::Char(character) => prompt.text.push(character),
            Key::Ctrl(_) | Key::Delete => {}
        }
        Ok(())
    }

    /// At the end of the keys: a `\r` at the end of an unfinished line ends it.
    pub fn enter_unfinished_line(&mut self) -> Run<()> {
        let Mode::Line(prompt) = &mut self.mode else { return Ok(()) };
        let ended = ["\\r", "\\n", "\n"].iter().find_map(|end| prompt.text.strip_suffix(end));
        let Some(text) = ended.map(str::to_owned) else { return Ok(()) };
        prompt.text = text;
        self.enter_line()?;
        self.settle();
        Ok(())
    }

    fn cancel_line(&mut self) {
        if let Mode::Line(prompt) = std::mem::replace(&mut self.mode, Mode::Normal)
            && let Some(visual) = prompt.visual
        {
            self.mode = Mode::Visual(visual);
        }
    }

    fn enter_line(&mut self) -> Run<()> {
        let Mode::Line(prompt) = std::mem::replace(&mut self.mode, Mode::Normal) else { return Ok(()) };
        self.last_line = Some(format!("{}{}", prompt.kind, prompt.text));
        if prompt.kind == ':' {
            return self.ex_line(&prompt.text);
        }
        if let Some(visual) = prompt.visual {
            self.mode = Mode::Visual(visual);
        }
        self.cursor = self.search_line(&prompt.text, prompt.kind == '/', prompt.count)?;
        self.want = super::editor::Want::Cursor;
        Ok(())
    }
}
