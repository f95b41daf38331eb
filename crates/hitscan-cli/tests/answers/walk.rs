//! `hitscan walk`: the paths of characters.

use crate::common;
use crate::common::tables::{folder, rows};
use crate::common::{Run, hitscan, line};
use hitscan::glam::DVec3;
use hitscan::{Capsule, Character, CharacterState};
use hitscan_io::Model;
use image::Rgb;
use std::fs;
use std::path::{Path, PathBuf};

const HEADER: &str = "steps,dt,vx,vy,vz,jump\n";
const TITLES: [&str; 10] = ["step", "time", "x", "y", "z", "vx", "vy", "vz", "grounded", "entity"];
/// The skin width of the default character: a hundredth of the radius.
const SKIN: f64 = 0.01 * 0.3f32 as f64;

/// Writes a script for one test.
fn script(folder: &Path, rows: &str) -> PathBuf {
    let file = folder.join("walk.csv");
    fs::write(&file, format!("{HEADER}{rows}\n")).unwrap();
    file
}

fn walk(model: &str, script: &Path, more: &str) -> Run {
    let script = script.to_str().unwrap();
    hitscan(["walk", model, "--script", script].into_iter().chain(more.split_whitespace()))
}

/// A row of the output.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    step: u64,
    time: f64,
    feet: DVec3,
    velocity: DVec3,
    grounded: bool,
    entity: String,
}

/// Returns the rows of a run without errors or warnings.
fn path(run: &Run) -> Vec<Row> {
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let mut rows = rows(&run.stdout);
    assert_eq!(rows.remove(0), TITLES);
    rows.iter().map(|row| read(row)).collect()
}

fn read(row: &[String]) -> Row {
    let number = |column: usize| row[column].parse::<f64>().unwrap();
    Row {
        step: row[0].parse().unwrap(),
        time: number(1),
        feet: DVec3::new(number(2), number(3), number(4)),
        velocity: DVec3::new(number(5), number(6), number(7)),
        grounded: ["0", "1"].iter().position(|text| *text == row[8]).unwrap() == 1,
        entity: row[9].clone(),
    }
}

/// Writes boxes as an .obj. Each has a name, and extends from one corner to the other.
fn boxes(folder: &Path, boxes: &[(&str, [f64; 3], [f64; 3])]) -> String {
    let mut text = String::new();
    for (name, low, high) in boxes {
        text += &format!("o {name}\n");
        for corner in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] });
            text += &format!("v {x} {y} {z}\n");
        }
        for face in ["-8 -6 -5 -7", "-4 -3 -1 -2", "-8 -7 -3 -4", "-6 -2 -1 -5", "-8 -4 -2 -6", "-7 -5 -1 -3"] {
            text += &format!("f {face}\n");
        }
    }
    let file = folder.join("boxes.obj");
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Writes a floor with a step of a quarter and a wall on it, both across the path along x.
fn course(folder: &Path) -> String {
    let course = [
        ("floor", [-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]),
        ("step", [2.0, 0.0, -9.0], [9.0, 0.25, 9.0]),
        ("wall", [4.0, 0.25, -9.0], [5.0, 3.0, 9.0]),
    ];
    boxes(folder, &course)
}

#[test]
fn a_walk_over_the_ground_of_the_demo() {
    let folder = folder("a_walk_over_the_ground");
    let script = script(&folder, "60,0.016666666666666666,0,0,0,0\n60,0.016666666666666666,1.5,0,0,0");
    let path = path(&walk("demo", &script, "--start 6,0.3,2"));
    assert_eq!(path.len(), 120);
    assert!(path.iter().zip(1..).all(|(row, step)| row.step == step), "{path:?}");
    assert!((path[119].time - 2.0).abs() < 1e-12, "{:?}", path[119]);
    let standing = &path[59];
    assert!(standing.grounded && standing.entity == "Ground", "{standing:?}");
    // A standing character does not move, to the bit.
    assert!(path[30..60].iter().all(|row| row.feet == standing.feet && row.velocity == DVec3::ZERO), "{path:?}");
    let (walked, way) = (&path[60..], path[119].feet - standing.feet);
    assert!(walked.iter().all(|row| row.grounded && row.entity == "Ground"), "{walked:?}");
    assert!((way.length() - 1.5).abs() < 1e-3 && way.y.abs() < 0.1 && way.z.abs() < 1e-6, "{way}");
}

