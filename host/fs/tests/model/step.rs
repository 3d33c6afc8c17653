//! What can happen: a call of the provider, or a change from outside.

use proptest::prelude::*;

/// The names that calls and outsiders use, beneath the base folder.
pub(crate) const PATHS: [&str; 8] = [
    "ws/a", "ws/b", "ws/d", "ws/d/a", "ws/d/e/f", "ws/l", "out/x", "ws/l/a",
];

/// What links point at, from the folder that they lie in or from the base (`$`).
const LINKS: [&str; 8] = [
    "a", "b", "d", "$/ws/d/a", "gone/new", "$/out/x", "$/out", "l",
];

/// The guard of a mutation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guard {
    /// Nothing is there.
    Absent,
    /// What was last read or written through this key; never seen: a version of nothing.
    Seen,
    /// None at all.
    Nothing,
}

/// A call of the provider.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Read,
    Stat,
    List,
    Write(String, Guard),
    Edit(String, String, bool, Guard),
    /// Of what was last read or written.
    Remove,
}

/// A change that somebody else makes.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Write(Vec<u8>),
    Append(Vec<u8>),
    Touch,
    SameBytes,
    Mode(u32),
    RenameOver(&'static str),
    Remove,
    Folder,
    Link(&'static str),
}

/// One step.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A call for a path that is resolved now.
    Call(&'static str, Call),
    /// A call for the target that was resolved for this path at an earlier step.
    Held(&'static str, Call),
    Outside(&'static str, Change),
}

pub(crate) fn random() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (path(), call()).prop_map(|(path, call)| Step::Call(path, call)),
        2 => (path(), call()).prop_map(|(path, call)| Step::Held(path, call)),
        5 => (path(), change()).prop_map(|(path, change)| Step::Outside(path, change)),
    ]
}

/// Mostly few files, so that steps meet.
fn path() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just(PATHS[0]), 1 => Just(PATHS[5]), 4 => proptest::sample::select(&PATHS)]
}

fn call() -> impl Strategy<Value = Call> {
    let edit = (text(), text(), any::<bool>(), guard());
    prop_oneof![
        4 => Just(Call::Read),
        1 => Just(Call::Stat),
        1 => Just(Call::List),
        4 => (text(), guard()).prop_map(|(text, guard)| Call::Write(text, guard)),
        2 => Just(Call::Remove),
        3 => edit.prop_map(|(old, new, all, guard)| Call::Edit(old, new, all, guard)),
    ]
}

fn guard() -> impl Strategy<Value = Guard> {
    prop_oneof![5 => Just(Guard::Seen), 3 => Just(Guard::Absent), 1 => Just(Guard::Nothing)]
}

fn change() -> impl Strategy<Value = Change> {
    let mode = proptest::sample::select(&[0o600, 0o644, 0o755, 0o660]);
    prop_oneof![
        4 => bytes().prop_map(Change::Write),
        1 => bytes().prop_map(Change::Append),
        1 => Just(Change::Touch),
        1 => Just(Change::SameBytes),
        1 => mode.prop_map(Change::Mode),
        2 => path().prop_map(Change::RenameOver),
        2 => Just(Change::Remove),
        1 => Just(Change::Folder),
        2 => proptest::sample::select(&LINKS).prop_map(Change::Link),
    ]
}

/// Short, of few letters: what is looked for is often there, and often twice.
fn text() -> impl Strategy<Value = String> {
    "[ab\n]{0,3}"
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => "[ab\n]{0,5}".prop_map(String::into_bytes),
        1 => Just(b"a\0".to_vec()),
        1 => Just(b"\xff".to_vec()),
    ]
}
