//! Contacts of every kind of volume with every kind of obstacle. The plane across the normal separates the volume from
//! the obstacle, and the point is on both. This is verified with the corners and support functions of both, which are
//! computed independently from the input.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, HeightField, Mesh, OrientedBox, Plane, Quad, Scene,
    Shape, Sphere, SweepHit, SweepQueries, SweepStart, Torus, Triangle, Volume,
};
use hitscan_random::effort;
use std::collections::BTreeMap;

/// Returns the total number of contacts.
fn count() -> usize {
    effort::size(15_000, 50_000, 10_000_000)
}

fn seed() -> u64 {
    effort::seed(3907)
}

/// A convex solid by its support function: the hull of points or circles, expanded by a radius.
#[derive(Clone, Debug)]
struct Hull {
    points: Vec<DVec3>,
    radius: f64,
    /// Circles, each as a centre and two radii at right angles.
    rims: Vec<[DVec3; 3]>,
}

impl Hull {
    fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        Self { points: points.into_iter().collect(), radius: 0.0, rims: Vec::new() }
    }

    fn map(&self, to_world: &DAffine3) -> Self {
        let point = |p: &DVec3| to_world.transform_point3(*p);
        let rim = |[c, u, v]: &[DVec3; 3]| [point(c), to_world.matrix3 * *u, to_world.matrix3 * *v];
        let scale = to_world.matrix3.x_axis.length();
        let rims = self.rims.iter().map(rim).collect();
        Self { points: self.points.iter().map(point).collect(), radius: self.radius * scale, rims }
    }

    fn reach(&self, n: DVec3) -> f64 {
        let points = self.points.iter().map(|p| p.dot(n));
        let rims = self.rims.iter().map(|[c, u, v]| c.dot(n) + u.dot(n).hypot(v.dot(n)));
        points.chain(rims).fold(f64::NEG_INFINITY, f64::max) + self.radius
    }

    fn size(&self, from: DVec3) -> f64 {
        let points = self.points.iter().map(|p| p.distance(from));
        let rims = self.rims.iter().map(|[c, u, v]| c.distance(from) + u.length() + v.length());
        points.chain(rims).fold(0.0, f64::max) + self.radius
    }

    /// Returns a lower bound of the distance of a point. It is how far the point is beyond the solid along some
    /// directions.
    fn beyond(&self, p: DVec3, directions: &[DVec3]) -> f64 {
        directions.iter().map(|n| p.dot(*n) - self.reach(*n)).fold(f64::NEG_INFINITY, f64::max)
    }
}

