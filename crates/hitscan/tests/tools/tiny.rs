//! Coordinates that are tiny compared with the largest coordinate of their mesh, but that its transform enlarges. The trees hold rounded values of them.

use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};

use hitscan::select::{Region, Selector};
use hitscan::snap::{Cursor, Hidden, SnapKind};
use hitscan::{Camera, Geometry, HeightField, Mesh, Ray, RayQueries, Scene};

const WINDOW: [f32; 2] = [800.0, 600.0];
/// The place of the vertex whose coordinate z was tiny.
const TIP: DVec3 = DVec3::new(1.0, 1.0, 2048.0);

fn of_tiny(geometry: impl Into<Geometry>) -> Scene<u32> {
    let mut scene = Scene::new();
    let stretch = DAffine3::from_scale(DVec3::new(1.0, 1.0, (1u64 << 33) as f64));
    scene.insert(7, geometry, stretch).unwrap();
    scene
}

/// Returns scenes with a vertex at the tip, of things with a coordinate that is 2^-150 of the largest.
fn scenes() -> [Scene<u32>; 2] {
    let tiny = 2048.0 / (1u64 << 33) as f32;
    let corners = [[0.0, 0.0, 0.0], [0.0, 1.0, tiny], [1.0, 1.0, tiny], [0.0, f32::MAX, 0.0]];
    let mesh = Mesh::new(&corners, &[0, 1, 2, 0, 1, 3]).unwrap();
    let field = HeightField::new(2, 3, [1.0, tiny], &[0.0, 0.0, 0.0, 1.0, 1.0, f32::MAX]).unwrap();
    [of_tiny(mesh), of_tiny(field)]
}

#[test]
fn are_found() {
    // Seen from the side, the tip is far from its position with a rounded coordinate.
    let transform = Camera::look_at(TIP + DVec3::X * 50.0, TIP, DVec3::Y).unwrap();
    let camera = Camera::perspective(transform, 0.5).unwrap();
    for (kind, scene) in scenes().into_iter().enumerate() {
        let cursor = Cursor::new(&camera, WINDOW, [400.0, 300.0], 10.0).hidden(Hidden::Keep);
        let snap = cursor.nearest(&scene, &[SnapKind::Vertex]);
        assert_eq!(snap.map(|snap| snap.point), Some(TIP), "{kind}");
        let region = Region::circle(Vec2::new(400.0, 300.0), 10.0).unwrap();
        let (mut ids, mut triangles) = (Vec::new(), Vec::new());
        let selector = Selector::new(&camera, WINDOW, &region);
        selector.entities(&scene, &mut ids);
        selector.triangles(&scene, &mut triangles);
        assert_eq!((ids.len(), triangles.is_empty()), (1, false), "{kind}");
        let ray = Ray::with_direction(Vec3::new(0.75, 0.9, 5000.0), Vec3::NEG_Z);
        assert!(scene.cast(&ray).is_some(), "{kind}");
    }
}
