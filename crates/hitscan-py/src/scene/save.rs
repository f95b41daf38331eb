//! A scene as bytes: the bytes of the library, whose keys also hold the origin and transform of each entity with an origin, and the origins of the parts of
//! compounds.

use super::world::Placed;
use super::{Scene, World};
use crate::error;
use crate::threads::Threads;
use hitscan::glam::{DAffine3, DVec3};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// The number of bytes of a key, and of a key whose entity has an origin: after the key come the origin and the given transform, column by column.
const KEY: usize = 8;
const KEY_WITH_PLACE: usize = KEY + 8 * (3 + 12);

/// The byte between the key of a compound and the origins of its parts. With it, no such key is as long as [`KEY_WITH_PLACE`].
const PARTS: u8 = 1;

impl World {
    fn to_bytes(&self) -> PyResult<Vec<u8>> {
        let bytes_of = |&key: &i64| {
            let mut bytes = key.to_le_bytes().to_vec();
            if let Some(Placed { origin, given }) = self.placed.get(&key) {
                let numbers = origin.to_array().into_iter().chain(given.to_cols_array());
                bytes.extend(numbers.flat_map(f64::to_le_bytes));
            } else if let Some(origins) = self.part_origins.get(&key) {
                bytes.push(PARTS);
                bytes.extend(origins.iter().flat_map(|origin| origin.to_array()).flat_map(f64::to_le_bytes));
            }
            bytes
        };
        self.scene.to_bytes(bytes_of).map_err(|fault| error::value(fault.to_string()))
    }

    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let mut world = Self::default();
        let scene = hitscan::Scene::from_bytes(bytes, |bytes| {
            let (key, place) = bytes.split_first_chunk::<KEY>()?;
            let key = i64::from_le_bytes(*key);
            match place {
                [] => {}
                _ if bytes.len() == KEY_WITH_PLACE => {
                    world.placed.insert(key, read_place(place)?);
                }
                [PARTS, origins @ ..] => {
                    world.part_origins.insert(key, read_origins(origins)?);
                }
                _ => return None,
            }
            (key >= 0).then_some(key)
        });
        world.scene = scene.map_err(error::of_bytes)?;
        Ok(world)
    }
}

fn read_origins(bytes: &[u8]) -> Option<Arc<[DVec3]>> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
    let (origins, odd) = numbers.as_chunks::<3>();
    let is_sound = rest.is_empty() && odd.is_empty() && numbers.iter().all(|number| number.is_finite());
    is_sound.then(|| origins.iter().copied().map(DVec3::from_array).collect())
}

fn read_place(bytes: &[u8]) -> Option<Placed> {
    let (numbers, _) = bytes.as_chunks::<8>();
    let numbers: [f64; 15] =
        numbers.iter().map(|number| f64::from_le_bytes(*number)).collect::<Vec<_>>().try_into().ok()?;
    let (origin, given) = numbers.split_first_chunk::<3>()?;
    let placed = Placed { origin: DVec3::from_array(*origin), given: DAffine3::from_cols_slice(given) };
    (placed.origin.is_finite() && placed.given.is_finite()).then_some(placed)
}

#[pymethods]
impl Scene {
    /// Returns the scene as bytes: geometries, transforms, layers and order. A mesh that entities share is stored once.
    fn to_bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let world = self.world();
        py.detach(|| world.to_bytes())
    }

    /// Makes a scene of the bytes of `to_bytes`, in any object with the buffer protocol. Every answer has the same bits.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = crate::input::bytes(data)?;
        let slice = data.as_slice()?;
        // A triangle takes 12 bytes or more.
        Ok(Self::of(Threads::new(None)?.run_for_mesh(py, slice.len() / 12, || World::from_bytes(slice))??))
    }

    /// Writes the bytes of `to_bytes` to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let world = self.world();
        py.detach(|| std::fs::write(&path, world.to_bytes()?).map_err(|fault| error::of_io(&fault, &path)))
    }

    /// Opens a file that `save` wrote, mapped into memory rather than read.
    #[staticmethod]
    fn open<'py>(py: Python<'py>, path: &Bound<'py, PyAny>) -> PyResult<Self> {
        Self::from_bytes(py, &crate::input::mapped(path)?)
    }

    /// Returns the token by which dask names tasks.
    fn __dask_tokenize__(&self, py: Python<'_>) -> PyResult<(&'static str, u64)> {
        let world = self.world();
        let digest = py.detach(|| PyResult::Ok(twox_hash::XxHash3_64::oneshot(&world.to_bytes()?)))?;
        Ok(("hitscan.Scene", digest))
    }

    fn __reduce_ex__<'py>(
        slf: &Bound<'py, Self>,
        protocol: i32,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let py = slf.py();
        let data = slf.get().to_bytes(py)?;
        Ok((slf.get_type().getattr("from_bytes")?, (crate::mesh::pickled(py, data, protocol)?,)))
    }
}
