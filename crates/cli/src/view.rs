//! `passerby view`: a run that goes on, or a recording, in the browser.

use crate::failure::Failure;
use crate::folder::{Folder, folder_of};
use crate::recorder::Recorder;
use crate::{demo, interrupt, output, render, run, source};
use anyhow::anyhow;
use clap::Args;
use passerby::record::Recording;
use passerby::scenario::Files;
use passerby::{Scenario, Simulation};
use passerby_server::{Live, Log, ReplayShow, Server, Show};
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  passerby view                               the demo, live
  passerby view room.toml                     a scenario, live; it is recorded to passerby-out/room.parquet
  passerby view passerby-out/room.parquet     a recording: forwards, backwards, at any speed
  passerby view room.toml --no-open --port 8080

The page is served to this machine only, and only to whoever has the address with its token. Ctrl-C ends it.";

/// Show a scenario live, or a recording, in the browser.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct View {
    /// Scenario (.toml) or recording (.parquet) [default: the demo]
    file: Option<PathBuf>,
    /// Port to serve on; 0 takes a free one
    #[arg(long, value_name = "P", default_value_t = 0)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Serve to others too, at this address of this machine: whoever has the token can change the run
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    /// With a scenario: recording to write [default: passerby-out/ and the scenario's file name, as .parquet]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// With a scenario: source of all chance, whatever it says
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// With a scenario: threads to run on; changes the time, never the result [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Nothing but the address
    #[arg(short, long)]
    quiet: bool,
}

impl View {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let ending = |file: &Path| file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match self.file.as_deref().map(|file| (file, ending(file))) {
            Some((file, Some(ending))) if ending == "parquet" => self.replay(file)?,
            Some((file, ending)) if file.is_file() && ending.as_deref() != Some("toml") => {
                let what = format!("{} is neither a scenario (.toml) nor a recording (.parquet)", file.display());
                let hint = "`passerby export FILE --to FILE.parquet` makes a recording of people whom others recorded";
                return Err(Failure::input(format!("{what}\n    hint: {hint}")));
            }
            _ => run::in_pool(self.threads, || self.live())?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn replay(&self, file: &Path) -> Result<(), Failure> {
        let unfit =
            [(self.out.is_some(), "--out"), (self.seed.is_some(), "--seed"), (self.threads.is_some(), "--threads")];
        if let Some((_, option)) = unfit.into_iter().find(|(given, _)| *given) {
            return Err(Failure::input(format!("{option} is for scenarios: {} is a recording", file.display())));
        }
        let recording = render::open(file)?;
        let scenario = recorded_scenario(&recording, file);
        let show = ReplayShow::new(recording, scenario)
            .map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
        let server = self.serve(Show::Replay(show))?;
        interrupt::watch()?;
        self.say(&server, &format!("shows {}", file.display()))?;
        while !interrupt::asked() {
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    fn live(&self) -> Result<(), Failure> {
        let (mut scenario, folder, name) = match &self.file {
            None => (demo::scenario()?, Folder::of(Path::new("demo.toml")), "demo".to_owned()),
            Some(file) => {
                let stem =
                    file.file_stem().map_or_else(|| "run".to_owned(), |stem| stem.to_string_lossy().into_owned());
                (source::load(file)?, Folder::of(file), stem)
            }
        };
        if let Some(seed) = self.seed.filter(|seed| *seed != scenario.run.seed) {
            scenario = with_seed(&scenario, seed, &folder)?;
        }
        let out = match &self.out {
            Some(out) => out.clone(),
            None => output::default_file(&name, "parquet")?,
        };
        let simulation = Simulation::new(scenario)?;
        let live = Live::new(simulation);
        let server = self.serve(Show::Live(live.show()))?;
        interrupt::watch()?;
        self.say(&server, &format!("runs when the page opens; recorded to {}", out.display()))?;
        // Begun with the run: whoever only looks at the page of an earlier one keeps its recording.
        let (mut recorder, mut noted) = (None, None);
        let simulation = live.run(
            &folder as &dyn Files,
            &mut |stepped| {
                let recorder = match &mut recorder {
                    Some(recorder) => recorder,
                    None => recorder.insert(Recorder::create(&out, stepped.simulation)?),
                };
                if let Some(text) = stepped.added {
                    recorder.note_added(stepped.simulation.tick(), text)?;
                }
                // Somebody may paint while the run stands still: a frame is noted once.
                if noted == Some(stepped.simulation.tick()) {
                    return Ok(());
                }
                noted = Some(stepped.simulation.tick());
                recorder.note(stepped.simulation)
            },
            &interrupt::asked,
        )?;
        drop(server);
        let Some(recorder) = recorder else {
            return if self.quiet { Ok(()) } else { output::print("nothing was run: no page was opened\n") };
        };
        recorder.finish()?;
        if !self.quiet {
            let digest = simulation.digest();
            output::print(&format!("{} at {:.2} s, digest {digest:016x}\n", out.display(), simulation.time()))?;
        }
        Ok(())
    }

    fn serve(&self, show: Show) -> Result<Server, Failure> {
        let ip = self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        if !ip.is_loopback() {
            eprintln!(
                "warning: --listen {ip} lets everybody who can reach this machine and has the token look at the run and change it"
            );
        }
        let quiet = self.quiet;
        let log: Log = Box::new(move |line| {
            if !quiet {
                eprintln!("{line}");
            }
        });
        let at = SocketAddr::new(ip, self.port);
        Server::start(at, show, log).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => Failure::input(format!(
                "--port {}: something else listens there\n    hint: leave it out, and a free one is taken",
                self.port
            )),
            ErrorKind::PermissionDenied => {
                Failure::input(format!("--port {}: may not be listened at\n    hint: choose one above 1023", self.port))
            }
            ErrorKind::AddrNotAvailable => Failure::input(format!(
                "--listen {ip}: is no address of this machine\n    hint: 0.0.0.0 takes all of them"
            )),
            _ => anyhow!("cannot listen at {at}: {error}").into(),
        })
    }

