//! The moves of a game with variations, comments and glyphs, as a part of a page and as text.

use super::lettering::escape_into;
use crate::chess::{Color, Move, Position, Square};
use crate::notation::pgn::{
    Command, Element, EvaluationScore, Game, MarkColor, MoveStyle, Nag, NodeId, castling_style, commands,
    has_unread_mark, split_at_unread, without_commands,
};
use crate::notation::{CastlingStyle, MoveNumber, PieceLetters, San, SanMove, UciMove};
use std::fmt::Write;
use std::ops::Range;

/// The caption of the position after a move, such as `Position after 9. h3`.
pub fn caption_after(before: &Position, mv: Move, letters: PieceLetters) -> String {
    format!("Position after {} {}", MoveNumber::of(before), San::new(before, mv).letters(letters))
}

/// The moves of a game, with the choice of what is written.
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    /// The game.
    pub game: &'a Game,
    /// The letters for pieces.
    pub letters: PieceLetters,
    /// Glyphs for moves of the main line that have none of their own; empty, or one entry per move.
    pub glyphs: &'a [Option<Nag>],
    /// The range of the main line that is written, in plies counted from 0.
    pub plies: Range<usize>,
    /// Whether comments and variations are written.
    pub has_notes: bool,
    /// Rewrites comments.
    pub reword: Option<Reword>,
    /// The notation of moves.
    pub style: MoveStyle,
    /// The letters for pieces that [`Self::reword`] gets.
    pub comment_letters: PieceLetters,
}

/// Rewrites a comment for readers with these letters for pieces; `None` leaves it as it is.
pub type Reword = fn(&str, PieceLetters) -> Option<String>;

/// A move that is being written.
pub(super) struct Written<'a> {
    /// The text of the move in its language.
    pub text: &'a str,
    pub nags: &'a [Nag],
    /// The index of the move in the main line; `None` in a variation.
    pub ply: Option<usize>,
    pub node: NodeId,
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    pub before: &'a Position,
    pub after: &'a Position,
}

impl Written<'_> {
    /// The glyphs of the move, and those of the position after it; signs that ask for a diagram are not shown.
    pub(super) fn shown_nags(&self) -> (Vec<Nag>, Vec<Nag>) {
        self.nags.iter().filter(|nag| !nag.is_diagram()).partition(|nag| nag.is_of_move())
    }
}

/// Receives the parts of a game in the order in which they are written.
pub(super) trait Sink {
    /// Receives the number of the next move.
    fn number(&mut self, number: u16, color: Color);
    fn mv(&mut self, mv: &Written<'_>);
    /// Receives a comment without its commands.
    fn comment(&mut self, text: &str);
    fn begin(&mut self);
    fn end(&mut self);
}

impl<'a> Moves<'a> {
    /// All moves of a game, with comments and variations.
    pub fn new(game: &'a Game, letters: PieceLetters) -> Self {
        let (plies, comment_letters) = (0..usize::MAX, letters);
        Self {
            game,
            letters,
            glyphs: &[],
            plies,
            has_notes: true,
            reword: None,
            style: MoveStyle::San,
            comment_letters,
        }
    }

    /// The text of a move, and the position after it. `castling` is the notation of castling in UCI moves.
    fn written(&self, before: &Position, mv: Move, castling: CastlingStyle) -> (String, Position) {
        let san = San::new(before, mv).letters(self.letters);
        match self.style {
            MoveStyle::Uci => (UciMove::new(mv, castling).to_string(), before.after(mv).0),
            style => {
                let san = if style == MoveStyle::Lan { san.long() } else { san };
                let (text, after) = san.played();
                (text.to_string(), after)
            }
        }
    }

    /// The text of a comment for readers, which may be empty.
    fn comment(&self, text: &str) -> String {
        let reworded = self.reword.and_then(|reword| reword(text, self.comment_letters));
        readable(reworded.as_deref().unwrap_or(text))
    }

    /// The sign of a glyph without the space before it, or its number if it has no sign.
    pub(super) fn sign(nag: Nag) -> String {
        nag.sign().map_or_else(|| nag.to_string(), str::to_owned)
    }

    /// The glyphs of a move.
    fn nags(&self, node: NodeId, ply: Option<usize>, nags: &mut Vec<Nag>) {
        nags.clear();
        // The null glyph is not shown.
        nags.extend(self.game.nags(node).filter(|nag| nag.0 > 0));
        let judged = ply.and_then(|ply| self.glyphs.get(ply).copied().flatten());
        if let Some(judged) = judged.filter(|_| !nags.iter().any(|nag| nag.is_of_move())) {
            nags.insert(0, judged);
        }
    }

