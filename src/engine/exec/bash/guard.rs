//! Commands that a session does not run: all but a few (a profile, a list of beginnings), or those for which it has a
//! better tool (the interceptor). The first is a promise, the second advice.

use regex::RegexBuilder;
use serde::Deserialize;
use serde_json::Value;

use super::words;
use crate::engine::error::{Result, ToolError};
use crate::engine::settings::Settings;

/// What the host says about the commands of a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Host {
    /// Only what reads.
    #[serde(default)]
    pub read_only: bool,
    /// Only commands that begin with one of these.
    #[serde(default)]
    pub allowed_prefixes: Option<Vec<String>>,
    /// The tools of the session; absent: not known.
    #[serde(default)]
    pub tools: Option<Vec<String>>,
    /// There is a person to see a terminal.
    #[serde(default)]
    pub has_ui: bool,
    /// There is a place to keep whole outputs.
    #[serde(default)]
    pub holds_output: bool,
    /// Internal addresses in the command, and the files they stand for.
    #[serde(default)]
    pub addresses: Vec<(String, String)>,
}

impl Host {
    /// Whether the session allows only some commands. Those get no environment of the caller: it can make any program
    /// run another one.
    #[must_use]
    pub fn restricts(&self) -> bool {
        self.read_only || self.allowed_prefixes.is_some()
    }

    /// The command as it may run in a restricted session: every word quoted, so that nothing in it means more.
    pub fn restricted(&self, command: &str) -> Result<String> {
        let blocked = |reason: String| ToolError::CommandBlocked { command: command.to_owned(), reason };
        let words = words::literal(command).map_err(|special| {
            blocked(format!("this session runs single plain commands; {special:?} means more to a shell, unless it is in single quotes"))
        })?;
        if words.first().is_some_and(|first| first.contains('=')) {
            return Err(blocked("this session runs commands without variables before them".into()));
        }
        if self.read_only {
            check_read_only(&words).map_err(blocked)?;
        }
        if let Some(prefixes) = &self.allowed_prefixes {
            let begins = |prefix: &String| {
                let prefix: Vec<_> = prefix.split_whitespace().collect();
                !prefix.is_empty()
                    && words.len() >= prefix.len()
                    && prefix.iter().zip(&words).all(|(a, b)| a == b)
            };
            if !prefixes.iter().any(begins) {
                return Err(blocked(format!(
                    "this session runs only commands that begin with {}",
                    listed(prefixes)
                )));
            }
        }
        Ok(words.iter().map(|word| words::quote(word)).collect::<Vec<_>>().join(" "))
    }
}

/// Programs that only read, with the options that make them do more: long ones by their beginning, since programs take
/// them shortened.
const READERS: &[(&str, &str, &[&str])] = &[
    ("grep", "", &[]),
    ("rg", "z", &["--pre", "--search-z", "--hostname"]),
    ("tree", "oR", &["--o"]),
    ("ls", "", &[]),
    ("pwd", "", &[]),
    ("wc", "", &[]),
    ("du", "", &[]),
    ("file", "CzZ", &["--co", "--u"]),
    ("stat", "", &[]),
];

fn check_read_only(words: &[String]) -> std::result::Result<(), String> {
    let name = words.first().map_or("", String::as_str);
    let Some((_, letters, long)) = READERS.iter().find(|(reader, ..)| *reader == name) else {
        let readers = READERS.iter().map(|(name, ..)| (*name).to_owned()).collect::<Vec<_>>();
        return Err(format!("this session only reads; it runs {}", listed(&readers)));
    };
    let is_more = |word: &&String| {
        let is_long = word.starts_with("--");
        (is_long && long.iter().any(|start| word.starts_with(start)))
            || (!is_long && word.starts_with('-') && word.contains(|c| letters.contains(c)))
    };
    match words[1..].iter().find(is_more) {
        Some(option) => Err(format!("this session only reads, and `{name} {option}` does more")),
        None => Ok(()),
    }
}

/// One rule of the interceptor.
#[derive(Debug, Clone, Deserialize)]
struct Rule {
    pattern: String,
    #[serde(default)]
    flags: Option<String>,
    tool: String,
    message: String,
}

/// Pattern, tool and message of the rules that hold where no setting has others.
const RULES: &[(&str, &str, &str)] = &[
    (
        r"^\s*(?:cat|head|tail|less|more)\s+[^<>\s]",
        "read",
        "`read` shows files, with line numbers and in parts",
    ),
    (
        r"^\s*(?:grep|rg|ripgrep|ag|ack)\s",
        "search",
        "`search` looks into files and leaves out what git ignores",
    ),
    (
        r"^\s*(?:find|fd|locate)\s(?:.*\s)?(?:-i?name|-type|--type|--glob|-t|-g)\b",
        "find",
        "`find` looks for files by name",
    ),
    (
        r"^\s*sed\s(?:.*\s)?(?:-[a-zA-Z]*i|--in-place)",
        "edit",
        "`edit` changes files and checks what it changes",
    ),
    (r"^\s*perl\s(?:.*\s)?-[pnlaw0]*i", "edit", "`edit` changes files and checks what it changes"),
    (r"^\s*g?awk\s(?:.*\s)?-i\s*inplace\b", "edit", "`edit` changes files and checks what it changes"),
    (
        r#"^\s*(?:(?:echo|printf)\s(?:"[^"]*"|'[^']*'|[^"'>|;&])*>{1,2}\s*(?:[^&>\s(/]|/[^d])|cat\s*(?:<<.*>|>{1,2}.*<<))"#,
        "write",
        "`write` writes files and tells what became of them",
    ),
];

/// Refuses a command for which the session has a better tool. `forms` are the command as written and as it runs.
pub fn intercept(forms: &[&str], settings: &Settings, host: &Host) -> Result<()> {
    if !settings.truthy("bashInterceptor.enabled") {
        return Ok(());
    }
    let has_tool = |tool: &String| host.tools.as_ref().is_none_or(|tools| tools.contains(tool));
    let hit =
        rules(settings).into_iter().filter(|rule| has_tool(&rule.tool)).find(|rule| matches(rule, forms));
    hit.map_or(Ok(()), |rule| {
        Err(ToolError::CommandBlocked { command: forms[0].to_owned(), reason: rule.message })
    })
}

fn rules(settings: &Settings) -> Vec<Rule> {
    if let Value::Array(given) = settings.get("bashInterceptor.patterns") {
        return given.into_iter().filter_map(|rule| serde_json::from_value(rule).ok()).collect();
    }
    let rule = |&(pattern, tool, message): &(&str, &str, &str)| Rule {
        pattern: pattern.to_owned(),
        flags: None,
        tool: tool.to_owned(),
        message: message.to_owned(),
    };
    RULES.iter().map(rule).collect()
}

/// A pattern that does not compile, or takes too much memory, hits nothing.
fn matches(rule: &Rule, forms: &[&str]) -> bool {
    let has = |flag| rule.flags.as_ref().is_some_and(|flags| flags.contains(flag));
    let built = RegexBuilder::new(&rule.pattern)
        .case_insensitive(has('i'))
        .multi_line(has('m'))
        .dot_matches_new_line(has('s'))
        .size_limit(1 << 20)
        .build();
    built.is_ok_and(|pattern| forms.iter().any(|form| pattern.is_match(form)))
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
