//! Who walks behind whom: where the one that somebody follows is, and how they move.

use crate::people::People;
use crate::world::World;
use passerby_crowd::AgentId;
use passerby_steering::Led;

/// Fills `led` with whom each row follows, if they are there; leaves it empty where nobody follows anybody.
pub(crate) fn look(world: &World, people: &mut People, led: &mut Vec<Option<Led>>) {
    led.clear();
    if world.kinds.iter().all(|kind| kind.population.follow.is_none()) {
        return;
    }
    people.sort_by_id();
    let (by_id, agents) = (people.by_id(), &people.agents);
    led.extend(agents.id.iter().map(|id| {
        let who = followed(world, *id)?;
        let place = by_id.binary_search_by_key(&who, |row| agents.id[row.index()]).ok()?;
        let row = by_id[place].index();
        Some(Led { who, position: agents.now.position[row], velocity: agents.now.velocity[row] })
    }));
}

/// Whom somebody follows. The first of a file of people walks by itself and each other one behind the one before; the people of another population are
/// shared out in turn.
fn followed(world: &World, id: AgentId) -> Option<AgentId> {
    let follow = world.kinds[id.population() as usize].population.follow? as u32;
    if follow == id.population() {
        return Some(AgentId::new(follow, id.ordinal().checked_sub(1)?));
    }
    // Those who come one by one are followed one by one.
    let ordinal = match world.kinds[follow as usize].population.count() {
        0 => id.ordinal(),
        count => id.ordinal() % count,
    };
    Some(AgentId::new(follow, ordinal))
}
