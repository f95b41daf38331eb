//! `hitscan cast`: the answers to rays in bulk, in every format.

use crate::common::tables::{Npy, folder, ray_csv, ray_npy, rows};
use crate::common::{Run, hitscan, line, program, walls};
use hitscan::glam::Vec3;
use hitscan::{CutOuts, Hit, Ray, RayQueries, Side};
use hitscan_io::{EntityId, Model};
use hitscan_random::Random;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const TITLES: &str = "ray,entity,node,triangle,t,px,py,pz,nx,ny,nz,side,u,v";

/// Returns random rays, some of which hit the demo and some of which miss it. Every 50th ray is invalid.
fn rays(count: usize) -> Vec<Ray> {
    let mut random = Random(0x5EED);
    let mut uniform = move || (random.bits() >> 40) as f32 / (1u64 << 24) as f32;
    let ray = |number: usize| {
        let mut between = |low: f32, high: f32| low + (high - low) * uniform();
        let origin = Vec3::new(between(-30.0, 30.0), between(0.5, 15.0), between(-30.0, 30.0));
        let direction = Vec3::new(between(-2.0, 2.0), between(-2.0, 1.0), between(-2.0, 2.0));
        match number % 50 {
            10 => Ray::with_direction(Vec3::NAN, direction),
            30 => Ray::with_direction(origin, Vec3::ZERO),
            _ => Ray::with_direction(origin, direction),
        }
    };
    (0..count).map(ray).collect()
}

fn run_on(file: &Path, more: &[&str]) -> Run {
    hitscan([&["cast", "demo", file.to_str().unwrap()], more].concat())
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The expected row of a hit in the demo. The floats must be read back with the same bits.
struct Expected {
    words: [String; 5],
    floats: [Option<f32>; 9],
}

fn expected(model: &Model, ray: usize, hit: Option<&Hit<EntityId>>) -> Expected {
    let entity = hit.map(|hit| model.entity(hit.id).unwrap());
    // In the demo, all triangles of an entity are in its first part.
    let triangle = hit.and_then(|hit| hit.triangle.inspect(|_| assert_eq!(hit.part, 0)));
    let side = hit.map(|hit| if hit.side == Side::Front { "front" } else { "back" });
    let words = [
        ray.to_string(),
        text(entity.map(|entity| entity.name.clone())),
        text(entity.and_then(|entity| entity.node)),
        text(triangle),
        text(side),
    ];
    let uv = hit.and_then(|hit| hit.triangle.and(hit.uv));
    let of = |get: &dyn Fn(&Hit<EntityId>) -> f32| hit.map(get);
    let floats = [
        of(&|hit| hit.t),
        of(&|hit| hit.point.x),
        of(&|hit| hit.point.y),
        of(&|hit| hit.point.z),
        of(&|hit| hit.normal.x),
        of(&|hit| hit.normal.y),
        of(&|hit| hit.normal.z),
        uv.map(|uv| uv.x),
        uv.map(|uv| uv.y),
    ];
    Expected { words, floats }
}

fn assert_rows(model: &Model, csv: &str, hits: &[(usize, Option<Hit<EntityId>>)]) {
    let rows = rows(csv);
    assert_eq!(rows[0].join(","), TITLES);
    assert_eq!(rows.len(), hits.len() + 1);
    for (row, (ray, hit)) in rows[1..].iter().zip(hits) {
        let expected = expected(model, *ray, hit.as_ref());
        let words = [0, 1, 2, 3, 11].map(|column: usize| row[column].clone());
        assert_eq!(words, expected.words, "{row:?}");
        let floats = [4, 5, 6, 7, 8, 9, 10, 12, 13].map(|column: usize| row[column].parse::<f32>().ok());
        assert_eq!(floats.map(|f| f.map(f32::to_bits)), expected.floats.map(|f| f.map(f32::to_bits)), "{row:?}");
    }
}

fn closest(model: &Model, rays: &[Ray]) -> Vec<(usize, Option<Hit<EntityId>>)> {
    let scene = model.scene().unwrap();
    rays.iter().map(|ray| scene.cast(ray)).enumerate().collect()
}

/// There are more rays than are read at a time, in every format and with any number of threads.
#[test]
fn it_answers_what_the_library_does() {
    let model = Model::demo();
    let rays = rays(5000);
    let hits = closest(&model, &rays);
    let count = hits.iter().filter(|(_, hit)| hit.is_some()).count();
    assert!((1000..4900).contains(&count), "{count} hits");

    let folder = folder("it_answers_what_the_library_does");
    let (csv, npy) = (folder.join("rays.csv"), folder.join("rays.npy"));
    fs::write(&csv, ray_csv(&rays)).unwrap();
    fs::write(&npy, ray_npy(&rays, "<f4", false)).unwrap();
    let printed = run_on(&csv, &[]);
    assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""));
    assert_rows(&model, &printed.stdout, &hits);
    let out = folder.join("hits.csv");
    for (threads, input) in [("1", &csv), ("3", &csv), ("8", &npy)] {
        let run = run_on(input, &["--threads", threads, "-o", out.to_str().unwrap()]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
        assert_eq!(fs::read_to_string(&out).unwrap(), printed.stdout, "{threads} threads");
    }
}

