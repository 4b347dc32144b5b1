//! Backsolving an opening tree: scores are passed back to earlier positions by minimax (PGN standard, 13.8).
//!
//! The tree is a graph of positions: every legal move from one of them to another is an edge, whether or not it was
//! played. A position that is not followed by a scored position keeps its score; all others receive the best score of
//! the positions that follow, for the side to move. If the best for both sides is to repeat positions, the score is
//! that of a draw.

use crate::chess::{Color, Key, KeyHistory, Move, Position};
use crate::notation::CentipawnEvaluation;
use crate::notation::pgn::EvaluationScore;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The score of checkmate; each ply before it costs one (PGN standard, 16.2.5.6).
const MATE: i32 = 32_767;
/// The largest score that is not a mate.
const MAX_CENTIPAWNS: i32 = 32_000;
/// The maximum number of plies of a line that is shown. Without a limit, the lines of a long game would be quadratic in
/// its length.
const MAX_LINE: usize = 64;

/// A score from White's point of view: centipawns, or a mate with its distance in plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct WhiteScore(i32);

impl WhiteScore {
    const DRAW: Self = Self(0);

    /// Converts the evaluation of a position with this side to move, which is from its point of view.
    fn of(evaluation: CentipawnEvaluation, turn: Color) -> Self {
        Self(sign(turn) * i32::from(evaluation.value()))
    }

    /// The score from the point of view of this side, which is to move; `None` if it is checkmated.
    fn seen_by(self, turn: Color) -> Option<CentipawnEvaluation> {
        CentipawnEvaluation::new(sign(turn) * self.0).filter(|_| self.0.abs() < MATE)
    }

    /// The score one ply earlier.
    const fn before(self) -> Self {
        if self.0.abs() > MAX_CENTIPAWNS { Self(self.0 - self.0.signum()) } else { self }
    }

    const fn reversed(self) -> Self {
        Self(-self.0)
    }
}

