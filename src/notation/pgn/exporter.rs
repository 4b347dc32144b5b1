//! Exporting a game while it is read.

use super::deferred::ElementOrder;
use super::export::LineWrapper;
use super::export_tags::TagOrder;
use super::{
    DeferredBuilder, Export, Game, GameBuilder, GameResult, Nag, PgnError, PgnProblem, RawText, Skip,
    Visitor, push_words,
};
use crate::chess::{Move, Position};
use crate::notation::{San, SanMove};

/// A visitor that writes a game in export format while it is read: [`Exporter::write`] appends the text that
/// [`Export::write`] appends for the game that a [`GameBuilder`] builds from the same calls.
///
/// In most games everything has the order of the export, so they are not built. As soon as something has another order,
/// such as a glyph after a comment, the game is built.
///
/// ```
/// use hematite_core::notation::pgn::{Export, Exporter, GameBuilder, Reader};
/// let mut exporter = Exporter::new(Export::new(), GameBuilder::new());
/// let mut reader = Reader::new("1.e4 e5 2.Ng1f3 {a} *".as_bytes());
/// let mut text = String::new();
/// while reader.read_game(&mut exporter).unwrap() {
///     exporter.write(&mut text);
/// }
/// assert!(text.ends_with("1. e4 e5 2. Nf3 {a} *\n\n"));
/// ```
#[derive(Debug)]
pub struct Exporter {
    export: Export,
    builder: DeferredBuilder,
    /// Whether all that has been read so far is written.
    is_streamed: bool,
    /// Whether every game is built.
    builds_all: bool,
    lines: LineWrapper,
    tag_order: TagOrder,
    /// Whether a move of Black needs its number.
    needs_number: bool,
    order: ElementOrder,
    /// The text of a comment as exported, if it differs from the text read.
    comment: String,
}

impl Exporter {
    /// An exporter for this format. The builder has the piece letters of the games.
    pub fn new(export: Export, builder: GameBuilder) -> Self {
        Self {
            export,
            builder: DeferredBuilder::new(builder),
            is_streamed: false,
            builds_all: false,
            lines: LineWrapper::default(),
            tag_order: TagOrder::default(),
            needs_number: true,
            order: ElementOrder::new(),
            comment: String::new(),
        }
    }

    /// An exporter that builds all games, for callers that use [`Self::game_mut`] for all of them.
    #[must_use]
    pub fn building(self) -> Self {
        Self { builds_all: true, ..self }
    }

    /// The errors found in the latest game.
    pub fn errors(&self) -> &[PgnError] {
        self.builder.errors()
    }

    /// Appends the latest game, which must have been read to its end, with an empty line. It must be called only once
    /// for each game.
    pub fn write(&mut self, out: &mut String) {
        if !self.is_streamed {
            return self.export.write(self.builder.game(), out);
        }
        let game = self.builder.header();
        self.tag_order.write(self.export.tag_scope(), game, out);
        self.lines.token(game.result.as_str());
        self.lines.finish_into(out);
        out.push('\n');
    }

    /// The latest game, which is built now if necessary.
    pub fn game_mut(&mut self) -> &mut Game {
        self.is_streamed = false;
        self.builder.game()
    }

    /// Whether the current element is within a variation that is not written.
    const fn is_muted(&self) -> bool {
        !self.export.has_variations() && self.order.is_in_variation()
    }

    /// Builds the game, because an element is not in the order of the export.
    #[cold]
    fn give_up(&mut self) {
        self.is_streamed = false;
        self.builder.build();
    }

    /// Writes a move that has been played: its text if that is correct, otherwise its SAN.
    fn write_move(&mut self, text: Option<&[u8]>) {
        self.order.mv();
        if self.is_muted() {
            return;
        }
        let (tracker, mv) = (self.builder.tracker(), self.builder.latest_move());
        // There is a position before every move.
        let Some(before) = tracker.before() else { return };
        self.lines.move_number(before, self.needs_number);
        self.needs_number = false;
        let Some(mv) = mv else { return self.lines.token(SanMove::NULL) };
        let (san, after) = (San::new(before, mv), tracker.position());
        match text {
            Some(text) if san.is_text(text, after) => self.lines.ascii_token(text),
            _ => self.lines.ascii_token(san.text_for(after).as_bytes()),
        }
    }
}

impl Visitor for Exporter {
    fn inner(&mut self) -> Option<&mut dyn Visitor> {
        Some(&mut self.builder)
    }

    fn begin_game(&mut self) {
        self.builder.begin_game();
        self.lines.clear();
        self.needs_number = true;
        self.order.begin_game();
    }

    fn end_tags(&mut self) -> Skip {
        let skip = self.builder.end_tags();
        self.is_streamed = true;
        // Games whose moves are not read, and moves in other styles than SAN, are exported from the built game.
        if skip == Skip::Yes || self.builds_all || !self.export.is_san() {
            self.give_up();
        }
        skip
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.builder.mv(text)?;
        if self.is_streamed {
            self.write_move(Some(text));
        }
        Ok(())
    }

    fn known_move(&mut self, before: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        self.builder.known_move(before, mv, after)?;
        if self.is_streamed {
            self.write_move(None);
        }
        Ok(())
    }

    fn unread(&mut self, text: RawText<'_>) {
        self.give_up();
        self.builder.unread(text);
    }

