//! The ray sets: the same questions for every scene, on every machine.

use super::random::Random;
use hitscan::Ray;
use hitscan::glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// The question of a set of rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The set asks for the closest hit.
    Closest,
    /// The set asks whether there is any hit.
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RaySet {
    /// The rays of a picture from the eye, in Morton order, so that neighbouring rays follow each other.
    Primary,
    /// Rays from the places in the picture into the hemisphere, cosine-weighted: the rays of ambient occlusion, with the
    /// closest hit as the answer.
    Ao,
    /// Rays from random points in random directions.
    Random,
    /// Rays from the places in the picture to the light.
    Shadow,
    /// The same rays as `Ao`, up to a twentieth of the scene's diagonal.
    AoAny,
    /// Segments between two random points.
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

/// The position and direction of a view of a scene, and the place of its light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) eye: DVec3,
    pub(crate) forward: DVec3,
    pub(crate) light: DVec3,
}

/// The choice of rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The number of pixels along a side of the square picture. Each pixel has a ray, and every other set has the same
    /// number of rays.
    pub(crate) side: u32,
    pub(crate) seed: u64,
}

impl Choice {
    /// The seed that the benchmark of other libraries uses, too.
    pub(crate) const SEED: u64 = 100;
}

/// The end of a primary ray. The point is a little above the surface, so that no library hits that surface again. The normal points to the side of the
/// ray's origin.
#[derive(Clone, Copy, Debug)]
struct Place {
    point: DVec3,
    normal: DVec3,
}

/// Makes the ray sets of one scene.
pub(crate) struct Rays {
    view: View,
    seed: u64,
    min: DVec3,
    max: DVec3,
    primary: Vec<Ray>,
    /// The places, one for each primary ray. If no primary ray hits anything, the places are in the middle of the
    /// scene.
    places: Vec<Place>,
}

impl Rays {
    /// Makes rays for a scene within these bounds; `cast` returns where a ray hits, and the normal there.
    pub(crate) fn new(
        view: View,
        (min, max): (DVec3, DVec3),
        choice: Choice,
        cast: impl Fn(&Ray) -> Option<(Vec3, Vec3)>,
    ) -> Self {
        let primary = picture(&view, choice.side);
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
        Self { view, seed: choice.seed, min, max, primary, places }
    }

    pub(crate) fn of(&self, set: RaySet) -> Vec<Ray> {
        let mut random = Random::new(self.seed.wrapping_add(set as u64));
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

/// Returns the rays of a square picture, 60 degrees wide and with +y upwards. There is one ray through the middle of
/// each pixel.
fn picture(view: &View, side: u32) -> Vec<Ray> {
    let forward = view.forward.normalize();
    // In a view straight up or down, any direction may be to the right.
    let right = forward.cross(DVec3::Y).try_normalize().unwrap_or(DVec3::X);
    let up = right.cross(forward);
    let reach = libm::tan(30f64.to_radians());
    let ray = |[x, y]: [u32; 2]| {
        let [x, y] = [x, y].map(|pixel| ((f64::from(pixel) + 0.5) / f64::from(side) * 2.0 - 1.0) * reach);
        along(view.eye, forward + right * x - up * y)
    };
    pixels(side).map(ray).collect()
}

/// Returns the pixels of the picture in Morton order. The order is taken from the square whose side is the next larger
/// power of two, without the pixels outside of the picture.
fn pixels(side: u32) -> impl Iterator<Item = [u32; 2]> {
    let all = u64::from(side.next_power_of_two()).pow(2);
    let both = (0..all).map(|code| [code, code >> 1].map(every_other_bit));
    both.filter(move |pixel| pixel.iter().all(|&place| place < side))
}

/// Returns bits 0, 2, 4... of a number without gaps: one coordinate of a Morton code.
fn every_other_bit(code: u64) -> u32 {
    (0..32).map(|bit| ((code >> (2 * bit) & 1) as u32) << bit).sum()
}

/// Makes a cosine-weighted ray into the hemisphere above a place. Its direction is the normal plus a random direction
/// of unit length.
fn hemisphere(place: &Place, random: &mut Random) -> Ray {
    let (right, forward) = place.normal.any_orthonormal_pair();
    let frame = DMat3::from_cols(right, forward, place.normal);
    let direction = frame * random.direction() + place.normal;
    // The sum is zero only if the random direction points straight down.
    along(place.point, if direction.length_squared() > 0.0 { direction } else { place.normal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::Sphere;

    fn rays() -> Rays {
        let view = View { eye: DVec3::new(0.0, 0.0, 5.0), forward: DVec3::NEG_Z, light: DVec3::splat(9.0) };
        let ball = Sphere::new(1.0);
        let cast = |ray: &Ray| ball.cast(ray).map(|hit| (ray.at(hit.t), hit.facing_normal()));
        Rays::new(view, (DVec3::splat(-1.0), DVec3::splat(1.0)), Choice { side: 64, seed: Choice::SEED }, cast)
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
        for side in [1, 2, 3, 16, 21] {
            let mut pixels: Vec<[u32; 2]> = pixels(side).collect();
            pixels.sort_unstable();
            let rows = (0..side).flat_map(|x| (0..side).map(move |y| [x, y]));
            assert!(pixels.into_iter().eq(rows), "{side}");
        }
    }

    #[test]
    fn any_direction_can_be_looked_in() {
        for forward in [DVec3::Y, DVec3::NEG_Y * 1e-9, DVec3::new(3e9, 1.0, 0.0)] {
            let view = View { eye: DVec3::ZERO, forward, light: DVec3::ONE };
            let rays = picture(&view, 5);
            assert!(rays.len() == 25 && rays.iter().all(|ray| ray.validate().is_ok()), "{forward}");
        }
    }

    #[test]
    fn hemispheres_are_outside_the_ball() {
        let ball = Sphere::new(1.0);
        assert!(rays().of(RaySet::Ao).iter().all(|ray| !ball.is_blocked(ray)));
    }
}
