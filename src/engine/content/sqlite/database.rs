//! Opening a database, and the bounds of everything that is asked of it.

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{self, Scratch};

/// How every database begins.
pub const SIGN: &[u8] = b"SQLite format 3\0";
/// Of the header that is looked at.
const HEADER: u64 = 20;
/// In the header of a database with a write-ahead log.
const WITH_LOG: u8 = 2;
/// How long somebody else may hold the database.
const BUSY: Duration = Duration::from_secs(3);
/// Steps of SQLite's machine between two looks at the clock and the token.
const STEPS: i32 = 5000;
/// Bytes of database and log that are copied where they cannot be read in place.
const MAX_COPY: u64 = 1 << 30;
/// Pragmas that only tell.
const PRAGMAS: &[&str] = &[
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
    "data_version",
    "encoding",
    "page_count",
    "page_size",
    "user_version",
    "application_id",
    "collation_list",
];

/// An open database.
pub(super) struct Database {
    pub(super) connection: Connection,
    pub(super) shown: String,
    watch: Watch,
    _scratch: Option<Scratch>,
}

/// When what is asked for has to be there.
#[derive(Clone)]
struct Watch {
    started: Instant,
    /// Milliseconds after the start.
    deadline: Arc<AtomicU64>,
    cancel: CancelToken,
}

impl Watch {
    fn is_over(&self) -> bool {
        let passed = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.cancel.is_cancelled() || passed > self.deadline.load(Ordering::Relaxed)
    }
}

/// Whether a file is a database, by its first bytes.
#[must_use]
pub fn is_database(path: &Path) -> bool {
    header(path).is_some()
}

fn header(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let (file, _) = files::open_regular(path, "").ok()?;
    file.take(HEADER).read_to_end(&mut head).ok()?;
    head.starts_with(SIGN).then_some(head)
}

/// How a database is opened.
#[derive(Clone, Copy)]
enum Mode {
    Read,
    /// Nobody writes to it: no locks, no journals, no shared memory.
    ReadUnchanging,
    Write,
}

impl Database {
    /// Opens a database so that it stays as it is, and with it the directory.
    pub(super) fn open_to_read(path: &Path, shown: &str, cancel: &CancelToken) -> Result<Self> {
        let path = path.canonicalize().map_err(|error| ToolError::io(shown, &error))?;
        let companion = |ending| size(&with_ending(&path, ending));
        let has_log = header(&path).is_some_and(|head| head.get(18) == Some(&WITH_LOG));
        let (log, shared) = (companion("-wal"), companion("-shm"));
        if has_log && log.is_some_and(|size| size > 0) && shared.is_none() {
            return Self::open_copy(&path, shown, cancel);
        }
        // Opened as usual, a database whose log is gone would get a new one.
        let mode =
            if has_log && (log.is_none() || shared.is_none()) { Mode::ReadUnchanging } else { Mode::Read };
        let opened = Self::connect(&path, shown, mode, None, cancel);
        match opened.and_then(|database| database.probe().map(|()| database)) {
            // A journal that would have to be played back, or shared memory that cannot be used.
            Err(Fault::Sqlite(ErrorCode::ReadOnly | ErrorCode::CannotOpen, _)) => {
                Self::open_copy(&path, shown, cancel)
            }
            opened => opened.map_err(Fault::into_error),
        }
    }

    /// Opens a database to change it.
    pub(super) fn open_to_write(path: &Path, shown: &str, cancel: &CancelToken) -> Result<Self> {
        let path = path.canonicalize().map_err(|error| ToolError::io(shown, &error))?;
        Self::connect(&path, shown, Mode::Write, None, cancel).map_err(Fault::into_error)
    }

    fn open_copy(path: &Path, shown: &str, cancel: &CancelToken) -> Result<Self> {
        let names = [path.to_owned(), with_ending(path, "-wal"), with_ending(path, "-journal")];
        let present: Vec<&Path> =
            names.iter().map(PathBuf::as_path).filter(|path| size(path).is_some()).collect();
        let total: u64 = present.iter().filter_map(|path| size(path)).sum();
        if total > MAX_COPY {
            let reason =
                format!("its journal cannot be read in place, and at {total} bytes it is too large to copy");
            return Err(ToolError::SqliteRuntime { path: shown.to_owned(), reason });
        }
        let scratch = Scratch::copy(present).map_err(|error| ToolError::io(shown, &error))?;
        cancel.check()?;
        // Written to is only the copy.
        Self::connect(&scratch.path(path), shown, Mode::Write, Some(scratch), cancel)
            .and_then(|database| {
                database
                    .connection
                    .pragma_update(None, "query_only", true)
                    .map_err(|error| database.told(&error))?;
                database.probe().map(|()| database)
            })
            .map_err(Fault::into_error)
    }

