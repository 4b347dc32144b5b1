//! The JSON output of a game, and the merging of the outputs of shards.

use crate::analysis::{
    Assessment, GameReport, Judgement, Line, Phase, PlayerSummary, StudiedMove, Threat, ThreatKind,
    win_percent,
};
use crate::chess::{Color, KeyHistory, Position};
use crate::cli::CliError;
use crate::cli::pgn::JsonHead;
use crate::cli::streams::Input;
use crate::notation::pgn::{EvaluationScore, Export, Game, PgnError, PgnProblem, castling_style, games};
use crate::notation::{CastlingStyle, Fen, San, UciMove};
use serde::Serialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

/// A game in JSON.
#[derive(Serialize)]
pub(super) struct JsonGame {
    #[serde(flatten)]
    pub head: JsonHead,
    /// The name of the evaluator and its limits.
    analysis: String,
    moves: Vec<JsonMove>,
    /// The summaries of the sides whose moves are judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<JsonPlayer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<JsonPlayer>,
    phases: Vec<JsonPhase>,
    /// The plies of turning points.
    turning_points: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
}

/// A score from White's point of view: in centipawns, or in moves to mate.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonScore {
    Cp(i32),
    Mate(i32),
}

/// A position with its evaluation.
#[derive(Serialize)]
pub(super) struct JsonPosition {
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// The outcome if the game is over, instead of an evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<JsonScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<JsonLine>,
}

impl JsonPosition {
    pub(super) fn new(position: &Position, id: Option<&str>, assessment: Option<&Assessment>) -> Self {
        let castling = castling_style(&Game::new(*position));
        let best = assessment.map(Assessment::best);
        let outcome = position.outcome(&KeyHistory::new(position)).filter(|_| assessment.is_none());
        let lines = assessment.map_or(&[][..], |assessment| &assessment.lines);
        Self {
            fen: Fen::new(position).to_string(),
            id: id.map(str::to_owned),
            outcome: outcome.map(|outcome| outcome.to_string()),
            score: best.map(|line| line.score.into()),
            win_percent: best.map(|line| rounded(win_percent(line.score))),
            depth: best.map(|line| line.depth),
            nodes: assessment.map(|assessment| assessment.nodes),
            lines: lines.iter().map(|line| JsonLine::new(position, line, castling)).collect(),
        }
    }
}

#[derive(Serialize)]
struct JsonMove {
    ply: usize,
    #[serde(rename = "move")]
    san: String,
    uci: String,
    /// The score after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<JsonScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss_cp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_forced: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_only_move: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    threat: Option<JsonThreat>,
    /// The best lines before the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    best: Vec<JsonLine>,
}

/// The best line of the side that has just moved if it could move again.
#[derive(Serialize)]
struct JsonThreat {
    kind: &'static str,
    #[serde(flatten)]
    line: JsonLine,
}

#[derive(Serialize)]
struct JsonLine {
    score: JsonScore,
    depth: u32,
    moves: Vec<String>,
    uci: Vec<String>,
}

