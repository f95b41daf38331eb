//! Velocities that are not a walk. They are a blast that throws a character, and a ladder that it climbs.

use crate::player::{DT, GRAVITY, Player, floor, frames, is_near};
use hitscan::glam::DVec3;
use hitscan::{Aabb, ProximityQueries, Scene};
use std::error::Error;

/// A blast adds (-9, 5, 0) to a player's velocity. The player flies, hits a wall, falls along it and walks on.
pub(crate) fn knockback() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([-6.0, 0.0, -5.0], [-5.0, 9.0, 5.0]), DVec3::ZERO)?;
    let mut player = Player::at([0.0, 0.0, 0.0])?;
    player.walk(&scene, DVec3::X);
    player.velocity += DVec3::new(-9.0, 5.0, 0.0);
    player.state.leave_ground();
    let (mut highest, mut hit, mut flight) = (0.0f64, None, 0);
    while !player.state.is_grounded() {
        let moved = player.coast(&scene);
        highest = highest.max(player.feet().y);
        if moved.contacts.iter().any(|contact| contact.id == 1) {
            // The wall removes the component of the velocity into it, and no other.
            assert!(is_near(moved.velocity.x, 0.0));
            hit.get_or_insert(flight);
        }
        flight += 1;
        assert!(flight < frames(3.0), "it never lands");
    }
    assert!(hit.is_some() && is_near(player.feet().x, -4.697) && is_near(player.feet().y, 0.0));
    // A thrown body rises by v^2 / 2 g, less half a frame of gravity.
    assert!((highest - 12.5 / GRAVITY).abs() < 5.0 * DT, "{highest}");
    player.walk(&scene, DVec3::X * 3.0);
    assert!(is_near(player.velocity.x, 3.0));
    Ok(format!("{highest:.2} high, against the wall at x = {:.3}, down along it in {flight} frames", player.feet().x))
}

/// Within reach of a ladder, the player climbs: there is no gravity, and the stick moves the player up and down. At the top the player steps onto the ledge.
pub(crate) fn ladder() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([1.0, 0.0, -3.0], [5.0, 4.0, 3.0]), DVec3::ZERO)?;
    // The zone is no entity: a question finds whether the player is in it.
    let zone = Aabb::new([0.5, 0.0, -0.5], [1.0, 4.2, 0.5]);
    let mut zones = Scene::new();
    zones.insert(1, zone, DVec3::ZERO)?;
    let mut player = Player::at([0.0, 0.0, 0.0])?;
    let (mut climbed, mut frame) = (0, 0);
    while player.state.ground() != Some(&1) {
        if zones.overlaps(&player.form.volume, player.state.pose()) {
            // The jump leads into the wall and up, and the wall removes the first component.
            player.state.leave_ground();
            player.velocity = DVec3::new(2.0, 3.0, 0.0);
            player.velocity = player.form.move_and_slide(&scene, &mut player.state, player.velocity, DT).velocity;
            climbed += 1;
        } else {
            player.walk(&scene, DVec3::X * 2.0);
        }
        frame += 1;
        assert!(frame < frames(4.0), "it is at {}", player.feet());
    }
    let seconds = f64::from(climbed) * DT;
    assert!((seconds - 4.0 / 3.0).abs() < 0.3 && is_near(player.feet().y, 4.0), "{seconds} {}", player.feet());
    Ok(format!("up 4 m in {seconds:.2} s, and onto the ledge at y = {:.3}", player.feet().y))
}
