//! The names of openings and their codes in the Encyclopedia of Chess Openings, looked up by position, so that
//! transpositions are found as well.
//!
//! The facts (code, name, moves) are those of the list of opening names of
//! <https://github.com/lichess-org/chess-openings>, which is in the public domain (CC0 1.0). An [`OpeningList`] builds
//! the embedded table from such a list.

use crate::chess::{Key, KeyHasher, Move, Position};
use crate::notation::pgn::Game;
use crate::notation::{Excerpt, San, SanError, SanMove, SanText, parse_san};
use memchr::memchr;
use once_cell::sync::{Lazy, OnceCell};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::str::FromStr;

/// Openings by the position to which they lead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    /// The openings in the order of the table.
    openings: Vec<Opening>,
    by_key: HashMap<Key, usize, BuildHasherDefault<KeyHasher>>,
}

static OPENINGS: Lazy<Openings> = Lazy::new(|| {
    Openings::from_table(include_str!("openings.tsv")).expect("the embedded table is what its test has made")
});

/// The openings chosen by the user, which replace the embedded ones.
static CHOSEN: OnceCell<Openings> = OnceCell::new();

/// The positions on the lines of the openings in use.
static LINES: Lazy<HashSet<Key, BuildHasherDefault<KeyHasher>>> = Lazy::new(|| {
    let mut keys = HashSet::from_iter([Position::start().key()]);
    // The start and the positions after each move of a line: the next line shares the first of them.
    let mut positions = vec![Position::start()];
    let mut line: &[Move] = &[];
    for opening in openings() {
        let shared = opening.moves().iter().zip(line).take_while(|(a, b)| a == b).count();
        positions.truncate(shared + 1);
        for &mv in &opening.moves()[shared..] {
            let after = positions[positions.len() - 1].after(mv).0;
            keys.insert(after.key());
            positions.push(after);
        }
        line = opening.moves();
    }
    keys
});

/// Replaces the embedded openings by this table in the whole program. Its names also take precedence over those in
/// tags.
///
/// # Errors
/// The table, if another one was chosen before.
pub fn choose(openings: Openings) -> Result<(), Openings> {
    CHOSEN.set(openings)
}

/// Whether the user has chosen the openings.
pub fn is_chosen() -> bool {
    CHOSEN.get().is_some()
}

/// The openings in use: those chosen by the user, or else the embedded ones, which are parsed on first use.
pub fn openings() -> &'static Openings {
    CHOSEN.get().unwrap_or_else(|| &OPENINGS)
}

/// The opening that leads to this position.
pub fn opening(position: &Position) -> Option<&'static Opening> {
    openings().of(position)
}

/// Whether the position is on the line of an opening: either it has a name or a later position does.
pub fn is_on_line(position: &Position) -> bool {
    LINES.contains(&position.key())
}

impl Openings {
    /// Reads a table made by an [`OpeningList`], which has checked its moves. Nothing is replayed, since every command
    /// that names openings waits for the table. The names and moves stay in memory until the program ends.
    ///
    /// # Errors
    /// [`OpeningError`] for the first wrong line.
    pub fn from_table(table: &str) -> Result<Self, OpeningError> {
        let mut reader = Reader::default();
        reader.names.reserve(table.len());
        let is_row = |text: &str| !text.is_empty() && !text.starts_with('#');
        let mut rows: Vec<Row> = Vec::with_capacity(table.len() / LINE_BYTES);
        for (index, text) in table.lines().enumerate().filter(|(_, text)| is_row(text)) {
            let line = index + 1;
            rows.push(reader.read_line(line, text).map_err(|problem| OpeningError { line, problem })?);
        }
        let (names, moves) = (&*reader.names.leak(), &*reader.moves.leak());
        let mut openings: Vec<Opening> = Vec::with_capacity(rows.len());
        let mut by_key = HashMap::with_capacity_and_hasher(rows.len(), BuildHasherDefault::default());
        let (mut name_start, mut moves_start) = (0, 0);
        for Row { line, key, code, name_end, moves_end } in rows {
            let (name_end, moves_end) = (name_end as usize, moves_end as usize);
            let opening =
                Opening { code, name: &names[name_start..name_end], moves: &moves[moves_start..moves_end] };
            (name_start, moves_start) = (name_end, moves_end);
            if let Some(before) = by_key.insert(key, openings.len()) {
                let (found, before) = (opening.name.to_owned(), openings[before].name.to_owned());
                return Err(OpeningError { line, problem: OpeningProblem::Named { found, before } });
            }
            openings.push(opening);
        }
        Ok(Self { openings, by_key })
    }

