//! Selection of the contents of a region of a window.

use super::Scene;
use super::choice::Choice;
use crate::answers::{Array, Rows, answers, counted};
use crate::arguments::{Layers, ThreadCount};
use crate::camera::{Camera, viewport as viewport_of};
use crate::error;
use crate::input::{Floats, shape_text};
use crate::threads::Threads;
use hitscan::glam::Vec2;
use hitscan::query::SightView;
use hitscan::select::{Region, Rule, Selector};
use pyo3::prelude::*;

/// A selected entity, or an element of it with its numbers.
#[derive(Clone, Copy)]
pub(crate) struct SelectedRow {
    key: i64,
    part: u32,
    numbers: [u32; 2],
}

/// Elements, each with the same count of numbers: 0, 1 or 2.
pub(crate) struct Elements {
    rows: Rows<SelectedRow>,
    numbers: usize,
}

impl Elements {
    fn index(&self) -> Array<i64> {
        let numbers = |row: &SelectedRow| row.numbers.map(i64::from).into_iter().take(self.numbers);
        let shape = [self.rows.rows.len(), self.numbers];
        let shape = if self.numbers == 1 { &shape[..1] } else { &shape[..] };
        Array::new(self.rows.rows.iter().flat_map(numbers).collect(), shape)
    }
}

answers! {
    /// The contents of a region of a window, in the order of entity, part and number.
    Selection of Elements {
        /// The key of the entity.
        key: i64 = |found| found.rows.column(|row| row.key),
        /// The index of the part of a compound; 0 for other entities.
        part: i64 = |found| found.rows.column(|row| i64::from(row.part)),
        /// The index of the triangle or vertex, of shape (n,), or the two vertices of an edge, of shape (n, 2); for entities, an array of shape (n, 0).
        index: i64 = Elements::index,
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.key(py)?.bind(py).len()
    }
}

impl Selection {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<hitscan.Selection: {}>", counted(self.key(py)?.bind(py).len()?, "element")))
    }
}

/// Takes a region: a rectangle of two corners, of shape (2, 2); a circle of its centre and radius, of shape (3,); or a lasso of three corners or more.
fn region(value: &Bound<'_, PyAny>) -> PyResult<Region> {
    let floats = Floats::new(value, "region")?;
    let slice = floats.slice()?;
    let at = |place: usize| Vec2::new(slice.get(2 * place) as f32, slice.get(2 * place + 1) as f32);
    let made = match *floats.shape() {
        [2, 2] => Region::rect(at(0), at(1)),
        [3] => Region::circle(at(0), slice.get(2) as f32),
        [corners, 2] if corners > 2 => Region::lasso(&(0..corners).map(at).collect::<Vec<_>>()),
        ref other => {
            return Err(error::value(format!(
                "region has the shape {}, but must be a rectangle of two pixels, of shape (2, 2), a circle (x, y, radius), of shape (3,), or a lasso of \
                 shape (n, 2)",
                shape_text(other)
            )));
        }
    };
    made.map_err(|fault| error::value(fault.to_string()))
}

fn rule(word: &str) -> PyResult<Rule> {
    match word {
        "touching" => Ok(Rule::Touching),
        "inside" => Ok(Rule::Inside),
        "center" => Ok(Rule::Center),
        _ => Err(error::value(format!("rule is {word:?}, but must be \"touching\", \"inside\" or \"center\""))),
    }
}

/// The kind of elements that are selected.
#[derive(Clone, Copy)]
enum Kind {
    Entities,
    Triangles,
    Vertices,
    Edges,
}

impl Kind {
    fn new(word: &str) -> PyResult<Self> {
        match word {
            "entities" => Ok(Self::Entities),
            "triangles" => Ok(Self::Triangles),
            "vertices" => Ok(Self::Vertices),
            "edges" => Ok(Self::Edges),
            _ => Err(error::value(format!(
                "what is {word:?}, but must be \"entities\", \"triangles\", \"vertices\" or \"edges\""
            ))),
        }
    }

