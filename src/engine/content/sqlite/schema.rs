//! Tables, views and their columns.

use super::database::Database;
use crate::engine::error::{Result, ToolError};

/// Names that an error lists.
const NAMED: usize = 20;

/// A table or view.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) is_view: bool,
    /// The statement that made it.
    pub(super) sql: String,
    pub(super) columns: Vec<Column>,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Its type as it was declared.
    pub(super) declared: String,
    /// Its place in the primary key, from 1; 0 if it is not part of it.
    pub(super) key: i64,
}

/// Name, and whether it is a view, of everything that has rows, ordered by name.
pub(super) fn tables(database: &Database) -> Result<Vec<(String, bool)>> {
    let sql = "SELECT name, type = 'view' FROM sqlite_schema WHERE type IN ('table', 'view') \
               AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    let fail = |error| database.error(error);
    let mut statement = database.connection.prepare(sql).map_err(fail)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(fail)?;
    rows.collect::<rusqlite::Result<_>>().map_err(fail)
}

impl Table {
    /// The table of a name, which need not have the same case.
    pub(super) fn find(database: &Database, name: &str) -> Result<Self> {
        let all = tables(database)?;
        let exact = all.iter().find(|(table, _)| table == name);
        let Some((name, is_view)) =
            exact.or_else(|| all.iter().find(|(table, _)| table.eq_ignore_ascii_case(name)))
        else {
            return Err(ToolError::SqliteTableNotFound {
                path: database.shown.clone(),
                table: name.to_owned(),
                tables: all.into_iter().take(NAMED).map(|(table, _)| table).collect(),
            });
        };
        let fail = |error| database.error(error);
        let sql = database
            .connection
            .query_row(
                "SELECT sql FROM sqlite_schema WHERE name = ?1 AND type IN ('table', 'view')",
                [name],
                |row| row.get::<_, Option<String>>(0),
            )
            .map_err(fail)?
            .unwrap_or_default();
        let mut statement = database
            .connection
            .prepare("SELECT name, type, pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid")
            .map_err(fail)?;
        let columns = statement
            .query_map([name], |row| {
                Ok(Column { name: row.get(0)?, declared: row.get(1)?, key: row.get(2)? })
            })
            .and_then(Iterator::collect)
            .map_err(fail)?;
        Ok(Self { name: name.clone(), is_view: *is_view, sql, columns })
    }

    /// The column of a name, which need not have the same case.
    pub(super) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// The names of all columns.
    pub(super) fn column_names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }
}

/// A name as SQL takes it, whatever is in it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
