//! The errors of each player by phase, by opening and by the clock.

use crate::analysis::{Examined, Judgement, Phase};
use crate::chess::Color;
use crate::cli::pgn::NamedOpening;
use crate::cli::pgn::table::{Cell, Kind, Table, column};
use crate::database::{Joined, is_known_name, rating};
use crate::notation::pgn::{Game, GameResult};
use crate::notation::pluralize;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The maximum number of rows of a table.
const MAX_ROWS: usize = 100;
/// The number of percent in a whole.
const PERCENT: f64 = 100.0;
/// The expected score from which a player is winning; at one minus this score, the player is losing.
const WINNING: f64 = 0.8;
/// The difference in rating from which an opponent counts as stronger or weaker.
const RATING_MARGIN: u16 = 100;

/// Counts of a group of moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Counts {
    moves: u64,
    judged: [u64; 3],
    loss_cp: u64,
}

impl Counts {
    fn add(&mut self, judgement: Option<Judgement>, loss_cp: u32) {
        self.moves += 1;
        self.loss_cp += u64::from(loss_cp);
        if let Some(judgement) = judgement {
            self.judged[judgement as usize] += 1;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.loss_cp += other.loss_cp;
        for (own, other) in self.judged.iter_mut().zip(other.judged) {
            *own += other;
        }
    }

    /// The number of mistakes and blunders.
    const fn errors(&self) -> u64 {
        self.judged[Judgement::Mistake as usize] + self.judged[Judgement::Blunder as usize]
    }

    fn average_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss_cp as f64 / self.moves as f64)
    }

    /// The cell with inaccuracies, mistakes and blunders, and the average loss.
    fn cell(&self) -> Cell {
        let [inaccuracies, mistakes, blunders] = self.judged;
        Cell::optional(
            self.average_loss().map(|loss| format!("{inaccuracies} · {mistakes} · {blunders} ({loss:.0})")),
        )
    }
}

/// Games with a known accuracy.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Accuracy {
    games: u64,
    sum: f64,
}

impl Accuracy {
    fn add(&mut self, accuracy: Option<f64>) {
        if let Some(accuracy) = accuracy {
            self.games += 1;
            self.sum += accuracy;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.sum += other.sum;
    }

    fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.sum / self.games as f64)
    }

    fn cell(&self) -> Cell {
        Cell::decimal(self.mean())
    }
}

/// The results of games in which a player was winning or losing at some time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
struct Outcomes {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Outcomes {
    fn add(&mut self, result: GameResult, color: Color) {
        self.games += 1;
        match result {
            GameResult::Draw => self.drawn += 1,
            GameResult::Unknown => {}
            _ if result == GameResult::win(color) => self.won += 1,
            _ => self.lost += 1,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }

    /// The cells for the number of games, and for the results of games that have one with the share of points.
    fn cells(&self) -> [Cell; 3] {
        let finished = self.won + self.drawn + self.lost;
        let points = self.won as f64 + self.drawn as f64 / 2.0;
        let share = (finished > 0).then(|| points * PERCENT / finished as f64);
        [self.games.into(), Cell::Bar([self.won, self.drawn, self.lost]), Cell::decimal(share)]
    }
}

#[derive(Clone, PartialEq, Default, Debug)]
struct PlayerProfile {
    accuracy: Accuracy,
    /// Games in which the player was winning, and games in which the player was losing.
    outcomes: [Outcomes; 2],
    /// Moves against opponents with a much higher rating, about the same rating, and a much lower rating.
    by_rating: [Counts; 3],
    phases: [Counts; Phase::ALL.len()],
    /// Moves with enough time, and moves short of time.
    by_clock: [Counts; 2],
    /// Games and moves by color and opening family.
    openings: BTreeMap<(&'static str, String), (Accuracy, Counts)>,
}

impl PlayerProfile {
    fn merge(&mut self, other: Self) {
        self.accuracy.merge(&other.accuracy);
        let own = self.phases.iter_mut().chain(&mut self.by_clock).chain(&mut self.by_rating);
        let theirs = other.phases.iter().chain(&other.by_clock).chain(&other.by_rating);
        own.zip(theirs).for_each(|(own, other)| own.merge(other));
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(own, other)| own.merge(other));
        for (opening, (accuracy, counts)) in other.openings {
            let own = self.openings.entry(opening).or_default();
            own.0.merge(&accuracy);
            own.1.merge(&counts);
        }
    }

