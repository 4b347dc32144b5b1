//! The export format of the standard (3.2, 8).

use super::export_tags::{TagOrder, TagScope};
use super::lines::{LineWrapper, MAX_COLUMNS};
use super::{Element, Game, NodeId, UNREAD, tracker};
use crate::chess::{CastlingSide, Color, File, Position};
use crate::notation::{CastlingStyle, MoveNumber, PieceLetters, San, SanMove, UciMove};

/// The notation of moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MoveStyle {
    /// Standard algebraic notation, the only one in the standard.
    #[default]
    San,
    /// The notation of the UCI protocol.
    Uci,
    /// Long algebraic notation: `Ng1-f3`.
    Lan,
    /// Figurine algebraic notation: SAN with figurines for piece letters.
    Fan,
}

/// Writes games in export format: the Seven Tag Roster, the other tags in ASCII order, an empty line, the moves in
/// lines of less than 80 characters, and an empty line.
///
/// Exporting an exported game results in the same bytes. Where the standard leaves the layout open (comments,
/// variations), braces and parentheses are adjacent to the enclosed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub struct Export {
    is_reduced: bool,
    has_opening: bool,
    has_comments: bool,
    has_variations: bool,
    has_nags: bool,
    style: MoveStyle,
}

impl Default for Export {
    fn default() -> Self {
        Self::new()
    }
}

impl Export {
    /// An export of everything, in SAN.
    pub const fn new() -> Self {
        Self {
            is_reduced: false,
            has_opening: false,
            has_comments: true,
            has_variations: true,
            has_nags: true,
            style: MoveStyle::San,
        }
    }

    /// The reduced export format (3.2.4): only the Seven Tag Roster and the moves. A game from another position keeps
    /// the two tags that define it, since its moves have no meaning without them.
    pub const fn reduced(self) -> Self {
        Self { is_reduced: true, has_comments: false, has_variations: false, has_nags: false, ..self }
    }

    /// Keeps the tags that name the opening also in the reduced format.
    pub const fn with_opening(self) -> Self {
        Self { has_opening: true, ..self }
    }

    /// Omits comments and escape lines, except those that store unread moves.
    pub const fn without_comments(self) -> Self {
        Self { has_comments: false, ..self }
    }

    /// Omits variations.
    pub const fn without_variations(self) -> Self {
        Self { has_variations: false, ..self }
    }

    /// Omits glyphs.
    pub const fn without_nags(self) -> Self {
        Self { has_nags: false, ..self }
    }

    /// Writes the moves in this style.
    pub const fn with_style(self, style: MoveStyle) -> Self {
        Self { style, ..self }
    }

    /// The exported text of a game, with an empty line at its end.
    pub fn game(&self, game: &Game) -> String {
        let mut out = String::new();
        self.write(game, &mut out);
        out
    }

    /// Appends the exported text of a game.
    pub fn write(&self, game: &Game, out: &mut String) {
        append(out, |bytes| {
            self.write_bytes(game, bytes);
        });
    }

    /// Appends the exported text of a game, in UTF-8. Returns where its movetext begins.
    pub(super) fn write_bytes(&self, game: &Game, out: &mut Vec<u8>) -> usize {
        TagOrder::default().write(self.tag_scope(), game.into(), out);
        let movetext = out.len();
        self.write_moves(game, out);
        out.push(b'\n');
        movetext
    }

    /// The tags that are written.
    pub(super) const fn tag_scope(&self) -> TagScope {
        match (self.is_reduced, self.has_opening) {
            (false, _) => TagScope::All,
            (true, false) => TagScope::Roster,
            (true, true) => TagScope::RosterAndOpening,
        }
    }

    /// Whether moves are written in SAN.
    pub(super) const fn is_san(&self) -> bool {
        matches!(self.style, MoveStyle::San)
    }

    /// Whether variations are written.
    pub(super) const fn has_variations(&self) -> bool {
        self.has_variations
    }

    /// Whether glyphs are written.
    pub(super) const fn has_nags(&self) -> bool {
        self.has_nags
    }

    /// Whether a comment is written.
    #[inline]
    pub(super) fn has_comment(&self, text: &[u8]) -> bool {
        self.has_comments || text.starts_with(UNREAD.as_bytes())
    }

    /// Appends the moves and the result, without the empty line after them.
    pub fn write_movetext(&self, game: &Game, out: &mut String) {
        append(out, |bytes| self.write_moves(game, bytes));
    }

