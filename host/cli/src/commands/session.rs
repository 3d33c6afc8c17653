//! `dsh-fs session`: the sessions of the database.

use dsh_fs::name::shown;
use dsh_fs_state::{ModeEvent, ModeSource, SessionRecord, StateError, Store};
use serde_json::{Value, json};

use crate::args::{ModeArg, NamedSession, SessionAction, SessionArgs};
use crate::database::{failed, moment};
use crate::exit::Failure;
use crate::output::say;
use crate::paint::Paint;
use crate::state::needed_store;

/// Looks at sessions, or changes them.
pub(crate) fn session(args: &SessionArgs) -> Result<(), Failure> {
    match &args.action {
        SessionAction::List(database) => {
            let store = needed_store(database.state.as_deref())?;
            list(&store.sessions().map_err(failed)?, database.json)
        }
        SessionAction::Show(named) => show(named),
        SessionAction::Mode { named, mode } => set_mode(named, *mode),
        SessionAction::Fork { named, child } => {
            let store = open(named)?;
            let child = store.fork_session(&named.name, child).map_err(failed)?;
            tell(&child, &store, named.database.json)
        }
        SessionAction::Forget(named) => forget(named),
    }
}

fn open(named: &NamedSession) -> Result<Store, Failure> {
    needed_store(named.database.state.as_deref())
}

fn list(sessions: &[SessionRecord], as_json: bool) -> Result<(), Failure> {
    if as_json {
        let sessions: Vec<_> = sessions.iter().map(value).collect();
        return say!("{:#}", json!({ "sessions": sessions }));
    }
    let paint = Paint::stdout();
    for session in sessions {
        say!(
            "{}  {}  {}  {}",
            paint.bold(&shown(&session.name)),
            session.mode().name(),
            moment(session.used_ms),
            paint.dim(&shown(&session.cwd)),
        )?;
    }
    Ok(())
}

fn show(named: &NamedSession) -> Result<(), Failure> {
    let store = open(named)?;
    let session = store.session(&named.name).map_err(failed)?;
    let unknown = || failed(StateError::UnknownSession(named.name.clone()));
    tell(&session.ok_or_else(unknown)?, &store, named.database.json)
}

fn set_mode(named: &NamedSession, mode: ModeArg) -> Result<(), Failure> {
    let store = open(named)?;
    let given = store.append_mode(&named.name, mode.into(), ModeSource::User);
    given.map_err(failed)?;
    show(named)
}

fn forget(named: &NamedSession) -> Result<(), Failure> {
    open(named)?.forget_session(&named.name).map_err(failed)?;
    match named.database.json {
        true => say!("{:#}", json!({ "forgotten": named.name })),
        false => say!("forgotten: {}", shown(&named.name)),
    }
}

fn tell(session: &SessionRecord, store: &Store, as_json: bool) -> Result<(), Failure> {
    let events = store.mode_events(&session.name).map_err(failed)?;
    if as_json {
        let mut told = value(session);
        told["modeEvents"] = events.iter().map(event).collect();
        return say!("{told:#}");
    }
    let paint = Paint::stdout();
    let line = |name: &str, value: &str| say!("{}  {value}", paint.bold(&format!("{name:<9}")));
    line("session", &shown(&session.name))?;
    line("directory", &shown(&session.cwd))?;
    line("mode", session.mode().name())?;
    if let Some(parent) = &session.parent {
        line("fork of", &shown(parent))?;
    }
    line("began", &moment(session.created_ms))?;
    line("used", &moment(session.used_ms))?;
    for event in &events {
        let (mode, source, at) = (event.mode.name(), event.source.name(), moment(event.at_ms));
        line("event", &format!("{at}  {mode} ({source})"))?;
    }
    Ok(())
}

fn value(session: &SessionRecord) -> Value {
    json!({
        "name": session.name,
        "cwd": session.cwd,
        "mode": session.mode().name(),
        "parent": session.parent,
        "workspace": session.workspace,
        "createdMs": session.created_ms,
        "usedMs": session.used_ms,
    })
}

fn event(event: &ModeEvent) -> Value {
    json!({ "mode": event.mode.name(), "source": event.source.name(), "atMs": event.at_ms })
}