    fn sum(&self) -> Counts {
        self.phases.iter().fold(Counts::default(), |mut sum, phase| {
            sum.merge(phase);
            sum
        })
    }
}

/// The errors of players in games with evaluations, by the spellings of their names.
#[derive(Clone, Default, Debug)]
pub(super) struct Profiles {
    spellings: HashMap<String, PlayerProfile>,
}

impl Profiles {
    /// Adds a game.
    pub(super) fn add(&mut self, game: &Game, examined: &Examined, opening: &NamedOpening) {
        let Some(players) = &examined.course.players else { return };
        let family = opening.name.split(':').next().unwrap_or_default().trim();
        for (color, course) in Color::ALL.into_iter().zip(players) {
            let name = game.tags.get(color.name()).unwrap_or_default().trim();
            if course.judged.is_none() || !is_known_name(name) {
                continue;
            }
            let profile = self.spellings.entry(name.to_owned()).or_default();
            profile.accuracy.add(course.accuracy);
            let mut all = Counts::default();
            for counted in examined.moves.iter().filter(|counted| counted.mover == color) {
                let Some((judgement, loss_cp)) = counted.judged else { continue };
                all.add(judgement, loss_cp);
                profile.phases[counted.phase as usize].add(judgement, loss_cp);
                if let Some(is_short) = counted.is_short {
                    profile.by_clock[usize::from(is_short)].add(judgement, loss_cp);
                }
            }
            let own_chances = |white: f64| if color == Color::White { white } else { 1.0 - white };
            let mut chances = examined.course.chances.iter().flatten().map(|&white| own_chances(white));
            if chances.clone().any(|chances| chances >= WINNING) {
                profile.outcomes[0].add(game.result, color);
            }
            if chances.any(|chances| chances <= 1.0 - WINNING) {
                profile.outcomes[1].add(game.result, color);
            }
            let rating_of = |color: Color| rating(game.tags.get(&format!("{}Elo", color.name()))?);
            if let (Some(own), Some(theirs)) = (rating_of(color), rating_of(!color)) {
                let group = match theirs {
                    _ if theirs >= own.saturating_add(RATING_MARGIN) => 0,
                    _ if own >= theirs.saturating_add(RATING_MARGIN) => 2,
                    _ => 1,
                };
                profile.by_rating[group].merge(&all);
            }
            if !family.is_empty() {
                let opening = profile.openings.entry((color.name(), family.to_owned())).or_default();
                opening.0.add(course.accuracy);
                opening.1.merge(&all);
            }
        }
    }

    /// Adds the profiles of later games.
    pub(super) fn merge(&mut self, other: Self) {
        for (name, profile) in other.spellings {
            self.spellings.entry(name).or_default().merge(profile);
        }
    }

    /// The players in the order of their number of games, then by name.
    fn sorted(&self, joined: &Joined) -> Vec<(String, PlayerProfile)> {
        let mut spellings: Vec<_> = self.spellings.iter().collect();
        spellings.sort_unstable_by_key(|&(name, _)| name);
        let mut players: BTreeMap<String, PlayerProfile> = BTreeMap::new();
        for (spelling, profile) in spellings {
            players.entry(joined.name(spelling).to_owned()).or_default().merge(profile.clone());
        }
        let mut players: Vec<_> = players.into_iter().collect();
        players.sort_by_key(|(_, profile)| std::cmp::Reverse(profile.accuracy.games));
        players
    }

    /// The errors of players as JSON.
    pub(super) fn json(&self, joined: &Joined) -> Vec<JsonProfile> {
        self.sorted(joined).into_iter().map(|(name, profile)| JsonProfile::new(name, &profile)).collect()
    }

