//! Contact points at surfaces that are made of pieces, and at rings. Each is on its piece and on the volume, and the
//! first is as deep as the penetration. The penetration leads out of the piece.

use crate::common::{Random, grid_cube, icosphere};
use crate::touch::each;
use crate::touch::oracle::{Form, Kind, Placing, Subject, rotation_of, to_triangle};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::query::{ContactPoint, Penetration};
use hitscan::{
    Aabb, Capsule, Compound, Cone, ConvexHull, Cylinder, Geometry, HeightField, Mesh, OrientedBox, ProximityQueries,
    Scene, Sphere, Torus, Triangle, Volume,
};
use hitscan_random::effort::{seed, size};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Obstacle {
    Cube,
    FineCube,
    Ball,
    Field,
    /// Boxes with their tops and sides in one plane, as parts of one entity.
    Parts,
    /// The same boxes, as separate entities.
    Entities,
    Ring,
    StretchedRing,
}

const OBSTACLES: [Obstacle; 8] = [
    Obstacle::Cube,
    Obstacle::FineCube,
    Obstacle::Ball,
    Obstacle::Field,
    Obstacle::Parts,
    Obstacle::Entities,
    Obstacle::Ring,
    Obstacle::StretchedRing,
];

/// The pieces that the volume touches, in their own space.
enum Pieces {
    Mesh(Mesh),
    Field(HeightField),
    Boxes(Vec<Aabb>),
    /// A ring, and how its axes are stretched.
    Ring(Torus, DVec3),
}

fn eighth(random: &mut Random, reach: f64) -> DVec3 {
    (random.cube() * reach * 8.0).round() / 8.0
}

impl Pieces {
    fn random(random: &mut Random, obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Cube => Self::Mesh(grid_cube(1).mesh()),
            Obstacle::FineCube => Self::Mesh(grid_cube(3).mesh()),
            Obstacle::Ball => Self::Mesh(icosphere(2).mesh()),
            Obstacle::Field => {
                let is_flat = random.below(2) == 0;
                let heights: Vec<f32> =
                    (0..25).map(|_| if is_flat { 0.0 } else { random.below(3) as f32 * 0.25 }).collect();
                Self::Field(HeightField::new(5, 5, [0.5, 0.5], &heights).unwrap())
            }
            Obstacle::Parts | Obstacle::Entities => {
                let tile = |number: usize| {
                    let low = Vec3::new((number % 3) as f32 - 1.5, -0.5, (number / 3) as f32 - 1.5);
                    Aabb::new(low, low + Vec3::new(1.0, 0.5, 1.0))
                };
                Self::Boxes((0..9).map(tile).collect())
            }
            Obstacle::Ring | Obstacle::StretchedRing => {
                let major = 0.5 + 2.0 * random.fraction();
                let ring = Torus::new(major as f32, (major * random.fraction().max(0.05)) as f32);
                let is_stretched = obstacle == Obstacle::StretchedRing;
                let stretch = |random: &mut Random| if is_stretched { 0.5 + random.fraction() } else { 1.0 };
                Self::Ring(ring, DVec3::from_array([(); 3].map(|()| stretch(random))))
            }
        }
    }

    fn insert(&self, scene: &mut Scene<u32>, obstacle: Obstacle, to_world: DAffine3) {
        match self {
            Self::Mesh(mesh) => drop(scene.insert(0, mesh, to_world).unwrap()),
            Self::Field(field) => drop(scene.insert(0, field, to_world).unwrap()),
            Self::Ring(ring, stretch) => {
                drop(scene.insert(0, *ring, to_world * DAffine3::from_scale(*stretch)).unwrap());
            }
            Self::Boxes(boxes) if obstacle == Obstacle::Entities => {
                (0..).zip(boxes).for_each(|(id, of)| drop(scene.insert(id, *of, to_world).unwrap()));
            }
            Self::Boxes(boxes) => {
                let parts = boxes.iter().map(|of| (Geometry::from(*of), DVec3::ZERO.into()));
                scene.insert(0, Compound::new(parts).unwrap(), to_world).unwrap();
            }
        }
    }

    /// Returns the placement of the piece of an answer in the space of the obstacle.
    fn place(&self) -> DAffine3 {
        if let Self::Ring(_, stretch) = self { DAffine3::from_scale(*stretch) } else { DAffine3::IDENTITY }
    }

    /// Returns the piece of an answer alone, and a function for the distance of a place from its surface.
    fn piece(&self, (id, part, triangle): (u32, u32, Option<u32>)) -> (Geometry, Box<dyn Fn(DVec3) -> f64 + '_>) {
        let of_triangle = |corners: [Vec3; 3]| {
            let [a, b, c] = corners;
            let off = move |place: DVec3| to_triangle(place, corners.map(|corner| corner.as_dvec3()));
            (Triangle::new(a, b, c).into(), Box::new(off) as Box<dyn Fn(DVec3) -> f64>)
        };
        match self {
            Self::Mesh(mesh) => of_triangle(mesh.triangle(triangle.unwrap()).unwrap()),
            Self::Field(field) => of_triangle(field.triangle(triangle.unwrap()).unwrap()),
            Self::Ring(ring, DVec3::ONE) => {
                let [major, minor] = [ring.major, ring.minor].map(f64::from);
                let off = move |place: DVec3| ((place.x.hypot(place.z) - major).hypot(place.y) - minor).abs();
                ((*ring).into(), Box::new(off))
            }
            Self::Ring(ring, _) => {
                let mut alone = Scene::new();
                alone.insert(0, *ring, self.place()).unwrap();
                ((*ring).into(), Box::new(move |place: DVec3| alone.closest_point(place).unwrap().distance_f64()))
            }
            Self::Boxes(boxes) => {
                let of = boxes[(id + part) as usize];
                let (low, high) = (of.min.as_dvec3(), of.max.as_dvec3());
                let off = move |place: DVec3| {
                    let over = (low - place).max(place - high);
                    let (inside, outside) = (over.max_element(), over.max(DVec3::ZERO).length());
                    if inside <= 0.0 { -inside } else { outside }
                };
                (of.into(), Box::new(off))
            }
        }
    }
}

