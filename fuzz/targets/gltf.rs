//! Animated models (glTF and GLB).
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    passerby_fuzz::clip(|options| passerby_motion::import::gltf::read(bytes, &|_| None, options));
});