    /// The tables of errors; none without evaluations.
    pub(super) fn tables(&self, joined: &Joined) -> Vec<Table> {
        let players = self.sorted(joined);
        if players.is_empty() {
            return Vec::new();
        }
        let mut tables = vec![by_phase(&players), by_opening(&players)];
        if players.iter().any(|(_, profile)| profile.by_clock.iter().any(|counts| counts.moves > 0)) {
            tables.push(by_clock(&players));
        }
        tables.extend([by_outcome(&players), by_rating(&players)]);
        tables.retain(|table| !table.rows.is_empty());
        tables
    }
}

/// Counts of a group of moves, as JSON.
#[derive(Serialize)]
struct JsonCounts {
    moves: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_loss_cp: Option<f64>,
    inaccuracies: u64,
    mistakes: u64,
    blunders: u64,
}

impl From<&Counts> for JsonCounts {
    fn from(counts: &Counts) -> Self {
        let [inaccuracies, mistakes, blunders] = counts.judged;
        let average_loss_cp = counts.average_loss().map(rounded);
        Self { moves: counts.moves, average_loss_cp, inaccuracies, mistakes, blunders }
    }
}

#[derive(Serialize)]
struct JsonOpeningErrors {
    color: &'static str,
    opening: String,
    games: u64,
    accuracy: Option<f64>,
    #[serde(flatten)]
    counts: JsonCounts,
}

/// The errors of a player, as JSON.
#[derive(Serialize)]
pub(super) struct JsonProfile {
    player: String,
    games: u64,
    accuracy: Option<f64>,
    #[serde(flatten)]
    all: JsonCounts,
    phases: BTreeMap<&'static str, JsonCounts>,
    openings: Vec<JsonOpeningErrors>,
    /// The results of games in which the player was winning or losing.
    winning: Outcomes,
    losing: Outcomes,
    /// Moves by the rating of the opponent; empty without ratings.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    opponents: BTreeMap<&'static str, JsonCounts>,
    /// Moves with enough time; `None` without clocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    with_time: Option<JsonCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_of_time: Option<JsonCounts>,
}

impl JsonProfile {
    fn new(player: String, profile: &PlayerProfile) -> Self {
        let phases = Phase::ALL.into_iter().zip(&profile.phases);
        let openings = profile.openings.iter().map(|((color, opening), (accuracy, counts))| {
            let (games, accuracy) = (accuracy.games, accuracy.mean().map(rounded));
            JsonOpeningErrors { color, opening: opening.clone(), games, accuracy, counts: counts.into() }
        });
        let opponents = OPPONENTS.into_iter().zip(&profile.by_rating).filter(|(_, counts)| counts.moves > 0);
        let [with_time, short_of_time] = &profile.by_clock;
        let has_clocks = with_time.moves + short_of_time.moves > 0;
        let timed = |counts: &Counts| has_clocks.then(|| counts.into());
        Self {
            player,
            games: profile.accuracy.games,
            accuracy: profile.accuracy.mean().map(rounded),
            all: (&profile.sum()).into(),
            phases: phases.map(|(phase, counts)| (phase.name(), counts.into())).collect(),
            openings: openings.collect(),
            winning: profile.outcomes[0],
            losing: profile.outcomes[1],
            opponents: opponents.map(|(name, counts)| (name, counts.into())).collect(),
            with_time: timed(with_time),
            short_of_time: timed(short_of_time),
        }
    }
}

/// Rounds to two decimals: further digits may differ between machines.
pub(super) fn rounded(value: f64) -> f64 {
    (value * PERCENT).round() / PERCENT
}

fn limited(table: &mut Table, count: usize) {
    if count > MAX_ROWS {
        table.notes.push(format!("and {}", pluralize((count - MAX_ROWS) as u64, "more row")));
    }
}

fn by_phase(players: &[(String, PlayerProfile)]) -> Table {
    let mut table = Table { title: "Errors by phase".to_owned(), ..Table::default() };
    table.facts = vec![
        "Inaccuracies · mistakes · blunders, and the average loss of a move in hundredths of a pawn; in games with \
         evaluations."
            .to_owned(),
    ];
    table.columns = vec![column("Player", Kind::Cut)];
    let numbers =
        ["Games", "Moves", "Accuracy", "All"].into_iter().chain(["Opening", "Middlegame", "Endgame"]);
    table.columns.extend(numbers.map(|name| column(name, Kind::Right)));
    for (name, profile) in players.iter().take(MAX_ROWS) {
        let sum = profile.sum();
        let mut row: Vec<Cell> = vec![
            name.clone().into(),
            profile.accuracy.games.into(),
            sum.moves.into(),
            profile.accuracy.cell(),
            sum.cell(),
        ];
        row.extend(profile.phases.iter().map(Counts::cell));
        table.push(row);
    }
    limited(&mut table, players.len());
    table
}

fn by_opening(players: &[(String, PlayerProfile)]) -> Table {
    let mut table = Table { title: "Errors by opening".to_owned(), ..Table::default() };
    table.columns =
        vec![column("Player", Kind::Cut), column("Color", Kind::Left), column("Opening", Kind::Cut)];
    table.columns.extend(["Games", "Accuracy", "Errors"].map(|name| column(name, Kind::Right)));
    let mut rows: Vec<_> = players
        .iter()
        .enumerate()
        .flat_map(|(place, (name, profile))| profile.openings.iter().map(move |entry| (place, name, entry)))
        .collect();
    let count = rows.len();
    // If there are too many rows, those with the most games are kept.
    rows.sort_by_key(|(_, _, (_, (accuracy, _)))| std::cmp::Reverse(accuracy.games));
    rows.truncate(MAX_ROWS);
    rows.sort_by_key(|(place, ..)| *place);
    for (_, name, ((color, opening), (accuracy, counts))) in rows {
        table.push(vec![
            name.clone().into(),
            (*color).into(),
            opening.clone().into(),
            accuracy.games.into(),
            accuracy.cell(),
            counts.cell(),
        ]);
    }
    limited(&mut table, count);
    table
}

fn by_clock(players: &[(String, PlayerProfile)]) -> Table {
    let mut table = Table { title: "Time trouble".to_owned(), ..Table::default() };
    table.facts = vec![
        "Mistakes and blunders of moves with enough time, and with less than a tenth of the time for the game."
            .to_owned(),
    ];
    table.columns = vec![column("Player", Kind::Cut)];
    let numbers = ["Moves", "Errors", "per 100", "Short of time", "Errors", "per 100", "Share of errors"];
    table.columns.extend(numbers.map(|name| column(name, Kind::Right)));
    let has_clock =
        |(_, profile): &&(String, PlayerProfile)| profile.by_clock.iter().any(|counts| counts.moves > 0);
    let with_clocks: Vec<_> = players.iter().filter(has_clock).collect();
    for (name, profile) in with_clocks.iter().take(MAX_ROWS) {
        let mut row: Vec<Cell> = vec![name.clone().into()];
        for counts in &profile.by_clock {
            let rate = (counts.moves > 0).then(|| counts.errors() as f64 * PERCENT / counts.moves as f64);
            row.extend([counts.moves.into(), counts.errors().into(), Cell::decimal(rate)]);
        }
        let [roomy, short] = profile.by_clock.map(|counts| counts.errors());
        let share = (roomy + short > 0).then(|| short as f64 * PERCENT / (roomy + short) as f64);
        row.push(Cell::optional(share.map(|share| format!("{share:.0} %"))));
        table.push(row);
    }
    limited(&mut table, with_clocks.len());
    table
}

fn by_outcome(players: &[(String, PlayerProfile)]) -> Table {
    let mut table = Table { title: "Won and lost positions".to_owned(), ..Table::default() };
    table.facts = vec![
        "Games in which a player was winning (an expected score of 80 % or more) or losing at some time, and how \
         they ended."
            .to_owned(),
    ];
    table.columns = vec![column("Player", Kind::Cut)];
    for name in ["Winning", "Losing"] {
        table.columns.extend([
            column(name, Kind::Right),
            column("+ = -", Kind::Left),
            column("%", Kind::Right),
        ]);
    }
    let has_any =
        |(_, profile): &&(String, PlayerProfile)| profile.outcomes.iter().any(|outcomes| outcomes.games > 0);
    let with_any: Vec<_> = players.iter().filter(has_any).collect();
    for (name, profile) in with_any.iter().take(MAX_ROWS) {
        let mut row: Vec<Cell> = vec![name.clone().into()];
        row.extend(profile.outcomes.iter().flat_map(Outcomes::cells));
        table.push(row);
    }
    limited(&mut table, with_any.len());
    table
}

/// The groups of opponents.
const OPPONENTS: [&str; 3] = ["stronger", "equal", "weaker"];

fn by_rating(players: &[(String, PlayerProfile)]) -> Table {
    let mut table = Table { title: "Errors by the opponent's rating".to_owned(), ..Table::default() };
    table.facts = vec![format!(
        "Against opponents whose rating is at least {RATING_MARGIN} higher, about the same, or at least \
         {RATING_MARGIN} lower."
    )];
    table.columns = vec![column("Player", Kind::Cut)];
    table.columns.extend(["Higher", "The same", "Lower"].map(|name| column(name, Kind::Right)));
    let is_rated =
        |(_, profile): &&(String, PlayerProfile)| profile.by_rating.iter().any(|counts| counts.moves > 0);
    let rated: Vec<_> = players.iter().filter(is_rated).collect();
    for (name, profile) in rated.iter().take(MAX_ROWS) {
        let mut row: Vec<Cell> = vec![name.clone().into()];
        row.extend(profile.by_rating.iter().map(Counts::cell));
        table.push(row);
    }
    limited(&mut table, rated.len());
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Moves;

    fn game(text: &str) -> Game {
        let (game, errors) =
            Game::read(text.as_bytes()).expect("memory can be read").expect("there is a game");
        assert!(errors.is_empty(), "{errors:?}");
        game
    }

    #[test]
    fn moves_are_judged_and_counted() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[TimeControl \"60\"]\n\n\
                    1. e4 {[%eval 0.2] [%clk 0:00:05]} e5 {[%eval 0.2] [%clk 0:01:00]} \
                    2. Ke2 {[%eval -2.5] [%clk 0:00:04]} Nf6 {[%eval -2.5] [%clk 0:00:50]} *";
        let game = game(text);
        let examined = Examined::new(&game);
        let glyphs: Vec<Option<u8>> = examined.course.glyphs.iter().map(|nag| nag.map(|nag| nag.0)).collect();
        assert_eq!(glyphs, [None, None, Some(4), None]);
        let judged = examined
            .course
            .players
            .expect("there are evaluations")
            .map(|player| player.judged.expect("both are judged"));
        assert_eq!(judged, [[0, 0, 1], [0, 0, 0]]);
        let mut profiles = Profiles::default();
        profiles.add(&game, &examined, &NamedOpening::of(&game));
        profiles.merge(profiles.clone());
        let tables = profiles.tables(&Joined::default());
        assert_eq!(tables.len(), 3);
        let rows = |table: &Table| -> Vec<Vec<String>> {
            let text = |cell: &Cell| match cell {
                Cell::Text(text) => text.clone(),
                Cell::Bar(_) => "bar".to_owned(),
            };
            table.rows.iter().map(|row| row.iter().map(text).collect()).collect()
        };
        assert_eq!(rows(&tables[0])[0][4..], ["0 · 0 · 2 (135)", "0 · 0 · 2 (135)", "", ""]);
        assert_eq!(rows(&tables[2])[0], ["A", "2", "0", "0.0", "2", "2", "100.0", "100 %"]);
        assert_eq!(
            Moves { glyphs: &examined.course.glyphs, ..Moves::new(&game, Default::default()) }.to_text(99),
            "1.e4 e5 2.Ke2?? Nf6"
        );
    }

    #[test]
    fn won_positions_and_ratings_of_opponents_are_counted() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n[Result \"1/2-1/2\"]\n\n\
                    1. e4 {[%eval 0.2]} f6 {[%eval 6.0]} 2. Ke2 {[%eval 0.0]} Nh6 {[%eval 0.0]} 1/2-1/2";
        let game = game(text);
        let mut profiles = Profiles::default();
        profiles.add(&game, &Examined::new(&game), &NamedOpening::of(&game));
        let json = serde_json::to_value(profiles.json(&Joined::default())).expect("it is written");
        let [a, b] = [&json[0], &json[1]];
        assert_eq!(
            (&a["winning"]["games"], &a["winning"]["drawn"], &a["losing"]["games"]),
            (&1.into(), &1.into(), &0.into())
        );
        assert_eq!((&b["winning"]["games"], &b["losing"]["drawn"]), (&0.into(), &1.into()));
        assert_eq!(
            (&a["opponents"]["stronger"]["moves"], &b["opponents"]["weaker"]["moves"]),
            (&2.into(), &2.into())
        );
        let titles: Vec<String> =
            profiles.tables(&Joined::default()).into_iter().map(|table| table.title).collect();
        let expected = [
            "Errors by phase",
            "Errors by opening",
            "Won and lost positions",
            "Errors by the opponent's rating",
        ];
        assert_eq!(titles, expected);
    }

    #[test]
    fn games_without_evaluations_have_no_profile() {
        let game = game("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *");
        let examined = Examined::new(&game);
        assert_eq!((examined.plies, examined.course.players), (2, None));
        let mut profiles = Profiles::default();
        profiles.add(&game, &examined, &NamedOpening::of(&game));
        assert!(profiles.tables(&Joined::default()).is_empty());
    }
}
