//! Lines of moves in comments, as branches of a game.
//!
//! A line starts with a move number; the move is played in the line of the comment where it has this number: `better is
//! 12.Nf3 Nc6` in a comment on move 12 or later is an alternative to move 12. Moves follow each other with or without
//! numbers; any other word ends the line until the next number. A line in parentheses branches off, as in PGN.

use super::moves::split_number;
use crate::chess::{Color, Move, Position};
use crate::notation::parse_san;
use crate::notation::pgn::{Game, NodeId, without_commands};
use std::borrow::Cow;
use std::collections::HashSet;

/// The maximum number of moves from comments that are added to a game, more than any annotator writes.
const MAX_ADDED: usize = 1 << 12;
/// The maximum number of plies of a game that are replayed to find the start of lines in comments. A real game needs a
/// few thousand; with this limit, a maliciously slow game takes a second.
const MAX_REPLAYED: usize = 1 << 22;

/// A game as the query searches it.
pub(super) struct Tree<'a> {
    game: Cow<'a, Game>,
    /// The moves that only occur in comments.
    added: HashSet<NodeId>,
    /// The moves that occur in comments, even if they also occur in the game.
    written: HashSet<NodeId>,
    /// The number of plies that may still be replayed.
    replays: usize,
}

impl<'a> Tree<'a> {
    /// The game without lines from comments.
    pub(super) fn new(game: &'a Game) -> Self {
        Self {
            game: Cow::Borrowed(game),
            added: HashSet::new(),
            written: HashSet::new(),
            replays: MAX_REPLAYED,
        }
    }

    /// The game with the lines in its comments.
    pub(super) fn with_comments(game: &'a Game) -> Self {
        let mut this = Self::new(game);
        let mut nodes = vec![NodeId::ROOT];
        while let Some(node) = nodes.pop() {
            nodes.extend(game.children(node));
            for comment in game.comments_before(node).chain(game.comments(node)) {
                let text = without_commands(comment);
                if has_number(&text) {
                    Lines { tree: &mut this, node }.read(&text);
                }
            }
        }
        this
    }

    /// The move of a node; `None` for the start and for a null move.
    pub(super) fn mv(&self, node: NodeId) -> Option<Move> {
        self.game.mv(node)
    }

    /// The comments on a move.
    pub(super) fn comments(&self, node: NodeId) -> impl Iterator<Item = &str> {
        self.game.comments(node)
    }

    /// The move that continues the line. After a move of the game, moves that only occur in comments do not continue
    /// it.
    pub(super) fn next(&self, node: NodeId) -> Option<NodeId> {
        let is_branch = |next: &NodeId| self.added.contains(next) && !self.added.contains(&node);
        self.game.next(node).filter(|next| !is_branch(next))
    }

    /// All other moves that follow a node.
    pub(super) fn alternatives(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let next = self.next(node);
        self.game.children(node).filter(move |&child| Some(child) != next)
    }

    /// Whether a move belongs to the game itself.
    pub(super) fn is_of_game(&self, node: NodeId) -> bool {
        !self.added.contains(&node)
    }

    /// Whether a move occurs in a comment.
    pub(super) fn is_of_comment(&self, node: NodeId) -> bool {
        self.written.contains(&node)
    }

    /// The nodes from the start to this one; `None` if the limit of replays is reached.
    fn path(&mut self, node: NodeId) -> Option<Vec<NodeId>> {
        if self.replays == 0 {
            return None;
        }
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.game.parent(node)).collect();
        self.replays = self.replays.saturating_sub(path.len());
        path.reverse();
        Some(path)
    }

    /// Adds a move from a comment, unless it already exists.
    fn add(&mut self, parent: NodeId, mv: Move) -> Option<NodeId> {
        let known = self.game.children(parent).find(|&child| self.game.mv(child) == Some(mv));
        let node = match known {
            Some(known) => known,
            None if self.added.len() >= MAX_ADDED => return None,
            None => {
                let node = self.game.to_mut().add(parent, Some(mv)).ok()?;
                self.added.insert(node);
                node
            }
        };
        self.written.insert(node);
        Some(node)
    }
}

/// Whether a text may contain a line of moves.
fn has_number(text: &str) -> bool {
    text.as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_digit() && (pair[1] == b'.' || !pair[1].is_ascii()))
}

/// Reads the lines in a comment on a node.
struct Lines<'t, 'a> {
    tree: &'t mut Tree<'a>,
    node: NodeId,
}

/// The place where the next move of a line is played.
#[derive(Clone)]
struct End {
    node: NodeId,
    position: Position,
    /// Whether the next move needs no number, since it follows another one.
    is_open: bool,
}

