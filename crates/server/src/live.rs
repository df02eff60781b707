//! A run that goes on while people look at it, and change it.

use crate::cells;
use crate::connection::Feed;
use crate::edits;
use crate::facts::{self, Inspected};
use crate::history::History;
use crate::hub::Hub;
use crate::packet::Shot;
use crate::protocol::{self, Edit, Wish};
use crate::scene::{Can, Scene, from};
use passerby::crowd::AgentId;
use passerby::motion::Library;
use passerby::record::OwnedFrame;
use passerby::scenario::{Files, Problem, Problems};
use passerby::situations::SituationId;
use passerby::steering::Explanation;
use passerby::{Scenario, Simulation};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// Wishes that may wait for the next tick.
const WISHES_MAX: usize = 256;
/// Frames are shown no more often than this.
const BETWEEN_FRAMES: Duration = Duration::from_millis(33);
/// Situations are looked at for changes no more often than this.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);
/// Who is inspected is explained no more often than this.
const BETWEEN_REASONS: Duration = Duration::from_millis(150);
/// A run that is further behind than this does not try to catch up.
const BEHIND_MAX: Duration = Duration::from_millis(250);
/// Situations whose shapes pages are told.
const SITUATIONS_MAX: usize = 1000;

/// A live run for pages to open.
#[derive(Clone)]
pub struct LiveShow {
    scene: Arc<Scene>,
    hub: Arc<Hub>,
    wishes: SyncSender<(u64, Wish)>,
}

impl LiveShow {
    pub(crate) fn open(&self, page: u64) -> Feed {
        // Whoever comes first wakes the run.
        let _ = self.wishes.try_send((page, Wish::Inspect { id: None }));
        Feed { scene: Arc::clone(&self.scene), hub: Arc::clone(&self.hub), wishes: self.wishes.clone() }
    }
}

/// What is told of each step to whoever records the run.
pub struct Stepped<'a> {
    /// The run after the step.
    pub simulation: &'a mut Simulation,
    /// Text that was added to its scenario since the last one.
    pub added: Option<&'a str>,
}

/// A run that pages steer.
pub struct Live {
    simulation: Simulation,
    show: LiveShow,
    wishes: Receiver<(u64, Wish)>,
    library: Library,
    playing: bool,
    /// Frames to go before it stops by itself.
    steps: Option<u32>,
    speed: f64,
    /// Whether somebody has looked yet.
    begun: bool,
    inspected: BTreeMap<u64, AgentId>,
    /// How many people of each population pages have been told of.
    told: Vec<u32>,
    events_told: usize,
    changed: String,
    history: History,
    /// Situations that were painted.
    painted: BTreeSet<String>,
    /// Whose turn it is to be explained.
    turn: usize,
    shown_at: Option<Instant>,
    shown_tick: Option<u32>,
    looked_at: Option<Instant>,
    reasoned_at: Option<Instant>,
}

impl Live {
    /// A run before its first step. It begins when the first page opens.
    pub fn new(simulation: Simulation) -> Live {
        let (sender, wishes) = sync_channel(WISHES_MAX);
        let library = Library::built_in();
        let scenario = simulation.scenario();
        let scene = Scene {
            header: simulation.header(),
            live: true,
            ticks: [0, (scenario.run.until / scenario.run.tick).ceil() as u32],
            populations: scenario.populations.iter().map(|p| (p.name.clone(), p.moved_by().to_owned())).collect(),
            situations: situations(&simulation, &BTreeSet::new()),
            closed_doors: simulation.world().map.closed_doors().to_vec(),
            events: Vec::new(),
            can: Can { edit: true, explain: true, seek: false, desired: true, cells: true },
            joints: library.skeleton().len(),
        };
        let told = vec![0; scenario.populations.len()];
        let show = LiveShow { scene: Arc::new(scene), hub: Arc::new(Hub::default()), wishes: sender };
        let mut live = Live {
            simulation,
            show,
            wishes,
            library,
            playing: true,
            steps: None,
            speed: 1.0,
            begun: false,
            inspected: BTreeMap::new(),
            told,
            events_told: 0,
            changed: String::new(),
            history: History::default(),
            painted: BTreeSet::new(),
            turn: 0,
            shown_at: None,
            shown_tick: None,
            looked_at: None,
            reasoned_at: None,
        };
        live.publish();
        live
    }

