//! Small trees for the tests of tools that look at files.

#![expect(clippy::disallowed_methods, reason = "tests make their trees themselves")]

use std::fs;
use std::path::{Path, PathBuf};

use gajae_tool_core::engine::exec::Context;
use gajae_tool_core::engine::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Tree {
    directory: TempDir,
    root: PathBuf,
    settings: Value,
}

impl Tree {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let directory = TempDir::new().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let tree = Self { directory, root, settings: json!({}) };
        for (path, content) in files {
            tree.write(path, content);
        }
        tree
    }

    /// The same with settings by dotted key.
    pub fn with(self, settings: Value) -> Self {
        Self { settings, ..self }
    }

    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn directory(&self, path: impl AsRef<Path>) {
        fs::create_dir_all(self.root.join(path)).unwrap();
    }

    #[cfg(unix)]
    pub fn link(&self, path: &str, target: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }

    #[cfg(unix)]
    pub fn pipe(&self, path: &str) {
        let status = std::process::Command::new("mkfifo").arg(self.path(path)).status().unwrap();
        assert!(status.success());
    }

    pub fn root(&self) -> &Path {
        debug_assert!(self.directory.path().exists());
        &self.root
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn context(&self) -> Context {
        self.context_in("")
    }

    /// A session whose directory is below the root.
    pub fn context_in(&self, directory: &str) -> Context {
        Context {
            cwd: if directory.is_empty() { self.root.clone() } else { self.path(directory) },
            home: None,
            settings: Settings::new(self.settings.as_object().unwrap().clone()),
            has_edit_tool: true,
            restricts_commands: false,
            env: vec![],
            ..Context::default()
        }
    }
}