    pub(super) fn write(&self, sink: &mut impl Sink) {
        let game = self.game;
        let (mut before, mut now) = (*game.start(), *game.start());
        let mut nags = Vec::new();
        // The positions before and after the moves with open variations.
        let mut waiting: Vec<(Position, Position)> = Vec::new();
        let mut ply = 0;
        let mut needs_number = true;
        // Whether the latest move of the main line, and therefore everything that belongs to it, is in the range.
        let mut is_within = self.plies.start == 0;
        let castling = castling_style(game);
        let mut elements = game.walk().peekable();
        while let Some(element) = elements.next() {
            match element {
                Element::Move(node) => {
                    let is_main = waiting.is_empty();
                    if is_main {
                        is_within = self.plies.contains(&ply);
                        if ply >= self.plies.end {
                            return;
                        }
                    }
                    let own_ply = is_main.then_some(ply);
                    before = now;
                    let mv = game.mv(node);
                    let (text, after) = match mv {
                        Some(mv) => self.written(&before, mv, castling),
                        None => (SanMove::NULL.to_owned(), before.after_null()),
                    };
                    now = after;
                    if is_within && (is_main || self.has_notes) {
                        if needs_number || before.turn() == Color::White {
                            sink.number(before.fullmove_number(), before.turn());
                        }
                        self.nags(node, own_ply, &mut nags);
                        let (before, after) = (&before, &now);
                        sink.mv(&Written { text: &text, nags: &nags, ply: own_ply, node, mv, before, after });
                        needs_number = false;
                    }
                    ply += usize::from(is_main);
                }
                // Moves of the main line that could not be read are no note.
                Element::Comment(text)
                    if is_within
                        && (self.has_notes || waiting.is_empty() && has_unread_mark(text.as_bytes())) =>
                {
                    let is_unread = has_unread_mark(text.as_bytes());
                    let mut text = self.comment(text);
                    if !text.is_empty() {
                        // A comment that follows starts another sentence; one without words is passed over.
                        let words = |element: &Element<'_>| match element {
                            Element::Comment(next) => Some(self.comment(next)),
                            _ => None,
                        };
                        let mut next = elements.peek().and_then(words);
                        while next.as_ref().is_some_and(String::is_empty) {
                            elements.next();
                            next = elements.peek().and_then(words);
                        }
                        let is_followed = next.is_some();
                        if is_followed && !is_unread && text.ends_with(char::is_alphanumeric) {
                            text.push('.');
                        }
                        sink.comment(&text);
                        needs_number = true;
                    }
                }
                Element::Begin => {
                    waiting.push((before, now));
                    now = before;
                    if is_within && self.has_notes {
                        needs_number = true;
                        sink.begin();
                    }
                }
                Element::End => {
                    if let Some(positions) = waiting.pop() {
                        (before, now) = positions;
                    }
                    if is_within && self.has_notes {
                        needs_number = true;
                        sink.end();
                    }
                }
                _ => {}
            }
        }
    }

    /// The moves as a part of a page.
    pub fn to_html(&self) -> String {
        let mut html = Html::new(self.game, &|_| None, &|_| None);
        html.is_inline = !self.has_notes;
        self.write(&mut html);
        html.html
    }

    /// The moves as text in lines of at most this many characters, except for longer words.
    pub fn to_text(&self, columns: usize) -> String {
        let mut text = Text { columns, ..Text::default() };
        self.write(&mut text);
        text.flush();
        text.text
    }
}

/// Moves as plain text.
#[derive(Default)]
struct Text {
    columns: usize,
    text: String,
    /// The length of the last line, in characters.
    column: usize,
    /// An incomplete word: a move number waits for its move, and a move for closing punctuation.
    word: String,
    /// Whether text can still be attached to the word.
    is_open: bool,
}

impl Text {
    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let width = self.word.chars().count();
        if self.column > 0 && self.column + 1 + width > self.columns {
            self.text.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.word);
        self.column += width;
        self.word.clear();
    }

    fn start(&mut self) {
        if !self.is_open {
            self.flush();
        }
        self.is_open = false;
    }
}

impl Sink for Text {
    fn number(&mut self, number: u16, color: Color) {
        self.start();
        // Writing to a string cannot fail, here and below.
        let _ = write!(self.word, "{}", MoveNumber::new(number, color));
        self.is_open = true;
    }

