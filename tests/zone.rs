//! The playing zone: a test for each article of the Laws of Chess (1 to 3) and of the Online Chess Regulations (1 to 5)
//! that concerns a game, and properties of random games.
//!
//! Only a page can show Laws 2.1 and 2.4 and Online 2.1 to 2.4, 3.1, 3.2, 3.4 and 4.1: a board with coordinates, the
//! list of moves on the screens, help, devices, and the display of the clocks.

use hematite::chess::{Color, Position};
use hematite::notation::position_from_fen;
use hematite::zone::{
    Act, Actor, Answer, Cause, Effect, EnteredMove, Event, Game, IllegalEntry, Moment, Options, Phase,
    Reason, Refusal, RuleSet, Rules,
};
use proptest::prelude::*;
use std::time::Duration;

const WHITE: Actor = Actor::White;
const BLACK: Actor = Actor::Black;

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

/// A game whose time goes on by itself: a second before each act unless something else is said.
struct Table {
    game: Game,
    now: u64,
}

impl Table {
    /// A game that has begun, from a FEN or from the start.
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

    /// Something that must be possible.
    fn does(&mut self, by: Actor, act: Act) -> Vec<Effect> {
        let told = format!("{by:?} {act:?}");
        let Answer { effects, refusal } = self.act(by, act);
        assert_eq!(refusal, None, "{told}");
        effects
    }

    /// Something that must be refused, and change nothing.
    fn refuses(&mut self, by: Actor, act: Act) -> Refusal {
        let before = self.game.clone();
        let told = format!("{by:?} {act:?}");
        let Answer { effects, refusal } = self.act(by, act);
        assert_eq!(self.game, before, "{told}");
        assert_eq!(effects, [], "{told}");
        refusal.unwrap_or_else(|| panic!("{told} is not refused"))
    }

    /// Moves of both sides in turn.
    fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let by = Actor::player(self.game.position().turn());
            self.does(by, mv(text));
        }
    }

    /// The result and the reason; `*` while the game goes on.
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

// Laws of Chess, articles 1 to 3

#[test]
fn laws_1_1_and_1_2_white_moves_first_and_then_they_alternate() {
    let mut table = Table::online("");
    assert_eq!(table.refuses(BLACK, mv("e7e5")), Refusal::NotYourTurn);
    assert_eq!(table.refuses(Actor::Spectator, mv("e2e4")), Refusal::NotYours);
    assert_eq!(table.refuses(Actor::Arbiter, mv("e2e4")), Refusal::NotYours);
    table.play("e2e4");
    assert_eq!(table.refuses(WHITE, mv("d2d4")), Refusal::NotYourTurn);
    table.play("e7e5");
}

#[test]
fn laws_1_3_who_has_the_move_is_known_from_accepted_moves_only() {
    let mut table = Table::online("");
    assert!(matches!(table.refuses(WHITE, mv("e2e5")), Refusal::IllegalMove(_)));
    assert_eq!(table.game.position().turn(), Color::White);
    assert_eq!(table.refuses(BLACK, mv("e7e5")), Refusal::NotYourTurn);
}

#[test]
fn laws_1_4_1_nobody_exposes_a_king_or_captures_one() {
    let cases = [
        ("4r3/8/8/8/8/8/4B3/4K2k w - - 0 1", "e2d3", IllegalEntry::KingAttacked),
        ("4r3/8/8/8/8/8/8/4K2k w - - 0 1", "e1e2", IllegalEntry::KingAttacked),
        ("8/8/8/8/8/8/8/r3K2k w - - 0 1", "e1f1", IllegalEntry::KingAttacked),
    ];
    for (fen, text, problem) in cases {
        let refusal = Table::online(fen).refuses(WHITE, mv(text));
        assert_eq!(refusal, Refusal::IllegalMove(problem), "{fen}");
        assert!(refusal.to_string().contains("under attack"), "{refusal}");
    }
}

#[test]
fn laws_1_4_2_who_is_mated_has_lost() {
    let mut table = Table::online("");
    table.play("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(table.ending(), ("0-1", Some(Reason::Checkmate)));
}

#[test]
fn laws_1_4_3_the_game_is_drawn_if_neither_can_mate() {
    let mut table = Table::online("8/8/8/4k3/8/8/4p3/4K3 w - - 0 1");
    table.play("e1e2");
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::DeadPosition)));
}

#[test]
fn laws_2_2_and_2_3_a_game_starts_with_sixteen_pieces_each() {
    let table = Table::online("");
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(*table.game.position(), start);
    assert_eq!(table.game.legal_moves().len(), 20);
}

#[test]
fn laws_3_1_nobody_moves_onto_an_own_piece_and_pinned_pieces_attack() {
    let mut table = Table::online("");
    assert!(matches!(table.refuses(WHITE, mv("d1d2")), Refusal::IllegalMove(IllegalEntry::OwnPiece(_))));
    // The knight on e3 is pinned, and attacks f1 all the same.
    let mut table = Table::online("4k3/8/8/8/8/4n3/8/4R1K1 w - - 0 1");
    assert_eq!(table.refuses(WHITE, mv("g1f1")), Refusal::IllegalMove(IllegalEntry::KingAttacked));
    table.play("e1e3");
    assert_eq!(table.game.position().occupied().count(), 3);
}

