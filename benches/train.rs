//! The speed of training on positions of random games, in positions per second and thread.
//!
//! `cargo bench --bench train` measures networks of 128 and of 256 neurons with one thread and with all; `cargo bench
//! --bench train -- 256 1` measures only one. The best of several rounds is kept.

use hematite::chess::Position;
use hematite::rng::Rng;
use hematite::train::trainer::{AdamW, Example, Loss, Schedule, Settings, Training, WdlWeight};
use std::thread;
use std::time::{Duration, Instant};

/// The number of positions, far more than fit into the caches.
const POSITIONS: usize = 1 << 21;
const BATCH: usize = 16_384;
/// The number of batches of a round.
const STEPS: u64 = 8;
const ROUNDS: usize = 5;
/// The number of plies of a random game, about that of games between engines.
const PLIES: usize = 140;
/// The denominator of the random points.
const HUNDRED: u64 = 100;

fn main() {
    // `cargo bench` adds other arguments.
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let examples = examples(&mut Rng::new(1));
    let pieces: u64 = examples.iter().map(|example| u64::from(example.piece_count())).sum();
    println!("{:.1} pieces on a board", pieces as f64 / examples.len() as f64);
    let widths = numbers.first().map_or(vec![128, 256], |&width| vec![width]);
    let threads = numbers.get(1).map_or(vec![1, cores], |&threads| vec![threads]);
    for width in widths {
        for &threads in &threads {
            let pace = pace(width, threads, &examples);
            println!("{width:4} neurons, {threads:3} threads: {pace:8.0} positions/s a thread");
        }
    }
}

/// The speed in positions per second and thread.
fn pace(width: usize, threads: usize, examples: &[Example]) -> f64 {
    let settings = Settings {
        width,
        batch: BATCH,
        optimizer: AdamW::with_decay(0.01),
        schedule: Schedule { peak: 0.001, end: 0.0001, warmup: 10, steps: STEPS * ROUNDS as u64 },
        seed: 1,
        threads,
        ema: None,
        wdl: WdlWeight::default(),
        loss: Loss::default(),
    };
    let mut trainer = Training::new(settings, None).expect("there is such a network");
    let best = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..STEPS {
                trainer.learn(examples);
            }
            start.elapsed()
        })
        .min()
        .unwrap_or(Duration::MAX);
    (STEPS * BATCH as u64) as f64 / best.as_secs_f64() / threads as f64
}

/// Positions of random games, with random points. Captures are slightly preferred, so that the number of pieces
/// decreases as in real games.
fn examples(rng: &mut Rng) -> Vec<Example> {
    let mut examples = Vec::with_capacity(POSITIONS);
    while examples.len() < POSITIONS {
        let mut position = Position::start();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            let Some(&mv) = rng.choose(&moves) else { break };
            let second = rng.choose(&moves).copied().filter(|&second| position.is_noisy(second));
            position = position.after(second.unwrap_or(mv)).0;
            examples.push(Example::new(position.board(), rng.below(1 + HUNDRED) as f32 / HUNDRED as f32));
        }
    }
    examples.truncate(POSITIONS);
    examples
}
