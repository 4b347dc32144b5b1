//! The tree of moves that games play after a position, and the maneuvers of pieces in the moves that follow it.

use super::sieve::Follow;
use super::tally::{Branch, Counted, GameFacts, Tally};
use crate::chess::{Color, Move, Piece, Position, Rank, Role, Square};
use crate::notation::eco::{EcoCode, Opening, opening};
use crate::notation::{San, SanText};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The maximum number of moves of a tree, or of routes of pieces, in memory: a few hundred megabytes.
const MAX_ENTRIES: usize = 1 << 22;

/// The error for more moves than fit into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {MAX_ENTRIES} different moves, expected a lower depth or a query for fewer games")]
pub struct TooManyMoves;

/// The position at the root of a tree, and the moves that lead to it.
#[derive(Clone, Debug)]
pub struct Root {
    start: Position,
    line: Vec<Move>,
    /// The position.
    pub position: Position,
    /// The number of plies after it that are counted, at least 1.
    pub depth: u32,
    /// Whether only games count that reach the position by exactly these moves.
    pub is_exact: bool,
}

/// The identity of a node: the key of its position or, if only exact lines count, that of the line.
pub type NodeKey = u64;

impl Root {
    /// The root after these moves, which must be legal.
    pub fn new(start: Position, line: Vec<Move>, depth: u32, is_exact: bool) -> Self {
        let position = line.iter().fold(start, |position, &mv| position.after(mv).0);
        Self { start, line, position, depth, is_exact }
    }

    /// The start, and the moves that lead to the position.
    pub fn line(&self) -> (&Position, &[Move]) {
        (&self.start, &self.line)
    }

    /// The key of the root.
    pub fn key(&self) -> NodeKey {
        self.position.key().bits()
    }

    /// The key of the node after a move.
    pub fn child(&self, node: NodeKey, mv: Move, after: &Position) -> NodeKey {
        /// The increment of SplitMix64, whose outputs are practically always different for different inputs.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        if !self.is_exact {
            return after.key().bits();
        }
        let mixed = (node ^ u64::from(mv.bits())).wrapping_mul(STEP);
        (mixed ^ mixed >> 29).wrapping_add(STEP).wrapping_mul(STEP | 2) ^ mixed >> 32
    }

    /// Whether this is the position of the root.
    pub(super) fn is_here(&self, position: &Position) -> bool {
        position.key() == self.position.key() && position.board() == self.position.board()
    }

    /// Whether the root may be reached from this position: the numbers of men and castling rights only decrease, and
    /// pawns do not move back.
    pub(super) fn may_follow(&self, position: &Position) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rank = color.relative(Rank::Second).squares();
            let pawns = |position: &Position| position.pieces(color, Role::Pawn);
            let home = self.position.pieces(color, Role::Pawn) & rank;
            home.is_subset(pawns(position))
                && pawns(&self.position).count() <= pawns(position).count()
                && self.position.color(color).count() <= position.color(color).count()
                && self.position.castling_rooks(color).is_subset(position.castling_rooks(color))
        })
    }
}

/// Counts the moves below a position, game by game.
#[derive(Clone, Debug)]
pub struct Tree {
    root: Arc<Root>,
    branches: HashMap<(NodeKey, Move), Branch>,
    /// The games that reach the root, from the point of view of the side to move there.
    pub total: Tally,
    /// The names of their openings, if requested.
    pub names: Option<OpeningNames>,
    /// The number of games that were followed, whether or not they reach the root.
    seen: u64,
    // The state of the current game:
    is_reached: bool,
    /// The number of plies played of the line to the root; `None` after any other move.
    on_line: Option<usize>,
    /// The current node below the root, and the number of plies that still count.
    open: Option<(NodeKey, u32)>,
    moves: Vec<(NodeKey, Move, Color)>,
}

impl Tree {
    /// A tree without games.
    pub fn new(root: Arc<Root>, with_names: bool) -> Self {
        Self {
            root,
            branches: HashMap::new(),
            total: Tally::default(),
            names: with_names.then(OpeningNames::default),
            seen: 0,
            is_reached: false,
            on_line: None,
            open: None,
            moves: Vec::new(),
        }
    }

    /// Adds the current game if it reached the root.
    pub fn add(&mut self, game: &GameFacts) {
        if !self.is_reached {
            return;
        }
        self.total.add(game, self.root.position.turn());
        for (index, &(node, mv, side)) in self.moves.iter().enumerate() {
            let none = Branch { first: (self.seen, index), ..Branch::default() };
            let branch = self.branches.entry((node, mv)).or_insert(none);
            branch.tally.add(game, side);
        }
        if let Some(names) = &mut self.names {
            names.add(game);
        }
    }

