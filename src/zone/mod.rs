//! The playing zone: a game between two seats by FIDE's rules for online games or by those for the board.
//!
//! Events come in, with who, what and when; effects or a refusal come out. Nothing here asks for the time, writes or
//! waits: the same events give the same game, and the journal of events sets it up again. Whoever runs a [`Game`] tells
//! it the time ([`Game::advance`]) when [`Game::next_deadline`] has come, so that flags fall without anybody's help.
//!
//! What the rules leave open is decided like this:
//!
//! * A clock runs from the acceptance of the opponent's move to that of the own. White's starts when both seats are
//!   taken, or after a countdown; the first moves may be free. An increment is given after each move, before the first one
//!   only if there is no other time. A flag falls at 0; a move that arrives at that very moment, but before the fall was
//!   noticed, counts.
//! * Premoves are kept here, are charged no time, and are all dropped if the next turns out to be illegal.
//! * Who offers a draw that is offered agrees. There is no offer that can be withdrawn.
//! * Who is away loses nothing but time, unless the rules of the game let the opponent claim it.
//! * A takeback puts board and clocks back to before the move. The time that has passed stays charged to who used it.
//! * Of several endings by one move the first one counts: mate, stalemate, dead position, repetition, count of moves;
//!   and all of them before a flag.
//!
//! Not shown here, since only a page can: coordinates and shades of squares (Laws 2.1, 2.4; Online 3.1), the list of
//! moves on the screens (Online 2.3), the help (2.4), devices and ways of entering moves (3.2, 3.4), that options are
//! off by default and per player (3.6), the confirmation of a move (3.6.d) and the display of the clocks (4.1).

mod acts;
mod clock;
mod correspondence;
mod ending;
mod event;
mod game;
mod input;
mod journal;
mod rules;
mod time_control;

pub use clock::{Clocks, Moment};
pub use correspondence::{Message, MessageError, last_record};
pub use ending::{Cause, Ending, Reason};
pub use event::{Act, Actor, Effect, Event, Options, Refusal};
pub use game::{Answer, Game, Phase, Ply, ReplayError, Seat};
pub use input::{EnteredMove, EnteredMoveError, IllegalEntry, smart_move};
pub use journal::{Journal, JournalError};
pub use rules::{GIVEN_TIME, RuleSet, Rules, WRONG_CLAIM_BONUS};
pub use time_control::{Bonus, Period, TimeControl, TimeControlError};
