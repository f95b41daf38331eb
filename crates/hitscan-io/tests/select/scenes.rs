//! The scenes: real models and a generated one.

use crate::common;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Compound, Geometry, HeightField, Mesh, Scene};
use hitscan_io::{EntityId, Model};
use hitscan_random::Random;

/// A scene, and the world's triangles of each entity in the order of insertion.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) scene: Scene<EntityId>,
    pub(crate) entities: Vec<Triangles>,
}

/// The triangles of an entity by part, number, vertices and corners in the world.
pub(crate) struct Triangles {
    pub(crate) id: EntityId,
    pub(crate) of_parts: Vec<(u32, u32, [u32; 3], [DVec3; 3])>,
}

impl Subject {
    fn new(name: &'static str, scene: Scene<EntityId>, order: impl IntoIterator<Item = EntityId>) -> Self {
        let triangles = |id: EntityId| {
            let entity = scene.get(&id)?;
            let mut of_parts = Vec::new();
            match entity.geometry() {
                Geometry::Compound(compound) => {
                    for (part, (geometry, inner)) in (0..).zip(compound.iter()) {
                        add(&geometry, entity.transform() * inner, part, &mut of_parts);
                    }
                }
                geometry => add(geometry, entity.transform(), 0, &mut of_parts),
            }
            Some(Triangles { id, of_parts })
        };
        let entities = order.into_iter().filter_map(triangles).collect();
        Self { name, scene, entities }
    }
}

fn add(geometry: &Geometry, to_world: DAffine3, part: u32, found: &mut Vec<(u32, u32, [u32; 3], [DVec3; 3])>) {
    let mut push = |number: u32, vertices: [u32; 3], corners: [Vec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        if (b - a).cross(c - a) != DVec3::ZERO {
            found.push((part, number, vertices, [a, b, c].map(|corner| to_world.transform_point3(corner))));
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
        _ => {}
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

/// Returns a scene of instances under all kinds of transforms, compounds, a height field, and triangles without an area.
pub(crate) fn generated() -> Subject {
    let mut random = Random(7);
    let mut scene = Scene::new();
    let ball = lumpy_ball(12);
    let points: Vec<Vec3> = (0..90).map(|_| random.cube().as_vec3()).collect();
    let soup = Mesh::from_soup(&points).expect("finite");
    let heights: Vec<f32> = (0..15 * 20).map(|_| random.unit() as f32 * 0.4).collect();
    let field = HeightField::new(15, 20, [0.5, 0.4], &heights).expect("a grid");
    let field = field.with_holes([[2, 3], [7, 7], [7, 8]]).expect("cells");
    for id in 0..60 {
        let scale = DVec3::new(0.3 + random.fraction(), random.unit() * 1.5, 0.3 + random.fraction());
        let place = random.cube() * 12.0;
        let to_world = DAffine3::from_scale_rotation_translation(scale, random.rotation(), place);
        let inner = DAffine3::from_rotation_translation(DQuat::from_rotation_x(1.0), DVec3::Y * 2.0);
        let geometry: Geometry = match id % 5 {
            0 | 1 => (&ball).into(),
            2 => (&soup).into(),
            3 => (&field).into(),
            _ => {
                let parts: [(Geometry, _); 2] = [((&ball).into(), DVec3::ZERO.into()), ((&soup).into(), inner.into())];
                Compound::new(parts).expect("transforms").into()
            }
        };
        scene.insert(EntityId(id), geometry, to_world).expect("a transform");
    }
    Subject::new("generated", scene, (0..60).map(EntityId))
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
