use super::*;
use crate::demo::random::Random;
use std::collections::HashSet;

fn cut(flat: &[[f32; 2]]) -> Vec<[usize; 3]> {
    let corners: Vec<Vec3> = flat.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)).collect();
    Cutter::new().cut(&corners).unwrap().to_vec()
}

/// Returns twice the area, exactly for small whole numbers; positive counter-clockwise.
fn area(flat: &[[f32; 2]], corners: impl IntoIterator<Item = usize>) -> f64 {
    let corners: Vec<[f64; 2]> = corners.into_iter().map(|i| flat[i].map(f64::from)).collect();
    let turned = corners.iter().cycle().skip(1);
    corners.iter().zip(turned).map(|([x, y], [next_x, next_y])| x * next_y - next_x * y).sum()
}

/// Checks that there are n - 2 triangles with the polygon's orientation that together have its area: so they cover it and do not overlap.
fn assert_covered(flat: &[[f32; 2]]) {
    let whole = area(flat, 0..flat.len());
    let mut turned = flat.to_vec();
    turned.reverse();
    for (flat, whole) in [(flat, whole), (&turned[..], -whole)] {
        let triangles = cut(flat);
        assert_eq!(triangles.len(), flat.len() - 2, "{flat:?}");
        let areas: Vec<f64> = triangles.iter().map(|triangle| area(flat, *triangle)).collect();
        assert!(areas.iter().all(|area| area * whole > 0.0), "{flat:?}: {triangles:?}");
        assert_eq!(areas.iter().sum::<f64>(), whole, "{flat:?}: {triangles:?}");
    }
}

#[test]
fn concave_polygons_are_covered() {
    //  5-----------4
    //  |   1       |     the fan from 0 leaves it
    //  |  / \      |
    //  0 /   2-----3
    assert_covered(&[[0.0, 0.0], [2.0, 3.0], [4.0, 0.0], [6.0, 0.0], [6.0, 5.0], [0.0, 5.0]]);
    // The polygon is a comb.
    let teeth = (0..40).flat_map(|i| [[f32::from(2 * i as u8), 0.0], [f32::from(2 * i as u8 + 1), 9.0]]);
    assert_covered(&teeth.chain([[80.0, 0.0], [80.0, 20.0], [0.0, 20.0]]).collect::<Vec<_>>());
}

#[test]
fn corners_on_straight_edges_stay() {
    assert_covered(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [0.0, 3.0], [0.0, 1.0]]);
    assert_covered(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 2.0]]);
}

#[test]
fn holes_at_bridges_are_left_out() {
    //  3-----------2
    //  |  7---6    |
    //  |  |   |    |     the outline, then over the bridge to the hole and back
    //  |  4---5    |
    //  0-----------1
    let hole =
        [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0], [0.0, 0.0], [3.0, 3.0], [3.0, 6.0], [6.0, 6.0], [6.0, 3.0]];
    let ring: Vec<[f32; 2]> = hole.into_iter().chain([[3.0, 3.0]]).collect();
    assert_covered(&ring);
    // Two holes share one corner.
    let two =
        [[3.0, 3.0], [3.0, 6.0], [6.0, 6.0], [3.0, 3.0], [0.0, 0.0], [4.0, 2.0], [7.0, 2.0], [7.0, 1.0], [4.0, 2.0]];
    let outline = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0], [0.0, 0.0]];
    assert_covered(&outline.into_iter().chain(two).collect::<Vec<_>>());
}

/// Returns the outline of squares that corridors join to a random tree: concave, with many corners on straight edges.
fn outline(random: &mut Random) -> Vec<[f32; 2]> {
    fn walk(
        square: [i32; 2],
        entry: [i32; 2],
        free: &mut HashSet<[i32; 2]>,
        random: &mut Random,
        ring: &mut Vec<[f32; 2]>,
    ) {
        // The sides are visited counter-clockwise, beginning at the side by which the square was entered.
        let mut side = entry;
        for step in 0..4 {
            let next = [-side[1], side[0]];
            let beyond = [0, 1].map(|axis| square[axis] + side[axis]);
            if step > 0 && random.below(3) > 0 && free.remove(&beyond) {
                walk(beyond, side.map(|v| -v), free, random, ring);
            }
            ring.push([0, 1].map(|axis| (4 * square[axis] + side[axis] + next[axis]) as f32));
            side = next;
        }
    }
    let mut free: HashSet<[i32; 2]> = (0..6).flat_map(|x| (0..6).map(move |y| [x, y])).collect();
    free.remove(&[0, 0]);
    let mut ring = Vec::new();
    walk([0, 0], [-1, 0], &mut free, random, &mut ring);
    ring
}

