//! The report about a position.

use crate::chess::{Color, KeyHistory, Move, Outcome, Position, Winnability};
use crate::nnue::embedded;
use crate::notation::eco::{Opening, is_on_line, opening, openings};
use crate::notation::pgn::{PgnError, PgnProblem, Reader, Skip, Visitor};
use crate::notation::{
    CastlingStyle, EpdProblem, Excerpt, Fen, MoveNumber, San, UciMove, parse_epd_line, parse_san, repair_fen,
};
use crate::search::evaluate;
use serde::Serialize;
use std::{env, fmt};

/// The word for the initial position.
pub(in crate::cli) const START: &str = "startpos";

/// A game in progress.
pub(in crate::cli) struct Game {
    pub(in crate::cli) start: Position,
    pub(in crate::cli) moves: Vec<Move>,
    pub(in crate::cli) position: Position,
    key_history: KeyHistory,
    /// The last opening of the game.
    pub(in crate::cli) opening: Option<&'static Opening>,
    /// The message about repairs of the FEN; `None` if there were none.
    pub(in crate::cli) repairs: Option<String>,
}

impl Game {
    /// The game from a FEN, or from the position of an EPD record, with these moves in the syntax of PGN movetext; an
    /// error lists all problems.
    pub(in crate::cli) fn new(fen: &str, moves: &str) -> Result<Self, Vec<String>> {
        let (start, repairs) = match fen.trim() {
            START => (Position::start(), None),
            fen => read_position(fen)?,
        };
        let key_history = KeyHistory::new(&start);
        let game = Self {
            start,
            moves: Vec::new(),
            position: start,
            key_history,
            opening: opening(&start),
            repairs,
        };
        let mut player = Player::new(game);
        let mut reader = Reader::new(moves.as_bytes());
        let mut games = 0;
        // Reading from memory does not fail.
        while player.problem.is_none() && reader.read_game(&mut player).unwrap_or(false) {
            games += 1;
            if games > 1 {
                return Err(vec!["the moves are those of several games, expected one".to_owned()]);
            }
        }
        player.problem.map_or(Ok(player.game), |problem| Err(vec![problem]))
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        let mv = parse_san(word, &self.position).map_err(|error| error.to_string())?;
        let Some(mv) = mv.mv() else {
            return Err(format!("{} passes, expected a legal move", Excerpt::new(word)));
        };
        self.position = self.position.play(mv).map_err(|error| error.to_string())?;
        self.moves.push(mv);
        self.key_history.push(&self.position);
        self.opening = opening(&self.position).or(self.opening);
        Ok(())
    }

    /// The opening that matches the moves in this way.
    fn matched_opening(&self, matching: OpeningMatch) -> Option<&'static Opening> {
        let is_from_start = self.start.key() == Position::start().key();
        match matching {
            OpeningMatch::Closest => self.opening,
            OpeningMatch::SameLength => opening(&self.position)
                .filter(|found| is_from_start && found.moves().len() == self.moves.len()),
            OpeningMatch::Exact => {
                openings().iter().find(|found| is_from_start && found.moves() == self.moves)
            }
        }
    }

    /// The move after which no position is on the line of an opening.
    fn leaving_move(&self) -> Option<LeavingMove> {
        // The position before each move, and whether it is the start or on a line.
        let mut position = self.start;
        let mut before: Vec<(Position, bool)> = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            before.push((position, before.is_empty() || is_on_line(&position)));
            position = position.after(mv).0;
        }
        if self.moves.is_empty() || is_on_line(&position) {
            return None;
        }
        let plies = before.iter().rposition(|&(_, is_on_line)| is_on_line)?;
        let (before, _) = &before[plies];
        let san = San::new(before, self.moves[plies]);
        let text = format!("{} {san}", MoveNumber::of(before));
        Some(LeavingMove { ply: plies + 1, san: san.to_string(), text })
    }
}

/// The ways in which moves can match those of an opening.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum OpeningMatch {
    /// The last position with a name.
    #[default]
    Closest,
    /// The name of the position itself, if its line has as many moves; in another order, too.
    SameLength,
    /// The line with these very moves.
    Exact,
}

/// The position of a FEN, or of an EPD record, and the message about its repairs.
fn read_position(text: &str) -> Result<(Position, Option<String>), Vec<String>> {
    let error = match repair_fen(text) {
        Ok(read) => return Ok((read.position, read.note())),
        Err(error) => error,
    };
    match parse_epd_line(text, 1) {
        // Only the position is used, not the operations.
        Ok(record) => {
            let repairs = record.problems.iter().find_map(|error| match &error.problem {
                EpdProblem::Repaired(note) => Some(note.clone()),
                _ => None,
            });
            Ok((*record.epd.position(), repairs))
        }
        Err(_) => Err(error.reasons().map(ToString::to_string).collect()),
    }
}

