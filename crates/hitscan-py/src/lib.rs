//! The extension module `hitscan._hitscan`, which the Python package `hitscan` is made of.
//!
//! Arrays come in through [`input`], and are answered with the interpreter's lock released, on the threads that [`threads`] holds. A
//! question about a mesh is in `mesh`, and a question about a scene in `scene`; answers are objects of `answers`, whose arrays are
//! made when they are asked for.
#![deny(unsafe_code)]

mod answers;
mod arguments;
mod arrays;
mod camera;
mod character;
mod collision_matrix;
mod each;
mod error;
mod form;
mod height_field;
mod input;
mod interrupt;
mod load;
mod local_sweep;
mod matrix;
mod mesh;
mod model;
mod own_space;
mod pair_tracker;
mod poses;
mod rays;
mod scene;
mod simd;
mod threads;

use pyo3::prelude::*;

/// Exact ray casts, closest points and containment. Import `hitscan`, not this module.
#[pymodule(gil_used = false)]
mod _hitscan {
    #[pymodule_export]
    use crate::camera::{Camera, PixelRays, Projections};
    #[pymodule_export]
    use crate::character::{Character, CharacterState, Contact, Moved};
    #[pymodule_export]
    use crate::collision_matrix::{CollisionMatrix, SegmentHits};
    #[pymodule_export]
    use crate::form::{Compound, Shape};
    #[pymodule_export]
    use crate::height_field::HeightField;
    #[pymodule_export]
    use crate::load::load;
    #[pymodule_export]
    use crate::local_sweep::MeshSweeps;
    #[pymodule_export]
    use crate::mesh::{AllHits, Hits, Mesh, Nearest};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::own_space::{ShapeAllHits, ShapeHits, ShapePoints};
    #[pymodule_export]
    use crate::pair_tracker::{PairEvents, PairTracker};
    #[pymodule_export]
    use crate::scene::{
        AllOverlaps, AllPairPenetrations, AllPenetrations, AllSnaps, AllSweeps, ArmEnds, BlastHits, ContactPoints,
        Cursor, Distances,
    };
    #[pymodule_export]
    use crate::scene::{
        Explanation, Grounds, HitSurfaces, Impacts, Ledges, NearPairs, Overlaps, PairPenetrations, PathHits,
        Penetrations, PointMoves,
    };
    #[pymodule_export]
    use crate::scene::{
        Scene, SceneAllHits, SceneHits, ScenePoints, Selection, ShotHit, ShotLegs, Snaps, SolidIntervals,
    };
    #[pymodule_export]
    use crate::scene::{SurfacePoints, Sweeps, TrajectoryHits};
    #[pymodule_export]
    use crate::simd::simd_level;
    #[pymodule_export]
    use crate::threads::thread_count;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::simd::select()?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
