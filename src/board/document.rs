//! Conversion of games between PGN and the format of the page.

use super::body::LongJsonBody;
use super::failure::Failure;
use super::positions::read_move;
use crate::chess::{Color, Position};
use crate::database::{expected_tag_value, is_tag_name};
use crate::notation::pgn::{EvaluationScore, Export, Game, GameResult, NodeId, PgnError, games};
use crate::notation::{Excerpt, Fen, San, UciMove, position_from_fen};
use crate::uci::castling_style;
use axum::Json;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The maximum number of games that are shown of a text, of moves in all of them, and of problems.
const MAX_GAMES: usize = 1000;
const MAX_MOVES: usize = 100_000;
const MAX_PROBLEMS: usize = 200;
/// The maximum depth of variations that are written; the reader has the same limit.
const MAX_DEPTH: usize = 256;
/// A null move, in the notations of UCI and of PGN.
const PASS_UCI: &str = "0000";
const PASS_SAN: &str = "--";

/// A game with its variations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Document {
    tags: Vec<(String, String)>,
    start: String,
    result: String,
    /// The comments before the first move of a game without moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    /// Parents precede their children, and the main line precedes its variations.
    nodes: Vec<Node>,
}

/// A move.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
struct Node {
    /// The index of the previous move; `None` for a first move.
    parent: Option<usize>,
    uci: String,
    san: String,
    number: String,
    nags: Vec<String>,
    before: Vec<String>,
    after: Vec<String>,
    /// Output only: the comments contain it.
    #[serde(skip_deserializing)]
    eval: Option<Evaluation>,
    #[serde(skip_deserializing)]
    clk_s: Option<f64>,
}

/// An evaluation from White's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(untagged)]
enum Evaluation {
    Centipawns(i32),
    Mate { mate: i32 },
}

/// A text with games or a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    text: String,
}

/// A game that is converted to PGN.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    game: Document,
}

/// Tags that are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tags {
    tags: Vec<(String, String)>,
}

/// The problems of tags.
#[derive(Serialize)]
pub(super) struct OddTags {
    problems: Vec<OddTag>,
}

#[derive(Serialize)]
struct OddTag {
    name: String,
    text: String,
}

