//! Commands that go on after their calls: started in the background, or moved there when they took long.
//!
//! Each has a thread of its own and obeys the rules of every command: its timeout holds, and nothing outlives it. The
//! table belongs to the session, and with it all its jobs end.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::Value;

use super::ended::{Ended, Kept, Receipt};
use super::output::Output;
use super::prepare::Plan;
use super::process::conduct;
use super::run::{Started, not_started};
use super::window::Shown;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::outcome::Outcome;

/// How long a result can be asked for.
const RETENTION: Duration = Duration::from_secs(5 * 60);
/// The longest the token of a call is not looked at.
const TICK: Duration = Duration::from_millis(15);
/// Of a command, more than this is no label.
const LABEL: usize = 120;

/// Told the id of a job, or that there was none.
pub type OnEnd = Box<dyn FnOnce(Option<&str>) + Send>;

/// What a job needs of the host.
pub struct Background {
    /// Ends the job; not that of the call, which is over before.
    pub token: CancelToken,
    /// Told the id of the job when it has ended, if its call did not wait for that.
    pub on_end: OnEnd,
}

impl fmt::Debug for Background {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Background").finish_non_exhaustive()
    }
}

/// The jobs of a session, by number.
#[derive(Debug, Default)]
pub struct Jobs {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    last: u64,
    jobs: BTreeMap<u64, Arc<Job>>,
}

/// A command with a thread of its own.
#[derive(Debug)]
pub struct Job {
    label: String,
    receipt: Receipt,
    token: CancelToken,
    /// How many may run at the same time.
    max_jobs: usize,
    started: SystemTime,
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Debug)]
struct Progress {
    /// Given when nobody waits any more.
    id: Option<String>,
    state: State,
}

#[derive(Debug)]
enum State {
    Running(Output),
    Ended {
        at: Instant,
        time: SystemTime,
        result: Result<Arc<Ended>>,
        kept: Kept,
    },
    /// Given to the call, or to the command's own thread for a moment.
    Taken,
}

/// A job as it is told.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// `bg_N`.
    pub id: String,
    /// What runs.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The command, shortened.
    pub label: String,
    /// `running`, `completed`, `failed` or `cancelled`.
    pub state: &'static str,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// The same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    /// The output so far, or the result.
    pub text: String,
    /// Of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Code of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Of a command that ran to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

impl Job {
    /// One that has not started.
    pub(super) fn new(
        plan: &Plan,
        output: Output,
        token: CancelToken,
        command: &str,
        max_jobs: usize,
    ) -> Arc<Self> {
        Arc::new(Self {
            label: label(command),
            receipt: Receipt::of(plan),
            token,
            max_jobs,
            started: SystemTime::now(),
            progress: Mutex::new(Progress { id: None, state: State::Running(output) }),
            changed: Condvar::new(),
        })
    }

    /// Starts the command on a thread of its own.
    pub(super) fn start(self: &Arc<Self>, plan: Plan, on_end: OnEnd) -> Result<()> {
        let worker = Arc::clone(self);
        let body = move || {
            let end =
                conduct(&plan.launch(&plan.arguments()), &worker.token, &mut |_, bytes| worker.feed(bytes));
            let id = worker.end(|output| {
                let (window, limits) = output.finish();
                let end = end.map_err(|error| not_started(&plan, &error))?;
                Ok(Ended { end, window, limits, call: Receipt::of(&plan) })
            });
            on_end(id.as_deref());
        };
        let started = std::thread::Builder::new().name("job".into()).spawn(body);
        started.map_err(|error| ToolError::AsyncUnavailable { reason: error.to_string() })?;
        Ok(())
    }

    /// Starts the command as a job. Where no more may run, nothing of it has.
    pub(super) fn start_detached(
        self: &Arc<Self>,
        jobs: &Jobs,
        plan: Plan,
        on_end: OnEnd,
    ) -> Result<Started> {
        let id = jobs.register(self, &mut self.lock())?;
        self.start(plan, on_end).inspect_err(|_| jobs.forget(&id))?;
        Ok(Started::Running(Box::new(self.receipt.backgrounded(Shown::default(), &id, &self.label))))
    }

    /// Waits for the end, at most `after`; then the command becomes a job, if one more may run.
    pub(super) fn wait_or_detach(
        self: &Arc<Self>,
        jobs: &Jobs,
        after: Duration,
        mut on_update: Option<&mut dyn FnMut(Outcome)>,
        cancel: &CancelToken,
    ) -> Result<Started> {
        let started = Instant::now();
        let mut may_detach = true;
        loop {
            let mut progress = self.lock();
            if let Some(ended) = progress.take_ended() {
                return ended.map(Started::Ended);
            }
            if cancel.is_cancelled() {
                self.token.cancel();
            } else if may_detach && started.elapsed() >= after {
                if let Ok(id) = jobs.register(self, &mut progress) {
                    let outcome = self.receipt.backgrounded(progress.shown(), &id, &self.label);
                    return Ok(Started::Running(Box::new(outcome)));
                }
                may_detach = false;
            }
            let (mut progress, _) =
                self.changed.wait_timeout(progress, TICK).unwrap_or_else(PoisonError::into_inner);
            let news = if on_update.is_some() { progress.news() } else { None };
            drop(progress);
            if let (Some(tell), Some(shown)) = (&mut on_update, news) {
                tell(self.receipt.partial(shown));
            }
        }
    }

