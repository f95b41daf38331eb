//! The shapes against oracles that share no code with them: signed distances, exact rationals, and cases by hand.

mod agreement;
mod by_hand;
mod flats;
mod oracle;
mod solids;
mod tangents;
mod testable;
