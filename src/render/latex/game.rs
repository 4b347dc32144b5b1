//! Games in LaTeX: the main line by `\mainline` of xskak, variations by `\variation`, and sections with a header and
//! diagrams.

use super::super::game_section::{GameSection, known, player, player_facts, result_sign};
use super::super::moves::{Moves, Sink, Written};
use super::board::board;
use super::text::{code, escape, heading};
use crate::chess::{Color, File, Move, Position};
use crate::notation::pgn::{Export, Game, Nag};
use crate::notation::{Fen, MoveNumber, PieceLetters, San};
use std::fmt::Write;

/// The tags for `\newchessgame`, and the names of its keys for them.
const TAGS: [(&str, &str); 8] = [
    ("White", "white"),
    ("Black", "black"),
    ("WhiteElo", "whiteelo"),
    ("BlackElo", "blackelo"),
    ("Event", "event"),
    ("Site", "site"),
    ("Date", "date"),
    ("Round", "round"),
];

impl GameSection<'_> {
    /// The section in LaTeX, under a heading.
    pub fn to_latex(&self) -> String {
        let game = self.game;
        let mut title = String::new();
        for color in Color::ALL {
            title.push_str(if color == Color::Black { " -- " } else { "" });
            title.push_str(&escape(player(game, color)));
            let facts = player_facts(game, color);
            if !facts.is_empty() {
                // Writing to a string cannot fail, here and below.
                let _ = write!(title, " {{\\small {}}}", escape(&facts));
            }
        }
        let _ = write!(title, " \\hfill {}", escape(result_sign(game.result)));
        let mut latex = heading(2, &title);
        let lines: Vec<String> = self.lines().map(|line| escape(&line)).collect();
        if !lines.is_empty() {
            let _ = writeln!(latex, "{}\n", lines.join("\\newline\n"));
        }
        self.add_judged(&mut latex);
        let tags = TAGS.into_iter().filter_map(|(tag, key)| Some((key, known(game, tag)?)));
        let tags = tags.map(|(key, value)| format!("{key}={{{}}}", plain(value)));
        let result = format!("result={{{}}}", plain(game.result.as_str()));
        let options: Vec<String> = tags.chain([result]).chain(set_up(game)).collect();
        let _ = writeln!(latex, "\\newchessgame[{}]", options.join(",\n  "));
        let chosen = self.moves_with_diagram();
        let figure =
            |mv: &Written<'_>| Self::has_diagram(mv, &chosen).then(|| board(&self.diagram_after(mv)));
        if let Some(start) = self.start_diagram() {
            latex.push_str(&board(&start));
        }
        let moves = Moves {
            letters: PieceLetters::default(),
            glyphs: &self.course.glyphs,
            reword: self.reword,
            ..Moves::new(game, self.letters)
        };
        let mut sink = Runs::new(self.letters, true, &figure);
        moves.write(&mut sink);
        latex.push_str(&sink.finish());
        if !game.unread().is_empty() {
            let _ = writeln!(latex, "{}", escape(game.unread()));
        }
        let _ = writeln!(latex, "\\textbf{{{}}}\n", escape(result_sign(game.result)));
        if !game.is_empty() {
            latex.push_str(&board(&self.final_diagram()));
        }
        if self.has_pgn {
            latex.push_str(&code(&Export::new().game(game)));
        }
        latex
    }

    /// Adds a table of the players' summaries.
    fn add_judged(&self, latex: &mut String) {
        let Some(players) = &self.course.players else { return };
        latex.push_str(
            "\\begin{center}\\small\n\\begin{tabular}{lrrrrr}\nPlayer & Accuracy & Loss & ?! & ? & ?? \\\\\\hline\n",
        );
        for (color, course) in Color::ALL.into_iter().zip(players) {
            let cells = course.cells().map(|cell| escape(&cell));
            let _ = writeln!(latex, "{} & {} \\\\", escape(player(self.game, color)), cells.join(" & "));
        }
        latex.push_str("\\end{tabular}\n\\end{center}\n\n");
    }
}

