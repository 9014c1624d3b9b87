//! The output of a command while it runs: bytes in, the text that is shown out at any time.

use std::time::{Duration, Instant};

use super::terminal::Terminal;
use super::window::{Limits, Shown, Window};

/// The shortest time between two looks at a running command.
const NEWS: Duration = Duration::from_millis(50);

/// Takes an output piece by piece.
#[derive(Debug)]
pub struct Output {
    terminal: Terminal,
    window: Window,
    limits: Limits,
    /// There is something that nobody was told of.
    has_news: bool,
    told: Option<Instant>,
}

impl Output {
    /// Into a window of these limits.
    pub fn new(window: Window, limits: Limits) -> Self {
        Self { terminal: Terminal::default(), window, limits, has_news: false, told: None }
    }

    /// Appends.
    pub fn feed(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.terminal.feed(bytes, &mut self.window);
            self.has_news = true;
        }
    }

    /// What is shown so far, a line without end included.
    pub fn shown(&self) -> Shown {
        let mut window = self.window.copy();
        self.terminal.clone().finish(&mut window);
        window.finish_within(self.limits)
    }

    /// The same, where there is something new and the last time is long enough ago.
    pub fn news(&mut self) -> Option<Shown> {
        if !self.has_news || self.told.is_some_and(|told| told.elapsed() < NEWS) {
            return None;
        }
        self.has_news = false;
        self.told = Some(Instant::now());
        Some(self.shown())
    }

    /// The stream has ended.
    pub fn finish(self) -> (Window, Limits) {
        let Self { terminal, mut window, limits, .. } = self;
        terminal.finish(&mut window);
        (window, limits)
    }
}
