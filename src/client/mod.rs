//! Engines of others: a process each, and the protocol as a GUI sees it.

mod command_line;
mod error;
mod group;
mod guard;
mod input;
mod launcher;
mod lines;
mod log;
mod patience;
mod player;
mod process;
mod settings;
mod thought;

pub use command_line::words;
pub use error::EngineError;
pub use guard::stand_guard;
pub use launcher::{Launcher, join_leash};
pub use log::Log;
pub use patience::Patience;
pub use player::Player;
pub use process::{Line, Process, Silence};
pub use settings::{EngineSettings, InitialOption, Timeouts};
pub use thought::Thought;
