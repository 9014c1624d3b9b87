//! Searches of the same tree at the same time share a walk.
//!
//! A search that finds no other in its tree walks at once. One that does waits a moment for others of its kind, and they
//! walk together: eight searches that start at once take two walks. What comes during a walk has the next one, as it
//! must see what was changed before it was called.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::survey::{Search, Searches, Share, shares};
use crate::engine::error::{Result, ToolError};
use crate::engine::files::{Confinement, Root, TargetRules, Targets, walk as walk_roots};

/// How long a search waits for others while the tree is walked already.
const COMPANY: Duration = Duration::from_millis(2);

static TREES: Mutex<Vec<Tree>> = Mutex::new(Vec::new());
static WALK_ENDED: Condvar = Condvar::new();

/// A tree that is being searched.
struct Tree {
    place: Arc<Place>,
    /// Walks under way.
    walks: usize,
    /// Those who have the next one.
    waiting: Vec<Search>,
}

/// What is walked, and what of it may be read.
struct Place {
    roots: Vec<Root>,
    confinement: Confinement,
}

/// Walks for one search, in company if there is any.
pub(super) fn walk(targets: &mut Targets, rules: &TargetRules, search: Search) -> Result<Share> {
    // A pattern that every file has to be searched for would keep the others waiting.
    let roots = targets.plain_roots(rules).filter(|_| search.is_light());
    let Some(roots) = roots else { return walk_alone(targets, rules, search) };
    match join(Place { roots, confinement: Confinement::current() }, search) {
        Way::Alone(search, _walk) => walk_alone(targets, rules, *search),
        Way::Shared(share) => share.recv().unwrap_or_else(|_| Err(failed())),
    }
}

fn walk_alone(targets: &mut Targets, rules: &TargetRules, search: Search) -> Result<Share> {
    let searches = Searches::one(search);
    let course = searches.course();
    let done = targets.walk(searches, rules, &course, None)?;
    shares(done).next().ok_or_else(failed)
}

fn failed() -> ToolError {
    ToolError::Internal { message: "a shared walk failed".into() }
}

/// How a search comes to its walk.
enum Way {
    Alone(Box<Search>, Walk),
    Shared(Receiver<Result<Share>>),
}

fn join(place: Place, search: Search) -> Way {
    let mut trees = lock();
    let Some(tree) = trees.iter_mut().find(|tree| tree.place.is_same(&place)) else {
        let place = Arc::new(place);
        trees.push(Tree { place: Arc::clone(&place), walks: 1, waiting: Vec::new() });
        return Way::Alone(Box::new(search), Walk(place));
    };
    if tree.waiting.is_empty() {
        let place = Arc::clone(&tree.place);
        let thread = std::thread::Builder::new().name("search".into());
        if thread.spawn(move || walk_together(&place)).is_err() {
            tree.walks += 1;
            return Way::Alone(Box::new(search), Walk(Arc::clone(&tree.place)));
        }
    }
    let (answer, share) = channel();
    tree.waiting.push(search.answering(answer));
    Way::Shared(share)
}

/// One walk for all who wait for it.
fn walk_together(place: &Arc<Place>) {
    let trees = lock();
    let others_walk = |trees: &mut Vec<Tree>| tree_of(trees, place).is_some_and(|tree| tree.walks > 0);
    let waited = WALK_ENDED.wait_timeout_while(trees, COMPANY, others_walk);
    let (mut trees, _) = waited.unwrap_or_else(PoisonError::into_inner);
    let Some(tree) = tree_of(&mut trees, place) else { return };
    let searches = Arc::new(Searches::several(std::mem::take(&mut tree.waiting)));
    tree.walks += 1;
    drop(trees);
    let _walk = Walk(Arc::clone(place));
    let course = searches.course();
    let walk = || walk_roots(Arc::clone(&searches), place.roots.clone(), course, None);
    searches.tell(place.confinement.enter(walk));
}

/// A walk under way.
struct Walk(Arc<Place>);

impl Drop for Walk {
    fn drop(&mut self) {
        let mut trees = lock();
        if let Some(tree) = tree_of(&mut trees, &self.0) {
            tree.walks -= 1;
        }
        trees.retain(|tree| tree.walks > 0 || !tree.waiting.is_empty());
        drop(trees);
        WALK_ENDED.notify_all();
    }
}

fn lock() -> MutexGuard<'static, Vec<Tree>> {
    TREES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tree_of<'a>(trees: &'a mut [Tree], place: &Arc<Place>) -> Option<&'a mut Tree> {
    trees.iter_mut().find(|tree| Arc::ptr_eq(&tree.place, place))
}

impl Place {
    fn is_same(&self, other: &Self) -> bool {
        let same_roots = self.roots.len() == other.roots.len()
            && self.roots.iter().zip(&other.roots).all(|(one, other)| one.is_same(other));
        same_roots && self.confinement.is_same(&other.confinement)
    }
}
