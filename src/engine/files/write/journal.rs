//! How to take back a change that is not one single step, kept on disk while it is made. A journal that a dead
//! process left behind is carried out by the next call: every file is then what it was before.
//!
//! A journal is a folder in the state directory. `lock` is locked while its owner lives, `plan.json` says what to
//! take back, `done.json` (the same under its final name) that nothing has to be. Journals are followed only from
//! directories of the user's own: they say what to write where.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{DirEntry, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::disk::{FileSystem, sync, sync_directory, write_all};
use crate::engine::files::identity::{FileId, Identity, Mark};
use crate::engine::files::kind::{open_entry, open_to_change};

/// How the names of journals begin.
const PREFIX: &str = "journal-";

const LOCK: &str = "lock";
const PLAN: &str = "plan.json";
const DONE: &str = "done.json";

/// How one step is taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Undo {
    /// A directory was made.
    Made { path: OsString },
    /// A file was made.
    Created { path: OsString, new: Mark },
    /// A file was replaced or deleted; the old one lies at `kept`. `new` is absent for a deleted one.
    Replaced { path: OsString, kept: OsString, old: Mark, new: Option<Mark> },
    /// A file was written over. Old and new content lie in the journal.
    Overwritten { path: OsString, id: Option<FileId>, old: String, new: String },
    /// A file got another name.
    Moved { from: OsString, to: OsString, id: Option<FileId> },
}

/// What the next call did about a change that was cut short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The file.
    pub path: PathBuf,
    /// Where its old content lies, if the file was left as it is since somebody else changed it after the crash.
    pub left: Option<PathBuf>,
}

/// An open journal. Dropped without [`Journal::close`] or [`Journal::take_back`] it stays for the next call.
#[derive(Debug)]
pub(super) struct Journal<'a> {
    disk: &'a dyn FileSystem,
    folder: PathBuf,
    plan: Vec<Undo>,
    lock: File,
}

impl Drop for Journal<'_> {
    fn drop(&mut self) {
        // A program that is just being started may have the file open, too: closing it would not free it.
        let _ = self.lock.unlock();
    }
}