impl Lines<'_, '_> {
    fn read(mut self, text: &str) {
        let text = text.replace('…', "...");
        if self.tree.path(self.node).is_none() {
            return;
        }
        let start = End { node: self.node, position: self.tree.game.position(self.node), is_open: false };
        let mut end = start.clone();
        let mut outer: Vec<End> = Vec::new();
        let is_border = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')');
        for piece in text.split_inclusive(is_border) {
            let border = piece.chars().next_back().filter(|&letter| is_border(letter));
            let word = piece.strip_suffix(is_border).unwrap_or(piece);
            if !word.is_empty() {
                self.word(word, &mut end, &start);
            }
            match border {
                Some('(') => outer.push(end.clone()),
                Some(')') => end = outer.pop().unwrap_or_else(|| start.clone()),
                _ => {}
            }
        }
    }

    /// Reads a number, a move, or both.
    fn word(&mut self, word: &str, end: &mut End, start: &End) {
        let word = word.trim_matches([',', ';', ':', '"', '\'', '[', ']', '{', '}', '-', '–']);
        let mut san = word;
        if let Some(((number, color), rest)) = split_number(word) {
            let found = self.find(end, number, color).or_else(|| self.find(start, number, color));
            match found {
                Some(found) => *end = found,
                None => end.is_open = false,
            }
            san = rest;
        } else if word.starts_with("..") {
            // `12. ... Nf6`
            san = word.trim_start_matches('.');
            if end.is_open && end.position.turn() == Color::White {
                let number = end.position.fullmove_number();
                let found =
                    self.find(end, number, Color::Black).or_else(|| self.find(start, number, Color::Black));
                end.is_open = found.is_some();
                *end = found.unwrap_or_else(|| end.clone());
            }
        }
        if san.is_empty() {
            return;
        }
        if end.is_open
            && let Ok(mv) = parse_san(san.trim_end_matches(['!', '?', '.', ',', ';']), &end.position)
            && let Some(mv) = mv.mv()
            && let Some(node) = self.tree.add(end.node, mv)
        {
            *end = End { node, position: end.position.after(mv).0, is_open: true };
        } else {
            end.is_open = false;
        }
    }

    /// The place at or before another one on its line at which a move with this number is played.
    fn find(&mut self, from: &End, number: u16, color: Color) -> Option<End> {
        let is_it = |position: &Position| (position.fullmove_number(), position.turn()) == (number, color);
        if is_it(&from.position) {
            return Some(End { is_open: true, ..from.clone() });
        }
        let path = self.tree.path(from.node)?;
        let game = &self.tree.game;
        let mut position = *game.start();
        for node in path {
            if node != NodeId::ROOT {
                position = match game.mv(node) {
                    Some(mv) => position.after(mv).0,
                    None => position.after_null(),
                };
            }
            if is_it(&position) {
                return Some(End { node, position, is_open: true });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::Export;

    /// The game with the lines of its comments as variations, without the comments.
    fn read(moves: &str) -> String {
        let (game, errors) = Game::read(moves.as_bytes()).expect("memory can be read").expect("a game");
        assert_eq!(errors, [], "{moves}");
        let tree = Tree::with_comments(&game);
        let mut text = String::new();
        Export::new().without_comments().write_movetext(&tree.game, &mut text);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_written_to_take_long_does_not() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(20_000);
        let long = format!("{shuffle}*");
        let (game, _) = Game::read(long.as_bytes()).expect("memory can be read").expect("a game");
        let numbers = "1.e4 ".repeat(50_000);
        for comment in [&numbers, &format!("1.{shuffle}")] {
            let mut game = game.clone();
            let last = game.mainline().last().expect("it has moves");
            game.add_comment(last, comment).expect("there is room");
            let tree = Tree::with_comments(&game);
            assert!(tree.added.len() <= MAX_ADDED, "{}", tree.added.len());
        }
    }

    #[test]
    fn lines_in_comments_are_branches() {
        let cases = [
            ("1. e4 {1.d4 is better} e5 *", "1. e4 (1. d4) 1... e5 *"),
            ("1. e4 {No: 1. d4! d5, 2.c4 and not 2.Nf3} e5 *", "1. e4 (1. d4 d5 2. c4 (2. Nf3)) 1... e5 *"),
            ("1. e4 e5 2. Nf3 {1...c5 2.Nf3 d6} *", "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 *"),
            ("1. e4 e5 {2.f4 exf4 3.Nf3} 2. Nf3 *", "1. e4 e5 2. Nf3 (2. f4 exf4 3. Nf3) *"),
            ("1. e4 {1… c5 (or 1...e6 2.d4) 2. Nf3} e5 *", "1. e4 e5 (1... c5 2. Nf3) (1... e6 2. d4) *"),
            ("1. e4 {1. ... c5 2.Nc3} e5 *", "1. e4 e5 (1... c5 2. Nc3) *"),
            // A move of the game, and a move in a variation.
            ("1. e4 {1.e4 c5} e5 *", "1. e4 e5 (1... c5) *"),
            ("1. e4 (1. d4 d5 {1...Nf6 2.c4}) 1... e5 *", "1. e4 (1. d4 d5 (1... Nf6 2. c4)) 1... e5 *"),
            // Illegal moves, moves without a number, and invalid numbers.
            ("1. e4 {1.Nd4 d5} e5 *", "1. e4 e5 *"),
            ("1. e4 {the idea is d4 or Nf3} e5 *", "1. e4 e5 *"),
            ("1. e4 {played in 1. of 3 games, 40.Kg2} e5 *", "1. e4 e5 *"),
            ("1. e4 {[%clk 0:01.5] 1.d4 wins, d5 loses} e5 *", "1. e4 (1. d4) 1... e5 *"),
            ("{1.c4 c5} 1. e4 *", "1. e4 (1. c4 c5) *"),
        ];
        for (moves, expected) in cases {
            assert_eq!(read(moves), expected, "{moves}");
        }
    }

    /// Moves after the last move of the game do not belong to its main line.
    #[test]
    fn the_main_line_stays_as_it_is() {
        let text = "1. e4 e5 {2.Nf3 Nc6} *";
        let (game, _) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
        let tree = Tree::with_comments(&game);
        let line: Vec<NodeId> =
            std::iter::successors(tree.next(NodeId::ROOT), |&node| tree.next(node)).collect();
        assert_eq!(line, game.mainline().collect::<Vec<_>>());
        let alternatives: Vec<NodeId> = tree.alternatives(game.last()).collect();
        assert!(
            alternatives.len() == 1
                && tree.is_of_comment(alternatives[0])
                && !tree.is_of_game(alternatives[0])
        );
        assert!(tree.next(alternatives[0]).is_some());
    }
}
