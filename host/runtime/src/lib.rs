//! Runs the components of dsh:fs on wasmtime: sessions, limits, grants, audit.
