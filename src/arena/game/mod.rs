//! One game between two engines: the clock, the rules, and who decides when it is over.

mod adjudication;
mod clock;
mod limits;
mod play;
mod record;
mod termination;
mod time_control;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use clock::Clock;
pub use limits::Limits;
pub use play::{Game, Interrupted, Side};
pub use record::{PlayedMove, Record};
pub use termination::Termination;
pub use time_control::{TimeControl, TimeControlError, parse_seconds};
