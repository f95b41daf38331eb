//! Answers to rays at real models, recorded by an independent program (truth/record.py), and the rays.

use hitscan::Ray;
use hitscan::glam::DVec3;
use hitscan_random::Random;
use std::path::{Path, PathBuf};

/// All well-formed glTF files with triangles that need no decompression.
const GLTF: [&str; 27] = [
    "interiors/sponza.glb",
    "interiors/dream-apartment.glb",
    "scenes/truck-town.glb",
    "scenes/tps-level-lights.glb",
    "scenes/low-poly-terrain.glb",
    "scenes/balloon.glb",
    "scenes/car.glb",
    "scenes/2CylinderEngine.glb",
    "scenes/many-cubes.gltf",
    "scenes/geodesic-sphere.glb",
    "skinned/Fox.glb",
    "skinned/godot-player.glb",
    "skinned/mannequiny.glb",
    "skinned/SimpleSkin.gltf",
    "skinned/morph-stress-test.glb",
    "alpha-mask/orange-flower.glb",
    "alpha-mask/alpha-blend-mode-test.glb",
    "alpha-mask/pine-tree.glb",
    "cameras/Cameras.gltf",
    "cameras/geometry-camera-light.glb",
    "transforms/truck-flat-mirrored.glb",
    "transforms/IrradianceVolumeExample.glb",
    "transforms/GrassFieldInstanced.glb",
    "transforms/InstanceTest.glb",
    "compressed/pirate-quantized.glb",
    "compressed/meshopt-fallback.gltf",
    "compressed/box-textured-webp.gltf",
];

/// All well-formed files of the other formats with triangles.
const OTHERS: [&str; 22] = [
    "scans/stanford-bunny.obj",
    "scans/igea.ply",
    "scans/igea-tristrips.ply",
    "obj/dungeon.obj",
    "obj/nav_test.obj",
    "obj/spider.obj",
    "obj/rabbit.obj",
    "obj/concave_polygon.obj",
    "obj/cube_usemtl.obj",
    "obj/cube_with_vertexcolors.obj",
    "stl/featuretype.STL",
    "stl/plate_holes.STL",
    "stl/1002_tray_bottom.STL",
    "stl/multibody.stl",
    "stl/two_objects_mixed_case_names.stl",
    "stl/Spider_ascii.stl",
    "stl/sphereWithHole.stl",
    "ply/cycloidal.ply",
    "ply/Wuson.ply",
    "ply/fuze_ascii.ply",
    "ply/suzanne.ply",
    "ply/cube_binary.ply",
];

/// Another triangle is hit at the same t, to 1e-6 relative.
const TIE: u8 = 1;
/// The ray passes too close to an edge for f64 to decide between hit and miss, or too close to the edge of a texel for f32.
const EDGE: u8 = 2;
/// The polygon that is hit may be triangulated in several ways.
const POLYGON: u8 = 4;

/// The relative tolerance of t.
pub(crate) const T_TOLERANCE: f64 = 1e-5;

/// A `.truth` file, as described in record.py.
pub(crate) struct Truth {
    seed: u64,
    low: DVec3,
    high: DVec3,
    /// Every entity's name and node, in the order of the model; the name is `None` if the file has none.
    pub(crate) entities: Vec<(Option<String>, Option<u32>)>,
    /// The answers for the model without holes, and, if it has cut-out materials, for the model with holes.
    pub(crate) answers: Vec<Vec<Answer>>,
}

pub(crate) struct Answer {
    pub(crate) hit: Option<Hit>,
    pub(crate) flags: u8,
}

/// The closest hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// The index of the entity.
    pub(crate) entity: usize,
    pub(crate) triangle: u32,
    pub(crate) t: f32,
}

/// The comparison of the answers to one file's rays.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) hits: usize,
    pub(crate) misses: usize,
    /// The number of hits with the same t on another triangle. For these, the truth says that there are two hits.
    pub(crate) ties: usize,
    /// The number of hits on another triangle of a polygon that can be triangulated in several ways.
    pub(crate) recut: usize,
    /// The number of other differences where the truth is undecided.
    pub(crate) undecided: usize,
    /// The largest relative error of t.
    pub(crate) worst: f64,
}

/// The animated files, of which poses are recorded too.
pub(crate) const POSED: [&str; 5] = [
    "skinned/Fox.glb",
    "skinned/mannequiny.glb",
    "skinned/morph-stress-test.glb",
    "skinned/godot-player.glb",
    "skinned/SimpleSkin.gltf",
];

/// Returns all files with recorded truth.
pub(crate) fn files() -> impl Iterator<Item = &'static str> {
    GLTF.into_iter().chain(OTHERS)
}

/// Returns the folder of the records: `HITSCAN_TRUTH`, otherwise the folder next to the tests.
pub(crate) fn folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hitscan-io/tests/truth");
    std::env::var_os("HITSCAN_TRUTH").map_or(own, PathBuf::from)
}

