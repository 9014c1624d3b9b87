//! The shortest way from one list of lines to another: greedy forward search by edit length, between the common
//! start and the common end. Where that would cost too much, between lines that both have once.

use rustc_hash::FxHashMap;

/// Above this edit length lines are looked for that stay for sure: the search costs its square.
const MAX_EDITS: usize = 1000;
/// Above this one what lies between two such lines counts as different altogether.
const MAX_EDITS_BETWEEN: usize = 200;

/// One step of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// The next old line is the next new line.
    Keep,
    /// The next old line goes.
    Remove,
    /// The next new line comes.
    Add,
}

/// A script that turns `old` into `new`. Where several are shortest: deletions before additions at one place, and
/// as late as possible. Above the cost limit it may be longer: what both have once and in the same order stays.
#[must_use]
pub fn script(old: &[&[u8]], new: &[&[u8]]) -> Vec<Op> {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);

    let mut ops = vec![Op::Keep; start];
    if old_rest.is_empty() || new_rest.is_empty() {
        replace_all(&mut ops, old_rest.len(), new_rest.len());
    } else {
        match Numbered::of(old_rest, new_rest) {
            Some(lines) => push_script(&mut ops, &lines),
            None => replace_all(&mut ops, old_rest.len(), new_rest.len()),
        }
    }
    ops.extend(std::iter::repeat_n(Op::Keep, end));
    ops
}

fn push_script(ops: &mut Vec<Op>, lines: &Numbered) {
    let Numbered { old, new, count } = lines;
    // A search that must fail costs the most.
    let is_near = lines.least_edits() <= MAX_EDITS;
    if let Some(found) = is_near.then(|| Search::new(old, new).run(MAX_EDITS)).flatten() {
        ops.extend(found);
        return;
    }
    let (mut old_from, mut new_from) = (0, 0);
    for (old_at, new_at) in anchors(old, new, *count) {
        push_between(ops, &old[old_from..old_at], &new[new_from..new_at]);
        ops.push(Op::Keep);
        (old_from, new_from) = (old_at + 1, new_at + 1);
    }
    push_between(ops, &old[old_from..], &new[new_from..]);
}

fn push_between(ops: &mut Vec<Op>, old: &[usize], new: &[usize]) {
    let is_both = !old.is_empty() && !new.is_empty();
    match is_both.then(|| Search::new(old, new).run(MAX_EDITS_BETWEEN)).flatten() {
        Some(found) => ops.extend(found),
        None => replace_all(ops, old.len(), new.len()),
    }
}

/// Where lines stand that both sides have exactly once: as many as there are in the same order.
fn anchors(old: &[usize], new: &[usize], count: usize) -> Vec<(usize, usize)> {
    let (in_old, in_new) = (places(old, count), places(new, count));
    let pair = |line: &usize| Some((in_old[*line].only()?, in_new[*line].only()?));
    let pairs: Vec<(usize, usize)> = old.iter().filter_map(pair).collect();
    // For each length the chain that ends first on the new side, by its last pair; and what comes before each pair.
    let (mut chains, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (at, (_, new_at)) in pairs.iter().enumerate() {
        let length = chains.partition_point(|last| pairs[*last].1 < *new_at);
        before.push(length.checked_sub(1).map(|shorter| chains[shorter]));
        if length == chains.len() {
            chains.push(at);
        } else {
            chains[length] = at;
        }
    }
    let chain = std::iter::successors(chains.last().copied(), |at| before[*at]);
    let mut chain: Vec<(usize, usize)> = chain.map(|at| pairs[at]).collect();
    chain.reverse();
    chain
}

/// Where a line stands.
#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    Once(usize),
    Often,
}

impl Place {
    fn only(self) -> Option<usize> {
        if let Self::Once(at) = self { Some(at) } else { None }
    }
}

/// Where each of `count` lines stands.
fn places(lines: &[usize], count: usize) -> Vec<Place> {
    let mut places = vec![Place::Nowhere; count];
    for (at, line) in lines.iter().enumerate() {
        places[*line] = if matches!(places[*line], Place::Nowhere) { Place::Once(at) } else { Place::Often };
    }
    places
}

fn replace_all(ops: &mut Vec<Op>, removed: usize, added: usize) {
    ops.extend(std::iter::repeat_n(Op::Remove, removed));
    ops.extend(std::iter::repeat_n(Op::Add, added));
}

/// Lines as numbers below `count`, equal ones for equal lines, so that each comparison costs the same.
struct Numbered {
    old: Vec<usize>,
    new: Vec<usize>,
    count: usize,
}

