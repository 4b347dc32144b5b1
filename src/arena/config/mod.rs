//! The configuration of a match: read from tables of keys and values, checked, and written as such tables. The names
//! are the same on the command line and in TOML files.

mod engine;

pub use super::scalar::ConfigError;
pub use engine::Entrant;

use super::game::{Adjudication, DrawRule, ResignRule, TablebaseRule, TablebaseScope};
use super::log::PgnOptions;
use super::opening::{BookFormat, OpeningSuite, OpeningSuiteError, Order, Sequence, Variant};
use super::scalar;
use super::schedule::{Format, OpeningPolicy, Schedule};
use super::statistics::Sprt;
use crate::client::{EngineConfig, Timeouts};
use crate::files::PathExcerpt;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::Not;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Table;

/// The maximum number of concurrent games, within the limits of systems for processes and files.
const MAX_CONCURRENCY: usize = 1024;
/// The maximum number of games or pairs of games: the schedule is kept in memory.
const MAX_PAIRINGS: usize = 10_000_000;
/// The maximum number of the first opening: random orders are generated from their start.
const MAX_START: usize = 100_000_000;
/// The extension that is added to the name of the PGN file if no state file is stated.
const STATE_EXTENSION: &str = "state";

/// The complete configuration of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchConfig {
    /// The settings of all engines. Settings other than options have been copied to the engines that do not state their
    /// own.
    #[serde(skip_serializing_if = "Entrant::is_empty")]
    pub each: Entrant,
    /// The engines; at least two.
    #[serde(rename = "engine")]
    pub engines: Vec<Entrant>,
    /// The format of the match, which determines the pairings.
    #[serde(rename = "tournament")]
    pub format: Format,
    /// The number of engines that play all others in a gauntlet, or keep their places in a knockout.
    #[serde(deserialize_with = "scalar::optional_count", skip_serializing_if = "Option::is_none")]
    pub seeds: Option<usize>,
    /// The number of encounters of every two engines.
    #[serde(deserialize_with = "scalar::count")]
    pub rounds: usize,
    /// The number of games of an encounter; `Some` after the configuration has been read.
    #[serde(deserialize_with = "scalar::optional_count", skip_serializing_if = "Option::is_none")]
    games: Option<usize>,
    /// The number of games on each opening; `Some` after the configuration has been read.
    #[serde(deserialize_with = "scalar::repetitions", skip_serializing_if = "Option::is_none")]
    repeat: Option<usize>,
    /// Whether colors stay the same from game to game.
    #[serde(rename = "noswap", deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub keeps_colors: bool,
    /// Whether the second engine has White first.
    #[serde(rename = "reverse", deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub is_reversed: bool,
    /// The pause between two games.
    #[serde(
        deserialize_with = "scalar::milliseconds",
        serialize_with = "scalar::serialize_milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub wait: Option<Duration>,
    /// The number of concurrent games.
    #[serde(deserialize_with = "scalar::count")]
    pub concurrency: usize,
    /// The variant of chess.
    pub variant: Variant,
    /// The book of openings and their order.
    pub openings: OpeningConfig,
    /// The seed of random orders.
    #[serde(deserialize_with = "scalar::whole", serialize_with = "large_number")]
    pub seed: u64,
    /// The rule for the adjudication of draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The rule for the adjudication of losses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// The full move after which a game is adjudicated a draw.
    #[serde(
        rename = "maxmoves",
        deserialize_with = "scalar::limit",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_moves: Option<u32>,
    /// The folders of the endgame tablebases for adjudication.
    #[serde(rename = "tb", deserialize_with = "some_text", skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// The maximum number of pieces of positions that are probed; `None` for that of the tables.
    #[serde(
        rename = "tbpieces",
        deserialize_with = "scalar::optional_count",
        skip_serializing_if = "Option::is_none"
    )]
    table_men: Option<u32>,
    /// Whether tablebase results ignore the 50-move rule.
    #[serde(rename = "tbignore50", deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    tables_ignore_fifty_moves: bool,
    /// The tablebase results that end games.
    #[serde(rename = "tbadjudicate", skip_serializing_if = "TablebaseScope::is_all")]
    table_scope: TablebaseScope,
    /// The sequential test that may end the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The time limits for the answers of engines.
    #[serde(with = "TimeoutTable")]
    pub timeouts: Timeouts,
    /// The PGN file, and the content of its comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<PgnOptions>,
    /// The file of the final positions, as EPD.
    #[serde(
        deserialize_with = "scalar::path",
        serialize_with = "lossy_path",
        skip_serializing_if = "Option::is_none"
    )]
    pub epd_out: Option<PathBuf>,
    /// The log file of the communication with the engines.
    #[serde(
        deserialize_with = "scalar::path",
        serialize_with = "lossy_path",
        skip_serializing_if = "Option::is_none"
    )]
    pub log: Option<PathBuf>,
    /// The state file; by default it is next to the PGN file.
    #[serde(
        deserialize_with = "scalar::path",
        serialize_with = "lossy_path",
        skip_serializing_if = "Option::is_none"
    )]
    pub state: Option<PathBuf>,
    /// The number of games between two reports; `None` for a report only at the end.
    #[serde(
        rename = "report",
        alias = "rating-interval",
        deserialize_with = "scalar::limit",
        serialize_with = "number_or_zero"
    )]
    pub rating_interval: Option<usize>,
    /// The `Event` tag of games.
    #[serde(deserialize_with = "scalar::text")]
    pub event: String,
    /// The `Site` tag of games.
    #[serde(deserialize_with = "scalar::text")]
    pub site: String,
}

