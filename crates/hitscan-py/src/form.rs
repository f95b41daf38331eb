//! The classes `Shape` and `Compound`, and the geometry of entities.

use crate::answers::counted;
use crate::arguments::{Points, ThreadCount, check_rotation, scaled_rotation, transform};
use crate::error;
use crate::height_field::HeightField;
use crate::input::Vectors;
use crate::mesh::Mesh;
use crate::own_space::{Intervals, ShapeHits, ShapePoints, local_ray_questions, nearest, of_points};
use crate::rays::inside as inside_of;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{Aabb, ConvexHull, Geometry, OrientedBox, Volume};
use numpy::{PyArray2, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};
use std::fmt;
use std::sync::Arc;

#[rustfmt::skip]
mod plain;

/// Geometry, and the point that its coordinates are relative to.
#[derive(Clone)]
pub(crate) struct Form {
    pub(crate) geometry: Geometry,
    pub(crate) origin: DVec3,
    /// The points that the coordinates of the parts of a compound are relative to, if not all of them are zero.
    pub(crate) part_origins: Option<Arc<[DVec3]>>,
}

impl From<Geometry> for Form {
    fn from(geometry: Geometry) -> Self {
        Self { geometry, origin: DVec3::ZERO, part_origins: None }
    }
}

/// A shape for scenes: a solid, a flat surface, a hull, or points and lines, which only `Scene.select` and `Cursor` find. Sweeps and overlaps take spheres,
/// capsules, cylinders, cones, boxes, hulls and points.
///
/// Each is made by its own function: `Shape.sphere(1.0)`, `Shape.box([-1, -1, -1], [1, 1, 1])`. A transform in the scene moves, turns and stretches it.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Shape {
    geometry: Option<Geometry>,
    volume: Option<Volume>,
    /// The function that made it, and its arguments, for a pickle.
    name: &'static str,
    arguments: Py<PyTuple>,
}

/// Returns the exception for an invalid shape or volume.
fn refused(error: impl fmt::Display) -> PyErr {
    error::value(error.to_string())
}

fn single(vector: [f64; 3]) -> Vec3 {
    Vec3::from_array(vector.map(|number| number as f32))
}

impl Shape {
    /// Takes a shape, which is also kept as a volume if sweeps and overlaps take it.
    fn made<'py>(
        py: Python<'py>,
        name: &'static str,
        shape: impl Into<hitscan::Shape>,
        arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
    ) -> PyResult<Self> {
        let shape: hitscan::Shape = shape.into();
        shape.validate().map_err(refused)?;
        let arguments = arguments.into_pyobject(py)?.unbind();
        Ok(Self { geometry: Some(shape.into()), volume: shape.volume(), name, arguments })
    }

    /// Returns the volume for sweeps and overlaps; an error for a shape that is no volume.
    pub(crate) fn volume(&self) -> PyResult<Volume> {
        self.volume.clone().ok_or_else(|| {
            error::value(format!(
                "a {} is no volume: sweeps and overlaps take a sphere, capsule, cylinder, cone, box, hull or point",
                self.name
            ))
        })
    }

    fn geometry(&self) -> PyResult<Geometry> {
        self.geometry.clone().ok_or_else(|| {
            error::value("a point or a volume with a margin has no surface: put the shape itself into the scene")
        })
    }
}

#[pymethods]
impl Shape {
    /// Makes a ball.
    #[staticmethod]
    #[pyo3(signature = (radius, center = [0.0; 3]))]
    fn sphere(py: Python<'_>, radius: f64, center: [f64; 3]) -> PyResult<Self> {
        Self::made(py, "sphere", hitscan::Sphere::at(single(center), radius as f32), (radius, center))
    }

