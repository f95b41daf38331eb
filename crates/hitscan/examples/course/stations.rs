//! The stations of the course. Each is built around an origin. The walker comes along +x on the ground, whose height is 0.

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Aabb, Mesh, Scene};

/// The motion of each platform: its transform at a time in seconds.
pub(crate) const PLATFORMS: [fn(f64) -> DAffine3; 6] = [
    |t| DAffine3::from_rotation_y(3.0 * t.sin()),
    DAffine3::from_rotation_y,
    |t| DAffine3::from_rotation_translation(DQuat::from_rotation_y(t), DVec3::new(5.0 * t.cos(), 0.0, 5.0 * t.sin())),
    |t| DAffine3::from_translation(DVec3::Y * 1.75 * t.sin()),
    |t| DAffine3::from_translation(DVec3::Y * (5.0 - (3.0 * t % 10.0 - 5.0).abs())),
    |t| DAffine3::from_translation(DVec3::X * 3.0 * t.sin()),
];

/// The velocity of the conveyor's surface.
pub(crate) const BELT: DVec3 = DVec3::new(2.0, 0.0, 0.0);

/// The form of a piece in its own space.
pub(crate) enum Form {
    Block([f32; 3], [f32; 3]),
    Triangles(Vec<Vec3>, Vec<u32>),
}

/// A part of a station. Its number in the course is its key in the scene.
pub(crate) struct Piece {
    pub(crate) station: &'static str,
    pub(crate) form: Form,
    pub(crate) place: DAffine3,
}

/// Stations that are put together piece by piece.
pub(crate) struct Course {
    pub(crate) pieces: Vec<Piece>,
    /// The keys of the platforms, with the transforms to which their motions are relative.
    pub(crate) platforms: Vec<(u32, DAffine3)>,
    pub(crate) belt: Option<u32>,
    origin: DAffine3,
}

impl Course {
    /// Makes a course of nothing but the ground between two corners.
    pub(crate) fn new(low: [f32; 2], high: [f32; 2]) -> Self {
        let mut course = Self { pieces: Vec::new(), platforms: Vec::new(), belt: None, origin: DAffine3::IDENTITY };
        course.block("ground", [low[0], -1.0, low[1]], [high[0], 0.0, high[1]], DAffine3::IDENTITY);
        course
    }

    /// Sets the origin of the stations that are added next, and turns them by this many degrees about +y.
    pub(crate) fn at(&mut self, origin: [f64; 3], degrees: f64) -> &mut Self {
        let turn = if degrees == 0.0 { DQuat::IDENTITY } else { DQuat::from_rotation_y(degrees.to_radians()) };
        self.origin = DAffine3::from_rotation_translation(turn, origin.into());
        self
    }

    pub(crate) fn scene(&self) -> Scene<u32> {
        let mut scene = Scene::new();
        for (number, piece) in (0..).zip(&self.pieces) {
            let inserted = match &piece.form {
                Form::Block(low, high) => scene.insert(number, Aabb::new(*low, *high), piece.place),
                Form::Triangles(positions, indices) => {
                    let mesh = Mesh::new(positions, indices).expect("the indices name positions");
                    scene.insert(number, mesh, piece.place)
                }
            };
            inserted.expect("pieces are neither scaled nor sheared");
        }
        scene
    }

    fn add(&mut self, station: &'static str, form: Form, place: DAffine3) -> u32 {
        let number = self.pieces.len() as u32;
        self.pieces.push(Piece { station, form, place: self.origin * place });
        number
    }

    fn block(&mut self, station: &'static str, low: [f32; 3], high: [f32; 3], place: DAffine3) -> u32 {
        self.add(station, Form::Block(low, high), place)
    }

    /// Adds an upright wall of triangles along a path on the ground.
    fn wall(&mut self, station: &'static str, points: &[[f32; 2]], height: f32) {
        let positions = points.iter().flat_map(|[x, z]| [Vec3::new(*x, 0.0, *z), Vec3::new(*x, height, *z)]).collect();
        let form = Form::Triangles(positions, strip(points.len() as u32 - 1));
        self.add(station, form, DAffine3::IDENTITY);
    }

    /// Adds a ramp that is 5 long and begins at x = 2.
    pub(crate) fn ramp(&mut self, degrees: u32) {
        let place = tilted(f64::from(degrees), DVec3::X * 2.0);
        self.block("ramps", [0.0, -0.1, -1.0], [5.0, 0.1, 1.0], place);
    }

    /// Adds a ramp that is 4 long and begins at x = 1, and a slope at x = 5 that leans over the ramp by 20 degrees.
    pub(crate) fn leaning_slope(&mut self, degrees: u32) {
        let station = "ramps that meet a leaning slope";
        self.block(station, [0.0, -0.1, -2.0], [4.0, 0.0, 2.0], tilted(f64::from(degrees), DVec3::X));
        self.block(station, [0.0, 0.0, -2.0], [0.2, 6.0, 2.0], tilted(20.0, DVec3::X * 5.0));
    }

    /// Adds a wall of 30 pillars along z, of which every second stands back.
    pub(crate) fn pillars(&mut self) {
        for k in 0..30u8 {
            let z = 0.2 * f32::from(k) - 3.0;
            let depth = if k % 2 == 0 { 0.0 } else { 0.05 };
            self.block("pillars", [2.0 + depth, 0.0, z], [3.0, 3.0, z + 0.2], DAffine3::IDENTITY);
        }
    }

