//! The result of a search until `bestmove` is printed.

use super::console::Console;
use super::game::Game;
use super::io::Writer;
use crate::chess::{Move, Position};
use crate::notation::{CastlingStyle, UciMove};
use crate::search::{SearchResult, Signals};
use crate::uci::{GoTokens, Message};
use parking_lot::Mutex;
use std::sync::Arc;

/// A search from `go` to `bestmove`. Prints the best move once, as soon as it has been found and may be printed.
///
/// The thread that fulfills the last condition prints it: the searching thread, or the session when the GUI sends
/// `stop` or `ponderhit`. On a busy machine every switch between threads takes time, of which the clock may have little
/// left.
pub(super) struct PendingBestMove {
    writer: Arc<Writer>,
    /// The game with the position to search.
    game: Game,
    /// The notation of castling.
    style: CastlingStyle,
    /// The signals of the search: stop and ponder hit.
    signals: Arc<Signals>,
    /// Whether the `go` command has `infinite`.
    is_infinite: bool,
    /// Whether the search has no limit that ends it.
    is_unlimited: bool,
    state: Mutex<State>,
}

/// The event after which the best move is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// The end of the search.
    Now,
    /// `ponderhit` or `stop`.
    OnPonderHit,
    /// `stop`.
    OnStop,
}

struct State {
    wanted: Wanted,
    /// The result of the search after its end.
    result: Option<SearchResult>,
    is_printed: bool,
    /// The terminal of a user, until a GUI sends `uci`.
    console: Option<Console>,
}

impl PendingBestMove {
    /// The pending best move of a search that starts; `is_unlimited` if it has no limit that ends it.
    pub(super) fn new(
        writer: Arc<Writer>,
        game: Game,
        style: CastlingStyle,
        console: Option<Console>,
        go: &GoTokens,
        is_unlimited: bool,
    ) -> Self {
        let (signals, wanted) = match go {
            GoTokens { ponder: true, .. } => (Signals::pondering(), Wanted::OnPonderHit),
            _ if go.infinite || is_unlimited => (Signals::default(), Wanted::OnStop),
            _ => (Signals::default(), Wanted::Now),
        };
        Self {
            writer,
            game,
            style,
            signals: Arc::new(signals),
            is_infinite: go.infinite,
            is_unlimited,
            state: Mutex::new(State { wanted, result: None, is_printed: false, console }),
        }
    }

    /// The signals of the search: stop and ponder hit.
    pub(super) const fn signals(&self) -> &Arc<Signals> {
        &self.signals
    }

    /// The search has ended with this result.
    pub(super) fn set_result(&self, result: SearchResult) {
        self.change(|state| state.result = Some(result));
    }

    /// Stops the search, and permits its best move to be printed.
    pub(super) fn stop(&self) {
        self.signals.stop();
        self.change(|state| state.wanted = Wanted::Now);
    }

    /// The opponent has played the expected move. A search without a limit is stopped, since the GUI may never send
    /// `stop`.
    pub(super) fn ponder_hit(&self) {
        self.signals.ponder_hit();
        self.change(|state| {
            if state.wanted == Wanted::OnPonderHit {
                state.wanted = if self.is_infinite { Wanted::OnStop } else { Wanted::Now };
            }
        });
        if self.is_unlimited && !self.is_held() {
            self.signals.stop();
        }
    }

    /// The root position.
    pub(super) const fn root(&self) -> &Position {
        &self.game.position
    }

    /// The terminal of a user, until a GUI sends `uci`.
    pub(super) fn console(&self) -> Option<Console> {
        self.state.lock().console
    }

    /// Stops printing for a user, since a GUI reads the output from now on.
    pub(super) fn leave_console(&self) {
        self.state.lock().console = None;
    }

    /// Whether the search has no limit that ends it.
    pub(super) const fn is_unlimited(&self) -> bool {
        self.is_unlimited
    }

    /// Whether the best move must not be printed yet, even if the search has ended.
    pub(super) fn is_held(&self) -> bool {
        self.state.lock().wanted != Wanted::Now
    }

    /// Whether the search is pondering.
    pub(super) fn is_pondering(&self) -> bool {
        self.state.lock().wanted == Wanted::OnPonderHit
    }

    /// Whether the best move has been printed.
    pub(super) fn is_printed(&self) -> bool {
        self.state.lock().is_printed
    }