    fn nag(&mut self, nag: Nag) {
        self.builder.nag(nag);
        if !self.order.nag() {
            self.give_up();
        } else if self.is_streamed && self.export.has_nags() && !self.is_muted() {
            self.lines.nag(nag);
            self.needs_number = true;
        }
    }

    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.builder.comment(text)?;
        if !self.is_streamed {
            return Ok(());
        }
        let plain = text.plain_words();
        if plain.is_none() {
            self.comment.clear();
            push_words(&mut self.comment, &text.decode());
            if self.comment.is_empty() {
                return Ok(());
            }
        }
        if !self.order.comment() {
            self.give_up();
            return Ok(());
        }
        let words = plain.unwrap_or(self.comment.as_bytes());
        if self.export.has_comment(words) && !self.is_muted() {
            match plain {
                Some(words) => self.lines.plain_comment(words),
                None => self.lines.comment(&self.comment),
            }
            self.needs_number = true;
        }
        Ok(())
    }

    fn escape(&mut self, text: RawText<'_>) {
        self.give_up();
        self.builder.escape(text);
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        let skip = self.builder.begin_variation()?;
        if !self.order.begin_variation() {
            self.give_up();
        }
        if self.is_streamed && !self.is_muted() {
            self.lines.open();
            self.needs_number = true;
        }
        Ok(skip)
    }

    fn end_variation(&mut self) {
        self.builder.end_variation();
        let is_muted = self.is_muted();
        if !self.order.end_variation() {
            self.give_up();
        }
        if self.is_streamed && !is_muted {
            self.lines.close();
            self.needs_number = true;
        }
    }

    fn result(&mut self, result: GameResult) {
        self.builder.result(result);
        if !self.order.result() {
            self.give_up();
        }
    }

    fn complete(&mut self) -> Result<(), Box<PgnProblem>> {
        if !self.order.complete() {
            self.give_up();
        }
        self.builder.complete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::{MoveStyle, Reader};
    use proptest::prelude::*;

    /// Checks that an exporter writes the same text as the export of a built game.
    fn check(text: &str) {
        let exports = [
            Export::new(),
            Export::new().reduced(),
            Export::new().without_comments(),
            Export::new().without_variations(),
            Export::new().without_nags(),
            Export::new().with_style(MoveStyle::Lan),
        ];
        for export in exports {
            let (mut expected, mut found) = (String::new(), String::new());
            let mut builder = GameBuilder::new();
            let mut exporter = Exporter::new(export, GameBuilder::new());
            let mut readers = [Reader::new(text.as_bytes()), Reader::new(text.as_bytes())];
            while readers[0].read_game(&mut builder).expect("memory can be read") {
                export.write(builder.game(), &mut expected);
                assert!(readers[1].read_game(&mut exporter).expect("memory can be read"));
                exporter.write(&mut found);
                assert_eq!(found, expected, "{export:?} of {text}");
                assert_eq!(format!("{:?}", exporter.errors()), format!("{:?}", builder.errors()), "{text}");
                assert_eq!(exporter.game_mut(), builder.game(), "{text}");
            }
        }
    }

    #[test]
    fn every_order_is_exported_as_it_is_built() {
        let texts = [
            "",
            "1. Pe4 Pd5 2. Pxd5 Qd8xd5 { a } *",
            "*",
            "{a} *",
            "$1 {a} 1. e4 *",
            "1. e4 {a} $1 e5 $2 $3 {b} {c} *",
            "1. e4 (1. d4) {a} *",
            "1. e4 (1. d4) {a} e5 *",
            "1. e4 (1. d4) {a} (1. c4) e5 *",
            "1. e4 (1. d4 (1. c4) d5) e5 *",
            "1. e4 e5 (1... c5 2. Nf3 (2. c3 {x}) 2... d6) 2. Nf3 *",
            "1. e4 ({a}) e5 () (1... c5 {b}) *",
            "(1. e4) 1. e4 *",
            "1. e4 e5 2. Ke3 Nc6 (1. a4) {b} 1-0 {behind}",
            "1. e4 e5 (2. Ke3 Nc6) {b} 1-0",
            "1. e4 -- 2. d4 novelty Ng8f6 ed5 $1 *",
            "1. e4\n% escaped\ne5 ; to the end\n2. Ng1-f3 {[%clk 0:00:01] %x} ({a} 2. f4) *",
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w\"]\n\n1. Kd2 Ke7 *",
            "[Variant \"Atomic\"]\n\n1. e4 e5 *",
        ];
        for text in texts {
            check(text);
            check(&format!("[Result \"1/2-1/2\"]\n[Odd Name \"x\"]\n\n{text}"));
        }
        // This many calls are not stored.
        let long = format!("{} *", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(20_000));
        check(&long);
        check(&format!("1. e4 {{{}}} e5 {{{}}} *", "a ".repeat(300_000), "b ".repeat(400_000)));
    }

    proptest! {
        #[test]
        fn any_tokens_are_exported_as_they_are_built(
            tokens in prop::collection::vec(
                prop_oneof![
                    12 => prop::sample::select(vec!["Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5", "Nc3", "Nc6", "Nb1", "Nb8"]),
                    2 => prop::sample::select(vec!["$1", "!?", "$14"]),
                    3 => prop::sample::select(vec![
                        "{a}", "{[%clk 0:01:02]}", "{a  b %c}", "{}", "{é}", "{some words that fill most of a line, so}",
                        ";x\n",
                    ]),
                    3 => Just("("),
                    3 => Just(")"),
                    1 => prop::sample::select(vec!["--", "word", "Nb1-c3", "g1f3", "Ke4", "1.", "1...", "\n%e\n", "1-0"]),
                ],
                0..60,
            ),
        ) {
            check(&format!("{} *", tokens.join(" ")));
        }
    }
}
