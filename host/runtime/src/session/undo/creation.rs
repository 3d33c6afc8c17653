//! Taking a creation back: the file is removed.

use dsh_fs::name::shown;
use dsh_fs::types::Removal;

use super::explained;
use crate::failure::CallError;
use crate::journal::Change;
use crate::session::Session;
use crate::verbs::{ChangeAnswer, Escalation, ReadArgs, RemovalAnswer, UndoAnswer};
use crate::wording;

impl Session {
    /// The component's own answer says only why it did not come to the removal: of one that
    /// was made the host knows.
    pub(super) fn undo_creation(
        &mut self,
        change: &Change,
        escalation: Escalation,
    ) -> Result<UndoAnswer, CallError> {
        let answer = self.write_to_undo(change, String::new(), escalation)?;
        let path = shown(&change.key);
        if let Some(removal) = self.removal() {
            self.tell_of(&removal);
            let text = wording::undone_creation(&path);
            return Ok(UndoAnswer::Removed(RemovalAnswer { text, removal }));
        }
        let answer: Result<ChangeAnswer, _> = self.judged("undo", Some(&change.key), answer);
        match answer {
            Ok(_) => Err(self.end("undo", "it reported a change that it did not make".into())),
            Err(error) => Err(explained(error, &path)),
        }
    }

    fn removal(&mut self) -> Option<Removal> {
        let live = self.running.as_mut().ok()?;
        live.store.data_mut().journal.take_removal()
    }

    /// Has the component read the file, which finds nothing: the next write may create it
    /// anew. The file is removed whatever becomes of this; a component that breaks has
    /// ended its session, as the next call says.
    fn tell_of(&mut self, removal: &Removal) {
        let key = &removal.target.key;
        let read = ReadArgs {
            file_path: key.clone(),
            ..ReadArgs::default()
        }
        .into();
        if let Ok(live) = &mut self.running {
            live.store.data_mut().journal.begin_look(key.clone());
        }
        let told = self.enter("undo", |tools, store, handle| {
            tools.call_read(store, handle, &read)
        });
        if let Err(error) = told {
            tracing::warn!(%error, "the component broke after a removal");
        }
    }
}