#[test]
fn a_character_climbs_a_step_and_stops_at_a_wall() {
    let folder = folder("a_character_climbs_a_step");
    let model = course(&folder);
    let script = script(&folder, "120,0.02,3,0,0,0");
    let walked = path(&walk(&model, &script, "--start 0,0,0"));
    let (first, end) = (&walked[0], &walked[119]);
    assert!((first.feet - DVec3::new(0.06, SKIN, 0.0)).length() < 1e-9 && first.entity == "floor", "{first:?}");
    assert!((end.feet - DVec3::new(3.7 - SKIN, 0.25 + SKIN, 0.0)).length() < 1e-6, "{end:?}");
    assert_eq!((end.grounded, end.entity.as_str(), end.velocity), (true, "step", DVec3::ZERO));
    // A character with a lower step height stops in front of the step.
    let end = path(&walk(&model, &script, "--start 0,0,0 --step 0.1")).pop().unwrap();
    assert!((end.feet.y - SKIN).abs() < 1e-9 && end.feet.x < 2.0 && end.entity == "floor", "{end:?}");
    // A hidden entity does not block.
    let end = path(&walk(&model, &script, "--start 0,0,0 --hide wall")).pop().unwrap();
    assert!((end.feet.x - 7.2).abs() < 0.05 && end.entity == "step", "{end:?}");
    // A character with a wider capsule and a wider skin stops earlier.
    let end = path(&walk(&model, &script, "--start 0,0,0 --capsule 0.5,2 --skin 0.0625")).pop().unwrap();
    assert!((end.feet - DVec3::new(3.4375, 0.3125, 0.0)).length() < 1e-6, "{end:?}");
}

#[test]
fn a_jump_is_a_parabola_and_ends_on_the_floor() {
    let folder = folder("a_jump_is_a_parabola");
    let (model, dt) = (course(&folder), 0.0078125);
    // The jump of the last row is in the air, so it has no effect.
    let script = script(&folder, &format!("1,{dt},0,0,0,4\n31,{dt},-0.5,0,0,0\n128,{dt},0,0,0,8"));
    let jumped = path(&walk(&model, &script, "--start 0,0,0 --gravity 8"));
    let height = |steps: u32| SKIN + (0..steps).map(|k| dt * (4.0 - 8.0 * dt * f64::from(k))).sum::<f64>();
    for (row, steps) in jumped.iter().zip(1..=127) {
        assert!((row.feet.y - height(steps)).abs() < 1e-9, "{steps}: {row:?}");
        assert_eq!((row.grounded, row.entity.as_str()), (false, ""), "{steps}");
        let rise = 4.0 - 8.0 * dt * f64::from(steps - 1);
        assert!((row.velocity.y - rise).abs() < 1e-9, "{steps}: {row:?}");
    }
    let end = &jumped[159];
    assert!((end.feet - DVec3::new(-0.5 * 31.0 * dt, SKIN, 0.0)).length() < 1e-6, "{end:?}");
    assert_eq!((end.grounded, end.entity.as_str(), end.velocity), (true, "floor", DVec3::ZERO));
}

#[test]
fn ground_that_is_too_steep_is_a_wall() {
    let folder = folder("ground_that_is_too_steep");
    let file = folder.join("ramp.obj");
    // The ramp rises by 45 degrees from x = 1.
    let ramp = "o ramp\nv -9 0 9\nv 1 0 9\nv 1 0 -9\nv -9 0 -9\nv 9 8 9\nv 9 8 -9\nf 1 2 3 4\nf 2 5 6 3\n";
    fs::write(&file, ramp).unwrap();
    let script = script(&folder, "100,0.02,2,0,0,0");
    let end = |more: &str| path(&walk(file.to_str().unwrap(), &script, more)).pop().unwrap();
    let (climbed, stopped) = (end("--start 0,0,0"), end("--start 0,0,0 --max-slope 40"));
    assert!(climbed.feet.y > 1.0 && climbed.grounded, "{climbed:?}");
    assert!(stopped.feet.y < 0.1 && stopped.feet.x < 1.0 && stopped.grounded, "{stopped:?}");
}

