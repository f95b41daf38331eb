//! Selection: solids between meshes that enclose them, and the rules at the edges. Triangles are compared with brute force in `hitscan-io`.

mod edges;
mod form;
mod hides;
mod inside;
mod rings;
mod rules;
mod solids;
mod thin;
mod view;
mod wires;
