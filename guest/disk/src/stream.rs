//! A text of any size, a piece at a time.

use std::cell::RefCell;
use std::rc::Rc;

use dsh_fs_text::utf8::Checker;
use wasip2::filesystem::types::Descriptor;

use crate::bindings::dsh::fs::types::{Error, Target, Version};
use crate::bindings::exports::dsh::fs::filesystem::GuestTextStream;
use crate::content::{self, Hasher};
use crate::failure;
use crate::ground::Ground;

/// A text that is being read.
pub(crate) struct Stream(RefCell<State>);

struct State {
    display: String,
    /// The file, or why it could not be opened: that is told with the first piece.
    file: Result<Descriptor, Error>,
    offset: u64,
    checker: Checker,
    hasher: Hasher,
    version: Option<Version>,
}

impl Stream {
    pub(crate) fn open(ground: &Rc<Ground>, target: &Target) -> Self {
        Self(RefCell::new(State {
            display: target.display_path.clone(),
            file: content::open(ground, "read", target),
            offset: 0,
            checker: Checker::new(),
            hasher: Hasher::new(ground),
            version: None,
        }))
    }
}

impl GuestTextStream for Stream {
    fn next(&self) -> Result<Option<String>, Error> {
        self.0.borrow_mut().next()
    }

    fn version(&self) -> Option<Version> {
        self.0.borrow().version.clone()
    }
}

impl State {
    fn next(&mut self) -> Result<Option<String>, Error> {
        let file = self.file.as_ref().map_err(Clone::clone)?;
        let not_text = |why| failure::not_text("read", &self.display, why);
        let (piece, _) = content::piece(file, "read", &self.display, self.offset)?;
        if piece.is_empty() {
            self.checker.finish().map_err(not_text)?;
            self.version = Some(self.hasher.finish());
            return Ok(None);
        }
        self.offset += piece.len() as u64;
        self.hasher.update(&piece);
        let checked = self.checker.feed(&piece).map_err(not_text)?;
        let mut text = String::new();
        text.extend(checked.joined);
        text.push_str(checked.text);
        Ok(Some(text))
    }
}