/// The library makes the same path. The numbers that are read back from the text have the same bits.
#[test]
fn the_program_walks_as_the_library_does() {
    let folder = folder("the_program_walks");
    let script = script(&folder, "90,0.0166666,1.7,0,0.4,4.5\n90,0.0166666,-2.3,0,3.1,0\n90,0.0166666,0.3,0,-4,5");
    let told = path(&walk("demo", &script, "--start 6,0.5,2"));
    let model = Model::demo();
    let scene = model.scene().unwrap();
    let capsule = Capsule::new(0.3, 1.8);
    let feet = DVec3::Y * (f64::from(capsule.ends()[0].y) - f64::from(capsule.radius()));
    let hero = Character::new(capsule).unwrap();
    let mut state = CharacterState::new(DVec3::new(6.0, 0.5, 2.0) - feet);
    let (dt, mut rise) = (0.0166666, 0.0);
    for (number, row) in told.iter().enumerate() {
        let (wanted, jump) = [([1.7, 0.0, 0.4], 4.5), ([-2.3, 0.0, 3.1], 0.0), ([0.3, 0.0, -4.0], 5.0)][number / 90];
        let jumps = number % 90 == 0 && jump > 0.0 && state.is_grounded();
        let walks = state.is_grounded() && !jumps;
        rise = if jumps {
            jump
        } else if walks {
            0.0
        } else {
            rise - 9.81 * dt
        };
        let moved = hero.move_and_slide(&scene, &mut state, DVec3::from(wanted) + DVec3::Y * rise, dt);
        rise = if walks { 0.0 } else { moved.velocity.y };
        let ground = moved.ground.map(|ground| model.entity(ground.id).unwrap().name.as_str());
        assert_eq!((row.feet, row.velocity), (state.position + feet, moved.velocity), "step {}", number + 1);
        assert_eq!((row.grounded, row.entity.as_str()), (ground.is_some(), ground.unwrap_or("")));
    }
    assert!(told.iter().any(|row| row.grounded) && told.iter().any(|row| !row.grounded));
}

#[test]
fn two_runs_write_the_same() {
    let folder = folder("two_runs");
    let script = script(&folder, "40,0.02,1,0,1,4");
    let run = |name: &str| {
        let place = |kind: &str| folder.join(format!("{name}.{kind}")).to_str().unwrap().to_owned();
        let more = format!("--start 6,0.3,2 --size 96x54 -o {} --render {}", place("csv"), place("png"));
        let run = walk("demo", &script, &more);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
        ["csv", "png"].map(|kind| fs::read(place(kind)).unwrap())
    };
    let (once, again) = (run("once"), run("again"));
    assert!(once == again);
    // A file has the content that standard output would have.
    assert_eq!(walk("demo", &script, "--start 6,0.3,2").stdout.into_bytes(), once[0]);
}

