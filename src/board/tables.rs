//! Tables of the games of a file: players, openings and cross tables of events as in `hematite pgn`, and the names that
//! are proposed for queries.

use super::access::Peer;
use super::body::{Parameters, whole_number};
use super::file_routes::with_file;
use super::files::{FileError, GameFile, Unwanted};
use super::known_names::{CountedNames, KnownNames};
use super::terms::continuations;
use super::{app::App, failure::Failure};
use crate::database::{
    Cross, EventReport, Follow, GameFacts, Header, HeadersOnly, Joined, OpeningNames, OpeningPart,
    OpeningRow, Options, Part, PlayerRow, Players, Query, Sieve, TagColumns, TooManyMoves, joined_players,
    read,
};
use crate::notation::PieceLetters;
use crate::notation::eco::openings;
use crate::notation::pgn::GameResult;
use axum::Json;
use axum::extract::{Extension, Path, State};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The maximum number of rows in an answer.
const MAX_ROWS: usize = 1000;
const DEFAULT_ROWS: usize = 100;
/// The maximum number of cross tables in an answer, and of players in a table that is shown.
const MAX_EVENTS: usize = 20;
const MAX_STANDINGS: usize = 250;
/// The maximum number of names that are proposed.
const MAX_PROPOSED: usize = 12;

/// The parameters of a table.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wanted {
    query: String,
    sort: Sort,
    part: Named,
    /// Whether different spellings of a name count as different players.
    exact: bool,
    #[serde(deserialize_with = "whole_number")]
    skip: usize,
    #[serde(deserialize_with = "whole_number")]
    limit: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            query: String::new(),
            sort: Sort::Usual,
            part: Named::Family,
            exact: false,
            skip: 0,
            limit: DEFAULT_ROWS,
        }
    }
}

/// The order of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sort {
    /// Players by points, openings by games.
    Usual,
    Name,
    Games,
    /// By the share of points.
    Score,
    Rating,
    Performance,
    Eco,
}

/// The property by which openings are grouped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Named {
    Family,
    Variation,
    Name,
    Eco,
}

/// A part of the rows of a table.
#[derive(Serialize)]
pub(super) struct Rows<T> {
    /// The number of games that the query finds.
    games: u64,
    /// The total number of rows.
    count: usize,
    rows: Vec<T>,
    /// The names in these rows that join several spellings, each with the other spellings.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    joined: BTreeMap<String, BTreeSet<String>>,
}

impl<T> Rows<T> {
    fn new(games: u64, rows: Vec<T>, wanted: &Wanted) -> Self {
        let count = rows.len();
        let limit = wanted.limit.min(MAX_ROWS);
        let rows = rows.into_iter().skip(wanted.skip).take(limit).collect();
        Self { games, count, rows, joined: BTreeMap::new() }
    }
}

/// The groups of spellings with one of these names.
fn groups_of(joined: &Joined, names: &BTreeSet<&str>) -> BTreeMap<String, BTreeSet<String>> {
    let groups = joined.groups().into_iter().filter(|(name, _)| names.contains(name));
    let owned = |spellings: BTreeSet<&str>| spellings.into_iter().map(str::to_owned).collect();
    groups.map(|(name, spellings)| (name.to_owned(), owned(spellings))).collect()
}

/// Answers `GET /api/files/F/players`.
///
/// # Errors
/// [`Failure`] if there is no such file, the query is invalid, or the file cannot be read.
pub(super) async fn players(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    Parameters(wanted): Parameters<Wanted>,
) -> Result<Json<Rows<PlayerRow>>, Failure> {
    with_file(&app, &peer, file, move |file, unwanted| {
        let query = file.query(&wanted.query)?;
        let (games, players) = file.players(&query, unwanted)?;
        let joined = if wanted.exact { Joined::default() } else { players.joined() };
        let mut rows = PlayerRow::all(&players, &joined);
        match wanted.sort {
            Sort::Usual | Sort::Eco => {}
            Sort::Name => rows.sort_by_cached_key(|row| row.name.to_lowercase()),
            Sort::Games => rows.sort_by_key(|row| Reverse(row.games)),
            Sort::Score => {
                rows.sort_by(|a, b| b.score.unwrap_or(-1.0).total_cmp(&a.score.unwrap_or(-1.0)));
            }
            Sort::Rating => rows.sort_by_key(|row| Reverse(row.rating)),
            Sort::Performance => rows.sort_by_key(|row| Reverse(row.performance)),
        }
        let shown = Rows::new(games, rows, &wanted);
        let joined = groups_of(&joined, &shown.rows.iter().map(|row| &*row.name).collect());
        Ok(Rows { joined, ..shown })
    })
    .await
    .map(Json)
}

