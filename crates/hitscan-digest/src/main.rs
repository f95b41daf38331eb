//! Checks that the answers to very many rays have the same bits for all methods of computing them.
//!
//! `cargo xtask digest` builds this program for the local platform and for WebAssembly, and runs it.
#![forbid(unsafe_code)]

mod compare;
mod models;
mod native;
mod remote;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use compare::Comparison;
use hitscan_digest::generated;
use models::Case;
use remote::Remote;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compares a digest of the answers to very many rays between instruction sets, qualities of trees, numbers of threads and WebAssembly
#[derive(Parser)]
struct Args {
    /// Approximate number of rays; scenes with more triangles get more of them
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    rays: u64,
    /// Seed of the rays
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only cases with this in their name
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// The library for WebAssembly without vectors
    #[arg(long, value_name = "FILE")]
    wasm_scalar: Option<PathBuf>,
    /// The library for WebAssembly with vectors
    #[arg(long, value_name = "FILE")]
    wasm_simd128: Option<PathBuf>,
    /// Program that runs WebAssembly
    #[arg(long, value_name = "PROGRAM", default_value = "node")]
    node: PathBuf,
}

/// The number of rays of the smallest case.
const LEAST: u64 = 64;

fn main() -> Result<ExitCode> {
    let args = Args::parse();
    let cases = cases(&args.only)?;
    let mut comparison = Comparison::new(args.seed)?;
    for (name, file) in [("scalar", &args.wasm_scalar), ("simd128", &args.wasm_simd128)] {
        match file {
            Some(file) => comparison.remotes.push(Remote::start(&args.node, file, name)?),
            None => println!("skipped: wasm32 {name}"),
        }
    }
    let total: f64 = cases.iter().map(weight).sum();
    println!("{:>9}  {:>9}  {:>6}  {:16}  what", "size", "rays", "hit", "digest");
    for case in &cases {
        let share = args.rays as f64 * weight(case) / total;
        comparison.case(&case.0, &case.1, (share as u64 / case.1.cost()).max(LEAST))?;
    }
    Ok(if comparison.conclude() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cases(only: &str) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = generated().into_iter().map(|(name, content)| (name.to_owned(), content)).collect();
    match models::folder() {
        Some(folder) => cases.extend(models::load(&folder).with_context(|| format!("{}", folder.display()))?),
        None => println!("skipped: the models (set HITSCAN_MODELS to their folder)"),
    }
    cases.retain(|(name, _)| name.contains(only));
    ensure!(!cases.is_empty(), "nothing has {only:?} in its name");
    Ok(cases)
}

/// Returns a case's share of the rays, which grows more slowly than its number of triangles.
fn weight((_, content): &Case) -> f64 {
    (content.size() as f64).sqrt()
}
