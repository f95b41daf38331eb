//! The shapes in `docs/shapes.toml`, which consist of a few vectors and numbers, in all languages.

mod c;
mod javascript;
mod python;
mod table;

use crate::files::read;
use crate::shell::root;
use anyhow::{Context, Result};
use table::{TABLE, shapes};
use toml::Table;

/// Returns the paths and the texts of the files of all languages.
pub(super) fn files(notice: &str) -> Result<Vec<(String, String)>> {
    let table: Table = read(&root().join(TABLE))?.parse().with_context(|| format!("{TABLE} is not valid"))?;
    let shapes = shapes(&table)?;
    let file = |path: &str, comment: &str, text: String| {
        (path.to_owned(), format!("{comment} {notice}\n{comment} Shapes are described in `{TABLE}`.\n\n{text}"))
    };
    Ok(vec![
        file("crates/hitscan-capi/src/shape/plain.rs", "//!", c::constructors(&shapes)),
        file("crates/hitscan-capi/src/shape/of_kind.rs", "//!", c::conversion(&shapes)),
        file("crates/hitscan-py/src/form/plain.rs", "//!", python::text(&shapes)),
        file("crates/hitscan-web/src/plain_shapes.rs", "//!", javascript::rust(&shapes)),
        file("npm/src/plainShapes.ts", "//", javascript::typescript(&shapes)),
    ])
}

#[cfg(test)]
mod tests {
    use super::{c, javascript, python, table};

    #[test]
    fn an_entry_is_a_shape_in_each_language() {
        let text = "[[shape]]\nname = 'LongBall'\nkind = 20\nsays = 'A long ball.'\nmake = 'LongBall::at(center, radius)'\n\
                    takes = [{ vec3 = 'center', python = 'middle', is = 'center' }, { number = 'radius' }]\n";
        let shapes = table::shapes(&text.parse().expect("a table")).expect("shapes");
        let has = |text: &str, part: &str| assert!(text.contains(part), "{text}");
        let made = "Ok(HsShape { kind: HsShapeKind::LongBall as i32, a: center.to_array(), radius, ..HsShape::NONE })";
        has(&c::constructors(&shapes), "fn hs_shape_long_ball(center: *const f32, radius: f32) -> HsShape {");
        has(&c::constructors(&shapes), made);
        has(&c::conversion(&shapes), "20 => { let center = a; hitscan::LongBall::at(center, radius).into() }");
        let method = "fn long_ball(py: Python<'_>, middle: [f64; 3], radius: f64) -> PyResult<Self> {\n        let arguments = (middle, radius);\n        \
                      let (center, radius) = (single(middle), radius as f32);\n";
        has(&python::text(&shapes), method);
        has(
            &javascript::rust(&shapes),
            "(20, 4) => { let (center, radius) = (at(row, 0), row[3]); hitscan::LongBall::at(center, radius).into() }",
        );
        has(&javascript::typescript(&shapes), "super(Shape.make(20, [...vec3(center, \"the center\"), radius]));");
    }
}
