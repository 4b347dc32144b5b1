//! The tree of a query, and the evaluation of terms at a position of a game.

use super::comments::Tree;
use super::headers::{HeaderTerm, Range};
use super::motifs::{Motif, checkers};
use super::moves::{GameTerm, Line, MovePattern};
use super::path::Path;
use super::positions::{Bishops, Material, Pattern, Target, balance};
use super::route::Route;
use super::similar::Similar;
use super::stated::Stated;
use crate::chess::{Bitboard, CastlingSide, Color, Move, Position, Role};
use crate::notation::pgn::NodeId;

/// A query on games, such as `white:kasparov material:"KRPkr" for 10`. Its language is described in
/// `docs/queries.md`.
///
/// ```
/// use hematite_games::database::Query;
/// let query: Query = "player:tal -player:botvinnik date>=1960".parse().expect("a query");
/// let mut tags = hematite_games::notation::pgn::Tags::new();
/// tags.set("White", "Tal, Mihail");
/// tags.set("Date", "1960.03.15");
/// assert_eq!(query.by_header(&tags), Some(true));
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) root: Node,
    pub(super) leaves: Vec<Leaf>,
    /// The number of memories of the terms.
    pub(super) memories: usize,
    pub(super) scope: Scope,
}

/// The parts of a game that are searched in addition to the main line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Scope {
    /// Variations.
    pub variations: bool,
    /// Lines of moves in comments.
    pub comments: bool,
}

impl Scope {
    /// Whether only the main line is searched.
    pub(super) const fn is_main_line(self) -> bool {
        !self.variations && !self.comments
    }
}

/// The combination of terms; a leaf is the index of a term.
#[derive(Clone, Debug)]
pub(super) enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Leaf(usize),
}

/// A term on a game.
#[derive(Clone, Debug)]
pub(super) enum Leaf {
    Header(HeaderTerm),
    Game(GameTerm),
    /// The moment holds somewhere in the game.
    Somewhere(Moment),
    /// The number of times at which the moment holds in the game is in the range.
    Count(Moment, Range),
}

/// A part of a query that has been parsed.
#[derive(Debug)]
pub(super) enum Parsed {
    All(Vec<Parsed>),
    Any(Vec<Parsed>),
    Not(Box<Parsed>),
    Leaf(Box<Leaf>),
}

impl Parsed {
    pub(super) fn leaf(leaf: Leaf) -> Self {
        Self::Leaf(Box::new(leaf))
    }

    pub(super) fn header(term: HeaderTerm) -> Self {
        Self::leaf(Leaf::Header(term))
    }

    pub(super) fn game(term: GameTerm) -> Self {
        Self::leaf(Leaf::Game(term))
    }

    pub(super) fn test(test: Test) -> Self {
        Self::leaf(Leaf::Somewhere(Moment::Test(test)))
    }

    pub(super) fn into_node(self, leaves: &mut Vec<Leaf>) -> Node {
        let mut nodes =
            |parts: Vec<Self>| parts.into_iter().map(|part| part.into_node(leaves)).collect::<Vec<_>>();
        match self {
            Self::All(parts) => Node::All(nodes(parts)),
            Self::Any(parts) => Node::Any(nodes(parts)),
            Self::Not(part) => Node::Not(Box::new(part.into_node(leaves))),
            Self::Leaf(leaf) => {
                leaves.push(*leaf);
                Node::Leaf(leaves.len() - 1)
            }
        }
    }

    /// Converts the part to a condition on one position; `None` if it contains a term about the whole game.
    pub(super) fn into_moment(self) -> Option<Moment> {
        let moments = |parts: Vec<Self>| parts.into_iter().map(Self::into_moment).collect::<Option<Vec<_>>>();
        Some(match self {
            Self::All(parts) => {
                let mut moments = moments(parts)?;
                moments.sort_by_key(Moment::cost);
                Moment::All(moments)
            }
            Self::Any(parts) => Moment::Any(moments(parts)?),
            Self::Not(part) => Moment::Not(Box::new(part.into_moment()?)),
            Self::Leaf(leaf) => match *leaf {
                Leaf::Somewhere(moment) => moment,
                Leaf::Header(_) | Leaf::Game(_) | Leaf::Count(..) => return None,
            },
        })
    }
}

/// A condition on a position of a game and the positions before it.
#[derive(Clone, Debug)]
pub(super) enum Moment {
    Test(Test),
    All(Vec<Moment>),
    Any(Vec<Moment>),
    Not(Box<Moment>),
    /// The moment has held in this many positions up to the current one.
    Lasts {
        moment: Box<Moment>,
        positions: u32,
        memory: usize,
    },
    /// The second moment holds, and the first has held before, at most `within` plies ago.
    Then {
        first: Box<Moment>,
        second: Box<Moment>,
        within: Option<u32>,
        memory: usize,
    },
    /// A path of these moments is complete at the current position.
    Path {
        path: Box<Path>,
        moments: Vec<Moment>,
        memory: usize,
    },
}

