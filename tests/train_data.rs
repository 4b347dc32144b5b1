//! The format of training data: written games are read back, and other data is refused.

use crate::support;
use hematite::chess::{Color, Position, Setup, chess960_back_rank};
use hematite::rng::Rng;
use hematite::search::Score;
use hematite::train::archive::{Archive, Mode, Packing, Unpacking};
use hematite::train::data::{
    Chunk, ChunkReader, DataError, Game, GameResult, GameWriter, Ply, Termination, Totals, chunk_files,
};
use proptest::prelude::*;
use rayon::prelude::*;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

/// A game of random moves from a random initial position of double Chess960; some moves are played before recording
/// starts.
fn random_game(seed: u64, before: usize, plies: usize) -> Game {
    let mut rng = Rng::new(seed);
    let mut rank = || chess960_back_rank(rng.below(960) as u16).expect("a number below 960");
    let setup = if seed.is_multiple_of(4) { Setup::start() } else { Setup::double_chess960(rank(), rank()) };
    let mut position = Position::try_from(setup).expect("a legal position");
    for _ in 0..before {
        let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
        position = position.after(mv).0;
    }
    let start = position;
    let mut moves = Vec::new();
    for _ in 0..plies {
        let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
        position = position.after(mv).0;
        let score = match rng.below(10) {
            0 => Score::mating(rng.below(100) as usize),
            1 => Score::mated(rng.below(100) as usize),
            _ => Score::from_units(rng.below(60_000) as i32 - 30_000),
        };
        moves.push(Ply { mv, score });
    }
    let result = GameResult::ALL[rng.below(3) as usize];
    let termination = Termination::ALL[rng.below(Termination::ALL.len() as u64) as usize];
    Game::new(start, moves, result, termination).expect("its moves are legal")
}

fn chunk(games: &[Game], note: &str) -> Vec<u8> {
    let mut writer = GameWriter::new(Vec::new(), note).expect("memory can be written");
    for game in games {
        writer.append(game).expect("memory can be written");
    }
    writer.close().expect("memory can be written").0
}

fn read(bytes: &[u8]) -> Result<Vec<Game>, DataError> {
    ChunkReader::new(bytes)?.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(support::fuzz_cases(300)))]

    #[test]
    fn what_is_written_is_read(
        seeds in prop::collection::vec((any::<u64>(), 0..30usize, 0..200usize), 0..8),
        note in ".{0,60}",
    ) {
        let games: Vec<Game> =
            seeds.into_iter().map(|(seed, before, plies)| random_game(seed, before, plies)).collect();
        let bytes = chunk(&games, &note);
        let reader = ChunkReader::new(&bytes[..]).expect("a header");
        prop_assert_eq!(reader.note(), note);
        let mut totals = Totals::default();
        games.iter().for_each(|game| totals.add(game));
        let (counted, checksum) = reader.verify().expect("a whole chunk");
        prop_assert_eq!(counted, totals);
        prop_assert_eq!(&checksum.to_le_bytes()[..], &bytes[bytes.len() - 8..]);
        prop_assert_eq!(read(&bytes).expect("a whole chunk"), games);
    }

    #[test]
    fn damage_is_found(seed: u64, plies in 1..120usize, at: prop::sample::Index, byte in 1..=u8::MAX) {
        let games = [random_game(seed, 8, plies), random_game(!seed, 9, plies)];
        let mut bytes = chunk(&games, "{}");
        let at = at.index(bytes.len());
        bytes[at] ^= byte;
        prop_assert!(read(&bytes).is_err(), "byte {at}");
        bytes[at] ^= byte;
        prop_assert!(read(&bytes[..at]).is_err(), "cut at byte {at}");
        bytes.push(byte);
        prop_assert!(matches!(read(&bytes), Err(DataError::Trailing { .. })), "one byte more");
    }

    #[test]
    fn anything_may_stand_behind_a_header(bytes: Vec<u8>, plies in 0..40usize) {
        let whole = chunk(&[random_game(bytes.len() as u64, 0, plies)], "");
        for start in [0, 14, 15, whole.len() - 33] {
            let mut hostile = whole[..start.min(whole.len())].to_owned();
            hostile.extend(&bytes);
            prop_assert!(read(&hostile).is_err());
        }
    }
}

/// The number of games in a chunk of [`all_of_a_million_games_come_back_from_archives`].
const CHUNK_GAMES: u64 = 1000;
/// The number of chunks in one of its archives.
const ARCHIVE_CHUNKS: u64 = 50;

/// Writes a chunk of random games, and returns its path.
fn random_chunk(folder: &Path, number: u64) -> PathBuf {
    let path = folder.join(format!("{number:06}.games"));
    let mut chunk = Chunk::create(&path, &format!("{{\"first\":{}}}", number * CHUNK_GAMES)).expect("a file");
    for seed in number * CHUNK_GAMES..(number + 1) * CHUNK_GAMES {
        // Some games have no moves, and the longest random ones end by the rules.
        let (before, plies) = (seed as usize % 30, seed as usize * 37 % 200);
        chunk.append(&random_game(seed, before, plies)).expect("it can be written");
    }
    chunk.close().expect("it can be closed");
    path
}

