//! Where tool modules lie: which count, in which order, and what is said of the rest.

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::custom::{Item, Level, Question, find};
use serde_json::{Value, json};

use super::tree::Tree;

/// A directory with `home` and `project`, and these files in it.
fn tree(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(&[]);
    tree.directory("home");
    tree.directory("project");
    for (path, content) in files {
        tree.write(path, content.replace("@root", &tree.root().to_string_lossy()));
    }
    tree
}

fn items(tree: &Tree, more: &Value) -> Vec<Item> {
    let mut question = json!({
        "cwd": tree.path("project"), "home": tree.path("home"),
        "configDirName": ".xcsh", "manifestKey": "xcsh", "discover": true,
    });
    for (key, value) in more.as_object().expect("an object") {
        question[key] = value.clone();
    }
    let question: Question = serde_json::from_value(question).expect("a question");
    find(&question, &CancelToken::new()).expect("items")
}

/// What each item is, as `kind provider path`, paths from the root.
fn told(tree: &Tree, items: &[Item]) -> Vec<String> {
    let root = format!("{}/", tree.root().display());
    let short = |path: &str| path.strip_prefix(&root).unwrap_or(path).to_owned();
    let tell = |item: &Item| {
        let (kind, path, source) = match item {
            Item::Module { path, source, .. } => ("module", path, source),
            Item::Metadata { path, source, .. } => ("metadata", path, source),
            Item::Refused { path, code, source, .. } => (*code, path, source),
        };
        let provider = source.as_ref().map_or("nobody", |source| source.provider.as_str());
        format!("{kind} {provider} {}", short(path))
    };
    items.iter().map(tell).collect()
}

fn check(files: &[(&str, &str)], more: &Value, expected: &[&str]) {
    let tree = tree(files);
    assert_eq!(told(&tree, &items(&tree, more)), expected, "{more}");
}

#[test]
fn folders_come_in_their_order_and_files_before_directories() {
    check(
        &[
            ("home/.claude/tools/c.js", ""),
            ("home/.codex/tools/x.md", ""),
            ("home/.codex/tools/x.ts", ""),
            ("home/.xcsh/agent/tools/u.mjs", ""),
            ("project/.claude/tools/c.js", ""),
            ("project/.xcsh/tools/b.ts", ""),
            ("project/.xcsh/tools/a/index.ts", ""),
            ("project/.xcsh/tools/a-b.cjs", ""),
            ("project/last.ts", ""),
        ],
        &json!({"paths": [{"path": "last.ts"}]}),
        &[
            "module native project/.xcsh/tools/a-b.cjs",
            "module native project/.xcsh/tools/b.ts",
            "module native home/.xcsh/agent/tools/u.mjs",
            "module native project/.xcsh/tools/a/index.ts",
            "module claude home/.claude/tools/c.js",
            "module claude project/.claude/tools/c.js",
            "module codex home/.codex/tools/x.ts",
            "module nobody project/last.ts",
        ],
    );
}

#[test]
fn a_folder_is_flat_and_only_what_is_a_module_counts() {
    check(
        &[
            ("project/.xcsh/tools/.hidden.ts", ""),
            ("project/.xcsh/tools/.hidden/index.ts", ""),
            ("project/.xcsh/tools/a.d.ts", ""),
            ("project/.xcsh/tools/a.md", ""),
            ("project/.xcsh/tools/a.txt", ""),
            ("project/.xcsh/tools/b.py", ""),
            ("project/.xcsh/tools/deep/er/index.ts", ""),
            ("project/.xcsh/tools/helpers/util.ts", ""),
            ("project/.xcsh/tools/ignored.local.ts", ""),
            ("project/.xcsh/tools/named.js/notes.txt", ""),
            ("project/.xcsh/tools/node_modules/x/index.js", ""),
            ("project/.gitignore", "*.local.ts"),
            ("project/.git/HEAD", ""),
        ],
        &json!({}),
        &[
            "metadata native project/.xcsh/tools/a.md",
            "not_a_module native project/.xcsh/tools/b.py",
            "module native project/.xcsh/tools/ignored.local.ts",
            "load_failed native project/.xcsh/tools/named.js",
        ],
    );
}

