//! What somebody paints, as lines of a scenario: so everything that was painted can be run again.

use crate::protocol::{Edit, Paint, Point};
use passerby::Simulation;
use passerby::geometry::Vec2;
use std::fmt::Write;

/// Kinds of situations that can be painted.
const KINDS: [&str; 6] = ["follow", "gather", "wait", "hurry", "stop", "talk"];
/// Width of a stroke where none is given, m.
const WIDTH: f64 = 2.0;
/// Points of an outline or a stroke at the most.
const POINTS_MAX: usize = 1000;

/// Something that was done to a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Deed {
    /// What it is called where it can be undone.
    pub label: String,
    /// Tables that are added to the scenario, once.
    pub declares: String,
    /// What happens now: an event each, without its time.
    pub does: Vec<String>,
    /// What makes it undone.
    pub undoes: Vec<String>,
    /// The situation that is painted, if one is.
    pub name: Option<String>,
    /// Who is sent somewhere by it, if somebody is.
    pub sends: Option<String>,
}

impl Deed {
    /// The text that is added to a scenario when this is done at a time, s.
    pub(crate) fn text(&self, at: f64) -> String {
        format!("{}{}", self.declares, events(&self.does, at))
    }
}

/// Events at a time, as a scenario has them.
pub(crate) fn events(what: &[String], at: f64) -> String {
    what.iter().fold(String::new(), |mut text, event| {
        let _ = write!(text, "\n[[event]]\nat = {at}\n{event}\n");
        text
    })
}

/// What an edit of a run comes to; an error says why it cannot be done.
pub(crate) fn deed(edit: &Edit, simulation: &Simulation) -> Result<Deed, String> {
    let offset = simulation.offset().to_array();
    let place = |at: &Point| [at[0] + offset[0], at[1] + offset[1]];
    let simple =
        |label: String, does: String, undoes: Vec<String>| Deed { label, does: vec![does], undoes, ..Deed::default() };
    match edit {
        Edit::Paint(paint) => painted(paint, simulation, &place),
        Edit::Move { situation, by } => {
            let name = situation_named(simulation, situation)?;
            let by_text = |by: [f64; 2]| format!("move = {name}\nby = {}", point(by));
            let back = by_text([-by[0], -by[1]]);
            Ok(simple(format!("moving {name}"), by_text(*by), vec![back]))
        }
        Edit::Resize { situation, ring } => {
            let name = situation_named(simulation, situation)?;
            let situations = simulation.situations().ok_or("there are no situations")?;
            let id = situations.find(situation).ok_or("there is no such situation")?;
            // A region is told as it was drawn; what events have moved since stays moved.
            let moved = situations.state(id).shift.as_dvec2();
            let drawn =
                |ring: &[[f64; 2]]| line(&ring.iter().map(|at| [at[0] - moved.x, at[1] - moved.y]).collect::<Vec<_>>());
            let before: Vec<String> = situations
                .rings_of(id)
                .iter()
                .map(|ring| {
                    let place = |at: &Vec2| (at.as_dvec2() + simulation.offset()).to_array();
                    drawn(&ring.iter().map(place).collect::<Vec<_>>())
                })
                .collect();
            let ring = drawn(&outline(ring, &place)?);
            let change = |rings: &str| format!("change = {name}\nregion = [{rings}]");
            Ok(simple(format!("resizing {name}"), change(&ring), vec![change(&before.join(", "))]))
        }
        Edit::End { situation } => {
            let name = situation_named(simulation, situation)?;
            Ok(simple(format!("removing {name}"), format!("end = {name}"), vec![format!("begin = {name}")]))
        }
        Edit::Put { ring } => {
            let name = quoted(&fresh("block", |name| simulation.scenario().text.contains(name)));
            let put = format!("put = {{ name = {name}, polygon = {} }}", line(&outline(ring, &place)?));
            Ok(simple(format!("putting {name}"), put, vec![format!("take = {name}")]))
        }
        Edit::Take { name } => {
            let world = simulation.world();
            let Some((_, polygon)) = world.put_obstacles_now().find(|(other, _)| other == name) else {
                return Err(format!("there is no obstacle called \"{name}\" that was put"));
            };
            let ring = line(&polygon.points().iter().map(|at| at.to_array()).collect::<Vec<_>>());
            let put = format!("put = {{ name = {}, polygon = {ring} }}", quoted(name));
            Ok(simple(format!("taking {}", quoted(name)), format!("take = {}", quoted(name)), vec![put]))
        }
        Edit::Door { name, open } => {
            let doors = &simulation.scenario().place.doors;
            let Some(number) = doors.iter().position(|door| door.name == *name) else {
                return Err(format!("there is no door called \"{name}\""));
            };
            if simulation.world().map.closed_doors()[number] != *open {
                return Err(format!("the door \"{name}\" is {} already", if *open { "open" } else { "closed" }));
            }
            let [does, undoes] = if *open { ["open", "close"] } else { ["close", "open"] };
            let event = |what: &str| format!("{what} = {}", quoted(name));
            Ok(simple(
                format!("{} {}", if *open { "opening" } else { "closing" }, quoted(name)),
                event(does),
                vec![event(undoes)],
            ))
        }
        Edit::Drop { population, at } => {
            population_named(simulation, population)?;
            let points = points(at, 1, &place)?;
            let name = quoted(&fresh("drop", |name| simulation.scenario().text.contains(name)));
            let drop = format!("drop = {}\npoints = {}\nname = {name}", quoted(population), line(&points));
            Ok(simple(format!("{} more people", points.len()), drop, vec![format!("remove = {name}")]))
        }
        Edit::Goal { to, people, population } => goal(simulation, place(to), people.as_deref(), population.as_deref()),
    }
}

