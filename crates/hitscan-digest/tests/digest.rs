//! A digest that every platform must reproduce, with every instruction set and every quality of tree.

use hitscan::Ray;
use hitscan::simd::SimdLevel;
use hitscan_digest::{Aim, Digest, Message, QUALITIES, Server, Subject, generated};

const RAYS: u64 = 500;
const WALKS: u64 = 100;
const EXPECTED: [(&str, Digest); 22] = [
    ("sphere", Digest(0xfa21_98f5_35e0_492d)),
    ("cube of squares", Digest(0xa7b6_3d16_01dd_c51b)),
    ("of radius 1e-20", Digest(0x2b36_b85c_72d8_050c)),
    ("of radius 1e30", Digest(0x6cb7_2349_dd2b_792a)),
    ("of subnormal radius", Digest(0x6c12_fa6f_1632_883b)),
    ("far from its origin", Digest(0xf534_db84_be84_a059)),
    ("terrain", Digest(0x9d80_de14_bc84_ec6a)),
    ("beams", Digest(0xd4f5_444a_6861_1602)),
    ("one triangle", Digest(0x389e_50ae_84a0_bbde)),
    ("flat, along the axes", Digest(0x976c_7028_af67_92ab)),
    ("coincident", Digest(0x1849_8e89_86a1_8a6f)),
    ("small triangles", Digest(0xcae0_65eb_d6a7_c79c)),
    ("large triangles", Digest(0x74d1_bc91_1fab_7b3d)),
    ("lattice", Digest(0xb947_4a65_e4ad_793a)),
    ("of all sizes", Digest(0xfd7c_0592_2c52_67c0)),
    ("instances", Digest(0x768e_f29b_3159_88c8)),
    ("shapes", Digest(0x32b1_1917_5b2b_e23b)),
    ("ground", Digest(0x8db4_fbf8_c2cb_9090)),
    ("hulls", Digest(0xf63e_7fa7_937a_3d70)),
    ("cloth", Digest(0x64ea_6a49_6e4e_4cf4)),
    ("fences", Digest(0x7f72_25b0_e099_45db)),
    ("course", Digest(0x5047_3f85_3386_3bc4)),
];

fn rays(content: &hitscan_digest::Content) -> Vec<Ray> {
    let aim = Aim::new(content, 5);
    (0..(RAYS / content.cost()).max(WALKS)).map(|index| aim.ray(index)).collect()
}

#[test]
fn messages_have_the_same_digest_however_rays_are_divided() {
    let (_, content) = generated().swap_remove(2);
    let rays = rays(&content);
    let mut server = Server::default();
    assert!(server.answer(&Message::Cast(0, rays.clone()).encode()).is_err(), "there is nothing yet");
    assert!(server.answer(&[9]).is_err());
    for quality in QUALITIES {
        let whole = Subject::new(&content, quality).unwrap().digest(0, &rays);
        server.answer(&Message::Build(quality, content.clone()).encode()).unwrap();
        for grain in [1, 7, 1000, rays.len()] {
            let pieces = rays.chunks(grain).zip((0..).step_by(grain));
            let mut ask = |(piece, first): (&[Ray], u64)| server.answer(&Message::Cast(first, piece.to_vec()).encode());
            let parts: Digest = pieces.map(|piece| Digest(ask(piece).unwrap())).sum();
            assert_eq!(parts, whole, "{quality:?}, {grain} at a time");
        }
    }
}

/// This test changes the instruction set of the whole process. The answers of the other test do not depend on it.
#[test]
fn every_platform_level_and_quality_has_these_digests() {
    let cases = generated();
    let mut digests = Vec::new();
    for (name, content) in &cases {
        let rays = rays(content);
        let subjects = QUALITIES.map(|quality| (quality, Subject::new(content, quality).expect(name)));
        let mut first = None;
        for level in SimdLevel::available() {
            level.select().unwrap();
            for (quality, subject) in &subjects {
                let digest = subject.digest(0, &rays);
                assert_eq!(*first.get_or_insert(digest), digest, "{name}, {level}, {quality:?}");
                assert_eq!(subject.digest_in_batches(0, &rays), digest, "{name}, {level}, {quality:?}, in batches");
            }
        }
        digests.extend(first.map(|digest| (*name, digest)));
    }
    SimdLevel::best().select().unwrap();
    assert_eq!(digests, EXPECTED);
}
