//! A language for searching games, and its evaluator, which is the same for all kinds of storage.
//!
//! A text is parsed to a [`Query`]. [`Query::by_header`] decides it by the tags if they suffice, so that the moves of
//! most games need not be read. [`Query::find`] decides it by the moves: first the terms without positions, then the
//! numbers of men at the start and at the end, and only then the positions one by one, up to the first that decides the
//! query.

mod change;
mod columns;
mod comments;
mod content;
mod headers;
mod motifs;
mod moves;
mod parse;
mod path;
mod positions;
mod quick;
mod route;
mod scan;
mod similar;
mod speed;
mod stated;
mod term_table;
mod terms;
mod text;
mod tree;
mod value;

pub use columns::TagColumns;
pub(super) use columns::{Columns, Verdicts};
pub use headers::Header;
pub(super) use headers::days;
pub use quick::Scan;
pub(super) use quick::{MAX_PLIES, Step};
pub use scan::QueryError;
pub use term_table::{proposed_terms, proposed_values, query_terms};
pub(super) use text::{is_unknown, name_words};
pub use tree::Query;

use crate::chess::{Color, KeyHistory, Position};
use crate::notation::eco::opening;
use crate::notation::pgn::{Game, NodeId};
use comments::Tree;
use headers::{Facts, HeaderTerm};
use moves::{End, Ending};
use tree::{Leaf, Memory, Moment, Node, PlaceInGame, Test};

/// A position of a game in which a term of a query holds.
#[derive(Clone, Debug)]
pub struct Place {
    /// The move that leads to the position.
    pub node: NodeId,
    /// The number of plies from the start of the game.
    pub ply: u32,
    /// The position.
    pub position: Position,
    /// The index of the term.
    leaf: usize,
}

/// The places of a game that are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Places {
    /// No places, only whether the game is found.
    None,
    /// Only the first at which the query is true.
    First,
    /// All places at which a term holds that makes the query true.
    All,
}

/// The distance that the walk through a game must still cover.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    Continue,
    Stop,
}

impl Query {
    /// Whether a game with this header is found; `None` if it depends on the result or the moves.
    pub fn by_header(&self, header: &(impl Header + ?Sized)) -> Option<bool> {
        self.decide(&self.known(header, Facts::default()))
    }

    /// The side of the player named by the query: by the first non-negated term that names a player of this game.
    pub fn named_player(&self, header: &(impl Header + ?Sized)) -> Option<Color> {
        fn first<T>(node: &Node, leaves: &[Leaf], side: &impl Fn(&HeaderTerm) -> Option<T>) -> Option<T> {
            match node {
                Node::All(nodes) | Node::Any(nodes) => {
                    nodes.iter().find_map(|node| first(node, leaves, side))
                }
                Node::Not(_) => None,
                Node::Leaf(index) => match &leaves[*index] {
                    Leaf::Header(term) => side(term),
                    _ => None,
                },
            }
        }
        first(&self.root, &self.leaves, &|term| term.named_player(header))
    }

    /// The key of a position that is in the main line of every game that is found; `None` if the query does not require
    /// one.
    pub fn required_position(&self) -> Option<u64> {
        fn of_moment(moment: &Moment) -> Option<u64> {
            match moment {
                Moment::Test(Test::Position(target)) => Some(target.0.key().bits()),
                Moment::All(moments) => moments.iter().find_map(of_moment),
                Moment::Lasts { moment, .. } => of_moment(moment),
                Moment::Then { first, second, .. } => of_moment(second).or_else(|| of_moment(first)),
                Moment::Test(_) | Moment::Any(_) | Moment::Not(_) | Moment::Path { .. } => None,
            }
        }
        fn of_node(node: &Node, leaves: &[Leaf]) -> Option<u64> {
            match node {
                Node::All(nodes) => nodes.iter().find_map(|node| of_node(node, leaves)),
                Node::Leaf(index) => match &leaves[*index] {
                    Leaf::Somewhere(moment) => of_moment(moment),
                    _ => None,
                },
                Node::Any(_) | Node::Not(_) => None,
            }
        }
        if self.scope.is_main_line() { of_node(&self.root, &self.leaves) } else { None }
    }

