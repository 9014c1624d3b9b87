//! How a file is opened: without ever waiting for the other end of a pipe or for a terminal.

use std::fs::OpenOptions;

/// What a file is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Reading.
    Read,
    /// Looking at what is in a directory.
    #[cfg(unix)]
    Directory,
    /// Writing over it; nothing is cut.
    Write,
    /// Reading and writing over it; nothing is cut.
    ReadWrite,
}

impl Access {
    /// For a path; a link in the place of the file is not followed.
    pub(super) fn options_for_entry(self) -> OpenOptions {
        let mut options = self.options();
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            let flags = self.more_flags() | rustix::fs::OFlags::NOFOLLOW;
            options.custom_flags(flags.bits().cast_signed());
        }
        options
    }

    /// For a path.
    pub(super) fn options(self) -> OpenOptions {
        let mut options = OpenOptions::new();
        options.read(self != Self::Write).write(matches!(self, Self::Write | Self::ReadWrite));
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.custom_flags(self.more_flags().bits().cast_signed());
        }
        options
    }

    /// For a path below an open directory.
    #[cfg(target_os = "linux")]
    pub(super) fn flags(self) -> rustix::fs::OFlags {
        use rustix::fs::OFlags;
        let mode = match self {
            Self::Read | Self::Directory => OFlags::RDONLY,
            Self::Write => OFlags::WRONLY,
            Self::ReadWrite => OFlags::RDWR,
        };
        mode | self.more_flags()
    }

    #[cfg(unix)]
    fn more_flags(self) -> rustix::fs::OFlags {
        use rustix::fs::OFlags;
        let kind = if self == Self::Directory { OFlags::DIRECTORY } else { OFlags::empty() };
        OFlags::NONBLOCK | OFlags::NOCTTY | kind
    }
}
