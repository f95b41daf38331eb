use crate::snap::{cube, front, over, told};
use hitscan::prelude::*;
use hitscan::snap::{Cursor, Hidden, SnapKind};
use hitscan::{ConvexHull, HeightField};

fn cube_scene() -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::ZERO).unwrap();
    scene
}

#[test]
fn each_kind_of_a_cube() {
    let scene = cube_scene();
    let nearest = |cursor: Cursor| told(cursor.nearest(&scene, &SnapKind::ALL).as_ref());
    assert_eq!(nearest(over(1.0, 1.0, [3.0, -4.0], 8.0)), Some((SnapKind::Vertex, DVec3::ONE)));
    assert_eq!(nearest(over(0.0, 1.0, [3.0, 4.0], 8.0)), Some((SnapKind::Midpoint, DVec3::new(0.0, 1.0, 1.0))));
    assert_eq!(nearest(over(0.5, 1.0, [0.0, 4.0], 8.0)), Some((SnapKind::Edge, DVec3::new(0.5, 1.0, 1.0))));
    assert_eq!(nearest(over(0.0, 0.0, [4.0, 4.0], 8.0)), Some((SnapKind::Center, DVec3::Z)));
    assert_eq!(nearest(over(0.5, 0.5, [0.0, 0.0], 8.0)), Some((SnapKind::Face, DVec3::new(0.5, 0.5, 1.0))));
    assert_eq!(nearest(over(2.0, 0.5, [0.0, 0.0], 8.0)), None);
}

#[test]
fn answers_name_what_they_are_on() {
    let scene = cube_scene();
    let snap = over(1.0, 1.0, [3.0, -4.0], 8.0).nearest(&scene, &[SnapKind::Vertex]).unwrap();
    assert_eq!((snap.distance, snap.pixel.to_array(), snap.depth), (5.0, [500.0, 200.0], 9.0));
    let target = snap.target.unwrap();
    assert_eq!((target.id, target.part, target.vertex, target.edge), (1, 0, Some(7), None));
    let triangle = cube().indices(target.triangle.unwrap()).unwrap();
    assert!(triangle.contains(&7));
    let edge = over(0.5, 1.0, [0.0, 4.0], 8.0).nearest(&scene, &[SnapKind::Edge]).unwrap();
    let mut ends = edge.target.unwrap().edge.unwrap();
    ends.sort();
    assert_eq!((ends, edge.target.unwrap().vertex, edge.crossed, edge.axis), ([6, 7], None, None, None));
}

#[test]
fn crossings_are_on_the_nearer_edge() {
    let mut scene = cube_scene();
    let upright = Mesh::from_soup(&[[0.5, -2.0, 3.0], [0.5, 2.0, 3.0], [0.5, 0.0, 2.0]]).unwrap();
    scene.insert(2, upright, DVec3::ZERO).unwrap();
    let cursor = over(0.5, 1.0, [2.0, 2.0], 8.0);
    let mut snaps = Vec::new();
    cursor.all(&scene, &[SnapKind::Crossing], &mut snaps);
    let first = &snaps[0];
    assert_eq!((first.point.x, first.point.y), (0.5, 1.0));
    assert_eq!((first.target.unwrap().id, first.crossed.unwrap().id), (2, 1));
    assert!(snaps.iter().all(|snap| snap.distance <= 8.0 && snap.point.z > 1.0));
    // The edges of the cube that meet in a corner do not cross there.
    over(1.0, 1.0, [0.0, 0.0], 8.0).all(&cube_scene(), &[SnapKind::Crossing], &mut snaps);
    assert!(snaps.is_empty(), "{snaps:?}");
    // The cube's back edges are in line with its front edges, but they are hidden.
    over(1.0, 1.0, [0.0, 0.0], 8.0).hidden(Hidden::Keep).all(&cube_scene(), &[SnapKind::Crossing], &mut snaps);
    assert!(snaps.len() == 2 && snaps.iter().all(|snap| snap.point == DVec3::ONE), "{snaps:?}");
}