impl Moves<'_> {
    /// The moves in LaTeX: a part of a line, for any place, if they have neither comments nor variations; otherwise
    /// paragraphs.
    pub fn to_latex(&self) -> String {
        if !self.has_notes {
            return escape(&self.to_text(usize::MAX));
        }
        let moves = Moves { letters: PieceLetters::default(), plies: self.plies.clone(), ..*self };
        let mut sink = Runs::new(self.letters, false, &|_| None);
        moves.write(&mut sink);
        sink.finish() + "\n"
    }
}

/// The value of a tag for `\newchessgame`, which expands it in its own way: letters, digits and common signs, without
/// anything that would be a command.
fn plain(value: &str) -> String {
    let is_plain = |letter: &char| {
        letter.is_alphanumeric() || matches!(letter, ' ' | '.' | ',' | '-' | '/' | '?' | '(' | ')')
    };
    value.chars().filter(is_plain).collect()
}

/// The keys of `\newchessgame` for a start other than the initial position.
fn set_up(game: &Game) -> Option<String> {
    game.is_set_up().then(|| keys_of(game.start()))
}

/// The keys of `\newchessgame` for a position.
fn keys_of(position: &Position) -> String {
    let fen = Fen::new(position).to_string();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    // The rooks are at home, or castling is not allowed: xskak knows no other castling.
    if let Some(castling) = fields.get_mut(2)
        && !castling.chars().all(|letter| "KQkq".contains(letter))
    {
        *castling = "-";
    }
    let side = if position.turn() == Color::White { 'w' } else { 'b' };
    format!("setfen={{{}}},moveid={}{side}", fields.join(" "), position.fullmove_number())
}

/// Whether xskak plays a move by the rules: castling must start from the squares of standard chess.
fn is_known(mv: Move) -> bool {
    !mv.is_castle() || mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H)
}

/// The code of xskak for a glyph after a move. Glyphs that are letters are part of the move.
fn glyph(nag: Nag) -> Option<String> {
    /// The glyphs of the standard that xskak knows.
    const KNOWN: [std::ops::RangeInclusive<u8>; 7] =
        [7..=8, 10..=41, 44..=47, 130..=139, 140..=140, 142..=142, 146..=146];
    match nag.0 {
        1..=6 => nag.sign().map(str::to_owned),
        number if KNOWN.iter().any(|known| known.contains(&number)) => Some(format!(" ${number}")),
        _ => None,
    }
}

/// The commands for the main line and for variations.
pub(super) const MAIN: &str = "\\mainline[level=1]";
const VARIATION: &str = "\\variation[level=2]";

/// Moves as uninterrupted runs, each of which is a command.
struct Runs<'a> {
    latex: String,
    /// The letters for pieces in text between commands; those in commands are set for the document.
    letters: PieceLetters,
    /// The moves of the command that is not complete yet.
    run: String,
    /// Returns the diagram, or other content, that follows a move of the main line.
    after: &'a dyn Fn(&Written<'_>) -> Option<String>,
    /// The content that follows the latest move and its comments.
    pending: Option<String>,
    depth: usize,
    /// Whether a space is needed before the next part.
    needs_space: bool,
    /// The position after a move that xskak could not follow, from which it must start again.
    unknown: Option<Position>,
    /// Whether `\newchessgame` comes before the moves, as xskak requires.
    is_begun: bool,
}

