//! People who belong together keep together: their desired velocities are led towards their places in a formation.
//!
//! Abreast where there is room, the outer ones of three or four a little ahead, so that all see each other: the V of Moussaïd, Perozo,
//! Garnier, Helbing, Theraulaz 2010, "The walking behaviour of pedestrian social groups". In rows, in the end in line, where walls are
//! close or others come. Who is ahead slows down, who is behind hurries. Only what somebody would do if alone is changed, and by so much
//! at the most that avoidance, which comes after, has the last word: so it works with every model.
//!
//! Who is behind a wall is not pulled through it: what counts then is who has the longer way left to where they all go.

use crate::groups::SIZE_MAX;
use crate::journey::Aim;
use crate::people::People;
use crate::per_thread::PerThread;
use crate::step::{Scratch, want};
use crate::world::World;
use passerby_crowd::{AgentId, Index, Row};
use passerby_geometry::Vec2;
use passerby_navigation::Search;
use rayon::prelude::*;

/// How far apart two who walk abreast are, from centre to centre, m. Moussaïd et al. 2010: members of a pair are some 0.8 m apart.
const ABREAST: f32 = 0.8;
/// How far apart two are who walk one behind the other, m.
const BEHIND: f32 = 0.8;
/// How far apart those are who follow a leader, m: nobody is held up by the one before, which would make them step aside.
const FOLLOW: f32 = 1.2;
/// How much farther ahead somebody is than their neighbour on the inside, m.
const VEE: f32 = 0.2;
/// How far to either side of the way, and how far ahead, room is looked for, m.
const ASIDE: f32 = 3.0;
const AHEAD: [f32; 4] = [0.0, 0.8, 1.6, 2.4];
/// Room that three and more who walk abreast leave for others to pass, m.
const PASS: f32 = 2.0;
/// Room kept to walls and to those who come, m.
const SPARE: f32 = 0.1;
/// How far ahead somebody who comes is made way for, m.
const COMES_WITHIN: f32 = 4.0;
/// Seconds in which somebody would be in their place.
const SOON: f32 = 1.0;
/// The part of their speed that goes into getting beside the others, at the most.
const SIDEWAYS: f32 = 0.35;
/// The part of their speed that those keep who are ahead and wait: in the open, and close to walls, where they would be in the way.
const WAIT_IN_THE_OPEN: f32 = 0.05;
const WAIT_NEAR_WALLS: f32 = 0.3;
/// How far walls are from where somebody is not in the way, m.
const OPEN: f32 = 0.9;
/// How far apart two are, m, when the one ahead begins to wait; and who is so much behind at the most is not behind, m.
const LOST: f32 = 1.5;
const SAME: f32 = 0.2;
/// How far ahead or behind those count who are at another stop of their journey, m.
const OTHER_STOP: f32 = 3.0;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    groups: Vec<Group>,
    searches: PerThread<Search>,
}

/// Those of a group who are there, as places in the order of ids, and what each of them wants.
#[derive(Debug, Clone, Copy)]
struct Group {
    first: u32,
    size: u32,
    led: bool,
    wants: [Vec2; SIZE_MAX as usize],
}

/// Leads the desired velocities of those who belong together towards each other.
pub(crate) fn keep_together(world: &World, people: &mut People, scratch: &mut Scratch, tick: u32) {
    if !world.anybody_is_together() {
        return;
    }
    people.sort_by_id();
    let Scratch { near, desired, ahead, together: Buffers { groups, searches }, .. } = scratch;
    find_groups(world, people, groups);
    searches.prepare();
    let sight = Sight { world, people, near, desired, tick };
    groups.par_iter_mut().for_each(|group| sight.lead(group, &mut searches.mine()));
    for group in &*groups {
        for (place, wants) in (group.first as usize..).zip(&group.wants[..group.size as usize]) {
            let row = people.by_id()[place].index();
            want(*wants, &mut desired[row], &mut ahead[row]);
        }
    }
}

/// Groups of which more than one is there.
fn find_groups(world: &World, people: &People, groups: &mut Vec<Group>) {
    groups.clear();
    // Room for as many as there can be: later steps must not have to ask for it.
    groups.reserve(people.len() / 2);
    let mut place = 0;
    while let Some(row) = people.by_id().get(place) {
        let id = people.agents.id[row.index()];
        let kind = &world.kinds[id.population() as usize];
        let end = world.company(id).end;
        let is_with = |row: &&Row| {
            let other = people.agents.id[row.index()];
            other.population() == id.population() && other.ordinal() < end
        };
        let size = people.by_id()[place..].iter().take_while(is_with).count();
        if size > 1 {
            let led = kind.groups.as_ref().is_some_and(|groups| groups.are_led());
            groups.push(Group { first: place as u32, size: size as u32, led, wants: [Vec2::ZERO; SIZE_MAX as usize] });
        }
        place += size;
    }
}

/// Somebody of a group, along and across the way.
#[derive(Debug, Clone, Copy)]
struct Member {
    row: usize,
    along: f32,
    across: f32,
}

