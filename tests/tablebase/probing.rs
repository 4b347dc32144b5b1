//! Probing positions.

use crate::tablebase::sample::{MATERIAL, position, random, tables};
use hematite::chess::Position;
use hematite::rng::Rng;
use hematite::tablebase::{Tablebase, Wdl};

/// The number of random positions of each material.
const SAMPLES: usize = 1_000;

/// The best result of all moves of a position, without the 50-move rule.
fn best_of_moves(tables: &Tablebase, position: &Position) -> Wdl {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.is_check() { Wdl::Loss } else { Wdl::Draw };
    }
    let value = |child: Position| {
        let is_mate = child.is_check() && child.legal_moves().is_empty();
        if is_mate { Wdl::Win } else { tables.probe_wdl(&child).expect("every table is there").reversed() }
    };
    let values = moves.iter().map(|&mv| value(position.after(mv).0).without_fifty_moves());
    values.max().expect("there is a move")
}

#[test]
fn a_position_is_worth_what_its_best_move_leads_to() {
    let Some(tables) = tables() else { return };
    let mut rng = Rng::new(1);
    let mut results = [0; 5];
    let mut en_passant = 0;
    for name in MATERIAL {
        for _ in 0..SAMPLES {
            let position = random(&mut rng, name);
            en_passant += usize::from(position.en_passant().is_some());
            let found = tables.probe_wdl(&position).unwrap_or_else(|| panic!("{name}: {position:?}"));
            results[found as usize] += 1;
            assert_eq!(
                found.without_fifty_moves(),
                best_of_moves(&tables, &position),
                "{name}: {position:?}"
            );
        }
    }
    assert!(results[Wdl::Win as usize] > SAMPLES && results[Wdl::Loss as usize] > SAMPLES, "{results:?}");
    assert!(results[Wdl::Draw as usize] > SAMPLES && en_passant > 5, "{results:?}, {en_passant}");
}

#[test]
fn distances_count_down() {
    let Some(tables) = tables() else { return };
    let mut rng = Rng::new(2);
    for name in MATERIAL {
        for _ in 0..SAMPLES / 20 {
            let position = random(&mut rng, name);
            let distance = tables.probe_dtz(&position).expect("every table is there");
            let wdl = tables.probe_wdl(&position).expect("every table is there");
            let expected = match wdl {
                Wdl::Draw => None,
                Wdl::CursedWin | Wdl::Win => Some(true),
                Wdl::Loss | Wdl::BlessedLoss => Some(false),
            };
            assert_eq!(distance.map(|distance| distance.is_win), expected, "{name}: {position:?}");
            let Some(distance) = distance.filter(|distance| distance.is_win && distance.plies > 1) else {
                continue;
            };
            // The best move leads one ply nearer, with a ply more or less where tables count full moves.
            let after = |child: Position| {
                let lost =
                    tables.probe_dtz(&child).expect("every table is there").filter(|lost| !lost.is_win)?;
                (child.halfmove_clock() > 0).then_some(lost)
            };
            let moves = position.legal_moves();
            let nearest =
                moves.iter().filter_map(|&mv| after(position.after(mv).0)).map(|lost| lost.plies).min();
            let nearest = nearest.unwrap_or_else(|| panic!("{name}: {position:?} is won by nothing"));
            assert!(
                nearest < distance.longest() && nearest + 2 >= distance.plies,
                "{name}: {position:?} {distance:?}, then {nearest}"
            );
        }
    }
}

/// Values that other probing programs report for the same tables.
#[test]
fn known_positions() {
    let Some(tables) = tables() else { return };
    let cases = [
        ("a promotion that captures", "8/2K5/8/8/8/8/3p4/1k2N3 b - - 0 1", Wdl::Win, 1),
        ("a queen taken", "8/1K6/4q3/8/8/6p1/8/2k5 w - - 0 1", Wdl::Loss, 2),
        ("queen and bishop", "q7/k2K4/5B2/8/8/8/8/8 b - - 0 1", Wdl::Win, 19),
        ("bishop and knight", "3B4/K7/8/k3N3/8/8/8/8 b - - 0 1", Wdl::Loss, 53),
        ("bishop and knight to move", "8/6k1/4K3/6B1/8/8/5N2/8 w - - 0 1", Wdl::Win, 20),
        ("pawns", "4k3/8/8/8/8/8/P2Kp3/8 b - - 0 1", Wdl::Draw, 0),
        ("rook and knight", "n7/8/8/8/1K6/6k1/2r5/8 w - - 0 1", Wdl::Loss, 18),
        ("bare kings", "8/8/4k3/8/8/4K3/8/8 w - - 0 1", Wdl::Draw, 0),
        ("mated", "8/8/8/8/8/5k2/6q1/6K1 w - - 0 1", Wdl::Loss, 1),
        ("a capture that is the only way", "8/8/8/8/1pP5/8/k7/2K5 b - c3 0 1", Wdl::Win, 1),
    ];
    for (name, fen, wdl, plies) in cases {
        let position = position(fen);
        let distance = tables.probe_dtz(&position).expect(name);
        assert_eq!(tables.probe_wdl(&position), Some(wdl), "{name}");
        assert_eq!(distance.map_or(0, |distance| distance.plies), plies, "{name}");
    }
}

#[test]
fn what_is_in_no_table_is_not_known() {
    let Some(tables) = tables() else { return };
    let cases = [
        ("castling", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("castling of the other side", "4k2r/8/8/8/8/8/8/4K3 w k - 0 1"),
        ("castling in Chess960", "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1"),
        ("five men", "4k3/4p3/8/8/8/8/8/NN2K3 w - - 0 1"),
        ("all men", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ];
    for (name, fen) in cases {
        let position = position(fen);
        assert_eq!((tables.probe_wdl(&position), tables.probe_dtz(&position)), (None, None), "{name}");
    }
    assert!(tables.damage().is_none());
}

#[test]
fn all_threads_may_look_up_at_once() {
    let Some(tables) = tables() else { return };
    let search = |seed| {
        let mut rng = Rng::new(seed);
        (0..500).map(|_| tables.probe_wdl(&random(&mut rng, "KQvKR"))).collect::<Vec<_>>()
    };
    let alone = search(7);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| search(7))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("it does not panic"), alone);
        }
    });
}
