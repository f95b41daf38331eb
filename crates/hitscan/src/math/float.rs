//! Floating-point facts that the whole crate shares: unit roundoff, derived error bounds, directed rounding and
//! roots of quadratics. The tolerances of rays are built from these, and docs/robustness.md derives all tolerances of the crate.

use glam::{DVec3, Vec3};

/// Unit roundoff of f64: half the distance from 1 to the next number, 2^-53.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Unit roundoff of f32, 2^-24.
pub(crate) const UNIT_ROUNDOFF_F32: f32 = f32::EPSILON / 2.0;

/// These factors differ from 1 by more than the relative error of 64 operations in f64 in a row, which is gamma(64) < 65 u. They are 1 + 128 u and 1 - 128 u. A
/// bound is multiplied by one of them where its own computation rounds.
pub(crate) const ABOVE_ROUNDINGS: f64 = 1.0 + 64.0 * f64::EPSILON;
pub(crate) const BELOW_ROUNDINGS: f64 = 1.0 - 64.0 * f64::EPSILON;

/// If the magnitudes of a determinant's products sum to less than this, underflow may have removed bits of it.
/// Then a relative error bound proves nothing.
///
/// A product of two factors that underflows is off by 2^-1075. Six such errors times a third factor x must be less
/// than 5 u of the magnitude, the margin of the bounds. This is true for any |x| up to 3e167. No product of three
/// nonzero f32s is below 2^-447 (about 2.7e-135), so in space this concerns only rays in an instance's own frame.
pub(crate) const UNDERFLOW_GUARD: f64 = 1e-140;

/// Higham's bound gamma(n) = n u / (1 - n u): the relative error of n correctly rounded f64 operations in a row.
/// (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", lemma 3.1.)
pub(crate) const fn gamma(n: u32) -> f64 {
    let nu = n as f64 * UNIT_ROUNDOFF;
    nu / (1.0 - nu)
}

/// The nearest f32 vector, each component rounded once.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn round_vec3(v: DVec3) -> Vec3 {
    v.as_vec3()
}

/// A direction as it is reported: rounded once, with +0 for -0.
pub(crate) fn reported_direction(v: DVec3) -> Vec3 {
    v.as_vec3() + 0.0
}

/// A unit vector along `v` at any scale of `v`, in f64; `None` for zero, infinite or NaN input.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let square = v.length_squared();
    if ORDINARY_SQUARES.contains(&square) { Some(v / sqrt(square)) } else { scaled_unit(v) }
}

/// Squares of lengths that neither overflow nor underflow, nor are NaN. For a vector with such a square, scaling it before it is divided by its length does not
/// change the bits. If a component matters in a sum of squares of at least the lower bound, its square does not underflow.
pub(crate) const ORDINARY_SQUARES: core::ops::RangeInclusive<f64> = 1e-250..=1e250;

#[cold]
fn scaled_unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    if !(size > 0.0 && v.is_finite()) {
        return None;
    }
    let scaled = v / size;
    Some(scaled / sqrt(scaled.length_squared()))
}

/// Returns the length of a vector at any scale of it; 0 for a vector without a direction.
pub(crate) fn length(v: DVec3) -> f64 {
    unit(v).map_or(0.0, |direction| v.dot(direction))
}

/// Returns the correctly rounded square root, which is the same everywhere. With the standard library, it is one instruction, in the same encoding as the
/// code around it. The instruction in libm is in SSE's encoding, which costs a hundred cycles among AVX instructions.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrt(x)
}

/// The larger of two, or `b` if one is NaN. This is one instruction, unlike `f64::max`.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// The smaller of two, or `b` if one is NaN.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// The largest magnitude of a vector without NaN.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn largest(v: DVec3) -> f64 {
    larger(larger(v.x.abs(), v.y.abs()), v.z.abs())
}

/// The largest f32 that is not above `x`.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn round_down(x: f64) -> f32 {
    let nearest = x as f32;
    moved_by(nearest, -i32::from(f64::from(nearest) > x))
}

/// The smallest f32 that is not below `x`.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn round_up(x: f64) -> f32 {
    let nearest = x as f32;
    moved_by(nearest, i32::from(f64::from(nearest) < x))
}

