//! The data of a model that is not in its scene.

use super::numbers::Numbers;
use super::rig::StoredRig;
use crate::error::Warning;
use crate::material::{Alpha, Material, Paint, Primitive};
use crate::model::{Entity, EntityId, Model, NamedCamera};
use crate::texture::Detail;
use crate::texture::{self, Texture};
use hitscan::{Geometry, Scene};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The contents. All shared data is here once.
#[derive(Serialize, Deserialize)]
pub(super) struct Contents {
    detail: Detail,
    entities: Vec<StoredEntity>,
    primitives: Vec<Vec<Primitive>>,
    cameras: Vec<NamedCamera>,
    materials: Vec<StoredMaterial>,
    textures: Vec<texture::Stored>,
    rig: StoredRig,
    /// The warnings as text, because the items that they name are in the original file.
    warnings: Vec<String>,
}

/// An entity without its geometry and transform, which are in the scene.
#[derive(Serialize, Deserialize)]
struct StoredEntity {
    name: String,
    node: Option<u32>,
    primitives: u32,
}

#[derive(Serialize, Deserialize)]
struct StoredMaterial {
    name: Option<String>,
    base_color: [f32; 4],
    alpha: Alpha,
    texture: Option<u32>,
}

impl Contents {
    pub(super) fn of<'a>(model: &'a Model, detail: Detail, rig: StoredRig) -> Self {
        let (mut primitives, mut textures) = (Numbers::new(), Numbers::new());
        let entity = |entity: &'a Entity| {
            let Entity { name, node, primitives: runs, .. } = entity;
            StoredEntity { name: name.clone(), node: *node, primitives: primitives.of(runs) }
        };
        let entities = model.entities.iter().map(entity).collect();
        let materials = model
            .materials
            .iter()
            .map(|material| {
                let &Material { ref name, base_color, alpha, ref texture } = material;
                let texture = texture.as_ref().filter(|_| is_wanted(material, detail));
                let texture = texture.map(|texture| textures.of(texture));
                StoredMaterial { name: name.clone(), base_color, alpha, texture }
            })
            .collect();
        let stored = |primitive: &Primitive| {
            let material = primitive.material.and_then(|material| model.materials.get(material));
            let is_wanted = material.map_or(detail == Detail::Colors, |material| is_wanted(material, detail));
            let mut paint = if is_wanted { primitive.paint.clone() } else { Paint::default() };
            if detail == Detail::Hits {
                paint.colors.clear();
            }
            Primitive { paint, ..primitive.clone() }
        };
        Self {
            detail,
            entities,
            primitives: primitives.things.iter().map(|runs: &&[Primitive]| runs.iter().map(stored).collect()).collect(),
            cameras: model.cameras.clone(),
            materials,
            textures: textures.things.iter().map(|texture: &&Texture| texture::Stored::new(texture, detail)).collect(),
            rig,
            warnings: model.warnings.iter().map(ToString::to_string).collect(),
        }
    }

    pub(super) fn detail(&self) -> Detail {
        self.detail
    }

    pub(super) fn to_bytes(&self) -> postcard::Result<Vec<u8>> {
        postcard::to_allocvec(self)
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (contents, rest) = postcard::take_from_bytes(bytes).ok()?;
        rest.is_empty().then_some(contents)
    }

    /// Makes the model with the entities of a scene; or returns the fault.
    pub(super) fn model(self, scene: &Scene<EntityId>) -> Result<Model, &'static str> {
        let (rig, animations) = self.rig.rig(self.entities.len(), scene)?;
        if self.cameras.iter().any(|camera| camera.projection.fault().is_some() || !camera.transform.is_finite()) {
            return Err("it has a camera that cannot be looked through");
        }
        let textures: Option<Vec<Arc<Texture>>> =
            self.textures.into_iter().map(|texture| texture.texture().map(Arc::new)).collect();
        let textures = textures.ok_or("it has a texture that has not all of its texels")?;
        let material = |StoredMaterial { name, base_color, alpha, texture }| {
            let texture = match texture {
                Some(number) => Some(textures.get(number as usize).ok_or("a material's texture is not there")?.clone()),
                None => None,
            };
            Ok(Material { name, base_color, alpha, texture })
        };
        let materials: Vec<Material> = self.materials.into_iter().map(material).collect::<Result<_, &str>>()?;
        let primitives: Vec<Arc<[Primitive]>> = self.primitives.into_iter().map(Into::into).collect();
        let entity = |(id, StoredEntity { name, node, primitives: number })| {
            let placed = scene.get(&EntityId(id)).ok_or("an entity is not in its scene")?;
            let primitives = primitives.get(number as usize).ok_or("an entity's primitives are not there")?.clone();
            let geometry = placed.geometry().clone();
            if !are_sound(&primitives, &geometry, materials.len()) {
                return Err("an entity's primitives are not its own");
            }
            Ok(Entity { name, node, geometry, transform: placed.transform(), primitives })
        };
        let entities = (0..).zip(self.entities).map(entity).collect::<Result<_, &str>>()?;
        let warnings = self.warnings.into_iter().map(Warning::Baked).collect();
        Ok(Model {
            entities,
            cameras: self.cameras,
            materials,
            animations,
            warnings,
            rig: Arc::new(rig),
            ..Model::default()
        })
    }
}

/// Returns whether a texture, and its coordinates, are worth keeping.
fn is_wanted(material: &Material, detail: Detail) -> bool {
    detail == Detail::Colors || matches!(material.alpha, Alpha::Mask { .. })
}

/// Returns whether the runs of triangles are in order and do not overlap, and whether their parts and materials exist.
fn are_sound(primitives: &[Primitive], geometry: &Geometry, materials: usize) -> bool {
    let end = |primitive: &Primitive| primitive.first_triangle.checked_add(primitive.triangles);
    let parts = match geometry {
        // A pose may give this entity, which cannot be hit now, any number of parts.
        Geometry::Compound(compound) if compound.is_empty() => usize::MAX,
        Geometry::Compound(compound) => compound.len(),
        _ => 1,
    };
    let follows = |a: &Primitive, b: &Primitive| {
        a.part < b.part || (a.part == b.part && end(a).is_some_and(|end| end <= b.first_triangle))
    };
    primitives.is_sorted_by(follows)
        && primitives.iter().all(|primitive| {
            end(primitive).is_some()
                && (primitive.part as usize) < parts
                && primitive.material.is_none_or(|material| material < materials)
        })
}
