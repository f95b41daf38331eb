//! The distance of two triangles by all pairs of their faces, edges and corners, and of two meshes by all pairs of triangles.

use hitscan::glam::DVec3;

pub(super) type Corners = [DVec3; 3];

/// The corners, edges and the face of a triangle, each by its corners.
const PARTS: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[1, 2], &[2, 0], &[0, 1, 2]];

/// Returns the distance between two triangles.
///
/// The nearest points are inside some part of each triangle, and are the nearest points of the affine hulls of these parts. Where the hulls have several
/// nearest points, as parallel hulls do, smaller parts have them too. Every candidate is a point of one triangle and a point of the other, so no candidate is
/// too near.
pub(super) fn of_triangles(a: &Corners, b: &Corners) -> f64 {
    let mut least = f64::INFINITY;
    for ours in PARTS {
        for theirs in PARTS {
            let (p, q) =
                (ours.iter().map(|&i| a[i]).collect::<Vec<_>>(), theirs.iter().map(|&i| b[i]).collect::<Vec<_>>());
            if let Some(distance) = of_hulls(&p, &q) {
                least = least.min(distance);
            }
        }
    }
    least
}

/// Returns the distance between the nearest points of two affine hulls, if both points are between the corners.
fn of_hulls(p: &[DVec3], q: &[DVec3]) -> Option<f64> {
    let ours: Vec<DVec3> = p[1..].iter().map(|&corner| corner - p[0]).collect();
    let theirs: Vec<DVec3> = q[1..].iter().map(|&corner| q[0] - corner).collect();
    let ways: Vec<DVec3> = ours.iter().chain(&theirs).copied().collect();
    let weights = least_squares(&ways, q[0] - p[0])?;
    let (s, t) = weights.split_at(ours.len());
    let inside = |weights: &[f64]| {
        let first = 1.0 - weights.iter().sum::<f64>();
        (first >= 0.0 && weights.iter().all(|&weight| weight >= 0.0)).then_some(())
    };
    inside(s)?;
    inside(t)?;
    let point = |from: DVec3, ways: &[DVec3], weights: &[f64]| {
        ways.iter().zip(weights).fold(from, |point, (&way, &weight)| point + way * weight)
    };
    let backward: Vec<f64> = t.iter().map(|weight| -weight).collect();
    Some(point(p[0], &ours, s).distance(point(q[0], &theirs, &backward)))
}

/// Solves for the weights of vectors whose sum is nearest to another vector, by orthogonal vectors (Gram and Schmidt, twice). Returns `None` if the vectors are
/// linearly dependent.
fn least_squares(ways: &[DVec3], sought: DVec3) -> Option<Vec<f64>> {
    if ways.len() > 3 {
        // Four vectors in space are linearly dependent.
        return None;
    }
    let (mut across, mut factors) = (Vec::<DVec3>::new(), vec![vec![0.0; ways.len()]; ways.len()]);
    for (column, &way) in ways.iter().enumerate() {
        let mut rest = way;
        for _ in 0..2 {
            for (row, unit) in across.iter().enumerate() {
                let along = unit.dot(rest);
                factors[row][column] += along;
                rest -= *unit * along;
            }
        }
        let length = rest.length();
        if length <= 1e-12 * way.length() || length == 0.0 {
            return None;
        }
        factors[column][column] = length;
        across.push(rest / length);
    }
    let mut weights = vec![0.0; ways.len()];
    for row in (0..ways.len()).rev() {
        let known: f64 = (row + 1..ways.len()).map(|column| factors[row][column] * weights[column]).sum();
        weights[row] = (across[row].dot(sought) - known) / factors[row][row];
    }
    Some(weights)
}

/// Returns whether two triangles may be nearer than a limit, by the balls around them.
fn may_be_nearer(a: &(DVec3, f64), b: &(DVec3, f64), limit: f64) -> bool {
    a.0.distance(b.0) - a.1 - b.1 < limit
}

fn ball(corners: &Corners) -> (DVec3, f64) {
    let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    (middle, corners.iter().map(|corner| corner.distance(middle)).fold(0.0, f64::max) * 1.000001)
}

/// Returns the distance of two sets of triangles, infinite if one is empty.
pub(super) fn of_sets(ours: &[Corners], theirs: &[Corners]) -> f64 {
    let (balls, others): (Vec<_>, Vec<_>) = (ours.iter().map(ball).collect(), theirs.iter().map(ball).collect());
    let mut least = f64::INFINITY;
    for (a, own) in ours.iter().zip(&balls) {
        for (b, other) in theirs.iter().zip(&others) {
            if may_be_nearer(own, other, least) {
                least = least.min(of_triangles(a, b));
            }
        }
    }
    least
}