    /// Adds a tree of games that come after those of this one.
    ///
    /// # Errors
    /// [`TooManyMoves`] if it would have too many moves.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyMoves> {
        for (place, branch) in other.branches {
            let first = (self.seen + branch.first.0, branch.first.1);
            let own = self.branches.entry(place).or_insert(Branch { first, ..Branch::default() });
            own.tally.merge(&branch.tally);
            own.first = own.first.min(first);
        }
        self.total.merge(&other.total);
        self.seen += other.seen;
        if let (Some(own), Some(names)) = (&mut self.names, other.names) {
            own.merge(names);
        }
        if self.branches.len() > MAX_ENTRIES { Err(TooManyMoves) } else { Ok(()) }
    }

    /// The moves of a node with this position, in no particular order.
    pub fn branches(&self, node: NodeKey, position: &Position) -> Vec<(Move, &Branch)> {
        let moves = position.legal_moves();
        let found = moves.iter().filter_map(|&mv| Some((mv, self.branches.get(&(node, mv))?)));
        found.collect()
    }

    fn reach(&mut self) {
        self.is_reached = true;
        self.open = Some((self.root.key(), self.root.depth));
    }
}

impl Follow for Tree {
    fn pass(&mut self, games: u64) {
        self.seen += games;
    }

    fn counted_position(&self) -> Option<&Position> {
        let is_simple = self.root.depth == 1 && !self.root.is_exact && self.names.is_none();
        is_simple.then_some(&self.root.position)
    }

    fn add_counted(&mut self, counted: &Counted) {
        self.total.merge(&counted.total);
        let node = self.root.key();
        for &(mv, branch) in &counted.moves {
            let first = (self.seen + branch.first.0, branch.first.1);
            let own = self.branches.entry((node, mv)).or_insert(Branch { first, ..Branch::default() });
            own.tally.merge(&branch.tally);
            own.first = own.first.min(first);
        }
    }

    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.seen += 1;
        self.is_reached = false;
        self.on_line = None;
        self.open = None;
        self.moves.clear();
        let Some(start) = start else { return ControlFlow::Break(()) };
        if let Some(names) = &mut self.names {
            let _ = names.begin(Some(start));
        }
        if self.root.is_exact {
            if start.board() != self.root.start.board() {
                return ControlFlow::Break(());
            }
            self.on_line = Some(0);
            if self.root.line.is_empty() {
                self.reach();
            }
        } else if self.root.is_here(start) {
            self.reach();
        } else if !self.root.may_follow(start) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn play(&mut self, before: &Position, mv: Option<Move>, after: &Position) -> ControlFlow<()> {
        if let Some(names) = &mut self.names {
            let _ = names.play(before, mv, after);
        }
        if let Some((node, plies)) = self.open {
            self.open = mv.and_then(|mv| {
                // A repeated move of a game counts once.
                if !self.moves.iter().any(|&(other, played, _)| (other, played) == (node, mv)) {
                    self.moves.push((node, mv, before.turn()));
                }
                (plies > 1).then(|| (self.root.child(node, mv, after), plies - 1))
            });
        }
        if self.root.is_exact {
            match self.on_line {
                Some(plies) if plies < self.root.line.len() => {
                    if mv != Some(self.root.line[plies]) {
                        return ControlFlow::Break(());
                    }
                    self.on_line = Some(plies + 1);
                    if plies + 1 == self.root.line.len() {
                        self.reach();
                    }
                }
                _ if self.open.is_none() && self.names.is_none() => return ControlFlow::Break(()),
                _ => {}
            }
        } else if self.root.is_here(after) {
            self.reach();
        } else if self.open.is_none()
            && (self.names.is_none() || !self.is_reached)
            && !self.root.may_follow(after)
        {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// The games of an opening, from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedGames {
    /// One of the openings with this name.
    pub opening: &'static Opening,
    /// The first and the last ECO code of its positions.
    pub codes: (EcoCode, EcoCode),
    /// The results of its games.
    pub tally: Tally,
}

/// Counts the openings of games by their names: the name of the last position that has one.
#[derive(Clone, Default, Debug)]
pub struct OpeningNames {
    names: HashMap<(&'static str, EcoCode), NamedGames>,
    /// The games whose openings have no name.
    pub unnamed: Tally,
    current: CurrentOpening,
}

impl OpeningNames {
    /// Adds the current game.
    pub fn add(&mut self, game: &GameFacts) {
        self.add_opening(self.current.opening(), game);
    }

    /// Adds a game with this opening.
    pub fn add_opening(&mut self, opening: Option<&'static Opening>, game: &GameFacts) {
        self.add_seen(opening, game, Color::White);
    }

    /// Adds a game with this opening from the point of view of a side, which must be the same for all games.
    pub fn add_seen(&mut self, opening: Option<&'static Opening>, game: &GameFacts, side: Color) {
        let Some(opening) = opening else { return self.unnamed.add(game, side) };
        let codes = (opening.code(), opening.code());
        let none = NamedGames { opening, codes, tally: Tally::default() };
        let named = self.names.entry((opening.name(), opening.code())).or_insert(none);
        named.tally.add(game, side);
    }

    /// Adds other games.
    pub fn merge(&mut self, other: Self) {
        for (name, games) in other.names {
            let none = NamedGames { tally: Tally::default(), ..games };
            self.names.entry(name).or_insert(none).merge(&games);
        }
        self.unnamed.merge(&other.unnamed);
    }

    /// The games of each name and code, in the alphabetical order of the names.
    pub fn sorted(&self) -> Vec<NamedGames> {
        let mut sorted: Vec<NamedGames> = self.names.values().copied().collect();
        sorted.sort_unstable_by_key(|games| (games.opening.name(), games.codes));
        sorted
    }
}

impl NamedGames {
    fn include(&mut self, (low, high): (EcoCode, EcoCode)) {
        self.codes = (self.codes.0.min(low), self.codes.1.max(high));
    }

    /// Adds the games of another opening.
    pub fn merge(&mut self, other: &Self) {
        self.include(other.codes);
        self.tally.merge(&other.tally);
    }
}

impl Follow for OpeningNames {
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.current.begin(start)
    }

    fn play(&mut self, before: &Position, mv: Option<Move>, after: &Position) -> ControlFlow<()> {
        self.current.play(before, mv, after)
    }
}

/// The opening of the current game: that of its last position with a name.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct CurrentOpening(Option<&'static Opening>);

impl CurrentOpening {
    /// The opening of the positions so far.
    pub(super) const fn opening(self) -> Option<&'static Opening> {
        self.0
    }
}

impl Follow for CurrentOpening {
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.0 = start.and_then(opening);
        if start.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn play(&mut self, _: &Position, _: Option<Move>, after: &Position) -> ControlFlow<()> {
        self.0 = opening(after).or(self.0);
        ControlFlow::Continue(())
    }
}

/// A maneuver in the moves after a position: a move in its notation, or the route of a piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Maneuver {
    /// A move.
    Move(SanText),
    /// The squares of a piece, starting with its square in the position, such as `Nb1-d2-f1-g3`.
    Route(String),
}

