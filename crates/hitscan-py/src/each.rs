//! Answers to many questions, on the threads of the pool that this is called in. Outside of a pool, for example where no thread can be started, the calling
//! thread answers all of them.

use crate::answers::{Piece, Ragged};
use crate::interrupt::Watch;
use crate::threads::FEW;
use rayon::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The number of rays that are cast together: their hits stay in the nearest cache.
const CHUNK: usize = 64;
/// The least number of such chunks that a thread takes at a time, so that handing them over costs little.
const CHUNKS: usize = 8;
/// The number of questions with any number of answers that a thread takes at a time: enough that joining the answers costs little.
const PIECE: usize = 512;

/// The sizes of the first and the largest group of questions that the library is asked at once. The largest size bounds the memory.
const GROUPS: Range<usize> = 1 << 12..1 << 18;
/// The time that a group should take at most, so that a call ends soon after a signal.
const GROUP_TIME: Duration = Duration::from_millis(40);

/// Returns whether there are threads to divide work among. Outside of a pool, rayon would start its own, which would panic where no thread can be started.
fn is_in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

/// Answers `count` questions. A thread takes at least `least` of them at a time; the calling thread answers fewer than [`FEW`] itself.
pub(crate) fn each<A: Send>(count: usize, least: usize, answer: impl Fn(usize) -> A + Sync) -> Vec<A> {
    if count <= 1 {
        return (0..count).map(answer).collect();
    }
    let watch = Watch::new();
    let watched = |place| {
        watch.look();
        answer(place)
    };
    if count < FEW || !is_in_pool() {
        return (0..count).map(watched).collect();
    }
    (0..count).into_par_iter().with_min_len(least).map(&watched).collect()
}

/// Answers questions with any number of rows each. `answer` is given the index of a question, a piece to which it adds the rows, and a buffer that
/// it may reuse.
pub(crate) fn each_of_many<R: Send, B: Default>(
    count: usize,
    answer: impl Fn(usize, &mut Piece<R>, &mut B) + Sync,
) -> Ragged<R> {
    let starts: Vec<usize> = (0..count).step_by(PIECE).collect();
    let watch = Watch::new();
    let find = |&start: &usize| {
        let (mut piece, mut buffer) = (Piece::new(), B::default());
        for place in start..count.min(start + PIECE) {
            watch.look();
            answer(place, &mut piece, &mut buffer);
        }
        piece
    };
    Ragged::joined(match starts[..] {
        [_, _, ..] if is_in_pool() => starts.par_iter().map(find).collect(),
        _ => starts.iter().map(find).collect(),
    })
}

/// Fills answers chunk by chunk; `fill` is given the start of a chunk. The calling thread fills fewer than [`FEW`] itself.
pub(crate) fn in_chunks<A: Send>(answers: &mut [A], fill: impl Fn(usize, &mut [A]) + Sync) {
    if answers.len() < FEW {
        return fill(0, answers);
    }
    let watch = Watch::new();
    let work = |(chunk, answers): (usize, &mut [A])| {
        watch.look();
        fill(chunk * CHUNK, answers);
    };
    if !is_in_pool() {
        return answers.chunks_mut(CHUNK).enumerate().for_each(work);
    }
    answers.par_chunks_mut(CHUNK).enumerate().with_min_len(CHUNKS).for_each(work);
}

/// Calls `ask` with one group of questions after the other. A group is as large as [`GROUP_TIME`] allows.
pub(crate) fn in_groups(count: usize, mut ask: impl FnMut(Range<usize>)) {
    let (mut start, mut size) = (0, GROUPS.start);
    let watch = Watch::new();
    while start < count {
        watch.look();
        let (end, began) = (count.min(start + size), Instant::now());
        ask(start..end);
        start = end;
        let took = began.elapsed();
        if took > GROUP_TIME {
            size = (size / 2).max(FEW);
        } else if 4 * took < GROUP_TIME {
            size = (2 * size).min(GROUPS.end);
        }
    }
}