/// The games that were read, and the problems in their text.
#[derive(Serialize)]
pub(super) struct Read {
    games: Vec<Document>,
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Problem {
    line: u64,
    column: u64,
    text: String,
}

/// A game as PGN.
#[derive(Serialize)]
pub(super) struct Pgn {
    pgn: String,
}

/// Answers `POST /api/analysis/read`.
///
/// # Errors
/// [`Failure`] if the text contains no game.
pub(super) async fn read(text: LongJsonBody<Text>) -> Result<Json<Read>, Failure> {
    text.process(|Text { text }| read_text(&text)).await.map(Json)
}

/// Answers `POST /api/analysis/write`.
///
/// # Errors
/// [`Failure`] if a move is illegal.
pub(super) async fn write(written: LongJsonBody<Written>) -> Result<Json<Pgn>, Failure> {
    let pgn = written.process(|Written { game }| game.pgn()).await?;
    Ok(Json(Pgn { pgn }))
}

/// Answers `POST /api/analysis/tags`.
///
/// # Errors
/// [`Failure`] if the server ends.
pub(super) async fn check_tags(tags: LongJsonBody<Tags>) -> Result<Json<OddTags>, Failure> {
    tags.process(|Tags { tags }| Ok(odd_tags(&tags))).await.map(Json)
}

fn odd_tags(tags: &[(String, String)]) -> OddTags {
    let mut problems = Vec::new();
    let mut known = HashSet::new();
    for (name, value) in tags {
        let is_new = known.insert(name.as_str());
        let mut tell = |text: String| problems.push(OddTag { name: name.clone(), text });
        let bytes = name.as_bytes();
        if name.is_empty() || !is_tag_name(bytes) {
            tell(format!("{} is no name of a tag, expected letters, digits and _", Excerpt::new(name)));
        } else if !is_new {
            tell(format!("the tag {name} is there twice"));
        } else if value.contains(char::is_control) {
            tell(format!("the tag {name} has more than one line"));
        } else if let Some(expected) = expected_tag_value(bytes, value.as_bytes()) {
            tell(format!("{name} is {}, expected {expected}", Excerpt::new(value)));
        }
        if problems.len() == MAX_PROBLEMS {
            break;
        }
    }
    OddTags { problems }
}

fn read_text(text: &str) -> Result<Read, Failure> {
    if let Ok(position) = position_from_fen(text.trim()) {
        return Ok(Read { games: vec![Document::of(&Game::new(position))], problems: Vec::new() });
    }
    let mut read = Read { games: Vec::new(), problems: Vec::new() };
    let mut moves = 0;
    for game in games(text.as_bytes()) {
        let (game, errors) = game.map_err(|error| Failure::bad("bad_text", error.to_string()))?;
        moves += game.len();
        let line = errors.first().map_or(1, |error| error.place.line);
        read.problems.extend(errors.iter().map(Problem::from));
        if read.games.len() == MAX_GAMES || moves > MAX_MOVES {
            let text = format!("only {} games are shown", read.games.len());
            read.problems.push(Problem { line, column: 1, text });
            break;
        }
        // A text with errors, but without tags and without a readable move, is not a game.
        let is_game = errors.is_empty() || !game.tags.is_empty() || game.next(NodeId::ROOT).is_some();
        if is_game {
            read.games.push(Document::of(&game));
        }
    }
    read.problems.truncate(MAX_PROBLEMS);
    if read.games.is_empty() {
        let expected = "expected a game in PGN, or a position in FEN".to_owned();
        let place = |Problem { line, column, text }: &Problem| {
            format!("line {line}, column {column}: {text}; {expected}")
        };
        return Err(Failure::bad("no_game", read.problems.first().map_or(expected.clone(), place)));
    }
    Ok(read)
}

impl From<&PgnError> for Problem {
    fn from(error: &PgnError) -> Self {
        Self { line: error.place.line, column: error.place.column, text: error.problem.to_string() }
    }
}

impl Document {
    /// Converts a game to the format of the page.
    pub(super) fn of(game: &Game) -> Self {
        let texts = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::to_owned).collect::<Vec<_>>();
        let style = castling_style(game.start());
        let mut nodes: Vec<Node> = Vec::new();
        let children = |node| game.children(node).collect::<Vec<_>>().into_iter().rev();
        let mut waiting: Vec<(NodeId, Option<usize>, Position)> =
            children(NodeId::ROOT).map(|node| (node, None, *game.start())).collect();
        while let Some((node, parent, before)) = waiting.pop() {
            let dots = if before.turn() == Color::White { "." } else { "..." };
            let (uci, san, after) = match game.mv(node) {
                Some(mv) => {
                    let (san, after) = San::new(&before, mv).played();
                    (UciMove::new(mv, style).to_string(), san.to_string(), after)
                }
                None => (PASS_UCI.to_owned(), PASS_SAN.to_owned(), before.after_null()),
            };
            let index = nodes.len();
            nodes.push(Node {
                parent,
                uci,
                san,
                number: format!("{}{dots}", before.fullmove_number()),
                nags: game.nags(node).map(|nag| format!("${}", nag.0)).collect(),
                before: texts(&mut game.comments_before(node)),
                after: texts(&mut game.comments(node)),
                eval: game.evaluation(node).map(|evaluation| match evaluation.score {
                    EvaluationScore::Centipawns(value) => Evaluation::Centipawns(value),
                    EvaluationScore::Mate(mate) => Evaluation::Mate { mate },
                }),
                clk_s: game.clock(node).map(|time| time.as_secs_f64()),
            });
            waiting.extend(children(node).map(|child| (child, Some(index), after)));
        }
        Self {
            tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            start: Fen::new(game.start()).to_string(),
            result: game.result.as_str().to_owned(),
            comments: texts(&mut game.comments(NodeId::ROOT)),
            nodes,
        }
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> Result<String, Failure> {
        self.game().map(|game| Export::new().game(&game))
    }

    /// Converts to a game, and checks each move.
    ///
    /// # Errors
    /// [`Failure`] if a move is illegal.
    pub(super) fn game(&self) -> Result<Game, Failure> {
        if self.nodes.len() > MAX_MOVES {
            return Err(Failure::bad("too_many_moves", format!("expected at most {MAX_MOVES} moves")));
        }
        let start = position_from_fen(&self.start)
            .map_err(|error| Failure::bad("bad_fen", format!("the start: {error}")))?;
        let moves = self.moves(&start)?;
        let mut text = String::new();
        for (name, value) in self.tags.iter().filter(|(name, _)| !is_of_start(name)) {
            // The reader would omit other names and report an error.
            if !name.is_empty() && is_tag_name(name.as_bytes()) {
                let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
                let _ = writeln!(text, "[{name} \"{value}\"]"); // writing to a string cannot fail
            }
        }
        if start != Position::start() {
            let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", Fen::new(&start));
        }
        text.push('\n');
        self.comments.iter().for_each(|comment| push_comment(&mut text, comment));
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len() + 1];
        for (index, node) in self.nodes.iter().enumerate() {
            children[node.parent.map_or(0, |parent| parent + 1)].push(index);
        }
        self.push_line(&mut text, &moves, &children, &children[0], 0)?;
        let result = GameResult::from_marker(self.result.as_bytes()).unwrap_or(GameResult::Unknown);
        text.push_str(result.as_str());
        text.push('\n');
        // Parsing the text again guarantees that the game is readable and in the common format.
        let game =
            Game::read(text.as_bytes()).map_err(|error| Failure::bad("bad_text", error.to_string()))?;
        let (mut game, _) = game.ok_or_else(|| Failure::bad("no_game", "the game is empty"))?;
        game.result = result;
        Ok(game)
    }