#[test]
fn npz_has_the_same_hits() {
    let model = Model::demo();
    let rays = rays(3000);
    let hits = closest(&model, &rays);
    let folder = folder("npz_has_the_same_hits");
    let (input, out) = (folder.join("rays.npy"), folder.join("hits.npz"));
    fs::write(&input, ray_npy(&rays, "<f4", false)).unwrap();
    let run = run_on(&input, &["-o", out.to_str().unwrap()]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));

    let npz = Npy::read_all(&out);
    let names: Vec<&str> = npz.iter().map(|array| array.name.as_str()).collect();
    assert_eq!(names, ["ray", "entity", "node", "triangle", "t", "point", "normal", "side", "uv", "names"]);
    let [ray, entity, node, triangle, t, point, normal, side, uv, all_names] = &npz[..] else { panic!("{names:?}") };
    let number = rays.len() as u64;
    for (array, kind, shape) in [
        (ray, "<i8", vec![number]),
        (entity, "<i4", vec![number]),
        (node, "<i4", vec![number]),
        (triangle, "<i4", vec![number]),
        (t, "<f4", vec![number]),
        (point, "<f4", vec![number, 3]),
        (normal, "<f4", vec![number, 3]),
        (side, "|i1", vec![number]),
        (uv, "<f4", vec![number, 2]),
    ] {
        assert_eq!((&array.kind, &array.shape), (&format!("'{kind}'"), &shape), "{}", array.name);
    }
    assert_eq!(all_names.strings(), model.entities.iter().map(|entity| entity.name.clone()).collect::<Vec<_>>());

    let (rays, entities, nodes, triangles) =
        (ray.values::<i64>(), entity.values::<i32>(), node.values::<i32>(), triangle.values::<i32>());
    let (sides, ts) = (side.values::<i8>(), t.values::<f32>());
    let (points, normals, uvs) = (point.values::<f32>(), normal.values::<f32>(), uv.values::<f32>());
    for (place, (_, hit)) in hits.iter().enumerate() {
        let integers = (rays[place], entities[place], nodes[place], triangles[place], sides[place]);
        let floats = [ts[place]].into_iter();
        let floats = floats.chain(points[3 * place..][..3].to_vec()).chain(normals[3 * place..][..3].to_vec());
        let floats: Vec<f32> = floats.chain(uvs[2 * place..][..2].to_vec()).collect();
        let Some(hit) = hit else {
            assert_eq!(integers, (place as i64, -1, -1, -1, -1));
            assert!(floats.iter().all(|float| float.is_nan()), "{floats:?}");
            continue;
        };
        let side = i8::from(hit.side == Side::Back);
        let triangle = hit.triangle.map_or(-1, |triangle| triangle as i32);
        assert_eq!(integers, (place as i64, hit.id.0 as i32, hit.id.0 as i32, triangle, side));
        let uv = hit.triangle.and(hit.uv).map_or([f32::NAN; 2], |uv| uv.to_array());
        let expected = [[hit.t].as_slice(), hit.point.as_ref(), hit.normal.as_ref(), &uv].concat();
        let bits = |floats: &[f32]| floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&floats), bits(&expected));
    }
}

#[test]
fn all_has_a_row_for_each_hit() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    let rays = rays(2000);
    let filled = scene.cut_outs(CutOuts::Solid);
    let mut hits = Vec::new();
    let mut expected = Vec::new();
    for (number, ray) in rays.iter().enumerate() {
        filled.cast_all(ray, &mut hits);
        expected.extend(hits.iter().map(|hit| (number, Some(*hit))));
        if hits.is_empty() {
            expected.push((number, None));
        }
    }
    assert!(expected.len() > 3000, "{}", expected.len());
    let folder = folder("all_has_a_row_for_each_hit");
    let (input, out) = (folder.join("rays.csv"), folder.join("hits.npz"));
    fs::write(&input, ray_csv(&rays)).unwrap();
    assert_rows(&model, &run_on(&input, &["--all", "--no-cutout", "--threads", "4"]).stdout, &expected);
    assert_eq!(run_on(&input, &["--all", "--no-cutout", "-o", out.to_str().unwrap()]).code, Some(0));
    let numbers: Vec<i64> = expected.iter().map(|(number, _)| *number as i64).collect();
    assert_eq!(Npy::read_all(&out)[0].values::<i64>(), numbers);
}

