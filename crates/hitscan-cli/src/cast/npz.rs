//! Rows as the arrays of an .npz, which is a zip of .npy files.
//!
//! The length of the arrays is only known at the end, and a zip holds one array after the other. So each array first
//! grows in a temporary file of its own beside OUT.

use super::encoding::Encoded;
use super::row::{Answer, Question, Row};
use crate::file::NewFile;
use crate::model::Loaded;
use crate::precision::Precision;
use crate::report::{barycentrics, triangle};
use anyhow::{Context, Result, ensure};
use hitscan::Side;
use hitscan_io::Entity;
use npyz::WriterBuilder;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A column: its name, numpy's type, and the number of values in a row. With 1, the array has one dimension.
type Column = (&'static str, &'static str, u64);

const HITS: [Column; 9] = [
    ("ray", "<i8", 1),
    ("entity", "<i4", 1),
    ("node", "<i4", 1),
    ("triangle", "<i4", 1),
    ("t", "<f4", 1),
    ("point", "<f4", 3),
    ("normal", "<f4", 3),
    ("side", "|i1", 1),
    ("uv", "<f4", 2),
];
const BLOCKED: [Column; 2] = [("ray", "<i8", 1), ("blocked", "|b1", 1)];

/// The largest array of names, in bytes: in numpy, all names are padded to the length of the longest.
const MAX_NAMES: u64 = 1 << 30;

/// Returns the columns of an answer. Points are as precise as the model needs.
fn columns(question: Question, precision: Precision) -> impl Iterator<Item = Column> {
    let columns: &[Column] = if question == Question::Any { &BLOCKED } else { &HITS };
    columns.iter().map(move |&(name, kind, width)| match (name, precision) {
        ("point", Precision::Double) => (name, "<f8", width),
        _ => (name, kind, width),
    })
}

/// Returns the bytes of the rows in each column.
pub(super) fn encode(rows: &[Row], question: Question, loaded: &Loaded) -> Vec<Vec<u8>> {
    let mut columns = vec![Vec::new(); columns(question, loaded.precision).count()];
    for row in rows {
        let [ray, others @ ..] = &mut columns[..] else { break };
        ray.extend(row.ray.to_le_bytes());
        match (others, &row.answer) {
            ([blocked], Answer::Blocked(is_blocked)) => blocked.push(u8::from(*is_blocked)),
            ([entity, node, triangles, t, point, normal, sides, uv], answer) => {
                let hit = if let Answer::Hit(hit) = answer { Some(&**hit) } else { None };
                let of = hit.and_then(|hit| loaded.model.entity(hit.id));
                let whole = |column: &mut Vec<u8>, value: Option<u64>| column.extend(index(value).to_le_bytes());
                whole(entity, hit.map(|hit| hit.id.0.into()));
                whole(node, of.and_then(|entity| entity.node).map(u64::from));
                whole(triangles, hit.zip(of).and_then(|(hit, entity)| triangle(entity, hit)));
                floats(t, hit.map(|hit| [hit.t]));
                match loaded.precision {
                    Precision::Single => floats(point, hit.map(|hit| hit.point.to_array())),
                    Precision::Double => {
                        let place = hit.map_or([f64::NAN; 3], |hit| hit.point_f64().to_array());
                        point.extend(place.iter().flat_map(|value| value.to_le_bytes()));
                    }
                }
                floats(normal, hit.map(|hit| hit.normal.to_array()));
                sides.extend(side(hit.map(|hit| hit.side)).to_le_bytes());
                floats(uv, hit.and_then(barycentrics));
            }
            _ => {}
        }
    }
    columns
}

/// Returns a number as i32, or -1 for `None`. [`Npz::create`] has checked that it fits.
fn index(value: Option<u64>) -> i32 {
    value.and_then(|value| i32::try_from(value).ok()).unwrap_or(-1)
}

fn floats<const N: usize>(column: &mut Vec<u8>, values: Option<[f32; N]>) {
    column.extend(values.unwrap_or([f32::NAN; N]).iter().flat_map(|value| value.to_le_bytes()));
}