/// A test of a position and of the move that led to it.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Position(Target),
    Pattern(Pattern),
    Similar(Box<Similar>),
    Material(Material),
    Bishops(Bishops),
    Turn(Color),
    Check,
    Mate,
    /// The last position of the line.
    Last,
    /// The number of plies from the start of the game.
    Ply(Range),
    /// The number of men on the board.
    Men(Range),
    /// White's material minus Black's, in pawns.
    Balance(Range),
    Move(MovePattern),
    /// A capture of a man with this role, or of any man.
    Capture(Option<Role>),
    Promotion(Option<Role>),
    /// The material that the side that has moved gives up, in pawns.
    Sacrifice(Range),
    Line(Line, usize),
    /// The sides have castled in this way.
    Castled(Castled, usize),
    /// Holds at every position.
    Any,
    Motif(Box<Motif>),
    /// Two men give check.
    DoubleCheck,
    /// A man that has not moved gives check.
    DiscoveredCheck,
    /// The move completes a route.
    Route(Box<Route>, usize),
    /// The comments on the move pass this test.
    Stated(Stated),
}

/// Castling of the sides in a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Castled {
    /// This side has castled, on this wing or on either.
    Side(Color, Option<CastlingSide>),
    /// Both sides have castled, on the same wing.
    Same,
    /// Both sides have castled, on opposite wings.
    Opposite,
}

impl Castled {
    pub(super) const NAMES: [(&str, Self); 8] = [
        ("white", Self::Side(Color::White, None)),
        ("black", Self::Side(Color::Black, None)),
        ("K", Self::Side(Color::White, Some(CastlingSide::King))),
        ("Q", Self::Side(Color::White, Some(CastlingSide::Queen))),
        ("k", Self::Side(Color::Black, Some(CastlingSide::King))),
        ("q", Self::Side(Color::Black, Some(CastlingSide::Queen))),
        ("same", Self::Same),
        ("opposite", Self::Opposite),
    ];

    /// Whether the term holds, given the bits of the castling moves that have been played.
    pub(super) fn holds(self, played: u32) -> bool {
        let has = |color, wing| played & castling_bit(color, wing) != 0;
        let both = |white, black| has(Color::White, white) && has(Color::Black, black);
        match self {
            Self::Side(color, Some(wing)) => has(color, wing),
            Self::Side(color, None) => has(color, CastlingSide::King) || has(color, CastlingSide::Queen),
            Self::Same => {
                both(CastlingSide::King, CastlingSide::King) || both(CastlingSide::Queen, CastlingSide::Queen)
            }
            Self::Opposite => {
                both(CastlingSide::King, CastlingSide::Queen) || both(CastlingSide::Queen, CastlingSide::King)
            }
        }
    }
}

pub(super) const fn castling_bit(color: Color, wing: CastlingSide) -> u32 {
    1 << (color as u32 * 2 + wing as u32)
}

/// A place in a game.
#[derive(Clone, Copy)]
pub(super) struct PlaceInGame<'a> {
    pub tree: &'a Tree<'a>,
    pub node: NodeId,
    pub position: &'a Position,
    /// The previous position and the move from it (`None` for a null move); `None` at the start.
    pub before: Option<(&'a Position, Option<Move>)>,
    /// The number of plies from the start.
    pub ply: u32,
}

/// The memory of a term for the line that leads to a position: a count, or nothing.
pub(super) type Memory = Option<u32>;

impl Moment {
    /// Whether the moment has a memory, so that it must be evaluated at every position of a line.
    pub(super) fn remembers(&self) -> bool {
        match self {
            Self::Test(test) => matches!(test, Test::Line(..) | Test::Castled(..) | Test::Route(..)),
            Self::All(moments) | Self::Any(moments) => moments.iter().any(Self::remembers),
            Self::Not(moment) => moment.remembers(),
            Self::Lasts { .. } | Self::Then { .. } | Self::Path { .. } => true,
        }
    }

