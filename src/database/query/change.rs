//! Changes of the board under which a term may hold as well: colors exchanged, wings exchanged, everything moved.

use super::headers::HeaderTerm;
use super::tree::{Castled, Leaf, Moment, Parsed, Test};
use crate::chess::{CastlingSide, Color, File, Rank, Square};
use crate::notation::pgn::GameResult;
use std::collections::HashSet;

/// A change of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The colors are exchanged, and the ranks are mirrored.
    Exchange,
    /// The wings are exchanged.
    Mirror,
    /// Everything is moved to the right and up.
    Shift {
        /// The number of files to the right.
        files: i8,
        /// The number of ranks up.
        ranks: i8,
    },
}

/// The reason why a part of a query cannot be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unchanged {
    /// Something would leave the board, so there is no such variant.
    OffBoard,
    /// The part has no meaning on a changed board.
    Fixed(&'static str),
}

type Result<T> = std::result::Result<T, Unchanged>;

impl Change {
    /// All shifts, including the one by zero.
    pub(super) fn shifts() -> impl Iterator<Item = Self> {
        const FURTHEST: i8 = 7;
        (-FURTHEST..=FURTHEST)
            .flat_map(|files| (-FURTHEST..=FURTHEST).map(move |ranks| Self::Shift { files, ranks }))
    }

    /// The changed square; `None` if it leaves the board.
    pub(super) const fn square(self, square: Square) -> Option<Square> {
        match self {
            Self::Exchange => Some(square.flip_rank()),
            Self::Mirror => Some(square.flip_file()),
            Self::Shift { files, ranks } => square.offset(files, ranks),
        }
    }

    /// The changed file; `None` if it leaves the board.
    pub(super) fn file(self, file: File) -> Option<File> {
        match self {
            Self::Exchange => Some(file),
            Self::Mirror => self.square(Square::new(file, Rank::First)).map(Square::file),
            Self::Shift { files, .. } => Square::new(file, Rank::First).offset(files, 0).map(Square::file),
        }
    }

    /// The changed rank; `None` if it leaves the board.
    pub(super) fn rank(self, rank: Rank) -> Option<Rank> {
        match self {
            Self::Exchange => Some(rank.flipped()),
            Self::Mirror => Some(rank),
            Self::Shift { ranks, .. } => Square::new(File::A, rank).offset(0, ranks).map(Square::rank),
        }
    }

    /// The changed color.
    pub(super) fn color(self, color: Color) -> Color {
        if self == Self::Exchange { !color } else { color }
    }

    /// The changed wing; `None` if there is no castling on such a board.
    pub(super) fn wing(self, wing: CastlingSide) -> Option<CastlingSide> {
        match (self, wing) {
            (Self::Exchange | Self::Shift { files: 0, ranks: 0 }, _) => Some(wing),
            (Self::Mirror, CastlingSide::King) => Some(CastlingSide::Queen),
            (Self::Mirror, CastlingSide::Queen) => Some(CastlingSide::King),
            (Self::Shift { .. }, _) => None,
        }
    }
}

/// The part or one of its changed variants: all in which nothing leaves the board, each once.
pub(super) fn any_of(
    part: Parsed,
    changes: impl Iterator<Item = Change>,
    memories: &mut usize,
) -> std::result::Result<Parsed, &'static str> {
    let mut seen = HashSet::from([format!("{part:?}")]);
    let mut parts = Vec::new();
    for change in changes {
        match part.changed(change) {
            Ok(mut changed) if seen.insert(format!("{changed:?}")) => {
                changed.renew_memories(memories);
                parts.push(changed);
            }
            Ok(_) | Err(Unchanged::OffBoard) => {}
            Err(Unchanged::Fixed(expected)) => return Err(expected),
        }
    }
    parts.insert(0, part);
    Ok(if parts.len() == 1 { parts.remove(0) } else { Parsed::Any(parts) })
}

impl Parsed {
    fn changed(&self, change: Change) -> Result<Self> {
        let parts = |parts: &Vec<Self>| parts.iter().map(|part| part.changed(change)).collect::<Result<_>>();
        Ok(match self {
            Self::All(all) => Self::All(parts(all)?),
            Self::Any(any) => Self::Any(parts(any)?),
            Self::Not(part) => Self::Not(Box::new(part.changed(change)?)),
            Self::Leaf(leaf) => Self::leaf(match &**leaf {
                Leaf::Header(term) => Leaf::Header(match change {
                    Change::Exchange => term.exchanged(),
                    Change::Mirror | Change::Shift { .. } => term.clone(),
                }),
                Leaf::Game(term) => Leaf::Game(term.clone()),
                Leaf::Somewhere(moment) => Leaf::Somewhere(moment.changed(change)?),
                Leaf::Count(moment, range) => Leaf::Count(moment.changed(change)?, *range),
            }),
        })
    }

    /// Assigns new memories to all tests.
    fn renew_memories(&mut self, next: &mut usize) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter_mut().for_each(|part| part.renew_memories(next));
            }
            Self::Not(part) => part.renew_memories(next),
            Self::Leaf(leaf) => match &mut **leaf {
                Leaf::Somewhere(moment) | Leaf::Count(moment, _) => moment.renew_memories(next),
                Leaf::Header(_) | Leaf::Game(_) => {}
            },
        }
    }

    /// The number of position tests.
    pub(super) fn tests(&self) -> usize {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::tests).sum(),
            Self::Not(part) => part.tests(),
            Self::Leaf(leaf) => match &**leaf {
                Leaf::Somewhere(moment) | Leaf::Count(moment, _) => moment.tests(),
                Leaf::Header(_) | Leaf::Game(_) => 1,
            },
        }
    }
}

