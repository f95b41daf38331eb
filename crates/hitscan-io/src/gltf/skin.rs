//! Skins: the joints that a mesh follows.

use super::accessor::Accessors;
use super::document::{Document, Whole, get};
use crate::error::{Item, Problem};
use crate::rig::Skin;
use hitscan::glam::{DAffine3, DMat3, DVec3};

pub(super) fn read(document: &Document, accessors: &Accessors<'_>, index: Whole) -> Result<Skin, Problem> {
    let skin = get(&document.skins, "skin", index)?;
    let item = || Item::named("skin", index.0, skin.name.as_deref());
    if let Some(joint) = skin.joints.iter().find(|joint| joint.0 >= document.nodes.len()) {
        let nodes = document.nodes.len();
        return Err(item().invalid(format!("has node {} as a joint, and there are {nodes} nodes", joint.0)));
    }
    accessors.spend(&item(), skin.joints.len())?;
    let joints: Vec<usize> = skin.joints.iter().map(|joint| joint.0).collect();
    let Some(matrices) = skin.inverse_bind_matrices else {
        return Ok(Skin { inverse_binds: vec![DAffine3::IDENTITY; joints.len()], joints });
    };
    let matrices = accessors.vectors::<16>(matrices)?;
    if matrices.len() < joints.len() {
        let fault = format!("has {} inverse bind matrices for {} joints", matrices.len(), joints.len());
        return Err(item().invalid(fault));
    }
    Ok(Skin { inverse_binds: matrices.iter().take(joints.len()).map(affine).collect(), joints })
}

/// Converts a matrix, column by column; the last row is (0, 0, 0, 1) in every file that follows the format.
fn affine(matrix: &[f32; 16]) -> DAffine3 {
    let column = |at: usize| DVec3::from_array([0, 1, 2].map(|row| f64::from(matrix[4 * at + row])));
    DAffine3 { matrix3: DMat3::from_cols(column(0), column(1), column(2)), translation: column(3) }
}
