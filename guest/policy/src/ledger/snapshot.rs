//! A ledger in pages of text, and back: for compaction, resume, and another process.

use alloc::string::String;

use super::{
    Ledger, Seed,
    entry::Place,
    page::{self, HEADER_BYTES, PAGE_BYTES, PageRefusal},
};

/// Where the page begins that was asked for last, so that the pages of a snapshot need one
/// walk in all, and its end none at all however much comes before it.
///
/// What is observed goes to the end, and so into this page or behind it: the bookmark stays
/// good, and only moves on when the target that it is at leaves its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bookmark {
    page: u32,
    /// None where the pages before hold all there is; then what is added next.
    pub(super) first: Place,
}

impl Bookmark {
    /// The first page of nothing.
    pub(super) const START: Bookmark = Bookmark {
        page: 0,
        first: Place::NONE,
    };
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
    /// page costs no more than its own targets and those before it in one page; so does the
    /// one that was asked for last, whatever was observed since: it begins where it began,
    /// and what was observed since is in it or behind it.
    pub fn snapshot(&self, page: u32) -> Option<String> {
        let first = self.first_of(page)?;
        let extent = self.extent(first);
        self.ages.bookmark.set(Bookmark { page, first });
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
        let mut mark = self.ages.bookmark.get();
        if page < mark.page {
            mark = Bookmark {
                page: 0,
                first: self.ages.oldest,
            };
        }
        while mark.page < page && mark.first != Place::NONE {
            mark.page += 1;
            mark.first = self.extent(mark.first).next;
        }
        (mark.first != Place::NONE).then_some(mark.first)
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