impl<'a> Runs<'a> {
    /// Moves after `\newchessgame`; if `is_begun` is false, the moves start with that command.
    fn new(letters: PieceLetters, is_begun: bool, after: &'a dyn Fn(&Written<'_>) -> Option<String>) -> Self {
        Self {
            latex: String::new(),
            letters,
            run: String::new(),
            after,
            pending: None,
            depth: 0,
            needs_space: false,
            unknown: None,
            is_begun,
        }
    }

    fn finish(mut self) -> String {
        self.end_paragraph();
        self.latex
    }

    fn space(&mut self) {
        if std::mem::replace(&mut self.needs_space, true) {
            self.latex.push('\n');
        }
    }

    /// Sets the position from which xskak follows the moves.
    fn begin_game(&mut self, position: &Position) {
        self.end_run();
        self.space();
        let _ = write!(self.latex, "\\newchessgame[{}]", keys_of(position));
    }

    /// Completes the current command.
    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if !run.is_empty() {
            self.space();
            self.latex.push_str(if self.depth == 0 { MAIN } else { VARIATION });
            let _ = write!(self.latex, "{{{run}}}");
        }
    }

    /// Adds text.
    fn add(&mut self, latex: &str) {
        self.end_run();
        self.space();
        self.latex.push_str(latex);
    }

    /// Ends the current paragraph, if there is one, and adds the pending diagram after it.
    fn end_paragraph(&mut self) {
        self.end_run();
        if std::mem::take(&mut self.needs_space) {
            self.latex.push('\n');
        }
        if let Some(pending) = self.pending.take() {
            self.latex.push_str(&pending);
        }
    }

    fn add_pending(&mut self) {
        if self.pending.is_some() {
            self.end_paragraph();
        }
    }
}

