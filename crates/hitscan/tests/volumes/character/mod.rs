//! Character movement. The tests are the cases of Jolt's tests of its virtual character, rebuilt from their numbers,
//! and properties of this library's character.

mod abuse;
mod along_rings;
mod contacts;
mod course;
mod ends;
mod field;
mod grounds;
mod insides;
mod jolt;
mod reports;
mod ridges;
mod second_use;
mod shipped;
mod soup;
mod states;
mod surrounded;
mod tight;
pub(crate) mod volumes;