/// Returns a volume whose coordinates are multiples of an eighth. So it touches along edges and at corners.
fn on_grid(random: &mut Random, kind: Kind) -> Subject {
    let mut place = || eighth(random, 1.0);
    let (a, b, c) = (place(), place(), place());
    let radius = (1 + random.below(4)) as f64 / 8.0;
    let (form, geometry, volume) = match kind {
        Kind::Sphere => {
            let it = Sphere::at(a.as_vec3(), radius as f32);
            (Form::Sphere(a, radius), Geometry::from(it), it.into())
        }
        Kind::Capsule => {
            let it = Capsule::between(a.as_vec3(), b.as_vec3(), radius as f32);
            (Form::Capsule([a, b], radius), it.into(), it.into())
        }
        Kind::Cylinder => {
            let it = Cylinder::between(a.as_vec3(), b.as_vec3(), radius as f32);
            (Form::Cylinder([a, b], radius), it.into(), it.into())
        }
        Kind::Cone => {
            let it = Cone::between(a.as_vec3(), b.as_vec3(), radius as f32);
            (Form::Cone([a, b], radius), it.into(), it.into())
        }
        Kind::OrientedBox => {
            let half = c.abs() * 0.5 + DVec3::splat(0.125);
            let it = OrientedBox::from_rotation(a.as_vec3(), half.as_vec3(), hitscan::glam::Quat::IDENTITY).unwrap();
            (Form::Box(a, [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z]), it.into(), it.into())
        }
        _ => {
            let half = c.abs() * 0.5 + DVec3::splat(0.125);
            let it = Aabb::new((a - half).as_vec3(), (a + half).as_vec3());
            let form = Form::Box(a, [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z]);
            let hull = || ConvexHull::new(&it.corners()).unwrap();
            if kind == Kind::Hull { (form, hull().into(), hull().into()) } else { (form, it.into(), it.into()) }
        }
    };
    Subject::placed(form, geometry, Some(volume), DAffine3::IDENTITY)
}

/// A placed obstacle and a volume.
struct Case {
    obstacle: Obstacle,
    pieces: Pieces,
    to_world: DAffine3,
    /// The volume in the space of the obstacle, and the margin around it.
    volume: Subject,
    margin: f32,
    all: Vec<Penetration<u32>>,
    contacts: Vec<ContactPoint<u32>>,
}

