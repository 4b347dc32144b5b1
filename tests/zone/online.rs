//! Online Chess Regulations, articles 1 to 5.

use super::*;

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
    // Castling counts for the two squares of the king, and is the only move here that involves them.
    let mut table = Table::online("4k3/8/8/8/8/8/4PPPP/4BKRN w G - 0 1");
    table.does(WHITE, switched_on());
    assert_eq!(
        (smart(&table, "g1"), smart(&table, "f1")),
        (Some("f1g1".to_owned()), Some("f1g1".to_owned()))
    );
    assert_eq!(table.game.smart_move(Color::Black, "h8".parse().expect("a square")), None);
}

#[test]
fn online_3_6_b_a_premove_answers_at_once_and_is_dropped_if_illegal() {
    let mut table = Table::online("");
    assert_eq!(table.refuses(BLACK, Act::Premove { mv: entered("e7e5"), add: false }), Refusal::NotInRules);
    table.does(BLACK, switched_on());
    let effects = table.does(BLACK, Act::Premove { mv: entered("e7e5"), add: false });
    assert!(effects.iter().all(|effect| effect.private_to() == Some(Color::Black)));
    let effects = table.does(WHITE, mv("e2e4"));
    assert!(matches!(
        effects[..],
        [Effect::Moved { premove: false, .. }, Effect::Moved { premove: true, .. }]
    ));
    assert_eq!(table.left(Color::Black), Some(300), "it takes no time");
    let rules = Rules { time_control: "300+5".parse().expect("a time control"), ..Rules::default() };
    let mut increment = Table::new("", rules);
    increment.does(BLACK, switched_on());
    increment.does(BLACK, Act::Premove { mv: entered("e7e5"), add: false });
    increment.play("e2e4");
    assert_eq!(increment.left(Color::Black), Some(305), "the increment is given as for any move");
    // It can be taken back, and an illegal one is dropped.
    table.does(BLACK, Act::Premove { mv: entered("d7d5"), add: false });
    table.does(BLACK, Act::CancelPremove);
    table.play("g1f3");
    assert_eq!(table.refuses(BLACK, Act::Premove { mv: entered("d7d5"), add: false }), Refusal::YourTurn);
    table.play("b8c6");
    table.does(BLACK, Act::Premove { mv: entered("e5d4"), add: false });
    let effects = table.does(WHITE, mv("f1c4"));
    assert_eq!(effects[1], Effect::PremoveDropped { side: Color::Black });
    assert_eq!(table.game.position().turn(), Color::Black);
}

#[test]
fn online_3_6_b_several_premoves_are_made_one_after_the_other_until_one_is_illegal() {
    let mut table = Table::online("");
    table.does(BLACK, switched_on());
    let add = |text| Act::Premove { mv: entered(text), add: true };
    for text in ["e7e5", "b8c6", "e5d4", "g8f6"] {
        table.does(BLACK, add(text));
    }
    let entered_moves = |table: &Table| table.game.seat(Color::Black).premoves.len();
    table.does(WHITE, mv("e2e4"));
    table.does(WHITE, mv("g1f3"));
    assert_eq!((table.game.plies().len(), entered_moves(&table)), (4, 2));
    assert_eq!(table.left(Color::Black), Some(300), "they take no time");
    // There is nothing to take on d4, so that what was to come after it is dropped too.
    let effects = table.does(WHITE, mv("f1c4"));
    assert_eq!(effects[1], Effect::PremoveDropped { side: Color::Black });
    assert_eq!((table.game.plies().len(), entered_moves(&table)), (5, 0));
    table.play("g8f6");
    // One without `add` replaces all, one act takes all back, and there is an end to it.
    for text in ["f8c5", "d7d6"] {
        table.does(BLACK, add(text));
    }
    table.does(BLACK, Act::Premove { mv: entered("a7a6"), add: false });
    assert_eq!(table.game.seat(Color::Black).premoves, [entered("a7a6")]);
    for _ in 1..16 {
        table.does(BLACK, add("a6a5"));
    }
    assert_eq!(table.refuses(BLACK, add("a6a5")), Refusal::TooManyPremoves);
    table.does(BLACK, Act::CancelPremove);
    assert_eq!(entered_moves(&table), 0);
}