/// Answers `GET /api/files/F/openings`.
///
/// # Errors
/// As [`players`].
pub(super) async fn opening_table(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    Parameters(wanted): Parameters<Wanted>,
) -> Result<Json<Rows<OpeningRow>>, Failure> {
    let part = match wanted.part {
        Named::Family => OpeningPart::Family,
        Named::Variation => OpeningPart::Variation,
        Named::Name => OpeningPart::Name,
        Named::Eco => OpeningPart::Eco,
    };
    with_file(&app, &peer, file, move |file, unwanted| {
        let query = file.query(&wanted.query)?;
        let (games, names) = file.opening_names(&query, unwanted)?;
        let mut rows = OpeningRow::most_first(&names, games, part);
        match wanted.sort {
            Sort::Name => rows.sort_by(|a, b| a.name.cmp(&b.name)),
            Sort::Eco => rows.sort_by(|a, b| a.eco.cmp(&b.eco)),
            Sort::Score => rows.sort_by(|a, b| {
                let score = |row: &OpeningRow| row.numbers.score.unwrap_or(-1.0);
                score(b).total_cmp(&score(a))
            }),
            _ => {}
        }
        Ok(Rows::new(games, rows, &wanted))
    })
    .await
    .map(Json)
}

/// Answers `GET /api/files/F/crosstable`.
///
/// # Errors
/// As [`players`].
pub(super) async fn crosstable(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    Parameters(wanted): Parameters<Wanted>,
) -> Result<Json<Rows<EventReport>>, Failure> {
    with_file(&app, &peer, file, move |file, unwanted| {
        let query = file.query(&wanted.query)?;
        let (games, cross) = file.cross(&query, unwanted)?;
        let events = cross.events();
        let all = events.iter().flat_map(|event| &event.games);
        let joined = if wanted.exact { Joined::default() } else { joined_players(all) };
        let count = events.len();
        let shown = || events.iter().skip(wanted.skip).take(wanted.limit.min(MAX_EVENTS));
        // Browsers cannot show a table of thousands of players.
        let is_shown = |games: &[crate::database::CrossGame]| {
            let names: BTreeSet<&str> =
                games.iter().flat_map(|game| &game.names).map(|name| &**name).collect();
            names.len() <= MAX_STANDINGS
        };
        let rows = shown()
            .filter(|event| is_shown(&event.games))
            .map(|event| EventReport::fitting(event, &joined))
            .collect();
        let names = shown().flat_map(|event| &event.games).flat_map(|game| &game.names);
        let joined = groups_of(&joined, &names.map(|name| joined.name(name)).collect());
        Ok(Rows { games, count, rows, joined })
    })
    .await
    .map(Json)
}

/// The parameters of a request for names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Prefix {
    kind: Kind,
    #[serde(default)]
    prefix: String,
}

/// The kind of name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Player,
    Event,
    Site,
    Opening,
    Eco,
    /// A term of a query, or after its name and `:` the whole term with a value.
    Term,
}

/// A proposed name with the number of games that have it.
#[derive(Serialize)]
pub(super) struct Proposed {
    name: String,
    /// `None` for openings and terms.
    games: Option<u64>,
    /// The description of a code or term.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'static str>,
}

/// Answers `GET /api/files/F/names`.
///
/// # Errors
/// As [`players`].
pub(super) async fn names(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    Parameters(Prefix { kind, prefix }): Parameters<Prefix>,
) -> Result<Json<Vec<Proposed>>, Failure> {
    let prefix = prefix.to_lowercase();
    with_file(&app, &peer, file, move |file, unwanted| {
        let all = file.query("")?;
        if kind == Kind::Opening {
            let names = openings().iter().map(|opening| opening.name());
            let found: BTreeSet<&str> =
                names.filter(|name| name.to_lowercase().starts_with(&prefix)).collect();
            let mut found: Vec<&str> = found.into_iter().collect();
            // Short names are more general, and so more frequent.
            found.sort_by_key(|name| (name.matches([':', ',']).count(), name.len()));
            let proposed = |name: &str| Proposed { name: name.to_owned(), games: None, text: None };
            return Ok(found.into_iter().take(MAX_PROPOSED).map(proposed).collect());
        }
        if kind == Kind::Term {
            let proposed = |(name, text)| Proposed { name, games: None, text: Some(text) };
            return Ok(continuations(&prefix).into_iter().take(MAX_PROPOSED).map(proposed).collect());
        }
        if kind == Kind::Eco {
            return Ok(codes(&prefix));
        }
        let known = file.known_names(&all, unwanted)?;
        let names = match kind {
            Kind::Player => &known.players,
            Kind::Event => &known.events,
            _ => &known.sites,
        };
        let found = names.iter().filter(|(name, _)| name.to_lowercase().starts_with(&prefix));
        let proposed =
            |(name, games): &(String, u64)| Proposed { name: name.clone(), games: Some(*games), text: None };
        Ok(found.take(MAX_PROPOSED).map(proposed).collect())
    })
    .await
    .map(Json)
}

