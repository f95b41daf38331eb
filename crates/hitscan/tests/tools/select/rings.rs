//! Rings in regions. At the size at which an answer changes, a search for the nearest point confirms the ring's
//! distance within the documented bound.

use crate::select::form::{arc, turned};
use crate::select::view::WINDOW;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec2, DVec3, Vec2};
use hitscan::select::{Region, Rule, Selector};
use hitscan::{Camera, Geometry, Scene, Torus};
use hitscan_random::Random;
use std::f64::consts::TAU;

/// A camera and the effect of its lens, by the formulas of the documentation.
#[derive(Clone, Copy)]
struct Lens {
    rotation: DQuat,
    eye: DVec3,
    is_perspective: bool,
    /// Half of the picture's height; with perspective, at depth 1.
    half: f64,
}

impl Lens {
    fn camera(&self) -> Camera {
        let transform = DAffine3::from_rotation_translation(self.rotation, self.eye);
        match self.is_perspective {
            true => Camera::perspective(transform, 2.0 * self.half.atan()).expect("an angle"),
            false => Camera::orthographic(transform, 2.0 * self.half).expect("a height"),
        }
    }

    /// Returns the point that a pixel shows at a depth.
    fn point(&self, pixel: DVec2, depth: f64) -> DVec3 {
        let size = WINDOW.size.as_dvec2();
        let across = (pixel * 2.0 - size) / size.y * self.half * if self.is_perspective { depth } else { 1.0 };
        self.eye + self.rotation * DVec3::new(across.x, -across.y, -depth)
    }
}

/// A line of pixels, by a place from 0 to 1.
type PixelLine = Box<dyn Fn(f64) -> DVec2>;

/// Returns a random region near the middle of the window, with its border.
fn bordered(random: &mut Random) -> (Region, Vec<PixelLine>) {
    let mut pixel =
        |reach: f64| Vec2::new(320.0, 240.0) + Vec2::new(random.unit() as f32, random.unit() as f32) * reach as f32;
    let lines = |corners: &[Vec2]| {
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let line = |(from, to): (&Vec2, &Vec2)| {
            let (from, to) = (from.as_dvec2(), to.as_dvec2());
            Box::new(move |place: f64| from.lerp(to, place)) as PixelLine
        };
        ends.map(line).collect::<Vec<_>>()
    };
    let (a, b) = (pixel(90.0), pixel(90.0));
    match random.below(3) {
        0 => {
            let region = Region::rect(a, b).expect("finite");
            (region, lines(&[a, Vec2::new(a.x, b.y), b, Vec2::new(b.x, a.y)]))
        }
        1 => {
            let radius = (1.0 + 60.0 * random.fraction()) as f32;
            let on_circle = move |place: f64| a.as_dvec2() + DVec2::from_angle(place * TAU) * f64::from(radius);
            (Region::circle(a, radius).expect("finite"), vec![Box::new(on_circle)])
        }
        _ => {
            let count = 3 + random.below(4);
            let corners: Vec<Vec2> = (0..count)
                .map(|i| {
                    let angle = (i as f32 + random.fraction() as f32) / count as f32 * TAU as f32;
                    a + Vec2::from_angle(angle) * (10.0 + 60.0 * random.fraction() as f32)
                })
                .collect();
            (Region::lasso(&corners).expect("finite"), lines(&corners))
        }
    }
}

/// A ring with its placement.
struct Ring {
    torus: Torus,
    to_world: DAffine3,
    to_local: DAffine3,
}

impl Ring {
    fn new(random: &mut Random) -> Self {
        let torus = Torus::new(0.5 + random.fraction() as f32, 0.02 + 0.4 * random.fraction() as f32);
        let mut scale = DVec3::splat(0.5 + random.fraction());
        if random.below(3) == 0 {
            scale *= DVec3::new(1.0, 0.2 + 3.0 * random.fraction(), 0.1 + 2.0 * random.fraction());
        }
        let to_world = DAffine3::from_scale_rotation_translation(scale, random.rotation(), random.cube() * 0.5);
        Self { torus, to_world, to_local: to_world.inverse() }
    }

    fn is_selected(&self, lens: &Lens, region: &Region, rule: Rule) -> bool {
        let mut scene = Scene::new();
        scene.insert((), self.torus, self.to_world).expect("a transform");
        let mut found = Vec::new();
        Selector::new(&lens.camera(), WINDOW, region).rule(rule).entities(&scene, &mut found);
        !found.is_empty()
    }

