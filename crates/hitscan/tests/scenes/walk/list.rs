//! The naive list: the entities that a scene should hold, and the hits of each of them by itself. It has no tree, and
//! decides the triangles of meshes and height fields by its own exact arithmetic. Other solids are queried one by
//! one, each in a scene of its own.

use crate::line::Line;
use crate::walk::form::{Body, Cloth, Made, Sheet};
use crate::walk::question::Options;
use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::{Aabb, Geometry, Hit, OrientedBox, Ray, RayQueries, Scene, Side, Transform};
use std::sync::Arc;

/// The entities in the order of insertion.
#[derive(Clone, Default)]
pub(crate) struct List(pub(crate) Vec<Entry>);

#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) key: u32,
    /// A number that is unique to each entity that was ever inserted or placed.
    pub(crate) stamp: u64,
    pub(crate) bodies: Arc<[(Body, DAffine3)]>,
    pub(crate) transform: DAffine3,
    pub(crate) layers: u32,
    parts: Arc<[Part]>,
}

/// A placed part.
struct Part {
    to_world: DAffine3,
    kind: Kind,
}

enum Kind {
    /// Triangles in local space, and the transform from the world to that space.
    Triangles(Vec<(u32, [DVec3; 3])>, DAffine3),
    Alone(Box<Scene<u32>>, Option<(Sheet, Arc<Cloth>)>),
}

/// An expected hit.
pub(crate) struct Expected {
    pub(crate) place: usize,
    pub(crate) part: u32,
    pub(crate) t: f32,
    pub(crate) side: Side,
    pub(crate) seen: Seen,
}

pub(crate) enum Seen {
    /// A triangle by its number, with its corners and its normal in the world.
    Triangle(u32, [DVec3; 3], DVec3),
    /// The hit of the entity alone.
    Alone(Box<Hit<u32>>),
}

/// A ray, and its true origin.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) ray: &'a Ray,
    /// The origin in world space.
    pub(crate) from: DVec3,
    /// The hit at whose point the ray starts, if there is one.
    pub(crate) left: Option<&'a Hit<u32>>,
}

impl Entry {
    /// Returns an entity; `None` if it cannot be placed.
    pub(crate) fn new(key: u32, made: Made, transform: DAffine3, stamp: u64) -> Option<Self> {
        let empty = Self {
            key,
            stamp,
            bodies: made.bodies.into(),
            transform,
            layers: hitscan::Entity::DEFAULT_LAYERS,
            parts: [].into(),
        };
        empty.placed(transform, stamp)
    }

    /// Returns the entity in another place; `None` if it cannot be placed there.
    pub(crate) fn placed(&self, transform: DAffine3, stamp: u64) -> Option<Self> {
        Transform::from(transform).validate().ok()?;
        let place = |(body, inner): &(Body, DAffine3)| Part::new(self.key, body, transform * *inner);
        let parts = self.bodies.iter().map(place).collect::<Option<_>>()?;
        Some(Self { transform, stamp, parts, ..self.clone() })
    }

    /// Returns the entity on other layers.
    pub(crate) fn on(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Returns the entity with another body in one of its parts.
    pub(crate) fn deformed(&self, part: usize, body: Body, stamp: u64) -> Option<Self> {
        let mut bodies = self.bodies.to_vec();
        bodies[part].0 = body;
        Self { bodies: bodies.into(), ..self.clone() }.placed(self.transform, stamp)
    }
}

impl Part {
    fn new(key: u32, body: &Body, to_world: DAffine3) -> Option<Self> {
        let alone = |geometry: Geometry| {
            let mut scene = Scene::new();
            scene.insert(key, geometry, to_world).ok()?;
            Some(Box::new(scene))
        };
        // A nearly singular transform has an inverse that is not accessible, so a scene with only this entity answers.
        let to_local = inverse(to_world);
        let kind = match body {
            Body::Mesh(sheet) => match to_local {
                Some(to_local) => Kind::Triangles((0..).zip(sheet.corners()).collect(), to_local),
                None => Kind::Alone(alone(sheet.mesh().into())?, None),
            },
            Body::Field(ground) => match to_local {
                Some(to_local) => Kind::Triangles(ground.triangles().collect(), to_local),
                None => Kind::Alone(alone(ground.field().into())?, None),
            },
            Body::Fence(sheet, cloth) => Kind::Alone(alone(sheet.mesh().into())?, Some((sheet.clone(), cloth.clone()))),
            Body::Solid(geometry) => Kind::Alone(alone(geometry.clone())?, None),
        };
        Some(Self { to_world, kind })
    }
}

/// Returns the inverse that a scene computes. An oriented box exposes this inverse, and other tests verify it.
/// Returns `None` if the inverse is itself nearly singular.
fn inverse(transform: DAffine3) -> Option<DAffine3> {
    OrientedBox::new(Aabb::new([0.0; 3], [1.0; 3]), transform).ok().map(|unit| unit.to_local())
}

impl List {
    pub(crate) fn find(&self, key: u32) -> Option<usize> {
        self.0.iter().position(|entry| entry.key == key)
    }