#[test]
fn laws_3_2_to_3_6_pieces_move_in_their_ways_and_not_over_others() {
    let mut table = Table::online("");
    for text in ["c1e3", "a1a3", "d1d3", "b1b3", "f1a6"] {
        assert!(
            matches!(table.refuses(WHITE, mv(text)), Refusal::IllegalMove(IllegalEntry::NotItsMove(_))),
            "{text}"
        );
    }
    table.play("b1c3");
}

#[test]
fn laws_3_7_1_to_3_7_3_pawns_move_forward_and_capture_diagonally() {
    let mut table = Table::online("");
    for text in ["e2e5", "e2d3", "e2e1"] {
        assert!(matches!(table.refuses(WHITE, mv(text)), Refusal::IllegalMove(_)), "{text}");
    }
    table.play("e2e4 d7d5");
    assert!(matches!(table.refuses(WHITE, mv("e4e6")), Refusal::IllegalMove(_)), "no longer its first move");
    table.play("e4d5");
}

#[test]
fn laws_3_7_3_2_en_passant_is_possible_only_at_once() {
    let mut table = Table::online("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    table.play("d7d5");
    let mut later = Table { game: table.game.clone(), now: table.now };
    table.play("e5d6");
    assert_eq!(table.game.position().occupied().count(), 3);
    later.play("e1e2 e8e7");
    assert!(matches!(later.refuses(WHITE, mv("e5d6")), Refusal::IllegalMove(_)));
}

#[test]
fn laws_3_7_3_3_to_5_without_a_choice_no_move_is_made_and_the_clock_runs_on() {
    let mut table = Table::online("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(table.refuses(WHITE, mv("a7a8")), Refusal::IllegalMove(IllegalEntry::NoPromotion));
    assert_eq!(table.game.clocks().running(), Some(Color::White));
    for role in ["q", "r", "b", "n"] {
        let mut table = Table { game: table.game.clone(), now: table.now };
        table.does(WHITE, mv(&format!("a7a8{role}")));
    }
    // The effect is at once: the new queen mates.
    let mut table = Table::online("7k/P5pp/8/8/8/8/8/K7 w - - 0 1");
    table.play("a7a8q");
    assert_eq!(table.ending(), ("1-0", Some(Reason::Checkmate)));
    assert!(matches!(
        Table::online("").refuses(WHITE, mv("e2e4q")),
        Refusal::IllegalMove(IllegalEntry::FalsePromotion)
    ));
}

#[test]
fn laws_3_8_a_king_castles_by_two_squares_or_onto_the_rook() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in ["e1g1", "e1h1", "e1c1", "e1a1"] {
        let mut table = Table::online(fen);
        table.play(text);
        assert!(table.game.plies()[0].mv.is_castle(), "{text}");
    }
}

#[test]
fn laws_3_8_2_1_the_right_to_castle_is_lost_by_moving() {
    let mut table = Table::online("r3k2r/p7/8/8/8/8/P7/R3K2R w KQkq - 0 1");
    table.play("e1e2 a7a6 e2e1 a6a5");
    assert_eq!(table.refuses(WHITE, mv("e1g1")), Refusal::IllegalMove(IllegalEntry::Castling));
    let mut table = Table::online("r3k2r/p7/8/8/8/8/P7/R3K2R w KQkq - 0 1");
    table.play("h1h2 a7a6 h2h1 a6a5");
    assert_eq!(table.refuses(WHITE, mv("e1g1")), Refusal::IllegalMove(IllegalEntry::Castling));
    table.play("e1c1");
}

#[test]
fn laws_3_8_2_2_castling_is_prevented_for_the_time_being() {
    for (name, fen) in [
        ("in check", "k3r3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("across an attacked square", "k4r2/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("to an attacked square", "k5r1/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("over a piece", "k7/8/8/8/8/8/8/4K1NR w K - 0 1"),
    ] {
        let refusal = Table::online(fen).refuses(WHITE, mv("e1h1"));
        assert_eq!(refusal, Refusal::IllegalMove(IllegalEntry::Castling), "{name}");
    }
}

#[test]
fn laws_3_9_a_check_must_be_answered() {
    let mut table = Table::online("4k3/8/8/8/7b/8/8/R3K3 w - - 0 1");
    assert!(table.game.position().is_check());
    assert_eq!(table.refuses(WHITE, mv("a1a8")), Refusal::IllegalMove(IllegalEntry::KingAttacked));
    table.play("e1d1");
}

#[test]
fn laws_3_10_only_legal_moves_are_offered_and_accepted() {
    let mut table = Table::online("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    assert_eq!(table.game.legal_moves().len(), 48);
    for legal in table.game.legal_moves() {
        let mut table = Table { game: table.game.clone(), now: table.now };
        table.does(WHITE, Act::Move { mv: legal });
    }
    assert!(matches!(table.refuses(WHITE, mv("a1a8")), Refusal::IllegalMove(_)));
}

#[test]
fn laws_3_10_3_a_position_that_cannot_be_is_refused_before_the_game() {
    assert!(
        position_from_fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").is_err(),
        "Black is in check and White to move"
    );
}

// Online Chess Regulations

#[test]
fn online_1_3_there_is_no_touch_move_and_no_claim() {
    let mut table = Table::online("");
    assert!(matches!(table.refuses(WHITE, mv("e2e5")), Refusal::IllegalMove(_)));
    table.play("d2d4");
    assert_eq!(table.refuses(BLACK, Act::ClaimDraw { mv: None }), Refusal::NotInRules);
}

#[test]
fn online_3_3_and_3_5_forged_late_and_doubled_moves_change_nothing() {
    let mut table = Table::online("");
    for by in [BLACK, Actor::WhiteAssistant, Actor::Arbiter, Actor::Spectator, Actor::Zone] {
        table.refuses(by, mv("e2e4"));
    }
    for act in [Act::Flag, Act::Begin] {
        assert_eq!(table.refuses(Actor::Zone, act.clone()), Refusal::NotYours);
        assert_eq!(table.refuses(WHITE, act), Refusal::NotYours);
    }
    table.play("e2e4");
    table.refuses(WHITE, mv("e2e4"));
    assert_eq!(table.game.clocks().running(), Some(Color::Black));
    table.play("e7e5");
    table.does(WHITE, Act::Resign);
    assert_eq!(table.refuses(WHITE, mv("g1f3")), Refusal::Over);
}

#[test]
fn online_3_6_options_are_off_until_a_player_switches_them_on() {
    let mut table = Table::online("");
    assert_eq!(table.game.seat(Color::White).options, Options::default());
    table.does(WHITE, switched_on());
    assert_eq!(table.game.seat(Color::Black).options, Options::default());
    assert_eq!(table.does(WHITE, switched_on())[0].private_to(), Some(Color::White));
}

#[test]
fn online_3_6_a_one_square_is_enough_if_one_move_involves_it() {
    let mut table = Table::online("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    let smart = |table: &Table, square: &str| {
        table.game.smart_move(Color::White, square.parse().expect("a square")).map(|mv| mv.to_string())
    };
    assert_eq!(smart(&table, "b2"), None, "it is off");
    let options = Options { smart_move: true, ..Options::default() };
    table.does(WHITE, Act::Choose { options });
    assert_eq!(smart(&table, "b2").as_deref(), Some("a1b2"));
    assert_eq!(smart(&table, "a1"), None, "three moves");
    assert_eq!(smart(&table, "a8"), None, "four promotions");
    table.does(WHITE, switched_on());
    assert_eq!(smart(&table, "a8").as_deref(), Some("a7a8q"));
    let mut table = Table::online("6k1/8/8/8/8/8/P7/4K2R w K - 0 1");
    table.does(WHITE, switched_on());
    assert_eq!(smart(&table, "c1"), None);
    assert_eq!(table.game.smart_move(Color::Black, "h8".parse().expect("a square")), None);
}

#[test]
fn online_3_6_b_a_premove_answers_at_once_and_is_dropped_if_illegal() {
    let mut table = Table::online("");
    assert_eq!(table.refuses(BLACK, Act::Premove { mv: entered("e7e5") }), Refusal::NotInRules);
    table.does(BLACK, switched_on());
    let effects = table.does(BLACK, Act::Premove { mv: entered("e7e5") });
    assert!(effects.iter().all(|effect| effect.private_to() == Some(Color::Black)));
    let effects = table.does(WHITE, mv("e2e4"));
    assert!(matches!(
        effects[..],
        [Effect::Moved { premove: false, .. }, Effect::Moved { premove: true, .. }]
    ));
    assert_eq!(table.left(Color::Black), Some(300), "it takes no time");
    // It can be taken back, and an illegal one is dropped.
    table.does(BLACK, Act::Premove { mv: entered("d7d5") });
    table.does(BLACK, Act::CancelPremove);
    table.play("g1f3");
    assert_eq!(table.refuses(BLACK, Act::Premove { mv: entered("d7d5") }), Refusal::YourTurn);
    table.play("b8c6");
    table.does(BLACK, Act::Premove { mv: entered("e5d4") });
    let effects = table.does(WHITE, mv("f1c4"));
    assert_eq!(effects[1], Effect::PremoveDropped { side: Color::Black });
    assert_eq!(table.game.position().turn(), Color::Black);
}

#[test]
fn online_3_6_c_a_pawn_becomes_a_queen_by_itself_if_wanted() {
    let mut table = Table::online("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    table.does(WHITE, switched_on());
    let mut rook = Table { game: table.game.clone(), now: table.now };
    table.play("a7a8");
    assert_eq!(table.game.plies()[0].mv.promotion().map(|role| role.letter()), Some('q'));
    rook.play("a7a8r");
    assert_eq!(rook.game.plies()[0].mv.promotion().map(|role| role.letter()), Some('r'));
}

#[test]
fn online_3_6_d_the_flag_falls_while_a_move_waits_for_confirmation() {
    let mut table = Table::online("");
    table.does(WHITE, Act::Choose { options: Options { confirm_move: true, ..Options::default() } });
    let answer = table.at(301, WHITE, mv("e2e4"));
    assert_eq!(answer.refusal, Some(Refusal::Over));
    assert_eq!(table.ending(), ("0-1", Some(Reason::TimeForfeit)));
}

#[test]
fn online_3_7_moves_and_clock_times_are_recorded() {
    let mut table = Table::online("");
    table.at(7, WHITE, mv("e2e4"));
    table.at(18, BLACK, mv("e7e5"));
    let seconds: Vec<_> = table
        .game
        .plies()
        .iter()
        .map(|ply| (ply.spent.as_secs(), ply.left.map(|left| left.map(|left| left.as_secs()))))
        .collect();
    assert_eq!(seconds, [(7, [Some(293), Some(300)]), (11, [Some(293), Some(289)])]);
    assert_eq!(table.game.journal().len(), 4);
}

#[test]
fn online_3_8_an_assistant_moves_if_the_arbiter_allows_it() {
    let mut table = Table::online("");
    let allow = Act::AllowAssistant { side: Color::White, name: "Eve".to_owned() };
    assert_eq!(table.refuses(Actor::WhiteAssistant, mv("e2e4")), Refusal::NotYours);
    assert_eq!(table.refuses(WHITE, allow.clone()), Refusal::NotYours);
    table.does(Actor::Arbiter, allow);
    assert_eq!(table.refuses(Actor::WhiteAssistant, Act::Resign), Refusal::NotYours);
    assert_eq!(table.refuses(Actor::BlackAssistant, mv("e2e4")), Refusal::NotYours);
    table.does(Actor::WhiteAssistant, mv("e2e4"));
}

#[test]
fn online_4_2_a_move_stops_one_clock_and_starts_the_other() {
    let mut table = Table::online("");
    assert_eq!(table.game.clocks().running(), Some(Color::White));
    table.at(10, WHITE, mv("e2e4"));
    assert_eq!(table.game.clocks().running(), Some(Color::Black));
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(290), Some(300)));
    table.now += 5000;
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(290), Some(295)));
}

#[test]
fn online_4_3_moves_are_to_be_made_in_time_with_more_after_each() {
    let mut table =
        Table::new("", Rules { time_control: "2/10:5+1".parse().expect("one"), ..Rules::default() });
    table.at(4, WHITE, mv("e2e4"));
    table.at(5, BLACK, mv("e7e5"));
    assert_eq!(table.game.clocks().moves_to_go(Color::White), Some(1));
    table.at(7, WHITE, mv("g1f3"));
    assert_eq!(table.left(Color::White), Some(4 + 5));
    table.at(8, BLACK, mv("b8c6"));
    table.at(10, WHITE, mv("f1b5"));
    assert_eq!(table.left(Color::White), Some(9 - 2 + 1));
    let mut late =
        Table::new("", Rules { time_control: "2/10:5+1".parse().expect("one"), ..Rules::default() });
    late.at(4, WHITE, mv("e2e4"));
    late.at(5, BLACK, mv("e7e5"));
    late.at(12, WHITE, mv("g1f3"));
    assert_eq!(late.ending(), ("0-1", Some(Reason::TimeForfeit)));
}

#[test]
fn online_4_4_who_is_out_of_time_loses_unless_the_opponent_cannot_mate() {
    // The side to move is out of time.
    let cases = [
        ("a bare king", "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", false),
        ("a knight, own king alone", "4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", false),
        ("a knight, own queen", "4k1n1/8/8/8/8/8/8/2Q1K3 w - - 0 1", false),
        ("a knight, own rook", "4k1n1/8/8/8/8/8/8/2R1K3 w - - 0 1", true),
        ("a knight, own bishop", "4k1n1/8/8/8/8/8/8/2B1K3 w - - 0 1", true),
        ("a knight, own knight", "4k1n1/8/8/8/8/8/8/2N1K3 w - - 0 1", true),
        ("a knight, own pawn", "4k1n1/8/8/8/8/8/2P5/4K3 w - - 0 1", true),
        ("a bishop, own queen", "4kb2/8/8/8/8/8/8/2Q1K3 w - - 0 1", false),
        ("a bishop, own rook", "4kb2/8/8/8/8/8/8/2R1K3 w - - 0 1", false),
        ("a bishop, own pawn", "4kb2/8/8/8/8/8/2P5/4K3 w - - 0 1", true),
        ("a bishop, own knight", "4kb2/8/8/8/8/8/8/2N1K3 w - - 0 1", true),
        ("a bishop, own bishop of the other shade", "4kb2/8/8/8/8/8/8/3BK3 w - - 0 1", true),
        ("two knights", "4knn1/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("a pawn", "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1", true),
        ("a bishop behind a wall", "4kb2/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K2R w - - 0 1", true),
        ("forced moves", "6qk/8/5Q2/8/8/8/8/K7 b - - 0 1", true),
    ];
    for (name, fen, loses) in cases {
        let mut table = Table::online(fen);
        if table.game.ending().is_some() {
            assert!(!loses, "{name}: a dead position");
            continue;
        }
        let turn = table.game.position().turn();
        assert_eq!(table.game.next_deadline(), Some(Moment::from_millis(300_000)), "{name}");
        assert_eq!(table.game.advance(Moment::from_millis(299_999)), [], "{name}");
        assert_eq!(table.game.advance(Moment::from_millis(300_000)).len(), 1, "{name}");
        let (result, reason) = table.ending();
        if loses {
            let expected = if turn == Color::White { "0-1" } else { "1-0" };
            assert_eq!((result, reason), (expected, Some(Reason::TimeForfeit)), "{name}");
        } else {
            assert_eq!((result, reason), ("1/2-1/2", Some(Reason::DrawnTimeForfeit)), "{name}");
        }
        assert_eq!(table.refuses(Actor::player(turn), Act::Resign), Refusal::Over, "{name}");
    }
}

#[test]
fn online_4_4_of_a_flag_and_a_mate_at_once_the_first_to_arrive_counts() {
    let mate = || {
        let mut table = Table::online("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        table.now = 300_000;
        table
    };
    let mut first = mate();
    first.at(300, WHITE, mv("a1a8"));
    assert_eq!(first.ending(), ("1-0", Some(Reason::Checkmate)));
    assert_eq!(first.game.advance(Moment::from_millis(999_000)), []);
    let mut late = mate();
    late.game.advance(Moment::from_millis(300_000));
    assert_eq!(late.at(300, WHITE, mv("a1a8")).refusal, Some(Refusal::Over));
    assert_eq!(late.ending(), ("1/2-1/2", Some(Reason::DrawnTimeForfeit)), "a bare king never mates");
    assert_eq!(late.game.journal().last().map(|event| &event.act), Some(&Act::Flag));
}

#[test]
fn online_5_1_a_mate_ends_the_game_at_once() {
    let mut table = Table::online("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    table.play("a1a8");
    assert_eq!(table.ending(), ("1-0", Some(Reason::Checkmate)));
    assert_eq!(table.refuses(BLACK, mv("h8g8")), Refusal::Over);
    assert_eq!((table.game.next_deadline(), table.game.clocks().running()), (None, None));
}

#[test]
fn online_5_2_who_resigns_has_lost_also_off_turn() {
    for (by, result) in [(WHITE, "0-1"), (BLACK, "1-0")] {
        let mut table = Table::online("");
        table.does(by, Act::Resign);
        assert_eq!(table.ending(), (result, Some(Reason::Resignation)));
        assert_eq!(table.refuses(by, Act::Resign), Refusal::Over);
    }
    let rook = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let mut table = Table::online(rook);
    table.does(WHITE, Act::Resign);
    assert_eq!(table.ending(), ("0-1", Some(Reason::Resignation)), "the online rules have no exception");
    let mut table = Table::otb(rook);
    table.does(WHITE, Act::Resign);
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::DrawnResignation)), "Laws 5.1.2");
}

#[test]
fn online_5_3_a_draw_offer_stays_until_the_opponent_answers_or_moves() {
    let mut table = Table::online("");
    assert_eq!(table.refuses(BLACK, Act::AcceptDraw), Refusal::NothingOffered);
    table.does(WHITE, Act::OfferDraw);
    assert_eq!(table.refuses(WHITE, Act::OfferDraw), Refusal::AlreadyOffered);
    assert_eq!(table.refuses(WHITE, Act::AcceptDraw), Refusal::NothingOffered);
    assert_eq!(table.refuses(BLACK, Act::DeclineDraw), Refusal::NotInRules);
    table.play("e2e4");
    assert_eq!(table.game.draw_offer(), Some(Color::White), "the own move does not end it");
    let mut agreed = Table { game: table.game.clone(), now: table.now };
    agreed.does(BLACK, Act::AcceptDraw);
    assert_eq!(agreed.ending(), ("1/2-1/2", Some(Reason::Agreement)));
    let mut both = Table { game: table.game.clone(), now: table.now };
    both.does(BLACK, Act::OfferDraw);
    assert_eq!(both.ending(), ("1/2-1/2", Some(Reason::Agreement)), "who offers what is offered agrees");
    let effects = table.does(BLACK, mv("e7e5"));
    assert_eq!(effects[1], Effect::DrawOfferEnded { side: Color::White });
    assert_eq!(table.game.draw_offer(), None);
    let mut table = Table::new("", Rules { decline: true, ..Rules::default() });
    table.does(WHITE, Act::OfferDraw);
    table.does(BLACK, Act::DeclineDraw);
    assert_eq!(table.game.draw_offer(), None);
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn online_5_4_1_the_third_occurrence_is_a_draw_at_once() {
    let mut table = Table::online("");
    table.play(&SHUFFLE.repeat(2)[..SHUFFLE.len() * 2 - 5]);
    assert_eq!(table.ending().0, "*");
    table.play("f6g8");
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::ThreefoldRepetition)), "the start counts");
    // Rights to castle make positions different.
    let mut table = Table::online("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
    table.play("h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8");
    assert_eq!(table.ending().0, "*");
    table.play("h1h2");
    assert_eq!(table.ending().0, "*");
    table.play("a8a7");
    assert_eq!(table.ending().1, Some(Reason::ThreefoldRepetition));
}

