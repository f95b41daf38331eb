//! Places into which a game puts a character: spawn points, the other end of a teleporter, a vent.

use crate::player::{DT, FLOOR, MIDDLE, Player, floor, frames, is_near};
use hitscan::glam::DVec3;
use hitscan::{Aabb, Capsule};
use std::error::Error;

/// A spawn point is half in a crate. `has_room` reports it, and the first frame gets the player out.
pub(crate) fn spawn() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([0.0, 0.0, -1.0], [2.0, 2.0, 1.0]), DVec3::ZERO)?;
    let mut player = Player::at([0.1, 0.0, 0.0])?;
    assert!(!player.form.has_room(&scene, &player.state));
    let moved = player.walk(&scene, DVec3::ZERO);
    assert!(player.form.has_room(&scene, &player.state) && player.state.is_grounded() && moved.crushed.is_empty());
    let depth = moved.contacts.iter().find(|contact| contact.id == 1).ok_or("no contact")?.depth;
    assert!(is_near(depth, 0.4) && is_near(player.feet().x, -0.303));
    Ok(format!("{depth:.3} deep in a crate; after a frame on the floor beside it, at x = {:.3}", player.feet().x))
}

/// A player leaves a platform at 20 m/s through a teleporter. It lands where it was put, and nothing drags it.
pub(crate) fn teleport() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    let platform = Aabb::new([-1.0, 0.0, -1.0], [1.0, 0.2, 1.0]);
    scene.insert(1, platform, DVec3::ZERO)?;
    let mut player = Player::at([0.0, 0.2, 0.0])?;
    for frame in 0..frames(0.5) {
        scene.set_transform(&1, DVec3::X * 20.0 * DT * frame as f64)?;
        player.walk(&scene, DVec3::ZERO);
    }
    assert!(player.state.ground() == Some(&1) && player.feet().x > 9.0);
    player.state.teleport([-10.0, MIDDLE + 0.01, 5.0]);
    scene.set_transform(&1, DVec3::X * 30.0)?;
    for _ in 0..frames(0.2) {
        let moved = player.walk(&scene, DVec3::ZERO);
        assert!(moved.ground_velocity == DVec3::ZERO && moved.motion.x == 0.0);
    }
    assert!(player.state.ground() == Some(&FLOOR) && is_near(player.feet().x, -10.0) && is_near(player.feet().y, 0.0));
    // If the game so chooses, a platform that is teleported leaves its rider behind. The rider steps down.
    let mut rider = Player::at([30.0, 0.2, 0.0])?;
    rider.walk(&scene, DVec3::ZERO);
    scene.set_transform(&1, DVec3::X * -30.0)?;
    rider.state.ground_was_placed();
    rider.walk(&scene, DVec3::ZERO);
    assert!(is_near(rider.feet().x, 30.0) && rider.state.ground() == Some(&FLOOR));
    Ok(format!("off a platform at 20 m/s to x = {:.3}, and at rest there", player.feet().x))
}

/// A player crouches through a vent that is 1.2 high. It stands up only if there is room.
pub(crate) fn vent() -> Result<String, Box<dyn Error>> {
    let mut scene = floor()?;
    scene.insert(1, Aabb::new([1.0, 1.2, -2.0], [4.0, 3.0, 2.0]), DVec3::ZERO)?;
    let mut player = Player::at([0.0, 0.0, 0.0])?;
    for _ in 0..frames(1.0) {
        player.walk(&scene, DVec3::X * 3.0);
    }
    let stopped = player.feet().x;
    // The vent's edge touches the straight side of the capsule, 0.3 from its axis, so the player stops before 0.7.
    assert!(stopped > 0.6 && stopped < 1.0, "{stopped}");
    // The volume of a crouching player is lower by 0.8, so its middle is lower by 0.4.
    let (standing, crouching) = (player.form.volume.clone(), Capsule::new(0.3, 1.0));
    player.form.volume = crouching.into();
    player.state.position.y -= 0.4;
    let mut risen = None;
    for _ in 0..frames(3.0) {
        player.walk(&scene, DVec3::X * 2.0);
        let mut upright = player.clone();
        upright.form.volume = standing.clone();
        upright.state.position.y += 0.4;
        let has_room = upright.form.has_room(&scene, &upright.state);
        assert!(has_room || player.state.position.x < 4.5, "{}", player.state.position);
        if has_room && player.state.position.x > 1.0 {
            player = upright;
            risen.get_or_insert(player.feet().x);
            break;
        }
    }
    let risen = risen.ok_or("the player never stood up")?;
    player.walk(&scene, DVec3::X * 2.0);
    assert!(player.state.is_grounded() && is_near(player.feet().y, 0.0) && risen > 4.0, "{risen}");
    Ok(format!("stopped standing at x = {stopped:.3}, crouched through, and stood up at x = {risen:.3}"))
}
