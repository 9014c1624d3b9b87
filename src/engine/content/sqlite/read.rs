//! What an address of a database shows.

use std::path::Path;
use std::time::Duration;

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::json;

use super::address::Asked;
use super::database::{Database, code, message};
use super::key::Key;
use super::layout::{lay_out, wrap};
use super::parameters::{MAX_ROWS, Parameters, ROWS, decoded};
use super::schema::{Table, quoted, tables};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::outcome::Notice;
use crate::engine::text::{floor_char_boundary, format_bytes};

/// How long one statement may take.
pub(super) const TIME: Duration = Duration::from_secs(5);
/// How long the rows of all tables are counted, or those behind a page.
const COUNT_TIME: Duration = Duration::from_secs(2);
const SAMPLES: u64 = 5;
const MOST_TABLES: usize = 500;
/// Rows of a query.
const QUERY_ROWS: usize = 1000;
/// Bytes of a cell that are laid out; a column is narrower than that.
const CELL: usize = 256;
/// Bytes of a value where a row stands alone.
const VALUE: usize = 16 * 1024;
/// Bytes of a BLOB that are shown there.
const BYTES: usize = 64;

/// A text and what it says beside the rows. Every notice stands in the text.
#[derive(Debug, Default)]
pub struct Shown {
    /// For the model.
    pub text: String,
    /// Its notices.
    pub notices: Vec<Notice>,
}

impl Shown {
    fn say(&mut self, notice: Notice) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&notice.text);
        self.notices.push(notice);
    }
}

/// Shows what `rest`, the part of an address behind the path of a database, asks for. `shown` is the path as the
/// caller wrote it.
pub fn read(path: &Path, shown: &str, rest: &str, cancel: &CancelToken) -> Result<Shown> {
    let mut database = Database::open_to_read(path, shown, cancel)?;
    let all = tables(&database)?;
    match Asked::read(rest, &all) {
        Asked::Tables => list(&database, &all),
        Asked::Table(name) => {
            let table = Table::find(&database, name)?;
            database.refuse_changes()?;
            describe(&database, &table)
        }
        Asked::Row(name, key) => {
            let table = Table::find(&database, name)?;
            database.refuse_changes()?;
            row(&database, &table, key)
        }
        Asked::Rows(name, parameters) => {
            let table = Table::find(&database, name)?;
            let parameters = Parameters::read(parameters, &table, &database)?;
            database.refuse_changes()?;
            rows(&database, &table, &parameters)
        }
        Asked::Parameters(text) => match text.strip_prefix("q=") {
            Some(text) => {
                database.refuse_changes()?;
                query(&database, &decoded(text))
            }
            None => Err(ToolError::SqliteBadSelector {
                path: shown.to_owned(),
                reason: format!(
                    "`?{text}` needs a table: `:table?limit=20`; only `?q=SELECT …` stands alone"
                ),
            }),
        },
    }
}

fn list(database: &Database, all: &[(String, bool)]) -> Result<Shown> {
    let mut shown = Shown::default();
    if all.is_empty() {
        shown.text.push_str("(no tables)");
        return Ok(shown);
    }
    database.within(COUNT_TIME);
    let mut lines = Vec::new();
    for (name, is_view) in all.iter().take(MOST_TABLES) {
        lines.push(if *is_view { format!("{name} (view)") } else { counted(database, name)? });
    }
    shown.text = lines.join("\n");
    if all.len() > MOST_TABLES {
        let text = format!(
            "[{MOST_TABLES} of {} tables shown. Read {}?q=SELECT name FROM sqlite_schema for all names]",
            all.len(),
            database.shown
        );
        let facts = json!({"reached": MOST_TABLES, "suggestion": 2 * MOST_TABLES, "total": all.len()});
        shown.say(Notice::new("result_limit", text, facts));
    }
    Ok(shown)
}

fn counted(database: &Database, name: &str) -> Result<String> {
    let sql = format!("SELECT count(*) FROM {}", quoted(name));
    match database.connection.query_row(&sql, [], |row| row.get::<_, i64>(0)) {
        Ok(count) => Ok(format!("{name} ({count} rows)")),
        Err(error) => match database.error(error) {
            aborted @ ToolError::Aborted { .. } => Err(aborted),
            // A table too large to count, or one of a module that is not here.
            _ => Ok(format!("{name} (rows not counted)")),
        },
    }
}

