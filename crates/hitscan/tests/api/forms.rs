//! Random geometries and transforms.

use crate::numbers::{Generation, Mood, Numbers};
use core::ops::ControlFlow;
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DMat3, DMat4, DQuat, DVec3, Mat4, Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::mesh::{AlphaMask, CutOut, Layout, Wrap};
use hitscan::{
    Aabb, Capsule, Compound, Cone, ConvexHull, Cylinder, Disc, Geometry, HeightField, Mesh, OrientedBox, Plane, Pose,
    Quad, Quality, Shape, Side, Sphere, Torus, Transform, Triangle, Volume,
};

impl Numbers {
    pub(crate) fn shape(&mut self) -> Shape {
        loop {
            if let Some(shape) = self.try_shape() {
                return shape;
            }
        }
    }

    fn try_shape(&mut self) -> Option<Shape> {
        Some(match self.below(18) {
            0 => self.aabb().into(),
            1 => Aabb::from_center_size(self.vec3(), self.vec3().abs()).into(),
            2 => self.capsule().into(),
            3 => Cone::new(self.size(), self.size()).into(),
            4 => Cone::between(self.vec3(), self.vec3(), self.size()).into(),
            5 => Cylinder::new(self.size(), self.size()).into(),
            6 => Cylinder::between(self.vec3(), self.vec3(), self.size()).into(),
            7 => Disc::new(self.vec3(), self.vec3(), self.size()).into(),
            8 | 9 => self.oriented_box()?.into(),
            10 => Plane::new(self.vec3(), self.vec3()).ok()?.into(),
            11 => Quad::new(self.vec3(), self.vec3(), self.vec3()).into(),
            12 => Sphere::new(self.size()).into(),
            13 => Sphere::at(self.vec3(), self.size()).into(),
            14 | 15 => Torus::new(self.size(), self.size()).into(),
            16 => Triangle::new(self.vec3(), self.vec3(), self.vec3()).into(),
            _ => self.aabb().into(),
        })
    }

    pub(crate) fn aabb(&mut self) -> Aabb {
        let (a, b) = (self.vec3(), self.vec3());
        match self.below(8) {
            0 => Aabb::new(a, b),
            1 => Aabb::new(Vec3::splat(-self.size()), Vec3::splat(self.size())),
            2 if self.mood == Mood::Wild => Aabb::EMPTY,
            _ => Aabb::new(a.min(b), a.max(b)),
        }
    }

    fn capsule(&mut self) -> Capsule {
        match self.below(2) {
            0 => Capsule::new(self.size(), self.size()),
            _ => Capsule::between(self.vec3(), self.vec3(), self.size()),
        }
    }

    pub(crate) fn oriented_box(&mut self) -> Option<OrientedBox> {
        match self.below(2) {
            0 => OrientedBox::from_rotation(self.vec3(), self.vec3().abs(), self.quat()).ok(),
            _ => OrientedBox::new(self.aabb(), self.affine()).ok(),
        }
    }

    /// Returns a few points: a lattice, a small cloud, or arbitrary ones.
    pub(crate) fn points(&mut self, most: usize) -> Vec<Vec3> {
        let count = self.below(most + 1);
        let lattice = self.one_in(2);
        (0..count)
            .map(|_| if lattice { Vec3::from_array([(); 3].map(|()| self.below(3) as f32 - 1.0)) } else { self.vec3() })
            .collect()
    }

    pub(crate) fn hull(&mut self) -> Option<ConvexHull> {
        let points = match self.below(3) {
            0 => self.box_corners(),
            _ => self.points(24),
        };
        ConvexHull::new(&points).ok()
    }