impl Case {
    fn random(random: &mut Random, obstacle: Obstacle, kind: Kind) -> Self {
        let pieces = Pieces::random(random, obstacle);
        let is_on_grid = random.below(2) == 0;
        let mut volume =
            if is_on_grid { on_grid(random, kind) } else { Subject::random(random, kind, Placing::Turned) };
        let is_ring = matches!(obstacle, Obstacle::Ring | Obstacle::StretchedRing);
        let reach = if is_ring { 1.0 } else { 1.5 };
        let place = if is_on_grid { eighth(random, reach) } else { random.cube() * reach };
        let center = if obstacle == Obstacle::Field { DVec3::new(1.0, 0.0, 1.0) } else { DVec3::ZERO };
        let middle = if is_on_grid { DVec3::ZERO } else { volume.middle() };
        volume.moved(center + place - middle);
        let to_world = match random.below(3) {
            0 => DAffine3::from_rotation_translation(random.rotation(), random.cube() * 10.0),
            _ => DAffine3::IDENTITY,
        };
        let margin = random.pick(&[0.0, 0.0, 0.125, 0.5]);
        Self { obstacle, pieces, to_world, volume, margin, all: Vec::new(), contacts: Vec::new() }
    }

    fn volume(&self) -> Volume {
        let volume = self.volume.volume.clone().unwrap();
        if self.margin > 0.0 { volume.with_margin(self.margin) } else { volume }
    }

    fn pose(&self) -> (DVec3, DQuat) {
        let to_world = self.to_world * self.volume.to_world;
        (to_world.translation, rotation_of(&to_world))
    }

    fn ask(&mut self) {
        let (mut scene, pose) = (Scene::new(), self.pose());
        self.pieces.insert(&mut scene, self.obstacle, self.to_world);
        let volume = self.volume();
        scene.penetration_all(&volume, pose, &mut self.all);
        scene.contact_points(&volume, pose, &mut self.contacts);
    }

    /// Returns the fault of the answers, if there is one.
    fn fault(&self) -> Option<String> {
        let size = self.volume.size + 4.0 + self.to_world.translation.length();
        let slack = size
            * match self.obstacle {
                Obstacle::Ring => 4e-6,
                // Another arc of a stretched ring may be nearer by 1.2e-3 of its longest radius.
                Obstacle::StretchedRing => 1e-3,
                _ if self.volume.is_flat_sided() => 2e-9,
                _ => 2e-5,
            };
        let mut contacts = self.contacts.as_slice();
        for (number, way) in self.all.iter().enumerate() {
            let place = (way.id, way.part, way.triangle);
            let points = contacts.iter().take_while(|of| (of.id, of.part, of.triangle) == place).count();
            let (own, rest) = contacts.split_at(points);
            contacts = rest;
            let Some(first) = own.first() else { return Some(format!("no points of {way:?}")) };
            if (first.depth, first.normal) != (way.depth, way.normal) {
                return Some(format!("{first:?} is not the deepest of {way:?}"));
            }
            let (piece, off) = self.pieces.piece(place);
            let to_local = self.to_world.inverse();
            for of in own {
                let [p, q] = of.points_f64().map(|place| to_local.transform_point3(place));
                let beside = [off(p), (self.volume.signed(q) - f64::from(self.margin)).abs()];
                if !(beside[0] <= slack && beside[1] <= slack) || of.depth > first.depth {
                    return Some(format!("{beside:?} off: {of:?} of {way:?}"));
                }
            }
            // Only the first three and the last three penetrations are tested further. The last penetrations are the
            // shallowest, and most likely to be hidden by others.
            if number > 2 && number + 3 < self.all.len() {
                continue;
            }
            let (position, turn) = self.pose();
            let mut alone = Scene::new();
            alone.insert(0, piece, self.to_world * self.pieces.place()).unwrap();
            let left = alone.penetration(self.volume(), (position + way.separation(), turn));
            let left = left.map_or(0.0, |left| f64::from(left.depth));
            if left > 2.0 * slack {
                return Some(format!("{left:e} is left of {way:?}"));
            }
        }
        (!contacts.is_empty()).then(|| format!("points of no penetration: {contacts:?}"))
    }
}

/// The numbers of cases of each pair. A long run has more than a million points.
const CASES: [usize; 3] = [30, 80, 2_100];

