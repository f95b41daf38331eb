//! Saved meshes and scenes. They are read back with the same answers, to the bit, and no other bytes produce wrong
//! answers.

mod damage;
mod forged;
mod meshes;
mod scenes;
mod subjects;
