//! Changes that somebody else makes on the disk while a vector runs (`ext`).

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::content;
use crate::name;
use crate::places::Places;
use crate::tree;

/// Makes one change: `do` is `write`, `append`, `chmod`, `touch`, `rename`, `link`, `hard`,
/// `rm`, `mkdir` or `fifo`. The operation `copy-over` puts another file with the same bytes
/// in the place of one.
pub fn change(op: &Value, places: &Places) -> Result<Value> {
    let path = places.path(op["path"].as_str().context("a path")?);
    let path = name::to_path(path.to_str().context("a plain path")?);
    let to = op["to"].as_str();
    if op["op"] == "copy-over" {
        let beside = path.with_extension("another");
        fs::copy(&path, &beside)?;
        fs::rename(beside, &path)?;
        return Ok(json!({"done": true}));
    }
    match op["do"].as_str().context("what to do")? {
        "write" => fs::write(&path, given(op, places)?)?,
        "append" => append(&path, &given(op, places)?)?,
        "chmod" => chmod(&path, op["mode"].as_str().context("a mode")?)?,
        "touch" => touch(&path)?,
        "rename" => fs::rename(&path, places.path(to.context("to")?))?,
        "link" => relink(&path, &places.fill(to.context("to")?))?,
        "hard" => fs::hard_link(&path, places.path(to.context("to")?))?,
        "rm" => remove(&path)?,
        "mkdir" => fs::create_dir_all(&path)?,
        "fifo" => tree::make_fifo(&path)?,
        other => bail!("the change `{other}` is not known"),
    }
    Ok(json!({"done": true}))
}

/// The mode and the number of links of a file, as vectors ask for them.
pub fn look(op: &Value, places: &Places) -> Result<Value> {
    let path = places.path(op["path"].as_str().context("a path")?);
    let meta = fs::metadata(path)?;
    if op["op"] == "links" {
        return Ok(json!(meta.nlink()));
    }
    Ok(json!(format!("{:04o}", meta.mode() & 0o7777)))
}

fn given(op: &Value, places: &Places) -> Result<Vec<u8>> {
    let value = op.get("content").cloned().unwrap_or_else(|| json!(""));
    content::bytes(&places.fill_value(&value))
}

fn append(path: &Path, bytes: &[u8]) -> Result<()> {
    let old = fs::read(path)?;
    Ok(fs::write(path, [old.as_slice(), bytes].concat())?)
}

fn chmod(path: &Path, mode: &str) -> Result<()> {
    let bits = u32::from_str_radix(mode, 8)?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(bits))?)
}

fn touch(path: &Path) -> Result<()> {
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    Ok(fs::File::options()
        .append(true)
        .open(path)?
        .set_modified(later)?)
}

fn relink(path: &Path, to: &str) -> Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        remove(path)?;
    }
    Ok(symlink(name::to_path(to), path)?)
}

fn remove(path: &Path) -> Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        return Ok(fs::remove_dir_all(path)?);
    }
    Ok(fs::remove_file(path)?)
}
