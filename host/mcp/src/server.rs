//! What a client asks for, and who answers it.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dsh_fs::types::Mode;
use dsh_fs_harness::{Agent, AgentOptions, Harness, HarnessError};
use dsh_fs_runtime::Approver;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestMethod, CallToolRequestParams, CallToolResponse, ConstString, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, InitializeRequestParams, InitializeResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::{ElicitationMode, NotificationContext, Peer, RequestContext, RoleServer};
use serde_json::Value;

use crate::approval::AtTheClient;
use crate::call::{Call, Calls, NotRun};
use crate::client_roots::{ClientRoots, Unknown};
use crate::error::ServeError;
use crate::lines::Ended;
use crate::options::{Approval, McpOptions};
use crate::{answer, tools, wording};

/// The server of one client. Clones share everything.
#[derive(Clone)]
pub(crate) struct Server(Arc<Shared>);

struct Shared {
    harness: Arc<Harness>,
    options: McpOptions,
    /// There once the client has said what it can do.
    session: OnceLock<Session>,
    /// Why there is none, for whoever started the server.
    failure: Mutex<Option<HarnessError>>,
    calls: Calls,
    roots: ClientRoots,
    ended: Ended,
}

/// The session of the client.
struct Session {
    agent: Arc<Agent>,
    /// Whether anybody can be asked for wider permissions.
    askable: bool,
    /// The mode that the client's list of tools was made for.
    listed: Mutex<Mode>,
}

impl Server {
    pub(crate) fn new(harness: Arc<Harness>, options: McpOptions, ended: Ended) -> Self {
        Self(Arc::new(Shared {
            harness,
            options,
            session: OnceLock::new(),
            failure: Mutex::new(None),
            calls: Calls::new(),
            roots: ClientRoots::default(),
            ended,
        }))
    }

    /// Why the session could not be opened, if that was so.
    pub(crate) fn failure(&self) -> Option<ServeError> {
        let failure = self.0.failure.lock();
        let failure = failure.unwrap_or_else(PoisonError::into_inner).take();
        failure.map(ServeError::from)
    }

    /// Waits until no call runs.
    pub(crate) async fn finish(&self) {
        self.0.calls.finish().await;
    }

    fn session(&self) -> Result<&Session, ErrorData> {
        let session = self.0.session.get();
        session.ok_or_else(|| ErrorData::invalid_request(wording::not_begun(), None))
    }

    /// Opens the session, now that it is known who can be asked. Done once.
    async fn open(&self, peer: &Peer<RoleServer>) -> Result<String, ErrorData> {
        let approver = self.approver(peer);
        let askable = approver.is_some();
        let shared = Arc::clone(&self.0);
        // The component runs here too: not on the thread that serves.
        let opened = tokio::task::spawn_blocking(move || {
            let agent = match shared.session.get() {
                Some(session) => Arc::clone(&session.agent),
                None => Arc::new(shared.agent(approver)?),
            };
            let policy = agent.policy_text().map_err(HarnessError::Session)?;
            let mode = agent.mode();
            Ok::<_, HarnessError>((agent, mode, policy))
        });
        let opened = opened.await.map_err(|error| broken(&error.to_string()))?;
        let (agent, mode, policy) = opened.map_err(|error| self.cannot_open(error))?;
        let listed = Mutex::new(mode);
        self.0.session.get_or_init(|| Session {
            agent,
            askable,
            listed,
        });
        Ok(policy)
    }

    fn approver(&self, peer: &Peer<RoleServer>) -> Option<Arc<dyn Approver>> {
        match &self.0.options.approval {
            Approval::Never => None,
            Approval::By(approver) => Some(Arc::clone(approver)),
            Approval::Client => {
                let forms = peer.supported_elicitation_modes();
                let at_the_client = || {
                    let lasting = self.0.harness.store().is_some();
                    let client = AtTheClient::new(peer.clone(), self.0.ended.clone(), lasting);
                    Arc::new(client) as Arc<dyn Approver>
                };
                forms.contains(&ElicitationMode::Form).then(at_the_client)
            }
        }
    }

    /// Sees to it that the roots of the client hold; until they are known, or the call is
    /// withdrawn.
    async fn settle_roots(&self, context: &RequestContext<RoleServer>) -> Result<(), Unknown> {
        let Some(session) = self.0.session.get().filter(|_| self.0.options.client_roots) else {
            return Ok(());
        };
        tokio::select! {
            settled = self.0.roots.settle(&context.peer, &session.agent) => settled,
            () = context.ct.cancelled() => Err(Unknown),
        }
    }