#[test]
#[ignore = "a million games take minutes; HEMATITE_FUZZ=100000 takes fewer"]
fn all_of_a_million_games_come_back_from_archives() {
    let games = u64::from(support::fuzz_cases(1_000_000));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (mut packed, mut plain) = (0, 0);
    for first in (0..games.div_ceil(CHUNK_GAMES)).step_by(ARCHIVE_CHUNKS as usize) {
        let folder = tempfile::tempdir().expect("a folder");
        let numbers = first..(first + ARCHIVE_CHUNKS).min(games.div_ceil(CHUNK_GAMES));
        let files: Vec<PathBuf> =
            numbers.into_par_iter().map(|number| random_chunk(folder.path(), number)).collect();
        let (out, unpacked) = (folder.path().join("games.pack"), folder.path().join("unpacked"));
        let packing = Packing { files: files.clone(), out: out.clone(), mode: Mode::Lossless, threads };
        let progress = packing.run(&mut |_| ControlFlow::Continue(())).expect("it can be packed");
        assert_eq!(progress.games, files.len() as u64 * CHUNK_GAMES);
        packed += progress.archive_bytes;
        plain += progress.chunk_bytes;
        let archive = Archive::open(&out).expect("an archive");
        let unpacking = Unpacking { archive, out: Some(unpacked.clone()), threads };
        unpacking.run(&mut |_| ControlFlow::Continue(())).expect("it can be unpacked");
        for path in files {
            let again = unpacked.join(path.file_name().expect("a name"));
            let bytes = |path: &Path| fs::read(path).expect("it can be read");
            assert!(bytes(&path) == bytes(&again), "chunk {} is different", path.display());
        }
    }
    println!("{games} games: {plain} bytes as chunks, {packed} packed");
    assert!(packed < plain, "{packed} bytes, expected less than {plain}");
}

#[test]
fn samples_follow_the_game() {
    let game = random_game(3, 9, 50);
    let mut position = *game.start();
    assert_eq!(game.samples().len(), game.plies().len());
    for (number, (sample, ply)) in game.samples().zip(game.plies()).enumerate() {
        assert_eq!(sample.position, position);
        assert_eq!((sample.mv, sample.score), (ply.mv, ply.score));
        assert_eq!((sample.ply, sample.result), (9 + number as u32, game.result()));
        position = position.play(ply.mv).expect("a legal move");
    }
}

#[test]
fn results_are_worth_points() {
    let cases = [(GameResult::WhiteWins, 2, 0), (GameResult::Draw, 1, 1), (GameResult::BlackWins, 0, 2)];
    for (result, white, black) in cases {
        assert_eq!((result.half_points(Color::White), result.half_points(Color::Black)), (white, black));
    }
    assert_eq!(GameResult::win(Color::Black), GameResult::BlackWins);
}

#[test]
fn illegal_games_are_refused() {
    let game = random_game(0, 0, 10);
    let mut plies = game.plies().to_vec();
    plies.swap(0, 1);
    let refused = Game::new(*game.start(), plies, GameResult::Draw, Termination::TooLong);
    assert!(refused.is_err(), "White's first move is not Black's");
}

#[test]
fn messages_tell_what_was_found() {
    let whole = chunk(&[random_game(0, 0, 3)], "");
    let edited = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    const HEADER: usize = 14;
    let cases = [
        ("nothing", Vec::new(), "ends at byte 0, before the chunk was closed"),
        (
            "another file",
            b"PK\x03\x04 and so on".to_vec(),
            "not a chunk of games: starts with \"PK\\x03\\x04 and\", expected \"HEMGAMES\"",
        ),
        ("another version", edited(8, 2), "format version 2, expected 1"),
        ("cut off", whole[..20].to_vec(), "ends at byte 15, before the chunk was closed"),
        ("no game", edited(HEADER, b'X'), "byte 14: expected a game or the end of the chunk, found \"X\""),
        ("no result", edited(HEADER + 30, 3), "byte 14: game 1: result 3, expected 0 to 2"),
        ("no termination", edited(HEADER + 31, 99), "byte 14: game 1: unknown termination 99"),
        ("no move", edited(HEADER + 35, 0xff), "byte 14: game 1: ply 0: "),
        ("the clock", edited(HEADER + 26, 1), "the checksum is "),
    ];
    for (name, bytes, expected) in cases {
        let error = read(&bytes).expect_err(name).to_string();
        assert!(error.starts_with(expected), "{name}: {error}");
    }
}

#[test]
fn a_file_appears_when_it_is_closed() {
    let folder = std::env::temp_dir().join(format!("hematite-train-data-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("1.games");
    let game = random_game(1, 8, 40);

    let mut dropped = Chunk::create(&path, "{}").expect("a file");
    dropped.append(&game).expect("it can be written");
    drop(dropped);
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 0, "nothing remains");
    assert!(chunk_files(std::slice::from_ref(&folder)).is_err(), "no chunks");

    let mut chunk = Chunk::create(&path, "{}").expect("a file");
    chunk.append(&game).expect("it can be written");
    assert!(!path.exists());
    let closed = chunk.close().expect("it can be closed");
    assert_eq!(chunk_files(std::slice::from_ref(&folder)).expect("a chunk"), std::slice::from_ref(&path));
    let (totals, checksum) = ChunkReader::open(&path).expect("it opens").verify().expect("it is whole");
    assert_eq!((totals, checksum), (closed.totals, closed.checksum));
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
    fs::remove_dir_all(&folder).expect("it is ours");
}
