//! Many rays in columns: each component has a slice of its own.

use super::hit::Side;
use super::ray::Ray;
use crate::error::BatchError;
use crate::parallel::{self, Split};
use alloc::vec::Vec;
use glam::{Vec2, Vec3};

/// The number of rays of columns that are gathered at a time: eight packets.
pub(crate) const GATHERED: usize = 64;

/// Rays one after the other that were taken from columns.
pub(crate) struct GatheredRays([Ray; GATHERED]);

impl GatheredRays {
    pub(crate) fn new() -> Self {
        Self([Ray::with_direction([0.0; 3], [0.0; 3]); GATHERED])
    }
}

/// Rays as a structure of arrays, as in numpy, ECS tables and vertex streams. The components of ray `i` are at index `i` of each slice. The first column's
/// length is the number of rays.
///
/// Directions are taken as they are ([`Ray::with_direction`]).
#[derive(Clone, Copy, Debug)]
pub struct RayColumns<'a> {
    /// x, y and z of the origins.
    pub origin: [&'a [f32]; 3],
    /// x, y and z of the directions.
    pub direction: [&'a [f32]; 3],
    /// The smallest t that each ray accepts; `None` means 0 for all.
    pub t_min: Option<&'a [f32]>,
    /// The largest t that each ray accepts; `None` means infinity for all.
    pub t_max: Option<&'a [f32]>,
}

impl<'a> RayColumns<'a> {
    /// Makes rays whose range of t is 0 to infinity.
    pub fn new(origin: [&'a [f32]; 3], direction: [&'a [f32]; 3]) -> Self {
        Self { origin, direction, t_min: None, t_max: None }
    }

    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.origin[0].len()
    }

    /// Returns whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ray at an index, or `None` if one of the columns is too short for it.
    pub fn get(&self, place: usize) -> Option<Ray> {
        let vector = |[x, y, z]: [&[f32]; 3]| Some(Vec3::new(*x.get(place)?, *y.get(place)?, *z.get(place)?));
        let bound = |column: Option<&[f32]>, unless: f32| match column {
            Some(column) => column.get(place).copied(),
            None => Some(unless),
        };
        let ray = Ray::with_direction(vector(self.origin)?, vector(self.direction)?);
        Some(ray.with_range(bound(self.t_min, 0.0)?, bound(self.t_max, f32::INFINITY)?))
    }

    /// Returns rays from an index on, at most [`GATHERED`], one after the other.
    pub(crate) fn gather<'g>(&self, start: usize, count: usize, gathered: &'g mut GatheredRays) -> &'g [Ray] {
        let count = count.min(GATHERED);
        for (place, ray) in (start..).zip(&mut gathered.0[..count]) {
            // There is a ray at every place up to the length, and a ray without a direction hits nothing.
            *ray = self.get(place).unwrap_or(Ray::with_direction([0.0; 3], [0.0; 3]));
        }
        &gathered.0[..count]
    }

    pub(crate) fn check(&self) -> Result<(), BatchError> {
        let names = ["origin.x", "origin.y", "origin.z", "direction.x", "direction.y", "direction.z"];
        let vectors = names.into_iter().zip(self.origin.into_iter().chain(self.direction));
        let bounds = [("t_min", self.t_min), ("t_max", self.t_max)];
        let bounds = bounds.into_iter().filter_map(|(name, column)| Some((name, column?)));
        vectors.chain(bounds).try_for_each(|(name, column)| parallel::check_count(name, self.len(), column.len()))
    }
}

/// The rays of a batch: a slice, or columns. A function that takes a batch also takes references to a slice, an array or a `Vec` of rays, and to
/// [`RayColumns`].
#[derive(Clone, Copy, Debug)]
pub enum RayBatch<'a> {
    /// Rays one after the other.
    Rows(&'a [Ray]),
    /// A slice for each component.
    Columns(RayColumns<'a>),
}

impl<'a> From<&'a [Ray]> for RayBatch<'a> {
    fn from(rays: &'a [Ray]) -> Self {
        Self::Rows(rays)
    }
}

