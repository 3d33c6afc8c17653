//! The decisions of dsh:fs: observation, modes, escalation, and what a model is told.
