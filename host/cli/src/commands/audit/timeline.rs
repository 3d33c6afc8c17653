//! Records as lines on a terminal: time, session, how it ended, what happened, and where.

use super::entry::Entry;
use super::wording::{self, Tone};
use crate::exit::Failure;
use crate::output::say;
use crate::paint::Paint;

/// Columns that grow with what they hold.
pub(super) struct Timeline {
    paint: Paint,
    session: usize,
    outcome: usize,
    what: usize,
}

/// The widest that a column is made for what is in it.
const WIDEST: usize = 44;

impl Default for Timeline {
    fn default() -> Self {
        Self {
            paint: Paint::stdout(),
            session: 8,
            outcome: 18,
            what: 28,
        }
    }
}

impl Timeline {
    /// Prints one record.
    pub(super) fn show(&mut self, entry: &Entry) -> Result<(), Failure> {
        let session = column(&mut self.session, &or_dash(entry.text("session")));
        let outcome = column(&mut self.outcome, &or_dash(entry.outcome()));
        let what = column(&mut self.what, &wording::what(entry));
        let outcome = match wording::tone(entry) {
            Tone::Done => self.paint.green(&outcome),
            Tone::Refused => self.paint.red(&outcome),
            Tone::Asked => self.paint.yellow(&outcome),
            Tone::Plain => outcome,
        };
        let time = or_dash(entry.text("time"));
        let line = format!(
            "{}  {session}  {outcome}  {what}  {}",
            self.paint.dim(&format!("{time:<24}")),
            entry.path()
        );
        say!("{}", line.trim_end())
    }
}

/// A text in a column that is from here on wide enough for it.
fn column(width: &mut usize, text: &str) -> String {
    *width = (*width).max(text.chars().count().min(WIDEST));
    format!("{text:<width$}", width = *width)
}

/// What stands in a column that has nothing to say.
pub(super) fn or_dash(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}
