//! A recording that is played, for each page by a clock of its own.

use crate::cells;
use crate::connection::Feed;
use crate::facts::{self, Inspected};
use crate::hub::Hub;
use crate::packet::Shot;
use crate::protocol::{self, Wish};
use crate::scene::{Can, Scene};
use crate::shadow::{Reasons, Shadow};
use crate::staged;
use passerby::Scenario;
use passerby::crowd::AgentId;
use passerby::motion::Library;
use passerby::navigation::Map;
use passerby::record::{Person, Recording};
use serde_json::json;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Frames are sent no more often than this.
const BETWEEN_FRAMES: Duration = Duration::from_millis(40);
/// Doors, obstacles and situations are looked at for changes no more often than this while it plays.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// Wishes that may wait.
const WISHES_MAX: usize = 256;

/// Why a recording cannot be shown.
#[derive(Debug, thiserror::Error)]
#[error("there is no frame in this recording")]
pub struct NoFrames;

/// A recording for pages to open.
#[derive(Clone)]
pub struct ReplayShow {
    scene: Arc<Scene>,
    recording: Arc<Recording>,
    /// What was run, where the recording says so and it can be read.
    scenario: Option<Arc<Scenario>>,
    library: Arc<Library>,
}

impl ReplayShow {
    /// Of a recording; of the scenario in it, if there is one, so that decisions can be explained by running it again.
    pub fn new(recording: Recording, scenario: Option<Scenario>) -> Result<ReplayShow, NoFrames> {
        let (first, last) = recording.ticks().ok_or(NoFrames)?;
        let library = Library::built_in();
        let mut populations: Vec<(String, String)> = Vec::new();
        for Person { population, model, .. } in recording.people() {
            if !populations.iter().any(|(name, _)| name == population) {
                populations.push((population.clone(), model.clone()));
            }
        }
        let header = recording.header().clone();
        // What was added to the scenario is told by what it does.
        let happened = recording.events().iter().filter(|event| event.adds.is_none());
        let events = happened.map(|event| json!({ "tick": event.tick, "what": event.what })).collect();
        let scene = Scene {
            live: false,
            ticks: [first, last],
            populations,
            situations: Vec::new(),
            closed_doors: vec![false; header.place.doors.len()],
            events,
            can: Can {
                edit: false,
                explain: scenario.is_some(),
                seek: true,
                desired: false,
                cells: scenario.is_some(),
            },
            joints: library.skeleton().len(),
            header,
        };
        let scenario = scenario.map(Arc::new);
        Ok(ReplayShow { scene: Arc::new(scene), recording: Arc::new(recording), scenario, library: Arc::new(library) })
    }

    pub(crate) fn open(&self, page: u64) -> Feed {
        let (wishes, received) = sync_channel(WISHES_MAX);
        let hub = Arc::new(Hub::default());
        let people = self.recording.people().iter().map(|person| (person.id, person.clone())).collect();
        hub.tell(|seen| seen.people = people);
        let player = Player {
            show: self.clone(),
            hub: Arc::clone(&hub),
            page,
            wishes: received,
            playing: true,
            steps: None,
            speed: 1.0,
            at: f64::from(self.scene.ticks[0]),
            shown: None,
            inspected: None,
            shadow: None,
            changed: String::new(),
            looked_at: None,
        };
        // Without a thread the page shows an empty scene and says that it is not connected.
        let _ = std::thread::Builder::new().name("replay".to_owned()).spawn(move || player.play());
        Feed { scene: Arc::clone(&self.scene), hub, wishes }
    }
}

/// Who plays for one page. Ends when the page goes.
struct Player {
    show: ReplayShow,
    hub: Arc<Hub>,
    page: u64,
    wishes: Receiver<(u64, Wish)>,
    playing: bool,
    steps: Option<u32>,
    speed: f64,
    /// Where the clock is, ticks.
    at: f64,
    /// The tick of the frame that was shown last.
    shown: Option<u32>,
    inspected: Option<u32>,
    shadow: Option<Shadow>,
    /// How the place was when pages were told last.
    changed: String,
    looked_at: Option<Instant>,
}

