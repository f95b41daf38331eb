//! The class `HeightField`.

use crate::arguments::{Column, Points, Row, ThreadCount};
use crate::arrays::{shaped, table};
use crate::each::each;
use crate::error;
use crate::input::{Floats, integers, shape_text};
use crate::own_space::{ShapeAllHits, ShapeHits, ShapePoints, local_ray_questions, nearest};
use crate::rays::cull as cull_of;
use crate::threads::Threads;
use hitscan::height_field::Diagonal;
use numpy::{PyArray2, PyArrayDyn};
use pyo3::prelude::*;
use std::ops::Range;

/// Heights of an array of shape (rows, columns).
pub(crate) struct Heights {
    pub(crate) values: Vec<f32>,
    rows: usize,
    columns: usize,
}

impl Heights {
    pub(crate) fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let floats = Floats::new(value, "heights")?;
        let &[rows, columns] = floats.shape() else {
            return Err(error::value(format!(
                "heights has the shape {}, but must have two dimensions: rows along z, and columns along x",
                shape_text(floats.shape())
            )));
        };
        let slice = floats.slice()?;
        let values: Vec<f32> = (0..rows * columns).map(|place| slice.get(place) as f32).collect();
        match values.iter().position(|height| !height.is_finite()) {
            None => Ok(Self { values, rows, columns }),
            Some(place) => Err(error::value(format!(
                "heights[{}, {}] is {}: a height must be finite, in float32 too; use holes where nothing is known",
                place / columns,
                place % columns,
                slice.get(place)
            ))),
        }
    }

    /// Returns the ranges of rows and columns that begin at a row and column.
    pub(crate) fn ranges(&self, row: usize, column: usize) -> [Range<usize>; 2] {
        [row..row.saturating_add(self.rows), column..column.saturating_add(self.columns)]
    }
}

/// Ground as heights over a grid: `heights` has the shape (rows, columns), rows along z and columns along x, and a cell
/// is `cell_size` wide (x) and deep (z). The first height is at x = z = 0, up is y, and a transform in the scene moves
/// everything.
///
/// `holes` has the row and column of each cell without ground, of shape (n, 2). `diagonal` is the line that cuts a cell
/// into two triangles: "falling" from the corner of least x and z, or "rising".
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct HeightField {
    pub(crate) field: hitscan::HeightField,
}

fn refused(error: impl std::fmt::Display) -> PyErr {
    error::value(error.to_string())
}

#[pymethods]
impl HeightField {
    #[new]
    #[pyo3(signature = (heights, cell_size = [1.0; 2], *, holes = None, diagonal = "falling"))]
    fn new(
        heights: &Bound<'_, PyAny>,
        cell_size: [f64; 2],
        holes: Option<&Bound<'_, PyAny>>,
        diagonal: &str,
    ) -> PyResult<Self> {
        let heights = Heights::new(heights)?;
        let diagonal = match diagonal {
            "falling" => Diagonal::Falling,
            "rising" => Diagonal::Rising,
            _ => return Err(refused(format!("diagonal is {diagonal:?}, but must be \"falling\" or \"rising\""))),
        };
        let cell = cell_size.map(|size| size as f32);
        let field = hitscan::HeightField::new(heights.rows, heights.columns, cell, &heights.values).map_err(refused)?;
        let field = field.with_diagonal(diagonal);
        Ok(Self { field: field.with_holes(cells(holes)?).map_err(refused)? })
    }

