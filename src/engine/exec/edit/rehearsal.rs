//! The road of every mode: files are locked and read once, all changes are made in memory, and only then on the disk,
//! all or none.
//!
//! ```text
//! let mut rehearsal = Rehearsal::open(&[Wanted::Existing("a.rs"), Wanted::New("b.rs")], DiffStyle::Unified, context, cancel)?;
//! rehearsal.update(0, |text| plan(text, …))?;   // 0 and 1: places in the list above
//! rehearsal.rename(0, 1, "b.rs")?;
//! let changes = rehearsal.commit()?;            // nothing was written before
//! ```
//!
//! Entries see what earlier ones left. Two names of one file are one file. Everything that refuses an edit, whatever
//! the mode, is here: plan mode, generated files, size, what is no text, what somebody else changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::change::{Change, DiffStyle, Op, Plan, Warning};
use super::hashline::shown_numbers;
use super::notebook::{self, Notebook, is_notebook};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::exec::guard::{allowed_by_plan, refuse_generated};
use crate::engine::exec::memory::{self, Numbers};
use crate::engine::files::{self, Expected, FileId, InPlace, Target, Transaction, Writer};
use crate::engine::text::{Bytes, Document};

/// The largest file that is edited.
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// A path as a call names it.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// Should exist; a missing one is looked for under similar names.
    Existing(&'a str),
    /// May or may not exist; only this very name is meant.
    New(&'a str),
}

/// The changes of one call, made in memory so far.
#[derive(Debug)]
pub struct Rehearsal<'c> {
    context: &'c Context,
    cancel: &'c CancelToken,
    style: DiffStyle,
    names: Vec<Name>,
    /// One for each name.
    targets: Vec<Target>,
    files: Vec<File>,
    changes: Vec<Change>,
    moves: Vec<Moves>,
}

/// A name that the call uses.
#[derive(Debug)]
struct Name {
    /// Absolute, links not followed.
    path: PathBuf,
    shown: String,
    /// Which of the files it is.
    file: usize,
}

/// A file, or a place where one may come to be.
#[derive(Debug)]
struct File {
    /// The first name that leads here.
    name: usize,
    /// What the disk holds; outer absence: not looked at yet.
    original: Option<Content>,
    /// What it holds by now.
    current: Content,
    /// Where what it holds was at first.
    origin: usize,
    /// The name under which it was deleted or moved.
    left_by: usize,
}

/// What the session needs to know of a change that was made in memory.
#[derive(Debug)]
struct Moves {
    name: usize,
    /// Absent: nobody followed them.
    numbers: Option<Numbers>,
    /// Lines that the result will show.
    shown: Vec<u64>,
}

/// Absent: there is no file.
type Content = Option<Arc<Bytes>>;

/// What a commit did.
#[derive(Debug)]
pub struct Done {
    /// In the order of the call.
    pub changes: Vec<Change>,
    /// Why a file had to be written in place.
    pub in_place: Option<InPlace>,
    /// What was put right on the way.
    pub repairs: Vec<files::Repair>,
}

impl<'c> Rehearsal<'c> {
    /// Finds and locks all files of a call. They are read when an entry needs them.
    pub fn open(
        wanted: &[Wanted],
        style: DiffStyle,
        context: &'c Context,
        cancel: &'c CancelToken,
    ) -> Result<Self> {
        let paths: Vec<PathBuf> =
            wanted.iter().map(|wanted| resolve(*wanted, context)).collect::<Result<_>>()?;
        let shown: Vec<String> = paths.iter().map(|path| files::display_path(path, &context.cwd)).collect();
        let asked: Vec<(&Path, &str)> =
            paths.iter().zip(&shown).map(|(path, shown)| (path.as_path(), shown.as_str())).collect();
        let targets = context.writer().lock_all(&asked, cancel)?;
        cancel.check()?;
        let (mut files, mut ids, mut names): (Vec<File>, Vec<Option<FileId>>, Vec<Name>) = Default::default();
        for (name, ((path, shown), target)) in paths.into_iter().zip(shown).zip(&targets).enumerate() {
            let id = (targets.len() > 1).then(|| files::metadata(target.path()).ok()).flatten();
            let id = id.and_then(|metadata| FileId::of(&metadata));
            let is_same = |(file, known): (&File, &Option<FileId>)| {
                targets[file.name].path() == target.path() || (id.is_some() && *known == id)
            };
            let known = files.iter().zip(&ids).position(is_same);
            let file = known.unwrap_or(files.len());
            if known.is_none() {
                files.push(File { name, original: None, current: None, origin: file, left_by: name });
                ids.push(id);
            }
            names.push(Name { path, shown, file });
        }
        Ok(Self { context, cancel, style, names, targets, files, changes: Vec::new(), moves: Vec::new() })
    }

