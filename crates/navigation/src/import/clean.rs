//! From a draft to a floor: the same steps for every format.

use passerby_geometry::{Area, DVec2, Polygon};

use super::draft::{Draft, Patch, Unit};
use super::error::{ImportError, check_reach, fail};
use super::overlay::{self, Ring, Shape};
use super::pieces::{self, Free};
use super::project::Projection;
use super::report::{Change, Report, too_small};
use super::rings::{Outline, Rings, is_trifle};
use super::{Format, Imported, Options, entangled, unite};
use crate::floor::{Door, Floor, Region};

/// Most holes of obstacles that are divided so that they have none.
const HOLES_MAX: usize = 256;

/// Makes a floor of a draft, and says what was changed.
pub(super) fn imported(format: Format, mut draft: Draft, options: &Options) -> Result<Imported, ImportError> {
    let mut changes = Vec::new();
    let mut report = counted(format, &draft, options);
    let (area, projection) = to_metres(&mut draft, options)?;
    let origin = to_local(&mut draft, area.as_deref());
    let area = area.map(|points| points.into_iter().map(|p| p - origin).collect::<Vec<_>>());
    entangled::check("", tangle(&draft).iter())?;
    if !draft.closed.is_empty() {
        changes.push(Change::Closed(std::mem::take(&mut draft.closed)));
    }
    let mut rings = Rings::new(options.tolerance);
    let area = area.map(|points| wanted(&points)).transpose()?;
    give_floor(format, &mut draft, area.as_ref(), options, &mut changes)?;

    let (mut floors, mut beyond) = (Vec::new(), (0.0, 0.0));
    for patch in &draft.floors {
        floors.extend(floor_shapes(patch, &mut rings, &mut changes)?);
    }
    if let Some(area) = &area {
        (floors, beyond.0) = cut(floors, area);
    }
    let floors = rings.without_slivers(floors);
    if floors.is_empty() {
        return no_floor_left(format, &draft);
    }

    let mut obstacles = Vec::new();
    for patch in &draft.obstacles {
        obstacles.extend(unite::shapes(patch, &mut rings, &mut changes));
    }
    if !draft.walls.is_empty() {
        changes.push(Change::Walls(draft.walls.len(), options.wall));
        obstacles.extend(draft.walls.iter().flat_map(|stroke| unite::wall(stroke, options.wall)));
    }
    let united = overlay::restored(overlay::union(&obstacles), &obstacles);
    if united.len() < obstacles.len() {
        changes.push(Change::United(obstacles.len(), united.len()));
    }
    let (mut obstacles, off) = near_floor(united, &floors);
    if off > 0 {
        changes.push(Change::OffFloor(off));
    }
    if let Some(area) = &area {
        (obstacles, beyond.1) = cut(obstacles, area);
        if beyond != (0.0, 0.0) {
            changes.push(Change::CutOff(beyond.0, beyond.1));
        }
    }
    let mut obstacles = rings.without_slivers(obstacles);
    let mut free = Free::new(&floors, &obstacles, options.tolerance);
    if options.fill_enclosed && free.pieces.len() > 1 {
        let enclosed = free.pieces.split_off(1);
        changes.push(Change::Filled(enclosed.len(), enclosed.iter().map(overlay::area).sum()));
        obstacles.extend(enclosed);
    }
    let mut floor = match cut_out(&free, &floors, &obstacles, origin) {
        Some((floor, change)) => {
            changes.push(change);
            floor
        }
        None => Floor {
            areas: floors.iter().filter_map(|shape| area_of(shape, origin)).collect(),
            obstacles: divided(obstacles, &mut changes).iter().filter_map(|ring| polygon(ring, origin)).collect(),
            ..Floor::default()
        },
    };
    add_regions(&mut floor, &draft, &free, &mut rings, origin, &mut changes)?;
    if rings.near_points > 0 {
        changes.push(Change::NearPoints(rings.near_points));
    }
    if rings.slivers.0 > 0 {
        changes.push(Change::Slivers(rings.slivers.0, rings.slivers.1));
    }

    let (low, high) = overlay::bounds(&floors);
    report.bounds = (low + origin, high + origin);
    report.free_area = free.pieces.iter().map(overlay::area).sum();
    report.pieces = free.pieces.iter().map(overlay::area).collect();
    if let Some(projection) = projection {
        report.centre = Some(projection.centre);
        report.distortion = projection.distortion((low.y + origin.y).abs().max((high.y + origin.y).abs()));
    }
    Ok(Imported { floor, report: Report { changes, ..report } })
}