/// The ECO codes with this prefix, each with its shortest name.
fn codes(prefix: &str) -> Vec<Proposed> {
    let mut names: BTreeMap<String, &'static str> = BTreeMap::new();
    for opening in openings().iter() {
        let code = opening.code().to_string();
        if code.to_lowercase().starts_with(prefix) {
            let name = names.entry(code).or_insert(opening.name());
            if opening.name().len() < name.len() {
                *name = opening.name();
            }
        }
    }
    let proposed = |(name, text)| Proposed { name, games: None, text: Some(text) };
    names.into_iter().take(MAX_PROPOSED).map(proposed).collect()
}

impl GameFile {
    fn players(&self, query: &Query, unwanted: &Unwanted) -> Result<(u64, Players), FileError> {
        let mut players = Players::default();
        let games = self.sift(query, Players::default, Players::add, |part| players.merge(part), unwanted)?;
        Ok((games, players))
    }

    fn opening_names(&self, query: &Query, unwanted: &Unwanted) -> Result<(u64, OpeningNames), FileError> {
        let mut names = OpeningNames::default();
        let add = |names: &mut OpeningNames, header: &dyn Header, result| {
            names.add(&GameFacts::new(header, result));
        };
        let merge = |part| {
            names.merge(part);
            Ok(())
        };
        let games = self.sift(query, OpeningNames::default, add, merge, unwanted)?;
        Ok((games, names))
    }

    fn cross(&self, query: &Query, unwanted: &Unwanted) -> Result<(u64, Cross), FileError> {
        let mut cross = Cross::default();
        let new = || HeadersOnly(Cross::default());
        let add = |cross: &mut HeadersOnly<Cross>, header: &dyn Header, result| cross.0.add(header, result);
        let games = self.sift(query, new, add, |part| cross.merge(part.0), unwanted)?;
        Ok((games, cross))
    }

    /// The names in the file. They are read at the first request, and again after the file has changed.
    fn known_names(&self, all: &Query, unwanted: &Unwanted) -> Result<Arc<KnownNames>, FileError> {
        self.names_or(|| {
            let mut names = CountedNames::default();
            let add = |names: &mut HeadersOnly<CountedNames>, header: &dyn Header, _| names.0.add(header);
            let merge = |part: HeadersOnly<CountedNames>| {
                names.merge(part.0);
                Ok(())
            };
            self.sift(all, || HeadersOnly(CountedNames::default()), add, merge, unwanted)?;
            Ok(names.into())
        })
    }

    /// Passes all games that a query finds to followers, and returns their number. If columns or headers are
    /// sufficient, only these are read of a collection.
    pub(super) fn sift<F: Follow + Send + 'static>(
        &self,
        query: &Query,
        new: impl Fn() -> F + Sync,
        add: impl Fn(&mut F, &dyn Header, GameResult) + Sync,
        mut merge: impl FnMut(F) -> Result<(), TooManyMoves>,
        unwanted: &Unwanted,
    ) -> Result<u64, FileError> {
        let work = |part: &mut Part<'_>, emit: &mut dyn FnMut((u64, F)) -> io::Result<()>| {
            let mut sieve = Sieve::new(Some(query), PieceLetters::default(), false, new());
            let mut found = 0;
            part.reader.require_found(Some(query))?;
            // Checked before each game, so that a canceled request ends within a part.
            let is_wanted = || match unwanted.load(Ordering::Relaxed) {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => Ok::<(), io::Error>(()),
            };
            loop {
                is_wanted()?;
                let passed = part.reader.skip(Some(query))?;
                sieve.follower.pass(passed);
                if F::WANTS_COLUMNS {
                    let mut take =
                        |columns: TagColumns<'_>, games: &[usize]| sieve.follower.add_columns(columns, games);
                    found += part.reader.take_columns(Some(query), &mut take)?.found;
                }
                if !F::WANTS_MOVES {
                    let mut take = |header: &dyn Header, result| add(&mut sieve.follower, header, result);
                    if part.reader.take_header(Some(query), &mut take)? {
                        found += 1;
                        continue;
                    }
                }
                if !part.reader.read_game(&mut sieve)? {
                    break;
                }
                if !sieve.is_ruled_out() && sieve.is_found() {
                    found += 1;
                    let (follower, header, result) = sieve.game();
                    add(follower, header, result);
                }
            }
            emit((found, sieve.follower))
        };
        let options = Options { by_segment: !F::WANTS_MOVES || query.is_indexed(), ..Options::default() };
        let mut games = 0;
        let sources = self.sources()?;
        let end = read(&sources, &options, work, |source, part: io::Result<(u64, F)>| {
            let merged = match part {
                _ if unwanted.load(Ordering::Relaxed) => Err(FileError::Unwanted),
                Ok((found, part)) => {
                    games += found;
                    merge(part).map_err(FileError::from)
                }
                Err(error) => Err(FileError::Read(format!("{}: {error}", source.name()))),
            };
            merged.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        match end {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(games),
        }
    }
}
