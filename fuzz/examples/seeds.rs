//! Writes the targets' own seeds into folders of their names below the given one.

use hitscan_fuzz::{saved, seeds};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let Some(corpus) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("Usage: seeds FOLDER");
        std::process::exit(2);
    };
    let formats = seeds::all().into_iter().map(|(target, _, seeds)| (target, seeds));
    for (target, seeds) in formats.chain([("saved", saved::seeds())]) {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("own-{number}")), seed)?;
        }
    }
    Ok(())
}
