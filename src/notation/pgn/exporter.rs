//! Exporting a game while it is read.

use super::collate::push_header_key;
use super::deferred::{Comment, ElementWriter, Played, Streamed};
use super::export_tags::TagOrder;
use super::lines::LineWrapper;
use super::{Collated, Export, GameBuilder, Nag};
use crate::notation::SanMove;
use crate::notation::san::has_right_sign;

/// A visitor that writes a game in export format while it is read: [`Exporter::write`] appends the bytes of the text
/// that [`Export::write`] appends for the game that a [`GameBuilder`] builds from the same calls.
///
/// ```
/// use hematite_core::notation::pgn::{Export, Exporter, GameBuilder, Reader};
/// let mut exporter = Exporter::new(Export::new(), GameBuilder::new());
/// let mut reader = Reader::new("1.e4 e5 2.Ng1f3 {a} *".as_bytes());
/// let mut text = Vec::new();
/// while reader.read_game(&mut exporter).unwrap() {
///     exporter.write(&mut text);
/// }
/// assert!(text.ends_with(b"1. e4 e5 2. Nf3 {a} *\n\n"));
/// ```
pub type Exporter = Streamed<ExportWriter>;

/// Writes the elements of a game in export format.
#[derive(Debug)]
pub struct ExportWriter {
    export: Export,
    /// Whether every game is built.
    builds_all: bool,
    lines: LineWrapper,
    tag_order: TagOrder,
    /// Whether a move of Black needs its number.
    needs_number: bool,
    /// The number of variations within one another around the current element.
    depth: usize,
    /// Whether the current element is within a variation that is not written.
    is_muted: bool,
}

impl Exporter {
    /// An exporter for this format. The builder has the piece letters of the games.
    pub fn new(export: Export, builder: GameBuilder) -> Self {
        let writer = ExportWriter {
            export,
            builds_all: false,
            lines: LineWrapper::default(),
            tag_order: TagOrder::default(),
            needs_number: true,
            depth: 0,
            is_muted: false,
        };
        Self::with_writer(writer, builder)
    }

    /// An exporter that builds all games, for callers that use [`Self::game_mut`] for all of them.
    #[must_use]
    pub fn building(mut self) -> Self {
        self.writer.builds_all = true;
        self
    }

    /// Appends the latest game, which must have been read to its end, with an empty line, in UTF-8. It must be called
    /// only once for each game.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        self.write_game(out);
    }

    /// The same after the sort key of the game. Returns the lengths of both.
    pub fn write_collated(&mut self, out: &mut Vec<u8>) -> Collated {
        let start = out.len();
        push_header_key(out, self.header());
        Collated::after_key(start, out, |out| self.write_game(out))
    }

    /// Appends the latest game. Returns where its movetext begins.
    fn write_game(&mut self, out: &mut Vec<u8>) -> usize {
        if let Some((writer, header)) = self.streamed() {
            writer.tag_order.write(writer.export.tag_scope(), header, out);
            let movetext = out.len();
            writer.lines.token(header.game.result.as_str());
            writer.lines.finish_into(out);
            out.push(b'\n');
            return movetext;
        }
        let export = self.writer.export;
        export.write_bytes(self.game_mut(), out)
    }
}

impl ExportWriter {
    /// Writes a move whose text is not canonical, or a pass.
    #[inline(never)]
    fn other_move(&mut self, played: Played<'_>) {
        match played.mv {
            Some(mv) => {
                self.lines.short_move(played.number(), self.needs_number, played.word(mv));
            }
            None => self.lines.mv(played.number(), self.needs_number, SanMove::NULL.as_bytes()),
        }
    }

    /// Enters or leaves a variation.
    const fn set_depth(&mut self, depth: usize) {
        self.depth = depth;
        self.is_muted = depth > 0 && !self.export.has_variations();
    }
}

impl ElementWriter for ExportWriter {
    /// Moves in other styles than SAN are exported from the built game.
    fn can_stream(&self) -> bool {
        !self.builds_all && self.export.is_san()
    }

    fn begin_game(&mut self) {
        self.lines.clear();
        self.needs_number = true;
        self.set_depth(0);
    }

    /// Writes the text of a move if it is canonical, otherwise its SAN.
    #[inline(always)]
    fn mv(&mut self, played: Played<'_>) {
        if self.is_muted {
            return;
        }
        match played.text {
            Some(text) if has_right_sign(text, played.is_check(), || played.is_mate()) => {
                self.lines.mv(played.number(), self.needs_number, text);
            }
            _ => self.other_move(played),
        }
        self.needs_number = false;
    }

    fn nag(&mut self, nag: Nag) {
        if self.export.has_nags() && !self.is_muted {
            self.lines.nag(nag);
            self.needs_number = true;
        }
    }

    #[inline(always)]
    fn comment(&mut self, comment: Comment<'_>) {
        let words = match comment {
            Comment::Plain(words) => words,
            Comment::Words(words) => words.as_bytes(),
        };
        if !self.export.has_comment(words) || self.is_muted {
            return;
        }
        match comment {
            Comment::Plain(words) => self.lines.plain_comment(words),
            Comment::Words(words) => self.lines.comment(words),
        }
        self.needs_number = true;
    }

    fn begin_variation(&mut self) {
        self.set_depth(self.depth + 1);
        if !self.is_muted {
            self.lines.open();
            self.needs_number = true;
        }
    }

    fn end_variation(&mut self) {
        if !self.is_muted {
            self.lines.close();
            self.needs_number = true;
        }
        self.set_depth(self.depth.saturating_sub(1));
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
            let (mut expected, mut found) = (String::new(), Vec::new());
            let mut builder = GameBuilder::new();
            let mut exporter = Exporter::new(export, GameBuilder::new());
            let mut readers = [Reader::new(text.as_bytes()), Reader::new(text.as_bytes())];
            while readers[0].read_game(&mut builder).expect("memory can be read") {
                export.write(builder.game(), &mut expected);
                assert!(readers[1].read_game(&mut exporter).expect("memory can be read"));
                let (mut collated, mut expected_collated) = (Vec::new(), Vec::new());
                let lengths = exporter.write_collated(&mut collated);
                assert_eq!(lengths, export.write_collated(builder.game(), &mut expected_collated), "{text}");
                assert_eq!(collated, expected_collated, "{export:?} of {text}");
                found.extend_from_slice(&collated[lengths.key..]);
                assert_eq!(str::from_utf8(&found), Ok(&*expected), "{export:?} of {text}");
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
