//! Order: one is moved ahead of another, or to the end.

use rusqlite::params;

use super::{Workspace, Workspaces, record};
use crate::error::StateError;

impl Workspaces {
    /// Moves a workspace ahead of another one, or to the end; answers all in order.
    ///
    /// # Errors
    /// [`StateError::UnknownWorkspace`]: one of them is not there. [`StateError::Failed`].
    pub fn move_before(
        &self,
        id: &str,
        before: Option<&str>,
    ) -> Result<Vec<Workspace>, StateError> {
        self.store.change(|transaction| {
            for known in [Some(id), before].into_iter().flatten() {
                record::get(transaction, known)?;
            }
            let now = record::all(transaction)?;
            let now: Vec<String> = now.into_iter().map(|workspace| workspace.id).collect();
            let sql = "UPDATE workspace SET position = ? WHERE id = ?";
            let mut place = transaction.prepare_cached(sql)?;
            let moved = moved(&now, id, before)?;
            if moved != now {
                for (position, id) in (0_i64..).zip(moved) {
                    place.execute(params![position, id])?;
                }
            }
            record::all(transaction)
        })
    }
}

/// The order after the move. To move one ahead of itself changes nothing.
pub(super) fn moved(
    now: &[String],
    one: &str,
    before: Option<&str>,
) -> Result<Vec<String>, StateError> {
    let known = |name: &str| now.iter().any(|known| known == name);
    if !known(one) {
        return Err(StateError::NotAccounted {
            name: one.to_owned(),
            anchor: false,
        });
    }
    if let Some(anchor) = before.filter(|anchor| !known(anchor)) {
        return Err(StateError::NotAccounted {
            name: anchor.to_owned(),
            anchor: true,
        });
    }
    if before == Some(one) {
        return Ok(now.to_vec());
    }
    let mut moved: Vec<String> = now.iter().filter(|name| *name != one).cloned().collect();
    let place = moved
        .iter()
        .position(|name| Some(name.as_str()) == before)
        .unwrap_or(moved.len());
    moved.insert(place, one.to_owned());
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn an_order_stays_a_permutation() {
        let now: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        let order = |one, before| moved(&now, one, before).map(|names| names.concat());
        assert_eq!(order("c", Some("a")).ok().as_deref(), Some("cab"));
        assert_eq!(order("a", None).ok().as_deref(), Some("bca"));
        assert_eq!(order("a", Some("c")).ok().as_deref(), Some("bac"));
        assert_eq!(order("b", Some("b")).ok().as_deref(), Some("abc"));
        assert!(order("x", None).is_err() && order("a", Some("x")).is_err());
    }
}
