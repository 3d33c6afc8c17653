//! The roots that a client names: nothing is changed outside them.
//!
//! They narrow and never widen. A client that has roots and does not say which, has its
//! mutations refused until it does; one that names none at all may change nothing.

#![allow(
    deprecated,
    reason = "roots are deprecated from 2026-07-28 on, which is not spoken here"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dsh_fs_harness::Agent;
use rmcp::model::ListRootsResult;
use rmcp::service::{Peer, RoleServer, ServiceError};
use tokio::sync::Mutex;
use url::Url;

/// How long a client has to name its roots.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is known of the roots of one client.
#[derive(Default)]
pub(crate) struct ClientRoots {
    /// How often the client has said that they changed, counted from 1.
    changed: AtomicU64,
    /// The count for which they were asked last; 0 before the first time.
    known: Mutex<u64>,
}

/// The client did not name its roots.
#[derive(Debug)]
pub(crate) struct Unknown;

impl ClientRoots {
    /// They are to be asked for again.
    pub(crate) fn changed(&self) {
        self.changed.fetch_add(1, Ordering::SeqCst);
    }

    /// Narrows the agent to the roots of now, if the client has any and they are not known
    /// yet. Others wait meanwhile.
    pub(crate) async fn settle(
        &self,
        peer: &Peer<RoleServer>,
        agent: &Arc<Agent>,
    ) -> Result<(), Unknown> {
        if !has_roots(peer) {
            return Ok(());
        }
        let mut known = self.known.lock().await;
        loop {
            let now = self.changed.load(Ordering::SeqCst) + 1;
            if *known == now {
                return Ok(());
            }
            let answer = tokio::time::timeout(PATIENCE, ask(peer)).await;
            let Ok(Ok(roots)) = answer else {
                return Err(Unknown);
            };
            narrow(agent, directories(&roots)).await;
            *known = now;
        }
    }
}

fn has_roots(peer: &Peer<RoleServer>) -> bool {
    peer.peer_info()
        .is_some_and(|client| client.capabilities.roots.is_some())
}

async fn ask(peer: &Peer<RoleServer>) -> Result<ListRootsResult, ServiceError> {
    peer.list_roots().await
}

/// Waits for the call that runs, off the loop that serves.
async fn narrow(agent: &Arc<Agent>, directories: Vec<PathBuf>) {
    let agent = Arc::clone(agent);
    let narrowed = tokio::task::spawn_blocking(move || agent.narrow_to(Some(&directories)));
    narrowed.await.expect("to narrow a session does not panic");
}

/// Only files have places here: a root of another kind contains nothing.
fn directories(roots: &ListRootsResult) -> Vec<PathBuf> {
    let path = |uri: &String| Url::parse(uri).ok()?.to_file_path().ok();
    let uris = roots.roots.iter().map(|root| &root.uri);
    uris.filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rmcp::model::{ListRootsResult, Root};

    use super::directories;

    #[test]
    fn only_file_urls_are_directories_and_escapes_are_read() {
        let uris = [
            "file:///a/b%20c",
            "https://example.com/d",
            "/plain",
            "file://elsewhere/e",
            "file:///f/../g/",
            "file:///%ff",
        ];
        let roots = ListRootsResult::new(uris.map(Root::new).to_vec());
        let bytes = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"/\xff");
        let expected = [
            PathBuf::from("/a/b c"),
            PathBuf::from("/g/"),
            PathBuf::from(bytes),
        ];
        assert_eq!(directories(&roots), expected);
    }
}