    /// Returns how far a point is from the surface in the ring's own space; negative inside.
    fn height(&self, point: DVec3) -> f64 {
        let at = self.to_local.transform_point3(point);
        let off = at.x.hypot(at.z) - f64::from(self.torus.major);
        off.hypot(at.y) - f64::from(self.torus.minor)
    }

    /// Returns the least height of all points that a line of pixels shows.
    fn least(&self, lens: &Lens, line: &PixelLine) -> f64 {
        const STEPS: usize = 96;
        let reach = [self.to_world.matrix3.x_axis, self.to_world.matrix3.y_axis, self.to_world.matrix3.z_axis];
        let reach = reach.into_iter().map(DVec3::length).sum::<f64>() * f64::from(self.torus.major + self.torus.minor);
        let middle = (self.to_world.translation - lens.eye).dot(lens.rotation * DVec3::NEG_Z);
        let depth = |step: f64| middle + reach * (2.0 * step - 1.0);
        let height = |place: f64, step: f64| self.height(lens.point(line(place), depth(step)));
        let grid: Vec<Vec<f64>> = (0..=STEPS)
            .map(|row| {
                (0..=STEPS).map(|column| height(row as f64 / STEPS as f64, column as f64 / STEPS as f64)).collect()
            })
            .collect();
        let mut least = f64::INFINITY;
        for row in 0..=STEPS {
            for column in 0..=STEPS {
                let rows = row.saturating_sub(1)..=(row + 1).min(STEPS);
                let is_least = rows.into_iter().all(|other| {
                    (column.saturating_sub(1)..=(column + 1).min(STEPS)).all(|at| grid[row][column] <= grid[other][at])
                });
                if is_least {
                    let place = [row, column].map(|at| at as f64 / STEPS as f64);
                    least = least.min(nearest_lower(place, 1.0 / STEPS as f64, &height));
                }
            }
        }
        least
    }
}

/// Searches for a minimum and returns the least value. The search starts from a place between 0 and 1 along each axis, and makes smaller and smaller steps in
/// 16 directions.
fn nearest_lower(place: [f64; 2], mut step: f64, of: &impl Fn(f64, f64) -> f64) -> f64 {
    let (mut place, mut least) = (DVec2::from(place), of(place[0], place[1]));
    while step > 1e-12 {
        let lower = (0..16).find_map(|turn| {
            let way = DVec2::from_angle(f64::from(turn) / 16.0 * TAU) * step;
            let next = (place + way).clamp(DVec2::ZERO, DVec2::ONE);
            let value = of(next.x, next.y);
            (value < least).then_some((next, value))
        });
        match lower {
            Some(lower) => (place, least) = lower,
            None => step *= 0.7,
        }
    }
    least
}

/// Enlarges pictures until the answer changes, and checks the distance there.
#[test]
fn an_answer_changes_where_a_ring_touches_the_border() {
    let mut random = Random(17);
    let mut changes = [0, 0];
    for round in 0..super::solids::rounds() {
        let ring = Ring::new(&mut random);
        let rotation = random.rotation();
        let is_perspective = random.below(2) == 0;
        let eye = rotation * DVec3::new(random.unit(), random.unit(), 6.0 + 4.0 * random.fraction());
        let (region, border) = bordered(&mut random);
        for (index, rule) in [Rule::Touching, Rule::Inside].into_iter().enumerate() {
            let lens = |half: f64| Lens { rotation, eye, is_perspective, half };
            let is_selected = |half: f64| ring.is_selected(&lens(half), &region, rule);
            let halves: Vec<f64> = (0..24)
                .map(|step| 1.35f64.powi(step) * 0.02 * if is_perspective { 1.0 } else { eye.length() })
                .collect();
            for ends in halves.windows(2) {
                let (mut low, mut high) = (ends[0], ends[1]);
                let at_low = is_selected(low);
                if at_low == is_selected(high) {
                    continue;
                }
                for _ in 0..60 {
                    let middle = (low + high) * 0.5;
                    if is_selected(middle) == at_low { low = middle } else { high = middle }
                }
                let least = border.iter().map(|line| ring.least(&lens(low), line)).fold(f64::INFINITY, f64::min);
                let scale = ring.to_world.matrix3;
                let stretch =
                    [scale.x_axis, scale.y_axis, scale.z_axis].into_iter().map(DVec3::length).fold(0.0, f64::max);
                // The error of a circle is a fraction of its size in pixels, and pixels are larger in a smaller
                // picture.
                let in_pixels = 600.0 * low * if is_perspective { eye.length() + 3.0 } else { 1.0 } / 240.0;
                let bound = 2.0f64.powi(-36) * (eye.length() + 3.0 + in_pixels);
                assert!(least.abs() * stretch <= bound, "{round} {rule:?}: {least} beside {bound}");
                changes[index] += 1;
            }
        }
    }
    println!("{changes:?} changes");
    assert!(changes.iter().all(|&changes| changes * 10 > super::solids::rounds()), "{changes:?}");
}

