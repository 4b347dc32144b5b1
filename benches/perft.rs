//! Our move generator and cozy-chess side by side: perft on one thread, in one run, each
//! position interleaved nine times and the best time kept.
//!
//! `cargo bench --bench perft` prints millions of nodes a second and the ratio, once for
//! leaves counted in bulk and once for every leaf made from a move list, as a search does.

use hematite::chess::Position;
use hematite::chess::perft::{perft, perft_by_moves};
use std::hint::black_box;
use std::time::{Duration, Instant};

struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u32,
}

const CASES: [Case; 6] = [
    Case { name: "start", fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", depth: 6 },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
    },
    Case { name: "rook ending", fen: "8/5pk1/3r2p1/1p2P2p/p2R1P1P/P1K3P1/1P6/8 b - - 2 41", depth: 7 },
    Case { name: "promotions", fen: "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", depth: 6 },
    Case {
        name: "open middlegame",
        fen: "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1B2PN2/PP2QPPP/RNBR2K1 w - - 0 12",
        depth: 5,
    },
    Case {
        name: "queens in check range",
        fen: "2kr3r/pp1q1ppp/2n1b3/2b1p3/4Q3/2P1BN2/PP2BPPP/R3K2R w KQ - 3 14",
        depth: 5,
    },
];

const ROUNDS: usize = 9;

/// One less deep, since every leaf is made.
const LISTED_LESS: u32 = 1;

fn main() {
    println!("{:22} {:>5} {:>13} {:>10} {:>10} {:>6}", "bulk", "depth", "nodes", "hematite", "cozy", "ratio");
    compare(0, perft, cozy_bulk);
    println!(
        "{:22} {:>5} {:>13} {:>10} {:>10} {:>6}",
        "listed", "depth", "nodes", "hematite", "cozy", "ratio"
    );
    compare(LISTED_LESS, perft_by_moves, cozy_listed);
}

fn compare(less: u32, ours: fn(&Position, u32) -> u64, theirs: fn(&cozy_chess::Board, u32) -> u64) {
    let mut product = 1.0;
    for case in &CASES {
        let depth = case.depth - less;
        let position = hematite::notation::position_from_fen(case.fen).expect("a legal position");
        let board: cozy_chess::Board = case.fen.parse().expect("a legal position");
        let mut best = [Duration::MAX; 2];
        let mut nodes = [0; 2];
        for _ in 0..ROUNDS {
            let start = Instant::now();
            nodes[0] = black_box(ours(black_box(&position), depth));
            best[0] = best[0].min(start.elapsed());
            let start = Instant::now();
            nodes[1] = black_box(theirs(black_box(&board), depth));
            best[1] = best[1].min(start.elapsed());
        }
        assert_eq!(nodes[0], nodes[1], "{}", case.name);
        let ratio = best[1].as_secs_f64() / best[0].as_secs_f64();
        product *= ratio;
        let mnps = |time: Duration| nodes[0] as f64 / time.as_secs_f64() / 1e6;
        let (ours, theirs) = (mnps(best[0]), mnps(best[1]));
        println!("{:22} {depth:>5} {:>13} {ours:>10.0} {theirs:>10.0} {ratio:>6.2}", case.name, nodes[0]);
    }
    println!("{:22} {:>48.2}\n", "geometric mean", product.powf(1.0 / CASES.len() as f64));
}

fn cozy_bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_bulk(&child, depth - 1);
            }
            false
        });
    }
    nodes
}

fn cozy_listed(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = Vec::with_capacity(64);
    board.generate_moves(|moves| {
        list.extend(moves);
        false
    });
    let mut nodes = 0;
    for mv in list {
        let mut child = board.clone();
        child.play_unchecked(mv);
        nodes += cozy_listed(&child, depth - 1);
    }
    nodes
}