    /// Adds ten steps, which begin at x = 2, and a landing behind them.
    pub(crate) fn stairs(&mut self, depth: f32, rise: f32, is_mesh: bool) {
        let station = if depth < 0.1 { "stairs that are too narrow" } else { "stairs" };
        let end = 2.0 + 10.0 * depth;
        for k in 0..10u8 {
            let (from, top) = (2.0 + depth * f32::from(k), rise * f32::from(k + 1));
            if is_mesh {
                let corners = [[from, top - rise], [from, top], [from + depth, top]];
                let ends = |[x, y]: [f32; 2]| [Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0)];
                self.add(
                    station,
                    Form::Triangles(corners.into_iter().flat_map(ends).collect(), strip(2)),
                    DAffine3::IDENTITY,
                );
            } else {
                self.block(station, [from, 0.0, -1.0], [end, top, 1.0], DAffine3::IDENTITY);
            }
        }
        let top = 10.0 * rise;
        self.block(station, [end, top - 0.5, -1.0], [end + 3.0, top, 1.0], DAffine3::IDENTITY);
    }

    /// Adds a wall beside the stairs. A walker in the middle of the stairs has a gap of 0.01 to the wall.
    pub(crate) fn wall_beside_stairs(&mut self) {
        self.block("stairs", [1.0, 0.0, 0.31], [8.0, 4.5, 0.6], DAffine3::IDENTITY);
    }

    /// Adds ten low bumps and five higher ones, up to x = 16.1.
    pub(crate) fn bumps(&mut self) {
        let low = (0..10u8).map(|k| (1.0 + 0.5 * f32::from(k), 0.01, 0.05));
        let high = (0..5u8).map(|k| (8.0 + 2.0 * f32::from(k), 0.1, 0.3));
        for (x, width, height) in low.chain(high) {
            self.block("bumps", [x, 0.0, -2.0], [x + width, height, 2.0], DAffine3::IDENTITY);
        }
    }

    /// Adds walls around the origin that lean outwards by 40 degrees.
    pub(crate) fn funnel(&mut self, walls: u32) {
        for k in 0..walls {
            let turn = DQuat::from_rotation_y(core::f64::consts::TAU * f64::from(k) / f64::from(walls));
            let lean = DQuat::from_rotation_z(-40f64.to_radians());
            let place = DAffine3::from_rotation_translation(turn * lean, turn * DVec3::new(0.25, 0.0, 0.0));
            self.block("funnels", [0.0, 0.0, -4.0], [0.5, 6.0, 4.0], place);
        }
    }

    /// Adds a wall of 25 segments along z, between x = 2 and x = 2.5.
    pub(crate) fn zigzag(&mut self) {
        let corner = |k: u8| [if k.is_multiple_of(2) { 2.0 } else { 2.5 }, -6.0 + 0.5 * f32::from(k)];
        self.wall("zigzag wall", &(0..=25).map(corner).collect::<Vec<_>>(), 3.0);
    }

    /// Adds two walls that meet at x = -8 and are open at x = -2.
    pub(crate) fn wedge(&mut self) {
        self.wall("acute wedge", &[[-2.0, -0.8], [-8.0, 0.0], [-2.0, 0.8]], 3.0);
    }

    /// Adds the lower half of a cylinder of radius 2 along z, of 768 segments, whose bottom is at the height 0.
    pub(crate) fn half_cylinder(&mut self, length: f64) {
        let count = 768;
        let corners = (0..=count).flat_map(|k| {
            let angle = core::f64::consts::PI * f64::from(k) / f64::from(count);
            [-0.5, 0.5].map(|end| DVec3::new(-2.0 * angle.cos(), 2.0 - 2.0 * angle.sin(), end * length).as_vec3())
        });
        self.add("half cylinder", Form::Triangles(corners.collect(), strip(count)), DAffine3::IDENTITY);
    }

    /// Adds a beam at the height of 1.5, from x = 2 to x = 4.
    pub(crate) fn crouch_gate(&mut self) {
        self.block("crouch gate", [2.0, 1.5, -2.0], [4.0, 3.0, 2.0], DAffine3::IDENTITY);
    }

    /// Adds a low belt from x = 2 to x = 10, which moves at [`BELT`].
    pub(crate) fn conveyor(&mut self) {
        self.belt = Some(self.block("conveyor", [2.0, 0.0, -1.5], [10.0, 0.1, 1.5], DAffine3::IDENTITY));
    }

    /// Adds one of the [`PLATFORMS`], where it is at the time 0.
    pub(crate) fn platform(&mut self, number: usize) {
        let key = self.block("platforms", [-2.0, -0.25, -2.0], [2.0, 0.0, 2.0], PLATFORMS[number](0.0));
        self.platforms.push((key, self.origin));
    }
}

/// Returns a rotation that turns +x upwards, followed by a translation to a place.
fn tilted(degrees: f64, place: DVec3) -> DAffine3 {
    DAffine3::from_rotation_translation(DQuat::from_rotation_z(degrees.to_radians()), place)
}

/// Returns the triangles of quads in a row. Each quad shares two corners with the quad before it, and adds two.
fn strip(quads: u32) -> Vec<u32> {
    let quad = |k: u32| [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3];
    (0..quads).flat_map(quad).collect()
}
