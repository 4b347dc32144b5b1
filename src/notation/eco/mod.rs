//! The names of openings and their codes in the Encyclopedia of Chess Openings, looked up by position, so that
//! transpositions are found as well.
//!
//! The facts (code, name, moves) are those of the list of opening names of
//! <https://github.com/lichess-org/chess-openings>, which is in the public domain (CC0 1.0). An [`OpeningList`] builds
//! the embedded table from such a list.

use crate::chess::{Key, Move, Position};
use crate::notation::pgn::Game;
use crate::notation::{Excerpt, San, SanError, SanMove, SanText, parse_san};
use once_cell::sync::{Lazy, OnceCell};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write};
use std::str::FromStr;

/// Openings by the position to which they lead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    /// The openings in the order of the table.
    openings: Vec<Opening>,
    by_key: HashMap<Key, usize>,
}

static OPENINGS: Lazy<Openings> = Lazy::new(|| {
    Openings::from_table(include_str!("openings.tsv")).expect("the embedded table is what its test has made")
});

/// The openings chosen by the user, which replace the embedded ones.
static CHOSEN: OnceCell<Openings> = OnceCell::new();

/// The positions on the lines of the openings in use.
static LINES: Lazy<HashSet<Key>> = Lazy::new(|| {
    let mut keys = HashSet::from([Position::start().key()]);
    for opening in openings() {
        let mut position = Position::start();
        for &mv in opening.moves() {
            position = position.after(mv).0;
            keys.insert(position.key());
        }
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
    /// Reads a table made by an [`OpeningList`].
    ///
    /// # Errors
    /// [`OpeningError`] for the first wrong line.
    pub fn from_table(table: &str) -> Result<Self, OpeningError> {
        let mut openings: Vec<Opening> = Vec::new();
        let mut by_key = HashMap::new();
        for row in Reader::new().read(table) {
            let (line, position, opening) = row?;
            if let Some(before) = by_key.insert(position.key(), openings.len()) {
                let before = openings[before].name.clone();
                let problem = OpeningProblem::Named { found: opening.name, before };
                return Err(OpeningError { line, problem });
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

/// The moves and the name of a line, with which the next one is compared.
#[derive(Clone, Default)]
struct Row<'a> {
    pub moves: Vec<&'a str>,
    pub name: &'a str,
}

impl Row<'_> {
    /// The line of the table for this row, after the one of `above`.
    fn line(&self, above: &Row<'_>, code: EcoCode) -> String {
        let plies = self.moves.iter().zip(&above.moves).take_while(|(a, b)| a == b).count();
        let letters = self.name.chars().zip(above.name.chars()).take_while(|(a, b)| a == b);
        let shared: usize = letters.map(|(letter, _)| letter.len_utf8()).sum();
        let mut line = String::new();
        let rest = &self.name[shared..];
        // Writing to a string cannot fail.
        let _ = writeln!(line, "{plies}\t{}\t{code}\t{shared}\t{rest}", self.moves[plies..].join(" "));
        line
    }
}

/// Reads a table line by line, each with the content of the one before.
struct Reader {
    /// The initial position and those after each move of the last line.
    positions: Vec<Position>,
    moves: Vec<Move>,
    name: String,
}

impl Reader {
    fn new() -> Self {
        Self { positions: vec![Position::start()], moves: Vec::new(), name: String::new() }
    }

    /// Reads a table, and returns each opening with its line number and its position.
    fn read(mut self, table: &str) -> impl Iterator<Item = Result<(usize, Position, Opening), OpeningError>> {
        let rows = table.lines().enumerate().filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
        rows.map(move |(index, text)| {
            let line = index + 1;
            let (position, opening) =
                self.read_line(text).map_err(|problem| OpeningError { line, problem })?;
            Ok((line, position, opening))
        })
    }

    fn read_line(&mut self, line: &str) -> Result<(Position, Opening), OpeningProblem> {
        let malformed = || OpeningProblem::Columns(Excerpt::new(line));
        let mut columns = line.split('\t');
        let mut next = || columns.next().ok_or_else(malformed);
        let plies: usize = next()?.parse().map_err(|_| malformed())?;
        let moves = next()?;
        let code = next()?;
        let shared: usize = next()?.parse().map_err(|_| malformed())?;
        let rest = next()?;
        if plies > self.moves.len() || !self.name.is_char_boundary(shared) || columns.next().is_some() {
            return Err(malformed());
        }
        self.moves.truncate(plies);
        self.positions.truncate(plies + 1);
        for text in moves.split_whitespace() {
            self.play(text)?;
        }
        self.name.truncate(shared);
        self.name.push_str(rest);
        let code = code.parse().map_err(|_| OpeningProblem::Code(Excerpt::new(code)))?;
        let opening = Opening { code, name: self.name.clone(), moves: self.moves.clone() };
        let &position = self.positions.last().ok_or_else(malformed)?;
        Ok((position, opening))
    }

    fn play(&mut self, text: &str) -> Result<(), OpeningProblem> {
        let Some(position) = self.positions.last() else { return Ok(()) };
        match parse_san(text, position).map_err(OpeningProblem::Move)? {
            SanMove::Move(mv) => {
                let (after, _) = position.after(mv);
                self.positions.push(after);
                self.moves.push(mv);
                Ok(())
            }
            SanMove::Null => Err(OpeningProblem::Move(SanError::NotAMove(Excerpt::new(text)))),
        }
    }
}

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
    /// The moves in canonical SAN, the code and the name.
    openings: Vec<(Vec<SanText>, EcoCode, String)>,
    /// The index of the opening with a position.
    by_key: HashMap<Key, usize>,
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
        let mut moves = Vec::new();
        for text in movetext.split_whitespace().filter(|text| !text.ends_with('.')) {
            match parse_san(text, &position).map_err(OpeningProblem::Move)? {
                SanMove::Move(mv) => {
                    moves.push(San::new(&position, mv).text());
                    position = position.after(mv).0;
                }
                SanMove::Null => return Err(OpeningProblem::Columns(Excerpt::new(line))),
            }
        }
        if let Some(&before) = self.by_key.get(&position.key()) {
            let before = self.openings[before].2.clone();
            return Err(OpeningProblem::Named { found: name.to_owned(), before });
        }
        self.by_key.insert(position.key(), self.openings.len());
        self.openings.push((moves, code, name.to_owned()));
        Ok(())
    }

    /// The table in the format of [`Openings::from_table`]. It does not depend on the order in which the lists were
    /// added.
    pub fn table(&self) -> String {
        let mut openings: Vec<_> = self.openings.iter().collect();
        openings.sort_unstable();
        let mut table = String::from(TABLE_HEADER);
        let mut above = Row::default();
        for (moves, code, name) in openings {
            let row = Row { moves: moves.iter().map(|mv| mv.as_str()).collect(), name };
            table.push_str(&row.line(&above, *code));
            above = row;
        }
        table
    }
}

/// The comment at the start of the table.
const TABLE_HEADER: &str = "\
# Openings by their moves, made by Hematite's `OpeningList`; not to be edited.
# Codes, names and moves: https://github.com/lichess-org/chess-openings, public domain (CC0 1.0).
# Columns: plies shared with the line above, further moves, code, bytes of the name shared with
# the line above, rest of the name.
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
    pub(super) code: EcoCode,
    pub(super) name: String,
    pub(super) moves: Vec<Move>,
}

impl Opening {
    /// The code in the Encyclopedia of Chess Openings.
    pub const fn code(&self) -> EcoCode {
        self.code
    }

    /// The full name: `Sicilian Defense: Najdorf Variation, English Attack`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The moves that lead to the position from the initial one; other moves may also lead to it.
    pub fn moves(&self) -> &[Move] {
        &self.moves
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
            None => (&self.name, None),
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
