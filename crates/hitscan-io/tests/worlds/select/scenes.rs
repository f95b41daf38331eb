//! The scenes: real models and a generated one.

use crate::common;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{Compound, Geometry, HeightField, Mesh, Quality, Scene};
use hitscan_io::{EntityId, Model};
use hitscan_random::Random;

/// A scene, and the content of each entity in the order of insertion.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) scene: Scene<EntityId>,
    pub(crate) entities: Vec<Contents>,
}

/// The triangles, points and segments of an entity in the world.
pub(crate) struct Contents {
    pub(crate) id: EntityId,
    /// Triangles by part, number, vertices and corners.
    pub(crate) triangles: Vec<(u32, u32, [u32; 3], [DVec3; 3])>,
    /// The points of clouds and polylines, by part and number.
    pub(crate) points: Vec<(u32, u32, DVec3)>,
    /// Segments by part, numbers of the points, and ends.
    pub(crate) segments: Vec<(u32, [u32; 2], [DVec3; 2])>,
}

impl Contents {
    /// Iterates over all triangles, points and segments.
    pub(crate) fn simplices(&self) -> impl Iterator<Item = &[DVec3]> {
        let triangles = self.triangles.iter().map(|(.., corners)| &corners[..]);
        let points = self.points.iter().map(|(.., point)| core::slice::from_ref(point));
        triangles.chain(points).chain(self.segments.iter().map(|(.., ends)| &ends[..]))
    }
}

impl Subject {
    fn new(name: &'static str, scene: Scene<EntityId>, order: impl IntoIterator<Item = EntityId>) -> Self {
        let contents = |id: EntityId| {
            let entity = scene.get(&id)?;
            let mut contents = Contents { id, triangles: Vec::new(), points: Vec::new(), segments: Vec::new() };
            match entity.geometry() {
                Geometry::Compound(compound) => {
                    for (part, (geometry, inner)) in (0..).zip(compound.iter()) {
                        contents.add(&geometry, entity.transform() * inner, part);
                    }
                }
                geometry => contents.add(geometry, entity.transform(), 0),
            }
            Some(contents)
        };
        let entities = order.into_iter().filter_map(contents).collect();
        Self { name, scene, entities }
    }
}

impl Contents {
    fn add(&mut self, geometry: &Geometry, to_world: DAffine3, part: u32) {
        let placed = |local: Vec3| to_world.transform_point3(local.as_dvec3());
        let mut push = |number: u32, vertices: [u32; 3], corners: [Vec3; 3]| {
            let [a, b, c] = corners.map(|corner| corner.as_dvec3());
            if (b - a).cross(c - a) != DVec3::ZERO {
                self.triangles.push((part, number, vertices, corners.map(placed)));
            }
        };
        match geometry {
            Geometry::Mesh(mesh) => {
                for number in 0..mesh.triangle_count() as u32 {
                    let (corners, vertices) = (mesh.triangle(number).unwrap(), mesh.indices(number).unwrap());
                    push(number, vertices, corners);
                }
            }
            Geometry::HeightField(field) => {
                for number in 0..field.triangle_count() as u32 {
                    let Some(corners) = field.triangle(number) else { continue };
                    let [row, column] = field.cell_of(number).unwrap();
                    let around = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| [row + down, column + right]);
                    let vertex = |corner: Vec3| {
                        let is_it = |&[row, column]: &[usize; 2]| field.vertex(row, column) == Some(corner);
                        let [row, column] = around.into_iter().find(is_it).unwrap();
                        (row * field.columns() + column) as u32
                    };
                    push(number, corners.map(vertex), corners);
                }
            }
            Geometry::PointCloud(cloud) => {
                self.points.extend((0..).zip(cloud.positions()).map(|(number, &at)| (part, number, placed(at))));
            }
            Geometry::Polyline(line) => {
                let mut first = 0;
                for strip in line.strips() {
                    let places: Vec<DVec3> = strip.iter().map(|&at| placed(at)).collect();
                    self.points.extend((first..).zip(&places).map(|(number, &at)| (part, number, at)));
                    let ends = places.windows(2).map(|ends| [ends[0], ends[1]]);
                    self.segments.extend((first..).zip(ends).map(|(number, ends)| (part, [number, number + 1], ends)));
                    first += strip.len() as u32;
                }
            }
            _ => {}
        }
    }
}

