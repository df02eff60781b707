//! Situations in whole runs: crossings with a light, a theatre, queues, exclusive places, trains, rules that misbehave.

mod common;

use passerby::crowd::AgentId;
use passerby::geometry::{DVec2, Vec2};
use passerby::scenario::NoFiles;
use passerby::situations::{Plugged, Posture, SituationId};
use passerby::steering::Model;
use passerby::{Scenario, Simulation};
use std::collections::BTreeMap;

fn parse(text: &str) -> Scenario {
    Scenario::parse(text, &NoFiles, "scene.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

fn run(text: &str) -> Simulation {
    Simulation::new(parse(text)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn id_of(simulation: &Simulation, name: &str) -> SituationId {
    simulation.situations().and_then(|situations| situations.find(name)).unwrap_or_else(|| panic!("no {name}"))
}

fn plugged(simulation: &Simulation, row: usize) -> Option<&Plugged> {
    simulation.people().plugged[row].as_deref()
}

fn rows(simulation: &Simulation) -> impl Iterator<Item = (AgentId, usize, Vec2)> + '_ {
    let ids = simulation.ids().iter().copied().enumerate();
    ids.map(|(row, id)| (id, row, simulation.positions()[row]))
}

/// By hand: two stand 5 m apart where people approach each other, and end a metre apart, face to face; a third, 20 m away and so out of sight of
/// both, stands where they are. Outside of it nobody cares.
#[test]
fn who_approaches_ends_face_to_face() {
    let text = r#"
[place]
floor = [[0, 0], [40, 0], [40, 10], [0, 10]]
[[population]]
at = [[5, 4], [10, 4], [30, 4], [5, 9], [10, 9]]
speed = 1
journey = [{ wait = 1000 }]
[[situation]]
name = "hall"
region = [[0, 0], [40, 0], [40, 7], [0, 7]]
behaviours = ["approach"]
[run]
until = 12
"#;
    let mut simulation = run(text);
    let start: BTreeMap<AgentId, Vec2> = rows(&simulation).map(|(id, _, at)| (id, at)).collect();
    while !simulation.finished() {
        simulation.step();
    }
    let found: BTreeMap<u32, (usize, Vec2)> =
        rows(&simulation).map(|(id, row, at)| (id.ordinal(), (row, at))).collect();
    let (one, other) = (found[&0].1, found[&1].1);
    assert!((0.6..=1.1).contains(&one.distance(other)), "{one} and {other}");
    for (me, you) in [(0, 1), (1, 0)] {
        let looks = Vec2::from_angle(simulation.people().agents.now.heading[found[&me].0]);
        let towards = (found[&you].1 - found[&me].1).normalize();
        assert!(looks.dot(towards) > 0.9, "{me} looks {looks}, {you} is {towards}");
    }
    for alone in [2, 3, 4] {
        let moved = found[&alone].1.distance(start[&AgentId::new(0, alone)]);
        assert!(moved < 0.05, "{alone} has moved by {moved} m");
    }
}

/// An hour of the street: nobody steps onto the signed crosswalk while the light is not green, people cross the unsigned one whatever it
/// shows, and those in a hurry run.
#[test]
fn nobody_steps_onto_the_crosswalk_on_red_for_an_hour() {
    let mut scenario = common::scene("street");
    scenario.run.until = 3600.0;
    for population in &mut scenario.populations {
        population.arrivals.as_mut().expect("they come at a rate").until = Some(3560.0);
    }
    let light = scenario.signals[0].clone();
    let mut simulation = Simulation::new(scenario).expect("it runs");
    let [signed, unsigned, hurry] =
        ["signed crosswalk", "unsigned crosswalk", "in a hurry"].map(|name| id_of(&simulation, name));
    let mut before: BTreeMap<AgentId, Vec2> = BTreeMap::new();
    let (mut on_red, mut on_green, mut at_will) = (0, 0, 0);
    let (mut speeds, mut running) = (0.0, 0u64);
    while !simulation.finished() {
        let is_green = light.shows(simulation.time()) == "green";
        simulation.step();
        let situations = simulation.situations().expect("there are some");
        let steps_onto = |id: &AgentId, at: Vec2, situation: SituationId| {
            let was = before.get(id).is_some_and(|was| situations.contains(situation, *was));
            !was && before.contains_key(id) && situations.contains(situation, at)
        };
        for (id, row, at) in rows(&simulation) {
            let (onto, other) = (steps_onto(&id, at, signed), steps_onto(&id, at, unsigned));
            on_green += u32::from(onto && is_green);
            on_red += u32::from(onto && !is_green);
            at_will += u32::from(other && !is_green);
            let inside = plugged(&simulation, row).is_some_and(|person| person.in_situation(hurry).is_some());
            if inside {
                speeds += f64::from(simulation.velocities()[row].length());
                running += 1;
            }
        }
        before = rows(&simulation).map(|(id, _, at)| (id, at)).collect();
    }
    assert_eq!(on_red, 0, "stepped onto the crosswalk on red");
    assert!(on_green > 300 && at_will > 100, "{on_green} on green, {at_will} elsewhere while it was red");
    let mean = speeds / running as f64;
    assert!(mean > 2.0, "people in a hurry walk at {mean} m/s");
    let summary = simulation.summary();
    assert!(summary.arrived + 20 > summary.entered, "{} of {} arrived", summary.arrived, summary.entered);
}

/// Whatever moves them: the light, and exclusive places, hold with every model.
#[test]
fn gates_hold_with_every_model() {
    for model in Model::all() {
        let mut scenario = common::scene_with("street", model);
        scenario.run.until = 75.0;
        let light = scenario.signals[0].clone();
        let mut simulation = Simulation::new(scenario).expect("it runs");
        let signed = id_of(&simulation, "signed crosswalk");
        let mut before: BTreeMap<AgentId, bool> = BTreeMap::new();
        while !simulation.finished() {
            let is_green = light.shows(simulation.time()) == "green";
            simulation.step();
            let situations = simulation.situations().expect("there are some");
            for (id, _, at) in rows(&simulation) {
                let inside = situations.contains(signed, at);
                let was = before.insert(id, inside).unwrap_or(inside);
                assert!(was || !inside || is_green, "{}: {id} steps onto the crosswalk on red", model.name());
            }
        }
        let entered = simulation.situations().expect("some").state(signed).counts.entered;
        assert!(entered > 5, "{}: {entered} have crossed", model.name());
    }
}

/// With bodies people turn as their seats face, sit down, and get up again.
#[test]
fn bodies_sit_down_and_get_up() {
    let mut simulation = run(r#"
        [place]
        floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
        regions = [{ name = "exit", polygon = [[18, 0], [20, 0], [20, 10], [18, 10]] }]
        [[situation]]
        name = "bench"
        region = [[6, 2], [12, 2], [12, 8], [6, 8]]
        behaviours = [{ sit = { seats = [[9, 4, 90], [9, 6, 180]], for = 8 } }]
        [[population]]
        at = [[2, 4], [2, 6]]
        body = "mediated"
        journey = ["bench", "exit"]
        "#);
    let mut seated = [0u32; 2];
    while !simulation.finished() {
        simulation.step();
        for (id, row, _) in rows(&simulation) {
            let sits = simulation.people().bodies[row].as_deref().is_some_and(|walker| walker.posture == Posture::Sit);
            if sits {
                seated[id.ordinal() as usize] += 1;
                let to = plugged(&simulation, row).and_then(|p| p.intent.looks_at).expect("a seat faces somewhere");
                let to = to - simulation.positions()[row];
                let facing = passerby::geometry::math::atan2(to.y, to.x);
                let off = passerby::geometry::math::wrap_angle(simulation.headings()[row] - facing).abs();
                assert!(off < 0.5, "{id} sits {off} rad off its seat");
            }
        }
    }
    assert!(seated.iter().all(|ticks| (100..=180).contains(ticks)), "{seated:?} ticks of 0.05 s");
    assert_eq!(simulation.summary().arrived, 2);
}

/// In the theatre everybody has a ticket before they set foot into the lobby and sits when the film starts, one person a seat; never two in a restroom,
/// never more than the capacity anywhere.
#[test]
fn in_the_theatre_everybody_sits_when_the_film_starts() {
    let mut simulation = Simulation::new(common::scene("theatre")).expect("it runs");
    let [lobby, seats] = ["lobby", "seats"].map(|name| id_of(&simulation, name));
    let ticket =
        1u64 << simulation.situations().expect("some").words().tags.iter().position(|t| t == "ticket").unwrap();
    let booths = [1, 2, 3].map(|number| id_of(&simulation, &format!("restroom {number}")));
    let mut sat = 0;
    while !simulation.finished() {
        simulation.step();
        let situations = simulation.situations().expect("there are some");
        for (id, row, at) in rows(&simulation) {
            let has_ticket = plugged(&simulation, row).is_some_and(|person| person.tags & ticket != 0);
            assert!(!situations.contains(lobby, at) || has_ticket, "{id} is in the lobby without a ticket");
        }
        for booth in booths {
            let inside = simulation.positions().iter().filter(|at| situations.contains(booth, **at)).count();
            assert!(inside <= 1, "{inside} in a restroom at {} s", simulation.time());
        }
        for situation in situations.ids() {
            let members = situations.state(situation).members.len() as u32;
            assert!(members <= situations.capacity(situation), "{}", situations.situation(situation).name);
        }
        let taken: Vec<AgentId> = situations.state(seats).seats.iter().flatten().copied().collect();
        let mut one_each = taken.clone();
        one_each.sort_unstable();
        one_each.dedup();
        assert_eq!(taken.len(), one_each.len(), "somebody has two seats");
        if (simulation.time() - 290.0).abs() < 1e-6 {
            let sits =
                |row: usize| plugged(&simulation, row).is_some_and(|person| person.intent.posture == Posture::Sit);
            sat = (0..simulation.len()).filter(|row| sits(*row)).count();
        }
    }
    assert_eq!(sat, 44, "sat when the film started");
    let summary = simulation.summary();
    assert_eq!((summary.entered, summary.arrived), (44, 44));
}

const QUEUE: &str = r#"
[place]
floor = [[0, 0], [30, 0], [30, 12], [0, 12]]
regions = [{ name = "exit", polygon = [[28, 0], [30, 0], [30, 12], [28, 12]] }]
[[situation]]
name = "till"
region = [[8, 2], [22, 2], [22, 10], [8, 10]]
gives = ["paid"]
concerns = { lacks = ["paid"] }
behaviours = [{ queue = { line = [[20, 6], [10, 6]], counters = [[21, 5], [21, 7]], service = { uniform = [3, 7] }, patience = { uniform = [15, 90] } } }]
[[population]]
name = "customers"
rate = 0.5
total = 50
area = [[0.5, 0.5], [4, 0.5], [4, 11.5], [0.5, 11.5]]
journey = ["till", "exit"]
[run]
until = 400
"#;

/// Counters call people in the order in which they took their tickets, though some give up and one is taken away.
#[test]
fn first_come_is_first_served() {
    let mut simulation = run(QUEUE);
    let till = id_of(&simulation, "till");
    let (mut came, mut called): (Vec<AgentId>, Vec<AgentId>) = (Vec::new(), Vec::new());
    let mut taken_away = None;
    while !simulation.finished() {
        simulation.step();
        let state = simulation.situations().expect("some").state(till);
        let queue = state.queue.as_ref().expect("a queue");
        let mut new: Vec<AgentId> = state.members.iter().copied().filter(|id| !came.contains(id)).collect();
        new.sort_unstable(); // of those who come in the same tick the lower id is first
        came.extend(new);
        called.extend(
            queue
                .counters
                .iter()
                .flatten()
                .map(|customer| customer.id)
                .filter(|id| !called.contains(id))
                .collect::<Vec<_>>(),
        );
        if taken_away.is_none() && queue.waiting.len() > 4 {
            taken_away = Some(queue.waiting[1].0);
        }
        if let Some(id) = taken_away {
            simulation.remove(id);
        }
    }
    let counts = &simulation.situations().expect("some").state(till).counts;
    assert_eq!(counts.served + counts.gave_up + 1, 50, "{counts:?}");
    assert!(counts.gave_up >= 3 && counts.served >= 20, "{counts:?}");
    let expected: Vec<AgentId> = came.into_iter().filter(|id| called.contains(id)).collect();
    assert_eq!(called, expected, "called in another order than they came");
}

/// A room for one with one door: whoever waits leaves a way for whoever comes out, so that everybody gets in and out again. A passage that is
/// crossed both ways, one at a time, is the same.
#[test]
fn an_exclusive_room_with_one_door_is_no_trap() {
    let text = |journey: &str, region: &str, obstacles: &str| {
        format!(
            r#"
            [place]
            floor = [[0, 0], [40, 0], [40, 20], [0, 20]]
            obstacles = [{obstacles}]
            regions = [{{ name = "exit", polygon = [[38, 0], [40, 0], [40, 20], [38, 20]] }}]
            [[situation]]
            name = "room"
            region = {region}
            exclusive = true
            behaviours = [{{ wait = 3 }}]
            [[population]]
            count = 15
            area = [[3, 3], [12, 3], [12, 17], [3, 17]]
            journey = {journey}
            [run]
            until = 300
            "#
        )
    };
    let box_with_door = "[[20,8],[26,8],[26,8.2],[20,8.2]], [[20,11.8],[26,11.8],[26,12],[20,12]], [[26,8],[26.2,8],[26.2,12],[26,12]], \
        [[20,8.2],[20.2,8.2],[20.2,9.4],[20,9.4]], [[20,10.6],[20.2,10.6],[20.2,11.8],[20,11.8]]";
    let room = text("[\"room\", \"exit\"]", "[[20, 8.2], [26, 8.2], [26, 11.8], [20, 11.8]]", box_with_door);
    for seed in 1..=4 {
        let mut scenario = parse(&room);
        scenario.run.seed = seed;
        let mut simulation = Simulation::new(scenario).expect("it runs");
        simulation.run();
        let peak = simulation.situations().expect("some").state(id_of(&simulation, "room")).counts.peak;
        assert_eq!((simulation.summary().arrived, peak), (15, 1), "seed {seed}, {} s", simulation.time());
    }
}

/// What moves takes its seats along, and what a rule draws has nothing to do with where people are sent next.
#[test]
fn seats_move_along_and_draws_are_independent() {
    let place = "[place]\nfloor = [[0, 0], [40, 0], [40, 20], [0, 20]]\n\
        regions = [{ name = \"exit\", polygon = [[38, 0], [40, 0], [40, 20], [38, 20]] }]\n";
    let people = |count: u32, journey: &str| {
        format!(
            "[[population]]\ncount = {count}\narea = [[3, 3], [8, 3], [8, 17], [3, 17]]\njourney = {journey}\n[run]\nuntil = 120\n"
        )
    };
    let region = "[[situation]]\nname = \"a\"\nregion = [[15, 5], [25, 5], [25, 15], [15, 15]]\n";
    let seats = "behaviours = [{ sit = { seats = [[17, 10, 0], [19, 10, 0], [21, 10, 0]], for = 10 } }]\n\
        [[event]]\nat = 1\nmove = \"a\"\nby = [10, 0]\n";
    let mut moved = run(&format!("{place}{region}{seats}{}", people(10, "[\"a\", \"exit\"]")));
    moved.run();
    let entered = moved.situations().expect("some").state(id_of(&moved, "a")).counts.entered;
    assert_eq!((moved.summary().arrived, entered), (10, 10));
    let next = "behaviours = [{ wait = 60 }]\nrule = \"if me.chance() < 0.5 { me.finish(); }\"\nnext = { b = 0.5, c = 0.5 }\n\
        [[situation]]\nname = \"b\"\nregion = [[30, 1], [33, 1], [33, 5], [30, 5]]\nremove = true\n\
        [[situation]]\nname = \"c\"\nregion = [[30, 15], [33, 15], [33, 19], [30, 19]]\nremove = true\n";
    let mut sent = run(&format!("{place}{region}{next}{}", people(150, "[\"a\", \"exit\"]")));
    sent.run();
    let edges = sent.situations().expect("some").state(id_of(&sent, "a")).counts.edges.clone();
    let [b, c] = [edges[0][0], edges[1][0]];
    // Binomial: the standard deviation of the difference is about 12.
    assert!(b + c > 100 && b.abs_diff(c) < 50, "{b} and {c}");
}

/// Everything at once, for digests and checkpoints: gates, queues, seats, a rule with chance, templates, edits by events, a train, a relation.
const EVERYTHING: &str = r#"
[place]
floor = [[0, 0], [60, 0], [60, 30], [0, 30]]
regions = [{ name = "all", polygon = [[1, 1], [59, 1], [59, 29], [1, 29]] }]
[[signal]]
name = "light"
phases = [{ show = "red", for = 7 }, { show = "green", for = 5 }]
[[behaviour]]
name = "shy"
speed = "max(0.3, 1.0 - 0.4 * density)"
[[situation]]
name = "crossing"
region = [[20, 0], [24, 0], [24, 30], [20, 30]]
enter = { signal = "light", show = "green" }
sensors = { light = { signal = "light" }, near = { proximity = 2 }, crowd = { agents = "any", within = 3 } }
behaviours = ["hurry"]
rule = "if light == \"green\" && near > 0.5 { me.suppress(\"hurry\") } else if me.chance() < 0.1 && crowd > 2 { me.pace(1.2) }"
[[situation]]
name = "booth"
region = [[40, 4], [43, 4], [43, 7], [40, 7]]
exclusive = true
behaviours = [{ wait = { uniform = [2, 5] } }]
[[situation]]
name = "bench"
region = [[48, 20], [54, 20], [54, 26], [48, 26]]
behaviours = [{ sit = { seats = [[50, 22, 0], [50, 24, 90], [52, 23, 180]], for = { uniform = [5, 15] } } }]
next = { booth = 1, shade = 2 }
[[situation]]
name = "shade"
stroke = { line = [[30, 22], [36, 24], [40, 22]], width = 4 }
capacity = 9
behaviours = [{ stay = { pause = { uniform = [1, 4] }, until = { signal = "light", show = "green" } } }, "shy", "talk"]
[[situation]]
name = "train"
region = [[2, 24], [10, 24], [10, 28], [2, 28]]
path = [[0, 0, 0], [10, 0, 0], [20, 15, 0], [30, 0, 0], [40, 0, 0]]
behaviours = [{ wait = { uniform = [5, 12] } }]
[[situation]]
name = "friends"
active = false
relation = { of = "people", size = 4, share = 0.5 }
behaviours = [{ close = 3 }]
[[event]]
at = 8
begin = "friends"
[[event]]
at = 14
move = "bench"
by = [-2, -8]
[[event]]
at = 20
change = "shade"
region = [[30, 10], [36, 10], [36, 16], [30, 16]]
capacity = 4
[[event]]
at = 26
end = "friends"
[[population]]
name = "people"
count = 90
area = [[1, 1], [59, 1], [59, 29], [1, 29]]
journey = [{ wander = "all", for = 6 }, "bench"]
repeat = true
[run]
until = 40
"#;

fn digest_on(text: &str, threads: usize, reversed: bool) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let mut simulation = run(text);
        if reversed {
            simulation.sort_rows(false);
            simulation.reverse_rows();
        }
        simulation.run();
        simulation.digest()
    })
}

#[test]
fn situations_have_the_same_bits_on_any_number_of_threads_and_after_a_checkpoint() {
    let one = digest_on(EVERYTHING, 1, false);
    assert_eq!(one, digest_on(EVERYTHING, 2, false), "two threads");
    assert_eq!(one, digest_on(EVERYTHING, 8, false), "eight threads");
    assert_eq!(one, digest_on(EVERYTHING, 2, true), "rows reversed");
    let mut whole = run(EVERYTHING);
    let mut states = Vec::new();
    while !whole.finished() {
        if whole.tick().is_multiple_of(53) {
            states.push(whole.checkpoint());
        }
        whole.step();
    }
    let situations = whole.situations().expect("some");
    let entered = |name: &str| situations.state(situations.find(name).expect(name)).counts.entered;
    for name in ["crossing", "booth", "bench", "shade", "train", "friends"] {
        assert!(entered(name) > 2, "{name}: {}", entered(name));
    }
    assert_eq!(situations.incidents().1, 0, "{:?}", situations.incidents().0);
    for (number, state) in states.iter().enumerate() {
        let mut taken_up = Simulation::resume(parse(EVERYTHING), state).expect("a checkpoint");
        taken_up.run();
        assert_eq!(taken_up.digest(), one, "resumed from state {number}");
    }
}

/// The same for an hour.
#[test]
#[ignore = "three hours of simulated time"]
fn long_situations_have_the_same_hour_on_any_number_of_threads() {
    let text = EVERYTHING.replace("until = 40", "until = 3600");
    let one = digest_on(&text, 1, false);
    assert_eq!(one, digest_on(&text, 8, false), "eight threads");
    let mut half = run(&text);
    while half.time() < 1800.0 {
        half.step();
    }
    let mut taken_up = Simulation::resume(parse(&text), &half.checkpoint()).expect("a checkpoint");
    taken_up.run();
    assert_eq!(taken_up.digest(), one, "resumed after half an hour");
}

/// Cut or changed bytes of situations are refused, never a panic.
#[test]
fn broken_states_of_situations_are_refused() {
    let mut simulation = run(EVERYTHING);
    (0..200).for_each(|_| simulation.step());
    let state = simulation.checkpoint();
    for byte in (0..state.len()).step_by(state.len() / 200) {
        let mut broken = state.clone();
        broken[byte] ^= 0x55;
        assert!(Simulation::resume(parse(EVERYTHING), &broken).is_err(), "byte {byte}");
        assert!(Simulation::resume(parse(EVERYTHING), &state[..byte]).is_err(), "cut at {byte}");
    }
}

/// A train takes along who is in it, and nobody else.
#[test]
fn a_train_carries_its_people() {
    let text = r#"
        [place]
        floor = [[0, 0], [80, 0], [80, 10], [0, 10]]
        [[situation]]
        name = "train"
        region = [[2, 2], [10, 2], [10, 6], [2, 6]]
        path = [[0, 0, 0], [5, 0, 0], [15, 50, 0], [60, 50, 0]]
        behaviours = ["stay"]
        [[population]]
        name = "passengers"
        at = [[4, 4], [6, 4], [8, 4]]
        [[population]]
        name = "others"
        at = [[5, 8], [30, 8]]
        [run]
        until = 20
    "#;
    let mut simulation = run(text);
    simulation.run();
    let offset = simulation.offset();
    for (id, _, at) in rows(&simulation) {
        let at = at.as_dvec2() + offset;
        let begun = [[4.0, 4.0], [6.0, 4.0], [8.0, 4.0], [5.0, 8.0], [30.0, 8.0]].map(DVec2::from);
        let (number, carried) = match id.population() {
            0 => (id.ordinal() as usize, 50.0),
            _ => (3 + id.ordinal() as usize, 0.0),
        };
        let off = at.distance(begun[number] + DVec2::new(carried, 0.0));
        assert!(off < 0.1, "{id} is {off} m from where it should be");
    }
}

/// In the field people flow along the stroke and gather at its end; when it ends nothing of it is left in them; the relation brings them together.
#[test]
fn the_field_gathers_disperses_and_comes_together() {
    let mut simulation = Simulation::new(common::scene("field")).expect("it runs");
    let spread = |simulation: &Simulation| {
        let count = simulation.len() as f32;
        let middle = simulation.positions().iter().copied().sum::<Vec2>() / count;
        let off: f32 = simulation.positions().iter().map(|at| at.distance(middle)).sum();
        (off / count, middle.as_dvec2() + simulation.offset())
    };
    let to = |simulation: &mut Simulation, time: f64| {
        while simulation.time() < time - 1e-9 {
            simulation.step();
        }
    };
    let (at_first, _) = spread(&simulation);
    to(&mut simulation, 89.9);
    let (gathered, middle) = spread(&simulation);
    assert!(gathered < 8.0 && middle.distance(DVec2::new(50.0, 32.0)) < 8.0, "{gathered} m around {middle}");
    to(&mut simulation, 90.2);
    let follow = id_of(&simulation, "follow");
    let traces = (0..simulation.len()).filter(|row| {
        plugged(&simulation, *row).is_some_and(|p| p.in_situation(follow).is_some() || p.intent.goal.is_some())
    });
    assert_eq!(traces.count(), 0, "somebody still follows");
    to(&mut simulation, 149.9);
    let (dispersed, _) = spread(&simulation);
    to(&mut simulation, 219.9);
    let (together, _) = spread(&simulation);
    assert!(dispersed > 0.7 * at_first && together < 0.6 * dispersed, "{at_first}, {dispersed}, {together} m");
}

/// The city is one block copied 25 times: 150 situations, in use all over.
#[test]
fn the_city_has_a_hundred_and_fifty_situations() {
    let mut scenario = common::scene("virtual-city");
    scenario.run.until = 20.0;
    let mut simulation = Simulation::new(scenario).expect("it runs");
    simulation.run();
    let situations = simulation.situations().expect("some");
    assert_eq!((situations.len(), simulation.len()), (150, 2000));
    let used = situations.ids().filter(|id| situations.state(*id).counts.entered > 0).count();
    assert!(used > 110, "{used} of 150 were entered");
    assert!(situations.find("bench 5,5").is_some() && situations.find("bench").is_some());
}

/// Rules that misbehave are stopped with their line and the person, and the run goes on.
#[test]
fn rules_that_misbehave_are_stopped() {
    for (rule, says) in [
        ("\\n\\nloop { }", "operations"),
        ("\\n\\nlet x = [0]; loop { x += x; }", "array"),
        ("\\n\\nfn f() { f() } f();", "Stack overflow"),
        ("\\n\\nlet x = 1 / 0;", "Division by zero"),
        ("\\n\\nme.go_to(1.0 / 0.0, 2.0);", "no number"),
        ("\\nlet word = \\\"hury\\\";\\nme.suppress(word);", "did you mean \"hurry\""),
    ] {
        let mut simulation = run(&format!(
            r#"
            [place]
            floor = [[0, 0], [30, 0], [30, 10], [0, 10]]
            regions = [{{ name = "exit", polygon = [[28, 0], [30, 0], [30, 10], [28, 10]] }}]
            [[situation]]
            name = "hall"
            region = [[0, 0], [20, 0], [20, 10], [0, 10]]
            behaviours = ["hurry"]
            rule = "{rule}"
            [[population]]
            count = 3
            area = [[1, 1], [4, 1], [4, 9], [1, 9]]
            journey = ["exit"]
            "#
        ));
        simulation.run();
        assert_eq!(simulation.summary().arrived, 3, "{rule}");
        let (incidents, count) = simulation.situations().expect("some").incidents();
        assert_eq!(count, 3, "{rule}: once for each person");
        let first = &incidents[0];
        assert!(first.what.contains(says), "{rule}: {}", first.what);
        assert!(first.line == 3 || says == "no number", "{rule}: line {}", first.line);
    }
}

/// Everything that is wrong with situations is told with its line and the way out.
#[test]
fn mistakes_in_situations_are_told() {
    let check = |table: &str, says: &[&str]| {
        let text = format!(
            "[place]\nfloor = [[0, 0], [30, 0], [30, 10], [0, 10]]\nobstacles = [[[10, 4], [12, 4], [12, 6], [10, 6]]]\n\
             [[signal]]\nname = \"light\"\nphases = [{{ show = \"red\", for = 5 }}]\n[[situation]]\n{table}\n"
        );
        let problems = match Scenario::parse(&text, &NoFiles, "x.toml") {
            Err(problems) => problems.to_string(),
            Ok(scenario) => Simulation::new(scenario).expect_err(table).to_string(),
        };
        for word in says {
            assert!(problems.contains(word), "{table}\n---\n{problems}\nwithout {word}");
        }
    };
    let region = "region = [[0, 0], [8, 0], [8, 8], [0, 8]]";
    check("name = \"a\"", &["region", "x.toml:7"]);
    check(
        &format!("name = \"a\"\n{region}\nnext = {{ lobbi = 1 }}\n[[situation]]\nname = \"lobby\"\n{region}"),
        &["no situation \"lobbi\"", "did you mean \"lobby\""],
    );
    check(&format!("name = \"a\"\n{region}\nbehaviours = [\"stpo\"]"), &["unknown behaviour", "did you mean \"stop\""]);
    check(
        &format!(
            "name = \"a\"\n{region}\ncapacity = 20\nbehaviours = [{{ queue = {{ line = [[1, 1], [5, 1]], service = 3 }} }}]"
        ),
        &["room for 6, not for 20"],
    );
    check(
        &format!("name = \"a\"\n{region}\nbehaviours = [{{ sit = {{ seats = [[2, 2], [11, 5]] }} }}]"),
        &["seat 2", "wall", "nearest place"],
    );
    check(
        &format!("name = \"a\"\n{region}\n[[situation]]\nname = \"a\"\n{region}"),
        &["another situation of this name"],
    );
    check("name = \"a\"\nregion = [[100, 0], [108, 0], [108, 8]]", &["nowhere on the floor"]);
    check(
        &format!("name = \"a\"\n{region}\nenter = {{ signal = \"light\", show = \"gren\" }}"),
        &["unknown phase", "red"],
    );
    check(
        &format!("name = \"a\"\n{region}\nneeds = [\"tiket\"]\ngives = [\"ticket\"]"),
        &["unknown tag", "did you mean \"ticket\""],
    );
    check(
        &format!(
            "name = \"a\"\n{region}\nsensors = {{ light = {{ signal = \"light\" }} }}\nrule = '''\nif light == \"red\" {{\n  me.hold(\n}}\n'''"
        ),
        &["x.toml:14", "line 3, column 1"],
    );
    check(&format!("name = \"a\"\n{region}\nrule = \"if ligth == 1 {{ }}\""), &["ligth"]);
    check(
        &format!("name = \"a\"\n{region}\nrule = '''\nif me.chance() < 0.5 {{\n  me.hodl();\n}}\n'''"),
        &["x.toml:12", "line 2, column 6", "no function \"hodl\", did you mean \"hold\""],
    );
    check(
        &format!("name = \"a\"\n{region}\nrule = 'me.suppress(\"hury\");'"),
        &["x.toml:10", "line 1, column 4", "no behaviour \"hury\", did you mean \"hurry\""],
    );
    check(&format!("name = \"a\"\n{region}\nsensors = {{ me = {{ density = 2 }} }}"), &["as a name"]);
    check("name = \"a\"\nrelation = { of = \"nobody\" }", &["unknown population"]);
    let people = "\n[[population]]\nname = \"b\"\nat = [[1, 1]]";
    let related = |how: &str| format!("name = \"a\"\nrelation = {{ of = \"b\", {how} }}{people}");
    check(&related("people = []"), &["between nobody", "people = [0, 1]"]);
    check(&related("people = [0], size = 2"), &["no meaning beside `people`"]);
    check(&related("people = [-1]"), &["a whole number from 0"]);
    check(
        &format!(
            "name = \"a\"\n{region}\nbehaviours = [\"shy\"]\n[[behaviour]]\nname = \"shy\"\nspeed = \"1.0 - densty\""
        ),
        &["densty", "density, near, time"],
    );
}

/// The same rule from Rust.
#[test]
fn a_rule_can_be_written_in_rust() {
    use passerby::situations::{Me, Reading, Rule, RuleError};
    #[derive(Debug)]
    struct Shy;
    impl Rule for Shy {
        fn decide(&self, sensed: &[Reading], me: &mut Me) -> Result<(), RuleError> {
            if matches!(sensed, [Reading::Number(seconds)] if *seconds < 5.0) {
                me.hold();
            }
            Ok(())
        }
    }
    let mut scenario = parse(
        r#"
        [place]
        floor = [[0, 0], [30, 0], [30, 10], [0, 10]]
        regions = [{ name = "exit", polygon = [[28, 0], [30, 0], [30, 10], [28, 10]] }]
        [[situation]]
        name = "hall"
        region = [[0, 0], [20, 0], [20, 10], [0, 10]]
        sensors = { since = { time = "entry" } }
        [[population]]
        at = [[2, 5]]
        journey = ["exit"]
        "#,
    );
    scenario.doings.situations[0].rule = Some(std::sync::Arc::new(Shy));
    let mut simulation = Simulation::new(scenario).expect("it runs");
    while simulation.time() < 4.9 {
        simulation.step();
    }
    assert!(simulation.velocities()[0].length() < 0.01);
    simulation.run();
    assert_eq!(simulation.summary().arrived, 1);
}

/// Two of four are named: the second comes near the first, who leads; the others stay where they are. Without a leader they would meet half way.
#[test]
fn named_people_keep_near_their_leader() {
    let text = r#"
        [place]
        floor = [[0, 0], [60, 0], [60, 20], [0, 20]]
        [[situation]]
        name = "family"
        relation = { of = "people", people = [2, 0], leader = true }
        behaviours = [{ close = 3 }]
        [[population]]
        name = "people"
        at = [[5, 10], [5, 16], [12, 4], [20, 16]]
        [run]
        until = 15
        "#;
    let mut simulation = run(text);
    simulation.run();
    let offset = simulation.offset();
    let at = |ordinal: u32| {
        let found = rows(&simulation).find(|(id, ..)| id.ordinal() == ordinal).expect("everybody is there");
        found.2.as_dvec2() + offset
    };
    let started = [[5.0, 10.0], [5.0, 16.0], [12.0, 4.0], [20.0, 16.0]].map(DVec2::from);
    for ordinal in [0, 1, 3] {
        let off = at(ordinal).distance(started[ordinal as usize]);
        assert!(off < 0.05, "person {ordinal} went {off} m");
    }
    assert!(at(2).distance(at(0)) < 3.3, "person 2 is {} m from their leader", at(2).distance(at(0)));
    let members = &simulation.situations().expect("some").state(id_of(&simulation, "family")).members;
    assert_eq!(members.iter().map(|id| id.ordinal()).collect::<Vec<_>>(), [0, 2]);
}

/// A situation that moves with a guide holds around them, wherever they go, and for nobody once they have left.
#[test]
fn a_situation_moves_with_a_guide() {
    let mut simulation = run(r#"
        [place]
        floor = [[0, 0], [40, 0], [40, 10], [0, 10]]
        regions = [{ name = "exit", polygon = [[38, 0], [40, 0], [40, 10], [38, 10]] }]
        [[situation]]
        name = "tour"
        region = [[-3, -3], [3, -3], [3, 3], [-3, 3]]
        with = "guide"
        concerns = { of = ["visitor"] }
        behaviours = ["stop"]
        [[population]]
        name = "guide"
        at = [[2, 2]]
        journey = ["exit"]
        [[population]]
        name = "visitor"
        at = [[20, 3.5]]
        "#);
    let tour = id_of(&simulation, "tour");
    while simulation.len() == 2 && simulation.time() < 60.0 {
        simulation.step();
        let at =
            |population: u32| rows(&simulation).find(|(id, ..)| id.population() == population).map(|(_, _, at)| at);
        let (Some(guide), Some(visitor)) = (at(0), at(1)) else { break };
        let near = (visitor - guide).abs().max_element() < 2.8;
        let far = (visitor - guide).abs().max_element() > 3.2;
        let inside = !simulation.situations().expect("some").state(tour).members.is_empty();
        assert!(!near || inside, "{} s, left out: {}", simulation.time(), visitor - guide);
        assert!(!far || !inside, "{} s, held: {}", simulation.time(), visitor - guide);
    }
    (0..3).for_each(|_| simulation.step());
    let state = simulation.situations().expect("some").state(tour);
    assert_eq!((state.counts.entered, state.members.len()), (1, 0));
}
