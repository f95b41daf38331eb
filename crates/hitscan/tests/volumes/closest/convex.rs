//! Convex solids, checked with planes. For a place outside, no part of the solid is in front of the plane through the
//! nearest point. For a place inside, no tangent plane is nearer. The support functions are written independently of
//! the library.

use crate::closest::subject::{Answer, Subject, U, cube_corners, local_place, transform};
use crate::closest::{points, random};
use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, OrientedBox, Quad, RoundedBox, Sphere, Triangle,
};

#[derive(Clone, Copy, Debug)]
enum Kind {
    Ball,
    Capsule,
    Cylinder,
    Cone,
    Aabb,
    OrientedBox,
    Hull,
    Disc,
    Quad,
    Triangle,
    RoundedBox,
}

const ALL: [Kind; 11] = [
    Kind::Ball,
    Kind::Capsule,
    Kind::Cylinder,
    Kind::Cone,
    Kind::Aabb,
    Kind::OrientedBox,
    Kind::Hull,
    Kind::Disc,
    Kind::Quad,
    Kind::Triangle,
    Kind::RoundedBox,
];

/// The convex hull of circles at some points, each around an axis along y, expanded by a radius.
struct Form {
    /// The centres, each with the radius of its circle.
    points: Vec<(DVec3, f64)>,
    radius: f64,
}

impl Form {
    fn of_points(points: &[DVec3]) -> Self {
        Self { points: points.iter().map(|&point| (point, 0.0)).collect(), radius: 0.0 }
    }

    fn reach(&self, d: DVec3) -> f64 {
        let beside = d.x.hypot(d.z);
        let most = self.points.iter().map(|(point, circle)| point.dot(d) + circle * beside);
        most.fold(f64::NEG_INFINITY, f64::max) + self.radius * d.length()
    }

    /// Returns the normals of all planes through three corners, which include the normals of the faces.
    fn normals_of_corners(&self) -> impl Iterator<Item = DVec3> {
        let corners = || self.points.iter().map(|(point, _)| *point).enumerate();
        let pairs = corners().flat_map(move |(i, a)| corners().skip(i + 1).map(move |(j, b)| (j, a, b)));
        let across = pairs.flat_map(move |(j, a, b)| corners().skip(j + 1).map(move |(_, c)| (b - a).cross(c - a)));
        across.filter(|normal| *normal != DVec3::ZERO).flat_map(|normal| [normal, -normal])
    }

