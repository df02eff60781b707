//! Lanes in a recording of real people: 480 of them, both ways through a corridor 4 m wide.

mod common;

use common::*;
use passerby_geometry::{Chance, DVec2, Purpose};
use passerby_measure::{Lanes, Moment, band_order, streams};

#[test]
fn two_ways_through_a_corridor_are_lanes_and_shuffled_directions_are_not() {
    let Some(folder) = data() else { return };
    let recording = people(&folder, "juelich-corridor-bi/bi_corr_400_b_03.txt", CM, Some(25.0));
    let mut lanes = Lanes::default();
    let (mut shuffled, mut by_chance, mut moments_seen) = (0.0, 0.0, 0.0);
    let chance = Chance::new(1);
    moments(&recording, 5, |moment: &Moment<'_>| {
        if !moment.tick.is_multiple_of(10) {
            return;
        }
        lanes.see(moment, |_| true);
        // The same people, their directions dealt out anew in each moment.
        if let Some((rows, mut stream, _)) = streams(moment) {
            let mut draw = chance.stream(0, moment.tick, Purpose::Sample);
            for i in (1..stream.len()).rev() {
                stream.swap(i, draw.below(i as u32 + 1) as usize);
            }
            let at: Vec<DVec2> = rows.iter().map(|row| moment.at[*row]).collect();
            let found = band_order(&at, &stream, 0.0).expect("people");
            (shuffled += found.order, by_chance += found.by_chance, moments_seen += 1.0);
        }
    });
    let (order, chance) = (lanes.order.mean().expect("two streams"), lanes.by_chance.mean().expect("two streams"));
    println!(
        "order {order:.3}, by chance {chance:.3}, shuffled {:.3}, {} moments",
        shuffled / moments_seen,
        lanes.order.count()
    );
    assert!(lanes.order.count() > 200 && order > 2.0 * chance, "order {order}, by chance {chance}");
    assert!((shuffled / by_chance - 1.0).abs() < 0.05, "shuffled {shuffled}, by chance {by_chance}");
}

/// Four streams and many who stand: no two directions that people agree on, so nothing is told.
#[test]
fn four_streams_are_not_taken_for_two() {
    let Some(folder) = data() else { return };
    let recording = people(&folder, "juelich-crossing-90/traj_crossing_90_c_6_v5.txt", M, Some(25.0));
    let mut lanes = Lanes::default();
    moments(&recording, 5, |moment: &Moment<'_>| {
        if moment.tick.is_multiple_of(10) {
            lanes.see(moment, |_| true);
        }
    });
    assert_eq!((lanes.stripes.count(), lanes.order.count(), lanes.without), (0, 0, 53));
}

/// One stream that turns a right angle: two directions, and nobody crosses anybody.
#[test]
fn a_stream_round_a_corner_has_no_stripes() {
    let Some(folder) = data() else { return };
    let recording = people(&folder, "juelich-corner/traj.txt", M, Some(16.0));
    let mut lanes = Lanes::default();
    moments(&recording, 3, |moment: &Moment<'_>| {
        if moment.tick.is_multiple_of(6) {
            lanes.see(moment, |_| true);
        }
    });
    println!("{} without, {} apart, {} mixed", lanes.without, lanes.apart, lanes.mixed);
    assert!(lanes.apart > 10);
    assert_eq!((lanes.stripes.count(), lanes.spacing.count()), (0, 0));
}
