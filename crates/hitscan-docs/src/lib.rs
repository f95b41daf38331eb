//! The programs of the repository's documents, as tests. A published crate cannot have them, because its package contains no files from outside of its folder.
#![forbid(unsafe_code)]

/// The examples of the repository's README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The programs of the page on collisions, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/collisions.md")]
struct Collisions;

/// The programs of the page on picking, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/picking.md")]
struct Picking;

/// The worked example of the page on conventions, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/conventions.md")]
struct Conventions;

/// The example of the page on vectors of other libraries, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/vectors.md")]
struct VectorsOfOthers;
