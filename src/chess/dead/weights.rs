//! The weights of the greedy search for a helpmate.

use crate::chess::{Color, Position, Role};

/// The cost of each feature of a position or a move, in units of their own; the search makes the move with the least sum.
/// Found by trial.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    /// Squares beside the loser's king that are not attacked.
    pub(super) unattacked: i32,
    /// Those of them on which none of his own men stands.
    pub(super) flights: i32,
    /// How far the kings are from being two squares apart.
    pub(super) apart: i32,
    /// Steps of the loser's king to the edge, or to the corner without rooks and queens.
    pub(super) edge: i32,
    /// Pieces of the loser; where there are only minor pieces, their steps to his king.
    pub(super) pieces: i32,
    /// Pawns of the loser; where there are only minor pieces, their steps to promotion.
    pub(super) pawns: i32,
    /// Steps until a pawn promotes.
    pub(super) promotion: i32,
    /// Answers to a check that leaves the king no square.
    pub(super) answers: i32,
    /// A check that does not mate.
    pub(super) check: i32,
    /// Steps of the loser's king to the corner, whatever the material.
    pub(super) corner: i32,
    /// A capture by the loser.
    pub(super) capture: i32,
    /// Steps of a knight or bishop to the loser's king, unless there are only such.
    pub(super) minor: i32,
}

/// The king is chased into a corner by pieces that come near him. Found by a random search.
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
/// The kings come near each other at the edge.
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
/// A pawn runs.
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

/// The weights in the order in which they are tried, the most successful first: one often finds what another overlooks.
pub(super) fn in_order(position: &Position, winner: Color) -> [&'static Weights; 3] {
    let heavy = position.role(Role::Rook) | position.role(Role::Queen);
    if heavy.intersects(position.color(winner)) { [&CHASE, &DRIVE, &RUN] } else { [&DRIVE, &CHASE, &RUN] }
}
