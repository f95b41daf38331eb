//! Nothing but a place for a lock file.
