//! What pages see of a run, and what they do to it.

mod common;

use common::{Came, HALL, Page, Running, Seen, log};
use passerby::record::{Recording, Writer};
use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};
use passerby_server::{ReplayShow, Server, Show};
use serde_json::{Value, json};
use std::io::Cursor;
use std::time::{Duration, Instant};

fn simulation(text: &str) -> Simulation {
    Simulation::new(Scenario::parse(text, &NoFiles, "hall.toml").expect("a scenario")).expect("it runs")
}

/// Where everybody is on the page's grid.
fn on_grid(simulation: &mut Simulation) -> (Vec<u32>, Vec<[i64; 2]>) {
    let offset = simulation.offset();
    let frame = simulation.frame();
    let at = frame
        .x
        .iter()
        .zip(frame.y)
        .map(|(x, y)| [*x - offset.x, *y - offset.y].map(|part| (part * 256.0).round() as i64));
    (frame.id.to_vec(), at.collect())
}

fn assert_shows(seen: &Seen, simulation: &mut Simulation) {
    let (ids, at) = on_grid(simulation);
    assert_eq!((seen.tick, &seen.ids, &seen.at), (simulation.tick(), &ids, &at));
}

#[test]
fn a_page_sees_the_run_as_it_is() {
    let running = Running::new(HALL);
    let mut page = running.page();
    assert_eq!((&page.scene["name"], &page.scene["live"]), (&json!("hall"), &json!(true)));
    assert_eq!(page.scene["place"]["doors"][0]["open"], true);
    let mut same = simulation(HALL);
    for tick in [1, 2, 20, 60] {
        let seen = page.step_to(tick);
        while same.tick() < tick {
            same.step();
        }
        assert_shows(&seen, &mut same);
        assert_eq!(seen.heading.len(), seen.ids.len());
    }
    assert_eq!(page.people.len(), 30);
    assert_eq!(page.people[0]["colours"].as_array().map(Vec::len), Some(30));
    assert_eq!(page.clock_at(60)["digest"], format!("{:016x}", same.digest()));
    // Who comes later sees the same, and the second page has stopped nothing.
    let mut other = running.page();
    assert_shows(&other.frame(60), &mut same);
    running.end();
}

#[test]
fn a_slow_page_loses_frames_but_never_order() {
    let to_and_fro = HALL.replace("journey = [\"exit\"]", "journey = [[2, 2], [10, 10]]\nrepeat = true");
    let running = Running::new(&to_and_fro);
    let mut page = running.page();
    page.send(json!({ "do": "speed", "times": 20.0 }));
    let mut last = 0;
    for _ in 0..8 {
        std::thread::sleep(Duration::from_millis(250));
        let seen = page.frame(0);
        assert!(seen.tick >= last, "tick {} after {last}", seen.tick);
        last = seen.tick;
    }
    // What it sees at the end is what is there, though it has missed most of what was before.
    page.send(json!({ "do": "pause" }));
    let clock = loop {
        let clock = page.told("clock");
        if clock["playing"] == false {
            break clock;
        }
    };
    let tick = clock["tick"].as_u64().expect("a tick") as u32;
    let seen = page.step_to(tick + 1);
    let mut same = simulation(&to_and_fro);
    (0..=tick).for_each(|_| same.step());
    assert_shows(&seen, &mut same);
}

fn bodies() -> String {
    HALL.replace("journey = [\"exit\"]", "body = \"mediated\"\njourney = [\"exit\"]")
}

#[test]
fn full_poses_come_for_those_one_looks_at() {
    let running = Running::new(&bodies());
    let mut page = running.page();
    let seen = page.step_to(20);
    assert!(seen.poses.is_empty() && seen.clips.iter().all(|clip| *clip != 255), "{seen:?}");
    page.send(json!({ "do": "look", "x": 0.0, "y": 0.0, "radius": 1000.0, "most": 7 }));
    page.send(json!({ "do": "desired", "on": true }));
    page.send(json!({ "do": "step", "frames": 40 }));
    let seen = page.frame(60);
    assert_eq!((seen.poses.len(), seen.desired.len()), (7, seen.ids.len()));
    // The seven nearest to where one looks.
    let away = |row: &usize| seen.at[*row].iter().map(|part| part * part).sum::<i64>();
    let farthest = seen.poses.iter().map(away).max();
    let nearer = (0..seen.ids.len()).filter(|row| !seen.poses.contains(row) && Some(away(row)) < farthest).count();
    assert!(nearer <= 1, "{nearer} are nearer"); // roots of bodies are a little beside their people
    assert!(seen.desired.iter().any(|velocity| velocity[0] > 20), "{:?}", seen.desired);
}