    /// How a name is shown.
    #[must_use]
    pub fn shown(&self, name: usize) -> &str {
        &self.names[name].shown
    }

    /// Where a name leads, links not followed.
    #[must_use]
    pub fn path(&self, name: usize) -> &Path {
        &self.names[name].path
    }

    /// Whether there is a file by now.
    pub fn exists(&mut self, name: usize) -> Result<bool> {
        self.load(name)?;
        Ok(self.file(name).current.is_some())
    }

    /// The bytes of a file by now; absent where there is none.
    pub fn bytes(&mut self, name: usize) -> Result<Option<Arc<Bytes>>> {
        self.load(name)?;
        Ok(self.file(name).current.clone())
    }

    /// Two names of one file.
    #[must_use]
    pub fn is_same(&self, name: usize, other: usize) -> bool {
        self.names[name].file == self.names[other].file
    }

    /// The text of a file by now: no byte-order mark, LF between the lines.
    pub fn text(&mut self, name: usize) -> Result<String> {
        let bytes = self.existing(name)?;
        if is_notebook(&self.names[name].path) {
            return Ok(Notebook::parse(bytes.whole(), &self.names[name].shown)?.view().to_owned());
        }
        Ok(self.document(name, bytes.whole())?.text().to_owned())
    }

    /// Changes a file. `plan` is given its text and says what takes the place of what; an edit that changes nothing
    /// is an error.
    pub fn update(&mut self, name: usize, plan: impl FnOnce(&Document) -> Result<Plan>) -> Result<()> {
        let bytes = self.existing(name)?;
        let changed = self.revise(name, &bytes, plan)?;
        if *changed == *bytes {
            self.changes.pop();
            return Err(ToolError::NoChange { path: self.names[name].shown.clone() });
        }
        self.file_mut(name).current = Some(changed);
        Ok(())
    }

    /// Changes a file and gives it another name, which must be free. The change may be none.
    pub fn update_and_rename(
        &mut self,
        from: usize,
        to: usize,
        given: &str,
        plan: impl FnOnce(&Document) -> Result<Plan>,
    ) -> Result<()> {
        if self.is_same(from, to) {
            return self.update(from, plan);
        }
        self.require_no_plan_mode(from, "a file cannot be renamed")?;
        if self.exists(to)? {
            return Err(ToolError::AlreadyExists { path: self.names[to].shown.clone() });
        }
        let bytes = self.existing(from)?;
        let changed = self.revise(from, &bytes, plan)?;
        let (source, place) = (self.names[from].file, self.names[to].file);
        self.files[place].current = Some(changed);
        self.files[place].origin = self.files[source].origin;
        self.files[source].current = None;
        self.files[source].origin = source;
        self.files[source].left_by = from;
        if let Some(change) = self.changes.last_mut() {
            change.moved = Some(given.to_owned());
            change.from = Some(std::mem::replace(&mut change.path, self.names[to].path.clone()));
        }
        Ok(())
    }

    /// Makes a file; its lines end as they are given.
    pub fn create(&mut self, name: usize, text: &str) -> Result<()> {
        self.load(name)?;
        let shown = self.names[name].shown.clone();
        if self.file(name).current.is_some() {
            return Err(ToolError::AlreadyExists { path: shown });
        }
        let path = self.names[name].path.clone();
        refuse_generated(&path, &shown, text.as_bytes(), &self.context.settings)?;
        let bytes = if is_notebook(&path) {
            notebook::create(text, &shown)?
        } else {
            require_text(&shown, text.as_bytes())?;
            text.as_bytes().to_vec()
        };
        let bytes = Arc::new(Bytes::from(bytes));
        self.changes.push(Change::of_whole_file(Op::Create, &path, &shown, None, Some(&bytes), self.style));
        let place = self.names[name].file;
        self.files[place].current = Some(bytes);
        self.files[place].origin = place;
        Ok(())
    }

