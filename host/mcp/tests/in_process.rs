//! A server and a client of the same SDK in one process, over a pipe in memory.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

use std::path::Path;
use std::sync::{Arc, Mutex};

use dsh_fs::local::{LocalFileSystem, PublishOptions};
use dsh_fs::roots::RootRules;
use dsh_fs::sandbox::SandboxedFileSystem;
use dsh_fs::types::Mode;
use dsh_fs::version::VersionSecret;
use dsh_fs_harness::deployment::Deployment;
use dsh_fs_harness::{Harness, HarnessOptions};
use dsh_fs_mcp::{Approval, McpOptions, ServeError, serve};
use dsh_fs_runtime::{Approver, Decision, Question, RuntimeOptions, Silent};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ErrorData, Implementation,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// A client whose person gives one answer; none where nobody sits there.
#[derive(Clone, Default)]
struct Client {
    answer: Option<&'static str>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = self.answer.map(|_| Default::default());
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            panic!("no form");
        };
        self.asked.lock().expect("nobody panicked").push(message);
        let content = json!({ "answer": self.answer });
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }
}

/// A client at a server over a workspace of its own.
struct Place {
    folder: TempDir,
    client: RunningService<RoleClient, Client>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Place {
    async fn new(client: Client, approval: Approval) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        std::fs::create_dir(folder.path().join("ws")).expect("a workspace");
        let harness = Arc::new(harness(&folder.path().join("ws")));
        let mut options = McpOptions::new("s1");
        options.approval = approval;
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(far);
        let server = tokio::spawn(serve(harness, options, input, output));
        let client = client.serve(near).await.expect("a greeting");
        Self {
            folder,
            client,
            server,
        }
    }

    async fn call(&self, tool: &'static str, args: Value) -> CallToolResult {
        let Value::Object(args) = args else {
            panic!("arguments are an object");
        };
        let request = CallToolRequestParams::new(tool).with_arguments(args);
        self.client.call_tool(request).await.expect("an answer")
    }

    async fn write_outside(&self) -> String {
        let path = self.folder.path().join("outside.txt");
        let args = json!({
            "file_path": path,
            "content": "x",
            "sandbox_permissions": "danger-full-access",
            "justification": "a reason",
        });
        let code = code(&self.call("write", args).await);
        assert_eq!(path.exists(), code == "ok");
        code
    }

    async fn offers_escalation(&self) -> bool {
        let tools = self.client.list_all_tools().await.expect("tools");
        let write = tools.iter().find(|tool| tool.name == "write");
        let schema = write.expect("write").schema_as_json_value();
        schema["properties"].get("sandbox_permissions").is_some()
    }

    /// The server ends with its client.
    async fn end(self) {
        self.client.cancel().await.expect("an end");
        let served = self.server.await.expect("no panic");
        served.expect("a clean end");
    }
}

fn harness(workspace: &Path) -> Harness {
    let secret = VersionSecret::random().expect("random bytes");
    let local = LocalFileSystem::new(secret, PublishOptions::default());
    let files = SandboxedFileSystem::new(Arc::new(local), RootRules::workspace_only());
    let root = workspace.canonicalize().expect("a workspace");
    Harness::open(HarnessOptions {
        files: Arc::new(files),
        root: root.to_str().expect("plain text").to_owned(),
        mode: Mode::WorkspaceWrite,
        runtime: RuntimeOptions::default(),
        transactions: None,
        audit: Arc::new(Silent),
        store: None,
        deployment: Deployment::default(),
        shell: None,
    })
    .expect("a deployment")
}

fn code(result: &CallToolResult) -> String {
    let value = result.structured_content.as_ref().expect("a value");
    let code = value.get("code").and_then(Value::as_str);
    assert_eq!(result.is_error, Some(code.is_some()), "{value}");
    code.unwrap_or("ok").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_person_at_the_client_is_asked_in_the_words_of_the_host() {
    for (answer, expected) in [("once", "ok"), ("no", "ESCALATION_REFUSED")] {
        let client = Client {
            answer: Some(answer),
            ..Client::default()
        };
        let place = Place::new(client.clone(), Approval::Client).await;
        assert!(place.offers_escalation().await);
        assert_eq!(place.write_outside().await, expected);
        let asked = client.asked.lock().expect("nobody panicked").clone();
        assert_eq!(asked.len(), 1);
        assert!(asked[0].contains("outside.txt"), "{}", asked[0]);
        place.end().await;
    }
}

/// Says yes, and is no client.
struct Embedder;

impl Approver for Embedder {
    fn ask(&self, _question: &Question) -> Decision {
        Decision::AllowedOnce
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approver_of_the_embedder_is_asked_in_place_of_the_client() {
    let place = Place::new(Client::default(), Approval::By(Arc::new(Embedder))).await;
    assert!(place.offers_escalation().await);
    assert_eq!(place.write_outside().await, "ok");
    place.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_can_be_asked_nothing_is_offered_and_nothing_let_through() {
    let place = Place::new(Client::default(), Approval::Client).await;
    assert!(!place.offers_escalation().await);
    assert_eq!(place.write_outside().await, "ESCALATION_REFUSED");
    place.end().await;
}

/// Many more calls than threads, and the loop goes on answering.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_at_once_are_answered() {
    let place = Arc::new(Place::new(Client::default(), Approval::Client).await);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1_000 {
        let place = Arc::clone(&place);
        calls.spawn(async move {
            let path = format!("{}.txt", number % 250);
            let args = json!({ "file_path": path, "content": "x" });
            match number % 2 {
                0 => code(&place.call("write", args).await),
                _ => code(&place.call("list", json!({})).await),
            }
        });
    }
    let codes = calls.join_all().await;
    assert_eq!(codes.len(), 1_000);
    assert!(codes.iter().all(|code| code == "ok"), "{codes:?}");
    let place = Arc::into_inner(place).expect("every call has ended");
    place.end().await;
}
