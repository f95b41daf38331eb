//! Random damage to bytes: each change is detected as an error.

use crate::common::{Random, grid_cube};
use crate::saved::subjects;
use hitscan::error::ReadError;
use hitscan::{Aabb, Mesh, Quality, Scene, Sphere};

fn saved_mesh() -> Vec<u8> {
    subjects::mesh(&grid_cube(2), Quality::Balanced).to_bytes()
}

fn saved_scene() -> Vec<u8> {
    let mut scene = Scene::new();
    let mesh = subjects::mesh(&grid_cube(1), Quality::Best);
    scene.insert(1u8, &mesh, [1.0, 2.0, 3.0]).unwrap();
    scene.insert(2, Sphere::new(2.0), [0.0; 3]).unwrap();
    scene.insert(3, Aabb::new([0.0; 3], [1.0; 3]), [5.0, 0.0, 0.0]).unwrap();
    scene.to_bytes(|key| [*key]).unwrap()
}

fn read_scene(bytes: &[u8]) -> Result<Scene<u8>, ReadError> {
    Scene::from_bytes(bytes, |key| key.first().copied())
}

#[test]
fn every_bit_counts() {
    let (mesh, scene) = (saved_mesh(), saved_scene());
    for bit in 0..8 * mesh.len() {
        let mut damaged = mesh.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Mesh::from_bytes(&damaged).is_err(), "bit {bit}");
    }
    for bit in 0..8 * scene.len() {
        let mut damaged = scene.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(read_scene(&damaged).is_err(), "bit {bit}");
    }
}

#[test]
fn every_length_counts() {
    let mesh = saved_mesh();
    for length in 0..mesh.len() {
        let error = Mesh::from_bytes(&mesh[..length]).unwrap_err();
        let whole = mesh.len() as u64;
        let is_told = matches!(error, ReadError::Length { length: of, given } if (of, given) == (whole, length as u64));
        assert!(is_told || length < 24, "{length}: {error}");
    }
    for extra in [1, 8, 1000] {
        let longer = [&mesh[..], &vec![0; extra]].concat();
        assert!(matches!(Mesh::from_bytes(&longer), Err(ReadError::Length { .. })));
    }
}

#[test]
fn another_version_is_told() {
    let mut mesh = saved_mesh();
    mesh[8] = 1;
    assert_eq!(Mesh::from_bytes(&mesh).unwrap_err(), ReadError::Version { version: 1, supported: 4 });
}

/// The damage is typical of a disk, a transfer or an editor: flipped bits, and blocks that are exchanged, lost, doubled
/// or blank.
#[test]
fn damage_of_many_kinds_is_an_error() {
    let seed = 53;
    let mut random = Random(seed);
    let mesh = subjects::mesh(&grid_cube(8), Quality::Balanced).to_bytes();
    for number in 0..2000 {
        let damaged = damage(&mesh, &mut random);
        if damaged != mesh {
            assert!(Mesh::from_bytes(&damaged).is_err(), "number {number}, seed {seed}");
        }
    }
}

fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    let size = 1 + random.below(bytes.len() / 3);
    let [from, to] = [random.below(bytes.len() - size), random.below(bytes.len() - size)];
    match random.below(5) {
        0 => (0..=random.below(64)).for_each(|_| damaged[random.below(bytes.len())] ^= 1 << random.below(8)),
        1 => damaged[to..to + size].copy_from_slice(&bytes[from..from + size]),
        2 => damaged.drain(from..from + size).for_each(drop),
        3 => damaged[from..from + size].fill(random.bits() as u8),
        _ => (0..size).for_each(|i| damaged.swap(from + i, to + i)),
    }
    damaged
}
