//! Pairs for people.

use super::report::{Answer, NearReport, Side};
use crate::output::{one_line, write_table};
use crate::precision::Point;
use crate::report::or_dash;
use std::io::{self, Write};

/// The largest number of pairs of each kind that are listed.
const LISTED: usize = 50;

pub(super) fn write(out: &mut dyn Write, answer: &Answer<'_>) -> io::Result<()> {
    if answer.is_clear() {
        writeln!(out, "nothing overlaps or is too near")?;
        return match &answer.nearest {
            Some(nearest) => {
                writeln!(out, "\nnearest pair")?;
                write_near(out, std::slice::from_ref(nearest))
            }
            None => Ok(()),
        };
    }
    if !answer.overlaps.is_empty() {
        writeln!(out, "{} overlap", pairs(answer.overlaps.len()))?;
        let row = |[first, second]: [&Side<'_>; 2], depth: String, at: String| {
            [named(first), or_dash(first.triangle), named(second), or_dash(second.triangle), depth, at]
        };
        let rows: Vec<_> = answer
            .overlaps
            .iter()
            .take(LISTED)
            .map(|pair| {
                let at = pair.points.as_ref().map(|[point, _]| point.joined());
                row([&pair.first, &pair.second], or_dash(pair.depth), or_dash(at))
            })
            .collect();
        write_table(out, ["FIRST", "TRIANGLE", "SECOND", "TRIANGLE", "DEPTH", "POINT"], &rows)?;
        write_more(out, answer.overlaps.len())?;
    }
    if !answer.inside.is_empty() {
        writeln!(out, "{} have one inside the other", pairs(answer.inside.len()))?;
        let rows: Vec<_> =
            answer.inside.iter().take(LISTED).map(|pair| [named(&pair.first), named(&pair.second)]).collect();
        write_table(out, ["INSIDE", "OF"], &rows)?;
        write_more(out, answer.inside.len())?;
    }
    if !answer.near.is_empty() {
        writeln!(
            out,
            "{} too near",
            if answer.near.len() == 1 { "1 pair is".into() } else { format!("{} pairs are", answer.near.len()) }
        )?;
        write_near(out, &answer.near)?;
    }
    Ok(())
}

/// Returns a number of pairs, as the subject of a sentence in the plural.
fn pairs(count: usize) -> String {
    if count == 1 { "2 parts".into() } else { format!("{count} pairs of parts") }
}

fn named(side: &Side<'_>) -> String {
    one_line(side.entity)
}

fn write_near(out: &mut dyn Write, pairs: &[NearReport<'_>]) -> io::Result<()> {
    let row = |pair: &NearReport<'_>| {
        let [from, to] = pair.points.each_ref().map(Point::joined);
        [
            named(&pair.first),
            or_dash(pair.first.triangle),
            named(&pair.second),
            or_dash(pair.second.triangle),
            pair.distance.to_string(),
            from,
            to,
        ]
    };
    let titles = ["FIRST", "TRIANGLE", "SECOND", "TRIANGLE", "DISTANCE", "FROM", "TO"];
    write_table(out, titles, &pairs.iter().take(LISTED).map(row).collect::<Vec<_>>())?;
    write_more(out, pairs.len())
}

fn write_more(out: &mut dyn Write, count: usize) -> io::Result<()> {
    match count.saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "and {more} more: --json lists them all"),
    }
}