#[test]
fn perpendicular_feet_and_axes_need_a_start() {
    let scene = cube_scene();
    let kinds = [SnapKind::Perpendicular, SnapKind::Axis];
    let near_foot = over(0.25, 1.0, [3.0, 3.0], 8.0);
    assert_eq!(near_foot.nearest(&scene, &kinds), None);
    let started = near_foot.from_start([0.25, 5.0, 3.0]);
    let foot = DVec3::new(0.25, 1.0, 1.0);
    assert_eq!(told(started.nearest(&scene, &kinds).as_ref()), Some((SnapKind::Perpendicular, foot)));
    // Both times the foot of the perpendicular is under the cursor. The second time it is beyond the end of the edge.
    for (x, expected) in [(0.98, true), (1.02, false)] {
        let snap = over(x, 1.0, [0.0, 0.0], 8.0).from_start([f64::from(x), 5.0, 3.0]);
        assert_eq!(snap.nearest(&scene, &[SnapKind::Perpendicular]).is_some(), expected, "{x}");
    }
    let along = over(3.0, 0.5, [0.0, 4.0], 8.0).from_start([-7.0, 0.5, 2.0]).nearest(&scene, &kinds).unwrap();
    assert_eq!((along.kind, along.point, along.axis), (SnapKind::Axis, DVec3::new(3.0, 0.5, 2.0), Some(DVec3::X)));
    assert_eq!((along.target, along.distance), (None, 4.0));
    // The axis along the view is a point on the screen.
    let point = over(3.0, 0.5, [0.0, 4.0], 8.0).from_start([3.0, 0.5, 2.0]).nearest(&scene, &kinds).unwrap();
    assert_eq!(point.distance, 0.0);
}

#[test]
fn the_start_may_be_behind_a_perspective_eye() {
    let camera =
        Camera::perspective(Camera::look_at([0.0, 0.0, 10.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap(), 1.0).unwrap();
    let scene = cube_scene();
    let at = camera.project([0.0, 2.0, -20.0], [800.0, 600.0]).unwrap().pixel;
    let snap = Cursor::new(&camera, [800.0, 600.0], at, 5.0).from_start([0.0, 2.0, 40.0]);
    let snap = snap.nearest(&scene, &[SnapKind::Axis]).unwrap();
    assert_eq!(snap.axis, Some(DVec3::Z));
    assert!(snap.depth > 0.0 && (snap.point - DVec3::new(0.0, 2.0, -20.0)).length() < 1e-3, "{snap:?}");
}

#[test]
fn centers_are_of_whole_faces_of_any_form() {
    // An L of five triangles in one plane, and a triangle that bends away from it.
    let corners = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [2.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 2.0, 0.0],
        [0.0, 2.0, 0.0],
        [3.0, 0.0, 2.0],
    ];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5], [1, 6, 2]];
    let mut scene = Scene::new();
    scene.insert(0, Mesh::new(&corners, triangles.as_flattened()).unwrap(), DVec3::ZERO).unwrap();
    // Two squares beside each other and one above: (1 * (0.5, 0.5) + (1.5, 0.5) + (0.5, 1.5)) / 3.
    let center = DVec3::new(2.5 / 3.0, 2.5 / 3.0, 0.0);
    for cursor in [over(0.7, 0.5, [0.0, 0.0], 60.0), over(0.5, 0.9, [0.0, 0.0], 60.0)] {
        let snap = cursor.nearest(&scene, &[SnapKind::Center]).unwrap();
        assert!((snap.point - center).length() < 1e-12, "{snap:?}");
    }
    let hull = ConvexHull::new(cube().positions()).unwrap();
    scene.insert(0, hull, DVec3::X * 0.5).unwrap();
    let snap = over(0.5, 0.0, [1.0, 0.0], 8.0).nearest(&scene, &SnapKind::ALL).unwrap();
    assert_eq!((snap.kind, snap.point), (SnapKind::Center, DVec3::new(0.5, 0.0, 1.0)));
    // A ball has no vertices, but a surface.
    scene.insert(0, Sphere::new(1.0), DVec3::ZERO).unwrap();
    let snap = over(0.0, 0.0, [0.0, 0.0], 8.0).nearest(&scene, &SnapKind::ALL).unwrap();
    assert_eq!((snap.kind, snap.point, snap.target.unwrap().triangle), (SnapKind::Face, DVec3::Z, None));
}

