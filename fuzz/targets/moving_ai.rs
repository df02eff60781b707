//! Grid maps of the Moving AI lab.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| passerby_fuzz::place("a.map", bytes, [[0.0, 0.0], [3.0, 3.0]]));
