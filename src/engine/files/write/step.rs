//! One change of one name: made ready, then made. Ready means that everything which can fail early has not: the new
//! content is complete, on the disk, and looks like the old file in all but the content.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::attributes::carry_over;
use super::directories::{MadeDirectories, missing_directories, nearest_directory};
use super::disk::{FileSystem, write_all};
use super::draft::{Access, Draft, Exchange};
use super::in_place::{InPlace, overwrite};
use super::journal::{Journal, Undo, save};
use super::target::{Target, write_error};
use super::{Change, Content, Created, Expected, Writer, Written};
use crate::engine::error::{Result, ToolError};
use crate::engine::files::identity::{FileId, Mark};
use crate::engine::files::kind::{Kind, holds, open_entry, open_to_change, stat};

/// A change that is ready to be made.
#[derive(Debug)]
pub(super) enum Step<'a> {
    Create {
        target: &'a Target,
        draft: Draft<'a>,
    },
    Replace {
        target: &'a Target,
        draft: Draft<'a>,
        expected: Expected<'a>,
        old: Mark,
    },
    Overwrite {
        target: &'a Target,
        content: Content<'a>,
        expected: Expected<'a>,
        reason: InPlace,
        id: Option<FileId>,
    },
    Delete {
        target: &'a Target,
        expected: Expected<'a>,
        old: Mark,
    },
    Move {
        from: &'a Target,
        to: &'a Target,
        id: Option<FileId>,
    },
}

/// Why a step was not made.
#[derive(Debug)]
pub(super) enum Failure {
    /// The system refuses the rename: the file can only be written in place.
    RenameRefused,
    /// Somebody else made the file meanwhile.
    Taken,
    /// Anything else.
    Error(Box<ToolError>),
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Error(Box::new(error))
    }
}

/// Makes a change ready. `in_place`: its rename was refused already.
pub(super) fn prepare<'a>(writer: &Writer<'a>, change: &Change<'a>, in_place: bool) -> Result<Step<'a>> {
    match *change {
        Change::Write { target, content, expected } => {
            prepare_write(writer, target, content, expected, in_place)
        }
        Change::Delete { target, expected } => {
            let metadata = entry_metadata(target)?;
            if metadata.is_dir() {
                return Err(refusal(target, "is a directory, not a file"));
            }
            Ok(Step::Delete { target, expected, old: Mark::of(&metadata) })
        }
        Change::Rename { from, to } => {
            let metadata = entry_metadata(from)?;
            require_free(to)?;
            Ok(Step::Move { from, to, id: FileId::of(&metadata) })
        }
    }
}

fn prepare_write<'a>(
    writer: &Writer<'a>,
    target: &'a Target,
    content: Content<'a>,
    expected: Expected<'a>,
    in_place: bool,
) -> Result<Step<'a>> {
    match stat(target.path(), target.shown()) {
        Ok(Kind::File(metadata)) => {
            if matches!(expected, Expected::Missing) {
                return Err(ToolError::AlreadyExists { path: target.shown().to_owned() });
            }
            let over = |reason| {
                let id = FileId::of(&metadata);
                Step::Overwrite { target, content, expected, reason, id }
            };
            require_writable(target)?;
            if in_place {
                return Ok(over(InPlace::Rename));
            }
            if has_other_names(&metadata) {
                return Ok(over(InPlace::HardLinks));
            }
            match successor(writer, target, &metadata, content) {
                Ok(Some(draft)) => Ok(Step::Replace { target, draft, expected, old: Mark::of(&metadata) }),
                Ok(None) => Ok(over(InPlace::Owner)),
                // The file itself may be written, its directory may not, or takes no files at all, as in /proc.
                Err(error) if is_refused(&error) || error.kind() == ErrorKind::NotFound => {
                    Ok(over(InPlace::Directory))
                }
                Err(error) => Err(write_error(target.shown(), &error)),
            }
        }
        Ok(Kind::Directory(_)) => Err(refusal(target, "is a directory, not a regular file")),
        Ok(Kind::Special(name)) => Err(refusal(target, &format!("is a {name}, not a regular file"))),
        Err(ToolError::PathNotFound { .. }) => match expected {
            Expected::Anything | Expected::Missing => first(writer, target, content)
                .map(|draft| Step::Create { target, draft })
                .map_err(|error| write_error(target.shown(), &error)),
            Expected::Unchanged(_) | Expected::Bytes(_) => Err(changed_meanwhile(target)),
        },
        Err(error) => Err(error),
    }
}

/// The content of a file that does not exist yet. It waits in the nearest directory that does: what a failure or
/// an early end leaves behind is nothing, not even a directory.
fn first<'a>(writer: &Writer<'a>, target: &Target, content: Content) -> io::Result<Draft<'a>> {
    let draft = Draft::new(writer.disk, nearest_directory(target.path()), Access::OfNewFiles)?;
    write_pieces(writer.disk, draft.file(), content)?;
    writer.sync(draft.file())?;
    Ok(draft)
}

