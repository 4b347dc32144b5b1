//! Results of games, the reasons for their ends, tallies, and adjudication.

use crate::chess::{Color, Position};
use crate::search::Score;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;

/// The rules that end games before the rules of chess do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// The minimum score of a win, in search units, on which both sides must agree.
    pub win_score: i32,
    /// The number of consecutive plies with such a score after which the game is won.
    pub win_plies: u32,
    /// The maximum magnitude of a level score, in search units.
    pub draw_score: i32,
    /// The number of consecutive plies with a level score after which the game is drawn.
    pub draw_plies: u32,
    /// The first ply at which level scores are counted, as defined by [`Counted`].
    pub draw_from: u32,
    /// The number of plies after which a game is a draw, regardless of the scores.
    pub longest: u32,
}

/// The start from which [`Adjudication::draw_from`] counts plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// The start of the game, by the move number of the position; the first ply is 0.
    Game,
    /// The end of the opening; the first ply is 1.
    SinceOpening,
}

/// The scores of a game so far.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    counted: Counted,
    /// The side that is winning, and the number of consecutive plies.
    winning: Option<(Color, u32)>,
    /// The number of consecutive plies with a level score.
    level: u32,
    /// The number of plies that were judged.
    plies: u32,
}

impl Adjudicator {
    /// An adjudicator for one game.
    pub const fn new(rules: Adjudication, counted: Counted) -> Self {
        Self { rules, counted, winning: None, level: 0, plies: 0 }
    }

    /// Counts the score of a position for its side to move, and returns the end of the game if the score decides it.
    pub fn judge(&mut self, position: &Position, score: Score) -> Option<(GameResult, Termination)> {
        let ply = match self.counted {
            Counted::Game => plies_before(position),
            Counted::SinceOpening => self.plies + 1,
        };
        self.judge_at(ply, position.turn(), score)
    }

    fn judge_at(&mut self, ply: u32, turn: Color, score: Score) -> Option<(GameResult, Termination)> {
        self.plies += 1;
        let value = score.units();
        self.winning = if value.abs() >= self.rules.win_score {
            let winner = if value > 0 { turn } else { !turn };
            let before = self.winning.filter(|&(color, _)| color == winner).map_or(0, |(_, plies)| plies);
            Some((winner, before + 1))
        } else {
            None
        };
        self.level = if value.abs() <= self.rules.draw_score { self.level + 1 } else { 0 };
        if let Some((winner, _)) = self.winning.filter(|&(_, plies)| plies >= self.rules.win_plies) {
            return Some((GameResult::win(winner), Termination::WinAdjudicated));
        }
        if self.level >= self.rules.draw_plies && ply >= self.rules.draw_from {
            return Some((GameResult::Draw, Termination::DrawAdjudicated));
        }
        (self.plies >= self.rules.longest).then_some((GameResult::Draw, Termination::TooLong))
    }
}

/// The number of plies from the start of the game to a position, by its move number.
pub fn plies_before(position: &Position) -> u32 {
    2 * u32::from(position.fullmove_number()).saturating_sub(1) + position.turn() as u32
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// 0-1
    BlackWins,
    /// 1/2-1/2
    Draw,
    /// 1-0
    WhiteWins,
}

impl GameResult {
    /// All results, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// The win of this side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The half points of a side: 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn half_points(self, color: Color) -> u8 {
        match color {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }

    /// The result with this code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

impl fmt::Display for GameResult {
    /// `1-0`, `1/2-1/2` or `0-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        })
    }
}

/// The reason for the end of a game. The order is that of the codes in files: new ones come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Termination {
    /// Mate.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// The third occurrence of a position.
    Repetition,
    /// A win by adjudication, after a number of consecutive high scores.
    WinAdjudicated,
    /// A draw by adjudication, after a number of consecutive scores near zero.
    DrawAdjudicated,
    /// A draw by adjudication, after the maximum number of plies.
    TooLong,
}

