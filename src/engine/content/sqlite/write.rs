//! Changing single rows.

use std::path::Path;

use rusqlite::types::Value;

use super::address::Asked;
use super::database::Database;
use super::key::Key;
use super::row::Content;
use super::schema::{Table, quoted, tables};
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The table by its own name.
    pub table: String,
    /// The key that was asked for; that of a new row where it has a number.
    pub key: Option<String>,
    /// What happened.
    pub changed: Changed,
}

/// What happened to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is new.
    Inserted,
    /// It has other values.
    Updated,
    /// It is gone.
    Deleted,
    /// There is none of that key, and nothing was done.
    Missing,
}

/// Writes a row: a new one into `:table`, other values for `:table:key`, or nothing in its place with the marker
/// `{"$delete": true}`. `address` is the whole text of the caller.
pub fn write(path: &Path, address: &str, rest: &str, content: &str, cancel: &CancelToken) -> Result<Change> {
    let bad_target =
        |reason: &str| ToolError::SqliteBadTarget { path: address.to_owned(), reason: reason.to_owned() };
    let database = Database::open_to_write(path, address, cancel)?;
    let (name, key) = match Asked::read(rest, &tables(&database)?) {
        Asked::Table(name) => (name, None),
        Asked::Row(name, key) => (name, Some(key)),
        Asked::Tables => return Err(bad_target("it names no table")),
        Asked::Rows(..) | Asked::Parameters(_) => {
            return Err(bad_target("a row is written by its key, without parameters"));
        }
    };
    let table = Table::find(&database, name)?;
    if table.is_view {
        return Err(bad_target("a view has no rows of its own"));
    }
    if key.is_none() && content.trim().is_empty() {
        return Err(bad_target("it names no row, and without content there is nothing to insert"));
    }
    let bad_content = |reason| ToolError::SqliteBadContent { path: address.to_owned(), reason };
    let content = Content::read(content).map_err(bad_content)?;
    match (key, content) {
        (None, Content::Delete) => Err(bad_target("it names no row to delete")),
        (None, Content::Values(values)) => insert(&database, table, values),
        (Some(key), Content::Values(values)) => {
            let (columns, mut bound) = columns(&table, values)?;
            let set: Vec<String> =
                columns.iter().zip(1..).map(|(name, index)| format!("{name} = ?{index}")).collect();
            let found = Key::read(&table, key, columns.len() + 1)?;
            bound.extend(found.values);
            let sql =
                format!("UPDATE {} SET {} WHERE {}", quoted(&table.name), set.join(", "), found.condition);
            change(&database, table, key, &sql, bound, Changed::Updated)
        }
        (Some(key), Content::Delete) => {
            let found = Key::read(&table, key, 1)?;
            let sql = format!("DELETE FROM {} WHERE {}", quoted(&table.name), found.condition);
            change(&database, table, key, &sql, found.values, Changed::Deleted)
        }
    }
}

fn insert(database: &Database, table: Table, values: Vec<(String, Value)>) -> Result<Change> {
    let (columns, bound) = columns(&table, values)?;
    let marks: Vec<String> = (1..=columns.len()).map(|index| format!("?{index}")).collect();
    let sql =
        format!("INSERT INTO {} ({}) VALUES ({})", quoted(&table.name), columns.join(", "), marks.join(", "));
    let before = database.connection.last_insert_rowid();
    database
        .connection
        .execute(&sql, rusqlite::params_from_iter(bound))
        .map_err(|error| database.error(error))?;
    let row = database.connection.last_insert_rowid();
    // Only where the number of the row is also the key that an address takes.
    let keys: Vec<_> = table.columns.iter().filter(|column| column.key > 0).collect();
    let is_key = match keys.as_slice() {
        [] => true,
        [column] => column.declared.eq_ignore_ascii_case("integer"),
        _ => false,
    };
    let key = (is_key && row != before).then(|| row.to_string());
    Ok(Change { table: table.name, key, changed: Changed::Inserted })
}

/// Runs a change of one row, all of it or nothing.
fn change(
    database: &Database,
    table: Table,
    key: &str,
    sql: &str,
    bound: Vec<Value>,
    done: Changed,
) -> Result<Change> {
    let fail = |error| database.error(error);
    let transaction =
        rusqlite::Transaction::new_unchecked(&database.connection, rusqlite::TransactionBehavior::Immediate)
            .map_err(fail)?;
    let rows = transaction.execute(sql, rusqlite::params_from_iter(bound)).map_err(fail)?;
    if rows > 1 {
        let reason = format!("{rows} rows have it");
        return Err(ToolError::SqliteBadKey { table: table.name, key: key.to_owned(), reason });
    }
    transaction.commit().map_err(fail)?;
    let changed = if rows == 0 { Changed::Missing } else { done };
    Ok(Change { table: table.name, key: Some(key.to_owned()), changed })
}

/// Names of columns as SQL takes them, and their values.
fn columns(table: &Table, values: Vec<(String, Value)>) -> Result<(Vec<String>, Vec<Value>)> {
    let mut names = Vec::with_capacity(values.len());
    let mut bound = Vec::with_capacity(values.len());
    for (name, value) in values {
        let column = table.column(&name).ok_or_else(|| ToolError::SqliteUnknownColumn {
            table: table.name.clone(),
            column: name.clone(),
            columns: table.column_names(),
        })?;
        names.push(quoted(&column.name));
        bound.push(value);
    }
    Ok((names, bound))
}
