//! A UCI session: a thread that reads, a thread that searches, and between them the loop that
//! owns the state and does what it is told.

mod about;
pub mod bench;
mod best_move;
mod console;
mod display;
mod game;
mod genfens;
mod limits;
mod listener;
mod output;
mod reader;
mod resources;
mod search_thread;
mod session;
mod settings;
mod strength;

pub use about::NAME;
pub use console::Console;
pub use session::Environment;

use output::{DebugLog, Writer};
use session::Session;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// Speaks UCI until `quit`, the end of the input or an interruption, or until nobody listens any
/// more. A search that is under way then is ended, and its best move is told.
///
/// It fails only if the machine cannot give the least that a search needs.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    environment: Environment,
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
    match Session::new(writer, Arc::clone(&log), environment) {
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
