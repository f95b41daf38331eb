//! Cut-outs, against the test's own texel lookup.

use super::common::Random;
use hitscan::error::CutOutError;
use hitscan::glam::{DVec3, Vec2, Vec3};
use hitscan::mesh::{AlphaMask, CutOut, Wrap};
use hitscan::{CutOuts, Filter, Hit, Mesh, MeshHit, Ray, RayQueries, Scene};

/// The data of a cut-out.
struct Cloth {
    size: [i64; 2],
    texels: Vec<u8>,
    wrap: [Wrap; 2],
    cutoff: f32,
    factor: f32,
    /// The texture coordinates at the corners of each triangle.
    texcoords: Vec<[Vec2; 3]>,
    alphas: Vec<[f32; 3]>,
    /// The number of its first triangle in the whole mesh.
    first: u32,
}

impl Cloth {
    fn is_hole(&self, triangle: u32, uv: Vec2) -> bool {
        let Some(own) = triangle.checked_sub(self.first).map(|own| own as usize).filter(|own| *own < self.alphas.len())
        else {
            return false;
        };
        let mix = |[a, b, c]: [f32; 3]| {
            let [a, b, c, u, v] = [a, b, c, uv.x, uv.y].map(f64::from);
            ((1.0 - u - v) * a + u * b + v * c) as f32
        };
        let [x, y] = [0, 1].map(|axis| {
            let coordinate = f64::from(mix(self.texcoords[own].map(|corner| corner[axis])));
            let texel = (coordinate * self.size[axis] as f64).floor() as i64;
            let size = self.size[axis];
            match self.wrap[axis] {
                Wrap::Repeat => texel.rem_euclid(size),
                Wrap::MirroredRepeat if texel.div_euclid(size) % 2 != 0 => size - 1 - texel.rem_euclid(size),
                Wrap::MirroredRepeat => texel.rem_euclid(size),
                Wrap::ClampToEdge => texel.clamp(0, size - 1),
            }
        });
        let alpha = f32::from(self.texels[(y * self.size[0] + x) as usize]) / 255.0;
        alpha * self.factor * mix(self.alphas[own]) < self.cutoff
    }

    fn random(random: &mut Random, first: u32, triangles: usize) -> Self {
        let size = [1 + random.below(7) as i64, 1 + random.below(7) as i64];
        let wraps = [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge];
        let corner = |random: &mut Random| (random.cube().truncate() * 2.0).as_vec2();
        Self {
            size,
            texels: (0..size[0] * size[1]).map(|_| [0, 80, 160, 255][random.below(4)]).collect(),
            wrap: [wraps[random.below(3)], wraps[random.below(3)]],
            cutoff: [0.5, 0.3, 0.2][random.below(3)],
            factor: [1.0, 0.9][random.below(2)],
            texcoords: (0..triangles).map(|_| [0; 3].map(|_| corner(random))).collect(),
            alphas: (0..triangles).map(|_| [0; 3].map(|_| [1.0, 0.75][random.below(2)])).collect(),
            first,
        }
    }

    fn cut_out(&self) -> CutOut {
        let mask = AlphaMask::new(self.size[0] as u32, self.size[1] as u32, self.texels.clone()).unwrap();
        CutOut::from(mask.wrap(self.wrap[0], self.wrap[1]))
            .cutoff(self.cutoff)
            .factor(self.factor)
            .texcoords(self.texcoords.clone())
            .alphas(self.alphas.clone())
            .triangles(self.first..self.first + self.alphas.len() as u32)
    }
}