    /// The cost of the evaluation: cheap moments are evaluated first.
    pub(super) fn cost(&self) -> u8 {
        match self {
            Self::Test(test) => match test {
                Test::Position(_)
                | Test::Turn(_)
                | Test::Check
                | Test::Last
                | Test::Ply(_)
                | Test::Men(_)
                | Test::Any => 0,
                Test::Move(_)
                | Test::Capture(_)
                | Test::Promotion(_)
                | Test::Line(..)
                | Test::Castled(..)
                | Test::DoubleCheck
                | Test::DiscoveredCheck
                | Test::Route(..) => 1,
                Test::Material(_) | Test::Bishops(_) | Test::Balance(_) | Test::Similar(_) => 2,
                Test::Pattern(_) => 3,
                Test::Motif(motif) => motif.cost(),
                Test::Mate | Test::Sacrifice(_) | Test::Stated(_) => 5,
            },
            Self::Not(moment) | Self::Lasts { moment, .. } => moment.cost(),
            Self::All(moments) | Self::Any(moments) | Self::Path { moments, .. } => {
                moments.iter().map(Self::cost).fold(0, u8::saturating_add)
            }
            Self::Then { first, second, .. } => first.cost().saturating_add(second.cost()),
        }
    }

    /// Whether the moment holds here. The positions of a line must be passed one by one.
    pub(super) fn holds(&self, here: &PlaceInGame<'_>, memories: &mut [Memory]) -> bool {
        self.evaluate(&|test: &Test, memories: &mut [Memory]| test.holds(here, memories), false, memories)
    }

    /// Whether all its tests are exact ([`Test::is_exact`]), so that it is exact as a whole.
    pub(super) fn is_exact(&self) -> bool {
        match self {
            Self::Test(test) => test.is_exact(),
            Self::All(moments) | Self::Any(moments) | Self::Path { moments, .. } => {
                moments.iter().all(Self::is_exact)
            }
            Self::Not(moment) | Self::Lasts { moment, .. } => moment.is_exact(),
            Self::Then { first, second, .. } => first.is_exact() && second.is_exact(),
        }
    }

    /// Whether the moment holds by the answers of `ask`; if `is_weak`, these may be too optimistic, and the result is
    /// whether it may hold.
    #[inline]
    pub(super) fn evaluate<A>(&self, ask: &A, is_weak: bool, memories: &mut [Memory]) -> bool
    where
        A: Fn(&Test, &mut [Memory]) -> bool,
    {
        match self {
            Self::Test(test) => ask(test, memories),
            Self::Not(moment) => !moment.evaluate(ask, is_weak, memories) || is_weak && !moment.is_exact(),
            // Moments with memories must be evaluated at all positions, even if the answer is already known.
            Self::All(moments) => {
                let mut all = true;
                for moment in moments {
                    if all || moment.remembers() {
                        all &= moment.evaluate(ask, is_weak, memories);
                    }
                }
                all
            }
            Self::Any(moments) => {
                let mut any = false;
                for moment in moments {
                    if !any || moment.remembers() {
                        any |= moment.evaluate(ask, is_weak, memories);
                    }
                }
                any
            }
            Self::Lasts { moment, positions, memory } => {
                let holds = moment.evaluate(ask, is_weak, memories);
                let lasted = if holds { memories[*memory].unwrap_or(0).saturating_add(1) } else { 0 };
                memories[*memory] = Some(lasted);
                lasted >= *positions
            }
            Self::Then { first, second, within, memory } => {
                let since = memories[*memory].map(|plies| plies.saturating_add(1));
                let is_second = second.evaluate(ask, is_weak, memories);
                let is_first = first.evaluate(ask, is_weak, memories);
                memories[*memory] = if is_first { Some(0) } else { since };
                is_second && since.is_some_and(|plies| within.is_none_or(|most| plies <= most))
            }
            Self::Path { path, moments, memory } => {
                path.advance(memories, *memory, |memories, thing, is_wanted| {
                    let moment = &moments[thing];
                    (is_wanted || moment.remembers()) && moment.evaluate(ask, is_weak, memories)
                })
            }
        }
    }

    /// Whether the moment may hold somewhere between two positions of a line.
    pub(super) fn may_hold(&self, first: &Position, last: &Position) -> bool {
        match self {
            Self::Test(Test::Position(target)) => target.may_hold(first, last),
            Self::Test(Test::Material(material)) => material.may_hold(first, last),
            Self::Test(Test::Similar(similar)) => similar.may_hold(first, last),
            Self::Test(Test::Men(range)) => range.meets(men(last), men(first)),
            Self::Test(_) | Self::Not(_) | Self::Path { .. } => true,
            Self::All(moments) => moments.iter().all(|moment| moment.may_hold(first, last)),
            Self::Any(moments) => moments.iter().any(|moment| moment.may_hold(first, last)),
            Self::Lasts { moment, .. } => moment.may_hold(first, last),
            Self::Then { first: earlier, second, .. } => {
                earlier.may_hold(first, last) && second.may_hold(first, last)
            }
        }
    }
}

fn men(position: &Position) -> i64 {
    position.occupied().count().into()
}

impl Test {
    /// The index of its first memory, and the number of its memories.
    pub(super) fn memory(&mut self) -> Option<(&mut usize, usize)> {
        match self {
            Self::Line(_, memory) | Self::Castled(_, memory) => Some((memory, 1)),
            Self::Route(_, memory) => Some((memory, Route::MEMORIES)),
            _ => None,
        }
    }