fn counted(format: Format, draft: &Draft, options: &Options) -> Report {
    let patches = draft.floors.iter().chain(&draft.obstacles).chain(draft.regions.iter().map(|(_, patch)| patch));
    let lines = draft.walls.iter().chain(draft.doors.iter().map(|(_, stroke)| stroke));
    let points = patches.flat_map(|patch| &patch.rings).map(Vec::len).sum::<usize>()
        + lines.map(|stroke| stroke.points.len()).sum::<usize>();
    Report {
        format,
        unit: draft.unit_name.clone(),
        floors: draft.floors.len(),
        obstacles: draft.obstacles.len() + draft.walls.len(),
        doors: draft.doors.len(),
        regions: draft.regions.len(),
        points,
        centre: None,
        distortion: 0.0,
        bounds: (DVec2::ZERO, DVec2::ZERO),
        free_area: 0.0,
        pieces: Vec::new(),
        tolerance: options.tolerance,
        changes: Vec::new(),
        ignored: draft.ignored.clone(),
    }
}

/// All points of a draft, with what they belong to.
fn each_point(
    draft: &mut Draft,
    mut change: impl FnMut(&str, &mut DVec2) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let Draft { floors, obstacles, walls, doors, regions, .. } = draft;
    for patch in floors.iter_mut().chain(obstacles).chain(regions.iter_mut().map(|(_, patch)| patch)) {
        patch.rings.iter_mut().flatten().try_for_each(|point| change(&patch.element, point))?;
    }
    for stroke in walls.iter_mut().chain(doors.iter_mut().map(|(_, stroke)| stroke)) {
        stroke.points.iter_mut().try_for_each(|point| change(&stroke.element, point))?;
    }
    Ok(())
}

/// The wanted area, in metres, and how degrees became metres.
type Wanted = (Option<Vec<DVec2>>, Option<Projection>);

/// From the file's coordinates to metres.
fn to_metres(draft: &mut Draft, options: &Options) -> Result<Wanted, ImportError> {
    let area = options.area.as_deref().map(|points| match *points {
        [a, b] => vec![a.min(b), DVec2::new(a.max(b).x, a.min(b).y), a.max(b), DVec2::new(a.min(b).x, a.max(b).y)],
        _ => points.to_vec(),
    });
    if draft.boxed && area.is_some() {
        draft.floors.clear();
    }
    if let Unit::Metres(scale) = draft.unit {
        each_point(draft, |element, point| {
            *point = check_reach(element, *point * scale)?;
            Ok(())
        })?;
        let scaled = |points: Vec<DVec2>| points.into_iter().map(|p| check_reach("area", p * scale)).collect();
        return Ok((area.map(scaled).transpose()?, None));
    }
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let mut stretch = |element: &str, point: DVec2| {
        if !(point.x.abs() <= 180.0 && point.y.abs() <= 89.0) {
            let what = format!("longitude {}, latitude {} is no place on Earth", point.x, point.y);
            return fail(element, what, "give degrees, longitude within 180 and latitude within 89");
        }
        (low, high) = (low.min(point), high.max(point));
        Ok(())
    };
    each_point(draft, |element, point| if area.is_none() { stretch(element, *point) } else { Ok(()) })?;
    area.iter().flatten().try_for_each(|point| stretch("area", *point))?;
    if low.x > high.x {
        let help = "OpenStreetMap and GeoJSON need buildings, or a wanted area";
        return fail("", format!("there is nothing in this file{}", draft.left_out()), help);
    }
    let projection = Projection::new((low + high) / 2.0);
    each_point(draft, |element, point| {
        *point = check_reach(element, projection.metres(*point))?;
        Ok(())
    })?;
    let area = area.map(|points| points.into_iter().map(|p| projection.metres(p)).collect());
    Ok((area, Some(projection)))
}

