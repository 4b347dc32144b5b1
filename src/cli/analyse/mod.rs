//! `hematite analyse`: analysis of games and positions.

mod epd;
mod evaluators;
mod output;

use super::pgn::{
    Finding, Findings, GameCounter, InputEnd, Inputs, QueryArg, Selection, Wanted, earlier_games,
    first_moves, verdict,
};
use super::progress::{ProgressLines, are_countable, state, styled};
use super::streams::{OutputArg, write_json};
use super::values::{SideName, integer_in, thread_count};
use super::{CliError, ExitStatus, signals};
use crate::analysis::{
    Effort, Evaluator, GameStudy, GameSummary, Judgement, Queue, QueueError, Scope, Sources, Style,
    VARIATION_PLIES, annotate, evaluations_of, has_own_evaluations, is_annotated, own_annotator, run,
    without_own,
};
use crate::chess::{Color, Position};
use crate::database::{Novelty, Options, Query, Source, read};
use crate::notation::pgn::{Export, Game, PgnProblem, Skip, Visitor};
use crate::notation::pluralize;
use evaluators::{EvaluatorFlags, Evaluators};
use indicatif::{ProgressBar, ProgressDrawTarget};
use output::JsonGame;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  hematite analyse games.pgn -o annotated.pgn
  hematite analyse --nodes 1M --threads 8 --cache evaluations games.pgn.zst -o annotated.pgn
  hematite analyse --query 'player:tal' --side white --from-move 10 archive/ > tal.pgn
  hematite analyse --engine stockfish --depth 20 --multipv 2 game.pgn
  hematite analyse --use-evals --json lichess.pgn
  hematite analyse 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3' --multipv 3
  hematite analyse startpos --nodes 1M --json
  hematite analyse --epd positions.epd -o evaluated.epd
  hematite analyse --shard 1/4 games.pgn -o part1.pgn
  hematite analyse --merge part1.pgn part2.pgn part3.pgn part4.pgn -o annotated.pgn

A FEN, or `startpos` for the initial position, in place of files is evaluated and printed with its best lines.
Each position is evaluated by itself, so the output is the same with any number of threads, with --cache and in
shards, as long as the limit is of nodes or depth. Written are [%eval] after each move, $6, $2 and $4 for
inaccuracies, mistakes and blunders with a better line and a reason, $1 and $8 for the only good move, $7 for the
only legal one, accuracy and average loss in tags. What is there already is kept. A game that has been analyzed
before stays as it is; --replace-own takes out what was added and adds it again.
With -o, evaluations are kept in a file beside the output until it is complete: after an interruption the same
command continues. docs/analysis.md explains all of it.
Exit code 1 if a game has moves that cannot be read; 2 if a file cannot be read to its end, and if the work was
interrupted.";

/// The number of plies of a game that are compared with earlier games.
const NOVELTY_PLIES: usize = 60;
/// The range of the number of plies of a written line.
const VARIATIONS: RangeInclusive<usize> = 1..=200;
/// Updates of the progress bar per second, and the time after which it moves by itself.
const DRAWS_A_SECOND: u8 = 5;
const TICK: Duration = Duration::from_secs(1);

