//! The built binary as a GUI sees it: what it says on its output for what it is told on its
//! input.

mod batch;
mod clocks;
mod endings;
mod engine;
mod hostile;
mod interruption;
mod lines;
mod options;
mod positions;
mod protocol;
