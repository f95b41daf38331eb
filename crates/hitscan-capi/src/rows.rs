//! Rays and answers of a batch, where the caller has them in memory: whole structs or columns, at any stride.
//!
//! Several threads read and write them at once, and no two threads use the same item. Anything may lie between the
//! items, even an answer between two rays, so items are read and written one by one through pointers.

use crate::facts::{HS_NO_TRIANGLE, HsSide};
use crate::pointer::{shared, sized};
use crate::ray::{HsHit, HsRay};
use crate::status::{Failure, HsStatus};
use hitscan::{Hit, MeshHit, Ray};
use std::mem::offset_of;
use std::ops::Range;

/// Items of the caller's, `stride` bytes apart.
pub(crate) struct Rows<T> {
    start: *mut T,
    stride: usize,
}

// SAFETY: The caller of the batch lends all items to it, and no two threads use the same item.
unsafe impl<T: Send> Send for Rows<T> {}
// SAFETY: As above.
unsafe impl<T: Send> Sync for Rows<T> {}

impl<T> Rows<T> {
    /// Checks pointer and stride for this many items. A stride of 0 means that the items are contiguous.
    pub(crate) fn new(start: *const T, stride: usize, count: usize, name: &str) -> Result<Self, Failure> {
        let stride = if stride == 0 { size_of::<T>() } else { stride };
        if count == 0 {
            return Ok(Self { start: start.cast_mut(), stride });
        }
        // SAFETY: A `[T; 0]` has no bytes, so that any aligned address is valid.
        unsafe { shared(start.cast::<[T; 0]>(), name) }?;
        if !stride.is_multiple_of(align_of::<T>()) {
            let text = format!("the stride {stride} of `{name}` is not a multiple of {}", align_of::<T>());
            return Err(Failure::new(HsStatus::Misaligned, text));
        }
        if stride < size_of::<T>() {
            let text = format!("the stride {stride} of `{name}` is less than the {} bytes of one", size_of::<T>());
            return Err(Failure::argument(text));
        }
        match count.checked_mul(stride) {
            Some(bytes) if bytes <= isize::MAX as usize => Ok(Self { start: start.cast_mut(), stride }),
            _ => Err(Failure::argument(format!("{count} items in `{name}` are more than fit into memory"))),
        }
    }

    /// # Safety
    /// `number` is less than the number of items.
    #[inline(always)]
    unsafe fn at(&self, number: usize) -> *mut T {
        // SAFETY: The caller guarantees it.
        unsafe { self.start.byte_add(number * self.stride) }
    }

    /// # Safety
    /// `number` is less than the number of items, and the items have values.
    #[inline(always)]
    pub(crate) unsafe fn get(&self, number: usize) -> T
    where
        T: Copy,
    {
        // SAFETY: The caller guarantees that the item exists and has a value. The start and the stride are aligned.
        unsafe { self.at(number).read() }
    }

    /// # Safety
    /// `number` is less than the number of items.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, number: usize, value: T) {
        // SAFETY: The caller guarantees that the item exists. The start and the stride are aligned.
        unsafe { self.at(number).write(value) }
    }
}

/// Rays of a batch in columns. A stride of 0 means that the floats of each column are contiguous.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsRayColumns {
    /// The size of this struct, `sizeof(HsRayColumns)`.
    pub size: usize,
    /// The x, y and z of the origins.
    pub origin: [*const f32; 3],
    /// The x, y and z of the directions, which are used as they are.
    pub direction: [*const f32; 3],
    /// The smallest accepted t for each ray. Null means 0.
    pub t_min: *const f32,
    /// The largest accepted t for each ray. Null means infinity.
    pub t_max: *const f32,
    /// The number of bytes from one float of a column to the next, or 0.
    pub stride: usize,
}

/// Answers of a batch in columns. A column that is null is not written. A miss has the values that it has in an
/// `HsHit`. A stride of 0 means that the numbers of each column are contiguous.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsHitColumns {
    /// The size of this struct, `sizeof(HsHitColumns)`.
    pub size: usize,
    /// The entities.
    pub key: *mut u64,
    /// The distances along the rays; infinity for a miss.
    pub t: *mut f32,
    /// The barycentrics of the second corners.
    pub u: *mut f32,
    /// The barycentrics of the third corners.
    pub v: *mut f32,
    /// The x, y and z of the points.
    pub point: [*mut f32; 3],
    /// The x, y and z of the normals.
    pub normal: [*mut f32; 3],
    /// The numbers of the parts.
    pub part: *mut u32,
    /// The numbers of the triangles.
    pub triangle: *mut u32,
    /// The sides, an `HsSide` each; 0 for a miss.
    pub side: *mut i32,
    /// The number of bytes from one number of a column to the next, or 0.
    pub stride: usize,
}

const NO_RAYS: HsRayColumns = HsRayColumns {
    size: 0,
    origin: [std::ptr::null(); 3],
    direction: [std::ptr::null(); 3],
    t_min: std::ptr::null(),
    t_max: std::ptr::null(),
    stride: 0,
};