impl Truth {
    /// Reads the record of a model.
    pub(crate) fn of(model: &Path) -> Self {
        let stem = model.file_stem().unwrap().to_str().unwrap();
        let path = folder().join(format!("{stem}.truth"));
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap();
        let mut fields = Fields(&bytes);
        assert_eq!(&fields.take::<8>(), b"HSTRUTH2");
        let seed = u64::from_le_bytes(fields.take());
        assert_eq!(seed, fnv1a(model.file_name().unwrap().to_str().unwrap()), "{}", path.display());
        let count = fields.word() as usize;
        let mut corner = || DVec3::from_array([(); 3].map(|()| f64::from(f32::from_le_bytes(fields.take()))));
        let (low, high) = (corner(), corner());
        let length = fields.word() as usize;
        let entities = entities(fields.bytes(length));
        let [sets] = fields.take();
        let answers = (0..sets).map(|_| fields.answers(count)).collect();
        assert!(fields.0.is_empty(), "{} is longer than it states", path.display());
        Self { seed, low, high, entities, answers }
    }

    /// Returns the rays, which follow from the seed and the bounds.
    pub(crate) fn rays(&self) -> Vec<Ray> {
        rays(self.seed, [self.low, self.high], self.answers[0].len())
    }

    /// Compares the result of each ray with one set of answers. Panics at the first wrong result.
    pub(crate) fn compare(&self, file: &str, set: usize, found: impl IntoIterator<Item = Option<Hit>>) -> Tally {
        let (mut tally, mut count) = (Tally::default(), 0);
        for (found, answer) in found.into_iter().zip(&self.answers[set]) {
            let is_right = tally.add(found, answer);
            assert!(is_right, "{file}, ray {count}: {found:?}, should be {:?}", answer.hit);
            count += 1;
        }
        assert_eq!(count, self.answers[set].len(), "{file}: rays");
        tally
    }
}

impl Tally {
    /// Returns whether an answer is right, or the truth is undecided.
    pub(crate) fn add(&mut self, found: Option<Hit>, answer: &Answer) -> bool {
        let Answer { hit: truth, flags } = *answer;
        match (found, truth) {
            (None, None) => self.misses += 1,
            (Some(found), Some(truth)) if error(found.t, truth.t) <= T_TOLERANCE => {
                self.hits += 1;
                self.worst = self.worst.max(error(found.t, truth.t));
                if found.entity == truth.entity && found.triangle != truth.triangle && flags & POLYGON != 0 {
                    self.recut += 1;
                } else if (found.entity, found.triangle) != (truth.entity, truth.triangle) {
                    self.ties += 1;
                    return flags & (TIE | EDGE) != 0;
                }
            }
            _ => {
                self.undecided += 1;
                return flags & EDGE != 0;
            }
        }
        true
    }
}

/// Returns the rays for a seed and bounds.
pub(crate) fn rays(seed: u64, [low, high]: [DVec3; 2], count: usize) -> Vec<Ray> {
    let mut random = Random(seed);
    let size = high - low;
    let ray = |number: usize| {
        let mut three = || DVec3::from_array([(); 3].map(|()| random.fraction()));
        let (a, b) = (three(), three());
        let (origin, direction) = if number.is_multiple_of(2) {
            (low + a * size, 2.0 * b - 1.0)
        } else {
            let origin = (low + high) * 0.5 + (1.5 * size) * (2.0 * a - 1.0);
            (origin, (low + b * size) - origin)
        };
        Ray::with_direction(origin.as_vec3(), direction.as_vec3())
    };
    (0..count).map(ray).collect()
}

/// Returns the relative error.
fn error(t: f32, truth: f32) -> f64 {
    if t == truth { 0.0 } else { ((f64::from(t) - f64::from(truth)) / f64::from(truth)).abs() }
}

fn entities(json: &[u8]) -> Vec<(Option<String>, Option<u32>)> {
    let json: serde_json::Value = serde_json::from_slice(json).unwrap();
    let entity = |entity: &serde_json::Value| {
        let node = entity[1].as_u64().map(|node| u32::try_from(node).unwrap());
        (entity[0].as_str().map(str::to_owned), node)
    };
    json["entities"].as_array().unwrap().iter().map(entity).collect()
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        self.bytes(N).try_into().unwrap()
    }

    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (first, rest) = self.0.split_at_checked(count).expect("the file is as long as it states");
        self.0 = rest;
        first
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    /// Reads one set: the columns of all rays, then the columns of the rays that hit.
    fn answers(&mut self, count: usize) -> Vec<Answer> {
        let entities: Vec<i16> = (0..count).map(|_| i16::from_le_bytes(self.take())).collect();
        let flags = self.bytes(count);
        let hits = entities.iter().filter(|&&entity| entity >= 0).count();
        let mut triangles: Vec<u32> = (0..hits).map(|_| self.word()).collect();
        let mut ts: Vec<f32> = (0..hits).map(|_| f32::from_le_bytes(self.take())).collect();
        let answer = |(&entity, &flags): (&i16, &u8)| {
            let hit = usize::try_from(entity).ok();
            let hit = hit.map(|entity| (entity, triangles.pop().unwrap(), ts.pop().unwrap()));
            Answer { hit: hit.map(|(entity, triangle, t)| Hit { entity, triangle, t }), flags }
        };
        let mut answers: Vec<Answer> = entities.iter().zip(flags).rev().map(answer).collect();
        answers.reverse();
        answers
    }
}

/// Returns the seed of a file's rays.
pub(crate) fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
