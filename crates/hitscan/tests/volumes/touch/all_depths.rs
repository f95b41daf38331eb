//! Every penetration of two entities, compared with separating axes of every two of their pieces.

use crate::common::{Random, grid_cube, icosphere, instance_transform};
use crate::touch::count;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::pairs::PairPenetration;
use hitscan::{Compound, ConvexHull, Geometry, Plane, Scene, Sphere};
use hitscan_random::{effort, levels};

/// The difference that rounding may make here, where no coordinate is above 20.
const SLIGHT: f64 = 1e-9;

/// A convex piece in the world.
struct Piece {
    part: u32,
    triangle: Option<u32>,
    corners: Vec<DVec3>,
    edges: [DVec3; 3],
}

impl Piece {
    /// Returns the highest and the lowest corner along a direction.
    fn reach(&self, n: DVec3) -> [f64; 2] {
        let heights = self.corners.iter().map(|corner| corner.dot(n));
        heights.fold([f64::NEG_INFINITY, f64::INFINITY], |[high, low], h| [high.max(h), low.min(h)])
    }
}

/// Returns how far a piece has to be moved along a direction until it is beyond another one.
fn along(n: DVec3, a: &Piece, b: &Piece) -> f64 {
    a.reach(n)[0] - b.reach(n)[1]
}

/// Returns the length of the shortest motion that separates two pieces, below 0 if they are apart. One of their faces, or an edge of each, is at right angles
/// to it.
fn depth(a: &Piece, b: &Piece) -> f64 {
    let of_faces = [a, b].into_iter().flat_map(|piece| {
        let [p, q, r] = piece.edges;
        [(p, q), (q, r), (r, p)]
    });
    let of_edges = a.edges.into_iter().flat_map(|p| b.edges.map(|q| (p, q)));
    let axes = of_faces.chain(of_edges).map(|(p, q)| (p.cross(q), p.length() * q.length()));
    let axes = axes.filter(|(axis, size)| axis.length() > 1e-9 * size).map(|(axis, _)| axis.normalize());
    axes.flat_map(|n| [n, -n]).map(|n| along(n, a, b)).fold(f64::INFINITY, f64::min)
}

const UNIT_BOX: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

fn corners_of_box() -> [DVec3; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7]
        .map(|bits| DVec3::from_array([1, 2, 4].map(|bit| if bits & bit == 0 { -1.0 } else { 1.0 })))
}

/// Returns a mesh, a solid or a compound of both, and its pieces.
fn thing(kind: usize, to_world: DAffine3) -> (Geometry, Vec<Piece>) {
    let of_box = |part: u32, to_world: DAffine3| Piece {
        part,
        triangle: None,
        corners: corners_of_box().map(|corner| to_world.transform_point3(corner)).to_vec(),
        edges: UNIT_BOX.map(|edge| to_world.transform_vector3(edge)),
    };
    let hull = || ConvexHull::new(&corners_of_box().map(|corner| corner.as_vec3())).unwrap();
    let surface = if kind == 0 { grid_cube(2) } else { icosphere(1) };
    let corners_of = &surface.positions;
    let of_mesh = |part: u32| {
        let pieces = surface.triangles.iter().zip(0..).map(move |(corners, number)| {
            let corners = corners.map(|corner| to_world.transform_point3(corners_of[corner as usize].as_dvec3()));
            let [a, b, c] = corners;
            Piece { part, triangle: Some(number), corners: corners.to_vec(), edges: [b - a, c - b, a - c] }
        });
        pieces.collect::<Vec<_>>()
    };
    match kind {
        0 | 1 => (surface.mesh().into(), of_mesh(0)),
        2 => (hull().into(), vec![of_box(0, to_world)]),
        _ => {
            let place = DAffine3::from_translation(DVec3::new(1.5, 0.25, 0.0));
            let parts = [(hull().into(), place.into()), (surface.mesh().into(), DAffine3::IDENTITY.into())];
            let mut pieces = of_mesh(1);
            pieces.push(of_box(0, to_world * place));
            (Compound::new(parts).unwrap().into(), pieces)
        }
    }
}

fn all(scene: &Scene<u32>, first: u32, second: u32) -> Vec<PairPenetration> {
    let mut found = vec![];
    scene.pair(&first, &second).penetration_all(&mut found);
    found
}

