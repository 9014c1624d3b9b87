//! The texts providers answer with, each with what it says. Order matters: the first rule that fits decides, and what
//! sounds like an incapability but is none comes first.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::{Refusal, RefusalKind, Scope};
use crate::engine::choice::support::Support;

/// The level that a rule leaves.
enum Cap {
    /// None: nothing is learnt.
    Nothing,
    /// This one.
    At(Support),
    /// This one, but another that ranks higher may still work.
    AtAfter(Support, Support),
    /// The one below what was sent.
    Lower,
}

struct Rule {
    pattern: Regex,
    kind: RefusalKind,
    scope: Scope,
    cap: Cap,
}

/// `tool_choice`, `tool-choice`, `Tool choices`, `toolChoice`.
const TOOL_CHOICE: &str = "tool[ _-]?choices?";
const UNSUPPORTED: &str =
    "not compatible|incompatible|not supported|unsupported|(?:does not|doesn't|not|never) support";

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    use RefusalKind::{BadName, BadShape, Incapable, ModelMissed};
    use Scope::{ManualThinking, Model, Request, Route, Server, Thinking, Turn};
    use Support::{Auto, Named, Required};
    let rule = |kind, scope, cap, pattern: &str| Rule { pattern: compile(pattern), kind, scope, cap };
    let about_choice =
        |pattern: &str| pattern.replace("CHOICE", TOOL_CHOICE).replace("UNSUPPORTED", UNSUPPORTED);
    vec![
        // Groq checks after the model has answered.
        rule(
            ModelMissed,
            Turn,
            Cap::Nothing,
            &about_choice(r"CHOICE is \w+,? but (?:the )?model|tool_use_failed"),
        ),
        rule(
            BadName,
            Request,
            Cap::Nothing,
            &about_choice(
                r#"CHOICE\W+(?:function |tool )?['"`][^'"`\n]*['"`][^.\n]{0,40}(?:not found|not in\b|not present|not defined|does not exist|not one of)"#,
            ),
        ),
        rule(
            BadName,
            Request,
            Cap::Nothing,
            &about_choice(
                r"CHOICE[^.\n]{0,80}(?:name|tool|function)[^.\n]{0,60}(?:not found|not present|not defined|does not exist|not (?:in|among|one of) )",
            ),
        ),
        // xAI.
        rule(BadShape, Request, Cap::Nothing, r"variant of untagged enum \w*ToolChoice"),
        // Bedrock: a choice of tools where no tools are, or tools in the history and none in the request.
        rule(BadShape, Request, Cap::Nothing, r"toolConfig field must be defined"),
        // Gemini.
        rule(
            BadShape,
            Request,
            Cap::Nothing,
            r"function.?calling.?config.{0,60}without.{0,20}function.?declarations?",
        ),
        // Anthropic, thinking with a budget.
        rule(
            Incapable,
            ManualThinking,
            Cap::At(Auto),
            &about_choice(r"thinking may not be enabled when CHOICE forces"),
        ),
        // DeepSeek, Moonshot, DashScope.
        rule(
            Incapable,
            Thinking,
            Cap::At(Auto),
            &about_choice(
                r"thinking.{0,80}(?:UNSUPPORTED).{0,80}CHOICE|CHOICE.{0,80}(?:UNSUPPORTED).{0,80}thinking",
            ),
        ),
        // Bedrock. The two fields are independent: a model without `any` may have `tool`.
        rule(Incapable, Model, Cap::AtAfter(Auto, Named), r"support the toolConfig\.toolChoice\.any field"),
        rule(Incapable, Model, Cap::At(Required), r"support the toolConfig\.toolChoice\.tool field"),
        // OpenRouter: no endpoint takes this value; one of a lower level may.
        rule(Incapable, Route, Cap::Lower, &about_choice(r"no endpoints found.{0,60}CHOICE")),
        // Mistral, LM Studio, llama.cpp: words and no objects. Which words they list is what remains.
        rule(
            Incapable,
            Server,
            Cap::At(Required),
            &about_choice(
                r"CHOICE.{0,120}(?:input should be|string values|expected|one of|must be).{0,80}\b(?:any|required)\b",
            ),
        ),
        rule(
            Incapable,
            Server,
            Cap::At(Auto),
            &about_choice(
                r"CHOICE.{0,120}(?:input should be|string values|expected|one of|must be|only).{0,80}\b(?:auto|none)\b",
            ),
        ),
        // Azure's open models.
        rule(Incapable, Model, Cap::At(Auto), r"UnsupportedToolUse"),
    ]
});

