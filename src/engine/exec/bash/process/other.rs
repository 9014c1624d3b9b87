//! Where there are no process groups: the shell alone can be ended, what it started in the background cannot.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::{Exit, Pumped, Sink};
use crate::engine::exec::bash::prepare::Plan;

const CHUNK: usize = 64 * 1024;
/// Time for the last output after the end.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A shell and its output.
#[derive(Debug)]
pub struct Group {
    child: Child,
    status: Option<ExitStatus>,
    /// Absent once everyone has closed the output.
    chunks: Option<Receiver<Vec<u8>>>,
}

impl Group {
    /// Starts the shell and a thread that reads, since a pipe cannot be waited for with a limit here.
    pub fn spawn(plan: &Plan) -> io::Result<Self> {
        let (mut output, writer) = io::pipe()?;
        let mut command = Command::new(&plan.shell);
        command.arg("-c").arg(&plan.command).current_dir(&plan.cwd);
        command.env_clear().envs(plan.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let child = command.spawn()?;
        drop(command);
        let (sender, chunks) = sync_channel(4);
        std::thread::Builder::new().name("output".into()).spawn(move || {
            let mut buffer = vec![0; CHUNK];
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { child, status: None, chunks: Some(chunks) })
    }

    /// Whether the shell has exited.
    pub fn has_exited(&mut self) -> bool {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status.is_some()
    }

    /// Whether everyone has closed the output.
    pub fn output_ended(&self) -> bool {
        self.chunks.is_none()
    }

    /// Waits for output, at most `wait`.
    pub fn pump(&mut self, wait: Duration, sink: Sink<'_>) -> Pumped {
        let Some(chunks) = &self.chunks else {
            std::thread::sleep(wait.min(Duration::from_millis(2)));
            return Pumped::Nothing;
        };
        match chunks.recv_timeout(wait) {
            Ok(chunk) => {
                sink(&chunk);
                return Pumped::Data;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.chunks = None,
        }
        Pumped::Nothing
    }

    /// Ends the shell if it still runs.
    pub fn end(mut self, sink: Sink<'_>) -> Exit {
        if !self.has_exited() {
            // Fails if it has just exited.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
        let started = Instant::now();
        while self.pump(LAST_WORDS, sink) == Pumped::Data && started.elapsed() < LAST_WORDS {}
        self.status.and_then(|status| status.code()).map_or(Exit::Unknown, Exit::Code)
    }
}
