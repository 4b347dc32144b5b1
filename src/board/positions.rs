//! `/api/positions`: everything about a position that the page shows.

use super::app::App;
use super::body::JsonBody;
use super::failure::Failure;
use super::state::LegalMove;
use super::verdicts::Verdicts;
use super::words::side;
use crate::chess::{Color, KeyHistory, Move, Position, Role};
use crate::notation::eco::{is_on_line, opening};
use crate::notation::{Fen, parse_fen, parse_san, position_from_fen};
use crate::tablebase::Tablebase;
use crate::uci::castling_style;
use crate::zone::EnteredMove;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of moves before a position; more than any game has.
pub(super) const MAX_MOVES: usize = 20_000;
/// The name of the initial position in requests.
const START: &str = "startpos";

/// A position and moves that follow.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// The position as FEN, or `startpos`.
    #[serde(default)]
    pub(super) fen: Option<String>,
    /// The moves in UCI notation or SAN.
    #[serde(default)]
    pub(super) moves: Vec<String>,
}

/// A line whose moves have been played.
pub(super) struct Played {
    /// The position before the first move.
    pub(super) start: Position,
    /// The position after the last move.
    pub(super) position: Position,
    pub(super) moves: Vec<Move>,
    /// The earlier positions that count for repetitions.
    history: KeyHistory,
}

impl Line {
    /// Plays the moves.
    ///
    /// # Errors
    /// [`Failure`] if the position is invalid, or a move is illegal.
    pub(super) fn play(&self) -> Result<Played, Failure> {
        if self.moves.len() > MAX_MOVES {
            return Err(Failure::bad("too_many_moves", format!("expected at most {MAX_MOVES} moves")));
        }
        let start = match self.fen.as_deref().map(str::trim) {
            None | Some(START) => Position::start(),
            Some(fen) => {
                position_from_fen(fen).map_err(|error| Failure::bad("bad_fen", error.to_string()))?
            }
        };
        let mut played =
            Played { start, position: start, moves: Vec::new(), history: KeyHistory::new(&start) };
        for (index, text) in self.moves.iter().enumerate() {
            let mv = read_move(text, &played.position)
                .map_err(|problem| Failure::bad("illegal_move", format!("move {}: {problem}", index + 1)))?;
            played.position = played.position.after(mv).0;
            played.history.push(&played.position);
            played.moves.push(mv);
        }
        Ok(played)
    }
}

/// Parses a legal move in UCI notation, with castling in either form, or in SAN.
///
/// # Errors
/// The reason why it is not a legal move.
pub(super) fn read_move(text: &str, position: &Position) -> Result<Move, String> {
    if let Ok(entered) = text.parse::<EnteredMove>() {
        return entered.resolve(position, false).map_err(|error| error.to_string());
    }
    let mv = parse_san(text, position).map_err(|error| error.to_string())?;
    mv.mv().ok_or_else(|| "a side passes, expected a legal move".to_owned())
}

/// The JSON body of the answer.
#[derive(Default, Serialize)]
pub(super) struct Shown {
    fen: String,
    turn: &'static str,
    check: Option<String>,
    legal: Vec<LegalMove>,
    last: Option<[String; 2]>,
    outcome: Option<Outcome>,
    opening: Option<OpeningName>,
    material: Option<Material>,
    space: Option<Space>,
    /// The results from endgame tables.
    tables: Option<Verdicts>,
    problems: Vec<String>,
    pieces: String,
}

#[derive(Serialize)]
struct Outcome {
    result: &'static str,
    reason: String,
    /// Whether a player must claim the result.
    claim: bool,
}

#[derive(Serialize)]
struct OpeningName {
    eco: String,
    name: String,
    /// Whether the position is not on a line of a named opening.
    left: bool,
}

#[derive(Serialize)]
struct Material {
    /// The sum in points, where a pawn is 1 and a queen is 9.
    white: u32,
    black: u32,
    /// The pieces that one side has more of than the other, as FEN letters.
    difference: Vec<String>,
}

/// The number of squares that each side attacks in the opponent's half of the board.
#[derive(Serialize)]
struct Space {
    white: u32,
    black: u32,
}

/// Answers `POST /api/positions`.
///
/// # Errors
/// [`Failure`] if the position is invalid, or a move is illegal.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    JsonBody(line): JsonBody<Line>,
) -> Result<Json<Shown>, Failure> {
    // Playing thousands of moves and reading tables from disk are slow.
    let shown =
        tokio::task::spawn_blocking(move || shown(&line, app.engines.tables().map(|tables| &**tables))).await;
    shown.map_err(|_| Failure::busy("the server ends"))?.map(Json)
}

fn shown(line: &Line, tables: Option<&Tablebase>) -> Result<Shown, Failure> {
    let fen = line.fen.as_deref().map(str::trim).unwrap_or(START);
    if fen != START
        && line.moves.is_empty()
        && let Err(error) = position_from_fen(fen)
    {
        return match parse_fen(fen) {
            // The syntax is valid, but the position is not: the answer lists all reasons.
            Ok(setup) => Ok(Shown {
                fen: fen.to_owned(),
                turn: side(setup.turn),
                problems: error.reasons().map(ToString::to_string).collect(),
                pieces: fen.split_whitespace().next().unwrap_or_default().to_owned(),
                ..Shown::default()
            }),
            Err(_) => Err(Failure::bad("bad_fen", error.to_string())),
        };
    }
    let played = line.play()?;
    let Played { position, start, moves, history } = &played;
    let style = castling_style(position);
    let mut name = opening(start);
    let mut before = *start;
    for &mv in moves {
        before = before.after(mv).0;
        name = opening(&before).or(name);
    }
    let legal = position.legal_moves();
    let text = Fen::new(position).to_string();
    Ok(Shown {
        turn: side(position.turn()),
        check: position.is_check().then(|| position.king(position.turn()).to_string()),
        legal: LegalMove::all(position, legal, style),
        last: moves.last().map(|&mv| {
            let (from, to) = (mv.from(), mv.landing());
            [from.to_string(), to.to_string()]
        }),
        outcome: position.outcome(history).map(|outcome| Outcome {
            result: outcome.result(),
            reason: outcome.to_string(),
            claim: outcome.must_be_claimed(),
        }),
        opening: name.map(|name| OpeningName {
            eco: name.code().to_string(),
            name: name.name().to_owned(),
            left: !is_on_line(position),
        }),
        material: Some(material(position)),
        space: Some(Space { white: position.space(Color::White), black: position.space(Color::Black) }),
        tables: tables.and_then(|tables| Verdicts::new(tables, position, history)),
        problems: Vec::new(),
        pieces: text.split(' ').next().unwrap_or_default().to_owned(),
        fen: text,
    })
}

/// The material of both sides, and the difference.
fn material(position: &Position) -> Material {
    let mut difference = Vec::new();
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
        let (white, black) =
            (position.pieces(Color::White, role).count(), position.pieces(Color::Black, role).count());
        let letter = if white > black { role.letter().to_ascii_uppercase() } else { role.letter() };
        difference.extend(std::iter::repeat_n(letter.to_string(), white.abs_diff(black) as usize));
    }
    Material { white: position.material(Color::White), black: position.material(Color::Black), difference }
}
