//! Small animated glTF files, made in the test that reads them.

use crate::file::{file, floats, uri};
use hitscan_io::{Model, Pose};
use serde_json::{Value, json};

pub(crate) const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// A triangle in the plane z = 0, and a node that shows it.
pub(crate) fn still() -> Value {
    let accessor = json!({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"});
    file(&[floats(&CORNERS)], json!([accessor]), json!([{"attributes": {"POSITION": 0}}]))
}

/// Adds bytes to a file's buffers, with a view of them; answers its index.
pub(crate) fn add_bytes(file: &mut Value, bytes: &[u8]) -> usize {
    let index = file["buffers"].as_array().unwrap().len();
    let buffer = json!({"byteLength": bytes.len(), "uri": uri(bytes)});
    file["buffers"].as_array_mut().unwrap().push(buffer);
    file["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": index, "byteLength": bytes.len()}));
    index
}

/// Adds an accessor; answers its index.
pub(crate) fn add_accessor(file: &mut Value, accessor: Value) -> usize {
    let accessors = file["accessors"].as_array_mut().unwrap();
    accessors.push(accessor);
    accessors.len() - 1
}

/// Adds an accessor of floats; answers its index.
pub(crate) fn add_floats(file: &mut Value, shape: &str, values: &[f32]) -> usize {
    let view = add_bytes(file, &floats(values));
    let width = ["", "SCALAR", "VEC2", "VEC3", "VEC4"].iter().position(|name| *name == shape).unwrap();
    add_accessor(file, json!({"bufferView": view, "componentType": 5126, "count": values.len() / width, "type": shape}))
}

/// How keys of a channel are joined, what it moves, when, and to what.
pub(crate) struct Curve<'a> {
    pub(crate) interpolation: &'a str,
    pub(crate) node: usize,
    pub(crate) path: &'a str,
    pub(crate) times: &'a [f32],
    pub(crate) values: &'a [f32],
}

/// Adds an animation of these channels.
pub(crate) fn animate(file: &mut Value, name: &str, curves: &[Curve<'_>]) {
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (number, curve) in curves.iter().enumerate() {
        let shape = match curve.path {
            "rotation" => "VEC4",
            "weights" => "SCALAR",
            _ => "VEC3",
        };
        let input = add_floats(file, "SCALAR", curve.times);
        let output = add_floats(file, shape, curve.values);
        samplers.push(json!({"input": input, "output": output, "interpolation": curve.interpolation}));
        channels.push(json!({"sampler": number, "target": {"node": curve.node, "path": curve.path}}));
    }
    let animation = json!({"name": name, "channels": channels, "samplers": samplers});
    match file["animations"].as_array_mut() {
        Some(animations) => animations.push(animation),
        None => file["animations"] = json!([animation]),
    }
}

/// The pose at a time of a model's only animation.
pub(crate) fn at(model: &Model, time: f64) -> Pose {
    let mut pose = model.pose();
    pose.animate(0, time).unwrap();
    pose
}
