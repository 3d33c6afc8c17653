//! Writes the components into a folder, for other runtimes: `components DIR`.

#![allow(
    clippy::disallowed_methods,
    reason = "the program writes into the folder that its user names"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use dsh_fs_artifacts::{COMPOSED, GATE, TEXTS, TOOLBOX};

/// Every component by the name of its file.
const FILES: [(&str, &[u8]); 4] = [
    ("gate.wasm", GATE),
    ("toolbox.wasm", TOOLBOX),
    ("texts.wasm", TEXTS),
    ("dsh-fs.wasm", COMPOSED),
];

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: components DIR");
        return ExitCode::from(2);
    };
    match write(PathBuf::from(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("components: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// Writes those that differ from what is there, so that a file's time tells a change.
fn write(folder: PathBuf) -> std::io::Result<()> {
    fs::create_dir_all(&folder)?;
    for (name, bytes) in FILES {
        let file = folder.join(name);
        if fs::read(&file).ok().as_deref() != Some(bytes) {
            fs::write(&file, bytes)?;
        }
    }
    Ok(())
}
