//! The one error type. Its `code` is the error kind the outside world knows, its fields are facts, never prose.
//!
//! "No match", "truncated" and "skipped" are data of an outcome and have no place here.

use serde::Serialize;

/// One refused argument: where it stands and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// Dotted path of the argument, such as `edits[0].old_text`; empty for the whole value.
    pub path: String,
    /// What was expected and what came.
    pub message: String,
}

/// The place that is most like a text that was not found, and where the two part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Closest {
    /// The first line of the place, 1-based.
    pub line: usize,
    /// The first line that differs, 1-based.
    pub differs_at: usize,
    /// What the searched text has there.
    pub expected: String,
    /// What the file has there.
    pub actual: String,
}

/// A file whose conflicts were left as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConflictFailure {
    /// As it is shown.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// Inside an [`std::io::Error`]: the path leads out of where the call may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("lies outside of the directories that this session may use")]
pub struct OutsideAllowedRoots;

/// Declares [`ToolError`]: code, variant, fields and message stand together, once.
macro_rules! tool_errors {
    ($( $(#[$doc:meta])* $code:literal $variant:ident { $( $field:ident : $kind:ty ),* $(,)? } $message:literal $(, $argument:expr)*; )*
     also $( $(#[$more_doc:meta])* $more_code:literal $more:ident { $( $more_field:ident : $more_kind:ty ),* $(,)? } $more_message:literal $(, $more_argument:expr)*; )*) => {
        /// Why a call failed. See [`ToolError::code`] and [`ToolError::fields`].
        #[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "the fields are named in the message beside them")]
        pub enum ToolError {
            $( $(#[$doc])* #[error($message $(, $argument)*)] $variant { $( $field: $kind ),* }, )*
            $( $(#[$more_doc])* #[error($more_message $(, $more_argument)*)] $more { $( $more_field: $more_kind ),* }, )*
        }

        impl ToolError {
            /// Every code there is, in the order of the table; `index.d.ts` lists the same.
            pub const CODES: &'static [&'static str] = &[$( $code ),*];

            /// The stable error kind.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self { $( Self::$variant { .. } => $code, )* $( Self::$more { .. } => $more_code, )* }
            }
        }
    };
}

tool_errors! {
    // Input.
    /// Arguments that do not have the documented shape. Nothing was done.
    "invalid_arguments" InvalidArguments { issues: Vec<Issue> } "Invalid arguments: {}", render_issues(issues);
    /// Names that no registry entry has.
    "unknown_tool" UnknownTool { names: Vec<String> } "Unknown tool name: {}", quote_all(names);
    /// The tool exists but cannot run here.
    "tool_unavailable" ToolUnavailable { tool: String, reason: String } "The tool `{tool}` is not available: {reason}";
    /// Something the documents promise and this version does not do yet.
    "unsupported" Unsupported { feature: String, path: Option<String> } "Not supported yet: {feature}{}", at_path(path.as_deref());
    "empty_path" EmptyPath { field: String } "`{field}` must not be empty";
    "internal_url_as_path" InternalUrlAsPath { path: String } "`{path}` is an internal address, not a path of the file system";
    "packed_paths" PackedPaths { path: String } "`{path}` looks like several paths in one string; pass one array item for each";
    "invalid_selector" InvalidSelector { path: String, selector: String, reason: String } "`:{selector}` of `{path}` is not a valid selector: {reason}";
    "selector_unsupported" SelectorUnsupported { path: String, selector: String, reason: String } "`:{selector}` cannot be used on `{path}`: {reason}";
    "truncation_unsupported" TruncationUnsupported { path: String, reason: String } "`truncation` cannot be used on `{path}`: {reason}";
    "invalid_glob" InvalidGlob { glob: String, reason: String } "`{glob}` is not a valid glob: {reason}";
    "empty_pattern" EmptyPattern { field: String } "`{field}` must not be empty";
    "invalid_regex" InvalidRegex { pattern: String, reason: String } "`{pattern}` is not a valid regular expression: {reason}";
    "invalid_skip" InvalidSkip { skip: f64 } "`skip` must be 0 or more, got {skip}";
    "invalid_limit" InvalidLimit { limit: f64 } "`limit` must be 1 or more, got {limit}";
    "root_search_forbidden" RootSearchForbidden { path: String } "`{path}` is the root of the file system; name a directory below it";

    "url_disabled" UrlDisabled { path: String } "`{path}` cannot be read: web pages are turned off (`fetch.enabled`)";

    // Files.
    "path_not_found" PathNotFound { path: String } "`{path}` does not exist";
    "permission_denied" PermissionDenied { path: String } "Permission denied: `{path}`";
    /// The session names the directories its tools may use, and this is in none of them. Nothing is told of what is there.
    "outside_allowed_roots" OutsideAllowedRoots { path: String } "`{path}` lies outside of the directories that this session may use";
    "not_a_directory" NotADirectory { path: String } "`{path}` is not a directory";
    /// A directory, pipe, socket or device where a regular file is meant, or a failure of the file system.
    "io_error" Io { path: String, reason: String } "`{path}`: {reason}";
    "file_too_large" FileTooLarge { path: String, size: u64, limit: u64 } "`{path}` has {size} bytes; the limit is {limit}";
    "image_too_large" ImageTooLarge { path: String, size: u64, limit: u64 } "The image `{path}` has {size} bytes; the limit is {limit}";
    "not_text" NotText { path: String, reason: String } "`{path}` is not text: {reason}";

    /// The file says that a program makes it, so that a change would be lost.
    "auto_generated_file" AutoGeneratedFile { path: String, marker: String }
        "`{path}` is generated by a program (`{marker}`); change what it is made from";

    "already_exists" AlreadyExists { path: String } "`{path}` exists already";
    /// Another process works on the file.
    "lock_timeout" LockTimeout { path: String, seconds: u64 } "`{path}` is held by another process since {seconds} seconds";
    /// While a plan is made only the plan may be written.
    "plan_mode_denied" PlanModeDenied { path: String, reason: String } "`{path}` cannot be changed in plan mode: {reason}";
    // What is in a file.
    "archive_invalid" ArchiveInvalid { path: String, reason: String } "`{path}` cannot be read from its archive: {reason}";
    "archive_too_large" ArchiveTooLarge { path: String, size: u64, limit: u64 } "`{path}` has {size} bytes or more; the limit is {limit}";
    "archive_member_not_found" ArchiveMemberNotFound { path: String, archive: String } "`{path}` does not exist: `{archive}` has no such member";
    "archive_bad_path" ArchiveBadPath { path: String, reason: String } "`{path}` cannot name a member of an archive: {reason}";
    "archive_bad_target" ArchiveBadTarget { path: String, reason: String } "`{path}` cannot be written: {reason}";
    "notebook_invalid" NotebookInvalid { path: String, reason: String } "`{path}` is not a notebook: {reason}; `{path}:raw` shows what it holds";
    "sqlite_db_not_found" SqliteDbNotFound { path: String, reason: String } "`{path}` names no database: {reason}";
    "sqlite_table_not_found" SqliteTableNotFound { path: String, table: String, tables: Vec<String> } "`{path}` has no table `{table}`{}", render_tables(tables);
    "sqlite_unknown_column" SqliteUnknownColumn { table: String, column: String, columns: Vec<String> } "Table `{table}` has no column `{column}`; it has {}", quote_all(columns);
    "sqlite_composite_key" SqliteCompositeKey { table: String, key: String, columns: Vec<String> }
        "The key of table `{table}` has several columns ({}), `{key}` does not give each a value; write them with commas, or as a JSON array", quote_all(columns);
    "sqlite_no_rowid" SqliteNoRowid { table: String } "The rows of `{table}` have no key; use `?where=`";
    "sqlite_bad_key" SqliteBadKey { table: String, key: String, reason: String } "`{key}` is no key of table `{table}`: {reason}";
    "sqlite_bad_selector" SqliteBadSelector { path: String, reason: String } "`{path}`: {reason}";
    "sqlite_bad_param" SqliteBadParam { name: String, value: String, reason: String } "`{name}={value}`: {reason}";
    "sqlite_bad_order" SqliteBadOrder { table: String, order: String, columns: Vec<String> }
        "`order={order}` is not `column`, `column:asc` or `column:desc`; table `{table}` has the columns {}", quote_all(columns);
    "sqlite_bad_where" SqliteBadWhere { condition: String, reason: String } "`where={condition}`: {reason}";
    "sqlite_bad_query" SqliteBadQuery { query: String, reason: String } "`{query}`: {reason}";
    "sqlite_bad_target" SqliteBadTarget { path: String, reason: String } "`{path}` cannot be written: {reason}";
    "sqlite_bad_content" SqliteBadContent { path: String, reason: String } "The content for `{path}` is not a row: {reason}";
    "sqlite_runtime" SqliteRuntime { path: String, reason: String } "SQLite, `{path}`: {reason}";

    // Edit.
    "empty_old_text" EmptyOldText { path: String, edit: usize } "`edits[{edit}].old_text` for `{path}` must not be empty";
    "no_match" NoMatch { path: String, edit: usize, searched: String, closest: Option<Closest> }
        "`edits[{edit}].old_text` does not occur in `{path}`; only an exact match counts{}", render_closest(closest.as_ref());
    "ambiguous_match" AmbiguousMatch { path: String, edit: usize, count: usize, lines: Vec<usize>, preview: String }
        "`edits[{edit}].old_text` occurs {count} times in `{path}` ({}); add lines around it until it is unique, or set `all`\n{preview}",
        render_lines(lines, *count);
    "overlapping_ops" OverlappingOps { path: String, first: usize, second: usize } "`edits[{first}]` and `edits[{second}]` change the same text of `{path}`";
    "no_change" NoChange { path: String } "The edit leaves `{path}` as it is";
    /// The file is not what the session last saw of it.
    "changed_outside" ChangedOutside { path: String }
        "`{path}` was changed by someone else since it was last read; read it again, then write what should stand in it";
    "concurrent_modification" ConcurrentModification { path: String } "`{path}` was changed by someone else meanwhile; read it again";

    // Merge conflicts.
    "conflict_bad_uri" ConflictBadUri { uri: String, reason: String } "`{uri}` is no address of a conflict: {reason}";
    "conflict_not_found" ConflictNotFound { uri: String } "`{uri}` stands for no conflict that was shown; read a file that has some, or `FILE:conflicts`";
    "conflict_no_base" ConflictNoBase { uri: String } "The conflict of `{uri}` has no base";
    "conflict_stale" ConflictStale { uri: String, path: String } "The conflict of `{uri}` is not in `{path}` any more; read the file again";
    "conflict_scope_readonly" ConflictScopeReadonly { uri: String } "`{uri}` can only be read; write to the conflict without a side";
    "conflict_wildcard_read" ConflictWildcardRead { uri: String } "`{uri}` can only be written; read one conflict by its number";
    "conflict_bulk_failed" ConflictBulkFailed { uri: String, resolved: Vec<String>, failed: Vec<ConflictFailure> }
        "`{uri}` was not done everywhere. Left as it was: {}. {}", render_failures(failed), render_resolved(resolved);

    // Commands.
    "invalid_env_name" InvalidEnvName { name: String } "`{name}` is not a valid environment variable name";
    "cwd_not_found" CwdNotFound { path: String } "The working directory `{path}` does not exist";
    "cwd_not_directory" CwdNotDirectory { path: String } "The working directory `{path}` is not a directory";
    "async_disabled" AsyncDisabled {} "Background commands are disabled; run the command without `async`";
    /// The host keeps no jobs, or no more of them.
    "async_unavailable" AsyncUnavailable { reason: String } "The command cannot run in the background: {reason}";
    /// The session does not let this command run.
    "command_blocked" CommandBlocked { command: String, reason: String } "The command was not run: {reason}\n\n{command}";
    "shell_url_rejected" ShellUrlRejected { url: String, reason: String } "`{url}` cannot be used in a command: {reason}";
    "nonzero_exit" NonzeroExit { exit_code: i32, output: String } "{}\n\nCommand exited with code {exit_code}", or_no_output(output);
    "timeout" Timeout { seconds: f64, output: String } "[Command timed out after {seconds} seconds]\n{}\n\nCommand timed out after {seconds} seconds", or_no_output(output);

    // Recipes.
    "recipe_empty_op" RecipeEmptyOp { tasks: Vec<String> } "`op` must name a task{}", render_tasks(tasks);
    "recipe_ambiguous_task" RecipeAmbiguousTask { task: String, candidates: Vec<String> }
        "`{task}` is a task of several runners; name one of {}", quote_all(candidates);
    "recipe_unknown_task" RecipeUnknownTask { task: String, tasks: Vec<String> } "There is no task `{task}`{}", render_tasks(tasks);

    // The call itself.
    /// The caller's signal fired. Arrives in JavaScript as an `AbortError`. Only a command leaves output behind.
    "aborted" Aborted { output: String } "{}", aborted_text(output);
    /// A fault of ours: a panic, or a state that cannot be.
    "internal" Internal { message: String } "Internal error: {message}";

    // Variants that say more under a code of the table.
    also
    /// Only what stands behind the last colon of the path is in the way.
    "path_not_found" PathNotFoundNear { path: String, near: String, selector: String }
        "`{path}` does not exist; `{near}` does, but `:{selector}` is not a selector: write `:50-100`, `:50+20`, `:50`, `:5,9` or `:raw`";
    /// Several paths could be meant.
    "path_not_found" PathNotFoundAmong { path: String, candidates: Vec<String>, more: bool }
        "`{path}` does not exist, and which of these is meant is not clear: {}{}", quote_all(candidates), if *more { " and others" } else { "" };
}

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, ToolError>;

impl ToolError {
    /// The facts of the error as a JSON object.
    #[must_use]
    pub fn fields(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// One refused argument.
    #[must_use]
    pub fn argument(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InvalidArguments { issues: vec![Issue { path: path.into(), message: message.into() }] }
    }

    /// An abort that left no output behind.
    #[must_use]
    pub fn aborted() -> Self {
        Self::Aborted { output: String::new() }
    }

    /// The error of a file operation on `path`, as the caller wrote it.
    #[must_use]
    pub fn io(path: impl Into<String>, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.into();
        if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<OutsideAllowedRoots>) {
            return Self::OutsideAllowedRoots { path };
        }
        match error.kind() {
            // A file where a directory is named on the way means that the path leads nowhere.
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::PathNotFound { path },
            ErrorKind::PermissionDenied => Self::PermissionDenied { path },
            _ => Self::Io { path, reason: error.to_string() },
        }
    }
}

/// The lines named in an error about `count` places.
fn render_lines(lines: &[usize], count: usize) -> String {
    let named = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let more = if lines.len() < count { ", …" } else { "" };
    format!("lines {named}{more}")
}

fn render_closest(closest: Option<&Closest>) -> String {
    let render = |closest: &Closest| {
        let Closest { line, differs_at, expected, actual } = closest;
        format!(
            ". The closest place starts at line {line} and differs at line {differs_at}:\n  searched: {expected}\n  in file:  {actual}"
        )
    };
    closest.map(render).unwrap_or_default()
}

fn render_issues(issues: &[Issue]) -> String {
    let render = |issue: &Issue| match issue.path.as_str() {
        "" => issue.message.clone(),
        path => format!("`{path}`: {}", issue.message),
    };
    issues.iter().map(render).collect::<Vec<_>>().join("; ")
}

fn render_tables(tables: &[String]) -> String {
    if tables.is_empty() { "; it has none".to_owned() } else { format!("; it has {}", quote_all(tables)) }
}

fn quote_all(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn render_failures(failed: &[ConflictFailure]) -> String {
    let render = |failure: &ConflictFailure| format!("{} ({})", failure.path, failure.reason);
    failed.iter().map(render).collect::<Vec<_>>().join(", ")
}

fn render_resolved(resolved: &[String]) -> String {
    if resolved.is_empty() {
        "Nothing was resolved".to_owned()
    } else {
        format!("Resolved: {}", resolved.join(", "))
    }
}

fn render_tasks(tasks: &[String]) -> String {
    if tasks.is_empty() { String::new() } else { format!("; there are {}", quote_all(tasks)) }
}

fn or_no_output(output: &str) -> &str {
    if output.is_empty() { "(no output)" } else { output }
}

fn aborted_text(output: &str) -> String {
    if output.is_empty() {
        "The operation was aborted".to_owned()
    } else {
        format!("{output}\n\nCommand aborted")
    }
}

fn at_path(path: Option<&str>) -> String {
    path.map(|path| format!(" (`{path}`)")).unwrap_or_default()
}
