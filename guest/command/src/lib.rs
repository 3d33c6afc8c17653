//! The tools as a command, for any runtime that can run a WASI program: `wasi:cli/run`
//! over `dsh:fs/tools`.
//!
//! ```text
//! dsh-fs-command.wasm [--mode MODE] [--root DIR] [--protect PATH]… [VERB …]
//! ```
//!
//! Without a verb it answers calls as `dsh-fs run` does: one JSON object a line, on
//! standard input. The verbs are `read FILE [OFFSET [LIMIT]]`, `list [DIR]`,
//! `write FILE` (the content comes from standard input) and `edit FILE OLD NEW` (the file
//! is read first, so that it counts as seen). A refusal ends with exit code 1.

mod answer;
mod call;
#[path = "../../disk/src/options.rs"]
mod options;
mod session;
mod streams;
mod value;
mod verb;

#[allow(
    missing_docs,
    unsafe_code,
    unreachable_pub,
    clippy::all,
    reason = "generated from wit/, where the documentation is"
)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "package dsh:fs-command; world command { import dsh:fs/tools@0.1.0; }",
        world: "dsh:fs-command/command",
        generate_all,
    });
}

use wasip2::cli::environment;
use wasip2::exports::cli::run::Guest;

/// The component, to which the exported interface is attached.
struct Command;

impl Guest for Command {
    fn run() -> Result<(), ()> {
        let arguments = environment::get_arguments().into_iter().skip(1);
        let answered = options::parse(arguments).and_then(|options| {
            let session = session::start(&options);
            match options.rest.split_first() {
                Some((verb, rest)) => verb::run(&session, verb, rest),
                None => call::answer_all(&session),
            }
        });
        answered.map_err(|why| streams::complain(&why))
    }
}

#[allow(
    unsafe_code,
    reason = "the generated glue between the component and this type"
)]
mod export {
    use super::Command;
    wasip2::cli::command::export!(Command);
}