static BUDGET: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"^\W*(?:\d{3}\W+)?(?:INVALID_ARGUMENT\W+)?request contains an invalid argument\.?\W*$")
});

/// What the first rule that fits says.
pub fn first_match(text: &str, sent: Support) -> Option<Refusal> {
    if let Some(rule) = RULES.iter().find(|rule| rule.pattern.is_match(text)) {
        return Some(rule.refusal(sent));
    }
    if says_unsupported(text) {
        return Some(incapable(Scope::Model, named_only(text), sent));
    }
    // Gemini's only hint that a forced call exceeds a hidden budget. Of an unforced request it says nothing.
    (sent >= Support::Required && BUDGET.is_match(text)).then_some(Refusal {
        kind: RefusalKind::OverBudget,
        scope: Scope::ToolSet,
        cap: None,
        try_first: None,
        lasting: false,
    })
}

impl Rule {
    fn refusal(&self, sent: Support) -> Refusal {
        match self.cap {
            Cap::At(level) => incapable(self.scope, level, sent),
            Cap::AtAfter(level, other) => {
                // Once the other has been sent too, nothing is left to try.
                let try_first = Some(other).filter(|_| sent != other || sent == Support::Named);
                let left = incapable(self.scope, level, sent);
                Refusal { try_first, lasting: left.lasting && try_first.is_none(), ..left }
            }
            Cap::Lower => incapable(self.scope, sent.lower(), sent),
            Cap::Nothing => {
                Refusal { kind: self.kind, scope: self.scope, cap: None, try_first: None, lasting: false }
            }
        }
    }
}

/// The level that remains is below the one that was sent.
fn incapable(scope: Scope, cap: Support, sent: Support) -> Refusal {
    let cap = cap.min(sent.lower());
    let lasting = matches!(scope, Scope::Model | Scope::Server);
    Refusal { kind: RefusalKind::Incapable, scope, cap: Some(cap), try_first: None, lasting }
}

/// A text that refuses the named form alone leaves `required`.
fn named_only(text: &str) -> Support {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| compile(r#"type\W{0,3}['"`](?:tool|function)['"`]"#));
    static SOME: LazyLock<Regex> = LazyLock::new(|| compile(r#"['"`](?:any|required)['"`]"#));
    if NAMED.is_match(text) && !SOME.is_match(text) { Support::Required } else { Support::Auto }
}

/// The documented words for a forced choice that is not supported.
pub fn says_unsupported(text: &str) -> bool {
    const NO: &str = "(?:not compatible|incompatible|not supported)";
    static CHOICE: LazyLock<Regex> = LazyLock::new(|| compile(&format!("{TOOL_CHOICE}|forces? tool use")));
    static REFUSED: LazyLock<Regex> = LazyLock::new(|| compile(NO));
    // Who refuses must be the model: a plan or a bill says nothing of it.
    static BY: LazyLock<Regex> = LazyLock::new(|| compile(r"^\s+by\b"));
    static BY_MODEL: LazyLock<Regex> = LazyLock::new(|| {
        compile(r"^\s+by\s+(?:(?:the|this|that|your|our|current|selected|requested)\s+)*models?\b")
    });
    static OUTRIGHT: LazyLock<Regex> = LazyLock::new(|| compile("does not support forced tool choice"));
    if OUTRIGHT.is_match(text) {
        return true;
    }
    let Some(choice) = CHOICE.find(text) else { return false };
    let rest = &text[choice.end()..];
    REFUSED.find_iter(rest).any(|refused| {
        let after = &rest[refused.end()..];
        !BY.is_match(after) || BY_MODEL.is_match(after)
    })
}

/// A status that a message states: `HTTP 400`, `status code: 400`, `Error (400)`.
pub fn status_in(message: &str) -> Option<u16> {
    static STATUS: LazyLock<Regex> = LazyLock::new(|| {
        compile(
            r#"\b(?:error|status|https?)(?:/[\d.]+)?(?:[\s_-]*(?:status|error|code))*[\s:=("']*([1-5]\d\d)\b"#,
        )
    });
    STATUS.captures(message)?.get(1)?.as_str().parse().ok()
}

fn compile(pattern: &str) -> Regex {
    let built = RegexBuilder::new(pattern).case_insensitive(true).dot_matches_new_line(true).build();
    built.expect("the patterns are fixed")
}
