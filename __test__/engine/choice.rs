//! Tool choice: levels, resolving, names, wire forms, plans, and what refusals say.

use gajae_tool_core::engine::choice::{
    Capabilities, Choice, Compat, Dialect, Failure, Model, Plan, RefusalKind, Resolved, Scope, Shape, Source,
    Support, Thinking, Tools, classify, is_forced, is_forced_unsupported, map, name_tool, plan,
    refuses_forcing, resolve,
};
use serde_json::{Value, json};

const ALL: [Support; 4] = [Support::None, Support::Auto, Support::Required, Support::Named];

fn write() -> Choice {
    Choice::tool(Shape::Tool, "write")
}

fn tools(names: &[&str]) -> Tools {
    Tools { names: names.iter().map(|&name| name.to_owned()).collect(), ..Tools::default() }
}

#[test]
fn what_is_no_choice_is_not_read() {
    for json in [
        r#""sometimes""#,
        r#""""#,
        "null",
        "3",
        "[]",
        r#"{"type":"tool"}"#,
        r#"{"type":"tool","name":""}"#,
        "{",
    ] {
        assert_eq!(Choice::read(json), None, "{json}");
    }
    let error = Choice::require(r#"{"type":"hammer","name":"x"}"#, "requested").expect_err("no type");
    assert_eq!(error.fields()["issues"][0]["path"], "requested");
}

#[test]
fn the_own_name_is_the_target_and_the_nested_one_goes_to_the_wire() {
    let Some(Choice::Tool(target)) =
        Choice::read(r#"{"type":"function","name":"flat","function":{"name":"nested"}}"#)
    else {
        panic!("a named choice")
    };
    assert_eq!((target.name(), target.wire_name()), ("flat", "nested"));
}

#[test]
fn a_level_never_exceeds_the_support() {
    let choices = [Choice::Auto, Choice::None, Choice::Any, Choice::Required, write()];
    for support in ALL {
        for choice in &choices {
            let resolution = resolve((support, Source::Derived), Some(choice));
            assert!(resolution.level <= support.max(Support::Auto), "{choice:?} on {support:?}");
            let is_less = resolution.level < resolution.requested || resolution.resolved == Resolved::Absent;
            assert_eq!(resolution.degraded, is_less && *choice != Choice::None, "{choice:?} on {support:?}");
            assert_eq!(resolution.resolved == Resolved::AsRequested, resolution.reason.is_none());
        }
    }
}

#[test]
fn what_was_learnt_only_lowers_and_keeps_the_lowest() {
    let learnt = Capabilities::default();
    let compat = Compat { support: Some(Support::Required), ..Compat::default() };
    let model = Model { key: "a|p|u|m", id: "m", provider: "p", compat };
    for (level, expected) in [
        (Support::Named, (Support::Required, Source::Static)),
        (Support::Required, (Support::Required, Source::Static)),
        (Support::Auto, (Support::Auto, Source::Runtime)),
        (Support::Required, (Support::Auto, Source::Runtime)),
    ] {
        learnt.lower("a|p|u|m", level);
        assert_eq!(model.support(&learnt), expected);
    }
    learnt.clear();
    assert_eq!(learnt.get("a|p|u|m"), None);
}

#[test]
fn families_that_refuse_forcing_are_known_unless_the_description_knows_better() {
    for (id, expected) in [
        ("claude-mythos-5-1", true),
        ("claude-opus-5-5-20260901", true),
        ("us.anthropic.claude-sonnet-5-5-v1:0", true),
        ("anthropic/claude-fable-5.1", true),
        ("claude-fable-5", false),
        ("claude-opus-5-50", false),
        ("claude-opus-5", false),
        ("gpt-5.4", false),
    ] {
        assert_eq!(refuses_forcing(id), expected, "{id}");
    }
    let learnt = Capabilities::default();
    let support = |takes_forced| {
        let compat = Compat { takes_forced, ..Compat::default() };
        Model { key: "k", id: "claude-opus-5-5", provider: "p", compat }.support(&learnt).0
    };
    assert_eq!((support(None), support(Some(true))), (Support::Auto, Support::Named));
}

#[test]
fn a_name_is_exact_only_in_a_named_shape_on_a_model_that_takes_names() {
    let exact =
        |api, support| name_tool(api, "write", (support, Source::Static)).is_some_and(|named| named.exact);
    for api in ["anthropic-messages", "openai-completions", "ollama-chat"] {
        assert!(exact(api, Support::Named) && !exact(api, Support::Required), "{api}");
    }
    assert!(!exact("google-vertex", Support::Named));
    assert!(name_tool("cursor-agent", "write", (Support::Named, Source::Static)).is_none());
}

#[test]
fn every_dialect_says_every_choice() {
    use Dialect::{Anthropic, Bedrock, Google, Ollama, OpenAiCompletions, OpenAiResponses, Words};
    let none = || Value::Null;
    let rows = [
        (
            OpenAiCompletions,
            [
                json!("auto"),
                json!("none"),
                json!("required"),
                json!({"type": "function", "function": {"name": "write"}}),
            ],
        ),
        (
            OpenAiResponses,
            [json!("auto"), json!("none"), json!("required"), json!({"type": "function", "name": "write"})],
        ),
        (Anthropic, [json!("auto"), json!("none"), json!("any"), json!({"type": "tool", "name": "write"})]),
        (Bedrock, [json!({"auto": {}}), none(), json!({"any": {}}), json!({"tool": {"name": "write"}})]),
        (
            Google,
            [
                json!({"mode": "AUTO"}),
                json!({"mode": "NONE"}),
                json!({"mode": "ANY"}),
                json!({"mode": "ANY", "allowedFunctionNames": ["write"]}),
            ],
        ),
        (Ollama, [none(), json!("none"), json!("required"), json!("required")]),
        (Words, [json!("auto"), json!("none"), json!("required"), json!("required")]),
    ];
    let offer = tools(&["read", "write"]);
    for (dialect, expected) in rows {
        let choices = [Choice::Auto, Choice::None, Choice::Any, write()];
        for (choice, expected) in choices.iter().zip(expected) {
            let wire = map(dialect, choice, Some(&offer));
            let value = wire.tool_choice.clone().unwrap_or_default();
            assert_eq!(value, expected, "{choice:?} for {dialect:?}");
            assert_eq!(is_forced(&value), choice.level() >= Support::Required, "{choice:?} for {dialect:?}");
            let cut = matches!(dialect, Ollama | Words) && choice.target().is_some();
            assert_eq!(wire.only.as_deref(), cut.then_some("write"), "{choice:?} for {dialect:?}");
            let no_tools = matches!(dialect, Ollama | Bedrock) && *choice == Choice::None;
            assert_eq!(wire.no_tools, no_tools, "{choice:?} for {dialect:?}");
        }
        // A provider refuses a choice without tools, and a name that is not among them.
        for names in [&[][..], &["read"][..]] {
            assert_eq!(map(dialect, &write(), Some(&tools(names))).tool_choice, None, "{dialect:?}");
        }
    }
}

#[test]
fn a_tool_with_its_own_format_is_named_by_its_wire_name_where_the_model_takes_it() {
    let mut offer = tools(&["edit"]);
    offer.custom.insert("edit".to_owned(), "apply_patch".to_owned());
    let named = |offer: &Tools, name| {
        map(Dialect::OpenAiResponses, &Choice::tool(Shape::Function, name), Some(offer)).tool_choice
    };
    assert_eq!(named(&offer, "edit"), Some(json!({"type": "function", "name": "edit"})));
    offer.takes_freeform = true;
    for name in ["edit", "apply_patch"] {
        assert_eq!(named(&offer, name), Some(json!({"type": "custom", "name": "apply_patch"})));
    }
}

fn planned(api: &str, compat: Compat, choice: &Choice, thinking: Thinking) -> Plan {
    let model = Model { key: "k", id: "m", provider: "p", compat };
    plan(api, &model, choice, &tools(&["read", "write"]), thinking, &Capabilities::default())
}

#[test]
fn a_name_that_the_server_does_not_know_is_made_exact_by_the_list_of_tools() {
    let words = Compat { support: Some(Support::Required), ..Compat::default() };
    let llama = planned("openai-completions", words, &write(), Thinking::Off);
    assert_eq!((llama.wire.tool_choice, llama.wire.only), (Some(json!("required")), Some("write".into())));
    assert!(llama.exact && llama.reminder.is_none());
    let gemini = planned("google-generative-ai", Compat::default(), &write(), Thinking::Off);
    assert!(gemini.exact && gemini.wire.only.is_none());
}

#[test]
fn servers_that_know_words_only_are_told_apart_by_their_provider() {
    let support =
        |provider, compat| Model { key: "k", id: "m", provider, compat }.support(&Capabilities::default());
    for provider in ["llama.cpp", "llama-cpp", "LM Studio", "lmstudio", "ollama"] {
        assert_eq!(support(provider, Compat::default()), (Support::Required, Source::Derived), "{provider}");
    }
    let stated = Compat { support: Some(Support::Named), ..Compat::default() };
    assert_eq!(support("llama.cpp", stated).0, Support::Named);
    let unforced = Compat { takes_forced: Some(false), ..Compat::default() };
    assert_eq!(support("llama.cpp", unforced).0, Support::Auto);
    assert_eq!(support("vllm", Compat::default()).0, Support::Named);
}

#[test]
fn a_forced_call_and_a_thinking_budget_never_go_out_together() {
    for choice in [Choice::Any, write()] {
        let manual = planned("anthropic-messages", Compat::default(), &choice, Thinking::Manual);
        assert_eq!(manual.wire.tool_choice, None);
        assert!(!manual.exact && manual.resolution.degraded && manual.reminder.is_some());
        let adaptive = planned("anthropic-messages", Compat::default(), &choice, Thinking::Adaptive);
        assert!(adaptive.wire.tool_choice.is_some_and(|value| is_forced(&value)));
    }
    let unforced = planned("anthropic-messages", Compat::default(), &Choice::None, Thinking::Manual);
    assert_eq!(unforced.wire.tool_choice, Some(json!("none")));
}

#[test]
fn servers_that_refuse_forcing_while_the_model_thinks_are_known() {
    let is_forced = |provider, id, compat, thinking| {
        let model = Model { key: "k", id, provider, compat };
        let learnt = Capabilities::default();
        let plan =
            plan("openai-completions", &model, &write(), &tools(&["read", "write"]), thinking, &learnt);
        assert_eq!(plan.reminder.is_none(), plan.wire.tool_choice.is_some(), "{provider}");
        plan.wire.tool_choice.is_some()
    };
    let (untold, stated) = (Compat::default(), Compat { support: Some(Support::Named), ..Compat::default() });
    for (provider, id) in
        [("deepseek", "v4"), ("DashScope", "qwen"), ("moonshot-ai", "k2"), ("openrouter", "anthropic/claude")]
    {
        assert!(!is_forced(provider, id, untold, Thinking::Manual), "{provider}");
        assert!(!is_forced(provider, id, untold, Thinking::Adaptive), "{provider}");
        assert!(is_forced(provider, id, untold, Thinking::Off), "{provider}");
        assert!(is_forced(provider, id, stated, Thinking::Manual), "{provider}");
    }
    assert!(is_forced("openrouter", "openai/gpt", untold, Thinking::Manual));
}

#[test]
fn bedrock_keeps_its_tools_where_the_history_needs_them() {
    let model = Model { key: "k", id: "m", provider: "p", compat: Compat::default() };
    let offer = Tools { in_history: true, ..tools(&["read"]) };
    let learnt = Capabilities::default();
    let plan = plan("bedrock-converse-stream", &model, &Choice::None, &offer, Thinking::Off, &learnt);
    assert!(!plan.wire.no_tools && plan.reminder.is_some());
}

/// Status, message, what was sent; kind, what remains, whether it lasts.
type Row<'a> = (u16, &'a str, &'a Choice, RefusalKind, Option<Support>, bool);

fn failure(status: u16, message: &str) -> Failure {
    serde_json::from_value(json!([{"statuses": [status], "message": message}])).expect("a failure")
}

#[test]
fn refusals_say_what_remains_and_for_how_long() {
    use RefusalKind::{BadName, BadShape, Incapable, ModelMissed, Other, OverBudget};
    use Support::{Auto, None as Nothing, Required};
    let named = write();
    let rows: &[Row<'_>] = &[
        (
            400,
            "Invalid value for tool_choice. Supported values are: 'auto', 'none'",
            &named,
            Incapable,
            Some(Auto),
            true,
        ),
        (
            400,
            "tool_choice 'required' is not one of ['auto', 'none']",
            &Choice::Required,
            Incapable,
            Some(Auto),
            true,
        ),
        (
            422,
            "tool_choice.function: Input should be a valid dictionary. Field required",
            &named,
            Other,
            None,
            false,
        ),
        (400, "tool_choice 'write' not found in 'tools' parameter", &named, BadName, None, false),
        (400, r#"Tool choice function "write" does not exist"#, &named, BadName, None, false),
        (
            400,
            "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
            &named,
            Incapable,
            Some(Required),
            true,
        ),
        (400, "tool_choice must be one of 'auto', 'none'", &named, Incapable, Some(Auto), true),
        (400, "UnsupportedToolUse: only auto and none can be used", &named, Incapable, Some(Auto), true),
        (
            400,
            "tool_choice: type \"tool\" is not supported for this model",
            &named,
            Incapable,
            Some(Required),
            true,
        ),
        (
            400,
            "This model doesn't support the toolConfig.toolChoice.tool field.",
            &named,
            Incapable,
            Some(Required),
            true,
        ),
        (400, "tool_choice is not supported by your plan", &named, Other, None, false),
        (400, "tool_choice is not supported by this model", &Choice::Auto, Incapable, Some(Nothing), true),
        (
            400,
            "The toolConfig field must be defined when using toolUse blocks",
            &named,
            BadShape,
            None,
            false,
        ),
        (400, "code: tool_use_failed, failed_generation: …", &named, ModelMissed, None, false),
        (400, "Request contains an invalid argument.", &named, OverBudget, None, false),
        (400, "Request contains an invalid argument.", &Choice::Auto, Other, None, false),
        (500, "tool_choice not supported by this model", &named, Other, None, false),
        (429, "Thinking mode does not support this tool_choice", &named, Other, None, false),
    ];
    for (status, message, sent, kind, cap, lasting) in rows {
        let refusal = classify(&failure(*status, message), Some(sent));
        assert_eq!((refusal.kind, refusal.cap, refusal.lasting), (*kind, *cap, *lasting), "{message}");
    }
}

#[test]
fn what_holds_only_while_thinking_is_not_lasting() {
    for (message, scope) in [
        ("Thinking may not be enabled when tool_choice forces tool use.", Scope::ManualThinking),
        ("Thinking mode does not support this tool_choice", Scope::Thinking),
    ] {
        let refusal = classify(&failure(400, message), None);
        assert_eq!((refusal.scope, refusal.lasting), (scope, false), "{message}");
    }
}

#[test]
fn a_refused_any_leaves_one_try_of_the_name() {
    let refused = failure(400, "This model doesn't support the toolConfig.toolChoice.any field. Remove it.");
    let refusal = classify(&refused, Some(&Choice::Any));
    assert_eq!(
        (refusal.cap, refusal.try_first, refusal.lasting),
        (Some(Support::Auto), Some(Support::Named), false)
    );
}

#[test]
fn every_cap_is_below_what_was_sent() {
    let texts = [
        "tool_choice not supported",
        "No endpoints found that support the provided 'tool_choice' value",
        "tool_choice: Input should be 'auto', 'none' or 'any'",
        "Thinking mode does not support this tool_choice",
    ];
    for text in texts {
        for sent in [Choice::Auto, Choice::Required, write()] {
            let cap = classify(&failure(400, text), Some(&sent)).cap.expect("an incapability");
            assert!(cap < sent.level(), "{text} after {sent:?}");
        }
    }
}

#[test]
fn the_status_is_found_where_errors_carry_it() {
    let status = |layers: Value| serde_json::from_value::<Failure>(layers).expect("a failure").status();
    assert_eq!(status(json!([{"statuses": ["400"]}])), Some(400));
    assert_eq!(status(json!([{"statuses": [99, 400.5, 600, "x"]}])), None);
    assert_eq!(status(json!([{"message": "x"}, {"statuses": [422]}])), Some(422));
    for (message, expected) in [
        ("HTTP 400: no", Some(400)),
        ("HTTP/1.1 404 Not Found", Some(404)),
        ("request failed with status code 422", Some(422)),
        ("Error (400)", Some(400)),
        ("400 tool_choice not supported", None),
        ("error 4000", None),
    ] {
        assert_eq!(status(json!([{ "message": message }])), expected, "{message}");
    }
}

#[test]
fn only_the_documented_words_with_status_400_mean_unsupported() {
    assert!(is_forced_unsupported(&failure(400, "it does not support forced tool choice")));
    assert!(is_forced_unsupported(&failure(400, "tool_choice\nis not supported by billing; not supported")));
    assert!(!is_forced_unsupported(&failure(400, "not supported: tool_choice")));
    assert!(!is_forced_unsupported(&failure(400, "Tool choice 'a' not found in 'tools' parameter")));
    assert!(!is_forced_unsupported(&failure(404, "tool_choice not supported")));
}
