//! The host's side of a command's terminal: what it shows, what is typed into it, and its size.
//!
//! Nobody waits for anybody here. What is typed lies ready until the thread of the command passes it on; what the command
//! shows lies ready until the host takes it, and of that only so much that a host that does not come stops the command at
//! its next write, as a terminal does.

#![cfg_attr(not(unix), expect(dead_code, reason = "no command has a terminal elsewhere"))]

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that wait for the host before the command has to.
const SCREEN: usize = 1 << 20;
/// Bytes that wait for the command.
const TYPED: usize = 64 << 10;

/// Columns and rows.
pub type Size = (u16, u16);

/// Called when there is something to take, and not again before it was taken. Only passes the word on: the terminal cannot
/// be asked anything meanwhile.
pub type Tell = Box<dyn Fn() + Send + Sync>;

/// A terminal as the host has it.
#[derive(Debug, Default)]
pub struct Console {
    id: Option<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    phase: Phase,
    /// Absent: nobody looks.
    tell: Option<Arc<Tell>>,
    has_told: bool,
    screen: Vec<u8>,
    typed: Vec<u8>,
    size: Option<Size>,
}

/// How far a terminal has come.
#[derive(Default)]
enum Phase {
    #[default]
    Before,
    /// The host's end of the device, which never waits.
    Open(File),
    Over,
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("State").field("waiting", &self.screen.len()).finish_non_exhaustive()
    }
}

impl Console {
    /// Of a usual size.
    pub const SIZE: Size = (120, 40);

    /// One that the host looks at.
    #[must_use]
    pub fn new(id: String, tell: Tell) -> Self {
        let state = State { tell: Some(Arc::new(tell)), ..State::default() };
        Self { id: Some(id), state: Mutex::new(state) }
    }

    /// What the host calls it.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Types. Whether there was room for it, and somebody to read it.
    pub fn write(&self, bytes: &[u8]) -> bool {
        let mut state = self.state();
        let fits = state.typed.len() + bytes.len() <= TYPED && !matches!(state.phase, Phase::Over);
        if fits {
            state.typed.extend_from_slice(bytes);
        }
        fits
    }

    /// Changes the size; what runs is told by the system.
    pub fn resize(&self, size: Size) {
        let mut state = self.state();
        state.size = Some(size);
        if let Phase::Open(device) = &state.phase {
            set_size(device, size);
        }
    }

    /// What was shown since the last time; nothing more will come where it is absent.
    #[must_use]
    pub fn take(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        state.has_told = false;
        let is_over = matches!(state.phase, Phase::Over);
        let shown = std::mem::take(&mut state.screen);
        (!shown.is_empty() || !is_over).then_some(shown)
    }

    /// Gives a terminal its size, before there is a command that could ask for it.
    pub(super) fn fit(&self, device: &File) {
        set_size(device, self.state().size.unwrap_or(Self::SIZE));
    }

    /// The command has this terminal.
    pub(super) fn open(&self, device: File) {
        let mut state = self.state();
        set_size(&device, state.size.unwrap_or(Self::SIZE));
        state.phase = Phase::Open(device);
        state.news();
    }

    /// Appends to what is shown.
    pub(super) fn show(&self, bytes: &[u8]) {
        let mut state = self.state();
        if state.tell.is_some() {
            state.screen.extend_from_slice(bytes);
            state.news();
        }
    }

    /// Whether the host should look first.
    pub(super) fn is_full(&self) -> bool {
        self.state().screen.len() >= SCREEN
    }

    /// Passes on what was typed, as far as the device takes it now.
    pub(super) fn pass_on(&self) {
        let State { phase, typed, .. } = &mut *self.state();
        let Phase::Open(device) = phase else { return };
        while !typed.is_empty() {
            match device.write(typed) {
                Ok(length) => drop(typed.drain(..length)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // Nobody reads any more.
                Err(_) => typed.clear(),
            }
        }
    }

    fn close(&self) {
        let mut state = self.state();
        if matches!(std::mem::replace(&mut state.phase, Phase::Over), Phase::Open(_)) {
            state.news();
        }
        // Whoever is told may hold the one who tells.
        state.tell = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn news(&mut self) {
        if let Some(tell) = self.tell.as_ref().filter(|_| !self.has_told) {
            self.has_told = true;
            tell();
        }
    }
}

/// A terminal for as long as a command may have it: over when this is dropped, whether the command ran or not.
#[derive(Debug, Default)]
pub struct Lease(Arc<Console>);

impl Lease {
    /// To be made once.
    #[must_use]
    pub fn new(console: &Arc<Console>) -> Self {
        Self(Arc::clone(console))
    }

    /// For the one who reads the device.
    pub(super) fn console(&self) -> Arc<Console> {
        Arc::clone(&self.0)
    }
}

impl Deref for Lease {
    type Target = Console;

    fn deref(&self) -> &Console {
        &self.0
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(unix)]
fn set_size(device: &File, (columns, rows): Size) {
    let size = rustix::termios::Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // A terminal that nobody has any more has no size.
    let _ = rustix::termios::tcsetwinsize(device, size);
}

/// No command has a terminal elsewhere.
#[cfg(not(unix))]
fn set_size(_: &File, _: Size) {}
