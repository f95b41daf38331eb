//! Which instruction set is used.

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};
use fearless_simd::Level;

/// An instruction set that rays are cast with. The answers are the same bits with each of them.
///
/// The best one of the processor is chosen at run time, or, without the standard library, the best that the program is compiled for. There is nothing to do.
/// Choosing another is for tests and measurements. On x86-64 the library has code for SSE2, which every processor has, and for AVX2. The feature `all-simd` adds
/// those that are never chosen: none, SSE4.2 and AVX-512.
///
/// ```
/// use hitscan::SimdLevel;
///
/// for level in SimdLevel::available() {
///     level.select()?;
///     assert_eq!(SimdLevel::current(), level);
/// }
/// SimdLevel::best().select()?;
/// # Ok::<(), hitscan::SimdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// No vectors.
    Scalar,
    /// x86 with SSE2: every x86-64 processor.
    Sse2,
    /// x86 with SSE4.2.
    Sse4,
    /// x86 with AVX2 and FMA.
    Avx2,
    /// x86 with AVX-512 as since Ice Lake.
    Avx512,
    /// 64-bit ARM.
    Neon,
    /// WebAssembly with its 128-bit vectors.
    Simd128,
}

/// The level that was selected, by its place in `ALL` and 1; 0 stands for the best. On x86 the first query stores that one's.
static SELECTED: AtomicU8 = AtomicU8::new(0);

impl SimdLevel {
    const ALL: [Self; 7] = [Self::Scalar, Self::Sse2, Self::Sse4, Self::Avx2, Self::Avx512, Self::Neon, Self::Simd128];

    /// What rays are cast with now.
    pub fn current() -> Self {
        match SELECTED.load(Ordering::Relaxed) {
            0 => Self::best(),
            selected => Self::ALL[usize::from(selected) - 1],
        }
    }

    /// Returns the fastest one here. It is AVX2 where there is AVX-512, too, whose masks cost more than its registers save, and SSE2 where there is SSE4.2, whose
    /// instructions gain nothing here. Both were measured.
    pub fn best() -> Self {
        Self::available().filter(|level| !matches!(level, Self::Sse4 | Self::Avx512)).last().unwrap_or(Self::Scalar)
    }

    /// Those of this processor and program, from the oldest to the newest.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.token().is_some())
    }

    /// Uses it from now on, in the whole program.
    ///
    /// # Errors
    /// One that is not available here.
    pub fn select(self) -> Result<(), SimdError> {
        if self.token().is_none() {
            return Err(SimdError::Unavailable(self));
        }
        SELECTED.store(self.number(), Ordering::Relaxed);
        Ok(())
    }

    /// As it is stored.
    const fn number(self) -> u8 {
        self as u8 + 1
    }

    fn token(self) -> Option<Level> {
        #[allow(unused_variables, reason = "there may be no vectors")]
        let best = detected();
        match self {
            #[cfg(any(
                feature = "all-simd",
                not(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"))
            ))]
            Self::Scalar => Some(Level::fallback()),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse2 => best.as_sse2().map(Level::Sse2),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "all-simd"))]
            Self::Sse4 => best.as_sse4_2().map(Level::Sse4_2),
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
            Self::Sse4 => "sse4",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }
}

/// The level in use, for `dispatch!`.
#[inline(always)]
pub(crate) fn current() -> Level {
    let selected = SELECTED.load(Ordering::Relaxed);
    // A single comparison: each query begins with it.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if selected == SimdLevel::Avx2.number() {
        // SAFETY: that number is only stored where the level is available.
        return Level::Avx2(unsafe { fearless_simd::Avx2::assume_supported() });
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    if selected == 0 {
        return detected();
    }
    other(selected)
}

/// That of a number; the best one, which is stored, if there is no number yet.
#[cold]
#[inline(never)]
fn other(selected: u8) -> Level {
    let level = match selected {
        0 => {
            let best = SimdLevel::best();
            // Unless another one was selected meanwhile.
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

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// From its name in lower case, as it is displayed.
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
    /// This processor, or the program as it is compiled, does not have it.
    Unavailable(SimdLevel),
    /// There is none of that name.
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
                list(f, &mut SimdLevel::ALL.into_iter())
            }
        }
    }
}

impl core::error::Error for SimdError {}
