//! Closed rooms, each around the box from `-half` to `half` in its own space.

use crate::common::{Random, grid_cube};
use hitscan::glam::{DAffine3, DVec3, Quat, Vec3};
use hitscan::{Aabb, Compound, ConvexHull, Geometry, HeightField, Hit, Mesh, OrientedBox, Plane, Quad, Ray, Scene};

/// The kinds of walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walls {
    /// One mesh of a grid of triangles.
    OneMesh,
    /// The inside of one box.
    OneBox,
    /// The inside of one oriented box.
    OneOrientedBox,
    /// The inside of one convex hull.
    OneHull,
    /// A mesh for each wall.
    Meshes,
    Quads,
    Planes,
    /// A solid box behind each wall.
    Boxes,
    /// A height field as the floor under walls that are one mesh, with one placement.
    Field,
    /// The same field and walls, with different placements, so that a ray is rounded when it is transformed to each
    /// space.
    PlacedField,
}

pub(crate) const ALL: [Walls; 10] = [
    Walls::OneMesh,
    Walls::OneBox,
    Walls::OneOrientedBox,
    Walls::OneHull,
    Walls::Meshes,
    Walls::Quads,
    Walls::Planes,
    Walls::Boxes,
    Walls::Field,
    Walls::PlacedField,
];

impl Walls {
    /// Returns whether all walls are one entity, so that there is no rounding between them.
    pub(crate) fn is_one(self) -> bool {
        matches!(self, Self::OneMesh | Self::OneBox | Self::OneOrientedBox | Self::OneHull)
    }
}

/// The placement of the room in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A placement that rounds nothing.
    Whole,
    Moved,
    Turned,
    /// A rotated, stretched and mirrored placement.
    Stretched,
}

pub(crate) const PLACES: [Place; 4] = [Place::Whole, Place::Moved, Place::Turned, Place::Stretched];

pub(crate) struct Room {
    pub(crate) scene: Scene<u32>,
    pub(crate) half: DVec3,
    pub(crate) to_world: DAffine3,
}

impl Room {
    pub(crate) fn new(walls: Walls, place: Place, random: &mut Random) -> Self {
        let half = match place {
            Place::Whole => Vec3::new(1.0 + random.below(4) as f32, 1.0 + random.below(4) as f32, 2.0),
            _ => (DVec3::splat(2.0) + random.cube()).as_vec3(),
        };
        let to_world = placement(place, random);
        let mut scene = Scene::new();
        for (id, wall) in (0..).zip(geometries(walls, half)) {
            scene.insert(id, wall, to_world).expect("a wall");
        }
        Self { scene, half: half.as_dvec3(), to_world }
    }

    /// Returns how far a world point is outside of the room, in the room's own space.
    pub(crate) fn outside(&self, point: DVec3) -> f64 {
        (self.to_world.inverse().transform_point3(point).abs() - self.half).max_element()
    }

    /// Returns the gap between the two walls that a ray without a hit should have hit. It is their distance
    /// along the ray, relative to the size of the numbers.
    pub(crate) fn gap(&self, ray: &Ray, last: Option<&Hit<u32>>) -> f64 {
        let to_room = self.to_world.inverse();
        let origin = to_room.transform_point3(last.map_or(ray.origin.as_dvec3(), Hit::point_f64));
        let direction = to_room.transform_vector3(ray.direction.as_dvec3());
        let t = |axis: usize| (self.half[axis] * direction[axis].signum() - origin[axis]) / direction[axis];
        // A ray through an edge hits two walls at once.
        let mut ways = [0, 1, 2].map(t);
        ways.sort_by(f64::total_cmp);
        let size = (origin.abs() + self.half).max_element() + self.to_world.translation.abs().max_element();
        (ways[1] - ways[0]) * direction.length() / size
    }
}

