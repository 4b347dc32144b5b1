//! An opening repertoire: the moves of one side in each position of a tree of games, and the replies of the opponent.

use super::exercise::{Accepts, Exercise, Kind, Learner};
use crate::analysis::numbered;
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::{Game, GameFull, NodeId};
use std::collections::{BTreeMap, HashMap};

/// A position in which the side must know its move.
#[derive(Clone, Debug)]
struct Known {
    /// The moves from the start by which the position was reached first.
    line: Vec<Move>,
    /// The moves of the repertoire, the main move first.
    answers: Vec<Move>,
}

/// A move of the opponent in other games.
#[derive(Clone, Copy, Debug)]
struct Reply {
    mv: Move,
    /// The key of the position after the move.
    after: u64,
    /// The number of games with the move.
    games: u64,
}

/// A move of the opponent that the repertoire does not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The line up to and including the move.
    pub line: String,
    /// The number of games with the move.
    pub games: u64,
}

/// The moves of one side in a tree of games. Transpositions are merged.
#[derive(Clone, Debug)]
pub struct Repertoire {
    side: Color,
    start: Option<Position>,
    known: HashMap<u64, Known>,
    /// The keys of `known`, in the order of the tree.
    order: Vec<u64>,
    /// The line to each position of the repertoire with the opponent to move, by key.
    lines: HashMap<u64, Vec<Move>>,
    /// The moves of the opponent in other games, by the key of the position and the bits of the move.
    seen: HashMap<u64, BTreeMap<u16, Reply>>,
}

impl Repertoire {
    /// An empty repertoire for a side.
    pub fn new(side: Color) -> Self {
        Self {
            side,
            start: None,
            known: HashMap::new(),
            order: Vec::new(),
            lines: HashMap::new(),
            seen: HashMap::new(),
        }
    }

    /// Adds the moves of a game with its variations. A game with another start than the first game is left out, and
    /// `false` is returned.
    pub fn add(&mut self, game: &Game) -> bool {
        let start = *self.start.get_or_insert(*game.start());
        if start.key() != game.start().key() {
            return false;
        }
        // A node, its position, and the number of moves to it.
        let mut waiting = vec![(NodeId::ROOT, start, 0)];
        let mut line: Vec<Move> = Vec::new();
        while let Some((node, position, plies)) = waiting.pop() {
            line.truncate(plies.max(1) - 1);
            if let Some(mv) = game.mv(node) {
                line.push(mv);
            }
            let moves: Vec<(NodeId, Move)> =
                game.children(node).filter_map(|child| Some((child, game.mv(child)?))).collect();
            self.learn(&position, &line, moves.iter().map(|&(_, mv)| mv));
            // The stack is popped from the end, so the main line must be last.
            waiting
                .extend(moves.into_iter().rev().map(|(child, mv)| (child, position.after(mv).0, plies + 1)));
        }
        true
    }

    fn learn(&mut self, position: &Position, line: &[Move], moves: impl Iterator<Item = Move>) {
        let key = position.key().bits();
        let mut moves = moves.peekable();
        if position.turn() != self.side {
            self.lines.entry(key).or_insert_with(|| line.to_vec());
        } else if moves.peek().is_some() {
            let known = self.known.entry(key).or_insert_with(|| {
                self.order.push(key);
                Known { line: line.to_vec(), answers: Vec::new() }
            });
            for mv in moves {
                if !known.answers.contains(&mv) {
                    known.answers.push(mv);
                }
            }
        }
    }

    /// The exercises of all positions, in the order of the tree.
    ///
    /// # Errors
    /// [`GameFull`] if the moves do not fit into a game.
    pub fn exercises(&self) -> Result<Vec<Exercise>, GameFull> {
        let Some(start) = self.start else { return Ok(Vec::new()) };
        let known = self.order.iter().filter_map(|key| self.known.get(key));
        known.map(|known| self.exercise(start, known)).collect()
    }

    fn exercise(&self, start: Position, known: &Known) -> Result<Exercise, GameFull> {
        let mut game = Game::new(start);
        let mut node = NodeId::ROOT;
        for &mv in &known.line {
            node = game.add(node, Some(mv))?;
        }
        for &mv in &known.answers {
            game.add(node, Some(mv))?;
        }
        Ok(Exercise {
            kind: Kind::Repertoire,
            title: show_line(&start, &known.line),
            game,
            start: node,
            learner: Learner::Side(self.side),
            accepts: Accepts::Variations,
            instead_of: None,
            mate_in: None,
        })
    }

    /// Counts the opponent's moves in the main line of another game, as long as it stays in the repertoire. A move that
    /// ends the game needs no answer.
    pub fn count(&mut self, game: &Game) {
        if self.start.is_none_or(|start| start.key() != game.start().key()) {
            return;
        }
        let mut position = *game.start();
        for node in game.mainline() {
            let Some(mv) = game.mv(node) else { break };
            let key = position.key().bits();
            let after = position.after(mv).0;
            if position.turn() == self.side {
                if !self.known.get(&key).is_some_and(|known| known.answers.contains(&mv)) {
                    break;
                }
            } else {
                if !self.lines.contains_key(&key) || !after.has_legal_moves() {
                    break;
                }
                let replies = self.seen.entry(key).or_default();
                let new = Reply { mv, after: after.key().bits(), games: 0 };
                replies.entry(mv.bits()).or_insert(new).games += 1;
            }
            position = after;
        }
    }

