//! A loaded model: entities with their transforms, cameras, materials, and the scene that is made of them.

use crate::error::{Item, Problem, Warning};
use crate::material::{Material, Primitive};
use crate::rig::Rig;
use hitscan::error::{CameraError, CutOutError};
use hitscan::glam::DAffine3;
use hitscan::mesh::AlphaMask;
use hitscan::{Camera, Compound, Geometry, Hit, Mesh, Scene};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything in a model file that a ray can hit or be cast from.
///
/// ```
/// use hitscan::{Ray, RayQueries};
/// use hitscan_io::Model;
///
/// let model = Model::demo();
/// let scene = model.scene()?;
/// let down = Ray::new([0.0, 50.0, 0.0], [0.0, -1.0, 0.0]);
/// let hit = scene.cast(&down).unwrap(); // through the holes of leaves
/// println!("{} at {}", model.entity(hit.id).unwrap().name, hit.point);
/// # Ok::<(), hitscan_io::Problem>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The entities. A glTF has one for each node that shows triangles, or one for each instance of such a node
    /// (EXT_mesh_gpu_instancing), in the depth-first order of the scene's nodes. Other formats have one for each object,
    /// group or solid with triangles, in the order of the file. The order of the entities decides ties.
    pub entities: Vec<Entity>,
    /// The cameras: one for each node that carries one, in the order of the file's cameras.
    pub cameras: Vec<NamedCamera>,
    /// The materials, in the order of the file.
    pub materials: Vec<Material>,
    /// The animations that [`Pose::animate`](crate::Pose::animate) can play, in the order of the file.
    pub animations: Vec<Animation>,
    /// The problems that a user of the model should know about.
    pub warnings: Vec<Warning>,
    /// The files that the model was made from. These are the file itself, if it was read from a path, and all files that it refers to and that the loader
    /// opened or tried to open. A program should not overwrite any of these files.
    pub files: BTreeSet<PathBuf>,
    /// The data that poses need, shared by clones and poses.
    pub(crate) rig: Arc<Rig>,
}

/// The key of an entity in [`Model::scene`]: its index among [`Model::entities`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub u32);

/// A part of the model that rays can hit.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The node's name, else the mesh's, else `node<N>`, followed by `#I` for its instance I. An OBJ has the name of
    /// the object or group, else `object<N>`; an STL has the solid's, else `solid<N>`; a PLY has `mesh0`. Names of
    /// nodes and solids may repeat.
    pub name: String,
    /// The node's index in the file; `None` for other formats than glTF.
    pub node: Option<u32>,
    /// The geometry in the node's own space, morphed by its weights. Nodes that show one mesh with the same weights and skin share it.
    ///
    /// A skinned mesh is in world space, in the pose of its joints before any animation. An entity that is scaled
    /// to nothing before any animation, but that an animation may show, is an empty compound. For other poses see
    /// [`Model::set_pose`].
    pub geometry: Geometry,
    /// The transform from the space of the geometry to the world's, in f64. For other formats than glTF it is the
    /// identity, unless positions in f32 would lose the form of the model. Then it translates from an origin near the
    /// model. That is so for a model that is farther away from (0, 0, 0) than 64 times its half size. It is also so for
    /// an entity that is farther away from the model's origin than 1,024 times its half size. Positions that are all
    /// exact in f32 are never made relative to such an origin. A skinned mesh of a glTF also has such an origin, if its
    /// vertices are farther away from (0, 0, 0) than 64 times their half size. If its node mirrors, both its geometry
    /// and its transform are mirrored in x, so that its triangles show the same sides as in a picture.
    pub transform: DAffine3,
    /// The materials of the triangles, or of the parts of a compound, ordered by part and triangle.
    pub primitives: Arc<[Primitive]>,
}

