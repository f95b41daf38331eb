//! A program in C against the archive of this machine's target, found by pkg-config and by CMake.

use super::trial_file::write;
use crate::release::folders::{folder_ending, unpack};
use crate::release::wheel::newest;
use crate::shell::{run as sh, succeeds};
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = r#"#include <hitscan.h>
#include <stdio.h>

int main(void) {
    const float min[3] = {-1, -1, -1}, max[3] = {1, 1, 1};
    const HsShape box = hs_shape_box(min, max);
    const float origin[3] = {0, 0, 6}, direction[3] = {0, 0, -1};
    HsRay ray = hs_ray_new(origin, direction);
    HsScene *scene = NULL;
    HsHit hit;
    int ok = hs_scene_new(&scene) == HS_STATUS_OK && hs_scene_insert_shape(scene, 17, &box, NULL) == HS_STATUS_OK &&
             hs_scene_cast(scene, &ray, NULL, &hit) == HS_STATUS_OK && hit.key == 17 && hit.t == 5;
    printf("hitscan %s: %s\n", hs_version(), ok ? "a hit at 5" : hs_last_error());
    hs_scene_free(scene);
    return ok ? 0 : 1;
}
"#;

const CMAKE: &str = "cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(hitscan REQUIRED)
add_executable(shared use.c)
target_link_libraries(shared PRIVATE hitscan::hitscan)
add_executable(static use.c)
target_link_libraries(static PRIVATE hitscan::static)
";

pub(super) fn run(packages: &Path, folder: &Path) -> Result<()> {
    unpack(&newest(packages, "gz")?, folder)?;
    let prefix = folder_ending(folder, "")?;
    write(folder, "use.c", PROGRAM)?;
    write(folder, "CMakeLists.txt", CMAKE)?;
    let has = |program: &str| succeeds(Command::new(program).arg("--version"));
    ensure!(has("pkg-config") && has("cmake"), "the C library is tried with pkg-config and cmake, which are not there");
    let flags = Command::new("pkg-config")
        .args(["--cflags", "--libs", "hitscan"])
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .output()?;
    ensure!(flags.status.success(), "pkg-config does not find the library: {}", String::from_utf8_lossy(&flags.stderr));
    let flags = String::from_utf8_lossy(&flags.stdout).into_owned();
    sh(Command::new("cc").args(["use.c", "-o", "use"]).args(flags.split_whitespace()).current_dir(folder))?;
    let variable = if cfg!(target_os = "macos") { "DYLD_LIBRARY_PATH" } else { "LD_LIBRARY_PATH" };
    sh(Command::new(folder.join("use")).env(variable, prefix.join("lib")))?;
    sh(Command::new("cmake")
        .args(["-B", "build", "-S", "."])
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()))
        .current_dir(folder))?;
    sh(Command::new("cmake").args(["--build", "build"]).current_dir(folder))?;
    for program in ["build/shared", "build/static"] {
        sh(&mut Command::new(folder.join(program)))?;
    }
    Ok(())
}
