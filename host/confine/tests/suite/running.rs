//! What a run answers: outcomes, output, time, and who is killed.

use dsh_fs::types::Mode;

use crate::place::{Place, denied, shells, succeeded};

#[test]
fn a_command_writes_in_the_workspace_and_nowhere_beside_it() {
    for (used, shell) in shells("a_command_writes_in_the_workspace") {
        let place = Place::new();
        let inside = place.sh(&shell, Mode::WorkspaceWrite, "printf x > new && cat new");
        assert!(succeeded(&inside), "{used:?}: {inside:?}");
        assert_eq!(inside.stdout.bytes, b"x");
        let outside = place.sh(&shell, Mode::WorkspaceWrite, "printf x > ../out/new");
        assert!(denied(&outside), "{used:?}: {outside:?}");
        assert!(!place.out().join("new").exists());
    }
}
