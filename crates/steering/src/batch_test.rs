//! All widths of lanes choose the same velocities, to the bit.

use crate::{Batch, Model, Moment, Scratch, choose, explain};
use passerby_crowd::{AgentId, Agents, Graph, Index, Neighbours, NewAgent, Slot};
use passerby_geometry::chance::{Chance, Purpose};
use passerby_geometry::lanes::Width;
use passerby_geometry::walls::Walls;
use passerby_geometry::{Segment, Vec2};

const NOW: Moment = Moment { tick: 0, length: 0.1 };

/// `people` on a square of 20 m with pillars in it: every fifth one on a lattice (equal distances), every eleventh on the spot
/// of the one before, some of them standing, some of them not giving way.
fn crowd(people: u32) -> (Agents, Vec<Vec2>, Walls) {
    let mut stream = Chance::new(5).stream(0, 0, Purpose::Placement);
    let mut number = |low, high| stream.between(low, high) as f32;
    let (mut agents, mut desired) = (Agents::default(), Vec::new());
    let mut last = Vec2::ZERO;
    for i in 0..people {
        let at = Vec2::new(number(0.0, 20.0), number(0.0, 20.0));
        last = if i % 11 == 10 { last } else { at };
        agents.push(NewAgent {
            id: AgentId::new(i % 3, (i * 7919) % people),
            position: if i % 5 == 0 { last.floor() } else { last },
            heading: 0.0,
            radius: number(0.15, 0.35),
            mass: 80.0,
            speed: 1.3,
            speed_max: number(1.0, 2.0),
            share: if i % 7 == 0 { 1.0 } else { 0.5 },
        });
        let speed = if i % 4 == 0 { 0.0 } else { 1.0 };
        agents.now.velocity[i as usize] = speed * Vec2::new(number(-1.0, 1.0), number(-1.0, 1.0));
        desired.push(Vec2::new(number(-1.5, 1.5), number(-1.5, 1.5)));
    }
    let mut walls = Vec::new();
    for i in 0..9 {
        let at = Vec2::new(3.0 + 6.0 * (i % 3) as f32, 3.0 + 6.0 * (i / 3) as f32);
        // Clockwise: the floor is on the left, outside.
        let corners = [Vec2::ZERO, Vec2::Y, Vec2::ONE, Vec2::X].map(|corner| at + corner);
        walls.extend((0..4).map(|c| Segment { a: corners[c], b: corners[(c + 1) % 4] }));
    }
    (agents, desired, Walls::new(walls))
}

#[test]
fn all_widths_choose_the_same_velocities_to_the_bit() {
    let nearest = |count, within| Neighbours::Nearest { count, within };
    let view = Neighbours::View { angle: 3.5, count: 10, within: 5.0 };
    let cases = [
        (3, nearest(10, 5.0)),
        (90, nearest(10, 5.0)),
        (900, nearest(10, 5.0)),
        (900, nearest(6, 2.0)),
        (900, nearest(32, 5.0)),
        (900, view),
        (900, Neighbours::Delaunay),
    ];
    for (model, (people, neighbours)) in Model::all().flat_map(|model| cases.map(|case| (model, case))) {
        let (agents, desired, walls) = crowd(people);
        let mut index = Index::default();
        index.build(Vec2::ZERO, Vec2::splat(20.0), agents.columns());
        let mut graph = Graph::default();
        graph.build(&index, &walls);
        let slots: Vec<Slot> = (0..people).map(Slot).collect();
        let [plain, baseline, wide] = [Width::plain(), Width::baseline(), Width::detect()].map(|width| {
            let (index, agents, desired, walls) = (&index, &agents, &desired[..], &walls);
            let left = &vec![f32::INFINITY; people as usize];
            let batch = Batch {
                index,
                agents,
                desired,
                left,
                walls,
                neighbours,
                graph: &graph,
                dt: 0.1,
                now: NOW,
                movers: &[],
                led: &[],
                groups: &[],
                ahead: left,
                width,
            };
            let mut out = vec![Vec2::ZERO; people as usize];
            choose(&model, &batch, &slots, &mut [], &mut out, &mut Scratch::default());
            assert!(out.iter().all(|v| v.is_finite()), "{model:?}, {people} people, {width:?}");
            out.iter().map(|v| v.to_array().map(f32::to_bits)).collect::<Vec<_>>()
        });
        assert_eq!(plain, baseline, "{model:?}, {people} people, {neighbours:?}");
        assert_eq!(plain, wide, "{model:?}, {people} people, {neighbours:?}");
    }
}

/// Two on the very same spot part by id, whatever the model: neither stays where the other is.
#[test]
fn coinciding_walkers_part() {
    for model in Model::all().filter(Model::gives_way) {
        let mut agents = Agents::default();
        for ordinal in [1, 0] {
            let (id, position) = (AgentId::new(0, ordinal), Vec2::new(10.0, 10.0));
            let (radius, mass, speed) = (0.25, 80.0, 1.3);
            agents.push(NewAgent { id, position, heading: 0.0, radius, mass, speed, speed_max: 2.0, share: 0.5 });
        }
        let mut index = Index::default();
        index.build(Vec2::ZERO, Vec2::splat(20.0), agents.columns());
        let (walls, desired) = (Walls::new(Vec::new()), [Vec2::new(0.0, 1.3); 2]);
        let (neighbours, width) = (Neighbours::default(), Width::detect());
        let batch = Batch {
            index: &index,
            agents: &agents,
            desired: &desired,
            left: &[1e9; 2],
            ahead: &[1e9; 2],
            movers: &[],
            led: &[],
            groups: &[],
            walls: &walls,
            neighbours,
            graph: &Graph::default(),
            dt: 0.1,
            now: NOW,
            width,
        };
        let mut out = [Vec2::ZERO; 2];
        choose(&model, &batch, &[Slot(0), Slot(1)], &mut [], &mut out, &mut Scratch::default());
        assert!(out[0].distance(out[1]) > 0.1, "{model:?}: {out:?}");
    }
}

