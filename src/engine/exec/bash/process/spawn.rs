//! Starting a program in a session of its own.
//!
//! With `posix_spawn`, which leaves the memory of the host alone: a fork copies its page tables, and that takes longer
//! the bigger the host is. The standard library spawns so too, but offers no session; and without one a command
//! could still ask its questions on the terminal of the host.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, c_char, c_int};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::sync::LazyLock;

use rustix::process::Pid;

use super::Launch;

/// What a program reads from and writes to.
#[derive(Debug, Clone, Copy)]
pub enum Streams<'a> {
    /// Nothing to read; both outputs into one pipe.
    Pipe(BorrowedFd<'a>),
    /// Nothing to read; each output into a pipe of its own.
    Apart {
        /// Takes standard output.
        output: BorrowedFd<'a>,
        /// Takes standard error.
        errors: BorrowedFd<'a>,
    },
    /// The terminal at a path, which becomes the one of the session.
    Terminal(&'a CStr),
}

/// Starts a program.
pub fn spawn(launch: &Launch<'_>, streams: Streams<'_>) -> io::Result<Pid> {
    let id = match *CHANGE_DIRECTORY {
        Some(change_directory) => spawn_lean(launch, streams, change_directory)?,
        None => spawn_by_fork(launch, streams)?,
    };
    Pid::from_raw(id).ok_or_else(|| io::Error::other("the system named no process"))
}

/// Each name once, the last value counts.
fn environment<'a>(launch: &Launch<'a>) -> BTreeMap<&'a str, &'a str> {
    launch.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

type Actions = libc::posix_spawn_file_actions_t;
type ChangeDirectory = unsafe extern "C" fn(*mut Actions, *const c_char) -> c_int;
type CloseFrom = unsafe extern "C" fn(*mut Actions, c_int) -> c_int;

/// Asked for at run time: C libraries that are still in use lack it.
static CHANGE_DIRECTORY: LazyLock<Option<ChangeDirectory>> = LazyLock::new(|| {
    let function = function(c"posix_spawn_file_actions_addchdir_np")?;
    // SAFETY: the documented signature of the function of that name.
    Some(unsafe { std::mem::transmute::<*mut libc::c_void, ChangeDirectory>(function) })
});

/// Keeps descriptors of the host, which others may have opened carelessly, out of the command.
static CLOSE_FROM: LazyLock<Option<CloseFrom>> = LazyLock::new(|| {
    let function = function(c"posix_spawn_file_actions_addclosefrom_np")?;
    // SAFETY: the documented signature of the function of that name.
    Some(unsafe { std::mem::transmute::<*mut libc::c_void, CloseFrom>(function) })
});

fn function(name: &CStr) -> Option<*mut libc::c_void> {
    // SAFETY: looks a name up among what is loaded; the name is terminated.
    let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!function.is_null()).then_some(function)
}

fn spawn_lean(
    launch: &Launch<'_>,
    streams: Streams<'_>,
    change_directory: ChangeDirectory,
) -> io::Result<libc::pid_t> {
    let program = c_text(launch.program.as_os_str())?;
    let cwd = c_text(launch.cwd.as_os_str())?;
    let arguments = launch.arguments.iter().copied().map(c_text).collect::<io::Result<Vec<_>>>()?;
    let variables = environment(launch)
        .iter()
        .map(|(name, value)| CString::new(format!("{name}={value}")))
        .collect::<Result<Vec<_>, _>>()?;
    let arguments = terminated(std::iter::once(&program).chain(&arguments));
    let variables = terminated(&variables);
    let mut actions = FileActions::new()?;
    actions.connect(streams)?;
    // SAFETY: initialised actions, a terminated path that is copied.
    checked(unsafe { change_directory(actions.pointer(), cwd.as_ptr()) })?;
    if let Some(close_from) = *CLOSE_FROM {
        // SAFETY: initialised actions.
        checked(unsafe { close_from(actions.pointer(), 3) })?;
    }
    let mut attributes = Attributes::new()?;
    let mut id = 0;
    // SAFETY: everything that is pointed to lives until the call returns; both lists end with null.
    checked(unsafe {
        libc::posix_spawn(
            &raw mut id,
            program.as_ptr(),
            actions.pointer(),
            attributes.pointer(),
            arguments.as_ptr(),
            variables.as_ptr(),
        )
    })?;
    Ok(id)
}

fn c_text(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

/// Pointers to texts, and null behind them, as C wants lists.
fn terminated<'a>(texts: impl IntoIterator<Item = &'a CString>) -> Vec<*mut c_char> {
    let pointers = texts.into_iter().map(|text| text.as_ptr().cast_mut());
    pointers.chain(std::iter::once(std::ptr::null_mut())).collect()
}

/// These functions return what others leave in `errno`.
fn checked(code: c_int) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) }
}

/// What the child does with its descriptors before the program starts.
struct FileActions(MaybeUninit<Actions>);

