//! One task of a walk: a directory is listed, its rules are read, and what they do not leave out is looked at.
//!
//! Directories below become tasks of their own; so do portions of a directory with very many files.

use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::entry::{Entry, EntryKind};
use super::job::Job;
use super::root::{Root, WalkRules};
use super::survey::Survey;
use super::system::{Directory, Listing, Space, Trail};
use crate::engine::files::globs::Glob;
use crate::engine::files::ignore_rules::{Level, RuleFiles, RuleNames};

/// Looks at names, or what is worth as many, in one go.
const PORTION: usize = 64;

/// Names of a directory between two looks whether the rest is needless.
pub(super) const NAMES: usize = 512;

/// Something to do, complete in itself.
pub(super) enum Task {
    /// The root of this number.
    Root(usize),
    /// A directory; by path if no handle of the one above was kept.
    Directory { root: Arc<Base>, parent: Option<Arc<Directory>>, relative: PathBuf, level: Arc<Level> },
    /// Some entries of a directory.
    Portion(Place, Arc<Listing>, Range<usize>),
}

/// Where a root really is.
#[derive(Debug)]
pub(super) struct Base {
    number: usize,
    /// Without links.
    real: PathBuf,
}

/// An open directory of the walk.
#[derive(Clone)]
pub(super) struct Place {
    root: Arc<Base>,
    directory: Arc<Directory>,
    relative: PathBuf,
    level: Arc<Level>,
}

/// What a thread works with.
#[derive(Debug)]
pub(super) struct Hand<W> {
    pub(super) worker: W,
    space: Space,
    listing: Listing,
    trail: Trail,
}

