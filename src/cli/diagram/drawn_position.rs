//! The position that a diagram shows: from a FEN, an EPD record, or a game.

use crate::chess::{Move, Position, Square};
use crate::cli::position::Game as PlayedLine;
use crate::cli::values::{Ply, missing_place};
use crate::notation::pgn::{Game, NodeId};
use crate::notation::{PieceLetters, parse_epd_line};
use crate::render::{Mark, caption_after, marks_of};
use std::io::{self, Write};

/// A position to be drawn, with the move that led to it.
pub(in crate::cli) struct DrawnPosition {
    pub position: Position,
    /// The move that led to the position, and the position before it.
    before: Option<(Position, Move)>,
    pub marks: Vec<Mark>,
    /// The name of the position, if it has one.
    name: Option<String>,
}

impl DrawnPosition {
    /// The position of a FEN or an EPD record after some moves; an error states the problem.
    pub(in crate::cli) fn new(fen: &str, moves: &str) -> Result<Self, String> {
        let line = PlayedLine::new(fen, moves).map_err(|problems| problems.join("; "))?;
        if let Some(note) = &line.repairs {
            // A closed standard error does not matter.
            let _ = writeln!(io::stderr(), "{note}");
        }
        let before = line.moves.split_last().map(|(last, others)| {
            let before = others.iter().fold(line.start, |position, &mv| position.after(mv).0);
            (before, *last)
        });
        let name = parse_epd_line(fen, 1).ok().and_then(|line| line.epd.id().map(str::to_owned));
        Ok(Self { position: line.position, before, marks: Vec::new(), name })
    }

    /// A position of the main line of a game; by default the last one. An error if the game ends earlier.
    pub(in crate::cli) fn of_game(game: &Game, wanted: Option<Ply>) -> Result<Self, String> {
        let (mut position, mut before, mut node, mut plies) = (*game.start(), None, NodeId::ROOT, 0);
        let is_there = |plies, before: Option<&(Position, Option<Move>)>| match wanted {
            None => false,
            Some(Ply::Count(count)) => plies == count,
            Some(Ply::Move(number, color)) => {
                before.is_some_and(|(before, _)| before.fullmove_number() == number && before.turn() == color)
            }
        };
        while !is_there(plies, before.as_ref()) {
            let Some(next) = game.next(node) else {
                if let Some(wanted) = wanted {
                    return Err(missing_place(game, wanted, plies));
                }
                break;
            };
            let mv = game.mv(next);
            before = Some((position, mv));
            position = mv.map_or_else(|| position.after_null(), |mv| position.after(mv).0);
            node = next;
            plies += 1;
        }
        // A comment before the first move describes the position there.
        let first = game.next(node).filter(|_| node == NodeId::ROOT);
        let early = first.into_iter().flat_map(|first| game.comments_before(first));
        let marks = marks_of(game.comments(node).chain(early));
        let before = before.and_then(|(before, mv)| Some((before, mv?)));
        Ok(Self { position, before, marks, name: None })
    }

    /// The squares of the last move.
    pub(in crate::cli) fn last_move(&self) -> Option<(Square, Square)> {
        self.before.map(|(_, mv)| (mv.from(), mv.landing()))
    }

    /// `Position after 9. h3`, or the name.
    pub(in crate::cli) fn caption(&self, letters: PieceLetters) -> Option<String> {
        let Some((before, mv)) = &self.before else { return self.name.clone() };
        Some(caption_after(before, *mv, letters))
    }
}
