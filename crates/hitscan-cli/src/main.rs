//! The `hitscan` program.
fn main() {}
