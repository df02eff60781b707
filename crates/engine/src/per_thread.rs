//! Buffers that each thread of the pool has for itself.

use std::sync::{Mutex, MutexGuard};

/// One `T` per thread of the pool, and one for a caller outside of it. Kept from tick to tick, so that a step allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct PerThread<T>(Vec<Mutex<T>>);

impl<T: Default> PerThread<T> {
    /// Makes one for each thread of the present pool; to be called before the threads ask.
    pub fn prepare(&mut self) {
        self.prepare_with(T::default);
    }

    /// The same, of those that `make` makes.
    pub fn prepare_with(&mut self, make: impl Fn() -> T) {
        let threads = rayon::current_num_threads() + 1;
        if self.0.len() < threads {
            self.0.resize_with(threads, || Mutex::new(make()));
        }
    }

    /// That of the calling thread. Nobody else asks for it, so it never waits.
    pub fn mine(&self) -> MutexGuard<'_, T> {
        let thread = rayon::current_thread_index().unwrap_or(self.0.len() - 1);
        self.0[thread].lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
