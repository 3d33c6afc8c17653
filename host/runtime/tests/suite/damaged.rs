//! Damaged gates: cut off, shuffled, and changed where it matters: in the sizes of sections,
//! in types, aliases and canonical options, in names, and inside the core modules.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use dsh_fs::types::Mode;
use dsh_fs_artifacts::GATE;
use dsh_fs_runtime::{ComponentSource, LoadError, Runtime, RuntimeOptions};
use serde_json::json;

use crate::workspace::{SHIPPED, Workspace};

/// How many gates are damaged in one run of the tests.
const DAMAGED: u64 = 120;
/// Magic number, version and layer of a component, and of a core module.
const HEADER: usize = 8;
/// The sections of a component that hold a core module, and a component.
const CORE_MODULE: u8 = 1;
const COMPONENT: u8 = 4;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        // The generator of Marsaglia, with 64 bits of state.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn of_these<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// One section, wherever it lies.
#[derive(Clone)]
struct Section {
    id: u8,
    /// Whether a core module has it.
    core: bool,
    /// With its number and its size.
    whole: Range<usize>,
    content: Range<usize>,
}

/// Every section of a component, and those of what lies in it.
fn sections(bytes: &[u8], within: Range<usize>, core: bool, found: &mut Vec<Section>) {
    let mut at = within.start + HEADER;
    while at < within.end {
        let (size, length) = leb128(&bytes[at + 1..]);
        let start = at + 1 + length;
        let section = Section {
            id: bytes[at],
            core,
            whole: at..start + size,
            content: start..start + size,
        };
        at = section.whole.end;
        found.push(section.clone());
        if !core && matches!(section.id, CORE_MODULE | COMPONENT) {
            sections(bytes, section.content, section.id == CORE_MODULE, found);
        }
    }
}

/// A number of variable length, and how many bytes it takes.
fn leb128(bytes: &[u8]) -> (usize, usize) {
    let length = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
    let low = bytes[..length].iter().rev();
    let value = low.fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f));
    (value, length)
}

type Damage = fn(&mut Vec<u8>, &mut Numbers, &[Section]);

/// What is done to a gate, and what that is called.
const WAYS: [(&str, Damage); 8] = [
    ("cut off", |gate, numbers, _| {
        gate.truncate(numbers.below(gate.len()));
    }),
    ("a piece elsewhere", |gate, numbers, _| {
        let (from, to) = (
            numbers.below(gate.len() - 64),
            numbers.below(gate.len() - 64),
        );
        gate.copy_within(from..from + 64, to);
    }),
    ("a few bits", |gate, numbers, _| {
        for _ in 0..1 + numbers.below(4) {
            let at = numbers.below(gate.len());
            gate[at] ^= 1 << numbers.below(8);
        }
    }),
    ("the size of a section", |gate, numbers, sections| {
        let at = numbers.of_these(sections).whole.start + 1;
        gate[at] = gate[at].wrapping_add(*numbers.of_these(&[1, 0xff, 0x40]));
    }),
    ("a section left out", |gate, numbers, sections| {
        gate.drain(numbers.of_these(sections).whole.clone());
    }),
    ("a section twice", |gate, numbers, sections| {
        let section = numbers.of_these(sections).whole.clone();
        let twice = gate[section.clone()].to_vec();
        gate.splice(section.start..section.start, twice);
    }),
    // Types, aliases, canonical functions and their options, imports and exports: indices,
    // kinds, and letters of names are one byte each.
    ("a byte of a description", |gate, numbers, sections| {
        let described: Vec<_> = sections
            .iter()
            .filter(|section| !section.core && !matches!(section.id, 0 | CORE_MODULE | COMPONENT))
            .collect();
        change_a_byte(gate, numbers, &numbers_of(&described));
    }),
    // All but the code, where most changes are of no consequence to the host.
    ("a byte of a module", |gate, numbers, sections| {
        let module: Vec<_> = sections
            .iter()
            .filter(|section| section.core && !matches!(section.id, 0 | 10))
            .collect();
        change_a_byte(gate, numbers, &numbers_of(&module));
    }),
];