fn describe(database: &Database, table: &Table) -> Result<Shown> {
    let parameters = Parameters { limit: SAMPLES, is_sample: true, ..Parameters::default() };
    let samples = rows(database, table, &parameters)?;
    let text = format!("{}\n\nSample rows:\n{}", wrap(&table.sql), samples.text);
    Ok(Shown { text, notices: samples.notices })
}

fn rows(database: &Database, table: &Table, parameters: &Parameters) -> Result<Shown> {
    let Parameters { limit, offset, order, condition, .. } = parameters;
    let name = quoted(&table.name);
    let sql = format!("SELECT * FROM {name}{condition}{order} LIMIT {} OFFSET {offset}", limit + 1);
    let most = usize::try_from(*limit).unwrap_or(usize::MAX);
    let mut page = Page::read(database, &sql, most, |error| match error {
        Refusal::Syntax(reason) | Refusal::Denied(reason) if !condition.is_empty() => {
            Some(ToolError::SqliteBadWhere { condition: condition.trim().to_owned(), reason })
        }
        _ => None,
    })?;
    if page.more {
        database.within(COUNT_TIME);
        let count = format!("SELECT count(*) FROM {name}{condition}");
        let seen = offset + limit;
        let total = match database.connection.query_row(&count, [], |row| row.get::<_, i64>(0)) {
            Ok(total) => u64::try_from(total).ok(),
            Err(error) => match database.error(error) {
                aborted @ ToolError::Aborted { .. } => return Err(aborted),
                _ => None,
            },
        };
        let remaining = total.map(|total| total.saturating_sub(seen).max(1));
        page.shown.say(more_rows(database, table, parameters, remaining, seen));
    }
    if let Some(asked) = parameters.too_many {
        let text = format!("[limit={asked} is above the most rows at once, {MAX_ROWS}]");
        page.shown.say(Notice::new("limit_capped", text, json!({"requested": asked, "limit": MAX_ROWS})));
    }
    Ok(page.shown)
}

fn more_rows(
    database: &Database,
    table: &Table,
    parameters: &Parameters,
    remaining: Option<u64>,
    next: u64,
) -> Notice {
    // A sample is followed by pages of the usual size.
    let limit = if parameters.is_sample { ROWS } else { parameters.limit };
    let count = remaining.map_or_else(|| "More".to_owned(), |remaining| format!("{remaining} more"));
    let text = format!(
        "[{count} rows. Read {}:{}?limit={limit}&offset={next}{} to go on]",
        database.shown, table.name, parameters.written
    );
    let facts = json!({"remaining": remaining, "table": table.name, "limit": limit, "next_offset": next});
    Notice::new("more_rows", text, facts)
}

fn row(database: &Database, table: &Table, key_text: &str) -> Result<Shown> {
    let key = Key::read(table, key_text, 1)?;
    let sql = format!("SELECT * FROM {} WHERE {} LIMIT 1", quoted(&table.name), key.condition);
    let fail = |error| database.error(error);
    let mut statement = database.connection.prepare(&sql).map_err(fail)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query(rusqlite::params_from_iter(key.values)).map_err(fail)?;
    let mut shown = Shown::default();
    let Some(row) = found.next().map_err(fail)? else {
        let text = format!("Table {} has no row with the key {key_text}.", table.name);
        shown.say(Notice::new("row_not_found", text, json!({"table": table.name, "key": key_text})));
        return Ok(shown);
    };
    let mut cut = Vec::new();
    let mut lines = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let value = row.get_ref(index).map_err(fail)?;
        lines.push(format!("{name}: {}", whole(value, || cut.push((name.clone(), size(value))))));
    }
    shown.text = lines.join("\n");
    for (name, size) in cut {
        let (size, part) = (format_bytes(size as u64), format_bytes(VALUE as u64));
        let text = format!(
            "[{name} has {size}, its start is shown. Read {}?q=SELECT substr({}, 1, 16000) FROM … for more of it]",
            database.shown,
            quoted(&name)
        );
        shown.say(Notice::new("value_cut", text, json!({"column": name, "size": size, "shown": part})));
    }
    Ok(shown)
}

