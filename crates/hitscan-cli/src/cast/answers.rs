//! Casting many rays.

use super::batch::Batch;
use super::encoding::{Encoded, Kind};
use super::row::{Answer, Question, Row};
use super::{csv_writer, npz};
use crate::args::CastArgs;
use crate::model::Loaded;
use hitscan::glam::DVec3;
use hitscan::{Ray, RayQueries};
use rayon::prelude::*;

/// The number of rays that a thread takes at a time.
const PIECE: usize = 256;

const ENOUGH: &str = "as many answers as rays";

pub(super) struct Caster<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) cast: &'a CastArgs,
    pub(super) question: Question,
    pub(super) kind: Kind,
}

impl Caster<'_> {
    /// Returns the encoded rows of the rays in order; `first` is the number of the first ray.
    pub(super) fn cast(&self, first: u64, batch: &Batch) -> Encoded {
        let pieces: Vec<Encoded> = batch
            .rays
            .par_chunks(PIECE)
            .enumerate()
            .map(|(piece, rays)| {
                let at = piece * PIECE;
                let rows = match &batch.starts {
                    Some(starts) => self.placed_rows(first + at as u64, starts[at..].iter().zip(rays)),
                    None => self.rows(first + at as u64, rays),
                };
                let columns = match self.kind {
                    Kind::Csv => vec![csv_writer::encode(&rows, self.loaded)],
                    Kind::Npz => npz::encode(&rows, self.question, self.loaded),
                };
                Encoded { rows: rows.len(), columns }
            })
            .collect();
        Encoded::joined(pieces)
    }

    fn rows(&self, first: u64, rays: &[Ray]) -> Vec<Row> {
        let filter = self.cast.choice.filter();
        let view = self.cast.view(&self.loaded.scene, &filter, DVec3::ZERO);
        let numbers = first..;
        match self.question {
            Question::Any => {
                let mut blocked = vec![false; rays.len()];
                view.is_blocked_batch(rays, &mut blocked).expect(ENOUGH);
                let row = |(ray, blocked)| Row { ray, answer: Answer::Blocked(blocked) };
                numbers.zip(blocked).map(row).collect()
            }
            Question::Closest => {
                let mut hits = vec![None; rays.len()];
                view.cast_batch(rays, &mut hits).expect(ENOUGH);
                let row = |(ray, hit): (_, Option<_>)| Row { ray, answer: hit.map_or(Answer::Miss, Answer::hit) };
                numbers.zip(hits).map(row).collect()
            }
            Question::All => {
                let (mut rows, mut hits) = (Vec::with_capacity(rays.len()), Vec::new());
                for (number, ray) in numbers.zip(rays) {
                    let mut add = |answer| rows.push(Row { ray: number, answer });
                    view.cast_all(ray, &mut hits);
                    if hits.is_empty() {
                        add(Answer::Miss);
                    }
                    hits.drain(..).for_each(|hit| add(Answer::hit(hit)));
                }
                rows
            }
        }
    }

    /// Returns the rows for pairs of a start and a ray that is relative to this start.
    fn placed_rows<'r>(&self, first: u64, rays: impl Iterator<Item = (&'r DVec3, &'r Ray)>) -> Vec<Row> {
        let filter = self.cast.choice.filter();
        let (mut rows, mut hits) = (Vec::new(), Vec::new());
        for (number, (&start, ray)) in (first..).zip(rays) {
            let view = self.cast.view(&self.loaded.scene, &filter, start);
            let mut add = |answer| rows.push(Row { ray: number, answer });
            match self.question {
                Question::Any => add(Answer::Blocked(view.is_blocked(ray))),
                Question::Closest => add(view.cast(ray).map_or(Answer::Miss, Answer::hit)),
                Question::All => {
                    view.cast_all(ray, &mut hits);
                    if hits.is_empty() {
                        add(Answer::Miss);
                    }
                    hits.drain(..).for_each(|hit| add(Answer::hit(hit)));
                }
            }
        }
        rows
    }
}
