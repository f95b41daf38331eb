//! The code that `hitscan bench` shares with the benchmark of other libraries. So both cast the same rays and read the clock in the same way. That benchmark is
//! unpublished and includes this folder by its path, because a program has no library to depend on.

pub(crate) mod clock;
pub(crate) mod random;
pub(crate) mod rays;
