//! How a component broke, in words.

use dsh_fs::name::shown;
use wasmtime::Trap;

use crate::limits::Limits;

/// The reason, as the end of a sentence.
pub(crate) fn reason(error: &wasmtime::Error, limits: &Limits) -> String {
    match error.downcast_ref::<Trap>() {
        Some(Trap::Interrupt) => {
            format!(
                "it ran longer than {} seconds",
                limits.guest_time.as_secs_f32()
            )
        }
        Some(Trap::StackOverflow) => "its calls are nested too deeply".into(),
        Some(trap) => trap.to_string(),
        None => shown(&error.root_cause().to_string()),
    }
}
