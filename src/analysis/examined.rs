//! The course of a game: evaluations, clocks and judged moves of the main line.

use super::accuracy::{START, centipawn_loss, summarize};
use super::judgement::{Judgement, win_percent};
use super::phases::{Phase, Phases};
use super::written::{WrittenAnalysis, evaluations_after, evaluations_of, judgements_of};
use crate::chess::{Color, Position};
use crate::notation::pgn::{Element, EvaluationScore, Game, NodeId};
use crate::render::{Course, PlayerCourse};
use crate::zone::TimeControl;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// The share of the main time below which a player is short of time.
const SHORT_OF_TIME: f64 = 0.1;
/// The number of percent in an expected score of 1.
const PERCENT: f64 = 100.0;

/// A move of the main line with the properties that are counted in a profile.
pub struct CountedMove {
    /// The side that has moved.
    pub mover: Color,
    /// The phase of the game before the move.
    pub phase: Phase,
    /// The judgement and the loss in centipawns; `None` without evaluations before and after the move, and for a null
    /// move.
    pub judged: Option<(Option<Judgement>, u32)>,
    /// Whether the player was short of time; `None` if the clock is not known.
    pub is_short: Option<bool>,
}

/// A game that has been examined.
pub struct Examined {
    /// Its course, as a page shows it.
    pub course: Course,
    /// The number of plies of the main line.
    pub plies: usize,
    /// The moves of the main line.
    pub moves: Vec<CountedMove>,
}

/// The main time of a game, from the first period of its `TimeControl` tag.
fn main_time(game: &Game) -> Option<Duration> {
    let control: TimeControl = game.tags.get("TimeControl")?.trim().parse().ok()?;
    control.period(0).map(|period| period.time).filter(|time| !time.is_zero())
}

impl Examined {
    /// Examines the main line of a game.
    pub fn new(game: &Game) -> Self {
        let nodes: Vec<NodeId> = game.mainline().collect();
        let after: Vec<Option<EvaluationScore>> = evaluations_of(game);
        let written = WrittenAnalysis::of(game);
        let clocks: Vec<Option<Duration>> = nodes.iter().map(|&node| game.clock(node)).collect();
        let has_evaluations = after.iter().any(Option::is_some);
        let start = (has_evaluations && !game.is_set_up()).then_some(START);
        let first = game.start().turn();
        let limit = main_time(game)
            .or_else(|| clocks.iter().flatten().max().copied())
            .map(|time| time.as_secs_f64() * SHORT_OF_TIME);
        let mut course = Course::default();
        let mut moves = Vec::with_capacity(nodes.len());
        let judgements = judgements_of(game);
        let mut position = *game.start();
        let mut phases = Phases::new(&position);
        for (index, &node) in nodes.iter().enumerate() {
            let mover = position.turn();
            let phase = phases.now();
            position = game.mv(node).map_or_else(|| position.after_null(), |mv| position.after(mv).0);
            if phases.next(&position) != phase {
                course.phases.push((index + 1, phases.now().name()));
            }
            let before = if index == 0 { start } else { after[index - 1] };
            let scores = before.zip(after[index]).filter(|_| game.mv(node).is_some());
            let is_studied = written.as_ref().is_none_or(|written| written.has_judged(mover));
            let judged = scores
                .filter(|_| is_studied)
                .map(|(before, after)| (judgements[index], centipawn_loss(before, after, mover)));
            let own_clock = index.checked_sub(2).and_then(|index| clocks[index]);
            let is_short = clocks[index].and(limit).map(|limit| {
                // The clock that the player saw while choosing the move.
                own_clock.is_some_and(|clock| clock.as_secs_f64() < limit)
            });
            moves.push(CountedMove { mover, phase, judged, is_short });
        }
        course.clocks = std::iter::once(None).chain(clocks).collect();
        course.variation_scores = variation_scores(game, &nodes);
        if has_evaluations {
            course.glyphs = judgements.iter().map(|judgement| judgement.map(Judgement::nag)).collect();
            let is_move = |index: usize| game.mv(nodes[index]).is_some();
            let players = summarize(first, start, &after, is_move);
            course.players = Some(Color::ALL.map(|color| {
                if written.as_ref().is_some_and(|written| !written.has_judged(color)) {
                    return PlayerCourse::default();
                }
                let mut judged = [0; Judgement::ALL.len()];
                let own = moves.iter().zip(&judgements).filter(|(counted, _)| counted.mover == color);
                for judgement in own.filter_map(|(_, judgement)| *judgement) {
                    judged[judgement as usize] += 1;
                }
                let player = players.player(color);
                let stated = written.as_ref().and_then(|written| written.players?[color]);
                let (accuracy, average_loss_cp) = match stated {
                    Some((accuracy, loss)) => (Some(accuracy), Some(loss)),
                    None => (player.accuracy, player.average_loss_cp),
                };
                PlayerCourse { accuracy, average_loss_cp, judged: Some(judged) }
            }));
            course.scores.clone_from(&after);
            let scores = std::iter::once(start).chain(after);
            course.chances = scores.map(|score| score.map(|score| win_percent(score) / PERCENT)).collect();
            if let Some(last) = course.chances.last_mut().filter(|last| last.is_none()) {
                *last = final_chances(&position);
            }
        }
        Self { course, plies: nodes.len(), moves }
    }
}

