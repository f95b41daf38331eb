//! `hitscan bake`, and its files as the MODEL of other commands.

use crate::common;
use crate::common::tables::folder;
use crate::common::{hitscan, line, models, walls};
use std::fs;
use std::path::Path;

fn bake(model: &str, out: &Path, more: &[&str]) -> common::Run {
    hitscan([&["bake", model, "-o", out.to_str().unwrap()], more].concat())
}

/// Returns the JSON without timings.
fn without_times(mut json: serde_json::Value) -> serde_json::Value {
    for name in ["model", "load_seconds", "build_seconds"] {
        json.as_object_mut().unwrap().remove(name);
    }
    json
}

#[test]
fn every_command_answers_as_for_the_model() {
    let folder = folder("every_command_answers");
    for quality in ["fast", "balanced", "best"] {
        let baked = folder.join(format!("demo.{quality}"));
        let run = bake("demo", &baked, &["--quality", quality, "--colors", "--json"]);
        let said = run.json(0);
        assert_eq!((&said["model"], &said["quality"]), (&"demo".into(), &quality.into()));
        assert_eq!(said["bytes"], fs::metadata(&baked).unwrap().len());
        let both = |command: &str| {
            let [model, file] = ["demo", baked.to_str().unwrap()].map(|model| line(&command.replace("MODEL", model)));
            assert_eq!((model.code, &model.stderr), (file.code, &file.stderr), "{command}");
            [model, file]
        };
        let [model, file] = both("pick MODEL --at 640,360 --json");
        assert_eq!(model.stdout, file.stdout);
        if quality != "best" {
            continue;
        }
        let rays = folder.join("rays.csv");
        fs::write(&rays, "ox,oy,oz,dx,dy,dz\n0,50,0,0,-1,0\n-20,2,3,1,0,0.1\n0,1,30,0,0,-1\n").unwrap();
        let [model, file] = both(&format!("cast MODEL {} --all", rays.display()));
        assert_eq!(model.stdout, file.stdout);
        let mut info = both("info MODEL --json").map(|run| without_times(run.json(0)));
        // The trees of a baked model may differ.
        info.iter_mut().for_each(|info| drop(info.as_object_mut().unwrap().remove("trees")));
        assert_eq!(info[0], info[1]);
        let [model, file] = ["demo", baked.to_str().unwrap()].map(|model| {
            let out = folder.join("out.png");
            let run = line(&format!("render {model} -o {} --size 160x90", out.display()));
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
            fs::read(out).unwrap()
        });
        assert!(model == file, "another picture");
    }
    let run = line(&format!("bench {} --rays 256 --rounds 1 --json", folder.join("demo.best").display()));
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn what_was_baked_is_said() {
    let out = folder("what_was_baked").join("walls.hitscan");
    let run = bake(walls::write("what_was_baked_2").to_str().unwrap(), &out, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.stdout.contains("walls.hitscan: ") && run.stdout.contains(" triangles, "), "{run:?}");
    // A baked model can be baked again, but not onto itself.
    assert!(bake(out.to_str().unwrap(), &out, &["--quality", "best"]).error().contains("would overwrite"));
    let again = bake(out.to_str().unwrap(), &out.with_file_name("again.hitscan"), &["--quality", "best"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let picture = out.with_extension("png");
    let run = line(&format!("render {} -o {} --size 8x8 --camera 1", out.display(), picture.display()));
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("warning: ") && run.stderr.contains("it was baked without colours"), "{run:?}");
}

/// A file is written completely or not at all, and only if the model can be read.
#[test]
fn errors_leave_no_file() {
    let folder = folder("errors_leave_no_file");
    let out = folder.join("out.hitscan");
    assert!(bake("no such model", &out, &[]).error().contains("there is no such file"));
    assert!(!out.exists());
    assert!(bake("demo", &folder, &[]).error().contains("it is a folder"));
    assert!(bake("demo", &folder.join("no/such/folder"), &[]).error().contains("cannot write"));
    assert_eq!(line("bake demo").code, Some(2));
    assert_eq!(bake("demo", &out, &["--quality", "good"]).code, Some(2));

    assert_eq!(bake("demo", &out, &[]).code, Some(0));
    let mut bytes = fs::read(&out).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&out, &bytes).unwrap();
    let run = line(&format!("pick {} --at 640,360", out.display()));
    assert!(run.error().contains("is no readable baked model: the bytes are damaged"), "{run:?}");
    bytes.truncate(middle);
    fs::write(&out, &bytes).unwrap();
    let run = line(&format!("info {}", out.display()));
    assert!(run.error().contains("is no readable baked model"), "{run:?}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "something was left behind");
}

#[test]
fn cut_outs_are_baked() {
    let Some(models) = models() else { return };
    let model = models.join("alpha-mask/orange-flower.glb");
    let out = folder("cut_outs_are_baked").join("flower");
    assert_eq!(bake(model.to_str().unwrap(), &out, &[]).code, Some(0));
    let mut solid = 0;
    for x in (480..880).step_by(20) {
        let pick = |model: &Path, more: &str| {
            let run = line(&format!("pick {} --at {x}.5,360.5 --json {more}", model.display()));
            assert_eq!(run.stderr, "");
            run.stdout
        };
        assert_eq!(pick(&out, ""), pick(&model, ""), "{x}");
        solid += usize::from(pick(&out, "--no-cutout") != pick(&out, ""));
    }
    assert!(solid > 0, "no ray met a hole");
}
