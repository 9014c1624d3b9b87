//! The bytes of a file, of which a change copies nothing: what it left alone and what it brought in lie behind each
//! other only once somebody wants them so.

use std::sync::{Arc, OnceLock};

use super::lf::{Splice, apply_splices};

/// More pieces cost more than a copy, and so do small ones.
const MAX_SPLICES: usize = 8;
const MIN_BYTES: usize = 64 * 1024;

/// Bytes that do not change. They are shared, and compared by value.
#[derive(Debug)]
pub struct Bytes(Form);

#[derive(Debug)]
enum Form {
    Whole(Vec<u8>),
    Changed { base: Arc<Bytes>, splices: Vec<Splice<'static>>, whole: OnceLock<Vec<u8>> },
}

impl From<Vec<u8>> for Bytes {
    fn from(whole: Vec<u8>) -> Self {
        Self(Form::Whole(whole))
    }
}

impl Bytes {
    /// Others with every splice made. The splices are in order and do not overlap.
    #[must_use]
    pub fn changed(base: Arc<Self>, splices: Vec<Splice<'static>>) -> Self {
        if splices.len() > MAX_SPLICES || base.whole().len() < MIN_BYTES {
            return apply_splices(base.whole(), &splices).into();
        }
        Self(Form::Changed { base, splices, whole: OnceLock::new() })
    }

    /// All of them behind each other.
    #[must_use]
    pub fn whole(&self) -> &[u8] {
        match &self.0 {
            Form::Whole(whole) => whole,
            Form::Changed { base, splices, whole } => {
                whole.get_or_init(|| apply_splices(base.whole(), splices))
            }
        }
    }

    /// The pieces they are made of, in order.
    #[must_use]
    pub fn pieces(&self) -> Vec<&[u8]> {
        let Form::Changed { base, splices, .. } = &self.0 else { return vec![self.whole()] };
        let (mut pieces, mut taken) = (Vec::with_capacity(2 * splices.len() + 1), 0);
        for Splice { range, new } in splices {
            pieces.push(&base.whole()[taken..range.start]);
            pieces.push(new);
            taken = range.end;
        }
        pieces.push(&base.whole()[taken..]);
        pieces
    }

    /// How many they are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.pieces().iter().map(|piece| piece.len()).sum()
    }
}

impl Eq for Bytes {}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size()
            && self.pieces().iter().try_fold(other.whole(), |rest, piece| rest.strip_prefix(*piece)).is_some()
    }
}
