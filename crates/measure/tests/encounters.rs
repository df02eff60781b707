//! Encounters, groups and sway of real people, against figures that other programs found in the same recordings.

mod common;

use std::ops::ControlFlow;

use common::{CM, M, people};
use passerby_measure::{
    Agreement, Belonging, EncounterCounts, EncounterSelection, EncounterSummary, Groups, Samples, Smoothed, Smoothing,
    find_encounters,
};
use passerby_record::{FORMAT, Frame, Header, PlaceShape, Unit};

fn smoothed(file: &str, unit: Option<Unit>, fps: Option<f64>) -> Option<Smoothed> {
    let recording = people(&common::data()?, file, unit, fps);
    let mut samples = Samples::new(recording.header());
    let mut see = |frame: &Frame<'_>| {
        samples.see(frame);
        ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, &mut see).expect("readable");
    assert_eq!((samples.off_clock(), samples.thinned(), samples.full()), (0, 1, None));
    Some(samples.smoothed(&Smoothing::default()).expect("frames enough"))
}

fn groups(file: &str) -> Groups {
    let text = common::data().map(|folder| std::fs::read_to_string(folder.join(file)).expect(file));
    Groups::parse(&text.unwrap_or_default()).expect(file)
}

/// All encounters, and those that were predicted to pass within a metre.
fn summaries(
    smoothed: &Smoothed,
    selection: &EncounterSelection,
    groups: &Groups,
) -> (EncounterCounts, [EncounterSummary; 2]) {
    let mut both = [EncounterSummary::default(), EncounterSummary::default()];
    let counts = find_encounters(smoothed, selection, groups, |encounter| {
        both[0].see(encounter);
        if encounter.predicted[0] < 1.0 {
            both[1].see(encounter);
        }
    });
    (counts, both)
}

/// A row of the reference table: encounters, duration, speed, mean and least distance; encounters below 1 m, their predicted
/// distance at first, highest and where, at the end.
struct Row {
    n: u64,
    duration: f64,
    speed: f64,
    distance: [f64; 2],
    low: u64,
    predicted: [f64; 3],
    /// As a share of the time.
    highest_at: f64,
}

#[track_caller]
fn check(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 0.005 * expected, "{what}: {found}, expected {expected}");
}

fn compare(
    name: &str,
    smoothed: &Smoothed,
    selection: &EncounterSelection,
    groups: &Groups,
    row: &Row,
) -> EncounterSummary {
    let (counts, [all, low]) = summaries(smoothed, selection, groups);
    println!("{name}: {counts:?}, {} walks, {} too short", smoothed.walks.len(), smoothed.too_short);
    println!("  all: order kept {} of {}, adaptation {:?}", all.order_kept, all.crossing, all.adaptation.mean());
    println!("  clearance {:?}, share of more {:?}", all.clearance.mean(), all.share_of_more.mean());
    println!("  share of first {:?}, phases {:?}", all.share_of_first.mean(), low.phases());
    assert_eq!(all.count(), counts.used);
    check(all.count() as f64, row.n as f64, "encounters");
    check(all.duration.mean().unwrap(), row.duration, "duration");
    check(all.speed.mean().unwrap(), row.speed, "speed");
    check(all.distance.mean().unwrap(), row.distance[0], "mean distance");
    check(all.distance.least, row.distance[1], "least distance");
    check(low.count() as f64, row.low as f64, "encounters below 1 m");
    let curve = low.curve().unwrap();
    let (highest_at, highest) = low.highest().unwrap();
    check(curve[0], row.predicted[0], "predicted at first");
    check(highest, row.predicted[1], "highest");
    check(curve[curve.len() - 1], row.predicted[2], "at the end");
    assert_eq!(highest_at, row.highest_at);
    all
}

#[test]
fn a_street_has_the_published_encounters() {
    let file = "ucy-zara01/obsmat.txt";
    let Some(smoothed) = smoothed(file, None, Some(25.0)) else { return };
    let row = Row {
        n: 228,
        duration: 3.32,
        speed: 1.197,
        distance: [1.602, 0.286],
        low: 80,
        predicted: [0.495, 1.057, 1.057],
        highest_at: 1.0,
    };
    let all = compare(file, &smoothed, &EncounterSelection::default(), &groups("ucy-zara01/groups.txt"), &row);
    assert_eq!(all.count(), 228);
    assert_eq!((all.order_kept, all.crossing), (13, 16));
}

#[test]
fn a_forecourt_has_the_published_encounters() {
    let file = "ucy-students03/obsmat.txt";
    let Some(smoothed) = smoothed(file, None, Some(25.0)) else { return };
    let row = Row {
        n: 1534,
        duration: 3.55,
        speed: 0.876,
        distance: [1.548, 0.248],
        low: 548,
        predicted: [0.494, 1.177, 1.177],
        highest_at: 1.0,
    };
    let all = compare(file, &smoothed, &EncounterSelection::default(), &groups("ucy-students03/groups.txt"), &row);
    check(all.order_kept as f64, 396.0, "order kept");
    check(all.crossing as f64, 556.0, "crossing");
}

#[test]
fn crossing_streams_have_the_published_encounters() {
    let file = "juelich-crossing-90/traj_crossing_90_c_6_v5.txt";
    let Some(smoothed) = smoothed(file, M, Some(25.0)) else { return };
    let row = Row {
        n: 723,
        duration: 3.46,
        speed: 0.283,
        distance: [1.380, 0.129],
        low: 286,
        predicted: [0.486, 0.910, 0.910],
        highest_at: 1.0,
    };
    let selection = EncounterSelection { speed: 0.2, ..EncounterSelection::default() };
    let all = compare(file, &smoothed, &selection, &Groups::default(), &row);
    assert_eq!(all.count(), 723);
}

