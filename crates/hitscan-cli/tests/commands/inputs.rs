//! A command never overwrites the files that it reads, and reports the faults in them.

use crate::common::tables::folder;
use crate::common::{fox, hitscan, program};
use std::fs;
use std::path::Path;

/// Runs a command whose output is one of its inputs, by any path, and checks that nothing was written.
fn keeps(folder: &Path, args: &[&str], input: &str) {
    let listed = || {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let (before, names) = (fs::read(folder.join(input)).unwrap(), listed());
    let output = program().args(args).current_dir(folder).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    // Warnings about a model may come before.
    let fault = said.lines().last().filter(|line| line.starts_with("error: "));
    assert!(fault.is_some_and(|fault| fault.contains("would overwrite")), "{args:?}: {said}");
    assert_eq!((fs::read(folder.join(input)).unwrap(), listed()), (before, names), "{args:?}");
}

#[test]
fn no_command_overwrites_what_it_reads() {
    let folder = folder("no_command_overwrites");
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for name in ["m.obj", "m.png", "m.csv", "m.npz"] {
        fs::write(folder.join(name), obj).unwrap();
    }
    fs::write(folder.join("rays.csv"), "ox,oy,oz,dx,dy,dz\n0.2,0.2,5,0,0,-1\n").unwrap();
    fs::write(folder.join("rays.npz"), "no rays").unwrap();
    fs::write(folder.join("walk.csv"), "steps,dt,vx,vy,vz,jump\n1,0.1,0,0,0,0\n").unwrap();
    keeps(&folder, &["bake", "m.obj", "-o", "m.obj"], "m.obj");
    keeps(&folder, &["bake", "m.obj", "-o", "./../no_command_overwrites/m.obj"], "m.obj");
    keeps(&folder, &["cast", "m.obj", "rays.csv", "-o", "rays.csv"], "rays.csv");
    keeps(&folder, &["cast", "m.obj", "rays.npz", "-o", "rays.npz"], "rays.npz");
    keeps(&folder, &["cast", "m.csv", "rays.csv", "-o", "m.csv"], "m.csv");
    keeps(&folder, &["cast", "m.npz", "rays.csv", "-o", "m.npz"], "m.npz");
    keeps(&folder, &["render", "m.png", "-o", "m.png"], "m.png");
    keeps(&folder, &["walk", "m.obj", "--script", "walk.csv", "-o", "walk.csv"], "walk.csv");
    keeps(&folder, &["walk", "m.csv", "--script", "walk.csv", "-o", "m.csv"], "m.csv");
    keeps(&folder, &["walk", "m.png", "--script", "walk.csv", "--render", "m.png"], "m.png");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("m.obj", folder.join("link.obj")).unwrap();
        keeps(&folder, &["bake", "m.obj", "-o", "link.obj"], "m.obj");
        keeps(&folder, &["bake", "link.obj", "-o", "m.obj"], "m.obj");
    }
    keep_what_models_refer_to(&folder);
    // Another file may be overwritten, and `demo` is no file.
    fs::write(folder.join("demo"), "mine").unwrap();
    for args in [["bake", "m.obj", "-o", "m.npz"], ["bake", "demo", "-o", "demo"]] {
        assert!(program().args(args).current_dir(&folder).output().unwrap().status.success(), "{args:?}");
    }
}

/// Models whose triangles, materials and pictures are in other files.
fn keep_what_models_refer_to(folder: &Path) {
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32].map(f32::to_le_bytes);
    fs::write(folder.join("a.bin"), corners.as_flattened()).unwrap();
    let gltf = serde_json::json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"uri": "a.bin", "byteLength": 36}],
    });
    fs::write(folder.join("a.gltf"), gltf.to_string()).unwrap();
    keeps(folder, &["bake", "a.gltf", "-o", "a.bin"], "a.bin");
    keeps(folder, &["bake", "a.gltf", "-o", "./../no_command_overwrites/a.bin"], "a.bin");

    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    let library = "newmtl red\nKd 1 0 0\n";
    fs::write(folder.join("c.obj"), format!("mtllib colors.csv\n{triangle}")).unwrap();
    fs::write(folder.join("colors.csv"), library).unwrap();
    keeps(folder, &["bake", "c.obj", "-o", "colors.csv"], "colors.csv");
    keeps(folder, &["cast", "c.obj", "rays.csv", "-o", "colors.csv"], "colors.csv");
    keeps(folder, &["walk", "c.obj", "--script", "walk.csv", "-o", "colors.csv"], "colors.csv");

    fs::write(folder.join("p.obj"), format!("mtllib p.mtl\n{triangle}")).unwrap();
    fs::write(folder.join("p.mtl"), format!("{library}map_Kd p.png\n")).unwrap();
    // A picture that cannot be decoded was read, too.
    fs::write(folder.join("p.png"), "no picture").unwrap();
    keeps(folder, &["render", "p.obj", "-o", "p.png"], "p.png");
    keeps(folder, &["walk", "p.obj", "--script", "walk.csv", "--render", "p.png"], "p.png");
    keeps(folder, &["bake", "p.obj", "--colors", "-o", "p.png"], "p.png");
    keeps(folder, &["bake", "p.obj", "-o", "p.mtl"], "p.mtl");
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345678\n";

#[test]
fn a_pointer_of_git_lfs_is_an_error_that_says_what_to_do() {
    let path = folder("a_pointer").join("level.glb");
    fs::write(&path, POINTER).unwrap();
    let run = hitscan(["info", path.to_str().unwrap()]);
    assert!(run.error().contains("level.glb") && run.error().contains("`git lfs pull`"), "{run:?}");
}

#[test]
fn tables_that_are_pointers_of_git_lfs_are_errors_that_say_what_to_do() {
    let folder = folder("pointers");
    for (name, command) in [("rays.csv", "cast"), ("rays.npy", "cast"), ("walk.csv", "walk")] {
        let path = folder.join(name);
        fs::write(&path, POINTER).unwrap();
        let path = path.to_str().unwrap();
        let run = match command {
            "cast" => hitscan(["cast", "demo", path]),
            _ => hitscan(["walk", "demo", "--script", path]),
        };
        assert!(run.error().contains(name) && run.error().contains("`git lfs pull`"), "{run:?}");
    }
}

#[test]
fn a_lenient_command_leaves_out_what_is_faulty() {
    let folder = folder("lenient");
    let path = fox::write(&folder);
    let mut file: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut bad = file["meshes"][0].clone();
    bad["name"] = "bad".into();
    bad["primitives"][0]["attributes"]["POSITION"] = 999.into();
    let index = file["meshes"].as_array().unwrap().len();
    file["meshes"].as_array_mut().unwrap().push(bad);
    let node = file["nodes"].as_array().unwrap().len();
    file["nodes"].as_array_mut().unwrap().push(serde_json::json!({"mesh": index}));
    if let Some(scene) = file.get_mut("scenes").and_then(|scenes| scenes.get_mut(0)) {
        scene["nodes"].as_array_mut().unwrap().push(node.into());
    }
    fs::write(&path, file.to_string()).unwrap();
    let path = path.to_str().unwrap();
    assert!(hitscan(["info", path]).error().contains("there are"));
    let run = hitscan(["info", path, "--lenient"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.starts_with("warning: ") && run.stderr.contains("\"bad\" is left out"), "{run:?}");
}

#[test]
fn a_number_of_threads_is_from_1_on() {
    let run = hitscan(["bench", "demo", "--threads", "0"]);
    assert!(run.error().contains("give a number from 1 on"), "{run:?}");
}
