//! Rows as CSV (RFC 4180).

use super::row::{Answer, Question, Row};
use crate::model::Loaded;
use crate::precision::Precision;
use crate::report::{barycentrics, side, triangle};
use csv::{Terminator, Writer, WriterBuilder};
use hitscan::Hit;
use hitscan_io::EntityId;

const HITS: [&str; 14] =
    ["ray", "entity", "node", "triangle", "t", "px", "py", "pz", "nx", "ny", "nz", "side", "u", "v"];
const BLOCKED: [&str; 2] = ["ray", "blocked"];

/// Returns the header.
pub(super) fn header(question: Question) -> Vec<u8> {
    let header: &[&str] = if question == Question::Any { &BLOCKED } else { &HITS };
    written(|out| out.write_record(header))
}

pub(super) fn encode(rows: &[Row], loaded: &Loaded) -> Vec<u8> {
    written(|out| rows.iter().try_for_each(|row| write(out, row, loaded)))
}

fn written(write: impl FnOnce(&mut Writer<Vec<u8>>) -> csv::Result<()>) -> Vec<u8> {
    let mut out = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    write(&mut out).unwrap_or_else(|error| unreachable!("a vector takes rows of one length: {error}"));
    out.into_inner().unwrap_or_else(|error| unreachable!("a vector takes everything: {error}"))
}

fn write(out: &mut Writer<Vec<u8>>, row: &Row, loaded: &Loaded) -> csv::Result<()> {
    out.write_field(row.ray.to_string())?;
    match &row.answer {
        Answer::Miss => HITS[1..].iter().try_for_each(|_| out.write_field(""))?,
        Answer::Hit(hit) => write_hit(out, hit, loaded)?,
        Answer::Blocked(blocked) => out.write_field(if *blocked { "1" } else { "0" })?,
    }
    out.write_record(None::<&[u8]>)
}

fn write_hit(out: &mut Writer<Vec<u8>>, hit: &Hit<EntityId>, loaded: &Loaded) -> csv::Result<()> {
    let entity = loaded.model.entity(hit.id);
    out.write_field(entity.map_or("", |entity| &entity.name))?;
    out.write_field(text(entity.and_then(|entity| entity.node)))?;
    out.write_field(text(entity.and_then(|entity| triangle(entity, hit))))?;
    let mut float = zmij::Buffer::new();
    out.write_field(float.format(hit.t))?;
    match loaded.precision {
        Precision::Single => hit.point.as_ref().iter().try_for_each(|value| out.write_field(float.format(*value)))?,
        Precision::Double => {
            hit.point_f64().as_ref().iter().try_for_each(|value| out.write_field(float.format(*value)))?;
        }
    }
    hit.normal.as_ref().iter().try_for_each(|value| out.write_field(float.format(*value)))?;
    out.write_field(side(hit.side))?;
    match barycentrics(hit) {
        Some(uv) => uv.iter().try_for_each(|value| out.write_field(float.format(*value))),
        None => ["", ""].iter().try_for_each(|nothing| out.write_field(nothing)),
    }
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