    /// The moves in SAN, after checking each.
    fn moves(&self, start: &Position) -> Result<Vec<String>, Failure> {
        let mut after: Vec<Position> = Vec::with_capacity(self.nodes.len());
        let mut moves = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let wrong = |problem: String| Failure::bad("bad_move", format!("node {index}: {problem}"));
            let before = match node.parent {
                None => *start,
                Some(parent) => {
                    *after.get(parent).ok_or_else(|| wrong("its parent comes after it".to_owned()))?
                }
            };
            if node.uci == PASS_UCI || node.san == PASS_SAN {
                if before.is_check() {
                    return Err(wrong("a side in check cannot pass".to_owned()));
                }
                after.push(before.after_null());
                moves.push(PASS_SAN.to_owned());
                continue;
            }
            let text = if node.uci.is_empty() { &node.san } else { &node.uci };
            let mv = read_move(text, &before).map_err(wrong)?;
            let (san, position) = San::new(&before, mv).played();
            after.push(position);
            moves.push(san.to_string());
        }
        Ok(moves)
    }

    /// Writes a line whose first move is the first of these nodes; the others start variations.
    fn push_line(
        &self,
        text: &mut String,
        moves: &[String],
        children: &[Vec<usize>],
        first: &[usize],
        depth: usize,
    ) -> Result<(), Failure> {
        let mut siblings = first;
        while let Some((&main, variations)) = siblings.split_first() {
            self.push_move(text, moves, main);
            for &variation in variations {
                if depth == MAX_DEPTH {
                    return Err(Failure::bad("too_deep", format!("expected at most {MAX_DEPTH} levels")));
                }
                text.push_str("( ");
                self.push_move(text, moves, variation);
                self.push_line(text, moves, children, &children[variation + 1], depth + 1)?;
                text.push_str(") ");
            }
            siblings = &children[main + 1];
        }
        Ok(())
    }

    fn push_move(&self, text: &mut String, moves: &[String], index: usize) {
        let node = &self.nodes[index];
        node.before.iter().for_each(|comment| push_comment(text, comment));
        text.push_str(&moves[index]);
        text.push(' ');
        for nag in &node.nags {
            if let Some(number) = nag.strip_prefix('$').and_then(|number| number.parse::<u8>().ok()) {
                let _ = write!(text, "${number} "); // writing to a string cannot fail
            }
        }
        node.after.iter().for_each(|comment| push_comment(text, comment));
    }
}

/// Whether the tag is derived from the initial position.
fn is_of_start(name: &str) -> bool {
    matches!(name, "FEN" | "SetUp")
}

/// Writes a comment. Braces are replaced, since a comment ends at the first closing brace.
fn push_comment(text: &mut String, comment: &str) {
    let comment = comment.replace('{', "(").replace('}', ")");
    let _ = write!(text, "{{{}}} ", comment.trim()); // writing to a string cannot fail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_and_written_as_it_was() {
        let text = "[Event \"A \\\"b\\\" \\\\\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
            [Black \"?\"]\n[Result \"1-0\"]\n\n{Start} 1. e4 $1 {[%cal Ge2e4] good} e5 (1... c5 {Sicilian}\n2. Nf3 \
            (2. c3 d5)) 2. Nf3 1-0\n\n";
        let read = read_text(text).expect("a game");
        assert!(read.problems.is_empty());
        let document = &read.games[0];
        let parents: Vec<_> = document.nodes.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(0), Some(3), Some(3), Some(5)]);
        let again = read_text(&document.pgn().expect("legal moves")).expect("a game");
        assert_eq!(&again.games[0], document);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let read = read_text("1. e4 e5 2. Ke3 *\n").expect("a game");
        assert_eq!((read.problems.len(), read.problems[0].line, read.games[0].nodes.len()), (1, 1, 2));
        assert!(read_text("").is_err());
        assert_eq!(read_text("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1").expect("a position").games[0].nodes.len(), 0);
        let mut document = read.games[0].clone();
        document.nodes[1].parent = Some(7);
        assert!(document.pgn().is_err());
        document.nodes[1].parent = Some(1);
        assert!(document.pgn().is_err());
        document.nodes[1] = Node { parent: Some(0), uci: "e2e4".to_owned(), ..Node::default() };
        assert!(document.pgn().is_err());
        document.nodes[1] = Node {
            parent: Some(0),
            uci: "e7e5".to_owned(),
            after: vec!["a } b".to_owned()],
            ..Node::default()
        };
        assert!(document.pgn().expect("legal moves").contains("{a ) b}"));
    }
}
