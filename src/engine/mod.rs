//! A UCI session: a thread that reads, a thread that searches, and between them the loop that
//! owns the state and does what it is told.

mod activity;
pub mod bench;
mod display;
mod driver;
mod game;
mod help;
mod limits;
mod listener;
mod network;
mod options;
mod perft;
mod reader;
mod session;
mod writer;

use session::Session;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use writer::Writer;

/// The name by which the engine introduces itself.
pub const NAME: &str = concat!("Hematite ", env!("CARGO_PKG_VERSION"));

/// Who made it, as `id author` says.
const AUTHOR: &str = "the Hematite authors";

/// Speaks UCI until `quit` or the end of the input, or until nobody listens any more.
///
/// It fails only if the machine cannot give the least that a search needs.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> ExitCode {
    let writer = Arc::new(Writer::new(output));
    let lines = match reader::spawn(input) {
        Ok(lines) => lines,
        Err(error) => {
            eprintln!("hematite: cannot start the thread that reads: {error}");
            return ExitCode::FAILURE;
        }
    };
    match Session::new(Arc::clone(&writer)) {
        Ok(session) => {
            session.run(&lines);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("hematite: {error}");
            ExitCode::FAILURE
        }
    }
}