impl Default for MatchConfig {
    fn default() -> Self {
        Self {
            each: Entrant::default(),
            engines: Vec::new(),
            format: Format::default(),
            seeds: None,
            rounds: 1,
            games: None,
            repeat: None,
            keeps_colors: false,
            is_reversed: false,
            wait: None,
            concurrency: 1,
            variant: Variant::default(),
            openings: OpeningConfig::default(),
            seed: 0,
            draw: None,
            resign: None,
            max_moves: None,
            tables: None,
            table_men: None,
            tables_ignore_fifty_moves: false,
            table_scope: TablebaseScope::default(),
            sprt: None,
            timeouts: Timeouts::default(),
            pgn: None,
            epd_out: None,
            log: None,
            state: None,
            rating_interval: Some(10),
            event: "Hematite match".to_owned(),
            site: "?".to_owned(),
        }
    }
}

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpeningConfig {
    /// The book, if there is one.
    #[serde(
        deserialize_with = "scalar::path",
        serialize_with = "lossy_path",
        skip_serializing_if = "Option::is_none"
    )]
    pub file: Option<PathBuf>,
    /// The format of the book; `None` to determine it from the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<BookFormat>,
    /// The maximum number of plies taken from games.
    #[serde(deserialize_with = "scalar::optional_count", skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The order of the openings.
    pub order: Order,
    /// The number of games for which an opening is kept.
    #[serde(skip_serializing_if = "is_default")]
    pub policy: OpeningPolicy,
    /// The number of the first opening, counted from 1.
    #[serde(deserialize_with = "scalar::count")]
    pub start: usize,
}

impl Default for OpeningConfig {
    fn default() -> Self {
        Self {
            file: None,
            format: None,
            plies: None,
            order: Order::default(),
            policy: OpeningPolicy::default(),
            start: 1,
        }
    }
}

/// The keys of [`Timeouts`], in seconds.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Timeouts", default = "Timeouts::default", deny_unknown_fields)]
struct TimeoutTable {
    #[serde(with = "scalar::seconds")]
    start: Duration,
    #[serde(with = "scalar::seconds")]
    ping: Duration,
    #[serde(with = "scalar::seconds")]
    stop: Duration,
    #[serde(with = "scalar::seconds")]
    quit: Duration,
    #[serde(with = "scalar::seconds")]
    think: Duration,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn some_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    scalar::text(deserializer)
}

fn number_or_zero<S: Serializer>(number: &Option<usize>, serializer: S) -> Result<S::Ok, S::Error> {
    number.unwrap_or_default().serialize(serializer)
}

fn lossy_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.as_deref().unwrap_or(Path::new("")).display())
}

/// Serializes a number as text if it is too large for TOML, whose integers are `i64`.
fn large_number<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*number) {
        Ok(number) => serializer.serialize_i64(number),
        Err(_) => serializer.collect_str(number),
    }
}

impl MatchConfig {
    /// Reads a configuration from tables of keys and values: `engine` is an array of tables, `each` contains the
    /// settings of all engines.
    ///
    /// # Errors
    /// [`ConfigError`] for the first problem, with what was expected.
    pub fn read(mut table: Table) -> Result<Self, ConfigError> {
        let (each, engines) = engine::read(table.remove("each"), table.remove("engine"))?;
        let mut config = table.try_into::<Self>().map_err(|error| ConfigError::of_table(None, &error))?;
        (config.each, config.engines) = (each, engines);
        config.resolve_games()?;
        config.validate()?;
        Ok(config)
    }

