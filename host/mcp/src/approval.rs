//! Asking the person at the client, by elicitation.

use std::cell::RefCell;
use std::time::Duration;

use dsh_fs::cancel::Cancel;
use dsh_fs_runtime::{Approver, Decision, Question, wording as host};
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientResult, ElicitRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RoleServer};
use serde_json::json;
use tokio::runtime::Handle;

use crate::lines::Ended;
use crate::wording;

/// How long a question stays open at most after its call was withdrawn.
const GLANCE: Duration = Duration::from_millis(20);

/// The only field of the form.
const FIELD: &str = "answer";

/// What a person may answer, and what that means.
const ANSWERS: [(&str, Decision); 4] = [
    ("once", Decision::AllowedOnce),
    ("session", Decision::AllowedForSession),
    ("workspace", Decision::AllowedForWorkspace),
    ("no", Decision::Rejected),
];

thread_local! {
    /// The flag of the call that runs on this thread: an approver is told the question and
    /// nothing of the call.
    static RUNNING: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// Runs a call whose questions end when this flag is raised.
pub(crate) fn asking_under<T>(cancel: &Cancel, call: impl FnOnce() -> T) -> T {
    RUNNING.set(Some(cancel.clone()));
    let result = call();
    RUNNING.set(None);
    result
}

/// The person at the client.
pub(crate) struct AtTheClient {
    peer: Peer<RoleServer>,
    runtime: Handle,
    /// Whether nobody sits there any more.
    ended: Ended,
    /// Whether an answer can outlive the server.
    lasting: bool,
}

impl AtTheClient {
    /// To be made on a thread of the runtime that serves.
    pub(crate) fn new(peer: Peer<RoleServer>, ended: Ended, lasting: bool) -> Self {
        Self {
            peer,
            runtime: Handle::current(),
            ended,
            lasting,
        }
    }

    async fn put(&self, question: &Question, withdrawn: &Cancel) -> Decision {
        let request =
            ServerRequest::ElicitRequest(ElicitRequest::new(form(question, self.lasting)));
        let options = PeerRequestOptions::no_options();
        let Ok(asked) = self.peer.send_cancellable_request(request, options).await else {
            return Decision::Unavailable;
        };
        let id = asked.id.clone();
        let reason = tokio::select! {
            answer = asked.await_response() => return match answer {
                Ok(ClientResult::ElicitResult(result)) => decision(&result),
                _ => Decision::Unavailable,
            },
            reason = self.closed(withdrawn) => reason,
        };
        let notice = CancelledNotification::new(CancelledNotificationParam::new(Some(id), None));
        // A client that is gone shows no question any more.
        let _ = self.peer.send_notification(notice.into()).await;
        reason
    }

    /// Waits until no answer is wanted, or none can come.
    async fn closed(&self, withdrawn: &Cancel) -> Decision {
        loop {
            if withdrawn.is_cancelled() {
                return Decision::Cancelled;
            }
            if self.ended.is_raised() {
                return Decision::Unavailable;
            }
            tokio::time::sleep(GLANCE).await;
        }
    }
}

impl Approver for AtTheClient {
    fn ask(&self, question: &Question) -> Decision {
        let withdrawn = RUNNING.with_borrow(Clone::clone).unwrap_or_default();
        self.runtime.block_on(self.put(question, &withdrawn))
    }
}

/// The question in the words of the host, and a choice that nothing is chosen in yet.
fn form(question: &Question, lasting: bool) -> ElicitRequestParams {
    let names: Vec<_> = ANSWERS.iter().map(|(name, _)| *name).collect();
    let titles = names.iter().map(|name| wording::choice(name, lasting));
    let titles: Vec<_> = titles.collect();
    let schema = json!({
        "type": "object",
        "properties": {
            FIELD: {
                "type": "string",
                "title": wording::CHOICE,
                "enum": names,
                "enumNames": titles,
            },
        },
        "required": [FIELD],
    });
    let schema: ElicitationSchema =
        serde_json::from_value(schema).expect("the schema is one of a form");
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: host::question(question),
        requested_schema: schema,
    }
}

/// What the person said. A form that was sent without a choice allows nothing.
fn decision(result: &ElicitResult) -> Decision {
    match result.action {
        ElicitationAction::Accept => {
            let chosen = result.content.as_ref().and_then(|form| form.get(FIELD));
            let chosen = chosen
                .and_then(|answer| answer.as_str())
                .unwrap_or_default();
            let known = ANSWERS.iter().find(|(name, _)| *name == chosen);
            known.map_or(Decision::Rejected, |(_, decision)| *decision)
        }
        ElicitationAction::Cancel => Decision::Cancelled,
        // Also what a later protocol may bring.
        _ => Decision::Rejected,
    }
}
