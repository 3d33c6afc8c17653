//! The audits of this process, and what is said at its end of one that could not be written.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use dsh_fs_runtime::{AuditSink, JsonLines};

use crate::exit::Failure;

/// Every audit that was opened, with its name.
static OPEN: Mutex<Vec<(String, Arc<JsonLines>)>> = Mutex::new(Vec::new());

/// Appends events to a file, as JSON lines.
pub(crate) fn audit_to(file: &Path) -> Result<Arc<dyn AuditSink>, Failure> {
    let name = format!("audit {}", file.display());
    let report = {
        let name = name.clone();
        move |error: &io::Error| note(&format!("{name}: {error}"))
    };
    let sink = Arc::new(JsonLines::open(file, report).with_context(|| name.clone())?);
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.push((name, Arc::clone(&sink)));
    Ok(sink)
}

/// Waits until the audits are written, and says how much each of them lacks; answers whether
/// all of them have everything.
pub(crate) fn finish() -> bool {
    let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut complete = true;
    for (name, sink) in open.iter() {
        sink.flush();
        let lost = sink.lost();
        if lost > 0 {
            complete = false;
            note(&format!("{name}: {lost} records could not be written"));
        }
    }
    complete
}

fn note(text: &str) {
    // Where standard error is closed, nobody can be told.
    let _ = writeln!(io::stderr(), "dsh-fs: note: {text}");
}
