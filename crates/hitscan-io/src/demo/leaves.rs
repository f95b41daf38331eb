//! The picture of a leafy branch: leaves that overlap, and holes between them.

use super::random::Random;
use crate::texture::Texture;
use hitscan::mesh::Wrap;

const SIZE: u32 = 128;
const LEAVES: usize = 170;

/// A pointed oval: where two circles overlap.
struct Leaf {
    circles: [[f64; 2]; 2],
    squared_radius: f64,
}

impl Leaf {
    fn covers(&self, x: f64, y: f64) -> bool {
        let squared_distance = |c: [f64; 2]| (x - c[0]) * (x - c[0]) + (y - c[1]) * (y - c[1]);
        self.circles.iter().all(|&center| squared_distance(center) <= self.squared_radius)
    }
}

/// Makes the alpha of the leaf cards: 255 on a leaf, 0 between them.
pub(super) fn texture() -> Texture {
    let mut random = Random::new(0x1EAF);
    let leaves: Vec<Leaf> = std::iter::repeat_with(|| leaf(&mut random)).flatten().take(LEAVES).collect();
    let texel = |i: u32| (f64::from(i) + 0.5) / f64::from(SIZE) * 2.0 - 1.0;
    let covered = |i: u32| leaves.iter().any(|leaf| leaf.covers(texel(i % SIZE), texel(i / SIZE)));
    let alpha = (0..SIZE * SIZE).map(|i| if covered(i) { 255 } else { 0 }).collect();
    Texture::from_alpha(SIZE, SIZE, alpha, [Wrap::ClampToEdge; 2])
        .unwrap_or_else(|| unreachable!("SIZE squared texels"))
}

/// Makes a leaf within the unit disc; `None` if its random place is outside.
fn leaf(random: &mut Random) -> Option<Leaf> {
    let [x, y] = [0, 1].map(|_| random.between(-0.88, 0.88));
    let (sin, cos) = libm::sincos(random.between(0.0, std::f64::consts::TAU));
    let length = random.between(0.09, 0.15);
    let [across, radius] = [0.75 * length, 1.25 * length];
    let circles = [[x + across * cos, y + across * sin], [x - across * cos, y - across * sin]];
    (x * x + y * y < 0.7).then_some(Leaf { circles, squared_radius: radius * radius })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::glam::Vec2;

    #[test]
    fn there_are_leaves_and_holes() {
        let picture = texture();
        let step = |i: u32| (i as f32 + 0.5) / SIZE as f32;
        let covered: f32 =
            (0..SIZE * SIZE).map(|i| picture.alpha(Vec2::new(step(i % SIZE), step(i / SIZE)))).sum::<f32>();
        let share = covered / (SIZE * SIZE) as f32;
        assert!((0.35..0.75).contains(&share), "{share}");
        assert_eq!(picture.alpha(Vec2::ZERO), 0.0, "the corners of a card are empty");
    }
}