    fn mv(&mut self, mv: &Written<'_>) {
        self.start();
        self.word.push_str(mv.text);
        let (of_move, of_position) = mv.shown_nags();
        self.word.extend(of_move.into_iter().map(Moves::sign));
        for nag in of_position {
            self.flush();
            self.word.push_str(&Moves::sign(nag));
        }
    }

    fn comment(&mut self, text: &str) {
        self.is_open = false;
        for word in text.split(|letter: char| letter.is_whitespace() || letter.is_control()) {
            if !word.is_empty() {
                self.flush();
                self.word.push_str(word);
            }
        }
    }

    fn begin(&mut self) {
        self.flush();
        self.word.push('(');
        self.is_open = true;
    }

    fn end(&mut self) {
        self.word.push(')');
        self.is_open = false;
    }
}

/// The data with which the script of a page shows each move, in the order of the moves in the page.
#[derive(Default)]
pub(super) struct MoveData {
    /// The squares that a move changes, each with its new piece; variations are in parentheses.
    pub line: String,
    /// The evaluation after each move; empty if there is none.
    pub evaluations: String,
    /// The seconds on the clock after each move.
    pub clocks: String,
    /// Squares and arrows: the number of a move, counted from 1, and its marks; 0 is the initial position.
    pub marks: String,
}

/// The characters for squares, from a1 to h8 rank by rank.
const SQUARE_LETTERS: &[u8; Square::COUNT] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The letter of a piece, or a period for an empty square.
fn piece_letter(position: &Position, square: Square) -> char {
    position.piece_at(square).map_or('.', |piece| piece.letter())
}

impl MoveData {
    /// Adds a move and the evaluation after it. The first two squares are highlighted.
    fn add(&mut self, game: &Game, number: usize, mv: &Written<'_>, evaluation: Option<EvaluationScore>) {
        self.space();
        match mv.mv {
            None => self.line.push('!'),
            Some(played) => {
                let ends = [played.from(), played.landing()];
                let changed = Square::ALL.into_iter().filter(|&square| {
                    !ends.contains(&square) && mv.before.piece_at(square) != mv.after.piece_at(square)
                });
                for square in ends.into_iter().chain(changed) {
                    self.line.push(char::from(SQUARE_LETTERS[square as usize]));
                    self.line.push(piece_letter(mv.after, square));
                }
            }
        }
        if number > 1 {
            self.evaluations.push(' ');
            self.clocks.push(' ');
        }
        let _ = match evaluation {
            Some(EvaluationScore::Mate(moves)) => write!(self.evaluations, "#{moves}"),
            Some(EvaluationScore::Centipawns(score)) => write!(self.evaluations, "{score}"),
            None => Ok(()),
        };
        if let Some(time) = game.clock(mv.node) {
            let _ = write!(self.clocks, "{}", time.as_secs());
        }
        self.add_marks(number, game.comments(mv.node));
    }

    /// Adds the squares and arrows of the comments on a position.
    fn add_marks<'a>(&mut self, number: usize, comments: impl Iterator<Item = &'a str>) {
        let mut marks = String::new();
        for command in comments.flat_map(commands) {
            match command {
                Command::Squares(squares) => squares.iter().for_each(|&(color, square)| {
                    let _ = write!(marks, " {}{square}", mark_letter(color));
                }),
                Command::Arrows(arrows) => arrows.iter().for_each(|&(color, from, to)| {
                    let _ = write!(marks, " {}{from}{to}", mark_letter(color));
                }),
                Command::Clock(_) | Command::Elapsed(_) | Command::Evaluation(_) | Command::Other { .. } => {}
            }
        }
        if !marks.is_empty() {
            let separator = if self.marks.is_empty() { "" } else { "," };
            let _ = write!(self.marks, "{separator}{number}{marks}");
        }
    }

    fn space(&mut self) {
        if !self.line.is_empty() {
            self.line.push(' ');
        }
    }
}

const fn mark_letter(color: MarkColor) -> char {
    match color {
        MarkColor::Green => 'g',
        MarkColor::Red => 'r',
        MarkColor::Yellow => 'y',
        MarkColor::Blue => 'b',
    }
}

/// Moves as a part of a page.
pub(super) struct Html<'a> {
    pub html: String,
    pub data: MoveData,
    game: &'a Game,
    /// Returns the diagram, or other content, that follows a move of the main line.
    after: &'a dyn Fn(&Written<'_>) -> Option<String>,
    /// Returns the evaluation that counts after a move.
    evaluation: &'a dyn Fn(&Written<'_>) -> Option<EvaluationScore>,
    /// The content that follows the latest move and its comments.
    pending: Option<String>,
    moves: usize,
    depth: usize,
    /// Whether the moves are a part of a line, without paragraphs of their own.
    is_inline: bool,
    /// Whether a space is needed before the next part.
    needs_space: bool,
}

