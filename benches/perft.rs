//! Our move generator and cozy-chess side by side: perft on one thread, in one run. The measurements of each position
//! are interleaved nine times, and the best time is kept.
//!
//! `cargo bench --bench perft` prints millions of nodes per second and the ratio, once for leaves counted in bulk and
//! once for every leaf made from a move list, as in a search.
//!
//! `HEMATITE_PERFT_PEERS` states a folder of other programs to measure. They receive `position fen FEN` and `go perft
//! DEPTH`, as in Stockfish, and answer with a line `Nodes searched: N`.

use hematite::chess::Position;
use hematite::chess::perft::{perft, perft_by_moves};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
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

/// The reduction of the depth if every leaf is made.
const LISTED_LESS: u32 = 1;

fn main() {
    println!("{:22} {:>5} {:>13} {:>10} {:>10} {:>6}", "bulk", "depth", "nodes", "hematite", "cozy", "ratio");
    compare(0, perft, cozy_bulk);
    println!(
        "{:22} {:>5} {:>13} {:>10} {:>10} {:>6}",
        "listed", "depth", "nodes", "hematite", "cozy", "ratio"
    );
    compare(LISTED_LESS, perft_by_moves, cozy_listed);
    let Some(folder) = std::env::var_os(PEERS_VARIABLE) else {
        return println!(
            "left out: Gigantua, Stockfish and others; {PEERS_VARIABLE} names a folder of programs that know \
             \"go perft\""
        );
    };
    for path in programs(Path::new(&folder)) {
        if let Err(error) = compare_peer(&path) {
            println!("left out: {}: {error}\n", path.display());
        }
    }
}

const PEERS_VARIABLE: &str = "HEMATITE_PERFT_PEERS";

/// All files of the folder, in the order of their names.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            println!("left out: {}: {error}", folder.display());
            return Vec::new();
        }
    };
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

/// Another program, which counts in a separate process.
struct Peer {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    fn start(path: &Path) -> io::Result<Self> {
        let mut process =
            Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let answers = BufReader::new(process.stdout.take().expect("it is piped"));
        Ok(Self { process, answers })
    }

    fn perft(&mut self, fen: &str, depth: u32) -> io::Result<u64> {
        let input = self.process.stdin.as_mut().expect("it is piped");
        writeln!(input, "position fen {fen}\ngo perft {depth}")?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.answers.read_line(&mut line)? == 0 {
                return Err(io::Error::other("ended without `Nodes searched: N`"));
            }
            if let Some(nodes) =
                line.strip_prefix("Nodes searched").map(|rest| rest.trim_matches([':', ' ', '\n', '\r']))
            {
                return nodes.parse().map_err(|_| io::Error::other(format!("answered {line:?}")));
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The process may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Compares our program with another one on the same positions, counted in bulk.
fn compare_peer(path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    println!("{:22} {:>5} {:>13} {:>10} {name:>10} {:>6}", "bulk", "depth", "nodes", "hematite", "ratio");
    let mut peer = Peer::start(path)?;
    let mut product = 1.0;
    for case in &CASES {
        let position = hematite::notation::position_from_fen(case.fen).expect("a legal position");
        let mut best = [Duration::MAX; 2];
        let mut nodes = 0;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            nodes = black_box(perft(black_box(&position), case.depth));
            best[0] = best[0].min(start.elapsed());
            let start = Instant::now();
            let theirs = peer.perft(case.fen, case.depth)?;
            best[1] = best[1].min(start.elapsed());
            if theirs != nodes {
                return Err(io::Error::other(format!("{}: counted {theirs}, expected {nodes}", case.name)));
            }
        }
        product *= row(case.name, case.depth, nodes, best);
    }
    println!("{:22} {:>48.2}\n", "geometric mean", product.powf(1.0 / CASES.len() as f64));
    Ok(())
}

/// Prints the speeds in millions of nodes per second, and returns their ratio.
fn row(name: &str, depth: u32, nodes: u64, best: [Duration; 2]) -> f64 {
    let ratio = best[1].as_secs_f64() / best[0].as_secs_f64();
    let [ours, theirs] = best.map(|time| nodes as f64 / time.as_secs_f64() / 1e6);
    println!("{name:22} {depth:>5} {nodes:>13} {ours:>10.0} {theirs:>10.0} {ratio:>6.2}");
    ratio
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
        product *= row(case.name, depth, nodes[0], best);
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

/// `depth` is at least 1.
fn cozy_listed(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut list = Vec::with_capacity(64);
    board.generate_moves(|moves| {
        list.extend(moves);
        false
    });
    let mut nodes = 0;
    for mv in list {
        let mut child = board.clone();
        child.play_unchecked(mv);
        let child = black_box(&child);
        nodes += if depth > 1 { cozy_listed(child, depth - 1) } else { 1 };
    }
    nodes
}
