//! Correspondence games: EPD records and acts (PGN standard, 16.2.5.8 to 16.2.5.25).

use super::*;
use hematite::notation::{Epd, parse_epd};
use hematite::zone::{Message, MessageError, last_record};

fn record(game: &Game) -> String {
    last_record(game).unwrap_or_else(|error| panic!("{error}")).to_string()
}

fn read(game: &Game, text: &str) -> Result<Vec<Act>, MessageError> {
    let epd: Epd = parse_epd(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Message::read(game, &epd).map(|message| message.acts)
}

/// Two boards that exchange records: acts on one board are sent to the other and repeated there.
struct Wire {
    here: Table,
    there: Table,
}

impl Wire {
    fn new(table: impl Fn() -> Table) -> Self {
        Self { here: table(), there: table() }
    }

    /// Sends the latest act, and returns its record.
    fn send(&mut self, by: Actor) -> String {
        let text = record(&self.here.game);
        for act in read(&self.there.game, &text).unwrap_or_else(|error| panic!("{text}: {error}")) {
            self.there.does(by, act);
        }
        assert_eq!(self.here.game.position(), self.there.game.position(), "{text}");
        assert_eq!(self.here.game.phase(), self.there.game.phase(), "{text}");
        assert_eq!(self.here.game.draw_offer(), self.there.game.draw_offer(), "{text}");
        text
    }

    fn play(&mut self, by: Actor, act: Act) -> String {
        self.here.does(by, act);
        self.send(by)
    }
}

#[test]
fn moves_offers_and_answers_go_over_the_wire() {
    let mut wire = Wire::new(|| Table::online(""));
    assert_eq!(last_record(&wire.here.game), Err(MessageError::NothingDone));
    let first = wire.play(WHITE, mv("e2e4"));
    assert_eq!(first, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - fmvn 1; hmvc 0; rc 1; sm e4;");
    wire.play(BLACK, mv("e7e5"));
    // An offer goes with the move after which it is made.
    wire.here.does(WHITE, mv("g1f3"));
    let offer = wire.play(WHITE, Act::OfferDraw);
    assert!(offer.contains(" draw_offer; ") && offer.ends_with(" sm Nf3;"), "{offer}");
    // A move rejects it, and may offer again.
    wire.here.does(BLACK, mv("b8c6"));
    wire.play(BLACK, Act::OfferDraw);
    let accepted = wire.play(WHITE, Act::AcceptDraw);
    assert!(accepted.contains(" draw_accept; ") && !accepted.contains(" sm "), "{accepted}");
    assert_eq!(wire.there.game.ending().map(|ending| ending.reason), Some(Reason::Agreement));
}

#[test]
fn resignation_castling_promotion_and_counts() {
    let mut wire = Wire::new(|| Table::online("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 30"));
    let castled = wire.play(WHITE, mv("e1g1"));
    assert!(castled.ends_with("fmvn 30; hmvc 4; rc 1; sm O-O;"), "{castled}");
    wire.play(BLACK, mv("e8c8"));
    wire.here.does(WHITE, Act::Resign);
    assert!(wire.send(WHITE).contains(" resign;"), "it is White's move");
    let mut wire = Wire::new(|| Table::online("7k/P7/8/8/8/8/8/K7 w - - 0 1"));
    let promoted = wire.play(WHITE, mv("a7a8n"));
    assert!(promoted.ends_with(" sm a8=N;"), "{promoted}");
    let mut wire = Wire::new(|| Table::online(""));
    for text in SHUFFLE.split_whitespace() {
        let by = if wire.here.game.position().turn() == Color::White { WHITE } else { BLACK };
        wire.play(by, mv(text));
    }
    let again = wire.play(WHITE, mv("e2e4"));
    assert!(again.contains(" hmvc 4; rc 2; "), "{again}");
}

#[test]
fn a_draw_is_claimed_with_a_move() {
    let mut wire = Wire::new(|| Table::otb(""));
    let mut moves: Vec<&str> = SHUFFLE.split_whitespace().chain(SHUFFLE.split_whitespace()).collect();
    let last = moves.pop().expect("there are moves");
    for text in moves {
        let by = if wire.here.game.position().turn() == Color::White { WHITE } else { BLACK };
        wire.play(by, mv(text));
    }
    let claim = wire.play(BLACK, Act::ClaimDraw { mv: Some(entered(last)) });
    assert!(claim.contains(" draw_claim; ") && claim.ends_with(" sm Ng8;"), "{claim}");
    assert_eq!(wire.there.game.ending().map(|ending| ending.reason), Some(Reason::ThreefoldRepetition));
    // A wrong one: the move is made, and the claim stands as an offer.
    let mut wire = Wire::new(|| Table::otb(""));
    let wrong = wire.play(WHITE, Act::ClaimDraw { mv: Some(entered("g1f3")) });
    assert!(wrong.contains(" draw_claim; ") && !wrong.contains("draw_offer"), "{wrong}");
    assert_eq!(wire.there.game.draw_offer(), Some(Color::White));
}

#[test]
fn records_about_something_else_are_refused() {
    let mut table = Table::online("");
    table.does(WHITE, mv("e2e4"));
    let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    let at = |operations: &str| read(&table.game, &format!("{start} {operations}"));
    assert_eq!(at("sm e5;"), Ok(vec![mv("e7e5")]));
    assert_eq!(at("fmvn 1; hmvc 0; rc 1; sm e5;"), Ok(vec![mv("e7e5")]));
    assert_eq!(at("draw_offer; sm e5;"), Ok(vec![mv("e7e5"), Act::OfferDraw]));
    assert_eq!(at("draw_reject; sm e5;"), Ok(vec![mv("e7e5")]));
    assert_eq!(at("draw_reject;"), Ok(vec![Act::DeclineDraw]));
    assert_eq!(at("draw_accept;"), Ok(vec![Act::AcceptDraw]));
    assert_eq!(at("resign;"), Ok(vec![Act::Resign]));
    assert_eq!(at("draw_claim; sm e5;"), Ok(vec![Act::ClaimDraw { mv: Some(entered("e7e5")) }]));
    assert_eq!(at("id \"x\";"), Err(MessageError::Empty));
    assert_eq!(at("draw_offer;"), Err(MessageError::NeedsMove("draw_offer")));
    assert_eq!(at("draw_claim;"), Err(MessageError::NeedsMove("draw_claim")));
    assert_eq!(at("resign; sm e5;"), Err(MessageError::Contradiction("resign", "sm")));
    assert_eq!(at("draw_accept; resign;"), Err(MessageError::Contradiction("draw_accept", "resign")));
    let other = |opcode, found, expected| Err(MessageError::OtherCount { opcode, found, expected });
    assert_eq!(at("rc 2; sm e5;"), other("rc", 2, 1));
    assert_eq!(at("hmvc 3; sm e5;"), other("hmvc", 3, 0));
    assert_eq!(at("fmvn 9; sm e5;"), other("fmvn", 9, 1));
    let elsewhere = read(&table.game, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4;");
    assert!(matches!(elsewhere, Err(MessageError::OtherPosition(_))), "{elsewhere:?}");
    // Who resigns or accepts without having the move cannot say so in a record.
    table.does(WHITE, Act::Resign);
    assert_eq!(last_record(&table.game), Err(MessageError::NotToMove));
}

#[test]
fn who_writes_to_whom_about_which_game() {
    let table = Table::online("");
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4; tcgs 7; \
                tcri \"bob@example.org\" \"Bob\"; tcsi \"ann@example.org\" \"Ann\";";
    let epd = parse_epd(text).expect("it is EPD");
    let message = Message::read(&table.game, &epd).expect("it is about this game");
    assert_eq!(message.game.map(u32::from), Some(7));
    assert_eq!(message.sender.map(|who| who.name).as_deref(), Some("Ann"));
    assert_eq!(message.receiver.map(|who| who.address).as_deref(), Some("bob@example.org"));
}