fn drawn(page: &mut Page, edit: Value) -> Value {
    page.send(json!({ "do": "edit", "edit": edit }));
    page.told("changed")
}

/// Everything that can be painted, undone and done again; and a text that repeats the run to the digest.
#[test]
fn what_is_painted_can_be_run_again_to_the_digest() {
    let running = Running::new(HALL);
    let mut page = running.page();
    page.step_to(20);
    let follow = json!({ "paint": { "kind": "follow", "line": [[-8, 0], [-8, 4], [-2, 4]], "width": 5.0 } });
    let changed = drawn(&mut page, follow);
    let situation = |changed: &Value, i: usize| changed["situations"][i].clone();
    assert_eq!(
        (&situation(&changed, 0)["name"], &changed["undo"]),
        (&json!("follow 1"), &json!("painting \"follow 1\""))
    );
    page.send(json!({ "do": "step", "frames": 20 }));
    page.frame(40);
    for edit in [
        json!({ "door": { "name": "front", "open": false } }),
        json!({ "put": { "ring": [[-6, -5], [-4, -5], [-4, -3], [-6, -3]] } }),
        json!({ "drop": { "population": "visitors", "at": [[5, 1], [5, 2]] } }),
        json!({ "move": { "situation": "follow 1", "by": [0.5, 0.0] } }),
        json!({ "goal": { "to": [-13, -4], "people": [3] } }),
        json!({ "paint": { "kind": "wait", "ring": [[-12, -5], [-9, -5], [-9, -2]] } }),
        json!({ "resize": { "situation": "wait 1", "ring": [[-12, -5], [-8, -5], [-8, -1]] } }),
        json!({ "paint": { "kind": "gather", "ring": [[3, -3], [9, -3], [9, 3]] } }),
        json!({ "paint": { "kind": "hurry", "ring": [[3, -3], [9, -3], [9, 3]] } }),
        json!({ "paint": { "kind": "talk", "ring": [[3, -3], [9, -3], [9, 3]] } }),
        json!({ "paint": { "kind": "stop", "ring": [[10, -3], [12, -3], [12, 0]] } }),
        json!({ "end": { "situation": "stop 1" } }),
    ] {
        drawn(&mut page, edit);
    }
    for wish in ["undo", "undo", "redo", "undo"] {
        page.send(json!({ "do": wish }));
        page.told("changed");
    }
    page.send(json!({ "do": "edit", "edit": { "door": { "name": "front", "open": true } } }));
    page.told("changed");
    page.send(json!({ "do": "step", "frames": 200 }));
    page.frame(240);
    let clock = page.clock_at(240);
    page.send(json!({ "do": "scenario" }));
    let text = page.told("scenario")["text"].as_str().expect("a text").to_owned();
    let mut again = simulation(&text);
    (0..240).for_each(|_| again.step());
    assert_eq!(clock["digest"], format!("{:016x}", again.digest()), "{text}");
    assert_eq!(clock["tick"], 240);
    assert!(
        again.digest() != {
            let mut plain = simulation(HALL);
            (0..240).for_each(|_| plain.step());
            plain.digest()
        }
    );
}