/// The evaluations that count after the moves that are not in the main line.
fn variation_scores(game: &Game, mainline: &[NodeId]) -> HashMap<NodeId, EvaluationScore> {
    if game.len() == mainline.len() {
        return HashMap::new();
    }
    let mainline: HashSet<NodeId> = mainline.iter().copied().collect();
    let moves = game.walk().filter_map(|element| match element {
        Element::Move(node) => Some(node),
        _ => None,
    });
    let nodes: Vec<NodeId> = moves.filter(|node| !mainline.contains(node)).collect();
    let scores = evaluations_after(game, nodes.iter().copied());
    nodes.into_iter().zip(scores).filter_map(|(node, score)| Some((node, score?))).collect()
}

/// White's expected score if the game is over on the board.
fn final_chances(position: &Position) -> Option<f64> {
    if position.has_legal_moves() {
        return None;
    }
    Some(match (position.is_check(), position.turn()) {
        (false, _) => 0.5,
        (true, Color::White) => 0.0,
        (true, Color::Black) => 1.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Game {
        let (game, errors) =
            Game::read(text.as_bytes()).expect("memory can be read").expect("there is a game");
        assert!(errors.is_empty(), "{errors:?}");
        game
    }

    #[test]
    fn the_main_time_is_that_of_the_first_period() {
        let cases = [
            ("300+3", Some(300)),
            ("40/9000:3600", Some(9000)),
            ("*180", Some(180)),
            ("-", None),
            ("?", None),
            ("0+1", None),
        ];
        for (tag, expected) in cases {
            let game = game(&format!("[TimeControl \"{tag}\"]\n\n1. e4 *"));
            assert_eq!(main_time(&game), expected.map(Duration::from_secs), "{tag}");
        }
    }

    #[test]
    fn null_moves_are_not_counted() {
        let text = "1. e4 {[%eval 0.2]} e5 {[%eval 0.2]} 2. -- {[%eval -3.0]} d5 {[%eval -3.0]} *";
        let examined = Examined::new(&game(text));
        let is_judged: Vec<bool> = examined.moves.iter().map(|counted| counted.judged.is_some()).collect();
        assert_eq!(is_judged, [true, true, false, true]);
        assert_eq!(examined.course.glyphs, [None; 4]);
        let [white, black] = examined.course.players.expect("there are evaluations");
        assert_eq!((white.judged, white.average_loss_cp), (Some([0; 3]), Some(0.0)));
        assert_eq!((black.judged, black.average_loss_cp), (Some([0; 3]), Some(0.0)));
    }

    #[test]
    fn a_mate_on_the_board_ends_the_curve() {
        for last in ["", " {[%eval #0]}"] {
            let text =
                format!("1. f3 {{[%eval -0.5]}} e5 {{[%eval -0.5]}} 2. g4 {{[%eval #-1]}} Qh4#{last} 0-1");
            let examined = Examined::new(&game(&text));
            assert_eq!(examined.course.chances.last(), Some(&Some(0.0)), "{last}");
            let glyphs: Vec<u8> = examined.course.glyphs.iter().flatten().map(|nag| nag.0).collect();
            assert_eq!((glyphs, examined.course.glyphs[3]), (vec![6, 4], None), "{last}");
        }
    }
}
