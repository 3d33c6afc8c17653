//! The tools of dsh:fs as a component: read, write, edit, list.
