//! What a whole tool call costs around its work: a provider that does nothing.

mod constant;

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use dsh_fs::cancel::Cancel;
use dsh_fs::provider::Provider;
use dsh_fs::types::ReadWindow;
use dsh_fs_runtime::{ReadArgs, WriteArgs};

use self::constant::Constant;
use crate::ground;
use crate::pair::{Effort, compare};
use crate::row::{Figure, Goal, Row};

/// Calls of one batch.
const BATCH: u32 = 200;

/// A read and a write of 4 KiB; the floor is the provider called directly.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let goal = Goal::most(Figure::Seconds(4e-6));
    Ok(vec![read(goal)?, write(goal)?])
}

fn read(goal: Goal) -> Result<Row> {
    let provider = Arc::new(Constant::new());
    let options = ground::over(Arc::clone(&provider) as Arc<dyn Provider>, Path::new("/"));
    let mut session = ground::runtime()?.session(options)?;
    let args = ReadArgs {
        file_path: "/constant/file.txt".to_owned(),
        ..ReadArgs::default()
    };
    let cancel = Cancel::new();
    let wanted = ReadWindow {
        first_line: 1,
        first_column: 1,
        max_lines: 2_000,
        max_bytes: 51_200,
        max_line_chars: 2_000,
    };
    let pair = compare(
        Effort::batches_of(BATCH),
        || drop(black_box(session.read(args.clone())).expect("it is constant")),
        || {
            let target = provider.resolve("/constant/file.txt", "/", &cancel);
            let target = target.expect("it is constant");
            drop(black_box(provider.read_window(&target, &wanted, &cancel)));
        },
    );
    let what = "boundary of a tool read, no-op provider, 4 KiB; floor: the provider";
    Ok(Row::pair(what, pair, goal))
}

fn write(goal: Goal) -> Result<Row> {
    let place = ground::Place::in_memory()?;
    let mut options = ground::over(Arc::new(Constant::new()), place.path());
    options.confined = false;
    let mut session = ground::runtime()?.session(options)?;
    let args = WriteArgs {
        file_path: "/constant/file.txt".to_owned(),
        content: constant::content(),
        ..WriteArgs::default()
    };
    let copy = || drop(black_box(args.clone()));
    let pair = compare(
        Effort::batches_of(BATCH),
        || drop(black_box(session.write(args.clone())).expect("it is constant")),
        copy,
    );
    let what = "boundary of a tool write, no-op provider, 4 KiB; floor: a copy of the arguments";
    Ok(Row::pair(what, pair, goal))
}