/// Where a group walks: its middle, and the free ground to the right and to the left of it, m.
struct Strip {
    middle: Vec2,
    along: Vec2,
    right: f32,
    left: f32,
}

/// What everybody looks at.
struct Sight<'a> {
    world: &'a World,
    people: &'a People,
    near: &'a Index,
    desired: &'a [Vec2],
    tick: u32,
}

impl Sight<'_> {
    /// Finds what each of a group wants.
    fn lead(&self, group: &mut Group, search: &mut Search) {
        let rows = &self.people.by_id()[group.first as usize..(group.first + group.size) as usize];
        for (me, wants) in rows.iter().zip(&mut group.wants) {
            let me = me.index();
            *wants =
                if self.walks(me) { self.toward_the_others(me, rows, group.led, search) } else { self.desired[me] };
        }
    }

    fn walks(&self, row: usize) -> bool {
        let journeys = &self.people.journeys;
        journeys.aim[row] != Aim::Nothing && journeys.start_at[row] <= self.tick && self.desired[row] != Vec2::ZERO
    }

    /// Whether two go to the same place and no wall is between them.
    fn sees(&self, me: usize, other: usize) -> bool {
        let (journeys, at) = (&self.people.journeys, &self.people.agents.now.position);
        let same_way = journeys.stop[me] == journeys.stop[other] && journeys.aim[me] == journeys.aim[other];
        self.walks(other) && same_way && self.world.map.walls().visible(at[me], at[other])
    }

    /// What somebody wants who is with others.
    fn toward_the_others(&self, me: usize, rows: &[Row], led: bool, search: &mut Search) -> Vec2 {
        let mut members = [Member { row: me, along: 0.0, across: 0.0 }; SIZE_MAX as usize];
        let mut seen = 0;
        let mut unseen = 0.0;
        for other in rows.iter().map(|row| row.index()) {
            if other == me || self.sees(me, other) {
                members[seen].row = other;
                seen += 1;
            } else {
                unseen += self.is_ahead(me, other, search);
            }
        }
        let members = &mut members[..seen];
        let strip = self.strip(members, led);
        let agents = &self.people.agents;
        for member in &mut *members {
            let from_middle = agents.now.position[member.row] - strip.middle;
            (member.along, member.across) = (from_middle.dot(strip.along), from_middle.dot(strip.along.perp()));
        }
        let place = place_of(me, members, &agents.id, agents.radius[me], &strip, led);
        let Some((place, now)) = place else { return self.go(me, unseen / rows.len() as f32, Vec2::ZERO) };
        // Nobody leaves the last one far behind; a line behind a leader is long without anybody being lost.
        let leader = members.iter().min_by_key(|member| agents.id[member.row]);
        let in_line = led && leader.is_some_and(|leader| leader.along >= now.along);
        let near = if in_line { LOST + FOLLOW * (members.len() - 1) as f32 } else { LOST };
        let lost = (members.iter().filter(|other| other.along < now.along - SAME))
            .map(|other| Vec2::new(other.along - now.along, other.across - now.across).length() - near)
            .fold(0.0, f32::max);
        let ahead = place.along - now.along + unseen / rows.len() as f32;
        let ahead = if lost > 0.0 { ahead.min(-lost) } else { ahead };
        self.go(me, ahead, (place.across - now.across) * strip.along.perp())
    }

    /// How far ahead of somebody another is whom they do not see, m; below 0: behind.
    fn is_ahead(&self, me: usize, other: usize, search: &mut Search) -> f32 {
        let journeys = &self.people.journeys;
        if !self.walks(other) {
            // They wait, for us perhaps.
            return 0.0;
        }
        if journeys.stop[me] != journeys.stop[other] {
            return if journeys.stop[other] > journeys.stop[me] { OTHER_STOP } else { -OTHER_STOP };
        }
        match (self.way_left(me, search), self.way_left(other, search)) {
            (Some(mine), Some(theirs)) => mine - theirs,
            _ => 0.0,
        }
    }

    /// How long somebody's way to where they go is, m.
    fn way_left(&self, row: usize, search: &mut Search) -> Option<f32> {
        let (journeys, at) = (&self.people.journeys, self.people.agents.now.position[row]);
        match journeys.aim[row] {
            Aim::Nothing => None,
            Aim::Own => Some(at.distance(journeys.own[row])),
            Aim::Target(target) => {
                let tree = self.world.tree(target, journeys.class[row])?;
                Some(self.world.map.next(tree, at, search)?.distance)
            }
        }
    }

    /// The ground on which those walk who see each other.
    fn strip(&self, members: &[Member], led: bool) -> Strip {
        let at = &self.people.agents.now.position;
        let rows = || members.iter().map(|member| member.row);
        let middle = rows().fold(Vec2::ZERO, |sum, row| sum + at[row]) / members.len() as f32;
        let direction = |row: usize| self.desired[row].normalize_or_zero();
        let all = rows().fold(Vec2::ZERO, |sum, row| sum + direction(row)).normalize_or(direction(members[0].row));
        let along = if led { direction(members[0].row) } else { all };
        let across = along.perp();
        let (mut right, mut left) = (-ASIDE, ASIDE);
        let mut narrow = |from: Vec2| {
            let offset = (from - middle).dot(across);
            let room = |to: Vec2| self.world.map.walls().ray(from, from + to).map_or(ASIDE, |hit| ASIDE * hit.fraction);
            (right, left) = (right.max(offset - room(-ASIDE * across)), left.min(offset + room(ASIDE * across)));
        };
        narrow(middle);
        // The foremost one is on a way that is free; ties by id, which is the order they come in.
        let foremost =
            rows().fold(members[0].row, |best, row| if (at[row] - at[best]).dot(along) > 0.0 { row } else { best });
        for ahead in AHEAD {
            let point = at[foremost] + ahead * direction(foremost);
            if self.world.map.walls().visible(at[foremost], point) {
                narrow(point);
            }
        }
        let mut strip = Strip { middle, along, right, left };
        self.make_way(members, &mut strip);
        strip
    }

    /// Takes what those need who come off the ground of a group.
    fn make_way(&self, members: &[Member], strip: &mut Strip) {
        let Strip { middle, along, right, left } = strip;
        let reach = 0.5 * COMES_WITHIN;
        for body in self.near.around(*middle + reach * *along, reach + ASIDE) {
            let to = body.position - *middle;
            let comes = body.velocity.dot(*along) < -0.2 && (0.0..COMES_WITHIN).contains(&to.dot(*along));
            if !comes || members.iter().any(|member| member.row == body.row.index()) {
                continue;
            }
            match to.dot(along.perp()) {
                across if across > 0.0 => *left = left.min(across - body.radius),
                across => *right = right.max(across + body.radius),
            }
        }
    }

    /// The velocity of somebody who would have to be so much farther ahead, and aside by a vector.
    fn go(&self, me: usize, ahead: f32, aside: Vec2) -> Vec2 {
        let (agents, desired) = (&self.people.agents, self.desired[me]);
        let speed = desired.length();
        let pace = self.world.map.pace_at(agents.now.position[me]);
        let slowest = if ahead < 0.0 && self.world.map.walls().clear(agents.now.position[me], OPEN) {
            WAIT_IN_THE_OPEN
        } else {
            WAIT_NEAR_WALLS
        };
        let fastest = agents.speed_max[me] * pace;
        let along = (speed + ahead / SOON).clamp(slowest * speed, fastest.max(speed));
        let aside = (aside / SOON).clamp_length_max(SIDEWAYS * speed);
        (desired / speed * along + aside).clamp_length_max(fastest.max(speed))
    }
}

