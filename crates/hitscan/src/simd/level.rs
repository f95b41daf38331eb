//! The instruction sets: their names, which of them a processor has, and which one is in use. This file also decides
//! how a query is compiled for each, and whether the tests of rays are inlined. A new one is added in this file
//! alone.

use super::simd_trait::Simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32;
use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};
use fearless_simd::{Level, SimdInto, f32x4, f32x8, f64x4};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use fearless_simd::{SimdCombine, SimdSplit, f64x2};

/// An instruction set that rays are cast with. The answers have the same bits with each of them.
///
/// By default the best level of the processor is chosen at run time (without the standard library, the best level that
/// the program is compiled for). Choose another one only for tests and measurements. On x86-64 the library has code
/// for SSE2, which every processor has, and for AVX2. The feature `all-simd` adds the levels that are never the best:
/// [`Scalar`](Self::Scalar) and [`Avx512`](Self::Avx512).
///
/// ```
/// use hitscan::simd::SimdLevel;
///
/// for level in SimdLevel::available() {
///     level.select()?;
///     assert_eq!(SimdLevel::current(), level);
/// }
/// SimdLevel::best().select()?;
/// # Ok::<(), hitscan::simd::SimdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// No vectors. It is available with the feature `all-simd`, and on targets that do not always have vectors.
    Scalar,
    /// x86 with SSE2: every x86-64 processor.
    Sse2,
    /// x86 with AVX2 and FMA.
    Avx2,
    /// x86 with AVX-512, with the extensions of Ice Lake and later. It is available with the feature `all-simd`.
    Avx512,
    /// 64-bit ARM.
    Neon,
    /// WebAssembly with its 128-bit vectors.
    Simd128,
}

/// Says whether code without vectors is compiled. If the target always has vectors, by the condition that
/// fearless_simd uses, such code is never chosen.
pub(crate) const HAS_SCALAR: bool = cfg!(any(
    feature = "all-simd",
    not(any(
        all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2", target_feature = "fxsr"),
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
));

/// The selected level, as its index in `ALL` plus 1; 0 means the best. On x86 the first query stores the number of
/// the best level.
static SELECTED: AtomicU8 = AtomicU8::new(0);

impl SimdLevel {
    const ALL: [Self; 6] = [Self::Scalar, Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon, Self::Simd128];

    /// Returns the instruction set in use.
    pub fn current() -> Self {
        match SELECTED.load(Ordering::Relaxed) {
            0 => Self::best(),
            selected => Self::ALL[usize::from(selected) - 1],
        }
    }

    /// Returns the fastest instruction set of this processor. That is AVX2 even if there is AVX-512: measurements show
    /// that its masks cost more than its registers save. There is no code for SSE4.2, whose instructions gain nothing
    /// in these kernels.
    pub fn best() -> Self {
        Self::available().filter(|level| *level != Self::Avx512).last().unwrap_or(Self::Scalar)
    }

    /// Iterates over all levels, including the ones that are not compiled.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter()
    }

    /// Iterates over the instruction sets of this processor and program, from the oldest to the newest.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.token().is_some())
    }

    /// Selects this instruction set for the whole program.
    ///
    /// # Errors
    /// Returns an error if it is not available here.
    pub fn select(self) -> Result<(), SimdError> {
        if self.token().is_none() {
            return Err(SimdError::Unavailable(self));
        }
        SELECTED.store(self.number(), Ordering::Relaxed);
        Ok(())
    }

    /// Returns the number by which it is stored.
    const fn number(self) -> u8 {
        self as u8 + 1
    }

    fn token(self) -> Option<Level> {
        #[allow(unused_variables, reason = "there may be no vectors")]
        let best = detected();
        match self {
            Self::Scalar => HAS_SCALAR.then(Level::fallback),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse2 => best.as_sse2().map(Level::Sse2),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => best.as_avx2().map(Level::Avx2),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "all-simd"))]
            Self::Avx512 => best.as_avx512().map(Level::Avx512),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => best.as_neon().map(Level::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => best.as_wasm_simd128().map(Level::WasmSimd128),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }
}

