//! A window in which the thing under the cursor is highlighted. A click selects it.
//!
//! `cargo run --manifest-path examples/window/Cargo.toml`
//!
//! The right button turns the camera, and the wheel brings it closer. The crate macroquad opens the window and draws, and hitscan finds the thing under the
//! cursor. The two crates use vectors of different versions of glam. Arrays convert between them: `to_array()` makes an array, and `into()` accepts one.

use hitscan::{Aabb, Camera, Cylinder, Hit, Mesh, RayQueries, Scene, Sphere, debug, glam::DVec3};
use macroquad::models::{Mesh as DrawnMesh, Vertex};
use macroquad::prelude::*;
use std::error::Error;
use std::f32::consts::{PI, SQRT_2, TAU};

/// The keys of the scene, for which a program may choose any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thing {
    Hills,
    Ball,
    Crate,
    Barrel,
}

/// Corners, and three indices for each triangle. Both libraries accept this form.
type Triangles = (Vec<[f32; 3]>, Vec<u32>);

/// The vertical field of view in radians.
const FIELD_OF_VIEW: f32 = 0.8;
const SELECTED: Color = Color::new(1.0, 0.9, 0.3, 1.0);

fn window() -> Conf {
    let (window_width, window_height) = (960, 540);
    Conf { window_title: "hitscan".into(), window_width, window_height, sample_count: 4, ..Default::default() }
}

#[macroquad::main(window)]
async fn main() -> Result<(), Box<dyn Error>> {
    let hills = patch(24, 24, |column, row| {
        let (x, z) = (row as f32 * 0.5 - 6.0, column as f32 * 0.5 - 6.0);
        [x, 0.35 * (x * 0.9).sin() * (z * 0.8).cos() - 0.01 * (x * x + z * z), z]
    });
    let (ball, cube, barrel) = ([-2.4, 0.9, 0.4], [0.6, 0.9, -1.6], [2.0, 0.0, 1.6]);

    let mut scene = Scene::new();
    scene.insert(Thing::Hills, Mesh::new(&hills.0, &hills.1)?, DVec3::ZERO)?;
    scene.insert(Thing::Ball, Sphere::new(1.2), ball)?;
    scene.insert(Thing::Crate, Aabb::from_center_size([0.0; 3], [1.6; 3]), cube)?;
    scene.insert(Thing::Barrel, Cylinder::between([0.0; 3], [0.0, 1.8, 0.0], 0.7), barrel)?;

    // macroquad draws triangles, so the shapes get triangles for the picture. The scene does not need these.
    let arc: [_; 17] = std::array::from_fn(|step| Vec2::from_angle((step as f32 / 16.0 - 0.5) * PI) * 1.2);
    let can = |radius, from, to| [[0.0, from], [radius, from], [radius, to], [0.0, to]];
    let drawn = [
        (Thing::Hills, hills, [0.0; 3], Color::new(0.36, 0.55, 0.3, 1.0)),
        (Thing::Ball, turned(32, &arc.map(|at| at.to_array())), ball, Color::new(0.7, 0.3, 0.25, 1.0)),
        (Thing::Crate, turned(4, &can(0.8 * SQRT_2, -0.8, 0.8)), cube, Color::new(0.6, 0.45, 0.28, 1.0)),
        (Thing::Barrel, turned(32, &can(0.7, 0.0, 1.8)), barrel, Color::new(0.3, 0.42, 0.7, 1.0)),
    ];

    // A test passes the name of a picture file as an argument. Then a script moves the cursor, and saves the picture.
    let script = std::env::args().nth(1);
    let (mut orbit, mut distance, mut selected) = (vec2(0.5, 0.5), 10.0, None);
    for frame in 0.. {
        if is_mouse_button_down(MouseButton::Right) {
            orbit += mouse_delta_position() * vec2(2.0, -1.0);
            orbit.y = orbit.y.clamp(0.1, 1.5);
        }
        distance = (distance - mouse_wheel().1.clamp(-0.5, 0.5)).clamp(5.0, 25.0);
        let target = vec3(0.0, 0.4, 0.0);
        let eye = target + Quat::from_euler(EulerRot::YXZ, orbit.x, -orbit.y, 0.0) * vec3(0.0, 0.0, distance);
        let size = vec2(screen_width(), screen_height());
        let (cursor, clicks) = match script {
            Some(_) => (size * if frame < 10 { vec2(0.42, 0.65) } else { vec2(0.32, 0.42) }, frame == 5),
            None => (mouse_position().into(), is_mouse_button_pressed(MouseButton::Left)),
        };

        // These lines find the thing under the cursor. macroquad draws with the same camera, below.
        let transform = Camera::look_at(eye.as_dvec3().to_array(), target.as_dvec3().to_array(), DVec3::Y)?;
        let camera = Camera::perspective(transform, FIELD_OF_VIEW.into())?;
        let hovered = scene.cast(&camera.ray(cursor.to_array(), size.to_array()));
        if clicks {
            selected = hovered;
            println!("selected: {}", described(selected.as_ref()));
        }

        clear_background(Color::new(0.12, 0.15, 0.2, 1.0));
        set_camera(&Camera3D { position: eye, target, up: Vec3::Y, fovy: FIELD_OF_VIEW, ..Default::default() });
        for (thing, triangles, place, own) in &drawn {
            let is_hit = |hit: Option<Hit<Thing>>| *thing != Thing::Hills && hit.is_some_and(|hit| hit.id == *thing);
            let color = if is_hit(selected) { ORANGE } else { *own };
            draw(triangles, (*place).into(), color, if is_hit(hovered) { 1.5 } else { 1.0 });
        }
        mark(&scene, selected.as_ref(), SELECTED);
        mark(&scene, hovered.as_ref(), WHITE);
        set_default_camera();
        draw_circle_lines(cursor.x, cursor.y, 7.0, 1.5, WHITE);
        draw_text(format!("under the cursor: {}", described(hovered.as_ref())), 14.0, size.y - 40.0, 24.0, WHITE);
        draw_text(format!("selected: {}", described(selected.as_ref())), 14.0, size.y - 16.0, 24.0, SELECTED);
        if let Some(picture) = script.as_ref().filter(|_| frame == 15) {
            get_screen_data().export_png(picture);
            return Ok(());
        }
        next_frame().await;
    }
    Ok(())
}

