//! Who wants to know how a match goes.

use super::Progress;
use crate::arena::game::Termination;

/// A game that is over.
#[derive(Clone, Debug)]
pub struct GameReport<'a> {
    /// The number of the encounter and of the game in it: `12.1`.
    pub round: String,
    /// White's and Black's name.
    pub names: [&'a str; 2],
    /// How it ended.
    pub termination: &'a Termination,
    /// Half-moves.
    pub plies: usize,
}

/// Hears how a match goes.
pub trait Listener {
    /// Something that a person should know.
    fn remark(&mut self, text: &str);
    /// A game is over. It is not counted yet: that is done when its encounter is over.
    fn game(&mut self, report: &GameReport<'_>);
    /// An encounter is over, counted, written and saved.
    fn encounter(&mut self, progress: &Progress);
}

impl Listener for () {
    fn remark(&mut self, _: &str) {}
    fn game(&mut self, _: &GameReport<'_>) {}
    fn encounter(&mut self, _: &Progress) {}
}