#[test]
fn a_directory_is_the_entry_that_its_manifest_names() {
    fn check(files: &[(&str, &str)], expected: Option<&str>) {
        let tree = tree(&[]);
        tree.directory("project/d");
        for (path, content) in files {
            tree.write(format!("project/d/{path}"), content);
        }
        let found = items(&tree, &json!({"paths": [{"path": "d"}]}));
        let entry = match &found[..] {
            [Item::Module { entry, .. }] => entry.rsplit_once("/d/").map(|(_, entry)| entry),
            _ => None,
        };
        assert_eq!(entry, expected, "{files:?}: {found:?}");
    }
    let main = |name: &str| format!(r#"{{"main": "{name}"}}"#);
    let exports = r#"{"main": "old.js", "exports": {".": {"types": "t.d.ts", "import": "./new.mjs"}}}"#;
    check(&[("index.cjs", ""), ("index.js", "")], Some("index.js"));
    check(&[("package.json", &main("lib/start")), ("lib/start.ts", "")], Some("lib/start.ts"));
    check(&[("package.json", &main("./lib")), ("lib/index.mjs", "")], Some("lib/index.mjs"));
    check(&[("package.json", exports), ("old.js", ""), ("new.mjs", "")], Some("new.mjs"));
    check(&[("package.json", &main("gone")), ("index.ts", "")], Some("index.ts"));
    check(&[("package.json", "{"), ("index.ts", "")], Some("index.ts"));
    check(&[("package.json", &main("gone"))], None);
    check(&[("readme.txt", "")], None);
}

#[test]
fn what_is_switched_off_is_not_looked_at() {
    let files = &[
        ("home/.claude/tools/c.js", ""),
        ("project/.xcsh/tools/a.ts", ""),
        ("project/.xcsh/tools/b.ts", ""),
        ("project/.xcsh/tools/c/index.ts", ""),
    ];
    check(files, &json!({"disabled": ["a", "tool:b", "c", "claude"]}), &[]);
    check(files, &json!({"disabled": ["native", "tool:none"]}), &["module claude home/.claude/tools/c.js"]);
}

#[test]
fn plugins_of_a_project_stay_those_of_the_project() {
    let registry = r#"{"version": 2, "plugins": {"p@m": [{"scope": "user", "installPath": "@root/p"}]}}"#;
    let tree = tree(&[("project/.xcsh/plugins/installed_plugins.json", registry), ("p/tools/t.js", "")]);
    let found = items(&tree, &json!({}));
    let [Item::Module { source: Some(source), .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(source.level, Level::Project);
}

#[test]
fn damaged_registries_and_manifests_are_named_and_hide_nothing() {
    check(
        &[
            ("home/.xcsh/plugins/installed_plugins.json", "["),
            ("home/.xcsh/plugins/package.json", r#"{"dependencies": {"x": "1", "y": "1", "gone": "1"}}"#),
            ("home/.xcsh/plugins/node_modules/x/package.json", "7"),
            (
                "home/.xcsh/plugins/node_modules/y/package.json",
                r#"{"pi": {"tools": ["t.ts", "gone.ts", 7]}}"#,
            ),
            ("home/.xcsh/plugins/node_modules/y/t.ts", ""),
            ("project/.xcsh/tools/a.ts", ""),
        ],
        &json!({}),
        &[
            "plugin_registry claude-plugins home/.xcsh/plugins/installed_plugins.json",
            "module native project/.xcsh/tools/a.ts",
            "plugin_manifest plugin home/.xcsh/plugins/node_modules/x/package.json",
            "module plugin home/.xcsh/plugins/node_modules/y/t.ts",
        ],
    );
}

#[test]
fn metadata_is_read_from_either_form() {
    let cases = [
        ("m.json", r#"{"name": "n", "label": "l", "description": " d "}"#, (Some("n"), Some("l"), Some("d"))),
        ("m.json", "{", (None, None, None)),
        ("m.json", "[1]", (None, None, None)),
        (
            "m.md",
            "---\nname: n\nlabel: 'l'\ndescription: \"d\"\n---\nbody",
            (Some("n"), Some("l"), Some("d")),
        ),
        ("m.md", "---\r\nname: n\r\n---\r\nbody\r\n", (Some("n"), None, Some("body"))),
        ("m.md", "only a body\n", (None, None, Some("only a body"))),
        ("m.md", "---\nname: never closed", (None, None, Some("---\nname: never closed"))),
        ("m.md", "", (None, None, None)),
    ];
    for (name, content, expected) in cases {
        let tree = tree(&[(&format!("project/.xcsh/tools/{name}"), content)]);
        let found = items(&tree, &json!({}));
        let [Item::Metadata { metadata, .. }] = &found[..] else { panic!("{found:?}") };
        let actual = (metadata.name.as_deref(), metadata.label.as_deref(), metadata.description.as_deref());
        assert_eq!(actual, expected, "{content}");
    }
}

#[cfg(unix)]
#[test]
fn one_file_under_several_names_is_one_module() {
    let tree = tree(&[("project/real.ts", ""), ("project/d/index.ts", "")]);
    tree.directory("project/.xcsh/tools");
    tree.link("project/.xcsh/tools/link.ts", "../../real.ts");
    tree.link("project/.xcsh/tools/linked", "../../d");
    tree.link("project/.xcsh/tools/circle", "circle");
    let paths = json!({"paths": [{"path": "real.ts"}, {"path": "d"}, {"path": "d/index.ts"}]});
    let found = told(&tree, &items(&tree, &paths));
    let expected = [
        "load_failed native project/.xcsh/tools/circle",
        "module native project/.xcsh/tools/link.ts",
        "module native project/.xcsh/tools/linked/index.ts",
    ];
    assert_eq!(found, expected);
}
