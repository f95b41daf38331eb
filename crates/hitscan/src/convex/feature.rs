//! The parts of a triangle.

/// The part of a triangle that a volume meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// Its inside; and the surface of any shape that is not a triangle.
    Face,
    /// The edge from this corner to the next: 0, 1 or 2.
    Edge(u8),
    /// This corner: 0, 1 or 2.
    Vertex(u8),
}
