//! The parts of a triangle.

/// The feature of a triangle that a volume touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// The interior; also the surface of any shape that is not a triangle.
    Face,
    /// The edge from this corner to the next: 0, 1 or 2.
    Edge(u8),
    /// This corner: 0, 1 or 2.
    Vertex(u8),
}
