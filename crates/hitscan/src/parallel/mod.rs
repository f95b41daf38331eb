//! Work on several threads with the feature `parallel`, otherwise the same work in sequence.
//!
//! Work that is divided here must not depend on the thread that does it. So the results are the same on any number of threads.

#[cfg(feature = "parallel")]
mod crew;
mod lists;
#[cfg(feature = "parallel")]
mod per_process;

pub(crate) use lists::piece_of;
pub use lists::{BatchLists, batch_lists};
#[cfg(feature = "parallel")]
pub use per_process::PerProcess;

use crate::error::BatchError;
use crate::simd::Places;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
#[cfg(feature = "parallel")]
use crew::Task;

/// Runs both closures, at the same time if a thread is free, and returns their results.
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    if is_available() {
        return erased(a, b, crew::join);
    }
    (a(), b())
}

/// Runs two tasks with `run`, and returns their results.
#[cfg(feature = "parallel")]
fn erased<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
    run: fn(Task<'_>, Task<'_>),
) -> (A, B) {
    let (mut first, mut second) = (Slot::Task(a), Slot::Task(b));
    run(&mut || first.run(), &mut || second.run());
    (first.answer(), second.answer())
}

/// A task that is run once, and then its answer.
#[cfg(feature = "parallel")]
enum Slot<F, A> {
    Task(F),
    Running,
    Answer(A),
}

#[cfg(feature = "parallel")]
impl<A, F: FnOnce() -> A> Slot<F, A> {
    fn run(&mut self) {
        if let Self::Task(task) = core::mem::replace(self, Self::Running) {
            *self = Self::Answer(task());
        }
    }

    fn answer(self) -> A {
        match self {
            Self::Answer(answer) => answer,
            Self::Task(task) => task(),
            Self::Running => unreachable!("a task that panics passes that on"),
        }
    }
}

/// Does the same as [`join`], but a thread outside the pool does the first part itself. Handing both over takes about
/// 60 microseconds. That thread waits for the second part without helping, so this is for work that is divided only a
/// few times.
pub(crate) fn join_in_place<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    if rayon_core::current_thread_index().is_none() && is_available() {
        return erased(a, b, crew::join_in_place);
    }
    join(a, b)
}

/// Runs both closures, at the same time if that is worth it and a thread is free.
pub(crate) fn join_if<A: Send, B: Send>(
    is_worth_it: bool,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if is_worth_it { join(a, b) } else { (a(), b()) }
}

/// Runs work that will divide itself repeatedly, on a thread of the pool if that is worth it. From any other thread,
/// each division takes about 60 microseconds. That is the time of waking a thread and being woken.
#[cfg(feature = "parallel")]
pub(crate) fn together<A: Send>(is_worth_it: bool, work: impl FnOnce() -> A + Send) -> A {
    if !(is_worth_it && is_available()) {
        return work();
    }
    let mut work = Slot::Task(work);
    crew::run_inside(&mut || work.run());
    work.answer()
}

#[cfg(not(feature = "parallel"))]
pub(crate) fn together<A: Send>(_is_worth_it: bool, work: impl FnOnce() -> A + Send) -> A {
    work()
}

/// Returns the number of threads, and starts them if no thread has requested them before. The number may affect how
/// work is done, but not the result. Work that is too small to be divided does not call this.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return crew::size();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Returns whether there is more than one thread, so that dividing work may save time.
pub fn is_available() -> bool {
    threads() > 1
}

/// Calls `work` with every task.
pub(crate) fn for_each<T: Send>(tasks: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    match tasks {
        [] => {}
        [task] => work(task),
        _ => {
            let (left, right) = tasks.split_at_mut(tasks.len() / 2);
            join(|| for_each(left, work), || for_each(right, work));
        }
    }
}

