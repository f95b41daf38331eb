//! Animations between their keys, against the formulas of glTF 2.0, appendix C, written independently.

use crate::file;
use crate::file::read;
use crate::moving::{Curve, add_accessor, add_bytes, animate, at, still};
use hitscan::glam::{DMat3, DQuat, DVec3, DVec4};
use hitscan_io::Model;
use hitscan_random::Random;
use serde_json::{Value, json};

/// Returns a model whose only node follows one curve.
fn following(path: &str, interpolation: &str, times: &[f32], values: &[f32]) -> Model {
    let mut file = still();
    animate(&mut file, "only", &[Curve { interpolation, node: 0, path, times, values }]);
    let model = read(&file).unwrap();
    assert_eq!(model.warnings, []);
    model
}

fn translation(model: &Model, time: f64) -> [f64; 3] {
    at(model, time).node(0).unwrap().translation.to_array()
}

fn matrix(model: &Model, time: f64) -> DMat3 {
    at(model, time).node(0).unwrap().matrix3
}

#[test]
fn a_line_from_key_to_key() {
    let model = following("translation", "LINEAR", &[1.0, 3.0, 3.5], &[0.0, 0.0, 0.0, 8.0, -4.0, 2.0, 8.0, 0.0, 0.0]);
    let cases = [
        (1.0, [0.0, 0.0, 0.0]),
        (1.5, [2.0, -1.0, 0.5]),
        (3.0, [8.0, -4.0, 2.0]),
        (3.25, [8.0, -2.0, 1.0]),
        (3.5, [8.0, 0.0, 0.0]),
        // The values are held before the first key and after the last one.
        (0.0, [0.0, 0.0, 0.0]),
        (-7.0, [0.0, 0.0, 0.0]),
        (f64::NEG_INFINITY, [0.0, 0.0, 0.0]),
        (1e300, [8.0, 0.0, 0.0]),
        (f64::INFINITY, [8.0, 0.0, 0.0]),
    ];
    for (time, expected) in cases {
        assert_eq!(translation(&model, time), expected, "at {time}");
    }
    assert_eq!(model.animations[0].duration, 3.5);
}

#[test]
fn steps_hold_until_the_next_key() {
    let model = following("translation", "STEP", &[1.0, 3.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    for (time, expected) in [(0.0, 1.0), (1.0, 1.0), (2.999, 1.0), (3.0, 4.0), (9.0, 4.0)] {
        assert_eq!(translation(&model, time)[0], expected, "at {time}");
    }
}

/// The curve has in-tangent, value and out-tangent of two keys, two seconds apart.
#[test]
fn a_spline_by_hand() {
    let first = [9.0, 9.0, 9.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    let second = [0.0, 2.0, 0.0, 4.0, 0.0, 1.0, 9.0, 9.0, 9.0];
    let model = following("translation", "CUBICSPLINE", &[1.0, 3.0], &[first, second].concat());
    // The result halfway is a half of each value, plus an eighth of 2 s times the out-tangent. An eighth of 2 s times
    // the in-tangent is subtracted.
    assert_eq!(translation(&model, 2.0), [2.0 + 0.25, -0.5, 1.0]);
    // The result at a quarter is 27/32 and 5/32 of the values, and 9/64 and -3/64 of the tangents over 2 s.
    assert_eq!(translation(&model, 1.5), [5.0 / 32.0 * 4.0 + 9.0 / 32.0, -3.0 / 32.0 * 2.0, 1.0]);
    // At the keys and beyond, the result is the values and not the tangents.
    assert_eq!([translation(&model, 1.0), translation(&model, -1.0)], [[0.0, 0.0, 1.0]; 2]);
    assert_eq!([translation(&model, 3.0), translation(&model, 8.0)], [[4.0, 0.0, 1.0]; 2]);
}

#[test]
fn one_key_is_everywhere() {
    for (interpolation, values) in [
        ("LINEAR", &[1.0, 2.0, 3.0][..]),
        ("STEP", &[1.0, 2.0, 3.0]),
        ("CUBICSPLINE", &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0]),
    ] {
        let model = following("scale", interpolation, &[2.0], values);
        for time in [-1.0, 0.0, 2.0, 3.0] {
            assert_eq!(matrix(&model, time), DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0)), "{interpolation} {time}");
        }
    }
}

