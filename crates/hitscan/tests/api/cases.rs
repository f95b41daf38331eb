//! Odd input whose right answers are known.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{
    Aabb, ConvexHull, Geometry, HeightField, OrientedBox, Query, Ray, Scene, Shape, ShapeError, Sphere, Torus, Volume,
};

/// The answer of a scene that is given a shape.
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
    // Such a box touches nothing as a volume, whoever asks.
    let mut scene = Scene::new();
    scene.insert(0, Sphere::new(1.0), DVec3::ZERO).unwrap();
    for volume in [Volume::from(half), Volume::from(turned)] {
        assert!(volume.validate().is_err());
        assert!(!scene.overlaps(&volume, [0.0; 3]) && scene.penetration(&volume, [0.0; 3]).is_none());
        assert!(scene.sweep(&volume, [0.0, 5.0, 0.0], [0.0, -9.0, 0.0]).is_none());
    }
    // Bounds that are infinite still say which rays cross them.
    let ray = Ray::new([0.0, 0.0, 5.0], Vec3::NEG_Z);
    assert_eq!((half.cast_t(&ray), half.interval(&ray)), (Some(4.0), Some((4.0, f32::INFINITY))));
}

/// A box that is made is saved, read and answered alike; one that could not be read is not made.
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

/// An entity that reaches so far that f64 has no number for its distances is met by rays alone, and has no NaN in its bounds.
#[test]
fn what_is_out_of_reach_is_met_by_rays_alone() {
    let far = DAffine3::from_scale(DVec3::splat(1e300));
    let shapes: [Geometry; 3] =
        [Sphere::new(f32::MAX).into(), Aabb::new([-2.0, f32::MIN, 0.0], [0.0; 3]).into(), Torus::new(1e9, 1.0).into()];
    for geometry in shapes {
        let mut scene = Scene::new();
        scene.insert(0, geometry.clone(), far).unwrap();
        let bounds = scene.bounds_of(&0).unwrap();
        assert!(!bounds.min.is_nan() && !bounds.max.is_nan(), "{bounds:?}");
        let (mut penetrations, volume) = (Vec::new(), Sphere::new(1.0));
        scene.penetrations(volume, [0.0; 3], &mut penetrations);
        assert!(penetrations.is_empty() && !scene.overlaps(volume, [0.0; 3]), "{geometry:?}");
        assert!(scene.closest_point([0.0; 3]).is_none(), "{geometry:?}");
        assert!(scene.sweep(volume, [0.0; 3], [1.0, 0.0, 0.0]).is_none(), "{geometry:?}");
        scene.insert(1, Sphere::new(1.0), DVec3::ZERO).unwrap();
        assert!(scene.distance(&0, &1).is_none() && scene.penetration_between(&0, &1).is_none(), "{geometry:?}");
        assert!(!scene.are_overlapping(&0, &1), "{geometry:?}");
        let query = Query::new().exclude(1);
        assert!(scene.closest_point_with([0.0; 3], f64::INFINITY, &query).is_none());
    }
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

/// What goes along the edge of a box that is as thin as a line meets it at its end, and not where it starts.
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
