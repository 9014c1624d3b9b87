//! The one error type. Its `code` is the error kind the outside world knows, its fields are facts, never prose.
//!
//! "No match", "truncated" and "skipped" are data of an outcome and have no place here.

use serde::Serialize;

use crate::engine::files::escape_control;
use crate::engine::text::{ceil_char_boundary, floor_char_boundary};

/// One refused argument: where it stands and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// Dotted path of the argument, such as `edits[0].old_text`; empty for the whole value.
    pub path: String,
    /// What was expected and what came.
    pub message: String,
}

/// The place that is most like a text that was not found, and where the two part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Closest {
    /// The first line of the place, 1-based.
    pub line: usize,
    /// How alike the two are, from 0 to 1.
    pub similarity: f64,
    /// The first line that differs, 1-based.
    pub differs_at: usize,
    /// What the searched text has there.
    pub expected: String,
    /// What the file has there.
    pub actual: String,
}

/// Where a key stands: its step, the entry of the step's `kbd`, and its offset there in UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KeyLocation {
    /// Entry of `steps`, from 0.
    pub step: usize,
    /// Entry of `kbd`, from 0.
    pub sequence: usize,
    /// Offset in the entry.
    pub offset: usize,
}

/// One of several places that could be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its first line, 1-based.
    pub line: usize,
    /// Numbered lines around it.
    pub preview: String,
}

/// An anchor that does not fit the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The line of the anchor.
    pub line: usize,
    /// Its letters.
    pub expected: String,
    /// The letters of the line as it is now. The same letters: it is another line nonetheless.
    pub actual: String,
    /// The anchor of the only line that is like the one that was meant, elsewhere.
    #[serde(rename = "movedTo", skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
}

