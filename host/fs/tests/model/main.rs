//! The provider against a map: random calls, with changes from outside between them.
//!
//! After each step the answer is the map's, the disk is the map, and nothing else lies
//! there. A failure is kept in `host/fs/proptest-regressions` and tried first from then on.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make and look at files by path"
)]

mod answer;
mod map;
mod mutation;
mod outside;
mod session;
mod step;
mod versions;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use session::Session;

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/proptest-regressions/model.txt"
);

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(KEPT))),
        ..ProptestConfig::default()
    })]

    /// Fails, for example, when `WriteJob::see` does not compare versions, or when
    /// `Fence::beneath_a_root` does not ask whether the key is still the same.
    #[test]
    fn the_provider_is_a_map(steps in proptest::collection::vec(step::random(), 1..40)) {
        let mut session = Session::new();
        for (number, step) in steps.iter().enumerate() {
            session.take(step).map_err(|difference| {
                TestCaseError::fail(format!("step {number}, {step:?}: {difference}"))
            })?;
        }
    }
}
