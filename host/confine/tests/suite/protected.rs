//! Sub-paths that stay read-only while the root around them is writable.

use std::path::Path;

use dsh_fs::roots::RootRules;
use dsh_fs::types::Mode;
use dsh_fs_confine::{Backend, Enforcement, Used};

use crate::place::{Place, sh, shells, strict, succeeded};

const MODE: Mode = Mode::WorkspaceWrite;

fn with_hooks() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.ws().join(".git/hooks")).expect("a folder");
    std::fs::write(place.ws().join(".git/hooks/post"), "old").expect("a file");
    place
}

fn rules() -> RootRules {
    // Beneath /tmp, a root by itself, there is no such folder: that would be partial.
    RootRules::workspace_only().with_protected(".git/hooks")
}

fn bubblewrap(test: &str) -> Option<dsh_fs_confine::Shell> {
    let mut all = shells(test).into_iter();
    all.find(|(used, _)| *used == Used::Bubblewrap)
        .map(|(_, shell)| shell)
}

/// Ways to a hook of one's own. Each one succeeds if nothing is protected.
const WAYS: [&str; 8] = [
    "touch .git/hooks/x",
    "printf x > .git/hooks/post",
    "rm .git/hooks/post",
    "mv .git .g2; mkdir -p .git/hooks; touch .git/hooks/x",
    "mv .git/hooks .git/h2; mkdir .git/hooks; touch .git/hooks/x",
    "rm -rf .git; mkdir -p .git/hooks; touch .git/hooks/x",
    "ln -s /tmp here; mv here/../.git away; mkdir -p .git/hooks; touch .git/hooks/x",
    "python3 -c 'import os; os.rename(\".git\", \"g\")'; mkdir -p .git/hooks; touch .git/hooks/x",
];

fn hooks_are_as_before(place: &Place) -> bool {
    let hooks = place.ws().join(".git/hooks");
    let names: Vec<_> = std::fs::read_dir(&hooks).into_iter().flatten().collect();
    names.len() == 1 && std::fs::read(hooks.join("post")).is_ok_and(|text| text == b"old")
}

/// Without the pins of `protect` in bubblewrap.rs the ways through `mv .git` succeed;
/// without its read-only mount all of them.
#[test]
fn no_way_leads_to_a_hook_under_bubblewrap() {
    let Some(shell) = bubblewrap("no_way_leads_to_a_hook_under_bubblewrap") else {
        return;
    };
    for way in WAYS {
        let place = with_hooks();
        let confined = place.confined(&shell, MODE, &rules(), way);
        assert_eq!(confined.enforcement, Enforcement::Full, "{way}");
        place.run(&shell, &confined);
        assert!(hooks_are_as_before(&place), "{way}");
    }
}

/// The ways are ways: where nothing is protected, each changes the hooks.
#[test]
fn each_way_leads_there_without_protection() {
    for (used, shell) in shells("each_way_leads_there_without_protection") {
        for way in WAYS {
            let place = with_hooks();
            place.sh(&shell, MODE, way);
            assert!(!hooks_are_as_before(&place), "{used:?}: {way}");
        }
    }
}

/// What is beside a protected path stays writable.
#[test]
fn the_rest_of_the_folder_is_writable() {
    for (used, shell) in shells("the_rest_of_the_folder_is_writable") {
        let place = with_hooks();
        let script = "printf x > .git/config && mkdir .git/objects && printf x > .git/objects/1 \
                      && mv .git/config .git/c2 && cat .git/hooks/post";
        let finished = place.sh_by(&shell, MODE, &rules(), script);
        assert!(succeeded(&finished), "{used:?}: {finished:?}");
        assert_eq!(finished.stdout.bytes, b"old", "{used:?}");
    }
}

