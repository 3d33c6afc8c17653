//! The text rules of dsh:fs: literal edits, line endings, UTF-8, read windows.
