//! A text of any size, a piece at a time.

use dsh_fs_text::utf8::Checker;
use rustix::io::{Errno, read};

use super::open::{Opened, open_regular};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::provider::TextStream;
use crate::types::Target;
use crate::version::{VersionHasher, VersionSecret};
use crate::wording::{self, Verb};

/// The longest piece, in bytes. A character of at most 4 bytes may have begun in the
/// piece before, so that much less is read.
const PIECE: usize = 64 * 1024 - 4;

/// The smallest buffer, in bytes.
const SMALLEST: usize = 4096;

/// The content of an open file, in pieces of one buffer.
pub(super) struct Pieces {
    opened: Opened,
    buffer: Box<[u8]>,
    given: u64,
    ended: bool,
}

impl Pieces {
    /// Pieces of at most so many bytes.
    pub(super) fn new(opened: Opened, size: usize) -> Self {
        // A small file needs a small buffer, and one byte more to find its end; files of
        // /proc say that they are empty.
        let needed = usize::try_from(opened.size).unwrap_or(size).max(SMALLEST);
        let buffer = vec![0; size.min(needed.saturating_add(1))].into();
        Self {
            opened,
            buffer,
            given: 0,
            ended: false,
        }
    }

    /// The next piece, as full as the file allows, and whether it is known to be the last;
    /// `None` at the end.
    pub(super) fn next(
        &mut self,
        display: &str,
        cancel: &Cancel,
    ) -> Result<Option<(&[u8], bool)>, Error> {
        loop {
            cancel.check(Verb::Read)?;
            if self.ended {
                return Ok(None);
            }
            match read(&self.opened.file, &mut self.buffer[..]) {
                Ok(0) => self.ended = true,
                Ok(count) => {
                    cancel.advance(count as u64);
                    self.given += count as u64;
                    // Less than there was room for, and all that the file said it has.
                    self.ended = count < self.buffer.len() && self.given == self.opened.size;
                    return Ok(Some((&self.buffer[..count], self.ended)));
                }
                Err(Errno::INTR) => {}
                Err(errno) => return Err(wording::from_errno(Verb::Read, display, errno)),
            }
        }
    }
}

/// A text that is opened by the first question for a piece of it.
pub(super) struct LocalStream {
    target: Target,
    state: State,
    hasher: VersionHasher,
    checker: Checker,
}

enum State {
    Unopened,
    Open(Pieces),
    Ended,
    Failed(Error),
}

impl LocalStream {
    /// Opens nothing yet, and so never fails.
    pub(super) fn new(secret: &VersionSecret, target: &Target) -> Self {
        Self {
            target: target.clone(),
            state: State::Unopened,
            hasher: secret.hasher(),
            checker: Checker::new(),
        }
    }

    fn piece(&mut self, cancel: &Cancel) -> Result<Option<String>, Error> {
        let display = &self.target.display;
        let not_text = |why| wording::not_text(Verb::Read, display, why);
        if let State::Unopened = self.state {
            self.state = State::Open(Pieces::new(open_regular(&self.target, cancel)?, PIECE));
        }
        let pieces = match &mut self.state {
            State::Open(pieces) => pieces,
            State::Failed(error) => return Err(error.clone()),
            State::Unopened | State::Ended => return Ok(None),
        };
        while let Some((piece, _)) = pieces.next(display, cancel)? {
            self.hasher.update(piece);
            let checked = self.checker.feed(piece).map_err(not_text)?;
            if checked.joined.is_some() || !checked.text.is_empty() {
                let joined = checked.joined.into_iter();
                return Ok(Some(joined.chain(checked.text.chars()).collect()));
            }
        }
        self.checker.finish().map_err(not_text)?;
        self.state = State::Ended;
        Ok(None)
    }
}

impl TextStream for LocalStream {
    fn next(&mut self, cancel: &Cancel) -> Result<Option<String>, Error> {
        cancel.check(Verb::Read)?;
        let piece = self.piece(cancel);
        // A cancelled stream may be read on; one that failed has lost its place.
        if let Err(error) = &piece
            && !cancel.is_cancelled()
        {
            self.state = State::Failed(error.clone());
        }
        piece
    }

    fn version(&self) -> Option<String> {
        matches!(self.state, State::Ended).then(|| self.hasher.finish())
    }
}
