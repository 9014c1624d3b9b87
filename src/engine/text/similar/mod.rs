//! How alike texts are, and where in a file lines stand that are most like given ones. Lengths and distances are in
//! UTF-16 units.
//!
//! The documented score of a window of lines is the mean of the similarities of its lines, each written as
//! `depth|form`. [`windows`] computes it in full only where an upper bound says that it could matter: the bound of a
//! line comes from its length and from how often each unit occurs ([`forms`]), the distance from whole columns of the
//! table at a time ([`distance`]).

mod distance;
mod forms;
mod operators;
mod windows;

pub use distance::similarity;
pub use forms::Forms;
pub use windows::{Prefix, Windows, best_windows, closest_windows, windows_alike};