/// An entry of a call that was not made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryState {
    ok: bool,
    applied: bool,
    /// Of the one that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
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
            /// One of several entries of a call failed, and so none was made. Code and fields are those of the cause.
            #[error("{cause}; none of the {} entries was made", entries.len())]
            InEntry { entries: Vec<EntryState>, #[serde(flatten, serialize_with = "as_fields")] cause: Box<ToolError> },
            /// Some of several files could not be changed, and so none was. Code and fields are those of the first cause.
            #[error("{told}")]
            InFiles {
                #[serde(skip)] told: String,
                #[serde(rename = "perFileResults")] files: Vec<serde_json::Value>,
                #[serde(flatten, serialize_with = "as_fields")] cause: Box<ToolError>,
            },
        }

        impl ToolError {
            /// Every code there is, in the order of the table; `index.d.ts` lists the same.
            pub const CODES: &'static [&'static str] = &[$( $code ),*];

            /// The stable error kind.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self { $( Self::$variant { .. } => $code, )* $( Self::$more { .. } => $more_code, )*
                    Self::InEntry { cause, .. } | Self::InFiles { cause, .. } => cause.code(),
                }
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
    "path_not_found" PathNotFound { path: String } "`{}` does not exist", escape_control(path);
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
    "archive_unsearchable" ArchiveUnsearchable { path: String, reason: String } "`{path}` cannot be searched: {reason}";
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
    "no_match" NoMatch { path: String, edit: usize, searched: String, allow_fuzzy: bool, threshold: f64, closest: Option<Box<Closest>> }
        "`edits[{edit}].old_text` does not occur in `{path}`{}{}", render_tolerance(*allow_fuzzy, *threshold, closest.as_deref()),
        render_closest(closest.as_deref());
    "ambiguous_fuzzy" AmbiguousFuzzy { path: String, edit: usize, count: usize, closest: Option<Box<Closest>> }
        "`edits[{edit}].old_text` does not occur in `{path}` exactly, and {count} places are about equally like it; copy it exactly from the file{}",
        render_closest(closest.as_deref());
    "ambiguous_match" AmbiguousMatch { path: String, edit: usize, count: usize, lines: Vec<usize>, preview: String }
        "`edits[{edit}].old_text` occurs {count} times in `{path}` ({}); add lines around it until it is unique, or set `all`\n{preview}",
        render_lines(lines, *count);
    "overlapping_ops" OverlappingOps { path: String, first: usize, second: usize } "`edits[{first}]` and `edits[{second}]` change the same text of `{path}`";
    /// Two patterns that are the same.
    "duplicate_pattern" DuplicatePattern { pattern: String } "`{pattern}` stands in `ops` more than once; give each pattern one replacement";
    /// A structural edit speaks one language, so that a pattern means the same in every file.
    "ambiguous_language" AmbiguousLanguage { languages: Vec<String>, globs: Vec<String> } "{}", render_languages(languages, globs);
    /// Matches within matches: which one counts is for the caller to say.
    "overlapping_edits" OverlappingEdits { path: String, line: usize, first: String, second: String }
        "In `{path}` a match of `{second}` at line {line} overlaps a match of `{first}`; make the patterns more exact, or edit one level at a time";
    "no_change" NoChange { path: String } "The edit leaves `{path}` as it is";
    /// The file is not what the session last saw of it.
    "changed_outside" ChangedOutside { path: String }
        "`{path}` was changed by someone else since it was last read; read it again, then write what should stand in it";
    "concurrent_modification" ConcurrentModification { path: String } "`{path}` was changed by someone else meanwhile; read it again";

    // Edit, mode `vim`: what stopped the keys, where, and the buffer at that moment.
    "vim_unknown_key" VimUnknownKey { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_unterminated_key" VimUnterminatedKey { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_insert_left_open" VimInsertLeftOpen { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_not_in_insert" VimNotInInsert { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_unsupported_command" VimUnsupportedCommand { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_unsupported_text_object" VimUnsupportedTextObject { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_missing_argument" VimMissingArgument { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_char_not_found" VimCharNotFound { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_pattern_not_found" VimPatternNotFound { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_text_object_not_found" VimTextObjectNotFound { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_bracket_not_found" VimBracketNotFound { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_no_previous" VimNoPrevious { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_ex_syntax" VimExSyntax { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_ex_unsupported" VimExUnsupported { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_unsaved" VimUnsaved { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_disk_changed" VimDiskChanged { path: String, reason: String, location: Option<KeyLocation>, snapshot: String } "{}", render_keys(path, reason, *location, snapshot);
    "vim_not_text" VimNotText { path: String, reason: String } "`{path}` cannot be edited with keys: {reason}";
    "vim_unsupported_target" VimUnsupportedTarget { path: String, reason: String } "`{path}` cannot be edited with keys: {reason}";
    // Patches.
    "missing_diff" MissingDiff { path: String, op: String } "`diff` of an entry for `{path}` must not be empty (op `{op}`)";
    "no_hunks" NoHunks { path: String } "The diff for `{path}` changes nothing: write lines that start with `-` or `+`";
    "multi_file_diff" MultiFileDiff { path: String, count: usize } "The diff for `{path}` names {count} files; make one call for each";
    "patch_parse" PatchParse { path: String, line: usize, reason: String } "Line {line} of the patch for `{path}`: {reason}";
    "context_not_found" ContextNotFound { path: String, context: String } "`{path}` has no line like `{context}`, which a `@@` header names";
    "context_ambiguous" ContextAmbiguous { path: String, context: String, count: usize, places: Vec<Place>, strategy: &'static str }
        "`{path}` has {count} lines like `{context}`, which a `@@` header names; add another `@@` line above it, or context\n{}", render_places(places);
    "lines_not_found" LinesNotFound { path: String, expected: String, closest: Option<Box<Closest>> }
        "`{path}` does not have these lines:\n{expected}{}", render_closest(closest.as_deref());
    "lines_ambiguous" LinesAmbiguous { path: String, count: usize, places: Vec<Place>, strategy: &'static str }
        "The lines of a hunk occur {count} times in `{path}`; add context, or a `@@` line that names what they are in\n{}", render_places(places);
    "overlapping_hunks" OverlappingHunks { path: String, first: [usize; 2], second: [usize; 2] }
        "Two hunks change the same lines of `{path}`: {}-{} and {}-{}", first[0], first[1], second[0], second[1];
    "line_hint_out_of_range" LineHintOutOfRange { path: String, hint: usize, total: usize } "A hunk names line {hint} of `{path}`, which has {total} lines";
    "envelope_missing_begin" EnvelopeMissingBegin { first: String } "The first line of the patch must be `*** Begin Patch`, but is `{first}`";
    "envelope_missing_end" EnvelopeMissingEnd { last: String } "The last line of the patch must be `*** End Patch`, but is `{last}`";
    "empty_patch" EmptyPatch {} "The patch names no file";
    "bad_hunk_header" BadHunkHeader { line: usize, text: String }
        "Line {line} of the patch: expected `*** Add File: PATH`, `*** Update File: PATH` or `*** Delete File: PATH`, got `{text}`";
    "empty_update" EmptyUpdate { line: usize, path: String } "Line {line} of the patch: the update of `{path}` has no hunk";
    // Edit: operations on lines. `line` counts in the section of the file, `text` is what stands there.
    "header_missing" HeaderMissing { text: String } "The input must start with `§` and the path of a file, not with `{text}`";
    "header_empty" HeaderEmpty { text: String } "`{text}` names no file; write `§` and its path";
    "bad_anchor" BadAnchor { path: String, line: usize, text: String }
        "Line {line} of the section for `{path}` has no valid anchor: `{text}`; copy line number and letters as `read` prints them";
    "bad_range" BadRange { path: String, line: usize, text: String }
        "Line {line} of the section for `{path}` is no range: `{text}`; write `≔FIRST..LAST` or `≔LINE`";
    "range_reversed" RangeReversed { path: String, line: usize, text: String }
        "The range in line {line} of the section for `{path}` ends before it starts: `{text}`";
    "range_hash_conflict" RangeHashConflict { path: String, line: usize, text: String }
        "The range in line {line} of the section for `{path}` gives one line two different hashes: `{text}`";
    "missing_payload" MissingPayload { path: String, line: usize }
        "The insertion in line {line} of the section for `{path}` has no text below it";
    "orphan_payload" OrphanPayload { path: String, line: usize, text: String }
        "Line {line} of the section for `{path}` belongs to no operation: `{text}`";
    "unknown_op" UnknownOp { path: String, line: usize, text: String }
        "Line {line} of the section for `{path}` is no operation: `{text}`; operations start with `≔`, `»` or `«`";
    "anchor_out_of_range" AnchorOutOfRange { path: String, line: usize, total: usize } "`{path}` has no line {line}; it has {total}";
    /// Lines are not what they were when they were shown, and where they went is not clear.
    "stale_anchor" StaleAnchor { path: String, mismatches: Vec<Mismatch>, excerpt: String }
        "`{path}` is not what the anchors say: {}. Nothing was changed. The lines now (`*`: does not fit):\n{excerpt}", render_mismatches(mismatches);
    "notebook_bad_json" NotebookBadJson { path: String, reason: String } "`{path}` is not JSON, so that it cannot be edited as a notebook: {reason}";
    "notebook_bad_structure" NotebookBadStructure { path: String, reason: String, cell: Option<usize> } "`{path}` is not a notebook: {reason}{}", at_cell(*cell);
    "notebook_bad_view" NotebookBadView { path: String, reason: String } "The edit would leave `{path}` without proper cells: {reason}";

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
    // Tools with a state of their own.
    "yield_bad_result" YieldBadResult { reason: String } "{reason}; give either `data` or `error`";
    /// The result does not look as the session asks for.
    "yield_schema_mismatch" YieldSchemaMismatch { issues: Vec<Issue>, retries_left: usize }
        "The result does not fit the schema that was asked for: {}. {}", render_issues(issues), render_retries(*retries_left);
    "goal_inactive" GoalInactive { op: String } "`{op}` needs a session that keeps goals, and this one does not";
    "goal_bad_objective" GoalBadObjective { reason: String } "{reason}";
    "goal_exists" GoalExists { objective: String, status: String }
        "`create` would replace a goal that is {status}: {objective}; complete or drop that first";
    "goal_bad_state" GoalBadState { op: String, status: String } "`{op}` does not fit the goal as it is ({status})";
    "goal_op_forbidden" GoalOpForbidden { op: String, reason: String } "`{op}` is not possible here: {reason}";
    "goal_unsupported_arg" GoalUnsupportedArg { argument: String } "`{argument}` is not supported: a goal has no budget of tokens";
    "skill_unknown" SkillUnknown { name: String, known: Vec<String> } "There is no skill `{name}`; there are {}", quote_all(known);
    "skill_bad_name" SkillBadName { name: String } "`{name}` is not the name of a skill; give one name, without wildcards";
    "skill_recursive" SkillRecursive { name: String } "The skill `{name}` is at work already";
    "skill_not_finalized" SkillNotFinalized { active: String, phase: String }
        "The skill `{active}` is still at work (phase `{phase}`); finish it first";

    // The call itself.
    /// The caller's signal fired. Arrives in JavaScript as an `AbortError`. Only a command leaves output behind.
    "aborted" Aborted { output: String } "{}", aborted_text(output);
    /// A fault of ours: a panic, or a state that cannot be.
    "internal" Internal { message: String } "Internal error: {message}";

    // Variants that say more under a code of the table.
    also
    "ambiguous_fuzzy" AmbiguousFuzzyLines { path: String, count: usize, closest: Option<Box<Closest>> }
        "{count} places of `{path}` are about equally like the lines of a hunk; add context around them{}", render_closest(closest.as_deref());
    /// Lines that alone tell the place of a change.
    "no_match" NoMatchingLines { path: String, searched: String, allow_fuzzy: bool, threshold: f64, closest: Option<Box<Closest>> }
        "`{path}` does not have these lines:\n{searched}{}", render_closest(closest.as_deref());
    "ambiguous_match" AmbiguousLines { path: String, count: usize, places: Vec<Place> }
        "These lines occur {count} times in `{path}`; add context around them\n{}", render_places(places);
    /// Only what stands behind the last colon of the path is in the way.
    "path_not_found" PathNotFoundNear { path: String, near: String, selector: String }
        "`{path}` does not exist; `{near}` does, but `:{selector}` is not a selector: write `:50-100`, `:50+20`, `:50`, `:5,9` or `:raw`";
    /// Operations on lines, named by the lines of the input on which they stand.
    "overlapping_ops" OverlappingLines { path: String, first: usize, second: usize }
        "The operations in lines {first} and {second} of the section for `{path}` change the same lines";
    /// Several paths could be meant.
    "path_not_found" PathNotFoundAmong { path: String, candidates: Vec<String>, more: bool }
        "`{path}` does not exist, and which of these is meant is not clear: {}{}", quote_all(candidates), if *more { " and others" } else { "" };
}

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, ToolError>;

impl ToolError {
    /// What a model is told. Of a text that it gave itself, and that is too long to be told again, the middle is left out.
    #[must_use]
    pub fn message(&self) -> String {
        const MOST: usize = 16 * 1024;
        let text = self.to_string();
        if text.len() <= MOST {
            return text;
        }
        let head = floor_char_boundary(&text, MOST / 2);
        let tail = ceil_char_boundary(&text, text.len() - MOST / 2);
        format!("{} … ({} bytes) … {}", &text[..head], tail - head, &text[tail..])
    }

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

    /// The failure of one of `count` entries, because of which none was made; of a single one the failure itself.
    #[must_use]
    pub fn in_entry(self, entry: usize, count: usize) -> Self {
        if count < 2 || matches!(self, Self::InEntry { .. } | Self::Aborted { .. }) {
            return self;
        }
        let state = |at| EntryState { ok: false, applied: false, code: (at == entry).then(|| self.code()) };
        let entries = (0..count).map(state).collect();
        Self::InEntry { entries, cause: Box::new(self) }
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

/// The fields of a cause among those of the error that holds it.
#[expect(clippy::borrowed_box, reason = "serde's signature")]
fn as_fields<S: serde::Serializer>(
    cause: &Box<ToolError>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    cause.fields().serialize(serializer)
}

/// The lines named in an error about `count` places.
fn render_lines(lines: &[usize], count: usize) -> String {
    let named = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let more = if lines.len() < count { ", …" } else { "" };
    format!("lines {named}{more}")
}

fn render_tolerance(allow_fuzzy: bool, threshold: f64, closest: Option<&Closest>) -> &'static str {
    match closest {
        _ if !allow_fuzzy => "; only an exact match counts",
        Some(closest) if closest.similarity >= threshold => {
            ", and what is most like it has other operators or is too different in one line"
        }
        _ => ", and nothing is like it enough",
    }
}

fn render_closest(closest: Option<&Closest>) -> String {
    let render = |closest: &Closest| {
        let Closest { line, similarity, differs_at, expected, actual } = closest;
        // Rounded down: what is not equal is never told as 100 %.
        let percent = (similarity * 100.0).floor();
        format!(
            ". The closest place ({percent} % alike) starts at line {line} and differs at line {differs_at}:\n  searched: {expected}\n  in file:  {actual}"
        )
    };
    closest.map(render).unwrap_or_default()
}

fn render_keys(path: &str, reason: &str, location: Option<KeyLocation>, snapshot: &str) -> String {
    let at = location.map(|KeyLocation { step, sequence, offset }| {
        format!(" (`steps[{step}].kbd[{sequence}]`, offset {offset})")
    });
    let at = at.unwrap_or_default();
    format!("`{path}`: {reason}{at}. Nothing of this call was kept.\n\n{snapshot}")
}

fn render_places(places: &[Place]) -> String {
    places.iter().map(|place| place.preview.as_str()).collect::<Vec<_>>().join("\n…\n")
}

fn render_mismatches(mismatches: &[Mismatch]) -> String {
    /// More are only in the fields.
    const TOLD: usize = 20;
    let render = |Mismatch { line, expected, actual, moved_to }: &Mismatch| {
        let moved =
            moved_to.as_ref().map(|anchor| format!(" (it may be `{anchor}` now)")).unwrap_or_default();
        if expected == actual {
            format!("line {line} is another `{expected}` than the one that was shown{moved}")
        } else {
            format!("line {line} is `{line}{actual}`, not `{line}{expected}`{moved}")
        }
    };
    let mut told: Vec<String> = mismatches.iter().take(TOLD).map(render).collect();
    if mismatches.len() > TOLD {
        told.push(format!("{} more", mismatches.len() - TOLD));
    }
    told.join("; ")
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

fn render_languages(languages: &[String], globs: &[String]) -> String {
    if languages.is_empty() {
        return "The paths lead to no file of a known language".to_owned();
    }
    format!(
        "The paths lead to files of several languages ({}); name those of one, such as `{}`",
        languages.join(", "),
        globs.join("` or `")
    )
}

fn quote_all(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn render_retries(left: usize) -> &'static str {
    if left == 0 {
        "The next result that does not fit ends the task without one"
    } else {
        "Correct it and submit it again"
    }
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

fn at_cell(cell: Option<usize>) -> String {
    cell.map(|cell| format!(" (cell {cell})")).unwrap_or_default()
}

fn at_path(path: Option<&str>) -> String {
    path.map(|path| format!(" (`{path}`)")).unwrap_or_default()
}