#[test]
fn online_5_4_2_stalemate_is_a_draw() {
    let mut table = Table::online("7k/5Q2/8/8/8/8/8/K7 w - - 0 1");
    table.play("f7g6");
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::Stalemate)));
}

#[test]
fn online_5_4_3_a_dead_position_is_a_draw() {
    for (name, fen, text) in [
        ("the last piece falls", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2"),
        ("the last piece before a wall falls", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/4r3/4K3 w - - 0 1", "e1e2"),
        ("a capture is forced", "7k/5K2/7P/8/8/8/8/8 w - - 0 1", "h6h7"),
    ] {
        let mut table = Table::online(fen);
        assert_eq!(table.ending().0, "*", "{name}");
        table.play(text);
        assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::DeadPosition)), "{name}");
    }
    assert_eq!(
        Table::online("4k3/8/8/8/8/8/8/4K3 w - - 0 1").ending().1,
        Some(Reason::DeadPosition),
        "from the start"
    );
}

#[test]
fn online_5_4_4_fifty_moves_without_progress_are_a_draw_unless_they_mate() {
    let mut table = Table::online("7k/8/8/8/8/8/8/R3K3 w - - 98 80");
    table.play("a1a2");
    assert_eq!(table.ending().0, "*");
    table.play("h8g8");
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::FiftyMoves)));
    let mut table = Table::online("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    table.play("a1a8");
    assert_eq!(table.ending(), ("1-0", Some(Reason::Checkmate)));
}