/// How many of a group walk abreast where their middles have so much room, m. Three and more leave room for somebody else to pass, or
/// walk in rows: four in two pairs. All rows are as full as they can be.
fn columns(members: usize, room: f32) -> usize {
    let fits = |columns: usize| {
        let pass = if columns > 2 { PASS } else { 0.0 };
        (columns - 1) as f32 * ABREAST + pass <= room
    };
    let most = (1..=members).rev().find(|columns| fits(*columns)).unwrap_or(1);
    members.div_ceil(members.div_ceil(most))
}

/// Where somebody's place in the formation is, and where they are, along and across the way from its middle; nowhere where they
/// are alone.
fn place_of(
    me: usize,
    members: &mut [Member],
    ids: &[AgentId],
    radius: f32,
    strip: &Strip,
    led: bool,
) -> Option<(Member, Member)> {
    let now = *members.iter().find(|member| member.row == me)?;
    if members.len() == 1 {
        return None;
    }
    let margin = radius + SPARE;
    let columns = if led { 1 } else { columns(members.len(), strip.left - strip.right - 2.0 * margin) };
    // The foremost in the first row; the leader, if there is one, before all.
    let leader = members.iter().map(|member| ids[member.row]).min();
    let in_front = |member: &Member| if led && Some(ids[member.row]) == leader { f32::INFINITY } else { member.along };
    if columns < members.len() {
        members.sort_unstable_by(|a, b| in_front(b).total_cmp(&in_front(a)).then(ids[a.row].cmp(&ids[b.row])));
    }
    let rows = members.len().div_ceil(columns);
    for (number, row) in members.chunks_mut(columns).enumerate() {
        row.sort_unstable_by(|a, b| a.across.total_cmp(&b.across).then(ids[a.row].cmp(&ids[b.row])));
        let Some(column) = row.iter().position(|member| member.row == me) else { continue };
        let half = 0.5 * (row.len() - 1) as f32;
        let from_middle = column as f32 - half;
        // The mean over a row is the row's place.
        let mean = (0..row.len()).map(|i| (i as f32 - half).abs()).sum::<f32>() / row.len() as f32;
        let along = if led { FOLLOW } else { BEHIND } * (0.5 * (rows - 1) as f32 - number as f32)
            + VEE * (from_middle.abs() - mean);
        let [low, high] = [strip.right + margin + half * ABREAST, strip.left - margin - half * ABREAST];
        let middle = if low <= high { 0f32.clamp(low, high) } else { 0.5 * (low + high) };
        return Some((Member { row: me, along, across: middle + from_middle * ABREAST }, now));
    }
    None
}
