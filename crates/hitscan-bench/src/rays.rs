//! The ray sets: what is asked of every scene, the same on every machine.

use crate::random::Random;
use crate::scenes::View;
use hitscan::Ray;
use hitscan::glam::{DMat3, DVec3, Vec3};
use serde::Serialize;

/// What a set of rays asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The closest hit.
    Closest,
    /// Whether there is any hit.
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RaySet {
    /// A picture from the eye, in Morton order, so that rays near each other follow each other.
    Primary,
    /// From what the picture shows into the hemisphere, cosine-weighted: ambient occlusion asked as the closest hit.
    Ao,
    /// From anywhere into any direction.
    Random,
    /// From what the picture shows to the light.
    Shadow,
    /// As `Ao`, up to a twentieth of the scene's diagonal.
    AoAny,
    /// Between two places anywhere.
    LineOfSight,
}

impl RaySet {
    pub(crate) const ALL: [Self; 6] =
        [Self::Primary, Self::Ao, Self::Random, Self::Shadow, Self::AoAny, Self::LineOfSight];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Ao => "ao",
            Self::Random => "random",
            Self::Shadow => "shadow",
            Self::AoAny => "ao-any",
            Self::LineOfSight => "line-of-sight",
        }
    }

    pub(crate) fn question(self) -> Question {
        match self {
            Self::Primary | Self::Ao | Self::Random => Question::Closest,
            Self::Shadow | Self::AoAny | Self::LineOfSight => Question::Any,
        }
    }
}

/// Where a ray of the picture ends: a little above the surface, so that no contender meets that surface again, and the normal
/// turned against the ray.
#[derive(Clone, Copy, Debug)]
struct Place {
    point: DVec3,
    normal: DVec3,
}

/// Makes the ray sets of one scene.
pub(crate) struct Rays {
    view: View,
    min: DVec3,
    max: DVec3,
    primary: Vec<Ray>,
    /// As many as primary rays; where these hit nothing at all, they are in the middle.
    places: Vec<Place>,
}

impl Rays {
    /// A picture of `4 ^ power` rays; `cast` says where a ray hits, and the normal there.
    pub(crate) fn new(
        view: View,
        (min, max): (DVec3, DVec3),
        power: u32,
        cast: impl Fn(&Ray) -> Option<(Vec3, Vec3)>,
    ) -> Self {
        let primary = picture(&view, power);
        let lift = (max - min).length() * 1e-4;
        let place = |ray: &Ray| {
            let (point, normal) = cast(ray)?;
            let normal = normal.as_dvec3();
            Some(Place { point: point.as_dvec3() + normal * lift, normal })
        };
        let seen: Vec<Place> = primary.iter().filter_map(place).collect();
        let middle = [Place { point: (min + max) / 2.0, normal: DVec3::Y }];
        let from: &[Place] = if seen.is_empty() { &middle } else { &seen };
        let places = from.iter().cycle().take(primary.len()).copied().collect();
        Self { view, min, max, primary, places }
    }

    pub(crate) fn of(&self, set: RaySet) -> Vec<Ray> {
        let mut random = Random::new(100 + set as u64);
        let reach = (self.max - self.min).length() / 20.0;
        match set {
            RaySet::Primary => self.primary.clone(),
            RaySet::Ao => self.places.iter().map(|place| hemisphere(place, &mut random)).collect(),
            RaySet::AoAny => {
                let limited = |place| hemisphere(place, &mut random).with_range(0.0, reach as f32);
                self.places.iter().map(limited).collect()
            }
            RaySet::Shadow => self.places.iter().map(|place| between(place.point, self.view.light)).collect(),
            RaySet::Random => self.repeat(|| along(random.point(self.min, self.max), random.direction())),
            RaySet::LineOfSight => {
                self.repeat(|| between(random.point(self.min, self.max), random.point(self.min, self.max)))
            }
        }
    }

    fn repeat(&self, mut ray: impl FnMut() -> Ray) -> Vec<Ray> {
        self.primary.iter().map(|_| ray()).collect()
    }
}

fn along(origin: DVec3, direction: DVec3) -> Ray {
    Ray::new(origin.as_vec3(), direction.as_vec3())
}

fn between(from: DVec3, to: DVec3) -> Ray {
    Ray::between(from.as_vec3(), to.as_vec3())
}

/// A square picture, 60 degrees wide, one ray through the middle of each of `4 ^ power` pixels.
fn picture(view: &View, power: u32) -> Vec<Ray> {
    let forward = (view.target - view.eye).normalize();
    let right = forward.cross(DVec3::Y).normalize();
    let up = right.cross(forward);
    let (side, reach) = (1u32 << power, libm::tan(30f64.to_radians()));
    let ray = |index: u32| {
        let place = |pixel: u32| ((f64::from(pixel) + 0.5) / f64::from(side) * 2.0 - 1.0) * reach;
        let (x, y) = (place(every_other_bit(index)), place(every_other_bit(index >> 1)));
        along(view.eye, forward + right * x - up * y)
    };
    (0..side * side).map(ray).collect()
}

/// Bits 0, 2, 4... put together: one coordinate of a Morton code.
fn every_other_bit(code: u32) -> u32 {
    (0..16).map(|bit| (code >> (2 * bit) & 1) << bit).sum()
}

/// Into the hemisphere above a place, cosine-weighted: the normal plus a direction of unit length.
fn hemisphere(place: &Place, random: &mut Random) -> Ray {
    let (right, forward) = place.normal.any_orthonormal_pair();
    let frame = DMat3::from_cols(right, forward, place.normal);
    let direction = frame * random.direction() + place.normal;
    // Straight down is the one direction that leaves nothing.
    along(place.point, if direction.length_squared() > 0.0 { direction } else { place.normal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::Sphere;

    fn rays() -> Rays {
        let view = View { eye: DVec3::new(0.0, 0.0, 5.0), target: DVec3::ZERO, light: DVec3::splat(9.0) };
        let ball = Sphere::new(1.0);
        let cast = |ray: &Ray| ball.cast(ray).map(|hit| (ray.at(hit.t), hit.facing_normal()));
        Rays::new(view, (DVec3::splat(-1.0), DVec3::splat(1.0)), 6, cast)
    }

    #[test]
    fn the_same_each_time_valid_and_as_many_as_pixels() {
        for set in RaySet::ALL {
            let (first, again) = (rays().of(set), rays().of(set));
            assert_eq!(first, again, "{}", set.name());
            assert_eq!(first.len(), 4096);
            assert!(first.iter().all(|ray| ray.validate().is_ok()), "{}", set.name());
        }
    }

    #[test]
    fn sets_differ() {
        for (i, a) in RaySet::ALL.into_iter().enumerate() {
            for b in RaySet::ALL.into_iter().skip(i + 1) {
                assert_ne!(rays().of(a), rays().of(b), "{} and {}", a.name(), b.name());
            }
        }
    }

    #[test]
    fn each_pixel_once() {
        let mut pixels: Vec<(u32, u32)> = (0..256).map(|i| (every_other_bit(i), every_other_bit(i >> 1))).collect();
        pixels.sort_unstable();
        pixels.dedup();
        assert_eq!((pixels.len(), pixels[0], pixels[255]), (256, (0, 0), (15, 15)));
    }

    #[test]
    fn hemispheres_are_outside_the_ball() {
        let ball = Sphere::new(1.0);
        assert!(rays().of(RaySet::Ao).iter().all(|ray| !ball.is_blocked(ray)));
    }
}