impl<'a, const N: usize> From<&'a [Ray; N]> for RayBatch<'a> {
    fn from(rays: &'a [Ray; N]) -> Self {
        Self::Rows(rays)
    }
}

impl<'a> From<&'a Vec<Ray>> for RayBatch<'a> {
    fn from(rays: &'a Vec<Ray>) -> Self {
        Self::Rows(rays)
    }
}

impl<'a> From<&RayColumns<'a>> for RayBatch<'a> {
    fn from(rays: &RayColumns<'a>) -> Self {
        Self::Columns(*rays)
    }
}

impl RayBatch<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Rows(rays) => rays.len(),
            Self::Columns(rays) => rays.len(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), BatchError> {
        if let Self::Columns(rays) = self { rays.check() } else { Ok(()) }
    }

    /// Returns rays from an index on, at most [`GATHERED`], one after the other.
    pub(crate) fn gather<'g>(&'g self, start: usize, count: usize, gathered: &'g mut GatheredRays) -> &'g [Ray] {
        match self {
            Self::Rows(rays) => &rays[start..start + count.min(GATHERED)],
            Self::Columns(rays) => rays.gather(start, count, gathered),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn get(&self, place: usize) -> Option<Ray> {
        match self {
            Self::Rows(rays) => rays.get(place).copied(),
            Self::Columns(rays) => rays.get(place),
        }
    }
}

/// Slices that receive the hits of a batch, as a structure of arrays. The answer for ray `i` goes to index `i` of each
/// slice that is given.
///
/// A miss writes `None` to `id`, and infinity to `t`. No hit has this t, and it is beyond every hit in comparisons of
/// distances. The other columns are written only if the hit has such a value. Otherwise, they keep their contents.
/// Without `uv`, `point` and `normal`, these are not computed.
///
/// The values are the same as in [`Hit`](crate::Hit), or in [`MeshHit`](crate::MeshHit), whose `id` is `()` and whose
/// part is 0.
#[derive(Debug)]
pub struct HitColumns<'a, K> {
    /// The entity; `None` for a miss. This is the one column that must be given.
    pub id: &'a mut [Option<K>],
    /// Distance along the ray, in units of its direction; infinity for a miss.
    pub t: Option<&'a mut [f32]>,
    /// Index of the part in a compound.
    pub part: Option<&'a mut [u32]>,
    /// Index of the triangle of a mesh.
    pub triangle: Option<&'a mut [u32]>,
    /// The side that the ray hit.
    pub side: Option<&'a mut [Side]>,
    /// u and v, on a triangle or a quad.
    pub uv: Option<[&'a mut [f32]; 2]>,
    /// x, y and z of the point.
    pub point: Option<[&'a mut [f32]; 3]>,
    /// x, y and z of the normal.
    pub normal: Option<[&'a mut [f32]; 3]>,
}

impl<'a, K> HitColumns<'a, K> {
    /// Makes a value with the column of entities alone; `HitColumns { t: Some(&mut t), ..HitColumns::new(&mut ids) }` adds others.
    pub fn new(id: &'a mut [Option<K>]) -> Self {
        Self { id, t: None, part: None, triangle: None, side: None, uv: None, point: None, normal: None }
    }
}

impl<K: Clone> HitColumns<'_, K> {
    pub(crate) fn check(&self, rays: usize) -> Result<(), BatchError> {
        fn length<T>(column: &Option<&mut [T]>) -> Option<usize> {
            column.as_ref().map(|column| column.len())
        }
        fn lengths<const N: usize>(columns: &Option<[&mut [f32]; N]>) -> [Option<usize>; N] {
            core::array::from_fn(|axis| columns.as_ref().map(|columns| columns[axis].len()))
        }
        let ([u, v], [x, y, z], [nx, ny, nz]) = (lengths(&self.uv), lengths(&self.point), lengths(&self.normal));
        let columns = [
            ("places in id", Some(self.id.len())),
            ("places in t", length(&self.t)),
            ("places in part", length(&self.part)),
            ("places in triangle", length(&self.triangle)),
            ("places in side", length(&self.side)),
            ("places in u", u),
            ("places in v", v),
            ("places in point.x", x),
            ("places in point.y", y),
            ("places in point.z", z),
            ("places in normal.x", nx),
            ("places in normal.y", ny),
            ("places in normal.z", nz),
        ];
        let given = columns.into_iter().filter_map(|(what, count)| Some((what, count?)));
        given.into_iter().try_for_each(|(what, count)| parallel::check_count(what, rays, count))
    }

    /// Returns whether a column needs more of a hit than its t and its triangle.
    pub(crate) fn want_place(&self) -> bool {
        self.uv.is_some() || self.point.is_some() || self.normal.is_some()
    }

    /// Writes the values for which there are columns.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, hit: Option<&impl ColumnHit<K>>) {
        if let Some(id) = self.id.get_mut(place) {
            *id = hit.map(ColumnHit::id);
        }
        set(&mut self.t, place, || Some(hit.map_or(f32::INFINITY, ColumnHit::t)));
        let Some(hit) = hit else { return };
        set(&mut self.part, place, || Some(hit.part()));
        set(&mut self.triangle, place, || hit.triangle());
        set(&mut self.side, place, || Some(hit.side()));
        set_all(&mut self.uv, place, || Some(hit.uv()?.to_array()));
        set_all(&mut self.point, place, || Some(hit.point().to_array()));
        set_all(&mut self.normal, place, || Some(hit.normal().to_array()));
    }
}

/// A hit that goes into columns. Values without a column are not requested.
pub(crate) trait ColumnHit<K> {
    fn id(&self) -> K;
    fn t(&self) -> f32;
    fn part(&self) -> u32;
    fn triangle(&self) -> Option<u32>;
    fn side(&self) -> Side;
    fn uv(&self) -> Option<Vec2>;
    fn point(&self) -> Vec3;
    fn normal(&self) -> Vec3;
}

fn set<T>(column: &mut Option<&mut [T]>, place: usize, value: impl FnOnce() -> Option<T>) {
    if let Some(slot) = column.as_mut().and_then(|column| column.get_mut(place))
        && let Some(value) = value()
    {
        *slot = value;
    }
}

fn set_all<const N: usize>(
    columns: &mut Option<[&mut [f32]; N]>,
    place: usize,
    values: impl FnOnce() -> Option<[f32; N]>,
) {
    if let Some(columns) = columns
        && let Some(values) = values()
    {
        for (column, value) in columns.iter_mut().zip(values) {
            set(&mut Some(column), place, || Some(value));
        }
    }
}

impl<K: Send> Split for HitColumns<'_, K> {
    fn split(self, place: usize) -> (Self, Self) {
        fn one<T>(column: Option<&mut [T]>, place: usize) -> (Option<&mut [T]>, Option<&mut [T]>) {
            column.map(|column| column.split_at_mut(place)).unzip()
        }
        type Columns<'a, const N: usize> = Option<[&'a mut [f32]; N]>;
        fn several<const N: usize>(columns: Columns<'_, N>, place: usize) -> (Columns<'_, N>, Columns<'_, N>) {
            let Some(columns) = columns else { return (None, None) };
            let mut ends = [const { None }; N];
            let mut index = 0;
            let starts = columns.map(|column| {
                let (start, end) = column.split_at_mut(place);
                ends[index] = Some(end);
                index += 1;
                start
            });
            (Some(starts), Some(ends.map(Option::unwrap_or_default)))
        }
        let (id, later_id) = self.id.split_at_mut(place);
        let (t, later_t) = one(self.t, place);
        let (part, later_part) = one(self.part, place);
        let (triangle, later_triangle) = one(self.triangle, place);
        let (side, later_side) = one(self.side, place);
        let (uv, later_uv) = several(self.uv, place);
        let (point, later_point) = several(self.point, place);
        let (normal, later_normal) = several(self.normal, place);
        let later = Self {
            id: later_id,
            t: later_t,
            part: later_part,
            triangle: later_triangle,
            side: later_side,
            uv: later_uv,
            point: later_point,
            normal: later_normal,
        };
        (Self { id, t, part, triangle, side, uv, point, normal }, later)
    }
}