#[test]
fn result_and_reason_are_recorded() {
    let mut table = Table::online("");
    table.does(WHITE, Act::Resign);
    let ending = table.game.ending().expect("it is over");
    assert_eq!(
        (ending.result(), ending.reason.name(), ending.reason.tag()),
        ("0-1", "resignation", "normal")
    );
}

// Over the board

#[test]
fn laws_9_2_and_9_3_draws_are_claimed_also_with_an_intended_move() {
    let claim = |text: Option<&str>| Act::ClaimDraw { mv: text.map(entered) };
    let mut table = Table::otb("");
    table.play(&SHUFFLE.repeat(2)[..SHUFFLE.len() * 2 - 5]);
    assert_eq!(table.refuses(WHITE, claim(None)), Refusal::NotYourTurn);
    let mut intended = Table { game: table.game.clone(), now: table.now };
    intended.does(BLACK, claim(Some("f6g8")));
    assert_eq!(intended.ending(), ("1/2-1/2", Some(Reason::ThreefoldRepetition)));
    table.play("f6g8");
    assert_eq!(table.ending().0, "*", "it is not automatic");
    table.does(WHITE, claim(None));
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::ThreefoldRepetition)));
    let mut table = Table::otb("7k/8/8/8/8/8/8/R3K3 w - - 99 80");
    table.does(WHITE, claim(Some("a1a2")));
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::FiftyMoves)));
}