    /// The counted moves of the opponent after which the repertoire has no move, the most frequent first.
    pub fn gaps(&self) -> Vec<Gap> {
        let Some(start) = self.start else { return Vec::new() };
        let mut gaps: Vec<Gap> = Vec::new();
        for (key, moves) in &self.seen {
            let Some(line) = self.lines.get(key) else { continue };
            for &Reply { mv, after, games } in moves.values() {
                if !self.known.contains_key(&after) {
                    let line: Vec<Move> = line.iter().copied().chain([mv]).collect();
                    gaps.push(Gap { line: show_line(&start, &line), games });
                }
            }
        }
        gaps.sort_by(|first, second| {
            second.games.cmp(&first.games).then_with(|| first.line.cmp(&second.line))
        });
        gaps
    }
}

/// A line with move numbers, such as `1. e4 e5 2. Nf3`; "the initial position" for an empty line.
fn show_line(start: &Position, line: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for &mv in line {
        let text = numbered(&position, mv);
        let is_first = words.is_empty();
        // A number before a move of Black is shown only at the start of the line.
        let text = match text.split_once(' ') {
            Some((_, san)) if position.turn() == Color::Black && !is_first => san.to_owned(),
            _ => text,
        };
        words.push(text);
        position = position.after(mv).0;
    }
    if words.is_empty() { "the initial position".to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::San;

    fn game(text: &str) -> Game {
        let (game, errors) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
        assert!(errors.is_empty(), "{errors:?}");
        game
    }

    #[test]
    fn positions_by_several_ways_are_one() {
        let mut white = Repertoire::new(Color::White);
        assert!(
            white.add(&game("1. d4 d5 (1... Nf6 2. c4 e6 3. Nc3 d5 4. Bg5) 2. c4 e6 3. Nc3 Nf6 4. cxd5 *"))
        );
        let lines: Vec<String> = white
            .exercises()
            .expect("they are short")
            .iter()
            .map(|exercise| {
                let position = exercise.game.position(exercise.start);
                let answers: Vec<String> = exercise
                    .answers(exercise.start)
                    .filter_map(|node| exercise.game.mv(node))
                    .map(|mv| San::new(&position, mv).text().to_string())
                    .collect();
                format!("{}: {}", exercise.title, answers.join(" "))
            })
            .collect();
        let expected = [
            "the initial position: d4",
            "1. d4 d5: c4",
            "1. d4 d5 2. c4 e6: Nc3",
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6: cxd5 Bg5",
            "1. d4 Nf6: c4",
            "1. d4 Nf6 2. c4 e6: Nc3",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn gaps_are_what_others_play() {
        let mut white = Repertoire::new(Color::White);
        assert!(white.add(&game("1. e4 e5 2. Nf3 Nc6 3. Bb5 *")));
        for text in [
            "1. e4 c5 *",
            "1. e4 c5 2. Nf3 *",
            "1. e4 e5 2. Nf3 Nf6 *",
            "1. d4 d5 *",
            "1. e4 e5 2. Bc4 Nf6 *",
        ] {
            white.count(&game(text));
        }
        let gaps: Vec<(String, u64)> = white.gaps().into_iter().map(|gap| (gap.line, gap.games)).collect();
        assert_eq!(gaps, [("1. e4 c5".to_owned(), 2), ("1. e4 e5 2. Nf3 Nf6".to_owned(), 1)]);
    }

    /// A reply is a gap if nothing answers it, though the repertoire has it; it is none if the position after it is
    /// known by another order of moves, or if it ends the game.
    #[test]
    fn gaps_are_positions_without_an_answer() {
        let transposed = "1. d4 d5 (1... Nf6 2. c4 e6 3. Nc3 d5 4. Bg5) 2. c4 e6 3. Nc3 *";
        let cases: [(&str, &[&str], &[&str]); 3] = [
            ("1. e4 c5 *", &["1. e4 c5 2. Nf3 d6 *", "1. e4 e5 2. Nf3 *"], &["1. e4 c5", "1. e4 e5"]),
            (
                transposed,
                &["1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 *"],
                &["1. d4 Nf6 2. c4 e6 3. Nc3 d5 4. Bg5 Be7"],
            ),
            ("1. f3 e5 2. g4 d5 3. h3 *", &["1. f3 e5 2. g4 Qh4# 0-1"], &[]),
        ];
        for (lines, games, expected) in cases {
            let mut white = Repertoire::new(Color::White);
            assert!(white.add(&game(lines)));
            for text in games {
                white.count(&game(text));
            }
            let gaps: Vec<String> = white.gaps().into_iter().map(|gap| gap.line).collect();
            assert_eq!(gaps, expected, "{lines}");
        }
    }
}
