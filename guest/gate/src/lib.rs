//! The gate of dsh:fs as a component: decides, and touches nothing.