    fn box_corners(&mut self) -> Vec<Vec3> {
        let Aabb { min, max } = self.aabb();
        let corner =
            |i: usize| Vec3::from_array([0, 1, 2].map(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] }));
        (0..8).map(corner).collect()
    }

    pub(crate) fn mesh(&mut self) -> Option<Mesh> {
        let mesh = match self.below(5) {
            0 | 1 => {
                let corners = self.box_corners();
                Mesh::new(&corners, self.box_triangles()).ok()?
            }
            2 => self.hull()?.mesh().clone(),
            3 => {
                let points = self.points(18);
                Mesh::from_soup(&points[..points.len() / 3 * 3]).ok()?
            }
            _ => {
                let points = self.points(30);
                let count = 3 * self.below(60);
                let indices: Vec<u32> = (0..count).map(|_| self.below(points.len().max(1)) as u32).collect();
                let quality = self.pick(&[Quality::Fast, Quality::Balanced, Quality::Best]);
                Mesh::with_quality(&points, &indices, quality).ok()?
            }
        };
        let mesh = if self.one_in(4) { self.dressed(mesh)? } else { mesh };
        Some(if self.one_in(5) { mesh.with_layout(Layout::Compact) } else { mesh })
    }

    fn box_triangles(&mut self) -> &'static [u32] {
        const OUTWARDS: [u32; 36] = [
            0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
        ];
        if self.one_in(4) { &OUTWARDS[..30] } else { &OUTWARDS }
    }

    /// Adds normals, texture coordinates and a cut-out to a mesh.
    fn dressed(&mut self, mesh: Mesh) -> Option<Mesh> {
        let count = mesh.positions().len();
        let texcoords: Vec<Vec2> = (0..count).map(|_| self.vec2()).collect();
        let normals: Vec<Vec3> = (0..count).map(|_| self.vec3()).collect();
        let (width, height) = (1 + self.below(4), 1 + self.below(4));
        let texels: Vec<u8> = (0..width * height).map(|_| self.pick(&[0, 100, 255])).collect();
        let wraps = [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge];
        let mask = AlphaMask::new(width as u32, height as u32, texels).ok()?.wrap(self.pick(&wraps), self.pick(&wraps));
        let (cutoff, factor) = (self.f32(), self.f32());
        let dressed = mesh.with_texcoords(&texcoords).ok()?.with_normals(&normals).ok()?;
        dressed.with_cut_out(CutOut::from(mask).cutoff(cutoff).factor(factor)).ok()
    }

    pub(crate) fn height_field(&mut self) -> Option<HeightField> {
        let (rows, columns) = (2 + self.below(7), 2 + self.below(7));
        let is_flat = self.one_in(3);
        let heights: Vec<f32> = (0..rows * columns).map(|_| if is_flat { 0.0 } else { self.f32() }).collect();
        let cell = self.vec2().abs();
        let holes: Vec<[usize; 2]> =
            (0..self.below(4)).map(|_| [self.below(rows - 1), self.below(columns - 1)]).collect();
        let diagonal = self.pick(&[Diagonal::Falling, Diagonal::Rising]);
        HeightField::new(rows, columns, cell, &heights).ok()?.with_diagonal(diagonal).with_holes(holes).ok()
    }

    fn part(&mut self) -> Geometry {
        if self.has(Generation::Windows) && self.one_in(6) {
            return self.wire();
        }
        let part = match self.below(10) {
            0..5 => Some(self.shape().into()),
            5 | 6 => self.mesh().map(Geometry::from),
            7 => self.hull().map(Geometry::from),
            8 => self.height_field().map(Geometry::from),
            _ => Some(self.custom()),
        };
        part.unwrap_or_else(|| Sphere::new(1.0).into())
    }

    pub(crate) fn custom(&mut self) -> Geometry {
        Custom::new(Ball { radius: self.size().into(), has_support: self.one_in(2) }).into()
    }

    pub(crate) fn geometry(&mut self) -> Geometry {
        if !self.one_in(8) {
            return self.part();
        }
        let parts: Vec<(Geometry, Transform)> =
            (0..self.below(5)).map(|_| (self.part(), self.affine().into())).collect();
        Compound::new(parts).map_or_else(|_| Sphere::new(1.0).into(), Geometry::from)
    }

    pub(crate) fn affine(&mut self) -> DAffine3 {
        let linear = match self.below(8) {
            0..2 => DMat3::IDENTITY,
            2 => DMat3::from_diagonal(DVec3::splat(self.scale())),
            3 => DMat3::from_diagonal(self.scales()),
            4 => DMat3::from_quat(unit(self.rotation())),
            5 => DMat3::from_quat(unit(self.rotation())) * DMat3::from_diagonal(self.scales()),
            6 => {
                let (left, right) = (unit(self.rotation()), unit(self.rotation()));
                DMat3::from_quat(left) * DMat3::from_diagonal(self.scales()) * DMat3::from_quat(right)
            }
            _ => DMat3::from_cols(self.dvec3(), self.dvec3(), self.dvec3()),
        };
        DAffine3::from_mat3_translation(linear, if self.one_in(3) { DVec3::ZERO } else { self.dvec3() })
    }

    fn scales(&mut self) -> DVec3 {
        DVec3::new(self.scale(), self.scale(), self.scale())
    }

    fn scale(&mut self) -> f64 {
        if self.is_wild() {
            let powers = [-320, -300, -160, -150, -100, -60, -30, -10, -5, 5, 10, 30, 60, 100, 150, 160, 300, 308];
            return 10f64.powi(self.pick(&powers));
        }
        self.pick(&[1.0, 1.0, 2.0, 0.5, -1.0, 3.0, 0.1, 10.0, 1.0 / 3.0, -2.0, 100.0, 0.01])
    }

    pub(crate) fn transform(&mut self) -> Transform {
        let affine = self.affine();
        match self.below(8) {
            0 => affine.as_affine3a().into(),
            1 => DMat4::from(affine).into(),
            2 => DMat4::from(affine).as_mat4().into(),
            3 => DMat4::from(affine).to_cols_array_2d().into(),
            4 => Mat4::from_cols_array(&[(); 16].map(|()| self.f32())).into(),
            5 => self.vec3().into(),
            _ => affine.into(),
        }
    }

    pub(crate) fn volume(&mut self) -> Volume {
        if self.has(Generation::Games) && self.one_in(8) {
            let margin = self.size();
            return self.volume().with_margin(margin);
        }
        if self.has(Generation::Games) && self.one_in(4) {
            return match self.below(4) {
                0 => Cone::new(self.size(), self.size()).into(),
                1 => Cone::between(self.vec3(), self.vec3(), self.size()).into(),
                2 => Cylinder::new(self.size(), self.size()).into(),
                _ => Cylinder::between(self.vec3(), self.vec3(), self.size()).into(),
            };
        }
        match self.below(8) {
            0 => Volume::Point,
            1 | 2 => Sphere::at(if self.one_in(3) { self.vec3() } else { Vec3::ZERO }, self.size()).into(),
            3 => self.capsule().into(),
            4 | 5 => self.aabb().into(),
            6 => self.oriented_box().map_or(Volume::Point, Volume::from),
            _ => self.hull().map_or(Volume::Point, Volume::from),
        }
    }

    pub(crate) fn pose(&mut self, position: DVec3) -> Pose {
        let rotation = if self.one_in(2) { DQuat::IDENTITY } else { self.rotation() };
        Pose { position, rotation }
    }
}

/// Normalizes a rotation for use in a matrix; the identity if it cannot be normalized.
fn unit(rotation: DQuat) -> DQuat {
    let unit = rotation.normalize();
    if unit.is_finite() { unit } else { DQuat::IDENTITY }
}

/// A ball around the origin, as a custom shape.
struct Ball {
    radius: f64,
    has_support: bool,
}

impl CustomShape for Ball {
    fn bounds(&self) -> Aabb {
        Aabb::new([-self.radius as f32; 3], [self.radius as f32; 3])
    }

    fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        let a = ray.direction.length_squared();
        let middle = -ray.origin.dot(ray.direction) / a;
        // The middle of the chord is near the ball, wherever the ray starts, so that no digits cancel. With
        // cancellation, the shape could report a hit outside of its bounds.
        let root = ((self.radius * self.radius - ray.at(middle).length_squared()) / a).sqrt();
        for (t, side) in [(middle - root, Side::Front), (middle + root, Side::Back)] {
            if offer(CustomHit::new(t, ray.at(t), side)).is_break() {
                return;
            }
        }
    }

    fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        self.has_support.then(|| direction * self.radius)
    }
}
