//! OpenStreetMap XML: buildings are obstacles, the wanted area or the file's bounds are the floor.

use std::collections::BTreeMap;

use passerby_geometry::DVec2;

use super::draft::{Draft, Patch, Unit};
use super::error::{ImportError, fail};
use super::join::{self, Joined};
use super::xml::{Tag, Xml};
use super::{ELEMENTS_MAX, POINTS_MAX};

/// What is kept of a way or a relation while it is read.
#[derive(Default)]
struct Element {
    id: i64,
    /// Nodes of a way.
    nodes: Vec<i64>,
    /// Ways of a relation, and whether each is an inner one.
    members: Vec<(i64, bool)>,
    building: Building,
    multipolygon: bool,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Building {
    #[default]
    No,
    Yes,
    /// One can walk under it, or over it.
    Passable,
}

#[derive(Default)]
struct OsmData {
    nodes: Vec<(i64, DVec2)>,
    ways: BTreeMap<i64, Vec<i64>>,
    buildings: Vec<i64>,
    relations: Vec<Element>,
    bounds: Option<[DVec2; 2]>,
}

pub(super) fn draft(text: &str) -> Result<Draft, ImportError> {
    let mut draft = Draft { unit: Unit::Degrees, unit_name: "degrees".to_owned(), boxed: true, ..Draft::default() };
    let mut file = file(text, &mut draft)?;
    file.nodes.sort_by_key(|(id, _)| *id);
    if let Some(pair) = file.nodes.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1) {
        return twice(&format!("node {}", pair[0].0), "places");
    }
    for id in &file.buildings {
        let element = format!("way {id}");
        let mut ring = match file.points(&file.ways[id]) {
            Ok(ring) => ring,
            Err(node) => {
                draft.ignore(format!("building {element}, node {node} of which is missing"));
                continue;
            }
        };
        let has_gap = ring.first() != ring.last();
        if !has_gap {
            ring.pop();
        }
        if ring.len() < 3 {
            draft.ignore(format!("building {element}, which has fewer than 3 corners"));
            continue;
        }
        if has_gap {
            draft.closed.push(element.clone());
        }
        draft.count(&element, ring.len())?;
        draft.obstacles.push(Patch { element, rings: vec![ring] });
    }
    for relation in &file.relations {
        multipolygon(&file, relation, &mut draft)?;
    }
    if let Some([low, high]) = file.bounds {
        let ring = vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
        draft.count("bounds", ring.len())?;
        draft.floors.push(Patch { element: "bounds".to_owned(), rings: vec![ring] });
    }
    Ok(draft)
}

/// Files that were put together hold some elements twice. That does no harm as long as they say the same.
fn twice<T>(element: &str, what: &str) -> Result<T, ImportError> {
    fail(element, format!("it is in the file twice, with two {what}"), "keep one of them")
}

