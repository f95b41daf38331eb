//! This package is a place for a lock file, and has no code.
