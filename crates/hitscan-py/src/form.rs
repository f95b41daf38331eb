//! The classes `Shape` and `Compound`, and what an entity can be made of.

use crate::arguments::{check_rotation, scaled_rotation, transform};
use crate::error;
use crate::height_field::HeightField;
use crate::input::Vectors;
use crate::mesh::Mesh;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Aabb, ConvexHull, Geometry, OrientedBox, PointCloud, Polyline, Volume};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};
use std::fmt;

/// Geometry, and the point that its coordinates are relative to.
#[derive(Clone)]
pub(crate) struct Form {
    pub(crate) geometry: Geometry,
    pub(crate) origin: DVec3,
}

impl From<Geometry> for Form {
    fn from(geometry: Geometry) -> Self {
        Self { geometry, origin: DVec3::ZERO }
    }
}

/// A shape for scenes: a solid, a flat surface, a hull, or points and lines that only regions of a window select. Sweeps and overlaps take spheres, capsules,
/// cylinders, cones, boxes, hulls and points.
///
/// Each is made by its own function: `Shape.sphere(1.0)`, `Shape.box([-1, -1, -1], [1, 1, 1])`. A transform in the scene moves, turns and stretches it.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Shape {
    geometry: Option<Geometry>,
    volume: Option<Volume>,
    /// The function that made it, and its arguments.
    name: &'static str,
    arguments: Py<PyTuple>,
}

/// Returns the exception for a shape or volume that cannot be.
fn refused(error: impl fmt::Display) -> PyErr {
    error::value(error.to_string())
}

fn single(vector: [f64; 3]) -> Vec3 {
    Vec3::from_array(vector.map(|number| number as f32))
}

impl Shape {
    /// Takes a shape that is a volume, too.
    fn solid<'py, S>(
        py: Python<'py>,
        name: &'static str,
        shape: S,
        arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
    ) -> PyResult<Self>
    where
        S: Into<hitscan::Shape> + Into<Volume> + Clone,
    {
        let volume = shape.clone().into();
        Ok(Self { volume: Some(volume), ..Self::surface(py, name, shape, arguments)? })
    }

    /// Takes a shape that is no volume.
    fn surface<'py>(
        py: Python<'py>,
        name: &'static str,
        shape: impl Into<hitscan::Shape>,
        arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
    ) -> PyResult<Self> {
        let shape: hitscan::Shape = shape.into();
        shape.validate().map_err(refused)?;
        let arguments = arguments.into_pyobject(py)?.unbind();
        Ok(Self { geometry: Some(shape.into()), volume: None, name, arguments })
    }

    /// Returns it as a volume that moves or overlaps.
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
        Self::solid(py, "sphere", hitscan::Sphere::at(single(center), radius as f32), (radius, center))
    }

    /// Makes a box along the axes, from its least to its greatest corner.
    #[staticmethod]
    fn r#box(py: Python<'_>, min: [f64; 3], max: [f64; 3]) -> PyResult<Self> {
        Self::solid(py, "box", Aabb::new(single(min), single(max)), (min, max))
    }

    /// Makes a box around a centre, with half its size along each of its axes and a rotation: a quaternion (x, y, z, w).
    #[staticmethod]
    fn oriented_box(py: Python<'_>, center: [f64; 3], half_size: [f64; 3], rotation: [f64; 4]) -> PyResult<Self> {
        check_rotation(DQuat::from_array(rotation), || "rotation".into())?;
        let turn = scaled_rotation(DQuat::from_array(rotation)).as_quat();
        let shape = OrientedBox::from_rotation(single(center), single(half_size), turn).map_err(refused)?;
        Self::solid(py, "oriented_box", shape, (center, half_size, rotation))
    }

    /// Makes a capsule: all that is within a radius of the way from one point to another.
    #[staticmethod]
    fn capsule(py: Python<'_>, start: [f64; 3], end: [f64; 3], radius: f64) -> PyResult<Self> {
        let shape = hitscan::Capsule::between(single(start), single(end), radius as f32);
        Self::solid(py, "capsule", shape, (start, end, radius))
    }

    /// Makes a cylinder between the centres of its ends.
    #[staticmethod]
    fn cylinder(py: Python<'_>, start: [f64; 3], end: [f64; 3], radius: f64) -> PyResult<Self> {
        let shape = hitscan::Cylinder::between(single(start), single(end), radius as f32);
        Self::solid(py, "cylinder", shape, (start, end, radius))
    }

    /// Makes a cone from the centre of its base to its apex.
    #[staticmethod]
    fn cone(py: Python<'_>, base: [f64; 3], apex: [f64; 3], radius: f64) -> PyResult<Self> {
        let shape = hitscan::Cone::between(single(base), single(apex), radius as f32);
        Self::solid(py, "cone", shape, (base, apex, radius))
    }

    /// Makes the convex hull of points, of shape (n, 3).
    #[staticmethod]
    fn hull(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let positions = positions(points)?;
        let hull = ConvexHull::new(&positions).map_err(refused)?;
        let (geometry, volume) = (Some(Geometry::from(&hull)), Some(Volume::from(&hull)));
        Ok(Self { geometry, volume, name: "hull", arguments: table(py, &positions)? })
    }

    /// Makes the volume that is a point.
    #[staticmethod]
    fn point(py: Python<'_>) -> Self {
        Self { geometry: None, volume: Some(Volume::Point), name: "point", arguments: PyTuple::empty(py).unbind() }
    }

    /// Makes a plane through a point, which faces along its normal.
    #[staticmethod]
    fn plane(py: Python<'_>, point: [f64; 3], normal: [f64; 3]) -> PyResult<Self> {
        let shape = hitscan::Plane::new(single(point), single(normal)).map_err(refused)?;
        Self::surface(py, "plane", shape, (point, normal))
    }

    /// Makes a disc, which faces along its normal.
    #[staticmethod]
    fn disc(py: Python<'_>, center: [f64; 3], normal: [f64; 3], radius: f64) -> PyResult<Self> {
        let shape = hitscan::Disc::new(single(center), single(normal), radius as f32);
        Self::surface(py, "disc", shape, (center, normal, radius))
    }

    /// Makes a parallelogram from a corner and its two edges, which faces along their cross product.
    #[staticmethod]
    fn quad(py: Python<'_>, corner: [f64; 3], edge_u: [f64; 3], edge_v: [f64; 3]) -> PyResult<Self> {
        let shape = hitscan::Quad::new(single(corner), single(edge_u), single(edge_v));
        Self::surface(py, "quad", shape, (corner, edge_u, edge_v))
    }

    /// Makes a triangle, counter-clockwise seen from the front.
    #[staticmethod]
    fn triangle(py: Python<'_>, a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> PyResult<Self> {
        Self::surface(py, "triangle", hitscan::Triangle::new(single(a), single(b), single(c)), (a, b, c))
    }

    /// Makes a ring around the y axis.
    #[staticmethod]
    fn torus(py: Python<'_>, major_radius: f64, minor_radius: f64) -> PyResult<Self> {
        let shape = hitscan::Torus::new(major_radius as f32, minor_radius as f32);
        Self::surface(py, "torus", shape, (major_radius, minor_radius))
    }

    /// Makes a cloud of points, of shape (n, 3), which `Scene.select` finds, and which nothing hits.
    #[staticmethod]
    fn point_cloud(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let positions = positions(points)?;
        let geometry = Some(PointCloud::new(&positions).map_err(refused)?.into());
        Ok(Self { geometry, volume: None, name: "point_cloud", arguments: table(py, &positions)? })
    }

    /// Makes a line through points, of shape (n, 3), which `Scene.select` finds, and which nothing hits.
    #[staticmethod]
    fn polyline(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let positions = positions(points)?;
        let geometry = Some(Polyline::new(&positions).map_err(refused)?.into());
        Ok(Self { geometry, volume: None, name: "polyline", arguments: table(py, &positions)? })
    }

    /// Returns the volume with a margin around it. A sweep of it stops that far in front of everything.
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