    /// Appends the moves of a game with everything around them, in UTF-8.
    pub(super) fn write_moves(&self, game: &Game, out: &mut Vec<u8>) {
        if !game.unread().is_empty() {
            return write_unread(game, out);
        }
        let mut writer = Movetext {
            game,
            options: self,
            lines: LineWrapper::default(),
            before: *game.start(),
            now: *game.start(),
            waiting: Vec::new(),
            needs_number: true,
            castling: castling_style(game),
        };
        let mut skipped = 0_usize;
        for element in game.walk() {
            match element {
                Element::Begin if skipped > 0 || !self.has_variations => skipped += 1,
                Element::End if skipped > 0 => skipped -= 1,
                _ if skipped > 0 => {}
                _ => writer.write(element),
            }
        }
        writer.lines.token(game.result.as_str());
        writer.lines.finish_into(out);
    }
}

/// Appends what `write` writes as bytes, which are valid UTF-8.
fn append(out: &mut String, write: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = Vec::new();
    write(&mut bytes);
    // The lossy conversion alone would be slower.
    match std::str::from_utf8(&bytes) {
        Ok(text) => out.push_str(text),
        Err(_) => out.push_str(&String::from_utf8_lossy(&bytes)),
    }
}

struct Movetext<'a> {
    game: &'a Game,
    options: &'a Export,
    lines: LineWrapper,
    /// The positions before and after the latest move.
    before: Position,
    now: Position,
    waiting: Vec<(Position, Position)>,
    /// Whether a move of Black needs its number.
    needs_number: bool,
    /// The notation of castling in UCI moves.
    castling: CastlingStyle,
}

impl Movetext<'_> {
    fn write(&mut self, element: Element<'_>) {
        match element {
            Element::Move(node) => return self.write_move(node),
            Element::Nag(nag) if self.options.has_nags => self.lines.nag(nag),
            Element::Comment(text) if self.options.has_comment(text.as_bytes()) => self.lines.comment(text),
            Element::Escape(text) if self.options.has_comments => self.lines.whole_line(b'%', text),
            Element::Begin => {
                self.waiting.push((self.before, self.now));
                self.now = self.before;
                self.lines.open();
            }
            Element::End => {
                if let Some((before, now)) = self.waiting.pop() {
                    (self.before, self.now) = (before, now);
                }
                self.lines.close();
            }
            Element::Nag(_) | Element::Comment(_) | Element::Escape(_) => return,
        }
        self.needs_number = true;
    }

    fn write_move(&mut self, node: NodeId) {
        self.lines.move_number(MoveNumber::of(&self.now), self.needs_number);
        self.before = self.now;
        self.needs_number = false;
        let mv = self.game.mv(node);
        self.now = match (mv, self.options.style) {
            (None, style) => {
                self.lines.token(if style == MoveStyle::Uci { "0000" } else { SanMove::NULL });
                self.before.after_null()
            }
            (Some(mv), MoveStyle::Uci) => {
                self.lines.token(&UciMove::new(mv, self.castling).to_string());
                self.before.after(mv).0
            }
            (Some(mv), style) => {
                let san = San::new(&self.before, mv);
                let san = match style {
                    MoveStyle::Lan => san.long(),
                    MoveStyle::Fan => san.letters(PieceLetters::FIGURINES),
                    _ => san,
                };
                let (text, after) = san.played();
                self.lines.token(&text);
                after
            }
        };
    }
}

/// The notation of castling in a game's UCI moves: the king takes its own rook if it is a game of Chess960, according
/// to its tag or to the squares of its kings and rooks.
pub fn castling_style(game: &Game) -> CastlingStyle {
    let start = game.start();
    let is_usual = |color: Color, side: CastlingSide| {
        let corner = if side == CastlingSide::King { File::H } else { File::A };
        start
            .castling_rook(color, side)
            .is_none_or(|rook| rook.file() == corner && start.king(color).file() == File::E)
    };
    let is_any_unusual =
        Color::ALL.into_iter().any(|color| CastlingSide::ALL.into_iter().any(|side| !is_usual(color, side)));
    if is_any_unusual || game.tags.get("Variant").is_some_and(tracker::is_chess960) {
        CastlingStyle::Chess960
    } else {
        CastlingStyle::Standard
    }
}

/// Appends the moves that were not read, and the result after them.
fn write_unread(game: &Game, out: &mut Vec<u8>) {
    out.extend_from_slice(game.unread().as_bytes());
    let last = game.unread().rsplit('\n').next().unwrap_or_default();
    let result = game.result.as_str();
    let ends_line = last.contains(';') || last.starts_with('%');
    out.push(if ends_line || last.chars().count() + 1 + result.len() > MAX_COLUMNS { b'\n' } else { b' ' });
    out.extend_from_slice(result.as_bytes());
    out.push(b'\n');
}