/// Combines the results of pieces of at most `grain` rows, in their order; `None` without a row.
pub(crate) fn reduce<T: Sync, A: Send>(
    rows: &[&[T]],
    grain: usize,
    find: &(impl Fn(&[T]) -> A + Sync),
    unite: &(impl Fn(A, A) -> A + Sync),
) -> Option<A> {
    let both = |left: &[&[T]], right: &[&[T]]| {
        let is_large = rows.iter().map(|row| row.len()).sum::<usize>() > grain;
        let half = |rows| reduce(rows, grain, find, unite);
        match join_if(is_large, || half(left), || half(right)) {
            (Some(left), Some(right)) => Some(unite(left, right)),
            (left, right) => left.or(right),
        }
    };
    match rows {
        [] => None,
        [row] if row.len() <= grain => Some(find(row)),
        [row] => {
            let (left, right) = row.split_at(row.len() / 2);
            both(&[left], &[right])
        }
        _ => {
            let (left, right) = rows.split_at(rows.len() / 2);
            both(left, right)
        }
    }
}

/// Fills a slice in pieces of at most `grain`. `fill_piece` gets the index at which the piece begins.
pub(crate) fn fill<T: Send>(target: &mut [T], grain: usize, fill_piece: &(impl Fn(usize, &mut [T]) + Sync)) {
    fn from<T: Send>(start: usize, target: &mut [T], grain: usize, fill_piece: &(impl Fn(usize, &mut [T]) + Sync)) {
        if target.len() <= grain {
            return fill_piece(start, target);
        }
        let middle = target.len() / 2;
        let (left, right) = target.split_at_mut(middle);
        join(|| from(start, left, grain, fill_piece), || from(start + middle, right, grain, fill_piece));
    }
    from(0, target, grain, fill_piece);
}

/// Gathers the results for the numbers from 0 to below `count`, in their order, in pieces of at most `grain`.
pub(crate) fn gather<T: Clone + Send>(
    count: usize,
    grain: usize,
    find: &(impl Fn(Range<usize>) -> Vec<T> + Sync),
) -> Vec<T> {
    let mut pieces = vec![Vec::new(); count.div_ceil(grain)];
    fill(&mut pieces, 1, &|start, pieces| {
        for (piece, first) in pieces.iter_mut().zip((start * grain..).step_by(grain)) {
            *piece = find(first..count.min(first + grain));
        }
    });
    pieces.concat()
}

/// Makes one item for each number from 0 on, in order. Threads are handed `grain` of them at a time.
pub(crate) fn collect<T: Send>(count: usize, grain: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    // This few items are made before another thread wakes up.
    let grain = if count <= 4 * grain { count } else { grain };
    crate::simd::made(count, |places| {
        answer_pieces(0..count, places, grain, &|numbers, places: Places<'_, T>| places.fill(numbers.map(&make)));
    })
}

impl<T: Send> Split for Places<'_, T> {
    fn split(self, place: usize) -> (Self, Self) {
        self.split_at(place)
    }
}

/// The number of rays that one thread answers at a time: some hundred microseconds.
const GRAIN: usize = 1024;
/// The number of other questions that one thread answers at a time. Such questions take longer than rays.
const QUESTIONS: usize = 16;

/// Places for answers that several threads can fill at once.
pub(crate) trait Split: Sized + Send {
    /// Splits the places at an index: the place at the index is the first of the second half.
    fn split(self, place: usize) -> (Self, Self);
}

impl<A: Send> Split for &mut [A] {
    fn split(self, place: usize) -> (Self, Self) {
        self.split_at_mut(place)
    }
}

/// Answers the rays of these numbers, in pieces that begin at multiples of the grain.
pub(crate) fn answer_range<A: Split>(rays: Range<usize>, answers: A, answer_piece: &(impl Fn(Range<usize>, A) + Sync)) {
    answer_pieces(rays, answers, GRAIN, answer_piece);
}

