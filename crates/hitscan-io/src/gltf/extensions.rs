//! Required extensions: the list of extensions that may be ignored, and the refusal of all others.

use crate::error::Problem;

const DRACO: &str = "KHR_draco_mesh_compression";
const MESHOPT: &str = "EXT_meshopt_compression";

/// The beginnings of the names of extensions that move no triangle, hide none and cut no hole, or that are read. They
/// are in the Khronos registry or in a few other families: pictures, materials, shaders, light, sound, metadata, and
/// uses of the model by later programs.
const FAMILIES: [&str; 32] = [
    "KHR_texture_",
    "KHR_image_",
    "EXT_texture_",
    "EXT_image_",
    "MSFT_texture_",
    "MSFT_packing_",
    "KHR_materials_",
    "EXT_materials_",
    "ADOBE_materials_",
    "BENTLEY_materials_",
    "FB_material",
    "NV_materials_",
    "VRMC_materials_",
    "KHR_techniques_",
    "KHR_lights",
    "EXT_lights_",
    "INTEL_lights_",
    "KHR_animation_",
    "EXT_animation_",
    "KHR_audio",
    "MSFT_audio_",
    "OMI_audio_",
    "MPEG_audio_",
    "MPEG_haptic",
    "KHR_xmp",
    "KHR_physics_",
    "OMI_physics_",
    "KHR_character",
    "KHR_avatar",
    "EXT_implicit_",
    "KHR_displaymapping_",
    "KHR_displayencoding",
];

/// Extensions of the same kinds that belong to no family.
const NAMES: [&str; 58] = [
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "EXT_mesh_gpu_instancing",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_interactivity",
    "KHR_behavior",
    "KHR_blend",
    "KHR_environment_map",
    "KHR_framebuffer_value_mapping",
    "KHR_collision_shapes",
    "KHR_implicit_shapes",
    "KHR_rigid_bodies",
    "KHR_XMP",
    "ADOBE_render_order",
    "AGI_articulations",
    "AGI_metadata",
    "AGI_stk_metadata",
    "CESIUM_primitive_outline",
    "CESIUM_tile_edges",
    "CVTOOLS_unity_metadata",
    "EXT_3d_metadata",
    "EXT_blend",
    "EXT_camera_physical",
    "EXT_feature_metadata",
    "EXT_instance_features",
    "EXT_manifold",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_mesh_primitive_edge_visibility",
    "EXT_pbr_attributes",
    "EXT_property_animation",
    "EXT_structural_metadata",
    "FB_geometry_metadata",
    "GOOGLE_texture_basis",
    "GOOGLE_tilt_brush_material",
    "GOOGLE_backgrounds",
    "GOOGLE_camera_settings",
    "GOOGLE_hemi_lights",
    "GODOT_single_root",
    "GRIFFEL_bim_data",
    "KITTYCAD_boundary_representation",
    "MAXAR_collision_geometry",
    "MAXAR_mesh_variants",
    "MOZ_alt_materials",
    "MOZ_lightmap",
    "MSFT_lod",
    "OMI_collider",
    "OMI_link",
    "OMI_personality",
    "OMI_seat",
    "OMI_spawn_point",
    "OMI_vehicle_body",
    "VRM",
    "VRMC_vrm",
    "VRMC_vrm_animation",
    "VRMC_springBone",
    "VRMC_node_constraint",
];

/// Members of the families that do change the hits of a ray.
const EXCEPTIONS: [&str; 3] =
    ["KHR_materials_displacement", "EXT_materials_displacement", "ADOBE_materials_displacement"];

fn is_harmless(name: &str) -> bool {
    let is_of_family = FAMILIES.iter().any(|family| name.starts_with(family)) && !EXCEPTIONS.contains(&name);
    is_of_family || NAMES.contains(&name)
}

/// Refuses a required extension that would change the hits of a ray.
pub(super) fn check_required(names: &[String]) -> Result<(), Problem> {
    match names.iter().find(|name| !is_harmless(name)) {
        Some(name) => Err(refused(name)),
        None => Ok(()),
    }
}

/// Returns the problem with an object that can only be read by an unsupported compression.
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
