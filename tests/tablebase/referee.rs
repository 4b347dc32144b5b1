//! python-chess as a referee.

use crate::tablebase::sample::{MATERIAL, folder, random, tables};
use hematite::notation::Fen;
use hematite::rng::Rng;
use hematite::tablebase::Wdl;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

/// The number of random positions of three and four pieces, spread evenly over the material.
const POSITIONS: usize = 1_000_000;
/// The distance is also compared for one position out of this many.
const DISTANCE_EVERY: usize = 101;

/// Takes minutes and needs Python with python-chess: `cargo test --release --test integration -- --ignored
/// tablebase::`.
#[test]
#[ignore = "takes minutes and needs python-chess"]
fn a_million_positions_agree_with_python_chess() {
    let (Some(tables), Some(folder)) = (tables(), folder()) else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tablebase/referee.py");
    let mut python = Command::new("python3")
        .arg(script)
        .arg(folder)
        .arg(DISTANCE_EVERY.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    let mut input = python.stdin.take().expect("it is piped");
    let output = BufReader::new(python.stdout.take().expect("it is piped"));
    let positions = || {
        let mut rng = Rng::new(4);
        (0..POSITIONS).map(move |index| random(&mut rng, MATERIAL[index % MATERIAL.len()]))
    };
    let writer = thread::spawn(move || {
        for position in positions() {
            writeln!(input, "{}", Fen::new(&position)).expect("the referee reads");
        }
    });
    let mut results = [0_usize; 5];
    let mut count = 0;
    for (position, line) in positions().zip(output.lines()) {
        let line = line.expect("the referee writes text");
        let wdl = tables.probe_wdl(&position).expect("every table is there");
        let number = match wdl {
            Wdl::Loss => -2,
            Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1,
            Wdl::Win => 2,
        };
        let expected = if count % DISTANCE_EVERY == 0 {
            let distance = tables.probe_dtz(&position).expect("every table is there");
            let sign = |is_win| if is_win { 1 } else { -1 };
            let plies = distance.map_or(0, |distance| distance.plies as i32 * sign(distance.is_win));
            format!("{number} {plies}")
        } else {
            number.to_string()
        };
        assert_eq!(expected, line, "{}", Fen::new(&position));
        results[wdl as usize] += 1;
        count += 1;
    }
    writer.join().expect("all was written");
    assert!(python.wait().expect("it ends").success());
    assert_eq!(count, POSITIONS);
    println!("{count} positions: losses, blessed losses, draws, cursed wins, wins {results:?}");
}
