//! How a command fails: whose fault it is, and so with which exit code.

use passerby::scenario::Problems;
use std::process::ExitCode;

/// Why a command could not do what it was asked for.
#[derive(Debug)]
pub enum Failure {
    /// What the user gave is wrong: one message for each thing. Exit code 2.
    Input(Vec<String>),
    /// It was right but could not be done: a full disk, a file that may not be read. Exit code 1.
    Failed(anyhow::Error),
    /// Whoever reads our output has enough of it, as in `passerby schema | head`. Not an error: exit code 0.
    Unheard,
}

impl Failure {
    /// Wrong input that takes one message.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::Input(vec![message.into()])
    }

    /// Says on stderr what is wrong; gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::Input(messages) => {
                messages.iter().for_each(|message| eprintln!("error: {}", plain(message)));
                ExitCode::from(2)
            }
            Failure::Failed(error) => {
                eprintln!("error: {}", plain(&format!("{error:#}")));
                ExitCode::from(1)
            }
            Failure::Unheard => ExitCode::SUCCESS,
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::Failed(error)
    }
}

impl From<Problems> for Failure {
    fn from(Problems(list): Problems) -> Self {
        Failure::Input(list.iter().map(ToString::to_string).collect())
    }
}

/// The message without characters that would steer the terminal: scenarios and file names come from anywhere.
pub fn plain(message: &str) -> String {
    message.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}