fn side(side: Option<Side>) -> i8 {
    match side {
        None => -1,
        Some(Side::Front) => 0,
        Some(Side::Back) => 1,
        Some(Side::Inside) => 2,
    }
}

/// An .npz file that is being written.
pub(super) struct Npz {
    file: NewFile,
    columns: Vec<(Column, File)>,
    rows: u64,
}

impl Npz {
    pub(super) fn create(file: NewFile, question: Question, loaded: &Loaded) -> Result<Self> {
        if question != Question::Any {
            check_ranges(&loaded.model.entities).with_context(|| file.cannot_write())?;
        }
        let spool = |column| Ok((column, file.spool()?));
        let columns: Result<_> = columns(question, loaded.precision).map(spool).collect();
        let columns = columns.with_context(|| file.cannot_write())?;
        Ok(Self { file, columns, rows: 0 })
    }

    pub(super) fn write(&mut self, encoded: &Encoded) -> Result<()> {
        for ((_, spool), bytes) in self.columns.iter_mut().zip(&encoded.columns) {
            spool.write_all(bytes).with_context(|| self.file.cannot_write())?;
        }
        self.rows += encoded.rows as u64;
        Ok(())
    }

    pub(super) fn finish(mut self, loaded: &Loaded) -> Result<()> {
        self.pack(&loaded.model.entities).with_context(|| self.file.cannot_write())?;
        self.file.keep()
    }

    fn pack(&mut self, entities: &[Entity]) -> Result<()> {
        let mut zip = ZipWriter::new(BufWriter::new(self.file.file()));
        for ((name, kind, width), spool) in &mut self.columns {
            let shape = [self.rows, *width];
            begin(&mut zip, name, kind, if *width == 1 { &shape[..1] } else { &shape })?;
            spool.rewind()?;
            io::copy(spool, &mut zip)?;
        }
        if self.columns.len() == HITS.len() {
            write_names(&mut zip, entities)?;
        }
        zip.finish()?.flush()?;
        Ok(())
    }
}

fn begin(zip: &mut ZipWriter<impl Write + Seek>, name: &str, kind: &str, shape: &[u64]) -> Result<()> {
    zip.start_file(format!("{name}.npy"), SimpleFileOptions::default().large_file(true))?;
    let kind = kind.parse().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, format!("{kind}: {error}")))?;
    let options = npyz::WriteOptions::new_header_only().dtype(npyz::DType::new_scalar(kind)).shape(shape);
    options.writer(zip).write_header_only()?;
    Ok(())
}

/// Writes names. Text is stored as UTF-32, each name padded to the longest.
fn write_names(zip: &mut ZipWriter<impl Write + Seek>, entities: &[Entity]) -> Result<()> {
    let longest = longest(entities);
    begin(zip, "names", &format!("<U{longest}"), &[entities.len() as u64])?;
    for entity in entities {
        let letters = entity.name.chars().map(u32::from).chain(std::iter::repeat(0)).take(longest);
        zip.write_all(&letters.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())?;
    }
    Ok(())
}

/// Returns the length of the longest name, and at least 1. numpy accepts a text type of length 0, but other readers do
/// not.
fn longest(entities: &[Entity]) -> usize {
    entities.iter().map(|entity| entity.name.chars().count()).max().unwrap_or(0).max(1)
}

/// Checks that all numbers that may have to be written fit into their arrays.
fn check_ranges(entities: &[Entity]) -> Result<()> {
    let limit = i32::MAX as u64;
    for entity in entities {
        let triangles: u64 = entity.primitives.iter().map(|primitive| u64::from(primitive.triangles)).sum();
        let node = entity.node.map_or(0, u64::from);
        ensure!(
            triangles <= limit && node <= limit,
            "entity {:?} has numbers beyond int32 (node {node}, {triangles} triangles): write .csv",
            entity.name
        );
    }
    let bytes = 4 * (longest(entities) as u64).saturating_mul(entities.len() as u64);
    ensure!(bytes <= MAX_NAMES, "the names, each padded to the longest, would take {bytes} bytes: write .csv");
    ensure!(entities.len() as u64 <= limit, "{} entities are beyond int32: write .csv", entities.len());
    Ok(())
}
