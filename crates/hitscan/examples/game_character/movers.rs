//! Things that move a character: a lift, a crusher, a conveyor.

use crate::player::{DT, GRAVITY, Player, floor, frames, is_near};
use hitscan::Aabb;
use hitscan::character::ContactResponse;
use hitscan::glam::DVec3;
use std::error::Error;

/// A lift rises at 3 m/s. Its rider neither lags nor bounces. A jump starts with the lift's velocity and lands on the
/// lift.
pub(crate) fn lift() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    let (speed, cabin) = (3.0, Aabb::new([-2.0, -0.2, -2.0], [2.0, 0.0, 2.0]));
    scene.insert(1, cabin, DVec3::Y * 0.2)?;
    let mut player = Player::at([0.0, 0.2, 0.0])?;
    player.walk(&scene, DVec3::ZERO);
    let mut jumped = false;
    let (mut top, mut highest): (f64, f64) = (0.2, 0.0);
    for frame in 0..frames(4.0) {
        top += speed * DT;
        scene.set_transform(&1, DVec3::Y * top)?;
        let moved = if frame == frames(1.0) {
            // The jump keeps the lift's velocity.
            player.state.leave_ground();
            player.velocity = DVec3::Y * (4.0 + speed);
            jumped = true;
            player.coast(&scene)
        } else {
            player.walk(&scene, DVec3::ZERO)
        };
        let above = player.feet().y - top;
        highest = highest.max(above);
        if player.state.is_grounded() {
            let is_carried = (moved.ground_velocity.y - speed).abs() < 1e-3;
            assert!(is_near(above, 0.0) && (is_carried || highest > 0.1), "{above} {moved:?}");
        } else {
            assert!(jumped && above > -1e-3, "{above}");
        }
    }
    assert!(player.state.ground() == Some(&1) && (highest - 8.0 / GRAVITY).abs() < 0.1, "{highest}");
    Ok(format!("to y = {:.1} without lag; a jump on it rises {highest:.2} above it", player.feet().y))
}

/// A press closes on a player at a wall. It pushes the player as long as there is room. Then `crushed` names the press, and the player does not come out behind
/// the press.
pub(crate) fn crusher() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([-0.2, 0.0, -5.0], [0.0, 3.0, 5.0]), DVec3::X * -2.0)?;
    scene.insert(2, Aabb::new([1.0, 0.0, -5.0], [2.0, 3.0, 5.0]), DVec3::ZERO)?;
    scene.insert(3, Aabb::new([-9.0, 2.0, -9.0], [9.0, 3.0, 9.0]), DVec3::ZERO)?;
    let mut player = Player::at([0.0, 0.0, 0.0])?;
    let (mut front, mut crushed) = (-2.0, None);
    while front < 0.9 {
        front += 2.0 * DT;
        scene.set_transform(&1, DVec3::X * front)?;
        let moved = player.walk(&scene, DVec3::ZERO);
        let has_room = 1.0 - front > 0.6;
        assert!(moved.crushed.is_empty() || !has_room, "{front} {moved:?}");
        assert!(player.form.has_room(&scene, &player.state) || !moved.crushed.is_empty());
        if let Some(press) = moved.crushed.iter().find(|contact| contact.id == 1) {
            crushed.get_or_insert((front, press.depth));
        }
    }
    let (at, depth) = crushed.ok_or("nothing said that the player is crushed")?;
    // The press goes back. A game would have killed the player; this example sets the player free.
    while front > -2.0 {
        front -= 2.0 * DT;
        scene.set_transform(&1, DVec3::X * front)?;
        player.walk(&scene, DVec3::ZERO);
    }
    assert!(player.form.has_room(&scene, &player.state) && player.feet().x > 0.5, "{}", player.feet());
    Ok(format!(
        "crushed when the gap was {:.3}, {depth:.3} deep; the press goes back, the player stands at x = {:.3}",
        1.0 - at,
        player.feet().x
    ))
}

/// A conveyor carries a player at 2 m/s. A player that walks against it at the same speed stays in place. A player that walks along it moves at the sum of both
/// speeds.
pub(crate) fn conveyor() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([-20.0, -0.1, -2.0], [20.0, 0.1, 2.0]), DVec3::ZERO)?;
    let mut ways = Vec::new();
    for wanted in [0.0, -2.0, 3.0] {
        let mut player = Player::at([0.0, 0.1, 0.0])?;
        player.walk(&scene, DVec3::ZERO);
        for _ in 0..frames(1.0) {
            let velocity = DVec3::new(wanted, -GRAVITY * DT, 0.0);
            player.form.move_and_respond(&scene, &mut player.state, velocity, DT, |contact| match contact.id {
                1 => ContactResponse::Conveyor(DVec3::X * 2.0),
                _ => ContactResponse::Solid,
            });
            assert_eq!(player.state.ground(), Some(&1));
        }
        assert!(is_near(player.feet().x, wanted + 2.0), "{wanted}: {}", player.feet());
        ways.push(format!("{:.2}", player.feet().x));
    }
    Ok(format!("at rest, against it and along it in a second: {}", ways.join(", ")))
}
