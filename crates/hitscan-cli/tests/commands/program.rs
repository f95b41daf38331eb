//! The behaviour of the program apart from its answers: usage, errors, streams, exit codes.

use crate::common::tables::{folder, ray_npy};
use crate::common::{fox, hitscan, line, program, walls};
use hitscan::Ray;
use hitscan::simd::SimdLevel;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const COMMANDS_HELP: [&str; 14] = [
    "pick --help",
    "info --help",
    "sweep --help",
    "walk --help",
    "closest --help",
    "validate --help",
    "collide --help",
    "diff --help",
    "cast --help",
    "render --help",
    "bake --help",
    "bench --help",
    "demo-rays --help",
    "completions --help",
];

#[test]
fn help_and_version_succeed() {
    for command in ["--help", "help", "--version", "-V"].into_iter().chain(COMMANDS_HELP) {
        let run = line(command);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
        assert!(run.stdout.contains("hitscan"), "{command}");
    }
    for command in ["--help"].into_iter().chain(COMMANDS_HELP) {
        let help = line(command).stdout;
        assert!(help.contains("Examples:\n  hitscan ") && help.contains("Exit codes: 0 "), "{command}: {help}");
    }
}

/// The middle of a picture of the default size, which is 8 times as wide as the pictures of these tests.
const MIDDLE: &str = "640,360";

/// Runs every command of the examples on the demo, and the commands with an animation on a fox. The examples name
/// files that do not exist here.
#[test]
fn the_examples_work() {
    let folder = folder("the_examples_work");
    let ray = "ox,oy,oz,dx,dy,dz\n0,50,0,0,-1,0\n";
    fs::write(folder.join("rays.csv"), ray).unwrap();
    fs::write(folder.join("rays.npy"), ray_npy(&[Ray::new([0.0; 3], [1.0; 3])], "<f4", false)).unwrap();
    fs::write(folder.join("walk.csv"), "steps,dt,vx,vy,vz,jump\n9,0.02,1,0,0,0\n").unwrap();
    fox::write(&folder);
    let help: String = ["--help"].into_iter().chain(COMMANDS_HELP).map(|command| line(command).stdout).collect();
    let examples: Vec<_> = help.lines().filter_map(|line| line.trim().strip_prefix("hitscan ")).collect();
    assert!(examples.len() >= 37, "{examples:?}");
    // A window needs a display, and stays until somebody closes it. The tests in view.rs open it.
    for example in examples.into_iter().filter(|example| !example.starts_with("view ")) {
        let words = example.split("   ").next().unwrap_or(example).split_whitespace();
        // The redirections of streams are the shell's task.
        let words = words.take_while(|word| !["<", ">"].contains(word));
        let middle = if example.starts_with("render ") { "80,45" } else { MIDDLE };
        let words =
            words.map(|word| if word == "level.glb" { "demo".to_owned() } else { word.replace(MIDDLE, middle) });
        let mut command = program();
        // These commands are slow at full size and quality, which this test does not need.
        let faster: &[&str] = match example.split_whitespace().next() {
            Some("render") if example.contains("--size") => &["--samples", "1"],
            Some("render") => &["--samples", "1", "--size", "160x90"],
            Some("walk" | "collide" | "diff") if example.contains("--render") => &["--size", "160x90"],
            Some("bench") if example.contains("--rounds") => &["--rays", "100"],
            Some("bench") => &["--rays", "100", "--rounds", "1"],
            _ => &[],
        };
        command
            .args(words)
            .args(faster)
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that does not read its input may have closed it already.
        let _ = child.stdin.take().unwrap().write_all(ray.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)) && output.stderr.is_empty(), "{example}: {output:?}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let wrong = [
        ("", "Usage:"),
        ("frobnicate", "frobnicate"),
        ("pick demo", "--at"),
        ("pick --at 1,2", "MODEL"),
        ("pick demo --at 1", "2 finite numbers with commas between"),
        ("pick demo --at nan,2", "2 finite numbers with commas between"),
        ("pick demo --at 1,2 --size 1280", "such as 1280x720"),
        ("pick demo --at 1,2 --size 0x720", "such as 1280x720"),
        ("pick demo --at 1,2 --eye 1,2,3", "--target"),
        ("pick demo --at 1,2 --target 1,2,3", "--eye"),
        ("pick demo --at 1,2 --fov-y 60", "--eye"),
        ("pick demo --at 1,2 --ortho 60", "--eye"),
        ("pick demo --at 1,2 --up 0,1,0", "--eye"),
        ("pick demo --at 1,2 --eye 1,2 --target 1,2,3", "3 finite numbers"),
        ("pick demo --at 1,2 --eye --target 1,2,3", "1,2,3"),
        ("pick demo --at 1,2 --eye 1,2,3 --target 0,0,0 --fov-y 180", "above 0 and below 180"),
        ("pick demo --at 1,2 --eye 1,2,3 --target 0,0,0 --fov-y -1", "above 0 and below 180"),
        ("pick demo --at 1,2 --eye 1,2,3 --target 0,0,0 --ortho 0", "above 0"),
        ("pick demo --at 1,2 --eye 1,2,3 --target 0,0,0 --ortho 2 --fov-y 45", "cannot be used with"),
        ("pick demo --at 1,2 --eye 1,2,3 --target 0,0,0 --camera 0", "cannot be used with"),
    ];
    for (command, expected) in wrong {
        let run = line(command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{command}: {run:?}");
        assert!(run.stderr.contains(expected), "{command}: {run:?}");
    }
}