    fn connect(
        path: &Path,
        shown: &str,
        mode: Mode,
        scratch: Option<Scratch>,
        cancel: &CancelToken,
    ) -> std::result::Result<Self, Fault> {
        let (access, query) = match mode {
            Mode::Read => (OpenFlags::SQLITE_OPEN_READ_ONLY, "?mode=ro"),
            Mode::ReadUnchanging => (OpenFlags::SQLITE_OPEN_READ_ONLY, "?mode=ro&immutable=1"),
            Mode::Write => (OpenFlags::SQLITE_OPEN_READ_WRITE, "?mode=rw"),
        };
        let flags = access | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let fail = |error: rusqlite::Error| Fault::new(shown, &error);
        let mut connection = Connection::open_with_flags(address(path) + query, flags).map_err(fail)?;
        let deadline = Arc::new(AtomicU64::new(0));
        let watch = Watch { started: Instant::now(), deadline, cancel: cancel.clone() };
        let seen = watch.clone();
        connection.progress_handler(STEPS, Some(move || seen.is_over())).map_err(fail)?;
        connection.busy_timeout(BUSY).map_err(fail)?;
        limit(&connection).map_err(fail)?;
        connection.pragma_update(None, "trusted_schema", false).map_err(fail)?;
        if !matches!(mode, Mode::Write) {
            connection.pragma_update(None, "query_only", true).map_err(fail)?;
        }
        let database = Self { connection, shown: shown.to_owned(), watch, _scratch: scratch };
        database.within(super::read::TIME);
        Ok(database)
    }

    /// Gives what is asked next some time.
    pub(super) fn within(&self, time: Duration) {
        let end = (self.watch.started.elapsed() + time).as_millis();
        self.watch.deadline.store(u64::try_from(end).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// From here on only reading is let through.
    pub(super) fn refuse_changes(&mut self) -> Result<()> {
        let set = self.connection.authorizer(Some(authorize));
        set.map_err(|error| self.error(error))
    }

    fn probe(&self) -> std::result::Result<(), Fault> {
        let count =
            self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        count.map(drop).map_err(|error| self.told(&error))
    }

    fn told(&self, error: &rusqlite::Error) -> Fault {
        if self.watch.cancel.is_cancelled() { Fault::Cancelled } else { Fault::new(&self.shown, error) }
    }

    /// What a failure of SQLite means for the call.
    #[expect(clippy::needless_pass_by_value, reason = "the failure ends here")]
    pub(super) fn error(&self, error: rusqlite::Error) -> ToolError {
        self.told(&error).into_error()
    }
}

/// A failure, and what kind of one.
enum Fault {
    Sqlite(ErrorCode, ToolError),
    Other(ToolError),
    Cancelled,
}

impl Fault {
    fn new(shown: &str, error: &rusqlite::Error) -> Self {
        let runtime = |reason: String| ToolError::SqliteRuntime { path: shown.to_owned(), reason };
        match code(error) {
            Some(ErrorCode::OperationInterrupted) => {
                Self::Other(runtime("it takes too long and was stopped".into()))
            }
            Some(ErrorCode::TooBig) => Self::Other(runtime(
                "a value is too large to be read; select a part of it, such as `substr(column, 1, 1000)`"
                    .into(),
            )),
            Some(code) => Self::Sqlite(code, runtime(message(error))),
            None => Self::Other(runtime(error.to_string())),
        }
    }

    fn into_error(self) -> ToolError {
        match self {
            Self::Sqlite(_, error) | Self::Other(error) => error,
            Self::Cancelled => ToolError::aborted(),
        }
    }
}

/// The kind of a failure, also where the text of a statement is at fault.
pub(super) fn code(error: &rusqlite::Error) -> Option<ErrorCode> {
    match error {
        rusqlite::Error::SqlInputError { error, .. } => Some(error.code),
        other => other.sqlite_error_code(),
    }
}

/// SQLite's own words, without the statement that it repeats.
pub(super) fn message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}

fn limit(connection: &Connection) -> rusqlite::Result<()> {
    let limits = [
        (Limit::SQLITE_LIMIT_LENGTH, 32 << 20),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 256 << 10),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 50),
        (Limit::SQLITE_LIMIT_VDBE_OP, 250_000),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        // Its running time is no step of the machine, so nobody would look at the clock.
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ];
    limits.into_iter().try_for_each(|(limit, most)| connection.set_limit(limit, most).map(drop))
}

fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if !function_name.eq_ignore_ascii_case("load_extension") => {
            Authorization::Allow
        }
        AuthAction::Pragma { pragma_name, .. }
            if PRAGMAS.contains(&pragma_name.to_ascii_lowercase().as_str()) =>
        {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}

fn size(path: &Path) -> Option<u64> {
    path.metadata().ok().map(|metadata| metadata.len())
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The path as SQLite's kind of address, which may hold any byte.
fn address(path: &Path) -> String {
    let mut address = String::from(if cfg!(windows) { "file:///" } else { "file:" });
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => address.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                address.push(char::from(*byte));
            }
            // Cannot fail: the target is a text.
            other => _ = write!(address, "%{other:02X}"),
        }
    }
    address
}
