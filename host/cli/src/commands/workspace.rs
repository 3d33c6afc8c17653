//! `dsh-fs workspace`: directories with a title, and the sessions that work there.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use dsh_fs::name::{shown, to_text};
use dsh_fs_state::{StateError, Workspace, Workspaces};
use serde_json::{Value, json};

use crate::args::{Database, NamedWorkspace, WorkspaceAction, WorkspaceArgs};
use crate::database::failed;
use crate::exit::Failure;
use crate::output::say;
use crate::paint::Paint;
use crate::state::needed_store;

/// Looks at workspaces, or changes them.
pub(crate) fn workspace(args: &WorkspaceArgs) -> Result<(), Failure> {
    let (database, done) = run(&args.action)?;
    match (done, database.json) {
        (Done::Workspaces(all), true) => {
            let all: Result<Vec<_>, _> = all.iter().map(|one| value(database, one)).collect();
            say!("{:#}", json!({ "workspaces": all? }))
        }
        (Done::Workspaces(all), false) => all.iter().try_for_each(|one| line(database, one)),
        (Done::One(one), true) => say!("{:#}", value(database, &one)?),
        (Done::One(one), false) => print(database, &one),
        (Done::Archived(sessions), true) => say!("{:#}", json!({ "archived": sessions })),
        (Done::Archived(sessions), false) => {
            sessions.iter().try_for_each(|name| say!("{}", shown(name)))
        }
        (Done::Deleted(id), true) => say!("{:#}", json!({ "deleted": id })),
        (Done::Deleted(id), false) => say!("deleted: {id}"),
    }
}

/// What came of it.
enum Done {
    Workspaces(Vec<Workspace>),
    One(Workspace),
    Archived(Vec<String>),
    Deleted(String),
}

fn run(action: &WorkspaceAction) -> Result<(&Database, Done), Failure> {
    use WorkspaceAction::{
        Archive, Attach, Create, Delete, Detach, List, Rename, Reorder, Resolve, Show, Unarchive,
    };
    Ok(match action {
        List(database) => (
            database,
            Done::Workspaces(open(database)?.list().map_err(failed)?),
        ),
        Create {
            database,
            folder,
            title,
        } => {
            let made = open(database)?.create(&text(folder), title.as_deref());
            (database, Done::One(made.map_err(failed)?))
        }
        Show(named) => (&named.database, Done::One(find(named)?)),
        Rename { named, title } => {
            let renamed = open(&named.database)?.retitle(&named.id, title);
            (&named.database, Done::One(renamed.map_err(failed)?))
        }
        Attach { named, session } => {
            let attached = open(&named.database)?.attach(&named.id, session);
            (&named.database, Done::One(attached.map_err(failed)?))
        }
        Detach { named, session } => {
            let detached = open(&named.database)?.detach(&named.id, session);
            (&named.database, Done::One(detached.map_err(failed)?))
        }
        Reorder {
            named,
            session,
            before,
        } => (
            &named.database,
            reorder(named, session.as_deref(), before.as_deref())?,
        ),
        Archive { database, session } => {
            let archived = open(database)?.archive(session);
            (database, Done::Archived(archived.map_err(failed)?))
        }
        Unarchive { database, session } => {
            let archived = open(database)?.unarchive(session);
            (database, Done::Archived(archived.map_err(failed)?))
        }
        Delete(named) => {
            open(&named.database)?.delete(&named.id).map_err(failed)?;
            (&named.database, Done::Deleted(named.id.clone()))
        }
        Resolve { database, folder } => {
            let found = open(database)?.resolve(&text(folder)).map_err(failed)?;
            let unknown = || failed(StateError::UnknownWorkspace(text(folder)));
            (database, Done::One(found.ok_or_else(unknown)?))
        }
    })
}

fn open(database: &Database) -> Result<Workspaces, Failure> {
    let store = needed_store(database.state.as_deref())?;
    store.workspaces().map_err(failed)
}

fn find(named: &NamedWorkspace) -> Result<Workspace, Failure> {
    let found = open(&named.database)?.get(&named.id).map_err(failed)?;
    found.ok_or_else(|| failed(StateError::UnknownWorkspace(named.id.clone())))
}

fn reorder(
    named: &NamedWorkspace,
    session: Option<&str>,
    before: Option<&str>,
) -> Result<Done, Failure> {
    let workspaces = open(&named.database)?;
    let moved = match session {
        Some(session) => workspaces
            .move_session(&named.id, session, before)
            .map(Done::One),
        None => workspaces
            .move_before(&named.id, before)
            .map(Done::Workspaces),
    };
    moved.map_err(failed)
}

/// A path as the database spells it.
fn text(path: &Path) -> String {
    to_text(path.as_os_str().as_bytes())
}

fn value(database: &Database, one: &Workspace) -> Result<Value, Failure> {
    let status = open(database)?.status(&one.id).map_err(failed)?;
    Ok(json!({
        "id": one.id,
        "path": one.path,
        "title": one.title,
        "sessions": one.sessions,
        "status": status.name(),
        "createdMs": one.created_ms,
        "updatedMs": one.updated_ms,
    }))
}

fn line(database: &Database, one: &Workspace) -> Result<(), Failure> {
    let paint = Paint::stdout();
    let status = open(database)?.status(&one.id).map_err(failed)?;
    let (id, title) = (paint.bold(&one.id), shown(&one.title));
    say!("{id}  {title}  {}  {}", status.name(), shown(&one.path))
}

fn print(database: &Database, one: &Workspace) -> Result<(), Failure> {
    line(database, one)?;
    let mut sessions = one.sessions.iter();
    sessions.try_for_each(|name| say!("  {}", shown(name)))
}
