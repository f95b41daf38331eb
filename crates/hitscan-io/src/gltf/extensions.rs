//! Required extensions: which may be passed over, and what to do about the others.

use crate::error::Problem;

const DRACO: &str = "KHR_draco_mesh_compression";
const MESHOPT: &str = "EXT_meshopt_compression";

/// Extensions by the beginning of their names that move no triangle, hide none and cut no hole, or that are read.
const PASSED: [&str; 14] = [
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_materials_",
    "EXT_materials_",
    "ADOBE_materials_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_animation_",
    "KHR_audio",
    "KHR_xmp",
    "CESIUM_primitive_outline",
];

/// Refuses a required extension that would change what a ray hits.
pub(super) fn check_required(names: &[String]) -> Result<(), Problem> {
    match names.iter().find(|name| !PASSED.iter().any(|start| name.starts_with(start))) {
        Some(name) => Err(refused(name)),
        None => Ok(()),
    }
}

/// The compression that an object cannot be read without.
pub(super) fn compression<V>(extensions: &std::collections::BTreeMap<String, V>) -> Option<Problem> {
    extensions
        .keys()
        .find(|name| matches!(name.as_str(), DRACO | MESHOPT | "KHR_meshopt_compression"))
        .map(|n| refused(n))
}

fn refused(name: &str) -> Problem {
    let advice = match name {
        DRACO | MESHOPT | "KHR_meshopt_compression" => {
            "its geometry is compressed. Decompress it first, for example with `gltf-transform copy IN OUT`"
        }
        _ => "what it changes is not known here. Export the model without it",
    };
    Problem::Extension { name: name.to_owned(), advice }
}