    /// Returns the height of the surface above or below each point, of which only x and z count; NaN outside of the field and in holes.
    #[pyo3(signature = (points, *, threads = None))]
    fn height_at<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let (points, threads) = (Points::new(points, "points")?, Threads::new(threads)?);
        let slice = points.slice()?;
        let heights = threads.brief().run(py, slice.count, || {
            each(slice.count, 256, |place| {
                let point = slice.get(place);
                self.field.height_at(point.x as f32, point.z as f32).unwrap_or(f32::NAN)
            })
        })?;
        shaped(py, heights, points.shape())
    }

    /// Returns a field with other heights in a rectangle: an array of shape (rows, columns) that begins at `row` and `column`.
    fn with_heights(&self, row: Row, column: Column, heights: &Bound<'_, PyAny>) -> PyResult<Self> {
        let heights = Heights::new(heights)?;
        let [rows, columns] = heights.ranges(row.0, column.0);
        let mut field = self.field.clone();
        field.set_heights(rows, columns, &heights.values).map_err(refused)?;
        Ok(Self { field })
    }

    /// The heights, of shape (rows, columns).
    #[getter]
    fn heights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        shaped(py, self.field.heights().to_vec(), &[self.field.rows(), self.field.columns()])
    }

    /// The width (x) and depth (z) of a cell.
    #[getter]
    fn cell_size(&self) -> (f32, f32) {
        self.field.cell_size().into()
    }

    /// The row and column of each cell that is a hole, of shape (n, 2).
    #[getter]
    fn holes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        table(py, self.field.holes().map(|cell| cell.map(|index| index as i64)).collect())
    }

    /// The diagonal along which cells are cut: "falling" or "rising".
    #[getter]
    fn diagonal(&self) -> &'static str {
        if self.field.diagonal() == Diagonal::Falling { "falling" } else { "rising" }
    }

    /// The number of triangles: two for each cell, including holes.
    fn __len__(&self) -> usize {
        self.field.triangle_count()
    }

    fn __repr__(&self) -> String {
        let (rows, columns, cell) = (self.field.rows(), self.field.columns(), self.field.cell_size());
        format!("<hitscan.HeightField: {rows} rows, {columns} columns, cells of {} by {}>", cell.x, cell.y)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, this) = (slf.py(), slf.get());
        let arguments = (this.heights(py)?, this.cell_size(), this.holes(py)?, this.diagonal());
        Ok((slf.get_type().getattr("_of")?, arguments.into_pyobject(py)?.into_any()))
    }

    #[staticmethod]
    fn _of(
        heights: &Bound<'_, PyAny>,
        cell_size: [f64; 2],
        holes: Option<&Bound<'_, PyAny>>,
        diagonal: &str,
    ) -> PyResult<Self> {
        Self::new(heights, cell_size, holes, diagonal)
    }
}

local_ray_questions! { HeightField:
    /// Casts rays at this ground alone, in its own space, and returns the first hit of each. The arguments are as for `Mesh.cast`.
    fn cast(this, py, rays; cull: &str = "none") -> ShapeHits {
        let ground = this.field.culled(cull_of(cull)?);
        rays.hits(py, |ray| ground.cast(ray))
    }

    /// Returns for each ray whether it hits this ground. It takes the arguments of `cast`.
    fn is_blocked(this, py, rays; cull: &str = "none") -> Bound<'py, PyArrayDyn<bool>> {
        let ground = this.field.culled(cull_of(cull)?);
        rays.blocked(py, |ray| ground.is_blocked(ray))
    }

    /// Casts rays, and returns every triangle that each ray hits; at a shared edge, that is both triangles. It takes the arguments of `cast`.
    fn cast_all(this, py, rays; cull: &str = "none") -> ShapeAllHits {
        let ground = this.field.culled(cull_of(cull)?);
        rays.all_hits(py, |ray, hits| ground.cast_all(ray, hits))
    }
}

#[pymethods]
impl HeightField {
    /// Returns the nearest point of the ground for each point, in the field's own space.
    #[pyo3(signature = (points, *, threads = None))]
    fn closest_point(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<ShapePoints> {
        nearest(py, points, threads, |point| self.field.closest_point(point))
    }
}

/// Takes the rows and columns of cells.
fn cells(holes: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<[usize; 2]>> {
    let Some(holes) = holes else { return Ok(Vec::new()) };
    let (numbers, shape) = integers(holes, "holes")?;
    if !matches!(shape[..], [_, 2] | [0]) {
        let given = shape_text(&shape);
        return Err(refused(format!(
            "holes has the shape {given}, but must have the shape (n, 2): row and column of each cell"
        )));
    }
    let cell = |(place, cell): (usize, &[i64])| match (usize::try_from(cell[0]), usize::try_from(cell[1])) {
        (Ok(row), Ok(column)) => Ok([row, column]),
        _ => Err(refused(format!("holes[{place}] is {}, {}, but rows and columns are not negative", cell[0], cell[1]))),
    };
    numbers.chunks_exact(2).enumerate().map(cell).collect()
}
