//! Finds vector files and runs every line of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::dialect;
use crate::run::{self, Options, Outcome, Verdict};

/// The vector files that a path means: itself, every `.jsonl` beneath
/// it by name, or the input of this process (`-`).
pub fn find(path: &Path) -> Result<Vec<PathBuf>> {
    if path == Path::new("-") {
        return Ok(vec![path.to_path_buf()]);
    }
    let meta = fs::metadata(path).with_context(|| format!("no vectors at {}", path.display()))?;
    if !meta.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?.path();
        if entry.is_dir() || entry.extension().is_some_and(|end| end == "jsonl") {
            found.extend(find(&entry)?);
        }
    }
    found.sort();
    Ok(found)
}

/// The lines of a file that are vectors.
pub fn lines(path: &Path) -> Result<Vec<String>> {
    let text = if path == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        fs::read_to_string(path)
    };
    let text = text.with_context(|| path.display().to_string())?;
    Ok(text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(str::to_owned)
        .collect())
}

/// Runs every vector of these files; `only` picks one by id.
pub fn run(paths: &[PathBuf], only: Option<&str>, options: &Options) -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for path in paths {
        for file in find(path)? {
            let lines = lines(&file)?;
            outcomes.extend(lines.iter().enumerate().filter_map(|(at, line)| {
                let id = dialect::id_of(line)
                    .unwrap_or_else(|| format!("{}:{}", file.display(), at + 1));
                let wanted = only.is_none_or(|only| only == id);
                wanted.then(|| one(line, id, options))
            }));
        }
    }
    if outcomes.is_empty() {
        bail!("there is no vector in what was named");
    }
    Ok(outcomes)
}

/// Every vector of these files in the format of `tests/README.md`, a line each.
pub fn written(paths: &[PathBuf]) -> Result<String> {
    let mut out = String::new();
    for path in paths {
        for file in find(path)? {
            for line in lines(&file)? {
                out.push_str(&dialect::read(&line)?.written().to_string());
                out.push('\n');
            }
        }
    }
    Ok(out)
}

fn one(line: &str, id: String, options: &Options) -> Outcome {
    match dialect::read(line) {
        Ok(case) => run::case(&case, options),
        Err(error) => Outcome {
            id,
            tiers: Vec::new(),
            verdict: Verdict::Failed(format!("not understood: {error:#}")),
        },
    }
}
