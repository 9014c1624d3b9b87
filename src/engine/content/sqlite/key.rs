//! From the key of an address to the row it means.

use rusqlite::types::Value;

use super::row::Scalar;
use super::schema::{Column, Table, quoted};
use crate::engine::error::{Result, ToolError};

/// The condition that one row meets, and its values.
pub(super) struct Key {
    pub(super) condition: String,
    pub(super) values: Vec<Value>,
}

impl Key {
    /// Reads a key: of the primary key's one column, of its columns in order (`1,b` or `[1, "b"]`), or the rowid.
    /// Parameters are numbered from `first`.
    pub(super) fn read(table: &Table, key: &str, first: usize) -> Result<Self> {
        let mut columns: Vec<&Column> = table.columns.iter().filter(|column| column.key > 0).collect();
        columns.sort_by_key(|column| column.key);
        let (names, values) = match columns.as_slice() {
            [] => (vec![rowid(table)?], vec![integer(table, key)?]),
            [column] => (vec![column.name.as_str()], vec![value(table, column, key)?]),
            several => {
                let parts = parts(key).filter(|parts| parts.len() == several.len());
                let parts = parts.ok_or_else(|| ToolError::SqliteCompositeKey {
                    table: table.name.clone(),
                    key: key.to_owned(),
                    columns: several.iter().map(|column| column.name.clone()).collect(),
                })?;
                let values = several.iter().zip(&parts).map(|(column, part)| value(table, column, part));
                (several.iter().map(|column| column.name.as_str()).collect(), values.collect::<Result<_>>()?)
            }
        };
        let condition = names.iter().zip(first..).map(|(name, index)| format!("{} = ?{index}", quoted(name)));
        Ok(Self { condition: condition.collect::<Vec<_>>().join(" AND "), values })
    }
}

/// The name by which the hidden key of a table can be reached.
fn rowid(table: &Table) -> Result<&'static str> {
    let free = ["rowid", "_rowid_", "oid"].into_iter().find(|name| table.column(name).is_none());
    free.filter(|_| !table.is_view).ok_or_else(|| ToolError::SqliteNoRowid { table: table.name.clone() })
}

fn parts(key: &str) -> Option<Vec<String>> {
    if !key.starts_with('[') {
        return Some(key.split(',').map(str::to_owned).collect());
    }
    let parts: Vec<Scalar> = json5::from_str(key).ok()?;
    parts.into_iter().map(Scalar::key).collect()
}

/// A key as its column holds it.
fn value(table: &Table, column: &Column, key: &str) -> Result<Value> {
    let declared = column.declared.to_ascii_uppercase();
    if declared.contains("INT") {
        return integer(table, key);
    }
    // Columns without a type compare as they are; others turn a text into what they hold.
    if declared.is_empty()
        && let Ok(number) = key.parse()
    {
        return Ok(Value::Integer(number));
    }
    if declared.is_empty() || declared.contains("BLOB") {
        let hex =
            key.strip_prefix("x'").or_else(|| key.strip_prefix("X'")).and_then(|key| key.strip_suffix('\''));
        if let Some(bytes) = hex.and_then(bytes) {
            return Ok(Value::Blob(bytes));
        }
    }
    Ok(Value::Text(key.to_owned()))
}

fn integer(table: &Table, key: &str) -> Result<Value> {
    key.parse().map(Value::Integer).map_err(|_| ToolError::SqliteBadKey {
        table: table.name.clone(),
        key: key.to_owned(),
        reason: "the key is a whole number".into(),
    })
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            std::str::from_utf8(pair)
                .ok()
                .filter(|pair| pair.len() == 2)
                .and_then(|pair| u8::from_str_radix(pair, 16).ok())
        })
        .collect()
}
