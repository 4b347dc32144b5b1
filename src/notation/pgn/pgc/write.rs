//! Writing PGC.

use super::ordinal::ordinal;
use super::{COMMENT_CLOSE, COMMENT_OPEN, NULL_MOVE, marker};
use crate::chess::{Move, Position};
use crate::notation::pgn::deferred::{Comment, ElementWriter, Played, Streamed};
use crate::notation::pgn::export_tags::{Header, TagOrder, TagScope};
use crate::notation::pgn::game::after;
use crate::notation::pgn::{Element, Game, GameBuilder, Nag, SEVEN_TAG_ROSTER, unread_mark};
use std::borrow::Cow;

/// A game that PGC cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgcLimit {
    /// The name or the value of this tag is longer than 255 characters.
    #[error("the tag {0} is too long, expected at most 255 characters")]
    Tag(String),
    /// A position has more than 256 legal moves, which is impossible in a game.
    #[error("a position has more than 256 legal moves")]
    Moves,
}

/// The replacement of a character that is not in Latin-1 (PGN standard, 4.1).
const UNKNOWN_CHARACTER: u8 = b'?';

/// Appends a game as PGC. A game that can be written in reduced export format becomes one record. Returns the number of
/// characters replaced because they are not in Latin-1.
///
/// # Errors
/// [`PgcLimit`] if PGC cannot store the game. In that case nothing has been appended.
pub fn write_pgc(game: &Game, out: &mut Vec<u8>) -> Result<usize, PgcLimit> {
    let mut records = Records::default();
    records.add_game(game)?;
    records.finish(&mut TagOrder::default(), game.into(), out)
}

/// A visitor that writes a game as PGC while it is read: [`PgcWriter::write`] appends the bytes that [`write_pgc`]
/// appends for the game that a [`GameBuilder`] builds from the same calls.
///
/// ```
/// use hematite_core::notation::pgn::pgc::{PgcWriter, write_pgc};
/// use hematite_core::notation::pgn::{GameBuilder, Reader};
/// let mut writer = PgcWriter::new(GameBuilder::new());
/// let mut reader = Reader::new("1. e4 e5 2. Nf3 {a} *".as_bytes());
/// let (mut found, mut expected) = (Vec::new(), Vec::new());
/// while reader.read_game(&mut writer).unwrap() {
///     assert_eq!(writer.write(&mut found), Ok(0));
///     assert_eq!(write_pgc(writer.game_mut(), &mut expected), Ok(0));
/// }
/// assert_eq!(found, expected);
/// ```
pub type PgcWriter = Streamed<RecordWriter>;

/// Writes the elements of a game as records of PGC.
#[derive(Default, Debug)]
pub struct RecordWriter {
    records: Records,
    tag_order: TagOrder,
    /// The limit that the moves of the game exceed.
    limit: Option<PgcLimit>,
}

impl PgcWriter {
    /// A writer. The builder has the piece letters of the games.
    pub fn new(builder: GameBuilder) -> Self {
        Self::with_writer(RecordWriter::default(), builder)
    }

    /// Appends the latest game, which must have been read to its end, like [`write_pgc`]. It must be called only once
    /// for each game.
    ///
    /// # Errors
    /// [`PgcLimit`] if PGC cannot store the game. In that case nothing has been appended.
    pub fn write(&mut self, out: &mut Vec<u8>) -> Result<usize, PgcLimit> {
        match self.streamed() {
            Some((RecordWriter { records, tag_order, limit }, header)) => match limit.take() {
                Some(limit) => Err(limit),
                None => records.finish(tag_order, header, out),
            },
            None => write_pgc(self.game_mut(), out),
        }
    }
}

impl ElementWriter for RecordWriter {
    fn begin_game(&mut self) {
        self.records.clear();
        self.limit = None;
    }

    fn mv(&mut self, played: Played<'_>) {
        match played.mv {
            Some(mv) => {
                if let Err(limit) = self.records.add_move(played.before(), mv) {
                    self.limit.get_or_insert(limit);
                }
            }
            None => self.records.add_null_move(),
        }
    }

    fn nag(&mut self, nag: Nag) {
        self.records.add_nag(nag);
    }

    fn comment(&mut self, comment: Comment<'_>) {
        match comment {
            Comment::Plain(words) => self.records.add_comment_of(words),
            Comment::Words(words) => self.records.add_comment(words),
        }
    }

    fn begin_variation(&mut self) {
        self.records.begin_variation();
    }

    fn end_variation(&mut self) {
        self.records.end_variation();
    }
}

