//! EXT_mesh_gpu_instancing: one node that shows its mesh in many places.

use super::accessor::Accessors;
use super::document::{Instancing, Whole};
use super::node;
use crate::error::{Item, Problem, Warning};
use crate::vectors::Vectors;
use hitscan::glam::{DAffine3, DQuat, DVec3};

/// An instance is counted as this many elements of about 12 bytes. An entity is not much larger than that. The bytes of
/// a translation or rotation in the file allow for more elements.
const ELEMENTS_PER_INSTANCE: usize = 16;

/// A rotation whose length differs from 1 by more than this gets a warning. The rounding of 8-bit integers changes the
/// length by less.
const LENGTH: f64 = 1e-2;

/// Returns the transforms of the instances in the node's space; `None` if the extension names no attribute. As in a node, (0, 0, 0, 0) means no rotation.
pub(super) fn transforms(
    instancing: &Instancing,
    node: &Item,
    accessors: &Accessors<'_>,
    warnings: &mut Vec<Warning>,
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
    warnings.extend(rotations.as_ref().and_then(|rotations| odd(rotations, count, node)));
    let vector = |list: &Option<Vectors<3>>, i: usize, absent: DVec3| {
        list.as_ref().map_or(absent, |list| DVec3::from_array(list[i].map(f64::from)))
    };
    let instance = |i: usize| {
        DAffine3::from_scale_rotation_translation(
            vector(&scales, i, DVec3::ONE),
            rotations.as_ref().map_or(DQuat::IDENTITY, |list| node::normalized(quaternion(list[i]))),
            vector(&translations, i, DVec3::ZERO),
        )
    };
    Ok(Some((0..count).map(instance).collect()))
}

fn read<T>(index: Option<Whole>, read: impl Fn(Whole) -> Result<T, Problem>) -> Result<Option<T>, Problem> {
    index.map(read).transpose()
}

fn quaternion(numbers: [f32; 4]) -> DQuat {
    DQuat::from_array(numbers.map(f64::from))
}

/// Returns the warning for rotations that are not unit quaternions.
fn odd(rotations: &Vectors<4>, count: usize, node: &Item) -> Option<Warning> {
    let lengths = (0..count).map(|i| (i, quaternion(rotations[i]).length()));
    let mut odd = lengths.filter(|&(_, length)| (length - 1.0).abs() > LENGTH);
    let (instance, length) = odd.next()?;
    Some(Warning::InstanceRotations { node: node.clone(), count: 1 + odd.count(), instance, length })
}
