//! A quick scan of the moves of a stored game without full positions, which rules out most games that a query does not
//! find.
//!
//! Properties that the scan cannot determine, such as a mate, count as possible, so it never rules out a game that the
//! query finds.

use super::headers::{Facts, Header, HeaderTerm, Range};
use super::motifs::checkers;
use super::moves::MovePattern;
use super::positions::balance;
use super::route::Route;
use super::tree::{Leaf, Memory, Moment, Node, Query, Test, castling_bit, is_discovered};
use crate::chess::{Bitboard, CastlingSide, Move, MoveKind, Square};
use crate::database::men::{Arrangement, Men, Played};
use crate::database::store::Seen;

/// A position of a game, and the move that led to it.
#[derive(Clone, Copy)]
pub(in crate::database) struct Step<'a> {
    pub men: &'a Men,
    /// `None` at the start and after a null move.
    pub played: Option<&'a Played>,
    /// The number of plies from the initial position.
    pub ply: u32,
}

/// The maximum number of plies of a game that are scanned: up to here moves have numbers.
pub(in crate::database) const MAX_PLIES: u32 = 2 * u16::MAX as u32;

impl Moment {
    /// Whether the moment may hold here. The positions of a line must be passed one by one.
    fn may_hold_at(&self, step: &Step<'_>, memories: &mut [Memory]) -> bool {
        self.evaluate(
            &|test: &Test, memories: &mut [Memory]| test.may_hold_at(step, memories),
            true,
            memories,
        )
    }

    /// Whether the moment may hold in a game with this summary.
    fn may_hold_in(&self, seen: &Seen) -> bool {
        match self {
            Self::Test(Test::Pattern(pattern)) => pattern.may_hold_in(seen),
            Self::Test(Test::Material(material)) => material.may_hold_in(seen),
            Self::Test(Test::Similar(similar)) => similar.may_hold_in(seen),
            Self::Test(_) | Self::Not(_) | Self::Path { .. } => true,
            Self::All(moments) => moments.iter().all(|moment| moment.may_hold_in(seen)),
            Self::Any(moments) => moments.iter().any(|moment| moment.may_hold_in(seen)),
            Self::Lasts { moment, .. } => moment.may_hold_in(seen),
            Self::Then { first, second, .. } => first.may_hold_in(seen) && second.may_hold_in(seen),
        }
    }

    /// The same as [`Self::may_hold_at`] if the moment did not hold in the previous position.
    #[inline]
    fn may_hold_now(&self, step: &Step<'_>, memories: &mut [Memory]) -> bool {
        match (self, step.played) {
            (Self::Test(Test::Pattern(pattern)), Some(played)) if !pattern.may_change(played.mv) => false,
            (Self::Test(Test::Material(_)), Some(played))
                if played.captured.is_none() && played.mv.promotion().is_none() =>
            {
                false
            }
            (Self::Test(Test::Similar(similar)), Some(played)) if similar.is_kept_by(played) => false,
            (Self::Test(test), _) => test.may_hold_at(step, memories),
            (Self::Then { first, second, within, memory }, _) => {
                let (is_first, is_second) =
                    (first.may_hold_then(step, memories), second.may_hold_then(step, memories));
                // The memory is the ply of the first part and not a distance, so that positions may be skipped.
                let memory = &mut memories[*memory];
                let since = memory.map(|ply| step.ply.saturating_sub(ply));
                if is_first {
                    *memory = Some(step.ply);
                }
                is_second && since.is_some_and(|plies| within.is_none_or(|most| plies <= most))
            }
            _ => self.may_hold_at(step, memories),
        }
    }

    /// The same as [`Self::may_hold_at`] for a part of a sequence, which is usually a single test.
    #[inline]
    fn may_hold_then(&self, step: &Step<'_>, memories: &mut [Memory]) -> bool {
        match self {
            Self::Test(Test::Move(pattern)) => {
                step.played.is_some_and(|played| pattern.may_match(played, step))
            }
            Self::Test(test) => test.may_hold_at(step, memories),
            _ => self.may_hold_at(step, memories),
        }
    }

