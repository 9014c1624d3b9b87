//! Where there are no process groups: the program alone can be ended, what it started in the background cannot.

use std::io::{self, Read};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::{Exit, Launch, Pumped, Sink, Stream};

const CHUNK: usize = 64 * 1024;
/// Time for the last output after the end.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A program and its outputs.
#[derive(Debug)]
pub struct Group {
    child: Child,
    status: Option<ExitStatus>,
    /// Absent once everyone has closed the outputs.
    chunks: Option<Receiver<(Stream, Vec<u8>)>>,
}

impl Group {
    /// Starts the program and threads that read, since a pipe cannot be waited for with a limit here.
    pub fn spawn(launch: &Launch<'_>) -> io::Result<Self> {
        let (output, writer) = io::pipe()?;
        let mut outputs = vec![(Stream::Output, output)];
        let errors = if launch.is_apart {
            let (errors, writer) = io::pipe()?;
            outputs.push((Stream::Errors, errors));
            writer
        } else {
            writer.try_clone()?
        };
        let mut command = launch.command();
        let child = command.stdout(writer).stderr(errors).spawn()?;
        drop(command);
        let (sender, chunks) = sync_channel(4);
        for (stream, output) in outputs {
            let sender = sender.clone();
            std::thread::Builder::new().name("output".into()).spawn(move || send(stream, output, &sender))?;
        }
        Ok(Self { child, status: None, chunks: Some(chunks) })
    }

    /// Whether the program has exited.
    pub fn has_exited(&mut self) -> bool {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status.is_some()
    }

    /// Whether everyone has closed the outputs.
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
            Ok((stream, chunk)) => {
                sink(stream, &chunk);
                return Pumped::Data;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.chunks = None,
        }
        Pumped::Nothing
    }

    /// Ends the program if it still runs.
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

/// Sends what an output brings, until it ends or nobody listens.
fn send(stream: Stream, mut output: io::PipeReader, sender: &SyncSender<(Stream, Vec<u8>)>) {
    let mut buffer = vec![0; CHUNK];
    while let Ok(length @ 1..) = output.read(&mut buffer) {
        if sender.send((stream, buffer[..length].to_vec())).is_err() {
            return;
        }
    }
}