/// The records of the elements of a game, without its tags.
#[derive(Default, Debug)]
struct Records {
    out: Vec<u8>,
    /// The ordinals of a sequence that has not been written yet.
    moves: Vec<u8>,
    /// The number of characters that are not in Latin-1.
    replaced: usize,
}

impl Records {
    /// Removes all elements and keeps the memory.
    fn clear(&mut self) {
        self.out.clear();
        self.moves.clear();
        self.replaced = 0;
    }

    /// Appends the game with these elements, which are removed.
    fn finish(
        &mut self,
        tag_order: &mut TagOrder,
        header: Header<'_>,
        out: &mut Vec<u8>,
    ) -> Result<usize, PgcLimit> {
        let start = out.len();
        let written = self.write(tag_order, header, out);
        if written.is_err() {
            out.truncate(start);
        }
        let replaced = self.replaced;
        self.clear();
        written.map(|()| replaced)
    }

    fn write(
        &mut self,
        tag_order: &mut TagOrder,
        header: Header<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), PgcLimit> {
        let game = header.game;
        let tags = tag_order.tags(TagScope::All, header);
        let has_only_moves = self.out.is_empty() && game.unread().is_empty();
        if tags.len() == SEVEN_TAG_ROSTER.len()
            && has_only_moves
            && let Ok(moves) = u16::try_from(self.moves.len())
        {
            out.push(marker::REDUCED_GAME);
            for (name, value) in &tags {
                self.short_string(name, value, out)?;
            }
            out.extend(moves.to_le_bytes());
            out.append(&mut self.moves);
            return Ok(());
        }
        out.push(marker::GAME_BEGIN);
        for (name, value) in &tags {
            out.push(marker::TAG_PAIR);
            self.short_string(name, name, out)?;
            self.short_string(name, value, out)?;
        }
        if !game.unread().is_empty() {
            let mark = self.latin1(&unread_mark(game.unread())).into_owned();
            push_escape(&[COMMENT_OPEN], &mark, &[COMMENT_CLOSE], out);
        }
        self.flush();
        out.append(&mut self.out);
        out.push(marker::GAME_END);
        Ok(())
    }