    /// Returns all hits in order.
    pub(crate) fn hits(&self, asked: Asked<'_>, options: &Options) -> Vec<Expected> {
        let mut hits = Vec::new();
        if asked.ray.validate().is_ok() {
            for (place, entry) in self.0.iter().enumerate().filter(|(_, entry)| options.asks_for(entry)) {
                for (number, part) in (0..).zip(entry.parts.iter()) {
                    part.hits(asked, options, &mut |t, side, seen| {
                        let triangle = seen.triangle().unwrap_or_default();
                        if options.keeps(entry.key, triangle, side) {
                            hits.push(Expected { place, part: number, t, side, seen });
                        }
                    });
                }
            }
        }
        // Hits of one part with the same t are in order already, and the sort is stable.
        hits.sort_by(|a, b| a.t.total_cmp(&b.t).then((a.place, a.part).cmp(&(b.place, b.part))));
        hits
    }
}

impl Part {
    fn hits(&self, asked: Asked<'_>, options: &Options, found: &mut dyn FnMut(f32, Side, Seen)) {
        match &self.kind {
            Kind::Triangles(triangles, to_local) => self.triangles_hit((triangles, to_local), asked, found),
            Kind::Alone(scene, cloth) => {
                let mut hits = Vec::new();
                let view = scene.relative_to(options.origin).when_inside(options.inside).after(asked.left);
                view.cast_all(asked.ray, &mut hits);
                let is_hole = |hit: &Hit<u32>| {
                    let holes = cloth.as_ref().filter(|_| options.cut_outs == hitscan::CutOuts::Open);
                    holes.zip(hit.triangle.zip(hit.uv)).is_some_and(|((sheet, cloth), (triangle, uv))| {
                        cloth.is_hole(sheet.triangles[triangle as usize], uv)
                    })
                };
                hits.retain(|hit| !is_hole(hit));
                hits.into_iter().for_each(|hit| found(hit.t, hit.side, Seen::Alone(hit.into())));
            }
        }
    }

    fn triangles_hit(
        &self,
        (triangles, to_local): (&[(u32, [DVec3; 3])], &DAffine3),
        asked: Asked<'_>,
        found: &mut dyn FnMut(f32, Side, Seen),
    ) {
        let line = Line {
            origin: to_local.transform_point3(asked.from),
            direction: to_local.transform_vector3(asked.ray.direction.as_dvec3()),
        };
        for (number, corners) in triangles {
            let Some(meeting) = line.meet(corners) else { continue };
            let t = meeting.t.filter(|t| (asked.ray.t_min..=asked.ray.t_max).contains(t));
            if let Some(t) = t {
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                let normal = (to_local.matrix3.transpose() * normal).normalize_or_zero();
                let corners = corners.map(|corner| self.to_world.transform_point3(corner));
                found(t, meeting.side, Seen::Triangle(*number, corners, normal));
            }
        }
    }
}

impl Seen {
    fn triangle(&self) -> Option<u32> {
        match self {
            Self::Triangle(number, ..) => Some(*number),
            Self::Alone(hit) => hit.triangle,
        }
    }
}

impl Expected {
    /// Returns whether a hit is the expected one to the bit. The exceptions are the point, the normal and the
    /// barycentrics on a triangle, which the list knows to the precision of f32.
    pub(crate) fn is(&self, hit: &Hit<u32>, list: &List, asked: Asked<'_>, origin: DVec3) -> bool {
        let said = (hit.id, hit.part, hit.t.to_bits(), hit.side, hit.triangle);
        let key = list.0[self.place].key;
        said == (key, self.part, self.t.to_bits(), self.side, self.seen.triangle())
            && match &self.seen {
                Seen::Triangle(_, corners, normal) => is_there(hit, corners, *normal, self.t, asked, origin),
                Seen::Alone(alone) => {
                    let details = |hit: &Hit<u32>| (hit.point, hit.normal, hit.feature, hit.uv, hit.point_f64());
                    details(alone) == details(hit)
                }
            }
    }
}

/// Compares a point, barycentrics and normal. Each is rounded once to f32, by 2^-24 of its size, and so is t, which
/// moves the point. The rest of the tolerance is for f64 rounding, and for the barycentrics, which are within 2^-29.
fn is_there(hit: &Hit<u32>, corners: &[DVec3; 3], normal: DVec3, t: f32, asked: Asked<'_>, origin: DVec3) -> bool {
    const ROUNDED: f64 = 1.0 / (1 << 22) as f64;
    let way = asked.ray.direction.as_dvec3() * f64::from(t);
    let [a, b, c] = *corners;
    let Vec2 { x: u, y: v } = hit.uv.unwrap_or(Vec2::NAN);
    let by_corners = a + (b - a) * f64::from(u) + (c - a) * f64::from(v);
    let size = way.length() + [a, b, c, asked.from].map(|p| (p - origin).length()).iter().sum::<f64>();
    let is_near = |p: DVec3| (p - origin - hit.point.as_dvec3()).length() <= ROUNDED * size;
    is_near(asked.from + way)
        && is_near(by_corners)
        && is_near(hit.point_f64())
        && (hit.normal.as_dvec3() - normal).length() <= ROUNDED
}