#[test]
fn a_script_comes_from_standard_input_too() {
    let mut command = common::program();
    command.args(["walk", "demo", "--script", "-", "--start", "6,0.3,2"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let text = format!("{HEADER}3,0.02,1,0,0,0\n");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(rows(&String::from_utf8(output.stdout).unwrap()).len(), 4);
    // A script without rows gives a path without rows.
    let none = script(&folder("a_script_without_rows"), "");
    assert_eq!(path(&walk("demo", &none, "--start 6,0.3,2")), []);
}

#[test]
fn without_a_start_the_feet_are_below_the_middle() {
    let folder = folder("without_a_start");
    let rest = script(&folder, "1,0.02,0,0,0,0");
    let floors = [("floor", [-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), ("roof", [-9.0, 8.0, -9.0], [9.0, 9.0, 9.0])];
    let model = boxes(&folder, &floors);
    let inside = path(&walk(&model, &rest, ""));
    assert!((inside[0].feet - DVec3::Y * SKIN).length() < 1e-9 && inside[0].entity == "floor", "{inside:?}");
    let model = boxes(&folder, &[("block", [1.0, 0.0, 1.0], [3.0, 4.0, 3.0])]);
    let above = path(&walk(&model, &rest, ""));
    assert!((above[0].feet - DVec3::new(2.0, 4.0 + SKIN, 2.0)).length() < 1e-9 && above[0].grounded, "{above:?}");
    let pillars = [("left", [-9.0, 0.0, 0.0], [-8.0, 1.0, 1.0]), ("right", [8.0, 0.0, 0.0], [9.0, 1.0, 1.0])];
    let model = boxes(&folder, &pillars);
    let run = walk(&model, &rest, "");
    let expected = "error: there is nothing to stand on in the middle of the model, at x,z = 0,0.5: give --start\n";
    assert_eq!(run.error(), expected);
}

#[test]
fn a_good_walk_passes_the_check() {
    let folder = folder("a_good_walk");
    let script = script(&folder, "120,0.016666666666666666,4,0,1,0\n120,0.016666666666666666,-3,0,-4,4");
    let out = folder.join("path.csv");
    let run = walk("demo", &script, &format!("--start 6,0.3,2 --check -o {}", out.display()));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    assert_eq!(rows(&fs::read_to_string(&out).unwrap()).len(), 241);
}

/// A character is crushed in a stack of slabs whose distances are smaller than its height. Each separation from some slabs leads into others.
#[test]
fn the_check_names_the_first_overlap() {
    let folder = folder("the_check");
    let names: Vec<String> = (0..14).map(|number| format!("slab{number}")).collect();
    let lows = (0..14).map(|number| f64::from(number) - 7.0);
    let slabs: Vec<_> =
        names.iter().zip(lows).map(|(name, y)| (name.as_str(), [-9.0, y, -9.0], [9.0, y + 0.5, 9.0])).collect();
    let model = boxes(&folder, &slabs);
    let (script, out) = (script(&folder, "5,0.02,1,0,0,0"), folder.join("path.csv"));
    let run = walk(&model, &script, &format!("--start 0,-0.4,0 --check --quiet -o {}", out.display()));
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
    assert!(run.stderr.starts_with("failed: step 1: the capsule with its feet at "), "{run:?}");
    let rows = rows(&fs::read_to_string(&out).unwrap());
    let (first, told) = (read(&rows[1]), run.stderr.trim_end());
    let feet = first.feet.to_array().map(|number| number.to_string()).join(",");
    assert!(told.contains(&format!("feet at {feet} is ")), "{told}: {first:?}");
    assert!(told.contains(" deep in slab"), "{told}");
    assert_eq!(rows.len(), 6, "the path is complete");
}

/// The red line, its white start and the capsule are in the picture, which otherwise equals the picture of `render`.
#[test]
fn the_path_is_drawn_into_the_picture() {
    let folder = folder("the_path_is_drawn");
    let model = boxes(&folder, &[("floor", [-4.0, -1.0, -4.0], [4.0, 0.0, 4.0])]);
    let script = script(&folder, "100,0.02,2,0,0,0");
    let [plain, path] = ["plain.png", "path.png"].map(|name| folder.join(name));
    let camera = "--eye 0,9,0 --target 0,0,0 --ortho 10 --size 200x200";
    let render = line(&format!("render {model} -o {} {camera}", plain.display()));
    let run = walk(&model, &script, &format!("--start -2,0,1 --render {} {camera}", path.display()));
    assert_eq!((render.code, run.code, run.stderr.as_str()), (Some(0), Some(0), ""));
    let [plain, path] = [plain, path].map(|file| image::open(file).unwrap().into_rgb8());
    // In the picture, the range of x from -2 to 2 is at the pixels 60 to 140, and z = 1 is at the pixel 120.
    assert_eq!(*path.get_pixel(100, 120), Rgb([230, 40, 40]));
    assert_eq!(*path.get_pixel(60, 120), Rgb([255; 3]));
    let around = |x: u32, y: u32| (55..=150).contains(&x) && (110..=130).contains(&y);
    let is_same = |x: u32, y: u32| around(x, y) || plain.get_pixel(x, y) == path.get_pixel(x, y);
    assert!((0..200).all(|y| (0..200).all(|x| is_same(x, y))));
}

#[test]
fn a_bad_script_names_the_line_and_the_column() {
    let folder = folder("a_bad_script");
    let wrong = [
        ("3,0.02,1,0,0", "line 2: 5 values where the header has 6"),
        ("0,0.02,1,0,0,0", "line 2, column steps: \"0\" must be a whole number from 1 to 4294967295"),
        ("3,0.02,1,0,0,0\n3,-1,1,0,0,0", "line 3, column dt: \"-1\" must be a time above 0, in seconds"),
        ("3,0.02,fast,0,0,0", "line 2, column vx: \"fast\" must be a finite speed"),
        ("3,0.02,0,nan,0,0", "line 2, column vy: \"nan\" must be a finite speed"),
        ("3,0.02,0,0,,0", "line 2, column vz: \"\" must be a finite speed"),
        ("3,0.02,0,0,0,-4", "line 2, column jump: \"-4\" must be a finite speed from 0, where 0 is no jump"),
    ];
    for (rows, expected) in wrong {
        let (file, out) = (script(&folder, rows), folder.join("path.csv"));
        let run = walk("demo", &file, &format!("--start 6,0.3,2 -o {}", out.display()));
        assert_eq!(run.error(), format!("error: {}: {expected}\n", file.display()), "{rows}");
        assert!(!out.exists(), "{rows}");
    }
    let file = script(&folder, "");
    fs::write(&file, "3,0.02,1,0,0,0\n").unwrap();
    let header = format!("error: {}: line 1 must be the header steps,dt,vx,vy,vz,jump\n", file.display());
    assert_eq!(walk("demo", &file, "").error(), header);
    assert!(line("walk demo --script nowhere.csv").error().starts_with("error: nowhere.csv: cannot be read: "));
}

#[test]
fn wrong_usage_exits_with_2() {
    let file = script(&folder("wrong_usage"), "1,0.02,0,0,0,0");
    let wrong = [
        ("--start 1,2", "3 finite numbers"),
        ("--start 1e80,2,3", "below 1e70"),
        ("--capsule 0.3", "2 finite numbers with commas between, such as 1.5,-2, in R,H"),
        ("--capsule 1,1.5", "at least 2 high"),
        ("--capsule 0,1.5", "--capsule 0,1.5: the character's volume must have an extent along every axis"),
        ("--step -1", "expected a number from 0"),
        ("--max-slope 90", "expected degrees from 0 and below 90"),
        ("--gravity -9.81", "expected a number from 0"),
        ("--skin 0", "expected a distance above 0"),
        ("--skin 0.5", "--skin 0.5 is wider than the radius 0.3 of --capsule: give a smaller one"),
        ("-o path.txt", "-o path.txt: paths are written to .csv files"),
        ("--render path.jpg", "--render path.jpg: pictures are written to .png files"),
        ("--size 64x64", "--render"),
        ("--eye 1,2,3 --target 0,0,0", "--render"),
        ("--threads 2", "--render"),
        ("--hide Nobody", "--hide Nobody: there is no entity of this name"),
        ("--animation Run", "has no animations"),
    ];
    for (words, expected) in wrong {
        let run = walk("demo", &file, words);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words}: {run:?}");
        assert!(run.stderr.contains(expected), "{words}: {run:?}");
    }
    let run = line("walk demo");
    assert!(run.code == Some(2) && run.stderr.contains("--script"), "{run:?}");
    assert!(walk("nowhere.glb", &file, "").error().contains("nowhere.glb: there is no such file"));
}
