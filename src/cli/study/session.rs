//! The dialog of a session: writes boards and prompts, and reads guesses.

use super::exercises::played_instead;
use super::now;
use crate::analysis::{OwnEvaluator, average, numbered};
use crate::chess::{Color, Move, Position};
use crate::cli::streams::plain;
use crate::cli::{CliError, ExitStatus};
use crate::notation::pgn::without_commands;
use crate::notation::{BoardText, Excerpt, parse_san, parse_uci_move, percent, pluralize};
use crate::study::{Answer, Attempt, Comparison, Exercise, Hint, Kind, MAX_POINTS, Progress, loss_in_points};
use std::io::{BufRead, Read, Write};
use std::ops::ControlFlow;

const HELP: &str =
    "a move such as Nf3 or g1f3; h: hint, s: show the move, b: board, n: next exercise, q: leave";
/// More than the length of any command, in bytes.
const MAX_LINE: u64 = 1 << 10;

/// One session of a learner.
pub(super) struct Session<'a> {
    pub out: &'a mut dyn Write,
    pub input: &'a mut dyn BufRead,
    pub progress: Option<Progress>,
    /// The evaluator that judges wrong guesses.
    pub judge: Option<OwnEvaluator>,
    /// The maximum loss, in centipawns, of an accepted guess against the right move.
    pub accept_equal_cp: Option<f64>,
    pub is_hidden: bool,
    pub has_figures: bool,
    pub totals: Totals,
}

/// The counts of a session.
#[derive(Default)]
pub(super) struct Totals {
    exercises: u64,
    moves: u64,
    clean: u64,
    shown: u64,
    points: u64,
    /// The known losses of winning chances of first guesses that are not the right move.
    losses: Vec<f64>,
}

