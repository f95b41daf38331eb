//! The answers of selections.

/// A selected triangle of a mesh or a height field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SelectedTriangle<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle, as in [`Hit::triangle`](crate::Hit::triangle).
    pub triangle: u32,
}

/// A selected vertex of a mesh or a height field, or a point of a cloud or a polyline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SelectedVertex<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// Index of the vertex: in [`Mesh::positions`](crate::Mesh::positions), [`HeightField::heights`](crate::HeightField::heights),
    /// [`PointCloud::positions`](crate::wire::PointCloud::positions) or [`Polyline::positions`](crate::wire::Polyline::positions).
    pub vertex: u32,
}

/// A selected edge of a triangle of a mesh or a height field, or a segment of a polyline. Triangles that share both vertices share the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SelectedEdge<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The indices of its vertices, as in [`SelectedVertex::vertex`], the smaller one first.
    pub vertices: [u32; 2],
}