/// Describes a hit: the entity, the triangle of a mesh, and the place.
fn described(hit: Option<&Hit<Thing>>) -> String {
    let Some(hit) = hit else { return "nothing".into() };
    let triangle = hit.triangle.map_or(String::new(), |triangle| format!(", triangle {triangle}"));
    format!("{:?}{triangle}, at {:.2}, {:.2} away", hit.id, hit.point, hit.t)
}

/// Draws the normal at a hit, and the triangle that is hit.
fn mark(scene: &Scene<Thing>, hit: Option<&Hit<Thing>>, color: Color) {
    let Some(hit) = hit else { return };
    // The surface would hide lines that are exactly on it.
    let lift = Vec3::from(hit.facing_normal().to_array()) * 0.02;
    for line in debug::hit(hit, 0.8).into_iter().chain(debug::triangle(scene, hit)) {
        draw_line_3d(lift + Vec3::from(line.from.to_array()), lift + Vec3::from(line.to.to_array()), color);
    }
}

/// Draws triangles with flat shading.
fn draw((corners, indices): &Triangles, place: Vec3, color: Color, brightness: f32) {
    let facet = |corner: &[u32]| {
        let [a, b, c] = [0, 1, 2].map(|at| place + Vec3::from(corners[corner[at] as usize]));
        let light = (b - a).cross(c - a).normalize_or_zero().dot(vec3(0.65, 0.7, 0.3)).max(0.0) * 0.7 + 0.3;
        let shade = (color.to_vec() * light * brightness).min(Vec4::ONE).truncate().extend(1.0);
        [a, b, c].map(|corner| Vertex::new2(corner, Vec2::ZERO, Color::from_vec(shade)))
    };
    let vertices: Vec<_> = indices.chunks_exact(3).flat_map(facet).collect();
    draw_mesh(&DrawnMesh { indices: (0..vertices.len() as u16).collect(), vertices, texture: None });
}

/// Makes the surface of a profile that is rotated around the y axis. The profile has a radius and a height at each
/// step.
fn turned(sides: u32, profile: &[[f32; 2]]) -> Triangles {
    patch(sides, profile.len() as u32 - 1, |side, step| {
        let ([radius, y], angle) = (profile[step as usize], TAU * (side as f32 + 0.5) / sides as f32);
        [radius * angle.sin(), y, radius * angle.cos()]
    })
}

/// Makes a surface of cells, which are two triangles each. Seen from outside, the rows go upwards and the columns to the
/// right.
fn patch(columns: u32, rows: u32, place: impl Fn(u32, u32) -> [f32; 3]) -> Triangles {
    let corners = (0..=rows).flat_map(|row| (0..=columns).map(move |column| (column, row)));
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| row * (columns + 1) + column));
    let above = columns + 1;
    let triangles = cells.flat_map(|at| [at, at + 1, at + above, at + above, at + 1, at + above + 1]);
    (corners.map(|(column, row)| place(column, row)).collect(), triangles.collect())
}
