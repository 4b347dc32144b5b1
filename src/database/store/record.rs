//! The stored form of a game: the calls that a PGN reader makes to a visitor, or the text if it contains more.
//!
//! A game with regular text (moves in standard notation with the right numbers, no errors) is stored as the calls to a
//! [`Visitor`], with one byte for most moves; a replay makes the same calls, so every tool behaves the same. Any other
//! game is stored as its text with its place, and is parsed again.

use super::code::{Bytes, damage, put_bytes};
use super::move_number::{Reach, SHORT, move_of, number_of, numbered_move};
use super::positions::Line;
use super::seen::Seen;
use crate::chess::{Move, Position};
use crate::database::men::{Men, Played};
use crate::database::tally::GameFacts;
use crate::notation::pgn::{
    DeferredBuilder, Encoding, Game, GameBuilder, GameResult, Nag, PgnError, PgnProblem, Place, RawText,
    Reader, Skip, Tags, Tracker, Visitor, has_unread_mark,
};
use crate::notation::{PieceLetters, San, SanMove};
use once_cell::sync::Lazy;
use std::io::{self, Read};
use std::ops::ControlFlow;

/// The men of the initial position.
static START: Lazy<Men> = Lazy::new(Men::start);

/// Bytes below this are the numbers of moves.
pub(super) const FIRST_CODE: u8 = 224;
const _: () = assert!(FIRST_CODE as usize == SHORT, "short numbers take a byte");
/// A null move.
pub(super) const NULL: u8 = 224;
/// A glyph; its number follows.
pub(super) const NAG: u8 = 225;
/// The next text is a comment.
pub(super) const COMMENT: u8 = 226;
/// The next text is an escape line.
pub(super) const ESCAPE: u8 = 227;
/// The start of a variation.
pub(super) const BEGIN: u8 = 228;
/// The end of a variation.
pub(super) const END: u8 = 229;
/// A move with a long number; its excess over the short numbers follows.
pub(super) const LONG: u8 = 230;
/// The first of the codes for results, in the order of [`RESULTS`].
pub(super) const FIRST_RESULT: u8 = 240;

pub(super) const RESULTS: [GameResult; 4] =
    [GameResult::Unknown, GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];

/// The properties of a game that are known without reading it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Flags(pub u8);

impl Flags {
    /// The game is stored as text.
    pub(super) const TEXT: Self = Self(1);
    /// The game contains errors.
    pub(super) const ERRORS: Self = Self(2);
    /// The text of the game is at the start of a source, or of a part that was read separately.
    pub(super) const AT_START: Self = Self(4);
    /// The game ends with a result other than that of its tag.
    pub(super) const OTHER_RESULT: Self = Self(8);
    const ALL: u8 = 15;

    pub(super) const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    /// Whether the tags state the result, and the game has no errors.
    pub(super) const fn is_plain(self) -> bool {
        !self.has(Self::ERRORS) && !self.has(Self::TEXT) && !self.has(Self::OTHER_RESULT)
    }

    fn set(&mut self, flag: Self, is_set: bool) {
        if is_set {
            self.0 |= flag.0;
        }
    }

    /// The flags in a stored byte.
    pub(super) fn read(byte: u8) -> io::Result<Self> {
        if byte > Self::ALL { Err(damage("a game has unknown flags")) } else { Ok(Self(byte)) }
    }
}

/// The text of a game as in its source.
#[derive(Clone, Debug)]
pub(in crate::database) struct GameText {
    pub bytes: Vec<u8>,
    /// The place of the text in the source.
    pub place: Place,
    pub is_at_start: bool,
}

/// A game that is ready to be stored.
pub(super) struct Recorded<'a> {
    pub flags: Flags,
    /// Moves and codes, or the text of the game.
    pub moves: &'a [u8],
    /// Comments and escape lines, each after its length.
    pub texts: &'a [u8],
    /// The place of the game, or of its text if that is stored.
    pub place: Place,
    /// The tags in the order of the file.
    pub tags: &'a Tags,
    /// The positions of the main line.
    pub line: &'a Line,
    /// The facts for counting.
    pub facts: GameFacts,
    /// The summary of its positions.
    pub seen: Seen,
}

/// Records the calls that a visitor receives, game by game.
#[derive(Default)]
pub(in crate::database) struct Recorder {
    builder: DeferredBuilder,
    is_regular: bool,
    moves: Vec<u8>,
    texts: Vec<u8>,
    line: Line,
    seen: Seen,
    result: Option<GameResult>,
    depth: usize,
}