const NO_HITS: HsHitColumns = HsHitColumns {
    size: 0,
    key: std::ptr::null_mut(),
    t: std::ptr::null_mut(),
    u: std::ptr::null_mut(),
    v: std::ptr::null_mut(),
    point: [std::ptr::null_mut(); 3],
    normal: [std::ptr::null_mut(); 3],
    part: std::ptr::null_mut(),
    triangle: std::ptr::null_mut(),
    side: std::ptr::null_mut(),
    stride: 0,
};

/// Rays of a batch.
pub(crate) enum Rays {
    Structs(Rows<HsRay>),
    Columns { origin: [Rows<f32>; 3], direction: [Rows<f32>; 3], t_min: Option<Rows<f32>>, t_max: Option<Rows<f32>> },
}

/// The most rays that are cast together.
pub(crate) const TOGETHER: usize = 64;

/// A ray that hits nothing.
const NOTHING: Ray =
    Ray { origin: hitscan::glam::Vec3::NAN, t_min: 0.0, direction: hitscan::glam::Vec3::ZERO, t_max: 0.0 };

impl Rays {
    /// Reads the columns of this many rays.
    ///
    /// # Safety
    /// The struct is valid.
    pub(crate) unsafe fn columns(given: *const HsRayColumns, count: usize) -> Result<Self, Failure> {
        const LEAST: usize = offset_of!(HsRayColumns, stride) + size_of::<usize>();
        // SAFETY: The caller guarantees it.
        let given = unsafe { sized(given, LEAST, NO_RAYS, "rays") }?;
        let column = |start, name| Rows::new(start, given.stride, count, name);
        let all =
            |[x, y, z]: [*const f32; 3], name| Ok::<_, Failure>([column(x, name)?, column(y, name)?, column(z, name)?]);
        let (origin, direction) = (all(given.origin, "rays->origin")?, all(given.direction, "rays->direction")?);
        let some = |start: *const f32, name| (!start.is_null()).then(|| column(start, name)).transpose();
        Ok(Self::Columns {
            origin,
            direction,
            t_min: some(given.t_min, "rays->t_min")?,
            t_max: some(given.t_max, "rays->t_max")?,
        })
    }

    /// # Safety
    /// `number` is less than the number of rays.
    pub(crate) unsafe fn get(&self, number: usize) -> Ray {
        match self {
            // SAFETY: The caller guarantees it.
            Self::Structs(rows) => *unsafe { rows.get(number) }.as_ray(),
            Self::Columns { origin, direction, t_min, t_max } => {
                // SAFETY: The caller guarantees it.
                let [origin, direction]: [[f32; 3]; 2] =
                    [origin, direction].map(|axes| std::array::from_fn(|axis| unsafe { axes[axis].get(number) }));
                let end = |column: &Option<Rows<f32>>, otherwise| {
                    // SAFETY: The caller guarantees it.
                    column.as_ref().map_or(otherwise, |column| unsafe { column.get(number) })
                };
                Ray::with_direction(origin, direction).with_range(end(t_min, 0.0), end(t_max, f32::INFINITY))
            }
        }
    }

    /// Calls `look` with the rays of at most [`TOGETHER`] numbers. The rays are copied if they are not contiguous.
    ///
    /// # Safety
    /// There are rays of all these numbers.
    #[inline(always)]
    pub(crate) unsafe fn show<A>(&self, numbers: Range<usize>, look: impl FnOnce(&[Ray]) -> A) -> A {
        if let Self::Structs(rows) = self
            && rows.stride == size_of::<Ray>()
        {
            // SAFETY: Nothing is between these rays, which are laid out as the library's, and the caller guarantees the rest.
            return look(unsafe { std::slice::from_raw_parts(rows.at(numbers.start).cast::<Ray>(), numbers.len()) });
        }
        let mut copies = [NOTHING; TOGETHER];
        let count = numbers.len().min(TOGETHER);
        for (copy, number) in copies.iter_mut().zip(numbers) {
            // SAFETY: The caller guarantees it.
            *copy = unsafe { self.get(number) };
        }
        look(&copies[..count])
    }
}

/// A hit whose values are computed when they are written.
pub(crate) trait Found {
    fn key(&self) -> u64;
    fn t(&self) -> f32;
    fn uv(&self) -> [f32; 2];
    fn point(&self) -> [f32; 3];
    fn normal(&self) -> [f32; 3];
    fn part(&self) -> u32;
    fn triangle(&self) -> u32;
    fn side(&self) -> i32;
    fn whole(&self) -> HsHit;
}

impl Found for Hit<u64> {
    fn key(&self) -> u64 {
        self.id
    }

    fn t(&self) -> f32 {
        self.t
    }

    fn uv(&self) -> [f32; 2] {
        self.uv.unwrap_or_default().to_array()
    }

    fn point(&self) -> [f32; 3] {
        self.point.to_array()
    }

    fn normal(&self) -> [f32; 3] {
        self.normal.to_array()
    }

    fn part(&self) -> u32 {
        self.part
    }

    fn triangle(&self) -> u32 {
        self.triangle.unwrap_or(HS_NO_TRIANGLE)
    }

    fn side(&self) -> i32 {
        HsSide::from(self.side) as i32
    }