#[test]
fn seams_of_texture_coordinates_are_no_edges() {
    // Two triangles of a square that share no vertex numbers.
    let soup =
        [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let mut scene = Scene::new();
    scene.insert(0, Mesh::from_soup(&soup).unwrap(), DVec3::ZERO).unwrap();
    let kinds = [SnapKind::Edge, SnapKind::Midpoint];
    assert_eq!(over(0.0, 0.0, [2.0, 0.0], 8.0).nearest(&scene, &kinds), None);
    // The corner is found once, under its lowest number.
    let mut snaps = Vec::new();
    over(1.0, 1.0, [2.0, 0.0], 8.0).all(&scene, &[SnapKind::Vertex], &mut snaps);
    assert_eq!(snaps.iter().map(|snap| snap.target.unwrap().vertex).collect::<Vec<_>>(), [Some(2)]);
    // A side at which a mesh is folded back onto itself is an edge.
    let folded =
        [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    scene.insert(0, Mesh::from_soup(&folded).unwrap(), DVec3::ZERO).unwrap();
    assert_eq!(told(over(0.0, 0.0, [2.0, 0.0], 8.0).nearest(&scene, &kinds).as_ref()).unwrap().0, SnapKind::Midpoint);
}

#[test]
fn fields_have_the_vertices_of_their_heights() {
    let heights = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let field = HeightField::new(3, 3, [1.0, 1.0], &heights).unwrap();
    let mut scene = Scene::new();
    scene.insert(0, field, DVec3::new(-1.0, 0.0, 0.0)).unwrap();
    let snap = Cursor::new(&front(), [800.0, 600.0], [403.0, 204.0], 8.0).nearest(&scene, &SnapKind::ALL).unwrap();
    assert_eq!((snap.kind, snap.point), (SnapKind::Vertex, DVec3::new(0.0, 1.0, 1.0)));
    assert_eq!(snap.target.unwrap().vertex, Some(4));
}

/// Returns a flat square of `side` by `side` squares from -1 to 1 at z = 0.
fn flat(side: u32) -> Mesh {
    let at = |number: u32| number as f32 / side as f32 * 2.0 - 1.0;
    let corners: Vec<[f32; 3]> =
        (0..(side + 1) * (side + 1)).map(|number| [at(number % (side + 1)), at(number / (side + 1)), 0.0]).collect();
    let square = |number: u32| {
        let first = number / side * (side + 1) + number % side;
        let above = first + side + 1;
        [first, first + 1, above + 1, first, above + 1, above]
    };
    Mesh::new(&corners, &(0..side * side).flat_map(square).collect::<Vec<u32>>()).unwrap()
}

#[test]
fn faces_of_very_many_triangles_have_no_center() {
    let mut scene = Scene::new();
    for (side, expected) in [(32, true), (64, false)] {
        scene.insert(0, flat(side), DVec3::ZERO).unwrap();
        let snap = over(0.01, 0.02, [0.0, 0.0], 8.0).nearest(&scene, &[SnapKind::Center]);
        assert_eq!(snap.is_some(), expected, "{side}");
    }
}

#[test]
fn a_center_is_found_once_and_names_the_lowest_triangle() {
    let mut scene = Scene::new();
    // The same square is twice in one mesh. The ray hits it twice, and it is one flat face.
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let mesh = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 2, 3]).unwrap();
    scene.insert(0, mesh, DVec3::ZERO).unwrap();
    let mut snaps = Vec::new();
    over(-0.02, 0.02, [0.0, 0.0], 8.0).hidden(Hidden::Keep).all(&scene, &[SnapKind::Center], &mut snaps);
    let triangles: Vec<_> = snaps.iter().map(|snap| snap.target.unwrap().triangle).collect();
    assert_eq!(triangles, [Some(0)]);
    // The centre of a hull's face has a triangle of the hull's mesh.
    scene.insert(0, ConvexHull::new(cube().positions()).unwrap(), DVec3::ZERO).unwrap();
    let snap = over(0.0, 0.0, [1.0, 0.0], 8.0).nearest(&scene, &[SnapKind::Center]).unwrap();
    assert!(snap.target.unwrap().triangle.is_some());
}
