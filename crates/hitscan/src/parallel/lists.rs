//! Batches of questions that have a list of answers each.

use super::{QUESTIONS, Threads, fill, is_available, threads};
use alloc::vec;
use alloc::vec::Vec;

/// The number of pieces for each thread. So a thread that finishes early takes over pieces of others.
const PIECES_PER_THREAD: usize = 8;

/// The lists of answers to many questions in one vector. It has all answers in sequence, and the offsets at which the
/// answers to each question begin. A program keeps it from batch to batch, so that its memory is reused.
///
/// ```
/// use hitscan::batch::{BatchLists, Threads};
/// use hitscan::{Mesh, Ray};
///
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
/// let rays = [0.5, 9.0, 1.0].map(|x| Ray::new([x, 0.5, -1.0], [0.0, 0.0, 1.0]));
/// let mut hits = BatchLists::new();
/// hitscan::batch::batch_lists(&rays, Threads::All, &mut hits, |ray, found| tetrahedron.cast_all(ray, found));
/// assert_eq!(hits.offsets(), [0, 2, 2, 4]);
/// assert_eq!(hits.list(2).iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.0, 3.5]);
/// # Ok::<(), hitscan::error::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BatchLists<A> {
    offsets: Vec<usize>,
    items: Vec<A>,
}

impl<A> Default for BatchLists<A> {
    fn default() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }
}

impl<A> BatchLists<A> {
    /// Makes a value without lists.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the offset at which the list of each question begins among all items. The last offset is the end of the
    /// last list.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Returns the items of all lists, one list after the other.
    pub fn items(&self) -> &[A] {
        &self.items
    }

    /// Returns the list of a question; it is empty beyond the last list.
    pub fn list(&self, question: usize) -> &[A] {
        match self.offsets.get(question..) {
            Some([start, end, ..]) => &self.items[*start..*end],
            _ => &[],
        }
    }

    /// Returns all lists in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[A]> {
        self.offsets.windows(2).map(|ends| &self.items[ends[0]..ends[1]])
    }

    fn clear(&mut self) {
        self.offsets.truncate(1);
        self.items.clear();
    }

    fn add<Q>(&mut self, questions: &[Q], ask: &impl Fn(&Q, &mut Vec<A>)) {
        let mut list = Vec::new();
        self.offsets.reserve(questions.len());
        for question in questions {
            if self.items.is_empty() {
                // Nothing needs to be moved, and a batch of one question needs no other buffer.
                ask(question, &mut self.items);
            } else {
                list.clear();
                ask(question, &mut list);
                self.items.append(&mut list);
            }
            self.offsets.push(self.items.len());
        }
    }
}

/// Answers one query that fills a buffer for many inputs, on at most `threads` threads. Such queries find all hits of
/// rays, all overlaps of volumes, all contacts of sweeps, or intervals. The lists are in the order of the questions,
/// and the same as in sequence. [`BatchLists`] has an example. The closure is called from several threads, each time
/// with an empty buffer. It may borrow the scene, but not change it.
#[doc(alias("parallel", "many", "bulk", "ragged", "csr"))]
pub fn batch_lists<Q: Sync, A: Send>(
    questions: &[Q],
    threads: Threads,
    lists: &mut BatchLists<A>,
    ask: impl Fn(&Q, &mut Vec<A>) + Sync,
) {
    lists.clear();
    let piece = piece_of(questions.len(), threads);
    if questions.len() <= piece {
        return lists.add(questions, &ask);
    }
    let mut pieces: Vec<BatchLists<A>> = questions.chunks(piece).map(|_| BatchLists::new()).collect();
    fill(&mut pieces, 1, &|first, pieces| {
        for (lists, questions) in pieces.iter_mut().zip(questions.chunks(piece).skip(first)) {
            lists.add(questions, &ask);
        }
    });
    lists.items.reserve(pieces.iter().map(|piece| piece.items.len()).sum());
    for piece in &mut pieces {
        let start = lists.items.len();
        lists.items.append(&mut piece.items);
        lists.offsets.extend(piece.offsets[1..].iter().map(|end| start + end));
    }
}

/// Returns how many questions a thread answers at a time.
pub(crate) fn piece_of(questions: usize, cap: Threads) -> usize {
    if questions <= QUESTIONS || !is_available() {
        return questions;
    }
    let pieces = match cap {
        Threads::All => threads() * PIECES_PER_THREAD,
        Threads::AtMost(most) => most.max(1),
    };
    questions.div_ceil(pieces).max(QUESTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_those_of_single_questions() {
        let ask = |number: &usize, list: &mut Vec<usize>| list.extend(0..number % 5);
        let mut lists = BatchLists::new();
        for count in [0, 1, 15, 16, 17, 1000] {
            let questions: Vec<usize> = (0..count).collect();
            for threads in [Threads::All, Threads::AtMost(0), Threads::AtMost(1), Threads::AtMost(3)] {
                batch_lists(&questions, threads, &mut lists, ask);
                assert_eq!((lists.len(), lists.is_empty()), (count, count == 0));
                assert_eq!(lists.offsets().last(), Some(&lists.items().len()));
                for (number, list) in lists.iter().enumerate() {
                    assert!(list.iter().copied().eq(0..number % 5));
                    assert_eq!(list, lists.list(number));
                }
            }
        }
        assert_eq!(lists.list(1000), [0usize; 0]);
        assert_eq!(lists.list(usize::MAX), [0usize; 0]);
    }

    #[test]
    fn a_cap_is_a_cap_on_pieces() {
        for (count, most) in [(1000_usize, 1), (1000, 3), (1001, 7)] {
            assert!(count.div_ceil(piece_of(count, Threads::AtMost(most))) <= most, "{count}, {most}");
        }
    }
}