    /// The opening that leads to this position, regardless of the clocks.
    pub fn of(&self, position: &Position) -> Option<&Opening> {
        self.by_key.get(&position.key()).map(|&index| &self.openings[index])
    }

    /// All openings, sorted by their moves.
    pub fn iter(&self) -> std::slice::Iter<'_, Opening> {
        self.openings.iter()
    }

    /// The number of openings.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether there are no openings.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }
}

impl<'a> IntoIterator for &'a Openings {
    type Item = &'a Opening;
    type IntoIter = std::slice::Iter<'a, Opening>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The opening of a game: that of the last position of the main line that has a name.
pub fn opening_of(game: &Game) -> Option<&'static Opening> {
    let mut position = *game.start();
    let mut found = opening(&position);
    for node in game.mainline() {
        position = match game.mv(node) {
            Some(mv) => position.after(mv).0,
            None => position.after_null(),
        };
        found = opening(&position).or(found);
    }
    found
}

/// Sets the tags `ECO`, `Opening`, `Variation` and `SubVariation` of a game according to [`opening_of`] it. A game
/// without a named opening keeps its tags.
pub fn label(game: &mut Game) {
    let Some(found) = opening_of(game) else { return };
    game.tags.set("ECO", found.code().to_string());
    game.tags.set("Opening", found.family());
    for (name, value) in [("Variation", found.variation()), ("SubVariation", found.subvariation())] {
        match value {
            Some(value) => game.tags.set(name, value),
            None => game.tags.remove(name),
        }
    }
}

// The table. Its lines are sorted by their moves, and each line contains only the differences from the one above
// (<https://en.wikipedia.org/wiki/Incremental_encoding>).

/// The approximate number of bytes of a line.
const LINE_BYTES: usize = 50;

/// An opening of the table: its line and position, and the ends of its name and its moves.
struct Row {
    line: usize,
    key: Key,
    code: EcoCode,
    name_end: u32,
    moves_end: u32,
}

/// Reads a table line by line, each with the content of the one before.
#[derive(Default)]
struct Reader {
    /// The names of all lines, one after the other, and the place of the latest.
    names: String,
    name: Range<usize>,
    /// The moves of all lines, and the place of the latest.
    moves: Vec<Move>,
    plies: Range<usize>,
}

impl Reader {
    fn read_line(&mut self, line: usize, text: &str) -> Result<Row, OpeningProblem> {
        let malformed = || OpeningProblem::Columns(Excerpt::new(text));
        let mut columns = text;
        let mut next = || {
            let end = memchr(b'\t', columns.as_bytes()).ok_or_else(malformed)?;
            let column = &columns[..end];
            columns = &columns[end + 1..];
            Ok(column)
        };
        let shared_plies: usize = next()?.parse().map_err(|_| malformed())?;
        let moves = next()?;
        let key = u64::from_str_radix(next()?, HEX).map_err(|_| malformed())?;
        let code = next()?;
        let shared: usize = next()?.parse().map_err(|_| malformed())?;
        let rest = columns;
        if shared_plies > self.plies.len()
            || !self.names[self.name.clone()].is_char_boundary(shared)
            || memchr(b'\t', rest.as_bytes()).is_some()
        {
            return Err(malformed());
        }
        let start = self.moves.len();
        self.moves.extend_from_within(self.plies.start..self.plies.start + shared_plies);
        for text in moves.split(' ').filter(|text| !text.is_empty()) {
            let mv = u16::from_str_radix(text, HEX).ok().and_then(Move::from_bits);
            self.moves.push(mv.ok_or_else(malformed)?);
        }
        self.plies = start..self.moves.len();
        let start = self.names.len();
        self.names.extend_from_within(self.name.start..self.name.start + shared);
        self.names.push_str(rest);
        self.name = start..self.names.len();
        let code = code.parse().map_err(|_| OpeningProblem::Code(Excerpt::new(code)))?;
        let end = |end: usize| u32::try_from(end).map_err(|_| malformed());
        let (name_end, moves_end) = (end(self.name.end)?, end(self.plies.end)?);
        Ok(Row { line, key: Key::from_bits(key), code, name_end, moves_end })
    }
}