/// Annotate games: evaluations, mistakes and their reasons, better lines, accuracy.
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    mut_arg("threads", |arg| arg.help("Positions that are evaluated at the same time [default: one for each processor]")),
)]
pub(super) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: OutputArg,

    #[command(flatten)]
    evaluator: EvaluatorFlags,

    #[command(flatten)]
    query: QueryArg,

    /// Study the games from this move on.
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = integer_in::<u16>(1..))]
    from_move: u16,

    /// Judge the moves of one side only.
    #[arg(long, value_name = "SIDE")]
    side: Option<SideName>,

    /// Take the [%eval] of the files and search nothing.
    #[arg(long, conflicts_with_all = ["nodes", "time", "depth", "multipv", "hash", "engine", "cache"])]
    use_evals: bool,

    /// Re-analyze games: remove annotations of ours first; with --use-evals, unless they have evaluations of ours.
    #[arg(long)]
    replace_own: bool,

    /// Leave the tag Annotator as it is.
    #[arg(long)]
    no_annotator: bool,

    /// Write at most this many plies of a better line that does not lead to mate.
    #[arg(long, value_name = "N", default_value_t = VARIATION_PLIES, value_parser = integer_in::<usize>(VARIATIONS))]
    variation_plies: usize,

    /// Name the move that is new: compare with these files, folders and collections of earlier games.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    reference: Vec<PathBuf>,

    /// Analyze every Nth game only, from the Ith on; --merge puts the outputs together.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// The files are the outputs of all shards in their order: write their games as one run would have. An output
    /// that is cut off is refused.
    #[arg(long, conflicts_with_all = ["EvaluatorFlags", "threads", "language", "broken", "strict", "QueryArg", "from_move", "side", "use_evals", "replace_own", "no_annotator", "variation_plies", "reference", "shard", "json"])]
    merge: bool,

    /// Write a JSON object on a line for each game or position.
    #[arg(long)]
    json: bool,

    /// The files, and all .epd files of folders, are EPD records: write them with acd, acn, acs, ce, dm, pm and pv.
    #[arg(long, conflicts_with_all = ["QueryArg", "from_move", "side", "use_evals", "replace_own", "no_annotator", "variation_plies", "reference", "shard", "merge"])]
    epd: bool,

    #[command(flatten)]
    selection: Selection,
}

/// Every `of`th game from the `index`th on, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shard {
    index: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number > 0);
        let parts = text.split_once('/').and_then(|(index, of)| Some((number(index)?, number(of)?)));
        match parts {
            Some((index, of)) if index <= of => Ok(Self { index, of }),
            _ => Err("expected I/N with I from 1 to N, such as 3/16".to_owned()),
        }
    }
}

impl Shard {
    /// Whether the game with this number, counted from 0, belongs to the shard.
    const fn has(self, number: u64) -> bool {
        number % self.of == self.index - 1
    }
}

/// The data of a game that is being analyzed.
struct Context {
    source: String,
    /// The number of the game in its source, counted from 1.
    number: u64,
    novelty: Option<Novelty>,
    /// Whether the game is written unchanged.
    is_kept: bool,
}

/// A game that was read from a source, or a number of skipped games.
enum ReadGame {
    /// A game that is selected.
    Game {
        game: Box<Game>,
        has_moves: bool,
    },
    /// The number of games that are not selected.
    Others(u64),
    Findings(Vec<Finding>, bool),
}

impl ReadGame {
    /// The number of games.
    const fn games(&self) -> u64 {
        match self {
            Self::Game { .. } => 1,
            Self::Others(count) => *count,
            Self::Findings(..) => 0,
        }
    }
}

/// Passes the selected games of the files to the queue.
struct Feed<'a> {
    arguments: &'a Arguments,
    /// The first new move of each selected game; empty without a reference.
    novelties: Vec<Option<Novelty>>,
    is_interrupted: &'a AtomicBool,
    bar: &'a ProgressBar,
    /// The number of selected games so far, those of other shards included.
    selected: u64,
    /// Whether a game has moves that cannot be read.
    has_broken: bool,
}

/// Writes a game that has been analyzed.
type Done<'a> = dyn FnMut(GameStudy<Context>, Effort) -> Result<(), CliError> + 'a;

impl<'a> Feed<'a> {
    const fn new(
        arguments: &'a Arguments,
        novelties: Vec<Option<Novelty>>,
        is_interrupted: &'a AtomicBool,
        bar: &'a ProgressBar,
    ) -> Self {
        Self { arguments, novelties, is_interrupted, bar, selected: 0, has_broken: false }
    }

