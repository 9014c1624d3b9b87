//! What a pattern matches in a text.

use std::ops::Range;
use std::time::Duration;

use ast_grep_core::matcher::MatcherExt;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_core::{AstGrep, Matcher, NodeMatch};
use ast_grep_language::SupportLang;

use super::language::Language;
use super::loose;
use super::parse::parse;
use super::pattern::{Compiled, Form};
use crate::engine::cancel::CancelToken;
use crate::engine::error::Result;

/// How long a file may take to parse; ordinary ones take milliseconds, on threads that let others go first.
const MAX_TIME: Duration = Duration::from_secs(5);
/// Comparing two captures goes as deep as the tree does, on the stack.
const MAX_COMPARED_DEPTH: usize = 2_000;
/// Nodes between two looks at the token.
const NODES_PER_CHECK: usize = 4_096;

/// A parsed text.
pub struct Tree {
    root: AstGrep<StrDoc<SupportLang>>,
    has_errors: bool,
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tree").field("has_errors", &self.has_errors).finish_non_exhaustive()
    }
}

/// Why a text was not searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeFault {
    /// Parsing it took too long.
    TooSlow,
    /// It is nested too deep to compare parts of it.
    TooDeep,
}

/// One match.
pub struct Found<'a> {
    node: NodeMatch<'a, StrDoc<SupportLang>>,
    form: &'a Form,
}

impl std::fmt::Debug for Found<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Found").field("range", &self.node.range()).finish_non_exhaustive()
    }
}

/// What a capture holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Captured<'a> {
    /// One node.
    One(&'a str),
    /// Nodes beside each other, what separates them among them.
    Several(Vec<&'a str>),
}

impl Tree {
    /// Parses a text whose lines end with LF.
    pub fn of(
        text: &str,
        language: &Language,
        cancel: &CancelToken,
    ) -> Result<std::result::Result<Self, TreeFault>> {
        let tree = parse(text, language, MAX_TIME, cancel);
        cancel.check()?;
        let Some(tree) = tree else { return Ok(Err(TreeFault::TooSlow)) };
        let has_errors = tree.root_node().has_error();
        let root = AstGrep::doc(StrDoc { src: text.to_owned(), lang: language.grammar, tree });
        Ok(Ok(Self { root, has_errors }))
    }

    /// Whether there is something in the text that the grammar does not know.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Tells `each` of every match, outer before inner, in the order of their starts.
    pub fn each_match<'a>(
        &'a self,
        compiled: &'a Compiled,
        cancel: &CancelToken,
        mut each: impl FnMut(Found<'a>),
    ) -> Result<std::result::Result<(), TreeFault>> {
        if compiled.compares && !depth_within(&self.root.root().get_doc().tree, MAX_COMPARED_DEPTH) {
            return Ok(Err(TreeFault::TooDeep));
        }
        let root = self.root.root();
        for (index, node) in root.dfs().enumerate() {
            if index % NODES_PER_CHECK == 0 {
                cancel.check()?;
            }
            let kind = usize::from(node.kind_id());
            if compiled.kinds.as_ref().is_some_and(|kinds| kinds.get(kind) != Some(&true)) {
                continue;
            }
            let mut forms = compiled.forms.iter();
            let found = forms.find_map(|form| Some((form.match_node(node.clone())?, form)));
            let found = found.filter(|(node, _)| self.has_loose_text(compiled, node));
            if let Some((node, form)) = found {
                each(Found { node, form });
            }
        }
        Ok(Ok(()))
    }

    /// Whether what the library does not compare is the pattern's as well.
    fn has_loose_text(&self, compiled: &Compiled, node: &NodeMatch<'_, StrDoc<SupportLang>>) -> bool {
        compiled.loose.is_empty()
            || loose::are_in(&compiled.loose, node.get_node().get_inner_node(), self.root.source())
    }
}

impl<'a> Found<'a> {
    /// The bytes of the whole match.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.node.range()
    }

    /// The bytes that the pattern speaks of: what may stand behind them in the same node is not replaced.
    #[must_use]
    pub fn replaced_range(&self) -> Range<usize> {
        let range = self.node.range();
        match self.form.get_match_len(self.node.get_node().clone()) {
            Some(length) => range.start..range.start + length,
            None => range,
        }
    }

    /// The bytes of a capture; none where it is bound to nothing.
    #[must_use]
    pub fn capture(&self, name: &str) -> Option<Range<usize>> {
        let env = self.node.get_env();
        if let Some(node) = env.get_match(name) {
            return Some(node.range());
        }
        let nodes = env.get_multiple_matches(name);
        Some(nodes.first()?.range().start..nodes.last()?.range().end)
    }

    /// All captures by name.
    #[must_use]
    pub fn captures(&self) -> Vec<(String, Captured<'a>)> {
        use ast_grep_core::meta_var::MetaVariable::{Capture, MultiCapture};
        let env = self.node.get_env();
        let source = &self.node.get_doc().src;
        let captured = |variable| match variable {
            Capture(name, _) => {
                let text = &source[env.get_match(&name)?.range()];
                Some((name, Captured::One(text)))
            }
            MultiCapture(name) => {
                let nodes = env.get_multiple_matches(&name);
                Some((name, Captured::Several(nodes.iter().map(|node| &source[node.range()]).collect())))
            }
            _ => None,
        };
        let mut all: Vec<_> = env.get_matched_variables().filter_map(captured).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all
    }
}

/// Whether no node of a tree lies deeper than that. Never recurses.
pub(super) fn depth_within(tree: &tree_sitter::Tree, most: usize) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            if depth > most {
                return false;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return true;
            }
            depth -= 1;
        }
    }
}
