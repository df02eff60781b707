//! Points of a picture.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| passerby_fuzz::place("a.txt", bytes, [[0.0, 0.0], [8.0, 5.0]]));