    /// Returns normals of planes that may touch the hull near a place.
    fn normals_near(&self, place: DVec3) -> Vec<DVec3> {
        let beside = DVec3::new(place.x, 0.0, place.z).normalize_or_zero();
        let mut normals = vec![beside, place, DVec3::Y, DVec3::NEG_Y, DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
        for (end, _) in &self.points {
            normals.push(place - *end);
        }
        if self.points.len() > 2 {
            normals.extend(self.normals_of_corners());
        }
        if let [(base, radius), (apex, _)] = self.points[..] {
            normals.push(beside * base.distance(apex) + DVec3::Y * radius);
        }
        normals
    }
}

fn make(random: &mut Random, kind: Kind) -> (Form, Geometry, bool) {
    let simple = random.below(2) == 0;
    let mut size = |of: f32| if simple { of } else { (random.unit().abs() as f32 + 0.1) * of };
    let (r, h) = (size(1.0), size(2.0));
    let ends = [Vec3::NEG_Y, Vec3::Y].map(|end| end * (h * 0.5));
    let wide = ends.map(|end| end.as_dvec3());
    let radius = f64::from(r);
    let round = |circles: [f64; 2], ball: f64| Form { points: wide.into_iter().zip(circles).collect(), radius: ball };
    let box_of = |half: Vec3| {
        let corners: Vec<DVec3> = cube_corners().iter().map(|corner| (*corner * half).as_dvec3()).collect();
        Form::of_points(&corners)
    };
    let half = Vec3::new(r, h * 0.5, size(1.0));
    match kind {
        Kind::Ball => (Form { points: vec![(DVec3::ZERO, 0.0)], radius }, Sphere::new(r).into(), true),
        Kind::Capsule => (round([0.0; 2], radius), Capsule::between(ends[0], ends[1], r).into(), true),
        Kind::Cylinder => (round([radius; 2], 0.0), Cylinder::between(ends[0], ends[1], r).into(), true),
        Kind::Cone => (round([radius, 0.0], 0.0), Cone::between(ends[0], ends[1], r).into(), true),
        Kind::Aabb => (box_of(half), Aabb::new(-half, half).into(), true),
        Kind::RoundedBox => {
            let form = Form { radius: 0.5 * radius, ..box_of(half) };
            (form, RoundedBox::new(Aabb::new(-half, half), 0.5 * r).into(), true)
        }
        Kind::OrientedBox => {
            let turn = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_4);
            let it = OrientedBox::from_rotation(Vec3::ZERO, half, turn.as_quat()).unwrap();
            let to_space = it.to_local().inverse();
            let (low, high) = (it.aabb().min.as_dvec3(), it.aabb().max.as_dvec3());
            let corner =
                |corner: &Vec3| to_space.transform_point3(low + (high - low) * ((corner.as_dvec3() + 1.0) * 0.5));
            let corners: Vec<DVec3> = cube_corners().iter().map(corner).collect();
            (Form::of_points(&corners), it.into(), true)
        }
        Kind::Hull => {
            let corners: Vec<Vec3> = match random.below(3) {
                0 => cube_corners().iter().map(|corner| *corner * half).collect(),
                1 => [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].to_vec(),
                _ => (0..24).map(|_| random.direction().as_vec3()).collect(),
            };
            let wide: Vec<DVec3> = corners.iter().map(|corner| corner.as_dvec3()).collect();
            (Form::of_points(&wide), ConvexHull::new(&corners).unwrap().into(), true)
        }
        Kind::Disc => {
            (Form { points: vec![(DVec3::ZERO, radius)], radius: 0.0 }, Disc::new(Vec3::ZERO, Vec3::Y, r).into(), false)
        }
        Kind::Quad => {
            let quad =
                Quad { corner: Vec3::new(-r, 0.0, -1.0), edge_u: Vec3::new(2.0 * r, 0.0, 0.5), edge_v: Vec3::Z * h };
            let [a, u, v] = [quad.corner, quad.edge_u, quad.edge_v].map(|v| v.as_dvec3());
            (Form::of_points(&[a, a + u, a + v, a + u + v]), quad.into(), false)
        }
        Kind::Triangle => {
            let corners = [Vec3::new(-r, 0.0, -1.0), Vec3::new(r, 0.0, -1.0), Vec3::new(0.0, h * 0.5, 1.0)];
            (
                Form::of_points(&corners.map(|v| v.as_dvec3())),
                Triangle::new(corners[0], corners[1], corners[2]).into(),
                false,
            )
        }
    }
}

/// The maximum number of steps of the search for the least depth.
const SEARCHED: usize = 400;

/// A placed form, and a place to ask about.
struct Question<'a> {
    form: &'a Form,
    to_world: DAffine3,
    place: DVec3,
}

impl Question<'_> {
    /// Returns how far the place is below the tangent plane of the solid with a unit normal; negative if it is above.
    fn depth(&self, normal: DVec3) -> f64 {
        self.form.reach(self.to_world.matrix3.transpose() * normal) - normal.dot(self.place - self.to_world.translation)
    }

    /// Returns the unit normal with the least depth, searched from some candidates.
    fn least_deep(&self, normals: &[DVec3], least: f64) -> f64 {
        let start = normals.iter().map(|&normal| (self.depth(normal), normal));
        let (mut best, mut normal) = start.fold((f64::INFINITY, DVec3::X), |a, b| if b.0 < a.0 { b } else { a });
        let mut step = 0.3;
        // A search that still improves after this many steps improves by a negligible amount.
        for _ in 0..SEARCHED {
            if step <= 1e-12 || best < least {
                break;
            }
            let (a, b) = normal.any_orthonormal_pair();
            let ways = [a, b, -a, -b, a + b, a - b, b - a, -a - b].map(|way| (normal + way * step).normalize());
            let next = ways
                .map(|way| (self.depth(way), way))
                .into_iter()
                .fold((best, normal), |a, b| if b.0 < a.0 { b } else { a });
            if next.0 < best { (best, normal) = next } else { step *= 0.3 }
        }
        best
    }

    /// Returns the error that planes prove the answer to have, given some normals of tangent planes.
    fn error(&self, answer: &Answer, normals: &[DVec3], slack: f64) -> f64 {
        let on_it = Question { form: self.form, to_world: self.to_world, place: self.place + answer.offset };
        let outside = normals.iter().map(|&normal| -on_it.depth(normal)).fold(0.0, f64::max);
        let way = answer.offset.normalize_or(answer.normal);
        if answer.is_inside {
            let least = self.least_deep(normals, answer.distance - slack);
            return outside.max(answer.distance - least).max(-self.least_deep(&[way], 0.0));
        }
        // No part of the solid is in front of the plane perpendicular to the offset. Planes perpendicular to similar
        // directions are tried too, because the offset between near points is rounded.
        let mut off = self.depth(-way) + answer.distance;
        if off > slack {
            let normals: Vec<DVec3> = normals.iter().copied().chain([-way, answer.normal]).collect();
            off = self.least_deep(&normals, -answer.distance) + answer.distance;
        }
        outside.max(off)
    }
}

