//! Forged bytes: they are changed and get a valid checksum. They are refused, or they make a mesh or scene whose
//! answers match its content.

use crate::common::{Random, Surface, grid_cube};
use crate::saved::subjects::{self, QUALITIES, check, ray, triangles};
use hitscan::error::ReadError;
use hitscan::glam::DVec3;
use hitscan::{Capsule, Compound, Mesh, OrientedBox, Ray, RayQueries, Scene, Sphere};
use twox_hash::XxHash3_64;

/// Returns bytes with the right length and checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let end = bytes.len() - 8;
    let checksum = XxHash3_64::oneshot(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Numbers at the limits of their types.
const ODD: [u32; 12] =
    [0, 1, 2, 3, 4, 7, 8, 0x8000_0000, 0x7fff_ffff, u32::MAX, f32::INFINITY.to_bits(), f32::NAN.to_bits()];

fn forge(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut forged = bytes.to_vec();
    let room = bytes.len() - 8 - 24;
    for _ in 0..1 + random.below(3) {
        let at = 24 + random.below(room);
        let word = 24 + random.below(room / 4) * 4;
        match random.below(6) {
            0 => forged[at] ^= 1 << random.below(8),
            1 => forged[at] = random.bits() as u8,
            2 => forged[word..word + 4].copy_from_slice(&ODD[random.below(ODD.len())].to_le_bytes()),
            3 => {
                let from = 24 + random.below(room / 4) * 4;
                forged.copy_within(from..from + 4, word);
            }
            4 => {
                let value = u32::from_le_bytes(forged[word..word + 4].try_into().unwrap());
                let change = random.below(3) as u32;
                forged[word..word + 4].copy_from_slice(&value.wrapping_add(change).wrapping_sub(1).to_le_bytes());
            }
            // This changes a byte anywhere, because the numbers in and after the tree's topology are not aligned to
            // four bytes.
            _ => forged[at] = forged[at].wrapping_add(random.below(3) as u8).wrapping_sub(1),
        }
    }
    sealed(forged)
}

#[test]
fn forged_meshes_are_an_error_or_answer_as_their_triangles() {
    let seed = 54;
    let mut random = Random(seed);
    let all = subjects::all(&mut random);
    let small = |surface: &Surface, count: usize| {
        let corners = |t: &[u32; 3]| t.map(|i| surface.positions[i as usize]);
        subjects::soup(&surface.triangles.iter().take(count).map(corners).collect::<Vec<_>>())
    };
    let surfaces = [grid_cube(2), small(&all[2].1, 30), small(&all[3].1, 40), small(&all[4].1, 200), all[1].1.clone()];
    let (mut read, mut refused) = (0, 0);
    for (number, surface) in surfaces.iter().enumerate() {
        for quality in QUALITIES {
            let bytes = subjects::mesh(surface, quality).to_bytes();
            for step in 0..150 {
                let Ok(mesh) = Mesh::from_bytes(&forge(&bytes, &mut random)) else {
                    refused += 1;
                    continue;
                };
                read += 1;
                let corners = triangles(&mesh);
                let rays: Vec<Ray> = (0..12).map(|_| ray(&corners, &mut random)).collect();
                check(&mesh, &rays, &format!("surface {number}, {quality:?}, step {step}, seed {seed}"));
            }
        }
    }
    println!("{read} were read, {refused} refused");
    assert!(read > 100 && refused > 500, "the changes say nothing: {read} read, {refused} refused");
}

/// The content of a mesh in pieces, each with its number of rows.
struct Pieces {
    quality: u32,
    rows: [(u64, Vec<u8>); 6],
}

impl Pieces {
    /// Returns a triangle in the plane z = 0, in a tree of one block.
    fn triangle() -> Self {
        let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let positions = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let block = block([0]);
        let rows = [(3, positions), (1, words(&[0, 1, 2])), (1, vec![1, 1]), (1, block), (0, vec![]), (0, vec![])];
        Self { quality: 2, rows }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"\x89HITSC\r\n".to_vec();
        bytes.extend([4u32, 1, 0, 0].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(self.quality.to_le_bytes());
        for (count, rows) in &self.rows {
            bytes.extend(count.to_le_bytes());
            bytes.extend(rows);
        }
        // The mesh has no normals, texture coordinates or cut-outs.
        bytes.extend([0u8; 4 + 4 + 8 + 8]);
        sealed(bytes)
    }

    fn read(&self) -> Result<Mesh, ReadError> {
        Mesh::from_bytes(&self.bytes())
    }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns a block of these triangles, padded with empty lanes.
fn block<const N: usize>(triangles: [u32; N]) -> Vec<u8> {
    let mut block = [!0; 8];
    block[..N].copy_from_slice(&triangles);
    words(&block)
}

const POSITIONS: usize = 0;
const TRIANGLES: usize = 1;
const FORM: usize = 2;
const BLOCKS: usize = 3;
const REPEATS: usize = 4;
const BOXES: usize = 5;

#[test]
fn each_contradiction_is_told() {
    assert_eq!(Pieces::triangle().read().unwrap().triangle_count(), 1);
    let fault = |change: fn(&mut Pieces)| {
        let mut pieces = Pieces::triangle();
        change(&mut pieces);
        match pieces.read() {
            Err(ReadError::Invalid { fault, .. }) => fault.to_owned(),
            other => other.map(drop).unwrap_err().to_string(),
        }
    };
    assert_eq!(fault(|p| p.quality = 9), "is of an unknown quality");
    assert_eq!(fault(|p| p.rows[FORM].1 = vec![1, 0]), "has nodes that make no tree");
    assert_eq!(fault(|p| p.rows[FORM].1 = vec![9, 1]), "has nodes that make no tree");
    assert_eq!(fault(|p| p.rows[FORM].1 = vec![1, 3]), "has nodes that make no tree");
    assert_eq!(fault(|p| p.rows[FORM] = (0, vec![])), "has nodes that make no tree");
    assert_eq!(fault(|p| p.rows[BLOCKS].1 = block([1])), "has a block of triangles that are not there");
    assert_eq!(fault(|p| p.rows[BLOCKS].1 = block([!0, 0])), "has a block of triangles that are not there");
    assert_eq!(fault(|p| p.rows[BLOCKS].1 = block([0, !0, 0])), "has a block of triangles that are not there");
    assert_eq!(
        fault(|p| (p.rows[FORM], p.rows[BLOCKS]) = ((0, vec![]), (0, vec![]))),
        "has a triangle that is not in its tree"
    );
    assert_eq!(fault(|p| p.rows[REPEATS] = (1, words(&[0, 0]))), "has a repeat that is none");
    assert_eq!(fault(|p| p.rows[REPEATS] = (1, words(&[5, 6]))), "has a repeat that is none");
    assert_eq!(fault(|p| p.rows[BOXES] = (1, words(&[1, 0, 0, 0, 0, 0, 0]))), "has a box of a leaf that is not there");
    assert_eq!(
        fault(|p| p.rows[TRIANGLES].1 = words(&[0, 1, 3])),
        "in mesh 0, indices[2] is 3, but there are 3 vertices: each index must be below 3"
    );
    let infinite = |p: &mut Pieces| p.rows[POSITIONS].1[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(fault(infinite), "in mesh 0, vertex 0 is at [inf, 0, 0]: its position must be finite");
}

/// Counts that exceed the remaining bytes are refused before memory is allocated for them.
#[test]
fn counts_take_no_memory() {
    for piece in 0..6 {
        for count in [2, 1 << 20, 1 << 40, u64::MAX / 16, u64::MAX] {
            let mut pieces = Pieces::triangle();
            pieces.rows[piece].0 = pieces.rows[piece].0.saturating_add(count);
            assert!(pieces.read().is_err(), "{piece}, {count}");
        }
    }
}

/// A tree of a hundred thousand levels with one leaf each overflows neither the call stack of a recursive function nor
/// a traversal stack of 128 entries.
#[test]
fn trees_are_not_deeper_than_they_are_built() {
    let chain = |levels: u64| {
        let mut pieces = Pieces::triangle();
        let mut form = [2, 1].repeat(levels as usize - 1);
        form.extend([2, 3]);
        let leaves = levels + 1;
        pieces.rows[FORM] = (levels, form);
        pieces.rows[BLOCKS] = (leaves, block([0]).repeat(leaves as usize));
        pieces.read()
    };
    let ray = Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0]);
    let deepest = chain(128).unwrap();
    assert_eq!(deepest.cast(&ray).map(|hit| (hit.t, hit.triangle)), Some((3.0, 0)));
    // These rays have one more pending node, for which the traversal stack spills into a `Vec`.
    let rays = [0.25, 0.26, 0.27, 0.28, 0.29, 0.3, 0.31, 0.32].map(|x| Ray::new([x, 0.25, 3.0], [0.0, 0.0, -1.0]));
    let (mut hits, mut blocked) = ([None; 8], [false; 8]);
    deepest.cast_batch(&rays, &mut hits).unwrap();
    deepest.is_blocked_batch(&rays, &mut blocked).unwrap();
    assert_eq!(hits.map(|hit| hit.map(|hit| (hit.t, hit.triangle))), [Some((3.0, 0)); 8]);
    assert_eq!(blocked, [true; 8]);
    assert_eq!(deepest.closest_point([0.25, 0.25, 3.0]).map(|nearest| nearest.triangle), Some(0));
    for levels in [129, 100_000] {
        assert!(matches!(chain(levels), Err(ReadError::Invalid { fault: "has nodes that make no tree", .. })));
    }
}

/// A leaf box that excludes a part of its triangle is refused.
#[test]
fn no_box_is_too_small() {
    let ray = Ray::new([0.75, 0.125, 3.0], [0.0, 0.0, -1.0]);
    for [low, high] in [[0.0, 0.1], [0.3, 0.3], [f32::NAN, 1.0], [1.0, 0.0], [2.0, 3.0]] {
        let mut pieces = Pieces::triangle();
        let [low, high] = [low, high].map(f32::to_bits);
        pieces.rows[BOXES] = (1, words(&[0, low, low, 0, high, high, 0]));
        assert_eq!(pieces.read().unwrap().cast(&ray).map(|hit| hit.t), Some(3.0));
    }
}

#[test]
fn forged_scenes_are_an_error_or_answer_as_what_they_hold() {
    let seed = 55;
    let mut random = Random(seed);
    let mesh = subjects::mesh(&grid_cube(1), hitscan::Quality::Balanced);
    let plank =
        OrientedBox::from_rotation([0.0; 3], [4.0, 0.5, 1.0], hitscan::glam::Quat::from_rotation_z(0.3)).unwrap();
    let parts = [(Capsule::new(0.3, 1.4).into(), DVec3::Y.into()), ((&mesh).into(), DVec3::X.into())];
    let mut scene = Scene::new();
    scene.insert(1, &mesh, [0.0, 1.0, -4.0]).unwrap();
    scene.insert(2, Sphere::new(1.0), [2.0, 1.0, -4.0]).unwrap();
    scene.insert(3, plank, [-2.0, 1.0, -4.0]).unwrap();
    scene.insert(4, Compound::new(parts).unwrap(), [0.0, 3.0, -4.0]).unwrap();
    let bytes = scene.to_bytes(|key: &u32| key.to_le_bytes()).unwrap();
    let key = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
    let (mut read, mut refused) = (0, 0);
    for step in 0..3000 {
        let Ok(scene) = Scene::from_bytes(&forge(&bytes, &mut random), key) else {
            refused += 1;
            continue;
        };
        read += 1;
        // The content is inserted into a new scene.
        let mut anew = Scene::new();
        let mut entities: Vec<_> = scene.iter().collect();
        entities.sort_by_key(|(key, _)| *key);
        for (key, entity) in &entities {
            anew.insert(*key, entity.geometry().clone(), entity.transform()).unwrap();
            anew.set_layers(key, entity.layers());
        }
        for _ in 0..20 {
            let target = DVec3::new(0.0, 1.5, -4.0) + random.cube() * 3.0;
            let ray = Ray::between([0.0; 3], target.as_vec3());
            let t = |scene: &Scene<u32>| scene.cast(&ray).map(|hit| hit.t.to_bits());
            assert_eq!(t(&scene), t(&anew), "step {step}, seed {seed}, {ray:?}");
        }
    }
    println!("{read} were read, {refused} refused");
    assert!(read > 100 && refused > 500, "the changes say nothing: {read} read, {refused} refused");
}