/// Returns the level in use, for `dispatch!`.
#[inline(always)]
pub(crate) fn current() -> Level {
    let selected = SELECTED.load(Ordering::Relaxed);
    // This is a single comparison, because each query begins with it.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if selected == SimdLevel::Avx2.number() {
        // SAFETY: this number is only stored if the level is available.
        return Level::Avx2(unsafe { fearless_simd::Avx2::assume_supported() });
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    if selected == 0 {
        return detected();
    }
    other(selected)
}

/// Returns the level with a number; for 0 it is the best one, whose number is then stored.
#[cold]
#[inline(never)]
fn other(selected: u8) -> Level {
    let level = match selected {
        0 => {
            let best = SimdLevel::best();
            // The number is stored unless another one was selected meanwhile.
            let _ = SELECTED.compare_exchange(0, best.number(), Ordering::Relaxed, Ordering::Relaxed);
            best
        }
        selected => SimdLevel::ALL[usize::from(selected) - 1],
    };
    level.token().unwrap_or_else(detected)
}

#[inline(always)]
fn detected() -> Level {
    #[cfg(feature = "std")]
    return Level::new();
    #[cfg(not(feature = "std"))]
    Level::baseline()
}

/// Compiles `op` for each instruction set, with the token of the one in use.
///
/// This works like the macro of `fearless_simd`, except that rarely used code is called, not inlined. Otherwise, the
/// function around it would save registers for that code in every call. Variables that `op` uses are moved into it, or
/// copied: assignments to a copy are lost.
macro_rules! dispatch {
    ($simd:ident => $op:expr) => {{
        use $crate::simd::Level;
        #[allow(unused_imports, reason = "there may be no vectors")]
        use $crate::simd::Vectors as _;
        match $crate::simd::current() {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2($simd) => $simd.vectorize(
                #[inline(always)]
                move || $op,
            ),
            #[cfg(target_arch = "aarch64")]
            Level::Neon($simd) => $simd.vectorize(
                #[inline(always)]
                move || $op,
            ),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::WasmSimd128($simd) => $simd.vectorize(
                #[inline(always)]
                move || $op,
            ),
            other => $crate::simd::rarely(move || match other {
                #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                Level::Sse2($simd) => $simd.vectorize(
                    #[inline(always)]
                    move || $op,
                ),
                #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "all-simd"))]
                Level::Avx512($simd) => $simd.vectorize(
                    #[inline(always)]
                    move || $op,
                ),
                Level::Fallback($simd) if $crate::simd::HAS_SCALAR => $op,
                _ => unreachable!("only instruction sets that are compiled are selected"),
            }),
        }
    }};
}
pub(crate) use dispatch;

/// Makes minima and maxima from a comparison and a selection. The minima and maxima of the standard library, which
/// handle NaN, are calls in WebAssembly.
macro_rules! lane_by_lane {
    ($smaller:ident $less:tt, $larger:ident $greater:tt, $vector:ident $float:ident $lanes:literal) => {
        lane_by_lane!($smaller $less $vector $float $lanes);
        lane_by_lane!($larger $greater $vector $float $lanes);
    };
    ($name:ident $before:tt $vector:ident $float:ident $lanes:literal) => {
        #[inline(always)]
        fn $name(self, a: $vector<Self>, b: $vector<Self>) -> $vector<Self> {
            let (a, b): ([$float; $lanes], [$float; $lanes]) = (a.into(), b.into());
            let chosen: [$float; $lanes] = core::array::from_fn(|lane| if a[lane] $before b[lane] { a[lane] } else { b[lane] });
            chosen.simd_into(self)
        }
    };
}

impl Simd for fearless_simd::Fallback {
    const HAS_VECTORS: bool = false;
    const HAS_SCENE_PACKETS: bool = false;

    #[inline(never)]
    fn shared<R>(self, op: impl FnOnce() -> R) -> R {
        op()
    }