/// The complete new file; `None` if it cannot be like the old one.
fn successor<'a>(
    writer: &Writer<'a>,
    target: &Target,
    metadata: &Metadata,
    content: Content,
) -> io::Result<Option<Draft<'a>>> {
    let draft = Draft::new(writer.disk, target.folder(), Access::OwnerOnly)?;
    write_pieces(writer.disk, draft.file(), content)?;
    // After the content: writing takes set-user, set-group and capabilities away.
    if !carry_over(target.path(), metadata, draft.file())? {
        return Ok(None);
    }
    writer.sync(draft.file())?;
    Ok(Some(draft))
}

fn write_pieces(disk: &dyn FileSystem, file: &File, content: Content) -> io::Result<()> {
    content.pieces().into_iter().try_for_each(|piece| write_all(disk, file, piece))
}

impl Step<'_> {
    /// Whether the step happens in one moment, so that it needs no journal when it stands alone.
    pub fn is_single(&self) -> bool {
        !matches!(self, Self::Overwrite { .. })
    }

    /// An error unless the files are as the change expects them.
    pub fn verify(&self) -> Result<()> {
        match self {
            Self::Replace { target, expected, .. }
            | Self::Overwrite { target, expected, .. }
            | Self::Delete { target, expected, .. } => check_expected(target, *expected),
            Self::Create { .. } => Ok(()),
            Self::Move { to, .. } => require_free(to),
        }
    }

    /// How to take the step back, whether or not it was made. What that needs is put into the journal.
    pub fn undo(
        &self,
        journal: &Journal,
        number: usize,
        before: &[Self],
        writer: &Writer,
    ) -> io::Result<Vec<Undo>> {
        let name = |path: &Path| path.as_os_str().to_owned();
        let made =
            |path: &Path| missing_directories(path).into_iter().map(|path| Undo::Made { path: path.into() });
        let kept = |path: &Path| -> OsString {
            path.with_file_name(format!(".gajae-undo-{}-{number}", journal.label())).into()
        };
        Ok(match self {
            Self::Create { target, draft } => {
                let new = Mark::of(&draft.file().metadata()?);
                let created = Undo::Created { path: name(target.path()), new };
                made(target.path()).chain([created]).collect()
            }
            Self::Replace { target, draft, old, .. } => {
                let (path, new) = (target.path(), Some(Mark::of(&draft.file().metadata()?)));
                vec![Undo::Replaced { path: name(path), kept: kept(path), old: *old, new }]
            }
            Self::Delete { target, old, .. } => {
                let path = target.entry();
                vec![Undo::Replaced { path: name(path), kept: kept(path), old: *old, new: None }]
            }
            Self::Overwrite { target, content, id, .. } => {
                let (old, new) = (format!("{number}.old"), format!("{number}.new"));
                save(writer.disk, &journal.place(&old), open_entry(target.path())?, writer.durable)?;
                save(writer.disk, &journal.place(&new), content.whole(), writer.durable)?;
                vec![Undo::Overwritten { path: name(target.path()), id: *id, old, new }]
            }
            Self::Move { from, to, id } => {
                // The file may be the one that an earlier step puts there.
                let id = before.iter().rev().find_map(|step| step.id_at(from.entry())).or(*id);
                let moved = Undo::Moved { from: name(from.entry()), to: name(to.entry()), id };
                made(to.entry()).chain([moved]).collect()
            }
        })
    }

    /// The file that the step puts at a path.
    fn id_at(&self, path: &Path) -> Option<FileId> {
        match self {
            Self::Create { target, draft } | Self::Replace { target, draft, .. } if target.path() == path => {
                FileId::of(&draft.file().metadata().ok()?)
            }
            _ => None,
        }
    }

    /// Makes the change. `undo`: how to take it back, where that is on record.
    pub fn make(self, writer: &Writer, undo: Option<&[Undo]>) -> std::result::Result<Made, Failure> {
        self.verify()?;
        let shown = self.target().shown().to_owned();
        let fail = |error: io::Error| Failure::from(write_error(&shown, &error));
        let kept = match undo.and_then(<[Undo]>::last) {
            Some(Undo::Replaced { kept, .. }) => Some(Path::new(kept)),
            _ => None,
        };
        let mut made = Made::default();
        match self {
            Self::Create { target, mut draft } => {
                let directories = MadeDirectories::above(target.path()).map_err(fail)?;
                draft.publish_new(target.path()).map_err(|error| match error.kind() {
                    ErrorKind::AlreadyExists => Failure::Taken,
                    _ => fail(error),
                })?;
                made.touched = directories.keep();
                made.touched.push(target.folder().to_owned());
                target.adopt(&draft);
                made.written.created = Created::New;
            }
            Self::Replace { target, mut draft, expected, old } => {
                // A mount point, a file of another user in a sticky directory.
                let refused = |error| if is_refused(&error) { Failure::RenameRefused } else { fail(error) };
                let is_single = kept.is_none() && matches!(expected, Expected::Anything);
                let exchanged = if is_single {
                    Exchange::Unsupported
                } else {
                    let is_expected = |path: &Path| is_expected(path, expected, old);
                    draft.exchange(target.path(), kept, is_expected).map_err(refused)?
                };
                match exchanged {
                    Exchange::Made => {}
                    Exchange::Changed => return Err(changed_meanwhile(target).into()),
                    Exchange::Unsupported => {
                        kept.map_or(Ok(()), |kept| keep(writer, target.path(), kept)).map_err(fail)?;
                        draft.publish_over(target.path()).map_err(refused)?;
                    }
                }
                made.touched.push(target.folder().to_owned());
                target.adopt(&draft);
            }
            Self::Overwrite { target, content, reason, .. } => {
                overwrite(writer.disk, target, content.whole(), writer.durable).map_err(fail)?;
                made.written.in_place = Some(reason);
            }
            Self::Delete { target, .. } => {
                kept.map_or(Ok(()), |kept| keep(writer, target.entry(), kept)).map_err(fail)?;
                writer.disk.remove(target.entry()).map_err(fail)?;
                made.touched.extend(target.entry().parent().map(Path::to_owned));
                made.written.created = Created::Removed;
            }
            Self::Move { from, to, .. } => {
                let directories = MadeDirectories::above(to.entry()).map_err(fail)?;
                writer.disk.rename(from.entry(), to.entry()).map_err(|error| match error.kind() {
                    ErrorKind::CrossesDevices => {
                        let reason =
                            "cannot be moved to another file system; write it there and delete it here";
                        refusal(from, reason).into()
                    }
                    _ => fail(error),
                })?;
                made.touched = directories.keep();
                made.touched.extend(
                    [from, to].iter().filter_map(|target| target.entry().parent()).map(Path::to_owned),
                );
                made.written.created = Created::Moved;
            }
        }
        Ok(made)
    }

    pub fn target(&self) -> &Target {
        match self {
            Self::Create { target, .. }
            | Self::Replace { target, .. }
            | Self::Overwrite { target, .. }
            | Self::Delete { target, .. }
            | Self::Move { from: target, .. } => target,
        }
    }
}

