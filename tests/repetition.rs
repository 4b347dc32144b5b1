//! Moves that return to earlier positions, found by the difference of keys and by trying every move.

use hematite::chess::{KeyHistory, Position};
use hematite::rng::Rng;

#[test]
fn a_way_back_is_seen_before_it_is_taken() {
    const GAMES: usize = 300;
    const PLIES: usize = 60;
    let mut rng = Rng::new(8);
    let (mut found, mut none) = (0, 0);
    for _ in 0..GAMES {
        let mut position = Position::start();
        let mut line = KeyHistory::new(&position);
        for plies in 1..=PLIES {
            let moves = position.legal_moves();
            let Some(&mv) = rng.choose(&moves) else { break };
            position = position.after(mv).0;
            line.push(&position);
            let expected = position.legal_moves().iter().any(|&mv| {
                let child = position.after(mv).0;
                let mut line = line.clone();
                line.push(&child);
                line.is_repetition(&child, plies + 1)
            });
            // As if the search had begun with the first position.
            assert_eq!(line.has_upcoming_repetition(&position, plies), expected, "{}", position.key());
            found += u32::from(expected);
            none += u32::from(!expected);
        }
    }
    assert!(found > 100 && none > 10_000, "{found} {none}");
}
