//! The inclination of the ground at a contact: of a face, a ridge, or the edge of a step.

use crate::math::float::length;
use glam::DVec3;

/// The normal of a contact at an edge and the normal of the touched face differ by more than this. docs/robustness/characters.md
/// derives it.
pub(super) const AT_EDGE: f64 = 1e-3;

/// The inclination of the ground at a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grade {
    /// The unit normal of the contact. The character moves perpendicular to it.
    pub(super) normal: DVec3,
    /// The unit normal of the slope along which the speed is measured. It is the normal of the face, or on a ridge the normal of the contact. The edge of a
    /// step has no slope.
    pub(super) pace: DVec3,
}

impl From<DVec3> for Grade {
    fn from(normal: DVec3) -> Self {
        Self { normal, pace: normal }
    }
}

impl Grade {
    /// Returns whether the contact is with the edge of a step, which has no slope.
    pub(super) fn is_step(&self) -> bool {
        length(self.pace - self.normal) > AT_EDGE
    }
}

/// Returns whether the normal of a contact is between the normal of a face and another normal, as it is at a ridge. The normals are projected from the center
/// onto the plane that touches the unit sphere at the face's normal. In that plane, one of `faces` must be at least as far in the direction of the contact's
/// normal as the contact's normal itself.
pub(super) fn is_between(normal: DVec3, face: DVec3, faces: &[DVec3]) -> bool {
    let aside = normal.reject_from_normalized(face);
    let own = normal.dot(face) * (1.0 + AT_EDGE);
    faces
        .iter()
        .any(|other| other.dot(aside) > 0.0 && other.dot(aside) * own >= aside.length_squared() * other.dot(face))
}

#[cfg(test)]
mod tests {
    use super::is_between;
    use alloc::vec::Vec;
    use glam::DVec3;

    #[test]
    fn a_ridge_has_faces_on_both_sides() {
        let turned = |degrees: f64| DVec3::new(degrees.to_radians().sin(), degrees.to_radians().cos(), 0.0);
        let is_ridge = |contact: f64, face: f64, others: &[f64]| {
            is_between(
                turned(contact),
                turned(face),
                &others.iter().map(|degrees| turned(*degrees)).collect::<Vec<_>>(),
            )
        };
        assert!(is_ridge(10.0, 0.0, &[0.0, 45.0]) && is_ridge(-20.0, -45.0, &[50.0]) && is_ridge(45.0, 0.0, &[45.0]));
        assert!(is_ridge(1.0, -49.0, &[49.0]));
        assert!(!is_ridge(10.0, 0.0, &[0.0]) && !is_ridge(30.0, 0.0, &[20.0]) && !is_ridge(10.0, 0.0, &[-45.0]));
    }
}