#[test]
fn laws_9_5_3_a_wrong_claim_gives_the_opponent_time_and_the_move_is_made() {
    let mut table = Table::otb("");
    table.at(10, WHITE, Act::ClaimDraw { mv: Some(entered("e2e4")) });
    assert_eq!(table.game.plies().len(), 1);
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(290), Some(420)));
    assert_eq!(table.game.draw_offer(), Some(Color::White), "Laws 9.1.2.3");
    table.play("e7e5");
    table.does(WHITE, Act::OfferDraw);
    table.does(BLACK, Act::AcceptDraw);
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::Agreement)));
}

#[test]
fn laws_5_2_3_nobody_agrees_to_a_draw_before_both_have_moved() {
    let mut table = Table::otb("");
    table.does(WHITE, Act::OfferDraw);
    assert_eq!(table.refuses(BLACK, Act::AcceptDraw), Refusal::TooEarly);
}

#[test]
fn laws_9_6_five_occurrences_and_75_moves_end_the_game() {
    let mut table = Table::otb("");
    table.play(&SHUFFLE.repeat(4));
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::FivefoldRepetition)));
    let mut table = Table::otb("7k/8/8/8/8/8/8/R3K3 w - - 149 80");
    table.play("a1a2");
    assert_eq!(table.ending(), ("1/2-1/2", Some(Reason::SeventyFiveMoves)));
}

