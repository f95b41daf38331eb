//! Damaged files: any damaged file is read or refused, quickly, and in memory proportional to its size.

use hitscan_io::{Detail, Format, Model};
use hitscan_random::Random;
use peak_alloc::PeakAlloc;
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const OBJ: &str = "mtllib a.mtl\no thing\nv -1 -1 0 1 0 0\nv 1 -1 0\nv 1 1 0\nv 0 0.5 0\nv -1 1 1e-3\nvt 0 0\nvt 1 1\nvn 0 0 1\n\
    usemtl red\ng some more\nf 1/1/1 2/2/1 3/1 4 5//1\no other\nf -1 -2 \\\n -3\nl 1 2\np 3\n";
const STL: &str = "solid box\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\nendloop\nendfacet\nendsolid box\n\
    solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 5\nendloop\nendfacet\nendsolid\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\nproperty float s\n\
    property float t\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n\
    element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
    0 0 0 0 1 9 0 0\n1 0 0 1 1 9 0 0\n1 1 0 1 0 0 9 0\n0 1 0 0 0 0 0 9\n\
    4 0 1 2 3 0\n3 0 1 2 6 0 0 1 0 0 1\n6 0 1 2 -1 3 2\n";

fn binary_stl() -> Vec<u8> {
    let corners = [[0.0_f32; 3], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let triangle: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).chain([0, 0]).collect();
    [b"solid".repeat(16), 2_u32.to_le_bytes().into(), triangle.repeat(2)].concat()
}

fn binary_ply() -> Vec<u8> {
    let header = PLY.split("end_header\n").next().unwrap().replace("ascii", "binary_big_endian");
    let mut bytes = format!("{header}end_header\n").into_bytes();
    for [x, y, z] in [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]] {
        bytes.extend(x.to_be_bytes());
        bytes.extend(f64::from(y).to_be_bytes());
        bytes.extend([z, 0.5, 0.5].into_iter().flat_map(f32::to_be_bytes));
        bytes.extend([200, 100, 50]);
    }
    let mut list = |length: &[u8], items: &[i32]| {
        bytes.extend(length);
        bytes.extend(items.iter().flat_map(|item| item.to_be_bytes()));
    };
    list(&[4], &[0, 1, 2, 3]);
    list(&[0], &[]);
    list(&[3], &[0, 1, 2]);
    list(&[2], &[0, 0]);
    list(&6_i32.to_be_bytes(), &[0, 1, 2, -1, 3, 2]);
    bytes
}

/// The replacements of a number or a word.
const WORDS: [&str; 18] = [
    "0",
    "-1",
    "1",
    "3",
    "255",
    "65536",
    "4294967295",
    "-2147483648",
    "9223372036854775807",
    "1e39",
    "nan",
    "-inf",
    "1e-50",
    "f",
    "solid",
    "end_header",
    "list",
    "",
];

fn damage(sample: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(7) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.pick(&[0, 1, b'\n', b'\r', b' ', b'/', b'\\', b'#', 0x7F, 0x80, 0xFF]),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..(at + 1 + random.below(16)).min(bytes.len()))),
            4 => {
                // A part of the file is repeated elsewhere.
                let part: Vec<u8> = bytes[at..(at + random.below(200)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
            5 => {
                let end = bytes.len().min(at + 4);
                let word = random.pick(&[u32::MAX, 0, 1 << 31, 0x7FC0_0000, 0x7F80_0000, 200]);
                bytes[at..end].copy_from_slice(&word.to_le_bytes()[..end - at]);
            }
            _ => {
                let is_space = |byte: &u8| byte.is_ascii_whitespace();
                let start = bytes[..at].iter().rposition(is_space).map_or(0, |space| space + 1);
                let end = bytes[at..].iter().position(is_space).map_or(bytes.len(), |space| at + space);
                let word = random.pick(&WORDS).bytes();
                bytes.splice(start..end.max(start), word);
            }
        }
    }
    bytes
}

/// Loads a file, with colours, and checks the time and the memory.
fn load(format: Format, bytes: &[u8], shown: impl Fn() -> String) -> bool {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let start = Instant::now();
    let result = Model::from_bytes_with(format, bytes, None, Detail::Colors);
    let (time, memory) = (start.elapsed(), MEMORY.peak_usage().saturating_sub(before));
    // Two bytes of text can be a triangle, with its box, its nodes and its share of growing lists.
    let limit = (1 << 16) + 400 * bytes.len();
    assert!(memory <= limit, "{format}: {memory} bytes for {}: {}", bytes.len(), shown());
    assert!(time < Duration::from_secs(10), "{format}: {time:?}: {}", shown());
    result.is_ok_and(|model| model.scene().is_ok())
}

/// All files are in one test, so that no other test allocates memory at the time.
#[test]
fn damaged_files_do_no_harm() {
    let samples = [
        (Format::Obj, OBJ.as_bytes().to_vec()),
        (Format::Stl, STL.as_bytes().to_vec()),
        (Format::Stl, binary_stl()),
        (Format::Ply, PLY.as_bytes().to_vec()),
        (Format::Ply, binary_ply()),
    ];
    for (seed, (format, sample)) in (1..).zip(&samples) {
        assert!(load(*format, sample, || "the sample itself".into()), "{format} {seed}");
        let mut random = Random(seed);
        let mut loaded = 0;
        for number in 0..10_000 {
            let bytes = damage(sample, &mut random);
            let shown = || format!("seed {seed}, number {number}: {:?}", String::from_utf8_lossy(&bytes));
            loaded += usize::from(load(*format, &bytes, shown));
        }
        println!("{format}, seed {seed}: {loaded} of 10000 load");
        assert!(
            (100..9_900).contains(&loaded),
            "{format}: {loaded} load, so that the damage is too large or too small"
        );
    }

    // These files are made to need much time or memory.
    let large = 300_000;
    let one_polygon = |index: &mut dyn FnMut(usize) -> usize| {
        let mut text: String = (0..1000).map(|i| format!("v {} {} 0\n", i * 7919 % 1000, i * i % 1009)).collect();
        text.push('f');
        (0..large).for_each(|i| text.push_str(&format!(" {}", 1 + index(i) % 1000)));
        text
    };
    let many = |word: &str| word.repeat(large / word.len());
    let hostile: [(Format, String); 10] = [
        (Format::Obj, one_polygon(&mut |i| i)),
        (Format::Obj, one_polygon(&mut |i| i * i % 997)),
        (Format::Obj, one_polygon(&mut |i| i % 2)),
        (Format::Obj, (0..large / 8).map(|i| format!("o {i}\n")).collect()),
        (Format::Obj, (0..large / 20).map(|i| format!("mtllib {i} a b c d e\n")).collect()),
        (Format::Obj, many("f 1 1 1\n") + "v 0 0 0\n"),
        (Format::Obj, many("\\\n")),
        (Format::Stl, many("solid\n")),
        (Format::Ply, format!("ply\nformat ascii 1.0\n{}end_header\n", many("element vertex 0\n"))),
        (Format::Ply, format!("ply\nformat ascii 1.0\nelement a 9\n{}end_header\n", many("property char a\n"))),
    ];
    for (number, (format, text)) in hostile.iter().enumerate() {
        let start = Instant::now();
        let loads = load(*format, text.as_bytes(), || format!("hostile file {number}"));
        println!("{format}, hostile file {number}, {} bytes: loads {loads}, {:?}", text.len(), start.elapsed());
    }
}
