//! One server, from the first message to the end of its calls.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use dsh_fs_harness::Harness;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::ServeError;
use crate::lines::{Ended, Lines};
use crate::options::McpOptions;
use crate::server::Server;

/// How long the calls that still run are waited for at the end. They have been withdrawn by
/// then; what is published is published whole.
const LAST_CALLS: Duration = Duration::from_secs(30);

/// Serves one client over a pair of streams, until the input ends.
///
/// Calls that run by then are finished and answered for five seconds, and withdrawn after
/// that. Must run on tokio with timers, on threads with [`dsh_fs_runtime::STACK_BYTES`] of
/// stack and 1 MiB more, as tokio's own threads have.
///
/// # Errors
/// [`ServeError`].
pub async fn serve<R, W>(
    harness: Arc<Harness>,
    options: McpOptions,
    input: R,
    output: W,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve_until(harness, options, input, output, std::future::pending()).await
}

/// The same, until `stop` at the latest: then calls have two seconds.
pub(crate) async fn serve_until<R, W>(
    harness: Arc<Harness>,
    options: McpOptions,
    input: R,
    output: W,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let ended = Ended::default();
    let server = Server::new(harness, options, ended.clone());
    let shared = server.clone();
    tokio::pin!(stop);
    let running = tokio::select! {
        running = server.serve(Lines::new(input, output, ended)) => running,
        () = &mut stop => return Ok(()),
    };
    let running = match running {
        Ok(running) => running,
        Err(error) => return shared.failure().map_or_else(|| begun_badly(error), Err),
    };
    let token = running.cancellation_token();
    let ended = running.waiting();
    tokio::pin!(ended);
    let ended = tokio::select! {
        ended = &mut ended => ended,
        () = &mut stop => {
            token.cancel();
            ended.await
        }
    };
    // One that does not end by then is left behind: its client is gone.
    let _ = tokio::time::timeout(LAST_CALLS, shared.finish()).await;
    ended.map_err(|error| ServeError::Broken(error.to_string()))?;
    Ok(())
}

/// A client that goes before it has said anything is no failure.
fn begun_badly(error: ServerInitializeError) -> Result<(), ServeError> {
    match error {
        ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled => Ok(()),
        other => Err(ServeError::Handshake(other.to_string())),
    }
}
