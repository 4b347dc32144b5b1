//! `hematite backsolve`: scores of an opening tree propagated back to earlier positions.

use super::puzzles::{FoundGame, read_games};
use super::streams::{InputStatus, OutputArg, read_epd};
use super::{CliError, ExitStatus};
use crate::analysis::backsolve::{Backsolved, Backsolver, Solved, evaluation_of, score_of};
use crate::chess::{Move, Position};
use crate::database::{Source, find_sources};
use crate::files::without_packed_extension;
use crate::notation::pgn::{Command, Evaluation, Export, Game, NodeId, Part, commands, without_commands};
use crate::notation::{Epd, Fen, Operation, San, pluralize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  hematite backsolve repertoire.pgn -o repertoire.scored.pgn
  hematite backsolve repertoire.pgn leaves.epd -o tree.epd
  hematite backsolve tree.epd --json

The tree is all positions of the games, with their variations, and of the records. Scores are those of `ce` in EPD, for
the side to move, and of [%eval] in PGN. A position that no scored one follows keeps its score; each other gets the best
of those that follow, by any legal move, and none of its own. A tree in which both sides best repeat positions is drawn.
Of several scores of a position the deepest counts (`acd`, or the depth in [%eval]), and of these the last.
EPD gets `ce`, `pm` and `pv` for every position with a score, PGN gets [%eval] after every such move. Exit code 1 if there
is no score.";

/// Lead the scores of an opening tree back to the positions before, by minimax.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Games (PGN, or a collection) and records (.epd), folders (all .pgn files and collections in and below them), `-`
    /// for games on standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    target: OutputArg,

    /// Write this format [default: by the name of the output; or else PGN if there are only games, and EPD if not].
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write one JSON object instead.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The format of the output.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Pgn,
    Epd,
}

/// The tree that has been read.
#[derive(Default)]
struct Tree {
    solver: Backsolver,
    games: Vec<Game>,
    /// EPD records by the keys of their positions, with their move counters.
    records: HashMap<u64, Epd>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let mut tree = Tree::default();
        let mut status = InputStatus::default();
        for path in &self.files {
            if Format::of(path) == Some(Format::Epd) {
                status.take_file(Some(path), tree.read_records(path))?;
            } else {
                tree.read_sources(path, &mut status)?;
            }
        }
        let Tree { solver, games, records } = tree;
        if games.is_empty() && records.is_empty() {
            // Without any readable input there is nothing to write.
            status.status()?;
        }
        let solved = solver.solve();
        let format = self.format.or_else(|| self.target.path().and_then(Format::of));
        let format = format.unwrap_or(if records.is_empty() { Format::Pgn } else { Format::Epd });
        let mut output = self.target.open(out)?;
        match format {
            _ if self.json => writeln!(output, "{}", json(&solved))?,
            Format::Epd => {
                for position in solved.positions() {
                    if let Some(epd) = record(&solved, position, records.get(&position.key().bits())) {
                        writeln!(output, "{epd}")?;
                    }
                }
            }
            Format::Pgn => {
                if games.is_empty() && solved.led_back() + solved.leaves() > 0 {
                    let problem = "there are no games to write scores into, expected --format epd";
                    return Err(CliError::usage(problem));
                }
                for game in &games {
                    write!(output, "{}", Export::new().game(&with_scores(game, &solved)?))?;
                }
            }
        }
        status.check_target(self.target.path())?;
        output.finish()?;
        if !self.json {
            // A failure to write the summary is ignored: the scores are written.
            let _ = writeln!(io::stderr(), "{}", summary(&solved));
        }
        let answer = if solved.leaves() == 0 { ExitStatus::No } else { ExitStatus::Yes };
        Ok(answer.max(status.status()?))
    }
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        let extension = without_packed_extension(path).extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "pgn" => Some(Self::Pgn),
            "epd" => Some(Self::Epd),
            _ => None,
        }
    }
}

impl Tree {
    fn read_records(&mut self, path: &Path) -> Result<(), CliError> {
        read_epd(path, &mut |epd| {
            let position = *epd.position();
            let (mut score, mut depth) = (None, None);
            for operation in epd.operations() {
                match operation {
                    Operation::Evaluation(evaluation) => score = Some(*evaluation),
                    Operation::AnalysisDepth(plies) => depth = Some(*plies),
                    _ => {}
                }
            }
            self.solver.add(&position, score, depth);
            // The moves of a record lead to other positions, which belong to the tree only if they have records.
            self.records.insert(position.key().bits(), epd);
            Ok(())
        })
    }

    /// Reads all games that a path names. An error in one source skips only the rest of that source.
    fn read_sources(&mut self, path: &PathBuf, status: &mut InputStatus) -> Result<(), CliError> {
        let sources: Vec<Source> = find_sources(std::slice::from_ref(path), "pgn", &mut |path, error| {
            let name = path.display().to_string();
            status.fail_file(Some(path), &CliError::Input { name, problem: error.to_string() });
        });
        for source in &sources {
            let result = read_games(source, None, &mut |FoundGame { game, errors, .. }| {
                for error in errors.iter().filter(|error| error.problem.is_unread()) {
                    warn(&source.name(), error.place.line, &error.problem);
                }
                self.add_game(&game);
                self.games.push(game);
                Ok(ControlFlow::Continue(()))
            });
            status.take_file(source.path(), result)?;
        }
        Ok(())
    }