impl Termination {
    /// All terminations, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::FiftyMoves,
        Self::Repetition,
        Self::WinAdjudicated,
        Self::DrawAdjudicated,
        Self::TooLong,
    ];

    /// The termination with this code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The name of the termination.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoves => "fifty moves",
            Self::Repetition => "repetition",
            Self::WinAdjudicated => "win adjudicated",
            Self::DrawAdjudicated => "draw adjudicated",
            Self::TooLong => "too long",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The numbers of results from the point of view of one player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Games won minus games lost.
    pub const fn difference(&self) -> i64 {
        self.wins as i64 - self.losses as i64
    }

    /// Adds a game in which the player had this color.
    pub fn add(&mut self, result: GameResult, color: Color) {
        if result == GameResult::Draw {
            self.draws += 1;
        } else if result == GameResult::win(color) {
            self.wins += 1;
        } else {
            self.losses += 1;
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Adjudication = Adjudication {
        win_score: 1000,
        win_plies: 3,
        draw_score: 10,
        draw_plies: 4,
        draw_from: 20,
        longest: 30,
    };

    /// The number of plies after which scores for the sides in turn, White first, end a game, and the end if there is
    /// one.
    fn ends(
        rules: Adjudication,
        scores: impl IntoIterator<Item = i32>,
        first: u32,
    ) -> (usize, Option<(GameResult, Termination)>) {
        let mut adjudicator = Adjudicator::new(rules, Counted::Game);
        let mut plies = 0;
        for (ply, score) in (first..).zip(scores) {
            let turn = if plies % 2 == 0 { Color::White } else { Color::Black };
            plies += 1;
            let end = adjudicator.judge_at(ply, turn, Score::new(score).expect("a score"));
            if end.is_some() {
                return (plies, end);
            }
        }
        (plies, None)
    }

    #[test]
    fn games_end_when_both_sides_agree() {
        let win = |winner| Some((GameResult::win(winner), Termination::WinAdjudicated));
        let draw = Some((GameResult::Draw, Termination::DrawAdjudicated));
        let too_long = Some((GameResult::Draw, Termination::TooLong));
        let cases: [(&str, Vec<i32>, u32, usize, _); 9] = [
            ("both see White win", vec![1000, -1000, 1200, 0], 0, 3, win(Color::White)),
            ("both see Black win", vec![0, 1500, -1500, 1500], 0, 4, win(Color::Black)),
            ("each sees itself win", vec![2000, 2000, 2000, 2000], 0, 4, None),
            ("a doubt between", vec![2000, -2000, 999, -2000, 2000], 0, 5, None),
            ("mate", vec![31_990, -31_991, 31_992], 0, 3, win(Color::White)),
            ("level", vec![0, 10, -10, 5], 20, 4, draw),
            ("level too early", vec![0, 0, 0, 0, 0, 0], 10, 6, None),
            ("level for long", vec![0; 30], 1, 20, draw),
            ("neither", vec![50; 30], 0, 30, too_long),
        ];
        for (name, scores, from, plies, expected) in cases {
            assert_eq!(ends(RULES, scores, from), (plies, expected), "{name}");
        }
    }

    #[test]
    fn plies_are_counted_from_the_opening_or_from_the_start_of_the_game() {
        let level = Score::DRAW;
        let later =
            crate::notation::position_from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 11").expect("a position");
        let plies = |counted| {
            let mut adjudicator = Adjudicator::new(RULES, counted);
            (1..).find(|_| adjudicator.judge(&later, level).is_some())
        };
        assert_eq!(plies(Counted::Game), Some(4));
        assert_eq!(plies(Counted::SinceOpening), Some(20));
    }

    #[test]
    fn codes_are_places() {
        for termination in Termination::ALL {
            assert_eq!(Termination::from_code(termination as u8), Some(termination));
        }
        assert_eq!(Termination::from_code(Termination::ALL.len() as u8), None);
    }
}
