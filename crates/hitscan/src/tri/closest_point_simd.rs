//! The nearest places of triangles, eight at once, in f32. They are approximate, because they only choose the axis for an exact test.

use crate::simd::{Axes, FloatLanes, Select, Simd, SimdBase, dot, f32x8, scaled, sum};

/// Returns approximately the place of a triangle that is nearest to the origin, given its first corner and the edges
/// from there.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn to_nearest<S: Simd>(simd: S, a: &Axes<f32x8<S>>, [e1, e2]: [&Axes<f32x8<S>>; 2]) -> Axes<f32x8<S>> {
    simd.shared(
        #[cfg_attr(target_family = "wasm", inline)]
        #[cfg_attr(not(target_family = "wasm"), inline(always))]
        || {
            let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
            // These are dot products of the point, which is the origin, and the edges.
            let (d1, d2) = (-dot(e1, a), -dot(e2, a));
            let (aa, bb, ab) = (dot(e1, e1), dot(e2, e2), dot(e1, e2));
            let (v, w, whole) = (bb * d1 - ab * d2, aa * d2 - ab * d1, aa * bb - ab * ab);
            let is_beside = (v.simd_lt(zero) | w.simd_lt(zero)) | (v + w).simd_gt(whole);
            let (opposite, d3) = (aa + bb - (ab + ab), (d2 - d1) + (aa - ab));
            let (s1, far1) = on_edge(simd, d1, aa);
            let (s2, far2) = on_edge(simd, d2, bb);
            let (s3, far3) = on_edge(simd, d3, opposite);
            let far3 = far3 + (aa - (d1 + d1));
            let is_first = far1.simd_lt(far2);
            let (v12, w12) = (is_first.select(s1, zero), is_first.select(zero, s2));
            let is_last = far3.simd_lt(far1.smaller(far2));
            let (v_edge, w_edge) = (is_last.select(one - s3, v12), is_last.select(s3, w12));
            let (v, w) = (is_beside.select(v_edge, v / whole), is_beside.select(w_edge, w / whole));
            sum(a, &sum(&scaled(e1, v), &scaled(e2, w)))
        },
    )
}

/// Returns the place of an edge that is nearest to a point, as a fraction of the edge. The second number is the
/// squared distance there minus the squared distance of the edge's first corner. `along` is the dot product of the
/// point and the edge.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn on_edge<S: Simd>(simd: S, along: f32x8<S>, square: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    let part = (along / square).larger(f32x8::splat(simd, 0.0)).smaller(f32x8::splat(simd, 1.0));
    (part, part * (part * square - (along + along)))
}
