//! What the commands about the database have in common.

use anyhow::anyhow;
use dsh_fs_state::StateError;

use crate::exit::{Failure, Reason};

/// What is said where the database did not do what was asked, with its code.
pub(crate) fn failed(error: StateError) -> Failure {
    Failure::new(Reason::Database, anyhow!("{}: {error}", error.code()))
}

/// A moment in UTC, to the second.
pub(crate) fn moment(ms: i64) -> String {
    let seconds = ms.div_euclid(1_000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The date of a day counted from 1970-01-01, in eras of 400 years that begin in March.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn moments_are_dates() {
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(951_782_399_999), "2000-02-28T23:59:59Z");
        assert_eq!(moment(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(moment(1_796_127_600_000), "2026-12-01T12:20:00Z");
    }
}
