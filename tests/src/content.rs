//! Content as a vector writes it down: text, `{text}`, `{hex}`, `{repeat: [s, n]}`, `{parts}`.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The bytes that a value describes.
pub fn bytes(value: &Value) -> Result<Vec<u8>> {
    if let Some(text) = value.as_str() {
        return Ok(text.as_bytes().to_vec());
    }
    if let Some(text) = value["text"].as_str() {
        return Ok(text.as_bytes().to_vec());
    }
    if let Some(hex) = value["hex"].as_str() {
        return from_hex(hex);
    }
    if let Some([text, times]) = value["repeat"].as_array().map(Vec::as_slice) {
        let text = text.as_str().context("repeat: text first")?;
        let times = times.as_u64().context("repeat: a number second")?;
        return Ok(text.repeat(usize::try_from(times)?).into_bytes());
    }
    if let Some(parts) = value["parts"].as_array() {
        let parts: Result<Vec<Vec<u8>>> = parts.iter().map(bytes).collect();
        return Ok(parts?.concat());
    }
    bail!("content that is not known: {value}")
}

/// Bytes as lower-case hexadecimal.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(hex: &str) -> Result<Vec<u8>> {
    if !hex.len().is_multiple_of(2) {
        bail!("hex of odd length");
    }
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).context("hex digits"))
        .collect()
}
