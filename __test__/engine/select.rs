//! Selection and the initial split on snapshots given as JSON.

use gajae_tool_core::engine::select::{
    ActiveInput, EvalInput, PartitionInput, SelectInput, Snapshot, activate_tools, discoverable_tools,
    essential_names, eval_backends, partition_tools, select_tools, set_active_tools,
};
use serde_json::{Value, json};

fn selected(input: Value) -> Vec<&'static str> {
    select_tools(&serde_json::from_value::<SelectInput>(input).expect("input")).expect("selection").tools
}

fn partition(input: Value) -> Value {
    let input: PartitionInput = serde_json::from_value(input).expect("input");
    serde_json::to_value(partition_tools(&input).expect("partition")).expect("data")
}

/// A registry of a few tools with their load modes.
fn registry() -> Value {
    json!([
        {"name": "read", "loadMode": "essential"},
        {"name": "edit", "loadMode": "essential"},
        {"name": "ast_edit", "loadMode": "discoverable", "deferrable": true},
        {"name": "browser", "loadMode": "discoverable"},
        {"name": "MyTool"},
        {"name": "mcp__a_one", "mcpServer": "a"},
        {"name": "mcp__b_two", "mcpServer": "b"},
        {"name": "goal", "loadMode": "essential"},
        {"name": "resolve"},
    ])
}

#[test]
fn names_are_trimmed_lowercased_and_not_repeated() {
    let input = json!({"toolNames": [" READ", "read", "", "write "], "snapshot": {"settings": {"goal.enabled": false}}});
    assert_eq!(selected(input), ["read", "write"]);
}

#[test]
fn a_companion_follows_its_base_once() {
    let snapshot = json!({"settings": {"goal.enabled": false}});
    assert_eq!(
        selected(json!({"toolNames": ["search", "edit"], "snapshot": snapshot})),
        ["search", "edit", "ast_grep", "ast_edit"]
    );
    assert_eq!(
        selected(json!({"toolNames": ["ast_edit", "edit"], "snapshot": snapshot})),
        ["ast_edit", "edit"]
    );
}

#[test]
fn strict_names_fail_and_name_them_all() {
    let input =
        json!({"toolNames": ["zap", "read", "pow"], "snapshot": {"session": {"strictToolNames": true}}});
    let error = select_tools(&serde_json::from_value(input).expect("input")).expect_err("unknown names");
    assert_eq!((error.code(), error.fields()), ("unknown_tool", json!({"names": ["zap", "pow"]})));
}

#[test]
fn prototype_members_are_no_tools() {
    let input = json!({"toolNames": ["constructor", "toString", "read"], "snapshot": {"settings": {"goal.enabled": false}}});
    assert_eq!(selected(input), ["read"]);
}

#[test]
fn the_computer_needs_its_hardware_and_an_open_switch() {
    let names = |settings: Value, explicit: Value, arch: &str| {
        let snapshot =
            json!({"settings": settings, "explicit": explicit, "host": {"platform": "darwin", "arch": arch}});
        selected(json!({"toolNames": ["computer"], "snapshot": snapshot})).contains(&"computer")
    };
    assert!(names(json!({}), json!([]), "arm64"));
    assert!(!names(json!({}), json!([]), "x64"));
    assert!(!names(json!({"computer.enabled": false}), json!(["computer.enabled"]), "arm64"));
    assert!(names(
        json!({"computer.enabled": true, "computer.alwaysOn": false}),
        json!(["computer.alwaysOn"]),
        "arm64"
    ));
    assert!(!names(json!({"computer.alwaysOn": false}), json!(["computer.alwaysOn"]), "arm64"));
}

#[test]
fn python_is_looked_for_only_where_the_answer_matters() {
    let names = |programs: Value, session: Value| {
        let settings = json!({"eval.js": false});
        let snapshot = json!({"settings": settings, "session": session, "host": {"programs": programs}});
        selected(json!({"toolNames": ["eval"], "snapshot": snapshot})).contains(&"eval")
    };
    assert!(names(json!({"python3": true}), json!({})));
    assert!(!names(json!({"python3": false, "python": false}), json!({})));
    assert!(names(json!({"python3": false, "python": false}), json!({"skipPythonPreflight": true})));
}

#[test]
fn eval_backends_come_from_the_environment_first() {
    let ask = |env: Value| {
        let input: EvalInput =
            serde_json::from_value(json!({"ask": "environment", "env": env})).expect("input");
        serde_json::to_value(eval_backends(&input).expect("answer")).expect("data")
    };
    assert_eq!(ask(json!({"GJC_PY": " BASH "})), json!({"python": false, "js": true}));
    assert_eq!(ask(json!({"GJC_PY": "py", "PI_JS": "1"})), json!({"python": true, "js": false}));
    assert_eq!(ask(json!({"GJC_PY": "perhaps", "PI_PY": "off"})), json!({"python": false, "js": true}));
    assert_eq!(ask(json!({"GJC_PY": ""})), Value::Null);
}

#[test]
fn an_override_without_a_builtin_is_as_good_as_none() {
    let names = |value: Value| {
        let snapshot: Snapshot =
            serde_json::from_value(json!({"settings": {"tools.essentialOverride": value}})).expect("input");
        essential_names(&snapshot).expect("names").names
    };
    assert_eq!(names(json!(["zap"])), ["read", "bash", "edit"]);
    assert_eq!(names(json!([" READ ", "zap"])), ["read"]);
    assert_eq!(names(json!("read")), ["read", "bash", "edit"]);
}

