//! The two-dimensional world against exact rational arithmetic.

mod areas;
mod bad_input;
mod lines;
mod numbers;
mod oracle;
mod round;
mod worked;