impl Numbered {
    /// `None` if the two have no line in common.
    fn of<'t>(old: &[&'t [u8]], new: &[&'t [u8]]) -> Option<Self> {
        let mut known: FxHashMap<&[u8], usize> = FxHashMap::default();
        known.reserve(old.len());
        let mut number = |line: &'t [u8]| {
            let next = known.len();
            *known.entry(line).or_insert(next)
        };
        let of_old: Vec<usize> = old.iter().map(|line| number(line)).collect();
        // Many lines stand where they stood, and to compare them is cheaper than to look them up.
        let same = |at: usize, line: &&[u8]| (old.get(at) == Some(line)).then(|| of_old[at]);
        let new = new.iter().enumerate().map(|(at, line)| same(at, line).unwrap_or_else(|| number(line)));
        let new: Vec<usize> = new.collect();
        let highest = of_old.iter().copied().max()?;
        let count = new.iter().fold(highest, |highest, line| highest.max(*line)) + 1;
        new.iter().any(|number| *number <= highest).then_some(Self { old: of_old, new, count })
    }

    /// So many edits there are at least: a line that one side has more often than the other goes or comes.
    fn least_edits(&self) -> usize {
        let mut surplus = vec![0_isize; self.count];
        self.old.iter().for_each(|line| surplus[*line] += 1);
        self.new.iter().for_each(|line| surplus[*line] -= 1);
        surplus.into_iter().map(isize::unsigned_abs).sum()
    }
}

/// The search. A diagonal is the number of old lines consumed minus the number of new ones; for each edit length
/// the farthest old line on each diagonal is kept, for the way back.
struct Search<'a> {
    old: &'a [usize],
    new: &'a [usize],
    /// One row for each edit length.
    rows: Vec<Row>,
}

/// The farthest points of one edit length, on the diagonals `first`, `first + 2`, …
struct Row {
    first: isize,
    reached: Vec<Option<usize>>,
}

impl Row {
    fn get(&self, diagonal: isize) -> Option<usize> {
        let at = usize::try_from(diagonal - self.first).ok()?;
        if at % 2 == 1 { None } else { *self.reached.get(at / 2)? }
    }
}

impl<'a> Search<'a> {
    fn new(old: &'a [usize], new: &'a [usize]) -> Self {
        Self { old, new, rows: Vec::new() }
    }

    /// The script, or `None` above the cost limit.
    fn run(mut self, max_edits: usize) -> Option<Vec<Op>> {
        let start = self.slide(0, 0);
        self.rows.push(Row { first: 0, reached: vec![Some(start)] });
        let end = self.old.len().cast_signed() - self.new.len().cast_signed();
        if end == 0 && start == self.old.len() {
            return Some(vec![Op::Keep; start]);
        }
        let (mut lowest, mut highest) = (isize::MIN, isize::MAX);
        for edits in 1..=max_edits.min(self.old.len() + self.new.len()) {
            let length = edits.cast_signed();
            let mut first = (-length).max(lowest);
            // Only every second diagonal can be reached with a given number of edits.
            first += (first - length).rem_euclid(2);
            let mut row = Row { first, reached: Vec::new() };
            let mut diagonal = first;
            while diagonal <= length.min(highest) {
                let reached = self.step(edits, diagonal).map(|(old_at, _)| self.slide(old_at, diagonal));
                row.reached.push(reached);
                if let Some(old_at) = reached {
                    let new_at = old_at.cast_signed() - diagonal;
                    if old_at == self.old.len() {
                        highest = highest.min(diagonal - 1);
                    }
                    if new_at == self.new.len().cast_signed() {
                        lowest = lowest.max(diagonal + 1);
                    }
                    if diagonal == end && old_at == self.old.len() {
                        self.rows.push(row);
                        return Some(self.way_back());
                    }
                }
                diagonal += 2;
            }
            self.rows.push(row);
        }
        None
    }

    /// The best single step onto a diagonal: an addition if no deletion is possible or the deletion would start
    /// farther back, else the deletion.
    fn step(&self, edits: usize, diagonal: isize) -> Option<(usize, Op)> {
        let before = &self.rows[edits - 1];
        let removed_from = before.get(diagonal - 1).filter(|old_at| *old_at < self.old.len());
        let fits = |old_at: &usize| (old_at.cast_signed() - diagonal) <= self.new.len().cast_signed();
        let added_from = before.get(diagonal + 1).filter(fits);
        match (removed_from, added_from) {
            (None, None) => None,
            (None, Some(added)) => Some((added, Op::Add)),
            (Some(removed), Some(added)) if removed < added => Some((added, Op::Add)),
            (Some(removed), _) => Some((removed + 1, Op::Remove)),
        }
    }

    /// Follows equal lines.
    fn slide(&self, mut old_at: usize, diagonal: isize) -> usize {
        let Ok(mut new_at) = usize::try_from(old_at.cast_signed() - diagonal) else { return old_at };
        while old_at < self.old.len() && new_at < self.new.len() && self.old[old_at] == self.new[new_at] {
            (old_at, new_at) = (old_at + 1, new_at + 1);
        }
        old_at
    }

    fn way_back(&self) -> Vec<Op> {
        let mut ops = Vec::new();
        let mut diagonal = self.old.len().cast_signed() - self.new.len().cast_signed();
        let mut old_at = self.old.len();
        for edits in (1..self.rows.len()).rev() {
            let Some((after_step, op)) = self.step(edits, diagonal) else { break };
            ops.extend(std::iter::repeat_n(Op::Keep, old_at - after_step));
            ops.push(op);
            (old_at, diagonal) =
                if op == Op::Remove { (after_step - 1, diagonal - 1) } else { (after_step, diagonal + 1) };
        }
        ops.extend(std::iter::repeat_n(Op::Keep, old_at));
        ops.reverse();
        ops
    }
}
