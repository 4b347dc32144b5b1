//! Packing and unpacking reproduce the data, damaged data are detected, and the format does not change.

use super::section::{ChunkHead, Section};
use super::*;
use crate::chess::{Position, Setup, chess960_back_rank};
use crate::rng::Rng;
use crate::search::Score;
use crate::train::data::{Chunk, ChunkReader, Game, GameResult, Ply, Termination};
use crc64fast::Digest;
use proptest::prelude::*;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A game of random moves, a few of which repeat the last ones of a side, with scores that vary like those of searches.
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
    let mut value = 0;
    for _ in 0..plies {
        let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
        position = position.after(mv).0;
        value = -value + rng.below(60) as i32 - 30;
        let score = match rng.below(20) {
            0 => Score::mating(rng.below(100) as usize),
            1 => Score::mated(rng.below(100) as usize),
            2 => Score::from_units(rng.below(60_000) as i32 - 30_000),
            _ => Score::from_units(value),
        };
        moves.push(Ply { mv, score });
    }
    let result = GameResult::ALL[rng.below(3) as usize];
    let termination = Termination::ALL[rng.below(Termination::ALL.len() as u64) as usize];
    Game::new(start, moves, result, termination).expect("its moves are legal")
}

/// A folder that is removed on drop.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Chunks with random games.
    fn with_chunks(chunks: u64, games: u64) -> (Self, Vec<PathBuf>) {
        let folder = Self::new();
        let write = |number: u64| {
            let path = folder.path(&format!("{number:03}.games"));
            let note = format!("{{\"engine\":\"Hematite\",\"first\":{}}}", number * games);
            let mut chunk = Chunk::create(&path, &note).expect("a file");
            for game in 0..games {
                let seed = number * games + game;
                chunk.append(&random_game(seed, 8, seed as usize * 7 % 150)).expect("it can be written");
            }
            chunk.close().expect("it can be closed");
            path
        };
        let files = (0..chunks).map(write).collect();
        (folder, files)
    }
}

fn pack(files: &[PathBuf], out: &Path, mode: Mode, threads: usize) -> Result<Progress, ArchiveError> {
    let packing = Packing { files: files.to_vec(), out: out.to_owned(), mode, threads };
    packing.run(&mut |_| ControlFlow::Continue(()))
}

fn unpack(archive: &Path, out: Option<PathBuf>, threads: usize) -> Result<Progress, ArchiveError> {
    let unpacking = Unpacking { archive: Archive::open(archive)?, out, threads };
    unpacking.run(&mut |_| ControlFlow::Continue(()))
}

/// The codes of games, and the games as they will be unpacked.
fn encode(mode: Mode, games: &[Game]) -> ([Vec<u8>; 3], Vec<Game>) {
    let mut section = Section::encode(mode);
    let append = |game| section.append(game).expect("a game");
    let expected = games.iter().map(append).collect();
    (section.finish(), expected)
}