const fn sign(side: Color) -> i32 {
    match side {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The evaluation of a position for the side to move; `None` for a mate with a distance too large to write.
pub fn evaluation_of(score: EvaluationScore, turn: Color) -> Option<CentipawnEvaluation> {
    match score {
        EvaluationScore::Centipawns(cp) => {
            CentipawnEvaluation::new(sign(turn) * cp.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS))
        }
        EvaluationScore::Mate(moves) => {
            let moves = moves.checked_mul(sign(turn))?;
            // The side that mates makes the first and the last move.
            let plies =
                if moves > 0 { moves.checked_mul(2)?.checked_sub(1)? } else { moves.checked_mul(2)? };
            CentipawnEvaluation::mate(plies)
        }
    }
}

/// The score of a position as PGN states it.
pub fn score_of(evaluation: CentipawnEvaluation, turn: Color) -> EvaluationScore {
    match evaluation.mate_plies() {
        Some(plies) if plies > 0 => EvaluationScore::Mate(sign(turn) * ((plies + 1) / 2)),
        Some(plies) => EvaluationScore::Mate(sign(turn) * (plies / 2)),
        None => EvaluationScore::Centipawns(sign(turn) * i32::from(evaluation.value())),
    }
}

/// A stated score, with the depth of its search.
#[derive(Clone, Copy)]
struct Stated {
    score: WhiteScore,
    depth: u32,
}

struct Node {
    position: Position,
    stated: Option<Stated>,
}

/// A graph of positions, some of them with scores.
#[derive(Default)]
pub struct Backsolver {
    nodes: Vec<Node>,
    by_key: HashMap<Key, usize>,
}

impl Backsolver {
    /// A graph without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a position, with its score for the side to move and the depth of the search, if known. If a position has
    /// several scores, the last of those with the greatest depth counts.
    pub fn add(&mut self, position: &Position, score: Option<CentipawnEvaluation>, depth: Option<u32>) {
        let index = *self.by_key.entry(position.key()).or_insert_with(|| {
            self.nodes.push(Node { position: *position, stated: None });
            self.nodes.len() - 1
        });
        let node = &mut self.nodes[index];
        let Some(score) = score else { return };
        let depth = depth.unwrap_or(0);
        if node.stated.is_none_or(|stated| depth >= stated.depth) {
            node.stated = Some(Stated { score: WhiteScore::of(score, position.turn()), depth });
        }
    }

    /// Passes the scores back.
    pub fn solve(self) -> Solved {
        let Self { nodes, by_key } = self;
        let graph = Graph::new(&nodes, &by_key);
        let mut solver = Solver::new(&graph);
        for leaf in 0..nodes.len() {
            if let Some(score) = graph.leaves[leaf] {
                solver.found[leaf] = Some(Found { score, best: None, plies: 0 });
            }
        }
        solver.lead_back(Color::White);
        solver.lead_back(Color::Black);
        let repeated = solver.settle_draws();
        let found = solver.found;
        let leaves = graph.leaves.iter().flatten().count();
        let positions = nodes.into_iter().map(|node| node.position).collect();
        Solved { positions, by_key, found, leaves, repeated }
    }
}

/// The moves between positions.
struct Graph {
    turns: Vec<Color>,
    /// The scores of the positions that keep their scores.
    leaves: Vec<Option<WhiteScore>>,
    /// For each position that has or receives a score, the moves to such positions.
    children: Vec<Vec<(Move, usize)>>,
    parents: Vec<Vec<(usize, Move)>>,
}

impl Graph {
    fn new(nodes: &[Node], by_key: &HashMap<Key, usize>) -> Self {
        let mut children: Vec<Vec<(Move, usize)>> = nodes
            .iter()
            .map(|node| {
                let moves = node.position.legal_moves().into_iter();
                moves.filter_map(|mv| Some((mv, *by_key.get(&node.position.after(mv).0.key())?))).collect()
            })
            .collect();
        let mut parents = vec![Vec::new(); nodes.len()];
        for (parent, moves) in children.iter().enumerate() {
            for &(mv, child) in moves {
                parents[child].push((parent, mv));
            }
        }
        let scores: Vec<Option<WhiteScore>> = nodes.iter().map(score_before).collect();
        // Marks the positions that are followed by a scored position.
        let mut has_scored_after = vec![false; nodes.len()];
        let mut waiting: Vec<usize> = (0..nodes.len()).filter(|&node| scores[node].is_some()).collect();
        while let Some(node) = waiting.pop() {
            for &(parent, _) in &parents[node] {
                if !std::mem::replace(&mut has_scored_after[parent], true) {
                    waiting.push(parent);
                }
            }
        }
        let is_known = |node: usize| has_scored_after[node] || scores[node].is_some();
        for (node, moves) in children.iter_mut().enumerate() {
            moves.retain(|&(_, child)| is_known(child) && is_known(node));
        }
        for moves in &mut parents {
            moves.retain(|&(parent, _)| has_scored_after[parent]);
        }
        let leaves = scores.iter().zip(&has_scored_after);
        let leaves = leaves.map(|(score, &has_after)| score.filter(|_| !has_after)).collect();
        Self { turns: nodes.iter().map(|node| node.position.turn()).collect(), leaves, children, parents }
    }
}

/// The score that a position has by itself: by the rules if the game is over.
fn score_before(node: &Node) -> Option<WhiteScore> {
    let position = &node.position;
    let outcome = position.outcome(&KeyHistory::new(position)).filter(|outcome| !outcome.must_be_claimed());
    match outcome {
        Some(outcome) => {
            Some(outcome.winner().map_or(WhiteScore::DRAW, |side| WhiteScore(sign(side) * MATE)))
        }
        None => node.stated.map(|stated| stated.score),
    }
}

/// The score that a position receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found {
    score: WhiteScore,
    /// The move to the position that the score comes from.
    best: Option<(Move, usize)>,
    /// The number of plies to the leaf that the score comes from.
    plies: u32,
}

struct Solver<'a> {
    graph: &'a Graph,
    found: Vec<Option<Found>>,
}

