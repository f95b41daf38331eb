//! Shapes in C. Functions make the plain struct, and another function makes the library's shape from it.

use super::table::Shape;
use crate::bindings::docs::docs;

/// The fields of `HsShape` for vectors and for numbers, in order.
const VECTORS: [&str; 3] = ["a", "b", "c"];
const NUMBERS: [&str; 2] = ["radius", "tube"];

/// Returns the functions that make shapes.
pub(super) fn constructors(shapes: &[Shape]) -> String {
    let constructors: Vec<String> = shapes.iter().map(constructor).collect();
    format!("use super::*;\n\n{}", constructors.join("\n"))
}

/// Returns the function that makes the library's shape.
pub(super) fn conversion(shapes: &[Shape]) -> String {
    let arms: String = shapes.iter().map(arm).collect();
    format!(
        "use hitscan::Shape;\nuse hitscan::glam::Vec3;\n\n/// Returns the library's shape of a kind, from the vectors and the numbers of the plain struct.\n\
         pub(crate) fn of_kind(kind: i32, [a, b, c]: [Vec3; 3], [radius, tube]: [f32; 2]) -> Option<Shape> {{\n    Some(match kind {{\n{arms}        \
         _ => return None,\n    }})\n}}\n"
    )
}

fn constructor(shape: &Shape) -> String {
    let declared = shape.takes.iter().map(|part| match part.is_vector {
        true => format!("{}: *const f32", part.name),
        false => format!("{}: f32", part.name),
    });
    let declared: Vec<String> = declared.collect();
    let fields = shape.vectors().zip(VECTORS).map(|(part, field)| match field {
        "c" => format!("c: [{0}.x, {0}.y, {0}.z, 0.0], ", part.name),
        _ => format!("{field}: {}.to_array(), ", part.name),
    });
    let fields: String =
        fields.chain(shape.numbers().zip(NUMBERS).map(|(part, field)| initial(field, &part.name))).collect();
    let made = format!("HsShape {{ kind: HsShapeKind::{} as i32, {fields}..HsShape::NONE }}", shape.name);
    let names: Vec<&str> = shape.vectors().map(|part| &*part.name).collect();
    let head = format!("{}#[unsafe(no_mangle)]\n", docs(&format!("Returns {}", lower(&shape.says)), 0));
    let name = shape.snake();
    let declared = declared.join(", ");
    if names.is_empty() {
        return format!("{head}pub extern \"C\" fn hs_shape_{name}({declared}) -> HsShape {{\n    {made}\n}}\n");
    }
    let reads: Vec<String> = names.iter().map(|name| format!("vec3({name}, \"{name}\")?")).collect();
    format!(
        "{head}pub unsafe extern \"C\" fn hs_shape_{name}({declared}) -> HsShape {{\n    guard_value(HsShape::INVALID, || {{\n        \
         // SAFETY: The caller keeps the rules of this crate.\n        let ({}) = unsafe {{ ({}) }};\n        Ok({made})\n    }})\n}}\n",
        names.join(", "),
        reads.join(", ")
    )
}

fn arm(shape: &Shape) -> String {
    let bound = shape.vectors().zip(VECTORS).chain(shape.numbers().zip(NUMBERS));
    let bound: Vec<String> = bound
        .filter(|(part, field)| part.name != *field)
        .map(|(part, field)| format!("({}, {field})", part.name))
        .collect();
    let renamed: Vec<(&str, &str)> = bound.iter().filter_map(|pair| pair[1..pair.len() - 1].split_once(", ")).collect();
    let (names, fields): (Vec<&str>, Vec<&str>) = renamed.into_iter().unzip();
    let bind = match names.len() {
        0 => String::new(),
        1 => format!("let {} = {}; ", names[0], fields[0]),
        _ => format!("let ({}) = ({}); ", names.join(", "), fields.join(", ")),
    };
    format!("        {} => {{ {bind}{}.into() }}\n", shape.kind, shape.made())
}

fn lower(says: &str) -> String {
    says[..1].to_lowercase() + &says[1..]
}

/// Returns the initialiser of a field in a struct expression.
fn initial(field: &str, name: &str) -> String {
    if field == name { format!("{field}, ") } else { format!("{field}: {name}, ") }
}
