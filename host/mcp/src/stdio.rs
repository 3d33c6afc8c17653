//! Standard input and output, on a runtime of its own.

use std::io;
use std::sync::Arc;

use dsh_fs_harness::Harness;
use dsh_fs_runtime::STACK_BYTES;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::ServeError;
use crate::options::McpOptions;
use crate::serve::serve_until;

/// What a thread needs besides the stack of WebAssembly, in bytes.
const HOST_STACK: usize = 3 * 512 * 1024;

/// Serves one client over standard input and output, until the input ends, or a `SIGTERM`
/// or `SIGINT` comes. Nothing but the protocol is printed.
///
/// To be called once a process, outside any tokio runtime: it makes one of its own and
/// returns when the last call has ended.
///
/// # Errors
/// [`ServeError`].
pub fn serve_stdio(harness: Arc<Harness>, options: McpOptions) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let mut terminated = signal(SignalKind::terminate())?;
        let mut interrupted = signal(SignalKind::interrupt())?;
        let stop = either(&mut terminated, &mut interrupted);
        let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
        serve_until(harness, options, input, output, stop).await
    });
    // A thread may still wait for input that nobody wants any more.
    runtime.shutdown_background();
    served
}

/// One thread serves, so that calls begin in the order in which they came; calls run on
/// threads of their own.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .thread_name("dsh-fs-mcp")
        .thread_stack_size(STACK_BYTES + HOST_STACK)
        .build()
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
