//! `limit=20&offset=40&order=name:desc&where=age>5`.

use super::condition;
use super::database::Database;
use super::schema::{Table, quoted};
use crate::engine::error::{Result, ToolError};

/// Rows that are shown unless something else is asked for.
pub(super) const ROWS: u64 = 20;
/// Rows that are shown at most.
pub(super) const MAX_ROWS: u64 = 500;

/// Which rows of a table are meant.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    pub(super) limit: u64,
    /// What was asked for, where it is above [`MAX_ROWS`].
    pub(super) too_many: Option<u64>,
    pub(super) offset: u64,
    /// Nobody asked for these rows in particular.
    pub(super) is_sample: bool,
    /// ` ORDER BY …`, or nothing.
    pub(super) order: String,
    /// ` WHERE (…)`, or nothing.
    pub(super) condition: String,
    /// Order and condition as they were written, for the address of the next rows.
    pub(super) written: String,
}

impl Parameters {
    /// Reads the parameters of an address.
    pub(super) fn read(text: &str, table: &Table, database: &Database) -> Result<Self> {
        let mut parameters = Self { limit: ROWS, ..Self::default() };
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let value = decoded(value);
            match name {
                "limit" => {
                    let limit = number(name, &value, 1)?;
                    parameters.too_many = (limit > MAX_ROWS).then_some(limit);
                    parameters.limit = limit.min(MAX_ROWS);
                }
                "offset" => parameters.offset = number(name, &value, 0)?,
                "order" => parameters.order = order(&value, table)?,
                "where" => parameters.condition = format!(" WHERE ({})", condition::checked(&value)?),
                "q" => {
                    let reason =
                        "a query names its tables itself: write it directly behind the path".to_owned();
                    return Err(ToolError::SqliteBadQuery { query: value, reason });
                }
                _ => {
                    let reason = format!(
                        "`{name}` is no parameter; there are `limit`, `offset`, `order` and `where` (a `&` within a value is written `%26`)"
                    );
                    return Err(ToolError::SqliteBadSelector { path: database.shown.clone(), reason });
                }
            }
            if matches!(name, "order" | "where") {
                parameters.written = format!("{}&{part}", parameters.written);
            }
        }
        Ok(parameters)
    }
}

fn number(name: &str, value: &str, least: u64) -> Result<u64> {
    let number =
        value.parse::<u64>().ok().filter(|number| *number >= least && i64::try_from(*number).is_ok());
    number.ok_or_else(|| ToolError::SqliteBadParam {
        name: name.to_owned(),
        value: value.to_owned(),
        reason: format!("expected a whole number from {least}"),
    })
}

fn order(value: &str, table: &Table) -> Result<String> {
    let (name, direction) = match value.rsplit_once(':') {
        Some((name, direction)) if direction.eq_ignore_ascii_case("desc") => (name, " DESC"),
        Some((name, direction)) if direction.eq_ignore_ascii_case("asc") => (name, ""),
        _ => (value, ""),
    };
    let column =
        table.column(name).or_else(|| table.column(value)).ok_or_else(|| ToolError::SqliteBadOrder {
            table: table.name.clone(),
            order: value.to_owned(),
            columns: table.column_names(),
        })?;
    Ok(format!(" ORDER BY {}{direction}", quoted(&column.name)))
}

/// A value without its percent signs. With a blank in it nobody encoded it: `LIKE '%20%'` means what it says.
pub(super) fn decoded(value: &str) -> String {
    if value.contains(' ') {
        return value.to_owned();
    }
    let (source, mut bytes, mut at) = (value.as_bytes(), Vec::with_capacity(value.len()), 0);
    while at < source.len() {
        let digits = source.get(at + 1..at + 3).filter(|_| source[at] == b'%');
        let byte = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(source[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| value.to_owned())
}