/// Returns a real model, in the pose of its first animation if it has one; `None` without the folder of models.
pub(crate) fn model(name: &'static str, path: &str) -> Option<Subject> {
    let model = Model::load(common::models()?.join(path)).expect("it loads");
    let mut scene = model.scene().expect("a scene");
    if !model.animations.is_empty() {
        let mut pose = model.pose();
        pose.animate(0, 0.4).expect("an animation");
        pose.apply(&mut scene).expect("its own scene");
    }
    Some(Subject::new(name, scene, (0..model.entities.len() as u32).map(EntityId)))
}

/// The number of generated entities.
const COUNT: u32 = 80;

/// Returns a scene of instances under all kinds of transforms. It has compounds (some of many parts), a height field, a mesh whose large triangles are in
/// several leaves, triangles without an area, clouds and polylines.
pub(crate) fn generated() -> Subject {
    let mut random = Random(7);
    let mut scene = Scene::new();
    let ball = lumpy_ball(12);
    let points: Vec<Vec3> = (0..90).map(|_| random.cube().as_vec3()).collect();
    let soup = Mesh::from_soup(&points).expect("finite");
    let split = split(&points, &mut random);
    let heights: Vec<f32> = (0..15 * 20).map(|_| random.unit() as f32 * 0.4).collect();
    let field = HeightField::new(15, 20, [0.5, 0.4], &heights).expect("a grid");
    let field = field.with_holes([[2, 3], [7, 7], [7, 8]]).expect("cells");
    let mut places = |count: usize| (0..count).map(|_| random.cube().as_vec3() * 2.0).collect::<Vec<_>>();
    let cloud = PointCloud::new(&places(60)).expect("finite");
    let line = Polyline::from_strips([places(2), places(7), places(3)]).expect("finite");
    let empty = PointCloud::new::<Vec3>(&[]).expect("finite");
    for id in 0..COUNT {
        let scale = DVec3::new(0.3 + random.fraction(), random.unit() * 1.5, 0.3 + random.fraction());
        let place = random.cube() * 12.0;
        let to_world = DAffine3::from_scale_rotation_translation(scale, random.rotation(), place);
        let inner = |along: f64| DAffine3::from_rotation_translation(DQuat::from_rotation_x(1.0), DVec3::Y * along);
        let compound = |parts: Vec<Geometry>| {
            let placed = (0..).zip(parts).map(|(part, geometry)| (geometry, inner(0.3 * f64::from(part)).into()));
            Geometry::from(Compound::new(placed.collect::<Vec<_>>()).expect("transforms"))
        };
        let geometry: Geometry = match id % 8 {
            0 | 1 => (&ball).into(),
            2 => (&soup).into(),
            3 => (&field).into(),
            4 => (&split).into(),
            5 if id % 3 == 0 => (&cloud).into(),
            5 => (&line).into(),
            6 => compound(vec![(&ball).into(), (&soup).into(), (&line).into(), (&cloud).into(), (&empty).into()]),
            _ => {
                let many = [&soup, &split].map(Geometry::from);
                compound(many.into_iter().cycle().take(16).chain([(&line).into()]).collect())
            }
        };
        scene.insert(EntityId(id), geometry, to_world).expect("a transform");
    }
    Subject::new("generated", scene, (0..COUNT).map(EntityId))
}

/// A mesh of large triangles among small ones. The builder splits the large triangles.
fn split(large: &[Vec3], random: &mut Random) -> Mesh {
    let mut soup = large[..30].to_vec();
    for _ in 0..100 {
        let at = random.cube().as_vec3();
        soup.extend([at, at + Vec3::X * 0.01, at + Vec3::Y * 0.01]);
    }
    Mesh::from_soup(&soup).expect("finite").rebuilt(Quality::Best)
}

/// A ball with bumps, and a few triangles without an area.
fn lumpy_ball(rings: u32) -> Mesh {
    let mut positions = Vec::new();
    for ring in 0..=rings {
        for side in 0..=2 * rings {
            let (polar, around) = (
                f64::from(ring) / f64::from(rings) * std::f64::consts::PI,
                f64::from(side) / f64::from(rings) * std::f64::consts::PI,
            );
            let bump = 1.0 + 0.2 * (5.0 * polar).sin() * (4.0 * around).cos();
            let place = DVec3::new(polar.sin() * around.cos(), polar.cos(), polar.sin() * around.sin()) * bump;
            positions.push(place.as_vec3());
        }
    }
    let width = 2 * rings + 1;
    let mut indices = Vec::new();
    for ring in 0..rings {
        for side in 0..2 * rings {
            let at = ring * width + side;
            indices.extend([at, at + 1, at + width, at + 1, at + width + 1, at + width]);
        }
    }
    indices.extend([0, 0, 5, 3, 4, 4]);
    Mesh::new(&positions, &indices).expect("finite")
}