fn decode(mode: Mode, codes: &[Vec<u8>; 3], games: usize) -> Result<Vec<Game>, SectionError> {
    let mut section = Section::decode(mode, codes.each_ref().map(Vec::as_slice));
    (0..games).map(|_| section.read()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn what_is_encoded_is_decoded(
        seeds in prop::collection::vec((any::<u64>(), 0..30usize, 0..200usize), 0..4),
    ) {
        let games: Vec<Game> =
            seeds.into_iter().map(|(seed, before, plies)| random_game(seed, before, plies)).collect();
        for mode in Mode::ALL {
            let (codes, expected) = encode(mode, &games);
            prop_assert_eq!(&decode(mode, &codes, games.len()).expect("games"), &expected);
            if mode == Mode::Lossless {
                prop_assert_eq!(&expected, &games);
            }
            // Rounded scores are not rounded again.
            prop_assert_eq!(&encode(mode, &expected).1, &expected);
        }
    }

    #[test]
    fn heads_come_back(name in "[a-z0-9-]{1,40}\\.games", note in ".{0,200}", games: u32, checksum: u64) {
        let head = ChunkHead { name, note, games };
        let mut section = Section::encode(Mode::Lossless);
        for _ in 0..2 {
            section.append_head(&head).expect("a head");
            section.append_checksum(checksum);
        }
        let codes = section.finish();
        let mut section = Section::decode(Mode::Lossless, codes.each_ref().map(Vec::as_slice));
        for _ in 0..2 {
            prop_assert_eq!(&section.read_head().expect("a head"), &head);
            prop_assert_eq!(section.read_checksum(), checksum);
        }
    }

    #[test]
    fn any_bytes_may_be_a_code(
        codes: [Vec<u8>; 3],
        is_coarse: bool,
        seed: u64,
        at: prop::sample::Index,
        byte in 1..=u8::MAX,
    ) {
        let mode = Mode::ALL[usize::from(is_coarse)];
        // The code ends long before a hundred thousand games do.
        let games = decode(mode, &codes, 100_000);
        prop_assert!(games.is_err());
        let game = random_game(seed, 8, 60);
        let (codes, expected) = encode(mode, &[game.clone(), game]);
        for code in 0..codes.len() {
            let mut damaged = codes.clone();
            if damaged[code].is_empty() {
                continue;
            }
            let at = at.index(damaged[code].len());
            damaged[code][at] ^= byte;
            // Only the checksum of the file detects all damage: the last bits of a code may have no effect.
            if let Ok(games) = decode(mode, &damaged, 2) {
                prop_assert_eq!(games.len(), expected.len());
            }
            damaged[code].truncate(at);
            if let Ok(games) = decode(mode, &damaged, 2) {
                prop_assert_eq!(games.len(), expected.len());
            }
        }
    }
}

#[test]
fn chunks_come_back_byte_for_byte_with_any_number_of_threads() {
    let (folder, files) = Folder::with_chunks(5, 6);
    let archives: Vec<Vec<u8>> = [1, 3]
        .map(|threads| {
            let archive = folder.path(&format!("{threads}.pack"));
            let progress = pack(&files, &archive, Mode::Lossless, threads).expect("it can be packed");
            let out = folder.path(&format!("again-{threads}"));
            let unpacked = unpack(&archive, Some(out.clone()), threads).expect("it can be unpacked");
            assert_eq!((unpacked.chunks, unpacked.games), (5, 30));
            assert_eq!(unpacked, progress);
            for file in &files {
                let again = out.join(file.file_name().expect("a name"));
                assert_eq!(fs::read(file).expect("the chunk"), fs::read(again).expect("the chunk again"));
            }
            let refused = unpack(&archive, Some(out), threads).expect_err("they are there");
            assert!(matches!(refused, ArchiveError::Exists(_)), "{refused}");
            assert_eq!(unpack(&archive, None, threads).expect("it is whole"), progress);
            fs::read(archive).expect("the archive")
        })
        .to_vec();
    assert_eq!(archives[0], archives[1]);
}

#[test]
fn coarse_archives_keep_moves_and_the_scores_of_training() {
    let (folder, files) = Folder::with_chunks(2, 8);
    let archive = folder.path("coarse.pack");
    pack(&files, &archive, Mode::Coarse, 1).expect("it can be packed");
    assert_eq!(Archive::open(&archive).expect("it is whole").mode(), Mode::Coarse);
    let out = folder.path("again");
    unpack(&archive, Some(out.clone()), 1).expect("it can be unpacked");
    let mut kept = 0;
    for file in &files {
        let again = ChunkReader::open(&out.join(file.file_name().expect("a name"))).expect("a chunk");
        for (game, again) in ChunkReader::open(file).expect("a chunk").zip(again) {
            let (game, again) = (game.expect("a game"), again.expect("a game"));
            assert_eq!((game.start(), game.result()), (again.start(), again.result()));
            for (exact, coarse) in game.samples().zip(again.samples()) {
                assert_eq!(exact.mv, coarse.mv);
                let position = exact.position;
                if exact.ply >= 16 && !position.is_check() && !position.is_noisy(exact.mv) {
                    let distance = (exact.score - coarse.score).abs();
                    assert!(distance <= 16 && (distance <= 2 || exact.score.units().abs() >= 398));
                    kept += 1;
                }
            }
        }
    }
    assert!(kept > 100, "{kept}");
}

/// Compares the archive of these chunks byte for byte: a change here means that older archives can no longer be read.
#[test]
fn the_format_does_not_change() {
    let (folder, files) = Folder::with_chunks(2, 5);
    // The lengths, and the checksums at the ends of the archives.
    let expected = [(1040, 0x91be_6150_e799_d9b0), (833, 0x60e2_5a66_5ea8_c789)];
    let found = Mode::ALL.map(|mode| {
        let archive = folder.path(mode.name());
        pack(&files, &archive, mode, 1).expect("it can be packed");
        let bytes = fs::read(archive).expect("the archive");
        let checksum = *bytes.last_chunk().expect("a checksum");
        (bytes.len(), u64::from_le_bytes(checksum))
    });
    assert_eq!(found, expected, "{found:#x?}");
}

#[test]
fn messages_tell_what_was_found() {
    let (folder, files) = Folder::with_chunks(1, 3);
    let archive = folder.path("whole.pack");
    pack(&files, &archive, Mode::Lossless, 1).expect("it can be packed");
    let whole = fs::read(&archive).expect("the archive");
    let note = usize::from(u16::from_le_bytes([whole[13], whole[14]]));
    let section = 15 + note;
    let edited = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let longer = [&whole[..], b"x"].concat();
    let cases = [
        ("nothing", Vec::new(), "ends at byte 0, before the archive was closed"),
        (
            "another file",
            b"HEMGAMES and so on".to_vec(),
            "not an archive of games: starts with \"HEMGAMES\", expected \"HEMAPACK\"",
        ),
        ("another version", edited(8, 2), "format version 2, expected 1"),
        ("another mode", edited(12, 2), "mode 2, expected at most 1"),
        ("no section", edited(section, b'X'), "byte "),
        ("a code", edited(section + 60, !whole[section + 60]), "the checksum is "),
        ("one byte more", longer, "byte "),
    ];
    for (name, bytes, expected) in cases {
        fs::write(&archive, bytes).expect("it can be written");
        let error = unpack(&archive, None, 1).expect_err(name).to_string();
        let expected = format!("{}: {expected}", archive.display());
        assert!(error.starts_with(&expected), "{name}: {error}");
    }
    for cut in 0..whole.len() {
        fs::write(&archive, &whole[..cut]).expect("it can be written");
        assert!(Archive::open(&archive).is_err(), "cut at byte {cut}");
    }
}

#[test]
fn damage_behind_a_right_checksum_is_found() {
    let (folder, files) = Folder::with_chunks(1, 3);
    let archive = folder.path("whole.pack");
    pack(&files, &archive, Mode::Lossless, 1).expect("it can be packed");
    let whole = fs::read(&archive).expect("the archive");
    let [body, end] = [whole.len() - 8, whole.len()];
    let note = usize::from(u16::from_le_bytes([whole[13], whole[14]]));
    for at in (15 + note..body).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        let mut checksum = Digest::new();
        checksum.write(&bytes[..body]);
        bytes[body..end].copy_from_slice(&checksum.sum64().to_le_bytes());
        fs::write(&archive, bytes).expect("it can be written");
        assert!(unpack(&archive, None, 1).is_err(), "byte {at}");
    }
}

#[test]
fn names_lead_nowhere_else() {
    let cases = [
        ("a.games", true),
        ("../a.games", false),
        ("/a.games", false),
        ("a\\b.games", false),
        ("C:a.games", false),
        ("..", false),
        ("", false),
        ("a.txt", false),
    ];
    for (name, expected) in cases {
        assert_eq!(writer::is_chunk_name(name), expected, "{name}");
    }
    let (folder, files) = Folder::with_chunks(1, 1);
    let twice = [files[0].clone(), files[0].clone()];
    let refused = pack(&twice, &folder.path("a.pack"), Mode::Lossless, 1).expect_err("one name");
    assert!(matches!(refused, ArchiveError::SameName(..)), "{refused}");
    let refused = pack(&files, &files[0], Mode::Lossless, 1).expect_err("a file that is there");
    assert!(matches!(refused, ArchiveError::Exists(_)), "{refused}");
}
