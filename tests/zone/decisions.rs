//! Decisions where the rules leave room.

use super::*;

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
fn lag_is_made_up_for_where_the_rules_say_so() {
    let half_a_second = Duration::from_millis(500);
    let second = Duration::from_secs(1);
    let compensate = |side, time| Act::CompensateLag { side, time };
    assert_eq!(
        Table::online("").refuses(Actor::Arbiter, compensate(Color::White, half_a_second)),
        Refusal::NotInRules
    );
    let rules = Rules { lag_compensation: second, ..Table::online("").game.rules().clone() };
    let mut table = Table::new("", rules.clone());
    assert_eq!(table.refuses(WHITE, compensate(Color::White, half_a_second)), Refusal::NotYours);
    assert_eq!(table.refuses(Actor::Arbiter, compensate(Color::White, 2 * second)), Refusal::NotInRules);
    table.at(2, Actor::Arbiter, compensate(Color::White, second));
    // The flag of a player whose last move is on its way does not fall.
    assert_eq!(table.game.next_deadline(), Some(Moment::from_millis(301_000)));
    for (seconds, by, text) in [(10, WHITE, "e2e4"), (20, BLACK, "e7e5"), (21, WHITE, "g1f3")] {
        assert_eq!(table.at(seconds, by, mv(text)).refusal, None, "{text}");
    }
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(291), Some(290)));
    let untimed = Rules { time_control: "-".parse().expect("a time control"), ..rules };
    let refusal = Table::new("", untimed).refuses(Actor::Arbiter, compensate(Color::White, second));
    assert_eq!(refusal, Refusal::NotInRules);
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
    // What was given stays.
    table.at(30, WHITE, mv("e2e4"));
    table.at(31, WHITE, Act::GiveTime);
    table.at(32, Actor::Arbiter, Act::AddTime { side: Color::White, time: Duration::from_secs(60) });
    table.at(33, WHITE, Act::OfferTakeback);
    table.at(34, BLACK, Act::AcceptTakeback);
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(360), Some(315)));
    table.play("d2d4");
    table.does(WHITE, Act::OfferTakeback);
    let effects = table.does(BLACK, mv("d7d5"));
    assert!(effects.contains(&Effect::TakebackEnded { side: Color::White }));
    // An offer of a draw was made in another position, and everybody is told that it has ended.
    table.does(BLACK, Act::OfferDraw);
    table.does(BLACK, Act::OfferTakeback);
    let effects = table.does(WHITE, Act::AcceptTakeback);
    assert_eq!(effects, [Effect::TakenBack { plies: 1 }, Effect::DrawOfferEnded { side: Color::Black }]);
    assert_eq!(table.game.draw_offer(), None);
    assert_eq!(table.refuses(WHITE, Act::AcceptDraw), Refusal::NothingOffered);
}

#[test]
fn in_casual_games_with_clocks_players_give_the_opponent_time() {
    assert_eq!(Table::online("").refuses(WHITE, Act::GiveTime), Refusal::NotInRules);
    let casual = Rules { casual: true, ..Rules::default() };
    assert_eq!(
        Table::new("", casual.clone()).refuses(WHITE, Act::GiveTime),
        Refusal::NotInRules,
        "no clocks"
    );
    let rules = Rules { time_control: "60".parse().expect("a time control"), ..casual };
    let mut table = Table::new("", rules);
    for by in [WHITE, BLACK, BLACK] {
        table.does(by, Act::GiveTime);
    }
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (Some(60 + 30 - 3), Some(60 + 15)));
    for by in [Actor::WhiteAssistant, Actor::Spectator, Actor::Arbiter] {
        assert_eq!(table.refuses(by, Act::GiveTime), Refusal::NotYours);
    }
}

#[test]
fn before_the_first_move_a_player_may_halve_the_clock() {
    let rules = |control: &str| Rules {
        berserk: true,
        time_control: control.parse().expect("a time control"),
        ..Rules::default()
    };
    assert_eq!(Table::online("").refuses(WHITE, Act::Berserk), Refusal::NotInRules);
    for control in ["-", "*60", "40/60:30"] {
        assert_eq!(
            Table::new("", rules(control)).refuses(WHITE, Act::Berserk),
            Refusal::NotInRules,
            "{control}"
        );
    }
    let mut table = Table::new("", rules("180+2"));
    assert_eq!(table.does(BLACK, Act::Berserk), [Effect::Berserk { side: Color::Black }]);
    assert_eq!(table.refuses(BLACK, Act::Berserk), Refusal::TooLate, "once");
    table.play("e2e4 e7e5");
    assert_eq!(table.refuses(WHITE, Act::Berserk), Refusal::TooLate, "after the first move");
    for by in [Actor::BlackAssistant, Actor::Spectator, Actor::Arbiter] {
        assert_eq!(table.refuses(by, Act::Berserk), Refusal::NotYours);
    }
    let clocks = table.game.clocks();
    assert!(clocks.is_berserk(Color::Black) && !clocks.is_berserk(Color::White));
    assert!(table.left(Color::Black).is_some_and(|left| left <= 90), "{:?}", table.left(Color::Black));
    assert!(table.left(Color::White).is_some_and(|left| left > 170));
    let (rules, journal) = (table.game.rules().clone(), table.game.journal().to_vec());
    let again = Game::replay(Position::start(), rules, &journal).expect("it is possible");
    assert_eq!(again, table.game, "a replay has the same clocks");
}

#[test]
fn it_is_known_when_a_right_comes_by_time() {
    let rules =
        Rules { abandonment: Some(Duration::from_secs(60)), ..Table::online("").game.rules().clone() };
    let mut table = Table::new("", rules);
    let seconds = Moment::from_millis;
    assert_eq!(table.game.next_right(Moment::START), None, "both are there");
    table.at(10, WHITE, Act::Disconnect);
    assert_eq!(table.game.next_right(seconds(10_000)), Some(seconds(70_000)));
    assert_eq!(table.game.next_right(seconds(70_000)), None, "it has come");
    table.at(20, Actor::Arbiter, Act::Pause);
    assert_eq!(table.game.next_right(seconds(20_000)), None, "nobody claims a game that is paused");
    table.at(30, Actor::Arbiter, Act::Resume);
    table.at(31, WHITE, Act::Connect);
    assert_eq!(table.game.next_right(seconds(31_000)), None, "the player is back");
}
