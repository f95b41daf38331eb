//! Convex shapes as a proof needs them: how far a place is outside, and the support function.
//!
//! Consider two points p and q, one in each of two convex shapes. They are closest points if no point of either
//! shape is farther towards the other along q - p. This verifies an answer for arbitrary shapes, without computing
//! another answer.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, OrientedBox, Quad, RoundedBox, Sphere, Triangle, Volume,
};
use std::sync::LazyLock;

/// A shape in its own space.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Sphere(DVec3, f64),
    Capsule([DVec3; 2], f64),
    /// A box by its centre and the halves of its edges, at right angles or not.
    Box(DVec3, [DVec3; 3]),
    Hull(&'static Corners),
    Cylinder([DVec3; 2], f64),
    Cone([DVec3; 2], f64),
    /// A disc with a unit normal.
    Disc(DVec3, DVec3, f64),
    Triangle([DVec3; 3]),
    /// All points within a radius of a box.
    RoundedBox(DVec3, [DVec3; 3], f64),
}

/// The corners of a hull, and its triangles.
#[derive(Debug)]
pub(crate) struct Corners {
    corners: Vec<DVec3>,
    faces: Vec<[DVec3; 3]>,
}

/// The hulls are shared, as making one takes longer than verifying an answer.
static HULLS: LazyLock<Vec<(ConvexHull, Corners)>> = LazyLock::new(|| {
    let mut random = Random(99);
    (0..4096).map(|_| hull(&mut random)).collect()
});

fn hull(random: &mut Random) -> (ConvexHull, Corners) {
    let size = 10f64.powf(0.6 * random.unit());
    let count = 4 + random.below(9);
    let points: Vec<Vec3> = (0..count).map(|_| (random.cube() * size).as_vec3()).collect();
    let hull = ConvexHull::new(&points).unwrap();
    let corners = hull.vertices().iter().map(|v| v.as_dvec3()).collect();
    let faces = (0..hull.mesh().triangle_count() as u32).map(|i| hull.mesh().triangle(i).unwrap());
    let faces = faces.map(|face| face.map(|v| v.as_dvec3())).collect();
    (hull, Corners { corners, faces })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sphere,
    Capsule,
    Aabb,
    OrientedBox,
    Hull,
    Cylinder,
    Cone,
    Disc,
    Quad,
    Triangle,
    RoundedBox,
}

impl Kind {
    pub(crate) const ALL: [Self; 11] = [
        Self::Sphere,
        Self::Capsule,
        Self::Aabb,
        Self::OrientedBox,
        Self::Hull,
        Self::Cylinder,
        Self::Cone,
        Self::Disc,
        Self::Quad,
        Self::Triangle,
        Self::RoundedBox,
    ];
    pub(crate) const VOLUMES: [Self; 8] = [
        Self::Sphere,
        Self::Capsule,
        Self::Aabb,
        Self::OrientedBox,
        Self::Hull,
        Self::Cylinder,
        Self::Cone,
        Self::RoundedBox,
    ];
}

/// A form, the library's geometry for it, and its placement.
pub(crate) struct Subject {
    pub(crate) form: Form,
    pub(crate) geometry: Geometry,
    pub(crate) volume: Option<Volume>,
    pub(crate) to_world: DAffine3,
    inverse: DAffine3,
    is_turned: bool,
    /// A lower bound of the factor by which its transform stretches, and the extent of its box in the world.
    stretch: f64,
    pub(crate) size: f64,
}

/// The kinds of placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placing {
    /// A rotation and a translation, as of a pose.
    Turned,
    /// An arbitrary affine transform.
    Sheared,
}