    lane_by_lane!(smaller_f32x4 <, larger_f32x4 >, f32x4 f32 4);
    lane_by_lane!(smaller_f32x8 <, larger_f32x8 >, f32x8 f32 8);
    lane_by_lane!(smaller_f64x4 <, larger_f64x4 >, f64x4 f64 4);
}

#[allow(unused_macros, reason = "there may be no vectors")]
macro_rules! with_vectors {
    ($($level:path),*) => {
        $(impl Simd for $level {
            #[inline(always)]
            fn shared<R>(self, op: impl FnOnce() -> R) -> R {
                op()
            }
        })*
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl Simd for fearless_simd::x86::Sse2 {
    #[cfg_attr(target_feature = "sse2", inline(never))]
    #[cfg_attr(not(target_feature = "sse2"), inline(always))]
    fn shared<R>(self, op: impl FnOnce() -> R) -> R {
        op()
    }
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
with_vectors!(fearless_simd::x86::Avx2, fearless_simd::x86::Avx512);
#[cfg(target_arch = "aarch64")]
with_vectors!(fearless_simd::aarch64::Neon);

/// Makes minima and maxima of vectors of twice the width from their halves.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
macro_rules! by_halves {
    ($($name:ident $op:ident $vector:ident $half:ident),*) => {
        $(#[inline(always)]
        fn $name(self, a: $vector<Self>, b: $vector<Self>) -> $vector<Self> {
            let ((a, c), (b, d)) = (a.split(), b.split());
            let low: $half<Self> = wasm32::$op(b.into(), a.into()).simd_into(self);
            let high: $half<Self> = wasm32::$op(d.into(), c.into()).simd_into(self);
            low.combine(high)
        })*
    };
}

/// The pseudo-minima and -maxima of WebAssembly choose the first number where x86 chooses the second.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl Simd for fearless_simd::wasm32::WasmSimd128 {
    const HAS_SCENE_PACKETS: bool = false;

    #[inline(always)]
    fn shared<R>(self, op: impl FnOnce() -> R) -> R {
        op()
    }

    #[inline(always)]
    fn smaller_f32x4(self, a: f32x4<Self>, b: f32x4<Self>) -> f32x4<Self> {
        wasm32::f32x4_pmin(b.into(), a.into()).simd_into(self)
    }

    #[inline(always)]
    fn larger_f32x4(self, a: f32x4<Self>, b: f32x4<Self>) -> f32x4<Self> {
        wasm32::f32x4_pmax(b.into(), a.into()).simd_into(self)
    }

    by_halves!(
        smaller_f32x8 f32x4_pmin f32x8 f32x4,
        larger_f32x8 f32x4_pmax f32x8 f32x4,
        smaller_f64x4 f64x2_pmin f64x4 f64x2,
        larger_f64x4 f64x2_pmax f64x4 f64x2
    );
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses the name in lower case, as it is displayed.
impl FromStr for SimdLevel {
    type Err = SimdError;

    fn from_str(name: &str) -> Result<Self, SimdError> {
        Self::ALL.into_iter().find(|level| level.name() == name).ok_or(SimdError::Unknown)
    }
}

/// Why an instruction set cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdError {
    /// This processor, or the program as it is compiled, does not have the instruction set.
    Unavailable(SimdLevel),
    /// There is no instruction set of that name.
    Unknown,
}

impl fmt::Display for SimdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, levels: &mut dyn Iterator<Item = SimdLevel>| {
            levels.enumerate().try_for_each(|(i, level)| write!(f, "{}{level}", if i == 0 { "" } else { ", " }))
        };
        match self {
            Self::Unavailable(level) => {
                write!(f, "the instruction set {level} is not available here, but these are: ")?;
                list(f, &mut SimdLevel::available())
            }
            Self::Unknown => {
                write!(f, "there is no instruction set of that name; there are ")?;
                list(f, &mut SimdLevel::all())
            }
        }
    }
}

impl core::error::Error for SimdError {}
