//! The other peer: JuPedSim from PyPI, in a Python process of its own.

use crate::scene::{Goal, RADIUS, SPEED, Scene};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Stdio};

/// A crowd in JuPedSim.
pub struct Child {
    process: Process,
    questions: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

/// What some steps took and did.
#[derive(Debug, Clone, Copy)]
pub struct Stepped {
    /// Steps of one person a second of processor time.
    pub agent_steps_per_cpu_second: f64,
    /// Distance that people covered, mean, over the simulated time: m/s.
    pub speed: f64,
}

impl Child {
    /// The people of a plane with a model of JuPedSim's: `collision-free speed` or `social force`. Everybody walks in their
    /// direction to the border.
    pub fn start(python: &OsStr, model: &str, scene: &Scene, dt: f64) -> Child {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("jupedsim_steps.py");
        let mut command = Command::new(python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", python.display()));
        let mut questions = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let goal = |i: usize| match scene.goal[i] {
            Goal::Point(to) => to,
            // Far enough for as long as anybody asks, but on the floor, as JuPedSim wants it.
            Goal::Along(direction) => {
                let inside = scene.low + 1.0;
                (scene.start[i] + scene.high.x * direction).clamp(inside, scene.high - 1.0)
            }
        };
        let goals: Vec<[f32; 2]> = (0..scene.start.len()).map(|i| goal(i).to_array()).collect();
        let starts: Vec<[f32; 2]> = scene.start.iter().map(|at| at.to_array()).collect();
        let asked = json!({
            "model": model, "size": scene.high.x, "radius": RADIUS, "speed": SPEED, "dt": dt,
            "start": starts, "goal": goals,
        });
        writeln!(questions, "{asked}").expect("the child reads");
        Child { process, questions, answers }
    }

    /// Does so many steps of `dt` seconds.
    pub fn step(&mut self, steps: u32, dt: f64) -> Stepped {
        writeln!(self.questions, "{steps}").expect("the child reads");
        let line = self.answers.next().expect("JuPedSim answers; what it says is above").expect("text");
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let number = |key: &str| answer[key].as_f64().unwrap_or_else(|| panic!("{line}: no {key}"));
        let steps = f64::from(steps);
        Stepped {
            agent_steps_per_cpu_second: steps * number("people") / number("seconds"),
            speed: number("moved") / (steps * dt),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill(); // it may have ended by itself
        let _ = self.process.wait();
    }
}
