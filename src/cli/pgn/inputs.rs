//! The inputs of commands that read games: files, options of reading them, and their errors.

use super::{Findings, MAX_FINDINGS, Selection};
use crate::cli::progress::styled;
use crate::cli::streams::{InputStatus, OutputArg, STDIN};
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::database::{Follow, Header, Options, Part, Query, Sieve, Source, TagColumns, find_sources, read};
use crate::notation::PieceLetters;
use crate::notation::pgn::{GameBuilder, GameResult, Tracker};
use crate::search::MAX_THREADS;
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, atomic::Ordering};

/// Updates of the progress bar per second.
const DRAWS_A_SECOND: u8 = 10;

/// Files of games, and options of reading them.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct Inputs {
    /// Files, folders (all .pgn files in and below them, also in archives, and collections), collections (.hdb), `-`
    /// for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked. A zip archive of several files is like a folder.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Threads to read with [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    pub(super) threads: Option<u16>,

    /// The language of the piece letters, one of the 17 of the PGN standard, such as German [default:
    /// English].
    #[arg(long, value_name = "NAME", default_value_t, hide_default_value = true, value_parser = language)]
    pub(super) language: PieceLetters,
}

/// The conditions for the games that a command counts.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Wanted<'a> {
    /// The query that games must match; `None` for all games.
    pub query: Option<&'a Query>,
    pub selection: Selection,
    /// The key of a position that games must contain; `None` for all games.
    pub position: Option<u64>,
}

/// The numbers of games read and found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::cli) struct Sifted {
    pub read: u64,
    pub found: u64,
}

