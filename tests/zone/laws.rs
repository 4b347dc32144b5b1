//! Laws of Chess, articles 1 to 3, and the articles on claims over the board.

use super::*;

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
    // It stays lost when the game is set up again from its journal.
    let start = position("r3k2r/p7/8/8/8/8/P7/R3K2R w KQkq - 0 1");
    let game =
        Game::replay(start, table.game.rules().clone(), table.game.journal()).expect("it has happened");
    let mut again = Table { game, now: table.now };
    assert_eq!(again.refuses(WHITE, mv("e1g1")), Refusal::IllegalMove(IllegalEntry::Castling));
    table.play("e1c1");
    // Who takes the move back has it again, and who never had it cannot castle.
    let rules = Rules { casual: true, ..Rules::default() };
    let mut table = Table::new("4k3/p7/8/8/8/8/8/4K2R w K - 0 1", rules);
    table.play("h1h2 a7a6");
    table.does(WHITE, Act::OfferTakeback);
    table.does(BLACK, Act::AcceptTakeback);
    table.play("e1g1");
    let mut table = Table::online("4k3/p7/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!(table.refuses(WHITE, mv("e1g1")), Refusal::IllegalMove(IllegalEntry::Castling));
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
    // The offer takes the place of one that the move would end.
    let mut table = Table::otb("");
    table.play("e2e4");
    table.play("e7e5");
    table.does(BLACK, Act::OfferDraw);
    let effects = table.does(WHITE, Act::ClaimDraw { mv: Some(entered("d2d4")) });
    assert!(effects.contains(&Effect::DrawOfferEnded { side: Color::Black }), "{effects:?}");
    assert!(effects.contains(&Effect::DrawOffered { side: Color::White }), "{effects:?}");
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