fn query(database: &Database, sql: &str) -> Result<Shown> {
    let refuse =
        |reason: &str| ToolError::SqliteBadQuery { query: sql.to_owned(), reason: reason.to_owned() };
    let first = sql.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    if !["select", "with", "values", "explain"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
        return Err(refuse("only a SELECT is run"));
    }
    let mut page = Page::read(database, sql, QUERY_ROWS, |error| match error {
        Refusal::Several => Some(refuse("only one statement is run")),
        Refusal::Parameters => Some(refuse("parameters have no value here")),
        Refusal::Denied(reason) => Some(refuse(&reason)),
        Refusal::Syntax(_) => None,
    })?;
    if page.more {
        let text =
            format!("[The first {QUERY_ROWS} rows are shown; more follow. Use LIMIT and OFFSET for others]");
        page.shown.say(Notice::new("sql_rows_capped", text, json!({"rows": QUERY_ROWS})));
    }
    Ok(page.shown)
}

/// Why a statement is not run.
enum Refusal {
    Several,
    Parameters,
    Denied(String),
    Syntax(String),
}

/// Rows as a table.
struct Page {
    shown: Shown,
    /// There are more rows than were to be shown.
    more: bool,
}

impl Page {
    /// Runs a statement. `explain` gives a refusal its own error.
    fn read(
        database: &Database,
        sql: &str,
        most: usize,
        explain: impl Fn(Refusal) -> Option<ToolError>,
    ) -> Result<Self> {
        database.within(TIME);
        let explained = |error: rusqlite::Error| {
            let refusal = match &error {
                rusqlite::Error::MultipleStatement => Some(Refusal::Several),
                _ => match code(&error) {
                    Some(
                        rusqlite::ErrorCode::AuthorizationForStatementDenied | rusqlite::ErrorCode::ReadOnly,
                    ) => Some(Refusal::Denied(message(&error))),
                    // A function that is not let through has no code of its own.
                    Some(rusqlite::ErrorCode::Unknown) if message(&error).starts_with("not authorized") => {
                        Some(Refusal::Denied(message(&error)))
                    }
                    Some(rusqlite::ErrorCode::Unknown) => Some(Refusal::Syntax(message(&error))),
                    _ => None,
                },
            };
            refusal.and_then(&explain).unwrap_or_else(|| database.error(error))
        };
        let mut statement = database.connection.prepare(sql).map_err(&explained)?;
        if statement.parameter_count() > 0
            && let Some(error) = explain(Refusal::Parameters)
        {
            return Err(error);
        }
        let header: Vec<String> = statement.column_names().map(one_line).collect();
        let mut found = statement.query([]).map_err(&explained)?;
        let (mut rows, mut more) = (Vec::new(), false);
        while let Some(row) = found.next().map_err(&explained)? {
            if rows.len() == most {
                more = true;
                break;
            }
            rows.push(cells(row, header.len()).map_err(&explained)?);
        }
        let layout = lay_out(&header, &rows);
        let mut shown = Shown { text: layout.text, notices: Vec::new() };
        if layout.left_out > 0 {
            let named = header[header.len() - layout.left_out..].join(", ");
            let text = format!("[{} columns found no room: {named}]", layout.left_out);
            shown.say(Notice::new(
                "columns_left_out",
                text,
                json!({"count": layout.left_out, "total": header.len()}),
            ));
        }
        Ok(Self { shown, more })
    }
}

fn cells(row: &Row<'_>, count: usize) -> rusqlite::Result<Vec<String>> {
    (0..count).map(|index| row.get_ref(index).map(cell)).collect()
}

/// A value in one line.
fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Text(bytes) => one_line(&String::from_utf8_lossy(&bytes[..bytes.len().min(CELL)])),
        other => plain(other),
    }
}

/// A value as it is, its start where it is large.
fn whole(value: ValueRef<'_>, cut: impl FnOnce()) -> String {
    match value {
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(VALUE + 4)]);
            if bytes.len() <= VALUE {
                return text.into_owned();
            }
            cut();
            format!("{}…", &text[..floor_char_boundary(&text, VALUE)])
        }
        ValueRef::Blob(bytes) if !bytes.is_empty() => {
            let hex = bytes.iter().take(BYTES).fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
            let more = if bytes.len() > BYTES { "…" } else { "" };
            format!("{} x'{hex}{more}'", plain(value))
        }
        other => plain(other),
    }
}

fn plain(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => real(number),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Blob(bytes) => format!("<BLOB {}B>", bytes.len()),
    }
}

/// The shortest form that reads back as the same number.
fn real(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) { format!("{number:e}") } else { number.to_string() }
}

fn size(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
        _ => 0,
    }
}

/// A text without line breaks; a tab takes the room of three blanks.
fn one_line(text: &str) -> String {
    text.replace('\t', "   ").chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
