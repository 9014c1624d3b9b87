//! What an edit would do, shown while its arguments still arrive. Reads files, never writes one and never waits for a
//! lock; what is wrong with an edit is a text here, not a failure.

use serde::Serialize;
use serde_json::Value;

use super::hashline;
use super::mode::Mode;
use super::partial::{self, OpenText};
use super::rehearsal::MAX_BYTES;
use super::{Plan, replace};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::{Context, parse_value};
use crate::engine::files;
use crate::engine::text::{Document, numbered_diff, numbered_diff_of_texts};

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
    match Mode::of(context)? {
        Mode::Hashline => match partial::read(arguments, 1, OpenText::Keep) {
            (value, true) => whole_hashline(&value, context, cancel),
            (value, false) => Ok(arriving_hashline(&value)),
        },
        Mode::Replace => first_replacement(&partial::read(arguments, 2, OpenText::Drop).0, context, cancel),
        mode => Err(ToolError::Unsupported {
            feature: format!("previews of edit mode `{}`", mode.name()),
            path: None,
        }),
    }
}

/// The new lines by file, as far as they are whole.
fn arriving_hashline(arguments: &Value) -> Vec<FilePreview> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let input = text("input").unwrap_or_default();
    let whole = input.rfind('\n').map_or("", |end| &input[..end]);
    hashline::arriving(whole, text("path"))
        .into_iter()
        .map(|(path, diff)| FilePreview { path: path.to_owned(), diff: Some(diff), ..FilePreview::default() })
        .collect()
}

fn whole_hashline(arguments: &Value, context: &Context, cancel: &CancelToken) -> Result<Vec<FilePreview>> {
    let Ok(options) = parse_value::<hashline::Options>(arguments) else { return Ok(Vec::new()) };
    let input = match hashline::parse(&options.input, options.path.as_deref()) {
        Ok(input) => input,
        Err(error) => {
            let path =
                error.fields()["path"].as_str().or(options.path.as_deref()).unwrap_or_default().to_owned();
            return Ok(vec![FilePreview { path, error: Some(error.to_string()), ..FilePreview::default() }]);
        }
    };
    let previews = input.sections.iter().map(|section| {
        of_file(section.path, context, cancel, |found| match found {
            None if section.makes_file() => {
                Ok(numbered_diff_of_texts(b"", section.new_text().as_bytes()).into())
            }
            None => Err(ToolError::PathNotFound { path: section.path.to_owned() }),
            Some(Found { document, path, shown }) => {
                let plan = hashline::plan_in_session(document.text(), section, path, shown, context)?;
                Ok(numbered_diff(document.text().as_bytes(), &plan.splices).into())
            }
        })
    });
    previews.collect()
}

/// The first edit alone: most calls have no other, and each would have to wait for the ones before it.
fn first_replacement(arguments: &Value, context: &Context, cancel: &CancelToken) -> Result<Vec<FilePreview>> {
    let Ok(mut options) = parse_value::<replace::Options>(arguments) else { return Ok(Vec::new()) };
    options.edits.truncate(1);
    if options.edits.is_empty() {
        return Ok(Vec::new());
    }
    let preview = of_file(&options.path, context, cancel, |found| {
        let Some(Found { document, shown, .. }) = found else {
            return Err(ToolError::PathNotFound { path: options.path.clone() });
        };
        let Plan { splices, .. } = replace::plan(&options, document, shown, context, cancel)?;
        Ok(numbered_diff(document.text().as_bytes(), &splices).into())
    });
    Ok(vec![preview?])
}

/// A file as it is on the disk.
struct Found<'a> {
    document: &'a Document<'a>,
    path: &'a std::path::Path,
    shown: &'a str,
}

/// Shows what is made of a file, or of its absence.
fn of_file(
    path: &str,
    context: &Context,
    cancel: &CancelToken,
    show: impl FnOnce(Option<&Found>) -> Result<FilePreview>,
) -> Result<FilePreview> {
    cancel.check()?;
    let read = || -> Result<(String, FilePreview)> {
        let resolved = match files::resolve_existing(path, &context.cwd, context.home.as_deref()) {
            Ok(resolved) => resolved,
            Err(ToolError::PathNotFound { .. }) => return Ok((path.to_owned(), show(None)?)),
            Err(error) => return Err(error),
        };
        let shown = files::display_path(&resolved, &context.cwd);
        if resolved.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb")) {
            return Err(ToolError::Unsupported {
                feature: "previews of notebooks".into(),
                path: Some(shown),
            });
        }
        let bytes = match files::read_regular(&resolved, &shown, MAX_BYTES) {
            Ok((bytes, _)) => bytes,
            Err(ToolError::PathNotFound { .. }) => return Ok((shown, show(None)?)),
            Err(error) => return Err(error),
        };
        let document =
            Document::new(&bytes).map_err(|reason| ToolError::NotText { path: shown.clone(), reason })?;
        let preview = show(Some(&Found { document: &document, path: &resolved, shown: &shown }))?;
        Ok((shown, preview))
    };
    match read() {
        Ok((shown, preview)) => Ok(FilePreview { path: shown, ..preview }),
        Err(error @ ToolError::Aborted { .. }) => Err(error),
        Err(error) => Ok(FilePreview {
            path: path.to_owned(),
            error: Some(error.to_string()),
            ..FilePreview::default()
        }),
    }
}

impl From<crate::engine::text::NumberedDiff> for FilePreview {
    fn from(diff: crate::engine::text::NumberedDiff) -> Self {
        Self { diff: Some(diff.text), first_changed_line: diff.first_changed_line, ..Self::default() }
    }
}
