//! Models with the trees of their meshes, as one file that loads quickly.
//!
//! The file begins with the data that only this crate knows ([`contents`]), and a checksum of it. It ends with the
//! scene as the library saves it, which has a checksum of its own.

mod contents;
mod numbers;
mod rig;
mod trees;

use crate::error::{Problem, Warning};
use crate::format::Format;
use crate::model::{EntityId, Model};
use crate::texture::Detail;
use contents::Contents;
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Quality, Scene};
use rig::StoredRig;
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// The signature of a baked model. The first byte occurs in no text, and a program that treats the file as text changes
/// the last two.
const MARK: &[u8] = b"\x89HITSM\r\n";
/// The common prefix of everything that hitscan saves, including meshes and scenes.
const FAMILY: &[u8] = b"\x89HITS";
/// The version of the format, which is raised with every change of [`Contents`] and of its types.
const VERSION: u32 = 2;

impl Model {
    /// Returns the model as the bytes of a file that [`load`](Self::load) reads much faster than the original, because
    /// it contains the trees of the meshes. Every ray has the same hits, bit by bit.
    ///
    /// The bytes of [`Detail::Hits`] contain all data that decides where a ray hits (including cut-outs), names, cameras, materials, animations with the data
    /// that they move, and the warnings. The bytes of [`Detail::Colors`] also contain the textures and vertex colours that the model was loaded with, which may
    /// make the file many times as large. A mesh that moves is baked in its current form, and in its form before any animation.
    ///
    /// # Errors
    /// Returns the errors of [`scene`](Self::scene), which only a modified model has, and an error for more than 256 meshes
    /// that move and share all their vertices.
    ///
    /// ```
    /// use hitscan_io::{Detail, Model};
    ///
    /// let model = Model::demo();
    /// let again = Model::from_bytes(&model.bake(Detail::Hits)?, None)?;
    /// assert_eq!(again.entities.len(), model.entities.len());
    /// # Ok::<(), hitscan_io::Problem>(())
    /// ```
    pub fn bake(&self, detail: Detail) -> Result<Vec<u8>, Problem> {
        // The scene is saved without holes, which are computed again from the materials.
        let mut scene = Scene::new();
        self.insert_each(&mut scene, DAffine3::IDENTITY, |id| id, |entity| Ok(entity.geometry.clone()))?;
        let (rig, spares) = StoredRig::of(self).map_err(unreadable)?;
        for (number, mesh) in (self.entities.len() as u32..).zip(spares) {
            scene.insert(EntityId(number), mesh, DVec3::ZERO).map_err(|error| unreadable(error.to_string()))?;
        }
        let scene = scene.to_bytes(|id| id.0.to_le_bytes()).map_err(|error| unreadable(error.to_string()))?;
        let contents = Contents::of(self, detail, rig).to_bytes().map_err(|error| unreadable(error.to_string()))?;
        let mut bytes = MARK.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([contents.len() as u64, scene.len() as u64].into_iter().flat_map(u64::to_le_bytes));
        bytes.extend(contents);
        let checksum = XxHash3_64::oneshot(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(scene);
        Ok(bytes)
    }

    /// Returns the same model with trees of this quality: trees of another quality are built again. Entities that share
    /// a mesh still share it.
    ///
    /// ```
    /// use hitscan::Quality;
    /// use hitscan_io::{Detail, Model};
    ///
    /// let baked = Model::demo().rebuilt(Quality::Best).bake(Detail::Hits)?;
    /// # Ok::<(), hitscan_io::Problem>(())
    /// ```
    #[must_use]
    pub fn rebuilt(mut self, quality: Quality) -> Self {
        let mut trees = trees::Rebuilt::new(quality);
        for entity in &mut self.entities {
            entity.geometry = trees.geometry(&entity.geometry);
        }
        // A rig that poses share is not changed.
        for binding in Arc::get_mut(&mut self.rig).into_iter().flat_map(|rig| &mut rig.bindings) {
            binding.mesh = trees.mesh(&binding.mesh);
        }
        self
    }
}

/// Returns whether these bytes begin like a baked model, or like any other file that hitscan saves.
pub(crate) fn is_baked(bytes: &[u8]) -> bool {
    bytes.starts_with(FAMILY)
}

fn unreadable(fault: impl Into<String>) -> Problem {
    Problem::Unreadable { format: Format::Baked, fault: fault.into() }
}

/// Reads a baked model.
pub(crate) fn read(bytes: &[u8], detail: Detail) -> Result<Model, Problem> {
    let (contents, scene) = parts(bytes)?;
    let contents = Contents::from_bytes(contents).ok_or_else(|| unreadable("its content is none"))?;
    let id = |key: &[u8]| Some(EntityId(u32::from_le_bytes(key.try_into().ok()?)));
    let scene = Scene::from_bytes(scene, id).map_err(|error| unreadable(error.to_string()))?;
    let is_without_colors = detail == Detail::Colors && contents.detail() == Detail::Hits;
    let mut model = contents.model(&scene).map_err(unreadable)?;
    if is_without_colors {
        model.warnings.push(Warning::NoColors);
    }
    Ok(model)
}

/// Splits a file into its contents and its scene, and checks its version, its length, and the checksum of everything
/// before the scene.
fn parts(bytes: &[u8]) -> Result<(&[u8], &[u8]), Problem> {
    let short = || unreadable("it ends before its content does");
    let Some(rest) = bytes.strip_prefix(MARK) else {
        return Err(unreadable(
            "it does not begin as one (a mesh or scene that the library saved alone is for the library to read)",
        ));
    };
    let (version, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(unreadable(format!("it is of version {version}, and {VERSION} can be read: bake it anew")));
    }
    let (contents, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let (scene, rest) = rest.split_first_chunk().ok_or_else(short)?;
    let [contents, scene] = [contents, scene].map(|length| usize::try_from(u64::from_le_bytes(*length)).ok());
    let (contents, rest) = contents.and_then(|length| rest.split_at_checked(length)).ok_or_else(short)?;
    let (checksum, rest) = rest.split_first_chunk().ok_or_else(short)?;
    if Some(rest.len()) != scene {
        return Err(unreadable("it is not as long as when it was baked"));
    }
    let sealed = &bytes[..bytes.len() - rest.len() - checksum.len()];
    if XxHash3_64::oneshot(sealed) != u64::from_le_bytes(*checksum) {
        return Err(unreadable("it is damaged: its checksum is another one than when it was baked"));
    }
    Ok((contents, rest))
}
