//! Embeds the page that `cargo xtask playground` builds, if it was built.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../playground/dist");
    // Cargo watches the folder around the page. This folder is always in the repository, so cargo notices a page that
    // is added later.
    if around.is_dir() {
        println!("cargo::rerun-if-changed={}", around.display());
    }
    let mut files = Vec::new();
    collect(&around.join("page"), "", &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in &files {
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.display().to_string()).expect("strings grow");
    }
    list.push(']');
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("page.rs"), list).expect("the list of the page's files can be written");
}

/// Collects all files of a folder, with their names in an address. A missing folder has none.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else if let Ok(path) = path.canonicalize() {
            files.push((name, path));
        }
    }
}
