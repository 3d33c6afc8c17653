//! Takes custom sections out of a component: names and producers, which nothing reads
//! when it runs.

use anyhow::{Context, Result};

/// Bytes of the magic number, the version and the layer.
const PREAMBLE: usize = 8;
const CUSTOM: u8 = 0;
const NESTED_MODULE: u8 = 1;
const NESTED_COMPONENT: u8 = 4;

/// The same component or module without custom sections, nested ones included.
pub(crate) fn strip(binary: &[u8]) -> Result<Vec<u8>> {
    let (preamble, mut rest) = binary
        .split_at_checked(PREAMBLE)
        .context("a preamble of eight bytes")?;
    let is_component = preamble[6] == 1;
    let mut stripped = preamble.to_vec();
    while let Some((&id, after)) = rest.split_first() {
        let (content, after) = sized(after)?;
        rest = after;
        match id {
            CUSTOM => {}
            NESTED_MODULE | NESTED_COMPONENT if is_component => {
                push(&mut stripped, id, &strip(content)?);
            }
            _ => push(&mut stripped, id, content),
        }
    }
    Ok(stripped)
}

/// Splits what follows an identifier: a size in LEB128, and so many bytes.
fn sized(bytes: &[u8]) -> Result<(&[u8], &[u8])> {
    let mut size = 0_usize;
    for (index, byte) in bytes.iter().take(5).enumerate() {
        size |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return bytes[index + 1..]
                .split_at_checked(size)
                .context("a section of its size");
        }
    }
    anyhow::bail!("the size of a section does not end")
}

fn push(binary: &mut Vec<u8>, id: u8, content: &[u8]) {
    binary.push(id);
    let mut size = content.len();
    while size >= 0x80 {
        binary.push((size & 0x7f) as u8 | 0x80);
        size >>= 7;
    }
    binary.push(size as u8);
    binary.extend_from_slice(content);
}