#[derive(Serialize)]
struct JsonPlayer {
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_loss_cp: Option<f64>,
    moves: usize,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct JsonPhase {
    phase: &'static str,
    first_ply: usize,
    last_ply: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_loss_cp: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_loss_cp: Option<f64>,
}

/// Rounds to two decimals: further digits may differ between machines.
fn rounded(value: f64) -> f64 {
    const HUNDREDTHS: f64 = 100.0;
    (value * HUNDREDTHS).round() / HUNDREDTHS
}

impl From<EvaluationScore> for JsonScore {
    fn from(score: EvaluationScore) -> Self {
        match score {
            EvaluationScore::Centipawns(score) => Self::Cp(score),
            EvaluationScore::Mate(moves) => Self::Mate(moves),
        }
    }
}

impl From<&PlayerSummary> for JsonPlayer {
    fn from(player: &PlayerSummary) -> Self {
        let [inaccuracies, mistakes, blunders] = Judgement::ALL.map(|judgement| player.count(judgement));
        Self {
            accuracy: player.accuracy.map(rounded),
            average_loss_cp: player.average_loss_cp.map(rounded),
            moves: player.moves,
            inaccuracies,
            mistakes,
            blunders,
        }
    }
}

impl JsonLine {
    fn new(start: &Position, line: &Line, castling: CastlingStyle) -> Self {
        let mut now = *start;
        let moves = line.moves.iter().map(|&mv| {
            let (text, after) = San::new(&now, mv).played();
            now = after;
            text.to_string()
        });
        Self {
            score: line.score.into(),
            depth: line.depth,
            moves: moves.collect(),
            uci: line.moves.iter().map(|&mv| UciMove::new(mv, castling).to_string()).collect(),
        }
    }
}

impl JsonThreat {
    fn new(threat: &Threat, castling: CastlingStyle) -> Self {
        let kind = match threat.kind {
            ThreatKind::Overlooked => "overlooked",
            ThreatKind::Missed => "missed",
            ThreatKind::Allowed => "allowed",
            ThreatKind::Met => "met",
        };
        Self { kind, line: JsonLine::new(&threat.position, &threat.line, castling) }
    }
}

impl JsonMove {
    fn new(ply: usize, played: &StudiedMove, castling: CastlingStyle) -> Self {
        let lines = played.lines.iter();
        Self {
            ply,
            san: played.mv.map_or_else(|| "--".to_owned(), |mv| San::new(&played.before, mv).to_string()),
            uci: played.mv.map_or(UciMove::Null, |mv| UciMove::new(mv, castling)).to_string(),
            score: played.score.map(Into::into),
            depth: played.depth,
            win_percent: played.score.map(win_percent).map(rounded),
            accuracy: played.accuracy.map(rounded),
            loss_cp: played.loss_cp,
            judgement: played.judgement.map(|judgement| judgement.to_string().to_lowercase()),
            is_forced: played.is_forced,
            is_only_move: played.only.is_some(),
            threat: played.threat.as_ref().map(|threat| JsonThreat::new(threat, castling)),
            best: lines.map(|line| JsonLine::new(&played.before, line, castling)).collect(),
        }
    }
}

impl JsonGame {
    pub(super) fn new(game: &Game, report: &GameReport, analysis: &str) -> Self {
        let castling = castling_style(game);
        let moves = (1..).zip(&report.moves).map(|(ply, played)| JsonMove::new(ply, played, castling));
        let plies = report.moves.len();
        let starts = [0, report.phases[0].min(plies), report.phases[1].min(plies), plies];
        let phases = Phase::ALL.into_iter().zip(starts.windows(2)).filter(|(_, part)| part[0] < part[1]);
        let phases = phases.map(|(phase, part)| JsonPhase {
            phase: phase.name(),
            first_ply: part[0] + 1,
            last_ply: part[1],
            white_loss_cp: report.phase_loss_cp(phase, Color::White).map(rounded),
            black_loss_cp: report.phase_loss_cp(phase, Color::Black).map(rounded),
        });
        Self {
            head: JsonHead::new(game),
            analysis: analysis.to_owned(),
            moves: moves.collect(),
            white: report.judged_player(Color::White).map(Into::into),
            black: report.judged_player(Color::Black).map(Into::into),
            phases: phases.collect(),
            turning_points: report.turning_points.clone(),
            outcome: report.outcome.map(|outcome| outcome.to_string()),
        }
    }
}

/// The games of the output of a shard, as texts.
type Outputs = Box<dyn Iterator<Item = io::Result<String>>>;

/// Opens the output of a shard: games, or lines of JSON. An output that is cut off ends with an error.
fn outputs(path: &Path) -> Result<(String, Outputs), CliError> {
    let Input { name, mut reader } = Input::open(path)?;
    let start = reader
        .fill_buf()
        .map_err(|error| CliError::Input { name: name.clone(), problem: error.to_string() })?;
    let games: Outputs = if start.first() == Some(&b'{') {
        Box::new(json_lines(reader))
    } else {
        let reader: Box<dyn Read> = reader;
        Box::new(games(reader).map(|game| game.and_then(|(game, errors)| whole_game(&game, &errors))))
    };
    Ok((name, games))
}

fn damaged(problem: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{problem}; expected the whole output of a shard"))
}

/// The lines of an output, each of which is a JSON object.
fn json_lines(mut reader: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    let mut number = 0_u64;
    std::iter::from_fn(move || {
        let mut line = String::new();
        number += 1;
        match reader.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) if !line.ends_with('\n') => Some(Err(damaged(format!("line {number} is cut off")))),
            Ok(_) => Some(match serde_json::from_str::<BTreeMap<String, IgnoredAny>>(&line) {
                Ok(_) => Ok(line),
                Err(error) => Err(damaged(format!("line {number} is no JSON object: {error}"))),
            }),
            Err(error) => Some(Err(error)),
        }
    })
}

/// The text of a game, unless a finding shows that it is not as it was written. A game whose variant or initial
/// position is not known is written with this finding.
fn whole_game(game: &Game, errors: &[PgnError]) -> io::Result<String> {
    let is_written =
        |error: &&PgnError| matches!(error.problem, PgnProblem::Variant(_) | PgnProblem::Position { .. });
    match errors.iter().find(|error| !is_written(error)) {
        Some(error) => Err(damaged(error)),
        None => Ok(Export::new().game(game)),
    }
}

/// Merges the outputs of all shards, given in their order, into the output of a single run.
///
/// # Errors
/// [`CliError::Input`] if an output cannot be read, or if these are not the outputs of all shards in their order.
pub(super) fn merge(paths: &[PathBuf], out: &mut dyn Write) -> Result<(), CliError> {
    let mut shards = paths.iter().map(|path| outputs(path)).collect::<Result<Vec<_>, _>>()?;
    let count = shards.len();
    let mut ended: Option<usize> = None;
    loop {
        for (index, (name, games)) in shards.iter_mut().enumerate() {
            let input_error = |problem: String| CliError::Input { name: name.clone(), problem };
            match games.next().transpose().map_err(|error| input_error(error.to_string()))? {
                Some(_) if ended.is_some() => {
                    let problem = format!(
                        "more games than in those before it, expected the outputs of --shard 1/{count} to {count}/{count} in their order"
                    );
                    return Err(input_error(problem));
                }
                Some(text) => {
                    out.write_all(text.as_bytes())?;
                }
                None => {
                    ended.get_or_insert(index);
                }
            }
        }
        if ended.is_some() {
            // The round in which the first output has ended was the last: no output may have another game.
            for (name, games) in &mut shards {
                if games.next().is_some() {
                    let problem =
                        "more games than in the others, expected the outputs of all shards in their order";
                    return Err(CliError::Input { name: name.clone(), problem: problem.to_owned() });
                }
            }
            return Ok(());
        }
    }
}