impl Entity {
    /// Returns the primitive that a hit's part and triangle belong to.
    pub fn primitive(&self, part: u32, triangle: Option<u32>) -> Option<&Primitive> {
        let place = (part, triangle.unwrap_or(0));
        let after = self.primitives.partition_point(|primitive| (primitive.part, primitive.first_triangle) <= place);
        let found = &self.primitives[after.checked_sub(1)?];
        let holds = |triangle: u32| found.own_triangle(triangle).is_some_and(|own| own < found.triangles);
        (found.part == part && triangle.is_none_or(holds)).then_some(found)
    }
}

impl Entity {
    /// Returns one of the model's geometries with the holes of its materials, given their masks.
    fn cut(
        &self,
        geometry: &Geometry,
        materials: &[Material],
        masks: &[Option<AlphaMask>],
    ) -> Result<Geometry, CutOutError> {
        let cut_outs = |part: u32| {
            self.primitives.iter().filter(move |primitive| primitive.part == part).filter_map(|primitive| {
                let index = primitive.material?;
                primitive.cut_out(materials.get(index)?, masks.get(index)?.as_ref())
            })
        };
        let cut = |part: u32, mesh: Mesh| cut_outs(part).try_fold(mesh, Mesh::with_cut_out);
        match geometry {
            Geometry::Mesh(mesh) => Ok(cut(0, mesh.clone())?.into()),
            Geometry::Compound(compound)
                if (0..).zip(compound.iter()).any(|(part, _)| cut_outs(part).next().is_some()) =>
            {
                let parts = (0..).zip(compound.iter()).map(|(part, (geometry, transform))| match geometry {
                    Geometry::Mesh(mesh) => Ok((cut(part, mesh)?.into(), transform.into())),
                    other => Ok((other, transform.into())),
                });
                let parts: Vec<_> = parts.collect::<Result<_, CutOutError>>()?;
                // The transforms of the parts were valid before.
                Ok(Compound::new(parts).map_or_else(|_| geometry.clone(), Geometry::from))
            }
            other => Ok(other.clone()),
        }
    }
}

/// A camera of the file, placed by its node. It looks along its own -z, and +y is up in the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedCamera {
    /// The node's name, else the camera's, else `camera<N>`. Names may repeat.
    pub name: String,
    /// The camera's index in the file.
    pub camera: usize,
    /// The index of the node that carries it.
    pub node: Option<u32>,
    /// The transform from the camera's space to the world's. A scale in it has no effect on the picture.
    pub transform: DAffine3,
    /// The camera's projection.
    pub projection: Projection,
}

impl NamedCamera {
    /// Returns the camera that rays come from, with its near and far planes as the range of the rays. The width of the
    /// picture follows from its height and from the window, so `aspect` and `xmag` are not used.
    ///
    /// ```
    /// use hitscan::RayQueries;
    /// use hitscan_io::Model;
    ///
    /// let model = Model::demo();
    /// let camera = model.cameras.first().ok_or("the model has no camera")?.camera()?;
    /// let ray = camera.ray([640.0, 360.0], [1280.0, 720.0]);
    /// assert!(model.scene()?.cast(&ray).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the file gives the camera a transform, an angle, or near and far planes that no camera can
    /// have.
    pub fn camera(&self) -> Result<Camera, CameraError> {
        match self.projection {
            Projection::Perspective { yfov, aspect: _, znear, zfar } => {
                Camera::perspective(self.transform, yfov)?.with_clip(znear, zfar.unwrap_or(f64::INFINITY))
            }
            // A negative magnification mirrors a picture. glTF advises against it, and renderers do not agree on it.
            Projection::Orthographic { xmag: _, ymag, znear, zfar } => {
                Camera::orthographic(self.transform, 2.0 * ymag.abs())?.with_clip(znear, zfar)
            }
        }
    }
}

/// A camera's projection, with lengths in the units of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Projection {
    /// A perspective projection.
    Perspective {
        /// The vertical field of view in radians, above 0 and below pi.
        yfov: f64,
        /// The ratio of width to height; `None` means the ratio of the picture.
        aspect: Option<f64>,
        /// The depth of the near plane, above 0.
        znear: f64,
        /// The depth of the far plane; `None` means infinitely far.
        zfar: Option<f64>,
    },
    /// An orthographic projection.
    Orthographic {
        /// Half of the visible width; not 0.
        xmag: f64,
        /// Half of the visible height; not 0.
        ymag: f64,
        /// The depth of the near plane.
        znear: f64,
        /// The depth of the far plane.
        zfar: f64,
    },
}

