//! Adjudication: games that end by the scores of the engines or by tablebases.

use super::Termination;
use crate::arena::scalar;
use crate::chess::{Color, Position};
use crate::tablebase::{Tablebase, Wdl};
use crate::uci::InfoScore;
use serde::{Deserialize, Serialize};

/// The rule for draws: from some move number on, a game is drawn if all scores of both sides have been near zero for
/// some moves, without a capture or a pawn move among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawRule {
    /// The first full move at which a game may be drawn.
    #[serde(rename = "movenumber", deserialize_with = "scalar::whole")]
    pub move_number: u32,
    /// The number of consecutive moves of each side.
    #[serde(rename = "movecount", deserialize_with = "scalar::count")]
    pub move_count: u32,
    /// The maximum magnitude of the scores, in centipawns.
    #[serde(deserialize_with = "scalar::whole")]
    pub score: u32,
}

impl Default for DrawRule {
    fn default() -> Self {
        Self { move_number: 0, move_count: 1, score: 0 }
    }
}

/// The rule for losses: a side loses if its scores have been bad for some moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// The number of consecutive moves of that side.
    #[serde(rename = "movecount", default = "one", deserialize_with = "scalar::count")]
    pub move_count: u32,
    /// The minimum magnitude of the negative scores, in centipawns.
    #[serde(deserialize_with = "scalar::count")]
    pub score: u32,
    /// Whether the other side's scores must also have been good for this number of moves.
    #[serde(rename = "twosided", default, deserialize_with = "scalar::flag")]
    pub is_two_sided: bool,
}

const fn one() -> u32 {
    1
}

/// The rule for the adjudication by endgame tablebases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseRule {
    /// The maximum number of pieces of positions; `None` for that of the tables.
    pub men: Option<u32>,
    /// Whether results ignore the 50-move rule.
    pub ignores_fifty_moves: bool,
    /// The results that end a game.
    pub scope: TablebaseScope,
}

/// The tablebase results that end a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TablebaseScope {
    /// All results.
    #[default]
    #[serde(alias = "BOTH")]
    Both,
    /// Wins and losses.
    #[serde(alias = "WIN_LOSS")]
    WinLoss,
    /// Draws.
    #[serde(alias = "DRAW")]
    Draw,
}

impl TablebaseScope {
    /// Whether all results end a game.
    pub const fn is_all(&self) -> bool {
        matches!(self, Self::Both)
    }
}

impl TablebaseRule {
    /// The termination of a game in this position, if the tables contain its result.
    pub(super) fn judge(&self, tables: &Tablebase, position: &Position) -> Option<Termination> {
        if self.men.is_some_and(|men| position.occupied().count() > men) {
            return None;
        }
        let result = if self.ignores_fifty_moves {
            tables.probe_wdl(position)?.without_fifty_moves()
        } else {
            tables.probe_at_clock(position)?
        };
        let loser = match result {
            Wdl::Win => Some(!position.turn()),
            Wdl::Loss => Some(position.turn()),
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => None,
        };
        let is_wanted = match self.scope {
            TablebaseScope::Both => true,
            TablebaseScope::WinLoss => loser.is_some(),
            TablebaseScope::Draw => loser.is_none(),
        };
        is_wanted.then_some(Termination::TablebaseAdjudication { loser })
    }
}

/// The rules that end games beyond the rules of chess.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Adjudication {
    /// The rule for draws.
    pub draw: Option<DrawRule>,
    /// The rule for losses.
    pub resign: Option<ResignRule>,
    /// The full move after which a game is drawn.
    pub max_moves: Option<u32>,
    /// The rule for tablebases.
    pub tablebase: Option<TablebaseRule>,
}

