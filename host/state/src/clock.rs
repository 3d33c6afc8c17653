//! The time as it is stored.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, in UTC; 0 where the clock stands before that.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}