fn prove(random: &mut Random, kind: Kind) -> f64 {
    let seed = random.0;
    let (form, geometry, has_inside) = make(random, kind);
    let to_world = transform(random);
    let linear = to_world.matrix3;
    let reach = |axis: DVec3| form.reach(linear.transpose() * axis).max(form.reach(linear.transpose() * -axis));
    let size = reach(DVec3::X) + reach(DVec3::Y) + reach(DVec3::Z);
    let extent = DVec3::new(form.reach(DVec3::X), form.reach(DVec3::Y), form.reach(DVec3::Z));
    let subject = Subject::new(geometry, to_world, has_inside, size);
    let mut local = local_place(random, extent);
    let mut place = to_world.transform_point3(local);
    if random.below(4) == 0 {
        // The place is on the surface, or as near to it as f64 allows.
        place += subject.ask(place).offset;
        local = to_world.inverse().transform_point3(place);
    }
    let answer = subject.ask(place);
    // The nearest point of a stretched rounded box is found by a search with its support function, to 2^-40.
    let gram = linear.transpose() * linear;
    let is_round = gram.abs_diff_eq(DMat3::from_diagonal(DVec3::splat(gram.x_axis.x)), 1e-12 * gram.x_axis.x);
    let is_searched = matches!(kind, Kind::RoundedBox) && !is_round;
    let slack = if is_searched { 1.0 / (1u64 << 38) as f64 } else { 32.0 * U } * subject.reach(place);
    let to_normal = to_world.inverse().matrix3.transpose();
    let near = form.normals_near(local).into_iter().chain(form.normals_near(local + linear.inverse() * answer.offset));
    let mut normals: Vec<DVec3> = near.map(|normal| to_normal * normal).collect();
    for _ in 0..24 {
        normals.extend([random.direction(), to_normal * random.direction()]);
    }
    let normals: Vec<DVec3> = normals.into_iter().filter_map(DVec3::try_normalize).collect();
    let question = Question { form: &form, to_world, place };
    let error = question.error(&answer, &normals, slack);
    // The direction of a short offset has a larger rounding error, which turns the plane. If the two places are equal
    // in f64, no direction is known, and planes are searched.
    let turned =
        if answer.is_inside { 0.0 } else { (4.0 * U * subject.reach(place) / answer.distance.abs()).min(1e-8) };
    let most = slack + turned * size;
    assert!(error <= most, "{kind:?}, seed {seed}: {error:e} {place} (local {local}) {answer:?} {to_world:?}");
    subject.prove_lipschitz(random, place, slack);
    subject.prove_agreement(random, place, 1e-6 * size + 1e-11 * subject.reach(place));
    if answer.is_inside || answer.distance > 0.25 * size { error / subject.reach(place) } else { 0.0 }
}

#[test]
fn of_every_solid_by_every_transform() {
    let mut random = random();
    for kind in ALL {
        let worst = (0..points() / ALL.len()).map(|_| prove(&mut random, kind)).fold(0.0, f64::max);
        println!("{kind:?}: {:.1} u of the coordinates off at most", worst / U);
    }
}