impl Maneuver {
    /// The text of the maneuver.
    pub fn text(&self) -> &str {
        match self {
            Self::Move(san) => san,
            Self::Route(route) => route,
        }
    }
}

/// The games with a maneuver.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ManeuverGames {
    /// The games, from the point of view of the side that makes the maneuver.
    pub tally: Tally,
    /// The sum of the numbers of full moves after which the maneuver was made or completed, 1 for the first move.
    delays: u64,
}

impl ManeuverGames {
    /// The average number of full moves after which the maneuver was made or completed.
    pub fn delay(&self) -> f64 {
        self.delays as f64 / self.tally.games.max(1) as f64
    }
}

/// Counts the maneuvers in the next moves after a position, each once per game.
#[derive(Clone, Debug)]
pub struct Maneuvers {
    root: Arc<Root>,
    /// Whether routes of pieces, of at least two moves, are counted instead of moves.
    of_pieces: bool,
    games: HashMap<(Color, Maneuver), ManeuverGames>,
    /// The games that reach the root, from the point of view of the side to move there.
    pub total: Tally,
    // The state of the current game:
    tree: Tree,
    left: Option<u32>,
    moves: Vec<(Color, SanText, u64)>,
    routes: Vec<Route>,
}

/// The route of a piece.
#[derive(Clone, Debug)]
struct Route {
    piece: Piece,
    text: String,
    moves: u32,
    /// The square of the piece; `None` after its capture.
    at: Option<Square>,
    delay: u64,
}

impl Maneuvers {
    /// Starts without games. The depth of the root is the number of plies that count.
    pub fn new(root: Arc<Root>, of_pieces: bool) -> Self {
        Self {
            tree: Tree::new(Arc::clone(&root), false),
            root,
            of_pieces,
            games: HashMap::new(),
            total: Tally::default(),
            left: None,
            moves: Vec::new(),
            routes: Vec::new(),
        }
    }

    /// Adds the current game if it reached the root.
    pub fn add(&mut self, game: &GameFacts) {
        if !self.tree.is_reached {
            return;
        }
        self.total.add(game, self.root.position.turn());
        let moves = self.moves.drain(..).map(|(side, san, delay)| (side, Maneuver::Move(san), delay));
        let routes = self.routes.drain(..).filter(|route| route.moves > 1);
        let routes = routes.map(|route| (route.piece.color(), Maneuver::Route(route.text), route.delay));
        for (side, maneuver, delay) in moves.chain(routes) {
            let games = self.games.entry((side, maneuver)).or_default();
            games.tally.add(game, side);
            games.delays += delay;
        }
    }

