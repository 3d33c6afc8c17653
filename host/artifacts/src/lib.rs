//! The components of dsh:fs: built, composed, compiled ahead of time.
