//! The row of a `write`: an object of plain values, in the forgiving form of JSON that people and models write.

use std::fmt;

use rusqlite::types::Value;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// The marker that deletes a row.
const DELETE: &str = "$delete";

/// What a `write` makes of a row.
#[derive(Debug)]
pub(super) enum Content {
    /// Columns and their values, at least one.
    Values(Vec<(String, Value)>),
    /// The row goes.
    Delete,
}

impl Content {
    /// Reads the content; the reason where it is no row.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("it is empty; a row is deleted with {\"$delete\": true}, never by being blank".into());
        }
        let Row(columns) = json5::from_str(text).map_err(|error| error.to_string())?;
        if columns.is_empty() {
            return Err("it names no column".into());
        }
        let marker = columns.iter().find(|(name, _)| name == DELETE);
        match (marker, columns.len()) {
            (Some((_, Scalar::Bool(true))), 1) => return Ok(Self::Delete),
            (Some(_), _) => return Err("a row is deleted with {\"$delete\": true} and nothing else".into()),
            (None, _) => {}
        }
        let value = |(name, scalar): (String, Scalar)| scalar.value().map(|value| (name, value));
        columns.into_iter().map(value).collect::<Result<_, _>>().map(Self::Values)
    }
}

struct Row(Vec<(String, Scalar)>);

/// A value without parts.
#[derive(Debug)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Scalar {
    fn value(self) -> Result<Value, String> {
        match self {
            Self::Null => Ok(Value::Null),
            Self::Bool(value) => Ok(Value::Integer(value.into())),
            Self::Integer(value) => Ok(Value::Integer(value)),
            Self::Real(value) if value.is_nan() => Err("a column cannot hold NaN".into()),
            Self::Real(value) => Ok(Value::Real(value)),
            Self::Text(value) => Ok(Value::Text(value)),
        }
    }

    /// As part of a key.
    pub(super) fn key(self) -> Option<String> {
        match self {
            Self::Null | Self::Bool(_) => None,
            Self::Integer(value) => Some(value.to_string()),
            Self::Real(value) => Some(value.to_string()),
            Self::Text(value) => Some(value),
        }
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object of columns and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
        let mut columns: Vec<(String, Scalar)> = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Scalar>()? {
            if columns.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                return Err(A::Error::custom(format_args!("column `{name}` is given twice")));
            }
            columns.push((name, value));
        }
        Ok(Row(columns))
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a text, a number, true, false or null")
    }

    fn visit_unit<E: Error>(self) -> Result<Scalar, E> {
        Ok(Scalar::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Scalar, E> {
        i64::try_from(value)
            .map(Scalar::Integer)
            .map_err(|_| E::custom("a whole number is too large for a column"))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Scalar, E> {
        let is_finite = value.is_finite().then_some(Scalar::Real(value));
        is_finite.ok_or_else(|| E::custom("a number is too large for a column, or is none"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.to_owned()))
    }
}