#[test]
fn premoves_of_both_sides_play_on_by_themselves() {
    let mut table = Table::online("");
    table.does(BLACK, switched_on());
    table.does(WHITE, switched_on());
    for text in ["e7e5", "b8c6"] {
        table.does(BLACK, Act::Premove { mv: entered(text), add: true });
    }
    table.play("e2e4");
    assert_eq!(table.refuses(WHITE, Act::Premove { mv: entered("g1f3"), add: true }), Refusal::YourTurn);
    table.play("g1f3");
    assert_eq!(table.game.plies().len(), 4);
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
        ("a queen that has to be captured", "4k3/8/8/8/8/8/6q1/R6K w - - 0 1", false),
        ("a chain that neither side can open", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false),
        ("a chain that a rook can open", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - - 0 1", true),
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
    // So does the right to capture en passant, if there is such a capture.
    for (fen, ending) in [
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", None),
        ("4k3/3p4/8/7P/8/8/8/4K3 b - - 0 1", Some(Reason::ThreefoldRepetition)),
    ] {
        let mut table = Table::online(fen);
        table.play("d7d5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8");
        assert_eq!(table.ending().1, ending, "{fen}");
    }
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
fn online_4_4_who_still_chooses_a_promotion_when_the_flag_falls_loses() {
    let bare_king = ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "1/2-1/2", Reason::DrawnTimeForfeit);
    let rook = ("7k/P6r/8/8/8/8/8/K7 w - - 0 1", "0-1", Reason::TimeForfeit);
    for (fen, result, reason) in [bare_king, rook] {
        let mut table = Table::online(fen);
        assert_eq!(table.refuses(WHITE, mv("a7a8")), Refusal::IllegalMove(IllegalEntry::NoPromotion));
        assert_eq!(table.at(301, WHITE, mv("a7a8q")).refusal, Some(Refusal::Over));
        assert_eq!(table.ending(), (result, Some(reason)), "{fen}");
    }
}

#[test]
fn online_4_4_who_has_not_confirmed_a_move_when_the_flag_falls_loses() {
    let mut table = Table::online("");
    table.does(WHITE, Act::Choose { options: Options { confirm_move: true, ..Options::default() } });
    // The move is sent when it is confirmed.
    assert_eq!(table.at(301, WHITE, mv("e2e4")).refusal, Some(Refusal::Over));
    assert_eq!(table.ending(), ("0-1", Some(Reason::TimeForfeit)));
}

#[test]
fn pgn_9_8_result_and_reason_are_recorded() {
    let mut table = Table::online("");
    table.does(WHITE, Act::Resign);
    let ending = table.game.ending().expect("it is over");
    assert_eq!(
        (ending.result(), ending.reason.name(), ending.reason.tag()),
        ("0-1", "resignation", "normal")
    );
    for (cause, reason, tag) in [
        (Cause::Adjudication, "adjudication", "adjudication"),
        (Cause::RulesInfraction, "rules_infraction", "rules infraction"),
        (Cause::Abandoned, "abandoned", "abandoned"),
        (Cause::Death, "death", "death"),
        (Cause::Emergency, "emergency", "emergency"),
    ] {
        let mut table = Table::online("");
        table.does(Actor::Arbiter, Act::Adjudicate { winner: None, cause });
        let ending = table.game.ending().expect("it is over");
        assert_eq!((ending.result(), ending.reason.name(), ending.reason.tag()), ("1/2-1/2", reason, tag));
    }
    let mut table = Table::online("");
    table.game.advance(Moment::from_millis(300_000));
    let ending = table.game.ending().expect("it is over");
    assert_eq!((ending.result(), ending.reason.tag()), ("0-1", "time forfeit"));
}
