//! Odd input whose right answers are known.

use hitscan::error::ShapeError;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, ConvexHull, Filter, Geometry, HeightField, Mesh, OrientedBox, ProximityQueries, Quad, Ray,
    RayQueries, Scene, Shape, Sphere, SweepQueries, Torus, Volume,
};

/// Returns the error of inserting a shape into a scene.
fn refusal(shape: impl Into<Shape>) -> Option<ShapeError> {
    let shape = shape.into();
    let refused = Scene::new().insert(0, shape, DVec3::ZERO).is_err();
    assert_eq!(refused, shape.validate().is_err());
    shape.validate().err()
}

#[test]
fn boxes_without_an_end_are_refused() {
    let low = Vec3::new(-1.0, -1.0, f32::NEG_INFINITY);
    let half = Aabb::new(low, [1.0; 3]);
    let turned = OrientedBox::new(half, DAffine3::IDENTITY).unwrap();
    let smallest = ShapeError::Point { what: "smallest corner", value: low };
    assert_eq!((refusal(half), refusal(turned)), (Some(smallest), Some(smallest)));
    let high = Vec3::new(1.0, f32::INFINITY, 1.0);
    let largest = ShapeError::Point { what: "largest corner", value: high };
    assert_eq!(refusal(Aabb::new([0.0; 3], high)), Some(largest));
    assert!(matches!(refusal(Aabb::EMPTY), Some(ShapeError::EmptyBox { .. })));
    // A box with such a size touches nothing when it is used as a volume, in any query.
    let mut scene = Scene::new();
    scene.insert(0, Sphere::new(1.0), DVec3::ZERO).unwrap();
    for volume in [Volume::from(half), Volume::from(turned)] {
        assert!(volume.validate().is_err());
        assert!(!scene.overlaps(&volume, [0.0; 3]) && scene.penetration(&volume, [0.0; 3]).is_none());
        assert!(scene.sweep(&volume, [0.0, 5.0, 0.0], [0.0, -9.0, 0.0]).is_none());
    }
    // Infinite bounds still decide which rays cross them.
    let ray = Ray::new([0.0, 0.0, 5.0], Vec3::NEG_Z);
    assert_eq!((half.cast_t(&ray), half.interval(&ray)), (Some(4.0), Some((4.0, f32::INFINITY))));
}

/// A box that can be constructed is saved and read back with the same answers. A box that could not be read back cannot
/// be constructed.
#[test]
fn oriented_boxes_of_any_scale_are_read_as_they_were_saved() {
    let unit = Aabb::new([-1.0; 3], [1.0; 3]);
    let mut made = 0;
    for power in (-308..=308).step_by(4) {
        for scale in [DVec3::splat(10f64.powi(power)), DVec3::new(1.0, 10f64.powi(power), 3.0)] {
            let Ok(turned) = OrientedBox::new(unit, DAffine3::from_scale(scale)) else { continue };
            made += 1;
            let mut scene = Scene::new();
            scene.insert(7u32, turned, DVec3::ZERO).unwrap();
            let bytes = scene.to_bytes(|key| key.to_le_bytes()).unwrap();
            let read = Scene::from_bytes(&bytes, |_| Some(7u32)).unwrap_or_else(|error| panic!("{scale}: {error}"));
            assert_eq!(read.bounds_of(&7), scene.bounds_of(&7), "{scale}");
            assert_eq!(read.closest_point([0.0; 3]), scene.closest_point([0.0; 3]), "{scale}");
        }
    }
    assert!(made > 200, "{made}");
}