impl<'a> Html<'a> {
    pub(super) fn new(
        game: &'a Game,
        after: &'a dyn Fn(&Written<'_>) -> Option<String>,
        evaluation: &'a dyn Fn(&Written<'_>) -> Option<EvaluationScore>,
    ) -> Self {
        let (html, mut data) = (String::with_capacity(game.len() * 32), MoveData::default());
        data.add_marks(0, comments_on_start(game));
        let (is_inline, needs_space) = (false, false);
        Self {
            html,
            data,
            game,
            after,
            evaluation,
            pending: None,
            moves: 0,
            depth: 0,
            is_inline,
            needs_space,
        }
    }

    fn space(&mut self) {
        if std::mem::replace(&mut self.needs_space, true) {
            self.html.push(' ');
        }
    }

    pub(super) fn add_pending(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.html.push_str(&pending);
        }
    }
}

impl Sink for Html<'_> {
    fn number(&mut self, number: u16, color: Color) {
        self.add_pending();
        self.space();
        // The nonbreaking space keeps the move on the line of its number.
        let _ = write!(self.html, "<i>{}</i>\u{a0}", MoveNumber::new(number, color));
        self.needs_space = false;
    }

    fn mv(&mut self, mv: &Written<'_>) {
        self.add_pending();
        self.space();
        self.moves += 1;
        let class = mv.nags.iter().find(|nag| matches!(nag.0, 1..=6));
        let _ = match class {
            Some(nag) => write!(self.html, "<b class=n{}>", nag.0),
            None => write!(self.html, "<b>"),
        };
        escape_into(&mut self.html, mv.text);
        let (of_move, of_position) = mv.shown_nags();
        of_move.into_iter().for_each(|nag| glyph(&mut self.html, nag));
        self.html.push_str("</b>");
        for nag in of_position {
            self.html.push(' ');
            glyph(&mut self.html, nag);
        }
        self.data.add(self.game, self.moves, mv, (self.evaluation)(mv));
        if mv.ply.is_some() {
            self.pending = (self.after)(mv);
        }
    }

    fn comment(&mut self, text: &str) {
        // A comment before the first move is a separate paragraph.
        let is_introduction = self.moves == 0 && self.depth == 0 && !self.is_inline;
        let (start, end) =
            if is_introduction { ("<p class=c>", "</p>") } else { ("<span class=c>", "</span>") };
        if is_introduction {
            self.needs_space = false;
        } else {
            self.space();
        }
        self.html.push_str(start);
        escape_into(&mut self.html, &with_joined_moves(text));
        self.html.push_str(end);
    }

    fn begin(&mut self) {
        self.add_pending();
        self.depth += 1;
        self.data.space();
        self.data.line.push('(');
        match self.depth {
            // A variation on the main line is a separate paragraph.
            1 => self.html.push_str("<div class=v>("),
            _ => {
                self.space();
                self.html.push_str("<span class=w>(");
            }
        }
        self.needs_space = false;
    }

    fn end(&mut self) {
        self.data.space();
        self.data.line.push(')');
        self.html.push_str(if self.depth == 1 { ")</div>" } else { ")</span>" });
        self.needs_space = self.depth > 1;
        self.depth = self.depth.saturating_sub(1);
    }
}

/// The comments on the initial position: those of the start, and those before the first move.
pub(super) fn comments_on_start(game: &Game) -> impl Iterator<Item = &str> {
    let first = game.next(NodeId::ROOT);
    game.comments(NodeId::ROOT).chain(first.into_iter().flat_map(|first| game.comments_before(first)))
}