#[test]
fn rays_go_through_holes_and_meet_what_is_behind() {
    let (mut through, mut stopped) = (0, 0);
    for seed in 0..60 {
        let mut random = Random(seed);
        let corners: Vec<Vec3> = (0..120).map(|_| (random.cube() * 2.0).as_vec3()).collect();
        let plain = Mesh::from_soup(&corners).unwrap();
        // The first ten triangles have no cut-out.
        let cloths = [Cloth::random(&mut random, 10, 12), Cloth::random(&mut random, 22, 18)];
        let mesh = cloths.iter().rev().fold(plain.clone(), |mesh, cloth| mesh.with_cut_out(cloth.cut_out()).unwrap());
        let mut scene = Scene::new();
        for key in 0..3 {
            scene.insert(key, mesh.clone(), DVec3::new(0.0, 0.0, 3.0 * f64::from(key))).unwrap();
        }
        let is_hole = |triangle: Option<u32>, uv: Option<Vec2>| {
            cloths.iter().any(|cloth| cloth.is_hole(triangle.unwrap(), uv.unwrap()))
        };
        let rays: Vec<Ray> =
            (0..80).map(|_| Ray::new((random.cube() * 6.0).as_vec3(), random.cube().as_vec3())).collect();
        let filled = scene.cut_outs(CutOuts::Solid);
        let mut expected: Vec<Option<Hit<u32>>> = Vec::new();
        for ray in &rays {
            let (mut all, mut solid) = (Vec::new(), Vec::new());
            filled.cast_all(ray, &mut all);
            through += all.iter().filter(|hit| scene.surface(hit).is_hole()).count();
            stopped += all.iter().filter(|hit| !scene.surface(hit).is_hole()).count();
            let before = all.clone();
            all.retain(|hit| !is_hole(hit.triangle, hit.uv));
            let context = format!("seed {seed}, {ray:?}: {before:?}");
            scene.cast_all(ray, &mut solid);
            assert_eq!(solid, all, "all, {context}");
            assert_eq!(scene.cast(ray), all.first().copied(), "closest, {context}");
            assert_eq!(scene.is_blocked(ray), !all.is_empty(), "any, {context}");
            assert_eq!(filled.cast(ray), before.first().copied(), "filled, {context}");
            assert_eq!(filled.is_blocked(ray), !before.is_empty(), "filled, {context}");
            scene.cast_first_n(ray, 2, &mut solid);
            assert_eq!(solid, all[..all.len().min(2)], "two, {context}");
            let other = scene.with(&Filter::new().hits(|hit| hit.triangle.unwrap() % 2 == 0)).cast(ray);
            assert_eq!(other, all.iter().find(|hit| hit.triangle.unwrap() % 2 == 0).copied(), "filter, {context}");
            let mut walked = Vec::new();
            while let Some(hit) = scene.after(walked.last()).cast(ray) {
                walked.push(hit);
            }
            assert_eq!(walked, all, "after, {context}");
            expected.push(all.first().copied());
        }
        let mut hits = vec![None; rays.len()];
        scene.cast_batch(&rays, &mut hits).unwrap();
        assert_eq!(hits, expected, "seed {seed}");
        check_mesh(&plain, &mesh, &rays, &is_hole, seed);
    }
    assert!(through > 500 && stopped > 500, "{through} {stopped}");
}

fn check_mesh(plain: &Mesh, mesh: &Mesh, rays: &[Ray], is_hole: &dyn Fn(Option<u32>, Option<Vec2>) -> bool, seed: u64) {
    let firsts: Vec<Option<MeshHit>> = rays
        .iter()
        .map(|ray| {
            let (mut all, mut solid) = (Vec::new(), Vec::new());
            plain.cast_all(ray, &mut all);
            all.retain(|hit| !is_hole(Some(hit.triangle), Some(hit.uv())));
            mesh.cast_all(ray, &mut solid);
            assert_eq!(solid, all, "seed {seed}, {ray:?}");
            assert_eq!(mesh.cast(ray), all.first().copied(), "seed {seed}, {ray:?}");
            assert_eq!(mesh.is_blocked(ray), !all.is_empty(), "seed {seed}, {ray:?}");
            all.first().copied()
        })
        .collect();
    let (mut hits, mut blocked) = (vec![None; rays.len()], vec![false; rays.len()]);
    mesh.cast_batch(rays, &mut hits).unwrap();
    assert_eq!(hits, firsts, "seed {seed}");
    mesh.is_blocked_batch(rays, &mut blocked).unwrap();
    assert_eq!(blocked, firsts.iter().map(Option::is_some).collect::<Vec<_>>(), "seed {seed}");
}

#[test]
fn what_cannot_be_cut_is_an_error() {
    let square =
        Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2, 0, 2, 3]).unwrap();
    assert!(matches!(AlphaMask::new(2, 2, [0; 3]), Err(CutOutError::Texels { count: 3, .. })));
    assert!(matches!(AlphaMask::new(0, 2, []), Err(CutOutError::Texels { count: 0, .. })));
    let mask = AlphaMask::new(1, 1, [0]).unwrap();
    let refused = |mesh: &Mesh, cut_out: CutOut| mesh.clone().with_cut_out(cut_out).unwrap_err();
    assert_eq!(refused(&square, mask.clone().into()), CutOutError::NoTexcoords);
    let square = square.with_texcoords(&[[0.0, 0.0]; 4]).unwrap();
    let cut = CutOut::from(mask.clone());
    assert!(matches!(
        refused(&square, cut.clone().triangles(1..3)),
        CutOutError::Triangles { start: 1, end: 3, count: 2 }
    ));
    assert!(matches!(
        refused(&square, cut.clone().alphas([[1.0; 3]])),
        CutOutError::Corners { given: 1, triangles: 2, .. }
    ));
    let once = square.clone().with_cut_out(cut.clone().triangles(1..2)).unwrap();
    assert_eq!(refused(&once, cut.clone()), CutOutError::Twice { triangle: 1 });
    assert_eq!(once.cut_outs().len(), 1);
    let ray = |x: f32, y: f32| Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]);
    assert_eq!([once.is_blocked(&ray(0.75, 0.25)), once.is_blocked(&ray(0.25, 0.75))], [true, false]);
    let whole = once.with_cut_out(cut.triangles(0..1)).unwrap();
    assert!(!whole.is_blocked(&ray(0.75, 0.25)) && !whole.is_blocked(&ray(0.25, 0.75)));
    // A triangle is opaque at texture coordinates that are not finite.
    let odd = square.with_cut_out(CutOut::from(mask).texcoords([[Vec2::NAN; 3]; 2])).unwrap();
    assert!(odd.is_blocked(&ray(0.75, 0.25)));
    assert!(CutOutError::NoTexcoords.to_string().contains("give them"));
}
