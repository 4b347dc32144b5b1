//! The glyphs and comments of games on the moves of a position.

use super::tree::Root;
use crate::chess::{Move, Position};
use crate::notation::pgn::{Game, Nag, NodeId, without_commands};

/// A move of a game in a position, with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotedMove {
    /// The move.
    pub mv: Move,
    /// The glyphs, each once.
    pub nags: Vec<Nag>,
    /// The comments before and after the move, without commands such as `[%clk 0:01]`.
    pub comments: Vec<String>,
}

impl Root {
    /// The nodes of a game with this position, those of the main line first. If the root is exact, only nodes that are
    /// reached by its line of moves. Without variations, only the main line is searched.
    pub fn nodes(&self, game: &Game, with_variations: bool) -> Vec<NodeId> {
        let (root_start, line) = self.line();
        let is_at = |position: &Position, played: Option<usize>| {
            if self.is_exact { played == Some(line.len()) } else { self.is_here(position) }
        };
        let goes_on = |position: &Position, played: Option<usize>| {
            if self.is_exact {
                played.is_some_and(|plies| plies < line.len())
            } else {
                self.may_follow(position)
            }
        };
        let mut found = Vec::new();
        let start = *game.start();
        // Each node, with the number of plies played of the root's line; `None` if another move has been played.
        let played = (start.board() == root_start.board()).then_some(0);
        let mut waiting = vec![(NodeId::ROOT, start, played)];
        while let Some((node, position, played)) = waiting.pop() {
            if is_at(&position, played) {
                found.push(node);
            }
            if !goes_on(&position, played) {
                continue;
            }
            let first = waiting.len();
            for child in game.children(node).take(if with_variations { usize::MAX } else { 1 }) {
                let mv = game.mv(child);
                let after = mv.map_or_else(|| position.after_null(), |mv| position.after(mv).0);
                let is_next = |&plies: &usize| mv.is_some() && line.get(plies).copied() == mv;
                waiting.push((child, after, played.filter(is_next).map(|plies| plies + 1)));
            }
            // The stack is popped from the end, so the first child must be last.
            waiting[first..].reverse();
        }
        found
    }
}

impl NotedMove {
    /// The moves of a game at these nodes, each once, in their order.
    pub fn at(game: &Game, nodes: &[NodeId], with_variations: bool) -> Vec<Self> {
        let mut moves: Vec<Self> = Vec::new();
        for &node in nodes {
            for child in game.children(node).take(if with_variations { usize::MAX } else { 1 }) {
                let Some(mv) = game.mv(child) else { continue };
                let index = moves.iter().position(|known| known.mv == mv).unwrap_or_else(|| {
                    moves.push(Self { mv, nags: Vec::new(), comments: Vec::new() });
                    moves.len() - 1
                });
                let noted = &mut moves[index];
                let nags = game.nags(child).filter(|nag| !nag.is_diagram());
                for nag in nags {
                    if !noted.nags.contains(&nag) {
                        noted.nags.push(nag);
                    }
                }
                let comments = game.comments_before(child).chain(game.comments(child)).map(without_commands);
                noted.comments.extend(comments.filter(|text| !text.trim().is_empty()));
            }
        }
        moves
    }

    /// Whether the move has a glyph or a comment.
    pub fn is_annotated(&self) -> bool {
        !self.nags.is_empty() || !self.comments.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_san;

    fn root(moves: &[&str], is_exact: bool) -> Root {
        let mut position = Position::start();
        let mut line = Vec::new();
        for san in moves {
            let mv = parse_san(san, &position).expect(san).mv().expect("no pass");
            position = position.after(mv).0;
            line.push(mv);
        }
        Root::new(Position::start(), line, 1, is_exact)
    }

    #[test]
    fn moves_are_noted_wherever_they_are() {
        let text = "1. e4 (1. c4 e5 2. e4 $1 {odd} c5) e5 (1... c5 2. c4 e5 $6 {[%clk 0:01] slow}) 2. c4 $5 c5 {at last} *";
        let (game, errors) = Game::read(text.as_bytes()).expect("a text").expect("a game");
        assert!(errors.is_empty());
        let noted = |root: &Root, with_variations: bool| {
            let nodes = root.nodes(&game, with_variations);
            let moves = NotedMove::at(&game, &nodes, with_variations).into_iter();
            (nodes.len(), moves.map(|noted| (noted.nags, noted.comments)).collect::<Vec<_>>())
        };
        // Three move orders lead to the position, two of which continue.
        let position = root(&["e4", "e5", "c4"], false);
        let main = (vec![], vec!["at last".to_owned()]);
        assert_eq!(noted(&position, false), (1, vec![main.clone()]));
        assert_eq!(noted(&position, true), (2, vec![main]));
        assert_eq!(noted(&root(&["c4", "e5", "e4"], true), true), (1, vec![(vec![], vec![])]));
        assert_eq!(noted(&root(&["c4", "e5", "e4"], true), false), (0, vec![]));
        let before = noted(&root(&["c4", "e5"], false), true);
        assert_eq!(before, (1, vec![(vec![Nag(1)], vec!["odd".to_owned()])]));
        let reply = noted(&root(&["e4", "c5", "c4"], false), true);
        assert_eq!(reply, (1, vec![(vec![Nag(6)], vec!["slow".to_owned()])]));
    }
}