#[test]
fn negative_numbers_are_values() {
    let pick = "pick demo --at 640,360 --json";
    let spaced = line(&format!("{pick} --eye -9,8,-30 --target -1,2,-3 --up -0.1,1,0"));
    let joined = line(&format!("{pick} --eye=-9,8,-30 --target=-1,2,-3 --up=-0.1,1,0"));
    assert_eq!(spaced.hits().len(), 1);
    assert_eq!(spaced.stdout, joined.stdout);
}

#[test]
fn errors_say_what_is_wrong_and_what_to_do() {
    let wrong = [
        (
            "pick nowhere.glb --at 1,2",
            "error: nowhere.glb: there is no such file; give the path of a .gltf, .glb, .obj, .stl, .ply or \
            baked file, or `demo` for the built-in village\n",
        ),
        ("info nowhere.glb", "nowhere.glb: there is no such file"),
        (
            "pick demo --at 1,2 --camera Overvew",
            "--camera Overvew: there is no such camera; there are 0 \"Overview\", 1 ",
        ),
        ("pick demo --at 1,2 --camera 99", "--camera 99: there is no such camera; there are 0 \"Overview\", 1 "),
        ("pick demo --at 1,2 --eye 1,2,3 --target 1,2,3", "--eye and --target are the same point, 1,2,3"),
        ("pick demo --at 1,2 --eye 0,9,0 --target 0,0,0 --up 0,1,0", "--up 0,1,0 must not be zero or along the view"),
        ("pick demo --at 1,2 --eye 0,9,0 --target 0,0,3 --up 0,0,0", "--up 0,0,0 must not be zero or along the view"),
        ("pick demo --at 1,2 --eye 1e200,9,0 --target 0,0,0", "must be finite"),
        ("pick demo --at 1,2 --eye 0,9,0 --target 0,0,0 --fov-y 1e-320", "field of view"),
    ];
    for (command, expected) in wrong {
        let run = line(command);
        assert!(run.error().contains(expected), "{command}: {run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{command}: {run:?}");
    }
}

#[test]
fn every_instruction_set_gives_the_same_bytes() {
    let command = |value: &str| {
        let pick = ["pick", "demo", "--at", "640,360", "--json"];
        let output = program().env("HITSCAN_SIMD", value).args(pick).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{value}: {output:?}");
        output.stdout
    };
    let expected = command("auto");
    assert_eq!(command(""), expected);
    for level in SimdLevel::available() {
        assert_eq!(command(&level.to_string()), expected, "{level}");
    }
}

#[test]
fn an_instruction_set_that_is_not_here_is_an_error_of_every_command() {
    let unavailable = if SimdLevel::available().any(|level| level == SimdLevel::Neon) { "avx2" } else { "neon" };
    let list: Vec<String> = SimdLevel::available().map(|level| level.to_string()).collect();
    let list = format!("set it to auto, {} or leave it unset\n", list.join(", "));
    for (value, cause) in [
        (unavailable, "this instruction set is not available here"),
        ("AVX2", "there is no such instruction set"),
        ("mmx", "there is no such instruction set"),
    ] {
        let expected = format!("error: HITSCAN_SIMD={value}: {cause}; {list}");
        for command in [
            "pick demo --at 1,2",
            "info demo",
            "cast demo rays.csv",
            "render demo -o never.png",
            "bench demo",
            "demo-rays -o never.png",
            "completions bash",
        ] {
            let output = program().env("HITSCAN_SIMD", value).args(command.split(' ')).output().unwrap();
            assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{command}: {output:?}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), expected, "{command}");
        }
    }
    let help = program().env("HITSCAN_SIMD", "mmx").arg("--help").output().unwrap();
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("HITSCAN_SIMD"), "{help:?}");
}

