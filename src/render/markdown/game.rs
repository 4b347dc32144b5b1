//! Games in Markdown: moves with comments and variations, and sections with a header and diagrams.

use super::super::diagram::Diagram;
use super::super::game_section::{GameSection, player, player_facts, result_sign};
use super::super::moves::{self, Moves, Sink};
use super::text::{PICTURE, code_block, escape};
use crate::chess::Color;
use crate::notation::pgn::Export;
use crate::notation::{BoardText, MoveNumber};
use std::fmt::Write;

/// The form of diagrams.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Diagrams {
    /// Pictures in other files.
    #[default]
    Pictures,
    /// Text diagrams.
    Text,
    /// No diagrams.
    None,
}

/// Markdown with its pictures.
#[derive(Clone, Default, Debug)]
pub struct Written {
    /// The text, with a [`PICTURE`] as placeholder for the URL of each picture.
    pub text: String,
    /// The pictures, in their order.
    pub pictures: Vec<Diagram>,
}

impl Written {
    /// Adds a diagram as blocks, ending with a line end.
    pub fn add_diagram(&mut self, diagram: Diagram, form: Diagrams) {
        let caption = diagram.caption.as_deref().map(escape).filter(|caption| !caption.is_empty());
        match form {
            Diagrams::None => return,
            Diagrams::Pictures => {
                let words = caption.as_deref().unwrap_or("Chess position");
                // Writing to a string cannot fail, here and below.
                let _ = writeln!(self.text, "![{words}]({PICTURE})");
            }
            Diagrams::Text => {
                let board = BoardText::new(diagram.board());
                let board = if diagram.style().is_flipped { board.flipped() } else { board };
                self.text.push_str(&code_block("text", &board.to_string()));
            }
        }
        if let Some(caption) = caption {
            let _ = write!(self.text, "\n*{caption}*\n");
        }
        if form == Diagrams::Pictures {
            self.pictures.push(diagram);
        }
    }

    /// Appends other Markdown with its pictures.
    pub fn append(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.pictures.extend(other.pictures);
    }
}

impl GameSection<'_> {
    /// The section in Markdown, under a heading of the second level.
    pub fn to_markdown(&self, diagrams: Diagrams) -> Written {
        let game = self.game;
        let mut text = String::from("##");
        for color in Color::ALL {
            text.push_str(if color == Color::Black { " – " } else { " " });
            text.push_str(&escape(player(game, color)));
            let facts = player_facts(game, color);
            if !facts.is_empty() {
                let _ = write!(text, " ({})", escape(&facts));
            }
        }
        let _ = write!(text, ", {}\n\n", escape(result_sign(game.result)));
        let lines: Vec<String> = self.lines().map(|line| escape(&line)).collect();
        if !lines.is_empty() {
            // A backslash at the end of a line is a line break.
            let _ = write!(text, "{}\n\n", lines.join("\\\n"));
        }
        if let Some(players) = &self.course.players {
            text.push_str(
                "| Player | Accuracy | Loss | ?! | ? | ?? |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
            );
            for (color, course) in Color::ALL.into_iter().zip(players) {
                let _ =
                    writeln!(text, "| {} | {} |", escape(player(game, color)), course.cells().join(" | "));
            }
            text.push('\n');
        }
        let mut written = Written { text, pictures: Vec::new() };
        if let Some(start) = self.start_diagram().filter(|_| diagrams != Diagrams::None) {
            written.add_diagram(start, diagrams);
            written.text.push('\n');
        }
        let chosen = self.moves_with_diagram();
        let figure = |mv: &moves::Written<'_>| Self::has_diagram(mv, &chosen).then(|| self.diagram_after(mv));
        let mut sink = Blocks::new(diagrams, &figure);
        let glyphs = &self.course.glyphs;
        let reword = self.reword;
        Moves { glyphs, reword, style: self.moves, ..Moves::new(game, self.letters) }.write(&mut sink);
        sink.end_block();
        written.append(sink.written);
        if !game.unread().is_empty() {
            let _ = write!(written.text, "{}\n\n", escape(game.unread()));
        }
        let _ = write!(written.text, "**{}**\n\n", escape(result_sign(game.result)));
        if !game.is_empty() {
            written.add_diagram(self.final_diagram(), diagrams);
            written.text.push('\n');
        }
        if self.has_pgn {
            written.text.push_str(&code_block("pgn", &Export::new().game(game)));
            written.text.push('\n');
        }
        written
    }
}

