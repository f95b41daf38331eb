use crate::snap::{over, told};
use hitscan::error::WireError;
use hitscan::glam::{DAffine3, Vec3};
use hitscan::prelude::*;
use hitscan::snap::{Snap, SnapKind};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{Compound, Geometry, Transform};

#[test]
fn clouds_and_lines_are_snapped_to() {
    let mut scene = Scene::new();
    let cloud = PointCloud::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).unwrap();
    let line = Polyline::from_strips([
        vec![[0.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 2.0, 0.0]],
        vec![[-2.0, 0.0, 1.0], [-2.0, 2.0, 1.0]],
    ]);
    let parts: [(Geometry, Transform); 2] =
        [(cloud.into(), DVec3::Y.into()), (line.unwrap().into(), Transform::IDENTITY)];
    scene.insert("wire", Compound::new(parts).unwrap(), DAffine3::from_scale(DVec3::new(1.0, -1.0, 1.0))).unwrap();
    let mut snaps: Vec<Snap<&str>> = Vec::new();
    over(1.0, -1.0, [3.0, 4.0], 8.0).all(&scene, &SnapKind::ALL, &mut snaps);
    let list: Vec<_> =
        snaps.iter().map(|snap| (snap.kind, snap.target.unwrap().part, snap.target.unwrap().vertex)).collect();
    // Each of the equal points is found, in order; then the middle of the segment, and the segment.
    assert_eq!(
        list,
        [
            (SnapKind::Vertex, 0, Some(1)),
            (SnapKind::Vertex, 0, Some(2)),
            (SnapKind::Midpoint, 1, None),
            (SnapKind::Edge, 1, None)
        ]
    );
    assert_eq!(snaps[3].target.unwrap().edge, Some([0, 1]));
    assert_eq!((snaps[3].point, snaps[3].distance), (DVec3::new(1.03, -1.0, 0.0), 4.0));
    let end = over(-2.0, -2.0, [1.0, 1.0], 8.0).nearest(&scene, &SnapKind::ALL).unwrap();
    assert_eq!((end.point, end.target.unwrap().vertex), (DVec3::new(-2.0, -2.0, 1.0), Some(4)));
}

#[test]
fn rays_and_volumes_do_not_meet_them() {
    let mut scene = Scene::new();
    scene.insert(0, PointCloud::new(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(1, Polyline::new(&[[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]).unwrap(), DVec3::ZERO).unwrap();
    let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
    assert!(scene.cast(&ray).is_none() && !scene.is_blocked(&ray));
    assert!(scene.sweep(Sphere::new(0.5), [0.0, 0.0, 5.0], [0.0, 0.0, -9.0]).is_none());
    assert!(!scene.overlaps(Sphere::new(0.5), DVec3::ZERO));
    assert!(scene.closest_point([0.0, 0.5, 0.0]).is_none());
    assert!(scene.pair(&0, &1).distance().is_none() && !scene.pair(&0, &1).overlaps());
    let mut pairs = Vec::new();
    scene.overlap_pairs(&Default::default(), &mut pairs);
    assert!(pairs.is_empty());
    let mut intervals = Vec::new();
    scene.solid_intervals(&ray, &mut intervals);
    assert!(intervals.is_empty());
    for wire in [0, 1] {
        assert_eq!(scene.explain(&ray, &wire), hitscan::query::Explanation::Empty);
    }
    // They are included in bounds, and can be moved and removed like any other entity.
    let bounds = scene.bounds();
    assert!(
        bounds.min.abs_diff_eq(Vec3::new(0.0, -1.0, 0.0), 1e-6)
            && bounds.max.abs_diff_eq(Vec3::new(2.0, 1.0, 0.0), 1e-6)
    );
    scene.set_transform(&0, DVec3::X).unwrap();
    assert!(scene.bounds_of(&0).unwrap().max.abs_diff_eq(Vec3::new(3.0, 0.0, 0.0), 1e-6));
    let cursor = over(3.0, 0.0, [1.0, 0.0], 4.0);
    assert_eq!(
        told(cursor.nearest(&scene, &SnapKind::ALL).as_ref()),
        Some((SnapKind::Vertex, DVec3::new(3.0, 0.0, 0.0)))
    );
    let frame = scene.clone();
    scene.remove(&0);
    assert!(cursor.nearest(&scene, &SnapKind::ALL).is_none() && cursor.nearest(&frame, &SnapKind::ALL).is_some());
}

#[test]
fn bad_points_are_named() {
    let error = PointCloud::new(&[Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0)]).unwrap_err();
    assert!(matches!(error, WireError::Point { index: 1, .. }) && error.to_string().starts_with("point 1 is at"));
    let error = Polyline::from_strips([vec![Vec3::ZERO; 3], vec![Vec3::ZERO]]).unwrap_err();
    assert_eq!(error, WireError::Strip { strip: 1, points: 1 });
    assert_eq!(error.to_string(), "strip 1 has 1 points: a strip needs at least two");
    let error = Polyline::from_strips([vec![Vec3::ZERO; 2], vec![Vec3::ZERO, Vec3::INFINITY]]).unwrap_err();
    assert!(matches!(error, WireError::Point { index: 3, .. }));
    // A cloud or polyline may be empty, and its points may be equal or at the limits of f32.
    let mut scene = Scene::new();
    scene.insert(0, PointCloud::new::<Vec3>(&[]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(1, Polyline::from_strips::<Vec<Vec3>, Vec3>([]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(2, PointCloud::new(&[Vec3::MAX, Vec3::MIN, Vec3::splat(1e-45)]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(3, Polyline::new(&[Vec3::MIN, Vec3::MAX, Vec3::MAX]).unwrap(), DVec3::ZERO).unwrap();
    let snap = over(0.0, 0.0, [2.0, 0.0], 4.0).nearest(&scene, &[SnapKind::Vertex]).unwrap();
    assert_eq!((snap.target.unwrap().id, snap.target.unwrap().vertex), (2, Some(2)));
    assert!(over(1.0, 1.0, [2.0, 0.0], 4.0).nearest(&scene, &SnapKind::ALL).is_some());
}

#[test]
fn clones_share_and_strips_come_back() {
    let strips = [vec![Vec3::ZERO, Vec3::X], vec![Vec3::Y, Vec3::Z, Vec3::ONE]];
    let line = Polyline::from_strips(&strips).unwrap();
    assert!(line.strips().eq(strips.iter().map(|strip| &strip[..])));
    assert!(line.is_clone_of(&line.clone()) && !line.is_clone_of(&Polyline::from_strips(&strips).unwrap()));
    assert_eq!(
        (0..4).map(|segment| line.segment(segment)).collect::<Vec<_>>(),
        [Some([0, 1]), Some([2, 3]), Some([3, 4]), None]
    );
}
