//! Messages as lines: one JSON object each, of bounded length.
//!
//! A line that is no message is answered with an error and skipped; the connection goes on.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader, Empty, empty};

use crate::order::{Disorder, Order};
use crate::skipped::Skipped;
use crate::wording;

/// The longest message that is taken, in bytes: more than any file tool call needs.
pub const LONGEST_MESSAGE: usize = 64 * 1024 * 1024;

/// Lines from one stream, answers to another.
pub(crate) struct Lines<R, W: AsyncWrite> {
    input: BufReader<R>,
    /// What was read of the line so far. A read may be given up and begun again.
    line: Vec<u8>,
    /// The ends of a line that was too long, while it is being skipped.
    skipped: Option<Skipped>,
    order: Order,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    /// Raised at the end of the input: no answer to a question can come any more.
    ended: Ended,
}

/// Whether the input of a client has ended; clones share it.
#[derive(Clone, Default)]
pub(crate) struct Ended(Arc<AtomicBool>);

impl Ended {
    pub(crate) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W, ended: Ended) -> Self {
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
            line: Vec::new(),
            skipped: None,
            order: Order::default(),
            output: AsyncRwTransport::new(empty(), output),
            ended,
        }
    }

    /// The next line, the last one with or without an ending; nothing at the end of the
    /// input.
    async fn next(&mut self) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
        loop {
            let chunk = self.input.fill_buf().await?;
            if chunk.is_empty() {
                let some = self.skipped.is_some() || !self.line.is_empty();
                return Ok(some.then(|| self.whole()));
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(chunk.len(), |end| end + 1);
            let part = &chunk[..used];
            if self.skipped.is_none() && self.line.len() + used > LONGEST_MESSAGE {
                let mut skipped = Skipped::default();
                skipped.push(&std::mem::take(&mut self.line));
                self.skipped = Some(skipped);
            }
            match &mut self.skipped {
                Some(skipped) => skipped.push(part),
                None => self.line.extend_from_slice(part),
            }
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some(self.whole()));
            }
        }
    }

    fn whole(&mut self) -> Result<Vec<u8>, TooLong> {
        match self.skipped.take() {
            Some(skipped) => Err(TooLong(skipped.id())),
            None => Ok(std::mem::take(&mut self.line)),
        }
    }

    /// Answers a line that is no message. Nobody waits for it to be sent: a read that is
    /// given up meanwhile must not lose it.
    fn refuse(&mut self, code: ErrorCode, why: String, id: Option<RequestId>) {
        let error = ErrorData::new(code, why, None);
        let sent = self
            .output
            .send(TxJsonRpcMessage::<RoleServer>::error(error, id));
        // A client that has closed its end hears nothing more in any case.
        tokio::spawn(async move { sent.await.unwrap_or_default() });
    }

    /// The message on a line, if it is one.
    fn message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let Ok(message) = serde_json::from_slice(line) else {
            return self.no_message(line);
        };
        match self.order.heard(&message, line) {
            Ok(()) => Some(message),
            Err(Disorder { why, id }) => {
                self.refuse(ErrorCode::INVALID_REQUEST, why, id);
                None
            }
        }
    }

    /// What becomes of a line that is no message: a failure of the question that it answers,
    /// else an error to whoever sent it.
    fn no_message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
        let value = match serde_json::from_slice::<Value>(line) {
            Ok(value) => value,
            Err(error) => {
                self.refuse(ErrorCode::PARSE_ERROR, wording::no_json(&error), None);
                return None;
            }
        };
        let (why, id) = (wording::no_message(), id_of(&value));
        if is_an_answer(&value) {
            let error = ErrorData::new(ErrorCode::INVALID_REQUEST, why, None);
            return Some(RxJsonRpcMessage::<RoleServer>::error(error, id));
        }
        self.refuse(ErrorCode::INVALID_REQUEST, why, id);
        None
    }
}

/// A line of more than [`LONGEST_MESSAGE`] bytes was skipped, of the request with this id.
struct TooLong(Option<RequestId>);

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.order.said(&item);
        self.output.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.next().await {
                Ok(Some(Ok(line))) => {
                    if let Some(message) = self.message(&line) {
                        return Some(message);
                    }
                }
                Ok(Some(Err(TooLong(id)))) => {
                    let why = wording::message_too_long(LONGEST_MESSAGE);
                    self.refuse(ErrorCode::INVALID_REQUEST, why, id);
                }
                // Input that fails ends as input that was closed does.
                Ok(None) | Err(_) => {
                    self.ended.0.store(true, Ordering::Release);
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.close().await
    }
}

/// The id of a request whose shape is wrong, so that its sender does not wait for ever.
fn id_of(value: &Value) -> Option<RequestId> {
    serde_json::from_value(value.get("id")?.clone()).ok()
}

/// Whether it was meant to answer a question of this server.
fn is_an_answer(value: &Value) -> bool {
    let has = |name| value.get(name).is_some();
    has("id") && !has("method") && (has("result") || has("error"))
}