impl Recorder {
    /// A recorder of games in this language.
    pub(super) fn new(letters: PieceLetters) -> Self {
        Self { builder: DeferredBuilder::new(GameBuilder::new().with_letters(letters)), ..Self::default() }
    }

    pub(super) fn game(&mut self) -> &Game {
        self.builder.game()
    }

    /// Whether the text of the latest game must be stored.
    pub(super) fn needs_text(&self) -> bool {
        !self.is_regular || !self.builder.errors().is_empty()
    }

    /// The latest game. Its text is required if [`Self::needs_text`].
    pub(super) fn record<'a>(&'a self, place: Place, text: Option<&'a GameText>) -> Recorded<'a> {
        let mut flags = Flags::default();
        flags.set(Flags::ERRORS, !self.builder.errors().is_empty());
        let (place, moves, texts) = match text {
            Some(text) => {
                flags.set(Flags::TEXT, true);
                flags.set(Flags::AT_START, text.is_at_start);
                (text.place, &text.bytes[..], &[][..])
            }
            None => (place, &self.moves[..], &self.texts[..]),
        };
        // The tags of the text may be repeated or changed; those of the built game count.
        let tags = self.builder.tags();
        let stated = tags.get("Result").map(|text| GameResult::from_tag(text.as_bytes()).unwrap_or_default());
        let result = self.result.or(stated).unwrap_or_default();
        flags.set(Flags::OTHER_RESULT, result != stated.unwrap_or_default());
        let facts = GameFacts::new(tags, result);
        Recorded { flags, moves, texts, place, tags, line: &self.line, facts, seen: self.seen }
    }

    fn position(&self) -> Option<&Position> {
        self.builder.last_position()
    }

    /// Records a move that has been made, and its text if it was read.
    fn add_move(&mut self, text: Option<&[u8]>) {
        let (tracker, mv) = (self.builder.tracker(), self.builder.latest_move());
        // After a move, the position before it is known.
        let Some(before) = tracker.before() else { return };
        let is_canonical = |text| is_canonical(text, before, mv, tracker.position());
        self.is_regular = self.is_regular && text.is_none_or(is_canonical);
        // For irregular games, only the keys are stored in addition to the text.
        if self.is_regular {
            match mv {
                None => self.moves.push(NULL),
                Some(mv) => match number_of(before, mv) {
                    Some(number) if number < SHORT => self.moves.push(number as u8),
                    Some(number) => self.moves.extend([LONG, (number - SHORT) as u8]),
                    // A side has more men than possible in a game from the initial position.
                    None => self.is_regular = false,
                },
            }
        }
        if self.depth == 0 {
            self.line.play(mv, tracker.position());
            self.seen.add(tracker.position());
        }
    }

    fn add_text(&mut self, code: u8, text: RawText<'_>) {
        self.moves.push(code);
        put_bytes(&mut self.texts, text.bytes());
    }
}

/// Whether this is the standard notation of a move.
fn is_canonical(text: &[u8], before: &Position, mv: Option<Move>, after: &Position) -> bool {
    match mv {
        Some(mv) => San::new(before, mv).is_text(text, after),
        None => text == SanMove::NULL.as_bytes(),
    }
}

impl Visitor for Recorder {
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        Some(&mut self.builder)
    }

    fn begin_game(&mut self) {
        self.builder.begin_game();
        self.is_regular = true;
        self.moves.clear();
        self.texts.clear();
        self.line.clear();
        self.seen = Seen::default();
        self.result = None;
        self.depth = 0;
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        let count = self.builder.tags().len();
        self.builder.tag(name, value)?;
        let tags = self.builder.tags();
        // Repeated tags, and values that would be changed, require the text to be stored.
        let is_kept = |(kept_name, kept): (&str, &str)| {
            kept_name.as_bytes() == name && kept.as_bytes() == value.bytes()
        };
        self.is_regular &= tags.len() > count && tags.last().is_some_and(is_kept);
        Ok(())
    }

    fn end_tags(&mut self) -> Skip {
        let skip = self.builder.end_tags();
        self.is_regular &= skip == Skip::No;
        if let Some(start) = self.builder.last_position() {
            self.line.start(start);
            self.seen.add(start);
        }
        skip
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.builder.mv(text)?;
        self.add_move(Some(text));
        Ok(())
    }

    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        self.builder.known_move(before, mv, after)?;
        self.add_move(None);
        Ok(())
    }

    fn number(&mut self, digits: &[u8]) -> Result<(), Box<PgnProblem>> {
        let digit = |digit: u8| u32::from(digit.wrapping_sub(b'0'));
        let found = match *digits {
            // Most numbers are small.
            [ones] => digit(ones),
            [tens, ones] => digit(tens) * 10 + digit(ones),
            _ => digits
                .iter()
                .fold(0_u32, |number, &next| number.saturating_mul(10).saturating_add(digit(next))),
        };
        let expected = self.position().map(|position| u32::from(position.fullmove_number()));
        self.is_regular &= expected == Some(found);
        // A game that is built has no numbers.
        Ok(())
    }

    fn unread(&mut self, text: RawText<'_>) {
        self.is_regular = false;
        self.builder.unread(text);
    }

    fn nag(&mut self, nag: Nag) {
        self.moves.extend([NAG, nag.0]);
        self.builder.nag(nag);
    }

    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.add_text(COMMENT, text);
        self.is_regular &= !has_unread_mark(text.bytes());
        self.builder.comment(text)
    }

    fn escape(&mut self, text: RawText<'_>) {
        self.add_text(ESCAPE, text);
        self.builder.escape(text);
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        let skip = self.builder.begin_variation()?;
        self.depth += 1;
        self.moves.push(BEGIN);
        Ok(skip)
    }

    fn end_variation(&mut self) {
        self.builder.end_variation();
        self.depth = self.depth.saturating_sub(1);
        self.moves.push(END);
    }

    fn result(&mut self, result: GameResult) {
        let index = RESULTS.iter().position(|&other| other == result).unwrap_or(0);
        self.moves.push(FIRST_RESULT + index as u8);
        self.result = Some(result);
        self.builder.result(result);
    }
}

