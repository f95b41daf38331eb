//! The picture of the model: a coarse draft at once, and then finer pictures, a few rows at a time.

use super::stage::Stage;
use crate::args::Size;
use crate::picture::{Canvas, Coverage};
use crate::render::{Exposure, Film, Grain, Mode, Sky};
use hitscan_io::EntityId;
use indicatif::ProgressBar;
use rayon::ThreadPool;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// A draft should take no longer than this, so that a drag is smooth.
const DRAFT: Duration = Duration::from_millis(28);
/// The longest time for which the refinement works before the window reacts again.
const SLICE: Duration = Duration::from_millis(10);
/// The step of the coarsest draft, in pixels.
const COARSEST: u32 = 8;
/// The step of the first draft, in pixels, when nothing is known about the model.
const FIRST: u32 = 4;

/// The pictures after a draft, each finer.
const PASSES: [Grain; 2] =
    [Grain { step: 1, samples: 1, sky: Sky::Sampled }, Grain { step: 1, samples: 2, sky: Sky::Sampled }];

/// A picture that gets finer.
pub(super) struct Refinement {
    shown: Option<Shown>,
    work: Work,
    /// The step of the next draft.
    step: u32,
}

/// A finished picture.
struct Shown {
    canvas: Canvas,
    /// The entity that each pixel shows.
    entities: Vec<Option<EntityId>>,
    step: u32,
}

/// The next thing to do.
enum Work {
    Draft,
    /// The film of this pass is exposed up to a row.
    Pass {
        number: usize,
        film: Film,
        row: usize,
    },
    Nothing,
}

impl Refinement {
    pub(super) fn new() -> Self {
        Self { shown: None, work: Work::Draft, step: FIRST }
    }

    /// Begins with a new draft, because the view has changed.
    pub(super) fn restart(&mut self) {
        self.work = Work::Draft;
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.work, Work::Nothing)
    }

    /// Returns whether the latest picture shows an earlier view.
    pub(super) fn is_stale(&self) -> bool {
        matches!(self.work, Work::Draft)
    }

    /// Works for a moment, and returns whether there is a new picture.
    pub(super) fn advance(&mut self, stage: &Stage<'_>, pool: &ThreadPool) -> bool {
        match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Draft => self.draft(stage, pool),
            Work::Pass { number, film, row } => self.refine(stage, pool, (number, film, row)),
            Work::Nothing => false,
        }
    }

    fn draft(&mut self, stage: &Stage<'_>, pool: &ThreadPool) -> bool {
        let start = Instant::now();
        let grain = Grain { step: self.step, samples: 1, sky: Sky::Assumed };
        let mut film = Film::blank(grain.film(stage.size));
        let rows = film.size.height as usize;
        expose(stage, pool, grain, (&mut film, 0..rows));
        self.show(film, grain.step, pool);
        self.work = Work::pass(0, stage.size);
        self.step = next_step(self.step, start.elapsed());
        true
    }

    fn refine(&mut self, stage: &Stage<'_>, pool: &ThreadPool, work: (usize, Film, usize)) -> bool {
        let (number, mut film, mut row) = work;
        let (start, rows) = (Instant::now(), film.size.height as usize);
        while row < rows && start.elapsed() < SLICE {
            let next = (row + pool.current_num_threads()).min(rows);
            expose(stage, pool, PASSES[number], (&mut film, row..next));
            row = next;
        }
        let is_whole = row == rows;
        if is_whole {
            self.show(film, 1, pool);
            self.work = Work::pass(number + 1, stage.size);
        } else {
            self.work = Work::Pass { number, film, row };
        }
        is_whole
    }

    fn show(&mut self, film: Film, step: u32, pool: &ThreadPool) {
        if let Some(canvas) = pool.install(|| film.develop(Mode::Shaded)) {
            self.shown = Some(Shown { canvas, entities: film.entities(), step });
        }
    }

    /// Returns the latest picture, enlarged to a window of this size.
    pub(super) fn canvas(&self, size: Size) -> Option<Canvas> {
        self.shown.as_ref().map(|shown| shown.canvas.enlarged(shown.step, size))
    }

    /// Returns the coverage of the window's pixels by chosen entities, or `None` if no pixel shows one.
    pub(super) fn showing(&self, is_chosen: impl Fn(EntityId) -> bool) -> Option<Coverage<impl Fn(i64, i64) -> f64>> {
        let shown = self.shown.as_ref()?;
        let chosen: Vec<bool> = shown.entities.iter().map(|entity| entity.is_some_and(&is_chosen)).collect();
        let [width, step] = [i64::from(shown.canvas.size().width), i64::from(shown.step)];
        let places = (0..).zip(&chosen).filter(|(_, is_chosen)| **is_chosen);
        let (low, high) = places.fold(None, |bounds, (place, _)| {
            let at = [place % width, place / width];
            let (low, high) = bounds.unwrap_or((at, at));
            Some(([0, 1].map(|axis| at[axis].min(low[axis])), [0, 1].map(|axis| at[axis].max(high[axis]))))
        })?;
        let of = move |x: i64, y: i64| {
            let (x, y) = (x.div_euclid(step), y.div_euclid(step));
            let is_chosen = (0..width).contains(&x) && chosen.get((y * width + x) as usize) == Some(&true);
            if is_chosen { 1.0 } else { 0.0 }
        };
        let [low, high] = [low, high.map(|last: i64| last + 1)].map(|corner| corner.map(|place| place * step));
        Some(Coverage { low, high, of })
    }

    /// Returns the side of the squares that the latest picture consists of, in pixels.
    pub(super) fn step(&self) -> u32 {
        self.shown.as_ref().map_or(FIRST, |shown| shown.step)
    }
}

impl Work {
    fn pass(number: usize, size: Size) -> Self {
        match PASSES.get(number) {
            Some(grain) => Self::Pass { number, film: Film::blank(grain.film(size)), row: 0 },
            None => Self::Nothing,
        }
    }
}

fn expose(stage: &Stage<'_>, pool: &ThreadPool, grain: Grain, (film, rows): (&mut Film, std::ops::Range<usize>)) {
    let view = stage.view();
    let marked = HashSet::new();
    let exposure = Exposure::new(&view, Mode::Shaded, grain, &marked);
    pool.install(|| film.expose(&exposure, rows, &ProgressBar::hidden()));
}

/// Returns the step with which the next draft takes the allowed time, given the time of a draft with `step`.
fn next_step(step: u32, took: Duration) -> u32 {
    let wanted = f64::from(step) * (took.as_secs_f64() / DRAFT.as_secs_f64()).sqrt();
    // The step only becomes finer with a margin. Otherwise it would change with every draft.
    let finer = (wanted * 1.1).ceil();
    let coarser = wanted.floor();
    f64::from(step).clamp(coarser.min(finer), finer).clamp(1.0, COARSEST.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_take_as_long_as_they_may() {
        assert_eq!(next_step(4, DRAFT), 4);
        assert_eq!(next_step(4, DRAFT / 16), 2);
        assert_eq!(next_step(4, DRAFT / 1000), 1);
        assert_eq!(next_step(1, DRAFT * 9), 3);
        assert_eq!(next_step(8, DRAFT * 100), COARSEST);
    }
}
