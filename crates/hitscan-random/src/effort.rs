//! The effort of a run. One setting is for the sizes of all tests, and one for their seeds.

use std::env;
use std::str::FromStr;

/// The environment variable that sets the effort: `quick`, `full`, `long`, or a multiple of the long sizes such as `long*0.1`.
pub const EFFORT: &str = "HITSCAN_EFFORT";

/// The environment variable that replaces the seed of each test that prints its seed.
pub const SEED: &str = "HITSCAN_SEED";

/// An effort chooses the sizes of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Effort {
    /// The sizes of a contributor's loop.
    #[default]
    Quick,
    /// The sizes of the gate.
    Full,
    /// The sizes of `cargo xtask long`, times a factor.
    Long(f64),
}

impl Effort {
    /// Returns the effort that the environment sets, or [`Quick`](Self::Quick) if it sets none.
    ///
    /// # Panics
    ///
    /// Panics if the variable has another value. The message names the variable and the value.
    pub fn get() -> Self {
        env::var(EFFORT)
            .map_or(Self::Quick, |text| text.parse().unwrap_or_else(|error| panic!("{EFFORT}={text}: {error}")))
    }

    /// Returns whether this is a long run. A test then runs alone, so it may print its progress.
    pub fn is_long(self) -> bool {
        matches!(self, Self::Long(_))
    }

    /// Chooses one of three sizes. A long size is at least 1.
    pub fn size(self, quick: usize, full: usize, long: usize) -> usize {
        match self {
            Self::Quick => quick,
            Self::Full => full,
            Self::Long(factor) => ((long as f64 * factor) as usize).max(1),
        }
    }
}

impl FromStr for Effort {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let factor = |text: &str| text.parse().ok().filter(|factor: &f64| *factor > 0.0 && factor.is_finite());
        match text {
            "quick" => Ok(Self::Quick),
            "full" => Ok(Self::Full),
            "long" => Ok(Self::Long(1.0)),
            _ => text
                .strip_prefix("long*")
                .and_then(factor)
                .map(Self::Long)
                .ok_or("the efforts are quick, full, long, and a positive multiple such as long*0.1"),
        }
    }
}

/// Returns the size of a test for the effort of this run: in a contributor's loop, in the gate, and in a long run.
pub fn size(quick: usize, full: usize, long: usize) -> usize {
    Effort::get().size(quick, full, long)
}

/// Returns the seed of a test: its default, or the number that the environment sets. Prints it, so that a failure can be repeated.
///
/// # Panics
///
/// Panics if the variable is set to something that is no number.
pub fn seed(usual: u64) -> u64 {
    let seed = env::var(SEED)
        .map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{SEED}={text}: that is no number")));
    println!("seed {seed} ({SEED}={seed} repeats it)");
    seed
}

#[cfg(test)]
mod tests {
    use super::Effort;

    #[test]
    fn efforts_are_words_and_multiples() {
        assert_eq!("quick".parse(), Ok(Effort::Quick));
        assert_eq!("full".parse(), Ok(Effort::Full));
        assert_eq!("long".parse(), Ok(Effort::Long(1.0)));
        assert_eq!("long*0.25".parse(), Ok(Effort::Long(0.25)));
        for wrong in ["", "Full", "long*", "long*-1", "long*inf", "3"] {
            assert!(wrong.parse::<Effort>().is_err(), "{wrong}");
        }
        assert_eq!(
            [Effort::Quick, Effort::Full, Effort::Long(0.5)].map(|effort| effort.size(1, 20, 300)),
            [1, 20, 150]
        );
        assert_eq!(Effort::Long(1e-9).size(1, 20, 300), 1);
    }
}
