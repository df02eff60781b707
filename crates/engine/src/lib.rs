//! A crowd simulator: scenario, step, threads, seeds, events.