/// Plays the moves of a PGN text. Comments, glyphs, variations and the result are ignored.
struct Player {
    game: Game,
    plies: usize,
    problem: Option<String>,
}

impl Player {
    const fn new(game: Game) -> Self {
        Self { game, plies: 0, problem: None }
    }
}

impl Visitor for Player {
    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        if self.problem.is_none() {
            self.plies += 1;
            let played = self.game.play(&String::from_utf8_lossy(text));
            self.problem = played.err().map(|problem| format!("move {}: {problem}", self.plies));
        }
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        Ok(Skip::Yes)
    }

    fn error(&mut self, error: PgnError) {
        if self.problem.is_none() && !matches!(error.problem, PgnProblem::MissingResult) {
            self.problem = Some(format!("after move {}: {}", self.plies, error.problem));
        }
    }
}

/// The report about a position, serialized for JSON and displayed as text.
#[derive(Serialize)]
pub(super) struct Report {
    fen: String,
    shredder_fen: String,
    key: String,
    turn: &'static str,
    checkers: Vec<String>,
    moves: Vec<MoveNames>,
    /// `check`, `checkmate`, `stalemate`, ... or `in play`.
    status: &'static str,
    outcome: Option<Ending>,
    can_checkmate: CanCheckmate,
    opening: Option<OpeningNames>,
    material: Sides,
    space: Sides,
    /// The static evaluation from the side to move, in centipawns; `None` in check and when the game is over.
    evaluation_cp: Option<i32>,
}

/// A count for each side.
#[derive(Serialize)]
struct Sides {
    white: u32,
    black: u32,
}

impl Sides {
    fn new(count: impl Fn(Color) -> u32) -> Self {
        Self { white: count(Color::White), black: count(Color::Black) }
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "White {}, Black {}", self.white, self.black)
    }
}

/// Whether each side can checkmate by some series of legal moves; `None` if this is not known.
#[derive(Serialize)]
struct CanCheckmate {
    white: Option<bool>,
    black: Option<bool>,
}

impl CanCheckmate {
    fn new(position: &Position) -> Self {
        let can = |color| match position.can_checkmate(color) {
            Winnability::Winnable(_) => Some(true),
            Winnability::Unwinnable => Some(false),
            Winnability::Undetermined => None,
        };
        Self { white: can(Color::White), black: can(Color::Black) }
    }
}

impl fmt::Display for CanCheckmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.white, self.black) {
            (Some(true), Some(true)) => f.write_str("both"),
            (Some(true), Some(false)) => f.write_str("only White"),
            (Some(false), Some(true)) => f.write_str("only Black"),
            (Some(false), Some(false)) => f.write_str("neither"),
            (white, black) => {
                let word = |can| match can {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "not known",
                };
                write!(f, "White {}, Black {}", word(white), word(black))
            }
        }
    }
}

/// A move in SAN and in UCI notation.
#[derive(Serialize)]
struct MoveNames {
    san: String,
    uci: String,
}

/// The end of the game, or an end that may be claimed.
#[derive(Serialize)]
struct Ending {
    result: &'static str,
    reason: String,
    must_be_claimed: bool,
}

#[derive(Serialize)]
struct OpeningNames {
    eco: String,
    name: String,
    /// The move that leaves the lines of openings; `None` while the game is on such a line.
    left: Option<LeavingMove>,
}

/// The move that leaves the lines of openings.
#[derive(Serialize)]
struct LeavingMove {
    /// The ply of the move, counted from 1.
    ply: usize,
    san: String,
    /// The move with its number, as text.
    #[serde(skip)]
    text: String,
}