#[test]
fn keys_at_one_time_are_a_jump() {
    let model = following(
        "translation",
        "LINEAR",
        &[0.0, 1.0, 1.0, 2.0],
        &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 8.0, 0.0, 0.0, 9.0, 0.0, 0.0],
    );
    for (time, x) in [(0.5, 2.0), (1.0, 8.0), (1.5, 8.5)] {
        assert_eq!(translation(&model, time)[0], x, "at {time}");
    }
}

/// Returns the difference of two rotations, as matrices.
fn apart(a: DMat3, b: DMat3) -> f64 {
    (a - b).to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max)
}

#[test]
fn rotations_go_the_short_way_at_an_even_pace() {
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2).as_quat().to_array();
    for sign in [1.0, -1.0] {
        let values = [[0.0, 0.0, 0.0, 1.0], quarter.map(|number| sign * number)].concat();
        let model = following("rotation", "LINEAR", &[0.0, 3.0], &values);
        for (time, degrees) in [(0.0, 0.0f64), (0.3, 9.0), (1.0, 30.0), (2.0, 60.0), (3.0, 90.0), (4.0, 90.0)] {
            let expected = DMat3::from_rotation_z(degrees.to_radians());
            assert!(apart(matrix(&model, time), expected) < 1e-7, "{sign} {time}: {}", matrix(&model, time));
        }
    }
}

#[test]
fn the_smallest_angles_and_none_are_turned_by() {
    let [a, b] = [[0.0, 0.0, 0.0, 1.0], [1e-20, 0.0, 0.0, 1.0]];
    let model = following("rotation", "LINEAR", &[0.0, 1.0], &[a, b].concat());
    // Half of the angle is twice the component x. An arc cosine of 1 would lose it.
    let turned = matrix(&model, 0.5);
    assert!((turned.y_axis.z / 1e-20 - 1.0).abs() < 1e-6, "{turned}");
    let model = following("rotation", "LINEAR", &[0.0, 1.0], &[b, b].concat());
    assert!((matrix(&model, 0.5).y_axis.z / 2e-20 - 1.0).abs() < 1e-6);
    // The rotations are half a turn about x and half a turn about y. Their quaternions are perpendicular, and so as far apart as possible.
    let opposite = following("rotation", "LINEAR", &[0.0, 1.0], &[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]].concat());
    assert!((matrix(&opposite, 0.5).determinant() - 1.0).abs() < 1e-12);
}

/// A spline that passes through 0 has no direction there.
#[test]
fn a_rotation_of_no_length_is_that_of_the_key_before() {
    let key = |w: f32| [[0.0; 4], [0.0, 0.0, 0.0, w], [0.0; 4]].concat();
    let model = following("rotation", "CUBICSPLINE", &[0.0, 1.0], &[key(1.0), key(-1.0)].concat());
    assert_eq!(matrix(&model, 0.5), DMat3::IDENTITY);
}

/// Returns a file with an accessor of integers for the values of the model's only curve.
fn with_integers(mut file: Value, bytes: &[u8], component: u32, shape: &str, count: usize) -> Value {
    let view = add_bytes(&mut file, bytes);
    let output = add_accessor(
        &mut file,
        json!({"bufferView": view, "componentType": component, "normalized": true, "count": count, "type": shape}),
    );
    file["animations"][0]["samplers"][0]["output"] = output.into();
    file
}

#[test]
fn integers_are_parts_of_one() {
    let mut file = still();
    let times = [0.0, 1.0];
    animate(
        &mut file,
        "turn",
        &[Curve {
            interpolation: "LINEAR",
            node: 0,
            path: "rotation",
            times: &times,
            values: &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        }],
    );
    // The keys are half a turn about z and one about x; -128 and -32768 also mean -1.
    let words = [0i16, 0, i16::MIN, 0, i16::MAX, 0, 0, 0].map(i16::to_le_bytes).concat();
    let bytes = [0u8, 0, 128, 0, 127, 0, 0, 0];
    for file in
        [with_integers(file.clone(), &words, 5122, "VEC4", 2), with_integers(file.clone(), &bytes, 5120, "VEC4", 2)]
    {
        let model = read(&file).unwrap();
        assert_eq!(model.warnings, []);
        for (time, axis) in [(0.0, DVec3::Z), (1.0, DVec3::X)] {
            let expected = DMat3::from_quat(DQuat::from_axis_angle(axis, std::f64::consts::PI));
            assert!(apart(matrix(&model, time), expected) < 1e-15, "{time}");
        }
    }
}