/// People go somewhere: those who are named, a population, or everybody.
fn goal(
    simulation: &Simulation,
    to: [f64; 2],
    people: Option<&[u32]>,
    population: Option<&str>,
) -> Result<Deed, String> {
    if let Some(people) = people.filter(|people| !people.is_empty()) {
        let there = |id: &u32| simulation.ids().iter().any(|other| other.bits() == *id);
        if !people.iter().any(there) {
            return Err("nobody of them is there any more".to_owned());
        }
        let people = people.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        return Ok(Deed {
            label: "a new goal".to_owned(),
            does: vec![format!("journey = [{}]\npeople = [{people}]", point(to))],
            undoes: vec![format!("resume = [{people}]")],
            sends: Some(people),
            ..Deed::default()
        });
    }
    let names: Vec<String> = match population {
        Some(name) => vec![name.to_owned()],
        None => simulation.scenario().populations.iter().map(|population| population.name.clone()).collect(),
    };
    let sends = Some(population.unwrap_or_default().to_owned());
    let mut deed = Deed { label: "a new goal".to_owned(), sends, ..Deed::default() };
    for name in names {
        population_named(simulation, &name)?;
        deed.does.push(format!("journey = [{}]\nof = {}", point(to), quoted(&name)));
        deed.undoes.push(format!("resume = {}", quoted(&name)));
    }
    Ok(deed)
}

/// A situation of a kind, along a stroke or in a ring.
fn painted(paint: &Paint, simulation: &Simulation, place: &dyn Fn(&Point) -> [f64; 2]) -> Result<Deed, String> {
    let Paint { kind, line: stroke, width, ring } = paint;
    if !KINDS.contains(&kind.as_str()) {
        return Err(format!("no situation of kind \"{kind}\" can be painted; there are: {}", KINDS.join(", ")));
    }
    let (region, points) = match (stroke, ring) {
        (Some(stroke), None) => {
            let points = points(stroke, 2, place)?;
            let width = width.unwrap_or(WIDTH).clamp(0.1, 1000.0);
            (format!("stroke = {{ line = {}, width = {width} }}", line(&points)), points)
        }
        (None, Some(ring)) => {
            let points = outline(ring, place)?;
            (format!("region = {}", line(&points)), points)
        }
        _ => return Err("a situation is painted as a line or as a ring".to_owned()),
    };
    let middle = [0, 1].map(|axis| points.iter().map(|at| at[axis]).sum::<f64>() / points.len() as f64);
    let behaviour = match kind.as_str() {
        "follow" => format!("{{ follow = {} }}", line(&points)),
        "gather" => format!("{{ gather = {{ at = {}, for = 20 }} }}", point(middle)),
        "wait" => "{ wait = { uniform = [5, 15] } }".to_owned(),
        "hurry" => "{ hurry = 1.8 }".to_owned(),
        other => quoted(other),
    };
    let called = fresh(kind, |name| simulation.scenario().text.contains(name));
    let name = quoted(&called);
    let declares = format!("\n[[situation]]\nname = {name}\n{region}\nactive = false\nbehaviours = [{behaviour}]\n");
    Ok(Deed {
        label: format!("painting {name}"),
        declares,
        does: vec![format!("begin = {name}")],
        undoes: vec![format!("end = {name}")],
        name: Some(called),
        ..Deed::default()
    })
}

/// A name that nobody has: the kind and a number.
fn fresh(kind: &str, taken: impl Fn(&str) -> bool) -> String {
    let name = |number: u32| format!("{kind} {number}");
    (1..).map(name).find(|name| !taken(&format!("\"{name}\""))).unwrap_or_default()
}

fn situation_named(simulation: &Simulation, name: &str) -> Result<String, String> {
    let known = simulation.situations().and_then(|situations| situations.find(name)).is_some();
    if known { Ok(quoted(name)) } else { Err(format!("there is no situation called \"{name}\"")) }
}

fn population_named(simulation: &Simulation, name: &str) -> Result<usize, String> {
    let populations = &simulation.scenario().populations;
    populations
        .iter()
        .position(|other| other.name == name)
        .ok_or_else(|| format!("there is no population called \"{name}\""))
}

fn outline(ring: &[Point], place: &dyn Fn(&Point) -> [f64; 2]) -> Result<Vec<[f64; 2]>, String> {
    points(ring, 3, place)
}

fn points(points: &[Point], least: usize, place: &dyn Fn(&Point) -> [f64; 2]) -> Result<Vec<[f64; 2]>, String> {
    if !(least..=POINTS_MAX).contains(&points.len()) || points.iter().flatten().any(|part| !part.is_finite()) {
        return Err(format!("{} points where {least} to {POINTS_MAX} are needed", points.len()));
    }
    Ok(points.iter().map(place).collect())
}

/// To the millimetre: nobody paints more finely, and the text stays readable.
fn point([x, y]: [f64; 2]) -> String {
    let round = |part: f64| (part * 1000.0).round() / 1000.0;
    // TOML knows 0.0 and -0.0 as two; one is enough.
    format!("[{}, {}]", round(x) + 0.0, round(y) + 0.0)
}

fn line(points: &[[f64; 2]]) -> String {
    format!("[{}]", points.iter().map(|at| point(*at)).collect::<Vec<_>>().join(", "))
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    // JSON's texts are TOML's, but for control characters that neither prints.
    serde_json::Value::from(text).to_string()
}