/// A stored game that can be replayed to a visitor.
pub(super) struct Stored<'a> {
    pub flags: Flags,
    pub moves: &'a [u8],
    pub texts: &'a [u8],
    pub place: Place,
}

impl<'a> Stored<'a> {
    /// The text of the game, if it is stored as text.
    pub(super) fn text(&self) -> Option<GameText> {
        self.flags.has(Flags::TEXT).then(|| GameText {
            bytes: self.moves.to_vec(),
            place: self.place,
            is_at_start: self.flags.has(Flags::AT_START),
        })
    }

    /// A reader of the game's text, if it is stored as text.
    pub(super) fn text_reader(&self) -> Option<Reader<Box<dyn Read + Send + 'a>>> {
        if !self.flags.has(Flags::TEXT) {
            return None;
        }
        // The same type as a reader of files, so that the code is compiled only once.
        let text: Box<dyn Read + Send + 'a> = Box::new(self.moves);
        let reader = if self.flags.has(Flags::AT_START) { Reader::within } else { Reader::behind };
        Some(reader(text, self.place))
    }

    /// Replays the game to a visitor. Games stored as text are parsed with limits for the lengths of lines. The tracker
    /// can be shared by all games.
    pub(super) fn replay<'t, V: Visitor>(
        &self,
        tags: impl Iterator<Item = (&'t str, &'t str)>,
        max_line_chars: Option<usize>,
        tracker: &mut Tracker,
        visitor: &mut V,
    ) -> io::Result<()> {
        if let Some(mut reader) = self.text_reader() {
            if let Some(max) = max_line_chars {
                reader.limit_lines(max);
            }
            if !reader.read_game(visitor)? {
                return Err(damage("a text has no game"));
            }
            return Ok(());
        }
        let mut replay = Replay { place: self.place, tracker, depth: 0, skipped: None };
        replay.tracker.begin_game();
        visitor.begin_game();
        for (name, value) in tags {
            let (name, value) = (name.as_bytes(), RawText::from(value));
            let _ = replay.tracker.tag(name, value);
            let done = visitor.tag(name, value);
            replay.tell(done, visitor);
        }
        if replay.tracker.end_tags() == Skip::Yes {
            return Err(damage("a game has no initial position"));
        }
        if visitor.end_tags() == Skip::Yes {
            replay.skip_line();
        }
        replay.moves(Bytes(self.moves), Bytes(self.texts), visitor)?;
        let done = visitor.complete();
        replay.tell(done, visitor);
        visitor.end_game();
        Ok(())
    }
}