    /// The same, ahead of the first mutation. Where the client does not answer, that one
    /// asks again.
    async fn look_at_roots(&self, peer: &Peer<RoleServer>) {
        let Some(session) = self.0.session.get().filter(|_| self.0.options.client_roots) else {
            return;
        };
        self.0
            .roots
            .settle(peer, &session.agent)
            .await
            .unwrap_or_default();
    }

    /// Tells the client that its list of tools is old, if the mode is another one by now.
    /// The answer of a call does not wait for it.
    fn tell_of_another_mode(&self, peer: Peer<RoleServer>) {
        let shared = Arc::clone(&self.0);
        tokio::spawn(async move {
            let old = tokio::task::spawn_blocking(move || {
                let session = shared.session.get();
                session.is_some_and(|session| session.is_news(session.agent.mode()))
            });
            if old.await.unwrap_or_default() {
                // A client that is gone needs no list.
                let _ = peer.notify_tool_list_changed().await;
            }
        });
    }

    fn cannot_open(&self, error: HarnessError) -> ErrorData {
        let told = broken(&error.to_string());
        let failure = self.0.failure.lock();
        *failure.unwrap_or_else(PoisonError::into_inner) = Some(error);
        told
    }
}

impl Shared {
    fn agent(&self, approver: Option<Arc<dyn Approver>>) -> Result<Agent, HarnessError> {
        let options = AgentOptions {
            approver,
            guarding: self.options.guarding,
            named_by: None,
        };
        self.harness.agent(&self.options.session, options)
    }
}

impl Session {
    /// The modes that may be asked for now; the list of tools is made for them.
    ///
    /// The agent may be busy: not to be called on the thread that serves.
    fn wider_modes(&self) -> Vec<Mode> {
        let now = self.agent.mode();
        self.is_news(now);
        if !self.askable || !self.agent.is_confined() {
            return Vec::new();
        }
        let all = [Mode::ReadOnly, Mode::WorkspaceWrite, Mode::DangerFullAccess];
        all.into_iter().filter(|mode| *mode > now).collect()
    }

    /// Whether the mode is another one than the client's list of tools was made for.
    fn is_news(&self, mode: Mode) -> bool {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *listed, mode) != mode
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let implementation = Implementation::new("dsh-fs", env!("CARGO_PKG_VERSION"))
            .with_title(wording::SERVER_TITLE);
        ServerConfig::new(capabilities).with_server_info(implementation)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25).into()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        context.peer.set_peer_info(request);
        let policy = self.open(&context.peer).await?;
        Ok(result.with_instructions(wording::instructions(&policy)))
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.session()?;
        let shared = Arc::clone(&self.0);
        let wider = tokio::task::spawn_blocking(move || {
            let session = shared.session.get();
            session.map(Session::wider_modes).unwrap_or_default()
        });
        let wider = wider.await.map_err(|error| broken(&error.to_string()))?;
        Ok(ListToolsResult::with_all_items(tools::offered(&wider)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let session = self.session()?;
        let Some(tool) = tools::named(&request.name) else {
            let why = wording::unknown_tool(&request.name);
            return Err(ErrorData::invalid_params(why, None));
        };
        if !tool.reads_only
            && let Err(Unknown) = self.settle_roots(&context).await
        {
            return Ok(answer::result(answer::roots_unknown()).into());
        }
        let call = Call {
            tool: tool.name,
            args: Value::Object(request.arguments.unwrap_or_default()),
            reads_only: tool.reads_only,
        };
        let answer = self.0.calls.run(&session.agent, call, &context).await;
        self.tell_of_another_mode(context.peer);
        match answer {
            Ok(answer) => Ok(answer::result(answer).into()),
            // Nobody reads this: a request that was cancelled has no response.
            Err(NotRun::Cancelled) => Err(broken(wording::CANCELLED)),
            Err(NotRun::Broken(why)) => Err(broken(&why)),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A call whose parameters have another shape arrives here.
        if request.method == CallToolRequestMethod::VALUE {
            return Err(ErrorData::invalid_params(wording::not_a_call(), None));
        }
        Err(ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            request.method,
            None,
        ))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.look_at_roots(&context.peer).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.0.roots.changed();
        self.look_at_roots(&context.peer).await;
    }
}

fn broken(why: &str) -> ErrorData {
    ErrorData::internal_error(why.to_owned(), None)
}
