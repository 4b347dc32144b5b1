//! The playing zone: a test for each article of the Laws of Chess (1 to 3) and of the Online Chess Regulations (1 to 5)
//! that concerns a game, and properties of random games.
//!
//! Only a page can show Laws 2.1 and 2.4 and Online 2.1 to 2.4, 3.1, 3.2, 3.4 and 4.1: a board with coordinates, the
//! list of moves on the screens, help, devices, and the display of the clocks.

mod correspondence;
mod decisions;
mod laws;
mod online;
mod random;

use hematite::chess::{Color, Position};
use hematite::notation::position_from_fen;
use hematite::zone::{
    Act, Actor, Answer, Cause, Effect, EnteredMove, Event, Game, IllegalEntry, Moment, Options, Phase,
    Reason, Refusal, RuleSet, Rules,
};
use std::time::Duration;

const WHITE: Actor = Actor::White;
const BLACK: Actor = Actor::Black;

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

fn position(fen: &str) -> Position {
    position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn entered(text: &str) -> EnteredMove {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn mv(text: &str) -> Act {
    Act::Move { mv: entered(text) }
}

fn sit(name: &str) -> Act {
    Act::Sit { name: name.to_owned() }
}

/// A game whose time advances by itself: by a second before each act, unless the test states another time.
struct Table {
    game: Game,
    now: u64,
}

impl Table {
    /// A game that has started, from a FEN or from the initial position.
    fn new(fen: &str, rules: Rules) -> Self {
        let start = if fen.is_empty() { Position::start() } else { position(fen) };
        let mut table = Self { game: Game::new(start, rules), now: 0 };
        assert_eq!(table.at(0, WHITE, sit("Ann")).refusal, None);
        assert_eq!(table.at(0, BLACK, sit("Bob")).refusal, None);
        table
    }

    fn online(fen: &str) -> Self {
        Self::new(fen, Rules { time_control: "300".parse().expect("a time control"), ..Rules::default() })
    }

    fn otb(fen: &str) -> Self {
        let rules = Rules { set: RuleSet::Otb, ..Rules::default() };
        Self::new(fen, Rules { time_control: "300".parse().expect("a time control"), ..rules })
    }

    fn at(&mut self, seconds: u64, by: Actor, act: Act) -> Answer {
        self.now = 1000 * seconds;
        self.game.submit(Event { at: Moment::from_millis(self.now), by, act })
    }

    fn act(&mut self, by: Actor, act: Act) -> Answer {
        self.now += 1000;
        self.game.submit(Event { at: Moment::from_millis(self.now), by, act })
    }

    /// Performs an act that must be accepted.
    fn does(&mut self, by: Actor, act: Act) -> Vec<Effect> {
        let told = format!("{by:?} {act:?}");
        let Answer { effects, refusal } = self.act(by, act);
        assert_eq!(refusal, None, "{told}");
        effects
    }

    /// Performs an act that must be refused and leave the game unchanged.
    fn refuses(&mut self, by: Actor, act: Act) -> Refusal {
        let before = self.game.clone();
        let told = format!("{by:?} {act:?}");
        let Answer { effects, refusal } = self.act(by, act);
        assert_eq!(self.game, before, "{told}");
        assert_eq!(effects, [], "{told}");
        refusal.unwrap_or_else(|| panic!("{told} is not refused"))
    }

    /// Plays moves of both sides in turn.
    fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let by = Actor::player(self.game.position().turn());
            self.does(by, mv(text));
        }
    }

    /// The result and the reason; `*` while the game is in progress.
    fn ending(&self) -> (&'static str, Option<Reason>) {
        self.game.ending().map_or(("*", None), |ending| (ending.result(), Some(ending.reason)))
    }

    fn left(&self, color: Color) -> Option<u64> {
        self.game.clocks().left(color, Moment::from_millis(self.now)).map(|left| left.as_secs())
    }
}

fn switched_on() -> Act {
    Act::Choose {
        options: Options { smart_move: true, premove: true, auto_queen: true, confirm_move: false },
    }
}