#[test]
fn contact_points_at_pieces_are_on_both() {
    let pairs: Vec<_> = OBSTACLES.into_iter().flat_map(|of| Kind::VOLUMES.map(|kind| (of, kind))).collect();
    let [quick, full, long] = CASES;
    let (first, cases) = (seed(1900), size(quick, full, long));
    each("contact points at pieces", &pairs, |&(obstacle, kind)| {
        let mut random = Random(first + 100 * obstacle as u64 + kind as u64);
        let (mut met, mut points, mut faults, mut worst) = (0, 0, 0, None);
        for number in 0..cases {
            let start = random.0;
            let mut case = Case::random(&mut random, obstacle, kind);
            case.ask();
            met += usize::from(!case.all.is_empty());
            points += case.contacts.len();
            if let Some(fault) = case.fault() {
                faults += 1;
                worst.get_or_insert_with(|| {
                    let (volume, pose) = (case.volume(), case.pose());
                    format!("{number}, seed {start:#x}: {fault}: {volume:?} at {pose:?}, {}", case.to_world)
                });
            }
        }
        println!("{kind:?} at {obstacle:?}: {points} points of {met}, {faults} faults {}", worst.unwrap_or_default());
        assert!(met * 10 > cases, "{obstacle:?} {kind:?}: {met}");
        assert!(faults == 0, "{obstacle:?} {kind:?}: {faults} of {met}");
    });
}

fn points_of(geometry: impl Into<Geometry>, volume: impl Into<Volume>, at: DVec3) -> Vec<ContactPoint<u32>> {
    let (mut scene, mut contacts) = (Scene::new(), Vec::new());
    scene.insert(0, geometry, DVec3::ZERO).unwrap();
    scene.contact_points(volume, at, &mut contacts);
    contacts
}

#[test]
fn of_a_capsule_through_an_edge_of_a_cube_are_on_the_cube() {
    let capsule = Capsule::between([-0.875, -0.375, 0.5], [0.875, 0.375, -0.5], 0.25);
    let found = points_of(grid_cube(1).mesh(), capsule, DVec3::new(1.25, -0.875, -1.125));
    assert!(!found.is_empty());
    for of in &found {
        assert!((of.points_f64()[0].abs().max_element() - 1.0).abs() < 1e-9, "{of:?}");
    }
}

#[test]
fn of_a_slab_in_a_thick_ring_are_on_both() {
    let center = DVec3::new(-0.1769766267442522, 1.0353831898026424, 0.2670770436986284);
    let low = Vec3::new(-1.575_155_9, 0.738_883_8, -0.534_042_36);
    let high = Vec3::new(-1.012_638_8, 0.822_930_6, 0.543_641_03);
    let (major, minor) = (2.707_975_1, 1.998_570_1);
    let found = points_of(Torus::new(major, minor), Aabb::new(low, high), -center);
    assert!(!found.is_empty());
    for of in &found {
        let [p, q] = of.points_f64();
        let off = (p.x.hypot(p.z) - f64::from(major)).hypot(p.y) - f64::from(minor);
        assert!(off.abs() < 2e-5, "{off:e}: {of:?}");
        let outside = (low.as_dvec3() - center - q).max(q + center - high.as_dvec3()).max_element();
        assert!(outside.abs() < 2e-5, "{outside:e}: {of:?}");
    }
}

/// Both triangles of the floor report the volume, each with the depth at its own contact points. The largest of these
/// depths is the depth in the whole floor.
#[test]
fn of_a_tilted_box_on_a_floor_are_deepest_where_its_corner_is() {
    let corners = [[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]];
    let floor = Mesh::from_soup(&[0, 1, 2, 0, 2, 3].map(|at: usize| corners[at])).unwrap();
    let chest = ConvexHull::new(&[[-1.0f32, 0.0, -0.5], [1.0, 0.5, -0.5], [-1.0, 0.0, 0.5], [0.0, 2.0, 0.0]]).unwrap();
    let found = points_of(floor, chest, DVec3::new(0.0, -0.25, 0.0));
    assert!(
        found.iter().any(|of| of.triangle == Some(0)) && found.iter().any(|of| of.triangle == Some(1)),
        "{found:?}"
    );
    assert!(found.iter().all(|of| of.normal == Vec3::Y && of.point.y.abs() < 1e-6), "{found:?}");
    assert_eq!(found[0].depth, 0.25);
}