#[test]
fn a_mixed_case_name_keeps_its_spelling() {
    let split = partition(json!({"registry": registry(), "toolNames": ["mytool", "READ"]}));
    assert_eq!(split["active"], json!(["MyTool", "read", "goal"]));
}

#[test]
fn under_an_explicit_list_companions_and_resolve_follow_their_base() {
    let split = partition(json!({"registry": registry(), "toolNames": ["edit"]}));
    assert_eq!(split["active"], json!(["edit", "goal", "ast_edit", "resolve"]));
    let off = json!({"settings": {"tools.discoveryMode": "off"}});
    let split = partition(json!({"registry": registry(), "toolNames": ["edit"], "snapshot": off}));
    assert_eq!(split["active"], json!(["edit", "goal", "ast_edit", "resolve"]));
}

#[test]
fn a_restored_deferrable_tool_brings_resolve() {
    let split = partition(
        json!({"registry": registry(), "toolNames": ["read"], "persisted": {"builtins": ["ast_edit"]}}),
    );
    assert_eq!(split["active"], json!(["read", "goal", "ast_edit", "resolve"]));
    assert_eq!(split["selectedBuiltins"], json!(["ast_edit"]));
    assert_eq!(split["baselineBuiltins"], json!(["read", "goal"]));
}

#[test]
fn mcp_tools_return_by_the_first_rule_that_applies() {
    let servers = json!({"settings": {"mcp.discoveryDefaultServers": ["b"]}});
    let check = |extra: Value, expected: Value| {
        let mut input = json!({"registry": registry(), "snapshot": servers});
        input.as_object_mut().expect("object").extend(extra.as_object().expect("object").clone());
        assert_eq!(partition(input)["selectedMcp"], expected, "{extra}");
    };
    check(json!({}), json!(["mcp__b_two"]));
    check(json!({"persisted": {"mcp": []}}), json!([]));
    check(json!({"persisted": {"mcp": ["MCP__A_ONE"]}}), json!(["mcp__a_one"]));
    check(json!({"toolNames": []}), json!([]));
    check(json!({"toolNames": ["mcp__a_one"]}), json!(["mcp__a_one"]));
    check(json!({"toolNames": ["read"]}), json!(["mcp__b_two"]));
    check(json!({"exactMcpConfig": {"toolNames": ["mcp__a_one"]}}), json!(["mcp__a_one", "mcp__b_two"]));
}

#[test]
fn where_discovery_is_off_nothing_is_selected() {
    let split =
        partition(json!({"registry": registry(), "snapshot": {"settings": {"tools.discoveryMode": "off"}}}));
    assert_eq!(split["mode"], "off");
    assert_eq!((&split["selectedMcp"], &split["selectedBuiltins"]), (&json!([]), &json!([])));
    assert_eq!(split["active"].as_array().map(Vec::len), Some(9));
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn session(extra: Value) -> ActiveInput {
    let mut input = json!({"registry": registry(), "active": ["read"], "mode": "all"});
    input.as_object_mut().expect("object").extend(extra.as_object().expect("object").clone());
    serde_json::from_value(input).expect("input")
}

#[test]
fn what_can_be_found_depends_on_mode_allow_list_and_active_set() {
    let check = |extra: Value, expected: &[&str]| {
        assert_eq!(discoverable_tools(&session(extra.clone())).expect("names"), expected, "{extra}");
    };
    check(json!({}), &["ast_edit", "browser", "mcp__a_one", "mcp__b_two"]);
    check(json!({"active": ["browser", "mcp__a_one"]}), &["ast_edit", "mcp__b_two"]);
    check(json!({"allowed": ["BROWSER"]}), &["browser", "mcp__a_one", "mcp__b_two"]);
    check(json!({"mode": "mcp-only"}), &["mcp__a_one", "mcp__b_two"]);
    check(json!({"mode": "off"}), &[]);
}

#[test]
fn activation_appends_what_may_be_found_and_brings_resolve() {
    let check = |extra: Value, active: &[&str], activated: &[&str]| {
        let activation = activate_tools(&session(extra.clone())).expect("activation");
        assert_eq!((activation.active, activation.activated), (owned(active), owned(activated)), "{extra}");
    };
    check(
        json!({"names": ["browser", "browser", "read", "nope", "mcp__a_one"]}),
        &["read", "browser", "mcp__a_one"],
        &["browser", "mcp__a_one"],
    );
    check(json!({"names": ["AST_EDIT"]}), &["read", "ast_edit", "resolve"], &["ast_edit"]);
    check(json!({"names": ["MyTool", "resolve"]}), &["read"], &[]);
    check(json!({"names": ["browser"], "allowed": []}), &["read"], &[]);
    check(json!({"names": ["browser"], "mode": "mcp-only"}), &["read"], &[]);
    check(json!({"names": ["browser"], "mode": "off"}), &["read"], &[]);
}

#[test]
fn a_replaced_set_keeps_spelling_and_mandatory_tools() {
    let input = session(json!({"names": ["mytool", "zap", "AST_EDIT"], "mandatory": ["mcp__b_two"]}));
    let activation = set_active_tools(&input).expect("activation");
    assert_eq!(activation.active, ["MyTool", "ast_edit", "mcp__b_two", "resolve"]);
}