/// Answers the questions of these numbers, in pieces that begin at multiples of `grain`.
fn answer_pieces<A: Split>(
    questions: Range<usize>,
    answers: A,
    grain: usize,
    answer_piece: &(impl Fn(Range<usize>, A) + Sync),
) {
    if questions.len() <= grain || !is_available() {
        return answer_piece(questions, answers);
    }
    let half = (questions.len() / 2).next_multiple_of(grain);
    let middle = questions.start + half;
    let (first, last) = answers.split(half);
    join(
        || answer_pieces(questions.start..middle, first, grain, answer_piece),
        || answer_pieces(middle..questions.end, last, grain, answer_piece),
    );
}

/// Answers every question of a batch.
pub(crate) fn answer<Q: Sync, A: Send>(
    questions: &[Q],
    answers: &mut [A],
    answer_piece: &(impl Fn(&[Q], &mut [A]) + Sync),
) -> Result<(), BatchError> {
    check_count("places for answers", questions.len(), answers.len())?;
    answer_range(0..questions.len(), answers, &|range, answers| answer_piece(&questions[range], answers));
    Ok(())
}

/// A cap on the threads that work on a batch. The answers are the same on any number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Threads {
    /// All threads of the pool work. Without the feature `parallel` there is one thread.
    #[default]
    All,
    /// The largest number of threads that work; 0 is treated as 1.
    AtMost(usize),
}

impl Threads {
    /// Returns the least number of questions in a piece.
    fn grain(self, questions: usize) -> usize {
        match self {
            Self::All => 1,
            Self::AtMost(most) => questions.div_ceil(most.max(1)),
        }
    }
}

/// Answers every question of a batch on at most this many threads. The pieces have at least `grain` questions, or
/// with a cap as many as needed.
pub(crate) fn answer_on<Q: Sync, A: Send>(
    threads: Threads,
    (questions, answers): (&[Q], &mut [A]),
    grain: usize,
    answer_piece: &(impl Fn(&[Q], &mut [A]) + Sync),
) -> Result<(), BatchError> {
    check_count("places for answers", questions.len(), answers.len())?;
    let grain = grain.max(threads.grain(questions.len()));
    answer_pieces(0..questions.len(), answers, grain, &|range, answers| answer_piece(&questions[range], answers));
    Ok(())
}

/// Answers one query for many inputs, on all threads with the feature `parallel`. The answers are in the order of the
/// questions, and the same as in sequence.
///
/// This is for queries that have no batch of their own, such as sweeps and overlaps. For queries with a list of
/// answers, use [`batch_lists`]. The closure is called from several threads. It may borrow the scene, but not
/// change it.
///
/// ```
/// use hitscan::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.insert("ball", Sphere::new(1.0), DVec3::ZERO)?;
/// let points = [DVec3::new(3.0, 0.0, 0.0), DVec3::new(0.0, 0.0, -5.0)];
/// let mut distances = [None; 2];
/// hitscan::batch::batch(&points, &mut distances, |point| scene.closest_point(*point).map(|nearest| nearest.distance))?;
/// assert_eq!(distances, [Some(2.0), Some(4.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if there are not as many places for answers as questions. No answer is written then.
#[doc(alias("parallel", "many", "bulk"))]
pub fn batch<Q: Sync, A: Send>(
    questions: &[Q],
    answers: &mut [A],
    ask: impl Fn(&Q) -> A + Sync,
) -> Result<(), BatchError> {
    batch_on(questions, Threads::All, answers, ask)
}

/// Does the same as [`batch`] on at most `threads` threads.
///
/// ```
/// use hitscan::Mesh;
/// use hitscan::batch::Threads;
///
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
/// let points = [[1.0, 1.0, 1.0], [3.0, 3.0, 3.0]];
/// let mut inside = [false; 2];
/// hitscan::batch::batch_on(&points, Threads::AtMost(2), &mut inside, |&point: &[f64; 3]| tetrahedron.contains(point))?;
/// assert_eq!(inside, [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error as [`batch`] does.
pub fn batch_on<Q: Sync, A: Send>(
    questions: &[Q],
    threads: Threads,
    answers: &mut [A],
    ask: impl Fn(&Q) -> A + Sync,
) -> Result<(), BatchError> {
    answer_on(threads, (questions, answers), QUESTIONS, &|questions, answers| {
        for (question, answer) in questions.iter().zip(answers) {
            *answer = ask(question);
        }
    })
}