impl<'a> Journal<'a> {
    /// An empty journal in the first directory that can hold one.
    pub fn open(disk: &'a dyn FileSystem, places: &[PathBuf]) -> io::Result<Self> {
        let mut failure = io::Error::other("there is no state directory");
        for place in places {
            match Self::open_in(disk, place) {
                Ok(journal) => return Ok(journal),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn open_in(disk: &'a dyn FileSystem, place: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        make_private(place)?;
        require_own(place)?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder = place.join(format!("{PREFIX}{:x}-{number:x}", std::process::id()));
            match make_one_private(&folder) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            }
            // Who clears away between these steps takes the folder for a dead one: then another is made.
            let locked = open_new(&folder.join(LOCK)).and_then(|lock| Ok(lock.try_lock().map(|()| lock)?));
            match locked {
                Ok(lock) if folder.join(LOCK).exists() => {
                    return Ok(Self { disk, folder, plan: Vec::new(), lock });
                }
                // Without locks nobody could tell that this journal is at work.
                Err(error) if folder.exists() && error.kind() != ErrorKind::WouldBlock => {
                    discard(disk, &folder, &[]);
                    return Err(error);
                }
                _ => {}
            }
        }
    }

    /// A place for a file that belongs to the journal, and the name it goes by in the plan.
    pub fn place(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// What distinguishes this journal from others.
    pub fn label(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().replace(PREFIX, "")
    }

    /// Puts the plan on the disk; only then may the first step be made.
    pub fn record(&mut self, plan: Vec<Undo>, durable: bool) -> io::Result<()> {
        let bytes = serde_json::to_vec(&plan)?;
        // Not read before it has its name.
        let (draft, path) = (self.folder.join("draft"), self.folder.join(PLAN));
        let file = open_new(&draft)?;
        write_all(self.disk, &file, &bytes)?;
        if durable {
            sync(self.disk, &file)?;
        }
        self.disk.rename(&draft, &path)?;
        if durable {
            sync_directory(self.disk, &self.folder);
            self.folder.parent().into_iter().for_each(|place| sync_directory(self.disk, place));
        }
        self.plan = plan;
        Ok(())
    }

    /// Everything is done: the moment from which nothing is taken back.
    pub fn settle(&self, durable: bool) -> io::Result<()> {
        self.disk.rename(&self.folder.join(PLAN), &self.folder.join(DONE))?;
        if durable {
            sync_directory(self.disk, &self.folder);
        }
        Ok(())
    }

    /// Removes a settled journal and what it kept.
    pub fn close(self) {
        discard(self.disk, &self.folder, &self.plan);
    }

    /// Takes back what was done so far; if that fails the journal stays for the next call.
    pub fn take_back(self) -> io::Result<Vec<Repair>> {
        let repairs = undo_all(self.disk, &self.folder, &self.plan)?;
        if repairs.iter().all(|repair| repair.left.is_none()) {
            discard(self.disk, &self.folder, &self.plan);
        }
        Ok(repairs)
    }

    /// The journal was not needed.
    pub fn abandon(self) {
        discard(self.disk, &self.folder, &[]);
    }
}

/// Places that held no journal, as they looked then; every call asks.
static EMPTY_PLACES: Mutex<VecDeque<Identity>> = Mutex::new(VecDeque::new());
const MAX_EMPTY_PLACES: usize = 16;

fn empty_places() -> MutexGuard<'static, VecDeque<Identity>> {
    EMPTY_PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note_empty(seen: Option<Identity>) {
    let mut places = empty_places();
    places.extend(seen);
    if places.len() > MAX_EMPTY_PLACES {
        places.pop_front();
    }
}

/// Carries out the journals of dead processes in `places`. `false`: one that concerns `paths` is at work right now.
pub(super) fn recover(disk: &dyn FileSystem, places: &[PathBuf], paths: &[PathBuf]) -> (Vec<Repair>, bool) {
    let mut repairs = Vec::new();
    let mut is_quiet = true;
    for place in places {
        // Looked at before its names are read: what comes later makes it look different.
        let Ok(metadata) = place.metadata() else { continue };
        let seen = Identity::settled(&metadata, SystemTime::now());
        if seen.is_some_and(|seen| empty_places().contains(&seen)) {
            continue;
        }
        let Ok(entries) = place.read_dir() else { continue };
        if require_own(place).is_err() {
            continue;
        }
        let is_journal =
            |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        let entries: Vec<io::Result<DirEntry>> = entries.collect();
        if entries.iter().all(|entry| entry.as_ref().is_ok_and(|entry| !is_journal(entry))) {
            note_empty(seen);
        }
        for entry in entries.into_iter().flatten().filter(is_journal) {
            let folder = entry.path();
            match open_entry(&folder.join(LOCK)) {
                Ok(lock) if lock.try_lock().is_err() => {
                    is_quiet &= !read_plan(&folder, PLAN).is_ok_and(|plan| concerns(&plan, paths));
                }
                Ok(_lock) => repairs.extend(recover_one(disk, &folder)),
                // Just being made, and then at work; or what the end of a clearing away has left: then it is empty.
                Err(_) => drop(std::fs::remove_dir(&folder)),
            }
        }
    }
    (repairs, is_quiet)
}

/// Carries out one journal whose lock is ours.
fn recover_one(disk: &dyn FileSystem, folder: &Path) -> Vec<Repair> {
    if let Ok(plan) = read_plan(folder, DONE) {
        discard(disk, folder, &plan);
        return Vec::new();
    }
    match read_plan(folder, PLAN) {
        Ok(plan) => match undo_all(disk, folder, &plan) {
            Ok(repairs) => {
                if repairs.iter().all(|repair| repair.left.is_none()) {
                    discard(disk, folder, &plan);
                } else {
                    return set_aside(disk, folder, repairs);
                }
                repairs
            }
            // The disk may be better at the next call.
            Err(_) => Vec::new(),
        },
        // Killed before the first step.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            discard(disk, folder, &[]);
            Vec::new()
        }
        Err(_) => Vec::new(),
    }
}

/// What could not be put back is said once and kept under another name.
fn set_aside(disk: &dyn FileSystem, folder: &Path, mut repairs: Vec<Repair>) -> Vec<Repair> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().replace(PREFIX, "left-");
    let aside = folder.with_file_name(name);
    if disk.rename(folder, &aside).is_ok() {
        for left in repairs.iter_mut().filter_map(|repair| repair.left.as_mut()) {
            if let Ok(inside) = left.strip_prefix(folder) {
                *left = aside.join(inside);
            }
        }
    }
    repairs
}

