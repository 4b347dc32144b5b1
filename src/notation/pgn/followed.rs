//! The positions of a line that is followed.

use crate::chess::{Board, Move, Placement, Position};
use crate::notation::san::{Found, word_without_sign};
use crate::notation::word::Word;
use crate::notation::{MoveNumber, SanMove, SanReader};
use std::cell::OnceCell;

/// A position of a game that is followed: only its placement, or the whole position once it has been asked for.
#[derive(Clone, Debug)]
struct Followed {
    /// The placement, unless the position is known.
    placement: Placement,
    position: OnceCell<Position>,
}

impl Followed {
    const fn new(placement: Placement) -> Self {
        Self { placement, position: OnceCell::new() }
    }

    #[inline(always)]
    fn placement(&self) -> Placement {
        self.position.get().map_or(self.placement, Placement::of)
    }

    #[inline(always)]
    fn position(&self) -> &Position {
        self.position.get_or_init(|| self.placement.position())
    }

    fn board(&self) -> Board {
        self.position.get().map_or_else(|| self.placement.board(), |position| *position.board())
    }

    #[inline(always)]
    fn number(&self) -> MoveNumber {
        match self.position.get() {
            Some(position) => MoveNumber::of(position),
            None => MoveNumber::new(self.placement.fullmove_number(), self.placement.turn()),
        }
    }
}

/// The current position of a line, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub enum Reached<'a> {
    /// Only the placement is known.
    Placement(&'a Placement),
    /// The whole position is known.
    Position(&'a Position),
}

/// A line of play: its position and the one before. A move overwrites the older one, so that nothing is copied.
///
/// Moves are played on placements, which is faster, until the current position is asked for: a visitor that wants one
/// position most often wants them all.
#[derive(Clone, Debug)]
pub(super) struct Line {
    steps: [Followed; 2],
    /// Whether the second position is the later one.
    is_second: bool,
    /// Whether there is a previous position. There is none before the first move.
    has_before: bool,
}

impl Line {
    /// A line without moves.
    pub(super) fn new(start: Placement) -> Self {
        Self { steps: [Followed::new(start), Followed::new(start)], is_second: false, has_before: false }
    }

    #[inline(always)]
    const fn now(&self) -> &Followed {
        let [first, second] = &self.steps;
        if self.is_second { second } else { first }
    }

    #[inline(always)]
    const fn before(&self) -> Option<&Followed> {
        let [first, second] = &self.steps;
        match (self.has_before, self.is_second) {
            (false, _) => None,
            (true, false) => Some(second),
            (true, true) => Some(first),
        }
    }

    /// The current position, as far as it is known.
    #[inline(always)]
    pub(super) fn reached(&self) -> Reached<'_> {
        let now = self.now();
        now.position.get().map_or(Reached::Placement(&now.placement), Reached::Position)
    }

    /// The placement before the latest move.
    #[inline(always)]
    pub(super) fn placement_before(&self) -> Option<Placement> {
        self.before().map(Followed::placement)
    }

    /// The current position.
    #[inline(always)]
    pub(super) fn position(&self) -> &Position {
        self.now().position()
    }

    /// The position before the latest move. The current position is found out, too, so that the next one before a move
    /// is known.
    #[inline(always)]
    pub(super) fn position_before(&self) -> Option<&Position> {
        let before = self.before()?;
        self.position();
        Some(before.position())
    }

    /// The number of the next move.
    #[inline(always)]
    pub(super) fn number(&self) -> MoveNumber {
        self.now().number()
    }

    /// The number of the latest move.
    #[inline(always)]
    pub(super) fn latest_number(&self) -> MoveNumber {
        self.before().unwrap_or(self.now()).number()
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub(super) fn is_check(&self) -> bool {
        match self.reached() {
            Reached::Placement(placement) => placement.is_check(),
            Reached::Position(position) => position.is_check(),
        }
    }

    /// Whether the side to move has a legal move.
    pub(super) fn has_legal_moves(&self) -> bool {
        self.now().board().has_legal_moves()
    }

    /// The text with English letters of the latest move, which is not a pass, without the sign of a check or mate.
    pub(super) fn latest_word(&self, mv: Move) -> Word {
        let before = self.before().unwrap_or(self.now());
        match before.position.get() {
            None => word_without_sign(&before.placement, mv, false),
            Some(position) => word_without_sign(position.board(), mv, false),
        }
    }

    /// Reads a move that has the form of nearly all moves; see [`SanReader::read_quickly`].
    #[inline(always)]
    pub(super) fn read_quickly(&self, text: &[u8], reader: &SanReader) -> Option<Found> {
        match self.reached() {
            Reached::Placement(placement) => reader.read_quickly(text, placement),
            Reached::Position(position) => reader.read_quickly(text, position.board()),
        }
    }

    /// Plays a legal move or a pass.
    #[inline]
    pub(super) fn play(&mut self, mv: SanMove) {
        match mv {
            SanMove::Move(mv) => self.play_move(mv),
            SanMove::Null => {
                let (now, next) = self.step();
                match now.position.get() {
                    None => *next = Followed::new(now.placement.after_null()),
                    Some(position) => next.position = OnceCell::from(position.after_null()),
                }
            }
        }
    }

    /// Plays a legal move that is not a pass.
    #[inline(always)]
    pub(super) fn play_move(&mut self, mv: Move) {
        let (now, next) = self.step();
        // Each value is stored where it is made: the value of the `match` would be stored field by field, and then
        // copied by vectors, which would wait for these stores.
        match now.position.get() {
            None => {
                now.placement.play_to(mv, &mut next.placement);
                next.position = OnceCell::new();
            }
            Some(position) => next.position = OnceCell::from(position.after(mv).0),
        }
    }

    /// Plays a legal move whose resulting position is known.
    #[inline(always)]
    pub(super) fn reach(&mut self, after: &Position) {
        self.step().1.position = OnceCell::from(*after);
    }

    /// The current position, and the room for the next one, which becomes the current one.
    #[inline(always)]
    const fn step(&mut self) -> (&Followed, &mut Followed) {
        self.is_second = !self.is_second;
        self.has_before = true;
        let [first, second] = &mut self.steps;
        if self.is_second { (first, second) } else { (second, first) }
    }
}
