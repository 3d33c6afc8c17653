//! Agents: reads beside changes, answers that are remembered, and commands.

#![allow(
    clippy::disallowed_methods,
    reason = "a test builds files on the real disk"
)]

mod beside;
mod commands;
mod ground;
mod remembered;
mod resumed;
