//! The normal of the face that a volume hits, against faces that are computed here.

use crate::common::Random;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, ConvexHull, Cylinder, Geometry, Mesh, Plane, Quad, RoundedBox, Scene, Sphere, SweepHit,
    SweepQueries, SweepStart, Torus, Volume,
};

/// The outward unit normal and a point of each face, in local space.
type Faces = Vec<[DVec3; 2]>;

fn faces_of_box(half: DVec3) -> Faces {
    let axes = [(DVec3::X, half.x), (DVec3::Y, half.y), (DVec3::Z, half.z)];
    axes.into_iter().flat_map(|(axis, reach)| [[axis, axis * reach], [-axis, -axis * reach]]).collect()
}

/// Returns a square pyramid around the origin.
fn pyramid() -> (Vec<Vec3>, Faces) {
    let base = [[-1.0, -0.5, -1.0], [1.0, -0.5, -1.0], [1.0, -0.5, 1.0], [-1.0, -0.5, 1.0]].map(DVec3::from);
    let tip = DVec3::new(0.25, 1.5, 0.0);
    let side = |k: usize| [(base[(k + 1) % 4] - tip).cross(base[k] - tip).normalize(), tip];
    let faces = (0..4).map(side).chain([[DVec3::NEG_Y, base[0]]]).collect();
    (base.into_iter().chain([tip]).map(|v| v.as_vec3()).collect(), faces)
}

fn flat_things() -> Vec<(Geometry, Faces)> {
    let half = DVec3::new(1.0, 0.5, 2.0);
    let (corners, faces) = pyramid();
    let indices: Vec<u32> = vec![0, 1, 2, 0, 2, 3, 4, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3];
    let quad = Quad::new([-1.0, 0.0, -2.0], [0.0, 0.0, 4.0], [2.0, 0.0, 0.0]);
    vec![
        (Aabb::new(-half.as_vec3(), half.as_vec3()).into(), faces_of_box(half)),
        (ConvexHull::new(&corners).unwrap().into(), faces.clone()),
        (Mesh::new(&corners, &indices).unwrap().into(), faces),
        (quad.into(), vec![[DVec3::Y, DVec3::ZERO], [DVec3::NEG_Y, DVec3::ZERO]]),
        (
            Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap().into(),
            vec![[DVec3::Y, DVec3::ZERO], [DVec3::NEG_Y, DVec3::ZERO]],
        ),
    ]
}

fn volumes() -> [Volume; 3] {
    [Sphere::new(0.3).into(), Capsule::new(0.2, 1.0).into(), Aabb::new([-0.2; 3], [0.2, 0.3, 0.1]).into()]
}

/// Sweeps volumes at one obstacle in an arbitrary place.
fn hits(geometry: &Geometry, random: &mut Random, mut check: impl FnMut(&SweepHit<()>, &DAffine3)) {
    let mut met = 0;
    for number in 0..600 {
        let place = DAffine3::from_rotation_translation(random.rotation(), 3.0 * random.cube());
        let mut scene = Scene::new();
        scene.insert((), geometry.clone(), place).unwrap();
        let from = place.translation + 6.0 * random.cube();
        let motion = place.translation + random.cube() - from;
        let hit = scene.sweep(&volumes()[number % 3], (from, random.rotation()), motion);
        if let Some(hit) = hit.filter(|hit| hit.start == SweepStart::Apart) {
            check(&hit, &place);
            met += 1;
        }
    }
    assert!(met > 200, "only {met} sweeps met {geometry:?}");
}

#[test]
fn a_flat_face_has_its_own_normal() {
    let mut random = Random(3);
    let (mut within, mut at_edges) = (0, 0);
    for (geometry, faces) in flat_things() {
        hits(&geometry, &mut random, |hit, place| {
            let (normal, surface) = (hit.normal.as_dvec3(), hit.surface_normal.as_dvec3());
            let point = place.inverse().transform_point3(hit.point_f64());
            let touched: Vec<DVec3> = faces
                .iter()
                .filter(|[normal, on_it]| normal.dot(point - *on_it).abs() < 1e-9)
                .map(|[normal, _]| place.matrix3 * *normal)
                .collect();
            assert!(touched.iter().any(|face| (*face - surface).length() < 1e-6), "{hit:?}: {touched:?}");
            let best = touched.iter().map(|face| face.dot(normal)).fold(-1.0, f64::max);
            assert!((best - surface.dot(normal)).abs() < 1e-6, "{hit:?}: {touched:?}");
            if best > 1.0 - 1e-9 { within += 1 } else { at_edges += 1 }
        });
    }
    assert!(within > 300 && at_edges > 300, "{within} within faces, {at_edges} at edges");
}

#[test]
fn a_rim_has_the_cap_or_the_side() {
    let mut caps = 0;
    hits(&Cylinder::new(1.0, 2.0).into(), &mut Random(4), |hit, place| {
        let axis = place.matrix3 * DVec3::Y;
        let (normal, surface) = (hit.normal.as_dvec3(), hit.surface_normal.as_dvec3());
        let along = axis.dot(surface).abs();
        assert!((along - along.round()).abs() < 1e-6, "{hit:?}");
        let steep = axis.dot(normal).abs();
        assert_eq!(along > 0.5, steep > 0.5f64.sqrt(), "{hit:?}: {steep}");
        caps += usize::from(along > 0.5);
    });
    assert!(caps > 50, "only {caps} on caps");
}

#[test]
fn what_is_round_has_the_normal_of_the_contact() {
    let block = RoundedBox::new(Aabb::new([-0.5; 3], [0.5; 3]), 0.5);
    for geometry in [Sphere::new(1.0).into(), Capsule::new(0.5, 2.0).into(), Torus::new(1.5, 0.5).into(), block.into()]
    {
        hits(&geometry, &mut Random(5), |hit, _| assert_eq!(hit.surface_normal, hit.normal, "{hit:?}"));
    }
}

#[test]
fn a_kerb_is_told_from_a_slope() {
    let mut scene = Scene::new();
    scene.insert("kerb", Aabb::new([0.0, 0.0, -5.0], [5.0, 0.25, 5.0]), DVec3::ZERO).unwrap();
    let ball = Sphere::new(0.5);
    // The contact is low on the ball. So the normal of the contact is steeper than the mean of the normals of the faces
    // at the edge.
    let hit = scene.sweep(ball, [-2.0, 0.625, 0.0], [4.0, 0.0, 0.0]).unwrap();
    assert!(hit.normal.x < -0.5 && hit.normal.y > 0.7, "{hit:?}");
    assert_eq!(hit.surface_normal, Vec3::Y);
    let hit = scene.sweep(ball, [-2.0, 0.2, 0.0], [4.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.normal, hit.surface_normal), (Vec3::NEG_X, Vec3::NEG_X));
}
