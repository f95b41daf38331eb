//! The verdicts for people.

use super::answer::{Answer, PartVerdict};
use super::listed::Listed;
use super::verdict::{Borders, PlacedEdge, Verdict};
use crate::output::{joined, one_line, write_table};
use crate::precision::Point;
use crate::report::or_dash;
use std::io::{self, Write};

/// The largest number of parts that are listed, and of parts whose faults are.
const LISTED: usize = 20;

pub(super) fn write(out: &mut dyn Write, answer: &Answer<'_>, borders: Borders) -> io::Result<()> {
    let faulty = answer.parts.iter().filter(|part| !part.verdict.is_sound).count();
    writeln!(out, "model    {}", one_line(answer.model))?;
    writeln!(out, "verdict  {}", if answer.is_sound { "sound" } else { "has faults" })?;
    writeln!(out, "parts    {}, {faulty} of them with faults", answer.parts.len())?;
    writeln!(out, "whole    {}", summary(&answer.whole, borders))?;
    answer.left_out.iter().try_for_each(|what| writeln!(out, "         {}", one_line(what)))?;
    write_parts(out, &answer.parts, borders)?;
    for part in answer.parts.iter().filter(|part| !part.verdict.is_sound).take(LISTED) {
        writeln!(out, "\n{}", one_line(part.entity))?;
        write_faults(out, &part.verdict, borders)?;
    }
    match faulty.saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "\nand the faults of {more} more: --json lists them all"),
    }
}

fn write_parts(out: &mut dyn Write, parts: &[PartVerdict<'_>], borders: Borders) -> io::Result<()> {
    if parts.is_empty() {
        return Ok(());
    }
    let row = |part: &PartVerdict<'_>| {
        let verdict = &part.verdict;
        [
            one_line(part.entity),
            or_dash(part.node),
            part.instances.to_string(),
            verdict.triangles.to_string(),
            verdict.shells.to_string(),
            rounded(verdict.area),
            or_dash(verdict.volume.map(rounded)),
            summary(verdict, borders),
        ]
    };
    writeln!(out)?;
    let titles = ["ENTITY", "NODE", "INSTANCES", "TRIANGLES", "SHELLS", "AREA", "VOLUME", "VERDICT"];
    write_table(out, titles, &parts.iter().take(LISTED).map(row).collect::<Vec<_>>())?;
    match parts.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "and {more} more: --json lists them all"),
    }
}

fn summary(verdict: &Verdict, borders: Borders) -> String {
    let faults = verdict.faults(borders);
    if faults.is_empty() { "sound".into() } else { faults.join(", ") }
}

/// Returns a size with as many digits as f32 has.
fn rounded(size: f64) -> String {
    (size as f32).to_string()
}

fn write_faults(out: &mut dyn Write, verdict: &Verdict, borders: Borders) -> io::Result<()> {
    let edge = |edge: &PlacedEdge| {
        let (from, to) = (edge.from.joined(), edge.to.joined());
        format!("of triangle {}, {from} to {to}", edge.triangle)
    };
    let point = |point: &Point| point.joined();
    let number = |number: &u32| number.to_string();
    let pair = |pair: &[u32; 2]| joined(pair);
    if borders == Borders::Faults {
        write_list(out, "edges with one triangle", &verdict.boundary_edges, edge)?;
    }
    write_list(out, "edges with more than two triangles", &verdict.crowded_edges, edge)?;
    write_list(out, "vertices that are not manifold", &verdict.pinched_vertices, point)?;
    write_list(out, "flipped triangles", &verdict.flipped_triangles, number)?;
    write_list(out, "shells inside out, by their lowest triangle", &verdict.inside_out_shells, number)?;
    write_list(out, "triangles without area", &verdict.degenerate_triangles, number)?;
    write_list(out, "duplicate triangles", &verdict.duplicate_triangles, pair)?;
    verdict.self_intersections.as_ref().map_or(Ok(()), |found| write_list(out, "self-intersections", found, pair))
}

fn write_list<T>(out: &mut dyn Write, title: &str, list: &Listed<T>, text: impl Fn(&T) -> String) -> io::Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = list.first.iter().map(text).collect();
    let more = match list.count - list.first.len() as u64 {
        0 => String::new(),
        more if shown.is_empty() => format!("{more}"),
        more => format!("; and {more} more"),
    };
    writeln!(out, "  {title}: {}{more}", shown.join("; "))
}
