//! Writes the seeds that are made here into folders below the given one. Each target has a folder with its name.

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
