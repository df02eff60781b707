//! Geometry XML of JuPedSim.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| passerby_fuzz::place("a.xml", bytes, [[0.0, 0.0], [3.0, 3.0]]));