/// A step that was made.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub written: Written,
    /// Directories whose names changed.
    pub touched: Vec<PathBuf>,
}

/// A second name for the old file, or a copy where the file system has no such thing.
fn keep(writer: &Writer, path: &Path, kept: &Path) -> io::Result<()> {
    match writer.disk.link(path, kept) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::Unsupported | ErrorKind::PermissionDenied | ErrorKind::TooManyLinks
            ) =>
        {
            let metadata = path.symlink_metadata()?;
            save(writer.disk, kept, open_entry(path)?, writer.durable)?;
            carry_over(path, &metadata, &open_entry(kept)?).map(drop)
        }
        done => done,
    }
}

/// Whether a file that was replaced is the one that was looked at a moment ago.
fn is_expected(path: &Path, expected: Expected, old: Mark) -> bool {
    let mark = path.symlink_metadata().ok().map(|metadata| Mark::of(&metadata));
    match expected {
        Expected::Anything | Expected::Missing => true,
        Expected::Unchanged(wanted) => mark == Some(wanted),
        Expected::Bytes(bytes) => mark == Some(old) || holds(path, "", bytes).unwrap_or(false),
    }
}

/// An error unless the target still holds what was read.
fn check_expected(target: &Target, expected: Expected) -> Result<()> {
    let bytes = match expected {
        Expected::Anything | Expected::Missing => return Ok(()),
        Expected::Unchanged(mark) => {
            let now = target.path().metadata().map(|metadata| Mark::of(&metadata));
            return if now.is_ok_and(|now| now == mark) { Ok(()) } else { Err(changed_meanwhile(target)) };
        }
        Expected::Bytes(bytes) => bytes,
    };
    match holds(target.path(), target.shown(), bytes) {
        Ok(true) => Ok(()),
        Ok(false) | Err(ToolError::PathNotFound { .. }) => Err(changed_meanwhile(target)),
        Err(error) => Err(error),
    }
}

fn entry_metadata(target: &Target) -> Result<Metadata> {
    target.entry().symlink_metadata().map_err(|error| ToolError::io(target.shown(), &error))
}

fn require_free(target: &Target) -> Result<()> {
    match target.entry().symlink_metadata() {
        Ok(_) => Err(ToolError::AlreadyExists { path: target.shown().to_owned() }),
        Err(_) => Ok(()),
    }
}

/// A rename would also replace a write-protected file; its owner did not mean that.
fn require_writable(target: &Target) -> Result<()> {
    match open_to_change(target.path(), false) {
        Ok(_) => Ok(()),
        // A program that is running: cannot be written, may be replaced.
        Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => Ok(()),
        Err(error) => Err(write_error(target.shown(), &error)),
    }
}

fn is_refused(error: &io::Error) -> bool {
    use ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy | CrossesDevices)
}

pub(super) fn changed_meanwhile(target: &Target) -> ToolError {
    ToolError::ConcurrentModification { path: target.shown().to_owned() }
}

fn refusal(target: &Target, reason: &str) -> ToolError {
    ToolError::Io { path: target.shown().to_owned(), reason: reason.to_owned() }
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}