    /// Sets the numbers of games of an encounter and on an opening, of which at most one may be stated.
    fn resolve_games(&mut self) -> Result<(), ConfigError> {
        /// Far more games than are useful.
        const MAX_GAMES: usize = 1000;
        let repeat = self.repeat.or(self.games).unwrap_or(1);
        let games = self.games.unwrap_or(repeat);
        if games > MAX_GAMES {
            let problem = format!("games=`{games}`, expected a whole number from 1 to {MAX_GAMES}");
            return Err(ConfigError(problem));
        }
        if !games.is_multiple_of(repeat) {
            let problem = format!(
                "games=`{games}`, expected a multiple of the {repeat} games on each opening (repeat)"
            );
            return Err(ConfigError(problem));
        }
        (self.games, self.repeat) = (Some(games), Some(repeat));
        Ok(())
    }

    /// Sets the state file, and checks the conditions that concern several keys.
    fn validate(&mut self) -> Result<(), ConfigError> {
        let error = |problem: String| Err(ConfigError(problem));
        let ranges = [
            ("concurrency", self.concurrency, MAX_CONCURRENCY),
            ("openings: start", self.openings.start, MAX_START),
        ];
        for (key, value, max) in ranges {
            if value > max {
                return error(format!("{key}=`{value}`, expected a whole number from 1 to {max}"));
            }
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return error(format!("sprt: {} engines, expected 2 for a test", self.engines.len()));
        }
        if self.schedule().count().is_none_or(|pairings| pairings > MAX_PAIRINGS) {
            return error(format!(
                "rounds: too many, expected at most {MAX_PAIRINGS} for all pairings together"
            ));
        }
        if self.seeds.is_some_and(|seeds| seeds >= self.engines.len() && self.format == Format::Gauntlet) {
            return error(format!("seeds: all {} engines, expected fewer in a gauntlet", self.engines.len()));
        }
        if self.seeds.is_some() && !matches!(self.format, Format::Gauntlet | Format::Knockout) {
            return error("seeds: expected a gauntlet or a knockout".to_owned());
        }
        let is_tables_stated =
            self.table_men.is_some() || self.tables_ignore_fifty_moves || !self.table_scope.is_all();
        if self.tables.is_none() && is_tables_stated {
            return error(
                "tbpieces, tbignore50, tbadjudicate: no endgame tables, expected tb=FOLDER".to_owned(),
            );
        }
        // A match whose games are written to a file can be resumed.
        let games = self.pgn.as_ref().map(|pgn| &pgn.file);
        self.state = self.state.take().or_else(|| Some(games?.with_added_extension(STATE_EXTENSION)));
        let files = [
            ("pgn", games),
            ("epd-out", self.epd_out.as_ref()),
            ("log", self.log.as_ref()),
            ("state", self.state.as_ref()),
        ];
        let mut seen: BTreeMap<PathBuf, &str> = BTreeMap::new();
        for (key, path) in files {
            let Some(path) = path else { continue };
            // `x` and `./x` are the same file.
            let full = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            if let Some(other) = seen.insert(full, key) {
                let path = PathExcerpt::new(path);
                return error(format!("{other} and {key}: both {path}, expected a file for each"));
            }
        }
        // Several engines may share a file for standard error.
        for path in self.engines.iter().filter_map(Entrant::stderr) {
            let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            if let Some(other) = seen.get(&full) {
                let path = PathExcerpt::new(path);
                return error(format!("{other} and stderr: both {path}, expected a file for each"));
            }
        }
        Ok(())
    }

    /// The tables that are read back as this configuration, with all settings except those that are absent.
    pub fn write(&self) -> Table {
        Table::try_from(self).expect("every setting is a value of TOML")
    }

    /// The schedule of the match.
    pub fn schedule(&self) -> Schedule {
        let repeat = self.repeat.unwrap_or(1);
        Schedule {
            players: self.engines.len(),
            format: self.format,
            seeds: self.seeds,
            rounds: self.rounds,
            pairings: self.games.unwrap_or(repeat) / repeat,
            repeat,
            swaps: !self.keeps_colors,
            is_reversed: self.is_reversed,
            policy: self.openings.policy,
            lots: self.seed,
        }
    }

    /// The PGN file.
    pub fn pgn_file(&self) -> Option<&Path> {
        self.pgn.as_ref().map(|pgn| pgn.file.as_path())
    }

