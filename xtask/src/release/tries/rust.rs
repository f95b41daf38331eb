//! A program that depends on the crates, the published program, and the tests and examples in the packages.

use super::trial_file::write;
use crate::release::crates::unpack;
use crate::shell::{run as sh, target};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = r#"use hitscan::prelude::*;
use hitscan_io::Model;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::demo();
    let scene = model.scene()?;
    let hit = scene.cast(&Ray::new([0.0, 60.0, 0.0], Vec3::NEG_Y)).ok_or("nothing is there")?;
    println!("{} at {}", model.entity(hit.id).ok_or("no such entity")?.name, hit.point);
    Ok(())
}
"#;

pub(super) fn run(packages: &Path, version: &str, folder: &Path) -> Result<()> {
    let patches = unpack(packages, version, folder)?;
    let cargo = |subcommand: &str, place: &str| -> Result<Command> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.arg(subcommand).args(&patches).current_dir(folder.join(place));
        command
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_TARGET_DIR", target()?.join("release-try"));
        Ok(command)
    };
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nhitscan = \"={version}\"\nhitscan-io = \"={version}\"\n"
    );
    write(folder, "user/Cargo.toml", &manifest)?;
    write(folder, "user/src/main.rs", PROGRAM)?;
    sh(cargo("run", "user")?.arg("--quiet"))?;
    let program = format!("hitscan-cli-{version}");
    sh(cargo("run", &program)?.args(["--quiet", "--", "pick", "demo", "--at", "640,360"]))?;
    for name in ["hitscan", "hitscan-io", "hitscan-cli"] {
        sh(cargo("check", &format!("{name}-{version}"))?.args(["--quiet", "--all-targets"]))?;
    }
    Ok(())
}
