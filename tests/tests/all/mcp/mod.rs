//! `dsh-fs mcp` over stdio: with the official client library, and with lines by hand.

mod lines;
mod python;
mod scenarios;