impl Subject {
    pub(crate) fn random(random: &mut Random, kind: Kind, placing: Placing) -> Self {
        let size = 10f64.powf(0.6 * random.unit());
        let mut number = || (size * random.unit().abs()) as f32;
        let (r, s, t) = (number(), number(), number());
        // The sizes include flat forms, and forms that are as long as they are wide.
        let (r, s) = match random.below(12) {
            0 => (0.0, s),
            1 => (r, 0.0),
            2 => (r, r),
            _ => (r, s),
        };
        let mut point = || (random.cube() * size).as_vec3();
        let (a, b, c) = (point(), point(), point());
        let (form, geometry, volume) = match kind {
            Kind::Sphere => {
                let it = Sphere::at(a, r);
                (Form::Sphere(a.as_dvec3(), r.into()), it.into(), Some(it.into()))
            }
            Kind::Capsule => {
                let it = Capsule::between(a, b, r);
                (Form::Capsule([a, b].map(|v| v.as_dvec3()), r.into()), it.into(), Some(it.into()))
            }
            Kind::Aabb => {
                let it = Aabb::new(a, a + Vec3::new(r, s, t));
                let (low, high) = (it.min.as_dvec3(), it.max.as_dvec3());
                let half = (high - low) * 0.5;
                let edges = [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z];
                (Form::Box((low + high) * 0.5, edges), it.into(), Some(it.into()))
            }
            Kind::OrientedBox => {
                let turn = random.rotation();
                let it = OrientedBox::from_rotation(a, Vec3::new(r, s, t), turn.as_quat()).unwrap();
                // The placement is read back, as the rotation was rounded to f32.
                let to_space = it.to_local().inverse();
                let (low, high) = (it.aabb().min.as_dvec3(), it.aabb().max.as_dvec3());
                let half = (high - low) * 0.5;
                let m = to_space.matrix3;
                let edges = [m.x_axis * half.x, m.y_axis * half.y, m.z_axis * half.z];
                (Form::Box(to_space.transform_point3((low + high) * 0.5), edges), it.into(), Some(it.into()))
            }
            Kind::Hull => {
                let (it, corners) = &HULLS[random.below(HULLS.len())];
                (Form::Hull(corners), it.into(), Some(it.clone().into()))
            }
            Kind::Cylinder => {
                let cylinder = Cylinder::between(a, b, r);
                let form = Form::Cylinder([a, b].map(|v| v.as_dvec3()), r.into());
                (form, cylinder.into(), Some(Volume::Cylinder(cylinder)))
            }
            Kind::Cone => {
                let cone = Cone::between(a, b, r);
                let form = Form::Cone([a, b].map(|v| v.as_dvec3()), r.into());
                (form, cone.into(), Some(Volume::Cone(cone)))
            }
            Kind::Disc => {
                (Form::Disc(a.as_dvec3(), b.as_dvec3().normalize(), r.into()), Disc::new(a, b, r).into(), None)
            }
            Kind::Quad => {
                let [a, u, v] = [a, b, c].map(|v| v.as_dvec3());
                (
                    Form::Box(a + (u + v) * 0.5, [u * 0.5, v * 0.5, DVec3::ZERO]),
                    Quad { corner: a.as_vec3(), edge_u: b, edge_v: c }.into(),
                    None,
                )
            }
            Kind::RoundedBox => {
                let it = RoundedBox::new(Aabb::new(a, a + Vec3::new(s, t, r)), 0.5 * r);
                let (low, high) = (it.core.min.as_dvec3(), it.core.max.as_dvec3());
                let half = (high - low) * 0.5;
                let edges = [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z];
                (Form::RoundedBox((low + high) * 0.5, edges, it.margin.into()), it.into(), Some(it.into()))
            }
            Kind::Triangle => (Form::Triangle([a, b, c].map(|v| v.as_dvec3())), Triangle::new(a, b, c).into(), None),
        };
        let to_world = transform(random, placing, size);
        Self::placed(form, geometry, volume, to_world)
    }

    pub(crate) fn placed(form: Form, geometry: Geometry, volume: Option<Volume>, to_world: DAffine3) -> Self {
        let m = to_world.matrix3;
        let stretch = m.x_axis.length() + m.y_axis.length() + m.z_axis.length();
        let is_turned = (m.transpose() * m).abs_diff_eq(DMat3::IDENTITY, 1e-12);
        let mut subject =
            Self { form, geometry, volume, to_world, inverse: to_world.inverse(), is_turned, stretch, size: 0.0 };
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        subject.size = axes.iter().map(|&axis| subject.reach(axis) + subject.reach(-axis)).sum();
        subject
    }

    pub(crate) fn moved(&mut self, by: DVec3) {
        self.to_world.translation += by;
        self.inverse = self.to_world.inverse();
    }

