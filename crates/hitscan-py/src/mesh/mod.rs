//! The class `Mesh`.

mod answers;
mod build;
mod bytes;
mod cast;
mod hit_list;
mod inside;
mod nearest;
mod neighbours;
mod surface;
mod triangle;

use crate::answers::Rows;
use crate::arguments::{ThreadCount, fault};
use crate::arrays::{shaped, table};
use crate::error;
use crate::input::Vectors;
use crate::rays::{RayArrays, Unusable, cull as cull_of};
use crate::threads::Threads;
pub(crate) use answers::{AllHits, Hits, Nearest};
pub(crate) use build::quality;
pub(crate) use bytes::pickled;
use hit_list::HitList;
use numpy::{PyArray, PyArray2, PyArrayDyn};
use pyo3::prelude::*;
use std::path::PathBuf;
pub(crate) use surface::{Local, Surface};

/// A triangle mesh with its tree.
///
/// `vertices` is an array of shape (n, 3) of any float type, `faces` one of shape (m, 3) of integers: three vertices for each
/// triangle, counter-clockwise seen from the front. The mesh never changes; `refit` makes a mesh of the same faces with other
/// vertices.
///
/// Vertices that float32 cannot hold are kept in float64, and stored in float32 relative to an origin in their middle. So
/// answers about a city in UTM coordinates are right to a millimetre. `origin` sets another origin.
#[pyclass(frozen, module = "hitscan")]
#[derive(Clone)]
pub(crate) struct Mesh {
    pub(crate) surface: Surface,
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (vertices, faces, quality = "balanced", *, origin = None, threads = None))]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        quality: &str,
        origin: Option<[f64; 3]>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Self> {
        let (vertices, quality, threads) =
            (Vectors::rows(vertices, "vertices")?, build::quality(quality)?, Threads::new(threads)?);
        let indices = crate::input::faces(faces, vertices.count())?;
        let origin = origin.map(|origin| build::origin(origin.into())).transpose()?;
        let (slice, is_f32) = (vertices.slice()?, vertices.is_f32());
        let local = py.detach(|| Local::new(slice, is_f32, origin))?;
        let surface = threads.run_apart(py, indices.len() / 3, move || Surface::new(local, &indices, quality))??;
        Ok(Self { surface })
    }

    /// Casts rays, and returns the first hit of each.
    ///
    /// `origins` and `directions` have the shape (..., 3); either may be a single vector. Directions are taken as they are, and t is in
    /// multiples of them. A hit counts if `t_min <= t <= t_max`; among hits with equal t, the lowest triangle wins. `cull` is "none",
    /// "back" or "front": the side that rays go through. A ray that can hit nothing (NaN, no direction) raises a `ValueError`, or misses
    /// with `invalid="miss"`.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, cull = "none", invalid = "raise", threads = None))]
    fn cast(
        &self,
        py: Python<'_>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        t_min: Option<&Bound<'_, PyAny>>,
        t_max: Option<&Bound<'_, PyAny>>,
        cull: &str,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<Hits> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let (cull, unusable, threads) = (cull_of(cull)?, Unusable::new(invalid)?, Threads::new(threads)?);
        let rays = arrays.rays(self.surface.origin)?;
        let found = threads.brief().run(py, rays.count, || {
            let found = cast::closest(&self.surface, &rays, cull, unusable)?;
            Ok(HitList::of_first(&self.surface, &rays, Rows::new(found, &arrays.shape), threads))
        })?;
        Ok(Hits::new(found.map_err(|place| arrays.fault(place))?))
    }

    /// Returns for each ray whether it hits anything. It takes the arguments of `cast`.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, cull = "none", invalid = "raise", threads = None))]
    fn is_blocked<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        t_min: Option<&Bound<'py, PyAny>>,
        t_max: Option<&Bound<'py, PyAny>>,
        cull: &str,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let (cull, unusable, threads) = (cull_of(cull)?, Unusable::new(invalid)?, Threads::new(threads)?);
        let rays = arrays.rays(self.surface.origin)?;
        let found = threads.brief().run(py, rays.count, || cast::any(&self.surface, &rays, cull, unusable))?;
        shaped(py, found.map_err(|place| arrays.fault(place))?, &arrays.shape)
    }

    /// Casts rays, and returns every hit of each: each triangle that a ray hits, by t and then triangle. A hit on a shared edge
    /// counts for both triangles. It takes the arguments of `cast`.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, cull = "none", invalid = "raise", threads = None))]
    fn cast_all(
        &self,
        py: Python<'_>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        t_min: Option<&Bound<'_, PyAny>>,
        t_max: Option<&Bound<'_, PyAny>>,
        cull: &str,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<AllHits> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let (cull, unusable, threads) = (cull_of(cull)?, Unusable::new(invalid)?, Threads::new(threads)?);
        let rays = arrays.rays(self.surface.origin)?;
        let found = threads.run(py, rays.count, || {
            let found = cast::many(&rays, unusable, |ray, hits| self.surface.mesh.culled(cull).cast_all(ray, hits))?;
            Ok(HitList::of_all(&self.surface, &rays, found, threads))
        })?;
        Ok(AllHits::new(found.map_err(|place| arrays.fault(place))?))
    }

    /// Returns the nearest point of the surface for each point, of shape (..., 3).
    ///
    /// `ties="lowest"` takes the lowest of triangles that are equally near. `ties="facing"` takes the triangle whose front
    /// faces the point most, among the triangles at the nearest corner or edge. With it, triangles that are farther by at
    /// most `tie_tolerance` also count as equally near.
    #[pyo3(signature = (points, *, ties = "lowest", tie_tolerance = 0.0, threads = None))]
    fn closest_point(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        ties: &str,
        tie_tolerance: f64,
        threads: Option<ThreadCount>,
    ) -> PyResult<Nearest> {
        let (points, threads) = (Vectors::new(points, "points")?, Threads::new(threads)?);
        let ties = nearest::Ties::new(ties, tie_tolerance)?;
        let slice = points.slice()?;
        let ask = || nearest::nearest(&self.surface, (slice, &points.shape), ties, threads);
        let found = threads.brief().run(py, slice.count, ask)?;
        Ok(Nearest::new(found.map_err(|place| fault(&points, "points", place))?))
    }

    /// Returns the distance of each point to the surface: negative inside, positive outside, 0 on it.
    ///
    /// If a mesh is not closed as seen from the point, the generalised winding number (see `winding_number`) decides the sign: negative
    /// from 0.5 on. Without triangles the distance is infinity. trimesh has the opposite sign.
    #[pyo3(signature = (points, *, threads = None))]
    fn signed_distance<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (points, threads) = (Vectors::new(points, "points")?, Threads::new(threads)?);
        let slice = points.slice()?;
        let found = threads.run(py, slice.count, || nearest::signed(&self.surface, slice))?;
        shaped(py, found.map_err(|place| fault(&points, "points", place))?, &points.shape)
    }

    /// Returns for each point whether it is inside. A point on the surface is not inside.
    ///
    /// This is decided exactly for a closed mesh. If a mesh is not closed as seen from the point, the point is inside if its generalised
    /// winding number is at least 0.5 and it is in the box around all triangles.
    #[pyo3(signature = (points, *, threads = None))]
    fn contains<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let (points, threads) = (Vectors::new(points, "points")?, Threads::new(threads)?);
        let slice = points.slice()?;
        let found = threads.run(py, slice.count, || nearest::inside(&self.surface, slice))?;
        shaped(py, found.map_err(|place| fault(&points, "points", place))?, &points.shape)
    }

    /// Returns the generalised winding number of each point: how often the surface goes around it, as a fraction where it is not closed. It is
    /// the sum of the solid angles of all triangles, divided by 4 pi. The error is at most `error_bound`; with 0, every triangle is summed up.
    /// For a closed mesh the number is exact, because it is counted along a ray.
    #[pyo3(signature = (points, *, error_bound = 1e-6, threads = None))]
    fn winding_number<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        error_bound: f64,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (points, threads) = (Vectors::new(points, "points")?, Threads::new(threads)?);
        let slice = points.slice()?;
        if !(error_bound >= 0.0) {
            return Err(error::value(format!("error_bound is {error_bound}, but must not be negative")));
        }
        let found = threads.run(py, slice.count, || nearest::winding_numbers(&self.surface, slice, error_bound))?;
        shaped(py, found.map_err(|place| fault(&points, "points", place))?, &points.shape)
    }

    /// Returns the pairs of triangles that intersect or touch beyond the corners and edges that they share, of shape (n, 2): the lower one first, and each pair
    /// once, in order. The decision is exact on the float32 corners. Corners at one place count as one, so the triangles of a soup are neighbours too.
    #[pyo3(signature = (*, threads = None))]
    fn self_intersections<'py>(
        &self,
        py: Python<'py>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let (mesh, threads) = (self.surface.mesh.clone(), Threads::new(threads)?);
        let found = threads.run_apart(py, self.__len__(), move || {
            let mut pairs = Vec::new();
            mesh.self_intersections(&mut pairs);
            pairs
        })?;
        table(py, found.into_iter().map(|pair| pair.map(i64::from)).collect())
    }

    /// Returns a mesh of the same faces with other vertices, as many as before. The tree is refitted, which takes a small part of the time of a
    /// build. The origin stays.
    #[pyo3(signature = (vertices, *, threads = None))]
    fn refit(&self, py: Python<'_>, vertices: &Bound<'_, PyAny>, threads: Option<ThreadCount>) -> PyResult<Self> {
        let (vertices, threads) = (Vectors::rows(vertices, "vertices")?, Threads::new(threads)?);
        let (slice, is_f32) = (vertices.slice()?, vertices.is_f32());
        let local = py.detach(|| Local::new(slice, is_f32, Some(self.surface.origin)))?;
        let surface = self.surface.clone();
        let surface = threads.run_apart(py, self.__len__(), move || surface.refit(local))??;
        Ok(Self { surface })
    }

    /// Returns the same mesh with a tree of this quality: "fast", "balanced" or "best". The answers are the same.
    #[pyo3(signature = (quality, *, threads = None))]
    fn rebuilt(&self, py: Python<'_>, quality: &str, threads: Option<ThreadCount>) -> PyResult<Self> {
        let (quality, threads) = (build::quality(quality)?, Threads::new(threads)?);
        let surface = self.surface.clone();
        let surface = threads.run_apart(py, self.__len__(), move || surface.rebuilt(quality))?;
        Ok(Self { surface })
    }

    /// Returns the mesh with its tree as bytes, which are the same on every machine.
    fn to_bytes(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| bytes::write(&self.surface))
    }

    /// Makes a mesh of the bytes of `to_bytes`, in any object with the buffer protocol.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = crate::input::bytes(data)?;
        let slice = data.as_slice()?;
        // A triangle takes 12 bytes or more.
        let surface = Threads::new(None)?.run_for_mesh(py, slice.len() / 12, || bytes::read(slice))??;
        Ok(Self { surface })
    }

    /// Writes the bytes of `to_bytes` to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| std::fs::write(&path, bytes::write(&self.surface))).map_err(|fault| error::of_io(&fault, &path))
    }

    /// Opens a file that `save` wrote, mapped into memory rather than read.
    #[staticmethod]
    fn open<'py>(py: Python<'py>, path: &Bound<'py, PyAny>) -> PyResult<Self> {
        Self::from_bytes(py, &crate::input::mapped(path)?)
    }

    /// The vertices, in float64, of shape (n, 3).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.surface.vertices().map(|vertex| vertex.to_array()).collect())
    }

    /// The three vertices of each triangle, of shape (m, 3).
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        table(py, self.surface.faces().map(|face| face.map(i64::from)).collect())
    }

    /// The least and the greatest corner of the box around all triangles, of shape (2, 3); NaN without any.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.surface.bounds().map(|corner| corner.to_array()).to_vec())
    }

    /// The point that float32 coordinates are relative to.
    #[getter]
    fn origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray<f64, numpy::Ix1>> {
        PyArray::from_slice(py, &self.surface.origin.to_array())
    }

    /// The quality of the tree: "fast", "balanced" or "best".
    #[getter]
    fn quality(&self) -> &'static str {
        build::quality_name(self.surface.mesh.quality())
    }

    /// The number of triangles that have no area, so that no ray can hit them.
    #[getter]
    fn degenerate_count(&self) -> usize {
        self.surface.mesh.degenerate_count()
    }

    /// The number of bytes of memory.
    #[getter]
    fn nbytes(&self) -> usize {
        self.surface.bytes()
    }

    fn __len__(&self) -> usize {
        self.surface.mesh.triangle_count()
    }

    fn __sizeof__(&self) -> usize {
        self.surface.bytes()
    }

    fn __repr__(&self) -> String {
        self.surface.describe()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.surface.is_same(&other.get().surface))
    }

    fn __hash__(&self) -> u64 {
        self.surface.digest()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// Returns the token by which dask names tasks: the same for the same mesh in every process.
    fn __dask_tokenize__(&self) -> (&'static str, u64) {
        ("hitscan.Mesh", self.surface.digest())
    }

    fn __reduce_ex__<'py>(
        slf: &Bound<'py, Self>,
        protocol: i32,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let py = slf.py();
        let data = slf.get().to_bytes(py);
        Ok((slf.get_type().getattr("from_bytes")?, (pickled(py, data, protocol)?,)))
    }
}

#[pymethods]
impl Mesh {
    /// Casts rays, and returns the hits at which each ray enters or leaves the mesh. Where it crosses an edge or a corner there is one hit, and where it only
    /// touches one there is none. The arguments are as for `cast`.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, invalid = "raise", threads = None))]
    fn cast_crossings(
        &self,
        py: Python<'_>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        t_min: Option<&Bound<'_, PyAny>>,
        t_max: Option<&Bound<'_, PyAny>>,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<AllHits> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let (unusable, threads) = (Unusable::new(invalid)?, Threads::new(threads)?);
        let rays = arrays.rays(self.surface.origin)?;
        let found = threads.run(py, rays.count, || {
            let found = cast::many(&rays, unusable, |ray, hits| self.surface.mesh.cast_crossings(ray, hits))?;
            Ok(HitList::of_all(&self.surface, &rays, found, threads))
        })?;
        Ok(AllHits::new(found.map_err(|place| arrays.fault(place))?))
    }
}