impl Moment {
    fn changed(&self, change: Change) -> Result<Self> {
        let boxed = |moment: &Self| moment.changed(change).map(Box::new);
        let list = |moments: &Vec<Self>| -> Result<Vec<Self>> {
            moments.iter().map(|moment| moment.changed(change)).collect()
        };
        Ok(match self {
            Self::Test(test) => Self::Test(test.changed(change)?),
            Self::All(moments) => Self::All(list(moments)?),
            Self::Any(moments) => Self::Any(list(moments)?),
            Self::Not(moment) => Self::Not(boxed(moment)?),
            Self::Lasts { moment, positions, memory } => {
                Self::Lasts { moment: boxed(moment)?, positions: *positions, memory: *memory }
            }
            Self::Then { first, second, within, memory } => {
                Self::Then { first: boxed(first)?, second: boxed(second)?, within: *within, memory: *memory }
            }
            Self::Path { path, moments, memory } => {
                Self::Path { path: path.clone(), moments: list(moments)?, memory: *memory }
            }
        })
    }

    fn renew_memories(&mut self, next: &mut usize) {
        match self {
            Self::Test(test) => {
                if let Some((memory, size)) = test.memory() {
                    *memory = *next;
                    *next += size;
                }
            }
            Self::All(moments) | Self::Any(moments) => {
                moments.iter_mut().for_each(|moment| moment.renew_memories(next));
            }
            Self::Not(moment) => moment.renew_memories(next),
            Self::Lasts { moment, memory, .. } => {
                *memory = *next;
                *next += 1;
                moment.renew_memories(next);
            }
            Self::Then { first, second, memory, .. } => {
                *memory = *next;
                *next += 1;
                first.renew_memories(next);
                second.renew_memories(next);
            }
            Self::Path { path, moments, memory } => {
                *memory = *next;
                *next += path.memories();
                moments.iter_mut().for_each(|moment| moment.renew_memories(next));
            }
        }
    }

    fn tests(&self) -> usize {
        match self {
            Self::Test(_) => 1,
            Self::All(moments) | Self::Any(moments) | Self::Path { moments, .. } => {
                moments.iter().map(Self::tests).sum()
            }
            Self::Not(moment) | Self::Lasts { moment, .. } => moment.tests(),
            Self::Then { first, second, .. } => first.tests() + second.tests(),
        }
    }
}

impl Test {
    fn changed(&self, change: Change) -> Result<Self> {
        let is_exchange = change == Change::Exchange;
        let on_board = |test: Option<Self>| test.ok_or(Unchanged::OffBoard);
        match self {
            Self::Position(target) if is_exchange => on_board(target.exchanged().map(Self::Position)),
            Self::Position(_) => Err(Unchanged::Fixed("no `fen:` and no `reaches:` in what is moved")),
            Self::Line(..) => Err(Unchanged::Fixed("no `line:` in what is changed: White begins it")),
            Self::Pattern(pattern) => on_board(pattern.changed(change).map(Self::Pattern)),
            Self::Similar(similar) => match similar.changed(change) {
                Some(changed) => Ok(Self::Similar(Box::new(changed))),
                None => Err(Unchanged::Fixed("no `similar:` in what is moved: kings are on a wing")),
            },
            Self::Material(material) if is_exchange => Ok(Self::Material(material.exchanged())),
            Self::Turn(color) => Ok(Self::Turn(change.color(*color))),
            Self::Balance(range) if is_exchange => Ok(Self::Balance(range.negated())),
            Self::Stated(stated) if is_exchange => Ok(Self::Stated(stated.exchanged())),
            Self::Move(pattern) => on_board(pattern.changed(change).map(Self::Move)),
            Self::Motif(motif) => on_board(motif.changed(change).map(|motif| Self::Motif(Box::new(motif)))),
            Self::Route(route, memory) => {
                on_board(route.changed(change).map(|route| Self::Route(Box::new(route), *memory)))
            }
            Self::Castled(castled, memory) => Ok(Self::Castled(castled.changed(change), *memory)),
            _ => Ok(self.clone()),
        }
    }
}

impl Castled {
    fn changed(self, change: Change) -> Self {
        match self {
            Self::Side(color, wing) => {
                Self::Side(change.color(color), wing.map(|wing| change.wing(wing).unwrap_or(wing)))
            }
            Self::Same | Self::Opposite => self,
        }
    }
}

impl HeaderTerm {
    /// The moment with White and Black exchanged.
    fn exchanged(&self) -> Self {
        let tag = |name: &String| match (name.strip_prefix("White"), name.strip_prefix("Black")) {
            (Some(rest), _) => format!("Black{rest}"),
            (_, Some(rest)) => format!("White{rest}"),
            _ => name.clone(),
        };
        let tags = |names: &Vec<String>| names.iter().map(tag).collect();
        match self {
            Self::Tag(name, text) => Self::Tag(tag(name), text.clone()),
            Self::Number(names, range) => Self::Number(tags(names), *range),
            Self::NoNumber(names) => Self::NoNumber(tags(names)),
            Self::Date(name, test) => Self::Date(tag(name), test.clone()),
            Self::Result(GameResult::WhiteWins) => Self::Result(GameResult::BlackWins),
            Self::Result(GameResult::BlackWins) => Self::Result(GameResult::WhiteWins),
            _ => self.clone(),
        }
    }
}
