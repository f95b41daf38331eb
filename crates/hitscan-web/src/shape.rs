//! Shapes, hulls and volumes.

use crate::answer::{self, PointRecord, ShapeRecord};
use crate::custom::Crossings;
use crate::plain_shapes::{at, plain};
use crate::positions::positions;
use crate::question::Choices;
use crate::thrown;
use hitscan::custom::Custom;
use hitscan::error::ShapeError;
use hitscan::glam::{DVec3, Quat};
use hitscan::query::ShapeHit;
use hitscan::{Aabb, ConvexHull, Geometry, OrientedBox, Ray, Volume};
use js_sys::Function;
use wasm_bindgen::prelude::*;

/// The form of a [`Shape`]: a shape of the library, a hull, a shape of the program's own, a point, or a volume with a
/// margin.
enum Form {
    Shape(hitscan::Shape),
    Hull(ConvexHull),
    Custom(Custom),
    Volume(Volume),
}

/// A shape, a hull, a shape of the program's own, or a volume.
#[wasm_bindgen]
pub struct Shape(Form);

#[wasm_bindgen]
impl Shape {
    /// Makes a shape of a kind from its numbers, as `npm/src/shapes.ts` and `plainShapes.ts` write them.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: u8, row: &[f32]) -> Result<Self, JsError> {
        let shape: hitscan::Shape = match (kind, row.len()) {
            (3, 4) => hitscan::Sphere::at(at(row, 0), row[3]).into(),
            (1, 6) => Aabb::new(at(row, 0), at(row, 3)).into(),
            (2, 10) => {
                let rotation = Quat::from_xyzw(row[6], row[7], row[8], row[9]);
                OrientedBox::from_rotation(at(row, 0), at(row, 3), rotation).map_err(thrown)?.into()
            }
            (8, 6) => hitscan::Plane::new(at(row, 0), at(row, 3)).map_err(thrown)?.into(),
            _ => match plain(kind, row) {
                Some(shape) => shape,
                None => return Err(JsError::new(&format!("there is no shape {kind} of {} numbers", row.len()))),
            },
        };
        shape.validate().map_err(thrown)?;
        Ok(Self(Form::Shape(shape)))
    }

    /// Makes the convex hull of points.
    pub fn hull(points: &[f32]) -> Result<Self, JsError> {
        ConvexHull::new(positions(points)?).map(|hull| Self(Form::Hull(hull))).map_err(thrown)
    }

    /// Makes a shape of the program's own, from its bounding box and the function that [`Crossings::new`] describes.
    pub fn custom(corners: &[f32], begins: Function) -> Result<Self, JsError> {
        let [min, max] = [at(corners, 0), at(corners, 3)];
        let bounds = Aabb::new(min, max);
        if bounds.is_empty() {
            return Err(thrown(ShapeError::EmptyBox { min, max }));
        }
        Ok(Self(Form::Custom(Custom::new(Crossings::new(bounds, begins)))))
    }

    /// Makes the volume that is a point.
    pub fn point() -> Self {
        Self(Form::Volume(Volume::Point))
    }

    /// Makes the same volume with a margin around it.
    pub fn with_margin(&self, margin: f32) -> Result<Self, JsError> {
        let volume = self.volume()?.with_margin(margin);
        volume.validate().map_err(thrown)?;
        Ok(Self(Form::Volume(volume)))
    }

    /// Finds the first hit.
    pub fn cast(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> Result<bool, JsError> {
        let choices = Choices::new(bits);
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        Ok(answer::one(self.first(&ray, choices)?.map(|hit| ShapeRecord(ray, hit))))
    }

    /// Returns t where the infinite line of a ray enters and leaves a box, or nothing.
    pub fn interval(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> Option<Vec<f32>> {
        let Form::Shape(hitscan::Shape::Box(aabb)) = &self.0 else { return None };
        let ray = Choices::new(bits).ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        aabb.interval(&ray).map(|(enter, leave)| vec![enter, leave])
    }

    /// Finds the nearest point of the surface.
    pub fn closest_point(&self, x: f64, y: f64, z: f64) -> Result<bool, JsError> {
        let point = [x, y, z];
        Ok(answer::one(match &self.0 {
            Form::Shape(shape) => shape.closest_point(point).map(PointRecord::from),
            Form::Hull(hull) => hull.closest_point(point).map(PointRecord::from),
            Form::Custom(_) => return Err(rays_alone()),
            Form::Volume(_) => return Err(no_surface()),
        }))
    }

    /// Returns whether a point is inside or on the surface.
    pub fn contains(&self, x: f64, y: f64, z: f64) -> Result<bool, JsError> {
        let point = DVec3::new(x, y, z);
        Ok(match &self.0 {
            // This comparison in f64 is exact.
            Form::Shape(hitscan::Shape::Box(aabb)) => {
                let [min, max] = [aabb.min, aabb.max].map(|corner| corner.as_dvec3());
                min.cmple(point).all() && point.cmple(max).all()
            }
            Form::Shape(shape) => shape.contains(point),
            Form::Hull(hull) => hull.contains(point.as_vec3()),
            Form::Custom(_) => return Err(rays_alone()),
            Form::Volume(_) => return Err(no_surface()),
        })
    }

    /// Returns the signed distance of a point from a plane.
    pub fn signed_distance(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        let Form::Shape(hitscan::Shape::Plane(plane)) = &self.0 else { return None };
        Some(plane.signed_distance([x, y, z]))
    }

    /// Returns the least and greatest coordinates.
    pub fn bounds(&self) -> Result<Vec<f32>, JsError> {
        let bounds = match &self.0 {
            Form::Shape(shape) => shape.bounds(),
            Form::Hull(hull) => hull.bounds(),
            Form::Custom(custom) => custom.bounds(),
            Form::Volume(_) => return Err(no_surface()),
        };
        Ok([bounds.min.to_array(), bounds.max.to_array()].concat())
    }

    /// Returns the coordinates of a hull's corners.
    pub fn vertices(&self) -> Vec<f32> {
        match &self.0 {
            Form::Hull(hull) => hull.vertices().iter().flat_map(|vertex| vertex.to_array()).collect(),
            _ => Vec::new(),
        }
    }
}

impl Shape {
    fn first(&self, ray: &Ray, choices: Choices) -> Result<Option<ShapeHit>, JsError> {
        use hitscan::Shape as S;
        let (inside, cull) = (choices.inside(), choices.cull());
        Ok(match &self.0 {
            Form::Hull(hull) => hull.when_inside(inside).cast(ray),
            Form::Shape(S::Quad(shape)) => shape.culled(cull).cast(ray),
            Form::Shape(S::Triangle(shape)) => shape.culled(cull).cast(ray),
            Form::Shape(shape) => shape.when_inside(inside).cast(ray),
            Form::Custom(custom) => custom.when_inside(inside).cast(ray),
            Form::Volume(_) => return Err(no_surface()),
        })
    }

    /// Returns the shape as a volume that moves or overlaps.
    pub(crate) fn volume(&self) -> Result<Volume, JsError> {
        match &self.0 {
            Form::Volume(volume) => Ok(volume.clone()),
            Form::Hull(hull) => Ok(hull.into()),
            Form::Custom(_) => Err(no_volume()),
            Form::Shape(shape) => shape.volume().ok_or_else(no_volume),
        }
    }

    /// Returns the shape as the geometry of an entity.
    pub(crate) fn geometry(&self) -> Result<Geometry, JsError> {
        Ok(match &self.0 {
            Form::Shape(shape) => (*shape).into(),
            Form::Hull(hull) => hull.into(),
            Form::Custom(custom) => custom.into(),
            Form::Volume(_) => return Err(no_surface()),
        })
    }
}

/// The error of a shape that is no volume.
fn no_volume() -> JsError {
    JsError::new(
        "this shape is no volume: sweeps and overlaps take a sphere, capsule, cylinder, cone, box, hull or point",
    )
}

/// The error of a question, other than a cast, about a shape of the program's own.
fn rays_alone() -> JsError {
    JsError::new("a shape of your own answers rays alone: compute its points yourself")
}

/// The error of a question to a volume that is no shape.
fn no_surface() -> JsError {
    JsError::new("a point or a volume with a margin has no surface: ask the shape itself")
}
