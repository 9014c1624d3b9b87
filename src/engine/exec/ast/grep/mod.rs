//! `ast_grep`: a pattern of code over the files of every language that it is code of.
//!
//! In reading order: the course of a call (`call`), one file (`scan`), which matches fit the page and how they look in
//! their lines (`page`), and what the result says of the rest (`said`). Never writes.

mod call;
mod page;
mod said;
mod scan;

pub use call::{Options, run};