#[test]
fn random_outlines_are_covered() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        assert_covered(&outline(&mut random));
    }
}

#[test]
fn what_is_no_polygon_still_gives_as_many_triangles() {
    let mut random = Random::new(11);
    for _ in 0..2_000 {
        let count = 3 + random.below(40) as usize;
        let size = 1 + random.below(8);
        let mut coordinate = || random.below(size) as f32;
        let flat: Vec<[f32; 2]> = (0..count).map(|_| [coordinate(), coordinate()]).collect();
        let triangles = cut(&flat);
        assert_eq!(triangles.len(), count - 2);
        assert!(triangles.as_flattened().iter().all(|&corner| corner < count));
    }
    assert_eq!(cut(&[]).len() + cut(&[[0.0; 2]; 2]).len(), 0);
    let extreme = [f32::MAX, -f32::MAX, f32::MIN_POSITIVE, 1e-45];
    let corners: Vec<Vec3> = (0..64).map(|i| Vec3::new(extreme[i % 4], extreme[i / 4 % 4], extreme[i / 16])).collect();
    assert_eq!(Cutter::new().cut(&corners).unwrap().len(), 62);
}

#[test]
fn tilted_polygons_are_cut_as_they_lie() {
    let flat = [[0.0, 0.0], [2.0, 3.0], [4.0, 0.0], [6.0, 0.0], [6.0, 5.0], [0.0, 5.0]];
    let expected = cut(&flat);
    for sign in [1.0, -1.0] {
        for axis in 0..3 {
            let place = |[x, y]: [f32; 2]| {
                let mut corner = Vec3::ZERO;
                corner[axis] = 0.25 * x;
                corner[(axis + 1) % 3] = x;
                corner[(axis + 2) % 3] = sign * y;
                corner
            };
            assert_eq!(Cutter::new().cut(&flat.map(place)).unwrap(), expected, "axis {axis}, sign {sign}");
        }
    }
}

#[test]
fn a_polygon_of_too_much_work_is_refused() {
    // Random points make a polygon that crosses itself everywhere.
    let mut random = Random::new(3);
    let mut coordinate = || random.below(1 << 20) as f32;
    let corners: Vec<Vec3> = (0..100_000).map(|_| Vec3::new(coordinate(), coordinate(), 0.0)).collect();
    assert!(Cutter::new().cut(&corners).is_err());
}

/// Rounding hides the answer for collinear points with coordinates of all magnitudes.
#[test]
fn predicates_are_counted_by_what_they_take() {
    let mut random = Random::new(5);
    let mut on_line = |off: u64| {
        let x = (1 + random.below(1 << 23)) as f32 * 2f32.powi(random.below(80) as i32 - 40);
        Coord { x: f64::from(x), y: f64::from(f32::from_bits(x.to_bits() + random.below(off) as u32)) }
    };
    for _ in 0..100_000 {
        let mut steps = Steps(0);
        let [a, b, c] = [on_line(1), on_line(1), on_line(1)];
        assert_eq!((steps.orient2d(a, b, c), steps.0), (0.0, STEPS_OF_EXACT), "{a:?} {b:?} {c:?}");
        let [a, b, c] = [on_line(3), on_line(3), on_line(3)];
        let (counted, exact) = (steps.orient2d(a, b, c), orient2d(a, b, c));
        assert_eq!(counted.partial_cmp(&0.0), exact.partial_cmp(&0.0), "{a:?} {b:?} {c:?}");
    }
}

/// Most corners are rejected as ears by the first other corner that is tested.
#[test]
fn comparisons_that_are_not_made_are_not_counted() {
    let mut random = Random::new(9);
    let mut part = || random.below(1 << 20) as f32 / (1 << 20) as f32;
    let zigzag = (0..1500).flat_map(|_| {
        let (near, far) = (part() * 2f32.powf(80.0 * part() - 40.0), 2f32.powi(41) * (1.0 + part()));
        [Vec3::new(near, near, 0.0), Vec3::new(far, far * (0.5 + part() / 2.0), 0.0)]
    });
    assert_eq!(Cutter::new().cut(&zigzag.collect::<Vec<_>>()).unwrap().len(), 2998);
}
