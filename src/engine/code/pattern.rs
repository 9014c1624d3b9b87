//! Patterns of code: what somebody wrote, compiled once for each language it is tried in.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use ast_grep_core::matcher::PatternNode;
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::{Matcher, PatternError};
use ast_grep_language::{Language as _, LanguageExt as _, SupportLang};
use memchr::memmem::Finder;
use regex::Regex;

use super::language::Language;
use super::loose;
use super::matches::depth_within;
use super::parse::parse;
use crate::engine::cancel::CancelToken;

/// Matching goes as deep as the pattern does, on the stack.
const MAX_DEPTH: usize = 200;
/// Bytes of a pattern.
const MAX_BYTES: usize = 32 << 10;
/// How long a pattern may take to parse.
const MAX_TIME: Duration = Duration::from_secs(2);
/// An unnamed piece of the grammar shorter than this says nothing about a file.
const MIN_KEYWORD: usize = 3;

/// A pattern as it was written.
#[derive(Debug)]
pub struct Pattern {
    text: String,
    compiled: Vec<OnceLock<Result<Compiled, PatternFault>>>,
}

/// Why a text is no pattern of a language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternFault {
    /// There is no code in it.
    #[error("is not code of {0}: it has no content")]
    Empty(&'static str),
    /// Statements or the like beside each other.
    #[error("is not a single node of {0} but several: match one expression, statement or declaration")]
    Several(&'static str),
    /// The grammar knows no such code.
    #[error("is not code of {0}; a fragment needs the code around it to be parsed")]
    Broken(&'static str),
    /// A capture of many nodes, alone.
    #[error("captures any number of nodes of {0} but stands in no code: use `$NAME`")]
    Unbound(&'static str),
    /// More than can be matched safely.
    #[error("is nested too deep for {0} or too long")]
    TooDeep(&'static str),
}

/// What the library matches with.
pub(super) type Form = ast_grep_core::Pattern;

/// A pattern of one language.
pub struct Compiled {
    /// As it stands inside of other code, where that makes a difference, and as it was written.
    pub(super) forms: Vec<Form>,
    /// Kinds of nodes that may match; any, where that cannot be told.
    pub(super) kinds: Option<Vec<bool>>,
    /// Whether two places have to hold the same, which is compared as deep as it goes.
    pub(super) compares: bool,
    /// Text of the pattern that belongs to no node.
    pub(super) loose: Vec<String>,
    /// Texts that every file with a match holds, the longest first.
    literals: Vec<Literal>,
}

/// A text that a file must hold.
struct Literal {
    finder: Finder<'static>,
    /// It is a name: as part of a longer one it says nothing.
    is_word: bool,
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Compiled").field("literals", &self.literals.len()).finish_non_exhaustive()
    }
}

impl Pattern {
    /// Takes a text, whatever it is.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let compiled = (0..Language::count()).map(|_| OnceLock::new()).collect();
        Self { text: text.to_owned(), compiled }
    }

    /// What was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The pattern in a language; made when it is asked for first.
    pub fn in_language(&self, language: &Language) -> Result<&Compiled, &PatternFault> {
        self.compiled[language.index()].get_or_init(|| compile(&self.text, language)).as_ref()
    }

    /// What is wrong with it, for each language that it was asked for in and is no code of.
    pub fn faults(&self) -> impl Iterator<Item = (usize, &PatternFault)> {
        self.compiled
            .iter()
            .enumerate()
            .filter_map(|(index, compiled)| compiled.get()?.as_ref().err().map(|fault| (index, fault)))
    }
}

impl Compiled {
    /// Whether a file of these bytes can hold a match at all.
    #[must_use]
    pub fn may_match(&self, bytes: &[u8]) -> bool {
        self.literals.iter().all(|literal| literal.is_in(bytes))
    }
}

impl Literal {
    fn is_in(&self, bytes: &[u8]) -> bool {
        let length = self.finder.needle().len();
        let is_part = |at: Option<&u8>| at.is_some_and(|byte| is_word(*byte));
        let stands_alone = |start: usize| {
            !is_part(start.checked_sub(1).map(|at| &bytes[at])) && !is_part(bytes.get(start + length))
        };
        self.finder.find_iter(bytes).any(|start| !self.is_word || stands_alone(start))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn compile(text: &str, language: &Language) -> Result<Compiled, PatternFault> {
    let name = language.name;
    if text.len() > MAX_BYTES {
        return Err(PatternFault::TooDeep(name));
    }
    // The library makes its pattern of a tree by recursion, so the depth is looked at first.
    let written = language.grammar.pre_process_pattern(text);
    let tree = parse(&written, language, MAX_TIME, &CancelToken::new()).ok_or(PatternFault::TooDeep(name))?;
    if !depth_within(&tree, MAX_DEPTH) {
        return Err(PatternFault::TooDeep(name));
    }
    // Where the pattern is code only inside of other code, this tree says nothing.
    let root = Some(tree.root_node()).filter(|root| !root.has_error());
    let loose = root.map_or_else(Vec::new, |root| loose::pieces(root, &written));
    let loose = loose.into_iter().map(str::to_owned).collect();
    let plain = Form::try_new(text, language.grammar).map_err(|error| match error {
        PatternError::NoContent(_) => PatternFault::Empty(name),
        PatternError::MultipleNode(_) => PatternFault::Several(name),
        PatternError::RootMultiMetaVar(_) => PatternFault::Unbound(name),
        _ => PatternFault::Broken(name),
    });
    let plain = match plain {
        Ok(plain) if !plain.has_error() => Ok(plain),
        broken => with_source(text, language).map_or(broken, Ok),
    };
    let mut forms: Vec<Form> = in_context(&written, language).into_iter().collect();
    match plain {
        Ok(plain) if !plain.has_error() => forms.push(plain),
        Err(fault) if forms.is_empty() => return Err(fault),
        _ if forms.is_empty() => return Err(PatternFault::Broken(name)),
        _ => {}
    }
    let mut parts = Parts::default();
    // All forms have the same text.
    parts.gather(&forms[0].node);
    Ok(Compiled {
        kinds: kinds_of(&forms),
        compares: parts.captures.values().any(|count| *count > 1),
        loose,
        literals: parts.literals(language),
        forms,
    })
}

/// The code around an expression without which the grammar takes it for a declaration, or knows it not at all.
fn context_of(language: &Language) -> Option<(&'static str, &'static str)> {
    match language.grammar {
        SupportLang::C => Some(("void f(void) { ", ";}")),
        SupportLang::Dart => Some(("void f() { ", ";}")),
        SupportLang::Solidity => Some(("contract C { function f() public { ", ";}}")),
        _ => None,
    }
}

/// The pattern as an expression inside of other code.
fn in_context(written: &str, language: &Language) -> Option<Form> {
    let (before, after) = context_of(language)?;
    let written = written.trim_end_matches(';');
    let context = format!("{before}{written}{after}");
    let tree = parse(&context, language, MAX_TIME, &CancelToken::new())?;
    let root = tree.root_node();
    let range = before.len()..before.len() + written.len();
    let node = root.descendant_for_byte_range(range.start, range.end)?;
    let is_meant = node.byte_range() == range && node.is_named() && !root.has_error();
    if !is_meant || !depth_within(&tree, MAX_DEPTH) || first_of_kind(&tree, node.kind_id()) != Some(node.id())
    {
        return None;
    }
    Form::contextual(&context, node.kind(), language.grammar).ok()
}

/// A pattern that captures where a module comes from, such as `import $A from $B`: the grammar knows only texts there, so
/// it is parsed with one, which then is the capture.
fn with_source(text: &str, language: &Language) -> Option<Form> {
    static CAPTURED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?s)^(.*\b(?:from|import)\s+)(\$[A-Z_][A-Z0-9_]*)(\s*;?\s*)$").ok());
    if !matches!(language.grammar, SupportLang::TypeScript | SupportLang::Tsx | SupportLang::JavaScript) {
        return None;
    }
    let quoted = CAPTURED
        .as_ref()?
        .captures(text)
        .map(|parts| format!("{}\"{}\"{}", &parts[1], &parts[2], &parts[3]))?;
    let mut form = Form::try_new(&quoted, language.grammar).ok().filter(|form| !form.has_error())?;
    unquote(&mut form.node);
    Some(form)
}

/// Captures that stand in quotes become captures of the whole text. Recursion is bounded by [`MAX_DEPTH`].
fn unquote(node: &mut PatternNode) {
    let PatternNode::Internal { children, .. } = node else { return };
    let captured = match children.as_slice() {
        [PatternNode::Terminal { text, .. }, PatternNode::MetaVar { meta_var }, _] if text == "\"" => {
            Some(meta_var.clone())
        }
        _ => None,
    };
    match captured {
        Some(meta_var) => *node = PatternNode::MetaVar { meta_var },
        None => children.iter_mut().for_each(unquote),
    }
}

/// The first node of a kind, from the root down.
fn first_of_kind(tree: &tree_sitter::Tree, kind: u16) -> Option<usize> {
    let mut cursor = tree.walk();
    loop {
        if cursor.node().kind_id() == kind {
            return Some(cursor.node().id());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}

/// The kinds as a table by their number.
fn kinds_of(forms: &[Form]) -> Option<Vec<bool>> {
    let mut known = Vec::new();
    for form in forms {
        for kind in &form.potential_kinds()? {
            if known.len() <= kind {
                known.resize(kind + 1, false);
            }
            known[kind] = true;
        }
    }
    Some(known)
}

/// What a pattern consists of.
#[derive(Debug, Default)]
struct Parts<'a> {
    /// Names and values: they match only the same text. With each its kind.
    named: Vec<(&'a str, u16)>,
    /// Punctuation and keywords, which some languages write in either case.
    unnamed: Vec<&'a str>,
    captures: HashMap<&'a str, usize>,
}

impl<'a> Parts<'a> {
    /// Recursion is bounded by [`MAX_DEPTH`].
    fn gather(&mut self, node: &'a PatternNode) {
        match node {
            PatternNode::MetaVar {
                meta_var: MetaVariable::Capture(name, _) | MetaVariable::MultiCapture(name),
            } => *self.captures.entry(name).or_default() += 1,
            PatternNode::MetaVar { .. } => {}
            PatternNode::Terminal { text, is_named: true, kind_id } => self.named.push((text, *kind_id)),
            PatternNode::Terminal { text, .. } => self.unnamed.push(text),
            PatternNode::Internal { children, .. } => children.iter().for_each(|child| self.gather(child)),
        }
    }

    /// Texts without which nothing matches.
    fn literals(&self, language: &Language) -> Vec<Literal> {
        let grammar = language.grammar.get_ts_language();
        let is_name = |kind| grammar.node_kind_for_id(kind).is_some_and(|kind| kind.ends_with("identifier"));
        let names_and_values =
            self.named.iter().map(|(text, kind)| (*text, is_name(*kind) && text.bytes().all(is_word)));
        let keywords_count = language.grammar != SupportLang::Php;
        let is_keyword =
            |text: &&str| text.len() >= MIN_KEYWORD && text.bytes().all(|byte| byte.is_ascii_lowercase());
        let keywords = self.unnamed.iter().copied().filter(|text| keywords_count && is_keyword(text));
        // White space may be written as another line ending than the pattern's.
        let is_sure = |text: &str| !text.is_empty() && !text.contains(['\n', '\r']);
        let mut texts: Vec<(&str, bool)> = names_and_values
            .filter(|(text, _)| is_sure(text))
            .chain(keywords.map(|text| (text, false)))
            .collect();
        texts.sort_unstable_by(|(a, a_is_word), (b, b_is_word)| {
            b.len().cmp(&a.len()).then(a.cmp(b)).then(b_is_word.cmp(a_is_word))
        });
        texts.dedup_by_key(|(text, _)| *text);
        let literal = |(text, is_word)| Literal { finder: Finder::new(text).into_owned(), is_word };
        texts.into_iter().map(literal).collect()
    }
}