    /// The position that games must have somewhere in their main lines, if this is the whole query.
    pub fn only_position(&self) -> Option<&Position> {
        match (&self.root, &self.leaves[..]) {
            (Node::Leaf(0), [Leaf::Somewhere(Moment::Test(Test::Position(target)))])
                if self.scope.is_main_line() =>
            {
                Some(&target.0)
            }
            _ => None,
        }
    }

    /// The places at which a game is found; empty if it is found without examining positions, and `None` if it is not
    /// found. `last` is the last position of its main line, if known: with it, many games need not be replayed.
    pub fn find(
        &self,
        header: &(impl Header + ?Sized),
        game: &Game,
        last: Option<&Position>,
        places: Places,
    ) -> Option<Vec<Place>> {
        let facts = Facts { result: Some(game.result), opening: None };
        let mut search =
            Search { query: self, game, known: self.known(header, facts), places, found: Vec::new() };
        search.ask_game(None);
        if let (Some(last), true) = (last, self.scope.is_main_line()) {
            search.rule_out(last);
        }
        let verdict = self.decide(&search.known);
        if verdict == Some(false) {
            return None;
        }
        let has_places =
            places != Places::None && self.leaves.iter().any(|leaf| matches!(leaf, Leaf::Somewhere(_)));
        if verdict.is_none() || has_places {
            search.walk(header);
        }
        let known = search.known;
        (self.decide(&known)?).then(|| self.places(&known, search.found, places))
    }

    /// Whether the query finds a game, by its tags and its moves.
    pub fn is_true(&self, game: &Game, last: Option<&Position>) -> bool {
        self.find(game, game, last, Places::None).is_some()
    }

    /// The values of the terms that the header decides.
    fn known(&self, header: &(impl Header + ?Sized), facts: Facts) -> Vec<Option<bool>> {
        let known = |leaf: &Leaf| match leaf {
            Leaf::Header(term) => term.holds(header, facts),
            _ => None,
        };
        self.leaves.iter().map(known).collect()
    }

    /// The value of the query; `None` if the known values of its terms do not decide it.
    fn decide(&self, known: &[Option<bool>]) -> Option<bool> {
        fn of(node: &Node, known: &[Option<bool>]) -> Option<bool> {
            // The first deciding value, or the other value if all are known.
            let join = |nodes: &[Node], deciding: bool| {
                let mut all = Some(!deciding);
                for node in nodes {
                    match of(node, known) {
                        Some(value) if value == deciding => return Some(deciding),
                        Some(_) => {}
                        None => all = None,
                    }
                }
                all
            };
            match node {
                Node::All(nodes) => join(nodes, false),
                Node::Any(nodes) => join(nodes, true),
                Node::Not(node) => of(node, known).map(|value| !value),
                Node::Leaf(index) => known[*index],
            }
        }
        of(&self.root, known)
    }

    /// The places of the terms that make the query true.
    fn places(&self, known: &[Option<bool>], found: Vec<Place>, places: Places) -> Vec<Place> {
        match places {
            Places::All => {
                let mut is_cause = vec![false; self.leaves.len()];
                self.mark_causes(&self.root, known, &mut is_cause);
                let mut places: Vec<Place> = found.into_iter().filter(|place| is_cause[place.leaf]).collect();
                places.dedup_by_key(|place| place.node);
                places
            }
            Places::None => Vec::new(),
            Places::First => {
                let order = Self::first_place(&self.root, &found);
                order.map(|index| found[index].clone()).into_iter().collect()
            }
        }
    }

    fn mark_causes(&self, node: &Node, known: &[Option<bool>], is_cause: &mut [bool]) {
        match node {
            Node::All(nodes) | Node::Any(nodes) => {
                for node in nodes {
                    self.mark_causes(node, known, is_cause);
                }
            }
            Node::Not(_) => {}
            Node::Leaf(index) => is_cause[*index] |= known[*index] == Some(true),
        }
    }

