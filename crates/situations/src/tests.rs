//! The worked sequences: entering, leaving, union, capacity and suppression; gates and seats.

use crate::*;
use passerby_crowd::{AgentId, Agents, Index, NewAgent, Row};
use passerby_geometry::chance::{Chance, Stream};
use passerby_geometry::{DVec2, Polygon, Vec2};
use std::sync::Arc;

/// A few people who are put where the test wants them.
struct Stage {
    situations: Situations,
    agents: Agents,
    people: Vec<Option<Box<Plugged>>>,
    tick: u32,
    phases: Vec<u32>,
}

fn agent(ordinal: u32, at: [f32; 2]) -> NewAgent {
    NewAgent {
        id: AgentId::new(0, ordinal),
        position: Vec2::from(at),
        heading: 0.0,
        radius: 0.2,
        mass: 70.0,
        speed: 1.0,
        speed_max: 2.0,
        share: 0.5,
    }
}

fn rectangle(low: [f64; 2], high: [f64; 2]) -> Extent {
    Extent::Region(vec![Polygon::rectangle(DVec2::from(low), DVec2::from(high)).expect("a rectangle")])
}

fn plain(name: &str, extent: Extent, behaviours: Vec<Behaviour>) -> Situation {
    Situation {
        name: name.to_owned(),
        line: 0,
        extent,
        moving: None,
        active: true,
        times: Vec::new(),
        concerns: Concerns::default(),
        capacity: None,
        exclusive: false,
        enter: None,
        needs: 0,
        gives: 0,
        takes: 0,
        sensors: Vec::new(),
        behaviours,
        rule: None,
        next: Vec::new(),
        remove: false,
    }
}

impl Stage {
    fn new(all: Vec<Situation>, people: &[[f32; 2]]) -> Stage {
        let words = Words {
            behaviours: BEHAVIOURS.iter().map(|known| known.name.to_owned()).collect(),
            situations: all.iter().map(|situation| situation.name.clone()).collect(),
            tags: vec!["ticket".to_owned()],
            shown: vec![vec!["off".to_owned(), "on".to_owned()]],
        };
        let bounds = (Vec2::splat(-20.0), Vec2::splat(20.0));
        let mut agents = Agents::default();
        (0..).zip(people).for_each(|(ordinal, at)| agents.push(agent(ordinal, *at)));
        Stage {
            situations: Situations::new(all, Arc::new(words), DVec2::ZERO, bounds),
            agents,
            people: vec![None; people.len()],
            tick: 0,
            phases: vec![0],
        }
    }

    fn put(&mut self, person: usize, at: [f32; 2]) {
        self.agents.now.position[person] = Vec2::from(at);
    }

    /// One tick of a second.
    fn step(&mut self) -> Vec<AgentId> {
        self.step_with(&[])
    }

    fn step_with(&mut self, wishes: &[(AgentId, SituationId)]) -> Vec<AgentId> {
        let law = |law: LawId, _: &mut Stream| f64::from(law.0);
        let has_room = |_: Vec2, _: f32| true;
        let moment = Moment {
            tick: self.tick,
            length: 1.0,
            chance: Chance::new(7),
            phases: &self.phases,
            law: &law,
            has_room: &has_room,
        };
        let mut near = Index::default();
        near.build(Vec2::splat(-20.0), Vec2::splat(20.0), self.agents.columns());
        let by_id: Vec<Row> = (0..self.agents.len() as u32).map(Row).collect();
        let crowd = Crowd {
            id: &self.agents.id,
            position: &self.agents.now.position,
            velocity: &self.agents.now.velocity,
            radius: &self.agents.radius,
            by_id: &by_id,
            near: &near,
        };
        let mut leaving = Vec::new();
        self.situations.move_on(&moment, |_| None, &mut Vec::new());
        self.situations.settle(&crowd, &mut self.people, &moment);
        let incidents = self.situations.decide(&crowd, &mut self.people, &moment);
        self.situations.conclude(&crowd, &mut self.people, &moment, incidents, &mut leaving);
        self.situations.let_in(wishes, &crowd, &mut self.people, &moment);
        self.tick += 1;
        leaving
    }

    fn person(&self, person: usize) -> Plugged {
        self.people[person].as_deref().cloned().unwrap_or_default()
    }

    fn names(&self, person: usize) -> String {
        let plugged = self.person(person);
        let mut names: Vec<&str> =
            plugged.memberships.iter().map(|m| self.situations.situation(m.situation).name.as_str()).collect();
        names.sort_unstable();
        names.join(" ")
    }
}

