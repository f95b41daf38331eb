//! The library's answers, and their digest.

use crate::content::{Cloth, Content, Form, Ground, Placed, Surface, World, shapes};
use crate::hash::{Digest, Words};
use crate::stroll::Course;
use hitscan::glam::Vec3;
use hitscan::mesh::{AlphaMask, Layout};
use hitscan::{
    ConvexHull, Cull, Filter, Geometry, HeightField, Hit, Mesh, MeshHit, Quality, Ray, RayQueries, Scene, Side,
};

/// The target of rays: a mesh or a scene.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A mesh without a scene.
    Mesh(Mesh),
    /// A scene whose keys are the numbers of its entities.
    Scene(Box<Scene<u32>>),
    /// A scene, and a character that walks in the scene.
    Course(Box<Course>),
}

impl Subject {
    /// Builds the trees.
    ///
    /// # Errors
    /// Returns an error if the content is not a valid mesh or scene.
    pub fn new(content: &Content, quality: Quality) -> Result<Self, String> {
        match content {
            Content::Mesh(surface) => mesh(surface, quality).map(Self::Mesh),
            Content::Scene(world) => scene(world, quality).map(|scene| Self::Scene(Box::new(scene))),
            Content::Course(world) => {
                let course = Course::new(scene(world, quality)?, world)?;
                Ok(Self::Course(Box::new(course)))
            }
        }
    }

    /// Returns the digest of the answers to rays whose indices count up from `first`: closest, any and all hits. For
    /// two of three rays, one side is culled. For a course it is the digest of the walks that begin at the rays.
    pub fn digest(&self, first: u64, rays: &[Ray]) -> Digest {
        let rays = (first..).zip(rays);
        match self {
            Self::Mesh(mesh) => {
                let mut all = Vec::new();
                rays.map(|(index, ray)| {
                    let cull = cull(index);
                    mesh.culled(cull).cast_all(ray, &mut all);
                    digest(index, mesh.culled(cull).cast(ray), mesh.culled(cull).is_blocked(ray), &all, mesh_words)
                })
                .sum()
            }
            Self::Scene(scene) => {
                let mut all = Vec::new();
                rays.map(|(index, ray)| {
                    let filter = Filter::new().cull(cull(index));
                    let view = scene.with(&filter);
                    view.cast_all(ray, &mut all);
                    let (closest, any) = (view.cast(ray), view.is_blocked(ray));
                    digest(index, closest, any, &all, scene_words)
                })
                .sum()
            }
            Self::Course(course) => rays.map(|(index, ray)| course.digest(index, ray)).sum(),
        }
    }

    /// Returns the same digest as [`digest`](Self::digest), but queries closest and any hits in batches. There are no batches of a character's steps.
    pub fn digest_in_batches(&self, first: u64, rays: &[Ray]) -> Digest {
        if let Self::Course(_) = self {
            return self.digest(first, rays);
        }
        let rays: Vec<(u64, Ray)> = (first..).zip(rays.iter().copied()).collect();
        (0..CULLS.len() as u64)
            .map(|turn| {
                let (numbers, rays) = coherent(rays.iter().filter(|(index, _)| index % CULLS.len() as u64 == turn));
                let (cull, mut blocked) = (cull(turn), vec![false; rays.len()]);
                let asked = (numbers.as_slice(), rays.as_slice());
                match self {
                    Self::Mesh(mesh) => {
                        let (mut hits, mut all) = (vec![None; rays.len()], Vec::new());
                        mesh.culled(cull).cast_batch(&rays, &mut hits).expect(ENOUGH);
                        mesh.culled(cull).is_blocked_batch(&rays, &mut blocked).expect(ENOUGH);
                        digests(
                            asked,
                            &hits,
                            &blocked,
                            &mut all,
                            |ray, all| mesh.culled(cull).cast_all(ray, all),
                            mesh_words,
                        )
                    }
                    Self::Scene(scene) => {
                        let (mut hits, mut all) = (vec![None; rays.len()], Vec::new());
                        let filter = Filter::new().cull(cull);
                        let view = scene.with(&filter);
                        view.cast_batch(&rays, &mut hits).expect(ENOUGH);
                        view.is_blocked_batch(&rays, &mut blocked).expect(ENOUGH);
                        let cast_all = |ray: &Ray, all: &mut Vec<_>| view.cast_all(ray, all);
                        digests(asked, &hits, &blocked, &mut all, cast_all, scene_words)
                    }
                    Self::Course(_) => Digest::default(),
                }
            })
            .sum()
    }

    /// Returns whether a ray hits anything, with the culling of the digest. For a course, returns whether the walk that
    /// begins at the ray touches anything.
    pub fn is_hit(&self, index: u64, ray: &Ray) -> bool {
        match self {
            Self::Mesh(mesh) => mesh.culled(cull(index)).is_blocked(ray),
            Self::Scene(scene) => scene.with(&Filter::new().cull(cull(index))).is_blocked(ray),
            Self::Course(course) => course.is_met(ray),
        }
    }

    /// Describes the answers to one ray as text.
    pub fn describe(&self, index: u64, ray: &Ray) -> String {
        let cull = cull(index);
        match self {
            Self::Mesh(mesh) => {
                let mut all = Vec::new();
                mesh.culled(cull).cast_all(ray, &mut all);
                let (closest, any) = (mesh.culled(cull).cast(ray), mesh.culled(cull).is_blocked(ray));
                format!("{cull:?}: any {any}, closest {closest:?}, all {all:?}")
            }
            Self::Scene(scene) => {
                let (mut all, filter) = (Vec::new(), Filter::new().cull(cull));
                let view = scene.with(&filter);
                view.cast_all(ray, &mut all);
                let (closest, any) = (view.cast(ray), view.is_blocked(ray));
                format!("{cull:?}: any {any}, closest {closest:?}, all {all:?}")
            }
            Self::Course(course) => course.describe(ray),
        }
    }
}