impl Session<'_> {
    /// Asks one exercise, until it ends or the learner leaves.
    pub(super) fn ask(&mut self, exercise: &Exercise) -> Result<ControlFlow<()>, CliError> {
        let mut attempt = Attempt::new(exercise);
        self.totals.exercises += 1;
        self.introduce(exercise, &attempt)?;
        while !attempt.is_over() {
            if let Some(text) = answered(&mut attempt) {
                writeln!(self.out, "{text}")?;
                self.comments(exercise, &attempt)?;
                continue;
            }
            self.board(&attempt)?;
            match self.ask_move(exercise, &mut attempt)? {
                Next::Move => {}
                Next::Exercise => break,
                Next::Leave => return Ok(ControlFlow::Break(())),
            }
        }
        let (points, most) = attempt.points();
        if attempt.marks().len() > 1 {
            writeln!(self.out, "{points} of {most} points.")?;
        }
        writeln!(self.out)?;
        Ok(ControlFlow::Continue(()))
    }

    fn introduce(&mut self, exercise: &Exercise, attempt: &Attempt<'_>) -> Result<(), CliError> {
        let side = if attempt.side() == Color::White { "White" } else { "Black" };
        let task = match exercise.kind {
            Kind::Game => format!("guess the moves of {side}"),
            Kind::Problem | Kind::Repertoire => match exercise.mate_in {
                Some(moves) => format!("{side} to move, mate in {moves}"),
                None => format!("{side} to move"),
            },
            Kind::Mistake => format!("{side} finds something better"),
        };
        // The hidden title of a mistake contains the move that was played, which is printed below.
        if self.is_hidden && exercise.kind != Kind::Repertoire {
            writeln!(self.out, "{}", capitalized(&task))?;
        } else {
            writeln!(self.out, "{}: {task}", exercise.title)?;
        }
        if let Some(played) = played_instead(exercise).filter(|_| self.is_hidden) {
            writeln!(self.out, "Played was {played}.")?;
        }
        Ok(())
    }

    fn board(&mut self, attempt: &Attempt<'_>) -> Result<(), CliError> {
        let board = BoardText::new(attempt.position().board());
        let board = if self.has_figures { board.figures() } else { board };
        let board = if attempt.side() == Color::Black { board.flipped() } else { board };
        writeln!(self.out, "\n{board}\n")?;
        Ok(())
    }

    fn comments(&mut self, exercise: &Exercise, attempt: &Attempt<'_>) -> Result<(), CliError> {
        if self.is_hidden || exercise.kind == Kind::Repertoire {
            return Ok(());
        }
        for comment in exercise.game.comments(attempt.node()) {
            let comment = plain(&without_commands(comment));
            if !comment.trim().is_empty() {
                writeln!(self.out, "  {}", comment.trim())?;
            }
        }
        Ok(())
    }

    /// Asks for one move, until it is found or shown.
    fn ask_move(&mut self, exercise: &Exercise, attempt: &mut Attempt<'_>) -> Result<Next, CliError> {
        let before = *attempt.position();
        let prompt = if before.turn() == Color::White { "White" } else { "Black" };
        loop {
            write!(self.out, "{} {prompt}> ", before.fullmove_number())?;
            self.out.flush()?;
            let Some(line) = self.line()? else {
                writeln!(self.out)?;
                return Ok(Next::Leave);
            };
            let word = line.trim();
            let found = match word {
                "" => continue,
                "?" | "help" => {
                    writeln!(self.out, "{HELP}")?;
                    continue;
                }
                "q" | "quit" => return Ok(Next::Leave),
                "n" | "next" => return Ok(Next::Exercise),
                "b" | "board" => {
                    self.board(attempt)?;
                    continue;
                }
                "h" | "hint" => {
                    match attempt.hint() {
                        Some(Hint::Piece(role)) => writeln!(self.out, "A {} moves.", role.name())?,
                        Some(Hint::From(square)) => writeln!(self.out, "It moves from {square}.")?,
                        None => {}
                    }
                    continue;
                }
                "s" | "show" => {
                    let shown = attempt.show().map(|mv| numbered(&before, mv));
                    writeln!(self.out, "The move is {}.", shown.unwrap_or_default())?;
                    true
                }
                _ => {
                    let Some(mv) = read_move(&before, word) else {
                        writeln!(self.out, "{} is no legal move here; {HELP}", Excerpt::new(word))?;
                        continue;
                    };
                    self.take_guess(attempt, &before, mv)?
                }
            };
            if !found {
                continue;
            }
            self.keep(exercise, attempt)?;
            self.comments(exercise, attempt)?;
            return Ok(Next::Move);
        }
    }

    /// Whether a guess is right, or good enough.
    fn take_guess(
        &mut self,
        attempt: &mut Attempt<'_>,
        before: &Position,
        mv: Move,
    ) -> Result<bool, CliError> {
        let expected = attempt.answers().next();
        let others: Vec<Move> = attempt.answers().filter(|&other| other != mv).collect();
        match attempt.guess(mv) {
            Answer::Right(points) => {
                let points = pluralize(u64::from(points), "point");
                write!(self.out, "Right: {} ({points}).", numbered(before, mv))?;
                if attempt.is_over() && !others.is_empty() {
                    let others: Vec<String> = others.iter().map(|&mv| numbered(before, mv)).collect();
                    write!(self.out, " Also right: {}.", others.join(", "))?;
                }
                writeln!(self.out)?;
                Ok(true)
            }
            Answer::Wrong => {
                let Some(comparison) = self.compare(attempt, before, mv, expected)? else {
                    writeln!(self.out, "Incorrect move!")?;
                    return Ok(false);
                };
                let is_equal = self.accept_equal_cp.is_some_and(|most| comparison.is_within(most));
                if is_equal {
                    let played = attempt.accept().map(|mv| numbered(before, mv)).unwrap_or_default();
                    writeln!(
                        self.out,
                        "{} is as good; the game continues with {played}.",
                        numbered(before, mv)
                    )?;
                    return Ok(true);
                }
                let lost = comparison.lost_points();
                if lost > 0.0 {
                    let judgement = comparison.judgement.map(|judgement| format!(": {judgement}"));
                    let judgement = judgement.unwrap_or_default().to_lowercase();
                    writeln!(
                        self.out,
                        "Incorrect move! It lowers the winning chances by {}{judgement}.",
                        points_of_100(lost)
                    )?;
                } else if comparison.is_worse && comparison.loss_cp.is_none() {
                    writeln!(self.out, "Incorrect move! There is a faster mate.")?;
                } else {
                    writeln!(self.out, "Incorrect move, though not a worse one!")?;
                }
                Ok(false)
            }
        }
    }

    /// Compares a guess with the right move: by the evaluations of the game, or else by a search, if there is one.
    fn compare(
        &mut self,
        attempt: &mut Attempt<'_>,
        before: &Position,
        guess: Move,
        expected: Option<Move>,
    ) -> Result<Option<Comparison>, CliError> {
        if let Some(known) = attempt.comparison(guess) {
            return Ok(Some(known));
        }
        let Some(expected) = expected else { return Ok(None) };
        let Some(judge) = &mut self.judge else { return Ok(None) };
        let found = Comparison::new(judge, before, guess, expected)
            .map_err(|error| CliError::Failed(error.to_string()))?;
        if let Some(comparison) = found {
            attempt.set_comparison(guess, comparison);
        }
        Ok(found)
    }

    /// Counts the last move, and records the answer.
    fn keep(&mut self, exercise: &Exercise, attempt: &Attempt<'_>) -> Result<(), CliError> {
        let Some(mark) = attempt.marks().last() else { return Ok(()) };
        self.totals.moves += 1;
        self.totals.clean += u64::from(mark.is_clean());
        self.totals.shown += u64::from(mark.is_shown);
        self.totals.points += u64::from(mark.points);
        self.totals.losses.extend(mark.loss);
        if let Some(progress) = &mut self.progress {
            progress.record(exercise, mark, now()).map_err(|error| CliError::Failed(error.to_string()))?;
        }
        Ok(())
    }

    /// Reads a line of input; `None` at the end.
    fn line(&mut self) -> Result<Option<String>, CliError> {
        let mut line = Vec::new();
        let mut limited = (&mut *self.input).take(MAX_LINE);
        let read = limited.read_until(b'\n', &mut line).map_err(|error| CliError::Input {
            name: "standard input".to_owned(),
            problem: error.to_string(),
        })?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// Prints the totals. The answer is no if there was nothing to study.
    pub(super) fn finish(self) -> Result<ExitStatus, CliError> {
        let Totals { exercises, moves, clean, shown, points, losses } = self.totals;
        if exercises == 0 {
            writeln!(self.out, "There is nothing to study.")?;
            return Ok(ExitStatus::No);
        }
        if moves > 0 {
            let most = moves * u64::from(MAX_POINTS);
            let share = percent(points, most).unwrap_or_default();
            let moves = pluralize(moves, "move");
            writeln!(
                self.out,
                "{points} of {most} points ({share:.0} %): {moves}, {clean} at once, {shown} shown."
            )?;
        }
        if let Some(loss) = average(losses.iter().copied()) {
            let lost = points_of_100(loss_in_points(loss).round());
            let guesses = match losses.len() {
                1 => "1 judged guess lowers".to_owned(),
                count => format!("{count} judged guesses lower"),
            };
            writeln!(self.out, "{guesses} the winning chances by {lost} on average.")?;
        }
        Ok(ExitStatus::Yes)
    }
}

/// The next step after a move was asked.
enum Next {
    Move,
    Exercise,
    Leave,
}

/// Plays the reply of the other side, if there is one, and returns its text.
fn answered(attempt: &mut Attempt<'_>) -> Option<String> {
    let before = *attempt.position();
    attempt.reply().map(|mv| numbered(&before, mv))
}

/// Parses a typed move: in SAN, with or without its number, or in UCI notation.
fn read_move(position: &Position, word: &str) -> Option<Move> {
    let word = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let word = word.trim_start_matches(['.', '…', ' ']);
    let san = parse_san(word, position).ok().and_then(|san| san.mv());
    san.or_else(|| parse_uci_move(word, position).ok())
}

/// Percentage points of winning chances, rounded before.
fn points_of_100(lost: f64) -> String {
    let points = if lost == 1.0 { "point" } else { "points" };
    format!("{lost} {points} of 100")
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}