#[test]
fn unreadable_files_are_named() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unreadable");
    fs::create_dir_all(&folder).unwrap();
    let files =
        [("empty.glb", ""), ("text.gltf", "solid nothing"), ("broken.gltf", "{\"asset\": {\"version\": \"2.0\"}")];
    for (name, content) in files {
        let file = folder.join(name);
        fs::write(&file, content).unwrap();
        let run = hitscan(["info".as_ref(), file.as_os_str()]);
        assert!(run.error().contains(name), "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    }
    let run = hitscan(["info".as_ref(), folder.as_os_str()]);
    assert!(run.error().contains("unreadable"), "{run:?}");
}

#[test]
fn a_model_without_cameras_says_so() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nothing.gltf");
    fs::write(&file, "{\"asset\": {\"version\": \"2.0\"}}").unwrap();
    let file = file.to_str().unwrap();
    let run = hitscan(["pick", file, "--at", "1,2", "--camera", "0", "--quiet"]);
    assert!(run.error().contains("has no cameras; leave it out"), "{run:?}");
    // A model without triangles is an empty scene with a warning.
    let run = hitscan(["pick", file, "--at", "1,2"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "no hit\n"));
    assert!(run.stderr.starts_with("warning: ") && run.stderr.contains("nothing.gltf"), "{run:?}");
    for quiet in [["--quiet", "pick", file, "--at", "1,2"], ["pick", file, "--at", "1,2", "-q"]] {
        let run = hitscan(quiet);
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{quiet:?}");
    }
    let info = hitscan(["info", file, "--quiet", "--json"]).json(0);
    assert_eq!((&info["bounds"], &info["triangles"]), (&serde_json::Value::Null, &0.into()));
}

#[test]
fn a_closed_pipe_is_no_error() {
    for command in ["pick demo --at 640,360 --json", "info demo", "info demo --json", "completions bash"] {
        let mut command =
            program().args(command.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(command.stdout.take());
        let output = command.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program().args(["info", "demo"]).stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.starts_with("error: cannot write to standard output: "), "{stderr}");
}

#[test]
fn info_counts_what_there_is() {
    let file = walls::write("info_counts_what_there_is");
    let info = hitscan(["info", file.to_str().unwrap(), "--json"]).json(0);
    let names = |list: &str| -> Vec<String> {
        let list = info[list].as_array().unwrap_or_else(|| panic!("{list} is a list"));
        list.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("entities"), ["near", "wall", "node2"]);
    assert_eq!(names("cameras"), ["Clipped", "camera1"]);
    assert_eq!(names("materials"), ["Paint", "material1"]);
    assert_eq!((&info["cut_outs"], &info["animations"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!((&info["triangles"], &info["degenerate_triangles"]), (&8.into(), &3.into()));
    assert_eq!(info["bounds"], serde_json::json!({"min": [-1.0, -1.0, -20.0], "max": [1.0, 1.0, -1.0]}));
    assert_eq!(info["entities"][1]["bounds"], serde_json::json!({"min": [-1.0, -1.0, -5.0], "max": [1.0, 1.0, -5.0]}));
    let camera = &info["default_camera"];
    assert_eq!((&camera["name"], &camera["znear"], &camera["zfar"]), (&"Clipped".into(), &2.0.into(), &10.0.into()));
    assert_eq!((&camera["eye"], &camera["forward"]), (&[0.0, 0.0, 0.0].into(), &[0.0, 0.0, -1.0].into()));
    assert!(info["build_seconds"].as_f64() > Some(0.0) && info["load_seconds"].as_f64() > Some(0.0));
    let trees = &info["trees"];
    assert_eq!(
        (&trees["scene"]["leaves"], &trees["mesh_count"], &trees["meshes"]["leaves"]),
        (&3.into(), &2.into(), &2.into())
    );

    let text = hitscan(["info", file.to_str().unwrap()]).stdout;
    for expected in
        ["near", "wall", "node2", "0 \"Clipped\" (perspective), 1 \"camera1\" (orthographic)", "8 (3 without area)"]
    {
        assert!(text.contains(expected), "{text}");
    }
}

/// The command lists the cut-out material and the camera of the demo, and the triangles of the entities add up to the total.
#[test]
fn info_of_the_demo_knows_its_cut_outs() {
    let info = line("info demo --json").json(0);
    assert_eq!(info["model"], "demo");
    assert_eq!(info["cut_outs"][0]["material"], "Leaves");
    assert!(info["cut_outs"][0]["triangles"].as_u64() > Some(0));
    assert_eq!(info["default_camera"]["name"], "Overview");
    let sum: u64 =
        info["entities"].as_array().unwrap().iter().map(|entity| entity["triangles"].as_u64().unwrap()).sum();
    assert_eq!(info["triangles"], sum);
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = line(&format!("completions {shell}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{shell}");
        for word in [
            "pick",
            "info",
            "cast",
            "walk",
            "validate",
            "collide",
            "diff",
            "clearance",
            "render",
            "bench",
            "demo-rays",
            "no-cutout",
            "--quiet",
        ] {
            assert!(run.stdout.contains(word.trim_start_matches('-')), "{shell}: {word}");
        }
    }
    let run = line("completions tcsh");
    assert!(run.code == Some(2) && run.stderr.contains("bash, elvish, fish, powershell, zsh"), "{run:?}");
}