/// Every deed is undone and done again as it was, also several in one moment.
#[test]
fn what_is_undone_is_as_it_was() {
    let running = Running::new(&HALL.replace("count = 30", "rate = 20\ntotal = 60"));
    let mut page = running.page();
    page.step_to(20);
    let mut people = page.clock_at(20)["people"].clone();
    let mut act = |page: &mut Page, wish: Value| -> Value {
        page.send(wish);
        let changed = page.told("changed");
        while page.told("clock")["tick"] != 20 {}
        people = page.clock["people"].clone();
        changed
    };
    let edit = |edit: Value| json!({ "do": "edit", "edit": edit });
    let (undo, redo) = (json!({ "do": "undo" }), json!({ "do": "redo" }));
    let count = |page: &Page| page.clock["people"].as_u64().expect("a number");
    let before = count(&page);
    // Two drops in one moment, one of one and one of two, each undone by itself.
    act(&mut page, edit(json!({ "drop": { "population": "visitors", "at": [[5, 1]] } })));
    act(&mut page, edit(json!({ "drop": { "population": "visitors", "at": [[5, 3], [7, 3]] } })));
    assert_eq!(count(&page), before + 3);
    act(&mut page, undo.clone());
    assert_eq!(count(&page), before + 1);
    act(&mut page, undo.clone());
    assert_eq!(count(&page), before);
    act(&mut page, redo.clone());
    assert_eq!(count(&page), before + 1);
    // An obstacle that is taken away and comes back is the same one.
    let put = |changed: &Value| changed["put"].as_array().expect("obstacles").len();
    let block = json!({ "put": { "ring": [[-6, -5], [-4, -5], [-4, -3], [-6, -3]] } });
    assert_eq!(put(&act(&mut page, edit(block))), 1);
    assert_eq!(put(&act(&mut page, edit(json!({ "take": { "name": "block 1" } })))), 0);
    assert_eq!(put(&act(&mut page, undo.clone())), 1);
    assert_eq!(put(&act(&mut page, undo.clone())), 0);
    assert_eq!(put(&act(&mut page, redo.clone())), 1);
    // A situation that is painted and moved is undone and done again under its name; what is resized twice goes back once.
    let corner = |changed: &Value| changed["situations"][0]["rings"][0][0].clone();
    let wait = json!({ "paint": { "kind": "wait", "ring": [[-12, -5], [-9, -5], [-9, -2]] } });
    assert_eq!(corner(&act(&mut page, edit(wait))), json!([-12.0, -5.0]));
    let moved = json!({ "move": { "situation": "wait 1", "by": [0.5, 1.0] } });
    assert_eq!(corner(&act(&mut page, edit(moved))), json!([-11.5, -4.0]));
    assert_eq!(corner(&act(&mut page, undo.clone())), json!([-12.0, -5.0]));
    assert_eq!(act(&mut page, undo.clone())["situations"], json!([]));
    assert_eq!(act(&mut page, redo.clone())["situations"][0]["name"], "wait 1");
    assert_eq!(corner(&act(&mut page, redo.clone())), json!([-11.5, -4.0]));
    let resize = |x: i32| json!({ "resize": { "situation": "wait 1", "ring": [[x, -5], [-8, -5], [-8, -1]] } });
    act(&mut page, edit(resize(-11)));
    assert_eq!(corner(&act(&mut page, edit(resize(-10)))), json!([-10.0, -5.0]));
    assert_eq!(corner(&act(&mut page, undo.clone())), json!([-11.0, -5.0]));
    assert_eq!(corner(&act(&mut page, undo.clone())), json!([-11.5, -4.0]));
    // And all of it can be run again.
    page.send(json!({ "do": "step", "frames": 60 }));
    page.frame(80);
    let digest = page.clock_at(80)["digest"].clone();
    page.send(json!({ "do": "scenario" }));
    let text = page.told("scenario")["text"].as_str().expect("a text").to_owned();
    let mut again = simulation(&text);
    (0..80).for_each(|_| again.step());
    assert_eq!(digest, format!("{:016x}", again.digest()), "{text}");
}

/// Whoever is sent somewhere twice goes back to the first goal when the second is undone.
#[test]
fn the_goal_before_comes_back() {
    let running = Running::new(HALL);
    let mut page = running.page();
    page.step_to(10);
    for x in [-13, -10] {
        page.send(json!({ "do": "edit", "edit": { "goal": { "to": [x, -4], "people": [3] } } }));
    }
    page.send(json!({ "do": "step", "frames": 1 }));
    page.frame(11);
    let goal = |page: &mut Page| {
        page.send(json!({ "do": "inspect", "id": 3 }));
        page.told("inspected")["goal"].clone()
    };
    assert_eq!(goal(&mut page), json!([-10.0, -4.0]));
    page.send(json!({ "do": "undo" }));
    page.send(json!({ "do": "step", "frames": 1 }));
    page.frame(12);
    assert_eq!(goal(&mut page), json!([-13.0, -4.0]));
}

