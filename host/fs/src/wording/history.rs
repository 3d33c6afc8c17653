//! What is said about a file that changed, where its old text is not at hand.

use std::time::Duration;

/// The content came back between the refusal and the look at it.
pub(crate) const CHANGED_BACK: &str = "By now it holds again what was seen.";

/// Sizes in bytes, then and now, and how long ago it last changed.
pub(crate) fn sizes(then: Option<u64>, now: Option<u64>, changed: Option<Duration>) -> String {
    let then = then.map(|size| format!("{size} bytes when it was seen"));
    let now = now.map(|size| format!("{size} bytes now"));
    let changed = changed.map(|age| format!("last modified {} ago", span(age)));
    let facts: Vec<String> = [then, now, changed].into_iter().flatten().collect();
    match facts.is_empty() {
        true => "The text that was seen is not kept, and nothing can be said of the file.".into(),
        false => format!("The text that was seen is not kept. {}.", facts.join(", ")),
    }
}

/// A length of time in its largest unit.
fn span(age: Duration) -> String {
    let seconds = age.as_secs();
    let (count, unit) = match seconds {
        0 => (
            age.as_millis().try_into().unwrap_or_default(),
            "millisecond",
        ),
        1..60 => (seconds, "second"),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::{Duration, sizes};

    #[test]
    fn what_is_known_is_said() {
        assert_eq!(
            sizes(Some(5), Some(7), Some(Duration::from_secs(61))),
            "The text that was seen is not kept. 5 bytes when it was seen, 7 bytes now, last \
             modified 1 minute ago."
        );
        assert!(sizes(None, None, None).ends_with("nothing can be said of the file."));
    }
}
