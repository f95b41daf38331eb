//! Primitive modes: how corners make triangles.

use super::document::Whole;
use crate::surface;

/// The rule by which corners make triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrimitiveMode {
    /// The primitive has points or lines.
    NoTriangles,
    Triangles,
    Strip,
    Fan,
}

impl PrimitiveMode {
    pub(super) fn of(code: Whole) -> Option<Self> {
        match code.0 {
            0..=3 => Some(Self::NoTriangles),
            4 => Some(Self::Triangles),
            5 => Some(Self::Strip),
            6 => Some(Self::Fan),
            _ => None,
        }
    }

    /// Returns the triangles, each counter-clockwise from its front (glTF 2.0, 3.7.2.1).
    pub(super) fn triangles(self, corners: &[u32]) -> Vec<[u32; 3]> {
        let pairs = corners.windows(2).skip(1);
        match self {
            Self::NoTriangles => Vec::new(),
            Self::Triangles => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
            Self::Strip => surface::strip(corners).collect(),
            Self::Fan => pairs.map(|pair| [pair[0], pair[1], corners[0]]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans() {
        let corners = [10, 11, 12, 13, 14];
        assert_eq!(PrimitiveMode::Triangles.triangles(&corners), [[10, 11, 12]]);
        assert_eq!(PrimitiveMode::Strip.triangles(&corners), [[10, 11, 12], [11, 13, 12], [12, 13, 14]]);
        assert_eq!(PrimitiveMode::Fan.triangles(&corners), [[11, 12, 10], [12, 13, 10], [13, 14, 10]]);
        for mode in [PrimitiveMode::Triangles, PrimitiveMode::Strip, PrimitiveMode::Fan] {
            assert_eq!(mode.triangles(&corners[..2]), [[0; 3]; 0]);
            assert_eq!(mode.triangles(&[]), [[0; 3]; 0]);
        }
    }
}
