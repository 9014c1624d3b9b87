//! The texts providers answer with, each with what it says. Order matters: the first rule that fits decides, and what
//! sounds like an incapability but is none comes first.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::{Refusal, RefusalKind, Scope};
use crate::engine::choice::support::Support;

/// What a rule leaves.
#[derive(Clone, Copy)]
enum Left {
    /// Everything: nothing is learnt.
    All,
    /// This level.
    At(Support),
    /// This level, but another that ranks higher may still work.
    AtAfter(Support, Support),
    /// The level below the one that was sent.
    Lower,
}

type Row = (RefusalKind, Scope, Left, &'static str);

/// In the patterns, capital words stand for what [`WORDS`] says.
const TABLE: &[Row] = {
    use Left::{All, At, AtAfter, Lower};
    use RefusalKind::{BadName, BadShape, Incapable, ModelMissed};
    use Scope::{ManualThinking, Model, Request, Route, Server, Thinking, Turn};
    use Support::{Auto, Named, Required};
    &[
        // Groq checks after the model has answered.
        (ModelMissed, Turn, All, r"CHOICE is \w+,? but (the )?model|tool_use_failed"),
        // OpenAI and those who copy its words.
        (
            BadName,
            Request,
            All,
            r"CHOICE\W+(function |tool )?QUOTED[^.\n]{0,40}(MISSING|not in [^.\n]{0,20}tools)",
        ),
        (BadName, Request, All, r"CHOICE[^.\n]{0,80}(name|tool|function)[^.\n]{0,60}MISSING"),
        // xAI.
        (BadShape, Request, All, r"variant of untagged enum \w*ToolChoice"),
        // Bedrock: tools in the history and none in the request.
        (BadShape, Request, All, r"toolConfig field must be defined"),
        // Gemini.
        (BadShape, Request, All, r"function.?calling.?config.{0,60}without.{0,20}function.?declarations?"),
        // Anthropic, thinking with a budget.
        (Incapable, ManualThinking, At(Auto), r"thinking may not be enabled when CHOICE forces"),
        // DeepSeek, Moonshot, DashScope.
        (Incapable, Thinking, At(Auto), r"thinking.{0,80}UNSUPPORTED.{0,80}CHOICE"),
        (Incapable, Thinking, At(Auto), r"CHOICE.{0,80}UNSUPPORTED.{0,80}thinking"),
        // Bedrock. The two fields are independent: a model without `any` may have `tool`.
        (Incapable, Model, AtAfter(Auto, Named), r"support the toolConfig\.toolChoice\.any field"),
        (Incapable, Model, At(Required), r"support the toolConfig\.toolChoice\.tool field"),
        // OpenRouter: no endpoint takes this value; one may take less.
        (Incapable, Route, Lower, r"no endpoints found.{0,60}CHOICE"),
        // Mistral, LM Studio, llama.cpp: words and no objects. Which words they list is what remains.
        (Incapable, Server, At(Required), r"CHOICE.{0,120}LISTS.{0,80}ITEM(any|required)\b"),
        (Incapable, Server, At(Auto), r"CHOICE.{0,120}LISTS.{0,80}ITEM(auto|none)\b"),
        // Azure's open models.
        (Incapable, Model, At(Auto), r"UnsupportedToolUse"),
    ]
};

const WORDS: [(&str, &str); 6] = [
    ("CHOICE", TOOL_CHOICE),
    (
        "UNSUPPORTED",
        "(not compatible|incompatible|not supported|unsupported|(does not|doesn't|not|never) support)",
    ),
    ("MISSING", "(not found|not present|not defined|does not exist)"),
    ("QUOTED", r#"['"`][^'"`\n]*['"`]"#),
    (
        "LISTS",
        "(input should be|(string|supported|allowed|valid) values|permitted|expected|one of|must be|only)",
    ),
    // A word of a list, not one of the sentence: `Field required`.
    ("ITEM", r#"(['"`]|[,:\[] ?|\bor )"#),
];

/// `tool_choice`, `tool-choice`, `Tool choices`, `toolChoice`.
const TOOL_CHOICE: &str = "tool[ _-]?choices?";

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let spelled_out = |(_, _, _, pattern): &Row| {
        WORDS.iter().fold((*pattern).to_owned(), |pattern, (word, meaning)| pattern.replace(word, meaning))
    };
    TABLE.iter().map(|row| compile(&spelled_out(row))).collect()
});

static BUDGET: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"^\W*(?:\d{3}\W+)?(?:INVALID_ARGUMENT\W+)?request contains an invalid argument\.?\W*$")
});

/// What the first rule that fits says.
pub fn first_match(text: &str, sent: Support) -> Option<Refusal> {
    if let Some(index) = PATTERNS.iter().position(|pattern| pattern.is_match(text)) {
        return Some(read(TABLE[index], sent));
    }
    if says_unsupported(text) {
        return Some(incapable(Scope::Model, named_only(text), sent));
    }
    // Gemini's only hint that a forced call exceeds a hidden budget. Of an unforced request it says nothing.
    let over_budget = sent >= Support::Required && BUDGET.is_match(text);
    over_budget.then(|| Refusal::passing(RefusalKind::OverBudget, Scope::ToolSet))
}

fn read((kind, scope, left, _): Row, sent: Support) -> Refusal {
    match left {
        Left::All => Refusal::passing(kind, scope),
        Left::At(level) => incapable(scope, level, sent),
        Left::AtAfter(level, other) => {
            Refusal { try_first: Some(other), lasting: false, ..incapable(scope, level, sent) }
        }
        Left::Lower => incapable(scope, sent.lower(), sent),
    }
}

/// The level that remains is below the one that was sent.
fn incapable(scope: Scope, cap: Support, sent: Support) -> Refusal {
    let cap = Some(cap.min(sent.lower()));
    let lasting = matches!(scope, Scope::Model | Scope::Server);
    Refusal { cap, lasting, ..Refusal::passing(RefusalKind::Incapable, scope) }
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