    fn whole(&self) -> HsHit {
        self.into()
    }
}

impl Found for MeshHit {
    fn key(&self) -> u64 {
        0
    }

    fn t(&self) -> f32 {
        self.t
    }

    fn uv(&self) -> [f32; 2] {
        MeshHit::uv(self).to_array()
    }

    fn point(&self) -> [f32; 3] {
        MeshHit::point(self).to_array()
    }

    fn normal(&self) -> [f32; 3] {
        MeshHit::normal(self).to_array()
    }

    fn part(&self) -> u32 {
        0
    }

    fn triangle(&self) -> u32 {
        self.triangle
    }

    fn side(&self) -> i32 {
        HsSide::from(self.side) as i32
    }

    fn whole(&self) -> HsHit {
        self.into()
    }
}

/// Places for the answers of a batch.
pub(crate) enum Hits {
    Structs(Rows<HsHit>),
    Columns(Box<HitColumns>),
}

pub(crate) struct HitColumns {
    key: Option<Rows<u64>>,
    t: Option<Rows<f32>>,
    uv: [Option<Rows<f32>>; 2],
    point: [Option<Rows<f32>>; 3],
    normal: [Option<Rows<f32>>; 3],
    part: Option<Rows<u32>>,
    triangle: Option<Rows<u32>>,
    side: Option<Rows<i32>>,
}

/// Writes a value to a column, if the caller wants this column.
///
/// # Safety
/// The column has more places than this number.
unsafe fn put<T>(column: &Option<Rows<T>>, number: usize, value: impl FnOnce() -> T) {
    if let Some(column) = column {
        // SAFETY: The caller guarantees it.
        unsafe { column.put(number, value()) }
    }
}

/// Writes a vector to its columns, if the caller wants any of them.
///
/// # Safety
/// `number` is less than the number of places in each column.
unsafe fn put_all<const N: usize>(columns: &[Option<Rows<f32>>; N], number: usize, values: impl FnOnce() -> [f32; N]) {
    if columns.iter().any(Option::is_some) {
        for (column, value) in columns.iter().zip(values()) {
            // SAFETY: The caller guarantees it.
            unsafe { put(column, number, || value) }
        }
    }
}

impl Hits {
    /// Reads the columns for this many answers.
    ///
    /// # Safety
    /// The struct is valid.
    pub(crate) unsafe fn columns(given: *const HsHitColumns, count: usize) -> Result<Self, Failure> {
        const LEAST: usize = offset_of!(HsHitColumns, stride) + size_of::<usize>();
        // SAFETY: The caller guarantees it.
        let given = unsafe { sized(given, LEAST, NO_HITS, "hits") }?;
        fn column<T>(start: *mut T, stride: usize, count: usize, name: &str) -> Result<Option<Rows<T>>, Failure> {
            (!start.is_null()).then(|| Rows::new(start, stride, count, name)).transpose()
        }
        let float = |start, name| column::<f32>(start, given.stride, count, name);
        let all =
            |[x, y, z]: [*mut f32; 3], name| Ok::<_, Failure>([float(x, name)?, float(y, name)?, float(z, name)?]);
        Ok(Self::Columns(Box::new(HitColumns {
            key: column(given.key, given.stride, count, "hits->key")?,
            t: float(given.t, "hits->t")?,
            uv: [float(given.u, "hits->u")?, float(given.v, "hits->v")?],
            point: all(given.point, "hits->point")?,
            normal: all(given.normal, "hits->normal")?,
            part: column(given.part, given.stride, count, "hits->part")?,
            triangle: column(given.triangle, given.stride, count, "hits->triangle")?,
            side: column(given.side, given.stride, count, "hits->side")?,
        })))
    }

    /// Writes an answer.
    ///
    /// # Safety
    /// There are more places than this number.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, number: usize, found: Option<&impl Found>) {
        match self {
            // SAFETY: The caller guarantees it.
            Self::Structs(rows) => unsafe { rows.put(number, found.map_or(HsHit::MISS, Found::whole)) },
            // SAFETY: The caller guarantees it.
            Self::Columns(columns) => unsafe { columns.put(number, found) },
        }
    }
}

impl HitColumns {
    /// # Safety
    /// `number` is less than the number of places in each column.
    unsafe fn put(&self, number: usize, found: Option<&impl Found>) {
        const MISS: HsHit = HsHit::MISS;
        // SAFETY: The caller guarantees it.
        unsafe {
            put(&self.key, number, || found.map_or(MISS.key, Found::key));
            put(&self.t, number, || found.map_or(MISS.t, Found::t));
            put_all(&self.uv, number, || found.map_or([MISS.u, MISS.v], Found::uv));
            put_all(&self.point, number, || found.map_or(MISS.point, Found::point));
            put_all(&self.normal, number, || found.map_or(MISS.normal, Found::normal));
            put(&self.part, number, || found.map_or(MISS.part, Found::part));
            put(&self.triangle, number, || found.map_or(MISS.triangle, Found::triangle));
            put(&self.side, number, || found.map_or(MISS.side, Found::side));
        }
    }
}
