//! Captured motion (BVH).
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| passerby_fuzz::clip(|options| passerby_motion::import::bvh::read(bytes, options)));
