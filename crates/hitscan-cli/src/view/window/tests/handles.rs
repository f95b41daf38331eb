//! Drags of the handles.

use super::{ALT, BAKERY, CORNER, CTRL, GROUND, LEFT, NONE, RIGHT, with_state};
use crate::args::Size;
use crate::view::window::input::{Input, Key};
use hitscan::gizmo::{GizmoAxis, GizmoHandle, GizmoMode};
use hitscan::glam::{DAffine3, DMat3, Vec2};
use hitscan_io::EntityId;

#[test]
fn handles_move_the_selection_with_the_cursor() {
    with_state(|player| {
        player.click(BAKERY);
        let id = *player.state.selected.first().unwrap();
        let before = player.transform(id);
        player.play([Input::Key(Key::Handles(GizmoMode::Translate))]);
        let (middle, by) = (player.middle(), Vec2::new(22.0, -7.0));
        player.drag(middle, by);
        assert!(player.middle().distance(middle + by) < 1.0, "{} {}", player.middle(), middle + by);
        let after = player.transform(id);
        assert!(after.matrix3 == before.matrix3 && after.translation.distance(before.translation) > 0.5);
        assert!(player.state.refinement.is_stale() && player.state.picked.is_none());
        // The arrow of an axis keeps the other two coordinates.
        let arrow = player.on(GizmoHandle::TranslateAxis(GizmoAxis::Y));
        player.drag(arrow, Vec2::new(5.0, -15.0));
        let moved = player.transform(id).translation - after.translation;
        assert!(moved.y > 0.5 && moved.x.abs() < 1e-9 && moved.z.abs() < 1e-9, "{moved}");
        // The selection stays, and a drag beside the handles looks around.
        assert_eq!(player.names(), ["Bakery"]);
        let camera = player.state.stage.orbit.camera();
        player.drag(CORNER, by);
        assert_ne!(player.state.stage.orbit.camera(), camera);
        assert_eq!(player.transform(id).translation - after.translation, moved);
    });
}

#[test]
fn handles_turn_and_scale() {
    with_state(|player| {
        player.click(BAKERY);
        let id = *player.state.selected.first().unwrap();
        let middle = player.state.stage.loaded.scene.bounds_of(&id).unwrap().center().as_dvec3();
        let before = player.transform(id);
        player.play([Input::Key(Key::Handles(GizmoMode::Rotate))]);
        let ring = player.on(GizmoHandle::RotateAxis(GizmoAxis::Y));
        player.drag(ring, Vec2::new(20.0, 6.0));
        let turned = player.transform(id).matrix3 * before.matrix3.inverse();
        let is_rotation = (turned.transpose() * turned).abs_diff_eq(DMat3::IDENTITY, 1e-12);
        assert!(is_rotation && !turned.abs_diff_eq(DMat3::IDENTITY, 0.1) && turned.y_axis.y > 1.0 - 1e-12, "{turned}");
        let from_middle = |transform: DAffine3| (transform * before.inverse()).transform_point3(middle);
        assert!(from_middle(player.transform(id)).distance(middle) < 1e-6);

        let before = player.transform(id);
        player.play([Input::Key(Key::Handles(GizmoMode::Scale))]);
        player.drag(player.middle(), Vec2::new(30.0, -10.0));
        let scaled = player.transform(id).matrix3 * before.matrix3.inverse();
        let factor = scaled.x_axis.x;
        assert!(factor > 1.1 && scaled.abs_diff_eq(DMat3::from_diagonal([factor; 3].into()), 1e-12), "{scaled}");
    });
}

