//! hitscan itself.

use super::contender::{Contender, Division, Hit, Refit, Tree, World};
use super::workers::Workers;
use crate::scenes::{Content, Grid, Instances, Move, Scene, Soup};
use anyhow::Result;
use hitscan::batch::HitColumns;
use hitscan::error::BatchError;
use hitscan::glam::Vec3;
use hitscan::mesh::Layout;
use hitscan::{HeightField, Mesh, MeshHit, Quality, Ray, RayQueries};
use std::sync::{Mutex, PoisonError};

/// The form in which rays are passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calls {
    OneByOne,
    /// A batch of whole hits.
    Batch,
    /// A batch of the columns of entity, t and triangle.
    Columns,
}

pub(crate) struct Hitscan {
    pub(crate) quality: Quality,
    pub(crate) layout: Layout,
    pub(crate) calls: Calls,
}

impl Hitscan {
    fn mesh(&self, soup: &Soup, workers: &Workers) -> Result<Mesh> {
        let build = || Mesh::with_quality(&soup.positions, &soup.indices, self.quality);
        Ok(workers.pool.install(|| build().map(|mesh| mesh.with_layout(self.layout)))?)
    }
}

impl Contender for Hitscan {
    fn name(&self) -> &'static str {
        match (self.quality, self.calls) {
            (_, Calls::OneByOne) if self.layout == Layout::Compact => "hitscan compact",
            (Quality::Balanced, Calls::OneByOne) => "hitscan",
            (Quality::Balanced, Calls::Batch) => "hitscan batch",
            (Quality::Balanced, Calls::Columns) => "hitscan columns",
            (Quality::Fast, Calls::OneByOne) => "hitscan Fast",
            (Quality::Fast, Calls::Batch) => "hitscan Fast batch",
            (Quality::Fast, Calls::Columns) => "hitscan Fast columns",
            (Quality::Best, Calls::OneByOne) => "hitscan Best",
            (Quality::Best, Calls::Batch) => "hitscan Best batch",
            (Quality::Best, Calls::Columns) => "hitscan Best columns",
        }
    }

    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        let mesh = self.mesh(soup, workers)?;
        Ok(match self.calls {
            Calls::OneByOne => Box::new(mesh),
            Calls::Batch => Box::new(InBatches::new(mesh, WholeHits(Vec::new()))),
            Calls::Columns => Box::new(InBatches::new(mesh, Columns::new())),
        })
    }

    fn refittable<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        if self.calls != Calls::OneByOne {
            return Ok(None);
        }
        Ok(Some(Box::new(self.mesh(soup, workers)?)))
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn updates(&self) -> bool {
        self.calls == Calls::OneByOne && self.layout == Layout::Packed
    }

    fn world<'a>(&self, instances: &'a Instances, workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        if self.quality != Quality::Balanced || self.layout != Layout::Packed {
            return Ok(None);
        }
        let placed = workers.pool.install(|| placed(instances))?;
        Ok(Some(match self.calls {
            Calls::OneByOne => Box::new(placed),
            Calls::Batch => Box::new(InBatches::new(placed, WholeHits(Vec::new()))),
            Calls::Columns => Box::new(InBatches::new(placed, Columns::new())),
        }))
    }
}

/// A structure that can cast many rays at once.
trait Batches: Tree {
    type Found: Copy + Send;
    type Key: Clone + Send;

    fn columns_of(&self, rays: &[Ray], hits: HitColumns<'_, Self::Key>) -> Result<(), BatchError>;

    fn closest_of(&self, rays: &[Ray], found: &mut [Option<Self::Found>]) -> Result<(), BatchError>;

    fn any_of(&self, rays: &[Ray], blocked: &mut [bool]) -> Result<(), BatchError>;

    fn hit(found: Self::Found) -> Option<Hit>;
}

impl Batches for Mesh {
    type Found = MeshHit;
    type Key = ();

    fn columns_of(&self, rays: &[Ray], hits: HitColumns<'_, ()>) -> Result<(), BatchError> {
        self.cast_columns(rays, hits)
    }

    fn closest_of(&self, rays: &[Ray], found: &mut [Option<MeshHit>]) -> Result<(), BatchError> {
        self.cast_batch(rays, found)
    }

    fn any_of(&self, rays: &[Ray], blocked: &mut [bool]) -> Result<(), BatchError> {
        self.is_blocked_batch(rays, blocked)
    }

    fn hit(found: MeshHit) -> Option<Hit> {
        Some(Hit { t: found.t, triangle: found.triangle })
    }
}

impl Batches for Placed {
    type Found = hitscan::Hit<u32>;
    type Key = u32;

    fn columns_of(&self, rays: &[Ray], hits: HitColumns<'_, u32>) -> Result<(), BatchError> {
        self.cast_columns(rays, hits)
    }

    fn closest_of(&self, rays: &[Ray], found: &mut [Option<Self::Found>]) -> Result<(), BatchError> {
        self.cast_batch(rays, found)
    }

    fn any_of(&self, rays: &[Ray], blocked: &mut [bool]) -> Result<(), BatchError> {
        self.is_blocked_batch(rays, blocked)
    }