impl<W: Send + 'static> Hand<W> {
    pub(super) fn new(worker: W) -> Self {
        Self { worker, space: Space::default(), listing: Listing::default(), trail: Trail::default() }
    }

    /// Does what a task says.
    pub(super) fn carry_out<S: Survey<Worker = W>>(&mut self, job: &Arc<Job<S>>, task: Task) {
        match task {
            Task::Root(number) => self.start(job, number),
            Task::Directory { root, parent, relative, level } => {
                if job.survey.goes_on(&job.roots[root.number], &relative) {
                    self.directory(job, &root, parent.as_deref(), relative, &level);
                }
            }
            Task::Portion(place, listing, range) => {
                let first = place.relative.join(listing.get(range.start).0);
                if job.survey.goes_on(&job.roots[place.root.number], &first) {
                    self.portion(job, &place, &listing, range, 0, Vec::new());
                }
            }
        }
    }

    fn start<S: Survey<Worker = W>>(&mut self, job: &Arc<Job<S>>, number: usize) {
        let root = &job.roots[number];
        if root.is_file {
            let relative = Path::new("");
            let entry = Entry { root, relative, kind: EntryKind::File, explicit: true, place: None };
            job.survey.visit(&mut self.worker, &entry);
            return job.add(&mut Vec::new(), 1);
        }
        let Ok(real) = root.path.canonicalize() else { return job.unreadable(root.path.clone()) };
        let level = match real.parent() {
            Some(parent) => Level::at_root(parent, &root.rules).above_named(&real),
            None => Arc::default(),
        };
        let base = Arc::new(Base { number, real });
        self.directory(job, &base, None, PathBuf::new(), &level);
    }

    fn directory<S: Survey<Worker = W>>(
        &mut self,
        job: &Arc<Job<S>>,
        base: &Arc<Base>,
        parent: Option<&Directory>,
        relative: PathBuf,
        above: &Arc<Level>,
    ) {
        let root = &job.roots[base.number];
        let opened = match (parent, relative.file_name()) {
            (Some(parent), Some(name)) => parent.open_below(name),
            _ => Directory::open(&base.real.join(&relative)),
        };
        // What vanished meanwhile has nothing in it.
        let report = |error: std::io::Error| {
            if error.kind() != std::io::ErrorKind::NotFound {
                job.unreadable(root.path.join(&relative));
            }
        };
        let directory = match opened {
            Ok(directory) => directory,
            Err(error) => return report(error),
        };
        // What was listed before an error counts.
        let is_needless = || job.is_stopped() || !job.survey.goes_on(root, &relative);
        let _ = directory.list(&mut self.space, &mut self.listing, is_needless).map_err(report);
        if is_needless() {
            return;
        }
        let names = rule_names(&self.listing);
        let level = if names == RuleNames::default() {
            Arc::clone(above)
        } else {
            let path = base.real.join(&relative);
            above.below(&RuleFiles { directory: &path, names }, &root.rules)
        };
        let place = Place { root: Arc::clone(base), directory: Arc::new(directory), relative, level };
        self.spread(job, &place);
    }

    /// Makes tasks of the directories, and looks at the files.
    fn spread<S: Survey<Worker = W>>(&mut self, job: &Arc<Job<S>>, place: &Place) {
        let mut listing = std::mem::take(&mut self.listing);
        listing.sort();
        let count = listing.len();
        let mut tasks = self.below(job, place, &listing);
        if count <= portion_size::<S>() {
            job.add(&mut tasks, count);
            self.files(job, place, &listing, 0..count);
            self.listing = listing;
            return;
        }
        self.portion(job, place, &Arc::new(listing), 0..count, count, tasks);
    }

    /// Looks at the first portion of some entries. The others become a task, which is the next one.
    fn portion<S: Survey<Worker = W>>(
        &mut self,
        job: &Arc<Job<S>>,
        place: &Place,
        listing: &Arc<Listing>,
        range: Range<usize>,
        looked_at: usize,
        mut tasks: Vec<Task>,
    ) {
        let end = range.end.min(range.start + portion_size::<S>());
        if end < range.end {
            tasks.push(Task::Portion(place.clone(), Arc::clone(listing), end..range.end));
        }
        job.add(&mut tasks, looked_at);
        self.files(job, place, listing, range.start..end);
    }

    /// The directories of a listing as tasks, the first one last.
    fn below<S: Survey<Worker = W>>(
        &mut self,
        job: &Arc<Job<S>>,
        place: &Place,
        listing: &Listing,
    ) -> Vec<Task> {
        let root = &job.roots[place.root.number];
        let parent = (!Directory::many_are_open()).then(|| Arc::clone(&place.directory));
        self.trail.start(&place.root.real, &place.relative);
        let mut tasks = Vec::new();
        for index in 0..listing.len() {
            let (name, kind) = listing.get(index);
            if kind != EntryKind::Directory || root.rules.leaves_out(name) {
                continue;
            }
            self.trail.point_at(name);
            if place.level.ignores(self.trail.path(), true) {
                continue;
            }
            self.tell(job, place, name, kind);
            let relative = self.trail.relative();
            if root.enters(relative) && job.survey.enters(root, relative) {
                let (root, level) = (Arc::clone(&place.root), Arc::clone(&place.level));
                let (parent, relative) = (parent.clone(), relative.to_owned());
                tasks.push(Task::Directory { root, parent, relative, level });
            }
        }
        tasks.reverse();
        tasks
    }

    /// Looks at everything in a part of a listing that is no directory.
    fn files<S: Survey<Worker = W>>(
        &mut self,
        job: &Arc<Job<S>>,
        place: &Place,
        listing: &Listing,
        range: Range<usize>,
    ) {
        let root = &job.roots[place.root.number];
        self.trail.start(&place.root.real, &place.relative);
        for index in range {
            let (name, kind) = listing.get(index);
            if kind == EntryKind::Directory || root.rules.leaves_out(name) {
                continue;
            }
            if job.is_stopped() {
                return;
            }
            self.trail.point_at(name);
            if place.level.ignores(self.trail.path(), false) {
                continue;
            }
            self.tell(job, place, name, kind);
        }
    }

    /// Shows the survey what the trail points at, if it is asked for.
    fn tell<S: Survey<Worker = W>>(&mut self, job: &Job<S>, place: &Place, name: &OsStr, kind: EntryKind) {
        let (root, met) = (&job.roots[place.root.number], &job.met[place.root.number]);
        let relative = self.trail.relative();
        if root.glob.as_ref().is_none_or(|glob| glob.matches(relative)) {
            if !met.load(Ordering::Relaxed) {
                met.store(true, Ordering::Relaxed);
            }
            let place = Some((&*place.directory, name));
            let entry = Entry { root, relative, kind, explicit: false, place };
            job.survey.visit(&mut self.worker, &entry);
        }
    }
}

/// So many entries are one go.
fn portion_size<S: Survey>() -> usize {
    (PORTION / S::WEIGHT).max(1)
}

impl WalkRules {
    fn leaves_out(&self, name: &OsStr) -> bool {
        let bytes = name.as_encoded_bytes();
        match bytes.first() {
            Some(b'.') => !self.hidden || bytes == b".git" && !self.git_directory,
            Some(b'n') => bytes == b"node_modules" && !self.node_modules,
            _ => false,
        }
    }
}

impl Root {
    /// Whether anything below a directory can match the glob.
    fn enters(&self, relative: &Path) -> bool {
        let deepest = self.glob.as_ref().and_then(Glob::depth);
        deepest.is_none_or(|deepest| relative.components().count() < deepest)
    }
}

/// Which rule files are there.
fn rule_names(listing: &Listing) -> RuleNames {
    let mut names = RuleNames::default();
    for index in 0..listing.len() {
        match listing.get(index).0.as_encoded_bytes() {
            b".git" => names.git = true,
            b".gitignore" => names.gitignore = true,
            b".ignore" => names.ignore = true,
            _ => {}
        }
    }
    names
}
