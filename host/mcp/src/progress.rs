//! How far a long call is, told to the client while it runs.

use std::future::Future;
use std::time::Duration;

use dsh_fs::cancel::{Cancel, Progress};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};

/// How often a client is told, if there is anything new.
const EVERY: Duration = Duration::from_millis(100);

/// Tells the client how far the call under this flag is, until the call ends. Each notice
/// has done more than the one before it.
pub(crate) async fn told_while<T>(
    call: impl Future<Output = T>,
    token: Option<ProgressToken>,
    peer: &Peer<RoleServer>,
    cancel: &Cancel,
) -> T {
    let Some(token) = token else {
        return call.await;
    };
    tokio::select! {
        biased;
        result = call => result,
        never = tell(token, peer, cancel) => match never {},
    }
}

async fn tell(
    token: ProgressToken,
    peer: &Peer<RoleServer>,
    cancel: &Cancel,
) -> std::convert::Infallible {
    let mut told = Progress::default();
    loop {
        tokio::time::sleep(EVERY).await;
        let now = cancel.progress();
        if now.done > told.done {
            // Where the client is gone, the end of its input says so.
            let _ = peer.notify_progress(notice(token.clone(), now)).await;
            told = now;
        }
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "the protocol counts in floating point; no file has 2^53 bytes"
)]
fn notice(token: ProgressToken, now: Progress) -> ProgressNotificationParam {
    let notice = ProgressNotificationParam::new(token, now.done as f64);
    match now.expected >= now.done {
        true => notice.with_total(now.expected as f64),
        false => notice,
    }
}
