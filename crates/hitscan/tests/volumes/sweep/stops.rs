//! Volumes stop in front of a surface, and slide along it.

use crate::common::Random;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, ContactFilter, Geometry, Mesh, Plane, ProximityQueries, Scene, Sphere, SweepQueries, SweepStart,
    Torus, Volume,
};

/// The smallest skin width that is tested, in a world of some ten units.
const SKIN: f64 = 1e-4;

fn obstacles() -> Scene<usize> {
    let corners = [[-3.0, 0.0, -3.0], [3.0, 0.5, -3.0], [3.0, 0.0, 3.0], [-3.0, 1.0, 3.0]];
    let forms: [Geometry; 5] = [
        Sphere::new(1.0).into(),
        Aabb::new([-1.0, -0.5, -2.0], [1.0, 0.5, 2.0]).into(),
        Capsule::new(0.5, 2.0).into(),
        Mesh::new(&corners, &[0, 2, 1, 0, 3, 2]).unwrap().into(),
        Torus::new(1.5, 0.5).into(),
    ];
    let mut random = Random(5);
    let mut scene = Scene::new();
    for (id, form) in forms.into_iter().enumerate() {
        let place = DAffine3::from_rotation_translation(random.rotation(), 4.0 * random.cube());
        scene.insert(id, form, place).unwrap();
    }
    scene
}

#[test]
fn a_volume_stops_in_front_of_what_it_hits() {
    let scene = obstacles();
    let volumes: [Volume; 3] =
        [Sphere::new(0.3).into(), Capsule::new(0.2, 1.0).into(), Aabb::new([-0.2; 3], [0.2, 0.3, 0.1]).into()];
    let mut random = Random(17);
    let mut stops = 0;
    for number in 0..3000 {
        let volume = &volumes[number % 3];
        let (from, motion) = (8.0 * random.cube(), 12.0 * random.cube());
        let hit = scene.sweep(volume, from, motion);
        let Some(hit) = hit.filter(|hit| hit.start == SweepStart::Apart) else { continue };
        let t = hit.safe_t(motion, SKIN);
        assert!(t <= hit.t_f64() && (hit.t_f64() as f32 - hit.t).abs() <= f32::EPSILON, "{number}: {hit:?}");
        let place = from + motion * t;
        assert!(!scene.overlaps(volume, place), "{number}: {hit:?}");
        // The gap to the surface is the skin width.
        let normal = hit.normal.as_dvec3();
        let ahead = scene.contact_filter(ContactFilter::Ahead).sweep(volume, place, -2.0 * SKIN * normal);
        assert!(ahead.is_none_or(|met| met.t > 0.4) || t == 0.0, "{number}: {hit:?}, then {ahead:?}");
        let slide = hit.slide(motion, SKIN);
        assert!(slide.dot(normal) > -1e-6 * motion.length(), "{number}: {slide}");
        assert!(slide.length() <= motion.length() * (1.0 + 1e-12));
        stops += 1;
    }
    assert!(stops > 200, "only {stops} of the volumes hit something from outside");
}

#[test]
fn a_stop_at_its_edges() {
    let mut scene = Scene::new();
    scene.insert("floor", Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    let down = DVec3::new(0.0, -2.0, 0.0);
    let hit = scene.sweep(Sphere::new(0.5), [0.0, 1.5, 0.0], down).unwrap();
    assert_eq!((hit.t_f64(), hit.point_f64(), hit.map_id(str::len).id), (0.5, DVec3::ZERO, 5));
    assert_eq!([0.0, -1.0, f64::NAN].map(|skin| hit.safe_t(down, skin)), [0.5; 3]);
    assert_eq!(hit.safe_t(down, f64::INFINITY), 0.0);
    assert_eq!(hit.slide(down, 0.5), DVec3::ZERO);
    // A motion that leaves the floor or is parallel to it has no gap to keep and is not shortened.
    for away in [DVec3::Y, DVec3::X, DVec3::ZERO] {
        let hit = scene.sweep(Sphere::new(0.5), [0.0, 0.5, 0.0], away).unwrap();
        assert_eq!((hit.t, hit.normal, hit.safe_t(away, 0.1), hit.slide(away, 0.1)), (0.0, Vec3::Y, 0.0, away));
    }
}
