//! A program in C that calls every function of the header with pointers that must be refused. They are all null, all
//! misaligned, or one null among valid ones. It is generated from the header, so that no function is forgotten.

use super::functions::{Function, Parameter, functions, handles};
use super::program::Program;
use crate::shell::target;
use anyhow::{Context, Result};
use std::fmt::Write;

impl Parameter {
    fn is_callback(&self) -> bool {
        [
            "HsContactResponder",
            "HsCustomCast",
            "HsCustomFree",
            "HsEntityChoice",
            "HsHitChoice",
            "HsImpactChoice",
            "HsWork",
        ]
        .contains(&&*self.kind)
    }

    /// Returns whether an odd address is misaligned for the parameter.
    fn is_aligned(&self) -> bool {
        self.is_pointer()
            && !["uint8_t", "bool", "char", "void"].iter().any(|byte| self.kind.contains(&format!("{byte} *")))
    }

    fn zero(&self) -> &'static str {
        if self.is_pointer() || self.is_callback() { "NULL" } else { "0" }
    }

    fn misaligned(&self) -> String {
        match () {
            () if self.is_aligned() => format!("({})(uintptr_t)1", self.kind),
            () if self.kind == "size_t" => "1".to_owned(),
            () => self.zero().to_owned(),
        }
    }

    /// Returns a valid argument, which is a variable of the prelude.
    fn valid(&self) -> String {
        let kind = self.kind.trim_start_matches("const ").trim();
        match (kind.strip_suffix("**"), kind.strip_suffix('*')) {
            (Some(handle), _) => format!("&new_{}", handle.trim()),
            (None, Some("void ")) => "NULL".to_owned(),
            (None, Some(item)) => format!("a_{}", item.trim()),
            (None, None) if self.kind == "size_t" && self.name.contains("stride") => "0".to_owned(),
            (None, None) if self.is_callback() => "NULL".to_owned(),
            (None, None) => "1".to_owned(),
        }
    }
}

const PRELUDE: &str = r#"/* Calls every function with pointers that must be refused. */
#include "check.h"

static int refused;

/* Checks that the header lists a status, and that an error has a text. */
static void look(HsStatus status, const char *call) {
    if (status < HS_STATUS_INTERNAL || status > HS_STATUS_MORE || status == HS_STATUS_INTERNAL) {
        fprintf(stderr, "%s: the status %d; the last error is: %s\n", call, (int)status, hs_last_error());
        exit(1);
    }
    if (status < 0) {
        CHECK(strlen(hs_last_error()) > 10);
        ++refused;
    }
}

/* Checks that a status is an error. */
static void look_refused(HsStatus status, const char *call) {
    look(status, call);
    if (status >= 0) {
        fprintf(stderr, "%s: not refused\n", call);
        exit(1);
    }
}

"#;

/// Writes the program.
pub(super) fn write() -> Result<Program> {
    let functions = functions()?;
    let mut text = PRELUDE.to_owned();
    let kinds = functions.iter().flat_map(|function| &function.parameters).filter(|parameter| parameter.is_pointer());
    let mut items: Vec<&str> =
        kinds.map(|parameter| parameter.kind.trim_start_matches("const ").trim_end_matches(['*', ' '])).collect();
    items.sort_unstable();
    items.dedup();
    let all_handles = handles(&functions);
    let is_handle = |item: &str| all_handles.contains(&item);
    let handles: Vec<&str> = items.iter().copied().filter(|item| is_handle(item)).collect();
    for item in items.iter().filter(|item| **item != "void") {
        match is_handle(item) {
            true => writeln!(text, "static {item} *a_{item};\nstatic {item} *new_{item};")?,
            false => writeln!(text, "static {item} a_{item}[64];")?,
        }
    }
    // A snapshot is a scene that cannot be changed.
    text += "static const HsScene *new_const_HsScene;\n";
    text += &make_handles();
    text += "\nstatic void drop_new(void) {\n";
    for handle in &handles {
        let free = free_of(&functions, handle).with_context(|| format!("{handle} has no function that frees it"))?;
        writeln!(text, "    {free}(new_{handle});\n    new_{handle} = NULL;")?;
    }
    text += "    hs_snapshot_release(new_const_HsScene);\n    new_const_HsScene = NULL;\n}\n";
    for function in &functions {
        write_calls(&mut text, function)?;
    }
    text += "\nint main(void) {\n    make_handles();\n";
    for function in &functions {
        writeln!(text, "    call_{}();", function.name)?;
    }
    for handle in &handles {
        writeln!(text, "    {}(a_{handle});", free_of(&functions, handle).unwrap_or_default())?;
    }
    text += "    printf(\"refusals: %d calls were refused\\n\", refused);\n    return 0;\n}\n";
    let folder = target()?.join("capi");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let source = folder.join("refusals.c");
    std::fs::write(&source, text).with_context(|| format!("cannot write {}", source.display()))?;
    Program::new(source)
}