#[test]
fn each_page_has_its_reasons() {
    let running = Running::new(HALL);
    let (mut one, mut other) = (running.page(), running.page());
    one.send(json!({ "do": "inspect", "id": 4 }));
    other.send(json!({ "do": "inspect", "id": 9 }));
    for (page, id) in [(&mut one, 4), (&mut other, 9)] {
        let told = loop {
            let told = page.told("inspected");
            if !told["why"].is_null() {
                break told;
            }
        };
        assert_eq!((&told["id"], &told["why"]["me"]["id"]), (&json!(id), &json!(id)));
    }
}

/// A run that has ended is told to be over: nothing is taken that could not come about.
#[test]
fn a_run_that_has_ended_takes_no_edits() {
    let running = Running::new(&HALL.replace("until = 120", "until = 0.5"));
    let mut page = running.page();
    page.clock_at(10);
    for wish in
        [json!({ "do": "edit", "edit": { "door": { "name": "front", "open": false } } }), json!({ "do": "play" })]
    {
        page.send(wish);
        assert!(page.told("error")["what"].as_str().expect("words").contains("has ended"));
    }
}

#[test]
fn edits_that_cannot_be_are_told() {
    let running = Running::new(HALL);
    let mut page = running.page();
    let mut refused = |edit: Value, why: &str| {
        page.send(json!({ "do": "edit", "edit": edit }));
        let error = page.told("error");
        assert!(error["what"].as_str().expect("words").contains(why), "{error}");
    };
    refused(json!({ "door": { "name": "back", "open": false } }), "no door");
    refused(json!({ "take": { "name": "block 1" } }), "no obstacle");
    refused(json!({ "end": { "situation": "x\"\ny" } }), "no situation");
    refused(json!({ "paint": { "kind": "fly", "ring": [[0, 0], [1, 0], [0, 1]] } }), "there are: follow");
    refused(json!({ "paint": { "kind": "wait" } }), "a line or");
    refused(json!({ "put": { "ring": [[0, 0], [1, 0]] } }), "3 to 1000");
    refused(json!({ "put": { "ring": [[0, 0], [2, 2], [2, 0], [0, 2]] } }), "");
    refused(json!({ "drop": { "population": "nobody", "at": [[0, 0]] } }), "no population");
    refused(json!({ "drop": { "population": "visitors", "at": [[500, 5]] } }), "nobody came");
    refused(json!({ "door": { "name": "front", "open": true } }), "is open already");
    // What a run of the saved scenario would refuse.
    refused(json!({ "paint": { "kind": "wait", "ring": [[500, 0], [501, 0], [500, 1]] } }), "nowhere on the floor");
    refused(json!({ "goal": { "to": [500, 500], "population": "visitors" } }), "reached");
    page.send(json!({ "do": "undo" }));
    assert!(page.told("error")["what"].as_str().expect("words").contains("nothing to undo"));
    page.send(json!({ "do": "seek", "tick": 3 }));
    assert!(page.told("error")["what"].as_str().expect("words").contains("forward only"));
    // The run goes on.
    page.frame(5);
}

/// Painting a line to follow leads people along it: their mean place is another one than without.
#[test]
fn who_comes_upon_a_painted_line_follows_it() {
    let mean = |paint: bool| {
        let running = Running::new(HALL);
        let mut page = running.page();
        page.step_to(2);
        if paint {
            let ring = json!([[-14, -5], [-2, -5]]);
            drawn(&mut page, json!({ "paint": { "kind": "follow", "line": ring, "width": 12.0 } }));
        }
        page.send(json!({ "do": "step", "frames": 98 }));
        let seen = page.frame(100);
        seen.at.iter().map(|at| at[1] as f64 / 256.0).sum::<f64>() / seen.at.len() as f64
    };
    let (without, with) = (mean(false), mean(true));
    assert!(with < without - 1.0, "y {with} with the line, {without} without");
}

