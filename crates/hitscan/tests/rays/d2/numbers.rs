//! Inputs. They are random, or have many exact degeneracies, or have widely different exponents.

use hitscan::d2::Ray2;
use hitscan::glam::Vec2;
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Regime {
    /// Integers from -3 to 3, for which every other ray goes through a corner, is collinear or is tangent.
    Small,
    /// Integers, some moved by one ulp: almost degenerate.
    Nudged,
    /// Numbers from -10 to 10.
    Uniform,
    /// Magnitudes from 1e-30 to 1e30 in one case.
    Wide,
}

pub(crate) fn regime() -> impl Strategy<Value = Regime> {
    prop_oneof![Just(Regime::Small), Just(Regime::Nudged), Just(Regime::Uniform), Just(Regime::Wide)]
}

/// Generates regimes in which f64 rounding is far below the size of everything.
pub(crate) fn moderate() -> impl Strategy<Value = Regime> {
    prop_oneof![Just(Regime::Small), Just(Regime::Nudged), Just(Regime::Uniform)]
}

pub(crate) fn number(regime: Regime) -> BoxedStrategy<f32> {
    let small = (-3i32..=3).prop_map(|i| i as f32);
    match regime {
        Regime::Small => small.boxed(),
        Regime::Nudged => prop_oneof![
            3 => small.clone(),
            1 => small.clone().prop_map(f32::next_up),
            1 => small.prop_map(f32::next_down)
        ]
        .boxed(),
        Regime::Uniform => (-10f32..10.0).boxed(),
        Regime::Wide => {
            let scaled = (-1f32..1.0, -30i32..=30).prop_map(|(m, e)| m * 10f32.powi(e));
            prop_oneof![3 => scaled, 1 => small, 1 => Just(0.0), 1 => Just(-0.0)].boxed()
        }
    }
}

pub(crate) fn vector(regime: Regime) -> impl Strategy<Value = Vec2> {
    [number(regime), number(regime)].prop_map(Vec2::from_array)
}

/// Generates a ray whose range is the whole line, a half line or a part of it.
pub(crate) fn ray(regime: Regime) -> impl Strategy<Value = Ray2> {
    let range = prop_oneof![
        Just((0.0, f32::INFINITY)),
        Just((f32::NEG_INFINITY, f32::INFINITY)),
        (number(Regime::Small), 0f32..4.0).prop_map(|(low, length)| (low, low + length)),
        number(Regime::Small).prop_map(|t| (t, t)),
    ];
    (vector(regime), vector(regime), range)
        .prop_filter("a direction", |(_, d, _)| *d != Vec2::ZERO)
        .prop_map(|(o, d, (t_min, t_max))| Ray2::with_direction(o, d).with_range(t_min, t_max))
}
