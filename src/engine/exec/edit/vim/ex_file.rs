//! Ex commands about the file: writing, leaving, loading again. What goes to the disk goes there when the call ends.

use super::editor::Editor;
use super::fault::{FaultKind, Run, fault};

impl Editor {
    /// A command of this kind; anything else is not supported.
    pub fn ex_file(&mut self, name: &str, bang: bool, argument: &str) -> Run<()> {
        let other_file = !argument.is_empty() && argument != self.name;
        match name {
            "w" | "write" | "up" | "update" | "wq" | "x" | "xit" | "exit" | "q" | "quit" | "e" | "edit"
                if other_file =>
            {
                fault(
                    FaultKind::ExUnsupported,
                    format!(
                        "`:{name} {argument}` names another file; a call edits the one it names in `file`"
                    ),
                )
            }
            "w" | "write" => self.write(bang),
            "up" | "update" if self.is_modified() => self.write(bang),
            "up" | "update" => Ok(()),
            "wq" => {
                self.write(bang)?;
                self.close(true)
            }
            "x" | "xit" | "exit" => {
                if self.is_modified() {
                    self.write(bang)?;
                }
                self.close(true)
            }
            "q" | "quit" => self.close(bang),
            "e" | "edit" => self.load_again(bang),
            _ => fault(FaultKind::ExUnsupported, format!("`:{name}` is not supported")),
        }
    }

    /// The save at the end of a call.
    pub fn write_at_end(&mut self) -> Run<()> {
        let forced = self.leaving.forced;
        self.write(forced)
    }

    fn write(&mut self, forced: bool) -> Run<()> {
        if self.disk_differs && !forced {
            return fault(
                FaultKind::DiskChanged,
                "the file was changed by someone else; `:e!` loads it again, `:w!` overwrites it",
            );
        }
        self.leaving.written = Some(self.buffer.text());
        self.leaving.forced |= forced;
        self.saved = self.buffer.clone();
        Ok(())
    }

    fn close(&mut self, forced: bool) -> Run<()> {
        if self.is_modified() && !forced {
            return fault(FaultKind::Unsaved, "there are changes that are not written; `:q!` drops them");
        }
        self.leaving.closed = true;
        Ok(())
    }

    fn load_again(&mut self, forced: bool) -> Run<()> {
        if self.is_modified() && !forced {
            return fault(FaultKind::Unsaved, "there are changes that are not written; `:e!` drops them");
        }
        // What was written is on the disk as soon as the call ends.
        let text = self.leaving.written.clone().unwrap_or_else(|| self.disk.clone());
        self.reload(&text);
        self.go_to_line(0);
        Ok(())
    }
}