    /// Adds other games.
    ///
    /// # Errors
    /// [`TooManyMoves`] if there would be too many.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyMoves> {
        for (place, games) in other.games {
            let own = self.games.entry(place).or_default();
            own.tally.merge(&games.tally);
            own.delays += games.delays;
        }
        self.total.merge(&other.total);
        if self.games.len() > MAX_ENTRIES { Err(TooManyMoves) } else { Ok(()) }
    }

    /// The maneuvers of a side, the most frequent first.
    pub fn sorted(&self, side: Color) -> Vec<(&Maneuver, &ManeuverGames)> {
        let of_side = self.games.iter().filter(|((of, _), _)| *of == side);
        let mut sorted: Vec<_> = of_side.map(|((_, maneuver), games)| (maneuver, games)).collect();
        sorted.sort_unstable_by(|a, b| {
            b.1.tally.games.cmp(&a.1.tally.games).then_with(|| a.0.text().cmp(b.0.text()))
        });
        sorted
    }

    fn count_move(&mut self, before: &Position, mv: Move, delay: u64) {
        if !self.of_pieces {
            let san = San::new(before, mv).text();
            let side = before.turn();
            if !self.moves.iter().any(|&(of, other, _)| (of, &other) == (side, &san)) {
                self.moves.push((side, san, delay));
            }
            return;
        }
        let (_, delta) = before.after(mv);
        if let Some(captured) = delta.captured() {
            for route in self.routes.iter_mut().filter(|route| route.at == Some(captured.square)) {
                route.at = None;
            }
        }
        let added: Vec<_> = delta.added().collect();
        // A king and a rook both move when they castle, each to its own square.
        let moved = delta.removed().filter(|man| man.piece.color() == before.turn());
        for (index, from) in moved.enumerate() {
            let to = added.iter().find(|to| to.piece == from.piece).or(added.get(index));
            let Some(to) = to else { continue };
            let promoted = if to.piece == from.piece { None } else { Some(to.piece) };
            self.extend_route(from.piece, from.square, to.square, promoted, delay);
        }
    }

    fn extend_route(&mut self, piece: Piece, from: Square, to: Square, promoted: Option<Piece>, delay: u64) {
        let known = self
            .routes
            .iter_mut()
            .find(|route| route.at == Some(from) && route.piece.color() == piece.color());
        let route = match known {
            Some(route) => route,
            None => {
                let letter = match piece.role() {
                    Role::Pawn => String::new(),
                    role => role.letter().to_ascii_uppercase().to_string(),
                };
                let text = format!("{letter}{from}");
                self.routes.push(Route { piece, text, moves: 0, at: None, delay });
                let Some(last) = self.routes.last_mut() else { return };
                last
            }
        };
        route.text += &format!("-{to}");
        if let Some(piece) = promoted {
            route.text += &format!("={}", piece.role().letter().to_ascii_uppercase());
        }
        (route.moves, route.at, route.delay) = (route.moves + 1, Some(to), delay);
    }
}

impl Follow for Maneuvers {
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.moves.clear();
        self.routes.clear();
        self.left = None;
        let flow = self.tree.begin(start);
        if self.tree.is_reached {
            self.left = Some(self.root.depth);
        }
        flow
    }

    fn play(&mut self, before: &Position, mv: Option<Move>, after: &Position) -> ControlFlow<()> {
        if let Some(left) = self.left {
            if left == 0 {
                return ControlFlow::Break(());
            }
            self.left = Some(left - 1);
            let number = u64::from((self.root.depth - left) / 2 + 1);
            if let Some(mv) = mv {
                self.count_move(before, mv, number);
            }
            return if left > 1 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        }
        let flow = self.tree.play(before, mv, after);
        if self.tree.is_reached {
            // Only the first occurrence of the root counts.
            self.left = Some(self.root.depth);
            return ControlFlow::Continue(());
        }
        flow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_rules_out_what_cannot_come_back() {
        let position = |fen: &str| crate::notation::position_from_fen(fen).expect("a position");
        let start = Position::start();
        let root = Root::new(start, Vec::new(), 1, false);
        assert!(root.may_follow(&start));
        assert!(!root.may_follow(&position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")));
        assert!(root.may_follow(&position("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1")));
        assert!(!root.may_follow(&position("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKBR1 b Qkq - 1 1")));
        let ending = Root::new(position("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), Vec::new(), 1, false);
        assert!(ending.may_follow(&start));
        assert!(!ending.may_follow(&position("8/8/8/4k3/4P3/4K3/8/8 b - - 0 1")));
    }
}