// Decisions

#[test]
fn a_game_begins_when_both_are_there_or_after_a_countdown() {
    let rules = Rules { countdown: Duration::from_secs(5), ..Table::online("").game.rules().clone() };
    let mut table = Table { game: Game::new(Position::start(), rules), now: 0 };
    table.at(1, WHITE, sit("Ann"));
    assert_eq!(table.refuses(WHITE, mv("e2e4")), Refusal::NotBegun);
    assert_eq!(table.refuses(WHITE, sit("Ann")), Refusal::SeatTaken);
    assert_eq!(table.refuses(BLACK, mv("e7e5")), Refusal::NotYours);
    assert_eq!(table.refuses(BLACK, sit("  ")), Refusal::Name);
    table.at(10, BLACK, sit("Bob"));
    assert_eq!(table.game.phase(), Phase::Countdown(Moment::from_millis(15_000)));
    let effects = table.at(15, WHITE, mv("e2e4")).effects;
    assert_eq!(effects[0], Effect::Began);
    assert_eq!(table.left(Color::White), Some(300));
}

#[test]
fn first_moves_may_be_free() {
    let mut table = Table::online("");
    let rules = Rules { first_moves_free: true, ..table.game.rules().clone() };
    table = Table::new("", rules);
    table.at(100, WHITE, mv("e2e4"));
    table.at(500, BLACK, mv("e7e5"));
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(300), Some(300)));
    table.at(510, WHITE, mv("g1f3"));
    assert_eq!(table.left(Color::White), Some(290));
}

