//! A UCI session: a thread that reads, a thread that searches, and between them the loop that
//! owns the state and does what it is told.

mod activity;
mod answer;
pub mod bench;
mod compiler;
mod console;
mod contributions;
mod display;
mod driver;
mod endgames;
mod flip;
mod game;
mod genfens;
mod help;
mod limits;
mod listener;
mod log;
mod network;
mod node_clock;
mod opening_book;
mod options;
mod perft;
mod reader;
mod session;
mod speedtest;
mod strength;
mod tunable;
mod wdl;
mod writer;

pub use console::Console;

use crossbeam_channel::{Receiver, never};
use log::DebugLog;
use session::Session;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use writer::Writer;

/// The name by which the engine introduces itself.
pub const NAME: &str = concat!("Hematite ", env!("CARGO_PKG_VERSION"));

/// Who made it, as `id author` says.
const AUTHOR: &str = "the Hematite authors";

/// What the engine has around it besides its input and output.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Where it is told to end, whatever it is doing.
    pub interruptions: Receiver<()>,
    /// The terminal, if the output is one, and a person reads it until a GUI says `uci`.
    pub console: Option<Console>,
    /// Does nobody read the output any more? Asked now and then, as an output that is not written to does not tell.
    pub is_output_closed: fn() -> bool,
}

impl Default for Surroundings {
    /// No interruptions, no terminal, and an output that only tells when it is written to.
    fn default() -> Self {
        Self { interruptions: never(), console: None, is_output_closed: || false }
    }
}

/// Speaks UCI until `quit`, the end of the input or an interruption, or until nobody listens any
/// more. A search that is under way then is ended, and its best move is told.
///
/// It fails only if the machine cannot give the least that a search needs.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    surroundings: Surroundings,
) -> ExitCode {
    let log = Arc::new(DebugLog::default());
    let writer = Arc::new(Writer::new(output, Arc::clone(&log)));
    let lines = match reader::spawn(input) {
        Ok(lines) => lines,
        Err(error) => {
            eprintln!("hematite: cannot start the thread that reads: {error}");
            return ExitCode::FAILURE;
        }
    };
    match Session::new(writer, Arc::clone(&log), surroundings) {
        Ok(session) => {
            session.run(&lines);
            log.close();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("hematite: {error}");
            ExitCode::FAILURE
        }
    }
}