#[test]
fn sparse_keys_replace_others() {
    let mut file = still();
    let values = [0.0; 9];
    animate(
        &mut file,
        "hop",
        &[Curve { interpolation: "LINEAR", node: 0, path: "translation", times: &[0.0, 1.0, 2.0], values: &values }],
    );
    let indices = add_bytes(&mut file, &[1]);
    let replacement = add_bytes(&mut file, &file::floats(&[0.0, 6.0, 0.0]));
    let output = file["animations"][0]["samplers"][0]["output"].as_u64().unwrap() as usize;
    file["accessors"][output]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": indices, "componentType": 5121},
        "values": {"bufferView": replacement},
    });
    let model = read(&file).unwrap();
    assert_eq!([0.0, 0.5, 1.0, 1.5].map(|time| translation(&model, time)[1]), [0.0, 3.0, 6.0, 3.0]);
}

fn numbers(random: &mut Random, count: usize, reach: f64) -> Vec<f32> {
    (0..count).map(|_| (reach * random.unit()) as f32).collect()
}

/// Evaluates appendix C of the specification. A value has three numbers, or four for a rotation.
fn by_the_book(interpolation: &str, times: &[f32], values: &[f32], time: f64, is_rotation: bool) -> DVec4 {
    let (width, stride) = (if is_rotation { 4 } else { 3 }, if interpolation == "CUBICSPLINE" { 3 } else { 1 });
    let row = |place: usize| {
        let part = |number: usize| values.get(place * width + number).copied().filter(|_| number < width);
        DVec4::from_array([0, 1, 2, 3].map(|number| f64::from(part(number).unwrap_or(0.0))))
    };
    let value = |key: usize| row(key * stride + stride / 2);
    let times: Vec<f64> = times.iter().map(|&time| f64::from(time)).collect();
    let last = times.len() - 1;
    if time <= times[0] {
        return value(0);
    }
    if time >= times[last] {
        return value(last);
    }
    let k = (0..last).find(|&k| times[k] <= time && time < times[k + 1]).unwrap();
    let td = times[k + 1] - times[k];
    let t = (time - times[k]) / td;
    match interpolation {
        "STEP" => value(k),
        "CUBICSPLINE" => {
            let (b, a) = (row(3 * k + 2), row(3 * k + 3));
            (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * value(k)
                + td * (t.powi(3) - 2.0 * t.powi(2) + t) * b
                + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * value(k + 1)
                + td * (t.powi(3) - t.powi(2)) * a
        }
        _ if is_rotation => {
            let (from, to) = (value(k).normalize(), value(k + 1).normalize());
            let d = from.dot(to);
            let a = d.abs().min(1.0).acos();
            let s = d.signum();
            (from * (a * (1.0 - t)).sin() + to * (s * (a * t).sin())) / a.sin()
        }
        _ => (1.0 - t) * value(k) + t * value(k + 1),
    }
}

#[test]
fn random_curves_are_as_the_specification_has_them() {
    const SEED: u64 = 0x5EED_C04E;
    let mut random = Random(SEED);
    for case in 0..600 {
        let interpolation = ["LINEAR", "STEP", "CUBICSPLINE"][case % 3];
        let is_rotation = case % 2 == 0;
        let keys = 1 + (random.fraction() * 9.0) as usize;
        let mut times: Vec<f32> = (0..keys).map(|_| (random.fraction() * 5.0) as f32).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let each = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
        let width = if is_rotation { 4 } else { 3 };
        let values = numbers(&mut random, times.len() * each * width, 2.0);
        let path = if is_rotation { "rotation" } else { "translation" };
        let model = following(path, interpolation, &times, &values);
        for _ in 0..20 {
            let key = f64::from(times[(random.fraction() * times.len() as f64) as usize]);
            let time = if random.fraction() < 0.2 { key } else { random.fraction() * 7.0 - 1.0 };
            let expected = by_the_book(interpolation, &times, &values, time, is_rotation);
            let at = || format!("seed {SEED:#x}, case {case}, {path} {interpolation} at {time}: {times:?} {values:?}");
            let error = if is_rotation {
                apart(matrix(&model, time), DMat3::from_quat(DQuat::from_vec4(expected.normalize())))
            } else {
                DVec3::from_array(translation(&model, time)).distance(expected.truncate())
            };
            // The tolerance covers the rounding of the sums, which is larger relative to the length of a spline near 0.
            let slack = if is_rotation { 1e-13 / expected.length().min(1.0).powi(2) } else { 1e-13 };
            assert!(error < slack, "{error:e}, {}", at());
        }
    }
}
