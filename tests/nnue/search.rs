//! Searching with a network.

use crate::support::network::material;
use hematite::chess::{KeyHistory, Position};
use hematite::nnue::{Kernel, Network, embedded};
use hematite::notation::position_from_fen;
use hematite::search::{Job, Limits, SearchResult, Searcher, evaluate};
use std::sync::Arc;

const FENS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/PPPP4/8/8/8/8/pppp4/7K w - - 0 1",
];
const DEPTH: u32 = 7;
const HASH_MIB: usize = 4;

fn position(fen: &str) -> Position {
    position_from_fen(fen).expect("a legal position")
}

fn searcher(network: Arc<Network>) -> Searcher {
    let mut searcher = Searcher::new(1, HASH_MIB).expect("a thread and 4 MiB");
    searcher.set_network(network);
    searcher
}

fn search(searcher: &mut Searcher, position: &Position) -> SearchResult {
    searcher.clear();
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let job = Job { position: *position, key_history: KeyHistory::new(position), limits, multi_pv: 1 };
    searcher.search(job, &Arc::default(), &mut ())
}

fn search_all(searcher: &mut Searcher) -> Vec<SearchResult> {
    FENS.iter().map(|fen| search(searcher, &position(fen))).collect()
}

fn network(seed: u64) -> Network {
    material(256, seed).quantize().expect("its sums fit")
}

#[test]
fn every_kernel_searches_the_same_tree() {
    for (name, network) in [("random", network(1)), ("built in", (*embedded()).clone())] {
        let trees: Vec<_> = Kernel::available()
            .map(|kernel| (kernel, search_all(&mut searcher(Arc::new(network.clone().with_kernel(kernel))))))
            .collect();
        let (_, portable) = trees.last().expect("there is a portable one");
        for (kernel, reports) in &trees {
            assert_eq!(reports, portable, "{name}, {kernel}");
        }
    }
}

#[test]
fn another_network_is_another_search() {
    let mut searcher = searcher(embedded());
    let own = search_all(&mut searcher);
    let first = Arc::new(network(1));
    searcher.set_network(Arc::clone(&first));
    let with_first = search_all(&mut searcher);
    searcher.set_network(Arc::new(network(2)));
    let with_second = search_all(&mut searcher);
    assert_ne!(with_first, own);
    assert_ne!(with_second, with_first);
    searcher.set_network(Arc::clone(&first));
    assert_eq!(search_all(&mut searcher), with_first);
    searcher.set_network(embedded());
    assert_eq!(search_all(&mut searcher), own);
    searcher.set_network(Arc::clone(&first));
    for fen in FENS {
        let position = position(fen);
        assert_eq!(searcher.evaluate(&position), evaluate(&position, &first), "{fen}");
        assert_eq!(searcher.evaluate(&position).units(), first.evaluate(&position), "{fen}");
    }
}

#[test]
fn mates_are_no_evaluations() {
    let mut float = material(16, 1);
    float.parameters.output_bias_mut().fill(500.0);
    let network = float.quantize().expect("its sums fit");
    let position = position(FENS[0]);
    assert!(network.evaluate(&position) > 100_000);
    assert!(!evaluate(&position, &network).is_mate());
}