/// Counts of the scores of a game so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    /// The number of consecutive moves of both sides with a score near zero.
    level: u32,
    /// The number of consecutive moves of each side with a bad score.
    bad: [u32; 2],
    /// The number of consecutive moves of each side with a good score.
    good: [u32; 2],
    /// The number of moves of both sides after the opening, also those from books of engines, in plies.
    plies: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication) -> Self {
        Self { rules, ..Self::default() }
    }

    /// Counts a move by `mover` with this score, after which the position is `position`, and returns the termination if
    /// the game is now over. A move without a score resets all counts.
    pub(super) fn judge(
        &mut self,
        mover: Color,
        score: Option<InfoScore>,
        position: &Position,
    ) -> Option<Termination> {
        let score = score.map(|score| score.value.comparable_cp());
        self.plies += 1;
        self.count_draw(score, position);
        self.count_win(mover, score);
        // A full move is complete after Black's move.
        let full_moves = u32::from(position.fullmove_number()) - u32::from(position.turn() == Color::White);
        if let Some(rule) = self.rules.draw
            && full_moves >= rule.move_number
            && self.level >= rule.move_count.saturating_mul(2)
        {
            return Some(Termination::DrawAdjudication);
        }
        if let Some(rule) = self.rules.resign {
            for loser in Color::ALL {
                let is_agreed = !rule.is_two_sided || self.good[!loser] >= rule.move_count;
                if self.bad[loser] >= rule.move_count && is_agreed {
                    return Some(Termination::ResignAdjudication { loser });
                }
            }
        }
        let is_long = self.rules.max_moves.is_some_and(|most| self.plies >= most.saturating_mul(2));
        is_long.then_some(Termination::MaxMoves)
    }

    fn count_draw(&mut self, score: Option<i64>, position: &Position) {
        let Some(rule) = self.rules.draw else { return };
        let is_level = score.is_some_and(|score| score.unsigned_abs() <= u64::from(rule.score));
        let is_irreversible = position.halfmove_clock() == 0;
        self.level = if is_level && !is_irreversible { self.level + 1 } else { 0 };
    }

    fn count_win(&mut self, mover: Color, score: Option<i64>) {
        let Some(rule) = self.rules.resign else { return };
        let limit = i64::from(rule.score);
        let count = |counter: &mut u32, goes_on: bool| *counter = if goes_on { *counter + 1 } else { 0 };
        count(&mut self.bad[mover], score.is_some_and(|score| score <= -limit));
        count(&mut self.good[mover], score.is_some_and(|score| score >= limit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;
    use crate::uci::InfoValue;

    /// Judges these scores, White's first, in positions of a quiet endgame. Returns the number of scores after which
    /// the game is over, and the termination.
    fn judged(rules: Adjudication, scores: &[&str]) -> Option<(usize, Termination)> {
        let mut adjudicator = Adjudicator::new(rules);
        for (index, text) in scores.iter().enumerate() {
            let mover = if index % 2 == 0 { Color::White } else { Color::Black };
            let turn = if index % 2 == 0 { 'b' } else { 'w' };
            let clock = u16::from(!text.ends_with('!')); // an exclamation mark is a pawn move
            let number = 40 + index.div_ceil(2);
            let position = position_from_fen(&format!("k7/p7/8/8/8/8/P7/K7 {turn} - - {clock} {number}"))
                .expect("a position");
            let text = text.trim_end_matches('!');
            let value = match text.strip_prefix('#') {
                Some(mate) => Some(InfoValue::Mate(mate.parse().expect("moves"))),
                None => text.parse().ok().map(InfoValue::Centipawns),
            };
            if let Some(end) = adjudicator.judge(mover, value.map(InfoScore::exact), &position) {
                return Some((index + 1, end));
            }
        }
        None
    }

    #[test]
    fn draws_take_quiet_scores_of_both_sides() {
        let rule = |move_number, move_count| Adjudication {
            draw: Some(DrawRule { move_number, move_count, score: 10 }),
            ..Adjudication::default()
        };
        let draw = |plies| Some((plies, Termination::DrawAdjudication));
        let cases: [(&str, Adjudication, &[&str], _); 7] = [
            ("level", rule(1, 2), &["0", "10", "-10", "5", "0"], draw(4)),
            ("a score too high", rule(1, 2), &["0", "11", "0", "0", "0", "0"], draw(6)),
            ("a score missing", rule(1, 2), &["0", "", "0", "0", "0", "0"], draw(6)),
            ("a pawn move", rule(1, 2), &["0", "0!", "0", "0", "0", "0"], draw(6)),
            ("too early", rule(42, 2), &["0", "0", "0", "0", "0", "0"], draw(5)),
            ("never level", rule(1, 1), &["20", "20", "0", "#3"], None),
            ("not agreed", Adjudication::default(), &["0", "0", "0", "0"], None),
        ];
        for (name, rules, scores, expected) in cases {
            assert_eq!(judged(rules, scores), expected, "{name}");
        }
    }

    #[test]
    fn resigning_takes_bad_scores_of_one_side_or_of_both() {
        let rule = |is_two_sided| Adjudication {
            resign: Some(ResignRule { move_count: 2, score: 600, is_two_sided }),
            ..Adjudication::default()
        };
        let lost = |plies, loser| Some((plies, Termination::ResignAdjudication { loser }));
        let (one, both) = (rule(false), rule(true));
        let cases: [(&str, Adjudication, &[&str], _); 7] = [
            ("white resigns", one, &["-600", "0", "-700"], lost(3, Color::White)),
            ("black resigns", one, &["0", "-600", "0", "-900"], lost(4, Color::Black)),
            (
                "a better move between",
                one,
                &["-600", "0", "-599", "0", "-600", "0", "-600"],
                lost(7, Color::White),
            ),
            ("mated", one, &["#-3", "#2", "#-2"], lost(3, Color::White)),
            ("mating is not being mated", one, &["#3", "0", "#2", "0"], None),
            ("both agree", both, &["-600", "600", "-700", "#5"], lost(4, Color::White)),
            ("the winner does not know", both, &["-600", "500", "-700", "500", "-600", "100"], None),
        ];
        for (name, rules, scores, expected) in cases {
            assert_eq!(judged(rules, scores), expected, "{name}");
        }
    }

    #[test]
    fn games_have_a_longest_length() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        assert_eq!(judged(rules, &["0"; 6]), Some((4, Termination::MaxMoves)));
    }
}
