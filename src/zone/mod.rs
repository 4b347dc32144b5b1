//! The playing zone: a game between two seats under FIDE's rules for online games or under the Laws of Chess.
//!
//! The input is events, each with an actor, an act and a moment; the output is effects or a refusal. This module does
//! not read the clock, write, or wait: the same events always give the same game, and a game can be replayed from its
//! journal of events. The caller that runs a [`Game`] calls [`Game::advance`] with the time when
//! [`Game::next_deadline`] is reached, so that flags fall without any act of a player.
//!
//! Where the rules leave room, the zone decides as follows:
//!
//! * A clock runs from the acceptance of the opponent's move to the acceptance of the player's own move. White's clock
//!   starts when both seats are taken, or after a countdown; optionally no time is charged for the first moves. An
//!   increment is added after each move, and before the first one only if there is no other time. A flag falls at 0; a
//!   move that arrives at that moment, but before the fall was noticed, counts.
//! * If the rules allow it, the time that a player's moves need through the network is not charged, up to a limit. The
//!   caller measures it.
//! * Premoves are stored here, no time is charged for them, and all are dropped if the next one is illegal.
//! * A draw offer in reply to a draw offer accepts it. Offers cannot be withdrawn.
//! * A player who is away loses only time, unless the rules of the game allow the opponent to claim it.
//! * A takeback resets board and clocks to the state before the move. The time that has passed remains charged to the
//!   player who used it.
//! * Of several endings by one move, the first applies: checkmate, stalemate, dead position, repetition, count of
//!   moves; all of them precede a flag.
//!
//! Some requirements concern only the page and are not implemented here: coordinates and shades of squares (Laws 2.1,
//! 2.4; Online 3.1), the list of moves on the screens (Online 2.3), the help (2.4), devices and ways of entering moves
//! (3.2, 3.4), options that are off by default and separate for each player (3.6), the confirmation of a move (3.6.d)
//! and the display of the clocks (4.1).

mod acts;
mod clock;
mod correspondence;
mod electronic_board;
mod ending;
mod event;
mod game;
mod input;
mod journal;
mod rules;
mod time_control;

pub use clock::{Clocks, Moment};
pub use correspondence::{Message, MessageError, last_record};
pub use electronic_board::{BoardPieces, BoardPiecesError, SquareDifference};
pub use ending::{Cause, Ending, Reason};
pub use event::{Act, Actor, Effect, Event, Options, Refusal};
pub use game::{Answer, Game, Phase, Ply, ReplayError, Seat};
pub use input::{EnteredMove, EnteredMoveError, IllegalEntry, smart_move};
pub use journal::{Journal, JournalError};
pub use rules::{GIVEN_TIME, RuleSet, Rules, WRONG_CLAIM_BONUS};
pub use time_control::{Bonus, Period, TimeControl, TimeControlError};
