//! Selection by a region of the window: a rectangle, a circle or a lasso, through any [`Camera`](crate::Camera).
//!
//! A [`Selector`] is made of a camera, a viewport and a [`Region`], and selects from a scene, a [`View`](crate::View) or a [`RayView`](crate::query::RayView).
//! Layers, the filter and the origin of the view apply as in every other question. So does `cull`, but only for triangles and flat shapes: a solid is selected
//! from either side.
//!
//! # What is in a region
//!
//! The region and the viewport, seen through the camera, are a part of space between the camera's depths. It is a
//! pyramid from the eye, or a prism for parallel rays. Without [`Camera::with_clip`](crate::Camera::with_clip)
//! everything in front of the eye is included. An object touches the region if a point of it is in that part of
//! space, and is inside if all of its points are.
//!
//! - **Triangles** are clipped by the planes of this space in f64. With a circle or a lasso, the clipped polygon is compared with the region in pixels. An
//!   answer is exact for corners that differ from the given corners by at most 32 roundings of f64 of the largest number in their transform. Triangles without
//!   an area are never selected.
//! - **Solids and flat shapes** belong to the region with all of their points, insides included, by distances between convex sets. They touch the region if
//!   they are no farther from it than a tolerance. It is 2^-38 of the distance from the eye to their farthest point. A shape that is inside of a circle may
//!   extend out of it by at most 2^-37 of a length. The length is the sum of the circle's radius and the distance of its centre from the origin of the window.
//!   If the shape is nearly equally near to the circle all around, as a ball that fills it, the bound is larger. The shape may then extend out by less than
//!   2^-18 of the radius.
//! - **A torus** counts with its true shape, including its hole. It is intersected with lines and flat sheets in closed form. The same bounds hold if its
//!   transform does not stretch it by more than 100 : 1. If it is nearly equally near to a circle all around, it may be reported as touching although the
//!   circle ends before it. The gap is up to 2^-19 of the circle's radius.
//! - **Points and lines** of clouds and polylines are treated as triangles are, within the same bound as the corners of triangles. They have no sides: a cull
//!   and a filter of hits do not concern them.
//! - **A plane** touches the region if a ray of the region hits the plane, and is never inside.
//! - **A custom shape** is the hull of its [`farthest`](crate::custom::CustomShape::farthest) points. Without such points, it is the box of its bounds. Without
//!   finite bounds, it is only selected where it is [visible](Selector::visible).
//! - **Holes** of cut-outs only matter to a visible selection: its rays pass through them. A filter of
//!   [`hits`](crate::Filter::hits) is called once or more for each triangle or shape, with a t of 0 and no point on the
//!   surface.
//!
//! [Visible](Selector::visible) selections cast their rays relative to the eye. So their resolution far from the
//! origin is the same as near it.
//!
//! # Examples
//!
//! The triangles of a mesh that a lasso touches, and the triangles that are visible in it:
//!
//! ```
//! use hitscan::prelude::*;
//! use hitscan::select::{Region, Selector};
//!
//! let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
//! let square = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?;
//! let mut scene = Scene::new();
//! scene.insert("front", &square, DVec3::new(0.0, 0.0, -4.0))?;
//! scene.insert("back", &square, DVec3::new(0.0, 0.0, -8.0))?;
//! let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0)?;
//! let lasso = Region::lasso(&[[120.0, 130.0], [180.0, 130.0], [230.0, 230.0]])?;
//! let selector = Selector::new(&camera, [400.0, 400.0], &lasso);
//! let mut triangles = Vec::new();
//! selector.triangles(&scene, &mut triangles);
//! assert_eq!(triangles.len(), 4);
//! selector.visible(1.0)?.triangles(&scene, &mut triangles);
//! assert_eq!(triangles.iter().map(|found| (found.id, found.triangle)).collect::<Vec<_>>(), [("front", 0), ("front", 1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod border;
mod lasso;
mod outline;
mod piece;
mod pixel_rect;
mod region;
mod ring;
mod seen;
mod selector;
mod solid;
mod surface;
mod volume;
mod wire;

pub use crate::error::RegionError;
pub use answer::{SelectedEdge, SelectedTriangle, SelectedVertex};
pub use region::Region;
pub use selector::Selector;

/// The rule for how much of an object must be in a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Rule {
    /// Some point of the object must be in the region.
    #[default]
    Touching,
    /// All points of the object must be in the region. The object must not touch the line of a lasso. A part that the
    /// viewport or the camera's depths cut off is not inside.
    Inside,
    /// The centre of the object must be in the region. It is the mean of a triangle's corners, the middle of an edge, a vertex itself, or the centre of the box
    /// around an entity.
    Center,
}

/// The elements of a part that were found: numbers of triangles or vertices, or two vertices in one number.
type Found = alloc::vec::Vec<u64>;