/// Section 8 of the worked page. X is at x = 1 + t. A: 2 <= x < 5, with a behaviour and a sensor. B: 4 <= x < 8, capacity 1, a sensor, a rule that suppresses
/// don't turn; Z occupies it and is outside at t = 5. C: a relation from t = 3 to 6 with A's behaviour. Everywhere: don't turn.
#[test]
fn entering_leaving_union_and_suppression() {
    let scripts = Scripts::default();
    let run = Behaviour::Hurry { factor: 1.5 };
    let since = || vec![("since".to_owned(), Sensor::SinceEntry)];
    let mut everywhere = plain("D", rectangle([-20.0, -20.0], [20.0, 20.0]), vec![Behaviour::DontTurn]);
    everywhere.line = 1;
    let a = Situation { sensors: since(), ..plain("A", rectangle([2.0, -1.0], [5.0, 1.0]), vec![run.clone()]) };
    let words = Arc::new(Words {
        behaviours: BEHAVIOURS.iter().map(|known| known.name.to_owned()).collect(),
        ..Words::default()
    });
    let rule = scripts.rule("me.suppress(\"dont-turn\");", &["since".to_owned()], &words).expect("it compiles");
    let b = Situation {
        capacity: Some(1),
        sensors: since(),
        rule: Some(Arc::new(rule)),
        ..plain("B", rectangle([4.0, -1.0], [8.0, 1.0]), vec![Behaviour::Stay { until: None, pause: None }])
    };
    let relation =
        Extent::Relation(Relation { population: 0, share: 1.0, size: None, people: Vec::new(), leader: false });
    let c = Situation { active: false, ..plain("C", relation, vec![Behaviour::Close { within: 50.0 }, run]) };
    let mut stage = Stage::new(vec![everywhere, a, b, c], &[[1.0, 0.0], [6.0, 0.5]]);
    let relation = SituationId(3);
    let expected: [(&str, bool, f32, bool, usize); 8] = [
        // in, waits for B, pace, don't turn, readings in memory
        ("D", false, 1.0, true, 0),
        ("A D", false, 1.5, true, 1),
        ("A D", false, 1.5, true, 1),
        ("A C D", true, 1.5, true, 1), // what A and C both give counts once
        ("C D", true, 1.5, true, 0),   // and stays until the last giver leaves
        ("B C D", false, 1.5, false, 1),
        ("B D", false, 1.0, false, 1),
        ("D", false, 1.0, true, 0),
    ];
    for (t, (names, waits, pace, straight, readings)) in expected.into_iter().enumerate() {
        stage.put(0, [1.0 + t as f32, 0.0]);
        match t {
            3 => stage.situations.begin(relation),
            5 => stage.put(1, [12.0, 0.0]),
            6 => stage.situations.end(relation),
            _ => {}
        }
        stage.step();
        let x = stage.person(0);
        let memory: usize = x.memberships.iter().map(|membership| membership.memory.len()).sum();
        assert_eq!(stage.names(0), names, "t = {t}");
        assert_eq!(x.waiting == [SituationId(2)], waits, "t = {t}: {:?}", x.waiting);
        assert_eq!((x.intent.speed, x.intent.straight), (pace, straight), "t = {t}");
        assert_eq!(memory, readings, "t = {t}");
    }
}

/// Deleting a situation leaves no trace in those who were in it.
#[test]
fn an_ended_situation_leaves_no_trace() {
    let seats = vec![Seat { at: DVec2::ZERO, facing: 0.0 }];
    let sit = plain(
        "bench",
        rectangle([-2.0, -2.0], [2.0, 2.0]),
        vec![Behaviour::Sit { seats, fill: Fill::Near, seconds: None, until: None }],
    );
    let mut stage = Stage::new(vec![sit], &[[0.5, 0.0]]);
    (0..3).for_each(|_| drop(stage.step()));
    assert!(stage.person(0).intent.detains());
    assert_eq!(stage.situations.state(SituationId(0)).seats, [Some(AgentId::new(0, 0))]);
    stage.situations.end(SituationId(0));
    stage.step();
    assert!(stage.person(0).is_empty(), "{:?}", stage.person(0));
    let state = stage.situations.state(SituationId(0));
    assert_eq!((&state.members[..], &state.seats[..]), (&[][..], &[None][..]));
}