    /// Adds all elements of a game.
    fn add_game(&mut self, game: &Game) -> Result<(), PgcLimit> {
        let (mut before, mut now) = (*game.start(), *game.start());
        let mut waiting = Vec::new();
        for element in game.walk() {
            match element {
                Element::Move(node) => {
                    let mv = game.mv(node);
                    match mv {
                        Some(mv) => self.add_move(&now, mv)?,
                        None => self.add_null_move(),
                    }
                    (before, now) = (now, after(&now, mv));
                }
                Element::Nag(nag) => self.add_nag(nag),
                Element::Comment(text) => self.add_comment(text),
                Element::Escape(text) => {
                    self.flush();
                    let text = self.latin1(text).into_owned();
                    push_escape(&[], &text, &[], &mut self.out);
                }
                Element::Begin => {
                    self.begin_variation();
                    waiting.push((before, now));
                    now = before;
                }
                Element::End => {
                    self.end_variation();
                    if let Some(line) = waiting.pop() {
                        (before, now) = line;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_move(&mut self, before: &Position, mv: Move) -> Result<(), PgcLimit> {
        self.moves.push(u8::try_from(ordinal(before, mv)).map_err(|_| PgcLimit::Moves)?);
        Ok(())
    }

    fn add_null_move(&mut self) {
        self.flush();
        push_escape(&[], NULL_MOVE, &[], &mut self.out);
    }

    fn add_nag(&mut self, nag: Nag) {
        self.flush();
        self.out.extend([marker::NAG, nag.0]);
    }

    fn add_comment(&mut self, text: &str) {
        let bytes = self.latin1(text);
        self.add_comment_of(&bytes);
    }

    /// Adds a comment in Latin-1.
    fn add_comment_of(&mut self, text: &[u8]) {
        self.flush();
        push_escape(&[COMMENT_OPEN], text, &[COMMENT_CLOSE], &mut self.out);
    }

    fn begin_variation(&mut self) {
        self.flush();
        self.out.push(marker::VARIATION_BEGIN);
    }

    fn end_variation(&mut self) {
        self.flush();
        self.out.push(marker::VARIATION_END);
    }

    fn latin1<'t>(&mut self, text: &'t str) -> Cow<'t, [u8]> {
        if text.is_ascii() {
            return Cow::Borrowed(text.as_bytes());
        }
        let mut bytes = Vec::with_capacity(text.len());
        for letter in text.chars() {
            bytes.push(u8::try_from(u32::from(letter)).unwrap_or_else(|_| {
                self.replaced += 1;
                UNKNOWN_CHARACTER
            }));
        }
        Cow::Owned(bytes)
    }

    /// A string-1 item.
    fn short_string(&mut self, tag: &str, text: &str, out: &mut Vec<u8>) -> Result<(), PgcLimit> {
        let bytes = self.latin1(text);
        out.push(u8::try_from(bytes.len()).map_err(|_| PgcLimit::Tag(tag.to_owned()))?);
        out.extend_from_slice(&bytes);
        Ok(())
    }

    /// Writes the waiting moves.
    fn flush(&mut self) {
        for moves in self.moves.chunks(usize::from(u16::MAX)) {
            if let Ok(length) = u8::try_from(moves.len()) {
                self.out.extend([marker::SHORT_MOVES, length]);
            } else {
                self.out.push(marker::LONG_MOVES);
                self.out.extend((moves.len() as u16).to_le_bytes());
            }
            self.out.extend_from_slice(moves);
        }
        self.moves.clear();
    }
}

/// An escape-string record, or several if the text does not fit into one.
fn push_escape(before: &[u8], text: &[u8], behind: &[u8], out: &mut Vec<u8>) {
    let room = usize::from(u16::MAX) - before.len() - behind.len();
    // An empty text is also a record.
    let mut rest = text;
    loop {
        let (now, later) = rest.split_at(rest.len().min(room));
        let length = (before.len() + now.len() + behind.len()) as u16;
        out.push(marker::ESCAPE);
        out.extend(length.to_le_bytes());
        out.extend_from_slice(before);
        out.extend_from_slice(now);
        out.extend_from_slice(behind);
        rest = later;
        if rest.is_empty() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::Reader;
    use proptest::prelude::*;

    /// Checks that a writer writes the same bytes as for a built game.
    fn check(text: &str) {
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let mut builder = GameBuilder::new();
        let mut writer = PgcWriter::new(GameBuilder::new());
        let mut readers = [Reader::new(text.as_bytes()), Reader::new(text.as_bytes())];
        while readers[0].read_game(&mut builder).expect("memory can be read") {
            let written = write_pgc(builder.game(), &mut expected);
            assert!(readers[1].read_game(&mut writer).expect("memory can be read"));
            assert_eq!(writer.write(&mut found), written, "{text}");
            assert_eq!(found, expected, "{text}");
            assert_eq!(format!("{:?}", writer.errors()), format!("{:?}", builder.errors()), "{text}");
            assert_eq!(writer.game_mut(), builder.game(), "{text}");
        }
    }

    #[test]
    fn every_order_is_written_as_it_is_built() {
        let texts = [
            "",
            "*",
            "1. e4 e5 2. Nf3 1-0",
            "{a} *",
            "1. e4 {a} $1 e5 $2 $3 {b} {c} *",
            "1. e4 (1. d4 (1. c4) d5) {é} e5 -- 2. Ke3 Nc6 *",
            "1. e4 {♘} e5 {[%clk 0:00:01] %x} 1/2-1/2 {behind}",
            "1. e4\n% escaped\ne5 ; to the end\n2. Ng1-f3 *",
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w\"]\n\n1. Kd2 Ke7 *",
            "[Variant \"Atomic\"]\n\n1. e4 e5 *",
        ];
        for text in texts {
            check(text);
            check(&format!("[Result \"1/2-1/2\"]\n[White \"Élő\"]\n\n{text}"));
            check(&format!("[White \"{}\"]\n\n{text}", "long".repeat(100)));
        }
        check(&format!("{} *", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(20_000)));
        check(&format!("1. e4 {{{}}} *", "a ".repeat(70_000)));
    }

    proptest! {
        #[test]
        fn any_tokens_are_written_as_they_are_built(
            tokens in prop::collection::vec(
                prop_oneof![
                    12 => prop::sample::select(vec!["Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5", "Nc3", "Nc6", "Nb1", "Nb8"]),
                    2 => prop::sample::select(vec!["$1", "!?", "$14"]),
                    3 => prop::sample::select(vec!["{a}", "{a  b %c}", "{}", "{é}", "{ő}", ";x\n"]),
                    3 => Just("("),
                    3 => Just(")"),
                    1 => prop::sample::select(vec!["--", "word", "Ke4", "1...", "\n%e\n", "1-0"]),
                ],
                0..60,
            ),
        ) {
            check(&format!("{} *", tokens.join(" ")));
        }
    }
}
