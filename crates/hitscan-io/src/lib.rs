//! Model files for hitscan.