/// Replays the main line of a game that starts from the initial position, up to a break, and passes the men after each
/// move, the move (`None` for a null move and at the start), and the number of plies. `None` if the game is damaged, or
/// has more than `most` plies.
#[inline]
pub(super) fn follow(
    moves: &[u8],
    most: u32,
    mut visit: impl FnMut(&Men, Option<&Played>, u32) -> ControlFlow<()>,
) -> Option<()> {
    let (mut men, reach) = (*START, Reach::all());
    let (mut ply, mut depth) = (0, 0_usize);
    if visit(&men, None, ply).is_break() {
        return Some(());
    }
    let mut codes = moves.iter();
    while let Some(&code) = codes.next() {
        let played = match code {
            0..FIRST_CODE | LONG => {
                let number = if code == LONG { SHORT + usize::from(*codes.next()?) } else { code.into() };
                if depth > 0 {
                    continue;
                }
                let (mv, role) = numbered_move(&men, reach, number)?;
                Some(men.play(mv, role))
            }
            NULL if depth == 0 => {
                men.pass();
                None
            }
            NAG => {
                codes.next()?;
                continue;
            }
            BEGIN => {
                depth += 1;
                continue;
            }
            END => {
                depth = depth.checked_sub(1)?;
                continue;
            }
            _ => continue,
        };
        ply += 1;
        if ply > most {
            return None;
        }
        if visit(&men, played.as_ref(), ply).is_break() {
            return Some(());
        }
    }
    Some(())
}

/// The replay of one game to a visitor.
struct Replay<'a> {
    place: Place,
    tracker: &'a mut Tracker,
    /// The number of open variations.
    depth: usize,
    /// The line that is being skipped.
    skipped: Option<Skipped>,
}

/// The rest of a line that is skipped.
#[derive(Clone, Copy)]
struct Skipped {
    depth: usize,
    /// Whether it is a whole variation, the start of which was skipped as well.
    is_whole: bool,
}