    /// Changes the state, and prints the best move if that is now due.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock();
        change(&mut state);
        if state.wanted == Wanted::Now
            && !state.is_printed
            && let Some(result) = &state.result
        {
            let ponder = ponder_move(&self.game, result);
            match state.console {
                Some(console) => {
                    self.writer.print(console.answer(&self.game.position, result.best_move, ponder));
                }
                None => {
                    let write = |mv| UciMove::new(mv, self.style).to_string();
                    let (best, ponder) = (result.best_move.map(write), ponder.map(write));
                    self.writer.print(Message::BestMove { best, ponder });
                }
            }
            state.is_printed = true;
        }
    }
}

/// The expected reply, unless it would end the game.
fn ponder_move(game: &Game, result: &SearchResult) -> Option<Move> {
    let (best, reply) = result.best_move.zip(result.ponder_move)?;
    let mut key_history = game.key_history.clone();
    let mut position = game.position;
    for mv in [best, reply] {
        position = position.play(mv).ok()?;
        key_history.push(&position);
    }
    position.outcome(&key_history).is_none().then_some(reply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::io::DebugLog;
    use crate::notation::{parse_uci_move, position_from_fen};
    use crate::search::Score;
    use std::io::{self, Write};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn result(best: Move, ponder: Option<Move>) -> SearchResult {
        SearchResult { best_move: Some(best), ponder_move: ponder, score: Score::DRAW, depth: 1, nodes: 1 }
    }

    #[test]
    fn the_reply_to_think_about_is_legal_and_leaves_something_to_do() {
        let fools_mate = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let cases = [
            ("usual", START, "e2e4", Some("e7e5"), true),
            ("none", START, "e2e4", None, false),
            ("mates", fools_mate, "g2g4", Some("d8h4"), false),
            ("leaves bare kings", "7k/8/8/8/8/8/1r6/K6R b - - 0 1", "h8g8", Some("a1b2"), true),
            ("draws", "7k/8/8/8/8/8/1r6/K7 b - - 0 1", "h8g8", Some("a1b2"), false),
        ];
        for (name, fen, best, ponder, is_kept) in cases {
            let position = position_from_fen(fen).expect(name);
            let best = parse_uci_move(best, &position).expect(name);
            let after = position.play(best).expect(name);
            let ponder = ponder.map(|text| parse_uci_move(text, &after).expect(name));
            let game = Game::new(position);
            assert_eq!(ponder_move(&game, &result(best, ponder)), ponder.filter(|_| is_kept), "{name}");
            // The other side is to move, so the best move is not a legal reply to itself.
            assert_eq!(ponder_move(&game, &result(best, Some(best))), None, "{name}");
        }
    }

    /// An output that stores its text.
    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn it_is_printed_once_when_it_is_found_and_wanted() {
        let position = position_from_fen(START).expect("the start");
        let best = parse_uci_move("e2e4", &position).expect("legal");
        let find = |pending: &PendingBestMove| pending.set_result(result(best, None));
        type Event<'a> = &'a dyn Fn(&PendingBestMove);
        let limited = GoTokens::default();
        let infinite = GoTokens { infinite: true, ..GoTokens::default() };
        let pondering = GoTokens { ponder: true, ..GoTokens::default() };
        let both = GoTokens { infinite: true, ponder: true, ..GoTokens::default() };
        let (hit, stop) = (&PendingBestMove::ponder_hit, &PendingBestMove::stop);
        // The last of the events prints the best move.
        let cases: [(&str, &GoTokens, &[Event<'_>]); 7] = [
            ("at once", &limited, &[&find]),
            ("found, then stopped", &infinite, &[&find, hit, stop]),
            ("stopped, then found", &infinite, &[stop, &find]),
            ("found, then hit", &pondering, &[&find, hit]),
            ("hit, then found", &pondering, &[hit, &find]),
            ("found, then stopped while pondering", &pondering, &[&find, stop]),
            ("hit, found, then stopped", &both, &[hit, &find, stop]),
        ];
        for (name, go, events) in cases {
            let page = Page::default();
            let writer = Arc::new(Writer::new(page.clone(), Arc::<DebugLog>::default()));
            let game = Game::new(position);
            let pending = PendingBestMove::new(writer, game, CastlingStyle::Standard, None, go, false);
            for event in events {
                assert!(!pending.is_printed(), "{name}");
                assert!(page.0.lock().is_empty(), "{name}");
                event(&pending);
            }
            pending.ponder_hit();
            pending.stop();
            assert!(pending.is_printed(), "{name}");
            assert_eq!(page.0.lock().as_slice(), b"bestmove e2e4\n", "{name}");
        }
    }
}