    fn holds(&self, here: &PlaceInGame<'_>, memories: &mut [Memory]) -> bool {
        let position = here.position;
        let mv = || here.before.and_then(|(before, mv)| Some((before, mv?)));
        match self {
            Self::Position(target) => target.holds(position),
            Self::Pattern(pattern) => pattern.holds(position.board()),
            Self::Similar(similar) => similar.holds(position.board()),
            Self::Material(material) => material.holds(position.board()),
            Self::Bishops(bishops) => bishops.holds(position.board()),
            Self::Turn(color) => position.turn() == *color,
            Self::Check => position.is_check(),
            Self::Mate => position.is_checkmate(),
            Self::Last => here.tree.next(here.node).is_none(),
            Self::Ply(range) => range.contains(here.ply.into()),
            Self::Men(range) => range.contains(men(position)),
            Self::Balance(range) => range.contains(balance(position.board())),
            Self::Move(pattern) => mv().is_some_and(|(before, mv)| pattern.matches(before, mv, position)),
            Self::Capture(role) => mv()
                .and_then(|(before, mv)| before.captured_role(mv))
                .is_some_and(|captured| role.is_none_or(|role| role == captured)),
            Self::Promotion(role) => mv()
                .and_then(|(_, mv)| mv.promotion())
                .is_some_and(|promotion| role.is_none_or(|role| role == promotion)),
            Self::Sacrifice(range) => sacrifice(here).is_some_and(|pawns| range.contains(pawns)),
            Self::Line(line, memory) => {
                let Some((before, mv)) = here.before else {
                    memories[*memory] = Some(0);
                    return false;
                };
                let step = memories[*memory]
                    .and_then(|step| line.advance(step as usize, here.ply - 1, before, mv, position));
                memories[*memory] = step.and_then(|step| step.try_into().ok());
                step == Some(line.len())
            }
            Self::Castled(castled, memory) => {
                let castling = mv().filter(|(_, mv)| mv.is_castle()).map_or(0, |(before, mv)| {
                    let wing = if mv.to() > mv.from() { CastlingSide::King } else { CastlingSide::Queen };
                    castling_bit(before.turn(), wing)
                });
                let played = memories[*memory].unwrap_or(0) | castling;
                memories[*memory] = Some(played);
                castled.holds(played)
            }
            Self::Any => true,
            Self::Motif(motif) => motif.holds(position.board()),
            Self::DoubleCheck => position.is_check() && checkers(position.board()).is_many(),
            Self::DiscoveredCheck => {
                position.is_check()
                    && mv().is_some_and(|(_, mv)| is_discovered(checkers(position.board()), mv))
            }
            Self::Route(route, memory) => {
                let memories = &mut memories[*memory..*memory + Route::MEMORIES];
                if here.before.is_none() {
                    route.begin(position.board(), memories);
                }
                mv().is_some_and(|(before, mv)| {
                    route.advance(mv, before.turn(), before.captured_role(mv).is_some(), memories)
                })
            }
            Self::Stated(stated) => stated.holds(here.tree.comments(here.node)),
        }
    }
}

/// Whether one of the men that give check after a move is not the one that moved. Castling never discovers a check.
pub(super) fn is_discovered(checkers: Bitboard, mv: Move) -> bool {
    !mv.is_castle() && !checkers.without(mv.to()).is_empty()
}

/// The material that the side that has moved gives up, in pawns: the other side captures with its next move, and after
/// each of the next two moves of this side, as far as they are played, it is behind by at least this amount compared
/// with the position before. `None` if nothing is captured, or this side does not move again.
fn sacrifice(here: &PlaceInGame<'_>) -> Option<i64> {
    let (before, _) = here.before?;
    let sign = match before.turn() {
        Color::White => 1,
        Color::Black => -1,
    };
    let mut position = *here.position;
    let mut node = here.node;
    let mut play = || {
        node = here.tree.next(node)?;
        let captures = match here.tree.mv(node) {
            Some(mv) => {
                let captures = position.captured_role(mv).is_some();
                position = position.after(mv).0;
                captures
            }
            None => {
                position = position.after_null();
                false
            }
        };
        Some((captures, sign * balance(position.board())))
    };
    let at_first = sign * balance(before.board());
    let (is_taken, _) = play()?;
    let (_, after_one) = play()?;
    // The other side's next move may capture more, which is only certain after this side's next move.
    let after_two = play().and_then(|_| play()).map(|(_, balance)| balance);
    let lost = at_first - after_one.max(after_two.unwrap_or(after_one));
    (is_taken && lost > 0).then_some(lost)
}
