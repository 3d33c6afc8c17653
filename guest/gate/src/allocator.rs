//! The component's memory: free lists by size class over a heap that only grows.
//!
//! A request is rounded up to a class: multiples of 16 bytes up to 256, above that eight
//! classes to each doubling, so that at most an eighth of a block is lost. A freed block
//! goes to the list of its class and is the next one given out there. Blocks are never
//! split or joined: what a component holds is bounded by the sum of the most that each
//! class ever needed at one time, and both directions are a handful of instructions.
//!
//! When the host grants no more memory the answer is null, which Rust's `alloc` turns into
//! a trap.
#![allow(
    unsafe_code,
    reason = "an allocator is made of raw memory; every unsafe block says why it holds"
)]

use core::{
    alloc::{GlobalAlloc, Layout},
    arch::wasm32::{memory_grow, memory_size},
    cell::UnsafeCell,
    ptr::{NonNull, null_mut},
};

/// The alignment of every block, and the smallest block.
const GRAIN: usize = 16;
const GRAIN_SHIFT: u32 = GRAIN.trailing_zeros();
/// Classes to a doubling.
const STEPS: usize = 8;
/// The largest request: with it, rounding up cannot overflow 32 bits.
const LARGEST: usize = 1 << 30;
const CLASSES: usize = Class::of(LARGEST).index + 1;
const PAGE: usize = 64 * 1024;

unsafe extern "C" {
    /// The first byte after the data and the stack, placed by the linker.
    static __heap_base: u8;
}

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(State {
    free: [None; CLASSES],
    next: 0,
    end: 0,
}));

/// The heap of this instance.
struct Heap(UnsafeCell<State>);

// SAFETY: the component is built without the threads of WebAssembly, so that nothing can
// reach the cell while a call into it is running.
unsafe impl Sync for Heap {}

struct State {
    /// The first free block of each class; each holds the address of the next.
    free: [Option<NonNull<FreeBlock>>; CLASSES],
    /// The first address that was never given out; 0 before the first request.
    next: usize,
    /// The end of the memory that the host granted.
    end: usize,
}

struct FreeBlock {
    next: Option<NonNull<FreeBlock>>,
}

/// A size class: its number and the size of its blocks in bytes.
#[derive(Clone, Copy)]
struct Class {
    index: usize,
    size: usize,
}

impl Class {
    /// The smallest class for a request of at most [`LARGEST`] bytes.
    const fn of(size: usize) -> Class {
        let last = if size == 0 { 0 } else { size - 1 };
        // The step is an eighth of the power of two below, and never less than a grain.
        let step_shift = match (last >> (GRAIN_SHIFT + 3)).checked_ilog2() {
            None | Some(0) => GRAIN_SHIFT,
            Some(doublings) => GRAIN_SHIFT + doublings,
        };
        let steps = (last >> step_shift) + 1;
        Class {
            index: (step_shift - GRAIN_SHIFT) as usize * STEPS + steps - 1,
            size: steps << step_shift,
        }
    }
}

impl State {
    fn take(&mut self, class: Class) -> *mut u8 {
        match self.free[class.index] {
            Some(block) => {
                // SAFETY: a block on a list was given back, is at least a grain long, and
                // holds the link that `give_back` wrote.
                self.free[class.index] = unsafe { block.as_ref().next };
                block.as_ptr().cast()
            }
            None => self.carve(class.size),
        }
    }

    fn give_back(&mut self, block: *mut u8, class: Class) {
        let Some(block) = NonNull::new(block.cast::<FreeBlock>()) else {
            return;
        };
        let next = self.free[class.index];
        // SAFETY: the block was given out by `take` with this class, so it is ours to
        // write again, aligned to a grain and at least a grain long.
        unsafe { block.write(FreeBlock { next }) };
        self.free[class.index] = Some(block);
    }

    /// A block from the memory that was never used, asking the host for more if need be.
    #[cold]
    fn carve(&mut self, size: usize) -> *mut u8 {
        if self.next == 0 {
            let base = &raw const __heap_base as usize;
            self.next = base.next_multiple_of(GRAIN);
            self.end = memory_size(0) * PAGE;
        }
        if size > self.end.saturating_sub(self.next) && !self.grow(size) {
            return null_mut();
        }
        let block = self.next;
        self.next += size;
        block as *mut u8
    }

    /// Asks the host for the pages that a block of this size still needs.
    fn grow(&mut self, size: usize) -> bool {
        let pages = size
            .saturating_sub(self.end.saturating_sub(self.next))
            .div_ceil(PAGE);
        let before = memory_grow(0, pages);
        if before == usize::MAX {
            return false;
        }
        // Memory that somebody else grew in between is left alone.
        if before * PAGE != self.end {
            self.next = before * PAGE;
        }
        match (before + pages).checked_mul(PAGE) {
            Some(end) => self.end = end,
            // The very last page of a full 4 GiB is given up rather than wrapped to 0.
            None => self.end = usize::MAX - PAGE + 1,
        }
        size <= self.end - self.next
    }
}

// SAFETY: blocks are disjoint, aligned to a grain, at least as large as asked for, and stay
// valid until they are given back.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LARGEST || layout.align() > GRAIN {
            return null_mut();
        }
        // SAFETY: no other reference to the state is alive: see `Sync`.
        unsafe { &mut *self.0.get() }.take(Class::of(layout.size()))
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`; the layout is the one the block was asked for with.
        unsafe { &mut *self.0.get() }.give_back(block, Class::of(layout.size()));
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size <= LARGEST && Class::of(size).index == Class::of(layout.size()).index {
            return block;
        }
        // SAFETY: the alignment is one that `alloc` accepted, and the size is checked there.
        let moved = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !moved.is_null() {
            // SAFETY: two disjoint blocks, each at least as long as what is copied.
            unsafe { moved.copy_from_nonoverlapping(block, layout.size().min(size)) };
            // SAFETY: the caller gives the old block up.
            unsafe { self.dealloc(block, layout) };
        }
        moved
    }
}