#[test]
fn are_those_of_every_two_pieces() {
    let seed = effort::seed(0x6405);
    let (mut total, mut several) = (0, 0);
    for case in 0..count(240).min(20_000) {
        let mut random = Random(seed + case as u64);
        let kinds = [random.below(4), random.below(4)];
        let places = [0, 1].map(|i| instance_transform(&mut random, case + i, 2.0));
        let [(first, ours), (second, theirs)] = [0, 1].map(|i| thing(kinds[i], places[i]));
        let mut scene = Scene::new();
        scene.insert(0, first, places[0]).unwrap();
        scene.insert(1, second, places[1]).unwrap();
        let found = all(&scene, 0, 1);
        let context = format!("seed {seed}, case {case}, {kinds:?}");

        let mut wanted = 0;
        for (a, b) in ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
            let is_of =
                |of: &&PairPenetration| (of.parts, of.triangles) == ([a.part, b.part], [a.triangle, b.triangle]);
            let (expected, mut of_pieces) = (depth(a, b), found.iter().filter(is_of));
            let (of_pair, repeated) = (of_pieces.next(), of_pieces.next());
            assert!(repeated.is_none(), "{context}: {repeated:?} is there twice");
            wanted += usize::from(of_pair.is_some());
            let Some(of) = of_pair else {
                assert!(expected <= SLIGHT, "{context}: {:?} and {:?} lack {expected}", a.triangle, b.triangle);
                continue;
            };
            let (way, [p, q]) = (of.separation(), of.points_f64());
            assert!((way.length() - expected).abs() <= SLIGHT, "{context}: {of:?}, but {expected}");
            if way.length() > 1e-6 {
                let n = way.normalize();
                assert!((along(n, a, b) - way.length()).abs() <= SLIGHT, "{context}: {of:?} does not separate");
                let off = (n.dot(p) - a.reach(n)[0]).abs().max((n.dot(q) - b.reach(n)[1]).abs());
                assert!(off <= SLIGHT, "{context}: the points of {of:?} are off by {off}");
            }
        }
        assert_eq!(wanted, found.len(), "{context}: pieces that do not exist");
        assert!(found.is_sorted_by(|a, b| a.separation().length() >= b.separation().length() - SLIGHT), "{context}");
        let deepest = scene.pair(&0, &1).penetration();
        assert_eq!(deepest.is_some(), !found.is_empty(), "{context}");
        if let Some(deepest) = deepest {
            let difference = (deepest.separation().length() - found[0].separation().length()).abs();
            assert!(difference <= SLIGHT, "{context}: {deepest:?}, but {:?}", found[0]);
        }
        // The other way round, everything is mirrored.
        let back = all(&scene, 1, 0);
        assert_eq!(back.len(), found.len(), "{context}");
        for of in &found {
            let is_of = |other: &&PairPenetration| {
                let swap = |[a, b]: [Option<u32>; 2]| [b, a];
                other.triangles == swap(of.triangles) && other.parts == [of.parts[1], of.parts[0]]
            };
            let other = back.iter().find(is_of).unwrap();
            let difference = (other.separation().length() - of.separation().length()).abs();
            assert!(difference <= SLIGHT, "{context}: {of:?}, but {other:?}");
        }
        total += found.len();
        several += usize::from(found.len() > 3);
    }
    assert!(total > 2_000 && several > 60, "{total} penetrations, {several} times more than three");
}

#[test]
fn of_a_plane_are_the_triangles_on_both_sides() {
    let seed = effort::seed(0x6406);
    let mut total = 0;
    for case in 0..count(100).min(20_000) {
        let mut random = Random(seed + case as u64);
        let to_world = instance_transform(&mut random, case, 1.0);
        let (geometry, pieces) = thing(case % 2, to_world);
        let (normal, point) = (random.direction().as_vec3(), random.cube().as_vec3());
        let mut scene = Scene::new();
        scene.insert(0, Plane::new(point, normal).unwrap(), DVec3::ZERO).unwrap();
        scene.insert(1, geometry, to_world).unwrap();
        let found = all(&scene, 0, 1);
        let n = normal.as_dvec3().normalize();
        for piece in &pieces {
            let [high, low] = piece.reach(n).map(|height| height - n.dot(point.as_dvec3()));
            let of = found.iter().find(|of| of.triangles == [None, piece.triangle]);
            // A normal in f32 is off by its rounding.
            let (expected, slight) = (high.min(-low), 1e-6);
            match of {
                Some(of) => {
                    assert!((f64::from(of.depth) - expected).abs() <= slight, "seed {seed}, {case}: {of:?}, {expected}")
                }
                None => assert!(expected <= slight, "seed {seed}, {case}: {:?} lacks {expected}", piece.triangle),
            }
        }
        assert_eq!(found.is_empty(), scene.pair(&0, &1).penetration().is_none(), "seed {seed}, {case}");
        total += found.len();
    }
    assert!(total > 500, "{total}");
}

#[test]
fn of_one_solid_absent_and_apart() {
    let mut scene = Scene::new();
    for (key, x) in [(0, 0.0), (1, 0.75), (2, 9.0)] {
        scene.insert(key, Sphere::new(0.5), DVec3::new(x, 0.0, 0.0)).unwrap();
    }
    scene.insert(3, grid_cube(2).mesh(), DVec3::ZERO).unwrap();
    let found = all(&scene, 0, 1);
    assert_eq!(found.as_slice(), [scene.pair(&0, &1).penetration().unwrap()]);
    assert_eq!((found[0].depth, found[0].normal), (0.25, Vec3::X));
    // A thing is not in itself, and the ball is wholly inside of the mesh.
    for (first, second) in [(0, 0), (0, 2), (0, 9), (9, 0), (9, 9), (0, 3)] {
        assert_eq!(all(&scene, first, second), [], "{first} and {second}");
    }
    // The call clears the buffer.
    let mut buffer = found;
    scene.pair(&0, &2).penetration_all(&mut buffer);
    assert!(buffer.is_empty());
    let (room, shelf) = (scene.clone(), scene);
    room.against(&shelf).pair(&0, &0).penetration_all(&mut buffer);
    assert!(buffer.len() == 1 && buffer[0].depth == 1.0, "{buffer:?}");
}

#[test]
fn every_instruction_set_gives_the_same() {
    let mut scene = Scene::new();
    let mut random = Random(0x6407);
    for key in 0..2 {
        scene
            .insert(
                key,
                icosphere(3).mesh(),
                DAffine3::from_rotation_translation(random.rotation(), random.cube() * 0.3),
            )
            .unwrap();
    }
    let exact = || {
        let bits = |of: &PairPenetration| (of.triangles, of.separation().to_array().map(f64::to_bits));
        all(&scene, 0, 1).iter().map(bits).collect::<Vec<_>>()
    };
    let expected = exact();
    assert!(expected.len() > 100, "{}", expected.len());
    for level in levels::each() {
        assert!(exact() == expected, "{level:?}");
    }
}
