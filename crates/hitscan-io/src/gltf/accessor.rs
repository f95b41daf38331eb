//! Accessors: typed elements in buffer views, with stride, sparse replacements and normalised integers.

use super::buffers::Buffers;
use super::document::{Accessor, Document, Whole, get};
use crate::error::{Item, Problem};
use crate::vectors::Vectors;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// Reads accessors, each once, and ensures that the result stays in proportion to the file.
///
/// Everything that takes memory is counted. The elements of each accessor that is decoded are counted once. The corners of each mesh are counted once, and
/// meshes with the same accessors count as one. The data that is made for an entity, a camera or a pose is counted too. Meshes and nodes that show existing
/// data cost no more than their own size in the file.
pub(super) struct Accessors<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    /// Vectors that were already decoded: many primitives may use one accessor.
    known: RefCell<HashMap<usize, Arc<[f32]>>>,
    known_indices: RefCell<HashMap<usize, Arc<[u32]>>>,
    decoded: Cell<usize>,
}

/// The number of elements that may be made for each byte of the file. The densest accessor holds one element in each
/// byte, so this is the number of times that different meshes may use the same elements; without a limit a small file
/// could demand any amount of memory.
const ELEMENTS_PER_BYTE: usize = 8;
/// Any file may make this many elements: 50 MB of vectors, or 1.4 million triangles.
const ELEMENTS_ALLOWED: usize = 1 << 22;

/// Returns the number of elements (of 12 bytes) that a copy of a text is counted as.
pub(super) fn elements_of(text: &str) -> usize {
    text.len() / 12
}

impl<'a> Accessors<'a> {
    pub(super) fn new(document: &'a Document, buffers: &'a Buffers<'a>) -> Self {
        Self { document, buffers, known: RefCell::default(), known_indices: RefCell::default(), decoded: Cell::new(0) }
    }

    /// Reads vectors of N components, or 4x4 matrices column by column for N = 16; integers are unchanged, or from 0 to
    /// 1 (signed: -1 to 1) if they are normalised.
    pub(super) fn vectors<const N: usize>(&self, index: Whole) -> Result<Vectors<N>, Problem> {
        let (accessor, component) = self.typed(index)?;
        if accessor.shape != shape_name(N) || component == Component::U32 {
            let what = format!("is {} of {component:?}, where {} of floats belongs", accessor.shape, shape_name(N));
            return Err(item(index).invalid(what));
        }
        if let Some(known) = self.known.borrow().get(&index.0) {
            return Ok(Vectors::new(known.clone()));
        }
        let (size, normalized) = (component.size(), accessor.normalized);
        let vectors: Vec<[f32; N]> = self.read(index, accessor, N * size, |bytes| {
            std::array::from_fn(|i| component.number(&bytes[i * size..], normalized) as f32)
        })?;
        let flat: Arc<[f32]> = vectors.into_flattened().into();
        self.known.borrow_mut().insert(index.0, flat.clone());
        Ok(Vectors::new(flat))
    }

    /// Reads the joints that vertices follow: whole numbers in groups of four.
    pub(super) fn joints(&self, index: Whole) -> Result<Vectors<4>, Problem> {
        let (accessor, component) = self.typed(index)?;
        if accessor.normalized || !matches!(component, Component::U8 | Component::U16) {
            let kind = if accessor.normalized { "normalised " } else { "" };
            return Err(item(index).invalid(format!("is of {kind}{component:?}, where joints are plain U8 or U16")));
        }
        // This is exact: an f32 holds every u16.
        self.vectors(index)
    }

    /// Reads the times of an animation's keys: plain floats.
    pub(super) fn times(&self, index: Whole) -> Result<Vectors<1>, Problem> {
        match self.typed(index)? {
            (_, Component::F32) => self.vectors(index),
            (_, other) => Err(item(index).invalid(format!("is of {other:?}, where the times of keys are floats"))),
        }
    }

    /// Reads the values of an animation's keys: floats, or normalised integers.
    pub(super) fn values<const N: usize>(&self, index: Whole) -> Result<Vectors<N>, Problem> {
        let (accessor, component) = self.typed(index)?;
        if component != Component::F32 && !accessor.normalized {
            let what = format!("is of plain {component:?}, where the values of keys are floats or normalised integers");
            return Err(item(index).invalid(what));
        }
        self.vectors(index)
    }

    /// Reads vertex indices.
    pub(super) fn indices(&self, index: Whole) -> Result<Arc<[u32]>, Problem> {
        let (accessor, component) = self.typed(index)?;
        if accessor.shape != "SCALAR" || !matches!(component, Component::U8 | Component::U16 | Component::U32) {
            let what = format!("is {} of {component:?}, where SCALAR of U8, U16 or U32 belongs", accessor.shape);
            return Err(item(index).invalid(what));
        }
        if let Some(known) = self.known_indices.borrow().get(&index.0) {
            return Ok(known.clone());
        }
        // This is exact: an f64 holds every u32.
        let indices = self.read(index, accessor, component.size(), |bytes| component.number(bytes, false) as u32)?;
        let indices: Arc<[u32]> = indices.into();
        self.known_indices.borrow_mut().insert(index.0, indices.clone());
        Ok(indices)
    }