/// The base of the numbers of the table.
const HEX: u32 = 16;

/// The first line of each list.
const HEADER: &str = "eco\tname\tpgn";

/// A list of openings with their codes, names and moves. All moves are checked.
///
/// ```
/// use hematite_core::notation::eco::{OpeningList, Openings};
/// let mut list = OpeningList::default();
/// list.add("eco\tname\tpgn\nB01\tScandinavian Defense\t1. e4 d5\n").unwrap();
/// let openings = Openings::from_table(&list.table()).unwrap();
/// assert_eq!(openings.iter().next().unwrap().to_string(), "B01 Scandinavian Defense");
/// assert!(list.add("B00\tKing's Pawn Game\t1. e5").is_err());
/// ```
#[derive(Clone, Default, Debug)]
pub struct OpeningList {
    openings: Vec<ListedOpening>,
    /// The index of the opening with a position.
    by_key: HashMap<Key, usize>,
}

/// An opening of a list, in the order of the table: by its moves in canonical SAN.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ListedOpening {
    moves: Vec<SanText>,
    code: EcoCode,
    name: String,
    /// The moves as [`Move::bits`].
    bits: Vec<u16>,
    /// The key of its position.
    key: u64,
}

impl ListedOpening {
    /// The line of the table for this opening, after the one of `above`.
    fn line(&self, above: Option<&Self>) -> String {
        let (bits, name) = above.map_or((&[][..], ""), |above| (&above.bits, &above.name));
        let plies = self.bits.iter().zip(bits).take_while(|(a, b)| a == b).count();
        let letters = self.name.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        let shared: usize = letters.map(|(letter, _)| letter.len_utf8()).sum();
        let moves: Vec<String> = self.bits[plies..].iter().map(|bits| format!("{bits:x}")).collect();
        let rest = &self.name[shared..];
        format!("{plies}\t{}\t{:x}\t{}\t{shared}\t{rest}\n", moves.join(" "), self.key, self.code)
    }
}

impl OpeningList {
    /// Adds the lines of a list: a code, a name and moves with their numbers, separated by tabs. The header and blank
    /// lines are skipped.
    ///
    /// # Errors
    /// [`OpeningError`] for the first line that is malformed, has an illegal move, or leads to a position that already
    /// has a name. The lines before it have been added.
    pub fn add(&mut self, list: &str) -> Result<(), OpeningError> {
        for (index, line) in list.lines().enumerate() {
            let line = line.trim_end();
            if !line.is_empty() && line != HEADER {
                self.add_line(line).map_err(|problem| OpeningError { line: index + 1, problem })?;
            }
        }
        Ok(())
    }

    fn add_line(&mut self, line: &str) -> Result<(), OpeningProblem> {
        let [code, name, movetext] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(OpeningProblem::Columns(Excerpt::new(line)));
        };
        let code = code.parse().map_err(|_| OpeningProblem::Code(Excerpt::new(code)))?;
        let mut position = Position::start();
        let (mut moves, mut bits) = (Vec::new(), Vec::new());
        for text in movetext.split_whitespace().filter(|text| !text.ends_with('.')) {
            match parse_san(text, &position).map_err(OpeningProblem::Move)? {
                SanMove::Move(mv) => {
                    moves.push(San::new(&position, mv).text());
                    bits.push(mv.bits());
                    position = position.after(mv).0;
                }
                SanMove::Null => return Err(OpeningProblem::Columns(Excerpt::new(line))),
            }
        }
        if let Some(&before) = self.by_key.get(&position.key()) {
            let before = self.openings[before].name.clone();
            return Err(OpeningProblem::Named { found: name.to_owned(), before });
        }
        self.by_key.insert(position.key(), self.openings.len());
        let key = position.key().bits();
        self.openings.push(ListedOpening { moves, code, name: name.to_owned(), bits, key });
        Ok(())
    }

    /// The table in the format of [`Openings::from_table`]. It does not depend on the order in which the lists were
    /// added.
    pub fn table(&self) -> String {
        let mut openings: Vec<&ListedOpening> = self.openings.iter().collect();
        openings.sort_unstable();
        let mut table = String::from(TABLE_HEADER);
        let mut above = None;
        for opening in openings {
            table.push_str(&opening.line(above));
            above = Some(opening);
        }
        table
    }
}