#[test]
fn games_are_aborted_before_both_have_moved() {
    let mut table = Table::online("");
    table.play("e2e4");
    let mut aborted = Table { game: table.game.clone(), now: table.now };
    aborted.does(BLACK, Act::Abort);
    assert_eq!(aborted.ending(), ("*", Some(Reason::Aborted)));
    table.play("e7e5");
    assert_eq!(table.refuses(WHITE, Act::Abort), Refusal::TooLate);
    table.does(Actor::Arbiter, Act::Abort);
}

#[test]
fn an_abandoned_game_can_be_claimed_if_the_rules_say_so() {
    let mut table = Table::online("");
    table.does(WHITE, Act::Disconnect);
    assert_eq!(table.refuses(BLACK, Act::ClaimAbandoned { draw: false }), Refusal::NotInRules);
    let rules = Rules { abandonment: Some(Duration::from_secs(60)), ..table.game.rules().clone() };
    let mut table = Table::new("", rules);
    assert_eq!(table.refuses(BLACK, Act::ClaimAbandoned { draw: false }), Refusal::TooEarly);
    table.at(10, WHITE, Act::Disconnect);
    table.at(30, WHITE, Act::Disconnect);
    table.at(69, BLACK, Act::ClaimAbandoned { draw: false });
    assert_eq!(table.ending().0, "*");
    table.at(70, BLACK, Act::ClaimAbandoned { draw: false });
    assert_eq!(table.ending(), ("0-1", Some(Reason::Abandonment)));
}

#[test]
fn the_arbiter_pauses_adds_time_and_decides() {
    let mut table = Table::online("");
    table.at(10, Actor::Arbiter, Act::Pause);
    assert_eq!(table.refuses(WHITE, mv("e2e4")), Refusal::Paused);
    assert_eq!(table.game.next_deadline(), None);
    table.at(1000, Actor::Arbiter, Act::Resume);
    table.at(1005, Actor::Arbiter, Act::AddTime { side: Color::White, time: Duration::from_secs(60) });
    assert_eq!(table.left(Color::White), Some(300 - 15 + 60));
    assert_eq!(table.refuses(BLACK, Act::Pause), Refusal::NotYours);
    table.does(Actor::Arbiter, Act::Adjudicate { winner: Some(Color::Black), cause: Cause::RulesInfraction });
    let ending = table.game.ending().expect("it is over");
    assert_eq!((ending.result(), ending.reason.tag()), ("0-1", "rules infraction"));
}

#[test]
fn takebacks_are_agreed_upon_in_casual_games() {
    assert_eq!(Table::online("").refuses(WHITE, Act::OfferTakeback), Refusal::NotInRules);
    let mut table = Table::online("");
    let rules = Rules { casual: true, ..table.game.rules().clone() };
    table = Table::new("", rules);
    assert_eq!(table.refuses(WHITE, Act::OfferTakeback), Refusal::TooEarly);
    table.at(10, WHITE, mv("e2e4"));
    table.at(20, BLACK, mv("e7e5"));
    table.at(25, WHITE, Act::OfferTakeback);
    assert_eq!(table.refuses(WHITE, Act::AcceptTakeback), Refusal::NothingOffered);
    table.at(26, BLACK, Act::AcceptTakeback);
    assert_eq!(*table.game.position(), Position::start());
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(300), Some(300)));
    table.play("d2d4");
    table.does(WHITE, Act::OfferTakeback);
    let effects = table.does(BLACK, mv("d7d5"));
    assert!(effects.contains(&Effect::TakebackEnded { side: Color::White }));
}

// Properties

/// Any act by anybody, most often one that is possible.
fn events() -> impl Strategy<Value = Vec<(u64, u8, u8, u16)>> {
    proptest::collection::vec((0..40_000_u64, any::<u8>(), any::<u8>(), any::<u16>()), 0..80)
}