#[test]
fn escape_undoes_a_drag_of_the_handles() {
    with_state(|player| {
        player.click(BAKERY);
        player.play([Input::Modifiers(CTRL)]);
        player.click(GROUND);
        player.play([Input::Modifiers(NONE)]);
        let ids: Vec<EntityId> = player.state.selected.iter().copied().collect();
        let before: Vec<DAffine3> = ids.iter().map(|&id| player.transform(id)).collect();
        assert_eq!(ids.len(), 2);
        for mode in [GizmoMode::Translate, GizmoMode::Rotate, GizmoMode::Scale] {
            player.play([Input::Key(Key::Handles(mode))]);
            let handle = player.on(mode.handles()[0]);
            player.play([Input::Move(handle), Input::Press(LEFT), Input::Move(handle + Vec2::new(9.0, -9.0))]);
            assert!(ids.iter().zip(&before).all(|(&id, before)| player.transform(id) != *before), "{mode:?}");
            player.play([Input::Key(Key::Cancel), Input::Release(LEFT)]);
            assert!(ids.iter().zip(&before).all(|(&id, before)| player.transform(id) == *before), "{mode:?}");
            assert_eq!(player.state.selected.len(), 2);
        }
        // Escape first removes the handles, and then the selection. The key shows the handles again for the next
        // selection.
        player.play([Input::Key(Key::Cancel)]);
        assert!(player.state.handles.is_none() && player.state.selected.len() == 2);
        player.play([Input::Key(Key::Cancel)]);
        assert!(player.state.selected.is_empty());
    });
}

#[test]
fn a_drag_follows_the_camera_and_the_size_of_the_window() {
    with_state(|player| {
        player.click(BAKERY);
        player.play([Input::Key(Key::Handles(GizmoMode::Translate))]);
        let id = *player.state.selected.first().unwrap();
        let (before, cursor) = (player.transform(id), player.middle() + Vec2::new(22.0, -7.0));
        player.play([Input::Move(player.middle()), Input::Press(LEFT), Input::Move(cursor)]);
        // The cursor does not move, and the change of the window's size moves the handles under it.
        let small = player.transform(id);
        player.play([Input::Resize { size: Size { width: 300, height: 200 }, scale: 1.5 }]);
        assert!(player.middle().distance(cursor) < 1.0, "{} {cursor}", player.middle());
        assert_ne!(player.transform(id), small);
        // The other button turns the camera during the drag.
        let (camera, to) = (player.state.stage.orbit.camera(), cursor + Vec2::new(25.0, 10.0));
        player.play([Input::Press(RIGHT), Input::Move(to), Input::Release(RIGHT)]);
        assert_ne!(player.state.stage.orbit.camera(), camera);
        assert!(player.middle().distance(to) < 1.0, "{} {to}", player.middle());
        player.play([Input::Key(Key::Cancel), Input::Release(LEFT)]);
        assert_eq!(player.transform(id), before);
    });
}

#[test]
fn nothing_happens_to_an_entity_that_is_scaled_to_nothing() {
    with_state(|player| {
        player.click(BAKERY);
        player.play([Input::Key(Key::Handles(GizmoMode::Scale))]);
        player.drag(player.middle(), Vec2::new(-1000.0, 700.0));
        let id = *player.state.selected.first().unwrap();
        assert!(player.transform(id).matrix3.determinant() != 0.0);
        assert_eq!(player.state.stage.loaded.scene.len(), player.state.stage.loaded.model.entities.len());
    });
}

#[test]
fn a_drag_with_alt_looks_around_at_the_handles_too() {
    with_state(|player| {
        player.click(BAKERY);
        let id = *player.state.selected.first().unwrap();
        player.play([Input::Key(Key::Handles(GizmoMode::Translate)), Input::Modifiers(ALT)]);
        let (before, camera, middle) = (player.transform(id), player.state.stage.orbit.camera(), player.middle());
        player.drag(middle, Vec2::new(20.0, 5.0));
        assert_ne!(player.state.stage.orbit.camera(), camera);
        assert_eq!(player.transform(id), before);
        player.play([Input::Modifiers(NONE)]);
        player.drag(player.middle(), Vec2::new(20.0, 5.0));
        assert_ne!(player.transform(id), before);
    });
}
