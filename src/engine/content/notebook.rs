//! Jupyter notebooks as text: each cell under a header line that names its type and its place. Outputs are left out.
//! `edit` changes the text that `read` shows, so the form of the header line is here for both.

use serde::Deserialize;
use serde::de::{SeqAccess, Visitor};

use crate::engine::text::BOM;

#[derive(Deserialize)]
struct Notebook {
    cells: Vec<Cell>,
}

/// Outputs and the like are passed over without being built.
#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "cell_type")]
    kind: CellType,
    #[serde(default)]
    source: Source,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum CellType {
    Markdown,
    Code,
    Raw,
}

impl CellType {
    fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Code => "code",
            Self::Raw => "raw",
        }
    }
}

/// One text, or its lines with their line ends.
#[derive(Default)]
struct Source(String);

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SourceVisitor).map(Self)
    }
}

struct SourceVisitor;

impl<'de> Visitor<'de> for SourceVisitor {
    type Value = String;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("the source of a cell as a text or a list of texts")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<String, A::Error> {
        let mut text = String::new();
        while let Some(line) = lines.next_element::<std::borrow::Cow<'de, str>>()? {
            text.push_str(&line);
        }
        Ok(text)
    }
}

/// The types of cells.
pub const KINDS: [&str; 3] = ["code", "markdown", "raw"];

/// The line above the source of a cell.
#[must_use]
pub fn header(kind: &str, index: usize) -> String {
    format!("# %% [{kind}] cell:{index}")
}

/// Type and number of a header line.
#[must_use]
pub fn marker(line: &str) -> Option<(&'static str, Option<usize>)> {
    let rest = line.trim_end().strip_prefix("# %% [")?;
    let (kind, rest) = rest.split_once(']')?;
    let kind = KINDS.into_iter().find(|known| *known == kind)?;
    match rest.trim_start() {
        "" => Some((kind, None)),
        rest => rest.strip_prefix("cell:")?.parse().ok().map(|index| (kind, Some(index))),
    }
}

/// The cells of a notebook as text; the reason where the bytes are no notebook.
pub fn render(bytes: &[u8]) -> Result<String, String> {
    let json = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let text = std::str::from_utf8(json).map_err(|error| error.to_string())?;
    // Nesting is bounded by the parser.
    let notebook: Notebook = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let cells = notebook.cells.iter().enumerate().map(|(index, cell)| {
        let header = header(cell.kind.name(), index);
        if cell.source.0.is_empty() { header } else { format!("{header}\n{}", cell.source.0) }
    });
    Ok(cells.collect::<Vec<_>>().join("\n"))
}
