//! Rays that are likely to reveal errors.

use crate::content::{Content, Form, Placed, World};
use crate::random::RandomTransform;
use hitscan::Ray;
use hitscan::glam::{DAffine3, DVec3};
use hitscan_random::{Random, mixed};

/// Generates the rays for one content.
#[derive(Clone, Debug)]
pub struct Aim<'a> {
    content: &'a Content,
    seed: u64,
    middle: DVec3,
    size: f64,
}

impl<'a> Aim<'a> {
    /// Makes a generator for a content that has at least one triangle or shape.
    pub fn new(content: &'a Content, seed: u64) -> Self {
        let (low, high) = bounds(content);
        Self { content, seed, middle: (low + high) / 2.0, size: (high - low).max_element() }
    }

    /// Returns the ray with this index. It depends only on the content, the seed and the index.
    ///
    /// Most rays are aimed at vertices, edges and interiors of triangles. They start near, far away or on surfaces, and
    /// run along axes or in planes. Their directions have any length, and their ranges may end at the hit. One ray in
    /// 64 is invalid.
    pub fn ray(&self, index: u64) -> Ray {
        let random = &mut Random(mixed(self.seed) ^ mixed(!index));
        let corners = self.triangle(random);
        let aim = self.target(corners, random);
        let origin = self.start(corners, aim, random).as_vec3();
        let way = aim - origin.as_dvec3();
        let length = match random.below(4) {
            0 => 1.0,
            1 => way.length(),
            2 => random.power(100),
            _ => 1.0 / way.length(),
        };
        let ray = Ray::with_direction(origin, (way.normalize_or_zero() * length).as_vec3());
        let t = (way.length() / length) as f32;
        let ray = match random.below(8) {
            0 => ray.with_range(t * 0.5, t),
            1 => ray.with_range(t, f32::MAX),
            2 => ray.with_range(-t, t),
            3 => ray.with_range(f32::NEG_INFINITY, 0.0),
            4 => ray.with_range(0.0, t),
            _ => ray,
        };
        if random.below(64) == 0 { spoilt(ray, random) } else { ray }
    }

    fn target(&self, [a, b, c]: [DVec3; 3], random: &mut Random) -> DVec3 {
        match random.below(8) {
            0 => a,
            1 => (a + b) / 2.0,
            2 => a + (c - a) * random.fraction(),
            3 => (a + b + c) / 3.0,
            4 => self.middle,
            5 => self.middle + random.cube() * self.size,
            _ => {
                let (u, v) = (random.fraction(), random.fraction());
                a + (b - a) * u + (c - a) * (v * (1.0 - u))
            }
        }
    }

    fn start(&self, corners: [DVec3; 3], aim: DVec3, random: &mut Random) -> DVec3 {
        match random.below(8) {
            0 => self.middle,
            1 => random.pick(&corners),
            2 => aim + random.direction() * self.size * 1e7,
            3 => aim + random.direction() * self.size * 1e-4,
            4 => aim + random.pick(&DVec3::AXES) * self.size * random.pick(&[-2.0, 2.0]),
            // The ray is in the plane of the triangle.
            5 => aim + (corners[1] - corners[0]) * 3.0,
            _ => self.middle + random.cube() * self.size * 2.0,
        }
    }

    /// Returns a triangle in the world. For a shape, the triangle is inside the shape or near it.
    fn triangle(&self, random: &mut Random) -> [DVec3; 3] {
        match self.content {
            Content::Mesh(surface) => surface.corners(random.below(surface.triangles.len())),
            Content::Scene(world) | Content::Course(world) => {
                let Placed { form, place } = random.pick(&world.entities);
                let corners = world.triangle(form, random);
                corners.map(|corner| place.transform_point3(corner))
            }
        }
    }
}

impl World {
    /// Returns a triangle of the form, in local space.
    fn triangle(&self, form: Form, random: &mut Random) -> [DVec3; 3] {
        match form {
            Form::Mesh(mesh) => {
                let surface = &self.meshes[mesh as usize];
                surface.corners(random.below(surface.triangles.len()))
            }
            Form::Field(field) => {
                let ground = &self.fields[field as usize];
                let [row, column] = [ground.rows, ground.columns].map(|count| random.below(count as usize - 1) as u32);
                let [a, b, c, d] = ground.cell(row, column);
                random.pick(&[[a, b, c], [a, c, d], [a, b, d], [d, b, c]])
            }
            // The triangle may cross the hull.
            Form::Hull(hull) => [(); 3].map(|()| random.pick(&self.hulls[hull as usize]).as_dvec3()),
            Form::Shape(_) => [random.cube(), random.cube(), random.cube()],
        }
    }

    /// Returns the corners of a box around everything.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let meshes: Vec<_> = self.meshes.iter().map(|mesh| mesh.bounds()).collect();
        let own = |form: Form| match form {
            Form::Mesh(mesh) => meshes[mesh as usize],
            Form::Field(field) => self.fields[field as usize].bounds(),
            Form::Hull(hull) => {
                let points = self.hulls[hull as usize].iter().map(|point| point.as_dvec3());
                points.map(|p| (p, p)).reduce(joined).unwrap_or_default()
            }
            Form::Shape(_) => (DVec3::NEG_ONE, DVec3::ONE),
        };
        let placed = |entity: &Placed| placed_bounds(own(entity.form), &entity.place);
        self.entities.iter().map(placed).reduce(joined).unwrap_or_default()
    }
}

/// Returns an invalid ray, or a ray with an extreme number.
fn spoilt(ray: Ray, random: &mut Random) -> Ray {
    let bad = random.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45, -0.0, 0.0]);
    let axis = random.below(3);
    let mut ray = ray;
    match random.below(4) {
        0 => ray.origin[axis] = bad,
        1 => ray.direction[axis] = bad,
        2 => ray.t_min = bad,
        _ => ray.t_max = bad,
    }
    ray
}

fn bounds(content: &Content) -> (DVec3, DVec3) {
    match content {
        Content::Mesh(surface) => surface.bounds(),
        Content::Scene(world) | Content::Course(world) => world.bounds(),
    }
}

fn joined(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> (DVec3, DVec3) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn placed_bounds((low, high): (DVec3, DVec3), place: &DAffine3) -> (DVec3, DVec3) {
    let corner = |i: usize| {
        let side = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        place.transform_point3(DVec3::new(side(0), side(1), side(2)))
    };
    (0..8).map(corner).map(|p| (p, p)).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |a, b| (a.0.min(b.0), a.1.max(b.1)))
}
