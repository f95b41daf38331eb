//! Answers to rays into real models, recorded by an independent program (truth/record.py), and the rays.

use hitscan::Ray;
use hitscan::glam::DVec3;
use std::path::{Path, PathBuf};

/// Another triangle is hit at the same t, to 1e-6 relative.
pub(crate) const TIE: u8 = 1;
/// The ray passes so near an edge that f64 cannot tell a hit from a miss, or that of a texel that f32 cannot.
pub(crate) const EDGE: u8 = 2;
/// The face that is hit may be cut into triangles in several ways.
pub(crate) const POLYGON: u8 = 4;

/// A `.truth` file, as described in record.py.
pub(crate) struct Truth {
    pub(crate) seed: u64,
    low: DVec3,
    high: DVec3,
    /// Every entity's name and node, in the order of the model; a name is `None` where the file has none.
    pub(crate) entities: Vec<(Option<String>, Option<u32>)>,
    /// To the model as it is, then, if it has cut-out materials, with their holes.
    pub(crate) answers: Vec<Vec<Answer>>,
}

pub(crate) struct Answer {
    pub(crate) hit: Option<Hit>,
    pub(crate) flags: u8,
}

/// The closest hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// Index among the entities.
    pub(crate) entity: usize,
    pub(crate) triangle: u32,
    pub(crate) t: f32,
}

/// Where the files are.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth")
}

impl Truth {
    /// Reads what was recorded for a model.
    pub(crate) fn of(model: &Path) -> Self {
        let stem = model.file_stem().unwrap().to_str().unwrap();
        let path = folder().join(format!("{stem}.truth"));
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap();
        let mut fields = Fields(&bytes);
        assert_eq!(&fields.take::<8>(), b"HSTRUTH2");
        let seed = u64::from_le_bytes(fields.take());
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

    /// The rays, which follow from the seed and the bounds.
    pub(crate) fn rays(&self) -> Vec<Ray> {
        let mut state = self.seed;
        let size = self.high - self.low;
        let ray = |number: usize| {
            let mut three = || DVec3::from_array([(); 3].map(|()| uniform(&mut state)));
            let (a, b) = (three(), three());
            let (origin, direction) = if number.is_multiple_of(2) {
                (self.low + a * size, 2.0 * b - 1.0)
            } else {
                let origin = (self.low + self.high) * 0.5 + (1.5 * size) * (2.0 * a - 1.0);
                (origin, (self.low + b * size) - origin)
            };
            Ray::with_direction(origin.as_vec3(), direction.as_vec3())
        };
        (0..self.answers[0].len()).map(ray).collect()
    }
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

    /// One set: the columns of all rays, then those of the rays that hit.
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

/// splitmix64, its upper 53 bits as a fraction.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / 9_007_199_254_740_992.0
}

/// The seed of a file's rays.
pub(crate) fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
