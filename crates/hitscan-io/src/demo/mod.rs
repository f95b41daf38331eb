//! The demo model: a small village that is made by arithmetic alone, the same to the bit on every platform.
//!
//! It contains examples of everything that a scene can hold: instances that share a mesh (rotated, mirrored, scaled
//! along one axis, sheared fence rails), compounds of meshes and shapes, cut-out leaves, and several cameras.

mod leaves;
mod modeller;
pub(crate) mod random;
mod stuff;
mod terrain;
mod things;
mod village;

use crate::material::{Alpha, Material};
use crate::model::Model;
use crate::texture::Texture;
use std::sync::Arc;
use stuff::Stuff;

/// The materials, each with its name and linear base colour.
const STUFF: [(Stuff, &str, [f32; 3]); 12] = [
    (Stuff::Grass, "Grass", [0.16, 0.34, 0.09]),
    (Stuff::Plaster, "Plaster", [0.82, 0.78, 0.68]),
    (Stuff::Ochre, "Ochre", [0.72, 0.47, 0.19]),
    (Stuff::Tiles, "Roof tiles", [0.53, 0.13, 0.07]),
    (Stuff::Thatch, "Thatch", [0.42, 0.31, 0.13]),
    (Stuff::Wood, "Wood", [0.25, 0.13, 0.06]),
    (Stuff::Stone, "Stone", [0.36, 0.35, 0.33]),
    (Stuff::Window, "Window", [0.09, 0.16, 0.24]),
    (Stuff::Bark, "Bark", [0.18, 0.11, 0.06]),
    (Stuff::Leaves, "Leaves", [0.10, 0.30, 0.06]),
    (Stuff::Iron, "Iron", [0.06, 0.06, 0.07]),
    (Stuff::Glow, "Lamp glow", [1.0, 0.83, 0.42]),
];

impl Model {
    /// Makes the demo: a village of named houses and trees on gentle ground, with the camera "Overview" looking at it.
    ///
    /// Lengths are in metres. It is the same to the bit on every platform.
    pub fn demo() -> Self {
        let leaves = Arc::new(leaves::texture());
        let materials = STUFF.map(|(stuff, name, [r, g, b])| material(stuff, name, [r, g, b, 1.0], &leaves)).to_vec();
        Self { entities: village::entities(), cameras: village::cameras(), materials, ..Self::default() }
    }
}

fn material(stuff: Stuff, name: &str, base_color: [f32; 4], leaves: &Arc<Texture>) -> Material {
    let (alpha, texture) = match stuff {
        Stuff::Leaves => (Alpha::Mask { cutoff: 0.5 }, Some(leaves.clone())),
        _ => (Alpha::Opaque, None),
    };
    Material { name: Some(name.into()), base_color, alpha, texture }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_stand_where_their_numbers_say() {
        for (place, (stuff, ..)) in STUFF.iter().enumerate() {
            assert_eq!(*stuff as usize, place);
        }
    }
}