#[test]
fn any_says_whether_something_is_in_the_way() {
    let model = Model::demo();
    let rays = rays(2000);
    let blocked: Vec<bool> = closest(&model, &rays).iter().map(|(_, hit)| hit.is_some()).collect();
    let folder = folder("any_says_whether_something_is_in_the_way");
    let (input, out) = (folder.join("rays.csv"), folder.join("blocked.npz"));
    fs::write(&input, ray_csv(&rays)).unwrap();
    let expected: String =
        blocked.iter().enumerate().map(|(ray, &blocked)| format!("{ray},{}\r\n", u8::from(blocked))).collect();
    assert_eq!(run_on(&input, &["--any"]).stdout, format!("ray,blocked\r\n{expected}"));
    assert_eq!(run_on(&input, &["--any", "-o", out.to_str().unwrap()]).code, Some(0));
    let npz = Npy::read_all(&out);
    assert_eq!(npz.iter().map(|array| array.name.as_str()).collect::<Vec<_>>(), ["ray", "blocked"]);
    assert_eq!(npz[1].kind, "'|b1'");
    assert_eq!(npz[1].values::<bool>(), blocked);
}

#[test]
fn arrays_of_every_layout_are_the_same_rays() {
    let folder = folder("arrays_of_every_layout");
    let rays = rays(1500);
    let answers = |name: &str, bytes: Vec<u8>| {
        let file = folder.join(name);
        fs::write(&file, bytes).unwrap();
        let run = run_on(&file, &[]);
        assert_eq!(run.code, Some(0), "{run:?}");
        run.stdout
    };
    let expected = answers("rays.csv", ray_csv(&rays).into_bytes());
    for (number, (kind, fortran)) in
        [("<f4", false), (">f4", false), ("<f8", false), (">f8", true), ("<f4", true)].into_iter().enumerate()
    {
        let found = answers(&format!("{number}.npy"), ray_npy(&rays, kind, fortran));
        assert_eq!(found, expected, "{kind} {fortran}");
    }
}

