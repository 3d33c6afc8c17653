//! `text-stream`: a text of any size, a piece at a time.

use std::time::Instant;

use dsh_fs::provider::TextStream;
use wasmtime::component::Resource;

use crate::bindings::{filesystem, types as wit};
use crate::state::State;

/// A handle of the component: a text that is being read.
#[allow(
    unreachable_pub,
    reason = "generated code exports it from a private module"
)]
pub struct OpenStream(pub(super) Box<dyn TextStream>);

impl filesystem::HostTextStream for State {
    fn next(
        &mut self,
        stream: Resource<OpenStream>,
    ) -> wasmtime::Result<Result<Option<String>, wit::Error>> {
        let since = Instant::now();
        let open = self.table.get_mut(&stream)?;
        let piece = open.0.next(&self.cancel);
        self.charge(since)?;
        Ok(piece.map_err(Into::into))
    }

    fn version(&mut self, stream: Resource<OpenStream>) -> wasmtime::Result<Option<String>> {
        Ok(self.table.get(&stream)?.0.version())
    }

    fn drop(&mut self, stream: Resource<OpenStream>) -> wasmtime::Result<()> {
        self.table.delete(stream)?;
        Ok(())
    }
}
