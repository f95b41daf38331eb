//! Shapes in Python: static methods of `Shape`.

use super::table::{Part, Shape};
use crate::bindings::docs::docs;

pub(super) fn text(shapes: &[Shape]) -> String {
    let methods: Vec<String> = shapes.iter().map(method).collect();
    format!("use super::*;\n\n#[pymethods]\nimpl Shape {{\n{}}}\n", methods.join("\n"))
}

fn method(shape: &Shape) -> String {
    let kind = |part: &Part| if part.is_vector { "[f64; 3]" } else { "f64" };
    let declared: String = shape.takes.iter().map(|part| format!(", {}: {}", part.python, kind(part))).collect();
    let given: Vec<&str> = shape.takes.iter().map(|part| &*part.python).collect();
    let taken = |part: &Part| match part.is_vector {
        true => format!("single({})", part.python),
        false => format!("{} as f32", part.python),
    };
    let (names, taken): (Vec<&str>, Vec<String>) = shape.takes.iter().map(|part| (&*part.name, taken(part))).unzip();
    let (name, says) = (shape.snake(), format!("Makes {}", shape.says[..1].to_lowercase() + &shape.says[1..]));
    format!(
        "{}    #[staticmethod]\n    fn {name}(py: Python<'_>{declared}) -> PyResult<Self> {{\n        let arguments = ({given});\n        \
         let ({}) = ({});\n        Self::made(py, \"{name}\", {}, arguments)\n    }}\n",
        docs(&says, 4),
        names.join(", "),
        taken.join(", "),
        shape.made(),
        given = given.join(", ")
    )
}