/// Moves everything close to zero if it is far away; says by how much. Whole metres, so that moving back changes no bit.
fn to_local(draft: &mut Draft, area: Option<&[DVec2]>) -> DVec2 {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let mut stretch = |point: DVec2| (low, high) = (low.min(point), high.max(point));
    let all = each_point(draft, |_, point| {
        stretch(*point);
        Ok(())
    });
    area.into_iter().flatten().for_each(|&point| stretch(point));
    let middle = ((low + high) / 2.0).round();
    if all.is_err() || !middle.is_finite() || low.abs().max(high.abs()).max_element() < 1e5 {
        return DVec2::ZERO;
    }
    let _ = each_point(draft, |_, point| {
        *point -= middle;
        Ok(())
    });
    middle
}

/// Every outline of a draft.
fn tangle(draft: &Draft) -> Vec<Shape> {
    let patches = draft.floors.iter().chain(&draft.obstacles).chain(draft.regions.iter().map(|(_, patch)| patch));
    let ring = |ring: &Vec<DVec2>| vec![ring.iter().map(|&p| p.into()).collect::<Ring>()];
    let lines = draft.walls.iter().map(|stroke| &stroke.points);
    patches.flat_map(|patch| &patch.rings).chain(lines).filter(|ring| !ring.is_empty()).map(ring).collect()
}

/// The wanted area as a shape.
fn wanted(points: &[DVec2]) -> Result<Shape, ImportError> {
    match Polygon::new(points.to_vec()) {
        Ok(polygon) => Ok(vec![polygon.points().iter().map(|&p| p.into()).collect()]),
        Err(error) => fail("area", error.to_string(), "give two opposite corners of a box, or a simple polygon"),
    }
}

/// Where no floor is given: the wanted area, or the box around all obstacles.
fn give_floor(
    format: Format,
    draft: &mut Draft,
    area: Option<&Shape>,
    options: &Options,
    changes: &mut Vec<Change>,
) -> Result<(), ImportError> {
    if !draft.floors.is_empty() {
        return Ok(());
    }
    let ring = if let Some(area) = area {
        area[0].iter().map(|&p| p.into()).collect()
    } else {
        let points = draft.obstacles.iter().flat_map(|patch| &patch.rings).flatten();
        let points = points.chain(draft.walls.iter().flat_map(|stroke| &stroke.points));
        let (low, high) = points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
        if !draft.boxed || low.x > high.x {
            let help = "give outlines of the floor, or the wanted area, which is then the floor";
            let hint = too_small(format, &draft.unit_name, high - low).unwrap_or(help);
            return fail("", format!("there is no floor in this file{}", draft.left_out()), hint);
        }
        changes.push(Change::Boxed(options.margin));
        let (low, high) = (low - options.margin, high + options.margin);
        vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]
    };
    draft.floors.push(Patch { element: "floor".to_owned(), rings: vec![ring] });
    Ok(())
}