    /// Returns whether the elements are stored: an accessor without a buffer view is all zeros, or compressed.
    pub(super) fn is_stored(&self, index: Whole) -> bool {
        let accessor = self.document.accessors.get(index.0);
        accessor.is_none_or(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
    }

    /// Returns the number of components: 3 for VEC3.
    pub(super) fn width(&self, index: Whole) -> Option<usize> {
        let accessor = self.document.accessors.get(index.0)?;
        (2..=4).find(|&n| accessor.shape == shape_name(n))
    }

    /// Returns the number of elements.
    pub(super) fn count(&self, index: Whole) -> Result<usize, Problem> {
        Ok(get(&self.document.accessors, "accessor", index)?.count.0)
    }

    fn typed(&self, index: Whole) -> Result<(&'a Accessor, Component), Problem> {
        let accessor = get(&self.document.accessors, "accessor", index)?;
        let code = accessor.component_type.0;
        let component =
            Component::of(code).ok_or_else(|| item(index).invalid(format!("has the unknown component type {code}")))?;
        Ok((accessor, component))
    }

    fn read<T: Clone>(
        &self,
        index: Whole,
        accessor: &Accessor,
        size: usize,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Problem> {
        let count = accessor.count.0;
        let mut values = match accessor.buffer_view {
            Some(view) => {
                let place = Place { view, offset: accessor.byte_offset, size, count };
                let elements = self.elements(index, place)?;
                self.spend(&item(index), count)?;
                elements.map(&decode).collect()
            }
            None => {
                self.spend(&item(index), count)?;
                vec![decode(&vec![0; size]); count]
            }
        };
        if accessor.sparse.is_some() {
            self.apply_sparse(index, accessor, size, decode, &mut values)?;
        }
        Ok(values)
    }

    /// Puts an accessor's sparse elements in their places.
    fn apply_sparse<T>(
        &self,
        index: Whole,
        accessor: &Accessor,
        size: usize,
        decode: impl Fn(&[u8]) -> T,
        values: &mut [T],
    ) -> Result<(), Problem> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let (indices, count) = (&sparse.indices, sparse.count.0);
        self.spend(&item(index), count)?;
        let component = Component::of(indices.component_type.0)
            .filter(|component| matches!(component, Component::U8 | Component::U16 | Component::U32))
            .ok_or_else(|| item(index).invalid("has sparse indices that are no unsigned integers"))?;
        let place = Place { view: indices.buffer_view, offset: indices.byte_offset, size: component.size(), count };
        let places = self.elements(index, place)?;
        let place = Place { view: sparse.values.buffer_view, offset: sparse.values.byte_offset, size, count };
        for (place, bytes) in places.zip(self.elements(index, place)?) {
            let at = component.number(place, false) as usize;
            let elements = values.len();
            let value = values
                .get_mut(at)
                .ok_or_else(|| item(index).invalid(format!("has the sparse index {at}, and {elements} elements")))?;
            *value = decode(bytes);
        }
        Ok(())
    }

    /// Returns each element's bytes, after checking that the last one exists.
    fn elements(&self, accessor: Whole, place: Place) -> Result<impl Iterator<Item = &[u8]>, Problem> {
        let Place { view: view_index, offset, size, count } = place;
        let (view, bytes) = self.buffers.view(view_index)?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        if stride < size {
            let fault = format!("has elements of {size} bytes every {stride} bytes");
            return Err(item(accessor).invalid(fault));
        }
        let end = count
            .checked_sub(1)
            .map_or(Some(offset.0), |last| last.checked_mul(stride)?.checked_add(size)?.checked_add(offset.0));
        let bytes = end.and_then(|end| bytes.get(offset.0..end)).ok_or_else(|| {
            let available = bytes.len();
            let fault =
                format!("needs {count} elements of buffer view {}, which ends after {available} bytes", view_index.0);
            item(accessor).invalid(fault)
        })?;
        Ok((0..count).map(move |i| &bytes[i * stride..i * stride + size]))
    }

    /// Counts elements that are about to be made from an item of the file.
    pub(super) fn spend(&self, item: &Item, count: usize) -> Result<(), Problem> {
        let decoded = self.decoded.get().saturating_add(count);
        let allowed = self.buffers.bytes_read().saturating_mul(ELEMENTS_PER_BYTE).max(ELEMENTS_ALLOWED);
        if decoded > allowed {
            let fault =
                format!("with its {count} elements makes the model larger than its file can mean ({allowed} elements)");
            return Err(item.clone().invalid(fault));
        }
        self.decoded.set(decoded);
        Ok(())
    }
}

/// The place of some elements.
#[derive(Clone, Copy)]
struct Place {
    view: Whole,
    offset: Whole,
    /// The size of an element in bytes.
    size: usize,
    count: usize,
}

fn item(index: Whole) -> Item {
    Item::new("accessor", index.0)
}

fn shape_name(width: usize) -> &'static str {
    match width {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: usize) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Returns the number at the start of some bytes. There must be enough bytes.
    fn number(self, bytes: &[u8], normalized: bool) -> f64 {
        let (value, largest) = match self {
            Self::I8 => (f64::from(bytes[0].cast_signed()), f64::from(i8::MAX)),
            Self::U8 => (f64::from(bytes[0]), f64::from(u8::MAX)),
            Self::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), f64::from(i16::MAX)),
            Self::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), f64::from(u16::MAX)),
            Self::U32 => (f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])), 1.0),
            Self::F32 => (f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])), 1.0),
        };
        // The most negative integer also means -1 (glTF 2.0, 3.6.2.2); a float is never normalised.
        if normalized && self != Self::F32 { (value / largest).max(-1.0) } else { value }
    }
}