impl Moves<'_> {
    /// The moves in Markdown: a part of a line if they have neither comments nor variations; otherwise blocks.
    pub fn to_markdown(&self) -> String {
        let mut sink = Blocks::new(Diagrams::None, &|_| None);
        self.write(&mut sink);
        sink.end_block();
        sink.written.text.trim_end().to_owned()
    }
}

/// Moves as paragraphs: moves of the main line are bold, a variation on it is a quotation.
struct Blocks<'a> {
    written: Written,
    diagrams: Diagrams,
    /// Returns the diagram that follows a move of the main line.
    after: &'a dyn Fn(&moves::Written<'_>) -> Option<Diagram>,
    /// The diagram that follows the latest move and its comments.
    pending: Option<Diagram>,
    depth: usize,
    is_bold: bool,
    /// Whether a space is needed before the next part.
    needs_space: bool,
    /// Whether the next move needs a number, since it follows a diagram.
    needs_number: bool,
}

impl<'a> Blocks<'a> {
    fn new(diagrams: Diagrams, after: &'a dyn Fn(&moves::Written<'_>) -> Option<Diagram>) -> Self {
        Self {
            written: Written::default(),
            diagrams,
            after,
            pending: None,
            depth: 0,
            is_bold: false,
            needs_space: false,
            needs_number: false,
        }
    }

    /// Starts a part of a paragraph.
    fn start(&mut self, is_bold: bool) {
        let text = &mut self.written.text;
        if self.is_bold && !is_bold {
            text.push_str("**");
        }
        if self.needs_space {
            text.push(' ');
        }
        if is_bold && !self.is_bold {
            text.push_str("**");
        }
        (self.is_bold, self.needs_space) = (is_bold, true);
    }

    /// Ends the current paragraph, if there is one, and adds the pending diagram after it.
    fn end_block(&mut self) {
        if self.is_bold {
            self.written.text.push_str("**");
        }
        if self.is_bold || self.needs_space {
            self.written.text.push_str("\n\n");
        }
        (self.is_bold, self.needs_space) = (false, false);
        if let Some(diagram) = self.pending.take() {
            self.written.add_diagram(diagram, self.diagrams);
            self.written.text.push('\n');
            self.needs_number = true;
        }
    }

    fn add_pending(&mut self) {
        if self.pending.is_some() {
            self.end_block();
        }
    }

    fn add_number(&mut self, number: u16, color: Color) {
        self.start(self.depth == 0);
        let _ = write!(self.written.text, "{}", MoveNumber::new(number, color));
        self.needs_number = false;
    }
}