    fn feed(&self, bytes: &[u8]) {
        if let State::Running(output) = &mut self.lock().state {
            output.feed(bytes);
        }
    }

    /// Records the end. The id, if it became a job.
    fn end(&self, result: impl FnOnce(Output) -> Result<Ended>) -> Option<String> {
        let mut progress = self.lock();
        if let State::Running(output) = std::mem::replace(&mut progress.state, State::Taken) {
            let (at, time) = (Instant::now(), SystemTime::now());
            progress.state =
                State::Ended { at, time, result: result(output).map(Arc::new), kept: Kept::Nowhere };
        }
        self.changed.notify_all();
        progress.id.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_running(&self) -> bool {
        matches!(self.lock().state, State::Running(_))
    }

    fn is_stale(&self) -> bool {
        matches!(self.lock().state, State::Ended { at, .. } if at.elapsed() > RETENTION)
    }

    fn view(&self) -> View {
        let progress = self.lock();
        let mut view = View {
            id: progress.id.clone().unwrap_or_default(),
            kind: "bash",
            label: self.label.clone(),
            state: "running",
            started_at: milliseconds(self.started),
            ended_at: None,
            text: String::new(),
            details: None,
            code: None,
            exit_code: None,
        };
        let State::Ended { time, result, kept, .. } = &progress.state else {
            view.text = progress.shown().text;
            return view;
        };
        view.ended_at = Some(milliseconds(*time));
        match result.as_ref().map_err(Clone::clone).and_then(|ended| ended.finish(kept.clone())) {
            Ok(outcome) => {
                let (text, details, _) = outcome.receipt();
                (view.state, view.exit_code) = ("completed", Some(0));
                (view.text, view.details) = (text, Some(Value::Object(details)));
            }
            Err(error) => {
                let is_cancelled = matches!(error, ToolError::Aborted { .. });
                view.state = if is_cancelled { "cancelled" } else { "failed" };
                (view.text, view.code) = (error.to_string(), Some(error.code()));
                if let ToolError::NonzeroExit { exit_code, .. } = error {
                    view.exit_code = Some(exit_code);
                }
            }
        }
        view
    }
}

impl Progress {
    fn take_ended(&mut self) -> Option<Result<Arc<Ended>>> {
        match std::mem::replace(&mut self.state, State::Taken) {
            State::Ended { result, .. } => Some(result),
            other => {
                self.state = other;
                None
            }
        }
    }

    fn shown(&self) -> Shown {
        if let State::Running(output) = &self.state { output.shown() } else { Shown::default() }
    }

    fn news(&mut self) -> Option<Shown> {
        if let State::Running(output) = &mut self.state { output.news() } else { None }
    }
}

impl Jobs {
    /// Every job, the oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<View> {
        let jobs: Vec<_> = self.table().jobs.values().cloned().collect();
        jobs.iter().map(|job| job.view()).collect()
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<View> {
        self.find(id).map(|job| job.view())
    }

    /// Ends a job. Whether it was running.
    pub fn cancel(&self, id: &str) -> bool {
        let running = self.find(id).filter(|job| job.is_running());
        running.inspect(|job| job.token.cancel()).is_some()
    }

    /// Ends them all.
    pub fn cancel_all(&self) {
        self.table().jobs.values().for_each(|job| job.token.cancel());
    }

    /// An ended job whose output is to be kept.
    #[must_use]
    pub fn to_keep(&self, id: &str) -> Option<Arc<Ended>> {
        let job = self.find(id)?;
        let progress = job.lock();
        let State::Ended { result: Ok(ended), .. } = &progress.state else { return None };
        ended.to_keep().is_some().then(|| Arc::clone(ended))
    }

    /// Records where the output of an ended job was kept.
    pub fn settle(&self, id: &str, kept: Kept) {
        if let Some(job) = self.find(id)
            && let State::Ended { kept: known, .. } = &mut job.lock().state
        {
            *known = kept;
        }
    }

    fn register(&self, job: &Arc<Job>, progress: &mut Progress) -> Result<String> {
        let mut table = self.table();
        // The new one is not among them, so that no lock is asked for twice.
        let running = table.jobs.values().filter(|job| job.is_running()).count();
        if running >= job.max_jobs {
            let reason = format!("{running} jobs are running, and no more may");
            return Err(ToolError::AsyncUnavailable { reason });
        }
        table.last += 1;
        let number = table.last;
        table.jobs.insert(number, Arc::clone(job));
        let id = format!("{PREFIX}{number}");
        progress.id = Some(id.clone());
        Ok(id)
    }

    fn forget(&self, id: &str) {
        if let Some(number) = number(id) {
            self.table().jobs.remove(&number);
        }
    }

    fn find(&self, id: &str) -> Option<Arc<Job>> {
        self.table().jobs.get(&number(id)?).cloned()
    }

    /// Without the jobs whose time is over.
    fn table(&self) -> MutexGuard<'_, Table> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.jobs.retain(|_, job| !job.is_stale());
        table
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.cancel_all();
    }
}

const PREFIX: &str = "bg_";

fn number(id: &str) -> Option<u64> {
    id.strip_prefix(PREFIX)?.parse().ok()
}

fn label(command: &str) -> String {
    if command.chars().count() <= LABEL {
        return command.to_owned();
    }
    command.chars().take(LABEL - 3).chain("...".chars()).collect()
}

fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