    /// The squares of which a normal move must leave or reach one to change what holds or is remembered; `None` if any
    /// move may do so.
    fn watched(&self) -> Option<Bitboard> {
        let of_move = |moment: &Self| match moment {
            Self::Test(Test::Move(pattern)) => pattern.target().map(Square::bitboard),
            _ => None,
        };
        match self {
            Self::Test(Test::Pattern(pattern)) => Some(pattern.squares()),
            Self::Then { first, second, .. } => Some(of_move(first)? | of_move(second)?),
            _ => of_move(self),
        }
    }

    /// Whether the moment can only hold at some positions, so that a scan is worthwhile.
    fn is_selective(&self) -> bool {
        match self {
            Self::Test(test) => !matches!(
                test,
                Test::Last | Test::Sacrifice(_) | Test::Line(..) | Test::Any | Test::Stated(_)
            ),
            Self::All(moments) => moments.iter().any(Self::is_selective),
            Self::Any(moments) => moments.iter().all(Self::is_selective),
            Self::Path { moments, .. } => moments.iter().any(Self::is_selective),
            Self::Not(moment) => moment.is_exact(),
            Self::Lasts { moment, .. } => moment.is_selective(),
            Self::Then { first, second, .. } => first.is_selective() || second.is_selective(),
        }
    }
}

impl Test {
    /// Whether the test is decided exactly: if it may hold, it holds.
    pub(super) const fn is_exact(&self) -> bool {
        match self {
            Self::Pattern(_)
            | Self::Similar(_)
            | Self::Material(_)
            | Self::Bishops(_)
            | Self::Turn(_)
            | Self::Check
            | Self::Ply(_)
            | Self::Men(_)
            | Self::Balance(_)
            | Self::Capture(_)
            | Self::Promotion(_)
            | Self::Castled(..)
            | Self::Any
            | Self::Motif(_)
            | Self::DoubleCheck
            | Self::DiscoveredCheck
            | Self::Route(..) => true,
            Self::Move(pattern) => pattern.is_seen(),
            // Castling rights and en passant are part of a position.
            Self::Position(_)
            | Self::Mate
            | Self::Last
            | Self::Sacrifice(_)
            | Self::Line(..)
            | Self::Stated(_) => false,
        }
    }

    #[inline]
    fn may_hold_at(&self, step: &Step<'_>, memories: &mut [Memory]) -> bool {
        let Step { men, played, ply } = *step;
        match self {
            Self::Position(target) => men.are_those_of(target.0.board()),
            Self::Pattern(pattern) => pattern.holds(men),
            Self::Similar(similar) => similar.holds(men),
            Self::Material(material) => material.holds(men),
            Self::Bishops(bishops) => bishops.holds(men),
            Self::Turn(color) => men.turn() == *color,
            Self::Check | Self::Mate => men.is_check(),
            Self::Last | Self::Sacrifice(_) | Self::Line(..) | Self::Any | Self::Stated(_) => true,
            Self::Motif(motif) => motif.holds(men),
            Self::DoubleCheck => checkers(men).is_many(),
            Self::DiscoveredCheck => {
                played.is_some_and(|played| men.is_check() && is_discovered(checkers(men), played.mv))
            }
            Self::Route(route, memory) => {
                let memories = &mut memories[*memory..*memory + Route::MEMORIES];
                if ply == 0 {
                    route.begin(men, memories);
                }
                played.is_some_and(|played| {
                    route.advance(played.mv, !men.turn(), played.captured.is_some(), memories)
                })
            }
            Self::Ply(range) => range.contains(ply.into()),
            Self::Men(range) => range.contains(men.occupied().count().into()),
            Self::Balance(range) => range.contains(balance(men)),
            Self::Move(pattern) => played.is_some_and(|played| pattern.may_match(played, step)),
            Self::Capture(role) => played
                .and_then(|played| played.captured)
                .is_some_and(|captured| role.is_none_or(|role| role == captured)),
            Self::Promotion(role) => played
                .and_then(|played| played.mv.promotion())
                .is_some_and(|promotion| role.is_none_or(|role| role == promotion)),
            Self::Castled(castled, memory) => {
                let castling =
                    played.filter(|played| played.mv.is_castle()).map_or(0, |Played { mv, .. }| {
                        let wing = if mv.to() > mv.from() { CastlingSide::King } else { CastlingSide::Queen };
                        castling_bit(!men.turn(), wing)
                    });
                let all = memories[*memory].unwrap_or(0) | castling;
                memories[*memory] = Some(all);
                castled.holds(all)
            }
        }
    }
}

