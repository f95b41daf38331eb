//! An obstacle course for characters, walked from its start to its end.
//!
//! `cargo run --example course -p hitscan` walks it at four update rates. If it is given a file name, it also writes
//! the course and the walked path as a model. From this model, `hitscan render` makes the picture of
//! `docs/collisions.md`:
//!
//! ```text
//! cargo run --release --example course -p hitscan -- target/course.obj
//! hitscan render target/course.obj -o docs/images/course.png --size 1088x660 --eye 32,83,78 \
//!   --target 27.3,0,23.3 --fov-y 26.5
//! ```

mod model;
mod stations;
mod walk;

use hitscan::glam::DVec3;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let course = walk::course();
    println!("{} pieces", course.pieces.len());
    for rate in [30.0, 60.0, 144.0, 360.0] {
        let paths = walk::walk(&course, rate)?;
        let steps: usize = paths.iter().map(Vec::len).sum();
        let length: f64 = paths.iter().flat_map(|path| path.windows(2)).map(|ends| ends[0].distance(ends[1])).sum();
        println!("{rate:>3} Hz: {length:.0} units in {:.0} seconds", steps as f64 / rate);
        if let (Some(file), true) = (std::env::args_os().nth(1), rate == 60.0) {
            write(Path::new(&file), &course, &paths)?;
        }
    }
    Ok(())
}

/// Writes an OBJ file, and its materials in the same folder.
fn write(file: &Path, course: &stations::Course, paths: &[Vec<DVec3>]) -> Result<(), Box<dyn Error>> {
    let colors = file.with_extension("mtl");
    let library = colors.file_name().ok_or("the path names no file")?.display().to_string();
    std::fs::write(file, model::obj(course, paths, &library))?;
    std::fs::write(&colors, model::mtl())?;
    println!("wrote {} and {}", file.display(), colors.display());
    Ok(())
}
