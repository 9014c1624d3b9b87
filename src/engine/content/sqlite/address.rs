//! What stands behind the path of a database: `:table`, `:table:key`, `:table?parameters`, `?q=…`.

/// What an address asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked<'a> {
    /// The tables.
    Tables,
    /// A table, by what is taken for its name.
    Table(&'a str),
    /// One row.
    Row(&'a str, &'a str),
    /// Some rows.
    Rows(&'a str, &'a str),
    /// Parameters without a table.
    Parameters(&'a str),
}

impl<'a> Asked<'a> {
    /// Reads an address. A table may have any name, so the longest one that fits is meant.
    pub(super) fn read(rest: &'a str, tables: &[(String, bool)]) -> Self {
        if let Some(parameters) = rest.strip_prefix('?') {
            return Self::Parameters(parameters);
        }
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        if rest.is_empty() {
            return Self::Tables;
        }
        if let Some(parameters) = rest.strip_prefix('?') {
            return Self::Parameters(parameters);
        }
        let ends = rest.char_indices().filter(|(_, c)| matches!(c, ':' | '?')).map(|(at, _)| at);
        let mut ends: Vec<usize> = ends.chain([rest.len()]).collect();
        let first = ends[0];
        ends.reverse();
        let is_table =
            |end: &usize| tables.iter().any(|(table, _)| table.eq_ignore_ascii_case(&rest[..*end]));
        // Names hold few of these; a key or a condition may hold many.
        let end = ends.into_iter().find(is_table).unwrap_or(first);
        let (table, tail) = rest.split_at(end);
        match tail.chars().next() {
            Some(':') if tail.len() > 1 => Self::Row(table, &tail[1..]),
            Some('?') => Self::Rows(table, &tail[1..]),
            _ => Self::Table(table),
        }
    }
}
