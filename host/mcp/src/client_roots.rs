//! The roots of the client.
