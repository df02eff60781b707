//! Ctrl-C: the first one asks for a clean end, the second one ends at once.

use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of what was interrupted.
pub const EXIT: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C does not end the program but makes [`asked`] true.
pub fn watch() -> anyhow::Result<()> {
    let on_signal = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(EXIT)); // the recording stays as after a kill: readable up to the last second
        }
    };
    ctrlc::set_handler(on_signal).context("cannot watch for Ctrl-C")
}

/// Whether somebody wants us to end.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
