//! Meshes.

use crate::answer::{self, PointRecord};
use crate::batch::{self, Batch};
use crate::positions::positions;
use crate::question::{Choices, pose, quality};
use crate::shape::Shape;
use crate::thrown;
use hitscan::Cull;
use hitscan::glam::{DVec3, Vec2};
use hitscan::mesh::{AlphaMask, CutOut, Wrap};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static HITS: RefCell<Vec<hitscan::MeshHit>> = const { RefCell::new(Vec::new()) };
}

/// A mesh with its tree.
#[wasm_bindgen]
pub struct Mesh(pub(crate) hitscan::Mesh);

#[wasm_bindgen]
impl Mesh {
    /// Builds a mesh. Without indices, every three positions are a triangle.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &[f32], indices: Option<Vec<u32>>, level: u8) -> Result<Self, JsError> {
        let positions = positions(numbers)?;
        let built = match indices {
            Some(indices) => hitscan::Mesh::with_quality(positions, &indices, quality(level)),
            None => {
                let indices: Vec<u32> = (0..positions.len() as u32).collect();
                hitscan::Mesh::with_quality(positions, &indices, quality(level))
            }
        };
        built.map(Self).map_err(thrown)
    }

    /// Reads a saved mesh.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, JsError> {
        hitscan::Mesh::from_bytes(bytes).map(Self).map_err(thrown)
    }

    /// Saves the mesh with its tree.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// Returns another handle that shares the mesh's data.
    pub fn share(&self) -> Self {
        Self(self.0.clone())
    }

    /// Moves the vertices.
    pub fn refit(&mut self, numbers: &[f32]) -> Result<(), JsError> {
        self.0.refit(positions(numbers)?).map_err(thrown)
    }

    /// Sets the normals at the vertices.
    pub fn set_normals(&mut self, numbers: &[f32]) -> Result<(), JsError> {
        self.0.set_normals(positions(numbers)?).map_err(thrown)
    }

    /// Sets the texture coordinates at the vertices.
    pub fn set_texcoords(&mut self, numbers: &[f32]) -> Result<(), JsError> {
        let (texcoords, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(JsError::new("texture coordinates are two numbers each"));
        }
        self.0 = self.0.clone().with_texcoords(texcoords).map_err(thrown)?;
        Ok(())
    }

    /// Cuts holes into triangles by the alpha of a picture, whose coordinates at the corners of each of these triangles
    /// are six numbers. Without them, the coordinates at the vertices count.
    pub fn cut_out(
        &mut self,
        width: u32,
        height: u32,
        alpha: Vec<u8>,
        wrap: u8,
        cutoff: f32,
        first: u32,
        end: u32,
        texcoords: Option<Vec<f32>>,
    ) -> Result<(), JsError> {
        let wrapping = |number| match number {
            0 => Wrap::Repeat,
            1 => Wrap::MirroredRepeat,
            _ => Wrap::ClampToEdge,
        };
        let mask = AlphaMask::new(width, height, alpha).map_err(thrown)?.wrap(wrapping(wrap & 3), wrapping(wrap >> 2));
        let mut cut_out = CutOut::from(mask).cutoff(cutoff).triangles(first..end);
        if let Some(numbers) = texcoords {
            let (corners, rest) = numbers.as_chunks::<6>();
            if !rest.is_empty() {
                return Err(JsError::new("texture coordinates of a cut-out are six numbers for each triangle"));
            }
            let corners = corners.iter().map(|&[a, b, c, d, e, f]| [[a, b], [c, d], [e, f]].map(Vec2::from_array));
            cut_out = cut_out.texcoords(corners.collect::<Vec<_>>());
        }
        self.0 = self.0.clone().with_cut_out(cut_out).map_err(thrown)?;
        Ok(())
    }

    /// Returns the number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.0.triangle_count()
    }

    /// Returns the number of triangles without an area.
    pub fn degenerate_count(&self) -> usize {
        self.0.degenerate_count()
    }

    /// Returns the least and greatest coordinates.
    pub fn bounds(&self) -> Vec<f32> {
        let bounds = self.0.bounds();
        [bounds.min.to_array(), bounds.max.to_array()].concat()
    }

    /// Returns the corners of a triangle, or nothing.
    pub fn triangle(&self, triangle: u32) -> Option<Vec<f32>> {
        self.0.triangle(triangle).map(|corners| corners.map(|corner| corner.to_array()).concat())
    }

    /// Returns the three vertices of a triangle, or nothing.
    pub fn indices(&self, triangle: u32) -> Option<Vec<u32>> {
        self.0.indices(triangle).map(|vertices| vertices.to_vec())
    }

    /// Returns the size of the mesh's tree in bytes.
    pub fn tree_bytes(&self) -> usize {
        self.0.tree_stats().bytes
    }

    /// Returns the edges of the boxes of the mesh's tree down to a depth: six numbers for each edge, which are its
    /// ends.
    pub fn tree_lines(&self, deepest: usize) -> Vec<f32> {
        let lines = hitscan::debug::mesh_tree(&self.0, deepest);
        lines.iter().flat_map(|line| [line.from.to_array(), line.to.to_array()].concat()).collect()
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
    ) -> bool {
        let choices = Choices::new(bits);
        let ray = choices.frequent_ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        answer::one(match choices.cull() {
            Cull::None => self.0.cast(&ray),
            cull => self.0.culled(cull).cast(&ray),
        })
    }

    /// Returns the number of the first triangle that a ray in f64 hits, or -1.
    pub fn first_triangle(
        &self,
        ox: f64,
        oy: f64,
        oz: f64,
        dx: f64,
        dy: f64,
        dz: f64,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> i32 {
        let (origin, direction) = (DVec3::new(ox, oy, oz), DVec3::new(dx, dy, dz));
        let first = self.0.first_triangle_f64(origin, direction, [t_min, t_max], Choices::new(bits).cull());
        first.map_or(-1, |triangle| triangle as i32)
    }

    /// Finds the numbers of all triangles that a ray in f64 hits.
    pub fn triangles(
        &self,
        ox: f64,
        oy: f64,
        oz: f64,
        dx: f64,
        dy: f64,
        dz: f64,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> usize {
        let (origin, direction) = (DVec3::new(ox, oy, oz), DVec3::new(dx, dy, dz));
        let mut triangles = Vec::new();
        let cull = Choices::new(bits).cull();
        self.0.triangles_f64(origin, direction, [t_min, t_max], cull, &mut triangles);
        answer::numbers(triangles.into_iter())
    }

    /// Returns whether anything is hit.
    pub fn is_blocked(
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
    ) -> bool {
        let choices = Choices::new(bits);
        let ray = choices.frequent_ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        match choices.cull() {
            Cull::None => self.0.is_blocked(&ray),
            cull => self.0.culled(cull).is_blocked(&ray),
        }
    }

    /// Finds all hits.
    pub fn cast_all(
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
    ) -> usize {
        let choices = Choices::new(bits);
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        HITS.with_borrow_mut(|hits| {
            self.0.culled(choices.cull()).cast_all(&ray, hits);
            answer::many(hits)
        })
    }

    /// Finds the hits at which a ray enters and leaves the mesh.
    pub fn cast_crossings(
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
    ) -> usize {
        let ray = Choices::new(bits).ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        HITS.with_borrow_mut(|hits| {
            self.0.cast_crossings(&ray, hits);
            answer::many(hits)
        })
    }

    /// Finds the first hit of each ray of the batch's input.
    pub fn cast_batch(&self, count: usize, stride: usize, bits: u32, columns: u32) -> Result<(), JsError> {
        batch::with(|Batch { input, rays, hits, output, .. }| {
            let choices = Choices::new(bits);
            batch::read(input, count, stride, choices, rays)?;
            hits.clear();
            hits.resize(count, None);
            let cast = self.0.culled(choices.cull()).cast_batch(rays, hits);
            cast.map_err(thrown)?;
            output.write(hits, columns);
            Ok(())
        })
    }

    /// Finds all hits of each ray of the batch's input, and returns their number.
    pub fn cast_all_batch(&self, count: usize, stride: usize, bits: u32, columns: u32) -> Result<usize, JsError> {
        batch::with(|Batch { input, rays, hits, output, .. }| {
            let choices = Choices::new(bits);
            batch::read(input, count, stride, choices, rays)?;
            let mesh = self.0.culled(choices.cull());
            Ok(output.write_every(rays, hits, columns, |ray, found| mesh.cast_all(ray, found)))
        })
    }

    /// Finds whether each ray of the batch's input hits anything.
    pub fn is_blocked_batch(&self, count: usize, stride: usize, bits: u32) -> Result<(), JsError> {
        batch::with(|Batch { input, rays, blocked, output, .. }| {
            let choices = Choices::new(bits);
            batch::read(input, count, stride, choices, rays)?;
            blocked.clear();
            blocked.resize(count, false);
            self.0.culled(choices.cull()).is_blocked_batch(rays, blocked).map_err(thrown)?;
            output.write_verdicts(blocked);
            Ok(())
        })
    }

    /// Finds the nearest point of the surface.
    pub fn closest_point(&self, x: f64, y: f64, z: f64) -> bool {
        answer::one(self.0.closest_point([x, y, z]).map(PointRecord::from))
    }

    /// Finds the nearest point of the surface within a distance. The answer has the side of the triangle instead of the
    /// containment.
    pub fn closest_on_surface(&self, x: f64, y: f64, z: f64, most: f64) -> bool {
        answer::one(self.0.closest_on_surface([x, y, z], most))
    }

    /// Returns whether a point is inside.
    pub fn contains(&self, x: f64, y: f64, z: f64) -> bool {
        self.0.contains([x, y, z])
    }

    /// Finds the pairs of triangles that intersect beyond what they share, as two numbers for each pair. The lower one is from `first` to below `end`.
    pub fn self_intersections(&self, first: u32, end: u32) -> usize {
        let mut pairs = Vec::new();
        self.0.self_intersections_in(first..end, &mut pairs);
        answer::numbers(pairs.into_iter().flatten())
    }

    /// Finds the first contact of a moving volume.
    pub fn sweep(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        mx: f64,
        my: f64,
        mz: f64,
    ) -> Result<bool, JsError> {
        let from = pose([x, y, z], [qx, qy, qz, qw]);
        Ok(answer::one(self.0.sweep(volume.volume()?, from, [mx, my, mz])))
    }
}
