//! A growing text that may become too long for memory: its start in memory, then in a file that has no name.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::PathBuf;

use super::KEPT_BYTES;
use crate::engine::text::floor_char_boundary;

/// Held in memory before a file is written.
const IN_MEMORY: usize = 256 * 1024;

/// Takes a text piece by piece, up to [`KEPT_BYTES`]; what is too much is counted.
#[derive(Debug, Default)]
pub struct Spool {
    /// Directories for the file, the preferred one first. Without any the text stays in memory.
    directories: Vec<PathBuf>,
    /// Comes behind what is in the file.
    memory: Vec<u8>,
    file: Option<File>,
    bytes: usize,
    missing: u64,
}

impl Spool {
    /// An empty text.
    #[must_use]
    pub fn new(directories: &[PathBuf]) -> Self {
        Self { directories: directories.to_vec(), ..Self::default() }
    }

    /// Appends.
    pub fn push(&mut self, text: &str) {
        // Once something is missing, nothing that follows may close the gap.
        let room = if self.missing == 0 { KEPT_BYTES - self.bytes } else { 0 };
        let kept = &text[..floor_char_boundary(text, room)];
        self.bytes += kept.len();
        self.missing += (text.len() - kept.len()) as u64;
        self.memory.extend_from_slice(kept.as_bytes());
        if self.memory.len() > IN_MEMORY {
            self.write_out();
        }
    }

    /// Bytes that did not fit.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// The text from its start.
    ///
    /// # Errors
    /// Those of the file.
    pub fn reader(&self) -> io::Result<impl Read + '_> {
        let mut written = self.file.as_ref();
        if let Some(file) = &mut written {
            file.rewind()?;
        }
        let written =
            written.map_or_else(|| Box::new(io::empty()) as Box<dyn Read + '_>, |file| Box::new(file));
        Ok(written.chain(Cursor::new(&self.memory)))
    }

    /// All of it.
    ///
    /// # Errors
    /// Those of the file.
    pub fn text(&self) -> io::Result<String> {
        let mut text = String::with_capacity(self.bytes);
        self.reader()?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Where nothing can be written all of it stays in memory, which is bounded too.
    fn write_out(&mut self) {
        if self.file.is_none() {
            self.file = self.directories.iter().find_map(|directory| {
                #[expect(clippy::disallowed_methods, reason = "this is engine/files")]
                std::fs::create_dir_all(directory).ok()?;
                tempfile::tempfile_in(directory).ok()
            });
            if self.file.is_none() {
                self.directories.clear();
                return;
            }
        }
        let Some(file) = &mut self.file else { return };
        let written = file.seek(io::SeekFrom::End(0)).and_then(|start| match file.write_all(&self.memory) {
            Ok(()) => Ok(()),
            // A full disk: what was written in part is taken back, and memory goes on.
            Err(error) => {
                file.set_len(start).and_then(|()| file.seek(io::SeekFrom::Start(start))).and(Err(error))
            }
        });
        if written.is_ok() {
            self.memory.clear();
        }
    }
}