    /// Reads all games, and puts the selected ones into the queue.
    fn read(
        &mut self,
        query: Option<&Query>,
        queue: &mut Queue<'_, GameStudy<Context>>,
        done: &mut Done<'_>,
    ) -> Result<InputEnd, QueueError<CliError>> {
        let arguments = self.arguments;
        let mut end = InputEnd::default();
        let sources = arguments.inputs.sources(&mut end);
        let mut counter = GameCounter::new(&sources);
        let mut failure = None;
        let read = arguments.inputs.read_unseen(
            &sources,
            &mut end,
            |part, emit| arguments.read_games(part, query, emit),
            &mut |source, _, read: ReadGame| {
                let (_, before) = counter.add(source, read.games());
                Ok(match self.take(source, before + 1, read, queue, done) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        failure = Some(error);
                        ControlFlow::Break(())
                    }
                })
            },
        );
        read.map_err(QueueError::Caller)?;
        failure.map_or(Ok(end), Err)
    }

    /// Puts a game of the shard, which has this number in its source, into the queue.
    fn take(
        &mut self,
        source: &Source,
        number: u64,
        read: ReadGame,
        queue: &mut Queue<'_, GameStudy<Context>>,
        done: &mut Done<'_>,
    ) -> Result<(), QueueError<CliError>> {
        // Games that are not selected never enter the queue, which also checks for an interruption.
        if signals::flow(self.is_interrupted).is_break() {
            return Err(QueueError::Interrupted);
        }
        let (game, has_moves) = match read {
            ReadGame::Findings(found, is_broken) => {
                self.has_broken |= is_broken;
                self.arguments.selection.print(&found, source, self.bar);
                return Ok(());
            }
            ReadGame::Others(_) => return Ok(()),
            ReadGame::Game { game, has_moves } => (game, has_moves),
        };
        let index = self.selected;
        self.selected += 1;
        if self.arguments.shard.is_some_and(|shard| !shard.has(index)) {
            return Ok(());
        }
        let novelty = usize::try_from(index).ok().and_then(|index| self.novelties.get(index)?.clone());
        queue.put(self.arguments.study(*game, has_moves, source.name(), number, novelty), done)
    }
}

/// Shows the numbers of positions and games that are done.
fn show_progress(bar: &ProgressBar, games: u64, effort: Effort) {
    bar.set_position(bar.position().max(effort.searched + effort.found));
    let rate = games as f64 / bar.elapsed().as_secs_f64();
    bar.set_message(format!("{}, {rate:.2} a second", pluralize(games, "game")));
}