impl MovePattern {
    #[inline]
    fn may_match(&self, played: &Played, step: &Step<'_>) -> bool {
        if !self.may_lead_to(played.mv) {
            return false;
        }
        // The number of the move before this position, which fits since the number of plies is limited.
        let number = step.ply.div_ceil(2).try_into().unwrap_or(u16::MAX);
        let mover = !step.men.turn();
        self.has_number(number, mover)
            && self.is_like(played.mv, Some(played.role), played.captured.is_some())
            && (!self.wants_check() || step.men.is_check())
    }
}

/// A scan of games, one by one.
pub struct Scan<'q> {
    query: &'q Query,
    /// The terms that must hold somewhere: their indices, and whether they are exact.
    somewhere: Vec<(usize, &'q Moment, bool)>,
    /// The terms that have not held yet, by their indices in `somewhere`.
    open: Vec<usize>,
    counted: Vec<(usize, &'q Moment, Range)>,
    counts: Vec<i64>,
    memories: Vec<Memory>,
    /// The values of the terms that are known before the scan of the moves.
    known: Vec<Option<bool>>,
    /// Whether a term that holds can never make the query false.
    is_monotone: bool,
    /// The squares watched by all terms; `None` if a term cannot be limited to squares.
    watched: Option<Bitboard>,
}

impl Query {
    /// A scan of games for this query; `None` if a scan cannot rule out any game.
    pub fn scan(&self) -> Option<Scan<'_>> {
        let is_worth = |leaf: &Leaf| match leaf {
            Leaf::Somewhere(moment) | Leaf::Count(moment, _) => moment.is_selective(),
            Leaf::Header(_) | Leaf::Game(_) => false,
        };
        if !self.scope.is_main_line() || !self.leaves.iter().any(is_worth) {
            return None;
        }
        let leaves = self.leaves.iter().enumerate();
        let somewhere = leaves.clone().filter_map(|(index, leaf)| match leaf {
            Leaf::Somewhere(moment) => Some((index, moment, moment.is_exact())),
            _ => None,
        });
        let counted: Vec<(usize, &Moment, Range)> = leaves
            .filter_map(|(index, leaf)| match leaf {
                Leaf::Count(moment, range) => Some((index, moment, *range)),
                _ => None,
            })
            .collect();
        fn has_not(node: &Node) -> bool {
            match node {
                Node::All(nodes) | Node::Any(nodes) => nodes.iter().any(has_not),
                Node::Not(_) => true,
                Node::Leaf(_) => false,
            }
        }
        let somewhere: Vec<(usize, &Moment, bool)> = somewhere.collect();
        let watched = somewhere
            .iter()
            .try_fold(Bitboard::EMPTY, |all, (_, moment, _)| moment.watched().map(|squares| all | squares));
        Some(Scan {
            query: self,
            watched: watched.filter(|_| counted.is_empty()),
            somewhere,
            open: Vec::new(),
            is_monotone: counted.is_empty() && !has_not(&self.root),
            counts: vec![0; counted.len()],
            counted,
            memories: Vec::new(),
            known: Vec::new(),
        })
    }
}

