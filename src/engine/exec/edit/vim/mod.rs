//! Mode `vim`: keys as they are typed in vim, on one file. The editor of a file lives as long as the session: its
//! cursor, registers, last search, last change and history stay from call to call.
//!
//! Follows vim 9 as it starts without any configuration (`-u NONE`, `nocompatible`, `nofixeol`), save that ranges are
//! cut at the ends of the file, `\b` in a pattern is the edge of a word, and indentation is by two spaces where the file
//! has that. Never touches the disk itself: what the keys made of the text is written by the road all modes share.

mod brackets;
mod buffer;
mod call;
mod cells;
mod diff;
mod editor;
mod ex;
mod ex_file;
mod fault;
mod insert;
mod keys;
mod line;
mod motion;
mod normal;
mod object;
mod operator;
mod pattern;
mod pattern_syntax;
mod put;
mod region;
mod register;
mod search;
mod show;
mod steps;
mod substitute;
mod undo;
mod view;
mod visual;
mod walk;
mod work;

pub use call::{Options, run};
pub use editor::Editor;
pub use steps::{Step, run_steps};
