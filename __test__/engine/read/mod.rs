//! `read`: selectors, windows, exact lines, listings, and files that are no ordinary text.

mod directories;
mod encodings;
mod hazards;
mod kinds;
mod names;
mod properties;
mod ranges;
mod remembered;
mod selectors;
mod windows;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::read;
use gajae_tool_core::engine::exec::{Context, parse_arguments};
use gajae_tool_core::engine::outcome::{Notice, Outcome};
use gajae_tool_core::engine::session::Session;
use gajae_tool_core::engine::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory and the settings of its session: line numbers, no letters, unless told otherwise.
struct Fixture {
    directory: TempDir,
    settings: Value,
    session: Arc<Session>,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(json!({"readHashLines": false, "readLineNumbers": true}), files)
    }

    fn hashed(files: &[(&str, &str)]) -> Self {
        Self::with(json!({}), files)
    }

    fn plain(files: &[(&str, &str)]) -> Self {
        Self::with(json!({"readHashLines": false}), files)
    }

    fn with(settings: Value, files: &[(&str, &str)]) -> Self {
        let fixture = Self { directory: TempDir::new().unwrap(), settings, session: Arc::default() };
        for (name, content) in files {
            fixture.file(name, content.as_bytes());
        }
        fixture
    }

    fn set(mut self, key: &str, value: Value) -> Self {
        self.settings[key] = value;
        self
    }

    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    fn file(&self, name: &str, content: &[u8]) {
        let path = self.root().join(name);
        make_directories(path.parent().unwrap());
        write(&path, content);
    }

    fn try_read_with(
        &self,
        arguments: &Value,
        cancel: &CancelToken,
        time: Duration,
    ) -> Result<Outcome, ToolError> {
        let context = Context {
            cwd: self.root(),
            home: Some(self.root().join("home")),
            settings: Settings::new(self.settings.as_object().unwrap().clone()),
            has_edit_tool: true,
            session: Some(Arc::clone(&self.session)),
            ..Context::default()
        };
        read::run_within(&parse_arguments(&arguments.to_string())?, &context, cancel, time)
    }

    fn try_read(&self, path: &str) -> Result<Outcome, ToolError> {
        self.try_read_with(&json!({"path": path}), &CancelToken::new(), Duration::from_secs(60))
    }

    #[track_caller]
    fn read(&self, path: &str) -> Outcome {
        let outcome = self.try_read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for notice in &outcome.notices {
            assert!(outcome.text.contains(&notice.text), "{path}: a notice is not in the text");
        }
        outcome
    }

    #[track_caller]
    fn text(&self, path: &str) -> String {
        self.read(path).text
    }

    #[track_caller]
    fn error(&self, path: &str) -> ToolError {
        self.try_read(path).expect_err(path)
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests make their own trees")]
fn write(path: &Path, content: &[u8]) {
    fs::write(path, content).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the tests make their own trees")]
fn make_directories(path: &Path) {
    fs::create_dir_all(path).unwrap();
}

/// `line 1`, `line 2`, … with a final newline.
fn lines(count: usize) -> String {
    (1..=count).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat()
}

#[track_caller]
fn notice<'a>(outcome: &'a Outcome, kind: &str) -> &'a Notice {
    let found = outcome.notices.iter().find(|notice| notice.kind == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {:?}", outcome.notices))
}

/// The named facts of a notice.
#[track_caller]
fn check_facts(outcome: &Outcome, kind: &str, expected: Value) {
    let facts = &notice(outcome, kind).facts;
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(facts.get(name), Some(value), "{kind}.{name} of {facts:?}");
    }
}
