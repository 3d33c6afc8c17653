//! What a crash interrupted, at the next start.

use dsh_fs::error::Error;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::transaction::{Recovered, Transactions};
use dsh_fs_runtime::{AuditSink, Event, Record};

/// Rolls back every change of several files whose process is gone, and writes that down.
/// What happened is in [`Recovered::text`], for whoever started this.
///
/// # Errors
/// `FS_IO_ERROR`: the folder of the journals cannot be listed.
pub fn recover(
    transactions: &Transactions,
    files: &SandboxedFileSystem,
    audit: &dyn AuditSink,
) -> Result<Vec<Recovered>, Error> {
    let recovered = transactions.recover(files)?;
    for done in &recovered {
        audit.record(&Record::now(
            None,
            Event::TransactionRolledBack {
                transaction: &done.label,
                restored: done.back.restored.len(),
                left: done.back.not_restored().count(),
                code: None,
            },
        ));
    }
    Ok(recovered)
}
