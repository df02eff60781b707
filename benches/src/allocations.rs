//! Counts what is asked of the allocator: how often, and how many bytes are held.
//!
//! A program that wants to count makes [`Counting`] its global allocator:
//! `#[global_allocator] static ALLOCATOR: Counting = Counting;`

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The system's allocator with counters. They are of the whole program: all threads add to them.
#[derive(Debug)]
pub struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicU64 = AtomicU64::new(0);
static MOST: AtomicU64 = AtomicU64::new(0);

/// Allocations and reallocations so far; giving back is not counted.
pub fn calls() -> u64 {
    CALLS.load(Relaxed)
}

/// Bytes that are held now.
pub fn held() -> u64 {
    HELD.load(Relaxed)
}

/// The most bytes that were held at once since the last call.
pub fn most_held() -> u64 {
    MOST.swap(HELD.load(Relaxed), Relaxed)
}

fn took(bytes: usize) {
    CALLS.fetch_add(1, Relaxed);
    let held = HELD.fetch_add(bytes as u64, Relaxed) + bytes as u64;
    MOST.fetch_max(held, Relaxed);
}

fn gave_back(bytes: usize) {
    HELD.fetch_sub(bytes as u64, Relaxed);
}

// There is no safe way to see allocations: the trait itself is unsafe. It is in benches and their tests only.
// SAFETY: every call goes to `System` with the arguments it came with, and its answer is handed back as it is; counting
// touches nothing but three atomic numbers, so it neither allocates nor unwinds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's promises about `layout` are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as above. Not by `alloc`: the system hands out fresh pages without writing zeros.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        gave_back(layout.size());
        // SAFETY: `at` came from `System` by one of these functions, with this layout.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        (gave_back(layout.size()), took(size));
        // SAFETY: `at` came from `System` with this layout; `size` is as the caller promises.
        unsafe { System.realloc(at, layout, size) }
    }
}
