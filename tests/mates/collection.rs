//! The suite `epd/mates.epd`: its generation, and a proof of all its records.

use crate::mates::maker::{self, Rarity};
use crate::mates::prover::Prover;
use hematite::chess::{Color, Position};
use hematite::notation::{Epd, EpdReader};
use std::collections::HashSet;
use std::path::PathBuf;

/// The normal tests examine one mate out of this many.
pub(crate) const STRIDE: usize = 40;

const HEAD: &str = "\
# 2,000 proved mates in 1 to 5 moves: `dm` is the shortest, `bm` its only first move, where there is but one.
# Origin: random endgames, random compositions and games of random moves, each proved by trying everything;
# made by `cargo test --release --test integration -- --ignored make_the_suite`.
# Licence: GPL-3.0-or-later.
";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("epd/mates.epd")
}

/// A proved mate.
pub(crate) struct Mate {
    pub(crate) name: String,
    pub(crate) position: Position,
    pub(crate) moves: usize,
}

/// The records of the suite in the repository.
fn records() -> Vec<Epd> {
    let text = std::fs::read(path()).expect("the suite is in the tree");
    let records = EpdReader::new(text.as_slice());
    records.map(|line| line.unwrap_or_else(|error| panic!("{error}")).epd).collect()
}

/// Every `stride`th mate of the suite.
pub(crate) fn mates(stride: usize) -> Vec<Mate> {
    let mate = |epd: Epd| Mate {
        name: epd.id().expect("every mate has a name").to_owned(),
        position: *epd.position(),
        moves: epd.direct_mate().expect("every mate has a length").into(),
    };
    records().into_iter().step_by(stride).map(mate).collect()
}

#[test]
#[ignore = "writes the suite into the source tree; takes minutes"]
fn make_the_suite() {
    let records: String = maker::make().iter().map(|epd| format!("{epd}\n")).collect();
    std::fs::write(path(), format!("{HEAD}{records}")).expect("the source tree can be written");
}

#[test]
fn the_suite_is_varied() {
    let records = records();
    let lengths: Vec<usize> =
        (1..=5).map(|moves| records.iter().filter(|epd| epd.direct_mate() == Some(moves)).count()).collect();
    assert_eq!(lengths, [200, 500, 600, 500, 200]);
    let different: HashSet<_> = records.iter().map(|epd| epd.position().key()).collect();
    let names: HashSet<_> = records.iter().map(Epd::id).collect();
    assert_eq!((different.len(), names.len()), (records.len(), records.len()));
    let count = |is_so: &dyn Fn(&Epd) -> bool| records.iter().filter(|epd| is_so(epd)).count();
    let men = |epd: &Epd| epd.position().occupied().count();
    let has_castling_rights =
        |epd: &Epd| Color::ALL.iter().any(|&color| !epd.position().castling_rooks(color).is_empty());
    let least = [
        ("White mates", 800, count(&|epd| epd.position().turn() == Color::White)),
        ("Black mates", 800, count(&|epd| epd.position().turn() == Color::Black)),
        ("up to five men", 500, count(&|epd| men(epd) <= 5)),
        ("more than twenty men", 100, count(&|epd| men(epd) > 20)),
        ("castling rights", 100, count(&has_castling_rights)),
        ("one solution", 500, count(&|epd| epd.best_moves().len() == 1)),
    ];
    for (name, least, found) in least {
        assert!(found >= least, "{name}: {found}");
    }
    for rarity in Rarity::ALL {
        let found = count(&|epd| epd.best_moves().iter().any(|&mv| Rarity::of(mv) == Some(rarity)));
        assert!(found >= maker::RARE, "{rarity:?}: {found}");
    }
}

/// Proves the record of every `stride`th position of the suite again.
fn prove(stride: usize) {
    let mut prover = Prover::new(maker::BUDGET);
    for epd in records().into_iter().step_by(stride) {
        let moves = epd.direct_mate().map(usize::from);
        assert_eq!(prover.distance(epd.position(), maker::LONGEST), Ok(moves), "{epd}");
        if let (Some(moves), [best]) = (moves, epd.best_moves()) {
            assert_eq!(prover.solutions(epd.position(), moves), Ok(vec![*best]), "{epd}");
        }
    }
}

#[test]
fn a_sample_is_proved_again() {
    prove(STRIDE);
}

#[test]
#[ignore = "takes minutes"]
fn all_is_proved_again() {
    prove(1);
}