/// Parses the name of a language to its piece letters, for an option.
pub(in crate::cli) fn language(name: &str) -> Result<PieceLetters, String> {
    PieceLetters::of_language(name).ok_or_else(|| {
        let names: Vec<_> = PieceLetters::LANGUAGES.iter().map(PieceLetters::name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Takes a value from the games of a source, and returns whether to continue.
type Take<'a, T> = dyn FnMut(&Source, &ProgressBar, T) -> Result<ControlFlow<()>, CliError> + 'a;

impl Inputs {
    /// The inputs from these files.
    pub(in crate::cli) fn of(files: Vec<PathBuf>, threads: Option<u16>) -> Self {
        Self { files, threads, language: PieceLetters::default() }
    }

    /// The files as the user has stated them.
    pub(in crate::cli) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Removes and returns the files that have another purpose.
    pub(in crate::cli) fn take_files(&mut self, is_other: impl Fn(&PathBuf) -> bool) -> Vec<PathBuf> {
        self.files.extract_if(.., |path| is_other(path)).collect()
    }

    /// The piece letters of the games.
    pub(in crate::cli) const fn letters(&self) -> PieceLetters {
        self.language
    }

    /// Whether standard input is one of the files.
    pub(super) fn names_standard_input(&self) -> bool {
        self.files.iter().any(|file| file.as_os_str() == STDIN)
    }

    /// A tracker for the games.
    pub(in crate::cli) fn tracker(&self) -> Tracker {
        Tracker::new().with_letters(self.language)
    }

    /// A builder of games.
    pub(in crate::cli) fn builder(&self) -> GameBuilder {
        GameBuilder::new().with_letters(self.language)
    }

    /// Reads all games; see [`read`]. A progress bar is shown on a terminal unless the output goes there too,
    /// `shares_terminal`. The error of an unreadable input is printed at once; only the rest of it is skipped.
    ///
    /// # Errors
    /// [`CliError::Inputs`] if no input can be read, and any error of `take`.
    pub(in crate::cli) fn read<T: Send + 'static>(
        &self,
        shares_terminal: bool,
        work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
        mut take: impl FnMut(&Source, &ProgressBar, T) -> Result<(), CliError>,
    ) -> Result<InputEnd, CliError> {
        self.read_with(Options::default(), shares_terminal, work, &mut |source, bar, result| {
            take(source, bar, result).map(|()| ControlFlow::Continue(()))
        })
    }

    /// Reads the games of these sources as [`Inputs::read`] does, until `take` returns a break, but without a bar: the
    /// caller's work on the games takes longer than reading them.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    pub(in crate::cli) fn read_unseen<T: Send + 'static>(
        &self,
        sources: &[Source],
        end: &mut InputEnd,
        work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
        take: &mut Take<'_, T>,
    ) -> Result<(), CliError> {
        self.check_language(sources)?;
        self.read_shown(Options::default(), sources, end, ProgressBar::hidden(), work, take)
    }

    /// The sources of the files, without messages about unreadable ones.
    pub(in crate::cli) fn quiet_sources(&self) -> Vec<Source> {
        find_sources(&self.files, "pgn", &mut |_, _| ())
    }

    /// The number of threads that the user has stated.
    pub(in crate::cli) const fn threads(&self) -> Option<u16> {
        self.threads
    }

    /// Follows the games that are wanted, on several threads. Each thread creates followers with `new`; `add` is called
    /// after a follower has followed a selected game; `merge` receives the followers in the order of the input.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    pub(in crate::cli) fn sift<F: Follow + Send + 'static>(
        &self,
        wanted: Wanted<'_>,
        new: impl Fn() -> F + Sync,
        add: impl Fn(&mut F, &dyn Header, GameResult) + Sync,
        mut merge: impl FnMut(F) -> Result<(), CliError>,
    ) -> Result<(Sifted, InputEnd), CliError> {
        let Wanted { query, selection, position } = wanted;
        let mut sum = Sifted::default();
        let by_segment = position.is_some() || !F::WANTS_MOVES || query.is_some_and(Query::is_indexed);
        let end = self.read_with(
            Options { by_segment, ..Options::default() },
            false,
            |part, emit| {
                let mut sieve = Sieve::new(query, self.language, selection.is_thorough(), new());
                let mut findings = Findings::default();
                let mut sifted = Sifted::default();
                // With an index, few games remain to be read.
                let required = position.or_else(|| query.and_then(Query::required_position));
                if let Some(key) = required {
                    part.reader.require(key)?;
                }
                if query.is_none()
                    && !selection.is_thorough()
                    && let Some(position) = sieve.follower.counted_position().copied()
                    && let Some(counted) = part.reader.counted(&position)?
                {
                    sifted.found += counted.total.games;
                    sieve.follower.add_counted(&counted);
                }
                loop {
                    if required.is_some() || query.is_some() {
                        let passed = part.reader.skip(query)?;
                        sifted.read += passed;
                        sieve.follower.pass(passed);
                    }
                    if F::WANTS_COLUMNS && !selection.is_thorough() {
                        let mut take = |columns: TagColumns<'_>, games: &[usize]| {
                            sieve.follower.add_columns(columns, games)
                        };
                        let taken = part.reader.take_columns(query, &mut take)?;
                        sifted.read += taken.games;
                        sifted.found += taken.found;
                    }
                    if !F::WANTS_MOVES && !selection.is_thorough() {
                        let mut take = |header: &dyn Header, result| add(&mut sieve.follower, header, result);
                        if part.reader.take_header(query, &mut take)? {
                            sifted.read += 1;
                            sifted.found += 1;
                            continue;
                        }
                    }
                    if !part.reader.read_game(&mut sieve)? {
                        break;
                    }
                    sifted.read += 1;
                    let is_taken = !sieve.is_ruled_out()
                        && findings.add_game(sieve.errors(), selection)
                        && sieve.is_found();
                    if is_taken {
                        sifted.found += 1;
                        let (follower, header, result) = sieve.game();
                        add(follower, header, result);
                    }
                    if findings.found.len() >= MAX_FINDINGS {
                        emit((None, std::mem::take(&mut findings)))?;
                    }
                }
                emit((Some((sieve.follower, sifted)), findings))
            },
            &mut |source, bar, (follower, findings): (Option<(F, Sifted)>, Findings)| {
                selection.print(&findings.found, source, bar);
                if let Some((follower, sifted)) = follower {
                    sum.read += sifted.read;
                    sum.found += sifted.found;
                    merge(follower)?;
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok((sum, end))
    }

    /// Reads games as [`Inputs::read`] does, until `take` returns a break.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    pub(super) fn read_with<T: Send + 'static>(
        &self,
        options: Options,
        shares_terminal: bool,
        work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
        take: &mut Take<'_, T>,
    ) -> Result<InputEnd, CliError> {
        let mut end = InputEnd::default();
        let sources = self.sources(&mut end);
        self.read_sources(options, &sources, &mut end, shares_terminal, work, take)?;
        Ok(end)
    }

    /// Reads all games as [`Inputs::read`] does, with their text, so that they can be stored.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    pub(in crate::cli) fn read_to_store<T: Send + 'static>(
        &self,
        work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
        take: &mut Take<'_, T>,
    ) -> Result<InputEnd, CliError> {
        self.read_with(Options { keeps_text: true, ..Options::default() }, false, work, take)
    }

    /// The sources of the files. The error of a path that cannot be read is printed.
    pub(in crate::cli) fn sources(&self, end: &mut InputEnd) -> Vec<Source> {
        sources(&self.files, "pgn", end)
    }

    /// Reads the games of these sources as [`Inputs::read`] does, until `take` returns a break.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    pub(super) fn read_sources<T: Send + 'static>(
        &self,
        options: Options,
        sources: &[Source],
        end: &mut InputEnd,
        shares_terminal: bool,
        work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
        take: &mut Take<'_, T>,
    ) -> Result<(), CliError> {
        self.check_language(sources)?;
        let bar = progress_bar(sources, shares_terminal);
        self.read_shown(options, sources, end, bar, work, take)
    }

    /// # Errors
    /// [`CliError::Usage`] if a language is stated and a source is a collection, whose moves are stored without
    /// letters.
    fn check_language(&self, sources: &[Source]) -> Result<(), CliError> {
        let is_stored = |source: &Source| matches!(source, Source::Collection(_));
        if self.language != PieceLetters::default() && sources.iter().any(is_stored) {
            return Err(CliError::usage(
                "--language is for PGN files: the moves of a collection have been read",
            ));
        }
        Ok(())
    }

    /// Reads sources as [`Inputs::read_sources`] does, with this bar for the number of bytes read.
    fn read_shown<T: Send + 'static>(
        &self,
        mut options: Options,
        sources: &[Source],
        end: &mut InputEnd,
        bar: ProgressBar,
        work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
        take: &mut Take<'_, T>,
    ) -> Result<(), CliError> {
        if let Some(threads) = self.threads {
            options.threads = usize::from(threads);
        }
        let shown = bar.clone();
        options.warn = Arc::new(move |source, text| shown.suspend(|| warn(source, text)));
        let bytes = Arc::clone(&options.bytes);
        let flow = read(sources, &options, work, |source, result| {
            bar.set_position(bytes.load(Ordering::Relaxed));
            let done = match result {
                Ok(result) => {
                    end.status.add();
                    take(source, &bar, result)
                }
                Err(error) => {
                    bar.suspend(|| end.fail(source, &error));
                    Ok(ControlFlow::Continue(()))
                }
            };
            match done {
                Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                Ok(ControlFlow::Break(())) => ControlFlow::Break(Ok(())),
                Err(error) => ControlFlow::Break(Err(error)),
            }
        });
        bar.finish_and_clear();
        if let ControlFlow::Break(done) = flow {
            done?;
        }
        // Sources without games have passed on nothing, and are counted here.
        (end.failed..sources.len()).for_each(|_| end.status.add());
        end.status.status()?;
        Ok(())
    }
}