fn numbers_of(sections: &[&Section]) -> Vec<Range<usize>> {
    let contents = sections.iter().map(|section| section.content.clone());
    contents.filter(|content| !content.is_empty()).collect()
}

/// Each section is as likely as another, however small it is.
fn change_a_byte(gate: &mut [u8], numbers: &mut Numbers, places: &[Range<usize>]) {
    let place = numbers.of_these(places);
    let at = place.start + numbers.below(place.len());
    gate[at] = gate[at].wrapping_add(*numbers.of_these(&[1, 0xff, 0x10, 0x80]));
}

fn damaged(seed: u64, sections: &[Section]) -> (&'static str, Vec<u8>) {
    let mut gate = GATE.to_vec();
    let (name, damage) = WAYS[usize::try_from(seed).unwrap() % WAYS.len()];
    damage(&mut gate, &mut Numbers::of(seed), sections);
    (name, gate)
}

fn load(gate: Vec<u8>) -> Result<Runtime, LoadError> {
    Runtime::new(RuntimeOptions {
        component: ComponentSource::Gate(gate),
        ..RuntimeOptions::default()
    })
}

/// One sentence on one line, in which nothing of the component moves a cursor.
fn check_sentence(error: &LoadError, what: &str) {
    let text = error.to_string();
    assert!(!text.is_empty(), "{what}");
    assert!(!text.contains(char::is_control), "{what}: {text:?}");
}

/// Whatever is loaded is refused in a sentence or runs under the fence; the host goes on.
/// The numbers are the same in every run: a failure names the one that led to it.
#[test]
fn a_damaged_gate_is_refused_or_harms_nobody() {
    let ws = Workspace::new();
    let mut all = Vec::new();
    sections(GATE, 0..GATE.len(), false, &mut all);
    let mut refused: BTreeMap<&str, u64> = BTreeMap::new();
    let mut runs = 0;
    for seed in 0..DAMAGED {
        let (way, gate) = damaged(seed, &all);
        let what = format!("{way}, number {seed}");
        match load(gate) {
            Ok(runtime) => {
                runs += 1;
                let outside = json!({"file_path": ws.outside("a"), "content": "x"});
                if let Ok(mut session) = runtime.session(ws.options(Mode::WorkspaceWrite)) {
                    session.call("write", &outside);
                }
                assert!(!fs::exists(ws.outside("a")).unwrap(), "{what}");
            }
            Err(error) => {
                check_sentence(&error, &what);
                *refused.entry(way).or_default() += 1;
            }
        }
    }
    println!("{runs} ran, refused: {refused:?}");
    // Each way reaches the loader, and some gates are whole enough to run.
    assert_eq!(refused.len(), WAYS.len(), "{refused:?}");
    assert!(runs > 0);
    let mut honest = SHIPPED.session(ws.options(Mode::WorkspaceWrite)).unwrap();
    let write = json!({"file_path": "a", "content": "x"});
    assert!(honest.call("write", &write).ok);
}

/// Half of them begin as a component does.
#[test]
fn random_bytes_are_no_component() {
    for seed in 0..200 {
        let mut numbers = Numbers::of(seed);
        let mut bytes = if seed % 2 == 0 {
            GATE[..HEADER].to_vec()
        } else {
            Vec::new()
        };
        let length = numbers.below(4_096);
        bytes.extend((0..length).map(|_| u8::try_from(numbers.below(256)).unwrap()));
        for component in [
            ComponentSource::Gate(bytes.clone()),
            ComponentSource::Whole(bytes),
        ] {
            let loaded = Runtime::new(RuntimeOptions {
                component,
                ..RuntimeOptions::default()
            });
            let error = loaded.err().expect("it is refused");
            check_sentence(&error, &format!("number {seed}"));
        }
    }
}