    fn hit(found: Self::Found) -> Option<Hit> {
        Some(Hit { t: found.t, triangle: found.triangle? })
    }
}

/// Memory for the answers to many rays, which is reused.
trait Buffer<T>: Send {
    fn ask(&mut self, asked: &T, rays: &[Ray], hits: &mut [Option<Hit>]);
}

struct WholeHits<F>(Vec<Option<F>>);

impl<T: Batches> Buffer<T> for WholeHits<T::Found> {
    fn ask(&mut self, asked: &T, rays: &[Ray], hits: &mut [Option<Hit>]) {
        let Self(found) = self;
        found.resize(rays.len(), None);
        asked.closest_of(rays, found).expect("as many hits as rays");
        for (hit, found) in hits.iter_mut().zip(&*found) {
            *hit = found.and_then(T::hit);
        }
    }
}

struct Columns<K> {
    id: Vec<Option<K>>,
    t: Vec<f32>,
    triangle: Vec<u32>,
}

impl<K> Columns<K> {
    fn new() -> Self {
        Self { id: Vec::new(), t: Vec::new(), triangle: Vec::new() }
    }
}

impl<T: Batches> Buffer<T> for Columns<T::Key> {
    fn ask(&mut self, asked: &T, rays: &[Ray], hits: &mut [Option<Hit>]) {
        let Self { id, t, triangle } = self;
        id.resize(rays.len(), None);
        t.resize(rays.len(), 0.0);
        triangle.resize(rays.len(), 0);
        let found = HitColumns { t: Some(t), triangle: Some(triangle), ..HitColumns::new(id) };
        asked.columns_of(rays, found).expect("as long as the rays");
        for (hit, ((id, t), triangle)) in hits.iter_mut().zip(id.iter().zip(t).zip(triangle)) {
            *hit = id.as_ref().map(|_| Hit { t: *t, triangle: *triangle });
        }
    }
}

/// A structure that receives many rays at once.
struct InBatches<T, B> {
    asked: T,
    buffer: Mutex<B>,
}

impl<T: Batches, B: Buffer<T>> InBatches<T, B> {
    fn new(asked: T, buffer: B) -> Self {
        Self { asked, buffer: Mutex::new(buffer) }
    }
}

impl<T: Batches + Sync, B: Buffer<T>> Tree for InBatches<T, B> {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.asked.closest(ray)
    }

    fn any(&self, ray: &Ray) -> bool {
        self.asked.any(ray)
    }

    fn closest_all(&self, rays: &[Ray], hits: &mut [Option<Hit>]) {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner).ask(&self.asked, rays, hits);
    }

    fn any_all(&self, rays: &[Ray], blocked: &mut [bool]) {
        self.asked.any_of(rays, blocked).expect("as many answers as rays");
    }

    fn division(&self) -> Division {
        Division::Own
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }

    fn copied_input(&self) -> usize {
        self.asked.copied_input()
    }
}

impl<B: Buffer<Placed>> World for InBatches<Placed, B> {
    fn update(&mut self, moves: &[Move]) {
        self.asked.update(moves);
    }

    fn readiness(&self) -> &'static str {
        self.asked.readiness()
    }
}

impl Tree for Mesh {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.cast(ray).map(|hit| Hit { t: hit.t, triangle: hit.triangle })
    }

    fn any(&self, ray: &Ray) -> bool {
        self.is_blocked(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }

    fn copied_input(&self) -> usize {
        size_of_val(self.positions()) + self.triangle_count() * size_of::<[u32; 3]>()
    }
}

impl Refit for Mesh {
    fn refit(&mut self, positions: &[[f32; 3]]) {
        let fitted = Mesh::refit(self, positions);
        assert!(fitted.is_ok(), "the benchmark's positions are finite, one for each vertex");
    }
}

/// Returns a height field with the same triangles, and the same numbers of triangles, as the grid's mesh.
pub(crate) fn height_field(grid: &Grid) -> Result<HeightField> {
    Ok(HeightField::new(grid.side, grid.side, [1.0, 1.0], &grid.heights)?)
}

impl Tree for HeightField {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.cast(ray).map(|hit| Hit { t: hit.t, triangle: hit.triangle })
    }

    fn any(&self, ray: &Ray) -> bool {
        self.is_blocked(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

/// A scene whose keys are the instances' indices.
type Placed = hitscan::Scene<u32>;

fn placed(instances: &Instances) -> Result<Placed> {
    let meshes = instances.meshes.iter().map(|soup| Mesh::new(&soup.positions, &soup.indices));
    let meshes = meshes.collect::<Result<Vec<Mesh>, _>>()?;
    let mut scene = Placed::new();
    let entities = (0..).zip(&instances.placements);
    scene.insert_all(entities.map(|(key, placed)| (key, meshes[placed.mesh].clone(), placed.transform())))?;
    Ok(scene)
}

impl Tree for Placed {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.cast(ray).and_then(|hit| Some(Hit { t: hit.t, triangle: hit.triangle? }))
    }

    fn any(&self, ray: &Ray) -> bool {
        self.is_blocked(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

impl World for Placed {
    fn update(&mut self, moves: &[Move]) {
        let placed = moves.iter().map(|moved| (moved.instance as u32, moved.transform));
        let moved = self.set_transforms(placed);
        assert_eq!(moved.ok(), Some(moves.len()), "the benchmark's transforms can be inverted");
    }

    fn readiness(&self) -> &'static str {
        "set_transforms with f64 transforms: each checked and inverted with its error bound; the tree fitted and mended where \
         many move, else changed one by one"
    }
}

/// A function that returns the hit of a ray: the point, and the normal on the side of the ray's origin.
type Surface = dyn Fn(&Ray) -> Option<(Vec3, Vec3)>;

/// Returns a function that casts rays at a scene, from whose hits secondary rays start.
pub(crate) fn surface(scene: &Scene) -> Result<Box<Surface>> {
    match &scene.content {
        Content::Mesh(soup) => {
            let mesh = Mesh::new(&soup.positions, &soup.indices)?;
            Ok(Box::new(move |ray| mesh.cast(ray).map(|hit| (hit.point(), hit.facing_normal()))))
        }
        Content::Instances(instances) => {
            let placed = placed(instances)?;
            Ok(Box::new(move |ray| placed.cast(ray).map(|hit| (hit.point, hit.facing_normal()))))
        }
    }
}
