//! The built binary as a GUI sees it: its output for its input.

mod batch;
mod books;
mod clocks;
mod endgames;
mod endings;
#[cfg(unix)]
mod files;
mod fuzz;
mod history;
mod hostile;
mod hosts;
mod interruption;
mod levels;
mod lines;
mod mates;
mod options;
mod positions;
mod protocol;
mod sequences;
#[cfg(unix)]
mod signals;
mod transcripts;
mod typed;
