//! Several kinds of adversarial input. A case uses one kind or mixes them.

use hitscan::Ray;
use hitscan::glam::Vec3;
use hitscan_random::effort::size;
use proptest::prelude::*;

fn small_integer() -> impl Strategy<Value = f32> {
    prop_oneof![8 => (-3i32..=3).prop_map(|x| x as f32), 1 => Just(-0.0f32)]
}

fn ordinary() -> impl Strategy<Value = f32> {
    -10.0f32..10.0
}

/// Generates any sign and mantissa, with magnitudes from 2^-60 to 2^60.
fn wide() -> impl Strategy<Value = f32> {
    (any::<u32>(), 67u32..187).prop_map(|(bits, e)| f32::from_bits(bits & 0x807f_ffff | e << 23))
}

/// Generates every finite f32, with a high probability of zeros, subnormals and the largest ones.
fn any_finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite()),
        1 => prop::sample::select(vec![0.0, -0.0, 1e-45, -1e-45, f32::MIN_POSITIVE, f32::MAX, f32::MIN, 1e-20, 1e30]),
    ]
}

/// Generates N numbers of one kind, or small integers times a power of two, which keeps their coincidences at any size.
pub(crate) fn numbers<const N: usize>() -> BoxedStrategy<[f32; N]> {
    fn array<const N: usize>(each: impl Strategy<Value = f32> + 'static) -> BoxedStrategy<[f32; N]> {
        let list = prop::collection::vec(each, N..=N);
        list.prop_map(|list| list.try_into().expect("N numbers")).boxed()
    }
    prop_oneof![
        4 => array(small_integer()),
        2 => (array::<N>(small_integer()), -120..120i32)
            .prop_map(|(list, e)| list.map(|x| (f64::from(x) * 2f64.powi(e)) as f32)),
        4 => array(ordinary()),
        2 => array(wide()),
        2 => array(any_finite()),
        2 => array(prop_oneof![small_integer(), ordinary(), wide(), any_finite()]),
    ]
    .boxed()
}

/// Generates range ends, mostly the default.
pub(crate) fn range() -> impl Strategy<Value = (f32, f32)> {
    let end = prop_oneof![
        small_integer(),
        ordinary(),
        any_finite(),
        prop::sample::select(vec![f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, f32::MAX]),
    ];
    let ends = [end.clone(), end].prop_map(|[a, b]| if a <= b { (a, b) } else { (b, a) });
    prop_oneof![1 => Just((0.0, f32::INFINITY)), 1 => Just((f32::NEG_INFINITY, f32::INFINITY)), 2 => ends]
}

pub(crate) fn vec3(numbers: &[f32], index: usize) -> Vec3 {
    Vec3::from_slice(&numbers[3 * index..])
}

/// Returns the first two vectors as a ray without limits; `None` for a zero direction.
pub(crate) fn line(numbers: &[f32]) -> Option<Ray> {
    let ray = Ray::with_direction(vec3(numbers, 0), vec3(numbers, 1)).with_range(f32::NEG_INFINITY, f32::INFINITY);
    ray.validate().is_ok().then_some(ray)
}

/// Returns the ranges that are critical for a reported t: ranges that end at it, begin at it, or just miss it.
pub(crate) fn ranges_around(t: f32) -> [((f32, f32), bool); 6] {
    [
        ((f32::NEG_INFINITY, t), true),
        ((t, f32::INFINITY), true),
        ((t, t), true),
        ((f32::NEG_INFINITY, f32::INFINITY), true),
        ((f32::NEG_INFINITY, t.next_down()), false),
        ((t.next_up(), f32::INFINITY), false),
    ]
}

pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let cases = size(cases as usize / 4, cases as usize, 50 * cases as usize) as u32;
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