impl Scan<'_> {
    /// Whether the query finds a game with this header and these moves from the initial position (`None` for a null
    /// move); `None` if that is not certain.
    pub fn verdict_on(&mut self, header: &dyn Header, moves: &[Option<Move>]) -> Option<bool> {
        let mut men = Men::start();
        self.begin();
        let mut goes_on = self.visit(&Step { men: &men, played: None, ply: 0 });
        for (&mv, ply) in moves.iter().zip(1..) {
            if !goes_on {
                break;
            }
            if ply > MAX_PLIES {
                return None;
            }
            let played = match mv {
                Some(mv) => Some(men.play(mv, men.role_at(mv.from())?)),
                None => {
                    men.pass();
                    None
                }
            };
            goes_on = self.visit(&Step { men: &men, played: played.as_ref(), ply });
        }
        self.verdict(header)
    }

    /// Whether the query cannot find a game with this summary, whatever its moves are.
    pub(in crate::database) fn is_hopeless(&mut self, seen: &Seen) -> bool {
        self.known.clear();
        self.known.resize(self.query.leaves.len(), None);
        for &(leaf, moment, _) in &self.somewhere {
            if !moment.may_hold_in(seen) {
                self.known[leaf] = Some(false);
            }
        }
        self.query.decide(&self.known) == Some(false)
    }

    /// Starts the next game.
    pub(in crate::database) fn begin(&mut self) {
        self.open.clear();
        self.open.extend(0..self.somewhere.len());
        self.counts.fill(0);
        self.memories.clear();
        self.memories.resize(self.query.memories, None);
    }

    /// Visits the next position, and returns whether the scan must continue.
    #[inline(always)]
    pub(in crate::database) fn visit(&mut self, step: &Step<'_>) -> bool {
        // Most moves do not touch the squares of most queries.
        if let (Some(watched), Some(Played { mv, .. })) = (self.watched, step.played)
            && mv.kind() == MoveKind::Normal
            && !watched.contains(mv.from())
            && !watched.contains(mv.to())
        {
            return true;
        }
        self.look_at(step)
    }

    fn look_at(&mut self, step: &Step<'_>) -> bool {
        for (index, (_, moment, _)) in self.counted.iter().enumerate() {
            self.counts[index] += i64::from(moment.may_hold_at(step, &mut self.memories));
        }
        let (mut index, mut has_held) = (0, false);
        while let Some(&place) = self.open.get(index) {
            if self.somewhere[place].1.may_hold_now(step, &mut self.memories) {
                self.open.swap_remove(index);
                has_held = true;
            } else {
                index += 1;
            }
        }
        if !has_held {
            return true;
        }
        if self.is_monotone {
            // A tag may decide that only the terms that have not held yet can make the query true.
            !self.open.is_empty() && self.query.decide(&self.known(&|_| Some(false))) == Some(false)
        } else {
            !self.open.is_empty() || !self.counted.is_empty()
        }
    }

    /// Whether the query finds the game whose positions have been visited; `None` if that is not certain.
    pub(in crate::database) fn verdict(&self, header: &dyn Header) -> Option<bool> {
        let by_moves = self.query.decide(&self.known(&|_| None));
        by_moves.or_else(|| self.query.decide(&self.known(&|term| term.holds(header, Facts::default()))))
    }

    /// The known values of the terms, with these values of the terms about tags.
    fn known(&self, of_tags: &dyn Fn(&HeaderTerm) -> Option<bool>) -> Vec<Option<bool>> {
        let leaf = |leaf: &Leaf| match leaf {
            Leaf::Header(term) => of_tags(term),
            _ => None,
        };
        let mut known: Vec<Option<bool>> = self.query.leaves.iter().map(leaf).collect();
        for (place, &(leaf, _, is_exact)) in self.somewhere.iter().enumerate() {
            let has_held = !self.open.contains(&place);
            known[leaf] = if has_held { is_exact.then_some(true) } else { Some(false) };
        }
        for (&(leaf, moment, range), &count) in self.counted.iter().zip(&self.counts) {
            known[leaf] = if moment.is_exact() {
                Some(range.contains(count))
            } else {
                (!range.meets(0, count)).then_some(false)
            };
        }
        known
    }
}
