//! Character movement: the cases of Jolt's tests of its virtual character, rebuilt from their numbers, and properties
//! of this one.

mod contacts;
mod course;
mod field;
mod jolt;
mod reports;
mod soup;