/// All want the nearest seat from the same state; ids settle it; everybody sits in the end, one person a seat.
#[test]
fn one_person_a_seat() {
    let seats: Vec<Seat> = (0..3).map(|i| Seat { at: DVec2::new(f64::from(i), 0.0), facing: 0.0 }).collect();
    let sit = plain(
        "row",
        rectangle([-5.0, -5.0], [5.0, 5.0]),
        vec![Behaviour::Sit { seats, fill: Fill::Near, seconds: None, until: None }],
    );
    let mut stage = Stage::new(vec![sit], &[[0.0, 1.0], [0.1, 1.2], [0.2, 1.4], [0.0, 2.0]]);
    (0..6).for_each(|_| drop(stage.step()));
    let taken: Vec<Option<AgentId>> = stage.situations.state(SituationId(0)).seats.clone();
    assert_eq!(taken, [0, 1, 2].map(|ordinal| Some(AgentId::new(0, ordinal))));
    // As many as there are seats are members; the fourth waits.
    assert_eq!(stage.person(3).waiting, [SituationId(0)]);
    assert_eq!(stage.situations.empty_places(SituationId(0)), 0);
}

/// An exclusive place lets in one at a time, those who came first.
#[test]
fn an_exclusive_place_lets_in_as_many_as_it_holds() {
    let mut room = plain("booth", rectangle([0.0, 0.0], [2.0, 2.0]), vec![Behaviour::Exclusive]);
    (room.exclusive, room.capacity) = (true, Some(1));
    let mut stage = Stage::new(vec![room], &[[-1.0, 1.0], [-1.5, 1.0], [-2.0, 1.0]]);
    let booth = SituationId(0);
    let wants = |ordinals: &[u32]| -> Vec<(AgentId, SituationId)> {
        ordinals.iter().map(|ordinal| (AgentId::new(0, *ordinal), booth)).collect()
    };
    stage.step_with(&wants(&[1]));
    stage.step_with(&wants(&[0, 1, 2]));
    assert_eq!([0, 1, 2].map(|who| stage.person(who).pass), [None, Some(booth), None]);
    let way = [Vec2::new(-1.0, 1.0), Vec2::new(1.0, 1.0)];
    let stopped = |stage: &Stage, who: usize| {
        stage.situations.stopped_by((0, Some(&stage.person(who))), way, &stage.phases).map(|(after, _)| after)
    };
    assert_eq!((stopped(&stage, 0), stopped(&stage, 1)), (Some(0.5), None));
    stage.put(1, [1.0, 1.0]);
    stage.step_with(&wants(&[0, 2]));
    assert_eq!((stage.names(1).as_str(), stage.person(0).pass), ("booth", None));
    stage.put(1, [3.0, 1.0]);
    stage.step_with(&wants(&[0, 2]));
    assert_eq!([0, 2].map(|who| stage.person(who).pass), [Some(booth), None]);
}

/// Done here, people get what they came for, and the graph sends them on by its weights.
#[test]
fn who_is_done_is_sent_on_by_weights() {
    let wait = Behaviour::Wait { seconds: LawId(2), at: None };
    let mut first = plain("till", rectangle([-1.0, -1.0], [1.0, 1.0]), vec![wait]);
    (first.gives, first.next) = (1, vec![(SituationId(1), 3.0), (SituationId(2), 1.0)]);
    let near = plain("near", rectangle([5.0, 0.0], [6.0, 1.0]), Vec::new());
    let mut far = plain("far", rectangle([9.0, 0.0], [10.0, 1.0]), Vec::new());
    far.remove = true;
    let people: Vec<[f32; 2]> = (0..400).map(|i| [0.002 * i as f32 - 0.4, 0.0]).collect();
    let mut stage = Stage::new(vec![first, near, far], &people);
    (0..2).for_each(|_| drop(stage.step()));
    assert!((0..400).all(|who| stage.person(who).intent.hold && stage.person(who).tags == 0));
    stage.step();
    assert!((0..400).all(|who| stage.person(who).tags == 1 && stage.person(who).is_done_with(SituationId(0))));
    let edges = stage.situations.state(SituationId(0)).counts.edges.clone();
    // Binomial: 300 expected, standard deviation 8.7.
    assert!(edges[0][0].abs_diff(300) < 35 && edges[0][0] + edges[1][0] == 400, "{edges:?}");
    for who in 0..400 {
        let errand = stage.person(who).errand.expect("everybody is sent");
        stage.put(who, errand.at.into());
    }
    let leaving = stage.step();
    let edges = stage.situations.state(SituationId(0)).counts.edges.clone();
    assert_eq!((edges[0][0], edges[1][0]), (edges[0][1], edges[1][1]));
    assert_eq!(leaving.len() as u64, edges[1][1]);
}

