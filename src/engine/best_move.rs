//! The best move of a search, until `bestmove` is printed.

use super::console::Console;
use super::game::Game;
use super::output::Writer;
use crate::chess::{Move, Position};
use crate::notation::{CastlingStyle, UciMove};
use crate::search::Report;
use crate::uci::Message;
use parking_lot::Mutex;
use std::sync::Arc;

/// Announces the best move, once, as soon as it is both found and wanted.
///
/// The thread that has the last word says it: the one that searches, or the one that hears that the move need not be
/// held back any more. On a busy machine every change of threads costs time, which a clock may be short of.
pub(super) struct Answer {
    writer: Arc<Writer>,
    /// What is searched.
    game: Game,
    /// How castling is written.
    style: CastlingStyle,
    state: Mutex<State>,
}

/// Why the best move is not wanted yet.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Hold {
    /// It is wanted only after `stop`.
    pub is_infinite: bool,
    /// It is wanted only after `ponderhit` or `stop`.
    pub is_pondering: bool,
}

impl Hold {
    /// Is there any reason?
    pub(super) const fn is_on(self) -> bool {
        self.is_infinite || self.is_pondering
    }
}

struct State {
    hold: Hold,
    /// What was found.
    report: Option<Report>,
    is_told: bool,
    /// Where a person reads it, until a GUI says `uci`.
    console: Option<Console>,
}

impl Answer {
    /// An answer about this game that is not known yet.
    pub(super) fn new(
        writer: Arc<Writer>,
        game: Game,
        style: CastlingStyle,
        console: Option<Console>,
        hold: Hold,
    ) -> Self {
        Self { writer, game, style, state: Mutex::new(State { hold, report: None, is_told: false, console }) }
    }

    /// The search is over.
    pub(super) fn find(&self, report: Report) {
        self.change(|state| state.report = Some(report));
    }

    /// Nothing is waited for any more but the end of the search.
    pub(super) fn release(&self) {
        self.change(|state| state.hold = Hold::default());
    }

    /// The opponent has played the expected move.
    pub(super) fn ponder_hit(&self) {
        self.change(|state| state.hold.is_pondering = false);
    }

    /// The position that is searched.
    pub(super) const fn root(&self) -> &Position {
        &self.game.position
    }

    /// The terminal on which a person reads, until a GUI says `uci`.
    pub(super) fn console(&self) -> Option<Console> {
        self.state.lock().console
    }

    /// No person reads it, but a GUI.
    pub(super) fn leave_console(&self) {
        self.state.lock().console = None;
    }

    /// Why it is held back, even if the search is over.
    pub(super) fn hold(&self) -> Hold {
        self.state.lock().hold
    }

    /// Has it been announced?
    pub(super) fn is_told(&self) -> bool {
        self.state.lock().is_told
    }

    /// Changes the state, and announces the move if that is due now.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock();
        change(&mut state);
        if !state.hold.is_on()
            && !state.is_told
            && let Some(report) = &state.report
        {
            let ponder = reply(&self.game, report);
            match state.console {
                Some(console) => {
                    self.writer.say(console.answer(&self.game.position, report.best, ponder));
                }
                None => {
                    let write = |mv| UciMove::new(mv, self.style).to_string();
                    let (best, ponder) = (report.best.map(write), ponder.map(write));
                    self.writer.say(Message::BestMove { best, ponder });
                }
            }
            state.is_told = true;
        }
    }
}

/// The reply to think about, which is left out if it would end the game.
fn reply(game: &Game, report: &Report) -> Option<Move> {
    let (best, reply) = report.best.zip(report.ponder)?;
    let mut line = game.line.clone();
    let mut position = game.position;
    for mv in [best, reply] {
        position = position.play(mv).ok()?;
        line.push(&position);
    }
    position.outcome(&line).is_none().then_some(reply)
}

#[cfg(test)]
mod tests {
    use super::super::output::DebugLog;
    use super::*;
    use crate::notation::{parse_uci_move, position_from_fen};
    use crate::search::Score;
    use std::io::{self, Write};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn report(best: Move, ponder: Option<Move>) -> Report {
        Report { best: Some(best), ponder, score: Score::DRAW, depth: 1, nodes: 1 }
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
            assert_eq!(reply(&game, &report(best, ponder)), ponder.filter(|_| is_kept), "{name}");
            // It is the other side's turn, so that the best move is no reply to itself.
            assert_eq!(reply(&game, &report(best, Some(best))), None, "{name}");
        }
    }

    /// Keeps what is written.
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
    fn it_is_told_once_when_it_is_found_and_wanted() {
        let position = position_from_fen(START).expect("the start");
        let best = parse_uci_move("e2e4", &position).expect("legal");
        let find = |answer: &Answer| answer.find(report(best, None));
        type Event<'a> = &'a dyn Fn(&Answer);
        let (infinite, pondering) =
            (Hold { is_infinite: true, ..Hold::default() }, Hold { is_pondering: true, ..Hold::default() });
        // The last event but the repeated ones is the one that has it told.
        let cases: [(&str, Hold, &[Event<'_>]); 6] = [
            ("at once", Hold::default(), &[&find]),
            ("found, then stopped", infinite, &[&find, &Answer::ponder_hit, &Answer::release]),
            ("stopped, then found", infinite, &[&Answer::release, &find]),
            ("found, then hit", pondering, &[&find, &Answer::ponder_hit]),
            ("hit, then found", pondering, &[&Answer::ponder_hit, &find]),
            ("found, then stopped while pondering", pondering, &[&find, &Answer::release]),
        ];
        for (name, hold, events) in cases {
            let page = Page::default();
            let writer = Arc::new(Writer::new(page.clone(), Arc::<DebugLog>::default()));
            let answer = Answer::new(writer, Game::new(position), CastlingStyle::Standard, None, hold);
            for event in events {
                assert!(!answer.is_told(), "{name}");
                assert!(page.0.lock().is_empty(), "{name}");
                event(&answer);
            }
            answer.ponder_hit();
            answer.release();
            assert!(answer.is_told(), "{name}");
            assert_eq!(page.0.lock().as_slice(), b"bestmove e2e4\n", "{name}");
        }
    }
}
