//! The tables, their storage, and the positions of the decoder.

use super::files::{Fault, Material, TableKind, check, list};
use crate::chess::{Bitboard, Color, Position, Role};
use crate::files::allow_many_files;
use once_cell::sync::OnceCell;
use shakmaty::{
    Bitboard as Squares, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square,
};
use shakmaty_syzygy as syzygy;
use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{ProbeError, SyzygyError, Tablebase as Decoder};
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The result of a position for the side to move with best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// A loss that the 50-move rule turns into a draw.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// A win that the 50-move rule turns into a draw.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// The result for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }

    /// The result without the 50-move rule.
    #[must_use]
    pub const fn without_fifty_moves(self) -> Self {
        match self {
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }
}

impl From<syzygy::Wdl> for Wdl {
    fn from(wdl: syzygy::Wdl) -> Self {
        match wdl {
            syzygy::Wdl::Loss => Self::Loss,
            syzygy::Wdl::BlessedLoss => Self::BlessedLoss,
            syzygy::Wdl::Draw => Self::Draw,
            syzygy::Wdl::CursedWin => Self::CursedWin,
            syzygy::Wdl::Win => Self::Win,
        }
    }
}

/// Distance to zeroing: the number of plies until the winning side captures, moves a pawn or mates, with best play.
/// Only won and lost positions have one.
///
/// Above 100 the position is won only without the 50-move rule; if that is because of a later phase, after the capture
/// or pawn move, 100 plies are added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dtz {
    /// Whether the side to move wins.
    pub is_win: bool,
    /// The number of plies, at least 1.
    pub plies: u32,
    /// Whether the true number may be one ply more, since the table stores full moves.
    pub is_rounded: bool,
}

impl Dtz {
    /// The maximum number of plies if the number is rounded.
    pub const fn longest(self) -> u32 {
        self.plies + self.is_rounded as u32
    }

    /// `None` for a draw.
    fn new(found: syzygy::MaybeRounded<syzygy::Dtz>) -> Option<Self> {
        let (dtz, is_rounded) = match found {
            syzygy::MaybeRounded::Rounded(dtz) => (dtz.0, true),
            syzygy::MaybeRounded::Precise(dtz) => (dtz.0, false),
        };
        (dtz != 0).then(|| Self { is_win: dtz > 0, plies: dtz.unsigned_abs(), is_rounded })
    }
}

/// The tables of one material.
#[derive(Default, Debug)]
struct MaterialTables {
    has_wdl: bool,
    has_dtz: bool,
    /// Whether one of the tables was found to be damaged.
    is_broken: AtomicBool,
}

impl MaterialTables {
    const fn has(&self, kind: TableKind) -> bool {
        match kind {
            TableKind::Wdl => self.has_wdl,
            TableKind::Dtz => self.has_dtz,
        }
    }
}

/// All available tables. They are opened when they are first needed.
pub struct Tablebase {
    decoder: Decoder<Chess>,
    known: HashMap<Material, MaterialTables>,
    men: u32,
    /// The first damage found by a probe.
    damage: OnceCell<Fault>,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("men", &self.men)
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

impl Tablebase {
    /// The tables in the folders of a path, which are separated as in the system's search path, and the faults of files
    /// that cannot be used. Of several files of the same table only the first usable one is used, and later ones are
    /// not examined.
    pub fn load(path: &str) -> (Self, Vec<Fault>) {
        let mut faults = Vec::new();
        allow_many_files();
        let mut tables = Self {
            decoder: Decoder::with_filesystem(Arc::new(Storage::new())),
            known: HashMap::new(),
            men: 0,
            damage: OnceCell::new(),
        };
        for file in list(path, &mut faults) {
            if tables.known.get(&file.material).is_some_and(|known| known.has(file.kind)) {
                continue;
            }
            if let Err(fault) = check(&file).and_then(|()| {
                let failed = |error| Fault::File { path: file.path.clone(), error };
                tables.decoder.add_file(&file.path).map_err(failed)
            }) {
                faults.push(fault);
                continue;
            }
            let known = tables.known.entry(file.material).or_default();
            match file.kind {
                TableKind::Wdl => known.has_wdl = true,
                TableKind::Dtz => known.has_dtz = true,
            }
            // Only WDL tables contain the result of a position.
            if file.kind == TableKind::Wdl {
                tables.men = tables.men.max(file.men);
            }
        }
        (tables, faults)
    }

    /// The number of WDL tables.
    pub fn count(&self) -> usize {
        self.known.values().filter(|known| known.has_wdl).count()
    }

    /// The number of DTZ tables.
    pub fn dtz_count(&self) -> usize {
        self.known.values().filter(|known| known.has_dtz).count()
    }