fn read_plan(folder: &Path, name: &str) -> io::Result<Vec<Undo>> {
    let mut bytes = Vec::new();
    open_entry(&folder.join(name))?.read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

fn concerns(plan: &[Undo], paths: &[PathBuf]) -> bool {
    let names = |undo: &Undo| match undo {
        Undo::Made { .. } => false,
        Undo::Created { path, .. } | Undo::Replaced { path, .. } | Undo::Overwritten { path, .. } => {
            paths.iter().any(|wanted| wanted == Path::new(path))
        }
        Undo::Moved { from, to, .. } => {
            paths.iter().any(|wanted| wanted == Path::new(from) || wanted == Path::new(to))
        }
    };
    plan.iter().any(names)
}

/// Takes every step back, the last one first. Each is looked at before: it may not have been made.
fn undo_all(disk: &dyn FileSystem, folder: &Path, plan: &[Undo]) -> io::Result<Vec<Repair>> {
    let mut repairs = Vec::new();
    for undo in plan.iter().rev() {
        repairs.extend(undo_one(disk, folder, undo)?);
    }
    Ok(repairs)
}

fn undo_one(disk: &dyn FileSystem, folder: &Path, undo: &Undo) -> io::Result<Option<Repair>> {
    let put_back = |path: &Path| Ok(Some(Repair { path: path.to_owned(), left: None }));
    match undo {
        Undo::Made { path } => {
            // Fails, as it should, on a directory that somebody else uses by now.
            let _ = std::fs::remove_dir(path);
            Ok(None)
        }
        Undo::Created { path, new } => {
            let path = Path::new(path);
            if mark(path) != Some(*new) {
                return Ok(None);
            }
            disk.remove(path)?;
            put_back(path)
        }
        Undo::Replaced { path, kept, old, new } => {
            let (path, kept) = (Path::new(path), Path::new(kept));
            if kept.symlink_metadata().is_err() {
                return Ok(None);
            }
            // Not made yet: what lies there is what was to come, or the file has its other name still.
            if new.is_some_and(|new| mark(kept) == Some(new)) || mark(path) == Some(*old) {
                disk.remove(kept)?;
                return Ok(None);
            }
            match mark(path) {
                current if current == *new => {
                    disk.rename(kept, path)?;
                    put_back(path)
                }
                _ => Ok(Some(Repair { path: path.to_owned(), left: Some(kept.to_owned()) })),
            }
        }
        Undo::Overwritten { path, id, old, new } => {
            put_bytes_back(disk, Path::new(path), *id, &folder.join(old), &folder.join(new))
        }
        Undo::Moved { from, to, id } => {
            let (from, to) = (Path::new(from), Path::new(to));
            let found = to.symlink_metadata().ok().and_then(|metadata| FileId::of(&metadata));
            if from.symlink_metadata().is_ok() || to.symlink_metadata().is_err() || found != *id {
                return Ok(None);
            }
            disk.rename(to, from)?;
            put_back(from)
        }
    }
}

fn mark(path: &Path) -> Option<Mark> {
    path.symlink_metadata().ok().map(|metadata| Mark::of(&metadata))
}

/// Gives a file that was written over its old bytes again, if it holds nothing but a mixture of the two contents.
fn put_bytes_back(
    disk: &dyn FileSystem,
    path: &Path,
    id: Option<FileId>,
    old: &Path,
    new: &Path,
) -> io::Result<Option<Repair>> {
    let left = || Ok(Some(Repair { path: path.to_owned(), left: Some(old.to_owned()) }));
    let mut file = match open_to_change(path, true) {
        Ok(file) if FileId::of(&file.metadata()?) == id => file,
        // Another file by now: what happened to this one does not matter to it.
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let read = |path: &Path| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        open_entry(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let (old_bytes, new_bytes, mut current) = (read(old)?, read(new)?, Vec::new());
    (&mut file).take((old_bytes.len().max(new_bytes.len()) + 1) as u64).read_to_end(&mut current)?;
    if current == old_bytes {
        return Ok(None);
    }
    if !is_mixture(&current, &old_bytes, &new_bytes) {
        return left();
    }
    file.seek(SeekFrom::Start(0))?;
    write_all(disk, &file, &old_bytes)?;
    disk.set_length(&file, old_bytes.len() as u64)?;
    sync(disk, &file)?;
    Ok(Some(Repair { path: path.to_owned(), left: None }))
}

/// Whether every byte is the old or the new one of its place. A place that only the new content has may still be
/// empty.
fn is_mixture(current: &[u8], old: &[u8], new: &[u8]) -> bool {
    current.len() <= old.len().max(new.len())
        && current.len() >= old.len().min(new.len())
        && current.iter().enumerate().all(|(at, byte)| {
            old.get(at) == Some(byte) || new.get(at) == Some(byte) || (at >= old.len() && *byte == 0)
        })
}

/// Removes a journal and the files it kept; what cannot be removed now the next call removes.
fn discard(disk: &dyn FileSystem, folder: &Path, plan: &[Undo]) {
    for undo in plan {
        let Undo::Replaced { kept, .. } = undo else { continue };
        match disk.remove(Path::new(kept)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return,
            _ => {}
        }
    }
    let names = |entries: std::fs::ReadDir| entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    let mut files = folder.read_dir().map(names).unwrap_or_default();
    // The plan stays until what it names is gone, the lock until the plan is.
    files.sort_by_key(|path| (path.ends_with(LOCK), path.ends_with(DONE) || path.ends_with(PLAN)));
    if files.iter().all(|file| disk.remove(file).is_ok()) {
        let _ = std::fs::remove_dir(folder);
    }
}

fn open_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A copy of `content` under a name of the journal.
pub(super) fn save(
    disk: &dyn FileSystem,
    path: &Path,
    mut content: impl Read,
    durable: bool,
) -> io::Result<()> {
    let file = open_new(path)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match content.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => write_all(disk, &file, &buffer[..length])?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if durable { sync(disk, &file) } else { Ok(()) }
}

#[cfg(unix)]
fn private() -> std::fs::DirBuilder {
    let mut builder = std::fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(not(unix))]
fn private() -> std::fs::DirBuilder {
    std::fs::DirBuilder::new()
}

fn make_private(path: &Path) -> io::Result<()> {
    private().recursive(true).create(path)
}

fn make_one_private(path: &Path) -> io::Result<()> {
    private().create(path)
}

/// Nobody else may tell this process what to write.
#[cfg(unix)]
fn require_own(place: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let metadata = place.metadata()?;
    let is_own = metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    if is_own { Ok(()) } else { Err(io::Error::other("the state directory belongs to somebody else")) }
}

#[cfg(not(unix))]
fn require_own(_: &Path) -> io::Result<()> {
    Ok(())
}