    /// Adds the positions of all lines of a game.
    fn add_game(&mut self, game: &Game) {
        self.solver.add(game.start(), None, None);
        each_position(game, &mut |node, position| {
            let stated = game.evaluation(node);
            let score = stated.and_then(|stated| evaluation_of(stated.score, position.turn()));
            self.solver.add(position, score, stated.and_then(|stated| stated.depth));
        });
    }
}

/// Warns of a part of an input that cannot be read and is skipped.
fn warn(name: &str, line: u64, problem: &dyn std::fmt::Display) {
    // A failure to write the warning does not matter.
    let _ = writeln!(io::stderr(), "{name}:{line}: {problem}");
}

/// Visits each move of a game, up to a null move, with the position after it.
fn each_position(game: &Game, visit: &mut dyn FnMut(NodeId, &Position)) {
    let mut waiting = vec![(NodeId::ROOT, *game.start())];
    while let Some((node, position)) = waiting.pop() {
        for child in game.children(node) {
            if let Some(mv) = game.mv(child) {
                let after = position.after(mv).0;
                visit(child, &after);
                waiting.push((child, after));
            }
        }
    }
}

/// The EPD record of a position; `None` if it has no score and had no record.
fn record(solved: &Solved, position: &Position, former: Option<&Epd>) -> Option<Epd> {
    let found = solved.get(position);
    if found.is_none() {
        return former.cloned();
    }
    let found = found?;
    let mut epd = former.cloned().unwrap_or_else(|| Epd::new(*position));
    let Some(evaluation) = found.evaluation else { return former.cloned() };
    if !found.line.is_empty() {
        // These operations describe a search, which the score no longer comes from.
        for opcode in ["acd", "acn", "acs", "bm", "am", "dm"] {
            epd.remove(opcode);
        }
        epd.set(Operation::PredictedMove(found.line[0]));
        epd.set(Operation::PredictedVariation(found.line));
    }
    epd.set(Operation::Evaluation(evaluation));
    Some(epd)
}

/// The game with the scores of all its positions that have one.
fn with_scores(game: &Game, solved: &Solved) -> Result<Game, CliError> {
    let mut scores = HashMap::new();
    each_position(game, &mut |node, position| {
        // A position's own score that is in the game already remains.
        let is_wanted = || solved.is_led_back(position) || game.evaluation(node).is_none();
        if let Some(evaluation) = solved.evaluation(position).filter(|_| is_wanted()) {
            scores.insert(node, score_of(evaluation, position.turn()));
        }
    });
    let has_evaluation = |text: &str| commands(text).any(|command| is_evaluation(&command));
    let full = |_| CliError::failed("a game is too large to be held");
    let mut copy = game
        .without(|part| matches!(part, Part::Comment(node, text) if scores.contains_key(&node) && has_evaluation(text)))
        .map_err(full)?;
    for (&node, &score) in &scores {
        // The other content of such a comment is kept.
        let kept: Vec<String> = game
            .comments(node)
            .filter(|text| has_evaluation(text))
            .flat_map(|text| {
                let others = commands(text)
                    .filter(|command| !is_evaluation(command))
                    .map(|command| command.to_string());
                others.chain(Some(without_commands(text))).collect::<Vec<_>>()
            })
            .filter(|text| !text.is_empty())
            .collect();
        let evaluation = Command::Evaluation(Evaluation { score, depth: None }).to_string();
        let text: Vec<String> = std::iter::once(evaluation).chain(kept).collect();
        copy.add_comment(node, &text.join(" ")).map_err(full)?;
    }
    Ok(copy)
}

const fn is_evaluation(command: &Command) -> bool {
    matches!(command, Command::Evaluation(_))
}

/// The moves of a line in SAN.
fn line_of(position: &Position, line: &[Move]) -> Vec<String> {
    let mut at = *position;
    line.iter()
        .map(|&mv| {
            let text = San::new(&at, mv).to_string();
            at = at.after(mv).0;
            text
        })
        .collect()
}

fn json(solved: &Solved) -> Value {
    let positions: Vec<Value> = solved
        .positions()
        .iter()
        .filter_map(|position| {
            let found = solved.get(position)?;
            let evaluation = found.evaluation;
            Some(json!({
                "fen": Fen::new(position).to_string(),
                "ce": evaluation.map(|found| found.value()),
                "mate_plies": evaluation.and_then(|found| found.mate_plies()),
                "is_leaf": found.line.is_empty(),
                "pv": line_of(position, &found.line),
            }))
        })
        .collect();
    json!({
        "positions": positions,
        "read": solved.positions().len(),
        "leaves": solved.leaves(),
        "led_back": solved.led_back(),
        "repeated": solved.repeated(),
    })
}

/// The summary of the work, and the score of the first position.
fn summary(solved: &Solved) -> String {
    let count = |number: usize, what| pluralize(number as u64, what);
    let mut text = format!(
        "{}: {} with scores of their own, {} led back",
        count(solved.positions().len(), "position"),
        solved.leaves(),
        solved.led_back()
    );
    if solved.repeated() > 0 {
        text.push_str(&format!(", {} of them drawn by repeating", solved.repeated()));
    }
    let first = solved.positions().first();
    let found = first.and_then(|first| Some((first, solved.get(first)?)));
    if let Some((position, Backsolved { evaluation: Some(evaluation), line })) = found {
        let score = Evaluation { score: score_of(evaluation, position.turn()), depth: None };
        text.push_str(&format!("; first position {score} {}", line_of(position, &line).join(" ")));
    }
    text
}
