//! The program itself: its help, exit codes and errors, pictures, measurements, windows and pages.

#[path = "../common/mod.rs"]
mod common;

mod animation;
mod bake;
mod bench;
mod framing;
mod inputs;
mod instances;
mod interrupt;
mod program;
mod render;
mod view;
mod web;