/// The totals of the analyzed games.
#[derive(Default)]
struct Totals {
    games: u64,
    moves: u64,
    judged: [usize; 3],
    /// Games that had been analyzed by an earlier run.
    kept: u64,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.merge {
            let mut output = self.target.open(out)?;
            output::merge(self.inputs.files(), &mut output)?;
            output.finish()?;
            return Ok(ExitStatus::Yes);
        }
        let position = epd::position_of(self.inputs.files())?;
        if self.epd || position.is_some() {
            return self.evaluate_positions(position, out);
        }
        self.analyze_games(out)
    }

    /// Reads the selected games, analyzes them and writes them.
    fn analyze_games(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let query = self.query.read(self.inputs.files())?;
        let evaluators = self.evaluator.evaluators(!self.use_evals)?;
        let (novelties, reference) = self.novelties(query.as_ref())?;
        let kept_beside = self.kept_beside().filter(|_| !self.use_evals);
        let mut kept = self.evaluator.cache(&evaluators, kept_beside)?;
        let mut output = self.target.open(out)?;
        let is_interrupted = signals::interrupted_flag()?;
        let lines = ProgressLines::new(self.selection.is_quiet());
        let bar = self.bar(&lines, is_interrupted);
        let games = AtomicU64::new(0);
        let mut totals = Totals::default();
        let mut feed = Feed::new(self, novelties, is_interrupted, &bar);
        let make = || {
            let evaluator = evaluators.make()?;
            Ok(Counting { evaluator, bar: bar.clone(), lines: &lines, games: &games })
        };
        let mut done = |study: GameStudy<Context>, effort: Effort| {
            self.write(study, &evaluators, &mut totals, &mut output)?;
            games.store(totals.games, Ordering::Relaxed);
            show_progress(&bar, totals.games, effort);
            Ok(())
        };
        let lead = |queue: &mut Queue<'_, GameStudy<Context>>| {
            let end = feed.read(query.as_ref(), queue, &mut done)?;
            queue.finish(&mut done)?;
            Ok((end, queue.effort()))
        };
        let ended = run(self.threads(), &mut kept.cache, &evaluators.signals, is_interrupted, make, lead);
        bar.finish_and_clear();
        let (end, effort): (InputEnd, Effort) = ended.map_err(|error| self.error(error))?;
        end.check_target(&self.target)?;
        output.finish()?;
        kept.finish();
        if !self.selection.is_quiet() {
            // A failure to write the totals is ignored: the games are written.
            let kept_why = match self.use_evals && self.replace_own {
                true => "their evaluations are ours, and only a search renews them",
                false => "--replace-own renews them",
            };
            let _ = writeln!(io::stderr(), "{}", totals.show(effort, kept_why));
        }
        Ok(verdict(feed.has_broken).max(end.status()?).max(reference))
    }

    /// The output beside which evaluations are kept: a regular file, which may not exist yet.
    fn kept_beside(&self) -> Option<&Path> {
        self.target.path().filter(|path| path.metadata().map_or(true, |found| found.is_file()))
    }

    fn threads(&self) -> usize {
        thread_count(self.inputs.threads())
    }

    /// Evaluates one position, or those of EPD files, instead of games.
    fn evaluate_positions(
        &self,
        position: Option<Position>,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        self.refuse_options_of_games()?;
        let form = match (self.json, self.epd) {
            (true, _) => epd::Form::Json,
            (false, true) => epd::Form::Record,
            (false, false) => epd::Form::Text,
        };
        let evaluators = self.evaluator.evaluators(true)?;
        let mut kept = self.evaluator.cache(&evaluators, self.kept_beside())?;
        let mut output = self.target.open(out)?;
        let is_interrupted = signals::interrupted_flag()?;
        let lead = |queue: &mut Queue<'_, _>| match position {
            Some(position) => epd::evaluate_one(position, form, queue, &mut output),
            None => epd::evaluate(self.inputs.files(), form, queue, &mut output),
        };
        let make = || evaluators.make();
        let ended = run(self.threads(), &mut kept.cache, &evaluators.signals, is_interrupted, make, lead);
        let (is_clean, status) = ended.map_err(|error| self.error(error))?;
        let answer = status.status()?;
        status.check_target(self.target.path())?;
        output.finish()?;
        kept.finish();
        Ok(verdict(!is_clean).max(answer))
    }

    /// Refuses options that have no meaning for positions.
    fn refuse_options_of_games(&self) -> Result<(), CliError> {
        let of_games = [
            ("--from-move", self.from_move != 1),
            ("--side", self.side.is_some()),
            ("--use-evals", self.use_evals),
            ("--replace-own", self.replace_own),
            ("--no-annotator", self.no_annotator),
            ("--variation-plies", self.variation_plies != VARIATION_PLIES),
            ("--reference", !self.reference.is_empty()),
            ("--shard", self.shard.is_some()),
            ("a query", self.query.read(&[])?.is_some()),
        ];
        if let Some((option, _)) = of_games.into_iter().find(|&(_, is_given)| is_given) {
            let problem =
                format!("found a position with {option}, which is for games only, expected files of games");
            return Err(CliError::Usage(problem));
        }
        Ok(())
    }

    /// The error to report for work that ended early.
    fn error(&self, error: QueueError<CliError>) -> CliError {
        match error {
            QueueError::Caller(error) => error,
            QueueError::Interrupted if self.kept_beside().is_some() => CliError::interrupted(
                "interrupted; the evaluations so far are kept, and the same command continues",
            ),
            QueueError::Interrupted => CliError::Interrupted(error.to_string()),
            error => CliError::Failed(error.to_string()),
        }
    }

    fn scope(&self) -> Scope {
        let side = self.side.map(Color::from);
        Scope { from_move: self.from_move, side, takes_evaluations: self.use_evals }
    }

    /// Reads games, and passes on the selected ones.
    fn read_games(
        &self,
        part: &mut crate::database::Part<'_>,
        query: Option<&Query>,
        emit: &mut dyn FnMut(ReadGame) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut builder = self.inputs.builder();
        part.reader.require_found(query)?;
        loop {
            let skipped = if query.is_some() { part.reader.skip(query)? } else { 0 };
            if skipped > 0 {
                emit(ReadGame::Others(skipped))?;
            }
            if !part.reader.read_game(&mut builder)? {
                return Ok(());
            }
            let mut findings = Findings::default();
            let is_taken = findings.add_game(builder.errors(), self.selection);
            let has_moves = builder.last_position().is_some();
            if !findings.found.is_empty() {
                emit(ReadGame::Findings(findings.found, findings.has_broken))?;
            }
            let game = builder.game();
            let is_found = |query: &Query| query.is_true(game, builder.last_position());
            emit(if is_taken && query.is_none_or(is_found) {
                let (game, _) = builder.take();
                ReadGame::Game { game: Box::new(game), has_moves }
            } else {
                ReadGame::Others(1)
            })?;
        }
    }

    /// Prepares a game for analysis, or to be written unchanged.
    fn study(
        &self,
        game: Game,
        has_moves: bool,
        source: String,
        number: u64,
        novelty: Option<Novelty>,
    ) -> GameStudy<Context> {
        let is_own = is_annotated(&game.tags);
        // Without a search there would be nothing in place of our evaluations.
        let is_renewed = self.replace_own && !(self.use_evals && has_own_evaluations(&game));
        let is_kept = !has_moves || game.is_empty() || is_own && !is_renewed && !self.json;
        let mut scope = self.scope();
        // A game that is written unchanged needs no evaluator.
        scope.takes_evaluations |= is_kept;
        let context = Context { source, number, novelty, is_kept };
        if !is_own || is_kept {
            return GameStudy::new(game, scope, context);
        }
        // Our evaluations are removed with the comments that they are in.
        let stated = evaluations_of(&game);
        let study = GameStudy::new(without_own(&game).unwrap_or(game), scope, context);
        if scope.takes_evaluations { study.with_stated(stated) } else { study }
    }

    /// Writes a game that has been analyzed.
    fn write(
        &self,
        study: GameStudy<Context>,
        evaluators: &Evaluators,
        totals: &mut Totals,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let analysis = match self.use_evals {
            true => format!("{}, evaluations of the file", own_annotator()),
            false => evaluators.shown.clone(),
        };
        totals.games += 1;
        if study.context.is_kept {
            totals.kept += u64::from(is_annotated(&study.game.tags));
            if !self.json {
                return Ok(out.write_all(Export::new().game(&study.game).as_bytes())?);
            }
        }
        let report = study.report();
        totals.add(&report.summary, report.moves.len());
        if self.json {
            let mut json = JsonGame::new(&study.game, &report, &analysis);
            json.head.file = study.context.source;
            json.head.game = study.context.number;
            return write_json(out, &json);
        }
        let style = Style {
            analysis,
            names_annotator: !self.no_annotator,
            lines: self.evaluator.lines(),
            max_plies: self.variation_plies,
        };
        let sources =
            Sources { tables: evaluators.tables.as_deref(), novelty: study.context.novelty.as_ref() };
        let mut annotated = study.game.clone();
        if let Err(error) = annotate(&mut annotated, &report, &style, sources) {
            let Context { source, number, .. } = &study.context;
            // A failure to write the warning does not matter.
            let _ = writeln!(io::stderr(), "warning: {source}: game {number}: {error}; kept as it is");
            annotated = study.game;
        }
        Ok(out.write_all(Export::new().game(&annotated).as_bytes())?)
    }

    /// The first move of each selected game that does not occur in the games of the reference, and whether these could
    /// be read completely.
    fn novelties(&self, query: Option<&Query>) -> Result<(Vec<Option<Novelty>>, ExitStatus), CliError> {
        if self.reference.is_empty() {
            return Ok((Vec::new(), ExitStatus::Yes));
        }
        if self.inputs.files().iter().any(|path| path.as_os_str() == "-") {
            let problem = "--reference: standard input cannot be read twice, expected files";
            return Err(CliError::usage(problem));
        }
        let silent = self.selection.silent();
        let wanted = Wanted { query, selection: silent, position: None };
        let (games, ..) = first_moves(&self.inputs, wanted, NOVELTY_PLIES)?;
        let reference = Inputs::of(self.reference.clone(), self.inputs.threads());
        let (mut earlier, end) = earlier_games(&games, &reference, silent)?;
        let status = end.status()?;
        end.check_target(&self.target)?;
        earlier.sort();
        Ok((games.iter().map(|game| earlier.novelty(game)).collect(), status))
    }

    /// A progress bar that counts positions; hidden without a terminal, where lines are written instead.
    fn bar(&self, lines: &ProgressLines, is_interrupted: &AtomicBool) -> ProgressBar {
        let is_visible =
            io::stderr().is_terminal() && !(self.target.is_standard() && io::stdout().is_terminal());
        if !is_visible && !lines.are_wanted() {
            return ProgressBar::hidden();
        }
        let is_countable = !self.use_evals && matches!(self.query.read(self.inputs.files()), Ok(None));
        let positions = if is_countable { self.count_positions(is_interrupted) } else { None };
        if !is_visible {
            return ProgressBar::with_draw_target(positions, ProgressDrawTarget::hidden());
        }
        let bar = match positions {
            Some(positions) => styled(
                ProgressBar::new(positions),
                "{elapsed:>4} [{wide_bar}] {pos}/{len} positions, {msg}, ETA {eta}",
            ),
            None => styled(ProgressBar::no_length(), "{elapsed:>4} {spinner} {pos} positions, {msg}"),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(DRAWS_A_SECOND));
        bar.enable_steady_tick(TICK);
        bar
    }

    /// The number of positions of all games; `None` if they cannot be read, or only once, or on an interruption.
    /// Reading takes little time compared with searching.
    fn count_positions(&self, is_interrupted: &AtomicBool) -> Option<u64> {
        let sources = self.inputs.quiet_sources();
        if !are_countable(&sources) {
            return None;
        }
        let count = AtomicU64::new(0);
        let flow = read(
            &sources,
            &Options { threads: self.threads(), ..Options::default() },
            |part, _: &mut dyn FnMut(()) -> io::Result<()>| {
                let mut counter = PositionCounter::default();
                while part.reader.read_game(&mut counter)? {
                    if signals::flow(is_interrupted).is_break() {
                        return Err(io::ErrorKind::Interrupted.into());
                    }
                }
                count.fetch_add(counter.positions, Ordering::Relaxed);
                Ok(())
            },
            |_: &Source, result| {
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        let shards = self.shard.map_or(1, |shard| shard.of);
        flow.is_continue().then(|| count.into_inner() / shards)
    }
}

impl Totals {
    fn add(&mut self, summary: &GameSummary, plies: usize) {
        self.moves += plies as u64;
        for player in [&summary.white, &summary.black] {
            for judgement in Judgement::ALL {
                self.judged[judgement as usize] += player.count(judgement);
            }
        }
    }

    fn show(&self, effort: Effort, kept_why: &str) -> String {
        let [inaccuracies, mistakes, blunders] = self.judged;
        let mut text = format!(
            "{}, {}: {inaccuracies} {}, {}, {}; {} searched, {} known",
            pluralize(self.games, "game"),
            pluralize(self.moves, "move"),
            if inaccuracies == 1 { "inaccuracy" } else { "inaccuracies" },
            pluralize(mistakes as u64, "mistake"),
            pluralize(blunders as u64, "blunder"),
            pluralize(effort.searched, "position"),
            effort.found,
        );
        if self.moves == 0 && self.games > 0 {
            text.push_str("; no move has an evaluation before and after it");
        }
        if effort.nodes > 0 && !effort.time.is_zero() {
            let speed = effort.nodes as f64 / effort.time.as_secs_f64();
            // Writing to a string cannot fail.
            let _ = write!(text, "; {} nodes, {speed:.0} a second and thread", effort.nodes);
        }
        if self.kept > 0 {
            let games = pluralize(self.kept, "game");
            let _ = write!(text, "\n{games} analyzed before and kept as they are; {kept_why}");
        }
        text
    }
}

/// Advances the progress with each position.
struct Counting<'a> {
    evaluator: Box<dyn Evaluator>,
    bar: ProgressBar,
    lines: &'a ProgressLines,
    /// The number of games written so far.
    games: &'a AtomicU64,
}

impl Evaluator for Counting<'_> {
    fn assess(
        &mut self,
        question: &crate::analysis::Question,
    ) -> Result<Option<crate::analysis::Assessment>, crate::analysis::EvaluatorError> {
        let assessment = self.evaluator.assess(question);
        self.bar.inc(1);
        self.lines.update(|elapsed| {
            let games = pluralize(self.games.load(Ordering::Relaxed), "game");
            format!("{games}, {}", state(&self.bar, "position", elapsed))
        });
        assessment
    }
}

/// Counts the positions of main lines.
#[derive(Default)]
struct PositionCounter {
    positions: u64,
}

impl Visitor for PositionCounter {
    fn begin_game(&mut self) {
        self.positions += 1;
    }

    fn mv(&mut self, _: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.positions += 1;
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        Ok(Skip::Yes)
    }
}
