//! `dsh-fs audit`: what was written down of sessions, for people to read.

mod entry;
mod filter;
mod html;
mod page;
mod timeline;
mod wording;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use anyhow::Context;

use crate::args::AuditArgs;
use crate::exit::Failure;
use crate::lines::{self, Line};
use crate::output::{self, say};
use entry::Entry;
use filter::Filter;

/// The longest line that is taken for a record, in bytes: a path has at most 4,096.
const LONGEST: usize = 1024 * 1024;

/// Shows the records of a file that pass the filters, in the order of the file.
pub(crate) fn audit(args: &AuditArgs) -> Result<(), Failure> {
    let filter = Filter::new(args);
    let name = || args.file.display().to_string();
    let file = File::open(&args.file).with_context(name)?;
    let mut input = BufReader::new(file);
    let broken = match (&args.html, args.json) {
        (Some(out), _) => page(&mut input, &filter, args, out)?,
        (None, true) => each(&mut input, &filter, json)?,
        (None, false) => {
            let mut timeline = timeline::Timeline::default();
            each(&mut input, &filter, |entry| timeline.show(entry))?
        }
    };
    if broken.count > 0 {
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(io::stderr(), "dsh-fs: note: {}", wording::broken(&broken));
    }
    Ok(())
}

/// Lines that are no records.
#[derive(Clone, Copy, Debug, Default)]
struct Broken {
    count: u64,
    /// The first of them, counted from 1.
    first: u64,
}

/// Hands on every record that passes; answers what was none. A line without an end is the
/// last one of a process that was killed, and counts as any other.
fn each(
    input: &mut impl BufRead,
    filter: &Filter,
    mut show: impl FnMut(&Entry) -> Result<(), Failure>,
) -> Result<Broken, Failure> {
    let mut broken = Broken::default();
    let mut number = 0;
    while let Some(line) = lines::next(input, LONGEST)? {
        number += 1;
        let entry = match &line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => Entry::read(text),
            Line::TooLong | Line::NotUtf8 => None,
        };
        match entry {
            Some(entry) if filter.passes(&entry) => show(&entry)?,
            Some(_) => {}
            None => {
                broken.count += 1;
                if broken.first == 0 {
                    broken.first = number;
                }
            }
        }
    }
    Ok(broken)
}

/// The record as it stands in the file.
fn json(entry: &Entry) -> Result<(), Failure> {
    let mut line = serde_json::to_vec(entry.value()).context("a record as JSON")?;
    line.push(b'\n');
    output::bytes(&line)
}

fn page(
    input: &mut impl BufRead,
    filter: &Filter,
    args: &AuditArgs,
    out: &Path,
) -> Result<Broken, Failure> {
    let name = || out.display().to_string();
    let mut page = page::Page::create(out, &args.file).with_context(name)?;
    let broken = each(input, filter, |entry| {
        page.row(entry).with_context(name).map_err(Failure::from)
    })?;
    let rows = page.finish(&broken).with_context(name)?;
    say!("{}", wording::page_written(rows, out))?;
    Ok(broken)
}
