//! What a command printed, as far as it is kept.

use std::collections::VecDeque;

/// What a command printed: all of it, or its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The bytes that are kept.
    pub bytes: Vec<u8>,
    /// How many were left out.
    pub dropped: u64,
    /// Where in `bytes` they are missing.
    pub gap: usize,
}

impl Output {
    /// As text: what is not UTF-8 is replaced, and a line stands where bytes are missing.
    #[must_use]
    pub fn text(&self) -> String {
        if self.dropped == 0 {
            return String::from_utf8_lossy(&self.bytes).into_owned();
        }
        let (head, tail) = self.bytes.split_at(self.gap);
        let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
        format!("{head}\n[{} bytes left out]\n{tail}", self.dropped)
    }
}

/// Keeps the first half of a number of bytes, and the last.
pub(super) struct Keeper {
    cap: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Keeper {
    pub(super) fn new(cap: usize) -> Self {
        Self {
            cap,
            head: Vec::new(),
            tail: VecDeque::new(),
            dropped: 0,
        }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        let room = self.cap.div_ceil(2) - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.cap / 2);
        self.tail.drain(..over);
        self.dropped += over as u64;
    }

    pub(super) fn finish(self) -> Output {
        let gap = self.head.len();
        let mut bytes = self.head;
        bytes.extend(self.tail);
        Output {
            bytes,
            dropped: self.dropped,
            gap,
        }
    }
}
