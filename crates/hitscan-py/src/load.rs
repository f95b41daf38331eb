//! Models from files.

use crate::arguments::ThreadCount;
use crate::error;
use crate::mesh::{Mesh, Surface};
use crate::threads::Threads;
use hitscan::Geometry;
use hitscan::glam::{DAffine3, DVec3};
use hitscan_io::{Faults, LoadOptions, Model, Warning};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// Reads a model of glTF, GLB, OBJ, STL or PLY, or one that `hitscan bake` wrote, as one mesh: the triangles of all its entities
/// in their order, in the world's space.
///
/// A file that cannot be opened raises an `OSError`, and a file that is no model raises a `ValueError` that names the fault. The mesh has no textures, and
/// so no holes in leaves and fences. With `lenient`, meshes of a glTF that have a fault are left out, each with a `UserWarning`.
#[pyfunction]
#[pyo3(signature = (path, quality = "balanced", *, lenient = false, threads = None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    quality: &str,
    lenient: bool,
    threads: Option<ThreadCount>,
) -> PyResult<Mesh> {
    let (quality, threads) = (crate::mesh::quality(quality)?, Threads::new(threads)?);
    let (surface, warnings) = threads.run_apart(py, usize::MAX, move || {
        let model = read(&path, lenient)?;
        let mut soup = Soup::default();
        for entity in &model.entities {
            soup.add(&entity.geometry, &entity.transform)
                .map_err(|what| error::value(format!("{}: {} {what}", path.display(), entity.name)))?;
        }
        let surface = Surface::of_vertices(&soup.vertices, &soup.indices, quality)?;
        PyResult::Ok((surface, model.warnings))
    })??;
    warn(py, &warnings)?;
    Ok(Mesh { surface })
}

/// Reads a model. If `lenient`, meshes that have a fault are left out.
pub(crate) fn read(path: &Path, lenient: bool) -> PyResult<Model> {
    let faults = if lenient { Faults::LeaveOut } else { Faults::Refuse };
    Model::load_with(path, LoadOptions::new().faults(faults)).map_err(error::of_file)
}

/// Warns of the meshes that were left out for a fault.
pub(crate) fn warn(py: Python<'_>, warnings: &[Warning]) -> PyResult<()> {
    let faulty = warnings.iter().filter(|warning| matches!(warning, Warning::Faulty { .. }));
    faulty.map(Warning::to_string).try_for_each(|text| {
        // The text of a Python warning ends at the first zero byte.
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
    })
}

/// Triangles of several meshes in one space.
#[derive(Default)]
struct Soup {
    vertices: Vec<DVec3>,
    indices: Vec<u32>,
}

impl Soup {
    fn add(&mut self, geometry: &Geometry, transform: &DAffine3) -> Result<(), &'static str> {
        match geometry {
            Geometry::Mesh(mesh) => {
                let first = u32::try_from(self.vertices.len()).map_err(|_| "has too many vertices for one mesh")?;
                let place = |position: &hitscan::glam::Vec3| transform.transform_point3(position.as_dvec3());
                self.vertices.extend(mesh.positions().iter().map(place));
                // A mirrored mesh keeps its outside.
                let is_mirrored = transform.matrix3.determinant() < 0.0;
                for [a, b, c] in (0..mesh.triangle_count() as u32).filter_map(|triangle| mesh.indices(triangle)) {
                    let corners = if is_mirrored { [a, c, b] } else { [a, b, c] };
                    for index in corners {
                        let index = first.checked_add(index).ok_or("has too many vertices for one mesh")?;
                        self.indices.push(index);
                    }
                }
                Ok(())
            }
            Geometry::Compound(compound) => {
                compound.iter().try_for_each(|(part, own)| self.add(&part, &(*transform * own)))
            }
            _ => Err("has a geometry that is no mesh"),
        }
    }
}