    /// For [`Server::start`](crate::Server::start).
    pub fn show(&self) -> LiveShow {
        self.show.clone()
    }

    /// Runs until `stop` says so, on the pool it is called in, and serves on after the run has ended. `stepped` is called before the first and
    /// after every step; its error ends the run. Files that the scenario names come through `files`.
    pub fn run<E>(
        mut self,
        files: &dyn Files,
        stepped: &mut dyn FnMut(Stepped<'_>) -> Result<(), E>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Simulation, E> {
        let (mut due, mut first) = (Instant::now(), true);
        while !stop() {
            let mut added = String::new();
            self.grant_all(files, &mut added);
            if self.begun && std::mem::take(&mut first) {
                stepped(Stepped { simulation: &mut self.simulation, added: None })?;
            }
            let goes = self.begun && self.playing && !self.simulation.finished();
            if !goes {
                if !added.is_empty() {
                    stepped(Stepped { simulation: &mut self.simulation, added: Some(&added) })?;
                }
                self.wait(Duration::from_millis(100), files, &mut added);
                due = Instant::now();
                if !added.is_empty() {
                    stepped(Stepped { simulation: &mut self.simulation, added: Some(&added) })?;
                }
                continue;
            }
            if let Some(early) = due.checked_duration_since(Instant::now()).filter(|early| !early.is_zero()) {
                self.wait(early.min(Duration::from_millis(100)), files, &mut added);
                if due > Instant::now() {
                    if !added.is_empty() {
                        stepped(Stepped { simulation: &mut self.simulation, added: Some(&added) })?;
                    }
                    continue;
                }
            }
            self.step();
            let added = (!added.is_empty()).then_some(added.as_str());
            if let Err(error) = stepped(Stepped { simulation: &mut self.simulation, added }) {
                let what = protocol::error("the run has stopped: its recording cannot be written");
                self.show.hub.tell(|seen| seen.events.push(what.into()));
                return Err(error);
            }
            due += Duration::from_secs_f64(self.simulation.world().tick / self.speed);
            due = due.max(Instant::now().checked_sub(BEHIND_MAX).unwrap_or(due));
            if let Some(left) = &mut self.steps {
                *left -= 1;
                if *left == 0 {
                    (self.steps, self.playing) = (None, false);
                }
            }
            let ends = !self.playing || self.simulation.finished();
            if ends || self.shown_at.is_none_or(|at| at.elapsed() >= BETWEEN_FRAMES) {
                self.publish();
            }
        }
        self.show.hub.tell(|seen| seen.closed = true);
        Ok(self.simulation)
    }

    /// One step; now and then one of those who are inspected is asked for reasons.
    fn step(&mut self) {
        let due = self.reasoned_at.is_none_or(|at| at.elapsed() >= BETWEEN_REASONS);
        // Each page has its turn.
        self.turn = (self.turn + usize::from(due)) % self.inspected.len().max(1);
        let whom = self.inspected.values().nth(self.turn).copied().filter(|_| due);
        match whom {
            None => self.simulation.step(),
            Some(id) => {
                let why = self.simulation.step_and_explain(id);
                self.reasoned_at = Some(Instant::now());
                self.tell_of(id, why.as_ref());
            }
        }
    }

    /// Sleeps until something is wished for.
    fn wait(&mut self, most: Duration, files: &dyn Files, added: &mut String) {
        if let Ok((page, wish)) = self.wishes.recv_timeout(most) {
            self.grant(page, wish, files, added);
        }
    }

    fn grant_all(&mut self, files: &dyn Files, added: &mut String) {
        loop {
            match self.wishes.try_recv() {
                Ok((page, wish)) => self.grant(page, wish, files, added),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return,
            }
        }
    }

    fn grant(&mut self, page: u64, wish: Wish, files: &dyn Files, added: &mut String) {
        let hub = Arc::clone(&self.show.hub);
        let refuse = |what: &str| hub.answer(page, protocol::error(what));
        self.begun = true;
        match wish {
            Wish::Play {} | Wish::Step { .. } if self.simulation.finished() => {
                refuse("the run has ended: view its recording to see it again");
            }
            Wish::Play {} => (self.playing, self.steps) = (true, None),
            Wish::Pause {} => {
                (self.playing, self.steps) = (false, None);
                // What stands still is the present moment, not the last of those that were due to be shown.
                if self.shown_tick != Some(self.simulation.tick()) {
                    self.publish();
                }
            }
            Wish::Step { frames } => (self.playing, self.steps) = (true, Some(frames)),
            Wish::Speed { times } => self.speed = times,
            Wish::Seek { .. } => refuse("a live run goes forward only: open its recording to go back"),
            Wish::Look { .. } | Wish::Desired { .. } => {}
            Wish::Inspect { id: None } => {
                self.inspected.remove(&page);
            }
            Wish::Inspect { id: Some(id) } => {
                let id = AgentId::from_bits(id);
                self.inspected.insert(page, id);
                self.reasoned_at = None;
                self.tell_of(id, None);
            }
            Wish::Cells {} => match cells::cells(&self.simulation.world().map) {
                Ok(text) => hub.answer(page, text),
                Err(what) => refuse(&what),
            },
            Wish::Scenario {} => {
                let scenario = self.simulation.scenario();
                let text = json!({ "is": "scenario", "name": scenario.name, "text": scenario.text });
                hub.answer(page, text.to_string());
            }
            Wish::Edit { .. } | Wish::Undo {} | Wish::Redo {} if self.simulation.finished() => {
                refuse("the run has ended: nothing can be changed any more");
            }
            Wish::Edit { edit } => match self.edit(&edit, files) {
                Ok((text, note)) => {
                    added.push_str(&text);
                    note.iter().for_each(|what| refuse(what));
                }
                Err(what) => refuse(&what),
            },
            Wish::Undo {} => match self.repeat(History::undoing, History::undid, "undo", files) {
                Ok(text) => added.push_str(&text),
                Err(what) => refuse(&what),
            },
            Wish::Redo {} => match self.repeat(History::redoing, History::redid, "do again", files) {
                Ok(text) => added.push_str(&text),
                Err(what) => refuse(&what),
            },
        }
        if !added.is_empty() {
            // It has happened, also where nothing moves.
            self.publish();
        }
        self.tell_changes();
        self.tell_clock();
    }

    /// Does what somebody painted; the text that was added to the scenario, and what there is to say of it.
    fn edit(&mut self, edit: &Edit, files: &dyn Files) -> Result<(String, Option<String>), String> {
        let deed = edits::deed(edit, &self.simulation)?;
        let before = self.simulation.len();
        // Regions and goals may be where nobody can be; whoever runs the scenario would be told, so whoever paints is.
        let thorough = matches!(edit, Edit::Paint(_) | Edit::Goal { .. });
        let text = self.amend(&deed.text(self.simulation.time()), thorough, files)?;
        self.painted.extend(deed.name.clone());
        let mut note = None;
        if let Edit::Drop { at, .. } = edit {
            let came = self.simulation.len().saturating_sub(before);
            if came == 0 {
                return Ok((text, Some("nobody came: there is no room within 5 m of there".to_owned())));
            }
            note = (came < at.len()).then(|| format!("{came} of {} came: there is no more room", at.len()));
        }
        self.history.did(deed);
        Ok((text, note))
    }

    /// Undoes the last deed, or does it again.
    fn repeat(
        &mut self,
        what: fn(&History) -> Option<&[String]>,
        done: fn(&mut History),
        called: &str,
        files: &dyn Files,
    ) -> Result<String, String> {
        let events = what(&self.history).ok_or_else(|| format!("there is nothing to {called}"))?;
        let text = self.amend(&edits::events(events, self.simulation.time()), false, files)?;
        done(&mut self.history);
        Ok(text)
    }

    /// Goes on with a longer scenario, if that could be run from its beginning.
    fn amend(&mut self, more: &str, thorough: bool, files: &dyn Files) -> Result<String, String> {
        let old = self.simulation.scenario();
        let text = format!("{}\n{more}", old.text.trim_end());
        let mut scenario = Scenario::parse(&text, files, &old.file).map_err(|problems| told(&problems))?;
        // What the command line changed stays changed.
        (scenario.run, scenario.record) = (old.run, old.record);
        if thorough {
            Simulation::new(scenario.clone()).map_err(|problems| told(&problems))?;
        }
        self.simulation.amend(scenario).map_err(|problems| told(&problems))?;
        Ok(more.to_owned())
    }

    /// Shows the present moment.
    fn publish(&mut self) {
        (self.shown_at, self.shown_tick) = (Some(Instant::now()), Some(self.simulation.tick()));
        self.tell_newcomers();
        let mut shot = Shot::default();
        let mut frame = OwnedFrame::default();
        self.simulation.fill_frame(&mut frame);
        shot.frame = frame;
        let desired = self.simulation.desired();
        if !desired.is_empty() {
            let rows: BTreeMap<u32, usize> =
                self.simulation.ids().iter().zip(0..).map(|(id, row)| (id.bits(), row)).collect();
            shot.desired = shot.frame.id.iter().filter_map(|id| rows.get(id)).map(|row| desired[*row]).collect();
        }
        let happened = &self.simulation.events()[self.events_told.min(self.simulation.events().len())..];
        let scenario = self.simulation.scenario();
        let events: Vec<Arc<str>> = happened
            .iter()
            .map(|happened| {
                json!({ "is": "event", "tick": happened.tick, "what": happened.words(scenario) }).to_string().into()
            })
            .collect();
        self.events_told = self.simulation.events().len();
        self.show.hub.tell(|seen| {
            seen.events.extend(events);
            seen.show(shot);
        });
        if !self.playing || self.looked_at.is_none_or(|at| at.elapsed() >= BETWEEN_LOOKS) {
            self.looked_at = Some(Instant::now());
            self.tell_changes();
        }
        self.tell_clock();
    }

    fn tell_newcomers(&mut self) {
        let told = &mut self.told;
        let is_new = |id: AgentId, told: &[u32]| id.ordinal() >= told[id.population() as usize];
        if !self.simulation.ids().iter().any(|id| is_new(*id, told)) {
            return;
        }
        let mut persons = self.simulation.persons();
        persons.retain(|person| is_new(AgentId::from_bits(person.id), told));
        for id in persons.iter().map(|person| AgentId::from_bits(person.id)) {
            let told = &mut told[id.population() as usize];
            *told = (*told).max(id.ordinal() + 1);
        }
        self.show.hub.tell(|seen| seen.people.extend(persons.into_iter().map(|person| (person.id, person))));
    }

    fn tell_clock(&self) {
        let text = json!({
            "is": "clock",
            "playing": self.playing,
            "speed": self.speed,
            "tick": self.simulation.tick(),
            "last": self.show.scene.ticks[1],
            "ended": self.simulation.finished(),
            "people": self.simulation.len(),
            "arrived": self.simulation.arrived(),
            "digest": format!("{:016x}", self.simulation.digest()),
        });
        self.show.hub.tell(|seen| seen.set_clock(text.to_string()));
    }

    /// Doors, obstacles, situations, and what can be undone, if any of it is new.
    fn tell_changes(&mut self) {
        let world = self.simulation.world();
        let origin = self.simulation.offset().to_array();
        let put = world.put_obstacles_now().map(|(name, polygon)| {
            let ring: Vec<_> = polygon.points().iter().map(|at| from(origin, at.to_array())).collect();
            json!({ "name": name, "polygon": ring })
        });
        let [undo, redo] = self.history.labels();
        let text = json!({
            "is": "changed",
            "doors": self.show.scene.doors(world.map.closed_doors()),
            "put": put.collect::<Vec<_>>(),
            "situations": situations(&self.simulation, &self.painted),
            "undo": undo,
            "redo": redo,
        })
        .to_string();
        if text != self.changed {
            self.changed.clone_from(&text);
            self.show.hub.tell(|seen| seen.set_changed(text));
        }
    }

    /// Tells pages that inspect somebody what is known of them.
    fn tell_of(&self, id: AgentId, why: Option<&Explanation>) {
        let pages = self.inspected.iter().filter(|(_, other)| **other == id).map(|(page, _)| *page);
        let person = self.show.hub.lock().people.get(&id.bits()).cloned();
        let text = match &person {
            None => protocol::error(&format!("there is nobody with the number {}", id.bits())),
            Some(person) => {
                let origin = self.simulation.offset();
                let way = self.simulation.way_of(id).unwrap_or_default();
                let there = self.simulation.people().row_of(id).is_some();
                let note = match (there, why) {
                    (false, _) => Some("has left the scene".to_owned()),
                    (true, None) if !self.playing => Some("takes a step to tell why: press play or step".to_owned()),
                    _ => None,
                };
                let inspected = Inspected {
                    person,
                    tick: self.simulation.tick(),
                    facts: facts::of_live(&self.simulation, person, &self.library),
                    way: way.iter().map(|at| (*at - origin).to_array()).collect(),
                    why,
                    note,
                };
                inspected.json()
            }
        };
        pages.for_each(|page| self.show.hub.answer(page, text.clone()));
    }
}

/// What is wrong, for somebody who drew and wrote no file.
fn told(problems: &Problems) -> String {
    let one = |problem: &Problem| {
        if problem.what.contains("duplicate key") {
            return "this scenario has its events or situations in one list, `event = [...]`: to paint into it, write each of them as a table, [[event]]".to_owned();
        }
        let more = problem.allowed.iter().chain(&problem.hint).map(|more| format!("; {more}"));
        format!("{}{}", problem.what, more.collect::<String>())
    };
    problems.0.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// All situations as they are, m from the scene's origin, but for those that were painted and removed.
fn situations(simulation: &Simulation, painted: &BTreeSet<String>) -> Vec<Value> {
    let Some(situations) = simulation.situations() else { return Vec::new() };
    let words = situations.words();
    let is_there =
        |id: &SituationId| situations.state(*id).active || !painted.contains(&situations.situation(*id).name);
    let shown = situations.ids().filter(is_there).take(SITUATIONS_MAX).map(|id| {
        let (situation, state) = (situations.situation(id), situations.state(id));
        let rings: Vec<Vec<[f32; 2]>> =
            situations.rings_of(id).iter().map(|ring| ring.iter().map(|at| at.to_array()).collect()).collect();
        let behaviours =
            situation.behaviours.iter().filter_map(|behaviour| words.behaviours.get(behaviour.word() as usize));
        json!({
            "name": situation.name,
            "active": state.active,
            "rings": rings,
            "behaviours": behaviours.collect::<Vec<_>>(),
            "members": state.members.len(),
            "capacity": state.capacity.or(situation.capacity),
            "painted": painted.contains(&situation.name),
        })
    });
    shown.collect()
}
