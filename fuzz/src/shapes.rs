//! Geometries and placements of arbitrary numbers.

use crate::list::List;
use crate::numbers::{Number, Point, Vector, positions, vector};
use arbitrary::Arbitrary;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use hitscan::height_field::Diagonal;
use hitscan::mesh::{AlphaMask, CutOut, Wrap};
use hitscan::{
    Aabb, Capsule, Compound, Cone, ConvexHull, Cylinder, Disc, Geometry, HeightField, Mesh, OrientedBox, Plane, Quad,
    Ray, RoundedBox, Shape, Sphere, Torus, Transform, Triangle,
};

/// A shape or mesh.
#[derive(Debug, Arbitrary)]
pub enum Simple {
    /// A box given by two corners.
    Box(Vector, Vector),
    /// A capsule given by its ends and radius.
    Capsule(Vector, Vector, Number),
    /// A cone given by base, apex and radius.
    Cone(Vector, Vector, Number),
    /// A cylinder given by its ends and radius.
    Cylinder(Vector, Vector, Number),
    /// A disc given by center, normal and radius.
    Disc(Vector, Vector, Number),
    /// An oriented box given by two corners and its placement.
    OrientedBox(Vector, Vector, Place),
    /// A plane given by point and normal.
    Plane(Vector, Vector),
    /// A quad given by a corner and two edges.
    Quad(Vector, Vector, Vector),
    /// A rounded box given by two corners of its core and its margin.
    RoundedBox(Vector, Vector, Number),
    /// A sphere given by center and radius.
    Sphere(Vector, Number),
    /// A torus given by its radii.
    Torus(Number, Number),
    /// A triangle given by its corners.
    Triangle(Vector, Vector, Vector),
    /// A mesh with a triangle for every three points.
    Soup(List<Point, 15>),
    /// A grid of heights.
    Field(Ground),
    /// The convex hull of points.
    Hull(List<Point, 15>),
    /// A mesh with a triangle for every three points, and a cut-out.
    Fence(List<Point, 15>, Cloth),
}

/// A height field in which a few heights are repeated.
#[derive(Debug, Arbitrary)]
pub struct Ground {
    rows: u8,
    columns: u8,
    cell: [Number; 2],
    diagonal: Cut,
    heights: List<Number, 24>,
    holes: List<[u8; 2], 3>,
}

#[derive(Clone, Copy, Debug, Arbitrary)]
enum Cut {
    Falling,
    Rising,
}

impl Ground {
    fn get(&self) -> Option<HeightField> {
        let [rows, columns] = [self.rows, self.columns].map(|count| 2 + usize::from(count % 4));
        let height = |number: usize| self.heights.get(number % self.heights.len().max(1)).map_or(0.0, |y| y.get());
        let heights: Vec<f32> = (0..rows * columns).map(height).collect();
        let field = HeightField::new(rows, columns, self.cell.map(Number::get), &heights).ok()?;
        let hole = |&[row, column]: &[u8; 2]| [usize::from(row) % (rows - 1), usize::from(column) % (columns - 1)];
        let field = field.with_holes(self.holes.iter().map(hole)).expect("these cells are there");
        Some(match self.diagonal {
            Cut::Falling => field.with_diagonal(Diagonal::Falling),
            Cut::Rising => field.with_diagonal(Diagonal::Rising),
        })
    }
}

/// A cut-out in which a few texels and texture coordinates are repeated.
#[derive(Debug, Arbitrary)]
pub struct Cloth {
    width: u8,
    texels: List<u8, 8>,
    wraps: [Beyond; 2],
    texcoords: List<[Number; 2], 8>,
    cutoff: Number,
    factor: Number,
}

#[derive(Clone, Copy, Debug, Arbitrary)]
enum Beyond {
    Repeat,
    MirroredRepeat,
    ClampToEdge,
}

impl Beyond {
    fn get(self) -> Wrap {
        match self {
            Self::Repeat => Wrap::Repeat,
            Self::MirroredRepeat => Wrap::MirroredRepeat,
            Self::ClampToEdge => Wrap::ClampToEdge,
        }
    }
}

impl Cloth {
    fn hung_over(&self, mesh: Mesh) -> Option<Mesh> {
        let width = 1 + usize::from(self.width) % self.texels.len().max(1);
        let texels = &self.texels[..self.texels.len() / width * width];
        let mask = AlphaMask::new(width as u32, (texels.len() / width) as u32, texels).ok()?;
        let [across, down] = self.wraps.map(Beyond::get);
        let cut_out = CutOut::from(mask.wrap(across, down)).cutoff(self.cutoff.get()).factor(self.factor.get());
        let texcoord = |number: usize| {
            self.texcoords.get(number % self.texcoords.len().max(1)).map_or([0.0; 2], |uv| uv.map(Number::get))
        };
        let texcoords: Vec<[f32; 2]> = (0..mesh.positions().len()).map(texcoord).collect();
        mesh.with_texcoords(&texcoords).ok()?.with_cut_out(cut_out).ok()
    }
}

/// Returns the mesh of a soup.
fn soup(points: &List<Point, 15>) -> Option<Mesh> {
    Mesh::from_soup(&positions(&points[..points.len() / 3 * 3])).ok()
}

