//! Ten thousand changed files of each format: an error or a figure that plays, never a panic, and soon.

use passerby_geometry::{Chance, Purpose};
use passerby_motion::Pose;
use passerby_motion::analysis::cut;
use passerby_motion::import::{ImportError, Imported, Options, bvh, gltf};
use passerby_motion::retarget::Figure;

const BVH: &[u8] = include_bytes!("small/a.bvh");
const GLTF: &[u8] = include_bytes!("small/a.gltf");

/// Pieces that break things: numbers that are none, ends of blocks, names of other things.
const PIECES: &[&str] = &[
    "NaN",
    "inf",
    "-1",
    "0",
    "1e38",
    "1e-30",
    "4294967296",
    "99999999999999999999",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    " ",
    "\n",
    "null",
    "End Site",
    "JOINT x",
    "CHANNELS 3",
    "OFFSET 0 0 0",
    "Frames: 2",
    "\"count\":1",
    "\"bufferView\":0",
    "\"children\":[1]",
    "\"byteStride\":1",
    "VEC4",
    "SCALAR",
    "CUBICSPLINE",
    "5121",
    "\u{fffd}",
];

/// One to three changes: digits, bits, bytes, pieces, cuts, copies.
fn mutated(original: &[u8], number: u32) -> Vec<u8> {
    let mut chance = Chance::new(8).stream(number, 0, Purpose::Choice);
    let mut below = move |n: usize| chance.below(n.max(1) as u32) as usize;
    let mut bytes = original.to_vec();
    for _ in 0..=below(3) {
        let at = below(bytes.len().max(1));
        let to = (at + below(24)).min(bytes.len());
        let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
        match below(9) {
            6.. if !digits.is_empty() => bytes[digits[below(digits.len())]] = b'0' + below(10) as u8,
            0 if !bytes.is_empty() => bytes[at] ^= 1 << below(8),
            1 if !bytes.is_empty() => bytes[at] = below(256) as u8,
            2 => drop(bytes.splice(at.min(to)..to, PIECES[below(PIECES.len())].bytes())),
            3 => drop(bytes.drain(at.min(to)..to)),
            4 => {
                let copy: Vec<u8> = bytes[at.min(to)..to].to_vec();
                let into = below(bytes.len() + 1);
                drop(bytes.splice(into..into, copy));
            }
            _ if below(8) == 0 => bytes.truncate(at),
            _ => {}
        }
    }
    bytes
}

/// Plays what was read; the pose has to be of numbers. Whoever can walk may have a cycle.
fn play(read: Result<Imported, ImportError>) -> bool {
    let Ok(read) = read else { return false };
    let (mut pose, mut placed) = (Pose::default(), vec![]);
    for take in &read.takes {
        for share in [0.0, 0.3, 1.0] {
            take.sample(&read.skeleton, share * take.duration(), &mut pose);
            pose.to_model(&read.skeleton, &mut placed);
            assert!(placed.iter().all(|joint| joint.rotation.is_finite() && joint.position.is_finite()), "{placed:?}");
        }
        if let Ok(roles) = &read.roles {
            let _ = cut(Figure { skeleton: &read.skeleton, roles }, take);
        }
    }
    true
}

#[test]
fn mutated_bvh_never_panics() {
    let read = (0..10_000).filter(|number| play(bvh::read(&mutated(BVH, *number), &Options::default()))).count();
    println!("{read} of 10000 were read");
    assert!((500..9500).contains(&read), "changes should neither break all nor none: {read}");
}

#[test]
fn mutated_gltf_never_panics() {
    let one = |number: &u32| play(gltf::read(&mutated(GLTF, *number), &|_| None, &Options::default()));
    let read = (0..10_000).filter(one).count();
    println!("{read} of 10000 were read");
    assert!((500..9500).contains(&read), "changes should neither break all nor none: {read}");
}