    /// Prints the address, and opens it where there is a browser.
    fn say(&self, server: &Server, what: &str) -> Result<(), Failure> {
        let url = server.url();
        output::print(&format!("{url}\n"))?;
        if !self.quiet {
            eprintln!("{what}; Ctrl-C ends it");
            if self.listen.is_some_and(|ip| ip.is_unspecified()) {
                eprintln!("others put an address of this machine in place of 127.0.0.1");
            }
            if !server.has_bundle() {
                eprintln!(
                    "this program was built without the viewer in three dimensions: `cargo xtask viewer`, then build anew"
                );
            }
        }
        if !self.no_open {
            open(&url);
        }
        Ok(())
    }
}

/// The scenario with another seed in its text, so that what is saved of the run repeats it.
fn with_seed(scenario: &Scenario, seed: u64, files: &dyn Files) -> Result<Scenario, Failure> {
    let mut lines: Vec<String> = scenario.text.lines().map(str::to_owned).collect();
    let is = |line: &str, what: &str| line.split('#').next().is_some_and(|line| line.trim() == what);
    match lines.iter().position(|line| is(line, "[run]")) {
        None => lines.extend([String::new(), "[run]".to_owned(), format!("seed = {seed}")]),
        Some(run) => {
            let end = lines[run + 1..].iter().position(|line| line.trim_start().starts_with('['));
            let end = end.map_or(lines.len(), |end| run + 1 + end);
            let key = |line: &String| line.split('=').next().is_some_and(|key| key.trim() == "seed");
            match (run + 1..end).find(|number| key(&lines[*number])) {
                Some(number) => lines[number] = format!("seed = {seed}"),
                None => lines.insert(run + 1, format!("seed = {seed}")),
            }
        }
    }
    let again = Scenario::parse(&format!("{}\n", lines.join("\n")), files, &scenario.file);
    let changed = again.ok().filter(|again| again.run.seed == seed);
    changed.ok_or_else(|| {
        Failure::input(format!("--seed {seed}: the scenario's own seed cannot be found\n    hint: write it as a line `seed = {seed}` under [run]"))
    })
}

/// The scenario of a recorded run, if the recording has one that can still be read.
fn recorded_scenario(recording: &Recording, file: &Path) -> Option<Scenario> {
    let text = recording.scenario();
    // Files it names are looked for beside the recording.
    let beside = folder_of(file).join("scenario.toml");
    let mut scenario = Scenario::parse(&text, &Folder::of(&beside), "recorded scenario").ok()?;
    (scenario.run.seed, scenario.record.every) = (recording.header().seed, recording.header().every);
    Some(scenario)
}

/// Opens an address in the browser of whoever sits before the machine; where there is none nothing happens.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = || Stdio::null();
    if cfg!(windows) {
        let _ =
            Command::new("cmd").args(["/C", "start", "", url]).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    } else {
        let _ = Command::new(program).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    }
}
