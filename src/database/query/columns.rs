//! Deciding a query by the tags of many games, once for each value of a tag and not for each game, since there are many
//! games but few different values.

use super::headers::{
    DateTest, EcoTest, Facts, Header, HeaderTerm, PLAYERS, TIME_CONTROL, code_of, numbers_of,
};
use super::text::Text;
use super::tree::{Leaf, Node, Query};
use crate::database::game_set::GameSet;
use crate::notation::eco::is_chosen;
use crate::notation::pgn::GameSource;
use std::io;

/// The tags of many games.
pub(in crate::database) trait Columns {
    /// The number of games.
    fn games(&self) -> usize;

    /// The values of a tag, and for each game the number of its value, counted from 1, or 0 if it has none; `None` if
    /// no game has the tag.
    fn column(&self, name: &str) -> io::Result<Option<(Vec<&str>, &[u32])>>;

    /// For each game, the number of its value of a tag, as in [`Self::column`]; `None` if no game has the tag.
    fn numbers(&self, name: &str) -> io::Result<Option<&[u32]>>;

    /// The games whose sources pass a test.
    fn of_sources(&self, test: &dyn Fn(Option<&GameSource>) -> bool) -> io::Result<GameSet>;

    /// Passes the tags of one game to `to`.
    fn show(&self, game: usize, to: &mut dyn FnMut(&dyn Header)) -> io::Result<()>;

    /// Calls `ask` for each game.
    fn ask(&self, ask: &dyn Fn(&dyn Header) -> Option<bool>) -> io::Result<Verdicts>;
}

/// The tags of many games, for counting by value.
#[derive(Clone, Copy)]
pub struct TagColumns<'a>(pub(in crate::database) &'a dyn Columns);

/// The games for which the query is decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::database) struct Verdicts {
    /// The games that are found.
    pub yes: GameSet,
    /// The games that are not found.
    pub no: GameSet,
}

impl Verdicts {
    /// No decisions, for this number of games.
    fn unknown(games: usize) -> Self {
        Self { yes: GameSet::none(games), no: GameSet::none(games) }
    }

    fn certain(yes: GameSet) -> Self {
        Self { no: !yes.clone(), yes }
    }
}

impl Query {
    /// The decisions by the tags of these games, like [`Query::by_header`].
    ///
    /// # Errors
    /// If the tags cannot be read.
    pub(in crate::database) fn by_columns(&self, columns: &dyn Columns) -> io::Result<Verdicts> {
        self.verdicts(&self.root, columns)
    }

    /// Whether the index of a collection, or its tags, can rule out games before their moves are examined.
    pub fn is_indexed(&self) -> bool {
        self.asks_tags() || self.required_position().is_some()
    }

    /// Whether tags can decide the query for some games.
    pub(in crate::database) fn asks_tags(&self) -> bool {
        self.leaves.iter().any(|leaf| matches!(leaf, Leaf::Header(_)))
    }

    fn verdicts(&self, node: &Node, columns: &dyn Columns) -> io::Result<Verdicts> {
        let games = columns.games();
        Ok(match node {
            Node::All(nodes) => {
                let mut all = Verdicts::certain(GameSet::all(games));
                for node in nodes {
                    let verdicts = self.verdicts(node, columns)?;
                    all.yes &= &verdicts.yes;
                    all.no |= &verdicts.no;
                }
                all
            }
            Node::Any(nodes) => {
                let mut any = Verdicts::certain(GameSet::none(games));
                for node in nodes {
                    let verdicts = self.verdicts(node, columns)?;
                    any.yes |= &verdicts.yes;
                    any.no &= &verdicts.no;
                }
                any
            }
            Node::Not(node) => {
                let Verdicts { yes, no } = self.verdicts(node, columns)?;
                Verdicts { yes: no, no: yes }
            }
            Node::Leaf(index) => match &self.leaves[*index] {
                Leaf::Header(term) => term.verdicts(columns)?,
                Leaf::Game(_) | Leaf::Somewhere(_) | Leaf::Count(..) => Verdicts::unknown(games),
            },
        })
    }
}

/// The games whose value of a tag passes a test.
fn passing(columns: &dyn Columns, name: &str, test: &dyn Fn(Option<&str>) -> bool) -> io::Result<GameSet> {
    let is_passed_without = test(None);
    let Some((values, numbers)) = columns.column(name)? else {
        let games = columns.games();
        return Ok(if is_passed_without { GameSet::all(games) } else { GameSet::none(games) });
    };
    let mut is_passed = vec![is_passed_without];
    is_passed.extend(values.iter().map(|value| test(Some(value))));
    Ok(GameSet::filter(numbers, |&number| is_passed.get(number as usize).is_some_and(|&passed| passed)))
}

impl HeaderTerm {
    fn verdicts(&self, columns: &dyn Columns) -> io::Result<Verdicts> {
        let games = columns.games();
        let player =
            |text: &Text, index: usize| passing(columns, PLAYERS[index], &|value| text.matches(value));
        let has_number = |names: &[String], test: &dyn Fn(i64) -> bool| {
            let mut any = GameSet::none(games);
            for name in names {
                any |= &passing(columns, name, &|value| value.into_iter().flat_map(numbers_of).any(test))?;
            }
            Ok::<_, io::Error>(any)
        };
        Ok(Verdicts::certain(match self {
            Self::Tag(name, text) => passing(columns, name, &|value| text.matches(value))?,
            Self::Player(text) => {
                let mut any = player(text, 0)?;
                any |= &player(text, 1)?;
                any
            }
            Self::Pair(a, b) => {
                let (mut one, mut other) = (player(a, 0)?, player(a, 1)?);
                one &= &player(b, 1)?;
                other &= &player(b, 0)?;
                one |= &other;
                one
            }
            Self::Number(names, range) => has_number(names, &|number| range.contains(number))?,
            Self::NoNumber(names) => !has_number(names, &|_| true)?,
            Self::Date(name, test) => passing(columns, name, &|value| DateTest::matches(test, value))?,
            Self::Speed(speed) => passing(columns, TIME_CONTROL, &|value| speed.matches(value))?,
            Self::Source(text) => columns.of_sources(&|source| text.matches_source(source))?,
            Self::Added(test) => columns.of_sources(&|source| test.matches_source(source))?,
            Self::Round(test) => passing(columns, "Round", &|value| test.matches(value))?,
            // The name determined by the moves takes precedence.
            Self::Eco(_) if is_chosen() => return Ok(Verdicts::unknown(games)),
            Self::Eco(test) => {
                let passes = |value: Option<&str>| {
                    value.and_then(code_of).map(|code| EcoTest::contains(test, Some(code)))
                };
                return Ok(Verdicts {
                    yes: passing(columns, "ECO", &|value| passes(value) == Some(true))?,
                    no: passing(columns, "ECO", &|value| passes(value) == Some(false))?,
                });
            }
            Self::Result(_)
            | Self::Decisive
            | Self::Winner(_)
            | Self::Loser(_)
            | Self::PlayedEco(_)
            | Self::PlayedOpening(_) => {
                return Ok(Verdicts::unknown(games));
            }
            Self::Opening(_) => return columns.ask(&|header| self.holds(header, Facts::default())),
        }))
    }
}