fn box_corners(low: DVec3, high: DVec3) -> impl Iterator<Item = DVec3> {
    (0..8).map(move |i| {
        let pick = |axis: usize| if i >> axis & 1 == 1 { high[axis] } else { low[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

/// Returns a small whole number or a simple fraction.
fn simple(random: &mut Random) -> f64 {
    const VALUES: [f64; 12] = [0.0, 0.0, 0.25, 0.5, 0.5, 1.0, 1.0, 1.5, 2.0, 3.0, 0.75, 0.1];
    VALUES[random.below(VALUES.len())] * if random.below(2) == 0 { 1.0 } else { -1.0 }
}

fn simple_vector(random: &mut Random) -> DVec3 {
    loop {
        let v = DVec3::new(simple(random), simple(random), simple(random));
        if v != DVec3::ZERO {
            return v;
        }
    }
}

fn positive(random: &mut Random) -> f64 {
    [0.25, 0.5, 1.0, 1.0, 2.0, 0.3][random.below(6)]
}

/// Returns a rotation by quarter turns, by simple angles or by an arbitrary angle.
fn rotation(random: &mut Random) -> DQuat {
    let quarter = core::f64::consts::FRAC_PI_2;
    match random.below(4) {
        0 => DQuat::IDENTITY,
        1 => {
            DQuat::from_rotation_x(quarter * random.below(4) as f64)
                * DQuat::from_rotation_y(quarter * random.below(4) as f64)
        }
        2 => DQuat::from_axis_angle(simple_vector(random).normalize(), core::f64::consts::FRAC_PI_4),
        _ => random.rotation(),
    }
}

const VOLUMES: [&str; 11] =
    ["point", "ball of 0", "ball", "segment", "capsule", "box", "flat box", "oriented box", "hull", "cylinder", "cone"];
const THINGS: [&str; 16] = [
    "box",
    "flat box",
    "oriented box",
    "quad",
    "triangle",
    "hull",
    "sphere",
    "capsule",
    "cylinder",
    "cone",
    "disc",
    "torus",
    "plane",
    "mesh",
    "height field",
    "box in an instance",
];

/// Returns the points of a small polytope with simple coordinates.
fn some_points(random: &mut Random) -> Vec<Vec3> {
    match random.below(3) {
        0 => [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]).collect(),
        1 => box_corners(DVec3::splat(-0.5), DVec3::splat(0.5)).map(|p| p.as_vec3()).collect(),
        _ => loop {
            let points: Vec<Vec3> = (0..8).map(|_| simple_vector(random).as_vec3() * 0.5).collect();
            if ConvexHull::new(&points).is_ok() {
                return points;
            }
        },
    }
}

/// Returns a volume around its own origin, and its rotation.
fn volume(random: &mut Random, kind: &str) -> (Volume, DQuat, Hull) {
    let turn = rotation(random);
    let half = DVec3::new(positive(random), positive(random), positive(random)) * 0.5;
    let (a, b) = (half.as_vec3(), -half.as_vec3());
    let radius = positive(random) as f32 * 0.5;
    let round = |radius: f32, points: &[DVec3]| Hull { radius: radius.into(), ..Hull::of(points.to_vec()) };
    let (volume, hull) = match kind {
        "point" => (Volume::Point, Hull::of([DVec3::ZERO])),
        "ball of 0" => (Sphere::new(0.0).into(), Hull::of([DVec3::ZERO])),
        "ball" => (Sphere::new(radius).into(), round(radius, &[DVec3::ZERO])),
        "segment" => (Capsule::between(a, b, 0.0).into(), Hull::of([half, -half])),
        "capsule" => (Capsule::between(a, b, radius).into(), round(radius, &[half, -half])),
        "box" => (Aabb::new(b, a).into(), Hull::of(box_corners(-half, half))),
        "flat box" => {
            let axis = random.below(3);
            let mut half = half;
            half[axis] = 0.0;
            (Aabb::new(-half.as_vec3(), half.as_vec3()).into(), Hull::of(box_corners(-half, half)))
        }
        "oriented box" => {
            let own = random.rotation();
            let at = DAffine3::from_rotation_translation(own, simple_vector(random));
            let turned = OrientedBox::new(Aabb::new(b, a), at).unwrap();
            (turned.into(), Hull::of(box_corners(-half, half)).map(&at))
        }
        "cylinder" => {
            (Cylinder::between(a, b, radius).into(), Hull { rims: rims(&[half, -half], radius), ..Hull::of([]) })
        }
        "cone" => (Cone::between(b, a, radius).into(), Hull { rims: rims(&[-half], radius), ..Hull::of([half]) }),
        _ => {
            let points = some_points(random);
            let hull = ConvexHull::new(&points).unwrap();
            (hull.into(), Hull::of(points.into_iter().map(|p| p.as_dvec3())))
        }
    };
    (volume, turn, hull.map(&DAffine3::from_quat(turn)))
}

/// Circles around the ends of an axis, which goes through the origin.
fn rims(ends: &[DVec3], radius: f32) -> Vec<[DVec3; 3]> {
    let (u, v) = ends[0].normalize().any_orthonormal_pair();
    ends.iter().map(|end| [*end, u * f64::from(radius), v * f64::from(radius)]).collect()
}

/// The obstacle, as triangles or as one convex solid.
enum Truth {
    Convex(Hull),
    Triangles(Vec<[DVec3; 3]>),
    Plane(DVec3, DVec3),
    /// A torus around the origin with its circle in the plane of x and z, and the transform from world space.
    Torus {
        major: f64,
        minor: f64,
    },
}

fn place(random: &mut Random) -> DAffine3 {
    let at = simple_vector(random);
    match random.below(3) {
        0 => DAffine3::from_translation(at),
        1 => DAffine3::from_rotation_translation(rotation(random), at),
        _ => DAffine3::from_scale_rotation_translation(DVec3::splat(positive(random)), rotation(random), at),
    }
}

fn thing(random: &mut Random, kind: &str) -> (Geometry, DAffine3, Truth) {
    let to_world = place(random);
    let half = DVec3::new(positive(random), positive(random), positive(random));
    let (radius, height) = (positive(random) as f32, positive(random) as f32);
    let ring = |y: f64| [DVec3::Y * y, DVec3::X * f64::from(radius), DVec3::Z * f64::from(radius)];
    let top = f64::from(height) / 2.0;
    let convex = |shape: Shape, hull: Hull| (shape.into(), to_world, Truth::Convex(hull.map(&to_world)));
    let boxed = |half: DVec3| (Aabb::new(-half.as_vec3(), half.as_vec3()), Hull::of(box_corners(-half, half)));
    let (u, v) = (Vec3::X * half.x as f32, Vec3::new(0.0, half.y as f32, if random.below(2) == 0 { 0.0 } else { 1.0 }));
    match kind {
        "box" => {
            let (aabb, hull) = boxed(half);
            convex(aabb.into(), hull)
        }
        "flat box" => {
            let mut half = half;
            half[random.below(3)] = 0.0;
            let (aabb, hull) = boxed(half);
            convex(aabb.into(), hull)
        }
        "oriented box" => {
            let (aabb, hull) = boxed(half);
            let at = DAffine3::from_rotation_translation(rotation(random), simple_vector(random));
            convex(OrientedBox::new(aabb, at).unwrap().into(), hull.map(&at))
        }
        "box in an instance" => {
            let (aabb, hull) = boxed(half);
            let skewed = DMat3::from_cols(
                DVec3::new(positive(random), 0.0, simple(random)),
                DVec3::new(simple(random), -positive(random), 0.0),
                DVec3::new(0.0, 0.0, positive(random)),
            );
            let to_world =
                DAffine3::from_mat3_translation(DMat3::from_quat(rotation(random)) * skewed, to_world.translation);
            (Shape::from(aabb).into(), to_world, Truth::Convex(hull.map(&to_world)))
        }
        "quad" => {
            let corners = [Vec3::ZERO, u, u + v, v].map(|p| p.as_dvec3());
            convex(Quad::new(Vec3::ZERO, u, v).into(), Hull::of(corners))
        }
        "triangle" => {
            convex(Triangle::new(Vec3::ZERO, u, v).into(), Hull::of([Vec3::ZERO, u, v].map(|p| p.as_dvec3())))
        }
        "hull" => {
            let points = some_points(random);
            let hull = Hull::of(points.iter().map(|p| p.as_dvec3())).map(&to_world);
            (ConvexHull::new(&points).unwrap().into(), to_world, Truth::Convex(hull))
        }
        "sphere" => convex(Sphere::new(radius).into(), Hull { radius: radius.into(), ..Hull::of([DVec3::ZERO]) }),
        "capsule" => {
            let ends = [half, -half];
            let capsule = Capsule::between(ends[0].as_vec3(), ends[1].as_vec3(), radius);
            convex(capsule.into(), Hull { radius: radius.into(), ..Hull::of(ends) })
        }
        "cylinder" => {
            let cylinder = Cylinder::between(Vec3::Y * -top as f32, Vec3::Y * top as f32, radius);
            convex(cylinder.into(), Hull { rims: vec![ring(top), ring(-top)], ..Hull::of([]) })
        }
        "cone" => {
            let cone = Cone::between(Vec3::ZERO, Vec3::Y * height, radius);
            convex(cone.into(), Hull { rims: vec![ring(0.0)], ..Hull::of([DVec3::Y * f64::from(height)]) })
        }
        "disc" => convex(Disc::new(Vec3::ZERO, Vec3::Y, radius).into(), Hull { rims: vec![ring(0.0)], ..Hull::of([]) }),
        "torus" => {
            let (major, minor) = (2.0, f64::from(radius) * 0.5);
            (Shape::from(Torus::new(2.0, radius * 0.5)).into(), to_world, Truth::Torus { major, minor })
        }
        "plane" => {
            let normal = to_world.matrix3 * DVec3::Y;
            let plane = Plane::new(Vec3::ZERO, Vec3::Y).unwrap();
            (Shape::from(plane).into(), to_world, Truth::Plane(to_world.translation, normal.normalize()))
        }
        "mesh" => {
            let (corners, triangles) = grid(random);
            let mesh = Mesh::new(&corners, triangles.as_flattened()).unwrap();
            let at = |i: u32| to_world.transform_point3(corners[i as usize].as_dvec3());
            let triangles = triangles.iter().map(|triangle| triangle.map(at)).collect();
            (mesh.into(), to_world, Truth::Triangles(triangles))
        }
        _ => {
            let steep = random.below(2) as f64;
            let heights: Vec<f32> = (0..25).map(|_| (simple(random) * 0.5 * steep) as f32).collect();
            let field = HeightField::new(5, 5, [1.0, 1.0], &heights).unwrap();
            let corners = |i: u32| field.triangle(i).unwrap().map(|p| to_world.transform_point3(p.as_dvec3()));
            let triangles = (0..field.triangle_count() as u32).map(corners).collect();
            (field.into(), to_world, Truth::Triangles(triangles))
        }
    }
}

/// Returns a flat grid, or one with steps of simple heights.
fn grid(random: &mut Random) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let steep = random.below(2) as f64;
    let places = (0..5).flat_map(|z| (0..5).map(move |x| (x, z)));
    let corner = |(x, z): (u32, u32)| Vec3::new(x as f32 - 2.0, (simple(random) * 0.5 * steep) as f32, z as f32 - 2.0);
    let corners = places.map(corner).collect();
    let cells = (0..4).flat_map(|z| (0..4).map(move |x| z * 5 + x));
    (corners, cells.flat_map(|a| [[a, a + 5, a + 6], [a, a + 6, a + 1]]).collect())
}

impl Truth {
    /// Returns a corner, the middle of an edge or of a face, or the centre.
    fn aim(&self, random: &mut Random, to_world: &DAffine3) -> DVec3 {
        let among = |random: &mut Random, points: &[DVec3]| {
            let pick = |random: &mut Random| points[random.below(points.len())];
            match random.below(4) {
                0 => pick(random),
                1 => (pick(random) + pick(random)) * 0.5,
                2 => (pick(random) + pick(random) + pick(random)) / 3.0,
                _ => pick(random).lerp(pick(random), random.unit().abs()).lerp(pick(random), random.unit().abs()),
            }
        };
        match self {
            Self::Convex(hull) => {
                let on_rims =
                    hull.rims.iter().flat_map(|[c, u, v]| [*c + *u, *c - *v, *c + (*u + *v) * 0.5f64.sqrt(), *c]);
                let points: Vec<DVec3> = hull.points.iter().copied().chain(on_rims).collect();
                among(random, &points) + random.direction() * hull.radius
            }
            Self::Triangles(triangles) => {
                let triangle = triangles[random.below(triangles.len())];
                among(random, &triangle)
            }
            Self::Plane(point, _) => *point,
            Self::Torus { major, minor } => {
                let angle = random.unit() * 3.2;
                let out = DVec3::new(angle.cos(), 0.0, angle.sin());
                to_world.transform_point3(out * *major + random.direction() * *minor)
            }
        }
    }
}

struct Case<'a> {
    truth: &'a Truth,
    to_world: DAffine3,
    moving: Hull,
    start: DVec3,
    motion: DVec3,
}

/// Returns a description of a contact's fault. It is how far the obstacle is in front of the plane, how far the
/// volume is behind the plane, or how far the point is from either.
fn fault(case: &Case<'_>, hit: &SweepHit<u32>) -> Option<String> {
    let Case { truth, to_world, moving, start, motion } = case;
    let (n, p, t) = (hit.normal.as_dvec3(), hit.point_f64(), f64::from(hit.t));
    let at = DAffine3::from_translation(*start + *motion * t);
    let volume = moving.map(&at);
    let scale = start.length() + motion.length();
    // The normal and t are rounded to f32, each by half an ulp.
    let late = motion.length() * f64::from(hit.t.next_up() - hit.t);
    let size = volume.size(p);
    let own = if moving.rims.is_empty() { 0.0 } else { 1e-5 };
    let slack = 2e-7 * size + late + 1e-11 * scale + truth_error(truth) + own;
    let behind = n.dot(p) + volume.reach(-n);
    if behind > slack {
        return Some(format!("the volume is {behind:e} behind the plane, above {slack:e}"));
    }
    if (n.length() - 1.0).abs() > 1e-6 {
        return Some("the normal is not of unit length".into());
    }
    let directions: Vec<DVec3> = directions(moving);
    let off = volume.beyond(p, &directions);
    if off > slack {
        return Some(format!("the point is {off:e} off the volume, above {slack:e}"));
    }
    let thing = match truth {
        Truth::Convex(hull) => hull.clone(),
        Truth::Triangles(triangles) => Hull::of(triangles[hit.triangle.unwrap() as usize]),
        Truth::Plane(point, up) => {
            let (off, along) = ((p - *point).dot(*up).abs(), n.dot(*up).abs());
            let is_right = off <= slack && (along - 1.0).abs() < 1e-6;
            return (!is_right).then(|| format!("the plane is {off:e} off, the normal {along}"));
        }
        Truth::Torus { major, minor } => {
            let local = to_world.inverse().transform_point3(p);
            let out = DVec3::new(local.x, 0.0, local.z).normalize() * *major;
            let off = ((local - out).length() - minor).abs() * to_world.matrix3.x_axis.length();
            let along = (to_world.matrix3 * (local - out)).normalize().dot(n);
            let is_right = off <= slack && along > 1.0 - 1e-4;
            return (!is_right).then(|| format!("the ring is {off:e} off, the normal {along}"));
        }
    };
    let size = thing.size(p);
    let slack = 2e-7 * size + 1e-11 * (scale + size) + truth_error(truth) + own;
    let before = thing.reach(n) - n.dot(p);
    if before.abs() > slack {
        return Some(format!("the thing is {before:e} before the plane, above {slack:e}"));
    }
    let off = thing.beyond(p, &self::directions(&thing));
    (off > slack).then(|| format!("the point is {off:e} off the thing, above {slack:e}"))
}

/// Returns the error of distances to round things. The position of their points along the surface is known to the
/// square root of the distance error, and a torus is searched arc by arc.
fn truth_error(truth: &Truth) -> f64 {
    match truth {
        Truth::Torus { .. } => 1e-4,
        Truth::Convex(hull) if hull.radius > 0.0 || !hull.rims.is_empty() => 1e-5,
        _ => 0.0,
    }
}

/// Returns directions that bound a hull tightly. They are the cross products of pairs of its edges, and the
/// directions of its corners.
fn directions(hull: &Hull) -> Vec<DVec3> {
    let mut found = vec![DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE.normalize()];
    let points = &hull.points;
    for (i, a) in points.iter().enumerate() {
        for b in &points[i + 1..] {
            found.extend((*b - *a).try_normalize());
            for c in points.iter().take(4) {
                found.extend((*b - *a).cross(*c - *a).try_normalize());
            }
        }
    }
    let opposite: Vec<DVec3> = found.iter().map(|n| -*n).collect();
    found.extend(opposite);
    found
}

/// Chooses the start, the length and the target of a motion.
fn case<'a>(random: &mut Random, truth: &'a Truth, to_world: DAffine3, moving: Hull) -> Case<'a> {
    let target = truth.aim(random, &to_world);
    let length = [1.0, 1.0, 1.0, 10.0, 100.0, 1e4][random.below(6)];
    let motion = if random.below(3) == 0 { random.direction() } else { simple_vector(random) } * length;
    // The support point of the volume is at one of these places, often at several.
    let towards = if random.below(2) == 0 { -motion } else { simple_vector(random) };
    let on_rims = moving.rims.iter().flat_map(|[c, u, v]| [*c + *u, *c - *u, *c + *v, *c - *v, *c]);
    let own = moving.points.iter().copied().chain(on_rims);
    let own = own.min_by(|a, b| a.dot(towards).total_cmp(&b.dot(towards))).unwrap();
    let t = [0.5, 0.25, 0.75, 0.3][random.below(4)];
    let start = target - own - motion * t;
    Case { truth, to_world, moving, start, motion }
}

