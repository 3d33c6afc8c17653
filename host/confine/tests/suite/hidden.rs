//! What a command must not read.

use std::path::PathBuf;

use dsh_fs::roots::RootRules;
use dsh_fs::types::Mode;
use dsh_fs_confine::{Enforcement, Hidden, HideRule, Shell, Used};

use crate::place::{Place, sh, shells};

fn with_secrets() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.ws().join("keys")).expect("a folder");
    for file in ["ws/.env", "ws/keys/one", "out/token", "ws/open"] {
        std::fs::write(place.base().join(file), "hidden").expect("a file");
    }
    place
}

fn run(place: &Place, shell: &Shell, mode: Mode, hidden: Hidden, script: &str) -> String {
    let policy = place.policy(mode);
    let roots = place.roots(mode);
    let confined = shell.confine_hiding(&sh(script), &policy, &roots, hidden);
    let finished = place.run(shell, &confined.expect("a backend"));
    String::from_utf8(finished.stdout.bytes).expect("UTF-8")
}

fn hidden(place: &Place) -> Hidden {
    let paths = ["ws/.env", "ws/keys", "out/token"];
    Hidden {
        paths: paths.map(|path| place.base().join(path)).to_vec(),
        later: Vec::new(),
    }
}

const READS: &str = "cat .env keys/one ../out/token open 2>&1; ls -A keys; \
    ln -s .env l; cat l; mv .env e; cat e; mv keys k; cat k/one; cp .env c; cat c; ln .env h; cat h; \
    umount .env keys; cat .env keys/one";

/// Without the mounts of `hide` in bubblewrap.rs every word is printed. Full access hides
/// too: reading is not what it asks for.
#[test]
fn bubblewrap_hides_files_and_folders() {
    for (used, shell) in shells("bubblewrap_hides_files_and_folders") {
        if used != Used::Bubblewrap {
            continue;
        }
        for mode in [Mode::ReadOnly, Mode::WorkspaceWrite, Mode::DangerFullAccess] {
            let place = with_secrets();
            let found = run(&place, &shell, mode, hidden(&place), READS);
            assert_eq!(found.matches("hidden").count(), 1, "{mode:?}: {found}");
            let found = run(&place, &shell, mode, Hidden::default(), READS);
            assert!(found.matches("hidden").count() > 4, "{mode:?}: {found}");
        }
        let place = with_secrets();
        let script = "printf x > ../out/new && cat ../out/new";
        let full = run(
            &place,
            &shell,
            Mode::DangerFullAccess,
            hidden(&place),
            script,
        );
        assert_eq!(full, "x", "full access stays full");
        let place = with_secrets();
        let still: Vec<_> = hidden(&place)
            .paths
            .into_iter()
            .map(|p| p.exists())
            .collect();
        assert_eq!(still, [true; 3]);
    }
}

/// Landlock only adds rights, and says so; what is made later no backend sees.
#[test]
fn what_cannot_be_hidden_is_said() {
    for (used, shell) in shells("what_cannot_be_hidden_is_said") {
        let place = with_secrets();
        let (policy, roots) = (place.policy(Mode::ReadOnly), place.roots(Mode::ReadOnly));
        let gaps = |hidden: Hidden| {
            let confined = shell.confine_hiding(&sh(":"), &policy, &roots, hidden);
            confined.expect("a backend").enforcement
        };
        let later = Hidden {
            paths: Vec::<PathBuf>::new(),
            later: vec!["**/*.pem".to_owned()],
        };
        assert!(gaps(later).gaps()[0].contains("**/*.pem"), "{used:?}");
        match used {
            Used::Landlock => assert_eq!(gaps(hidden(&place)).gaps().len(), 3),
            _ => assert_eq!(gaps(hidden(&place)), Enforcement::Full),
        }
    }
}

/// What a rule covers is found where it is, and what it may cover later is told.
#[test]
fn rules_find_what_exists() {
    let place = with_secrets();
    let (ws, out) = (place.ws(), place.out());
    std::fs::create_dir_all(ws.join("a/b")).expect("folders");
    std::fs::write(ws.join("a/b/one.pem"), "x").expect("a file");
    std::os::unix::fs::symlink("../out", ws.join("link")).expect("a link");
    std::fs::write(out.join("two.pem"), "x").expect("a file");
    let rule = |place, whole, pattern| HideRule {
        place,
        whole,
        pattern,
    };
    let (keys, missing) = (ws.join("keys"), ws.join("missing"));
    let rules = [
        rule(keys.as_path(), true, "keys"),
        rule(missing.as_path(), true, "missing"),
        rule(ws.as_path(), false, "**/*.pem"),
    ];
    let hidden = Hidden::find(rules, |path| path.extension().is_some_and(|e| e == "pem"));
    assert_eq!(hidden.paths, [ws.join("a/b/one.pem"), keys.clone()]);
    assert_eq!(hidden.later, ["**/*.pem", "missing"]);
}

/// The rules of the deployment hold for commands as for the fence, in every mode. Without
/// `Hidden::of` in shell.rs the words are printed.
#[test]
fn the_rules_of_the_roots_hold_for_commands() {
    let rules = RootRules::workspace_only();
    let rules = rules.with_deny_read(".env").expect("a rule");
    let rules = rules.with_deny_read("**/one").expect("a rule");
    for (used, shell) in shells("the_rules_of_the_roots_hold_for_commands") {
        for mode in Mode::ALL {
            let place = with_secrets();
            let argv = sh("cat .env keys/one open");
            let roots = place.roots_by(mode, &rules);
            match (used, shell.confine(&argv, &place.policy(mode), &roots)) {
                (Used::Landlock, Err(_)) => assert_eq!(mode, Mode::DangerFullAccess),
                (Used::Landlock, Ok(confined)) => {
                    assert_eq!(confined.enforcement.gaps().len(), 3, "{confined:?}");
                }
                (_, confined) => {
                    let finished = place.run(&shell, &confined.expect("a backend"));
                    assert_eq!(finished.stdout.bytes, b"hidden", "{mode:?}: open alone");
                }
            }
        }
    }
}

/// Fails without `pin_above` in `hide`: the command would rename what lies above, and the
/// next reader finds the content under a name that no rule covers.
#[test]
fn what_lies_above_something_hidden_keeps_its_name() {
    for (used, shell) in shells("what_lies_above_something_hidden_keeps_its_name") {
        if used != Used::Bubblewrap {
            continue;
        }
        let place = Place::new();
        let secret = place.ws().join("n/deep/secret");
        std::fs::create_dir_all(place.ws().join("n/deep")).expect("folders");
        std::fs::write(&secret, "hidden").expect("a file");
        let hidden = Hidden {
            paths: vec![secret.clone()],
            later: Vec::new(),
        };
        let script =
            "mv n m; mv n/deep d; cat m/deep/secret d/secret; printf x > n/other; cat n/other";
        let found = run(&place, &shell, Mode::WorkspaceWrite, hidden, script);
        assert_eq!(found, "x");
        assert_eq!(
            std::fs::read_to_string(&secret).expect("in its place"),
            "hidden"
        );
    }
}