/// Returns the f32 that is this many numbers further up; -0 is treated as one below +0. It has no branch, because half
/// of all numbers are rounded upwards.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn moved_by(x: f32, numbers: i32) -> f32 {
    // This maps bits to integers in the order of the values, and back.
    let turned = |bits: i32| bits ^ ((bits >> 31) as u32 >> 1) as i32;
    f32::from_bits(turned(turned(x.to_bits() as i32).wrapping_add(numbers)) as u32)
}

/// The largest f32 that is not above the exact sum of two f64s.
pub(crate) fn sum_down(x: f64, y: f64) -> f32 {
    let sum = x + y;
    round_down(if sum_error(x, y, sum) < 0.0 { sum.next_down() } else { sum })
}

/// The smallest f32 that is not below the exact sum of two f64s.
pub(crate) fn sum_up(x: f64, y: f64) -> f32 {
    let sum = x + y;
    round_up(if sum_error(x, y, sum) > 0.0 { sum.next_up() } else { sum })
}

/// Returns the exact error of a rounded sum (D. E. Knuth's TwoSum, "The Art of Computer Programming", vol. 2, 4.2.2).
fn sum_error(x: f64, y: f64, sum: f64) -> f64 {
    let y_part = sum - x;
    (x - (sum - y_part)) + (y - y_part)
}

/// Returns the largest power of two that is not above `size`, or 1 if there is none. Scaling by this power does not
/// round.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn power_of_two(size: f64) -> f64 {
    let power = f64::from_bits(size.to_bits() & f64::INFINITY.to_bits());
    if power > 0.0 && power.is_finite() { power } else { 1.0 }
}

/// Returns 1 divided by a power of two below 2^1023, without a division instruction. The power may be below 1.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn inverse_power_of_two(power: f64) -> f64 {
    const TWICE_THE_BIAS: u64 = (2 * 1023) << 52;
    f64::from_bits(TWICE_THE_BIAS.wrapping_sub(power.to_bits()))
}

/// `t` as reported: rounded to the nearest f32; `None` if it is NaN or outside f32's finite range.
pub(crate) fn reported_t(t: f64) -> Option<f32> {
    // Adding +0 turns -0 into +0, so that equal ts have equal bits.
    let rounded = t as f32 + 0.0;
    rounded.is_finite().then_some(rounded)
}

/// Real roots, ascending, of a t^2 - 2 b t + c = 0 for a > 0. The caller gives the quarter discriminant b^2 - a
/// c, computed by a formula that does not cancel. `None` when it is negative or NaN; equal roots when it is 0.
///
/// The root of larger magnitude comes from the sum that cannot cancel. The other root comes from their
/// product c / a (W. H. Press et al., "Numerical Recipes", 5.6).
pub(crate) fn quadratic_roots(a: f64, b: f64, c: f64, quarter_discriminant: f64) -> Option<(f64, f64)> {
    if !(quarter_discriminant >= 0.0) {
        return None;
    }
    let q = b + sqrt(quarter_discriminant).copysign(b);
    if q == 0.0 {
        return Some((0.0, 0.0));
    }
    let (x, y) = (q / a, c / q);
    if quarter_discriminant == 0.0 {
        return Some((x, x));
    }
    Some(if x <= y { (x, y) } else { (y, x) })
}