/// A rule that is stopped is named once for each person, and what they do goes on without it.
#[test]
fn a_stopped_rule_is_told_and_the_rest_goes_on() {
    let words = Arc::new(Words::default());
    let rule = Scripts::default().rule("\nloop { }", &[], &words).expect("it compiles");
    let hurry = vec![Behaviour::Hurry { factor: 2.0 }];
    let situation =
        Situation { rule: Some(Arc::new(rule)), ..plain("loop", rectangle([-1.0, -1.0], [1.0, 1.0]), hurry) };
    let mut stage = Stage::new(vec![situation], &[[0.0, 0.0], [0.5, 0.0]]);
    (0..3).for_each(|_| drop(stage.step()));
    let (incidents, count) = stage.situations.incidents();
    assert_eq!(count, 2);
    assert_eq!((incidents[0].id, incidents[1].id), (AgentId::new(0, 0), AgentId::new(0, 1)));
    assert!(incidents[0].line == 2 && incidents[0].what.contains("operations"), "{incidents:?}");
    assert_eq!(stage.person(0).intent.speed, 2.0);
}

/// Along a line and then gathered at its end; and with a timetable.
#[test]
fn people_follow_a_line_and_timetables_hold() {
    let line = [[0.0, 0.0], [10.0, 0.0]].map(DVec2::from).to_vec();
    let mut flow = plain("flow", rectangle([-1.0, -2.0], [12.0, 2.0]), vec![Behaviour::Follow { line, gather: true }]);
    flow.times = vec![[1.0, 4.0]];
    let mut stage = Stage::new(vec![flow], &[[1.0, 0.5]]);
    stage.step();
    assert!(stage.people[0].is_none());
    stage.step();
    assert_eq!(stage.person(0).intent.goal, Some(Vec2::new(3.0, 0.0)));
    stage.put(0, [9.8, 0.0]);
    stage.step();
    assert!(stage.person(0).intent.hold);
    stage.step();
    stage.step();
    assert_eq!(stage.names(0), "");
}

/// Three people on a line, 1 m and 3 m from the first, who has a ticket and walks: what each sensor tells them, and that nothing of it is left outside.
#[test]
fn sensors_tell_what_is_there_and_are_forgotten() {
    let sensors = [
        ("light", Sensor::Signal { signal: 0 }),
        ("near", Sensor::Proximity { within: 2.0 }),
        ("alone", Sensor::Proximity { within: 0.5 }),
        ("all", Sensor::Agents { population: None, within: 3.0 }),
        ("others", Sensor::Agents { population: Some(1), within: 3.0 }),
        ("density", Sensor::Density { within: 2.0 }),
        ("empty", Sensor::Empty { of: SituationId(0) }),
        ("since", Sensor::SinceEntry),
        ("clock", Sensor::Clock),
        ("speed", Sensor::Speed),
        ("ticket", Sensor::Has { tag: 1 }),
    ];
    let mut hall = plain("hall", rectangle([-1.0, -1.0], [4.0, 1.0]), Vec::new());
    hall.sensors = sensors.map(|(name, sensor)| (name.to_owned(), sensor)).to_vec();
    hall.capacity = Some(5);
    let mut stage = Stage::new(vec![hall], &[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]);
    stage.agents.now.velocity[0] = Vec2::new(0.6, 0.8);
    stage.phases = vec![1];
    (0..3).for_each(|_| drop(stage.step()));
    stage.people[0].as_mut().expect("they are in it").tags = 1;
    stage.step();
    let number = Reading::Number;
    let expected = [
        Reading::Shows { signal: 0, phase: 1 },
        number(f64::from(1.0f32 - 0.2 - 0.2)),
        number(0.5),
        number(2.0),
        number(0.0),
        number(2.0 / (std::f64::consts::PI * 4.0)),
        number(2.0),
        number(3.0),
        number(3.0),
        number(1.0),
        Reading::Flag(true),
    ];
    let person = stage.person(0);
    for ((name, _), (found, expected)) in sensors.iter().zip(person.memberships[0].memory.iter().zip(expected)) {
        let same = match (*found, expected) {
            (Reading::Number(found), Reading::Number(expected)) => (found - expected).abs() < 1e-6,
            (found, expected) => found == expected,
        };
        assert!(same, "{name}: {found:?}, expected {expected:?}");
    }
    assert_eq!(person.memberships[0].memory.len(), 11);
    stage.put(0, [9.0, 0.0]);
    stage.step();
    assert!(stage.person(0).memberships.is_empty(), "{:?}", stage.person(0));
}
