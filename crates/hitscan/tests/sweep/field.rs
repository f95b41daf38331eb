//! Faults that were found in the field, with the right values.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, ConvexHull, Feature, HeightField, Mesh, OrientedBox, Quad, Ray, Scene, Shape, Sphere, Volume,
};

fn unit_box() -> Aabb {
    Aabb::new([0.0; 3], [1.0; 3])
}

fn corners_of_the_unit_box() -> Vec<[f32; 3]> {
    (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| bit as f32)).collect()
}

/// A box that comes to lie under another one has that one's lower face before it, and nothing else.
#[test]
fn a_box_that_brushes_a_corner_is_told_the_face_that_it_comes_to() {
    let mut scene = Scene::new();
    let turned = OrientedBox::new(unit_box(), DAffine3::IDENTITY).unwrap();
    for shape in [Shape::from(unit_box()), turned.into()] {
        scene.insert(0, shape, DVec3::ZERO).unwrap();
        let slab = Aabb::new([0.0, -1.0, -1.0], [1.0, 0.0, 0.0]);
        let hit = scene.sweep(slab, [2.0, -2.0, 0.5], [-4.0, 4.0, 0.0]).unwrap();
        assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_Y));
    }
    scene.insert(0, ConvexHull::new(&corners_of_the_unit_box()).unwrap(), DVec3::ZERO).unwrap();
    let slab = Aabb::new([0.0, -1.0, -1.0], [1.0, 0.0, 0.0]);
    let hit = scene.sweep(slab, [2.0, -2.0, 0.5], [-4.0, 4.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_Y));
}

/// The plane across the normal has the whole box behind it, whatever edge a point comes to and wherever from.
#[test]
fn a_point_that_brushes_an_edge_has_the_box_behind_its_normal() {
    let hull = ConvexHull::new(&corners_of_the_unit_box()).unwrap();
    let mut scene = Scene::new();
    scene.insert("box", unit_box(), DVec3::ZERO).unwrap();
    scene.insert("hull", hull, DVec3::new(100.0, 0.0, 0.0)).unwrap();
    for (at, volume) in [0.0, 100.0].into_iter().flat_map(|at| {
        let segment = Capsule::between([0.0, 0.0, -0.25], [0.0, 0.0, 0.25], 0.0);
        [Volume::Point, Sphere::new(0.0).into(), segment.into()].map(|volume| (at, volume))
    }) {
        for motion in [[-4.0, 4.0, 0.0], [-4.0, 4.0, 1.0], [-3.0, 1.0, 0.0], [-1.0, 5.0, 2.0], [-4.0, 0.0, 0.0]] {
            let motion = DVec3::from(motion);
            let edge = DVec3::new(1.0 + at, 0.0, 0.5);
            let hit = scene.sweep(&volume, edge - motion * 0.5, motion).unwrap();
            let normal = hit.normal.as_dvec3();
            assert_eq!(hit.t, 0.5, "{volume:?} {motion}");
            for corner in corners_of_the_unit_box() {
                let corner = Vec3::from(corner).as_dvec3() + DVec3::X * at;
                assert!(normal.dot(corner - edge) <= 1e-6, "{volume:?} {motion}: {normal} at {corner}");
            }
            assert!(normal.dot(motion) < 0.0, "{volume:?} {motion}: {normal}");
        }
    }
}

/// A grid from -16 to 16 along x and z, in cells of 1.
fn level_grid(size: u32) -> Mesh {
    let half = size as f32 / 2.0;
    let place = |i: u32| i as f32 - half;
    let vertices = (0..=size).flat_map(|j| (0..=size).map(move |i| [place(i), 0.0, place(j)]));
    let positions: Vec<[f32; 3]> = vertices.collect();
    let cells = (0..size).flat_map(|j| (0..size).map(move |i| j * (size + 1) + i));
    let triangles: Vec<u32> = cells.flat_map(|a| [a, a + size + 1, a + size + 2, a, a + size + 2, a + 1]).collect();
    Mesh::new(&positions, &triangles).unwrap()
}

/// Several triangles have the same t in f32; the face is touched first.
#[test]
fn on_a_flat_floor_a_long_motion_ends_at_a_face() {
    let field = HeightField::new(513, 513, [1.0, 1.0], &vec![0.0; 513 * 513]).unwrap();
    let mut scene = Scene::new();
    scene.insert(0, field, DVec3::ZERO).unwrap();
    let cube = Aabb::new([-0.3; 3], [0.3; 3]);
    let from = DVec3::new(-3830.73111829337, 5825.679355842523, 494.60106376526363);
    let motion = DVec3::new(5509.170451005202, -8321.970508329432, -627.5729441796474);
    let hit = scene.sweep(cube, from, motion).unwrap();
    assert_eq!((hit.normal, hit.feature), (Vec3::Y, Feature::Face), "{hit:?}");
}

