//! EXT_mesh_gpu_instancing: one node that shows its mesh in many places.

use super::accessor::Accessors;
use super::document::{Instancing, Whole};
use crate::error::{Item, Problem};
use crate::vectors::Vectors;
use hitscan::glam::{DAffine3, DQuat, DVec3};

/// The number of elements, of about 12 bytes, that an instance counts as: an entity is not much larger, and a file is
/// allowed more for the bytes of one translation or rotation.
const ELEMENTS_PER_INSTANCE: usize = 16;

/// Returns the transforms of the instances in the node's space; `None` if the extension names no attribute. An instance
/// with a rotation of (0, 0, 0, 0) is NaN.
pub(super) fn transforms(
    instancing: &Instancing,
    node: &Item,
    accessors: &Accessors<'_>,
) -> Result<Option<Vec<DAffine3>>, Problem> {
    let mut counts = Vec::new();
    for (name, &index) in &instancing.attributes {
        counts.push((name, accessors.count(index)?));
    }
    let Some(&(name, count)) = counts.first() else { return Ok(None) };
    if let Some((other, others)) = counts.iter().find(|&&(_, others)| others != count) {
        let fault = format!("has {count} instances by {name}, and {others} by {other} (EXT_mesh_gpu_instancing)");
        return Err(node.clone().invalid(fault));
    }
    accessors.spend(node, count.saturating_mul(ELEMENTS_PER_INSTANCE))?;
    let attribute = |name: &str| instancing.attributes.get(name).copied();
    let translations: Option<Vectors<3>> = read(attribute("TRANSLATION"), |index| accessors.vectors(index))?;
    let rotations: Option<Vectors<4>> = read(attribute("ROTATION"), |index| accessors.vectors(index))?;
    let scales: Option<Vectors<3>> = read(attribute("SCALE"), |index| accessors.vectors(index))?;
    let vector = |list: &Option<Vectors<3>>, i: usize, absent: DVec3| {
        list.as_ref().map_or(absent, |list| DVec3::from_array(list[i].map(f64::from)))
    };
    let instance = |i: usize| {
        DAffine3::from_scale_rotation_translation(
            vector(&scales, i, DVec3::ONE),
            rotations.as_ref().map_or(DQuat::IDENTITY, |list| rotation(list[i])),
            vector(&translations, i, DVec3::ZERO),
        )
    };
    Ok(Some((0..count).map(instance).collect()))
}

fn read<T>(index: Option<Whole>, read: impl Fn(Whole) -> Result<T, Problem>) -> Result<Option<T>, Problem> {
    index.map(read).transpose()
}

/// Returns a rotation of unit length: a quaternion in 8 bits is up to a hundredth longer or shorter.
fn rotation(quaternion: [f32; 4]) -> DQuat {
    let [x, y, z, w] = quaternion.map(f64::from);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    DQuat::from_xyzw(x / length, y / length, z / length, w / length)
}