impl Sink for Runs<'_> {
    // The number comes from the position before the move.
    fn number(&mut self, _: u16, _: Color) {
        self.add_pending();
    }

    fn mv(&mut self, mv: &Written<'_>) {
        self.add_pending();
        let before = mv.before;
        let number = MoveNumber::of(before);
        if !std::mem::replace(&mut self.is_begun, true) {
            self.begin_game(before);
        }
        let (of_move, of_position) = mv.shown_nags();
        let shown = of_move.into_iter().chain(of_position);
        match mv.mv.filter(|played| self.depth > 0 || is_known(*played)) {
            Some(_) => {
                if self.depth == 0
                    && let Some(position) = self.unknown.take()
                {
                    self.begin_game(&position);
                }
                let is_first = self.run.is_empty();
                if !is_first {
                    self.run.push(' ');
                }
                if is_first || before.turn() == Color::White {
                    let _ = write!(self.run, "{number} ");
                }
                self.run.push_str(mv.text);
                let (known, other): (Vec<Nag>, Vec<Nag>) = shown.partition(|nag| glyph(*nag).is_some());
                known.into_iter().filter_map(glyph).for_each(|glyph| self.run.push_str(&glyph));
                for nag in other {
                    self.add(&escape(&Moves::sign(nag)));
                }
            }
            // A null move, or castling of Chess960.
            None => {
                let san = mv.mv.map(|played| San::new(before, played).letters(self.letters).to_string());
                let mut text = format!("{number} {}", san.as_deref().unwrap_or(mv.text));
                text.extend(shown.map(Moves::sign));
                let text = escape(&text);
                if self.depth == 0 {
                    self.add(&format!("\\textbf{{{text}}}"));
                    self.unknown = Some(*mv.after);
                } else {
                    self.add(&text);
                }
            }
        }
        if mv.ply.is_some() {
            self.pending = (self.after)(mv);
        }
    }

    fn comment(&mut self, text: &str) {
        let text = escape(text);
        if !text.is_empty() {
            self.add(&text);
        }
    }

    fn begin(&mut self) {
        if self.depth == 0 {
            self.end_paragraph();
            self.latex.push_str("\\begin{quote}\n(");
        } else {
            self.end_run();
            self.space();
            self.latex.push('(');
        }
        self.depth += 1;
        self.needs_space = false;
    }

    fn end(&mut self) {
        self.end_run();
        self.latex.push(')');
        self.needs_space = true;
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.latex.push_str("\n\\end{quote}\n");
            self.needs_space = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Course, DiagramStyle};
    use super::*;
    use crate::notation::pgn::MoveStyle;

    fn game(text: &str) -> Game {
        Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0
    }

    fn moves(text: &str) -> String {
        Moves::new(&game(text), PieceLetters::default()).to_latex()
    }

    #[test]
    fn runs_of_moves_are_commands() {
        assert_eq!(
            moves(
                "{A 100% start.} 1. e4! {B.} e5 $14 $43 (1... c5 2. Nf3 $6 (2. f4 d5) 2... d6) 2. Nf3 Nc6 *"
            ),
            "A 100\\% start.\n\\newchessgame[setfen={rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1},moveid=1w]\n\
             \\mainline[level=1]{1. e4!}\nB.\n\\mainline[level=1]{1... e5 $14}\n\\$43\n\
             \\begin{quote}\n(\\variation[level=2]{1... c5 2. Nf3?!}\n(\\variation[level=2]{2. f4 d5})\n\
             \\variation[level=2]{2... d6})\n\\end{quote}\n\\mainline[level=1]{2. Nf3 Nc6}\n\n"
        );
        let plain = game("1. e4 e5 2. Nf3# *");
        let plain = Moves { has_notes: false, ..Moves::new(&plain, PieceLetters::FIGURINES) };
        assert_eq!(plain.to_latex(), "1.e4 e5 2.\\symknight{}f3");
    }

    #[test]
    fn what_xskak_does_not_know_is_gone_round() {
        let null = moves("1. e4 -- 2. d4 d5 *");
        assert!(
            null.contains("\\mainline[level=1]{1. e4}\n\\textbf{1... -{}-}\n\\newchessgame[setfen={rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - "),
            "{null}"
        );
        assert!(null.contains(",moveid=2w]\n\\mainline[level=1]{2. d4 d5}"), "{null}");
        let odd = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R4KR1 w GA - 0 7\"]\n\n7. O-O (7. O-O-O Ke7) 7... Kd7 *";
        let odd = moves(odd);
        assert!(
            odd.contains("\\textbf{7. O-O}") && odd.contains("\\variation[level=2]{7. O-O-O Ke7}"),
            "{odd}"
        );
        assert!(odd.contains(",moveid=7b]\n\\mainline[level=1]{7... Kd7}"), "{odd}");
        let usual = moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *");
        assert!(usual.contains("4. O-O}") && usual.matches("\\newchessgame").count() == 1, "{usual}");
        let part = game("1. e4 e5 2. Nf3 *");
        let part = Moves { plies: 1..3, ..Moves::new(&part, PieceLetters::default()) }.to_latex();
        assert!(part.contains(",moveid=1b]\n\\mainline[level=1]{1... e5 2. Nf3}"), "{part}");
    }

    #[test]
    fn sections_have_heads_and_diagrams() {
        let game =
            game("[White \"A_b\"]\n[WhiteElo \"2000\"]\n[Black \"\\\\input{x}\"]\n\n1. e4 $220 e5 1-0");
        let section = GameSection {
            game: &game,
            letters: PieceLetters::default(),
            style: DiagramStyle::default(),
            opening: ("C20".to_owned(), "King's Pawn".to_owned()),
            course: Course::default(),
            has_pgn: true,
            reword: None,
            moves: MoveStyle::San,
        };
        let latex = section.to_latex();
        for part in [
            "\\subsection*{A\\_b {\\small 2000} -- \\textbackslash{}input\\{x\\} \\hfill 1--0}\n",
            "C20 King's Pawn\n",
            "\\newchessgame[white={Ab},\n  black={inputx},\n  whiteelo={2000},\n  result={1-0}]\n",
            "\\mainline[level=1]{1. e4}\n\\begin{center}\n\\chessboard[",
            "\\mainline[level=1]{1... e5}\n",
            "\\mbox{}{[}White \\textquotedbl{}A\\_b\\textquotedbl{}{]}",
        ] {
            assert!(latex.contains(part), "{part}: {latex}");
        }
        assert_eq!(latex.matches("\\chessboard").count(), 2);
        assert!(!latex.contains("\\input{"));
    }
}