impl Replay<'_> {
    fn tell<V: Visitor>(&self, done: Result<(), Box<PgnProblem>>, visitor: &mut V) {
        if let Err(problem) = done {
            visitor.error(PgnError { place: self.place, problem: *problem });
        }
    }

    /// Reports a problem like [`Self::tell`]; after an error, the rest of the line is skipped.
    fn tell_or_skip<V: Visitor>(&mut self, done: Result<(), Box<PgnProblem>>, visitor: &mut V) {
        if done.is_err() {
            self.skip_line();
        }
        self.tell(done, visitor);
    }

    fn skip_line(&mut self) {
        self.skipped = Some(Skipped { depth: self.depth, is_whole: false });
    }

    fn moves<V: Visitor>(
        &mut self,
        mut moves: Bytes<'_>,
        mut texts: Bytes<'_>,
        visitor: &mut V,
    ) -> io::Result<()> {
        while !moves.is_empty() {
            let code = moves.byte()?;
            match code {
                0..FIRST_CODE | LONG => {
                    let number = if code == LONG { SHORT + usize::from(moves.byte()?) } else { code.into() };
                    if self.skipped.is_none() {
                        self.play(number, visitor)?;
                    }
                }
                NULL if self.skipped.is_none() => {
                    let null = SanMove::NULL.as_bytes();
                    self.tracker.play(null).map_err(|_| damage("a pass in check"))?;
                    let done = visitor.mv(null);
                    self.tell_or_skip(done, visitor);
                }
                NULL => {}
                NAG => {
                    let nag = Nag(moves.byte()?);
                    if self.skipped.is_none() {
                        visitor.nag(nag);
                    }
                }
                COMMENT | ESCAPE => {
                    let text = RawText::new(texts.bytes()?, Encoding::Utf8);
                    if self.skipped.is_some() {
                        continue;
                    }
                    if code == ESCAPE {
                        visitor.escape(text);
                    } else {
                        let done = visitor.comment(text);
                        self.tell_or_skip(done, visitor);
                    }
                }
                BEGIN => self.begin(visitor)?,
                END => self.end(visitor)?,
                _ => {
                    let index = usize::from(code).wrapping_sub(FIRST_RESULT.into());
                    let result = RESULTS.get(index).ok_or_else(|| damage("a game has an unknown code"))?;
                    if self.depth > 0 {
                        return Err(damage("a variation does not end"));
                    }
                    visitor.result(*result);
                    // Anything after the result of a skipped line does not belong to replayed moves.
                }
            }
        }
        if self.depth > 0 || !texts.is_empty() {
            return Err(damage("a game does not end"));
        }
        Ok(())
    }

    fn play<V: Visitor>(&mut self, number: usize, visitor: &mut V) -> io::Result<()> {
        let mv = move_of(self.tracker.position(), number).ok_or_else(|| damage("a move is not legal"))?;
        self.tracker.advance(mv);
        let before = self.tracker.before().ok_or_else(|| damage("a move has no position before it"))?;
        let done = visitor.known_move(before, mv, self.tracker.position());
        self.tell_or_skip(done, visitor);
        Ok(())
    }

    fn begin<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<()> {
        self.depth += 1;
        if self.skipped.is_some() {
            return Ok(());
        }
        let skipped = Skipped { depth: self.depth, is_whole: true };
        match visitor.begin_variation() {
            Ok(Skip::No) => {
                self.tracker.begin_variation().map_err(|_| damage("a variation replaces no move"))?;
            }
            Ok(Skip::Yes) => self.skipped = Some(skipped),
            Err(problem) => {
                self.skipped = Some(skipped);
                self.tell(Err(problem), visitor);
            }
        }
        Ok(())
    }

    fn end<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<()> {
        let depth = self.depth;
        self.depth = depth.checked_sub(1).ok_or_else(|| damage("a variation ends that does not begin"))?;
        match self.skipped {
            Some(skipped) if skipped.depth != depth => return Ok(()),
            skipped => {
                self.skipped = None;
                if skipped.is_some_and(|skipped| skipped.is_whole) {
                    return Ok(());
                }
            }
        }
        self.tracker.end_variation();
        visitor.end_variation();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::Export;
    use proptest::prelude::*;

    /// A regular game, and the same game with another number.
    const GAME: &str = r#"[Event "E"]
[Round "1"]
[White "é, A"]

{first} 1. e4 $1 e5 {a  b} (1... c5 2. Nf3 (2. c3 $5) 2... d6 {c}) 2. Nf3
% escaped
Nc6 3. Bb5 -- 4. O-O 1-0 {behind}
"#;

    /// The recorded calls of a game.
    fn recorded(text: &str) -> Recorder {
        let mut recorder = Recorder::new(PieceLetters::default());
        assert!(Reader::new(text.as_bytes()).read_game(&mut recorder).expect("memory can be read"));
        recorder
    }

    /// The game with these stored moves and texts; its tags are those of the text, which the test does not change.
    fn replayed(moves: &[u8], texts: &[u8], tags: &Tags) -> io::Result<GameBuilder> {
        let mut builder = GameBuilder::new();
        let stored = Stored { flags: Flags::default(), moves, texts, place: Place::START };
        stored.replay(tags.iter(), None, &mut Tracker::new(), &mut builder)?;
        Ok(builder)
    }

    #[test]
    fn regular_games_are_moves_and_others_are_text() {
        let mut recorder = recorded(GAME);
        assert!(!recorder.needs_text());
        let expected = Export::new().game(recorder.game());
        let record = recorder.record(Place::START, None);
        let again = replayed(record.moves, record.texts, record.tags).expect("it was recorded");
        assert_eq!(Export::new().game(again.game()), expected);
        assert_eq!(record.line.len(), again.game().mainline().count() + 1);
        let odd = [
            ("$1 e5", "$1 e5 Ke4"),
            ("2. Nf3", "7. Nf3"),
            ("3. Bb5", "3. Bb5+"),
            ("3. Bb5", "3. Bf1b5"),
            ("1-0", ""),
            ("é, A", "\\\"A\\\""),
            ("[Round \"1\"]", "[Round \"1\"]\n[Round \"2\"]"),
            ("[Round \"1\"]", "[Round \"1\"]\n[Round \"1\"]"),
        ];
        for (from, to) in odd {
            assert!(recorded(&GAME.replacen(from, to, 1)).needs_text(), "{to}");
        }
    }

    proptest! {
        /// For any stored bytes, a replay ends with a game or with an error.
        #[test]
        fn any_bytes_are_replayed_without_harm(
            moves in prop::collection::vec(prop_oneof![0_u8..30, any::<u8>()], 0..200),
            texts in prop::collection::vec(any::<u8>(), 0..50),
            flags in any::<u8>(),
        ) {
            let mut tags = Tags::default();
            let _ = replayed(&moves, &texts, &tags);
            tags.push("FEN", "8/8/8/8/8/8/8/8 w");
            let _ = replayed(&moves, &texts, &tags);
            if let Ok(flags) = Flags::read(flags) {
                let stored = Stored { flags, moves: &moves, texts: &texts, place: Place::START };
                let (tracker, builder) = (&mut Tracker::new(), &mut GameBuilder::new());
                let _ = stored.replay(std::iter::empty(), Some(80), tracker, builder);
            }
        }

        #[test]
        fn changed_games_are_replayed_without_harm(at in 0_usize..100, to in any::<u8>()) {
            let recorder = recorded(GAME);
            let record = recorder.record(Place::START, None);
            let (mut moves, mut texts) = (record.moves.to_vec(), record.texts.to_vec());
            let length = moves.len();
            moves[at % length] = to;
            let _ = replayed(&moves, record.texts, record.tags);
            let length = texts.len();
            texts[at % length] = to;
            let _ = replayed(record.moves, &texts, record.tags);
        }
    }
}
