//! `hitscan cast`: what do these rays hit?

mod answers;
mod batch;
mod csv_rays;
mod csv_writer;
mod encoding;
mod npy_rays;
mod npz;
mod output_sink;
mod rays;
mod row;

use crate::args::{CastArgs, ModelArg, ThreadArgs};
use crate::file::NewFile;
use crate::outcome::Outcome;
use crate::output::Console;
use answers::Caster;
use anyhow::Result;
use batch::Batch;
use clap::Args;
use encoding::Encoded;
use hitscan_io::Detail;
use indicatif::ProgressBar;
use output_sink::OutputSink;
use rayon::ThreadPool;
use rays::Rays;
use row::Question;
use std::ops::ControlFlow;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  hitscan cast demo rays.csv                     CSV to standard output
  hitscan cast demo rays.npy -o hits.npz         millions of rays, for numpy.load
  hitscan cast demo rays.csv --any               only whether something is in the way
  hitscan cast level.glb - --all < rays.csv      every hit of every ray

RAYS: CSV with the header ox,oy,oz,dx,dy,dz and perhaps t_min,t_max, from a .csv file or, for -, standard input; or a \
.npy array of shape (N, 6) or (N, 8), float32 of either byte order and in either memory order. Text and float64 are rounded \
to float32, but for the origins of rays into a model that is so far from its own origin that float32 would lose its form. Directions are taken as given, and t counts in their multiples. A ray with a NaN, an infinite origin, a zero \
or infinite direction or t_min above t_max hits nothing.

OUT: one row a ray in the order of RAYS, with --all one a hit (and one for a ray without hits), the nearest first:
  ray       its number, from 0
  entity    its name; empty on a miss, as is everything that follows
  node      its node in the file, or empty
  triangle  counted through the entity's primitives; empty on a shape
  t, px, py, pz, nx, ny, nz
            point and outward normal in world space
  side      front, back or inside
  u, v      barycentrics of P = (1-u-v) A + u B + v C; empty on a shape
With --any: ray, blocked (0 or 1). CSV is that of RFC 4180 (lines end in CR LF), floats are the shortest that read back \
as the same float32; the points of such a far model are written in full.
A .npz has the arrays ray (int64), entity (int32, an index into names), node, triangle (int32), t, point (N, 3), \
normal (N, 3), uv (N, 2) (float32; the points of a far model float64), side (int8: 0 front, 1 back, 2 inside) and names (text); where there is nothing, \
integers are -1 and floats NaN. With --any: ray, blocked (bool).

Exit codes: 0 success, whatever was hit; 2 an error, such as a row that is no ray (its line is named; rows before it \
may be on standard output already, but never in a file).";

/// The number of rays that are read at first, and the largest number that is read at a time. The third number is the
/// desired number of rows for them. These bound the memory, because with --all a ray may have any number of hits.
const FIRST_RAYS: usize = 1 << 10;
const MAX_RAYS: usize = 1 << 16;
const ROWS: usize = 1 << 17;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BulkArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The rays: a .csv or .npy file, or - for CSV on standard input
    #[arg(value_name = "RAYS")]
    rays: PathBuf,
    /// Only whether each ray hits anything
    #[arg(long, conflicts_with = "all")]
    any: bool,
    /// Every hit of each ray, the nearest first
    #[arg(long)]
    all: bool,
    /// A .csv or .npz file to write; otherwise CSV on standard output
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    #[command(flatten)]
    cast: CastArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

impl BulkArgs {
    fn question(&self) -> Question {
        match (self.any, self.all) {
            (true, _) => Question::Any,
            (_, true) => Question::All,
            _ => Question::Closest,
        }
    }
}

pub(crate) fn run(args: &BulkArgs, console: &Console) -> Result<Outcome> {
    let question = args.question();
    let kind = encoding::Kind::of(args.out.as_deref())?;
    let inputs = [args.model.path(), &args.rays];
    let out = args.out.as_deref().map(|out| NewFile::create(out, &inputs)).transpose()?;
    let mut loaded = args.model.load(Detail::Hits, console)?;
    out.iter().try_for_each(|out| out.keep_apart(&loaded.model.files))?;
    args.cast.choice.hide(&mut loaded)?;
    let mut rays = Rays::open(&args.rays, loaded.precision)?;
    let mut sink = OutputSink::create(out, kind, question, &loaded)?;
    let caster = Caster { loaded: &loaded, cast: &args.cast, question, kind };
    let bar = console.progress(rays.bytes().1);
    pump(&args.threads.pool()?, &mut rays, &caster, &mut sink, &bar)?;
    bar.finish_and_clear();
    sink.finish(&loaded)?;
    Ok(Outcome::Success)
}

/// Casts all rays in batches. While a batch is cast, the previous batch is written and the next one is read, on the
/// same threads.
fn pump(
    pool: &ThreadPool,
    rays: &mut Rays,
    caster: &Caster<'_>,
    sink: &mut OutputSink,
    bar: &ProgressBar,
) -> Result<()> {
    let mut pace = FIRST_RAYS;
    let mut first = 0;
    let mut now = rays.next(pace)?;
    let mut done = Encoded::default();
    while now.len() > 0 {
        let around = || -> (Result<ControlFlow<()>>, Result<Batch>) { (sink.write(&done), rays.next(pace)) };
        let (cast, (written, next)) = pool.install(|| rayon::join(|| caster.cast(first, &now), around));
        if written?.is_break() {
            return Ok(());
        }
        first += now.len() as u64;
        pace = paced(pace, cast.rows, now.len());
        done = cast;
        now = match next {
            Ok(next) => next,
            Err(error) => return sink.write(&done).and(Err(error)),
        };
        bar.set_position(rays.bytes().0);
        bar.set_message(format!("{first} rays"));
    }
    sink.write(&done).map(|_| ())
}

/// Returns the number of rays to read next, if the last `rays` rays gave `rows` rows. It is at most twice as large as
/// `pace`, the last number.
fn paced(pace: usize, rows: usize, rays: usize) -> usize {
    let fitting = ROWS.saturating_mul(rays) / rows.max(1);
    fitting.clamp(1, (2 * pace).min(MAX_RAYS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_follows_the_rows() {
        assert_eq!(paced(FIRST_RAYS, FIRST_RAYS, FIRST_RAYS), 2 * FIRST_RAYS);
        assert_eq!(paced(MAX_RAYS, MAX_RAYS, MAX_RAYS), MAX_RAYS);
        assert_eq!(paced(MAX_RAYS, 100 * MAX_RAYS, MAX_RAYS), ROWS / 100);
        assert_eq!(paced(8, usize::MAX, 8), 1);
        assert_eq!(paced(8, 0, 8), 16);
    }
}
