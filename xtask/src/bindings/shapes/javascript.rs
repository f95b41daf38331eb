//! Shapes in JavaScript. This file makes the classes, and the function that makes the library's shape from the
//! numbers that they give to the module.

use super::table::{Part, Shape};

pub(super) fn rust(shapes: &[Shape]) -> String {
    let arms: String = shapes.iter().map(arm).collect();
    format!(
        "use hitscan::Shape;\nuse hitscan::glam::Vec3;\n\n/// Returns three numbers of a row.\n\
         pub(crate) fn at(row: &[f32], first: usize) -> Vec3 {{\n    Vec3::new(row[first], row[first + 1], row[first + 2])\n}}\n\n/// Returns the shape of a kind from its numbers.\npub(crate) fn plain(kind: u8, row: &[f32]) -> Option<Shape> {{\n    \
         Some(match (kind, row.len()) {{\n{arms}        _ => return None,\n    }})\n}}\n"
    )
}

fn arm(shape: &Shape) -> String {
    let (mut read, mut place) = (Vec::new(), 0);
    for part in &shape.takes {
        read.push(if part.is_vector { format!("at(row, {place})") } else { format!("row[{place}]") });
        place += if part.is_vector { 3 } else { 1 };
    }
    let names: Vec<&str> = shape.takes.iter().map(|part| &*part.name).collect();
    let bind = format!("let ({}) = ({});", names.join(", "), read.join(", "));
    format!("        ({}, {place}) => {{ {bind} {}.into() }}\n", shape.kind, shape.made())
}

pub(super) fn typescript(shapes: &[Shape]) -> String {
    let classes: Vec<String> = shapes.iter().map(class).collect();
    format!(
        "import {{ Shape }} from \"./shapes.js\";\nimport {{ vec3, type Vec3Like }} from \"./vectors.js\";\n\n{}",
        classes.join("\n")
    )
}

fn class(shape: &Shape) -> String {
    let kind = |part: &Part| if part.is_vector { "Vec3Like" } else { "number" };
    let declared: Vec<String> = shape.takes.iter().map(|part| format!("{}: {}", part.javascript, kind(part))).collect();
    let given = |part: &Part| match part.is_vector {
        true => format!("...vec3({}, \"the {}\")", part.javascript, part.is),
        false => part.javascript.clone(),
    };
    let given: Vec<String> = shape.takes.iter().map(given).collect();
    format!(
        "/** {} */\nexport class {} extends Shape {{\n  constructor({}) {{\n    super(Shape.make({}, [{}]));\n  }}\n}}\n",
        shape.says,
        shape.name,
        declared.join(", "),
        shape.kind,
        given.join(", ")
    )
}