/// Returns the function that frees a handle.
fn free_of<'a>(functions: &'a [Function], handle: &str) -> Option<&'a str> {
    let takes = format!("{handle} *");
    let frees = |function: &&Function| {
        function.name.ends_with("_free") && function.parameters.iter().all(|parameter| parameter.kind == takes)
    };
    functions.iter().find(frees).map(|function| &*function.name)
}

fn make_handles() -> String {
    r#"
static void make_handles(void) {
    static const float a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0};
    const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, place[3] = {0, 2, 0};
    const float heights[4] = {0, 0, 0, 0};
    HsVolume capsule = ball(0.5f);
    memcpy(a_double, identity, sizeof identity);
    for (int i = 0; i < 64; i++) a_float[i] = (float)(i % 5), a_size_t[i] = 1;
    a_HsRay[0] = ahead(0, 0, 5);
    a_HsShape[0] = hs_shape_sphere(a, 1);
    a_HsVolume[0] = capsule;
    a_HsPose[0] = pose_at(0, 0, 0);
    OK(hs_filter_init(a_HsFilter, sizeof(HsFilter)));
    OK(hs_mesh_new(CUBE, 8, CUBE_INDICES, 36, &a_HsMesh));
    OK(hs_hull_new(CUBE, 0, 8, &a_HsHull));
    OK(hs_height_field_new(2, 2, 1, 1, heights, 0, NULL, 0, &a_HsHeightField));
    OK(hs_collision_matrix_new(a, b, c, &a_HsCollisionMatrix));
    OK(hs_scene_new(&a_HsScene));
    OK(hs_scene_insert_mesh(a_HsScene, 1, a_HsMesh, NULL));
    OK(hs_camera_orthographic(identity, 6, &a_HsCamera));
    OK(hs_region_circle(1, 1, 1, &a_HsRegion));
    OK(hs_character_new(&capsule, place, &a_HsCharacter));
    OK(hs_character_get_settings(a_HsCharacter, a_HsCharacterSettings, sizeof(HsCharacterSettings)));
    OK(hs_snapshots_new(a_HsScene, &a_HsSnapshots));
    OK(hs_path_new(&a_HsPath));
    OK(hs_winding_tree_new(a_HsMesh, &a_HsWindingTree));
    OK(hs_pair_tracker_new(1, 1, 0, &a_HsPairTracker));
    a_HsMeshSource[0].size = sizeof(HsMeshSource);
    a_HsRayColumns[0].size = sizeof(HsRayColumns);
    a_HsHitColumns[0].size = sizeof(HsHitColumns);
}
"#
    .to_owned()
}

/// Writes the calls of one function.
fn write_calls(text: &mut String, function: &Function) -> Result<()> {
    let Function { answer, name, parameters, .. } = function;
    let zeros: Vec<String> = parameters.iter().map(|parameter| parameter.zero().to_owned()).collect();
    let misaligned: Vec<String> = parameters.iter().map(Parameter::misaligned).collect();
    let is_aligned = parameters.iter().any(Parameter::is_aligned);
    let mut calls = vec![("look", zeros)];
    if is_aligned {
        calls.push(("look_refused", misaligned));
    }
    for (number, parameter) in parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_pointer()) {
        let valid = parameters.iter().map(|parameter| match &*parameter.kind {
            "const HsScene **" => "&new_const_HsScene".to_owned(),
            _ => parameter.valid(),
        });
        let mut arguments: Vec<String> = valid.collect();
        arguments[number] = parameter.zero().to_owned();
        calls.push(("look", arguments));
    }
    // A function that frees a handle gets no valid handle here: the handles are freed at the end.
    if name.ends_with("_free") || name.ends_with("_release") {
        calls.truncate(2);
    }
    writeln!(text, "\nstatic void call_{name}(void) {{")?;
    for (look, arguments) in calls {
        let call = format!("{name}({})", arguments.join(", "));
        match &**answer {
            "HsStatus" => writeln!(text, "    {look}({call}, \"{call}\");")?,
            _ => writeln!(text, "    (void){call};")?,
        }
    }
    writeln!(text, "    drop_new();\n}}")?;
    Ok(())
}
