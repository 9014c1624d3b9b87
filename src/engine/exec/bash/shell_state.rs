//! State that a session's commands share, where a setting asks for that: the directory, variables, functions, aliases
//! and options. Still each call has a shell of its own, so that every promise about calls holds: the shell reads at its
//! start what the one before wrote at its end. A command that is killed, or replaces its shell or the trap at its exit,
//! leaves the state as it was. Only bash can tell its state.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::words::quote;
use crate::engine::files::Scratch;

/// The state of a session, in a directory that is gone with it.
#[derive(Debug, Default)]
pub struct ShellState {
    scratch: Mutex<Option<Scratch>>,
}

impl ShellState {
    /// The script that runs a command in the state, and leaves a new one. `given` is for this command alone; `cwd` wins
    /// over the directory of the state.
    pub fn script(
        &self,
        command: &str,
        given: &BTreeMap<String, String>,
        cwd: Option<&str>,
    ) -> io::Result<String> {
        let file = quote(&self.file()?.to_string_lossy());
        let (mut own, mut set) = (String::new(), String::new());
        for (name, value) in given {
            own.extend(["|", name]);
            set.extend(["export ", name, "=", &quote(value), "\n"]);
        }
        let go = cwd.map(|cwd| format!("cd -- {} || exit\n", quote(cwd))).unwrap_or_default();
        // Names of bash's own that cannot be set, or mean the shell that wrote them.
        let skipped = format!(
            "BASH*|EUID|UID|PPID|SHELLOPTS|SHLVL|GROUPS|FUNCNAME|DIRSTACK|PIPESTATUS|LINENO|RANDOM|SRANDOM|SECONDS|EPOCH*|COMP_*|REPLY|_{own}"
        );
        let save = format!(
            "{{ for REPLY in $(compgen -v); do case $REPLY in {skipped}) ;; *) declare -p \"$REPLY\" ;; esac; done; \
             declare -f; alias -p; shopt -p; set +o; printf \"cd -- %q\\n\" \"$PWD\"; }} > {file}.new 2> /dev/null \
             && mv -f {file}.new {file}"
        );
        let trap = quote(&format!("set -- $?; {save}; exit $1"));
        Ok(format!(
            "[ ! -e {file} ] || . {file} 2> /dev/null\n{go}{set}trap {trap} EXIT\neval {}\n",
            quote(command)
        ))
    }

    fn file(&self) -> io::Result<PathBuf> {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        if scratch.is_none() {
            *scratch = Some(Scratch::empty()?);
        }
        scratch
            .as_ref()
            .map(|scratch| scratch.path("state".as_ref()))
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
