//! The questions that a cursor answers.

use super::cursor::Cursor;
use super::kind::{Snap, SnapKind};
use super::search::SnapSearch;
use crate::query::SightView;
use alloc::vec::Vec;
use core::hash::Hash;

impl Cursor {
    /// Returns the first point in the [order](Self#order) among all points of these kinds within the radius. Returns `None` if there are none.
    ///
    /// The filter of a view chooses entities; its cull and its choice of hits concern only faces, and the surfaces that hide points. An entity that the
    /// filter excludes hides nothing, unless [`hidden_by`](crate::View::hidden_by) says otherwise. If the view has an origin, the camera is relative to it,
    /// and so are the answers.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::snap::{Cursor, SnapKind};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("sheet", Mesh::from_soup(&[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])?, DVec3::ZERO)?;
    /// let camera = Camera::orthographic(Camera::look_at([0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, 6.0)?;
    /// // A unit is 100 pixels wide. The cursor is beside the lower edge, and no vertex is in reach.
    /// let cursor = Cursor::new(&camera, [600.0, 600.0], [330.0, 403.0], 4.0);
    /// let snap = cursor.nearest(&scene, &[SnapKind::Vertex, SnapKind::Edge]).unwrap();
    /// assert_eq!((snap.kind, snap.distance), (SnapKind::Edge, 3.0));
    /// assert!(cursor.nearest(&scene, &[SnapKind::Vertex]).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/snap.md")]
    pub fn nearest<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<SightView<'a, K>>,
        kinds: &[SnapKind],
    ) -> Option<Snap<K>> {
        SnapSearch::new(self, view.into())?.nearest(kinds)
    }

    /// Writes all points of these kinds within the radius into a buffer, which is cleared first, in their
    /// [order](Self#order). The rules of [`nearest`](Self::nearest) hold.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::snap::{Cursor, Hidden, SnapKind};
    ///
    /// let mut scene = Scene::new();
    /// for (id, z) in [("front", 0.0), ("back", -5.0)] {
    ///     let sheet = Mesh::from_soup(&[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])?;
    ///     scene.insert(id, sheet, DVec3::new(0.0, 0.0, z))?;
    /// }
    /// let camera = Camera::orthographic(Camera::look_at([0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, 6.0)?;
    /// let cursor = Cursor::new(&camera, [600.0, 600.0], [302.0, 200.0], 4.0);
    /// let mut snaps = Vec::new();
    /// cursor.all(&scene, &[SnapKind::Vertex], &mut snaps);
    /// assert_eq!(snaps.iter().map(|snap| snap.point.z).collect::<Vec<_>>(), [0.0]);
    /// cursor.hidden(Hidden::Keep).all(&scene, &[SnapKind::Vertex], &mut snaps);
    /// assert_eq!(snaps.iter().map(|snap| snap.point.z).collect::<Vec<_>>(), [0.0, -5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/snap.md")]
    pub fn all<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<SightView<'a, K>>,
        kinds: &[SnapKind],
        snaps: &mut Vec<Snap<K>>,
    ) {
        snaps.clear();
        if let Some(search) = SnapSearch::new(self, view.into()) {
            search.all(kinds, snaps);
        }
    }
}
