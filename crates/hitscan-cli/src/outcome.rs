//! The outcome of a command.

/// The result of a command that had no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Success,
    NoHit,
    /// The model is not as it should be.
    Faults,
}