#[test]
fn ranges_are_closed_and_unusable_rays_miss() {
    let walls = walls::write("ranges_are_closed");
    let input = folder("ranges_are_closed").join("rays.csv");
    let rows = "ox,oy,oz,dx,dy,dz,t_min,t_max\n\
        0.5,-0.25,0,0,0,-2,0,inf\n\
        0.5,-0.25,0,0,0,-2,0.5,0.5\n\
        0.5,-0.25,0,0,0,-2,0.6,2.4\n\
        0.5,-0.25,0,0,0,-2,0.6,2.5\n\
        nan,0,0,0,0,-1,0,9\n\
        0,0,0,0,0,0,0,9\n\
        0.5,-0.25,0,0,0,-2,2,1\n";
    fs::write(&input, rows).unwrap();
    let run = hitscan(["cast", walls.to_str().unwrap(), input.to_str().unwrap()]);
    let near = "near,0,1,0.5,0.5,-0.25,-1.0,0.0,0.0,1.0,front,0.375,0.375";
    let wall = "wall,1,1,2.5,0.5,-0.25,-5.0,0.0,0.0,1.0,front,0.375,0.375";
    let miss = ",,,,,,,,,,,,,";
    let lines: Vec<String> = std::iter::once(TITLES.to_owned())
        .chain(
            [near, near, miss, wall, miss, miss, miss]
                .iter()
                .enumerate()
                .map(|(ray, row)| if *row == miss { format!("{ray}{miss}") } else { format!("{ray},{row}") }),
        )
        .collect();
    assert_eq!(run.stdout, lines.join("\r\n") + "\r\n");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn names_are_quoted_as_csv_asks() {
    let walls = walls::write("names_are_quoted");
    let named = fs::read_to_string(&walls).unwrap().replace("\"near\"", "\"a \\\"big\\\", old\\nwall\"");
    fs::write(&walls, named).unwrap();
    let input = folder("names_are_quoted").join("rays.csv");
    fs::write(&input, "ox,oy,oz,dx,dy,dz\n0.5,-0.25,0,0,0,-1\n").unwrap();
    let run = hitscan(["cast", walls.to_str().unwrap(), input.to_str().unwrap()]);
    assert!(run.stdout.contains("\r\n0,\"a \"\"big\"\", old\nwall\",0,1,"), "{run:?}");
    assert_eq!(rows(&run.stdout)[1][1], "a \"big\", old\nwall");
}

#[test]
fn no_rays_give_no_rows() {
    let folder = folder("no_rays_give_no_rows");
    let (csv, npy) = (folder.join("rays.csv"), folder.join("rays.npy"));
    fs::write(&csv, "ox,oy,oz,dx,dy,dz\n").unwrap();
    fs::write(&npy, ray_npy(&[], "<f4", false)).unwrap();
    for input in [&csv, &npy] {
        let run = run_on(input, &[]);
        assert_eq!((run.code, run.stdout), (Some(0), format!("{TITLES}\r\n")));
        let out = folder.join("hits.npz");
        assert_eq!(run_on(input, &["-o", out.to_str().unwrap()]).code, Some(0));
        let npz = Npy::read_all(&out);
        assert_eq!((&npz[0].shape, &npz[5].shape, npz.len()), (&vec![0], &vec![0, 3], 10));
    }
}

#[test]
fn standard_input_is_csv() {
    let mut child = program()
        .args(["cast", "demo", "-", "--any"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"ox,oy,oz,dx,dy,dz\n0,50,0,0,-1,0\n0,50,0,0,1,0\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"ray,blocked\r\n0,1\r\n1,0\r\n");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn a_wrong_row_is_named_and_leaves_no_file() {
    let folder = folder("a_wrong_row");
    let (input, out) = (folder.join("rays.csv"), folder.join("hits.csv"));
    let good = ray_csv(&rays(4000));
    fs::write(&input, format!("{good}1,2,3,4,five,6\n{}", good.lines().nth(1).unwrap())).unwrap();
    let expected = "rays.csv: line 4002: dy is \"five\", which is no number\n";
    let run = run_on(&input, &["-o", out.to_str().unwrap()]);
    assert!(run.error().ends_with(expected), "{run:?}");
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["rays.csv"]);
    // The rows before the error are on standard output, and complete.
    let run = run_on(&input, &[]);
    assert!(run.code == Some(2) && run.stderr.ends_with(expected), "{run:?}");
    assert!(run.stdout.ends_with("\r\n") && rows(&run.stdout).len() > 1000);
}

#[test]
fn errors_say_what_is_wrong_and_what_to_do() {
    let folder = folder("cast_errors");
    let good = folder.join("rays.csv");
    fs::write(&good, "ox,oy,oz,dx,dy,dz\n0,50,0,0,-1,0\n").unwrap();
    let array = |header: &str, data: usize| {
        let header = format!("{header:<117}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), &vec![0; data]].concat()
    };
    let float = |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let files: [(&str, Vec<u8>, &str); 12] = [
        ("rays.txt", vec![], "rays are read from .csv and .npy files, and from - (CSV on standard input)"),
        ("titles.csv", b"x,y,z\n".to_vec(), "titles.csv: line 1 must be the header ox,oy,oz,dx,dy,dz, or "),
        ("short.csv", b"ox,oy,oz,dx,dy,dz\n1,2\n".to_vec(), "short.csv: line 2: 2 values where the header has 6"),
        ("binary.npy", b"PK\x03\x04 something else".to_vec(), "binary.npy: is no readable .npy: it does not begin"),
        ("stub.npy", b"\x93NUM".to_vec(), "stub.npy: is no readable .npy: it is too short"),
        ("shape.npy", array(&float("(4, 3)"), 48), "shape.npy: has the shape (4, 3) where (N, 6) or (N, 8)"),
        ("flat.npy", array(&float("(6,)"), 24), "flat.npy: has the shape (6) where (N, 6) or (N, 8)"),
        ("cut.npy", array(&float("(2, 6)"), 47), "cut.npy: is cut short: the array (2, 6) does not fit"),
        ("vast.npy", array(&float("(9999999999999999, 6)"), 48), "vast.npy: is cut short"),
        ("over.npy", array(&float("(99999999999, 99999999999)"), 48), "over.npy: is no readable .npy: its header"),
        (
            "whole.npy",
            array("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 6), }", 48),
            "whole.npy: holds '<i4' where float32 is needed: save rays.astype(numpy.float32)",
        ),
        ("deep.npy", array(&"(".repeat(5000), 48), "deep.npy: is no readable .npy: its header"),
    ];
    for (name, bytes, expected) in files {
        let file = folder.join(name);
        fs::write(&file, bytes).unwrap();
        let run = run_on(&file, &["-o", folder.join("hits.npz").to_str().unwrap()]);
        assert!(run.error().contains(expected), "{name}: {run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{name}: {run:?}");
    }
    let good = good.to_str().unwrap();
    let nowhere = folder.join("nowhere/hits.csv");
    fs::create_dir_all(folder.join("folder.csv")).unwrap();
    let outs = [
        ("hits.txt".into(), "-o hits.txt: hits are written to .csv and .npz files, or as CSV to standard output"),
        ("hits".into(), "hits are written to .csv and .npz files"),
        (nowhere.display().to_string(), "nowhere/hits.csv: "),
        (folder.join("folder.csv").display().to_string(), "folder.csv: it is a folder"),
    ];
    for (out, expected) in &outs {
        let run = hitscan(["cast", "demo", good, "-o", out]);
        assert!(run.error().contains(expected), "{run:?}");
    }
    for (command, expected) in [
        (format!("cast demo {good} --any --all"), "cannot be used with"),
        (format!("cast demo {good} --threads 0"), "--threads"),
        ("cast demo".into(), "RAYS"),
        ("cast demo nowhere.csv".into(), "nowhere.csv: cannot be read"),
        (format!("cast nowhere.glb {good}"), "nowhere.glb: there is no such file"),
        (format!("cast demo {good} --hide Nobody"), "--hide Nobody: there is no entity of this name"),
    ] {
        let run = line(&command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{command}");
        assert!(run.stderr.contains(expected), "{command}: {run:?}");
    }
}

#[test]
fn a_replaced_file_is_whole_and_keeps_its_link() {
    let folder = folder("a_replaced_file");
    let (input, out) = (folder.join("rays.csv"), folder.join("hits.csv"));
    fs::write(&input, "ox,oy,oz,dx,dy,dz\n0,50,0,0,-1,0\n").unwrap();
    fs::write(&out, "something longer than what replaces it\n".repeat(100)).unwrap();
    assert_eq!(run_on(&input, &["--any", "-o", out.to_str().unwrap()]).code, Some(0));
    assert_eq!(fs::read_to_string(&out).unwrap(), "ray,blocked\r\n0,1\r\n");
    // The file of the rays is not overwritten.
    assert!(run_on(&input, &["--any", "-o", input.to_str().unwrap()]).error().contains("would overwrite"));
    assert!(fs::read_to_string(&input).unwrap().starts_with("ox,oy,oz"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::write(&input, "ox,oy,oz,dx,dy,dz\n0,50,0,0,1,0\n").unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.join("link.csv");
        std::os::unix::fs::symlink(&out, &link).unwrap();
        assert_eq!(run_on(&input, &["--any", "-o", link.to_str().unwrap()]).code, Some(0));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&out).unwrap(), "ray,blocked\r\n0,0\r\n");
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&out, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(run_on(&input, &["-o", out.to_str().unwrap()]).error().contains("hits.csv: the file is read-only"));
    }
}

#[test]
fn a_closed_pipe_ends_it_without_an_error() {
    let input = folder("a_closed_pipe").join("rays.npy");
    fs::write(&input, ray_npy(&rays(20_000), "<f4", false)).unwrap();
    let mut child = program()
        .args(["cast", "demo", input.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn hidden_and_culled_surfaces_let_rays_through() {
    let walls = walls::write("hidden_and_culled");
    let input = folder("hidden_and_culled").join("rays.csv");
    fs::write(&input, "ox,oy,oz,dx,dy,dz\n0.5,-0.25,0,0,0,-1\n0.5,-0.25,-30,0,0,1\n").unwrap();
    let entities = |more: &[&str]| -> Vec<String> {
        let run = hitscan([&["cast", walls.to_str().unwrap(), input.to_str().unwrap()], more].concat());
        rows(&run.stdout)[1..].iter().map(|row| row[1].clone()).collect()
    };
    assert_eq!(entities(&[]), ["near", "node2"]);
    assert_eq!(entities(&["--hide", "near", "--hide", "node2"]), ["wall", "wall"]);
    assert_eq!(entities(&["--cull", "back"]), ["near", ""]);
    assert_eq!(entities(&["--cull", "front"]), ["", "node2"]);
}
