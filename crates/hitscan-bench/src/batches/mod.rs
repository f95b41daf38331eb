//! Batches of every query, compared with the same single queries on the same number of threads. They are measured
//! alternately, and must have the same answers.

mod calls;
mod questions;
mod subject;

use crate::scenes::{Content, SCENES, Scene};
use anyhow::{Context, Result, ensure};
use calls::Rounds;
use clap::Args;
use questions::Order;
use subject::Subject;

/// Asks every question in batches and one by one
#[derive(Args)]
pub(crate) struct BatchesArgs {
    /// The scenes of the benchmark by name
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_values = ["interior", "igea", "sponza", "instances"])]
    scenes: Vec<String>,
    /// Only questions whose names begin so
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    questions: Vec<String>,
    /// Numbers of threads
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// The largest number of questions in a batch
    #[arg(long, default_value_t = 16_384)]
    most: usize,
    /// The rounds that are measured; the median counts
    #[arg(long, default_value_t = 31)]
    rounds: usize,
}

/// Measures all scenes, and prints a table of each.
pub(crate) fn run(args: &BatchesArgs) -> Result<()> {
    let counts = args.threads.iter().chain([&args.most, &args.rounds]);
    ensure!(!args.threads.is_empty() && counts.into_iter().all(|&count| count > 0), "counts need numbers above 0");
    for name in &args.scenes {
        let entry = SCENES.iter().find(|scene| scene.name == name).with_context(|| {
            let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
            format!("there is no scene {name:?}; there are {}", names.join(", "))
        })?;
        let scene = (entry.load)()?;
        let mut kinds = vec![("a scene", Subject::scene(&scene)?)];
        if let Content::Mesh(soup) = &scene.content {
            kinds.insert(0, ("the mesh", Subject::mesh(soup)?));
        }
        for (kind, subject) in kinds {
            table(name, kind, &scene, &subject, args)?;
        }
    }
    Ok(())
}

/// Prints the speed of batches relative to single questions.
fn table(name: &str, kind: &str, scene: &Scene, subject: &Subject, args: &BatchesArgs) -> Result<()> {
    println!(
        "\n{name}, {kind}: speed of batches beside single questions, and nanoseconds of a single one by one thread\n"
    );
    let columns = Order::ALL.iter().flat_map(|order| args.threads.iter().map(move |threads| (order, threads)));
    let columns: Vec<String> = columns
        .map(|(order, threads)| format!(" {}, {threads} |", order.name()))
        .chain([" one | ns |".into()])
        .collect();
    println!("| question |{}\n|{}", columns.concat(), " --- |".repeat(columns.len() + 2));
    let orders = Order::ALL.map(|order| questions::Asked::new(order, scene, args.most));
    for &question in subject.questions() {
        if !(args.questions.is_empty()
            || args.questions.iter().any(|start| question.name().starts_with(start.as_str())))
        {
            continue;
        }
        let mut cells = Vec::new();
        for asked in &orders {
            for &threads in &args.threads {
                let rounds = Rounds::new(threads, args.rounds)?;
                cells.push(format!("{:.2}", subject.compare(question, asked, &rounds)?.speed));
            }
        }
        let alone = subject.compare(question, &orders[1], &Rounds::of_one(args.rounds)?)?;
        println!("| {} | {} | {:.2} | {:.0} |", question.name(), cells.join(" | "), alone.speed, alone.nanoseconds);
    }
    Ok(())
}