    /// Returns the support function: the largest coordinate of the subject along a direction.
    pub(crate) fn reach(&self, direction: DVec3) -> f64 {
        let local = self.to_world.matrix3.transpose() * direction;
        direction.dot(self.to_world.translation) + self.form.reach(local)
    }

    /// Returns the signed distance of a place, negative inside, for a subject that is only rotated and moved.
    pub(crate) fn signed(&self, place: DVec3) -> f64 {
        self.form.signed(self.inverse.transform_point3(place))
    }

    /// Returns whether it is the hull of a few points, without a radius.
    pub(crate) fn is_flat_sided(&self) -> bool {
        match self.form {
            Form::Box(..) | Form::Hull(..) | Form::Triangle(..) => true,
            Form::Sphere(..) | Form::Capsule(..) => self.is_turned,
            Form::Cylinder(..) | Form::Cone(..) | Form::Disc(..) | Form::RoundedBox(..) => false,
        }
    }

    /// Returns the unit normals of its flat sides in the world.
    pub(crate) fn normals(&self) -> Vec<DVec3> {
        let across = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a);
        let local = match &self.form {
            Form::Box(_, [x, y, z]) | Form::RoundedBox(_, [x, y, z], _) => vec![x.cross(*y), y.cross(*z), z.cross(*x)],
            Form::Hull(hull) => hull.faces.iter().map(across).collect(),
            Form::Triangle(corners) => vec![across(corners)],
            _ => Vec::new(),
        };
        let in_world = |n: DVec3| (self.inverse.matrix3.transpose() * n).try_normalize();
        local.into_iter().filter_map(in_world).flat_map(|n| [n, -n]).collect()
    }

    /// Returns the centre of its box.
    pub(crate) fn middle(&self) -> DVec3 {
        [DVec3::X, DVec3::Y, DVec3::Z].iter().map(|&axis| axis * (self.reach(axis) - self.reach(-axis)) * 0.5).sum()
    }

    /// Returns an upper bound of the distance of a place outside of it, up to rounding.
    pub(crate) fn outside(&self, place: DVec3) -> f64 {
        self.form.outside(self.inverse.transform_point3(place)) * self.stretch
    }
}

fn transform(random: &mut Random, placing: Placing, size: f64) -> DAffine3 {
    let linear = DMat3::from_quat(random.rotation());
    let linear = match placing {
        Placing::Turned => linear,
        Placing::Sheared => {
            let scale = DVec3::new(0.2 + random.unit().abs(), 0.2 + random.unit().abs(), 0.2 + random.unit().abs());
            let mirror = if random.below(2) == 0 { 1.0 } else { -1.0 };
            linear * DMat3::from_diagonal(scale * 2.0 * mirror) * DMat3::from_quat(random.rotation())
        }
    };
    DAffine3::from_mat3_translation(linear, random.cube() * (3.0 * size))
}

/// Returns the rotation of a subject that is only rotated and moved.
pub(crate) fn rotation_of(to_world: &DAffine3) -> DQuat {
    DQuat::from_mat3(&to_world.matrix3)
}

pub(crate) fn to_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let s = if along == DVec3::ZERO { 0.0 } else { ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0) };
    p.distance(a + along * s)
}

/// Returns the distance to the triangle's plane if the foot of the perpendicular is inside, else to the nearest edge.
pub(crate) fn to_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let n = (b - a).cross(c - a).normalize_or_zero();
    let foot = p - n * n.dot(p - a);
    let inside = |p: DVec3, q: DVec3| (q - p).cross(foot - p).dot(n) >= 0.0;
    if n != DVec3::ZERO && inside(a, b) && inside(b, c) && inside(c, a) {
        return n.dot(p - a).abs();
    }
    to_segment(p, a, b).min(to_segment(p, b, c)).min(to_segment(p, c, a))
}