impl Sink for Blocks<'_> {
    fn number(&mut self, number: u16, color: Color) {
        self.add_pending();
        self.add_number(number, color);
    }

    fn mv(&mut self, mv: &moves::Written<'_>) {
        self.add_pending();
        if self.needs_number {
            self.add_number(mv.before.fullmove_number(), mv.before.turn());
        }
        self.start(self.depth == 0);
        self.written.text.push_str(mv.text);
        let (of_move, of_position) = mv.shown_nags();
        for nag in of_move {
            self.written.text.push_str(&Moves::sign(nag));
        }
        for nag in of_position {
            self.written.text.push(' ');
            // A glyph without a sign is written as `$N`, and a dollar sign is markup.
            self.written.text.push_str(&Moves::sign(nag).replace('$', "\\$"));
        }
        if mv.ply.is_some() && self.diagrams != Diagrams::None {
            self.pending = (self.after)(mv);
        }
    }

    fn comment(&mut self, text: &str) {
        let text = escape(text);
        if !text.is_empty() {
            self.start(false);
            self.written.text.push_str(&text);
        }
    }

    fn begin(&mut self) {
        if self.depth == 0 {
            self.end_block();
            self.written.text.push_str("> (");
        } else {
            self.start(false);
            self.written.text.push('(');
        }
        self.depth += 1;
        (self.needs_space, self.needs_number) = (false, false);
    }

    fn end(&mut self) {
        self.written.text.push(')');
        self.needs_space = true;
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.end_block();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Course, DiagramStyle};
    use super::*;
    use crate::notation::PieceLetters;
    use crate::notation::pgn::{Game, MoveStyle};
    use pulldown_cmark::{Options, Parser, html};

    fn game(text: &str) -> Game {
        Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0
    }

    fn section(text: &str, diagrams: Diagrams) -> Written {
        let game = game(text);
        let section = GameSection {
            game: &game,
            letters: PieceLetters::default(),
            style: DiagramStyle::default(),
            opening: ("C20".to_owned(), "King's *Pawn*".to_owned()),
            course: Course::default(),
            has_pgn: false,
            reword: None,
            moves: MoveStyle::San,
        };
        section.to_markdown(diagrams)
    }

    #[test]
    fn moves_comments_and_variations_are_paragraphs() {
        let game = game(
            "{First.} 1. e4! {A *b*.} e5 $14 $200 (1... c5 {is (c). [%csl Ge4]} 2. Nf3 (2. f4 d5) 2... d6) 2. Nf3 *",
        );
        assert_eq!(
            Moves::new(&game, PieceLetters::default()).to_markdown(),
            "First. **1. e4!** A \\*b\\*. **1... e5 +/= \\$200**\n\n\
             > (1... c5 is (c). 2. Nf3 (2. f4 d5) 2... d6)\n\n**2. Nf3**"
        );
        let plain = Moves { has_notes: false, ..Moves::new(&game, PieceLetters::GERMAN) };
        assert_eq!(plain.to_markdown(), "**1. e4! e5 +/= \\$200 2. Sf3**");
    }

    #[test]
    fn sections_have_heads_and_diagrams() {
        let text = "[White \"A_b\"]\n[WhiteElo \"2000\"]\n[Black \"<b>\"]\n[Date \"2026.01.02\"]\n\n1. e4 $220 e5 1-0";
        let written = section(text, Diagrams::Pictures);
        assert_eq!(
            written.text,
            "## A\\_b (2000) – &lt;b&gt;, 1–0\n\n2026.01.02\\\nC20 King's \\*Pawn\\*\n\n**1. e4**\n\n\
             ![Position after 1. e4](\u{f8e2})\n\n*Position after 1. e4*\n\n**1... e5**\n\n**1–0**\n\n\
             ![Position after 1... e5](\u{f8e2})\n\n*Position after 1... e5*\n\n"
        );
        assert_eq!(written.pictures.len(), 2);
        let text_only = section(text, Diagrams::Text);
        assert!(text_only.text.contains("```text\n8  r n b q k b n r\n") && text_only.pictures.is_empty());
        assert!(!section(text, Diagrams::None).text.contains("Position after"));
        assert_eq!(
            section("*", Diagrams::Text).text,
            "## White – Black, \\*\n\nC20 King's \\*Pawn\\*\n\n**\\***\n\n"
        );
    }

    #[test]
    fn hostile_games_are_text() {
        let text = "[White \"<script>alert(1)</script>\"]\n[Black \"# x\\n\"]\n\n\
                    1. e4 {<img src=x onerror=y> ![a](b) `game` | ** __ ~~\n\n# no\n> no\n    no} \
                    (1. d4 {**) [x](javascript:y)}) 1... e5 {} *";
        let mut page = String::new();
        let markdown = section(text, Diagrams::Text).text;
        html::push_html(&mut page, Parser::new_ext(&markdown, Options::all()));
        for tag in ["<script", "<img", "<a ", "<h1", "<del", "<code>game", "<em"] {
            assert!(!page.replace("<em>Position", "").contains(tag), "{tag}: {page}");
        }
        assert_eq!((page.matches("<h2").count(), page.matches("<blockquote>").count()), (1, 1), "{page}");
    }
}
