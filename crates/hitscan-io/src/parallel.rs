//! Work on several threads with the feature `parallel`, otherwise the same work in sequence: the results are the same.

use hitscan::internal;

/// The number of vertices that one thread deforms at a time. To deform this many takes longer than to hand work to another thread.
const GRAIN: usize = 2048;

/// Returns whether there is more than one thread, so that dividing work may be faster.
fn is_available() -> bool {
    cfg!(feature = "parallel") && internal::is_available()
}

/// Fills two slices in pieces; `fill_piece` gets the index of the first element of each piece. The second slice is as
/// long as the first or empty.
pub(crate) fn fill_both<A: Send, B: Send>(
    start: usize,
    first: &mut [A],
    second: &mut [B],
    fill_piece: &(impl Fn(usize, &mut [A], &mut [B]) + Sync),
) {
    if first.len() <= GRAIN || !is_available() {
        return fill_piece(start, first, second);
    }
    let middle = first.len() / 2;
    let (near, far) = first.split_at_mut(middle);
    let (near_second, far_second) = second.split_at_mut(middle.min(second.len()));
    internal::join(
        || fill_both(start, near, near_second, fill_piece),
        || fill_both(start + middle, far, far_second, fill_piece),
    );
}
