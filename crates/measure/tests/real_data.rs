//! What is wrong with the recordings in use, and how heads sway in them.

mod common;

use std::ops::ControlFlow;

use common::{CM, M, TWO_WAY, people};
use passerby_measure::{
    Audit, AuditLimits, Entropy, EntropyOptions, Fault, PersonState, Predictor, Samples, Smoothing, entropy, sway,
};
use passerby_record::{Frame, Recording, Unit};

/// Shows all frames of a recording.
fn show(recording: &Recording, mut each: impl FnMut(&Frame<'_>)) {
    let mut see = |frame: &Frame<'_>| {
        each(frame);
        ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, &mut see).expect("readable");
}

fn audit(file: &str, unit: Option<Unit>, fps: f64, floor: &[[f64; 2]]) -> Option<Audit> {
    let recording = people(&common::data()?, file, unit, Some(fps));
    let mut header = recording.header().clone();
    if !floor.is_empty() {
        header.place.areas.push(vec![floor.to_vec()]);
    }
    let mut audit = Audit::new(&header, AuditLimits::default()).expect("a floor");
    show(&recording, |frame| audit.see(frame));
    for (fault, faults) in audit.faults() {
        println!("{file}: {} {}, first {:?}", faults.count, fault.words(), faults.examples[0]);
    }
    Some(audit)
}

#[test]
fn the_corridor_of_two_ways_has_one_jump_and_people_outside() {
    let Some(audit) = audit("juelich-corridor-bi/bi_corr_400_b_03.txt", CM, 25.0, TWO_WAY) else { return };
    assert_eq!(audit.seen().1, 120_790);
    let faults = audit.faults();
    assert_eq!(faults[&Fault::Jump].count, 1);
    let speed = faults[&Fault::Jump].examples[0].value;
    assert!((speed - 5.6).abs() < 0.05, "{speed} m/s");
    assert_eq!(faults[&Fault::OutsideFloor].count, 75);
    assert!(!faults.contains_key(&Fault::Gap) && !faults.contains_key(&Fault::Twice));
}

#[test]
fn the_forecourt_has_one_gap_and_people_who_stand() {
    let Some(audit) = audit("ucy-students03/obsmat.txt", None, 25.0, &[]) else { return };
    assert_eq!((audit.seen().1, audit.seen().2), (21_846, 428));
    let faults = audit.faults();
    // Person 207 has no row between those of frames 4921 and 4941 of the file.
    let gap = &faults[&Fault::Gap];
    assert_eq!((gap.count, gap.examples[0].id, gap.examples[0].tick, gap.examples[0].value), (1, Some(207), 4941, 1.0));
    assert_eq!(faults[&Fault::Short].count, 23);
}

/// Median and lowest tenth of a value.
fn median_and_tenth(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    (values[values.len() / 2], values[values.len() / 10])
}

/// Reference: 3 to 6 cm; 0.95 Hz at 1.4 m/s; in the jam 0.64 Hz, and below 0.52 Hz for a tenth.
#[test]
fn heads_sway_as_published() {
    for (file, frequency, tenth) in [("uo-050-180-180", 0.95, None), ("uo-180-180-070", 0.64, Some(0.52))] {
        let file = format!("juelich-corridor-uni/{file}.txt");
        let Some(folder) = common::data() else { return };
        let recording = people(&folder, &file, CM, Some(16.0));
        let mut samples = Samples::new(recording.header());
        show(&recording, |frame| samples.see(frame));
        let sways = sway(&samples, &Smoothing::default()).expect("16 frames a second");
        let amplitude = median_and_tenth(sways.iter().map(|sway| sway.amplitude)).0;
        let found = median_and_tenth(sways.iter().map(|sway| sway.frequency));
        let speed = sways.iter().map(|sway| sway.speed).sum::<f64>() / sways.len() as f64;
        println!("{file}: {} people, {speed:.3} m/s, {amplitude:.4} m, {found:?} Hz", sways.len());
        assert!((0.03..=0.06).contains(&amplitude), "{amplitude} m");
        assert!((found.0 - frequency).abs() <= 0.03, "{} Hz, expected {frequency}", found.0);
        if let Some(tenth) = tenth {
            assert!((found.1 - tenth).abs() <= 0.03, "{} Hz, expected {tenth}", found.1);
        }
    }
}

/// The other recordings, for the page that tells about them.
#[test]
fn the_others_have_no_jumps() {
    for (file, unit, fps) in [
        ("ucy-zara01/obsmat.txt", None, 25.0),
        ("juelich-crossing-90/traj_crossing_90_c_6_v5.txt", M, 25.0),
        ("juelich-corner/traj.txt", M, 16.0),
    ] {
        let Some(audit) = audit(file, unit, fps, &[]) else { return };
        assert!(!audit.faults().contains_key(&Fault::Jump), "{file}");
    }
}

/// People in a street are foreseen better by those who expect them to walk on than by those who expect them to stand or to turn
/// about.
#[test]
fn people_walk_on() {
    let Some(folder) = common::data() else { return };
    let recording = people(&folder, "ucy-zara01/obsmat.txt", None, Some(25.0));
    let header = recording.header();
    let step = header.tick * f64::from(header.every);
    let score = |predictor: &mut Predictor<'_>| -> Entropy {
        let options = EntropyOptions { members: 50, ..EntropyOptions::default() };
        entropy(header, &options, predictor, |see| show(&recording, see)).expect("people")
    };
    let mut walk_on = |_: &[u32], now: &[PersonState], next: &mut [PersonState]| {
        now.iter().zip(next).for_each(|(now, next)| next.at = now.at + step * now.velocity);
    };
    let mut stand = |_: &[u32], _: &[PersonState], next: &mut [PersonState]| {
        next.iter_mut().for_each(|next| next.velocity = Default::default());
    };
    let mut turn_about = |_: &[u32], now: &[PersonState], next: &mut [PersonState]| {
        for (now, next) in now.iter().zip(next) {
            *next = PersonState { at: now.at - step * now.velocity, velocity: -now.velocity };
        }
    };
    let scores = [score(&mut walk_on), score(&mut stand), score(&mut turn_about)];
    println!("{scores:?}");
    assert!(scores.windows(2).all(|pair| pair[0].entropy + 0.5 < pair[1].entropy), "{scores:?}");
}
