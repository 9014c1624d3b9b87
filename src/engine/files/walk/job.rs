//! The course of a walk: a stack of tasks that any number of threads take from.
//!
//! One thread starts; others are called when there is enough to do for them. A thread that finds no task leaves, and
//! the last one to leave ends the walk. Nobody waits inside of a walk, so walks never block each other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::pool::{self, Work};
use super::root::{Root, WalkReport};
use super::step::{Hand, Task};
use super::survey::Survey;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::Confinement;

/// Looks at names, or what is worth as many, that one thread does alone: a second one would only be woken to find
/// everything done.
const ALONE: usize = 2000;

/// How long work may wait for its first thread before there is one more.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is told of a walk that goes on.
pub type Progress<'a, S> = (Duration, &'a mut dyn FnMut(&S));

/// How a walk is run.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// Ends the walk with an error.
    pub cancel: CancelToken,
    /// Ends the walk with what there is.
    pub deadline: Option<Instant>,
}

/// A walk that is over.
#[derive(Debug)]
pub struct Done<S: Survey> {
    /// What it was for.
    pub survey: Arc<S>,
    /// What each thread gathered.
    pub workers: Vec<S::Worker>,
    /// How it ended.
    pub report: WalkReport,
    /// Whether anything was met below each root.
    pub met: Vec<bool>,
}

/// Walks all roots. An error only if the call is cancelled, or for a fault of ours.
pub fn walk<S: Survey>(
    survey: Arc<S>,
    roots: Vec<Root>,
    course: Course,
    mut progress: Option<Progress<'_, S>>,
) -> Result<Done<S>> {
    course.cancel.check()?;
    let tasks = (0..roots.len()).rev().map(Task::Root).collect();
    let state = State { tasks, ..State::default() };
    let met = roots.iter().map(|_| AtomicBool::new(false)).collect();
    let job = Arc::new(Job {
        survey,
        roots,
        course,
        confinement: Confinement::current(),
        state: Mutex::new(state),
        done: Condvar::new(),
        stopped: AtomicBool::new(false),
        load: AtomicUsize::new(0),
        met,
    });
    if !pool::submit(job.clone()) {
        // Then there is nobody to take turns with.
        while !job.lock().over {
            Arc::clone(&job).work();
        }
    }
    job.wait(&mut progress);
    job.course.cancel.check()?;
    let mut state = job.lock();
    if let Some(message) = state.failure.take() {
        return Err(ToolError::Internal { message });
    }
    let workers = std::mem::take(&mut state.hands).into_iter().map(|hand| hand.worker).collect();
    let mut report = std::mem::take(&mut state.report);
    report.unreadable.sort_unstable_by(|a, b| bytes_of(a).cmp(bytes_of(b)));
    report.unreadable.dedup();
    let met = job.met.iter().map(|met| met.load(Ordering::Relaxed)).collect();
    Ok(Done { survey: Arc::clone(&job.survey), workers, report, met })
}

fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// One walk.
pub(super) struct Job<S: Survey> {
    pub(super) survey: Arc<S>,
    pub(super) roots: Vec<Root>,
    pub(super) course: Course,
    /// That of the call: the threads work for many.
    confinement: Confinement,
    state: Mutex<State<S::Worker>>,
    done: Condvar,
    /// Set once nothing more is to be done.
    stopped: AtomicBool,
    /// What was looked at so far.
    load: AtomicUsize,
    /// Whether anything was met, for each root.
    pub(super) met: Vec<AtomicBool>,
}

struct State<W> {
    /// Taken from the end.
    tasks: Vec<Task>,
    /// Threads at work.
    present: usize,
    hands: Vec<Hand<W>>,
    report: WalkReport,
    failure: Option<String>,
    started: bool,
    over: bool,
}

impl<W> Default for State<W> {
    fn default() -> Self {
        Self {
            tasks: Vec::new(),
            present: 0,
            hands: Vec::new(),
            report: WalkReport::default(),
            failure: None,
            started: false,
            over: false,
        }
    }
}

