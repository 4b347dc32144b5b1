//! Digests of games for comparison: their moves as numbers of a fixed size, their players, events and dates.

use super::texts::Texts;
use crate::chess::{Move, Position};
use crate::database::parallel::SourceReader;
use crate::database::store::{StoredLine, line_number};
use crate::notation::Fen;
use crate::notation::pgn::{DeferredBuilder, Game, GameResult, NodeId};
use std::io;
use xxhash_rust::xxh3::xxh3_128;

/// The form in which moves are compared. It must be the same for all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineForm {
    /// The moves themselves, which is fastest if all games are read from text.
    Moves,
    /// The numbers that a collection stores for moves, so that its games need not be replayed.
    Numbers,
}

/// The number of bytes of a move that are compared.
const MOVE_BYTES: usize = size_of::<u16>();
/// The tags that are compared. White space around the last one is only ignored when it is shown.
const TAGS: [&str; 4] = ["White", "Black", "Event", DATE];
/// The tag with the date.
const DATE: &str = "Date";

/// The compared properties of a game, apart from its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Digest {
    /// The numbers of the texts of White, Black and the event.
    pub texts: [u32; 3],
    /// The number of the text of the date.
    pub date: u32,
    /// The length of the main line, in plies.
    pub plies: u32,
    /// The amount of comments, glyphs and variations.
    pub notes: u32,
    /// The number of tags.
    pub tags: u32,
    pub result: GameResult,
}

/// The digests of a batch of games.
#[derive(Clone, Debug)]
pub struct Digests {
    difference: usize,
    form: LineForm,
    pub(super) texts: Texts,
    pub(super) games: Vec<Digest>,
    /// For each game, the hashes of its moves: of all moves, of all but one, and so on.
    ends: Vec<u128>,
    /// The main line of the game that is being added.
    moves: Vec<Option<Move>>,
    /// The start and the moves of the game that is being added.
    bytes: Vec<u8>,
}

impl Digests {
    /// Digests without games, for lengths that may differ by up to this many plies.
    pub fn new(difference: usize, form: LineForm) -> Self {
        Self {
            difference,
            form,
            texts: Texts::default(),
            games: Vec::new(),
            ends: Vec::new(),
            moves: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// The number of games.
    pub const fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are no games.
    pub const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The hashes of the moves of a game: of all moves, of all but one, and so on.
    pub(super) fn ends(&self, game: usize) -> &[u128] {
        let most = self.difference + 1;
        let count = most.min(self.games[game].plies as usize + 1);
        &self.ends[game * most..][..count]
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Game) {
        self.moves.clear();
        self.moves.extend(game.mainline().map(|node| game.mv(node)));
        let notes = notes_of(game, self.moves.len());
        self.add_line(game, notes);
    }

    /// Adds the game that was read last. It is only built if necessary.
    pub fn add_latest(&mut self, builder: &mut DeferredBuilder) {
        self.moves.clear();
        match builder.main_line(&mut self.moves) {
            Some(notes) => self.add_line(builder.header(), notes),
            None => self.add(builder.game()),
        }
    }

    /// Adds the next games of a reader, as long as their texts need not be read.
    ///
    /// # Errors
    /// The same as for [`SourceReader::read_game`].
    pub fn add_unread(&mut self, reader: &mut SourceReader) -> io::Result<()> {
        match self.form {
            LineForm::Moves => Ok(()),
            LineForm::Numbers => reader.take_lines(&TAGS, &mut |line| self.add_stored(line)),
        }
    }

    fn add_stored(&mut self, line: &StoredLine<'_>) {
        self.begin(line.start);
        push_numbers(&mut self.bytes, line.numbers.iter().copied());
        let mut texts = TAGS.iter().zip(line.texts).map(|(name, text)| self.number(name, *text));
        let texts = [(); TAGS.len()].map(|()| texts.next().unwrap_or_default());
        self.end(texts, line.numbers.len(), [line.notes, line.tags], line.result);
    }

    /// Adds a game with the tags, start and result of `header`, and the moves in `self.moves`.
    fn add_line(&mut self, header: &Game, notes: usize) {
        self.begin(header.is_set_up().then(|| header.start()));
        match self.form {
            LineForm::Moves => {
                push_numbers(&mut self.bytes, self.moves.iter().map(|mv| mv.map_or(0, Move::bits)));
            }
            LineForm::Numbers => {
                let mut position = *header.start();
                for &mv in &self.moves {
                    self.bytes.extend(line_number(&position, mv).to_le_bytes());
                    position = mv.map_or_else(|| position.after_null(), |mv| position.after(mv).0);
                }
            }
        }
        let texts = TAGS.map(|name| self.number(name, header.tags.get(name)));
        self.end(texts, self.moves.len(), [notes, header.tags.len()], header.result);
    }

    /// Starts a game from this position; `None` for the initial position.
    fn begin(&mut self, start: Option<&Position>) {
        self.bytes.clear();
        if let Some(start) = start {
            self.bytes.extend(Fen::new(start).to_string().into_bytes());
        }
    }

    /// The number of the value of a tag.
    fn number(&mut self, name: &str, value: Option<&str>) -> u32 {
        let value = value.unwrap_or_default();
        self.texts.number(if name == DATE { value } else { value.trim() })
    }

    fn end(&mut self, texts: [u32; 4], plies: usize, [notes, tags]: [usize; 2], result: GameResult) {
        for less in 0..=self.difference {
            let end = if less <= plies {
                xxh3_128(&self.bytes[..self.bytes.len() - less * MOVE_BYTES])
            } else {
                // The value is not used.
                0
            };
            self.ends.push(end);
        }
        let [white, black, event, date] = texts;
        // The limits of games are far lower.
        let [plies, notes, tags] = [plies, notes, tags].map(|count| count as u32);
        self.games.push(Digest { texts: [white, black, event], date, plies, notes, tags, result });
    }

    /// Appends digests that were made with the same difference and form.
    pub(super) fn append(&mut self, other: &Self) {
        let numbers: Vec<u32> = other.texts.iter().map(|text| self.texts.number(text)).collect();
        let number = |of: u32| numbers[of as usize];
        self.games.extend(other.games.iter().map(|game| Digest {
            texts: game.texts.map(number),
            date: number(game.date),
            ..*game
        }));
        self.ends.extend_from_slice(&other.ends);
    }
}

/// Appends the bytes of the numbers of moves.
fn push_numbers(bytes: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u16>) {
    let start = bytes.len();
    bytes.resize(start + numbers.len() * MOVE_BYTES, 0);
    for (bytes, number) in bytes[start..].chunks_exact_mut(MOVE_BYTES).zip(numbers) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
}

/// The amount of comments, glyphs and variations of a game whose main line has this number of plies.
fn notes_of(game: &Game, plies: usize) -> usize {
    let mut notes = game.len() - plies;
    let mut nodes = vec![NodeId::ROOT];
    while let Some(node) = nodes.pop() {
        nodes.extend(game.children(node));
        notes += game.nags(node).count();
        let comments = game.comments(node).chain(game.comments_before(node));
        notes += comments.map(str::len).sum::<usize>();
    }
    notes
}
