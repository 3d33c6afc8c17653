//! A ledger in pages of text, and back: for compaction, resume, and another process.

use alloc::string::String;

use super::{
    Ledger, Seed,
    entry::Place,
    page::{self, HEADER_BYTES, PAGE_BYTES, PageRefusal},
};

/// Where a page begins, remembered so that the pages of a snapshot need one walk in all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bookmark {
    page: u32,
    first: Place,
}

/// The targets of one page.
struct Extent {
    bytes: usize,
    count: u32,
    /// The first target of the next page.
    next: Place,
}

impl Ledger {
    /// One page of what is remembered, counted from 0, oldest observation first; nothing
    /// after the last, and nothing at all of an empty ledger.
    ///
    /// A page has at most [`PAGE_BYTES`] bytes unless one version alone is longer. Pages
    /// belong together only when nothing was observed between them. Asked for in order, a
    /// page costs no more than its own targets.
    pub fn snapshot(&self, page: u32) -> Option<String> {
        let first = self.first_of(page)?;
        let extent = self.extent(first);
        self.bookmark.set(Some(Bookmark {
            page: page.saturating_add(1),
            first: extent.next,
        }));
        let mut text = String::with_capacity(extent.bytes);
        page::write_header(&mut text, self.seed, page, extent.count);
        let mut place = first;
        while place != extent.next {
            let entry = self.book.entry(place);
            page::write_line(&mut text, entry.hash, self.book.seen(place));
            place = entry.newer;
        }
        Some(text)
    }

    /// Takes one page in, over what is known: every target of the page counts as observed
    /// now, in the order of the page.
    ///
    /// An empty ledger adopts the seed of the page, since hashes are only comparable under
    /// one seed. Anything that is not a whole, well-formed page is refused and changes
    /// nothing.
    pub fn restore(&mut self, text: &str) -> Result<(), PageRefusal> {
        let page = page::read(text)?;
        self.adopt(page.seed)?;
        page.each_target(&mut |hash, prior| self.record(hash, prior))
            .ok_or(PageRefusal::BrokenLine)
    }

    fn adopt(&mut self, seed: Seed) -> Result<(), PageRefusal> {
        if self.targets == 0 {
            self.seed = seed;
        }
        if self.seed == seed {
            Ok(())
        } else {
            Err(PageRefusal::OtherSeed)
        }
    }

    fn first_of(&self, page: u32) -> Option<Place> {
        let first = match self.bookmark.get() {
            Some(mark) if mark.page == page => mark.first,
            _ => {
                let mut first = self.ages.oldest;
                for _ in 0..page {
                    if first == Place::NONE {
                        break;
                    }
                    first = self.extent(first).next;
                }
                first
            }
        };
        (first != Place::NONE).then_some(first)
    }

    fn extent(&self, first: Place) -> Extent {
        let mut extent = Extent {
            bytes: HEADER_BYTES,
            count: 0,
            next: first,
        };
        while extent.next != Place::NONE {
            let line = page::line_bytes(self.book.seen(extent.next));
            if extent.count > 0 && extent.bytes + line > PAGE_BYTES {
                break;
            }
            extent.bytes += line;
            extent.count += 1;
            extent.next = self.book.entry(extent.next).newer;
        }
        extent
    }
}
