//! A scene, and its triangles one by one.

use crate::large_world::truth::Placed;
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Geometry, Mesh, Scene};
use hitscan_io::Model;
use std::sync::Arc;

pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) scene: Scene<u32>,
    pub(crate) placed: Vec<Placed>,
}

impl World {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), scene: Scene::new(), placed: Vec::new() }
    }

    /// Makes a world of all entities of a model, translated.
    pub(crate) fn of_model(file: &str, model: &Model, by: DVec3) -> Self {
        let mut world = Self::new(&format!("{file}, moved by {by}"));
        let moved = |transform: DAffine3| DAffine3 { translation: transform.translation + by, ..transform };
        let entities =
            (0..).zip(&model.entities).map(|(id, entity)| (id, entity.geometry.clone(), moved(entity.transform)));
        let entities: Vec<(u32, Geometry, DAffine3)> = entities.collect();
        for (id, geometry, transform) in &entities {
            match geometry {
                Geometry::Mesh(mesh) => world.placed.push(Placed::new(*id, 0, *transform, corners(mesh))),
                other => panic!("readers make meshes, not {other:?}"),
            }
        }
        world.scene.insert_all(entities).expect("a model's places are sound");
        world
    }

    pub(crate) fn insert(&mut self, mesh: &Mesh, corners: &Arc<[[DVec3; 3]]>, transform: DAffine3) {
        let id = self.placed.len() as u32;
        self.scene.insert(id, mesh, transform).expect("a sound place");
        self.placed.push(Placed::new(id, 0, transform, corners.clone()));
    }
}

pub(crate) fn corners(mesh: &Mesh) -> Arc<[[DVec3; 3]]> {
    (0..).map_while(|number| mesh.triangle(number)).map(|triangle| triangle.map(|p| p.as_dvec3())).collect()
}