/// The shape of a floor. Where it crosses itself it is unclear what is floor: that is refused.
fn floor_shapes(patch: &Patch, rings: &mut Rings, changes: &mut Vec<Change>) -> Result<Vec<Shape>, ImportError> {
    let mut outlines: Vec<Vec<Shape>> = Vec::new();
    for ring in &patch.rings {
        match rings.outline(ring) {
            Outline::Simple(ring) => outlines.push(vec![vec![ring]]),
            Outline::Sliver if outlines.is_empty() => return Ok(Vec::new()),
            Outline::Sliver => (),
            Outline::Tangled(parts, _) if is_trifle(ring, &parts, rings.tolerance) => {
                changes.push(Change::Untangled(patch.element.clone(), parts.len()));
                outlines.push(parts);
            }
            Outline::Tangled(_, error) => {
                return fail(&patch.element, "the outline of a floor crosses itself", error.to_string());
            }
        }
    }
    let mut outlines = outlines.into_iter();
    let outer = outlines.next().unwrap_or_default();
    let holes: Vec<Shape> = outlines.flatten().collect();
    if holes.is_empty() {
        return Ok(outer);
    }
    let cut = overlay::restored(overlay::difference(&outer, &holes), &[outer.clone(), holes.clone()].concat());
    let sum = |shapes: &[Shape]| shapes.iter().map(overlay::area).sum::<f64>();
    let expected = sum(&outer) - sum(&holes);
    if (sum(&cut) - expected).abs() > 1e-6 * (1.0 + expected.abs()) {
        changes.push(Change::HolesCut(patch.element.clone()));
        return Ok(cut);
    }
    let is_plain = |shape: &Shape| shape.len() == 1;
    if cut.len() != 1
        || cut[0].len() != 1 + holes.len()
        || outer.len() != 1
        || ![&outer[..], &holes].concat().iter().all(is_plain)
    {
        return Ok(cut); // holes that touch are one now
    }
    // Nothing had to be cut: as it was, with the points on straight edges.
    let clockwise = |hole: Shape| hole.into_iter().map(|ring| ring.into_iter().rev().collect::<Ring>());
    Ok(vec![outer.into_iter().flatten().chain(holes.into_iter().flat_map(clockwise)).collect()])
}

/// Says why all of the floor is gone.
fn no_floor_left<T>(format: Format, draft: &Draft) -> Result<T, ImportError> {
    let points = draft.floors.iter().flat_map(|patch| &patch.rings).flatten();
    let (low, high) = points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    let size = high - low;
    let at = match &draft.floors[..] {
        [only] => only.element.clone(),
        _ => String::new(),
    };
    if low.x >= high.x && low.y >= high.y || low.x > high.x {
        return fail(at, "the outline of the floor encloses nothing", "give at least three corners");
    }
    match too_small(format, &draft.unit_name, size) {
        Some(hint) => fail(at, format!("no floor is left of {} m x {} m", rounded(size.x), rounded(size.y)), hint),
        None => {
            let help = "the floor is outside of the wanted area, taken up by its holes, or thinner than the tolerance";
            fail(at, "no floor is left", help)
        }
    }
}

/// To a thousandth of a millimetre.
fn rounded(length: f64) -> f64 {
    (length * 1e6).round() / 1e6
}

/// What of the shapes is in the area, and how much was not, m2.
fn cut(shapes: Vec<Shape>, area: &Shape) -> (Vec<Shape>, f64) {
    let sum = |shapes: &[Shape]| shapes.iter().map(overlay::area).sum::<f64>();
    let inside = overlay::intersection(&shapes, std::slice::from_ref(area));
    let before = sum(&overlay::union(&shapes));
    let inside = overlay::restored(inside, &[shapes, vec![area.clone()]].concat());
    let beyond = before - sum(&inside);
    (inside, if beyond > 1e-6 * (1.0 + before) { beyond } else { 0.0 })
}

/// The shapes whose box meets that of the floor, and how many do not.
fn near_floor(shapes: Vec<Shape>, floors: &[Shape]) -> (Vec<Shape>, usize) {
    let (low, high) = overlay::bounds(floors);
    let (count, mut near) = (shapes.len(), shapes);
    near.retain(|shape| {
        let (from, to) = overlay::bounds(std::slice::from_ref(shape));
        from.cmple(high).all() && low.cmple(to).all()
    });
    let off = count - near.len();
    (near, off)
}

