//! What an edit would do, shown while its arguments still arrive. Reads files, never writes one and never waits for a
//! lock; what is wrong with an edit is a text here, not a failure.

use serde::Serialize;
use serde_json::Value;

use super::change::{DiffStyle, Plan};
use super::locate::Tolerance;
use super::mode::Mode;
use super::notebook::{Notebook, is_notebook};
use super::partial::{self, OpenText};
use super::patch::{self, Operation};
use super::rehearsal::{MAX_BYTES, Wanted, resolve};
use super::{hashline, replace};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::guard::refuse_generated;
use crate::engine::exec::{Context, parse_value};
use crate::engine::files;
use crate::engine::text::{Document, Splice, numbered_diff, unified_diff};

/// What would become of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FilePreview {
    /// As it is shown.
    pub path: String,
    /// Numbered lines; while the arguments arrive, only the new ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The new number of the first line that would be added or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_changed_line: Option<usize>,
    /// Why nothing would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What arguments, given as JSON text that may lack its end, would do. Empty while nothing can be told.
pub fn preview(arguments: &str, context: &Context, cancel: &CancelToken) -> Result<Vec<FilePreview>> {
    let reader = Reader { context, cancel };
    match Mode::of(context)? {
        Mode::Hashline => match partial::read(arguments, 1, OpenText::Keep) {
            (value, true) => reader.whole_hashline(&value),
            (value, false) => Ok(arriving_lines(&value, |input| {
                let whole = input.rfind('\n').map_or("", |end| &input[..end]);
                hashline::arriving(whole, value.get("path").and_then(Value::as_str))
            })),
        },
        Mode::Replace => reader.first_replacement(&partial::read(arguments, 2, OpenText::Drop).0),
        Mode::Patch => reader.first_entry(arguments),
        Mode::ApplyPatch => match partial::read(arguments, 1, OpenText::Keep) {
            (value, true) => reader.envelope(&value),
            (value, false) => Ok(arriving_lines(&value, patch::arriving)),
        },
        // What keys do shows in the view of the call before; carried out twice they would do it twice.
        mode @ Mode::Vim => Err(ToolError::Unsupported {
            feature: format!("previews of edit mode `{}`", mode.name()),
            path: None,
        }),
    }
}

/// The new lines by file, as far as they are whole.
fn arriving_lines<'v>(
    arguments: &'v Value,
    lines: impl FnOnce(&'v str) -> Vec<(&'v str, String)>,
) -> Vec<FilePreview> {
    let input = arguments.get("input").and_then(Value::as_str).unwrap_or_default();
    lines(input)
        .into_iter()
        .map(|(path, diff)| FilePreview { path: path.to_owned(), diff: Some(diff), ..FilePreview::default() })
        .collect()
}

fn refused(path: &str, error: &ToolError) -> FilePreview {
    FilePreview { path: path.to_owned(), error: Some(error.to_string()), ..FilePreview::default() }
}

/// A file as it is on the disk; a notebook as its cells.
struct Found<'a> {
    document: &'a Document<'a>,
    path: &'a std::path::Path,
    shown: &'a str,
}

/// Plans what a call would do to the files on the disk.
struct Reader<'c> {
    context: &'c Context,
    cancel: &'c CancelToken,
}

