//! `dsh-fs grant`: what persons allowed for longer than one call.

use anyhow::anyhow;
use dsh_fs::name::shown;
use dsh_fs_runtime::{AuditSink, Event, Record};
use dsh_fs_state::{GrantRecord, Scope};
use serde_json::{Value, json};

use crate::args::{GrantAction, GrantArgs};
use crate::database::{failed, moment};
use crate::exit::{Failure, Reason};
use crate::output::say;
use crate::paint::Paint;
use crate::recording::audit_to;
use crate::state::needed_store;

/// Lists what is remembered, or takes one of it back.
pub(crate) fn grant(args: &GrantArgs) -> Result<(), Failure> {
    match &args.action {
        GrantAction::List(database) => {
            let store = needed_store(database.state.as_deref())?;
            list(&store.grants().map_err(failed)?, database.json)
        }
        GrantAction::Revoke {
            database,
            audit,
            id,
        } => {
            // A file that cannot be written is told before anything is taken back.
            let audit = audit.as_deref().map(audit_to).transpose()?;
            let store = needed_store(database.state.as_deref())?;
            let revoked = store.revoke_grant(*id).map_err(failed)?;
            let unknown = || Failure::new(Reason::Database, anyhow!("there is no grant {id}"));
            let record = revoked.ok_or_else(unknown)?;
            if let Some(audit) = audit {
                write_down(audit.as_ref(), &record);
            }
            match database.json {
                true => say!("{:#}", json!({ "revoked": id })),
                false => say!("revoked: {id}"),
            }
        }
    }
}

fn write_down(audit: &dyn AuditSink, record: &GrantRecord) {
    let grant = &record.grant;
    let session = match &grant.scope {
        Scope::Session(name) => Some(name.as_str()),
        Scope::Workspace(_) => None,
    };
    let revoked = Event::GrantRevoked {
        tool: &grant.tool,
        key: &grant.key,
        mode: grant.mode.name(),
        scope: grant.scope.kind(),
    };
    audit.record(&Record::now(session, revoked));
}

fn list(grants: &[GrantRecord], as_json: bool) -> Result<(), Failure> {
    if as_json {
        let grants: Vec<_> = grants.iter().map(value).collect();
        return say!("{:#}", json!({ "grants": grants }));
    }
    let paint = Paint::stdout();
    for record in grants {
        let grant = &record.grant;
        let (scope, of) = (grant.scope.kind(), grant.scope.owner());
        say!(
            "{}  {} {} under {}",
            paint.bold(&record.id.to_string()),
            grant.tool,
            shown(&grant.key),
            grant.mode.name(),
        )?;
        let (given, used) = (moment(record.created_ms), record.used);
        let of = shown(of);
        say!("   for the {scope} {of}, given {given}, used {used} times")?;
    }
    Ok(())
}

fn value(record: &GrantRecord) -> Value {
    let grant = &record.grant;
    json!({
        "id": record.id,
        "scope": grant.scope.kind(),
        "of": grant.scope.owner(),
        "tool": grant.tool,
        "key": grant.key,
        "mode": grant.mode.name(),
        "createdMs": record.created_ms,
        "used": record.used,
    })
}