/// The comment at the start of the table.
const TABLE_HEADER: &str = "\
# Openings by their moves, made by Hematite's `OpeningList`; not to be edited.
# Codes, names and moves: https://github.com/lichess-org/chess-openings, public domain (CC0 1.0).
# Columns: plies shared with the line above, further moves (their bits), key of the position, code,
# bytes of the name shared with the line above, rest of the name. Numbers of moves and keys are
# hexadecimal.
";

/// A code from A00 to E99: a volume and a number within it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EcoCode {
    volume: char,
    number: u8,
}

impl EcoCode {
    /// The volume, `A` to `E`.
    pub const fn volume(self) -> char {
        self.volume
    }

    /// The number within the volume, 0 to 99.
    pub const fn number(self) -> u8 {
        self.number
    }
}

impl fmt::Display for EcoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:02}", self.volume, self.number)
    }
}

/// The text is not a code such as `B01`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an ECO code, expected a letter A to E and two digits such as B01")]
pub struct EcoCodeError;

impl FromStr for EcoCode {
    type Err = EcoCodeError;

    /// Reads `B01`.
    ///
    /// # Errors
    /// [`EcoCodeError`] for any other text.
    fn from_str(text: &str) -> Result<Self, EcoCodeError> {
        match *text.as_bytes() {
            [volume @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
                Ok(Self { volume: char::from(volume), number: (tens - b'0') * 10 + (ones - b'0') })
            }
            _ => Err(EcoCodeError),
        }
    }
}

/// A named position of opening theory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    code: EcoCode,
    name: &'static str,
    moves: &'static [Move],
}

impl Opening {
    /// The code in the Encyclopedia of Chess Openings.
    pub const fn code(&self) -> EcoCode {
        self.code
    }

    /// The full name: `Sicilian Defense: Najdorf Variation, English Attack`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The moves that lead to the position from the initial one; other moves may also lead to it.
    pub const fn moves(&self) -> &'static [Move] {
        self.moves
    }

    /// The first part of the name: `Sicilian Defense`. The PGN tag is `Opening`.
    pub fn family(&self) -> &str {
        self.parts().0
    }

    /// The next part of the name: `Najdorf Variation`. The PGN tag is `Variation`.
    pub fn variation(&self) -> Option<&str> {
        self.parts().1.map(|rest| rest.split_once(", ").map_or(rest, |(variation, _)| variation))
    }

    /// The rest of the name: `English Attack`. The PGN tag is `SubVariation`.
    pub fn subvariation(&self) -> Option<&str> {
        self.parts().1?.split_once(", ").map(|(_, subvariation)| subvariation)
    }

    /// The family and the rest of the name.
    fn parts(&self) -> (&str, Option<&str>) {
        match self.name.split_once(": ") {
            Some((family, rest)) => (family, Some(rest)),
            None => (self.name, None),
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

/// A line of a list or of a table that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OpeningError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: OpeningProblem,
}

/// A problem with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningProblem {
    /// The line does not have the expected columns.
    #[error("found {0}, expected a code, a name and moves, separated by tabs")]
    Columns(Excerpt),
    /// The code is not valid.
    #[error("found {0}, expected a code A00 to E99")]
    Code(Excerpt),
    /// A move is not legal.
    #[error(transparent)]
    Move(SanError),
    /// The position already has a name.
    #[error("`{found}` leads to the position of `{before}`, expected one name for each position")]
    Named {
        /// The name in this line.
        found: String,
        /// The name that the position already has.
        before: String,
    },
}