impl<'a> Solver<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self { graph, found: vec![None; graph.turns.len()] }
    }

    /// Finds all positions in which this side can reach a leaf that is better for it than a draw, the best leaves
    /// first. One such move is enough for this side; the opponent must not have any other move.
    fn lead_back(&mut self, side: Color) {
        let graph = self.graph;
        let seen_by = |score: WhiteScore| if side == Color::White { score } else { score.reversed() };
        let mut open: Vec<usize> = graph.children.iter().map(Vec::len).collect();
        // Ordered by score, then by the shortest way.
        let mut queue: BinaryHeap<(WhiteScore, Reverse<u32>, Reverse<usize>)> = BinaryHeap::new();
        let mut best: Vec<Option<(Move, usize)>> = vec![None; graph.turns.len()];
        for (leaf, found) in self.found.iter().enumerate() {
            if let Some(found) =
                found.filter(|found| graph.leaves[leaf].is_some() && seen_by(found.score) > WhiteScore::DRAW)
            {
                queue.push((seen_by(found.score), Reverse(0), Reverse(leaf)));
            }
        }
        let mut is_done = vec![false; graph.turns.len()];
        while let Some((score, Reverse(plies), Reverse(node))) = queue.pop() {
            if std::mem::replace(&mut is_done[node], true) {
                continue;
            }
            self.found[node] = Some(Found { score: seen_by(score), best: best[node], plies });
            for &(parent, mv) in &graph.parents[node] {
                open[parent] -= 1;
                let decides = graph.turns[parent] == side || open[parent] == 0;
                // This side already has its best move, or the opponent has another move.
                if is_done[parent] || !decides || graph.turns[parent] == side && best[parent].is_some() {
                    continue;
                }
                best[parent] = Some((mv, node));
                queue.push((score.before(), Reverse(plies + 1), Reverse(parent)));
            }
        }
    }

    /// Gives all other positions the score of a draw, and returns the number of those that repeat positions.
    fn settle_draws(&mut self) -> usize {
        let graph = self.graph;
        let is_drawn = |found: &[Option<Found>], node: usize| {
            found[node].is_none_or(|found| found.score == WhiteScore::DRAW)
        };
        let open: Vec<usize> = (0..graph.turns.len())
            .filter(|&node| self.found[node].is_none() && !graph.children[node].is_empty())
            .collect();
        let mut settled = vec![None; graph.turns.len()];
        // Nodes that lead to a drawn leaf are drawn because of it, not by repetition.
        let mut waiting: Vec<(usize, u32)> = (0..graph.turns.len())
            .filter(|&node| graph.leaves[node] == Some(WhiteScore::DRAW))
            .map(|node| (node, 0))
            .collect();
        let mut next = 0;
        while let Some(&(node, plies)) = waiting.get(next) {
            next += 1;
            for &(parent, mv) in &graph.parents[node] {
                if self.found[parent].is_none() && settled[parent].is_none() {
                    settled[parent] =
                        Some(Found { score: WhiteScore::DRAW, best: Some((mv, node)), plies: plies + 1 });
                    waiting.push((parent, plies + 1));
                }
            }
        }
        let mut repeated = 0;
        for node in open {
            let found = settled[node].unwrap_or_else(|| {
                repeated += 1;
                let best =
                    graph.children[node].iter().copied().find(|&(_, child)| is_drawn(&self.found, child));
                Found { score: WhiteScore::DRAW, best, plies: 0 }
            });
            settled[node] = Some(found);
        }
        for (found, settled) in self.found.iter_mut().zip(settled) {
            *found = found.or(settled);
        }
        repeated
    }
}

/// The positions with the scores that were passed back.
pub struct Solved {
    positions: Vec<Position>,
    by_key: HashMap<Key, usize>,
    found: Vec<Option<Found>>,
    leaves: usize,
    repeated: usize,
}

/// The score of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backsolved {
    /// The evaluation for the side to move; `None` if it is checkmated.
    pub evaluation: Option<CentipawnEvaluation>,
    /// The line to the position that the score comes from, at most its first 64 plies; empty if the score is its own.
    pub line: Vec<Move>,
}

