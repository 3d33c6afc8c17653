//! Names of sessions.

/// What is said of a name that is none.
pub(crate) const RULE: &str =
    "a session name is a string of 1 to 128 characters, none of them a control character";

/// The name, where it is one.
pub(crate) fn name(text: &str) -> Result<String, &'static str> {
    let short = (1..=128).contains(&text.chars().count());
    if short && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err(RULE)
    }
}