impl Simple {
    /// Returns the geometry; `None` if it is invalid, or is a shape that `validate` refuses.
    pub fn get(&self) -> Option<Geometry> {
        let shape: Shape = match self {
            Self::Box(min, max) => Aabb::new(vector(*min), vector(*max)).into(),
            Self::Capsule(a, b, radius) => Capsule::between(vector(*a), vector(*b), radius.get()).into(),
            Self::Cone(base, apex, radius) => Cone::between(vector(*base), vector(*apex), radius.get()).into(),
            Self::Cylinder(a, b, radius) => Cylinder::between(vector(*a), vector(*b), radius.get()).into(),
            Self::Disc(center, normal, radius) => Disc::new(vector(*center), vector(*normal), radius.get()).into(),
            Self::OrientedBox(min, max, place) => {
                OrientedBox::new(Aabb::new(vector(*min), vector(*max)), place.get()).ok()?.into()
            }
            Self::Plane(point, normal) => Plane::new(vector(*point), vector(*normal)).ok()?.into(),
            Self::Quad(corner, u, v) => Quad::new(vector(*corner), vector(*u), vector(*v)).into(),
            Self::RoundedBox(min, max, margin) => {
                RoundedBox::new(Aabb::new(vector(*min), vector(*max)), margin.get()).into()
            }
            Self::Sphere(center, radius) => Sphere::at(vector(*center), radius.get()).into(),
            Self::Torus(major, minor) => Torus::new(major.get(), minor.get()).into(),
            Self::Triangle(a, b, c) => Triangle::new(vector(*a), vector(*b), vector(*c)).into(),
            Self::Soup(points) => return soup(points).map(Into::into),
            Self::Field(ground) => return ground.get().map(Into::into),
            Self::Hull(points) => return ConvexHull::new(&positions(points)).ok().map(Into::into),
            Self::Fence(points, cloth) => return soup(points).and_then(|mesh| cloth.hung_over(mesh)).map(Into::into),
        };
        shape.validate().is_ok().then(|| shape.into())
    }
}

/// The form of an entity.
#[derive(Debug, Arbitrary)]
pub enum Form {
    /// A single part.
    Simple(Simple),
    /// Several parts, each with a placement.
    Compound(List<(Simple, Place), 3>),
}

impl Form {
    /// Returns the geometry; `None` if it is invalid.
    pub fn get(&self) -> Option<Geometry> {
        match self {
            Self::Simple(simple) => simple.get(),
            Self::Compound(parts) => {
                let part = |(simple, place): &(Simple, Place)| Some((simple.get()?, Transform::from(place.get())));
                Some(Compound::new(parts.iter().filter_map(part)).ok()?.into())
            }
        }
    }
}

/// An affine transform.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Place {
    /// The identity.
    Here,
    /// A translation.
    Moved(Vector),
    /// A scale and a translation.
    Scaled(Vector, Vector),
    /// A permutation of the axes with signs, and a translation.
    Turned {
        /// The index of one of the 48 symmetries.
        turn: u8,
        /// The translation.
        by: Vector,
    },
    /// A rotation by arbitrary angles, in 128ths of a half turn.
    Rotated {
        /// The angles.
        angles: [i8; 3],
        /// The translation.
        by: Vector,
    },
    /// An arbitrary matrix and translation.
    Any([Vector; 3], Vector),
}

impl Place {
    /// Returns the transform, which is not necessarily a valid placement.
    pub fn get(self) -> DAffine3 {
        let exact = |numbers: Vector| vector(numbers).as_dvec3();
        let (linear, by) = match self {
            Self::Here => (DMat3::IDENTITY, DVec3::ZERO),
            Self::Moved(by) => (DMat3::IDENTITY, exact(by)),
            Self::Scaled(scale, by) => (DMat3::from_diagonal(exact(scale)), exact(by)),
            Self::Turned { turn, by } => (turned(turn), exact(by)),
            Self::Rotated { angles, by } => {
                let [x, y, z] = angles.map(|angle| f64::from(angle) / 128.0 * std::f64::consts::PI);
                (DMat3::from_rotation_x(x) * DMat3::from_rotation_y(y) * DMat3::from_rotation_z(z), exact(by))
            }
            Self::Any([x, y, z], by) => (DMat3::from_cols(exact(x), exact(y), exact(z)), exact(by)),
        };
        DAffine3 { matrix3: linear, translation: by }
    }
}

/// Returns one of the 48 symmetries of the axes.
fn turned(turn: u8) -> DMat3 {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let order = ORDERS[usize::from(turn / 8 % 6)];
    let column = |axis: usize| if turn >> axis & 1 == 0 { DVec3::AXES[order[axis]] } else { -DVec3::AXES[order[axis]] };
    DMat3::from_cols(column(0), column(1), column(2))
}

/// Returns the t of the closest hit of a part, queried directly.
pub fn cast_t(geometry: &Geometry, ray: &Ray) -> Option<f32> {
    match geometry {
        Geometry::Mesh(mesh) => mesh.cast(ray).map(|hit| hit.t),
        Geometry::HeightField(field) => field.cast(ray).map(|hit| hit.t),
        Geometry::ConvexHull(hull) => hull.cast_t(ray),
        Geometry::Shape(shape) => shape.cast_t(ray),
        _ => panic!("{geometry:?} is no part that a target makes"),
    }
}

/// Returns the ray in the local space of a transform, if f32 can hold its numbers there exactly.
pub fn local_ray(ray: &Ray, to_world: &DAffine3) -> Option<Ray> {
    // An oriented box exposes the inverse that a scene computes.
    let unit = Aabb::new([0.0; 3], [1.0; 3]);
    let to_local = OrientedBox::new(unit, *to_world).ok()?.to_local();
    let rounded = |exact: DVec3| Some(exact.as_vec3()).filter(|vector| vector.as_dvec3() == exact);
    let origin = rounded(to_local.transform_point3(ray.origin.as_dvec3()))?;
    let direction = rounded(to_local.transform_vector3(ray.direction.as_dvec3()))?;
    Some(Ray { origin, direction, ..*ray })
}