/// An entity so large that distances to it overflow f64 is hit by rays only, and its bounds contain no NaN.
#[test]
fn what_is_out_of_reach_is_met_by_rays_alone() {
    let far = DAffine3::from_scale(DVec3::splat(1e300));
    let unit = Aabb::new([-1.0; 3], [1.0; 3]);
    let long = |length: f64| OrientedBox::new(unit, DAffine3::from_scale(DVec3::new(length, 1.0, 1e-9))).unwrap();
    // Twice the depth of this box is infinite, and 0 times infinity is NaN.
    let flat = Aabb::new([-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]);
    let deep = OrientedBox::new(flat, DAffine3::from_scale(DVec3::new(1.0, 1.0, 1e308))).unwrap();
    let shapes: [(Geometry, DAffine3); 8] = [
        (Sphere::new(0.0).into(), far),
        (Capsule::new(0.0, 0.0).into(), DAffine3::from_scale(DVec3::new(1.0, 1e300, 1.0))),
        (deep.into(), DAffine3::from_scale(DVec3::splat(2.0))),
        (Sphere::new(f32::MAX).into(), far),
        (Aabb::new([-2.0, f32::MIN, 0.0], [0.0; 3]).into(), far),
        (Torus::new(1e9, 1.0).into(), far),
        (long(1e150).into(), DAffine3::IDENTITY),
        (long(1e71).into(), DAffine3::from_translation(DVec3::new(1.0, 0.0, 0.0))),
    ];
    for (geometry, transform) in shapes {
        let mut scene = Scene::new();
        scene.insert(0, geometry.clone(), transform).unwrap();
        let bounds = scene.bounds_of(&0).unwrap();
        assert!(!bounds.min.is_nan() && !bounds.max.is_nan(), "{bounds:?}");
        let (mut penetrations, volume) = (Vec::new(), Sphere::new(1.0));
        scene.penetration_all(volume, [0.0; 3], &mut penetrations);
        assert!(penetrations.is_empty() && !scene.overlaps(volume, [0.0; 3]), "{geometry:?}");
        assert!(scene.closest_point([0.0; 3]).is_none(), "{geometry:?}");
        assert!(scene.sweep(volume, [0.0; 3], [1.0, 0.0, 0.0]).is_none(), "{geometry:?}");
        scene.insert(1, Sphere::new(1.0), DVec3::ZERO).unwrap();
        assert!(scene.pair(&0, &1).distance().is_none() && scene.pair(&0, &1).penetration().is_none(), "{geometry:?}");
        assert!(!scene.pair(&0, &1).overlaps(), "{geometry:?}");
        assert!(scene.with(&Filter::new().exclude(1)).closest_point([0.0; 3]).is_none());
    }
}

/// A ball that a transform flattens beyond the range of f64 ratios still has a distance.
#[test]
fn what_is_flat_beyond_ratios_has_a_distance() {
    for flat in [1e-100, 1e-150, 1e-300] {
        for far in [10.0, 1e20, 1e38] {
            let mut scene = Scene::new();
            let disc = DAffine3::from_scale_rotation_translation(
                DVec3::new(0.01, 2.0, flat),
                DQuat::IDENTITY,
                DVec3::new(-far, -0.5, 2.0),
            );
            scene.insert(0, Sphere::new(1.0), DVec3::ZERO).unwrap();
            scene.insert(1, Sphere::new(1.0), disc).unwrap();
            let found = scene.pair(&0, &1).distance().unwrap();
            assert!(found.points_f64().iter().all(|point| point.is_finite()), "{flat} {far}: {found:?}");
            assert!((f64::from(found.distance) / far - 1.0).abs() < 0.2, "{flat} {far}: {found:?}");
            let nearest = scene.closest_point(DVec3::new(-far, 1.0, 2.0)).unwrap();
            assert!(
                nearest.point_f64().is_finite() && nearest.distance_f64() < 1e-9 * far,
                "{flat} {far}: {nearest:?}"
            );
        }
    }
}

/// A hull whose corners coincide in f64, relative to the start of the volume, is hit with a normal. A moving hull with
/// such faces also reports a normal.
#[test]
fn faces_without_an_area_have_no_normal() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut scene = Scene::new();
    scene.insert(0, ConvexHull::new(&corners).unwrap(), DVec3::ZERO).unwrap();
    for far in [1e17, 1e23, 1e29, 1e60] {
        let from = DVec3::new(far, 2.0 * far, 3.0 * far);
        for volume in [Volume::from(Sphere::new(0.0)), Volume::from(Sphere::new(0.25)), Volume::Point] {
            let hit = scene.sweep(&volume, from, -from).expect("it comes to a corner");
            assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{far} {volume:?}: {hit:?}");
        }
    }
    let long = [
        [-2e36, 0.1, 1e-7],
        [-0.75, 2.0, 0.0],
        [-0.5, -3e38, 1e20],
        [-0.5, -1.0, f32::MIN],
        [-1e-7, 1.0, 0.5],
        [2.0, -0.75, 0.1],
    ];
    let hull = Volume::from(ConvexHull::new(&long).unwrap());
    let mut scene = Scene::new();
    let far = -1e38;
    let ends = [[far, far, far], [1.0, far, far], [far, 1.0, far], [far, far, 1.0]];
    scene.insert(0, Mesh::new(&ends, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]).unwrap(), DVec3::ZERO).unwrap();
    let mut hits = Vec::new();
    for motion in [DVec3::ZERO, DVec3::new(1.0, 0.5, 0.25), DVec3::new(0.0, 1e38, -1e38)] {
        scene.sweep_all(&hull, [0.0; 3], motion, &mut hits);
        assert!(!hits.is_empty());
        let flat = hits.iter().find(|hit| (hit.normal.length() - 1.0).abs() > 1e-5);
        assert!(flat.is_none(), "{motion}: {flat:?}");
    }
}

