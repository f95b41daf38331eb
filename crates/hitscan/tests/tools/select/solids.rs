//! Solids are selected like meshes of the same form. Round solids are selected like something between a mesh within
//! them and a mesh around them.

use crate::select::form::{arc, grown, turned};
use crate::select::view::{WINDOW, camera, placement, region};
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::select::{Region, Rule, Selector};
use hitscan::{
    Aabb, Camera, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, Mesh, OrientedBox, Plane, Quad, Scene, Sphere,
    Torus, Triangle,
};
use hitscan_random::Random;
use std::f64::consts::{FRAC_PI_2, TAU};

/// The number of regions for each kind of solid.
pub(crate) fn rounds() -> usize {
    hitscan_random::effort::size(300, 300, 10_000)
}

/// Returns whether a thing is selected.
fn is_selected(geometry: &Geometry, to_world: DAffine3, camera: &Camera, region: &Region, rule: Rule) -> bool {
    let mut scene = Scene::new();
    scene.insert((), geometry.clone(), to_world).expect("a transform");
    let mut found = Vec::new();
    Selector::new(camera, WINDOW, region).rule(rule).entities(&scene, &mut found);
    !found.is_empty()
}

/// Checks that an entity touches a region if the inner mesh touches it, and only if the outer mesh touches it. For entities that are wholly inside, it checks
/// the reverse.
fn between(name: &str, inner: &Geometry, thing: &Geometry, outer: &Geometry) {
    let mut random = Random(3);
    let (mut decided, mut selected) = (0, 0);
    for round in 0..rounds() {
        let (to_world, camera) = (placement(&mut random), camera(&mut random, 8.0));
        let region = region(&mut random);
        for rule in [Rule::Touching, Rule::Inside] {
            let [inner, thing, outer] =
                [inner, thing, outer].map(|of| is_selected(of, to_world, &camera, &region, rule));
            let [least, most] = if rule == Rule::Touching { [inner, outer] } else { [outer, inner] };
            assert!(least <= thing && thing <= most, "{name} {round} {rule:?}: {least} {thing} {most}");
            decided += usize::from(least == most);
            selected += usize::from(thing);
        }
    }
    println!("{name}: {selected} selected, {decided} of {} decided", 2 * rounds());
    assert!(decided * 20 >= rounds() * 2 * 19 && selected * 10 > rounds(), "{name}: {decided} {selected}");
}

/// Checks that the same regions select a thing and a mesh of the same form.
fn same(name: &str, thing: impl Into<Geometry>, mesh: &Mesh) {
    let mesh = mesh.into();
    between(name, &mesh, &thing.into(), &mesh);
}

/// Checks a round solid, given a mesh with all corners on its surface, and a point from which the whole solid is visible.
fn round(name: &str, thing: impl Into<Geometry>, mesh: &Mesh) {
    between(name, &mesh.into(), &thing.into(), &grown(mesh, Vec3::ZERO, 1.01).into());
}

#[test]
fn flat_faces() {
    let mut random = Random(5);
    let points: Vec<Vec3> = (0..30).map(|_| random.cube().as_vec3() * 1.5).collect();
    let hull = ConvexHull::new(&points).expect("a solid");
    same("hull", &hull, hull.mesh());
    let aabb = Aabb::new([-1.0, -0.5, -0.25], [1.0, 0.75, 2.0]);
    let boxed = ConvexHull::new(&aabb.corners()).expect("a solid");
    same("box", aabb, boxed.mesh());
    let turn = DAffine3::from_rotation_y(0.7);
    let corners = aabb.corners().map(|corner| turn.transform_point3(corner.as_dvec3()).as_vec3());
    let turned = ConvexHull::new(&corners).expect("a solid");
    same("oriented box", OrientedBox::new(aabb, turn).expect("a transform"), turned.mesh());
    let [a, b, c, d] =
        [[-1.0, 0.0, -1.0], [1.5, 0.5, -1.0], [1.5, 1.0, 1.0], [-1.0, 0.5, 1.0]].map(|p: [f32; 3]| Vec3::from(p));
    same("quad", Quad::new(a, b - a, d - a), &Mesh::from_soup(&[a, b, c, a, c, d]).expect("finite"));
    same("triangle", Triangle::new(a, b, c), &Mesh::from_soup(&[a, b, c]).expect("finite"));
}