/// Checks that a count equals the number of questions. `what` names the counted items in the error.
pub(crate) fn check_count(what: &'static str, questions: usize, count: usize) -> Result<(), BatchError> {
    if questions == count { Ok(()) } else { Err(BatchError { what, questions, answers: count }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done_from_anywhere() {
        fn sum(numbers: Range<u64>) -> u64 {
            let (start, middle) = (numbers.start, numbers.start.midpoint(numbers.end));
            if start == middle {
                return start;
            }
            let (left, right) = join_in_place(|| sum(start..middle), || sum(middle..numbers.end));
            left + right
        }
        assert_eq!(sum(0..1000), 499_500);
        assert_eq!(join(|| sum(0..1000), || join_in_place(|| sum(1000..2000), || 7)), (499_500, (1_499_500, 7)));
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn a_panic_of_either_comes_out_when_the_other_is_done() {
        use core::sync::atomic::{AtomicU32, Ordering};
        use std::panic::catch_unwind;
        let done = AtomicU32::new(0);
        let count = || _ = done.fetch_add(1, Ordering::Relaxed);
        let panics = || panic!("as it should");
        assert!(catch_unwind(|| join_in_place(count, panics)).is_err());
        assert!(catch_unwind(|| join_in_place(panics, count)).is_err());
        assert_eq!(done.into_inner(), 1 + u32::from(is_available()));
    }

    #[test]
    fn no_more_pieces_than_threads_are_answered() {
        use core::sync::atomic::{AtomicUsize, Ordering};
        for (count, most) in [(0, 3), (1, 1), (1000, 0), (1000, 1), (1000, 3), (1001, 7)] {
            let pieces = AtomicUsize::new(0);
            let questions: Vec<usize> = (0..count).collect();
            let mut answers = vec![0; count];
            answer_on(Threads::AtMost(most), (&questions, &mut answers), 16, &|questions, answers| {
                pieces.fetch_add(1, Ordering::Relaxed);
                answers.copy_from_slice(questions);
            })
            .unwrap();
            assert_eq!(answers, questions);
            assert!(pieces.into_inner() <= most.max(1), "{count}, {most}");
        }
        let refused = answer_on(Threads::All, (&[1, 2], &mut [0]), 1, &|_, _| unreachable!());
        assert_eq!(
            alloc::format!("{}", refused.unwrap_err()),
            "2 questions need 2 places for answers, but there are 1"
        );
    }

    #[test]
    fn what_is_found_in_pieces_is_in_order() {
        for (count, grain) in [(0, 4), (1, 4), (8, 4), (1001, 16)] {
            let thirds = gather(count, grain, &|piece| {
                assert!(piece.len() <= grain);
                piece.filter(|number| number % 3 == 0).collect()
            });
            assert!(thirds.into_iter().eq((0..count).step_by(3)), "{count}, {grain}");
        }
    }

    #[test]
    fn pieces_are_united_in_order() {
        let numbers: Vec<u32> = (0..100).collect();
        for grain in [1, 3, 64, 1000] {
            for cuts in [&[][..], &[50], &[0, 7, 7, 99], &[100]] {
                let ends: Vec<usize> = cuts.iter().copied().chain([100]).collect();
                let starts = [0].into_iter().chain(cuts.iter().copied());
                let rows: Vec<&[u32]> = starts.zip(&ends).map(|(start, &end)| &numbers[start..end]).collect();
                let find = |row: &[u32]| {
                    assert!(row.len() <= grain);
                    row.to_vec()
                };
                let found = reduce(&rows, grain, &find, &|left, right| [left, right].concat());
                assert_eq!(found.as_ref(), Some(&numbers), "{grain}, {cuts:?}");
            }
        }
        assert_eq!(reduce::<u32, usize>(&[], 1, &|row| row.len(), &|a, b| a + b), None);
    }
}
