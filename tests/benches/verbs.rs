//! Each verb alone, over time: `cargo bench -p dsh-fs-tests --bench verbs`. For comparing
//! one version of the code with the next; the goals are measured by the benchmark `ratios`.

#![allow(
    clippy::disallowed_methods,
    reason = "floors and places are files by path"
)]

#[path = "ratios/ground.rs"]
#[allow(
    dead_code,
    reason = "shared with the other benchmark, which needs more"
)]
mod ground;

use std::fs;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use dsh_fs_policy as policy;
use dsh_fs_runtime::gate::{Gate, Prior, Seed};
use dsh_fs_runtime::{Limits, ListArgs, ReadArgs, WriteArgs};

use ground::Place;

const KEY: &str = "/home/somebody/project/src/of/some/component/fil00000000.txt";
const VERSION: &str = "AAAAAAAAAAAAAAAAAAAAAA";

fn ledger(criterion: &mut Criterion) {
    let mut native = policy::Ledger::new(policy::Seed { low: 1, high: 2 }, 0);
    criterion.bench_function("ledger, native", |bencher| {
        bencher.iter(|| {
            black_box(native.write_intent(black_box(KEY)));
            native.observe(KEY, policy::Prior::Present(VERSION));
        });
    });
    let mut gate = Gate::shipped(Limits::default()).expect("the gate loads");
    let ledger = gate.ledger(Seed::random(), 0).expect("it has room");
    let seen = Prior::Present(VERSION.to_owned());
    criterion.bench_function("ledger, from an embedder", |bencher| {
        bencher.iter(|| {
            black_box(gate.write_intent(&ledger, KEY)).expect("it does not trap");
            gate.observe(&ledger, KEY, &seen).expect("it does not trap");
        });
    });
}

fn tools(criterion: &mut Criterion) {
    let place = Place::in_memory().expect("there is memory");
    let path = place.path().join("file.txt");
    let file_path = ground::text(&path);
    fs::write(&path, "x".repeat(63) + "\n").expect("there is room");
    let mut session = ground::session(place.path()).expect("the component loads");
    criterion.bench_function("tool read", |bencher| {
        let args = ReadArgs {
            file_path: file_path.clone(),
            ..ReadArgs::default()
        };
        bencher.iter(|| session.read(args.clone()).expect("it is there"));
    });
    criterion.bench_function("tool write", |bencher| {
        let args = WriteArgs {
            file_path: file_path.clone(),
            content: "x".repeat(4_096),
            ..WriteArgs::default()
        };
        bencher.iter(|| session.write(args.clone()).expect("nobody else is here"));
    });
    criterion.bench_function("tool list", |bencher| {
        bencher.iter(|| session.list(ListArgs::default()).expect("it is there"));
    });
}

fn sessions(criterion: &mut Criterion) {
    let place = Place::in_memory().expect("there is memory");
    let runtime = ground::runtime().expect("the component loads");
    let options = ground::local(place.path()).expect("there is randomness");
    criterion.bench_function("a new session", |bencher| {
        bencher.iter(|| {
            runtime
                .session(options.clone())
                .expect("the folder is there")
        });
    });
}

criterion_group! {
    name = verbs;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = ledger, tools, sessions
}
criterion_main!(verbs);