impl<S: Survey> Job<S> {
    fn lock(&self) -> MutexGuard<'_, State<S::Worker>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end, with a look at the survey from time to time.
    fn wait(&self, progress: &mut Option<Progress<'_, S>>) {
        let mut patience = Some(PATIENCE);
        let mut state = self.lock();
        while !state.over {
            let pause = progress.as_ref().map(|(pause, _)| *pause).into_iter().chain(patience).min();
            let Some(pause) = pause else {
                state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let (again, timeout) =
                self.done.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner);
            state = again;
            if !timeout.timed_out() || state.over {
                continue;
            }
            if let Some(left) = patience {
                let left = left.saturating_sub(pause);
                patience = (!state.started && !left.is_zero()).then_some(left);
                if !state.started && left.is_zero() {
                    pool::add_spare();
                }
            }
            if let Some((_, tell)) = progress {
                drop(state);
                tell(&self.survey);
                state = self.lock();
            }
        }
    }

    /// Whether the walk is to end as soon as possible.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.course.cancel.is_cancelled()
    }

    /// Reports a directory that could not be read.
    pub(super) fn unreadable(&self, path: PathBuf) {
        self.lock().report.unreadable.push(path);
    }

    /// Adds tasks, the last of which is taken first, and calls for help if that is worth it.
    pub(super) fn add(self: &Arc<Self>, tasks: &mut Vec<Task>, looked_at: usize) {
        let before = self.load.fetch_add(looked_at * S::WEIGHT, Ordering::Relaxed);
        if tasks.is_empty() {
            return;
        }
        self.lock().tasks.append(tasks);
        if before + looked_at * S::WEIGHT >= ALONE && pool::width() > 1 {
            let work: Arc<dyn Work> = self.clone();
            pool::invite(&work);
        }
    }

    /// Takes the next task; the first one comes with something to hold what is gathered.
    fn enter(&self) -> Option<(Task, Hand<S::Worker>)> {
        let mut state = self.lock();
        state.started = true;
        let task = state.tasks.pop()?;
        state.present += 1;
        let hand = state.hands.pop();
        drop(state);
        Some((task, hand.unwrap_or_else(|| Hand::new(self.survey.worker()))))
    }

    fn next(&self) -> Option<Task> {
        self.lock().tasks.pop()
    }

    fn leave(&self, hand: Hand<S::Worker>) {
        let mut state = self.lock();
        state.hands.push(hand);
        state.present -= 1;
        self.end_if_done(&mut state);
    }

    fn end_if_done(&self, state: &mut State<S::Worker>) {
        if state.present == 0 && state.tasks.is_empty() {
            state.over = true;
            self.done.notify_all();
        }
    }

    /// Ends the walk; tasks that are under way notice it between two entries.
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.lock().tasks.clear();
    }

    fn check_end(&self) {
        if self.course.cancel.is_cancelled() {
            self.stop();
        } else if self.course.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let mut state = self.lock();
            state.report.timed_out |= !self.stopped.swap(true, Ordering::Relaxed);
            state.tasks.clear();
        }
    }

    /// Works until there is no task or others are to have the thread. True: there is more to do.
    fn take_turn(self: &Arc<Self>, mut task: Task, hand: &mut Hand<S::Worker>) -> bool {
        let start = Instant::now();
        loop {
            self.check_end();
            if !self.is_stopped() {
                hand.carry_out(self, task);
                self.survey.pause(&mut hand.worker);
            }
            if pool::others_wait() && start.elapsed() >= pool::SLICE {
                return true;
            }
            match self.next() {
                Some(next) => task = next,
                None => return false,
            }
        }
    }
}

impl<S: Survey> Work for Job<S> {
    fn work(self: Arc<Self>) {
        let Some((task, mut hand)) = self.enter() else { return };
        let turn = || self.confinement.enter(|| self.take_turn(task, &mut hand));
        match catch_unwind(AssertUnwindSafe(turn)) {
            Ok(false) => self.leave(hand),
            Ok(true) => {
                self.leave(hand);
                pool::requeue(self);
            }
            Err(panic) => {
                self.stop();
                let mut state = self.lock();
                state.failure.get_or_insert(message_of(panic.as_ref()));
                state.present -= 1;
                self.end_if_done(&mut state);
            }
        }
    }
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a walk failed".into())
}