#[test]
fn round_ones() {
    let ball: Vec<_> = arc((0.0, 0.0), 1.5, -FRAC_PI_2, FRAC_PI_2).collect();
    round("sphere", Sphere::new(1.5), &turned(&ball));
    let capsule: Vec<_> = arc((0.0, -1.0), 0.5, -FRAC_PI_2, 0.0).chain(arc((0.0, 1.0), 0.5, 0.0, FRAC_PI_2)).collect();
    round("capsule", Capsule::new(0.5, 3.0), &turned(&capsule));
    round("cylinder", Cylinder::new(1.0, 2.0), &turned(&[(0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 1.0)]));
    round("cone", Cone::new(1.0, 2.0), &turned(&[(0.0, -1.0), (1.0, -1.0), (0.0, 1.0)]));
    round("disc", Disc::new([0.0; 3], [0.0, 1.0, 0.0], 1.5), &turned(&[(0.0, 0.0), (1.5, 0.0)]));
}

#[test]
fn a_ring_with_its_hole() {
    let tube = |radius: f64| turned(&arc((1.5, 0.0), radius, 0.0, TAU).collect::<Vec<_>>());
    between("torus", &(&tube(0.4)).into(), &Torus::new(1.5, 0.4).into(), &(&tube(0.412)).into());
    // This region is in the hole alone.
    let transform = Camera::look_at(DVec3::Y * 10.0, DVec3::ZERO, DVec3::Z).expect("a direction");
    let camera = Camera::orthographic(transform, 4.8).expect("a height");
    let hole = |radius: f32| Region::circle([320.0, 240.0], radius).expect("finite");
    let ring = Geometry::from(Torus::new(1.5, 0.4));
    assert!(!is_selected(&ring, DAffine3::IDENTITY, &camera, &hole(109.0), Rule::Touching));
    assert!(is_selected(&ring, DAffine3::IDENTITY, &camera, &hole(111.0), Rule::Touching));
}

#[test]
fn planes() {
    let mut random = Random(11);
    let mut selected = 0;
    for round in 0..rounds() {
        let turn = DAffine3::from_rotation_translation(random.rotation(), random.cube() * 3.0);
        let camera = camera(&mut random, 8.0).with_clip(0.5, 500.0).expect("in order");
        let region = region(&mut random);
        let plane = Plane::new([0.0; 3], [0.0, 1.0, 0.0]).expect("a normal").into();
        let corners = [[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
        let large = Mesh::new(&corners.map(|corner| Vec3::from(corner) * 1e4), &[0, 1, 2, 0, 2, 3]).expect("finite");
        let [found, expected] =
            [plane, large.into()].map(|of| is_selected(&of, turn, &camera, &region, Rule::Touching));
        assert_eq!(found, expected, "{round}");
        selected += usize::from(found);
    }
    assert!(selected * 4 > rounds(), "{selected}");
}

/// A ball of radius 1.5, which has a support function if this is true.
struct Ball(bool);

impl CustomShape for Ball {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.5; 3], [1.5; 3])
    }

    fn cast(&self, _: &CustomRay, _: &mut dyn FnMut(CustomHit) -> core::ops::ControlFlow<()>) {}

    fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        self.0.then_some(direction * 1.5)
    }
}

#[test]
fn custom_shapes() {
    let ball: Vec<_> = arc((0.0, 0.0), 1.5, -FRAC_PI_2, FRAC_PI_2).collect();
    round("custom ball", Custom::new(Ball(true)), &turned(&ball));
    let boxed = ConvexHull::new(&Aabb::new([-1.5; 3], [1.5; 3]).corners()).expect("a solid");
    same("custom box", Custom::new(Ball(false)), boxed.mesh());
}