    /// The maximum number of pieces of positions that can be probed; 0 without tables.
    pub const fn max_pieces(&self) -> u32 {
        self.men
    }

    /// The first damage found by a probe.
    pub fn damage(&self) -> Option<&Fault> {
        self.damage.get()
    }

    /// The result of a position after a capture or pawn move, or without regard to the halfmove clock. `None` if no
    /// table contains it.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        self.probe(
            position,
            |known| known.has_wdl,
            |decoder, position| decoder.probe_wdl_after_zeroing(position),
        )
        .map(Wdl::from)
    }

    /// The distance to the next capture or pawn move; `Some(None)` for a draw, `None` if no table contains it.
    pub fn probe_dtz(&self, position: &Position) -> Option<Option<Dtz>> {
        // If a pawn move or capture wins, the distance is known without a DTZ table.
        self.probe(position, |known| known.has_wdl, |decoder, position| decoder.probe_dtz(position))
            .map(Dtz::new)
    }

    fn probe<T>(
        &self,
        position: &Position,
        is_there: impl Fn(&MaterialTables) -> bool,
        ask: impl Fn(&Decoder<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        /// The number of pieces for which no table is needed: the two kings.
        const KINGS: u32 = 2;
        let men = position.occupied().count();
        if men > self.men {
            return None;
        }
        let known = self.known.get(&Material::of(position));
        if men > KINGS
            && !known.is_some_and(|known| is_there(known) && !known.is_broken.load(Ordering::Relaxed))
        {
            return None;
        }
        match ask(&self.decoder, &convert(position)?) {
            Ok(found) => Some(found),
            Err(error) => {
                if let (SyzygyError::ProbeFailed { metric, material, error }, Some(known)) = (error, known) {
                    known.is_broken.store(true, Ordering::Relaxed);
                    let reason = format!("the {metric} table {material} is damaged{}", detail(&error));
                    let _ = self.damage.set(Fault::Probe { reason }); // only the first is reported
                }
                None
            }
        }
    }
}

/// The details of a decoding error.
fn detail(error: &ProbeError) -> String {
    match error {
        // The decoder would add a line number of its own source code.
        ProbeError::CorruptedTable { .. } => String::new(),
        ProbeError::Read { .. } | ProbeError::Magic { .. } => format!(": {error}"),
    }
}

/// The maximum size, in bytes, of files that are kept in memory once they are used: reading one takes a few
/// milliseconds. A probe in memory takes a third of the time, since it needs no system call and no open file.
const KEPT_BYTES: u64 = 8 << 20;
/// The maximum size of all kept files together, in bytes: most of the tables of five pieces fit.
const ALL_KEPT_BYTES: u64 = 512 << 20;

/// Small files in memory, others on disk. Memory maps would be a little faster, but a mapped file that changes or
/// disappears crashes the program.
pub(super) struct Storage {
    system: OsFilesystem,
    /// The number of bytes kept in memory.
    kept: AtomicU64,
}

impl Storage {
    pub(super) fn new() -> Self {
        Self { system: OsFilesystem::new(), kept: AtomicU64::new(0) }
    }
}

impl Filesystem for Storage {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let size = self.regular_file_size(path)?;
        let is_room = |kept: u64| kept.checked_add(size).filter(|&kept| kept <= ALL_KEPT_BYTES);
        if size <= KEPT_BYTES && self.kept.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_room).is_ok()
        {
            Ok(Box::new(Kept(fs::read(path)?)))
        } else {
            self.system.open(path)
        }
    }
}

/// The bytes of a file.
struct Kept(Vec<u8>);

impl RandomAccessFile for Kept {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let start = usize::try_from(offset).map_err(|_| ErrorKind::UnexpectedEof)?;
        let bytes = self.0.get(start..).unwrap_or_default();
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        Ok(count)
    }
}

/// The position for the decoder, without clocks; `None` if it has castling rights, which tables do not contain.
pub(super) fn convert(position: &Position) -> Option<Chess> {
    if [Color::White, Color::Black].into_iter().any(|color| !position.castling_rooks(color).is_empty()) {
        return None;
    }
    let squares = |set: Bitboard| Squares(set.bits());
    let role = |role| squares(position.role(role));
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: role(Role::Pawn),
            knight: role(Role::Knight),
            bishop: role(Role::Bishop),
            rook: role(Role::Rook),
            queen: role(Role::Queen),
            king: role(Role::King),
        },
        ByColor {
            black: squares(position.color(Color::Black)),
            white: squares(position.color(Color::White)),
        },
    )
    .ok()?;
    let setup = Setup {
        board,
        turn: if position.turn() == Color::White { shakmaty::Color::White } else { shakmaty::Color::Black },
        ep_square: position.en_passant().map(|square| Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    // Tables also contain positions that no game reaches.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}