#[test]
fn a_corridor_of_two_ways_has_the_published_encounters() {
    let file = "juelich-corridor-bi/bi_corr_400_b_03.txt";
    let Some(smoothed) = smoothed(file, CM, Some(25.0)) else { return };
    let row = Row {
        n: 2932,
        duration: 3.11,
        speed: 1.010,
        distance: [0.975, 0.212],
        low: 1441,
        predicted: [0.545, 0.854, 0.844],
        highest_at: 0.76,
    };
    let selection = EncounterSelection { distance: 1.5, ..EncounterSelection::default() };
    let all = compare(file, &smoothed, &selection, &Groups::default(), &row);
    assert_eq!(all.count(), 2932);
}

/// Told pairs and those of `groups.txt`, but for whoever's walk is too short to be told.
fn agreement(place: &str, smoothed: &Smoothed, found: &[[u32; 2]]) -> Agreement {
    let mut pairs = groups(&format!("{place}/groups.txt")).pairs();
    pairs.retain(|pair| pair.iter().all(|id| smoothed.walks.iter().any(|walk| walk.id == *id)));
    let agreement = Agreement::of(found, &pairs);
    println!("{place}: {agreement:?} {:?} {:?}", agreement.precision(), agreement.recall());
    agreement
}

/// The counts are those of the same rule in NumPy and SciPy. Who stays together: 62 right of 64, 73 known; 149 right of 199, 172 known.
/// Who of them is nearer than strangers would be, and who is joined by those: 56 right of 58, and 127 right of 153.
#[test]
fn people_who_walk_together_are_told() {
    for (place, staying, known, right, nearer, told, both) in
        [("ucy-zara01", 64, 73, 62, 56, 58, 56), ("ucy-students03", 199, 172, 149, 140, 153, 127)]
    {
        let Some(smoothed) = smoothed(&format!("{place}/obsmat.txt"), None, Some(25.0)) else { return };
        let found = agreement(place, &smoothed, &Belonging::default().staying(&smoothed));
        assert_eq!(found, Agreement { told: staying, known, both: right });
        let company = Belonging::default().company(&smoothed);
        assert_eq!((company.staying, company.nearer, company.too_dense), (staying, nearer, false));
        assert_eq!(agreement(place, &smoothed, &company.pairs), Agreement { told, known, both });
    }
}

/// Volunteers who were told where to walk, in streams and jams: nobody is said to belong to anybody. Counts by NumPy and SciPy.
#[test]
fn streams_and_jams_are_too_dense_to_tell() {
    for (file, unit, fps, staying, nearer) in [
        ("juelich-crossing-90/traj_crossing_90_c_6_v5.txt", M, 25.0, 3030, 2),
        ("juelich-corner/traj.txt", M, 16.0, 317, 13),
        ("juelich-corridor-bi/bi_corr_400_b_03.txt", CM, 25.0, 1225, 91),
        ("juelich-corridor-uni/uo-050-180-180.txt", CM, 16.0, 66, 21),
    ] {
        let Some(smoothed) = smoothed(file, unit, Some(fps)) else { return };
        let company = Belonging::default().company(&smoothed);
        println!("{file}: {} stay together, {} nearer than strangers", company.staying, company.nearer);
        assert_eq!((company.staying, company.nearer), (staying, nearer), "{file}");
        assert!(company.too_dense && company.pairs.is_empty(), "{file}");
    }
}

/// A thousand people who walk about for as long as memory allows: all of it takes less than 100 MB, and says where it ended.
#[test]
#[ignore = "takes ten seconds"]
fn long_memory_has_an_end() {
    let header = Header {
        format: FORMAT,
        version: String::new(),
        name: String::new(),
        scenario: String::new(),
        seed: 0,
        tick: 0.05,
        every: 1,
        offset: [0.0; 2],
        place: PlaceShape::default(),
        bodies: false,
    };
    let mut samples = Samples::new(&header);
    let id: Vec<u32> = (0..1000).collect();
    let nothing = vec![0.0f32; id.len()];
    for tick in 0..40_000 {
        let time = 0.05 * f64::from(tick);
        // There and back again.
        let place = |from: u32, speed: f64, length: f64| {
            let way = (f64::from(from) + time * speed).rem_euclid(2.0 * length);
            way.min(2.0 * length - way)
        };
        let slow = |i: &u32| 0.001 * f64::from(*i);
        let x: Vec<f64> = id.iter().map(|i| place(i * 7919 % 997, 0.8 + slow(i), 60.0)).collect();
        let y: Vec<f64> = id.iter().map(|i| place(i * 104_729 % 991, 1.6 - slow(i), 40.0)).collect();
        samples.see(&Frame { tick, id: &id, x: &x, y: &y, vx: &nothing, vy: &nothing, heading: &nothing, bodies: &[] });
    }
    assert_eq!(samples.thinned(), 8); // 2.5 of 20 frames a second
    let full = samples.full().expect("more than memory allows");
    assert_eq!(full, 8 * 2097); // 2097 samples of a thousand fit into 2^21 places, the next does not
    let smoothed = samples.smoothed(&Smoothing::default()).expect("frames enough");
    let (counts, _) = summaries(&smoothed, &EncounterSelection::default(), &Groups::default());
    println!("{counts:?}");
    // Where the system tells what was taken at most.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let words = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        let most: f64 = words.trim().trim_end_matches(" kB").parse().expect("kilobytes");
        println!("{:.1} MB", most / 1024.0);
        assert!(most < 100.0 * 1024.0, "{most} kB");
    }
}
