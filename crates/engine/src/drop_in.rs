//! People who are put down somewhere while the run goes on: by a program, by somebody at the viewer, by an event.

use crate::AddError;
use crate::people::People;
use crate::placement::{self, Misfit};
use crate::tally::Tally;
use crate::world::World;
use passerby_crowd::AgentId;
use passerby_geometry::{DVec2, math};

/// How far from a point somebody is put down at the most, m, and in which steps it is tried.
const FAR: f64 = 5.0;
const STEP: f64 = 0.5;

/// Adds somebody of a kind at a point of the place.
pub(crate) fn at(
    world: &mut World,
    people: &mut People,
    tally: &mut Tally,
    kind: usize,
    at: DVec2,
    tick: u32,
) -> Result<AgentId, AddError> {
    let name = || world.kinds[kind].population.name.clone();
    if world.kinds[kind].played().is_some() {
        let what = format!("the people of \"{}\" are recorded and walk as recorded", name());
        return Err(AddError::NoRoom { what, hint: "add somebody of another population".to_owned() });
    }
    let ordinal = world.kinds[kind].entered;
    if ordinal >= AgentId::ORDINALS_MAX {
        return Err(AddError::TooMany { name: name(), count: ordinal });
    }
    let id = AgentId::new(kind as u32, ordinal);
    world.draw_company(id);
    let newcomer = placement::newcomer(world, kind, id, world.local(at), tick);
    let (position, radius) = (newcomer.agent.position, newcomer.agent.radius);
    if let Some(Misfit { what, hint }) = placement::misfit(world, position, radius) {
        return Err(AddError::NoRoom { what, hint });
    }
    let mut others = people.agents.now.position.iter().zip(&people.agents.radius);
    if others.any(|(other, other_radius)| other.distance(position) < radius + other_radius) {
        let what = format!("somebody else stands at [{:.3}, {:.3}]", at.x, at.y);
        let hint = "wait until they have gone, or choose another place".to_owned();
        return Err(AddError::NoRoom { what, hint });
    }
    world.need(kind, std::iter::once(newcomer.journey.class));
    world.kinds[kind].entered += 1;
    people.push(newcomer.agent, newcomer.journey, newcomer.memory);
    tally.entered();
    Ok(id)
}

/// Adds somebody at a point, or where there is room next to it: on rings around it, each half a metre wider, nearest first. Where
/// there is none nobody comes.
pub(crate) fn near(
    world: &mut World,
    people: &mut People,
    tally: &mut Tally,
    kind: usize,
    point: DVec2,
    tick: u32,
) -> Option<AgentId> {
    let mut away = 0.0;
    while away <= FAR {
        let tries = if away == 0.0 { 1 } else { (away / STEP) as u32 * 6 };
        for i in 0..tries {
            let (sin, cos) = math::sin_cos(i as f32 / tries as f32 * std::f32::consts::TAU);
            let there = point + away * DVec2::new(f64::from(cos), f64::from(sin));
            if let Ok(id) = at(world, people, tally, kind, there, tick) {
                return Some(id);
            }
        }
        away += STEP;
    }
    None
}