/// The text of a comment without its commands; text that could not be read, which a command stores, is shown.
fn readable(comment: &str) -> String {
    let mut parts = Vec::new();
    let mut rest = comment;
    while let Some((before, unread, behind)) = split_at_unread(rest) {
        parts.extend([without_commands(before), unread]);
        rest = behind.trim_start();
    }
    parts.push(without_commands(rest));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// The moves at the end of the main line that could not be read, in one line; empty if all were read.
pub(super) fn unread_end(game: &Game) -> String {
    let comments = game.comments(game.last()).filter(|text| has_unread_mark(text.as_bytes()));
    let text = comments.map(readable).collect::<Vec<_>>().join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in which a nonbreaking space keeps each move on the line of its number, as in `12... Be6`.
fn with_joined_moves(text: &str) -> String {
    let mut joined = String::with_capacity(text.len() + 8);
    for word in text.split_inclusive(' ') {
        let number = word.trim_end().trim_start_matches('(');
        let digits = number.trim_end_matches('.');
        let dots = number.len() - digits.len();
        let is_number =
            matches!(dots, 1 | 3) && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match word.strip_suffix(' ').filter(|_| is_number) {
            Some(number) => {
                joined.push_str(number);
                joined.push('\u{a0}');
            }
            None => joined.push_str(word),
        }
    }
    joined
}

/// Adds a glyph with its meaning.
fn glyph(html: &mut String, nag: Nag) {
    match nag.words() {
        Some(words) => {
            // An attribute of one word needs no quotes.
            let quote = if words.contains(' ') { "\"" } else { "" };
            let _ = write!(html, "<abbr title={quote}{words}{quote}>{}</abbr>", Moves::sign(nag));
        }
        None => html.push_str(&Moves::sign(nag)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_in_a_row_are_sentences() {
        let text = "{One} {[%clk 0:01:00]} {Two!} {Three} 1. e4 {Four} {[%clk 0:01:00]} e5 *";
        let game = Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0;
        let moves = Moves::new(&game, PieceLetters::ENGLISH);
        assert_eq!(moves.to_text(99), "One. Two! Three 1.e4 Four 1...e5");
    }

    #[test]
    fn text_that_could_not_be_read_is_shown() {
        for (comment, expected) in [
            (r"[%unread Ke3 \(?!\) \<%clk 1\> \\x; a\n b]", "Ke3 {?!} [%clk 1] \\x; a\nb"),
            ("Good. [%clk 0:01:00] [%unread Ke3 Nc6] And [%unread d4]", "Good. Ke3 Nc6 And d4"),
            ("[%unread Ke3", "[%unread Ke3"),
            (r"[%unread \]", r"\"),
        ] {
            assert_eq!(readable(comment), expected, "{comment}");
        }
        let text = "1. e4 e5 (1... c5 2. Ke3 d6) 2. Ke3 Nc6 {no} 3. Bb5 *";
        let game = Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0;
        let moves = Moves::new(&game, PieceLetters::ENGLISH);
        assert_eq!(moves.to_text(99), "1.e4 e5 Ke3 Nc6 {no} 3. Bb5 (1...c5 Ke3 d6)");
        let bare = Moves { has_notes: false, ..moves };
        assert_eq!(bare.to_text(99), "1.e4 e5 Ke3 Nc6 {no} 3. Bb5", "the main line has these moves");
        assert_eq!(Moves { plies: 0..1, ..bare }.to_text(99), "1.e4");
        assert_eq!(unread_end(&game), "Ke3 Nc6 {no} 3. Bb5");
        let none = Game::read("1. Ke3 *".as_bytes()).expect("memory can be read").expect("a game").0;
        let none = Moves { has_notes: false, ..Moves::new(&none, PieceLetters::ENGLISH) };
        assert_eq!(none.to_html(), "<span class=c>Ke3</span>");
    }

    #[test]
    fn glyphs_of_moves_come_first() {
        let game =
            Game::read("1. e4 $18 $4 $220 e5 $220 *".as_bytes()).expect("it is memory").expect("a game").0;
        let moves = Moves::new(&game, PieceLetters::ENGLISH);
        assert_eq!(moves.to_text(99), "1.e4?? +− e5");
        assert_eq!(moves.to_markdown(), "**1. e4?? +− e5**");
        assert!(moves.to_latex().contains("{1. e4?? $18 e5}"), "{}", moves.to_latex());
        let html = moves.to_html();
        assert!(!html.contains("$220") && !html.contains("diagram"), "{html}");
    }

    #[test]
    fn moves_in_comments_stay_with_their_numbers() {
        for (text, expected) in [
            ("Better is 14. Bf4.", "Better is 14.\u{a0}Bf4."),
            ("10... dxc4 (9. Be6) wins", "10...\u{a0}dxc4 (9.\u{a0}Be6) wins"),
            ("In 1858 at move 4. ", "In 1858 at move 4.\u{a0}"),
            ("of 12.5 points. No 3.. move", "of 12.5 points. No 3.. move"),
            ("", ""),
        ] {
            assert_eq!(with_joined_moves(text), expected, "{text}");
        }
    }
}
