//! What a start found of a crash, for the person who started this.

use std::io::{self, Write};

use dsh_fs::transaction::Recovered;

/// Tells what was rolled back, or why nothing could be, on standard error.
pub(crate) fn tell(recovered: Result<Vec<Recovered>, String>) {
    let notes: Vec<String> = match recovered {
        Ok(recovered) => recovered.iter().map(Recovered::text).collect(),
        Err(message) => vec![message],
    };
    for note in notes {
        // Where standard error is closed, nobody can be told.
        let _ = writeln!(io::stderr(), "dsh-fs: note: {note}");
    }
}