impl Form {
    fn reach(&self, d: DVec3) -> f64 {
        let most = |points: &[DVec3]| points.iter().map(|p| p.dot(d)).fold(f64::NEG_INFINITY, f64::max);
        let circle = |axis: DVec3, r: f64| r * (d.length_squared() - d.dot(axis) * d.dot(axis)).max(0.0).sqrt();
        let up = |[a, b]: [DVec3; 2]| (b - a).try_normalize().unwrap_or(DVec3::Y);
        match self {
            Self::Sphere(c, r) => c.dot(d) + r * d.length(),
            Self::Capsule(ends, r) => most(ends) + r * d.length(),
            Self::Box(c, half) => c.dot(d) + half.iter().map(|half| half.dot(d).abs()).sum::<f64>(),
            Self::Hull(hull) => most(&hull.corners),
            Self::Cylinder(ends, r) => most(ends) + circle(up(*ends), *r),
            Self::Cone(ends, r) => (ends[0].dot(d) + circle(up(*ends), *r)).max(ends[1].dot(d)),
            Self::Disc(c, n, r) => c.dot(d) + circle(*n, *r),
            Self::Triangle(corners) => most(corners),
            Self::RoundedBox(c, half, r) => Self::Box(*c, *half).reach(d) + r * d.length(),
        }
    }

    /// Returns the distance of a place outside of it, 0 inside.
    pub(crate) fn outside(&self, p: DVec3) -> f64 {
        self.signed(p).max(0.0)
    }

    /// Returns the signed distance: negative inside of a solid.
    pub(crate) fn signed(&self, p: DVec3) -> f64 {
        let around = |[a, b]: [DVec3; 2]| {
            let up = (b - a).try_normalize().unwrap_or(DVec3::Y);
            let h = up.dot(p - a);
            ((p - a - up * h).length(), h, a.distance(b))
        };
        match self {
            Self::Sphere(c, r) => p.distance(*c) - r,
            Self::Capsule([a, b], r) => to_segment(p, *a, *b) - r,
            Self::Box(c, half) => box_signed(p - *c, half),
            Self::Hull(hull) => hull_signed(p, &hull.faces),
            Self::Cylinder(ends, r) => {
                let (beside, h, height) = around(*ends);
                let (x, y) = (beside - r, (h - height * 0.5).abs() - height * 0.5);
                x.max(y).min(0.0) + x.max(0.0).hypot(y.max(0.0))
            }
            Self::Cone(ends, r) => {
                let (beside, h, height) = around(*ends);
                let (p, rim, apex) =
                    (DVec3::new(beside, h, 0.0), DVec3::new(*r, 0.0, 0.0), DVec3::new(0.0, height, 0.0));
                let nearest = to_segment(p, DVec3::ZERO, rim).min(to_segment(p, rim, apex));
                let inside = h >= 0.0 && beside * height + h * r <= r * height;
                if inside { -nearest } else { nearest }
            }
            Self::Disc(c, n, r) => {
                let h = n.dot(p - *c);
                let beside = (p - *c - *n * h).length();
                (beside - r).max(0.0).hypot(h)
            }
            Self::Triangle(corners) => to_triangle(p, *corners),
            Self::RoundedBox(c, half, r) => box_signed(p - *c, half) - r,
        }
    }
}

/// Returns the signed distance of a box: by its planes inside, and by its faces outside.
fn box_signed(p: DVec3, [x, y, z]: &[DVec3; 3]) -> f64 {
    let corner = |i: usize| {
        let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        *x * sign(0) + *y * sign(1) + *z * sign(2)
    };
    let planes = [x.cross(*y), y.cross(*z), z.cross(*x)];
    if planes.iter().all(|n| *n != DVec3::ZERO) {
        let over = planes.map(|n| {
            let n = n.normalize();
            n.dot(p).abs() - (n.dot(*x).abs() + n.dot(*y).abs() + n.dot(*z).abs())
        });
        let deepest = over.into_iter().fold(f64::NEG_INFINITY, f64::max);
        if deepest <= 0.0 {
            return deepest;
        }
    }
    const FACES: [[usize; 4]; 6] = [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]];
    let halves = FACES.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    halves.map(|face| to_triangle(p, face.map(corner))).fold(f64::INFINITY, f64::min)
}

fn hull_signed(p: DVec3, faces: &[[DVec3; 3]]) -> f64 {
    let above = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a).normalize().dot(p - *a);
    let deepest = faces.iter().map(above).fold(f64::NEG_INFINITY, f64::max);
    if deepest <= 0.0 {
        return deepest;
    }
    faces.iter().map(|face| to_triangle(p, *face)).fold(f64::INFINITY, f64::min)
}