/// Prints a warning about an input.
pub(super) fn warn(source: &Source, text: &str) {
    // A failure to write the warning does not matter.
    let _ = writeln!(io::stderr(), "warning: {}: {text}", source.name());
}

/// The counts of readable and unreadable inputs.
#[derive(Default)]
pub(in crate::cli) struct InputEnd {
    pub(super) status: InputStatus,
    /// The number of sources that could not be read to their end.
    failed: usize,
}

impl InputEnd {
    /// Reports that a source cannot be read to its end.
    pub(super) fn fail(&mut self, source: &Source, error: &io::Error) {
        let error = CliError::Input { name: source.name(), problem: error.to_string() };
        self.status.fail_file(source.path(), &error);
        self.failed += 1;
    }

    /// Whether all inputs could be read completely.
    ///
    /// # Errors
    /// [`CliError::Inputs`] if no input could be read.
    pub(in crate::cli) fn status(&self) -> Result<ExitStatus, CliError> {
        self.status.status()
    }

    /// Prevents the replacement of an input that could not be read completely by its readable part.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the output would replace such an input.
    pub(in crate::cli) fn check_target(&self, target: &OutputArg) -> Result<(), CliError> {
        self.status.check_target(target.path())
    }
}

/// The sources at these paths; in folders those with this extension. The error of a path that cannot be read is
/// printed.
pub(super) fn sources(paths: &[PathBuf], extension: &str, end: &mut InputEnd) -> Vec<Source> {
    find_sources(paths, extension, &mut |path, error| {
        let name = path.display().to_string();
        end.status.fail(&CliError::Input { name, problem: error.to_string() });
    })
}

/// A progress bar for reading sources, hidden unless standard error is a terminal that the output does not use.
pub(in crate::cli) fn progress_bar(sources: &[Source], shares_terminal: bool) -> ProgressBar {
    // Hidden bars need no size, for which collections are opened.
    if !io::stderr().is_terminal() || shares_terminal && io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let size: Option<u64> = sources.iter().map(Source::size).sum();
    let (bar, template) = match size {
        Some(size) => (
            ProgressBar::new(size),
            "{elapsed:>4} [{wide_bar}] {bytes}/{total_bytes}, {bytes_per_sec}, ETA {eta}",
        ),
        None => (ProgressBar::no_length(), "{elapsed:>4} {spinner} {bytes}, {bytes_per_sec}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(DRAWS_A_SECOND));
    styled(bar, template)
}