/// The floor with obstacles as holes, if they enclose so much that it would take long to divide them: walls that cross each other all
/// over a drawing are one obstacle with thousands of holes.
fn cut_out(free: &Free, floors: &[Shape], obstacles: &[Shape], origin: DVec2) -> Option<(Floor, Change)> {
    let holes: usize = obstacles.iter().map(|shape| shape.len() - 1).sum();
    if holes <= HOLES_MAX {
        return None;
    }
    let pieces = overlay::restored(free.pieces.clone(), &[floors, obstacles].concat());
    // One outline that is not simple, and walls would be gone: dividing loses no more than the part with the rounding in it.
    let areas = pieces.iter().map(|shape| area_of(shape, origin).filter(|area| area.holes.len() + 1 == shape.len()));
    let floor = Floor { areas: areas.collect::<Option<Vec<_>>>()?, ..Floor::default() };
    Some((floor, Change::CutOut(obstacles.len(), holes)))
}

/// The same obstacles without holes.
fn divided(obstacles: Vec<Shape>, changes: &mut Vec<Change>) -> Vec<Ring> {
    let (mut whole, mut with_holes, mut parts) = (Vec::new(), 0, 0);
    for shape in obstacles {
        let (before, holes) = (whole.len(), shape.len() > 1);
        unite::without_holes(shape, &mut whole);
        if holes {
            with_holes += 1;
            parts += whole.len() - before;
        }
    }
    if with_holes > 0 {
        changes.push(Change::Divided(with_holes, parts));
    }
    whole
}

fn polygon(ring: &Ring, origin: DVec2) -> Option<Polygon> {
    // What comes out of an overlay is simple but for rounding; a ring that is not is thinner than the rounding.
    Polygon::new(ring.iter().map(|&p| DVec2::from(p) + origin).collect()).ok()
}

fn area_of(shape: &Shape, origin: DVec2) -> Option<Area> {
    let outer = polygon(&shape[0], origin)?;
    Some(Area { outer, holes: shape[1..].iter().filter_map(|hole| polygon(hole, origin)).collect() })
}

/// Regions and doors that are somewhere on free floor.
fn add_regions(
    floor: &mut Floor,
    draft: &Draft,
    free: &Free,
    rings: &mut Rings,
    origin: DVec2,
    changes: &mut Vec<Change>,
) -> Result<(), ImportError> {
    let mut lost = Vec::new();
    let mut names = std::collections::BTreeMap::new();
    for (name, patch) in &draft.regions {
        let shapes = match patch.rings.first().map(|ring| rings.outline(ring)) {
            Some(Outline::Simple(ring)) => vec![vec![ring]],
            Some(Outline::Tangled(_, error)) => {
                return fail(&patch.element, "the outline of a region crosses itself", error.to_string());
            }
            Some(Outline::Sliver) | None => Vec::new(),
        };
        match shapes.first().filter(|shape| free.meets(shape)).and_then(|shape| polygon(&shape[0], origin)) {
            Some(polygon) => {
                floor.regions.push(Region { name: Draft::unique_name(&mut names, name), polygon, speed: 1.0 })
            }
            None => lost.push(name.clone()),
        }
    }
    let mut names = std::collections::BTreeMap::new();
    for (name, stroke) in &draft.doors {
        let line = match *stroke.points {
            [a, .., b] if a.distance(b) >= 0.01 => Some([a, b]).filter(|&line| free.holds_door(line)),
            _ => None,
        };
        match line {
            Some(line) => {
                let name = Draft::unique_name(&mut names, name);
                floor.doors.push(Door { name, line: line.map(|p| p + origin) });
            }
            None => lost.push(name.clone()),
        }
    }
    pieces::check_named(floor)?;
    if !lost.is_empty() {
        changes.push(Change::Lost(lost));
    }
    Ok(())
}
