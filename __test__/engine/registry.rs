//! The tables: order, names, and texts that are what they should be.

use gajae_tool_core::engine::registry::{self, Gate};
use gajae_tool_core::engine::settings;
use gajae_tool_core::engine::tool::Owner;

#[test]
fn the_order_is_the_documented_one() {
    let names: Vec<_> = registry::builtins().iter().map(|entry| entry.spec.name).collect();
    let documented = "read, bash, edit, ast_grep, ast_edit, render_mermaid, ask, debug, bisect, eval, calc, ssh, github, find, \
        search, lsp, browser, computer, checkpoint, rewind, task, subagent, job, monitor, cron, recipe, irc, todo_write, web_search, \
        search_tool_bm25, skill_discovery, telegram_send, write, skill, goal";
    assert_eq!(names.join(", "), documented);
    let hidden: Vec<_> = registry::hidden().iter().map(|entry| entry.spec.name).collect();
    assert_eq!(hidden, ["yield", "report_finding", "resolve"]);
}

#[test]
fn every_tool_of_the_package_has_texts_and_no_other_has() {
    for entry in registry::builtins().iter().chain(registry::hidden()) {
        let texts = registry::texts(entry.spec.name);
        assert_eq!(texts.is_some(), entry.spec.owner == Owner::Package, "{}", entry.spec.name);
        let Some(texts) = texts else { continue };
        assert!(
            texts.description.len() > 100,
            "{} needs a description a model can work with",
            entry.spec.name
        );
        for (name, property) in texts.parameters["properties"].as_object().expect("an object schema") {
            assert!(
                property["description"].is_string() || property["items"].is_object(),
                "{}.{name}",
                entry.spec.name
            );
        }
    }
}

#[test]
fn discoverable_tools_have_a_summary() {
    for entry in registry::builtins() {
        let discoverable =
            entry.spec.load_mode == Some(gajae_tool_core::engine::tool::LoadMode::Discoverable);
        assert!(!discoverable || !entry.spec.summary.is_empty(), "{}", entry.spec.name);
    }
}

#[test]
fn every_gate_setting_is_read_with_the_selection() {
    let keys = settings::keys_of("select");
    for entry in registry::builtins() {
        if let Gate::Setting(key) = entry.gate {
            assert!(keys.contains(&key), "{key} of {} is not in the snapshot", entry.spec.name);
        }
    }
}

#[test]
fn the_catalogue_default_agrees_with_the_setting() {
    for entry in registry::builtins() {
        if let Gate::Setting(key) = entry.gate {
            assert_eq!(
                settings::default_of(key).as_bool(),
                Some(entry.spec.default_enabled),
                "{}",
                entry.spec.name
            );
        }
    }
}

#[test]
fn the_text_of_bash_says_what_becomes_of_state() {
    let (fresh, kept) = (registry::bash_description(false), registry::bash_description(true));
    assert_eq!(fresh, registry::texts("bash").unwrap().description);
    assert!(fresh.contains("do not carry over") && !kept.contains("do not carry over"));
    assert!(kept.contains("are there for the next one"));
    let others = |text: &str| {
        text.lines()
            .filter(|line| !line.contains("directories") && !line.contains("The directory"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(others(&fresh), others(&kept));
}