fn random_rules(bits: u16) -> Rules {
    let controls = ["-", "300", "60+2", "2/30:20+1", "*90", "60d5", "60b5", "?"];
    Rules {
        set: if bits & 1 == 0 { RuleSet::Online } else { RuleSet::Otb },
        time_control: controls[usize::from(bits >> 1 & 7)].parse().expect("a time control"),
        countdown: Duration::from_secs(u64::from(bits >> 4 & 3)),
        first_moves_free: bits >> 6 & 1 != 0,
        casual: bits >> 7 & 1 != 0,
        decline: bits >> 8 & 1 != 0,
        abandonment: (bits >> 9 & 1 != 0).then_some(Duration::from_secs(20)),
    }
}

fn random_event(game: &Game, at: u64, who: u8, what: u8, which: u16) -> Event {
    let legal = game.legal_moves();
    let likely = legal.get(usize::from(which) % legal.len().max(1)).copied();
    let mv = likely.filter(|_| !which.is_multiple_of(16)).unwrap_or_else(|| entered("e2e4"));
    let turn = game.position().turn();
    let by = match who % 12 {
        0..=6 => Actor::player(turn),
        7 | 8 => Actor::player(!turn),
        9 => Actor::Arbiter,
        10 => Actor::assistant(turn),
        _ => [Actor::Spectator, Actor::Zone][usize::from(which % 2)],
    };
    let side = if which.is_multiple_of(2) { Color::White } else { Color::Black };
    let act = match what % 64 {
        0..=31 => Act::Move { mv },
        32..=34 => Act::Premove { mv },
        35 => Act::CancelPremove,
        36 | 37 => Act::Choose { options: Options { premove: true, auto_queen: true, ..Options::default() } },
        38 => Act::OfferDraw,
        39 => {
            if which.is_multiple_of(8) {
                Act::AcceptDraw
            } else {
                Act::DeclineDraw
            }
        }
        40 => Act::ClaimDraw { mv: (which.is_multiple_of(3)).then_some(mv) },
        41 => {
            if which.is_multiple_of(16) {
                Act::Resign
            } else {
                Act::Connect
            }
        }
        42 => Act::Disconnect,
        43 => Act::ClaimAbandoned { draw: which.is_multiple_of(2) },
        44 | 45 => Act::OfferTakeback,
        46 | 47 => Act::AcceptTakeback,
        48 => Act::DeclineTakeback,
        49 => Act::Pause,
        50..=52 => Act::Resume,
        53 => Act::AddTime { side, time: Duration::from_millis(u64::from(which)) },
        54 => {
            if which.is_multiple_of(16) {
                Act::Adjudicate { winner: Some(side), cause: Cause::Emergency }
            } else {
                Act::Flag
            }
        }
        55 => Act::AllowAssistant { side, name: "Eve".to_owned() },
        56 => {
            if which.is_multiple_of(16) {
                Act::Abort
            } else {
                Act::Begin
            }
        }
        _ => sit("Zoe"),
    };
    Event { at: Moment::from_millis(at), by, act }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_keep_what_is_promised(bits in any::<u16>(), acts in events()) {
        let rules = random_rules(bits);
        let mut game = Game::new(Position::start(), rules.clone());
        let mut now = 0;
        for by in [WHITE, BLACK] {
            game.submit(Event { at: Moment::START, by, act: sit("Somebody") });
        }
        let mut ended = None;
        for (wait, who, what, which) in acts {
            // Some waits are short, some as long as a clock, and some go back.
            now = if which.is_multiple_of(29) { now / 2 } else { now + wait / u64::from(1 + which % 40) };
            let event = random_event(&game, now, who, what, which);
            let before = game.clone();
            let answer = game.submit(event);
            if answer.refusal.is_some() && answer.effects.is_empty() {
                prop_assert_eq!(&game, &before);
            }
            // Nothing changes a result.
            if let Some(ending) = ended {
                prop_assert_eq!(game.ending(), Some(ending));
                prop_assert!(answer.refusal.is_some() && answer.effects.is_empty());
            }
            ended = game.ending();
            // All time is charged to somebody or to nobody, and to nobody twice.
            let last = game.journal().last().map_or(Moment::START, |event| event.at);
            let later = last.after(Duration::from_secs(3));
            for moment in [last, later] {
                let clocks = game.clocks();
                let charged: Duration = Color::ALL.into_iter().map(|color| clocks.charged(color, moment)).sum();
                prop_assert_eq!(charged + clocks.uncharged(moment), moment.since(Moment::START));
            }
        }
        // The journal is the game.
        let replayed = Game::replay(Position::start(), rules, game.journal());
        prop_assert_eq!(replayed.as_ref(), Ok(&game));
        let lines: Vec<String> =
            game.journal().iter().map(|event| serde_json::to_string(event).expect("it can be written")).collect();
        let read: Vec<Event> = lines.iter().map(|line| serde_json::from_str(line).expect("it can be read")).collect();
        prop_assert_eq!(read.as_slice(), game.journal());
    }
}
