//! Proves dsh:fs: vectors and suites.
