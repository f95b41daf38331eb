//! The five ray tests that the library is based on: plane, sphere, box by slabs, triangle, and triangle by collision
//! matrix. Each formula is compared with exact arithmetic on the same f32 input.

mod collision_matrix;
mod cuboid;
mod exact;
mod input;
mod plane;
mod sphere;
mod triangle;