fn placement(place: Place, random: &mut Random) -> DAffine3 {
    let turn = random.rotation();
    match place {
        Place::Whole => DAffine3::from_translation(DVec3::new(3.0, -20.0, 7.0) * random.below(2) as f64),
        Place::Moved => DAffine3::from_translation(random.cube() * 1e3),
        Place::Turned => DAffine3::from_rotation_translation(turn, random.cube() * 100.0),
        Place::Stretched => {
            let scale = DVec3::new(-1.0 - random.unit().abs(), 0.5, 1.0 + random.unit().abs());
            DAffine3::from_scale_rotation_translation(scale, turn, random.cube() * 30.0)
        }
    }
}

fn geometries(walls: Walls, half: Vec3) -> Vec<Geometry> {
    match walls {
        Walls::OneMesh => vec![grid_cube(3).map(|p| p * half).mesh().into()],
        Walls::OneBox => vec![Aabb::new(-half, half).into()],
        Walls::OneOrientedBox => {
            let quarter = Quat::from_xyzw(0.0, 0.0, 1.0, 1.0);
            let turned = OrientedBox::from_rotation(Vec3::ZERO, Vec3::new(half.y, half.x, half.z), quarter);
            vec![turned.expect("a box").into()]
        }
        Walls::OneHull => vec![ConvexHull::new(&corners(half)).expect("a hull").into()],
        Walls::Meshes => {
            sides(half).map(|[corner, u, v]| wall_mesh(&[corner, corner + u, corner + u + v, corner + v]).into()).into()
        }
        Walls::Quads => sides(half).map(|[corner, u, v]| Quad::new(corner, u, v).into()).into(),
        Walls::Planes => {
            sides(half).map(|[corner, u, v]| Plane::new(corner, u.cross(v)).expect("a plane").into()).into()
        }
        Walls::Boxes => boxes(half).into(),
        Walls::Field => field_room(half, half * Vec3::new(1.0, 0.0, 1.0)),
        Walls::PlacedField => field_room(half, Vec3::ZERO),
    }
}

/// Returns a room with a field, which begins at the origin of its space. The vertices of the walls are offset by
/// `walls` in their own space, and the placement undoes the offset.
fn field_room(half: Vec3, walls: Vec3) -> Vec<Geometry> {
    let field = HeightField::new(3, 3, [half.x, half.z], &[-half.y; 9]).expect("a field");
    let cube = grid_cube(2).map(|p| p * half);
    let is_floor = |t: &[u32; 3]| t.iter().all(|&corner| cube.positions[corner as usize].y == -half.y);
    let triangles: Vec<u32> = cube.triangles.iter().filter(|t| !is_floor(t)).flatten().copied().collect();
    let mesh = Mesh::new(&cube.map(|p| p + walls).positions, &triangles).expect("walls");
    let placed = |part: Geometry, at: Vec3| Compound::new([(part, at.into())]).expect("a part").into();
    vec![placed(field.into(), Vec3::new(-half.x, 0.0, -half.z)), placed(mesh.into(), -walls)]
}

fn corners(half: Vec3) -> [Vec3; 8] {
    let sign = |bit: usize| if bit == 1 { 1.0 } else { -1.0 };
    core::array::from_fn(|i| half * Vec3::new(sign(i & 1), sign(i >> 1 & 1), sign(i >> 2 & 1)))
}

/// Returns a corner and two edges of each wall. Three walls face into the room, and the other three face outwards.
fn sides(half: Vec3) -> [[Vec3; 3]; 6] {
    let (x, y, z) = (Vec3::X * half.x * 2.0, Vec3::Y * half.y * 2.0, Vec3::Z * half.z * 2.0);
    [[-half, x, y], [-half, y, z], [-half, z, x], [half, -x, -y], [half, -y, -z], [half, -z, -x]]
}

fn wall_mesh(corners: &[Vec3; 4]) -> Mesh {
    Mesh::new(corners, &[0, 1, 2, 0, 2, 3]).expect("a wall")
}

/// Returns boxes that overlap at the edges of the room.
fn boxes(half: Vec3) -> [Geometry; 6] {
    let outer = half + Vec3::ONE;
    core::array::from_fn(|side| {
        let (mut min, mut max) = (-outer, outer);
        let axis = side / 2;
        if side % 2 == 0 {
            max[axis] = -half[axis]
        } else {
            min[axis] = half[axis]
        }
        Aabb::new(min, max).into()
    })
}