    /// Makes a box along the axes, from its least to its greatest corner.
    #[staticmethod]
    fn r#box(py: Python<'_>, min: [f64; 3], max: [f64; 3]) -> PyResult<Self> {
        Self::made(py, "box", Aabb::new(single(min), single(max)), (min, max))
    }

    /// Makes a box around a centre, with half its size along each of its axes and a rotation: a quaternion (x, y, z, w).
    #[staticmethod]
    fn oriented_box(py: Python<'_>, center: [f64; 3], half_size: [f64; 3], rotation: [f64; 4]) -> PyResult<Self> {
        check_rotation(DQuat::from_array(rotation), || "rotation".into())?;
        let turn = scaled_rotation(DQuat::from_array(rotation)).as_quat();
        let shape = OrientedBox::from_rotation(single(center), single(half_size), turn).map_err(refused)?;
        Self::made(py, "oriented_box", shape, (center, half_size, rotation))
    }

    /// Makes the convex hull of points, of shape (n, 3).
    #[staticmethod]
    fn hull(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let positions = positions(points)?;
        let hull = ConvexHull::new(&positions).map_err(refused)?;
        let (geometry, volume) = (Some(Geometry::from(&hull)), Some(Volume::from(&hull)));
        Ok(Self { geometry, volume, name: "hull", arguments: table(py, &positions)? })
    }

    /// Makes a point, as a volume.
    #[staticmethod]
    fn point(py: Python<'_>) -> Self {
        Self { geometry: None, volume: Some(Volume::Point), name: "point", arguments: PyTuple::empty(py).unbind() }
    }

    /// Makes a plane through a point, which faces along its normal.
    #[staticmethod]
    fn plane(py: Python<'_>, point: [f64; 3], normal: [f64; 3]) -> PyResult<Self> {
        let shape = hitscan::Plane::new(single(point), single(normal)).map_err(refused)?;
        Self::made(py, "plane", shape, (point, normal))
    }

    /// Makes a cloud of points, of shape (n, 3), which `Scene.select` and `Cursor` find, and which nothing hits.
    #[staticmethod]
    fn point_cloud(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let positions = positions(points)?;
        let geometry = Some(PointCloud::new(&positions).map_err(refused)?.into());
        Ok(Self { geometry, volume: None, name: "point_cloud", arguments: table(py, &positions)? })
    }

    /// Makes a line through points, of shape (n, 3), which `Scene.select` and `Cursor` find, and which nothing hits.
    #[staticmethod]
    fn polyline(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let positions = positions(points)?;
        let geometry = Some(Polyline::new(&positions).map_err(refused)?.into());
        Ok(Self { geometry, volume: None, name: "polyline", arguments: table(py, &positions)? })
    }

    /// Returns the volume with a margin around it. A sweep of the result stops with this distance from everything.
    fn with_margin(slf: &Bound<'_, Self>, margin: f64) -> PyResult<Self> {
        let volume = slf.get().volume()?.with_margin(margin as f32);
        volume.validate().map_err(refused)?;
        let arguments = (slf.clone(), margin).into_pyobject(slf.py())?.unbind();
        Ok(Self { geometry: None, volume: Some(volume), name: "with_margin", arguments })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let arguments = self.arguments.bind(py);
        let texts: Vec<String> =
            arguments.iter().map(|argument| Ok(argument.repr()?.to_string())).collect::<PyResult<_>>()?;
        Ok(match (self.name, &texts[..]) {
            ("with_margin", [shape, margin]) => format!("{shape}.with_margin({margin})"),
            ("hull" | "point_cloud" | "polyline", _) => {
                format!("hitscan.Shape.{}(<{} points>)", self.name, arguments.get_item(0)?.len()?)
            }
            (name, texts) => format!("hitscan.Shape.{name}({})", texts.join(", ")),
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Py<PyTuple>)> {
        let this = slf.get();
        Ok((PyType::new::<Self>(slf.py()).getattr(this.name)?, this.arguments.clone_ref(slf.py())))
    }
}

/// A shape or hull that answers rays and points alone, outside of a scene.
enum Alone<'a> {
    Shape(&'a hitscan::Shape),
    Hull(&'a ConvexHull),
}

impl Shape {
    fn alone(&self) -> PyResult<Alone<'_>> {
        match &self.geometry {
            Some(Geometry::Shape(shape)) => Ok(Alone::Shape(shape)),
            Some(Geometry::ConvexHull(hull)) => Ok(Alone::Hull(hull)),
            _ => Err(refused(format!("a {} has no surface that this could be asked about", self.name))),
        }
    }

    /// Returns the exception for a question that only shapes of another kind answer.
    fn is_no(&self, kind: &str) -> PyErr {
        refused(format!("this is a {}, but only a {kind} answers this question", self.name))
    }
}

/// Evaluates an expression for a shape or a hull.
macro_rules! ask {
    ($alone:expr, $shape:ident => $answer:expr) => {
        match $alone {
            Alone::Shape($shape) => $answer,
            Alone::Hull($shape) => $answer,
        }
    };
}

local_ray_questions! { Shape:
    /// Casts rays at this shape alone, in its own space, and returns the first hit of each. The arguments are as for `Scene.cast`.
    fn cast(this, py, rays; inside: &str = "exit") -> ShapeHits {
        let inside = inside_of(inside)?;
        ask!(this.alone()?, shape => rays.hits(py, |ray| shape.when_inside(inside).cast(ray)))
    }

    /// Returns for each ray the t alone that `cast` would report, infinity on a miss.
    fn cast_t(this, py, rays;) -> Bound<'py, PyArrayDyn<f32>> {
        ask!(this.alone()?, shape => rays.t(py, |ray| shape.cast_t(ray)))
    }

    /// Returns for each ray whether it hits this shape.
    fn is_blocked(this, py, rays;) -> Bound<'py, PyArrayDyn<bool>> {
        ask!(this.alone()?, shape => rays.blocked(py, |ray| shape.is_blocked(ray)))
    }

    /// Returns where each ray's whole line enters and leaves a box along the axes: two arrays of t.
    ///
    /// The values of t may lie outside of `t_min` to `t_max`. They are NaN where the line misses the box, or the range and the interval do not overlap.
    fn interval(this, py, rays;) -> Intervals<'py> {
        match this.alone()? {
            Alone::Shape(hitscan::Shape::Box(cuboid)) => rays.intervals(py, |ray| cuboid.interval(ray)),
            _ => Err(this.is_no("box")),
        }
    }
}

