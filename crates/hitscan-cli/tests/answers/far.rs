//! Models far from the origin: their measurements, and the hits of rays.

use crate::common::hitscan;
use crate::common::tables::{Npy, folder, rows};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const UTM: [f64; 3] = [448_262.35, 5_411_932.67, 120.0];

/// Writes a cube with an edge length of 0.2 and its lowest corner at [`UTM`], with three decimals.
fn cube(folder: &Path) -> PathBuf {
    let place = |i: u32, axis: usize| UTM[axis] + 0.2 * f64::from(i >> axis & 1);
    let vertices = (0..8).map(|i| format!("v {:.3} {:.3} {:.3}\n", place(i, 0), place(i, 1), place(i, 2)));
    let faces = ["f 1 3 4 2\n", "f 5 6 8 7\n", "f 1 2 6 5\n", "f 3 7 8 4\n", "f 1 5 7 3\n", "f 2 4 8 6\n"];
    let file = folder.join("cube.obj");
    fs::write(&file, vertices.chain(faces.map(str::to_owned)).collect::<String>()).unwrap();
    file
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[track_caller]
fn near(found: &[f64], expected: [f64; 3]) {
    let off = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f64::max);
    assert!(off < 2e-8, "{found:?} is off by {off:e} from {expected:?}");
}

const TOP: [f64; 3] = [UTM[0] + 0.05, UTM[1] + 0.15, UTM[2] + 0.2];

#[test]
fn a_cube_at_utm_coordinates_measures_what_it_is() {
    let folder = folder("a_cube_at_utm_coordinates");
    let cube = cube(&folder);
    let baked = folder.join("cube.bake");
    let paths = |model: &Path| model.to_str().unwrap().to_owned();
    let run = hitscan(["bake", &paths(&cube), "-o", baked.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for model in [paths(&cube), paths(&baked)] {
        let info = hitscan(["info", &model, "--json"]).json(0);
        let [min, max] = ["min", "max"].map(|end| numbers(&info["bounds"][end]));
        near(&min, UTM);
        near(&max, UTM.map(|place| place + 0.2));
        assert_eq!(info["entities"][0]["bounds"], info["bounds"]);
        let eye = numbers(&info["default_camera"]["eye"]);
        assert!(eye.iter().zip(UTM).all(|(eye, place)| (eye - place).abs() < 2.0), "{eye:?}");

        let [x, y, z] = TOP;
        let (from, to) = (format!("{x:.3},{y:.3},{:.3}", z + 9.8), format!("{x:.3},{y:.3},{z:.3}"));
        let looking = ["--eye", &from, "--target", &to, "--up", "0,1,0", "--json"];
        let hits = hitscan([&["pick", &model, "--at", "640,360", "--all"][..], &looking].concat()).hits();
        assert_eq!(hits.len(), 2);
        near(&numbers(&hits[0]["point"]), TOP);
        near(&numbers(&hits[1]["point"]), [x, y, z - 0.2]);
        let [near_t, far_t] = [0, 1].map(|hit| hits[hit]["t"].as_f64().unwrap());
        assert!((near_t - 9.8).abs() < 1e-6 && (far_t - 10.0).abs() < 1e-6, "{near_t} {far_t}");

        let closest = hitscan(["closest", &model, "--to", &from, "--json"]).hits();
        near(&numbers(&closest[0]["point"]), TOP);
        let sweep = ["--shape", "sphere:0.01", "--from", &from, "--motion", "0,0,-20", "--json"];
        let swept = hitscan([&["sweep", &model][..], &sweep].concat()).hits();
        near(&numbers(&swept[0]["point"]), TOP);

        let picture = folder.join("cube.png");
        let render = ["render", &model, "-o", picture.to_str().unwrap(), "--size", "64x64", "--mode", "entity"];
        assert_eq!(hitscan(render).code, Some(0));
    }
}

/// Returns downward rays through the middle of the cube and a millimetre beside the cube.
fn rays() -> Vec<[f64; 6]> {
    let [x, y, z] = TOP;
    let down = |x: f64| [x, y, z + 9.8, 0.0, 0.0, -1.0];
    vec![down(x), down(UTM[0] + 0.199), down(UTM[0] + 0.201), down(UTM[0] - 0.001), [f64::NAN, y, z, 0.0, 0.0, -1.0]]
}

#[test]
fn rays_into_it_are_in_world_coordinates() {
    let folder = folder("rays_into_it");
    let cube = cube(&folder).to_str().unwrap().to_owned();
    let text = |row: &[f64; 6]| row.map(|value| format!("{value:.3}")).join(",");
    let csv: String =
        std::iter::once("ox,oy,oz,dx,dy,dz".to_owned()).chain(rays().iter().map(text)).collect::<Vec<_>>().join("\n");
    let file = folder.join("rays.csv");
    fs::write(&file, csv).unwrap();
    let file = file.to_str().unwrap();
    let hits = rows(&hitscan(["cast", &cube, file]).stdout);
    let number = |row: usize, column: usize| hits[row][column].parse::<f64>().unwrap();
    near(&[number(1, 5), number(1, 6), number(1, 7)], TOP);
    near(&[number(2, 5), number(2, 6), number(2, 7)], [UTM[0] + 0.199, TOP[1], TOP[2]]);
    assert!((number(1, 4) - 9.8).abs() < 1e-6);
    assert!((3..6).all(|row| hits[row][1].is_empty()), "{hits:?}");
    let any = rows(&hitscan(["cast", &cube, file, "--any"]).stdout);
    assert_eq!(any[1..].iter().map(|row| row[1].as_str()).collect::<String>(), "11000");
    let all = rows(&hitscan(["cast", &cube, file, "--all"]).stdout);
    assert_eq!(all[1..].iter().map(|row| row[0].as_str()).collect::<String>(), "0011234");

    let npy = folder.join("rays.npy");
    fs::write(&npy, array(&rays())).unwrap();
    let out = folder.join("hits.npz");
    assert_eq!(hitscan(["cast", &cube, npy.to_str().unwrap(), "-o", out.to_str().unwrap()]).code, Some(0));
    let arrays = Npy::read_all(&out);
    let points = arrays.iter().find(|array| array.name == "point").unwrap();
    assert_eq!((points.kind.as_str(), &points.shape[..]), ("'<f8'", &[5, 3][..]));
    let points: Vec<f64> = points.values();
    near(&points[..3], TOP);
    assert!(points[6..].iter().all(|value| value.is_nan()), "{points:?}");
}

/// Returns an array of float64.
fn array(rays: &[[f64; 6]]) -> Vec<u8> {
    use npyz::WriterBuilder;
    let mut bytes = Vec::new();
    let shape = [rays.len() as u64, 6];
    let mut array = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(&mut bytes).begin_nd().unwrap();
    array.extend(rays.iter().flatten()).unwrap();
    array.finish().unwrap();
    bytes
}

#[test]
fn models_near_the_origin_are_answered_in_f32() {
    let folder = folder("models_near_the_origin");
    let file = folder.join("triangle.obj");
    fs::write(&file, "v 0.1 0 0\nv 1.1 0 0\nv 0.1 1 0\nf 1 2 3\n").unwrap();
    let file = file.to_str().unwrap();
    fs::write(folder.join("rays.csv"), "ox,oy,oz,dx,dy,dz\n0.3,0.3,1,0,0,-1\n").unwrap();
    let run = hitscan(["cast", file, folder.join("rays.csv").to_str().unwrap()]);
    assert_eq!(rows(&run.stdout)[1][5..8], ["0.3", "0.3", "0.0"]);
}
