//! Several players: a repeated frame has the same bits, and ten players go through one door.

use crate::player::{DT, MIDDLE, Player, floor, frames};
use hitscan::glam::DVec3;
use hitscan::{Aabb, Capsule, Filter, Scene};
use std::error::Error;

/// A server goes back by 30 frames and plays them again. The same inputs give the same bits.
pub(crate) fn rollback() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([2.0, 0.0, -9.0], [9.0, 0.3, 9.0]), DVec3::ZERO)?;
    scene.insert(2, Aabb::new([4.0, 0.3, -1.0], [5.0, 3.0, 1.0]), DVec3::ZERO)?;
    let input = |frame: usize| DVec3::new(4.0, 0.0, (frame as f64 * 0.2).sin());
    let mut player = Player::at([0.0, 0.0, 0.0])?;
    for frame in 0..30 {
        player.walk(&scene, input(frame));
    }
    let saved = player.clone();
    let mut play = |input: &dyn Fn(usize) -> DVec3| {
        player = saved.clone();
        for frame in 30..90 {
            player.walk(&scene, input(frame));
        }
        player.state
    };
    let (first, other) = (play(&input), play(&|frame| if frame < 60 { input(frame) } else { -input(frame) }));
    let again = play(&input);
    assert!(
        first == again && first.position.to_array().map(f64::to_bits) == again.position.to_array().map(f64::to_bits)
    );
    assert_ne!(first, other);
    Ok(format!(
        "60 frames again end at x = {:.3}, the same to the bit; with other inputs at x = {:.3}",
        again.position.x, other.position.x
    ))
}

const PLAYERS: u32 = 10;
/// The first key of a player; lower keys belong to the level.
const FIRST: u32 = 100;
/// The time for which a player that is stuck walks back.
const PATIENCE: usize = 15;

/// A player in the crowd.
struct Guest {
    id: u32,
    player: Player,
    stuck: usize,
    back: usize,
}

/// Ten players spawn at one point and go through a door that is as wide as one and a half players. No two players overlap, and all get through.
pub(crate) fn door() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([3.0, 0.0, -9.0], [3.4, 3.0, -0.45]), DVec3::ZERO)?;
    scene.insert(2, Aabb::new([3.0, 0.0, 0.45], [3.4, 3.0, 9.0]), DVec3::ZERO)?;
    let mut guests = Vec::new();
    for id in FIRST..FIRST + PLAYERS {
        scene.insert(id, Capsule::new(0.3, 1.8), DVec3::Y * MIDDLE)?;
        guests.push(Guest { id, player: Player::at([0.0, 0.0, 0.0])?, stuck: 0, back: 0 });
    }
    let (mut parted, mut through) = (None, None);
    for frame in 1..=frames(60.0) {
        for guest in &mut guests {
            guest.step(&scene);
            scene.set_transform(&guest.id, guest.player.state.pose())?;
        }
        let are_apart = guests.iter().all(|guest| guest.is_apart(&scene));
        assert!(parted.is_none() || are_apart, "frame {frame}");
        parted = parted.or(are_apart.then_some(frame));
        if guests.iter().all(|guest| guest.player.feet().x > 4.0) {
            through = Some(frame);
            break;
        }
    }
    let parted = parted.ok_or("they never parted")?;
    let through = through.ok_or("they never got through")?;
    assert!(guests.iter().all(|guest| guest.player.feet().y.abs() < 1e-2));
    Ok(format!("apart after frame {parted}, all through after {:.1} s", through as f64 * DT))
}

impl Guest {
    /// Goes through the door, and then to the player's own place. The game has to part players that block each other. A stuck player walks back for a while,
    /// and each player does so after a different time.
    fn step(&mut self, scene: &Scene<u32>) {
        let number = f64::from(self.id - FIRST);
        let feet = self.player.feet();
        let goal = if feet.x > 3.0 { DVec3::new(9.0, 0.0, 1.5 * (number - 4.5)) } else { DVec3::X * 4.0 };
        let wanted = (goal - feet).with_y(0.0).clamp_length_max(3.0);
        let others = Filter::new().exclude(self.id);
        let turned = if self.back > 0 { -0.5 * wanted } else { wanted };
        let moved = self.player.walk(scene.with(&others), turned);
        self.back = self.back.saturating_sub(1);
        self.stuck = if moved.motion.length() < 0.2 * wanted.length() * DT { self.stuck + 1 } else { 0 };
        if self.stuck > PATIENCE + 4 * number as usize {
            (self.stuck, self.back) = (0, PATIENCE);
        }
    }

    fn is_apart(&self, scene: &Scene<u32>) -> bool {
        let others = Filter::new().exclude(self.id);
        self.player.form.has_room(scene.with(&others), &self.player.state)
    }
}
