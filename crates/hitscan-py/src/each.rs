//! Answers to many questions, on the threads of the pool that this is called in.

use crate::answers::{Piece, Ragged};
use crate::threads::FEW;
use rayon::prelude::*;

/// The number of rays that are cast together: their hits stay in the nearest cache.
const CHUNK: usize = 64;
/// The least number of such chunks that a thread takes at a time, so that handing them over costs little.
const CHUNKS: usize = 8;
/// The number of questions with any number of answers that a thread takes at a time: enough that joining the answers costs little.
const PIECE: usize = 512;

/// Answers each of so many questions. A thread takes `least` of them or more at a time; few are answered by the thread that asks.
pub(crate) fn each<A: Send>(count: usize, least: usize, answer: impl Fn(usize) -> A + Sync) -> Vec<A> {
    match count {
        0..FEW => (0..count).map(answer).collect(),
        _ => (0..count).into_par_iter().with_min_len(least).map(&answer).collect(),
    }
}

/// Answers questions with any number of rows each. `answer` is given the place of a question, adds its rows, and may use a buffer again and again.
pub(crate) fn each_of_many<R: Send, B: Default>(
    count: usize,
    answer: impl Fn(usize, &mut Piece<R>, &mut B) + Sync,
) -> Ragged<R> {
    let starts: Vec<usize> = (0..count).step_by(PIECE).collect();
    let find = |&start: &usize| {
        let (mut piece, mut buffer) = (Piece::new(), B::default());
        (start..count.min(start + PIECE)).for_each(|place| answer(place, &mut piece, &mut buffer));
        piece
    };
    Ragged::joined(match starts[..] {
        [_, _, ..] => starts.par_iter().map(find).collect(),
        _ => starts.iter().map(find).collect(),
    })
}

/// Fills answers chunk by chunk; `fill` is told where a chunk starts. Few are filled by the thread that asks.
pub(crate) fn in_chunks<A: Send>(answers: &mut [A], fill: impl Fn(usize, &mut [A]) + Sync) {
    if answers.len() < FEW {
        fill(0, answers);
    } else {
        let work = |(chunk, answers): (usize, &mut [A])| fill(chunk * CHUNK, answers);
        answers.par_chunks_mut(CHUNK).enumerate().with_min_len(CHUNKS).for_each(work);
    }
}
