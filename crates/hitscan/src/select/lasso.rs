//! A polygon of pixels by the even-odd rule, with a grid that finds the edges near a pixel.

use super::pixel_rect::{PixelRect, are_together};
use crate::bvh::BoxPlace;
use crate::collections::sort::SharedSort;
use crate::math::float::UNIT_ROUNDOFF;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use glam::DVec2;

/// A closed polygon, which may cross itself.
///
/// A grid of cells divides its bounds. A cell that the line does not touch is inside or outside as a whole. For each other cell, the edges that may touch it
/// are listed. For each cell, the number of cells of each kind above and to the left of it is stored. Four of these sums give the number of cells of each kind
/// in any rectangle (F. Crow, "Summed-Area Tables for Texture Mapping", 1984).
#[derive(Clone, Debug)]
pub(super) struct Lasso {
    /// The edges from each corner to the next.
    edges: Vec<[DVec2; 2]>,
    bounds: PixelRect,
    /// The number of cells along each side.
    size: usize,
    /// The number of cells in a pixel.
    scale: DVec2,
    /// The edges that may touch each cell, and each row.
    of_cells: Lists,
    of_rows: Lists,
    sums: Vec<CellCounts>,
    cells: Vec<LassoCell>,
}

/// A cell of the grid.
#[derive(Clone, Copy, Debug)]
struct LassoCell {
    place: BoxPlace,
    /// Consider the edges that do not touch the cell, at the height of its middle. True if an odd number of them are on
    /// its left.
    has_odd_left: bool,
}

/// The number of cells that the line may touch, and the number of other cells that are inside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CellCounts {
    crossed: i32,
    inside: i32,
}

/// A list of edges for each cell, or for each row.
#[derive(Clone, Debug)]
struct Lists {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

/// The least and the most cells along a side. Their number affects the amount of work, and not the result.
const SIZES: RangeInclusive<usize> = 32..=256;

impl PartialEq for Lasso {
    fn eq(&self, other: &Self) -> bool {
        self.edges == other.edges
    }
}

impl Lists {
    fn new(places: usize, mut pairs: Vec<[u32; 2]>) -> Self {
        pairs.sort_shared();
        let mut starts = vec![0; places + 1];
        pairs.iter().for_each(|&[place, _]| starts[place as usize + 1] += 1);
        for place in 0..places {
            starts[place + 1] += starts[place];
        }
        Self { starts, edges: pairs.into_iter().map(|[_, edge]| edge).collect() }
    }