impl Projection {
    /// Returns the fault of a projection that cannot be used.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        match *self {
            Self::Perspective { yfov, aspect, znear, zfar } => {
                let is_usable = positive(yfov)
                    && yfov < std::f64::consts::PI
                    && aspect.is_none_or(positive)
                    && positive(znear)
                    && zfar.is_none_or(|zfar| zfar > znear);
                (!is_usable).then_some(
                    "its perspective needs a yfov from 0 to pi, a positive aspect ratio and znear, and a zfar above it",
                )
            }
            Self::Orthographic { xmag, ymag, znear, zfar } => {
                let is_usable = positive(xmag.abs()) && positive(ymag.abs()) && znear >= 0.0 && zfar > znear;
                (!is_usable)
                    .then_some("its orthographic projection needs xmag and ymag other than 0, and 0 <= znear < zfar")
            }
        }
    }
}

/// An animation of a model, as [`Model::animations`] lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Animation {
    /// The name, if it has one. Names may repeat.
    pub name: Option<String>,
    /// The time of the last key in seconds. A pose at a later time is the pose at this time.
    pub duration: f64,
    /// The number of channels, each of which moves a node's translation, rotation or scale, or the weights of morph
    /// targets. Channels that are ignored count too.
    pub channels: usize,
    /// The reason why it cannot be played; `None` if it can.
    pub fault: Option<String>,
}

impl Model {
    /// Returns a scene of all entities, keyed by their index.
    ///
    /// Rays pass through the holes of cut-out materials ([`Alpha::Mask`](crate::Alpha::Mask)), unless
    /// [`CutOuts::Solid`](hitscan::CutOuts::Solid) is set. There is a hole where the product of the alphas of the
    /// nearest texel, the base colour and the vertex colours is below the cutoff.
    ///
    /// An error names an entity of a modified model that could not be placed. All entities of a loaded model can be
    /// placed.
    pub fn scene(&self) -> Result<Scene<EntityId>, Problem> {
        let mut scene = Scene::new();
        self.insert_into(&mut scene, DAffine3::IDENTITY, |id| id)?;
        Ok(scene)
    }

    /// Inserts all entities into a scene of your own, under your own keys, with the holes of their materials as in
    /// [`scene`](Self::scene). `place` is the transform from the model's space to the world's. `key` must give each id
    /// a distinct key; an entity in the scene with the same key is replaced. To ask the model about a hit, for example
    /// for its [`material`](Self::material), pass the hit with the model's own id: `hit.map_id(..)`. Poses are applied
    /// to the same entities with [`Pose::apply_as`](crate::Pose::apply_as).
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan_io::{EntityId, Model};
    ///
    /// #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    /// enum Key {
    ///     Player,
    ///     Level(EntityId),
    /// }
    ///
    /// let model = Model::demo();
    /// let mut scene = Scene::new();
    /// scene.insert(Key::Player, Sphere::new(0.5), DVec3::new(0.0, 90.0, 0.0))?;
    /// model.insert_into(&mut scene, DAffine3::IDENTITY, Key::Level)?;
    /// let hit = scene.cast(&Ray::new([0.0, 60.0, 0.0], Vec3::NEG_Y)).ok_or("nothing is there")?;
    /// assert!(matches!(hit.id, Key::Level(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that names the first entity that cannot be placed, or whose holes cannot be cut. The entities before it are then in the scene.
    pub fn insert_into<K: Clone + Eq + Hash>(
        &self,
        scene: &mut Scene<K>,
        place: DAffine3,
        key: impl Fn(EntityId) -> K,
    ) -> Result<(), Problem> {
        let masks = self.masks();
        // Entities that share a mesh and its holes continue to share it.
        let mut known: HashMap<*const Primitive, Vec<[Mesh; 2]>> = HashMap::new();
        self.insert_each(scene, place, key, |entity| {
            let Geometry::Mesh(mesh) = &entity.geometry else {
                return entity.cut(&entity.geometry, &self.materials, &masks);
            };
            let alike = known.entry(entity.primitives.as_ptr()).or_default();
            if let Some([_, cut]) = alike.iter().find(|[known, _]| known.is_clone_of(mesh)) {
                return Ok(cut.into());
            }
            let geometry = entity.cut(&entity.geometry, &self.materials, &masks)?;
            if let Geometry::Mesh(cut) = &geometry {
                alike.push([mesh.clone(), cut.clone()]);
            }
            Ok(geometry)
        })
    }

