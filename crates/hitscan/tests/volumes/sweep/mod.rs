//! Sweeps of volumes compared with distances that are computed in another way. No code is shared with the library.

mod bits;
mod blocks;
mod bodies;
mod builds;
mod contacts;
mod edges;
mod entities;
mod field;
mod leaves;
mod oracle;
mod order;
mod rings;
mod rounds;
mod seams;
mod shapes;
mod slivers;
mod solid;
mod stops;
mod surface_normals;
mod triangles;
mod truth;
mod turning;