#[test]
fn the_inspector_tells_what_somebody_does_and_why() {
    let running = Running::new(HALL);
    let mut page = running.page();
    page.step_to(30);
    page.send(json!({ "do": "inspect", "id": 4 }));
    let told = page.told("inspected");
    assert_eq!((&told["id"], &told["why"]), (&json!(4), &Value::Null));
    page.send(json!({ "do": "step", "frames": 10 }));
    let told = loop {
        let told = page.told("inspected");
        if !told["why"].is_null() {
            break told;
        }
    };
    let fact = |name: &str| {
        told["facts"].as_array().expect("facts").iter().find(|fact| fact[0] == name).map(|fact| fact[1].clone())
    };
    assert_eq!(fact("population"), Some(json!("visitors")));
    assert_eq!(fact("goes to"), Some(json!("\u{201c}exit\u{201d}")));
    assert_eq!((&told["why"]["model"], &told["why"]["me"]["id"]), (&json!("headway"), &json!(4)));
    // From the scene's origin, as the frames.
    let seen = page.frame(40);
    let row = seen.ids.binary_search(&4).expect("they are there");
    let at = told["why"]["me"]["position"].as_array().expect("a place");
    let away = (0..2)
        .map(|axis| (at[axis].as_f64().expect("a number") - seen.at[row][axis] as f64 / 256.0).abs())
        .fold(0.0, f64::max);
    assert!(away < 2.0, "{away}");
    assert!(told["path"].as_array().is_some_and(|path| path.len() >= 2));
    page.send(json!({ "do": "cells" }));
    let cells = page.told("cells");
    assert!(
        cells["cells"].as_array().is_some_and(|cells| cells.len() > 3)
            && cells["levels"].as_array().is_some_and(|levels| levels.len() > 1)
    );
}

/// A recording of a run, in memory.
fn recorded(text: &str, ticks: u32) -> Recording {
    let mut simulation = simulation(text);
    let mut bytes = Vec::new();
    {
        let mut writer = Writer::new(&mut bytes, &simulation.header()).expect("a header");
        writer.people(&simulation.persons());
        for tick in 0..=ticks {
            writer.frame(&simulation.frame()).expect("a frame");
            if tick < ticks {
                simulation.step();
            }
        }
        writer.finish().expect("whole");
    }
    Recording::open(Cursor::new(bytes)).expect("it opens")
}

fn replay(text: &str, ticks: u32) -> (Server, Page) {
    let scenario = Scenario::parse(text, &NoFiles, "hall.toml").expect("a scenario");
    let show = ReplayShow::new(recorded(text, ticks), Some(scenario)).expect("it has frames");
    let server =
        Server::start("127.0.0.1:0".parse().expect("an address"), Show::Replay(show), log().0).expect("it listens");
    let url = server.url();
    let (host, token) = url.trim_start_matches("http://").split_once("/?token=").expect("an address");
    let page = Page::open(host, token);
    (server, page)
}

#[test]
fn a_recording_is_played_and_seeks() {
    let (_server, mut page) = replay(HALL, 200);
    assert_eq!((&page.scene["live"], &page.scene["last"]), (&json!(false), &json!(200)));
    page.send(json!({ "do": "pause" }));
    let mut same = simulation(HALL);
    for tick in [10, 77, 200] {
        page.send(json!({ "do": "seek", "tick": tick }));
        let seen = loop {
            let seen = page.frame(0);
            if seen.tick == tick {
                break seen;
            }
        };
        while same.tick() < tick {
            same.step();
        }
        assert_shows(&seen, &mut same);
    }
    // Backwards as well.
    page.send(json!({ "do": "seek", "tick": 3 }));
    let mut same = simulation(HALL);
    (0..3).for_each(|_| same.step());
    let seen = loop {
        let seen = page.frame(0);
        if seen.tick == 3 {
            break seen;
        }
    };
    assert_shows(&seen, &mut same);
    // At speed 20 ten seconds take half a second, and then it stands.
    let begun = Instant::now();
    page.send(json!({ "do": "speed", "times": 20.0 }));
    page.send(json!({ "do": "play" }));
    page.frame(200);
    assert!((0.3..3.0).contains(&begun.elapsed().as_secs_f64()), "{:?}", begun.elapsed());
    assert_eq!(page.clock["ended"], true);
    // Whoever painted in it would be told why not.
    page.send(json!({ "do": "edit", "edit": { "take": { "name": "x" } } }));
    assert!(page.told("error")["what"].as_str().expect("words").contains("recorded"));
}

