//! Why a key cannot be carried out.

use crate::engine::error::ToolError;

/// The kinds of faults; each has an error code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    UnknownKey,
    UnterminatedKey,
    InsertLeftOpen,
    NotInInsert,
    UnsupportedCommand,
    UnsupportedTextObject,
    MissingArgument,
    CharNotFound,
    PatternNotFound,
    TextObjectNotFound,
    BracketNotFound,
    NoPrevious,
    ExSyntax,
    ExUnsupported,
    Unsaved,
    DiskChanged,
}

/// A fault, and the words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which.
    pub kind: FaultKind,
    /// A sentence without a full stop.
    pub reason: String,
}

/// The result of keys.
pub type Run<T> = std::result::Result<T, Fault>;

/// A fault with its words.
pub fn fault<T>(kind: FaultKind, reason: impl Into<String>) -> Run<T> {
    Err(Fault { kind, reason: reason.into() })
}

/// Where a fault happened: the step, the entry of its `kbd`, and the key's offset in it in UTF-16 units.
pub use crate::engine::error::KeyLocation;

impl Fault {
    /// The error of a call on the file `path`; `snapshot` shows the buffer at that moment.
    pub fn into_error(self, path: String, location: Option<KeyLocation>, snapshot: String) -> ToolError {
        let reason = self.reason;
        macro_rules! of {
            ($($kind:ident => $variant:ident),* $(,)?) => {
                match self.kind {
                    $( FaultKind::$kind => ToolError::$variant { path, reason, location, snapshot }, )*
                }
            };
        }
        of! {
            UnknownKey => VimUnknownKey,
            UnterminatedKey => VimUnterminatedKey,
            InsertLeftOpen => VimInsertLeftOpen,
            NotInInsert => VimNotInInsert,
            UnsupportedCommand => VimUnsupportedCommand,
            UnsupportedTextObject => VimUnsupportedTextObject,
            MissingArgument => VimMissingArgument,
            CharNotFound => VimCharNotFound,
            PatternNotFound => VimPatternNotFound,
            TextObjectNotFound => VimTextObjectNotFound,
            BracketNotFound => VimBracketNotFound,
            NoPrevious => VimNoPrevious,
            ExSyntax => VimExSyntax,
            ExUnsupported => VimExUnsupported,
            Unsaved => VimUnsaved,
            DiskChanged => VimDiskChanged,
        }
    }
}