/// A mount needs a place: what is not there is neither made nor called protected.
#[test]
fn a_protected_path_that_is_not_there_is_partial_and_leaves_no_ghost() {
    for (used, shell) in shells("a_protected_path_that_is_not_there") {
        let place = Place::new();
        let confined = place.confined(&shell, MODE, &rules(), "ls -A");
        let finished = place.run(&shell, &confined);
        let gaps = confined.enforcement.gaps();
        assert!(
            gaps.iter().any(|gap| gap.contains(".git/hooks")),
            "{used:?}: {gaps:?}"
        );
        assert_eq!(finished.stdout.bytes, b"", "{used:?}");
        assert_eq!(
            std::fs::read_dir(place.ws()).expect("it is there").count(),
            0
        );
    }
}

/// The link could be replaced, and the place that it leads to could not.
#[test]
fn a_link_on_the_way_is_partial() {
    let Some(shell) = bubblewrap("a_link_on_the_way_is_partial") else {
        return;
    };
    let place = Place::new();
    std::fs::create_dir_all(place.ws().join("real/hooks")).expect("a folder");
    std::os::unix::fs::symlink("real", place.ws().join(".git")).expect("a link");
    let confined = place.confined(&shell, MODE, &rules(), "touch real/hooks/x .git/hooks/x");
    assert!(matches!(confined.enforcement, Enforcement::Partial(_)));
    place.run(&shell, &confined);
    assert!(!place.ws().join("real/hooks/x").exists());
}

/// A root in a protected path is no root: the fence refuses there, and so does the shell.
/// Without `without_reopened` it is mounted above what is closed.
#[test]
fn a_root_beneath_a_protected_path_stays_closed() {
    let Some(shell) = bubblewrap("a_root_beneath_a_protected_path_stays_closed") else {
        return;
    };
    let place = with_hooks();
    let rules = RootRules::workspace_only()
        .with_protected(".git")
        .with_root(place.ws().join(".git/hooks"));
    place.sh_by(&shell, MODE, &rules, "touch .git/hooks/x");
    assert!(hooks_are_as_before(&place));
}

/// Who asks for all of a policy gets a refusal instead of a part of it.
#[test]
fn a_part_can_be_refused() {
    for backend in [Backend::Landlock, Backend::Bubblewrap] {
        let place = if backend == Backend::Landlock {
            with_hooks()
        } else {
            Place::new()
        };
        let shell = strict(backend);
        let roots = place.roots_by(MODE, &rules());
        let refused = shell.confine(&sh(":"), &place.policy(MODE), &roots);
        let refused = refused.expect_err("only a part could be kept");
        let [tried] = &refused.tried[..] else {
            panic!("{refused:?}");
        };
        if tried.gaps.is_empty() {
            println!("SKIPPED a_part_can_be_refused: {refused}");
            continue;
        }
        // It says what is not kept, by which backend, and what to change.
        let told = refused.to_string();
        for said in [tried.backend, &tried.gaps[0], "on-partial = \"allow\""] {
            assert!(told.contains(said), "{said}: {told}");
        }
        assert!(tried.gaps[0].contains(".git"), "{told}");
        assert!(!told.contains("install bubblewrap"), "{told}");
        let mut command = std::process::Command::new("/bin/true");
        assert!(
            shell
                .prepare(&mut command, &place.policy(MODE), &roots)
                .is_err()
        );
    }
}

/// Mounts are made in the command's own view of the disk and leave nothing behind.
#[test]
fn the_workspace_is_as_before_after_a_run() {
    let Some(shell) = bubblewrap("the_workspace_is_as_before_after_a_run") else {
        return;
    };
    let place = with_hooks();
    let rules = rules().with_protected("later/on").with_protected("file/x");
    std::fs::write(place.ws().join("file"), "x").expect("a file");
    let before = names(&place.ws());
    assert!(succeeded(&place.sh_by(&shell, MODE, &rules, ":")));
    assert_eq!(names(&place.ws()), before);
}

fn names(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(names(&path));
        }
        all.push(path.display().to_string());
    }
    all.sort();
    all
}
