//! Checks of what a model sent, in the order in which it is told about them.

use crate::bindings::exports::dsh::fs::tools::Failure;
use crate::envelope::push_number;
use crate::failure::invalid;

/// A path that is not blank. Blanks around it are part of it.
pub(crate) fn path(path: &str) -> Result<&str, Failure> {
    match path.trim().is_empty() {
        true => Err(invalid("file_path must be a non-empty string")),
        false => Ok(path),
    }
}

/// A count from 1 on; 1 where none is given. One that is too large for any file is
/// taken as the largest there is.
pub(crate) fn position(name: &str, given: Option<i64>) -> Result<u32, Failure> {
    match given {
        None => Ok(1),
        Some(count) if count < 1 => Err(not_positive(name)),
        Some(count) => Ok(u32::try_from(count).unwrap_or(u32::MAX)),
    }
}

/// A number of lines or entries; the most there may be where none is given.
pub(crate) fn limit(given: Option<i64>, most: u32) -> Result<u32, Failure> {
    let Some(count) = given else { return Ok(most) };
    if count < 1 {
        return Err(not_positive("limit"));
    }
    match u32::try_from(count) {
        Ok(count) if count <= most => Ok(count),
        _ => {
            let mut message = String::from("limit must be less than or equal to ");
            push_number(&mut message, u64::from(most));
            Err(invalid(message))
        }
    }
}

/// A text to find, and a different one to put in its place.
pub(crate) fn replacement(old: &str, new: &str) -> Result<(), Failure> {
    if old.is_empty() {
        return Err(invalid("old_string must be a non-empty string"));
    }
    if old == new {
        return Err(invalid("old_string and new_string must differ"));
    }
    Ok(())
}

fn not_positive(name: &str) -> Failure {
    invalid([name, " must be a positive integer"].concat())
}