#[pymethods]
impl Shape {
    /// Returns the nearest point of this shape's surface for each point, in its own space.
    #[pyo3(signature = (points, *, threads = None))]
    fn closest_point(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<ShapePoints> {
        ask!(self.alone()?, shape => nearest(py, points, threads, |point| shape.closest_point(point)))
    }

    /// Returns for each point whether it is inside this shape or on its surface, in its own space. A flat shape contains nothing. For a hull, points are
    /// rounded to float32.
    #[pyo3(signature = (points, *, threads = None))]
    fn contains<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let found = Points::new(points, "points")?;
        match self.alone()? {
            // For a box, the comparisons are exact.
            Alone::Shape(hitscan::Shape::Box(cuboid)) => {
                let is_in = |point: DVec3| {
                    let [min, max] = [cuboid.min, cuboid.max].map(|corner| corner.as_dvec3());
                    min.cmple(point).all() && point.cmple(max).all()
                };
                of_points(py, found, threads, is_in)
            }
            Alone::Shape(shape) => of_points(py, found, threads, |point| shape.contains(point)),
            Alone::Hull(hull) => of_points(py, found, threads, |point| hull.contains(point.as_vec3())),
        }
    }

    /// Returns the signed distance of each point from a plane: positive on the side of its normal, negative behind, 0 on it. Points are rounded to
    /// float32, beyond whose range they raise a `ValueError`.
    #[pyo3(signature = (points, *, threads = None))]
    fn signed_distance<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        match self.alone()? {
            Alone::Shape(hitscan::Shape::Plane(plane)) => {
                let points = Points::single(points, "points", DVec3::ZERO)?;
                of_points(py, points, threads, |point| plane.signed_distance(point.as_vec3()))
            }
            _ => Err(self.is_no("plane")),
        }
    }
}

