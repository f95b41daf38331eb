//! Gaps in tight places. Something is nearer than the skin, and other things stop the straight motion that would make the gap wide enough.

use hitscan::Moved;
use hitscan::glam::{DQuat, DVec3};
use hitscan::prelude::*;

const DT: f64 = 1.0 / 60.0;
const FLOOR: u32 = 0;
/// The half height of the capsule's axis, and its radius.
const HALF: f64 = 0.6;
const RADIUS: f64 = 0.3;

/// Returns a scene of slabs around a capsule at the origin. Each lies in a direction, and leaves a gap.
fn around(slabs: &[(DVec3, f64)]) -> Scene<u32> {
    let mut scene = Scene::new();
    for (id, (toward, gap)) in (FLOOR..).zip(slabs) {
        let farthest = DVec3::Y * (HALF * toward.y.signum()) + *toward * RADIUS;
        let pose = (farthest + *toward * *gap, DQuat::from_rotation_arc(DVec3::Y, *toward));
        scene.insert(id, Aabb::new([-9.0, 0.0, -9.0], [9.0, 1.0, 9.0]), pose).unwrap();
    }
    scene
}

/// Moves a capsule that stands at the origin between slabs, and returns the gaps to the slabs, in units of the skin.
fn moved(slabs: &[(DVec3, f64)], velocity: DVec3) -> (Vec<f64>, Moved<u32>) {
    let hero = Character::new(Capsule::new(RADIUS as f32, 1.8)).unwrap();
    let slabs: Vec<_> = slabs.iter().map(|(toward, gap)| (toward.normalize(), gap * hero.skin)).collect();
    let mut state = CharacterState::new(DVec3::ZERO);
    let moved = hero.move_and_slide(&around(&slabs), &mut state, velocity, DT);
    let gaps = slabs.iter().map(|(toward, gap)| (gap - toward.dot(state.position)) / hero.skin).collect();
    (gaps, moved)
}

/// An overhang stops the straight motion away from the floor, and there is room along the overhang.
#[test]
fn a_gap_is_made_along_what_is_in_the_way() {
    for lean in [0.3, 0.6, 0.9, 1.2, 1.5] {
        for heading in [0.0, 1.0, 2.5, 4.0] {
            let overhang = DQuat::from_rotation_y(heading) * DVec3::new(f64::sin(lean), f64::cos(lean), 0.0);
            for near in [0.1, 0.5, 0.9] {
                // Between nearly parallel slabs, a path that is no longer than the skin never makes the gap wide
                // enough.
                if 1.0 - near > 0.9 * lean.sin() {
                    continue;
                }
                for gap in [1.0, 1.02] {
                    let (gaps, moved) = moved(&[(DVec3::NEG_Y, near), (overhang, gap)], DVec3::NEG_Y);
                    let what = format!("{near} of the skin, below {overhang} at {gap}: {gaps:?}, {moved:?}");
                    assert!((gaps[0] - 1.0).abs() < 2e-3 && gaps[1] > 1.0 - 2e-3, "{what}");
                    assert!(moved.ground.as_ref().is_some_and(|ground| ground.id == FLOOR), "{what}");
                }
            }
        }
    }
}

/// A wall is too near, another wall leans against the motion away from it, and the floor is nearer than the skin as
/// well.
#[test]
fn a_gap_is_made_in_a_corner() {
    let (wall, other) = (DVec3::new(1.0, 0.0, 0.03), DVec3::new(-0.61, 0.0, -0.79));
    let (gaps, moved) = moved(&[(DVec3::NEG_Y, 0.97), (wall, 0.5), (other, 1.0)], DVec3::NEG_Y);
    assert!(gaps.iter().all(|gap| (gap - 1.0).abs() < 3e-3), "{gaps:?}, {moved:?}");
}

/// A character without room stays where it is, and the contact that keeps it there is among the contacts of the move.
#[test]
fn what_leaves_no_room_for_a_gap_is_reported() {
    for toward in [DVec3::Y, DVec3::new(0.05, 1.0, 0.0)] {
        let slabs = [(DVec3::NEG_Y, 0.4), (toward, 1.0)];
        let (gaps, moved) = moved(&slabs, DVec3::NEG_Y);
        assert!((gaps[0] - 0.4).abs() < 1e-4 && moved.motion.length() < 1e-6, "{gaps:?}, {moved:?}");
        assert!(moved.crushed.is_empty(), "{moved:?}");
        assert!(moved.contacts.iter().any(|contact| contact.id == FLOOR + 1 && contact.depth == 0.0), "{moved:?}");
    }
}

/// In a wedge whose walls are nearly parallel, a place that is a skin away from both is far away. A character that overlaps nothing is not pushed so far.
#[test]
fn a_narrow_wedge_pushes_nobody_out() {
    for degrees in [4.0_f64, 10.0, 20.0, 28.0, 40.0, 90.0, 150.0] {
        let half = 0.5 * degrees.to_radians();
        let walls = [half.cos(), -half.cos()].map(|x| (DVec3::new(x, 0.0, -half.sin()), 0.1));
        let (gaps, moved) = moved(&walls, DVec3::ZERO);
        // Before the move, the gaps are a tenth of the skin.
        let way = 0.9 / half.sin();
        let expected = if way > 4.0 { 0.1 } else { 1.0 };
        let is_right = gaps.iter().all(|gap| (gap - expected).abs() < 3e-3);
        assert!(is_right && moved.crushed.is_empty(), "{degrees} degrees, {way} skins: {gaps:?}, {moved:?}");
    }
}

/// Something steep on the path down a slope turns a part of the motion aside, which would make the horizontal path longer than the velocity allows.
#[test]
fn nobody_walks_faster_along_what_is_hit_on_the_way_down() {
    let mut hero = Character::new(Capsule::new(RADIUS as f32, 1.8)).unwrap();
    hero.keeps_speed_on_slopes = false;
    let leaning =
        |heading: f64, slope: f64| DQuat::from_rotation_y(heading) * DVec3::new(f64::sin(slope), -f64::cos(slope), 0.0);
    let mut turned = 0;
    for (wall, steepness) in
        [0.3, 1.0, 1.7, 2.4, 3.1].into_iter().flat_map(|wall| [1.0, 1.2].map(|slope| (wall, slope)))
    {
        let scene = around(&[(leaning(0.0, 0.82), hero.skin), (leaning(wall, steepness), hero.skin)]);
        for heading in (0..24).map(|k| f64::from(k) * 0.26) {
            let mut state = CharacterState::new(DVec3::ZERO);
            hero.move_and_slide(&scene, &mut state, DVec3::NEG_Y, DT);
            assert!(state.is_grounded());
            let velocity = DQuat::from_rotation_y(heading) * DVec3::X * 3.0;
            let moved = hero.move_and_slide(&scene, &mut state, velocity - DVec3::Y, DT);
            let across = moved.motion.with_y(0.0).length() / DT;
            turned += usize::from(moved.contacts.iter().any(|contact| contact.id != FLOOR) && across > 0.1);
            assert!(across <= 3.0 + 1e-6, "{across} m/s beside a wall at {wall}, {steepness}, to {heading}: {moved:?}");
        }
    }
    assert!(turned > 40, "{turned} motions came to the wall");
}
