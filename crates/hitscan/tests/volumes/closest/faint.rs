//! Solids that are very small, relative to their distance or to their own other dimensions. Coordinates relative to
//! the query point cannot distinguish all of their corners.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Cone, ConvexHull, Cylinder, Geometry, ProximityQueries, Scene};

fn distance(geometry: impl Into<Geometry>, to_world: DAffine3, place: DVec3) -> f64 {
    let mut scene = Scene::new();
    scene.insert((), geometry, to_world).unwrap();
    scene.closest_point(place).unwrap().distance_f64()
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected, "{found} {expected}");
}

/// Returns the distance of a disc from a place whose coordinates are relative to the disc's centre.
fn to_disc(axis: DVec3, radius: f64, place: DVec3) -> f64 {
    let height = place.dot(axis);
    height.hypot(((place - axis * height).length() - radius).max(0.0))
}

/// A cylinder is as flat as a disc, and its ends coincide once they are relative to the query point.
#[test]
fn flat_cylinders_and_cones_face_along_their_axis() {
    let tip = f32::MIN_POSITIVE;
    let slanted = Cylinder::between([0.0, 0.0, 0.0], [tip, tip, tip], 0.2);
    let axis = DVec3::ONE.normalize();
    for place in [DVec3::new(0.0, -0.25, 0.0), DVec3::new(0.005, -0.25, 0.003), DVec3::new(0.05, 0.1, 0.0)] {
        let expected = to_disc(axis, f64::from(0.2f32), place);
        assert_near(distance(slanted, DAffine3::IDENTITY, place), expected);
    }
    let turned = DAffine3::from_rotation_x(core::f64::consts::FRAC_PI_4);
    let place = DVec3::new(-0.25, 0.0, -0.1767767);
    let expected = to_disc(turned.matrix3.y_axis, 0.5, place);
    assert_near(distance(Cylinder::new(0.5, 1e-40), turned, place), expected);
    let cone = Cone::between([0.0, 0.0, 0.0], [4.0, 0.5, 0.0], 3e38);
    let axis = DVec3::new(4.0, 0.5, 0.0).normalize();
    for x in [0.0, 7e18] {
        let place = DVec3::new(x, -2e38, 3e38);
        assert_near(distance(cone, DAffine3::IDENTITY, place), to_disc(axis, f64::from(3e38f32), place));
    }
}

/// Rounding leaves only the directions of the two long edges and of one of the others, or only of the long edges.
#[test]
fn hulls_like_a_needle_are_as_far_as_their_ends() {
    let (thin, long, wide) = (-1e-45f32, -9.1118e25f32, -f32::MIN_POSITIVE);
    let corners: Vec<Vec3> = [0, 1, 2, 3, 4, 5, 6, 7]
        .map(|bits| {
            let pick = |bit: i32, x: f32| if bits & bit == 0 { x } else { 0.0 };
            Vec3::new(pick(4, thin), pick(2, long), pick(1, wide))
        })
        .to_vec();
    let hull = ConvexHull::new(&corners).unwrap();
    for z in [0.0, 0.03] {
        let place = DVec3::new(-3075303538688.0, -1.3667700892010715e26, z);
        assert_near(distance(hull.clone(), DAffine3::IDENTITY, place), f64::from(long) - place.y);
    }
}
