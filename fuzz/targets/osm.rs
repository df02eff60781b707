//! OpenStreetMap XML.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| passerby_fuzz::place("a.osm", bytes, [[1.0001, 1.0001], [1.0008, 1.0006]]));
