//! Walking characters. The characters of hitscan and of rapier take turns on the same courses, with the same inputs.
//!
//! A referee that shares no code with either contender counts the faults. It computes the distances of the
//! capsule's segment to the triangles around it, in f64.

mod course;
mod hitscan;
#[cfg(feature = "peers")]
mod rapier;
mod referee;
mod walkers;

use anyhow::Result;
use clap::Args;
use course::Course;
use referee::{Faults, Referee};
use std::time::Instant;
use walkers::{HEIGHT, RADIUS, Walkers};

/// Walks hitscan's and rapier's characters over the same courses
#[derive(Args)]
pub(crate) struct WalkArgs {
    /// The number of characters on each course
    #[arg(long, default_value_t = 100, value_parser = at_least_one)]
    characters: usize,
    /// The steps of each character, of a 60th of a second
    #[arg(long, default_value_t = 600, value_parser = at_least_one)]
    steps: usize,
    /// The rounds that are measured; the median counts
    #[arg(long, default_value_t = 7, value_parser = at_least_one)]
    rounds: usize,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| format!("`{text}` is no count of at least 1"))
}

/// Runs all courses, and prints a table.
pub(crate) fn run(args: &WalkArgs) -> Result<()> {
    println!(
        "{} characters, {} steps each, {} rounds in turns; a capsule of radius {RADIUS} and height {HEIGHT}",
        args.characters, args.steps, args.rounds
    );
    println!(
        "{:<22}{:<9}{:>9}{:>8}{:>12}{:>8}{:>8}{:>10}",
        "course", "library", "us/step", "ratio", "penetrating", "stuck", "jitter", "grounded"
    );
    for course in course::all() {
        let mut reference = None;
        for (name, time, faults) in measure(&course, args) {
            let first = *reference.get_or_insert(time);
            println!(
                "{:<22}{name:<9}{time:>9.2}{:>8.2}{:>12}{:>8}{:>8}{:>9.1}%",
                course.name,
                time / first,
                faults.penetrating,
                faults.stuck,
                faults.jitter,
                100.0 * faults.grounded as f64 / (args.characters * args.steps) as f64,
            );
        }
    }
    Ok(())
}

/// Returns for each library its name, its median time of a step in microseconds, and its faults.
fn measure(course: &Course, args: &WalkArgs) -> Vec<(&'static str, f64, Faults)> {
    let starts = course.starts(args.characters);
    let crowds = || -> Vec<Box<dyn Walkers>> {
        vec![
            Box::new(hitscan::Crowd::new(course, &starts)),
            #[cfg(feature = "peers")]
            Box::new(rapier::Crowd::new(course, &starts)),
        ]
    };
    let mut times = vec![Vec::new(); crowds().len()];
    for _ in 0..args.rounds {
        for (crowd, times) in crowds().iter_mut().zip(&mut times) {
            let begin = Instant::now();
            for step in 0..args.steps {
                (0..args.characters).for_each(|number| crowd.step(number, course.wanted(number, step)));
            }
            times.push(begin.elapsed().as_secs_f64() * 1e6 / (args.steps * args.characters) as f64);
        }
    }
    let referee = Referee::new(course);
    let judged = crowds().into_iter().map(|mut crowd| (crowd.name(), referee.judge(&mut *crowd, course, args.steps)));
    let medians = times.into_iter().map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    judged.zip(medians).map(|((name, faults), time)| (name, time, faults)).collect()
}