#[test]
fn on_a_flat_mesh_balls_and_boxes_are_told_its_normal() {
    let mut random = crate::common::Random(39);
    let mesh = level_grid(64);
    for volume in [
        Volume::from(Sphere::new(0.3)),
        Sphere::new(0.01).into(),
        Capsule::new(0.3, 1.2).into(),
        Aabb::new([-0.3; 3], [0.3; 3]).into(),
    ] {
        for length in [10.0, 1e3, 1e4] {
            for _ in 0..200 {
                let target = random.cube() * DVec3::new(20.0, 0.0, 20.0);
                let motion = (random.cube() - DVec3::Y * 1.5).normalize() * length;
                let from = target - motion * (0.5 + 0.4 * random.unit());
                let hit = mesh.sweep(&volume, from, motion).unwrap();
                assert_eq!(
                    (hit.normal, hit.feature),
                    (Vec3::Y, Feature::Face),
                    "{volume:?} {from:?} {motion:?} {hit:?}"
                );
            }
        }
    }
}

/// A triangle that a ray hits is there for everything else.
#[test]
fn a_needle_that_a_ray_hits_is_met() {
    let needle = Mesh::from_soup(&[[0.0, 0.0, 0.0], [0.0, 1e-13, 0.0], [1e4, 1e4, 0.0]]).unwrap();
    let above = DVec3::new(5e3, 5e3, 1.0);
    assert_eq!(needle.cast(&Ray::new([5e3, 5e3, 1.0], [0.0, 0.0, -1.0])).map(|hit| hit.t), Some(1.0));
    assert_eq!(needle.closest_point(above).map(|nearest| nearest.distance), Some(1.0));
    let down = DVec3::new(0.0, 0.0, -2.0);
    for volume in [
        Volume::Point,
        Sphere::new(0.0).into(),
        Capsule::between([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], 0.0).into(),
        Aabb::new([-0.5, -0.5, 0.0], [0.5, 0.5, 0.5]).into(),
    ] {
        let hit = needle.sweep(&volume, above, down).unwrap();
        assert!((hit.t - 0.5).abs() < 1e-6, "{volume:?}: {hit:?}");
        assert!((hit.normal - Vec3::Z).length() < 1e-6, "{volume:?}: {hit:?}");
    }
    let ball = needle.sweep(Sphere::new(0.25), above, down).unwrap();
    assert!((ball.t - 0.375).abs() < 1e-6 && (ball.normal - Vec3::Z).length() < 1e-6, "{ball:?}");
    let mut scene = Scene::new();
    scene.insert(0, needle, DVec3::ZERO).unwrap();
    assert!(scene.overlaps(Sphere::new(2.0), above));
    assert!(!scene.overlaps(Sphere::new(0.5), above));
    assert_eq!(scene.sweep(Sphere::new(0.25), above, down).map(|hit| hit.t), Some(ball.t));
}

/// A triangle without an area is hit by no ray, and so by nothing else.
#[test]
fn a_line_is_not_met() {
    let line = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [4.0, 4.0, 0.0]]).unwrap();
    assert_eq!(line.sweep(Sphere::new(0.5), [1.0, 1.0, 2.0], [0.0, 0.0, -4.0]), None);
    assert_eq!(line.closest_point([1.0, 1.0, 2.0]), None);
}

#[test]
fn a_quad_is_one_thing() {
    let mut scene = Scene::new();
    let quad = Quad { corner: Vec3::ZERO, edge_u: Vec3::X, edge_v: Vec3::Y };
    scene.insert(0, quad, DVec3::ZERO).unwrap();
    // A box that comes to the middle of an edge from aside, in the quad's plane.
    let cube = Aabb::new([-0.25; 3], [0.25; 3]);
    let hit = scene.sweep(cube, [2.25, 0.5, 0.0], [-2.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal), (0.5, Vec3::X));
    let point = scene.sweep(Volume::Point, [2.0, 0.5, 0.0], [-2.0, 0.0, 0.0]).unwrap();
    assert_eq!((point.t, point.normal), (0.5, Vec3::X));
}