impl Report {
    pub(super) fn new(game: &Game, style: CastlingStyle, matching: OpeningMatch) -> Self {
        let position = &game.position;
        let outcome = position.outcome(&game.key_history);
        let names = |mv| MoveNames {
            san: San::new(position, mv).to_string(),
            uci: UciMove::new(mv, style).to_string(),
        };
        let mut moves: Vec<MoveNames> = position.legal_moves().iter().map(|&mv| names(mv)).collect();
        moves.sort_unstable_by(|a, b| a.san.cmp(&b.san));
        let is_quiet = !position.is_check() && !moves.is_empty();
        Self {
            fen: Fen::new(position).to_string(),
            shredder_fen: Fen::new(position).shredder().to_string(),
            key: position.key().to_string(),
            turn: position.turn().name(),
            checkers: position.checkers().into_iter().map(|square| square.to_string()).collect(),
            moves,
            status: status(position, outcome),
            outcome: outcome.map(|outcome| Ending {
                result: outcome.result(),
                reason: outcome.to_string(),
                must_be_claimed: outcome.must_be_claimed(),
            }),
            can_checkmate: CanCheckmate::new(position),
            opening: game.matched_opening(matching).map(|opening| OpeningNames {
                eco: opening.code().to_string(),
                name: opening.name().to_owned(),
                left: game.leaving_move(),
            }),
            material: Sides::new(|color| position.material(color)),
            space: Sides::new(|color| position.space(color)),
            evaluation_cp: is_quiet.then(|| evaluate(position, &embedded()).to_cp()),
        }
    }
}

fn status(position: &Position, outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Checkmate { .. }) => "checkmate",
        Some(Outcome::Stalemate) => "stalemate",
        Some(outcome) if !outcome.must_be_claimed() => "drawn",
        _ if position.is_check() => "check",
        _ => "in play",
    }
}

/// The width of the first column, in characters.
const LABEL: usize = 14;
/// The width at which lists of moves are wrapped, in columns.
const WIDTH: usize = 100;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, label: &str, text: &str| writeln!(f, "{label:LABEL$}{text}");
        row(f, "FEN", &self.fen)?;
        row(f, "Shredder-FEN", &self.shredder_fen)?;
        row(f, "Key", &self.key)?;
        row(f, "To move", self.turn)?;
        let checkers = if self.checkers.is_empty() { "none".to_owned() } else { self.checkers.join(" ") };
        row(f, "Checkers", &checkers)?;
        row(f, "Legal moves", &self.moves.len().to_string())?;
        list(f, "  SAN", self.moves.iter().map(|names| names.san.as_str()))?;
        list(f, "  UCI", self.moves.iter().map(|names| names.uci.as_str()))?;
        row(f, "Status", self.status)?;
        if let Some(Ending { result, reason, must_be_claimed }) = &self.outcome {
            let claim = if *must_be_claimed { ", if claimed" } else { "" };
            row(f, "Result", &format!("{result} ({reason}{claim})"))?;
        }
        row(f, "Can mate", &self.can_checkmate.to_string())?;
        if let Some(OpeningNames { eco, name, left }) = &self.opening {
            let left = left.as_ref().map(|left| format!(", left with {}", left.text)).unwrap_or_default();
            row(f, "Opening", &format!("{eco} {name}{left}"))?;
        }
        row(f, "Material", &self.material.to_string())?;
        row(f, "Space", &self.space.to_string())?;
        write!(f, "{:LABEL$}", "Evaluation")?;
        match self.evaluation_cp {
            Some(value) => {
                write!(f, "{:+.2} for {}", f64::from(value) / CENTIPAWNS, self.turn)
            }
            None if self.moves.is_empty() => f.write_str("none, the game is over"),
            None => f.write_str("none in check"),
        }
    }
}

/// The number of centipawns in a pawn.
const CENTIPAWNS: f64 = 100.0;

/// Writes a label and words, wrapped to the width of lists.
fn list<'a>(f: &mut fmt::Formatter<'_>, label: &str, words: impl Iterator<Item = &'a str>) -> fmt::Result {
    let mut column = LABEL;
    let mut label = Some(label);
    for word in words {
        match label.take() {
            Some(label) => write!(f, "{label:LABEL$}{word}")?,
            None if column + 1 + word.len() > WIDTH => {
                write!(f, "\n{:LABEL$}{word}", "")?;
                column = LABEL;
            }
            None => {
                write!(f, " {word}")?;
                column += 1;
            }
        }
        column += word.len();
    }
    // Without words only the line of the label is ended.
    if label.is_none() { writeln!(f) } else { Ok(()) }
}

/// The environment variables of the locale; the first one that is set applies.
const LOCALE_VARIABLES: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

/// Whether the locale can show chess figurines.
pub(super) fn has_utf8_locale() -> bool {
    let locale = LOCALE_VARIABLES.into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
    locale.is_some_and(|locale| is_utf8(&locale.to_string_lossy()))
}

fn is_utf8(locale: &str) -> bool {
    let name = locale.to_ascii_lowercase();
    name.contains("utf-8") || name.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_chooses() {
        let cases = [("de_DE.UTF-8", true), ("C.utf8", true), ("C", false), ("de_DE.ISO-8859-1", false)];
        for (name, expected) in cases {
            assert_eq!(is_utf8(name), expected, "{name}");
        }
    }
}