/// Clips rings at the camera's depth limits, and compares them with two meshes. One mesh is a little thinner than the ring, and one a little thicker.
#[test]
fn depths_cut_rings() {
    let mut random = Random(23);
    let tube = |radius: f64| turned(&arc((1.0, 0.0), radius, 0.0, TAU).collect::<Vec<_>>());
    let [thin, thick] = [0.3, 0.31].map(|radius| Geometry::from(tube(radius)));
    let (mut selected, mut decided) = (0, 0);
    for round in 0..super::solids::rounds() {
        let torus = Torus::new(1.0, 0.305);
        let to_world = DAffine3::from_rotation_translation(random.rotation(), random.cube() * 0.2);
        let (rotation, half) = (random.rotation(), 0.1 + 0.2 * random.fraction());
        let lens = Lens { rotation, eye: rotation * DVec3::Z * 6.0, is_perspective: random.below(2) == 0, half };
        let lens = if lens.is_perspective { lens } else { Lens { half: half * 6.0, ..lens } };
        let near = 4.6 + 2.8 * random.fraction();
        let camera = lens.camera().with_clip(near, near + 0.5 * random.fraction()).expect("in order");
        let pixel = Vec2::new(320.0, 240.0) + Vec2::new(random.unit() as f32, random.unit() as f32) * 200.0;
        let region = match random.below(3) {
            0 => Region::circle(pixel, random.fraction() as f32 * 40.0),
            1 => Region::rect(pixel, pixel + Vec2::new(random.unit() as f32, random.unit() as f32) * 60.0),
            _ => Region::lasso(&[
                pixel,
                pixel + Vec2::new(random.unit() as f32 * 50.0, 30.0),
                pixel + Vec2::new(30.0, random.unit() as f32 * 50.0),
            ]),
        };
        let region = region.expect("finite");
        let touches = |geometry: Geometry| {
            let mut scene = Scene::new();
            scene.insert((), geometry, to_world).expect("a transform");
            let mut found = Vec::new();
            Selector::new(&camera, WINDOW, &region).entities(&scene, &mut found);
            !found.is_empty()
        };
        // If the surface is nowhere in the region, all of the region is inside the ring, or none of it.
        let at = to_world.inverse().transform_point3(lens.point(pixel.as_dvec2(), near));
        let from_circle = (at.x.hypot(at.z) - 1.0).hypot(at.y);
        let least = touches(thin.clone()) || from_circle < 0.29;
        let most = touches(thick.clone()) || from_circle < 0.32;
        let found = touches(torus.into());
        assert!(least <= found && found <= most, "{round}: {least} {found} {most}");
        decided += usize::from(least == most);
        selected += usize::from(found);
    }
    println!("{selected} selected, {decided} decided of {}", super::solids::rounds());
    assert!(
        selected * 10 > super::solids::rounds() && decided * 10 > super::solids::rounds() * 9,
        "{selected} {decided}"
    );
}

/// A circle in the hole, around the centre of the hole, is equally near to the ring everywhere.
#[test]
fn a_circle_just_fits_into_a_hole() {
    let transform =
        DAffine3::from_mat3_translation(DMat3::from_cols(DVec3::X, DVec3::NEG_Z, DVec3::Y), DVec3::Y * 10.0);
    let mut scene = Scene::new();
    scene.insert((), Torus::new(1.5, 0.5), DAffine3::IDENTITY).expect("a place");
    let touches = |factor: f64| {
        // The hole has a radius of 120 pixels divided by the factor.
        let camera = Camera::orthographic(transform, 4.0 * factor).expect("a height");
        let mut found = Vec::new();
        let region = Region::circle([320.0, 240.0], 120.0).expect("finite");
        Selector::new(&camera, WINDOW, &region).entities(&scene, &mut found);
        !found.is_empty()
    };
    for step in [1e-2, 1e-4, 4e-6] {
        assert!(touches(1.0 + step) && !touches(1.0 - step), "{step}");
    }
    assert!(touches(1.0 + 1e-12));
}
