//! The weights of the greedy search for a helpmate.

use crate::chess::{Color, Position, Role};

/// The cost of each feature of a position or a move, in arbitrary units; the greedy search makes the move with the
/// lowest sum. The values were found by trial.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    /// Squares next to the loser's king that are not attacked.
    pub(super) unattacked: i32,
    /// Squares next to the loser's king that are neither attacked nor occupied by one of the loser's pieces.
    pub(super) flights: i32,
    /// The deviation of the distance between the kings from two squares.
    pub(super) apart: i32,
    /// Squares from the loser's king to the edge, or to the corner if the winner has no rook or queen.
    pub(super) edge: i32,
    /// Pieces of the loser; if the winner has only minor pieces, the distances of both sides' pieces to the loser's
    /// king.
    pub(super) pieces: i32,
    /// Pawns of the loser; if the winner has only minor pieces, their steps to promotion.
    pub(super) pawns: i32,
    /// Steps until a pawn of the winner promotes.
    pub(super) promotion: i32,
    /// Replies to a check that leaves the king no flight square.
    pub(super) answers: i32,
    /// A check that does not mate.
    pub(super) check: i32,
    /// Squares from the loser's king to the corner, with any material.
    pub(super) corner: i32,
    /// A capture by the loser.
    pub(super) capture: i32,
    /// King moves from a knight or bishop of the winner to the loser's king, unless the winner has only minor pieces.
    pub(super) minor: i32,
}

/// Pieces chase the king into a corner. Found by a random search.
pub(super) const CHASE: Weights = Weights {
    unattacked: 43,
    flights: 78,
    apart: 2,
    edge: -27,
    pieces: 44,
    pawns: 26,
    promotion: 198,
    answers: -32,
    check: 147,
    corner: 1,
    capture: 208,
    minor: 16,
};
/// The kings come near each other at the edge of the board.
pub(super) const DRIVE: Weights = Weights {
    unattacked: 7,
    flights: 0,
    apart: 26,
    edge: 26,
    pieces: 2,
    pawns: 163,
    promotion: 0,
    answers: 0,
    check: 1,
    corner: 7,
    capture: 29,
    minor: 3,
};
/// A pawn runs to promotion.
pub(super) const RUN: Weights = Weights {
    unattacked: 0,
    flights: 0,
    apart: 10,
    edge: 30,
    pieces: 3,
    pawns: 19,
    promotion: 20,
    answers: 1,
    check: 0,
    corner: 0,
    capture: 0,
    minor: 0,
};

/// The weights in the order of the attempts, the most successful first; one set often finds a mate that another misses.
pub(super) fn in_order(position: &Position, winner: Color) -> [&'static Weights; 3] {
    let heavy = position.role(Role::Rook) | position.role(Role::Queen);
    if heavy.intersects(position.color(winner)) { [&CHASE, &DRIVE, &RUN] } else { [&DRIVE, &CHASE, &RUN] }
}