impl Player {
    fn play(mut self) {
        let mut before = Instant::now();
        self.show_frame();
        loop {
            // While somebody's reasons are worked out there is no time to wait.
            let pause = if self.shadow.is_some() { Duration::ZERO } else { BETWEEN_FRAMES };
            let pause = if self.playing && !self.ended() { pause } else { pause * 5 };
            match self.wishes.recv_timeout(pause) {
                Ok((_, wish)) => self.grant(wish),
                Err(RecvTimeoutError::Timeout) => {}
                // Both halves of the page's connection have gone.
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let passed = before.elapsed();
            if self.playing && !self.ended() {
                if passed < BETWEEN_FRAMES && self.shadow.is_none() {
                    continue;
                }
                before = Instant::now();
                self.go_on(passed);
            } else {
                before = Instant::now();
            }
            self.work_out();
        }
    }

    fn ticks(&self) -> [f64; 2] {
        self.show.scene.ticks.map(f64::from)
    }

    fn ended(&self) -> bool {
        self.at >= self.ticks()[1]
    }

    /// Moves the clock on and shows what is there.
    fn go_on(&mut self, passed: Duration) {
        let header = &self.show.scene.header;
        if let Some(left) = &mut self.steps {
            self.at =
                (self.at / f64::from(header.every) + 1e-9).floor() * f64::from(header.every) + f64::from(header.every);
            *left -= 1;
            if *left == 0 {
                (self.steps, self.playing) = (None, false);
            }
        } else {
            self.at += passed.as_secs_f64().min(0.25) * self.speed / header.tick;
        }
        self.at = self.at.min(self.ticks()[1]);
        self.show_frame();
    }

    /// Shows the frame at the clock, unless it is the one that is shown.
    fn show_frame(&mut self) {
        match self.show.recording.frame_at(self.at as u32) {
            Ok(Some(frame)) => {
                if self.shown != Some(frame.tick) {
                    self.shown = Some(frame.tick);
                    self.tell_changes(frame.tick);
                    self.hub.tell(|seen| seen.show(Shot { frame, desired: Vec::new() }));
                    self.inspect();
                }
            }
            Ok(None) => {}
            Err(error) => {
                self.playing = false;
                self.hub.answer(self.page, protocol::error(&format!("the recording cannot be read here: {error}")));
            }
        }
        self.tell_clock();
    }

    /// Doors, obstacles and situations, if any of it is new.
    fn tell_changes(&mut self, tick: u32) {
        let Some(scenario) = &self.show.scenario else { return };
        if self.playing && self.looked_at.is_some_and(|at| at.elapsed() < BETWEEN_LOOKS) {
            return;
        }
        self.looked_at = Some(Instant::now());
        let text = staged::changed(scenario, &self.show.scene, f64::from(tick) * self.show.scene.header.tick);
        if text != self.changed {
            self.changed.clone_from(&text);
            self.hub.tell(|seen| seen.set_changed(text));
        }
    }

    fn tell_clock(&self) {
        let (_, shot) = self.hub.lock().shot.clone();
        let text = json!({
            "is": "clock",
            "playing": self.playing,
            "speed": self.speed,
            "tick": self.shown.unwrap_or_default(),
            "last": self.show.scene.ticks[1],
            "ended": self.ended(),
            "people": shot.map_or(0, |shot| shot.frame.id.len()),
            "arrived": null,
            "digest": null,
        });
        self.hub.tell(|seen| seen.set_clock(text.to_string()));
    }

    fn grant(&mut self, wish: Wish) {
        let refuse = |what: &str| self.hub.answer(self.page, protocol::error(what));
        match wish {
            Wish::Play {} => {
                if self.ended() {
                    self.at = self.ticks()[0];
                }
                (self.playing, self.steps) = (true, None);
            }
            Wish::Pause {} => {
                (self.playing, self.steps) = (false, None);
                self.tell_changes(self.shown.unwrap_or_default());
            }
            Wish::Step { frames } => (self.playing, self.steps) = (true, Some(frames)),
            Wish::Speed { times } => self.speed = times,
            Wish::Seek { tick } => {
                let [first, last] = self.ticks();
                self.at = f64::from(tick).clamp(first, last);
                self.show_frame();
            }
            Wish::Look { .. } | Wish::Desired { .. } => {}
            Wish::Inspect { id } => {
                self.inspected = id;
                self.shadow = None;
                self.inspect();
            }
            Wish::Cells {} => {
                let map = self.show.scenario.as_ref().and_then(|scenario| Map::build(&scenario.place).ok());
                match map.as_ref().map(cells::cells) {
                    Some(Ok(text)) => self.hub.answer(self.page, text),
                    Some(Err(what)) => refuse(&what),
                    None => refuse("this recording holds no scenario, so its place cannot be cut into cells"),
                }
            }
            Wish::Edit { .. } | Wish::Undo {} | Wish::Redo {} => {
                refuse("what was recorded stays as it was: view its scenario to paint in it")
            }
            Wish::Scenario {} => {
                let header = &self.show.scene.header;
                let text = json!({ "is": "scenario", "name": header.name, "text": header.scenario });
                self.hub.answer(self.page, text.to_string());
            }
        }
        self.tell_clock();
    }

    /// Tells what the recording holds of who is inspected; reasons follow if the picture stands still.
    fn inspect(&mut self) {
        let Some(id) = self.inspected else { return };
        let Some(person) = self.hub.lock().people.get(&id).cloned() else {
            return self.hub.answer(self.page, protocol::error(&format!("there is nobody with the number {id}")));
        };
        let (_, Some(shot)) = self.hub.lock().shot.clone() else { return };
        let there = shot.frame.id.binary_search(&id).is_ok();
        let tick = shot.frame.tick;
        self.shadow = self.show.scenario.as_ref().filter(|_| there && !self.playing).and_then(|scenario| {
            let old = self.shadow.take();
            Shadow::new(old, scenario, self.show.scene.header.seed, tick, AgentId::from_bits(id))
        });
        let note = match (&self.show.scenario, self.playing, &self.shadow) {
            _ if !there => "is not in the scene now",
            (None, _, _) => "nothing is known of why: the people were recorded, not simulated",
            (Some(_), true, _) => "pause to see why",
            (Some(_), false, Some(_)) => "the run is repeated up to here to see why",
            (Some(_), false, None) => "nothing is known of why: the scenario of this recording cannot be run here",
        };
        let facts = facts::of_recorded(&shot.frame, &person, &self.show.library);
        let note = Some(note.to_owned());
        let inspected = Inspected { person: &person, tick, facts, way: Vec::new(), why: None, note };
        self.hub.answer(self.page, inspected.json());
    }

    /// Repeats the run a little further, until it can say why somebody did what they did.
    fn work_out(&mut self) {
        if self.playing {
            self.shadow = None;
        }
        let Some(shadow) = &mut self.shadow else { return };
        let Some(Reasons { why, way, more }) = shadow.go_on(&self.show.library) else { return };
        self.shadow = None;
        let Some(person) = self.inspected.and_then(|id| self.hub.lock().people.get(&id).cloned()) else { return };
        let (_, Some(shot)) = self.hub.lock().shot.clone() else { return };
        let note = why.is_none().then(|| "run again, they decide nothing here".to_owned());
        // Who is run again has goals and situations, too.
        let facts = if more.is_empty() { facts::of_recorded(&shot.frame, &person, &self.show.library) } else { more };
        let inspected = Inspected { person: &person, tick: shot.frame.tick, facts, way, why: why.as_ref(), note };
        self.hub.answer(self.page, inspected.json());
    }
}
