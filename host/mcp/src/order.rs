//! What the order of messages demands: the greeting first, and one request of an id at a
//! time.

use std::collections::HashSet;

use rmcp::model::{ClientNotification, ClientRequest, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use serde_json::Value;

use crate::wording;

/// Where a request says which protocol it speaks, in protocols without a greeting.
const OWN_VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// What has been heard and answered so far.
#[derive(Default)]
pub(crate) struct Order {
    begun: bool,
    /// The requests that wait for their answers.
    waiting: HashSet<RequestId>,
}

/// Why a request is not taken, and whose it was, where an answer can say so.
pub(crate) struct Disorder {
    pub(crate) why: String,
    pub(crate) id: Option<RequestId>,
}

impl Order {
    /// Whether a message is taken, which stood on this line.
    ///
    /// An id that waits already is refused without one: an answer with it would pass for the
    /// answer to the request that came first.
    pub(crate) fn heard(
        &mut self,
        message: &RxJsonRpcMessage<RoleServer>,
        line: &[u8],
    ) -> Result<(), Disorder> {
        match message {
            JsonRpcMessage::Request(request) => {
                let id = &request.id;
                if !self.has_begun(&request.request, line) {
                    let (why, id) = (wording::not_begun().to_owned(), Some(id.clone()));
                    return Err(Disorder { why, id });
                }
                if !self.waiting.insert(id.clone()) {
                    let why = wording::id_is_in_use(&id.to_string());
                    return Err(Disorder { why, id: None });
                }
            }
            JsonRpcMessage::Notification(notice) => {
                if let ClientNotification::CancelledNotification(notice) = &notice.notification
                    && let Some(id) = &notice.params.request_id
                {
                    // It gets no answer.
                    self.waiting.remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        Ok(())
    }

    /// A message goes out.
    pub(crate) fn said(&mut self, message: &TxJsonRpcMessage<RoleServer>) {
        match message {
            JsonRpcMessage::Response(response) => {
                self.waiting.remove(&response.id);
            }
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.waiting.remove(id);
                }
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
    }

    /// Whether the greeting is over, or the request needs none.
    fn has_begun(&mut self, request: &ClientRequest, line: &[u8]) -> bool {
        self.begun |= matches!(request, ClientRequest::InitializeRequest(_));
        let needs_none = || {
            let line: Value = serde_json::from_slice(line).unwrap_or_default();
            matches!(request, ClientRequest::PingRequest(_)) || line.pointer(OWN_VERSION).is_some()
        };
        self.begun || needs_none()
    }
}
