//! Why people cannot get to where they want to go.

use crate::journey::Aim;
use crate::people::People;
use crate::scenario::Scenario;
use crate::world::{World, width_of};
use passerby_geometry::DVec2;
use passerby_navigation::Goal;
use std::collections::BTreeMap;

/// One sentence for each goal that somebody has no way to.
pub(crate) fn why_unable(world: &World, people: &People, scenario: &Scenario) -> Vec<String> {
    let mut without: BTreeMap<String, (u64, f64)> = BTreeMap::new();
    for row in (0..people.len()).filter(|row| people.journeys.unable[*row]) {
        let to = match people.journeys.aim[row] {
            Aim::Target(target) => match world.targets[target.0 as usize] {
                Goal::Region(region) => format!("\"{}\"", scenario.place.regions[region].name),
                Goal::Point(at) => words_for(world.place(at)),
            },
            Aim::Own => "a point of their own".to_owned(),
            Aim::Nothing => continue,
        };
        let (count, width) = without.entry(to).or_default();
        *count += 1;
        *width = width.max(width_of(people.journeys.class[row]));
    }
    let closed = closed_doors(world, scenario);
    let sentence = |(to, (count, width)): (String, (u64, f64))| {
        let who = if count == 1 { "1 person has".to_owned() } else { format!("{count} people have") };
        match &closed[..] {
            "" => format!("{who} no way to {to}: they are off the floor, or something is narrower than {width:.2} m"),
            closed => format!("{who} no way to {to}: {closed}"),
        }
    };
    without.into_iter().map(sentence).collect()
}

fn words_for(at: DVec2) -> String {
    format!("({:.2}, {:.2})", at.x, at.y)
}

/// Which doors are closed, in words; nothing if none is.
fn closed_doors(world: &World, scenario: &Scenario) -> String {
    let doors = scenario.place.doors.iter().zip(world.map.closed_doors());
    let names: Vec<String> =
        doors.filter(|(_, closed)| **closed).map(|(door, _)| format!("\"{}\"", door.name)).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!("the door {one} is closed"),
        [first @ .., last] => format!("the doors {} and {last} are closed", first.join(", ")),
    }
}
