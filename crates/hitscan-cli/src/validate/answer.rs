//! The answer of the command.

use super::verdict::Verdict;
use serde::Serialize;

/// The output of `--json`.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    pub(super) model: &'a str,
    pub(super) is_sound: bool,
    pub(super) parts: Vec<PartVerdict<'a>>,
    pub(super) whole: Verdict,
    pub(super) left_out: Vec<String>,
}

/// The verdict on a part, with the first entity that shows it.
#[derive(Serialize)]
pub(super) struct PartVerdict<'a> {
    pub(super) entity: &'a str,
    pub(super) node: Option<u32>,
    /// The number of entities that show it.
    pub(super) instances: u64,
    #[serde(flatten)]
    pub(super) verdict: Verdict,
}
