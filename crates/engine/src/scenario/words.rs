//! Events and stops in words, as recordings and messages tell them.

use super::{Action, Event, Scenario, Stop, Whom};

impl Scenario {
    /// What a situation is called.
    pub fn situation_name(&self, id: passerby_situations::SituationId) -> &str {
        self.doings.situations.get(id.index()).map_or("?", |situation| &situation.name)
    }
}

impl Event {
    /// What happens: `close "front"`, `add 20 "visitors"`, `speed of everybody: 0.5`.
    pub fn words(&self, scenario: &Scenario) -> String {
        let name = |population: usize| format!("\"{}\"", scenario.populations[population].name);
        let of = |of: &Option<usize>| of.map_or_else(|| "everybody".to_owned(), name);
        match &self.action {
            Action::Open(door) => format!("open \"{}\"", scenario.place.doors[*door].name),
            Action::Close(door) => format!("close \"{}\"", scenario.place.doors[*door].name),
            Action::Put { name, .. } => format!("put \"{name}\""),
            Action::Take { name } => format!("take \"{name}\""),
            Action::Add { population, count } => format!("add {count} {}", name(*population)),
            Action::Journey { whom, journey, .. } => {
                let stops: Vec<String> = journey.iter().map(|stop| stop.words(scenario)).collect();
                format!("journey of {}: {}", whom.words(scenario), stops.join(", "))
            }
            Action::Begin(situation) => format!("begin \"{}\"", scenario.situation_name(*situation)),
            Action::End(situation) => format!("end \"{}\"", scenario.situation_name(*situation)),
            Action::Shift { situation, by } => {
                format!("move \"{}\" by [{}, {}]", scenario.situation_name(*situation), by.x, by.y)
            }
            Action::Change { situation, .. } => format!("change \"{}\"", scenario.situation_name(*situation)),
            Action::Drop { population, points, .. } => format!("drop {} {}", points.len(), name(*population)),
            Action::Remove { people } => format!("remove {} people", people.len()),
            Action::RemoveDropped { name } => format!("remove \"{name}\""),
            Action::Resume { whom } => format!("resume {}", whom.words(scenario)),
            Action::Speed { of: whom, factor } => format!("speed of {}: {factor}", of(whom)),
        }
    }
}

impl Whom {
    /// `everybody`, `"visitors"`, `2 people`.
    fn words(&self, scenario: &Scenario) -> String {
        match self {
            Whom::Everybody => "everybody".to_owned(),
            Whom::Population(of) => format!("\"{}\"", scenario.populations[*of].name),
            Whom::People(ids) => match ids.as_slice() {
                [id] => format!("person {id}"),
                _ => format!("{} people", ids.len()),
            },
        }
    }
}

impl Stop {
    /// What a message calls it: `"exit"`, `[1, 2]`, `any of "north", "south"`.
    pub fn words(&self, scenario: &Scenario) -> String {
        let region = |region: usize| format!("\"{}\"", scenario.place.regions[region].name);
        match self {
            Stop::Region(index) => region(*index),
            Stop::Point(at) => format!("[{}, {}]", at.x, at.y),
            Stop::Visit(situation) => format!("\"{}\"", scenario.situation_name(*situation)),
            Stop::Opposite => "\"opposite\"".to_owned(),
            Stop::Wait(_) => "a wait".to_owned(),
            Stop::Signal { signal, show } => {
                format!("a wait until \"{}\" shows \"{show}\"", scenario.signals[*signal].name)
            }
            Stop::Wander { region: index, .. } => format!("{} to wander in", region(*index)),
            Stop::Any(stops) | Stop::Soonest(stops) | Stop::Drawn { stops, .. } => {
                let names: Vec<_> = stops.iter().map(|stop| stop.words(scenario)).collect();
                format!("any of {}", names.join(", "))
            }
        }
    }
}