impl Reader<'_> {
    fn whole_hashline(&self, arguments: &Value) -> Result<Vec<FilePreview>> {
        let Ok(options) = parse_value::<hashline::Options>(arguments) else { return Ok(Vec::new()) };
        let input = match hashline::parse(&options.input, options.path.as_deref()) {
            Ok(input) => input,
            Err(error) => {
                let fields = error.fields();
                let path = fields["path"].as_str().or(options.path.as_deref()).unwrap_or_default();
                return Ok(vec![refused(path, &error)]);
            }
        };
        let previews = input.sections.iter().map(|section| {
            self.of_file(Wanted::Existing(section.path), DiffStyle::Numbered, |found| match found {
                None if section.makes_file() => Ok(Plan::of_whole_text("", &section.new_text())),
                None => Err(ToolError::PathNotFound { path: section.path.to_owned() }),
                Some(Found { document, path, shown }) => {
                    hashline::plan_in_session(document.text(), section, path, shown, self.context)
                }
            })
        });
        previews.collect()
    }

    /// The first edit alone: most calls have no other, and each would have to wait for the ones before it.
    fn first_replacement(&self, arguments: &Value) -> Result<Vec<FilePreview>> {
        let Ok(mut options) = parse_value::<replace::Options>(arguments) else { return Ok(Vec::new()) };
        options.edits.truncate(1);
        if options.edits.is_empty() {
            return Ok(Vec::new());
        }
        let preview = self.of_file(Wanted::Existing(&options.path), DiffStyle::Numbered, |found| {
            let Some(Found { document, shown, .. }) = found else {
                return Err(ToolError::PathNotFound { path: options.path.clone() });
            };
            replace::plan(&options, document, shown, self.context, self.cancel)
        });
        Ok(vec![preview?])
    }

    /// The first entry of mode `patch`, for the same reason; while its diff arrives, the hunks that are whole.
    fn first_entry(&self, arguments: &str) -> Result<Vec<FilePreview>> {
        let whole = partial::read(arguments, 2, OpenText::Drop).0;
        if whole.get("path").is_none() {
            return Ok(Vec::new());
        }
        if let Ok(options) = parse_value::<patch::Options>(&whole)
            && let Some(edit) = options.edits.first()
        {
            return self
                .operation(&options.path, patch::operation(0, edit, &options.path))
                .map(|one| vec![one]);
        }
        let arriving = partial::read(arguments, 3, OpenText::Keep).0;
        let Ok(options) = parse_value::<patch::Options>(&arriving) else { return Ok(Vec::new()) };
        let Some(mut edit) = options.edits.into_iter().next() else { return Ok(Vec::new()) };
        edit.diff = edit.diff.map(|diff| patch::whole_hunks(&diff).to_owned());
        edit.rename = None;
        let preview = self.operation(&options.path, patch::operation(0, &edit, &options.path))?;
        // What is wrong may still be put right by what has not arrived.
        Ok(Vec::from_iter(Some(preview).filter(|preview| preview.error.is_none())))
    }

    /// The first operation on each path: those that follow would have to wait for it.
    fn envelope(&self, arguments: &Value) -> Result<Vec<FilePreview>> {
        let Ok(options) = parse_value::<patch::ApplyOptions>(arguments) else { return Ok(Vec::new()) };
        let mut operations = match patch::operations(&options.input) {
            Ok(operations) => operations,
            Err(error) => return Ok(vec![refused("", &error)]),
        };
        let mut seen = std::collections::HashSet::new();
        operations.retain(|(path, _)| seen.insert(path.clone()));
        operations.into_iter().map(|(path, operation)| self.operation(&path, Ok(operation))).collect()
    }

    fn operation(&self, path: &str, operation: Result<Operation>) -> Result<FilePreview> {
        let (operation, tolerance) = match (operation, Tolerance::of(self.context)) {
            (Ok(operation), Ok(tolerance)) => (operation, tolerance),
            (Err(error), _) | (_, Err(error)) => return Ok(refused(path, &error)),
        };
        let wanted = match operation {
            Operation::Add { .. } => Wanted::New(path),
            _ => Wanted::Existing(path),
        };
        self.of_file(wanted, DiffStyle::Unified, |found| {
            let (text, shown) =
                found.map_or((None, path), |found| (Some(found.document.text()), found.shown));
            patch::plan_operation(text, &operation, tolerance, shown, self.cancel)
        })
    }

    /// Shows what is planned for a file, or for its absence.
    fn of_file(
        &self,
        wanted: Wanted,
        style: DiffStyle,
        plan: impl FnOnce(Option<&Found>) -> Result<Plan>,
    ) -> Result<FilePreview> {
        self.cancel.check()?;
        let (Wanted::Existing(path) | Wanted::New(path)) = wanted;
        match self.planned(wanted, style, plan) {
            Ok(preview) => Ok(preview),
            Err(error @ ToolError::Aborted { .. }) => Err(error),
            Err(error) => Ok(refused(path, &error)),
        }
    }

    fn planned(
        &self,
        wanted: Wanted,
        style: DiffStyle,
        plan: impl FnOnce(Option<&Found>) -> Result<Plan>,
    ) -> Result<FilePreview> {
        let (Wanted::Existing(path) | Wanted::New(path)) = wanted;
        let resolved = match resolve(wanted, self.context) {
            Ok(resolved) => resolved,
            Err(ToolError::PathNotFound { .. }) => {
                return Ok(shown_as(path, "", &plan(None)?.splices, style));
            }
            Err(error) => return Err(error),
        };
        let shown = files::display_path(&resolved, &self.context.cwd);
        let bytes = match files::read_regular(&resolved, &shown, MAX_BYTES) {
            Ok((bytes, _)) => bytes,
            Err(ToolError::PathNotFound { .. }) => {
                return Ok(shown_as(&shown, "", &plan(None)?.splices, style));
            }
            Err(error) => return Err(error),
        };
        refuse_generated(&resolved, &shown, &bytes, &self.context.settings)?;
        let notebook = is_notebook(&resolved).then(|| Notebook::parse(&bytes, &shown)).transpose()?;
        let view = notebook.as_ref().map_or(&*bytes, |notebook| notebook.view().as_bytes());
        let document =
            Document::new(view).map_err(|reason| ToolError::NotText { path: shown.clone(), reason })?;
        let Plan { splices, .. } =
            plan(Some(&Found { document: &document, path: &resolved, shown: &shown }))?;
        if let Some(notebook) = &notebook {
            notebook.apply(&document.place(&splices))?;
        }
        Ok(shown_as(&shown, document.text(), &splices, style))
    }
}

fn shown_as(path: &str, text: &str, splices: &[Splice], style: DiffStyle) -> FilePreview {
    let diff = match style {
        DiffStyle::Numbered => numbered_diff(text.as_bytes(), splices),
        DiffStyle::Unified => unified_diff(text.as_bytes(), splices),
    };
    FilePreview {
        path: path.to_owned(),
        diff: Some(diff.text),
        first_changed_line: diff.first_changed_line,
        error: None,
    }
}
