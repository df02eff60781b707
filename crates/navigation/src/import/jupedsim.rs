//! JuPedSim geometry XML: the walls, crossings and transitions around each subroom are joined to its outline.
//!
//! Subrooms share their borders, where walls have no thickness: those between two of them become thin walls.
//! A crossing, and a transition between rooms, is a door. A transition to the outside is a region: half a metre to both
//! sides of its line, of which what is outside of the floor does not count.

use std::collections::BTreeMap;

use passerby_geometry::DVec2;

use super::draft::{Draft, Patch, Stroke, Unit};
use super::error::{ImportError, fail, short};
use super::xml::{Tag, Xml};
use super::{ELEMENTS_MAX, POINTS_MAX, join};

/// How far the region of an exit reaches to both sides, m.
const EXIT_DEPTH: f64 = 0.5;

/// Room and subroom.
type Subroom = (i64, i64);

/// What is being read.
#[derive(Default)]
struct State {
    room: i64,
    subroom: i64,
    obstacle: Option<String>,
    gate: Option<Gate>,
    /// The lines of each subroom.
    walls: BTreeMap<Subroom, Vec<Vec<DVec2>>>,
    line: Vec<DVec2>,
    /// How many there were.
    lines: usize,
    /// The lines of the obstacle that is being read.
    obstacle_lines: Vec<Vec<DVec2>>,
    gates: Vec<Gate>,
}

/// A crossing or a transition.
#[derive(Default)]
struct Gate {
    name: String,
    sides: Vec<Subroom>,
    outside: bool,
    line: Vec<DVec2>,
}

pub(super) fn draft(text: &str) -> Result<Draft, ImportError> {
    let mut xml = Xml::new(text);
    xml.at_most(POINTS_MAX, &["vertex"])?;
    xml.at_most(ELEMENTS_MAX, &["crossing", "transition"])?;
    let (mut draft, mut state) = (Draft::default(), State::default());
    while let Some(tag) = xml.next()? {
        match tag {
            Tag::Open(start) => open(&xml, &start, &mut draft, &mut state)?,
            Tag::Close(name) => close(&name, &mut draft, &mut state)?,
        }
    }
    let State { mut walls, gates, .. } = state;
    let own_walls = walls.clone();
    for gate in gates {
        for side in &gate.sides {
            walls.entry(*side).or_default().push(gate.line.clone());
        }
        let element = gate.name.clone();
        draft.count(&element, gate.line.len())?;
        match gate.line[..] {
            [a, .., b] if gate.outside => {
                let aside = (b - a).normalize_or_zero().perp() * EXIT_DEPTH;
                let rings = vec![vec![a - aside, b - aside, b + aside, a + aside]];
                draft.regions.push((gate.name, Patch { element, rings }));
            }
            _ => draft.doors.push((gate.name, Stroke { element, points: gate.line })),
        }
    }
    let lines: Vec<Vec<DVec2>> = own_walls.into_values().flatten().collect();
    for ((room, subroom), lines) in walls {
        let element = format!("room {room} subroom {subroom}");
        let mut rings = outlines(&element, lines, &mut draft)?;
        // The largest is the outline, what is inside of it are walls around something.
        rings.sort_by(|a, b| extent(b).total_cmp(&extent(a)));
        draft.count(&element, rings.iter().map(Vec::len).sum())?;
        draft.floors.push(Patch { element, rings });
    }
    inner_walls(&lines, &mut draft)?;
    Ok(draft)
}

/// Walls with floor on both sides.
fn inner_walls(lines: &[Vec<DVec2>], draft: &mut Draft) -> Result<(), ImportError> {
    /// Points that are looked at for all walls together; beyond it every wall is made one.
    const WORK_MAX: usize = 50_000_000;
    let corners: usize = draft.floors.iter().flat_map(|floor| &floor.rings).map(Vec::len).sum();
    let few = corners * lines.iter().map(Vec::len).sum::<usize>() * 10 <= WORK_MAX;
    let is_floor = |at: DVec2| {
        let around = |floor: &Patch| floor.rings.iter().filter(|ring| join::encloses(ring, at)).count() % 2 == 1;
        draft.floors.iter().any(around)
    };
    let is_inner = |pair: &[DVec2]| {
        let aside = (pair[1] - pair[0]).perp() * 1e-3;
        let at = |i: u32| pair[0].lerp(pair[1], (f64::from(i) + 0.5) / 5.0);
        (0..5).any(|i| is_floor(at(i) + aside) && is_floor(at(i) - aside))
    };
    let inner: Vec<&[DVec2]> =
        lines.iter().flat_map(|line| line.windows(2)).filter(|pair| !few || is_inner(pair)).collect();
    for pair in inner {
        draft.count("walls", 2)?;
        draft.walls.push(Stroke { element: "wall".to_owned(), points: pair.to_vec() });
    }
    Ok(())
}

fn extent(ring: &[DVec2]) -> f64 {
    let (low, high) = ring.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    (high - low).element_product()
}