/// Doors, obstacles and situations are in the picture of a recording as they were.
#[test]
fn a_recording_shows_how_the_place_was() {
    let text = format!(
        "{HALL}
[[situation]]
name = \"stop 1\"
region = [[1, 1], [3, 1], [3, 3]]
active = false
behaviours = [\"stop\"]
[[event]]\nat = 2\nclose = \"front\"\n[[event]]\nat = 4\nopen = \"front\"
[[event]]\nat = 3\nput = {{ name = \"crate\", polygon = [[20, 1], [22, 1], [22, 3]] }}\n[[event]]\nat = 5\ntake = \"crate\"
[[event]]\nat = 6\nbegin = \"stop 1\"\n[[event]]\nat = 7\nmove = \"stop 1\"\nby = [1, 0]\n"
    );
    let (_server, mut page) = replay(&text, 200);
    page.send(json!({ "do": "pause" }));
    assert_eq!(page.told("changed")["doors"][0]["open"], true);
    let mut seek = |tick: u32| {
        page.send(json!({ "do": "seek", "tick": tick }));
        page.told("changed")
    };
    let shown = |changed: &Value| {
        let count = |what: &str| changed[what].as_array().expect("a list").len();
        (changed["doors"][0]["open"] == true, count("put"), count("situations"))
    };
    assert_eq!(shown(&seek(50)), (false, 0, 0));
    assert_eq!(shown(&seek(70)), (false, 1, 0));
    assert_eq!(shown(&seek(90)), (true, 1, 0));
    assert_eq!(shown(&seek(110)), (true, 0, 0));
    let changed = seek(130);
    assert_eq!((shown(&changed), &changed["situations"][0]["rings"][0][0]), ((true, 0, 1), &json!([-14.0, -5.0])));
    assert_eq!(seek(150)["situations"][0]["rings"][0][0], json!([-13.0, -5.0]));
    assert_eq!(shown(&seek(45)), (false, 0, 0));
}

#[test]
fn what_was_recorded_is_explained_by_running_it_again() {
    let (_server, mut page) = replay(HALL, 200);
    page.send(json!({ "do": "pause" }));
    page.send(json!({ "do": "seek", "tick": 90 }));
    page.send(json!({ "do": "inspect", "id": 7 }));
    let told = loop {
        let told = page.told("inspected");
        if told["tick"] == 90 && !told["why"].is_null() {
            break told;
        }
    };
    assert_eq!((&told["id"], &told["why"]["model"]), (&json!(7), &json!("headway")));
    assert!(!told["why"]["seen"].as_array().expect("neighbours").is_empty());
    let goal = told["facts"].as_array().expect("facts").iter().find(|fact| fact[0] == "goes to");
    assert_eq!(goal.map(|fact| &fact[1]), Some(&json!("\u{201c}exit\u{201d}")));
}

/// Two pages of one recording have clocks of their own.
#[test]
fn pages_of_a_recording_do_not_disturb_each_other() {
    let (server, mut page) = replay(HALL, 100);
    let url = server.url();
    let (host, token) = url.trim_start_matches("http://").split_once("/?token=").expect("an address");
    let mut other = Page::open(host, token);
    page.send(json!({ "do": "pause" }));
    other.send(json!({ "do": "seek", "tick": 60 }));
    other.frame(60);
    page.send(json!({ "do": "seek", "tick": 5 }));
    loop {
        match page.next() {
            Came::Frame(seen) if seen.tick == 5 => break,
            Came::Frame(seen) => assert!(seen.tick < 60),
            Came::Closed => panic!("it was closed"),
            Came::Told(_) => {}
        }
    }
}
