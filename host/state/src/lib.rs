//! Keeps sessions, observations, grants and workspaces in one SQLite database.
