//! The UCI engine: a thread that reads, a thread that searches, and between them the session, a loop that owns the
//! state and executes commands.

pub mod bench;
mod best_move;
mod console;
mod display;
mod game;
mod genfens;
mod io;
mod limits;
mod listener;
mod resources;
mod search_thread;
mod session;
mod settings;

pub use console::Console;
pub use io::NAME;
pub use session::{Environment, declarations as option_declarations};

use io::{DebugLog, Writer};
use session::Session;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// Speaks UCI until `quit`, the end of the input, an interruption, or the end of the output's reader. A running search
/// is then stopped, and its best move is printed; at the end of the input a search with a limit is finished.
///
/// Fails only if the machine lacks the memory or the threads for the smallest search.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    environment: Environment,
) -> ExitCode {
    let log = Arc::new(DebugLog::default());
    let writer = Arc::new(Writer::new(output, Arc::clone(&log)));
    let lines = match io::read_lines(input) {
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