    /// The first place at which a part of the query is true, as an index into `found`.
    fn first_place(node: &Node, found: &[Place]) -> Option<usize> {
        let place = |node: &Node| Self::first_place(node, found);
        match node {
            Node::All(nodes) => nodes.iter().filter_map(place).max(),
            Node::Any(nodes) => nodes.iter().filter_map(place).min(),
            Node::Not(_) => None,
            Node::Leaf(index) => found.iter().position(|place| place.leaf == *index),
        }
    }
}

/// The evaluation of a query on one game.
struct Search<'a> {
    query: &'a Query,
    game: &'a Game,
    /// The known values of the terms.
    known: Vec<Option<bool>>,
    places: Places,
    /// The places found, in the order of the walk.
    found: Vec<Place>,
}

/// A place in a walk, or the start of a branch that has not been walked yet, in which case the node is its first one.
struct Cursor {
    node: NodeId,
    position: Position,
    ply: u32,
    memories: Vec<Memory>,
}

impl Search<'_> {
    /// Decides the terms about the game as a whole.
    fn ask_game(&mut self, ending: Option<Ending>) {
        for (leaf, known) in self.query.leaves.iter().zip(&mut self.known) {
            if let (Leaf::Game(term), None) = (leaf, &known) {
                *known = term.holds(self.game, ending);
            }
        }
    }

    /// Decides the terms that the numbers of men at the start and at the end of the game rule out.
    fn rule_out(&mut self, last: &Position) {
        for (leaf, known) in self.query.leaves.iter().zip(&mut self.known) {
            if let Leaf::Somewhere(moment) = leaf
                && !moment.may_hold(self.game.start(), last)
            {
                *known = Some(false);
            }
        }
    }

    /// Replays the game and decides all terms that are still unknown.
    fn walk(&mut self, header: &(impl Header + ?Sized)) {
        let query = self.query;
        let tree = if query.scope.comments { Tree::with_comments(self.game) } else { Tree::new(self.game) };
        let needs_ending = query.leaves.iter().zip(&self.known).any(|(leaf, known)| {
            known.is_none()
                && match leaf {
                    Leaf::Header(term) => term.needs_opening(),
                    Leaf::Game(_) => true,
                    _ => false,
                }
        });
        let mut counts = vec![0_i64; query.leaves.len()];
        let mut ending =
            needs_ending.then(|| (KeyHistory::new(self.game.start()), opening(self.game.start())));
        let mut branches: Vec<Cursor> = Vec::new();
        let mut cursor = Cursor {
            node: NodeId::ROOT,
            position: *self.game.start(),
            ply: 0,
            memories: vec![None; query.memories],
        };
        let start = PlaceInGame {
            tree: &tree,
            node: NodeId::ROOT,
            position: self.game.start(),
            before: None,
            ply: 0,
        };
        let mut walk = self.visit(&start, true, &mut cursor.memories, &mut counts);
        // Variations are walked after the main line.
        let mut is_main = true;
        while walk == Walk::Continue {
            if !query.scope.is_main_line() {
                let branch = |node| Cursor { node, memories: cursor.memories.clone(), ..cursor };
                branches.extend(tree.alternatives(cursor.node).map(branch));
            }
            let next = match tree.next(cursor.node) {
                Some(next) => next,
                None => {
                    if is_main {
                        is_main = false;
                        if let Some((line, opening)) = ending.take() {
                            let end = End::from(cursor.position.outcome(&line));
                            self.end_main_line(header, Ending { end, opening });
                        }
                        walk = self.verdict();
                        if walk == Walk::Stop && !self.seeks_place() {
                            break;
                        }
                        walk = Walk::Continue;
                    }
                    let Some(branch) = branches.pop() else { break };
                    cursor = branch;
                    cursor.node
                }
            };
            let is_asked = is_main
                || query.scope.variations && tree.is_of_game(next)
                || query.scope.comments && tree.is_of_comment(next);
            walk = self.step(&tree, next, is_asked, &mut cursor, &mut counts);
            // The ending is taken at the end of the main line.
            if let Some((line, name)) = &mut ending {
                match self.game.mv(next) {
                    Some(_) => line.push(&cursor.position),
                    None => line.push_null(&cursor.position),
                }
                *name = opening(&cursor.position).or(*name);
            }
        }
        for (index, leaf) in query.leaves.iter().enumerate() {
            match leaf {
                Leaf::Count(_, range) if walk == Walk::Continue => {
                    self.known[index] = Some(range.contains(counts[index]));
                }
                Leaf::Somewhere(_) if walk == Walk::Continue => {
                    self.known[index].get_or_insert(false);
                }
                _ => {}
            }
        }
    }

    /// Plays the move of a node and visits the position after it.
    fn step(
        &mut self,
        tree: &Tree<'_>,
        node: NodeId,
        is_asked: bool,
        cursor: &mut Cursor,
        counts: &mut [i64],
    ) -> Walk {
        let before = cursor.position;
        let mv = tree.mv(node);
        cursor.position = match mv {
            Some(mv) => before.after(mv).0,
            None => before.after_null(),
        };
        (cursor.node, cursor.ply) = (node, cursor.ply + 1);
        let (position, ply) = (&cursor.position, cursor.ply);
        let here = PlaceInGame { tree, node, position, before: Some((&before, mv)), ply };
        self.visit(&here, is_asked, &mut cursor.memories, counts)
    }

    /// Evaluates all terms in a position. In positions that only lead to others, they just update their memories.
    fn visit(
        &mut self,
        here: &PlaceInGame<'_>,
        is_asked: bool,
        memories: &mut [Memory],
        counts: &mut [i64],
    ) -> Walk {
        let mut is_new = false;
        for (index, leaf) in self.query.leaves.iter().enumerate() {
            match leaf {
                Leaf::Somewhere(moment) | Leaf::Count(moment, _) if !is_asked => {
                    if moment.remembers() {
                        moment.holds(here, memories);
                    }
                }
                Leaf::Somewhere(moment) => {
                    let is_done = match self.known[index] {
                        Some(found) => !found || self.places != Places::All,
                        None => false,
                    };
                    if !is_done && moment.holds(here, memories) {
                        is_new |= self.known[index].replace(true).is_none();
                        let PlaceInGame { node, ply, position, .. } = *here;
                        self.found.push(Place { node, ply, position: *position, leaf: index });
                    }
                }
                Leaf::Count(moment, _) => counts[index] += i64::from(moment.holds(here, memories)),
                Leaf::Header(_) | Leaf::Game(_) => {}
            }
        }
        if is_new { self.verdict() } else { Walk::Continue }
    }

    /// Decides the terms that depend on the end of the main line.
    fn end_main_line(&mut self, header: &(impl Header + ?Sized), ending: Ending) {
        self.ask_game(Some(ending));
        let facts = Facts { result: Some(self.game.result), opening: Some(ending.opening) };
        for (leaf, known) in self.query.leaves.iter().zip(&mut self.known) {
            if let (Leaf::Header(term), None) = (leaf, &known) {
                *known = term.holds(header, facts);
            }
        }
    }

    /// Whether a place is wanted, none has been found, and a term that still may hold would be one.
    fn seeks_place(&self) -> bool {
        fn has_open(node: &Node, search: &Search<'_>) -> bool {
            match node {
                Node::All(nodes) | Node::Any(nodes) => nodes.iter().any(|node| has_open(node, search)),
                Node::Not(_) => false,
                Node::Leaf(index) => {
                    search.known[*index].is_none()
                        && matches!(search.query.leaves[*index], Leaf::Somewhere(_))
                }
            }
        }
        let is_found = self.query.decide(&self.known) == Some(true);
        self.places != Places::None && is_found && self.found.is_empty() && has_open(&self.query.root, self)
    }

    /// The distance that the game must still be walked.
    fn verdict(&self) -> Walk {
        let is_decided = match self.query.decide(&self.known) {
            Some(true) => self.places != Places::All,
            Some(false) => true,
            None => false,
        };
        if is_decided { Walk::Stop } else { Walk::Continue }
    }
}