/// What an explanation says was chosen is what is chosen, to the bit, for every model; and it says why.
#[test]
fn explanations_choose_what_the_run_chooses() {
    let (agents, desired, walls) = crowd(300);
    let left = vec![f32::INFINITY; 300];
    let mut index = Index::default();
    index.build(Vec2::ZERO, Vec2::splat(20.0), agents.columns());
    let graph = Graph::default();
    for model in Model::all() {
        let (neighbours, width) = (Neighbours::default(), Width::detect());
        let (index, agents, desired, walls, left) = (&index, &agents, &desired[..], &walls, &left[..]);
        let batch = Batch {
            index,
            agents,
            desired,
            left,
            walls,
            neighbours,
            graph: &graph,
            dt: 0.1,
            now: NOW,
            movers: &[],
            led: &[],
            groups: &[],
            ahead: left,
            width,
        };
        let mut scratch = Scratch::default();
        for slot in (0..300).step_by(7).map(Slot) {
            let mut out = [Vec2::ZERO];
            choose(&model, &batch, &[slot], &mut [], &mut out, &mut scratch);
            let why = explain(&model, &batch, slot, None, &mut scratch);
            assert_eq!(why.chosen, out[0], "{} {slot:?}", model.name());
            let reasons = why.forces.len() + why.lines.len() + why.candidates.len() + why.sections.len();
            assert!(
                reasons > 0
                    || why.view.is_some()
                    || model == Model::Straight
                    || desired[index.body(slot).row.index()] == Vec2::ZERO
            );
        }
    }
}

/// All models, and each of them with each parameter at both ends of its range.
fn at_the_ends() -> Vec<Model> {
    let mut models: Vec<Model> = Model::all().collect();
    for model in Model::all() {
        for (name, ends) in model.ranges() {
            models.extend(ends.map(|end| {
                let mut model = model;
                assert_eq!(model.set(name, end), Ok(()), "{} {name} = {end}", model.name());
                model
            }));
        }
    }
    models
}

/// Whatever is around them, and whatever their parameters, people choose velocities that are numbers and no faster than they can go: on top of each other, at the
/// goal, in a corner, at eight per square metre, without any width, with a thousand in sight.
#[test]
fn nothing_makes_them_lose_their_heads() {
    let corner = vec![
        Segment { a: Vec2::new(20.0, 0.0), b: Vec2::ZERO },
        Segment { a: Vec2::ZERO, b: Vec2::new(0.0, 20.0) },
        Segment { a: Vec2::new(0.0, 0.0), b: Vec2::new(0.0, 0.0) },
    ];
    // How many, on a square of which side, with which radius, wanting how much.
    let cases = [
        (40, 0.0, 0.25, 1.3),
        (200, 5.0, 0.25, 1.3),
        (200, 5.0, 0.0, 1.3),
        (200, 5.0, 0.25, 0.0),
        (1000, 4.0, 0.2, 1.3),
    ];
    for (model, (people, side, radius, speed)) in
        at_the_ends().into_iter().flat_map(|model| cases.map(|case| (model, case)))
    {
        let mut stream = Chance::new(9).stream(0, 0, Purpose::Placement);
        let mut number = |high: f32| stream.between(0.0, f64::from(high).max(1e-9)) as f32;
        let (mut agents, mut desired, mut left) = (Agents::default(), Vec::new(), Vec::new());
        for i in 0..people {
            // Some of them exactly in the corner and at their goal.
            let position = if i % 9 == 0 { Vec2::ZERO } else { Vec2::new(number(side), number(side)) };
            let (id, mass, share) = (AgentId::new(0, i), 80.0, if i % 5 == 0 { 1.0 } else { 0.5 });
            agents.push(NewAgent { id, position, heading: number(6.0), radius, mass, speed, speed_max: 1.7, share });
            agents.now.velocity[i as usize] = Vec2::new(number(1.0), -number(1.0));
            desired.push(Vec2::new(number(1.0) - 0.5, number(1.0) - 0.5).normalize_or_zero() * speed);
            left.push(if i % 4 == 0 { 0.0 } else { f32::INFINITY });
        }
        let mut index = Index::default();
        index.build(Vec2::ZERO, Vec2::splat(20.0), agents.columns());
        let walls = Walls::new(corner.clone());
        let mut graph = Graph::default();
        graph.build(&index, &walls);
        let slots: Vec<Slot> = (0..people).map(Slot).collect();
        let nearest = Neighbours::Nearest { count: 32, within: 50.0 };
        let view = Neighbours::View { angle: 3.5, count: 32, within: 50.0 };
        for neighbours in [nearest, view, Neighbours::Delaunay] {
            let (agents, desired, left, walls, width) = (&agents, &desired[..], &left[..], &walls, Width::detect());
            let batch = Batch {
                index: &index,
                agents,
                desired,
                left,
                walls,
                neighbours,
                graph: &graph,
                dt: 0.05,
                now: NOW,
                movers: &[],
                led: &[],
                groups: &[],
                ahead: left,
                width,
            };
            let mut out = vec![Vec2::ZERO; people as usize];
            choose(&model, &batch, &slots, &mut [], &mut out, &mut Scratch::default());
            for v in out {
                assert!(v.is_finite() && v.length() <= 1.7001, "{model:?} chooses {v}: {people} people on {side} m");
            }
        }
    }
}