    /// Deletes a file.
    pub fn delete(&mut self, name: usize) -> Result<()> {
        self.require_no_plan_mode(name, "a file cannot be deleted")?;
        let bytes = self.existing(name)?;
        let Name { path, shown, .. } = &self.names[name];
        refuse_generated(path, shown, bytes.whole(), &self.context.settings)?;
        self.changes.push(Change::of_whole_file(Op::Delete, path, shown, Some(&bytes), None, self.style));
        let file = self.file_mut(name);
        file.current = None;
        file.left_by = name;
        Ok(())
    }

    /// Adds a warning to the latest change.
    pub fn warn(&mut self, warning: Warning) {
        if let Some(change) = self.changes.last_mut() {
            change.warnings.push(warning);
        }
    }

    /// The changes so far.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Makes all changes on the disk, or none.
    pub fn commit(self) -> Result<Done> {
        self.cancel.check()?;
        let writer = self.context.writer();
        let written = self.transaction(writer).commit()?;
        self.remember();
        let repairs = self.targets.iter().flat_map(|target| target.repairs().to_vec()).collect();
        let in_place = written.iter().find_map(|written| written.in_place);
        Ok(Done { changes: self.changes, in_place, repairs })
    }

    /// What turns the disk into what was rehearsed. A file that only moved is renamed, so that all else about it stays;
    /// where names change hands, contents are written.
    fn transaction<'s>(&'s self, writer: Writer<'s>) -> Transaction<'s> {
        let mut transaction = Transaction::new(writer);
        let original = |file: usize| self.files[file].original.as_ref().and_then(Option::as_ref);
        let is_renamed = |place: usize| {
            let origin = self.files[place].origin;
            origin != place
                && self.files[place].current.is_some()
                && original(place).is_none()
                && original(origin).is_some()
                && self.files[origin].current.is_none()
        };
        let renamed_from: Vec<usize> = (0..self.files.len())
            .filter(|place| is_renamed(*place))
            .map(|place| self.files[place].origin)
            .collect();
        for (place, file) in self.files.iter().enumerate() {
            if let (Some(old), None) = (original(place), &file.current)
                && !renamed_from.contains(&place)
            {
                transaction = transaction.delete(&self.targets[file.left_by], Expected::Bytes(old.whole()));
            }
        }
        for (place, file) in self.files.iter().enumerate() {
            let Some(new) = &file.current else { continue };
            let target = &self.targets[file.name];
            match original(place) {
                Some(old) if new == old => {}
                Some(old) => transaction = transaction.write(target, &**new, Expected::Bytes(old.whole())),
                None if is_renamed(place) => {
                    let from = &self.files[file.origin];
                    let source = &self.targets[from.left_by];
                    if let Some(old) = original(file.origin).filter(|old| new != *old) {
                        transaction = transaction.write(source, &**new, Expected::Bytes(old.whole()));
                    }
                    transaction = transaction.rename(source, target);
                }
                None => transaction = transaction.create(target, &**new),
            }
        }
        transaction
    }

    /// The session has seen what the call left.
    fn remember(&self) {
        let Some(session) = &self.context.session else { return };
        for (index, name) in self.names.iter().enumerate() {
            let file = &self.files[name.file];
            match (&file.current, &file.original) {
                (Some(now), Some(before)) if before.as_ref().is_none_or(|before| now != before) => {
                    let view = memory::view_of(&name.path, now);
                    let moves = self.moves.iter().rfind(|moves| moves.name == index);
                    let numbers = moves.and_then(|moves| moves.numbers.clone());
                    let shown = moves.map(|moves| moves.shown.clone()).unwrap_or_default();
                    let stamp = files::Stamp::of_pieces(&now.pieces());
                    memory::keep_text(&name.path, &view, stamp, numbers, shown, self.context);
                }
                (None, Some(Some(_))) => session.reads.forget(&name.path),
                _ => {}
            }
        }
    }