fn mesh(surface: &Surface, quality: Quality) -> Result<Mesh, String> {
    let mesh = Mesh::with_quality(&surface.positions, surface.triangles.as_flattened(), quality).map_err(said)?;
    // One quality uses the other layout, so that both layouts are compared.
    let mesh = if quality == Quality::Fast { mesh.with_layout(Layout::Compact) } else { mesh };
    let Some(Cloth { width, texels, texcoords }) = &surface.cloth else { return Ok(mesh) };
    let mask = AlphaMask::new(*width, (texels.len() as u32).checked_div(*width).unwrap_or_default(), texels.clone())
        .map_err(said)?;
    mesh.with_texcoords(texcoords).map_err(said)?.with_cut_out(mask).map_err(said)
}

fn field(ground: &Ground) -> Result<HeightField, String> {
    let Ground { rows, columns, cell, diagonal, heights, holes } = ground;
    let field = HeightField::new(*rows as usize, *columns as usize, *cell, heights).map_err(said)?;
    let holes = holes.iter().map(|hole| hole.map(|number| number as usize));
    field.with_diagonal(*diagonal).with_holes(holes).map_err(said)
}

fn scene(world: &World, quality: Quality) -> Result<Scene<u32>, String> {
    let meshes = world.meshes.iter().map(|surface| mesh(surface, quality)).collect::<Result<Vec<_>, _>>()?;
    let fields = world.fields.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let hulls =
        world.hulls.iter().map(|points| ConvexHull::new(points)).collect::<Result<Vec<_>, _>>().map_err(said)?;
    let (shapes, mut scene) = (shapes(), Scene::new());
    for (key, Placed { form, place }) in (0..).zip(&world.entities) {
        let geometry: Geometry = match *form {
            Form::Mesh(mesh) => (&meshes[mesh as usize]).into(),
            Form::Field(field) => fields[field as usize].clone().into(),
            Form::Hull(hull) => hulls[hull as usize].clone().into(),
            Form::Shape(shape) => shapes[shape as usize % shapes.len()].into(),
        };
        scene.insert(key, geometry, *place).map_err(said)?;
    }
    Ok(scene)
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

const CULLS: [Cull; 3] = [Cull::None, Cull::Back, Cull::Front];
const ENOUGH: &str = "as many answers as rays";

fn cull(index: u64) -> Cull {
    CULLS[(index % CULLS.len() as u64) as usize]
}

/// Sorts rays by their directions, so that neighbours are coherent.
fn coherent<'a>(rays: impl Iterator<Item = &'a (u64, Ray)>) -> (Vec<u64>, Vec<Ray>) {
    let mut rays: Vec<&(u64, Ray)> = rays.collect();
    let place = |ray: &Ray| {
        let largest = ray.direction.abs().max_element();
        ((ray.direction / largest * 3.0).to_array().map(|x| x.round() as i32), ray.origin.to_array().map(f32::to_bits))
    };
    rays.sort_by_key(|(_, ray)| place(ray));
    rays.into_iter().copied().unzip()
}

fn digests<H: Clone>(
    (numbers, rays): (&[u64], &[Ray]),
    closest: &[Option<H>],
    blocked: &[bool],
    all: &mut Vec<H>,
    cast_all: impl Fn(&Ray, &mut Vec<H>),
    add: impl Fn(&mut Words, &H),
) -> Digest {
    let answers = numbers.iter().zip(rays).zip(closest).zip(blocked);
    answers
        .map(|(((&number, ray), closest), &any)| {
            cast_all(ray, all);
            digest(number, closest.clone(), any, all, &add)
        })
        .sum()
}

fn digest<H>(index: u64, closest: Option<H>, any: bool, all: &[H], add: impl Fn(&mut Words, &H)) -> Digest {
    let mut words = Words::new(index);
    words.pair(any.into(), all.len() as u32);
    closest.iter().chain(all).for_each(|hit| add(&mut words, hit));
    words.digest()
}

fn mesh_words(words: &mut Words, hit: &MeshHit) {
    surface_words(words, hit.t, hit.side, hit.point(), hit.normal());
    words.pair(hit.triangle, 0);
    let uv = hit.uv();
    words.pair(uv.x.to_bits(), uv.y.to_bits());
}

fn scene_words(words: &mut Words, hit: &Hit<u32>) {
    surface_words(words, hit.t, hit.side, hit.point, hit.normal);
    words.pair(hit.id, hit.part);
    words.pair(hit.triangle.is_some().into(), hit.triangle.unwrap_or_default());
    words.word(hit.uv.is_some().into());
    let uv = hit.uv.unwrap_or_default();
    words.pair(uv.x.to_bits(), uv.y.to_bits());
    hit.point_f64().to_array().into_iter().for_each(|x| words.word(x.to_bits()));
}

fn surface_words(words: &mut Words, t: f32, side: Side, point: Vec3, normal: Vec3) {
    words.pair(t.to_bits(), side as u32);
    words.pair(point.x.to_bits(), point.y.to_bits());
    words.pair(point.z.to_bits(), normal.x.to_bits());
    words.pair(normal.y.to_bits(), normal.z.to_bits());
}