    /// The program of an engine, and its options together with those of all engines.
    pub fn settings(&self, engine: usize) -> EngineConfig {
        self.engines[engine].settings(&self.each)
    }

    /// The rules that end games before the rules of chess do.
    pub fn adjudication(&self) -> Adjudication {
        let tablebase = self.tables.is_some().then_some(TablebaseRule {
            men: self.table_men,
            ignores_fifty_moves: self.tables_ignore_fifty_moves,
            scope: self.table_scope,
        });
        Adjudication { draw: self.draw, resign: self.resign, max_moves: self.max_moves, tablebase }
    }

    /// The order in which openings are used.
    pub const fn sequence(&self) -> Sequence {
        Sequence { order: self.openings.order, first: self.openings.start - 1, seed: self.seed }
    }

    /// Reads the openings of the book that the match uses, or generates the default openings of the variant.
    ///
    /// # Errors
    /// [`OpeningSuiteError`] if the file is not a book.
    pub fn open_book(&self) -> Result<OpeningSuite, OpeningSuiteError> {
        let OpeningConfig { file, format, plies, .. } = &self.openings;
        match file {
            Some(path) => OpeningSuite::select(path, *format, *plies, |len| {
                self.sequence().places(len, self.schedule().openings())
            }),
            None => Ok(self.variant.default_book(self.seed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<MatchConfig, String> {
        let table = text.parse::<Table>().expect("valid TOML");
        MatchConfig::read(table).map_err(|error| error.to_string())
    }

    const TWO: &str = "[[engine]]\ncmd='a'\n[[engine]]\ncmd='b'\n";

    #[test]
    fn a_full_plan_survives_being_written_and_read() {
        let text = "
            rounds = 500\ngames = 6\nrepeat = true\nconcurrency = 2\nwait = 20\nnoswap = true\nreverse = true\nseeds = 1\ntb = 'x'\ntbpieces = 4\ntbignore50 = true\ntbadjudicate = 'draw'\nseed = 7\nvariant = 'dfrc'\nmaxmoves = 200
            epd-out = 'end.epd'\nlog = 'l'\nstate = 's'\nreport = 20\nevent = 'E'\nsite = 'S'\ntournament = 'gauntlet'
            openings = { file = 'b.pgn', format = 'pgn', order = 'random', policy = 'round', start = 3, plies = 8 }
            sprt = { elo0 = 0, elo1 = 10, alpha = 0.01, model = 'logistic' }
            draw = { movenumber = 40, movecount = 8, score = 10 }
            resign = { movecount = 3, score = 600, twosided = true }
            pgn = { file = 'g.pgn', nodes = true, pv = true, seldepth = true, nps = true, hashfull = true, timeleft = true, latency = true, tbhits = true, whitepov = true, min = true }
            timeouts = { start = 1, ping = 2.5, stop = 3, quit = 4, think = 5 }
            each = { tc = '8+0.08', timemargin = 100, option = { Hash = 16, 'Move Overhead' = '5' } }
            [[engine]]
            cmd = './a'\nname = 'A'\nargs = '-x  1'\ndir = '/tmp'\nponder = true\nrestart = true\nwhitepov = true\nbook = 'b.bin'\nbookdepth = 6\nstderr = 'e'
            [[engine]]
            cmd = 'b'\nst = 0.5\nargs = ['a b', 'c']\noption = { Hash = 32 }";
        let config = read(text).expect("a config");
        assert_eq!(config.engines[0].limits().to_string(), "8+0.08");
        assert_eq!(config.engines[1].limits().to_string(), "0.5/move");
        assert_eq!(config.settings(0).arguments, ["-x", "1"]);
        let told: Vec<_> = config
            .settings(1)
            .options
            .iter()
            .map(|option| (option.name.clone(), option.value.clone(), option.is_required))
            .collect();
        assert_eq!(
            told,
            [("Hash".to_owned(), "32".to_owned(), true), ("Move Overhead".to_owned(), "5".to_owned(), false)]
        );
        assert_eq!(config.sequence(), Sequence { order: Order::Random, first: 2, seed: 7 });
        let again = MatchConfig::read(config.write()).expect("what was written is a config");
        assert_eq!(again, config);
    }

    #[test]
    fn options_for_all_stay_what_an_engine_may_lack() {
        let cases = [
            ("for all", "each.option = { A = 1, B = 2 }", ["", ""]),
            ("one engine has its own", "each.option = { A = 1, B = 2 }", ["option = { a = 3 }", ""]),
            (
                "each has its own",
                "each.option = { A = 1 }",
                ["option = { A = 3, C = 4 }", "option = { a = 1 }"],
            ),
            ("names that differ in case alone", "each.option = { A = 1, a = 2 }", ["option = { C = 3 }", ""]),
            ("none for all", "", ["option = { A = 1 }", ""]),
        ];
        for (name, each, [first, second]) in cases {
            let text = format!(
                "{each}\neach.nodes = 1\n[[engine]]\ncmd = 'a'\n{first}\n[[engine]]\ncmd = 'b'\n{second}"
            );
            let config = read(&text).expect(name);
            assert_eq!(MatchConfig::read(config.write()), Ok(config), "{name}");
        }
    }

    #[test]
    fn a_file_has_one_purpose() {
        let read_with = |words: &str| read(&format!("{words}\neach = {{ nodes = 1 }}\n{TWO}"));
        let cases = [
            ("pgn.file = 'x'\nlog = 'x'", "pgn and log: both "),
            ("pgn.file = 'x'\nepd-out = './x'", "pgn and epd-out: both "),
            ("epd-out = 'folder/x'\nstate = 'folder//x'", "epd-out and state: both "),
            ("pgn.file = 'x'\nlog = 'x.state'", "log and state: both "),
        ];
        for (words, message) in cases {
            let error = read_with(words).expect_err(message);
            assert!(error.starts_with(message) && error.ends_with("expected a file for each"), "{error}");
        }
        let config = read_with("pgn.file = 'x'\nlog = 'folder/x'\nepd-out = 'y'").expect("different files");
        assert_eq!(config.state, Some(PathBuf::from("x.state")));
    }

    #[test]
    fn errors_suggest_the_nearest_key() {
        let each = format!("each = {{ tc = '1+0.01' }}\n{TWO}");
        let cases = [
            ("", "engine: 0 given, expected 2 or more"),
            (TWO, "engine 1: no limit, expected one of tc, st, nodes, depth"),
            ("each = { tcc = '1+1' }", "each: unknown key `tcc`, did you mean `tc`?"),
            ("each = { tc = '1+x' }", "each: tc=`1+x`, expected MOVES/SECONDS+INCREMENT such as"),
            ("each = { name = 'x' }", "each: every engine has a name"),
            (
                "[[engine]]\ncmd='a'\noptoin={Hash=1}\ntc=1",
                "engine 1: unknown key `optoin`, did you mean `option`?",
            ),
            ("[[engine]]\ntc=1", "engine 1: no cmd, expected cmd=PROGRAM"),
            (&format!("concurency = 2\n{each}"), "unknown key `concurency`, did you mean `concurrency`?"),
            (&format!("rounds = 0\n{each}"), "rounds=`0`, expected a whole number from 1 up"),
            (
                &format!("repeat = 'perhaps'\n{each}"),
                "repeat=`perhaps`, expected true, false or a whole number",
            ),
            (
                &format!("sprt = {{ elo1 = 5, elo2 = 1 }}\n{each}"),
                "sprt: unknown key `elo2`, did you mean `elo0`?",
            ),
            (
                &format!("sprt = {{ elo0 = 5, elo1 = 1 }}\n{each}"),
                "sprt: elo0=5 elo1=1, expected elo0 to be less",
            ),
            (
                &format!("openings = {{ oder = 'random' }}\n{each}"),
                "openings: unknown key `oder`, did you mean `order`?",
            ),
            (&format!("openings = 3\n{each}"), "`openings` is a single value, expected keys and values"),
            (&format!("zzzzzz = 3\n{each}"), "unknown key `zzzzzz`, expected one of each, engine,"),
        ];
        for (text, message) in cases {
            let error = read(text).expect_err(message);
            assert!(error.starts_with(message), "found {error}\nexpected {message}");
        }
    }

    #[test]
    fn an_engine_s_own_option_counts_however_it_is_written() {
        let text = "each = { nodes = 1, option = { hash = 16, 'Move Overhead' = 5 } }
            [[engine]]\ncmd = 'a'\noption = { Hash = 256 }\n[[engine]]\ncmd = 'b'\noption = { 'move overhead' = 9 }";
        let config = read(text).expect("a config");
        let told = [0, 1].map(|engine| {
            let options = config.settings(engine).options;
            options.iter().map(|option| format!("{}={}", option.name, option.value)).collect::<Vec<_>>()
        });
        assert_eq!(told, [["Hash=256", "Move Overhead=5"], ["hash=16", "move overhead=9"]]);
    }
}