/// Takes points for a hull, a cloud or a line, in float32.
fn positions(points: &Bound<'_, PyAny>) -> PyResult<Vec<Vec3>> {
    let points = Vectors::rows(points, "points")?;
    let slice = points.slice()?;
    Ok((0..slice.count).map(|place| slice.get(place).as_vec3()).collect())
}

/// Returns an argument of points, for a pickle.
fn table(py: Python<'_>, positions: &[Vec3]) -> PyResult<Py<PyTuple>> {
    let rows: Bound<'_, PyArray2<f32>> =
        crate::arrays::table(py, positions.iter().map(|point| point.to_array()).collect())?;
    Ok((rows,).into_pyobject(py)?.unbind())
}

/// Several geometries that are one entity: `Compound([geometry, ..])` or `Compound([(geometry, transform), ..])`. A hit
/// says which part it is on, in this order.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Compound {
    compound: hitscan::Compound,
    /// The origins of the parts, if not all of them are zero.
    origins: Option<Arc<[DVec3]>>,
    /// The parts that it was made of, each with a transform, for a pickle.
    parts: Py<PyList>,
}

#[pymethods]
impl Compound {
    #[new]
    fn new(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (mut placed, mut origins, kept) = (Vec::new(), Vec::new(), PyList::empty(parts.py()));
        for (place, part) in parts.try_iter()?.enumerate() {
            let part = part?;
            let (geometry, given) = match part.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
                Ok((geometry, given)) => (geometry, transform(Some(&given), &format!("parts[{place}][1]"))?),
                Err(_) => (part, DAffine3::IDENTITY),
            };
            let form = form(&geometry)?;
            // The array that was given may change.
            kept.append((geometry, matrix(parts.py(), &given)?))?;
            origins.push(form.origin);
            placed.push((form.geometry, (given * DAffine3::from_translation(form.origin)).into()));
        }
        let compound = hitscan::Compound::new(placed).map_err(refused)?;
        let origins = origins.iter().any(|origin| *origin != DVec3::ZERO).then(|| origins.into());
        Ok(Self { compound, origins, parts: kept.unbind() })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Bound<'py, PyList>,)) {
        (slf.get_type(), (slf.get().parts.bind(slf.py()).clone(),))
    }

    fn __len__(&self) -> usize {
        self.compound.len()
    }

    fn __repr__(&self) -> String {
        format!("<hitscan.Compound: {}>", counted(self.compound.len(), "part"))
    }
}

/// Returns a transform as an array of shape (3, 4), which `transform` takes.
fn matrix<'py>(py: Python<'py>, given: &DAffine3) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (linear, translation) = (given.matrix3, given.translation);
    let row = |axis: usize| [linear.x_axis[axis], linear.y_axis[axis], linear.z_axis[axis], translation[axis]];
    crate::arrays::table(py, vec![row(0), row(1), row(2)])
}

/// Takes the geometry of an entity: a mesh, shape, compound or height field.
pub(crate) fn form(value: &Bound<'_, PyAny>) -> PyResult<Form> {
    if let Ok(mesh) = value.cast::<Mesh>() {
        let surface = &mesh.get().surface;
        return Ok(Form { origin: surface.origin, ..Geometry::from(&surface.mesh).into() });
    }
    if let Ok(shape) = value.cast::<Shape>() {
        return Ok(shape.get().geometry()?.into());
    }
    if let Ok(field) = value.cast::<HeightField>() {
        return Ok(Geometry::from(&field.get().field).into());
    }
    if let Ok(compound) = value.cast::<Compound>() {
        let Compound { compound, origins, .. } = compound.get();
        return Ok(Form { part_origins: origins.clone(), ..Geometry::from(compound).into() });
    }
    let kind = value.get_type();
    Err(error::kind(format!("geometry is {kind}, but must be a hitscan.Mesh, Shape, HeightField or Compound")))
}
