//! What every part of a call is given.

use super::address::Target;
use super::options::View;
use crate::engine::cancel::CancelToken;

/// A call whose target is found.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// What is read.
    pub target: &'a Target,
    /// How text is shown.
    pub view: &'a View,
    /// Asked once for each chunk.
    pub cancel: &'a CancelToken,
}
