//! Who stands where in a line, and who is served: first come, first served.

use crate::behaviour::Line;
use passerby_crowd::AgentId;
use passerby_geometry::DVec2;

/// A line and its counters. Without counters of its own the head of the line is the one counter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Queue {
    /// Who waits, in the order of their tickets, and the tick at which they give up.
    pub waiting: Vec<(AgentId, u32)>,
    /// Who is at each counter or on the way to it.
    pub counters: Vec<Option<Customer>>,
}

/// Somebody at a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Customer {
    /// Who.
    pub id: AgentId,
    /// Tick at which they have been served; 0: they are not there yet.
    pub until: u32,
}

/// Somebody who is no longer in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// Who.
    pub id: AgentId,
    /// Whether they were served; else they gave up.
    pub served: bool,
}

impl Queue {
    /// An empty one.
    pub fn new(line: &Line) -> Queue {
        Queue { waiting: Vec::new(), counters: vec![None; line.counters.len().max(1)] }
    }

    /// Somebody comes and takes the next ticket.
    pub fn join(&mut self, id: AgentId, gives_up: u32) {
        self.waiting.push((id, gives_up));
        self.call();
    }

    /// Somebody goes away, wherever they stood.
    pub fn leave(&mut self, id: AgentId) {
        self.waiting.retain(|(other, _)| *other != id);
        for counter in &mut self.counters {
            if counter.is_some_and(|customer| customer.id == id) {
                *counter = None;
            }
        }
        self.call();
    }

    /// Where somebody has to stand.
    pub fn place(&self, id: AgentId, line: &Line) -> Option<DVec2> {
        let at_counter = self.counters.iter().position(|customer| customer.is_some_and(|customer| customer.id == id));
        if let Some(counter) = at_counter {
            return Some(line.counters.get(counter).copied().unwrap_or_else(|| line.slot(0)));
        }
        let number = self.waiting.iter().position(|(other, _)| *other == id)? as u32;
        Some(line.slot(if line.counters.is_empty() { number + 1 } else { number }))
    }

    /// One tick: who has been served goes, who has waited too long goes, free counters call the next. `is_there` tells whether
    /// somebody stands at the counter that called them, `service` how many ticks they take there.
    pub fn advance(
        &mut self,
        tick: u32,
        is_there: impl Fn(AgentId) -> bool,
        mut service: impl FnMut(AgentId) -> u32,
        gone: &mut Vec<Gone>,
    ) {
        for counter in &mut self.counters {
            let Some(customer) = counter else { continue };
            if customer.until == 0 && is_there(customer.id) {
                customer.until = tick + service(customer.id).max(1);
            }
            if customer.until > 0 && tick >= customer.until {
                gone.push(Gone { id: customer.id, served: true });
                *counter = None;
            }
        }
        self.waiting.retain(|(id, gives_up)| {
            let stays = tick < *gives_up;
            if !stays {
                gone.push(Gone { id: *id, served: false });
            }
            stays
        });
        self.call();
    }

    /// Free counters call those with the lowest tickets.
    fn call(&mut self) {
        for counter in &mut self.counters {
            if counter.is_none() && !self.waiting.is_empty() {
                let (id, _) = self.waiting.remove(0);
                *counter = Some(Customer { id, until: 0 });
            }
        }
    }

    /// How many are in it.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.counters.iter().flatten().count()
    }

    /// Whether nobody is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::situation::LawId;
    use std::collections::BTreeMap;

    /// The worked queue: head at 0, slots 0.8 m apart, service 4 s, everybody walks at 1 m/s and enters at 4 m.
    /// A enters at 0, B and C at 1, D at 7; B gives up at 6.
    #[test]
    fn the_worked_queue() {
        let line = Line {
            line: vec![DVec2::ZERO, DVec2::new(8.0, 0.0)],
            spacing: 0.8,
            counters: Vec::new(),
            service: LawId(0),
            patience: None,
        };
        let [a, b, c, d] = [0, 1, 2, 3].map(|ordinal| AgentId::new(0, ordinal));
        let enters = [(0, a, u32::MAX), (10, b, 60), (10, c, u32::MAX), (70, d, u32::MAX)];
        let mut queue = Queue::new(&line);
        let mut at: BTreeMap<AgentId, f64> = BTreeMap::new();
        let mut seen: Vec<(u32, AgentId, i64)> = Vec::new(); // when somebody came to stand, cm
        let mut gone = Vec::new();
        let mut served = Vec::new();
        for tick in 0..200 {
            for (when, id, gives_up) in enters {
                if when == tick {
                    queue.join(id, gives_up);
                    at.insert(id, 4.0);
                }
            }
            let there = |id: AgentId| (at[&id] - queue_place(&queue, id, &line)).abs() < 1e-6;
            let standing: Vec<AgentId> = at.keys().copied().filter(|id| there(*id)).collect();
            queue.advance(tick, |id| standing.contains(&id), |_| 40, &mut gone);
            for gone in gone.drain(..) {
                at.remove(&gone.id);
                served.push((tick, gone.id, gone.served));
            }
            for (id, x) in &mut at {
                let to = queue_place(&queue, *id, &line);
                let step = (to - *x).clamp(-0.1, 0.1);
                *x += step;
                if step.abs() > 1e-9 && (to - *x).abs() < 1e-6 {
                    seen.push((tick + 1, *id, (100.0 * to).round() as i64));
                }
            }
        }
        let stood =
            [(34 - 10 + 10, c, 160), (40, a, 0), (42, b, 80), (68, c, 80), (88, c, 0), (102, d, 80), (136, d, 0)];
        assert_eq!(seen, stood);
        assert_eq!(served, [(60, b, false), (80, a, true), (128, c, true), (176, d, true)]);
    }

    fn queue_place(queue: &Queue, id: AgentId, line: &Line) -> f64 {
        queue.place(id, line).expect("in the queue").x
    }

    #[test]
    fn several_counters_serve_one_line() {
        let line = Line {
            line: vec![DVec2::ZERO, DVec2::new(4.0, 0.0)],
            spacing: 1.0,
            counters: vec![DVec2::new(-1.0, 1.0), DVec2::new(-1.0, -1.0)],
            service: LawId(0),
            patience: None,
        };
        let mut queue = Queue::new(&line);
        let id = |ordinal| AgentId::new(0, ordinal);
        (0..5).for_each(|ordinal| queue.join(id(ordinal), u32::MAX));
        let places: Vec<DVec2> = (0..5).filter_map(|ordinal| queue.place(id(ordinal), &line)).collect();
        let expected = [[-1.0, 1.0], [-1.0, -1.0], [0.0, 0.0], [1.0, 0.0], [2.0, 0.0]].map(DVec2::from);
        assert_eq!(places, expected);
        let mut gone = Vec::new();
        // The second is quicker: the third goes to its counter.
        queue.advance(1, |_| true, |who| if who == id(1) { 2 } else { 9 }, &mut gone);
        queue.advance(3, |_| true, |_| 9, &mut gone);
        assert_eq!(gone, [Gone { id: id(1), served: true }]);
        assert_eq!(queue.place(id(2), &line), Some(DVec2::new(-1.0, -1.0)));
        queue.leave(id(0));
        assert_eq!(queue.place(id(3), &line), Some(DVec2::new(-1.0, 1.0)));
        assert_eq!(queue.len(), 3);
    }
}