/// Takes points for a hull, a cloud or a line, in float32.
fn positions(points: &Bound<'_, PyAny>) -> PyResult<Vec<Vec3>> {
    let points = Vectors::rows(points, "points")?;
    let slice = points.slice()?;
    Ok((0..slice.count).map(|place| slice.get(place).as_vec3()).collect())
}

/// Returns an argument of points, for a pickle.
fn table(py: Python<'_>, positions: &[Vec3]) -> PyResult<Py<PyTuple>> {
    let rows: Bound<'_, PyArray2<f32>> =
        crate::mesh::table(py, positions.iter().map(|point| point.to_array()).collect())?;
    Ok((rows,).into_pyobject(py)?.unbind())
}

/// Several geometries that are one entity: `Compound([geometry, ..])` or `Compound([(geometry, transform), ..])`. A hit
/// says which part it is on, in this order.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Compound {
    compound: hitscan::Compound,
    /// The parts that it was made of, each with a transform, for a pickle.
    parts: Py<PyList>,
}

#[pymethods]
impl Compound {
    #[new]
    fn new(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (mut placed, kept) = (Vec::new(), PyList::empty(parts.py()));
        for (place, part) in parts.try_iter()?.enumerate() {
            let part = part?;
            let (geometry, given) = match part.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
                Ok((geometry, given)) => (geometry, transform(Some(&given), &format!("parts[{place}][1]"))?),
                Err(_) => (part, DAffine3::IDENTITY),
            };
            let form = form(&geometry)?;
            // The array that was given may change.
            kept.append((geometry, matrix(parts.py(), &given)?))?;
            placed.push((form.geometry, (given * DAffine3::from_translation(form.origin)).into()));
        }
        Ok(Self { compound: hitscan::Compound::new(placed).map_err(refused)?, parts: kept.unbind() })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Bound<'py, PyList>,)) {
        (slf.get_type(), (slf.get().parts.bind(slf.py()).clone(),))
    }

    fn __len__(&self) -> usize {
        self.compound.len()
    }

    fn __repr__(&self) -> String {
        format!("<hitscan.Compound: {} parts>", self.compound.len())
    }
}

/// Returns a transform as an array of shape (3, 4), which `transform` takes.
fn matrix<'py>(py: Python<'py>, given: &DAffine3) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (linear, translation) = (given.matrix3, given.translation);
    let row = |axis: usize| [linear.x_axis[axis], linear.y_axis[axis], linear.z_axis[axis], translation[axis]];
    crate::mesh::table(py, vec![row(0), row(1), row(2)])
}

/// Takes what an entity is made of.
pub(crate) fn form(value: &Bound<'_, PyAny>) -> PyResult<Form> {
    if let Ok(mesh) = value.cast::<Mesh>() {
        let surface = &mesh.get().surface;
        return Ok(Form { geometry: (&surface.mesh).into(), origin: surface.origin });
    }
    if let Ok(shape) = value.cast::<Shape>() {
        return Ok(shape.get().geometry()?.into());
    }
    if let Ok(field) = value.cast::<HeightField>() {
        return Ok(Geometry::from(&field.get().field).into());
    }
    if let Ok(compound) = value.cast::<Compound>() {
        return Ok(Geometry::from(&compound.get().compound).into());
    }
    let kind = value.get_type();
    Err(error::kind(format!("geometry is {kind}, but must be a hitscan.Mesh, Shape, HeightField or Compound")))
}
