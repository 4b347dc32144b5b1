//! Properties of random games.

use super::*;
use proptest::prelude::*;

/// Random acts of random actors, most of them possible ones.
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
        berserk: bits >> 10 & 1 != 0,
        abandonment: (bits >> 9 & 1 != 0).then_some(Duration::from_secs(20)),
        lag_compensation: Duration::from_millis(if bits >> 11 & 1 != 0 { 500 } else { 0 }),
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
        32..=34 => Act::Premove { mv, add: which.is_multiple_of(2) },
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
        44 => Act::OfferTakeback,
        45 if which.is_multiple_of(2) => Act::Berserk,
        45 => Act::GiveTime,
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
        57 => Act::CompensateLag { side, time: Duration::from_millis(u64::from(which % 600)) },
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