impl FileActions {
    fn new() -> io::Result<Self> {
        let mut actions = MaybeUninit::uninit();
        // SAFETY: initialises what it is given.
        checked(unsafe { libc::posix_spawn_file_actions_init(actions.as_mut_ptr()) })?;
        Ok(Self(actions))
    }

    fn pointer(&mut self) -> *mut Actions {
        self.0.as_mut_ptr()
    }

    fn connect(&mut self, streams: Streams<'_>) -> io::Result<()> {
        match streams {
            Streams::Pipe(output) => {
                self.open(0, c"/dev/null", libc::O_RDONLY)?;
                self.duplicate(output.as_raw_fd(), 1)?;
            }
            Streams::Apart { output, errors } => {
                self.open(0, c"/dev/null", libc::O_RDONLY)?;
                self.duplicate(output.as_raw_fd(), 1)?;
                return self.duplicate(errors.as_raw_fd(), 2);
            }
            // The first terminal that the first process of a session opens becomes the one of the session.
            Streams::Terminal(path) => {
                self.open(0, path, libc::O_RDWR)?;
                self.duplicate(0, 1)?;
            }
        }
        self.duplicate(1, 2)
    }

    fn open(&mut self, descriptor: c_int, path: &CStr, flags: c_int) -> io::Result<()> {
        // SAFETY: initialised actions; the path is terminated and copied.
        checked(unsafe {
            libc::posix_spawn_file_actions_addopen(self.pointer(), descriptor, path.as_ptr(), flags, 0)
        })
    }

    fn duplicate(&mut self, from: c_int, to: c_int) -> io::Result<()> {
        // SAFETY: initialised actions.
        checked(unsafe { libc::posix_spawn_file_actions_adddup2(self.pointer(), from, to) })
    }
}

impl Drop for FileActions {
    fn drop(&mut self) {
        // SAFETY: initialised, and not used again.
        unsafe { libc::posix_spawn_file_actions_destroy(self.pointer()) };
    }
}

/// A session of its own, no signal blocked, none ignored: hosts ignore SIGPIPE, and programs inherit that.
struct Attributes(MaybeUninit<libc::posix_spawnattr_t>);

impl Attributes {
    fn new() -> io::Result<Self> {
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: initialises what it is given.
        checked(unsafe { libc::posix_spawnattr_init(attributes.as_mut_ptr()) })?;
        let mut made = Self(attributes);
        let (mut none, mut all) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let flags = [
            c_int::from(libc::POSIX_SPAWN_SETSIGMASK),
            c_int::from(libc::POSIX_SPAWN_SETSIGDEF),
            c_int::from(libc::POSIX_SPAWN_SETSID),
        ];
        let flags = flags.into_iter().fold(0, |all, flag| all | flag);
        let flags = libc::c_short::try_from(flags).map_err(io::Error::other)?;
        // SAFETY: the sets are initialised before they are read; the attributes are.
        unsafe {
            libc::sigemptyset(none.as_mut_ptr());
            libc::sigfillset(all.as_mut_ptr());
            checked(libc::posix_spawnattr_setsigmask(made.pointer(), none.as_ptr()))?;
            checked(libc::posix_spawnattr_setsigdefault(made.pointer(), all.as_ptr()))?;
            checked(libc::posix_spawnattr_setflags(made.pointer(), flags))?;
        }
        Ok(made)
    }

    fn pointer(&mut self) -> *mut libc::posix_spawnattr_t {
        self.0.as_mut_ptr()
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised, and not used again.
        unsafe { libc::posix_spawnattr_destroy(self.pointer()) };
    }
}

/// Where the C library is too old to change the directory on the way.
fn spawn_by_fork(launch: &Launch<'_>, streams: Streams<'_>) -> io::Result<libc::pid_t> {
    let mut command = launch.command();
    let own = |stream: BorrowedFd<'_>| stream.try_clone_to_owned().map(Stdio::from);
    let mut has_terminal = false;
    match streams {
        Streams::Pipe(output) => {
            command.stdout(own(output)?).stderr(own(output)?);
        }
        Streams::Apart { output, errors } => {
            command.stdout(own(output)?).stderr(own(errors)?);
        }
        Streams::Terminal(path) => {
            let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC;
            let terminal = rustix::fs::open(path, flags, rustix::fs::Mode::empty())?;
            command.stdin(terminal.try_clone()?).stdout(terminal.try_clone()?).stderr(terminal);
            has_terminal = true;
        }
    }
    // SAFETY: calls nothing that a forked process may not call.
    unsafe {
        command.pre_exec(move || {
            rustix::process::setsid()?;
            if has_terminal {
                rustix::process::ioctl_tiocsctty(BorrowedFd::borrow_raw(0))?;
            }
            Ok(())
        });
    }
    let id = command.spawn()?.id();
    libc::pid_t::try_from(id).map_err(io::Error::other)
}