/// The end of a segment reaches the rim of a disc at t = 0.5, almost along the plane between the segment and the disc.
/// From then on, the end is above the disc.
#[test]
fn what_only_brushes_is_met_where_it_is_near() {
    let half = DVec3::new(1.0, 0.15, 0.5);
    let turn = DQuat::from_xyzw(0.2633808014284276, 0.08779360047614256, -0.2633808014284276, 0.9238795325112867);
    let start = DVec3::new(-4998.937523522478, -1249.4015050858286, -2500.6880252177543);
    let (motion, to_world) = (DVec3::new(10000.0, 2500.0, 5000.0), DAffine3::from_translation(DVec3::X * 2.0));
    let rim = [DVec3::ZERO, DVec3::X * 0.5, DVec3::Z * 0.5];
    let truth = Truth::Convex(Hull { rims: vec![rim], ..Hull::of([]) }.map(&to_world));
    let moving = Hull::of([half, -half]).map(&DAffine3::from_quat(turn));
    let mut scene = Scene::new();
    scene.insert(0u32, Disc::new(Vec3::ZERO, Vec3::Y, 0.5), to_world).unwrap();
    let segment = Capsule::between(half.as_vec3(), -half.as_vec3(), 0.0);
    let hit = scene.sweep(segment, (start, turn), motion).unwrap();
    assert_eq!(fault(&Case { truth: &truth, to_world, moving, start, motion }, &hit), None);
    let way = motion.length() * (hit.t_f64() - 0.5).abs();
    assert!(way < 1e-6, "{way}");
}