    fn revise(
        &mut self,
        name: usize,
        bytes: &Arc<Bytes>,
        plan: impl FnOnce(&Document) -> Result<Plan>,
    ) -> Result<Arc<Bytes>> {
        let Name { path, shown, .. } = &self.names[name];
        refuse_generated(path, shown, bytes.whole(), &self.context.settings)?;
        let notebook = is_notebook(path).then(|| Notebook::parse(bytes.whole(), shown)).transpose()?;
        let view = notebook.as_ref().map_or(bytes.whole(), |notebook| notebook.view().as_bytes());
        let document = self.document(name, view)?;
        let Plan { splices, mut warnings, preview } = plan(&document)?;
        let changed = if let Some(notebook) = &notebook {
            // Its texts stand in JSON, where every character has a form.
            notebook.apply(&document.place(&splices))?.into()
        } else {
            splices.iter().try_for_each(|splice| require_text(shown, &splice.new))?;
            let splices = document.encode(&splices).map_err(|reason| not_text(shown, reason))?;
            Bytes::changed(Arc::clone(bytes), splices)
        };
        let changed = Arc::new(changed);
        let mut change = Change::of_splices(path, shown, document.text(), &splices, self.style);
        // Cells are numbered anew, whatever the splices are.
        let numbers = notebook
            .is_none()
            .then(|| memory::numbers_after(path, document.text(), &splices, self.context))
            .flatten();
        self.moves.push(Moves { name, numbers, shown: shown_numbers(&change.diff) });
        // A mode that found its place again has told it already.
        if warnings.iter().all(|warning| warning.kind != "recovered_stale") {
            warnings.splice(0..0, self.outside_change(name, bytes));
        }
        (change.warnings, change.preview) = (warnings, preview);
        (change.before, change.after) = (Some(Arc::clone(bytes)), Some(Arc::clone(&changed)));
        self.changes.push(change);
        self.cancel.check()?;
        Ok(changed)
    }

    /// A warning if the file is not what the session last saw of it.
    fn outside_change(&self, name: usize, bytes: &Arc<Bytes>) -> Option<Warning> {
        let is_original = self.file(name).original.as_ref().and_then(Option::as_ref) == Some(bytes);
        let stamp = self.context.session.as_ref()?.reads.stamp(&self.names[name].path)?;
        if !is_original || stamp.fits(bytes.whole()) {
            return None;
        }
        let shown = &self.names[name].shown;
        Some(Warning {
            kind: "changed_outside",
            text: format!(
                "{shown} was changed by someone else since it was last read; the edit was made in what it holds now."
            ),
        })
    }

    fn document<'b>(&self, name: usize, bytes: &'b [u8]) -> Result<Document<'b>> {
        Document::new(bytes).map_err(|reason| not_text(&self.names[name].shown, reason))
    }

    fn existing(&mut self, name: usize) -> Result<Arc<Bytes>> {
        self.load(name)?;
        let missing = || ToolError::PathNotFound { path: self.names[name].shown.clone() };
        self.file(name).current.clone().ok_or_else(missing)
    }

    /// Reads a file from the disk, once.
    fn load(&mut self, name: usize) -> Result<()> {
        let place = self.names[name].file;
        if self.files[place].original.is_some() {
            return Ok(());
        }
        self.cancel.check()?;
        let content = match files::read_regular(self.targets[name].path(), &self.names[name].shown, MAX_BYTES)
        {
            Ok((bytes, _)) => Some(Arc::new(bytes.into())),
            Err(ToolError::PathNotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        self.files[place].current.clone_from(&content);
        self.files[place].original = Some(content);
        Ok(())
    }

    fn require_no_plan_mode(&self, name: usize, reason: &str) -> Result<()> {
        if self.context.plan_file.is_none() {
            return Ok(());
        }
        Err(ToolError::PlanModeDenied { path: self.names[name].shown.clone(), reason: reason.to_owned() })
    }

    fn file(&self, name: usize) -> &File {
        &self.files[self.names[name].file]
    }

    fn file_mut(&mut self, name: usize) -> &mut File {
        &mut self.files[self.names[name].file]
    }
}

/// Where a name leads, and whether the call may change what is there.
pub(super) fn resolve(wanted: Wanted, context: &Context) -> Result<PathBuf> {
    let path = match wanted {
        Wanted::Existing(path) => files::resolve_existing(path, &context.cwd, context.home.as_deref())?,
        Wanted::New(path) if path.ends_with('/') => {
            return Err(ToolError::Io {
                path: files::escape_control(path),
                reason: "names a directory".into(),
            });
        }
        Wanted::New(path) => files::resolve_for_writing(path, &context.cwd, context.home.as_deref())?,
    };
    allowed_by_plan(path, context)
}

/// A file with a NUL counts as binary, and could not be edited again.
fn require_text(shown: &str, new: &[u8]) -> Result<()> {
    match memchr::memchr(0, new) {
        None => Ok(()),
        Some(_) => {
            Err(not_text(shown, "the new text has a NUL character, which only binary files have".into()))
        }
    }
}

fn not_text(shown: &str, reason: String) -> ToolError {
    ToolError::NotText { path: shown.to_owned(), reason }
}