/// Relative to a distant point, rounding moves the corners of a quad out of the plane of its edges.
#[test]
fn sides_of_far_quads_have_unit_normals() {
    let quads = [
        (Quad::new([0.0, 0.0, 1.0], [1.0, -1.0, 0.1], [f32::MAX; 3]), DAffine3::IDENTITY),
        (
            Quad::new([2.0, 0.0, 2.0], [0.0, 3.0, -3.4], [3.5, -1e-7, 3.0]),
            DAffine3::from_translation(DVec3::new(0.0, 0.0, -1e20)),
        ),
    ];
    let ways = [
        (DVec3::new(0.0, -1e38, 1.0 / 3.0), DVec3::ZERO),
        (DVec3::new(0.5, -0.25, -4.9e33), DVec3::new(-421.0, 0.0, 1e-7)),
        (DVec3::new(1e25, 1e25, 1e25), DVec3::new(2.0, 1.0, 2.0)),
    ];
    let mut met = 0;
    for (quad, transform) in quads {
        let mut scene = Scene::new();
        scene.insert(0, quad, transform).unwrap();
        for (from, to) in ways {
            for radius in [0.0, 1e-30, 0.75] {
                let Some(hit) = scene.sweep(Sphere::new(radius), from, to - from) else { continue };
                met += 1;
                assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{quad:?} {from} {radius}: {hit:?}");
            }
        }
    }
    assert!(met > 8, "{met}");
}

/// A continued ray hits a distant quad whose position error is as large as the gap to the earlier hit. The coordinates
/// of the hit on the quad are not NaN.
#[test]
fn a_far_quad_that_is_left_has_coordinates() {
    let (x, y) = (DVec3::splat(1.0000000200408773e20), DVec3::new(-2.1271770000457764, -0.6000000238418579, -0.5));
    let matrix3 = DMat3::from_cols(x, y, DVec3::new(0.3333333432674408, 1.1754943508222875e-38, 3.0));
    let far = DAffine3 { matrix3, translation: DVec3::new(0.0, 0.5, -1e300) };
    let mut scene = Scene::new();
    scene.insert(1, Aabb::new([-1.0, -3.0, -1.0], [1.0, -0.95, 1.0]), DVec3::ZERO).unwrap();
    scene.insert(0, Quad::new([2.0; 3], [0.1, -0.99999976, 1.5], [16_777_216.0, 2.0, -0.2]), far).unwrap();
    let down = |from: [f32; 3]| Ray::new(from, [0.0, -1.0, 0.0]);
    let hit = scene.with(&Filter::new().exclude(0)).cast(&down([0.75, 5.0, -0.15])).unwrap();
    let next = scene.after(&hit).cast(&down(hit.point.to_array())).unwrap();
    assert_eq!(next.id, 0);
    assert!(next.uv.is_some_and(|uv| uv.is_finite()), "{next:?}");
}

#[test]
fn any_number_of_a_face_or_cell_is_taken() {
    let hull = ConvexHull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
    let field = HeightField::new(2, 3, [1.0; 2], &[0.0; 6]).unwrap().with_holes([[0, 1]]).unwrap();
    assert_eq!((0..5).map(|face| hull.face(face).count()).collect::<Vec<_>>(), [3, 3, 3, 3, 0]);
    for wild in [usize::MAX, usize::MAX - 1, usize::MAX / 2, 1 << 31, u32::MAX as usize] {
        assert_eq!(hull.face(wild).count(), 0);
        assert!(!field.is_hole(wild, 0) && !field.is_hole(0, wild) && !field.is_hole(wild, wild));
        assert_eq!((field.vertex(wild, 0), field.vertex(0, wild)), (None, None));
        assert_eq!((field.triangle(wild as u32), field.cell_of(wild as u32)), (None, None));
        assert!(field.clone().with_holes([[wild, 0]]).is_err() && field.clone().with_holes([[0, wild]]).is_err());
        assert!(field.clone().set_heights(0..wild, 0..1, &[0.0]).is_err());
        assert!(field.clone().set_heights(wild..wild, 0..1, &[]).is_err());
        assert_eq!(hull.mesh().triangle(wild as u32), None);
    }
    assert!(field.is_hole(0, 1) && !field.is_hole(0, 0));
}

/// A volume that moves along the edge of a degenerate box hits the end of the box, and not its start.
#[test]
fn a_box_as_thin_as_a_line_is_met_where_it_is() {
    let mut scene = Scene::new();
    let motion = DVec3::new(0.0, -4.5, 0.3);
    for width in [1e-30, 1e-20, 1e-17] {
        scene.insert(0, Aabb::new([0.0, -5.75, 0.0], [width, -1.0, 1.25]), DVec3::ZERO).unwrap();
        let mut all = Vec::new();
        scene.sweep_all(Volume::Point, DVec3::ZERO, motion, &mut all);
        let first = scene.sweep(Volume::Point, DVec3::ZERO, motion);
        assert_eq!(all.first(), first.as_ref(), "{width}");
        let (t, expected) = (first.unwrap().t, (1.0 / 4.5) as f32);
        assert!((t - expected).abs() < 1e-6, "{width}: {first:?}");
    }
}