    /// Inserts all entities, each with this geometry.
    pub(crate) fn insert_each<K: Clone + Eq + Hash>(
        &self,
        scene: &mut Scene<K>,
        place: DAffine3,
        key: impl Fn(EntityId) -> K,
        mut geometry: impl FnMut(&Entity) -> Result<Geometry, CutOutError>,
    ) -> Result<(), Problem> {
        for (id, entity) in (0..).map(EntityId).zip(&self.entities) {
            let item = || Item::named("entity", id.0 as usize, Some(&entity.name));
            let geometry = geometry(entity).map_err(|cause| Problem::CutOut { item: item(), cause })?;
            let placed = scene.insert(key(id), geometry, place * entity.transform);
            placed.map_err(|cause| Problem::Scene { item: item(), cause })?;
        }
        Ok(())
    }

    /// Returns the mask of each material.
    fn masks(&self) -> Vec<Option<AlphaMask>> {
        self.materials.iter().map(Material::mask).collect()
    }

    /// Returns meshes of entities, by the entities' numbers, with the holes of their materials.
    pub(crate) fn cut_all<'a>(&self, meshes: impl Iterator<Item = (usize, &'a Mesh)>) -> HashMap<usize, Geometry> {
        let masks = self.masks();
        let cut = |(number, mesh): (usize, &Mesh)| {
            let geometry = Geometry::from(mesh);
            let entity = self.entities.get(number)?;
            Some((number, entity.cut(&geometry, &self.materials, &masks).unwrap_or(geometry)))
        };
        meshes.filter_map(cut).collect()
    }

    /// Returns the entity of a key; `None` if there is none.
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(id.0 as usize)
    }

    /// Returns the material of a hit; `None` if the file gives none.
    pub fn material(&self, hit: &Hit<EntityId>) -> Option<&Material> {
        let primitive = self.entity(hit.id)?.primitive(hit.part, hit.triangle)?;
        self.materials.get(primitive.material?)
    }

    /// Returns the colour of a hit, without light: linear red, green and blue, and alpha. It is the product of the
    /// material's factor, the texture and the vertex colours, as far as they were read ([`Detail`](crate::Detail)). Returns `None` if
    /// nothing gives a colour.
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries};
    /// use hitscan_io::{Detail, Format, Model};
    ///
    /// let text = "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\n";
    /// let model = Model::from_bytes_with(Format::Obj, text.as_bytes(), None, Detail::Colors)?;
    /// let hit = model.scene()?.cast(&Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!(model.base_color(&hit), Some([1.0, 0.0, 0.0, 1.0]));
    /// # Ok::<(), hitscan_io::Problem>(())
    /// ```
    pub fn base_color(&self, hit: &Hit<EntityId>) -> Option<[f32; 4]> {
        let primitive = self.entity(hit.id)?.primitive(hit.part, hit.triangle)?;
        let material = primitive.material.and_then(|material| self.materials.get(material));
        match (hit.triangle, hit.uv) {
            (Some(triangle), Some(uv)) => {
                primitive.paint.color(material, primitive.own_triangle(triangle)? as usize, uv)
            }
            _ => material.map(|material| material.base_color),
        }
    }
}