    fn get(&self, place: usize) -> &[u32] {
        &self.edges[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

impl Lasso {
    /// Makes a lasso of at least three finite corners.
    pub(super) fn new(corners: &[DVec2]) -> Self {
        let bounds = PixelRect::around(corners);
        let ends = corners.iter().copied().cycle().skip(1);
        // Within the limits, the grid has about 64 cells for each edge.
        let size = (8 * corners.len().isqrt()).clamp(*SIZES.start(), *SIZES.end());
        let extent = bounds.max - bounds.min;
        let cells_in = |extent: f64| if extent > 0.0 { size as f64 / extent } else { 0.0 };
        let scale = DVec2::new(cells_in(extent.x), cells_in(extent.y));
        let none = Lists { starts: Vec::new(), edges: Vec::new() };
        let mut lasso = Self {
            edges: corners.iter().copied().zip(ends).map(|(from, to)| [from, to]).collect(),
            bounds,
            size,
            scale,
            of_cells: none.clone(),
            of_rows: none,
            sums: Vec::new(),
            cells: Vec::new(),
        };
        lasso.fill();
        lasso
    }

    fn fill(&mut self) {
        let (mut of_cells, mut of_rows) = (Vec::new(), Vec::new());
        for edge in 0..self.edges.len() as u32 {
            let [a, b] = self.edge(edge);
            for row in self.row(a.y.min(b.y))..=self.row(a.y.max(b.y)) {
                of_rows.push([row as u32, edge]);
                let (first, last) = self.columns_in_row([a, b], row);
                of_cells.extend((first..=last).map(|column| [(row * self.size + column) as u32, edge]));
            }
        }
        self.of_cells = Lists::new(self.size * self.size, of_cells);
        self.of_rows = Lists::new(self.size, of_rows);
        self.cells = (0..self.size).flat_map(|row| self.cells_of_row(row)).collect();
        self.sums = self.summed();
    }

    /// Returns the first and the last column that an edge may touch in a row.
    fn columns_in_row(&self, [a, b]: [DVec2; 2], row: usize) -> (usize, usize) {
        // The computed top and bottom of the row are off by a few roundings, and the margin is larger.
        let PixelRect { min, max } = self.bounds;
        let margin = (min.abs().max(max.abs()) + (max - min)) * (64.0 * UNIT_ROUNDOFF);
        let height = (max.y - min.y) / self.size as f64;
        let (top, bottom) = (min.y + height * row as f64 - margin.y, min.y + height * (row + 1) as f64 + margin.y);
        let step = b - a;
        let at = |y: f64| {
            let along = ((y - a.y) / step.y).clamp(0.0, 1.0);
            if step.y == 0.0 { [a.x, b.x] } else { [a.x + step.x * along; 2] }
        };
        let ([p, q], [r, s]) = (at(top), at(bottom));
        let reach = margin.x + (step.x / step.y * margin.y).abs().min(step.x.abs());
        let reach = if step.y == 0.0 { margin.x } else { reach };
        let (low, high) = (p.min(q).min(r).min(s) - reach, p.max(q).max(r).max(s) + reach);
        (self.column(low), self.column(high))
    }

    /// Returns the cells of a row. Consider a cell that the line does not touch. It is inside if the line crosses the row's middle an odd number of times on
    /// the left of the cell.
    fn cells_of_row(&self, row: usize) -> Vec<LassoCell> {
        let middle = self.center(row, 0).y;
        let crossing = |&edge: &u32| {
            let [a, b] = self.edge(edge);
            let is_crossed = (a.y <= middle) != (b.y <= middle);
            is_crossed.then(|| a.x + (b.x - a.x) * ((middle - a.y) / (b.y - a.y)))
        };
        let mut lines: Vec<f64> = self.of_rows.get(row).iter().filter_map(crossing).collect();
        lines.sort_shared_by(f64::total_cmp);
        let mut passed = 0;
        let cell = |column: usize| {
            let x = self.center(row, column).x;
            while lines.get(passed).is_some_and(|&line| line < x) {
                passed += 1;
            }
            let own = self.of_cells.get(row * self.size + column);
            let own_passed = own.iter().filter_map(crossing).filter(|&line| line < x).count();
            let has_odd_left = (passed - own_passed) % 2 == 1;
            let place = match own {
                [_, ..] => BoxPlace::Crossing,
                [] if has_odd_left => BoxPlace::Inside,
                [] => BoxPlace::Outside,
            };
            LassoCell { place, has_odd_left }
        };
        (0..self.size).map(cell).collect()
    }

    /// Returns the number of cells of each kind in every rectangle of cells that begins with the first cell.
    fn summed(&self) -> Vec<CellCounts> {
        let width = self.size + 1;
        let mut sums = vec![CellCounts::default(); width * width];
        for row in 0..self.size {
            let mut left = CellCounts::default();
            for column in 0..self.size {
                match self.cells[row * self.size + column].place {
                    BoxPlace::Crossing => left.crossed += 1,
                    BoxPlace::Inside => left.inside += 1,
                    BoxPlace::Outside => {}
                }
                let above = sums[row * width + column + 1];
                sums[(row + 1) * width + column + 1] =
                    CellCounts { crossed: above.crossed + left.crossed, inside: above.inside + left.inside };
            }
        }
        sums
    }

    pub(super) fn bounds(&self) -> PixelRect {
        self.bounds
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn edge(&self, edge: u32) -> [DVec2; 2] {
        self.edges[edge as usize]
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> {
        self.edges.iter().copied()
    }

    /// Returns the column of an x, or the nearest column.
    fn column(&self, x: f64) -> usize {
        (((x - self.bounds.min.x) * self.scale.x) as usize).min(self.size - 1)
    }

    fn row(&self, y: f64) -> usize {
        (((y - self.bounds.min.y) * self.scale.y) as usize).min(self.size - 1)
    }

    fn center(&self, row: usize, column: usize) -> DVec2 {
        let step = (self.bounds.max - self.bounds.min) / self.size as f64;
        self.bounds.min + step * DVec2::new(column as f64 + 0.5, row as f64 + 0.5)
    }

    pub(super) fn contains(&self, pixel: DVec2) -> bool {
        if !self.bounds.contains(pixel) {
            return false;
        }
        let (row, column) = (self.row(pixel.y), self.column(pixel.x));
        match self.cells[row * self.size + column].place {
            BoxPlace::Outside => false,
            BoxPlace::Inside => true,
            BoxPlace::Crossing => self.contains_in_cell(pixel, row, column),
        }
    }

    /// Returns whether a point of a cell is on the line, or an odd number of edges is on its left.
    ///
    /// Edges that do not touch the cell are on one side of it. The number of edges on the left may differ between the
    /// height of the point and the height of the cell's middle. It differs only if edges end between the two heights.
    /// Two edges share each end. If neither touches the cell, the number changes by two or not at all. So it is
    /// enough to count ends on the left, between the two heights, that belong to an edge of the cell. An end that two
    /// of these edges share counts twice.
    fn contains_in_cell(&self, pixel: DVec2, row: usize, column: usize) -> bool {
        let (cell, center) = (row * self.size + column, self.center(row, column));
        let mut is_odd = self.cells[cell].has_odd_left;
        for &edge in self.of_cells.get(cell) {
            let [a, b] = self.edge(edge);
            let [from, to] = [a, b].map(|end| end.y <= pixel.y);
            let side = (b - a).perp_dot(pixel - a);
            if side == 0.0 && PixelRect::around(&[a, b]).contains(pixel) {
                return true;
            }
            is_odd ^= from != to && (side > 0.0) != (b.y > a.y);
            is_odd ^= a.x < center.x && from != (a.y <= center.y);
            is_odd ^= b.x < center.x && to != (b.y <= center.y);
        }
        is_odd
    }

    /// Returns the rows and columns of the cells that a rectangle may touch.
    fn cells_of(&self, rect: &PixelRect) -> [RangeInclusive<usize>; 2] {
        [self.row(rect.min.y)..=self.row(rect.max.y), self.column(rect.min.x)..=self.column(rect.max.x)]
    }

    /// Returns the position of a rectangle, within the resolution of the grid.
    pub(super) fn place(&self, rect: &PixelRect) -> BoxPlace {
        let Some(common) = self.bounds.intersection(rect) else { return BoxPlace::Outside };
        let [rows, columns] = self.cells_of(&common);
        let width = self.size + 1;
        let sum = |row: usize, column: usize| self.sums[row * width + column];
        let (top, bottom, left, right) = (*rows.start(), rows.end() + 1, *columns.start(), columns.end() + 1);
        let count = |of: fn(CellCounts) -> i32| {
            of(sum(bottom, right)) - of(sum(top, right)) - of(sum(bottom, left)) + of(sum(top, left))
        };
        let all = (bottom - top) * (right - left);
        match (count(|cells| cells.crossed), count(|cells| cells.inside)) {
            (0, 0) => BoxPlace::Outside,
            (0, inside) if inside as usize == all && common == *rect => BoxPlace::Inside,
            _ => BoxPlace::Crossing,
        }
    }

    /// Returns whether a convex polygon, a segment or a point has a point in common with the region.
    pub(super) fn meets(&self, polygon: &[DVec2]) -> bool {
        polygon.iter().any(|&corner| self.contains(corner)) || self.touches_line(polygon)
    }

    /// Returns whether a convex polygon, a segment or a point is in the region, and does not touch the line.
    pub(super) fn holds(&self, polygon: &[DVec2]) -> bool {
        polygon.iter().all(|&corner| self.contains(corner)) && !self.touches_line(polygon)
    }

    fn touches_line(&self, polygon: &[DVec2]) -> bool {
        let rect = PixelRect::around(polygon);
        if self.place(&rect) != BoxPlace::Crossing {
            return false;
        }
        let [rows, columns] = self.cells_of(&rect);
        rows.into_iter().any(|row| {
            columns.clone().any(|column| {
                let edges = self.of_cells.get(row * self.size + column);
                edges.iter().any(|&edge| {
                    let edge = self.edge(edge);
                    may_meet(&edge, &rect) && are_together(&edge, polygon)
                })
            })
        })
    }
}

/// Returns whether the box around a segment overlaps a rectangle.
fn may_meet([a, b]: &[DVec2; 2], rect: &PixelRect) -> bool {
    a.min(*b).cmple(rect.max).all() && rect.min.cmple(a.max(*b)).all()
}