impl Solved {
    /// The positions in the order in which they were added.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The number of positions that keep their scores.
    pub const fn leaves(&self) -> usize {
        self.leaves
    }

    /// The number of positions whose score was passed back.
    pub fn led_back(&self) -> usize {
        self.found.iter().flatten().filter(|found| found.best.is_some()).count()
    }

    /// The number of positions that are drawn by repetition.
    pub const fn repeated(&self) -> usize {
        self.repeated
    }

    fn found(&self, position: &Position) -> Option<Found> {
        self.found[*self.by_key.get(&position.key())?]
    }

    /// The score of a position for the side to move; `None` if the position has no score, or is checkmate.
    pub fn evaluation(&self, position: &Position) -> Option<CentipawnEvaluation> {
        self.found(position)?.score.seen_by(position.turn())
    }

    /// Whether the score of a position comes from another position.
    pub fn is_led_back(&self, position: &Position) -> bool {
        self.found(position).is_some_and(|found| found.best.is_some())
    }

    /// The score of a position with its line; `None` if the position has no score.
    pub fn get(&self, position: &Position) -> Option<Backsolved> {
        let start = *self.by_key.get(&position.key())?;
        let found = self.found[start]?;
        let mut line = Vec::new();
        let mut seen = vec![start];
        let mut at = found;
        while let Some((mv, next)) = at.best.filter(|_| line.len() < MAX_LINE) {
            line.push(mv);
            // The line ends where it would repeat a position.
            if seen.contains(&next) {
                break;
            }
            seen.push(next);
            let Some(found) = self.found[next] else { break };
            at = found;
        }
        Some(Backsolved { evaluation: self.evaluation(position), line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{San, parse_san, position_from_fen};
    use crate::rng::Rng;

    fn start() -> Position {
        Position::start()
    }

    /// The position after these moves.
    fn after(text: &str) -> Position {
        text.split_whitespace().fold(start(), |position, word| {
            let mv = parse_san(word, &position).ok().and_then(|mv| mv.mv()).expect(word);
            position.after(mv).0
        })
    }

    /// Adds all positions of a line, the last with its score for the side to move.
    fn add_line(tree: &mut Backsolver, text: &str, score: i32) {
        let mut position = start();
        tree.add(&position, None, None);
        for word in text.split_whitespace() {
            let mv = parse_san(word, &position).ok().and_then(|mv| mv.mv()).expect(word);
            position = position.after(mv).0;
            tree.add(&position, None, None);
        }
        tree.add(&position, CentipawnEvaluation::new(score), None);
    }

    fn solved(lines: &[(&str, i32)]) -> Solved {
        let mut tree = Backsolver::new();
        for (text, score) in lines {
            add_line(&mut tree, text, *score);
        }
        tree.solve()
    }

    /// The score for the side to move after these moves, and the line.
    fn ask(solved: &Solved, moves: &str) -> (Option<i16>, String) {
        let mut position = after(moves);
        let found = solved.get(&position).expect(moves);
        let mut words = Vec::new();
        for mv in found.line {
            words.push(San::new(&position, mv).to_string());
            position = position.after(mv).0;
        }
        (found.evaluation.map(CentipawnEvaluation::value), words.join(" "))
    }

    #[test]
    fn each_side_takes_its_best() {
        let tree = solved(&[("e4 e5", 30), ("e4 c5", 20), ("d4 d5", 25), ("d4 Nf6", 40)]);
        assert_eq!(ask(&tree, "e4"), (Some(-20), "c5".to_owned()));
        assert_eq!(ask(&tree, "d4"), (Some(-25), "d5".to_owned()));
        assert_eq!(ask(&tree, ""), (Some(25), "d4 d5".to_owned()));
        assert_eq!(ask(&tree, "e4 e5"), (Some(30), String::new()));
        assert_eq!((tree.leaves(), tree.led_back(), tree.repeated()), (4, 3, 0));
    }

    #[test]
    fn transpositions_are_one_position() {
        // Both orders lead to the same position, and the better move after it was only added with one of them.
        let tree = solved(&[("d4 d5 c4 e6", 50), ("c4 d5 d4 c6", 10)]);
        assert_eq!(ask(&tree, "d4 d5 c4"), (Some(-10), "c6".to_owned()));
        // No game has this order, but it leads into the tree.
        assert_eq!(ask(&tree, "c4 d5").1, "d4 c6");
    }

    #[test]
    fn own_scores_before_others_do_not_count() {
        let mut tree = Backsolver::new();
        add_line(&mut tree, "e4 e5", 30);
        tree.add(&after("e4"), CentipawnEvaluation::new(500), Some(40));
        tree.add(&after("d4"), CentipawnEvaluation::new(10), None);
        let tree = tree.solve();
        assert_eq!(ask(&tree, "e4"), (Some(-30), "e5".to_owned()));
        assert_eq!(ask(&tree, ""), (Some(30), "e4 e5".to_owned()));
    }

    #[test]
    fn the_deepest_score_counts() {
        let mut tree = Backsolver::new();
        let position = after("e4");
        for (score, depth) in [(10, Some(20)), (99, Some(12)), (98, None), (12, Some(20))] {
            tree.add(&position, CentipawnEvaluation::new(score), depth);
        }
        assert_eq!(ask(&tree.solve(), "e4").0, Some(12));
    }

    #[test]
    fn what_no_score_follows_has_none() {
        let mut tree = Backsolver::new();
        add_line(&mut tree, "e4 e5", 30);
        tree.add(&after("d4"), None, None);
        let tree = tree.solve();
        assert_eq!(tree.get(&after("d4")), None);
        assert_eq!(tree.get(&after("a4")), None);
        assert_eq!(ask(&tree, ""), (Some(30), "e4 e5".to_owned()));
    }

    #[test]
    fn long_lines_are_cut() {
        let (mut tree, mut rng) = (Backsolver::new(), Rng::new(5));
        let mut position = start();
        tree.add(&position, None, None);
        let mut plies = 0;
        // After an irreversible move, no move leads back into the game.
        while plies < 3 * MAX_LINE || position.halfmove_clock() > 0 {
            plies += 1;
            let moves = position.legal_moves();
            position = position.after(*rng.choose(&moves).expect("the game goes on")).0;
            tree.add(&position, None, None);
        }
        let score = CentipawnEvaluation::new(40);
        tree.add(&position, score, None);
        let tree = tree.solve();
        assert!(tree.led_back() > 2 * MAX_LINE, "{}", tree.led_back());
        let found = tree.get(&start()).expect("it is led back");
        assert_eq!(found.line.len(), MAX_LINE);
        assert_eq!((tree.evaluation(&start()), tree.is_led_back(&start())), (found.evaluation, true));
        assert_eq!((tree.evaluation(&position), tree.is_led_back(&position)), (score, false));
    }

    #[test]
    fn mates_are_as_far_away_as_they_are() {
        let mut tree = Backsolver::new();
        let mut position = start();
        for word in ["f3", "e5", "g4", "Qh4#"] {
            tree.add(&position, None, None);
            let mv = parse_san(word, &position).ok().and_then(|mv| mv.mv()).expect(word);
            position = position.after(mv).0;
        }
        tree.add(&position, None, None);
        let tree = tree.solve();
        assert_eq!(ask(&tree, "f3 e5 g4"), (Some(32_766), "Qh4#".to_owned()));
        assert_eq!(ask(&tree, ""), (Some(-32_763), "f3 e5 g4 Qh4#".to_owned()));
        assert_eq!(ask(&tree, "f3 e5 g4 Qh4#"), (None, String::new()));
    }

    #[test]
    fn to_repeat_is_a_draw() {
        // Both sides may move their knights back. Black gains nothing by that, and does not do so.
        let tree = solved(&[("e4", 70), ("Nf3 Nf6 Ng1 e5", -60)]);
        assert_eq!((ask(&tree, "").0, tree.repeated()), (Some(-60), 0));
        let mut tree = Backsolver::new();
        for moves in ["", "Nf3", "Nf3 Nf6", "Nf3 Nf6 Ng1"] {
            tree.add(&after(moves), None, None);
        }
        // All other moves of White are bad, and so are those of Black.
        tree.add(&after("e4"), CentipawnEvaluation::new(50), None);
        tree.add(&after("Nf3 e5"), CentipawnEvaluation::new(50), None);
        tree.add(&after("Nf3 Nf6 Ng1 e5"), CentipawnEvaluation::new(50), None);
        let tree = tree.solve();
        assert_eq!(ask(&tree, "").0, Some(0));
        assert_eq!(ask(&tree, "Nf3").0, Some(0));
        assert_eq!(tree.repeated(), 4);
    }

    #[test]
    fn scores_are_written_for_each_reader() {
        let cases = [
            (EvaluationScore::Centipawns(35), Color::White, 35),
            (EvaluationScore::Centipawns(35), Color::Black, -35),
            (EvaluationScore::Mate(1), Color::White, 32_766),
            (EvaluationScore::Mate(5), Color::White, 32_758),
            (EvaluationScore::Mate(1), Color::Black, -32_765),
            (EvaluationScore::Mate(-5), Color::White, -32_757),
            (EvaluationScore::Mate(-1), Color::Black, 32_766),
        ];
        for (score, turn, expected) in cases {
            let found = evaluation_of(score, turn).expect("it can be written");
            assert_eq!(found.value(), expected, "{score:?} {turn:?}");
            assert_eq!(score_of(found, turn), score, "{score:?} {turn:?}");
        }
        assert_eq!(evaluation_of(EvaluationScore::Mate(i32::MIN), Color::Black), None);
        assert_eq!(
            evaluation_of(EvaluationScore::Centipawns(i32::MIN), Color::White).map(|found| found.value()),
            Some(-32_000)
        );
    }

    /// Minimax to a fixed depth, at which the score is that of a draw.
    fn bounded(graph: &Graph, depth: usize) -> Vec<i32> {
        let mut values: Vec<i32> = graph.leaves.iter().map(|leaf| leaf.map_or(0, |score| score.0)).collect();
        for _ in 0..depth {
            let value = |node: usize| {
                let children =
                    graph.children[node].iter().map(|&(_, child)| WhiteScore(values[child]).before().0);
                let best = if graph.turns[node] == Color::White { children.max() } else { children.min() };
                graph.leaves[node].map(|score| score.0).or(best).unwrap_or(0)
            };
            values = (0..values.len()).map(value).collect();
        }
        values
    }

    /// Kings and pawns that move back and forth: graphs with many cycles.
    #[test]
    fn circles_agree_with_minimax() {
        let mut rng = Rng::new(3);
        let root = position_from_fen("k7/p7/8/8/8/8/P7/K7 w - - 0 1").expect("a position");
        let (mut led_back, mut repeated) = (0, 0);
        for round in 0..200 {
            let mut tree = Backsolver::new();
            let mut at = root;
            for _ in 0..40 {
                tree.add(&at, None, None);
                let moves = at.legal_moves();
                let Some(&mv) = rng.choose(&moves) else { break };
                at = at.after(mv).0;
                if rng.below(4) == 0 {
                    let score = rng.below(9) as i32 * 10 - 40;
                    tree.add(&at, CentipawnEvaluation::new(score), None);
                    at = root;
                }
            }
            let graph = Graph::new(&tree.nodes, &tree.by_key);
            let expected = bounded(&graph, 4 * tree.nodes.len());
            let turns = graph.turns.clone();
            let found = tree.solve();
            for (node, position) in found.positions().iter().enumerate() {
                if let Some(solved) = found.get(position) {
                    let value = solved.evaluation.map(|found| sign(turns[node]) * i32::from(found.value()));
                    assert_eq!(value, Some(expected[node]), "{round}: {node}");
                }
            }
            led_back += found.led_back();
            repeated += found.repeated();
        }
        assert!(led_back > 1000 && repeated > 10, "{led_back} {repeated}");
    }
}