/// Reads all elements.
fn file(text: &str, draft: &mut Draft) -> Result<OsmData, ImportError> {
    let mut xml = Xml::new(text);
    xml.at_most(POINTS_MAX, &["node", "nd", "member"])?;
    xml.at_most(ELEMENTS_MAX, &["way", "relation"])?;
    let mut file = OsmData::default();
    let mut now: Option<Element> = None;
    while let Some(tag) = xml.next()? {
        match tag {
            Tag::Open(start) => match start.name().into_inner() {
                "node" => {
                    let at = DVec2::new(xml.number(&start, "lon")?, xml.number(&start, "lat")?);
                    let id = xml.id(&start, "id")?;
                    if at.x.abs() > 180.0 || at.y.abs() > 90.0 {
                        let what = format!("longitude {}, latitude {} is no place on Earth", at.x, at.y);
                        let help = "give degrees, lon within 180 and lat within 90";
                        return fail(format!("{}: node {id}", xml.line()), what, help);
                    }
                    file.nodes.push((id, at));
                }
                "way" | "relation" => now = Some(Element { id: xml.id(&start, "id")?, ..Element::default() }),
                "nd" => {
                    let node = xml.id(&start, "ref")?;
                    now.iter_mut().for_each(|element| element.nodes.push(node));
                }
                "member" => {
                    let inner = xml.attribute(&start, "role")?.as_deref() == Some("inner");
                    if xml.attribute(&start, "type")?.as_deref() == Some("way") {
                        let way = xml.id(&start, "ref")?;
                        now.iter_mut().for_each(|element| element.members.push((way, inner)));
                    }
                }
                "tag" => {
                    if let Some(element) = &mut now {
                        let key = xml.attribute(&start, "k")?.unwrap_or_default();
                        tag_of(element, &key, &xml.attribute(&start, "v")?.unwrap_or_default());
                    }
                }
                "bounds" => {
                    let low = DVec2::new(xml.number(&start, "minlon")?, xml.number(&start, "minlat")?);
                    let high = DVec2::new(xml.number(&start, "maxlon")?, xml.number(&start, "maxlat")?);
                    if low.x >= high.x || low.y >= high.y {
                        let what =
                            format!("bounds from ({}, {}) to ({}, {}) enclose nothing", low.x, low.y, high.x, high.y);
                        return fail(xml.line(), what, "minlon and minlat have to be smaller than maxlon and maxlat");
                    }
                    file.bounds = Some([low, high]);
                }
                _ => (),
            },
            Tag::Close(name) if name == "way" => {
                if let Some(element) = now.take() {
                    match element.building {
                        Building::Yes => file.buildings.push(element.id),
                        Building::Passable => {
                            draft.ignore("building that one can walk under (roof, or below the ground)")
                        }
                        Building::No => (),
                    }
                    if file.ways.get(&element.id).is_some_and(|nodes| *nodes != element.nodes) {
                        return twice(&format!("way {}", element.id), "lists of nodes");
                    }
                    file.ways.insert(element.id, element.nodes);
                }
            }
            Tag::Close(name) if name == "relation" => {
                file.relations.extend(now.take().filter(|e| e.multipolygon && e.building == Building::Yes));
            }
            Tag::Close(_) => (),
        }
    }
    Ok(file)
}

fn tag_of(element: &mut Element, key: &str, value: &str) {
    match (key, value) {
        ("building", "no") => (),
        ("building", "roof") => element.building = Building::Passable,
        ("building", _) if element.building == Building::No => element.building = Building::Yes,
        ("location", "underground") => element.building = Building::Passable,
        ("type", "multipolygon") => element.multipolygon = true,
        _ => (),
    }
}

impl OsmData {
    /// Where nodes are, or the first of them that is not in the file.
    fn points(&self, nodes: &[i64]) -> Result<Vec<DVec2>, i64> {
        let point = |id: &i64| {
            let index = self.nodes.binary_search_by_key(id, |(known, _)| *known).map_err(|_| *id)?;
            Ok(self.nodes[index].1)
        };
        nodes.iter().map(point).collect()
    }
}

/// The outlines of a building with courtyards, or of several parts.
fn multipolygon(file: &OsmData, relation: &Element, draft: &mut Draft) -> Result<(), ImportError> {
    let element = format!("relation {}", relation.id);
    let rings = |inner: bool| -> Result<Joined<i64>, i64> {
        let ways = relation.members.iter().filter(|member| member.1 == inner);
        let lines = ways.map(|(way, _)| file.ways.get(way).cloned().ok_or(*way)).collect::<Result<Vec<_>, i64>>()?;
        Ok(join::join(lines))
    };
    let outer = match rings(false) {
        Ok(outer) => outer,
        Err(way) => {
            draft.ignore(format!("building {element}, way {way} of which is missing"));
            return Ok(());
        }
    };
    let inner = rings(true).unwrap_or_else(|way| {
        draft.ignore(format!("courtyard of building {element}, way {way} of which is missing"));
        join::join(Vec::new())
    });
    if !outer.open.is_empty() || !inner.open.is_empty() {
        draft.closed.push(element.clone());
    }
    let points = |joined: Joined<i64>| -> Result<Vec<Vec<DVec2>>, i64> {
        joined.closed.iter().chain(&joined.open).map(|ring| file.points(ring)).collect()
    };
    let (outer, inner) = match points(outer).and_then(|outer| Ok((outer, points(inner)?))) {
        Ok(rings) => rings,
        Err(node) => {
            draft.ignore(format!("building {element}, node {node} of which is missing"));
            return Ok(());
        }
    };
    for ring in outer {
        let within = |hole: &&Vec<DVec2>| hole.first().is_some_and(|&corner| join::encloses(&ring, corner));
        let holes: Vec<Vec<DVec2>> = inner.iter().filter(within).cloned().collect();
        draft.count(&element, ring.len() + holes.iter().map(Vec::len).sum::<usize>())?;
        draft.obstacles.push(Patch { element: element.clone(), rings: [vec![ring], holes].concat() });
    }
    Ok(())
}
