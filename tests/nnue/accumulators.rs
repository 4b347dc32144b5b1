//! Incrementally updated accumulators equal those computed from the position.

use crate::nnue::walks::{Events, LONGEST, game, starts};
use crate::support::network::nonsense;
use hematite::nnue::{Accumulators, Kernel};
use hematite::rng::Rng;
use std::sync::Arc;

const WIDTH: usize = 48;
const ROUNDS: u64 = 90;

/// Evaluations along random games agree: at every ply, at some plies, and after moves are taken back.
#[test]
fn values_along_a_line_are_those_of_its_positions() {
    for kernel in Kernel::available() {
        let network = nonsense(WIDTH, 1).quantize().expect("its sums fit").with_kernel(kernel);
        let network = Arc::new(network);
        let mut accumulators = Accumulators::new(Arc::clone(&network), LONGEST);
        let mut events = Events::default();
        for seed in 0..ROUNDS {
            let mut rng = Rng::new(seed);
            for start in starts(seed) {
                let steps = game(&mut rng, &start, &mut events);
                let one_in = 1 + rng.below(6);
                accumulators.reset(&start);
                let mut ply = 0;
                while ply < steps.len() {
                    ply += 1;
                    let step = &steps[ply - 1];
                    accumulators.push(ply, &step.delta);
                    if rng.below(one_in) == 0 {
                        let value = accumulators.evaluate(ply, &step.position);
                        assert_eq!(
                            value,
                            network.evaluate(&step.position),
                            "{kernel}, seed {seed}, ply {ply}"
                        );
                    }
                    // Back by a few plies now and then, as a search goes.
                    if rng.below(4) == 0 {
                        ply -= rng.below(5.min(ply as u64)) as usize;
                        let before = if ply == 0 { &start } else { &steps[ply - 1].position };
                        assert_eq!(accumulators.evaluate(ply, before), network.evaluate(before));
                    }
                }
            }
        }
        let Events { castlings, promotions, en_passants, nulls, king_crossings } = events;
        for (name, count) in [
            ("castling", castlings),
            ("promotion", promotions),
            ("en passant", en_passants),
            ("null move", nulls),
            ("king crosses the middle", king_crossings),
        ] {
            assert!(count > 20, "{kernel}, {name}: {count} times");
        }
    }
}