#[test]
fn the_plane_across_a_normal_is_between_the_two() {
    let seed = seed();
    println!("seed {seed}");
    let each = count().div_ceil(VOLUMES.len() * THINGS.len());
    let mut table: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let mut first = Vec::new();
    for (number, &what) in (0..).zip(&THINGS) {
        let mut random = Random(seed + number);
        let per_thing = 8;
        for _ in 0..each.div_ceil(per_thing) {
            let (geometry, to_world, truth) = thing(&mut random, what);
            let mut scene = Scene::new();
            scene.insert(0u32, geometry, to_world).unwrap();
            for kind in VOLUMES {
                let entry = table.entry((what, kind)).or_default();
                for _ in 0..per_thing {
                    let (volume, turn, moving) = volume(&mut random, kind);
                    let case = case(&mut random, &truth, to_world, moving);
                    let hit = scene.sweep(&volume, (case.start, turn), case.motion);
                    let Some(hit) = hit.filter(|hit| hit.start != SweepStart::Penetrating) else { continue };
                    entry.0 += 1;
                    if let Some(fault) = fault(&case, &hit) {
                        entry.1 += 1;
                        if entry.1 == 1 {
                            let Case { start, motion, .. } = case;
                            first.push(format!("{kind} at {what}: {fault}: {hit:?}, {turn:?} from {start:?} by {motion:?}, {to_world:?}"));
                        }
                    }
                }
            }
        }
    }
    for ((what, kind), (contacts, faults)) in &table {
        if *faults > 0 {
            println!("{kind} at {what}: {faults} of {contacts}");
        }
    }
    let contacts: usize = table.values().map(|(contacts, _)| contacts).sum();
    println!("{contacts} contacts");
    assert!(first.is_empty(), "{}", first.join("\n"));
    assert!(contacts * 3 > count(), "{contacts} contacts show little");
}
