//! Text inside of a node that belongs to none of its children, as the words of a line do in Markdown and the inside of a
//! string in some languages. The library compares node by node and never sees it.

use tree_sitter::{Node, TreeCursor};

/// The pieces of such text in a tree, node by node from the root down. What has neither letter nor digit, such as a
/// semicolon that may be left out, counts for nothing.
pub(super) fn pieces<'t>(root: Node<'_>, text: &'t str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut cursor = root.walk();
    loop {
        gather(cursor.node(), text, &mut found);
        if !goto_next(&mut cursor) {
            return found;
        }
    }
}

/// Whether the pieces of a pattern are among those of a match, in their order. A match may have more of them: in what is
/// captured.
pub(super) fn are_in(wanted: &[String], match_: Node<'_>, text: &str) -> bool {
    let mut found = pieces(match_, text).into_iter();
    wanted.iter().all(|piece| found.any(|found| found == piece))
}

/// What stands between the children of one node.
fn gather<'t>(node: Node<'_>, text: &'t str, found: &mut Vec<&'t str>) {
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return;
    }
    let mut at = node.start_byte();
    loop {
        let child = cursor.node();
        push(&text[at..child.start_byte().max(at)], found);
        at = child.end_byte();
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    push(&text[at..node.end_byte().max(at)], found);
}

fn push<'t>(piece: &'t str, found: &mut Vec<&'t str>) {
    if piece.contains(char::is_alphanumeric) {
        found.push(piece.trim());
    }
}

/// Goes on from the root down, never by recursion.
fn goto_next(cursor: &mut TreeCursor<'_>) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}
