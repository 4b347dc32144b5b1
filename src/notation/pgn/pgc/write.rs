//! Writing PGC.

use super::{COMMENT_CLOSE, COMMENT_OPEN, NULL_MOVE, marker, ordinal};
use crate::notation::pgn::Element;
use crate::notation::pgn::export::tags;
use crate::notation::pgn::game::after;
use crate::notation::pgn::{Game, SEVEN_TAG_ROSTER, unread_mark};
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
    let tags = tags(game, false, false);
    let mut writer = Writer { out: Vec::new(), replaced: 0, moves: Vec::new() };
    let is_plain = |element| matches!(element, Element::Move(node) if game.mv(node).is_some());
    let is_reduced = tags.len() == SEVEN_TAG_ROSTER.len()
        && game.unread().is_empty()
        && game.len() <= usize::from(u16::MAX)
        && game.walk().all(is_plain);
    if is_reduced {
        writer.out.push(marker::REDUCED_GAME);
        for (name, value) in &tags {
            writer.short_string(name, value)?;
        }
        writer.write_elements(game, true)?;
    } else {
        writer.out.push(marker::GAME_BEGIN);
        for (name, value) in &tags {
            writer.out.push(marker::TAG_PAIR);
            writer.short_string(name, name)?;
            writer.short_string(name, value)?;
        }
        if !game.unread().is_empty() {
            writer.escape(&[COMMENT_OPEN], &unread_mark(game.unread()), &[COMMENT_CLOSE]);
        }
        writer.write_elements(game, false)?;
        writer.out.push(marker::GAME_END);
    }
    out.append(&mut writer.out);
    Ok(writer.replaced)
}

struct Writer {
    out: Vec<u8>,
    replaced: usize,
    /// The ordinals of a sequence that has not been written yet.
    moves: Vec<u8>,
}

impl Writer {
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
    fn short_string(&mut self, tag: &str, text: &str) -> Result<(), PgcLimit> {
        let bytes = self.latin1(text);
        let length = u8::try_from(bytes.len()).map_err(|_| PgcLimit::Tag(tag.to_owned()))?;
        self.out.push(length);
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    /// An escape-string record, or several if the text does not fit into one.
    fn escape(&mut self, before: &[u8], text: &str, behind: &[u8]) {
        let bytes = self.latin1(text);
        let room = usize::from(u16::MAX) - before.len() - behind.len();
        // An empty text is also a record.
        let mut rest = &bytes[..];
        loop {
            let (now, later) = rest.split_at(rest.len().min(room));
            let length = (before.len() + now.len() + behind.len()) as u16;
            self.out.push(marker::ESCAPE);
            self.out.extend(length.to_le_bytes());
            self.out.extend_from_slice(before);
            self.out.extend_from_slice(now);
            self.out.extend_from_slice(behind);
            rest = later;
            if rest.is_empty() {
                return;
            }
        }
    }

    fn write_elements(&mut self, game: &Game, is_reduced: bool) -> Result<(), PgcLimit> {
        let (mut before, mut now) = (*game.start(), *game.start());
        let mut waiting = Vec::new();
        for element in game.walk() {
            if let Element::Move(node) = element
                && let Some(mv) = game.mv(node)
            {
                self.moves.push(u8::try_from(ordinal(&now, mv)).map_err(|_| PgcLimit::Moves)?);
                (before, now) = (now, now.after(mv).0);
                continue;
            }
            self.flush();
            match element {
                Element::Move(node) => {
                    self.escape(&[], std::str::from_utf8(NULL_MOVE).unwrap_or_default(), &[]);
                    (before, now) = (now, after(&now, game.mv(node)));
                }
                Element::Nag(nag) => self.out.extend([marker::NAG, nag.0]),
                Element::Comment(text) => self.escape(&[COMMENT_OPEN], text, &[COMMENT_CLOSE]),
                Element::Escape(text) => self.escape(&[], text, &[]),
                Element::Begin => {
                    self.out.push(marker::VARIATION_BEGIN);
                    waiting.push((before, now));
                    now = before;
                }
                Element::End => {
                    self.out.push(marker::VARIATION_END);
                    if let Some(line) = waiting.pop() {
                        (before, now) = line;
                    }
                }
            }
        }
        if is_reduced {
            // The caller has checked that the number fits.
            self.out.extend((self.moves.len() as u16).to_le_bytes());
            self.out.append(&mut self.moves);
        } else {
            self.flush();
        }
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