    /// Returns the elements of a scene in a region.
    fn rows(self, selector: &Selector, view: SightView<'_, i64>) -> Vec<SelectedRow> {
        match self {
            Self::Entities => {
                let mut found = Vec::new();
                selector.entities(view, &mut found);
                found.into_iter().map(|key| SelectedRow { key, part: 0, numbers: [0; 2] }).collect()
            }
            Self::Triangles => {
                let mut found = Vec::new();
                selector.triangles(view, &mut found);
                found.iter().map(|of| SelectedRow { key: of.id, part: of.part, numbers: [of.triangle, 0] }).collect()
            }
            Self::Vertices => {
                let mut found = Vec::new();
                selector.vertices(view, &mut found);
                found.iter().map(|of| SelectedRow { key: of.id, part: of.part, numbers: [of.vertex, 0] }).collect()
            }
            Self::Edges => {
                let mut found = Vec::new();
                selector.edges(view, &mut found);
                found.iter().map(|of| SelectedRow { key: of.id, part: of.part, numbers: of.vertices }).collect()
            }
        }
    }

    const fn numbers(self) -> usize {
        match self {
            Self::Entities => 0,
            Self::Triangles | Self::Vertices => 1,
            Self::Edges => 2,
        }
    }
}

#[pymethods]
impl Scene {
    /// Returns the contents of a region of a window: entities, triangles, vertices or edges, as `what` says.
    ///
    /// `viewport` is the width and height of the window. `region` is in its pixels: a rectangle of two corners, of
    /// shape (2, 2); a circle (x, y, radius), of shape (3,); or a lasso of shape (n, 2). `rule` says how much of an
    /// element must be in the region: "touching", all of it "inside", or its "center". With `visible`, only the first
    /// hits of rays are selected. A ray goes through the middle of each square of this many pixels: 1.0 takes a ray for
    /// each pixel.
    ///
    /// Entities that `layers`, `exclude` and `only` leave out hide nothing, unless `hidden_by` chooses the occluders: a
    /// dict with any of the keys "layers", "exclude" and "only", which have the same meanings. With `hidden_by={}`
    /// everything hides. Then a ray selects everything that it hits up to the first occluder.
    #[pyo3(signature = (camera, viewport, region, *, what = "entities", rule = "touching", visible = None, hidden_by = None, layers = None, exclude = None, only = None, threads = None))]
    fn select(
        &self,
        py: Python<'_>,
        camera: &Camera,
        viewport: [f64; 2],
        region: &Bound<'_, PyAny>,
        what: &str,
        rule: &str,
        visible: Option<f64>,
        hidden_by: Option<&Bound<'_, PyAny>>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Selection> {
        let (kind, threads) = (Kind::new(what)?, Threads::new(threads)?);
        let (choice, world) = (Choice::new(layers, exclude, only)?, self.world());
        let hides = hidden_by.map(Choice::of_what_hides).transpose()?;
        let origin = world.ray_origin();
        let camera = camera.camera.relative_to(origin);
        let mut selector =
            Selector::new(&camera, viewport_of(viewport)?, &self::region(region)?).rule(self::rule(rule)?);
        if let Some(spacing) = visible {
            selector = selector.visible(spacing as f32).map_err(|fault| error::value(fault.to_string()))?;
        }
        // A ray goes through each sample.
        let samples = visible.map_or(0.0, |spacing| viewport[0] * viewport[1] / (spacing * spacing)) as usize;
        let rows = threads.run_apart(py, world.work().max(samples), move || {
            let (filter, hides) = (choice.filter(), hides.as_ref().map(Choice::filter));
            let view = world.scene.with(&filter).relative_to(origin);
            kind.rows(&selector, hides.as_ref().map_or(view.into(), |hides| view.hidden_by(hides)))
        })?;
        let shape = [rows.len()];
        Ok(Selection::new(Elements { rows: Rows::new(rows, &shape), numbers: kind.numbers() }))
    }
}
