//! The file tools as an MCP server.