fn open(
    xml: &Xml<'_>,
    start: &quick_xml::events::BytesStart<'_>,
    draft: &mut Draft,
    state: &mut State,
) -> Result<(), ImportError> {
    match start.name().into_inner() {
        "geometry" => {
            let unit = xml.attribute(start, "unit")?.unwrap_or_else(|| "m".to_owned());
            let scale = match &*unit {
                "m" | "" => 1.0,
                "cm" => 0.01,
                "mm" => 0.001,
                _ => return fail(xml.line(), format!("its unit is `{}`", short(&unit)), "m, cm or mm is known"),
            };
            (draft.unit, draft.unit_name) = (Unit::Metres(scale), unit);
        }
        "room" => state.room = xml.id(start, "id")?,
        "subroom" => {
            state.subroom = xml.id(start, "id")?;
            if xml.attribute(start, "class")?.is_some_and(|class| class.eq_ignore_ascii_case("stair")) {
                draft.ignore("height of a stair (it is flat floor here)");
            }
        }
        "obstacle" => state.obstacle = Some(xml.attribute(start, "id")?.unwrap_or_default()),
        "polygon" => state.line.clear(),
        "crossing" | "transition" => state.gate = Some(gate(xml, start, state.room)?),
        "vertex" => {
            let point = DVec2::new(xml.number(start, "px")?, xml.number(start, "py")?);
            match &mut state.gate {
                Some(gate) => gate.line.push(point),
                None => state.line.push(point),
            }
        }
        _ => (),
    }
    Ok(())
}

fn gate(xml: &Xml<'_>, start: &quick_xml::events::BytesStart<'_>, room: i64) -> Result<Gate, ImportError> {
    let kind = start.name().into_inner();
    let mut gate = Gate::default();
    for side in ["1", "2"] {
        let room = match kind {
            "transition" => xml.id(start, &format!("room{side}_id"))?,
            _ => room,
        };
        let subroom = xml.id(start, &format!("subroom{side}_id"))?;
        if room < 0 || subroom < 0 {
            gate.outside = true;
        } else {
            gate.sides.push((room, subroom));
        }
    }
    let id = xml.attribute(start, "id")?.unwrap_or_default();
    let caption = xml.attribute(start, "caption")?.filter(|caption| !caption.trim().is_empty());
    gate.name = caption.unwrap_or_else(|| format!("{kind} {}", short(&id)));
    Ok(gate)
}

fn close(name: &str, draft: &mut Draft, state: &mut State) -> Result<(), ImportError> {
    match name {
        "polygon" => {
            let line = std::mem::take(&mut state.line);
            state.lines += 1;
            if state.lines > ELEMENTS_MAX {
                let at = format!("room {} subroom {}", state.room, state.subroom);
                let what = format!("there are more than {ELEMENTS_MAX} polygons");
                return fail(at, what, "cut out the part that is needed");
            }
            match &state.obstacle {
                Some(_) => state.obstacle_lines.push(line),
                None => state.walls.entry((state.room, state.subroom)).or_default().push(line),
            }
        }
        "obstacle" => {
            let id = state.obstacle.take().unwrap_or_default();
            let element = format!("obstacle {id} of room {} subroom {}", state.room, state.subroom);
            let lines = std::mem::take(&mut state.obstacle_lines);
            for ring in outlines(&element, lines, draft)? {
                draft.count(&element, ring.len())?;
                draft.obstacles.push(Patch { element: element.clone(), rings: vec![ring] });
            }
        }
        "crossing" | "transition" => {
            let Some(gate) = state.gate.take() else { return Ok(()) };
            if gate.line.len() < 2 {
                return fail(gate.name, "it has fewer than two vertices", "a door is a line from jamb to jamb");
            }
            state.gates.push(gate);
        }
        _ => (),
    }
    Ok(())
}

/// Joins lines at equal ends; what is still open is closed from end to nearest end.
fn outlines(element: &str, lines: Vec<Vec<DVec2>>, draft: &mut Draft) -> Result<Vec<Vec<DVec2>>, ImportError> {
    let keys = lines.into_iter().map(|line| line.into_iter().map(join::key).collect()).collect();
    let joined = join::join(keys);
    let points = |lines: Vec<Vec<[u64; 2]>>| -> Vec<Vec<DVec2>> {
        lines.into_iter().map(|line| line.into_iter().map(join::from_key).collect()).collect()
    };
    let (mut closed, mut open) = (points(joined.closed), points(joined.open));
    // A gate drawn on a wall is left over when the outline is closed already.
    open.retain(|line| line.len() > 2 || !closed.iter().any(|ring| line.iter().all(|end| ring.contains(end))));
    if open.len() > 1000 {
        return fail(element, format!("its walls leave {} gaps", open.len()), "draw walls that end where others begin");
    }
    if !open.is_empty() {
        draft.closed.push(element.to_owned());
    }
    while let Some(mut line) = open.pop() {
        loop {
            let end = line[line.len() - 1];
            let gap = |other: &Vec<DVec2>| end.distance(other[0]).min(end.distance(other[other.len() - 1]));
            let nearest = (0..open.len()).min_by(|&i, &j| gap(&open[i]).total_cmp(&gap(&open[j])));
            match nearest.filter(|&i| gap(&open[i]) < end.distance(line[0])) {
                Some(i) => {
                    let mut next = open.swap_remove(i);
                    if end.distance(next[0]) > end.distance(next[next.len() - 1]) {
                        next.reverse();
                    }
                    line.extend(next);
                }
                None => break,
            }
        }
        closed.push(line);
    }
    Ok(closed)
}
