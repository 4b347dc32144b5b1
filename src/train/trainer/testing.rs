//! Examples for tests.

use super::optimizer::AdamW;
use super::target::sigmoid;
use super::{Example, Length, Plan, Schedule, Selection, Settings, Target};
use crate::chess::{Color, Position, Role};
use crate::rng::Rng;

/// Positions of random games, judged by their material.
pub(super) fn examples(count: usize, seed: u64) -> Vec<Example> {
    const PLIES: usize = 80;
    /// The score that brings 73 % of the points.
    const SCALE: f32 = 300.0;
    let mut rng = Rng::new(seed);
    let mut examples = Vec::with_capacity(count);
    while examples.len() < count {
        let mut position = Position::start();
        for _ in 0..PLIES {
            let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
            position = position.after(mv).0;
            let score = material(&position);
            examples.push(Example::new(position.board(), sigmoid(f32::from(score) / SCALE)));
        }
    }
    rng.shuffle(&mut examples);
    examples.truncate(count);
    examples
}

fn material(position: &Position) -> i16 {
    const VALUES: [i16; Role::COUNT] = [100, 300, 300, 500, 900, 0];
    let side = |color: Color| {
        Role::ALL.iter().map(|&role| VALUES[role] * position.pieces(color, role).count() as i16).sum::<i16>()
    };
    side(position.turn()) - side(!position.turn())
}

/// A small network, trained for a moment.
pub(super) fn settings() -> Settings {
    Settings {
        width: 16,
        batch: 256,
        optimizer: AdamW::with_decay(0.01),
        schedule: Schedule { peak: 0.01, end: 0.0001, warm_up: 2, steps: 20 },
        seed: 1,
        threads: 2,
    }
}

/// A plan whose files do not exist.
pub(super) fn plan() -> Plan {
    Plan {
        data: vec!["games".into()],
        out: "new.nnue".into(),
        checkpoint: "new.checkpoint".into(),
        start: None,
        selection: Selection { min_ply: 16, max_score: 3000, validation: 0.02, max_positions: None, seed: 1 },
        target: Target { wdl: 0.3, scale: 400.0, foresight: 0.5 },
        length: Length::Epochs(1),
        report: None,
        warm_up: None,
        settings: settings(),
    }
}