/// Returns the root of a function between two arguments at which its values have these signs, or are 0. `f` returns
/// value and slope.
///
/// From `guess` on, this uses Newton's method where that at least halves the step, and otherwise bisection (W. H. Press
/// et al., "Numerical Recipes", 9.4). It ends when the step is a roundoff of the bracket's larger end, after at most 54
/// bisections, and as many Newton steps between two bisections.
pub(crate) fn bracketed_root(mut negative: f64, mut positive: f64, guess: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let resolution = UNIT_ROUNDOFF * negative.abs().max(positive.abs());
    let within = |x: f64, p: f64, q: f64| p.min(q) < x && x < p.max(q);
    let mut step = (positive - negative).abs();
    let mut x = if within(guess, negative, positive) { guess } else { 0.5 * (negative + positive) };
    while step > resolution {
        let (value, slope) = f(x);
        if value == 0.0 {
            break;
        }
        *(if value < 0.0 { &mut negative } else { &mut positive }) = x;
        let newton = x - value / slope;
        let fast = within(newton, negative, positive) && (newton - x).abs() <= 0.5 * step;
        let next = if fast { newton } else { 0.5 * (negative + positive) };
        step = if fast { (newton - x).abs() } else { 0.5 * (positive - negative).abs() };
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_rounding_brackets_the_value() {
        for x in [0.1, -0.1, 1.0, 1e-50, -1e-50, 3.5e38, -3.5e38, 16_777_217.0] {
            assert!(f64::from(round_down(x)) <= x && x <= f64::from(round_up(x)), "{x}");
        }
        assert_eq!(round_down(0.5), 0.5);
        assert_eq!(round_up(0.5), 0.5);
    }

    #[test]
    fn roots_do_not_cancel() {
        // In t^2 - 2e8 t + 1, the textbook formula loses every digit of the small root.
        let (small, large) = quadratic_roots(1.0, 1e8, 1.0, 1e16 - 1.0).unwrap();
        assert!((small - 5e-9).abs() < 1e-24 && (large - 2e8).abs() < 1e-7);
        assert_eq!(quadratic_roots(1.0, 0.0, 0.0, 0.0), Some((0.0, 0.0)));
        assert_eq!(quadratic_roots(1.0, 0.0, 1.0, -1.0), None);
        assert_eq!(quadratic_roots(1.0, f64::NAN, 1.0, f64::NAN), None);
    }

    #[test]
    fn units_at_any_scale() {
        assert_eq!(unit(DVec3::new(1e-300, 0.0, 0.0)), Some(DVec3::X));
        assert_eq!(unit(DVec3::new(0.0, -1e300, 0.0)), Some(DVec3::NEG_Y));
        assert_eq!(unit(DVec3::ZERO), None);
        assert_eq!(unit(DVec3::new(f64::INFINITY, 0.0, 0.0)), None);
    }

    #[test]
    fn sums_are_bracketed_where_f64_rounds() {
        assert_eq!((sum_down(1.0, -1e-30), sum_up(1.0, -1e-30)), (1f32.next_down(), 1.0));
        assert_eq!((sum_down(1.0, 1e-30), sum_up(1.0, 1e-30)), (1.0, 1f32.next_up()));
        assert_eq!((sum_down(0.5, 0.25), sum_up(0.5, 0.25)), (0.75, 0.75));
        assert_eq!(sum_up(3e38, 3e38), f32::INFINITY);
    }

    #[test]
    fn powers_of_two() {
        assert_eq!([1.0, 1.99, 0.75, 1e-45, 3e38].map(power_of_two), [1.0, 1.0, 0.5, 2f64.powi(-150), 2f64.powi(127)]);
        assert_eq!([0.0, f64::NAN, f64::INFINITY].map(power_of_two), [1.0; 3]);
        assert_eq!(
            [1.0, 0.5, 1024.0, 2f64.powi(-1000)].map(inverse_power_of_two),
            [1.0, 2.0, 1.0 / 1024.0, 2f64.powi(1000)]
        );
    }

    #[test]
    fn roots_are_found_in_brackets() {
        let calls = core::cell::Cell::new(0);
        let counted = |x: f64, value: f64, slope: f64| {
            calls.set(calls.get() + 1);
            (value, slope * (1.0 + 0.0 * x))
        };
        // The cases are: easy, flat at the root, a slope that misleads, no slope at all.
        let root = bracketed_root(0.0, 4.0, f64::NAN, |x| counted(x, x * x - 2.0, 2.0 * x));
        assert!((root - core::f64::consts::SQRT_2).abs() < 1e-15);
        let root = bracketed_root(4.0, -1.0, 0.0, |x| counted(x, (1.0 - x) * (1.0 - x) * (1.0 - x), 1e-9));
        assert!((root - 1.0).abs() < 1e-5, "{root}");
        let root = bracketed_root(-1.0, 1.0, 0.9, |x| counted(x, x - 0.3, 0.0));
        assert!((root - 0.3).abs() < 1e-15);
        let root = bracketed_root(-1.0, 1.0, 0.9, |x| counted(x, f64::NAN, f64::NAN));
        assert!((-1.0..=1.0).contains(&root));
        assert!(calls.get() <= 4 * 55, "{}", calls.get());
    }
}
