//! Exercises from the mistakes in annotated games: the learner finds a better move.

use super::comparison::stated_score;
use super::exercise::{Accepts, Exercise, Kind, Learner};
use crate::analysis::{Judgement, is_annotated, numbered, rank};
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::{Game, GameFull, NodeId};
use std::cmp::Reverse;

/// The exercises of a game: the moves of this side (or of both) from the move number `from_move` on that are judged as
/// inaccuracies or worse, by a glyph or by the evaluations around them, and that have a better variation. In a game
/// annotated by Hematite, only glyphs judge a move, not evaluations. The second value is the number of judged moves
/// without a better variation.
///
/// # Errors
/// [`GameFull`] if the moves do not fit into a game.
pub fn mistakes_of(
    game: &Game,
    side: Option<Color>,
    from_move: u16,
    title: &str,
) -> Result<(Vec<Exercise>, usize), GameFull> {
    let mut found = Vec::new();
    let mut without_better = 0;
    let mut position = *game.start();
    let mut before = NodeId::ROOT;
    let is_analyzed = is_annotated(&game.tags);
    for node in game.mainline() {
        let Some(mv) = game.mv(node) else { break };
        let mover = position.turn();
        if side.is_none_or(|side| side == mover)
            && position.fullmove_number() >= from_move
            && let Some(judgement) = judgement(game, before, node, mover, is_analyzed)
        {
            let better = better_moves(game, &position, before, node, is_analyzed);
            if better.is_empty() {
                without_better += 1;
            } else {
                found.push(exercise(&position, mv, judgement, &better, title)?);
            }
        }
        position = position.after(mv).0;
        before = node;
    }
    Ok((found, without_better))
}

/// The moves of variations on the move `played` that are no mistakes themselves and, as far as evaluations state it,
/// are better. Moves with evaluations come first, the best of them first.
fn better_moves(
    game: &Game,
    position: &Position,
    before: NodeId,
    played: NodeId,
    is_analyzed: bool,
) -> Vec<Move> {
    let mover = position.turn();
    let value = |node| stated_score(game, position, node).map(|score| rank(score, mover));
    let played_value = value(played);
    let mut better: Vec<_> = game
        .children(before)
        .filter(|&other| game.mv(other) != game.mv(played))
        .filter(|&other| judgement(game, before, other, mover, is_analyzed).is_none())
        .filter_map(|other| Some((game.mv(other)?, value(other))))
        .filter(|&(_, value)| value.zip(played_value).is_none_or(|(value, played)| value > played))
        .collect();
    better.sort_by_key(|&(_, value)| Reverse(value));
    better.into_iter().map(|(mv, _)| mv).collect()
}

fn judgement(
    game: &Game,
    before: NodeId,
    node: NodeId,
    mover: Color,
    is_analyzed: bool,
) -> Option<Judgement> {
    let by_glyph = game.nags(node).find_map(Judgement::from_nag);
    let by_evaluations = || {
        let [before, after] = [before, node].map(|node| game.evaluation(node).map(|stated| stated.score));
        Judgement::of_move(before?, after?, mover)
    };
    by_glyph.or_else(|| if is_analyzed { None } else { by_evaluations() })
}

fn exercise(
    position: &Position,
    played: Move,
    judgement: Judgement,
    better: &[Move],
    title: &str,
) -> Result<Exercise, GameFull> {
    let mut game = Game::new(*position);
    for &mv in better {
        game.add(NodeId::ROOT, Some(mv))?;
    }
    let judgement = judgement.to_string().to_lowercase();
    Ok(Exercise {
        kind: Kind::Mistake,
        title: format!("{title}: {} ({judgement})", numbered(position, played)),
        game,
        start: NodeId::ROOT,
        learner: Learner::Side(position.turn()),
        accepts: Accepts::Variations,
        instead_of: Some(played),
        mate_in: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::San;

    fn found(text: &str, side: Option<Color>) -> (Vec<(String, Vec<String>)>, usize) {
        let (game, errors) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
        assert!(errors.is_empty(), "{errors:?}");
        let (exercises, without) = mistakes_of(&game, side, 1, "A - B").expect("it is short");
        let shown = exercises.iter().map(|exercise| {
            let start = exercise.game.start();
            let answers = exercise.answers(NodeId::ROOT).filter_map(|node| exercise.game.mv(node));
            (exercise.title.clone(), answers.map(|mv| San::new(start, mv).text().to_string()).collect())
        });
        (shown.collect(), without)
    }

    #[test]
    fn judged_moves_with_something_better_are_asked() {
        let text = "1. e4 e5 2. Ke2 $4 (2. Nf3 Nc6) (2. Nc3 $6) 2... Nf6 $2 *";
        let title = "A - B: 2. Ke2 (blunder)".to_owned();
        assert_eq!(found(text, None), (vec![(title.clone(), vec!["Nf3".to_owned()])], 1));
        assert_eq!(found(text, Some(Color::White)), (vec![(title, vec!["Nf3".to_owned()])], 0));
        assert_eq!(found(text, Some(Color::Black)), (Vec::new(), 1));
    }

    #[test]
    fn evaluations_judge_where_no_glyph_does() {
        let text = "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Qh5 {[%eval -0.2]} (2. Nf3) 2... Ke7 {[%eval #1]} (2... Nc6) *";
        let (exercises, without) = found(text, None);
        assert_eq!((exercises.len(), without), (1, 0), "{exercises:?}");
        assert_eq!(exercises[0].1, ["Nc6"]);
    }

    /// A move that is no better by the evaluations is no answer, and the best move comes first.
    #[test]
    fn worse_variations_are_not_better() {
        let start = "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. ";
        let cases: [(&str, &[&str]); 7] = [
            ("Qh5 $6 {[%eval -0.3]} (2. Ke2 {[%eval -2.0]}) (2. Nf3 {[%eval 0.2]})", &["Nf3"]),
            ("Qh5 $6 {[%eval -0.3]} (2. Ke2 {[%eval -2.0]})", &[]),
            ("Qh5 $6 {[%eval -0.3]} (2. Nf3)", &["Nf3"]),
            ("Ke2 {[%eval -2.0]} (2. Qh5 {[%eval -0.6]}) (2. Nc3 {[%eval 0.3]})", &["Nc3"]),
            (
                "Ke2 {[%eval -2.0]} (2. Bc4) (2. Nc3 {[%eval 0.2]}) (2. Nf3 {[%eval 0.4]})",
                &["Nf3", "Nc3", "Bc4"],
            ),
            ("Ke2 {[%eval #-3]} (2. Ba6 {[%eval #-2]}) (2. Nf3 {[%eval #4]})", &["Nf3"]),
            ("Ke2 $4 {[%eval 0.2]} (2. Nc3 {[%eval 0.2]})", &[]),
        ];
        for (moves, expected) in cases {
            let (exercises, without) = found(&format!("{start}{moves} *"), Some(Color::White));
            let answers: Vec<&str> =
                exercises.iter().flat_map(|(_, answers)| answers.iter().map(String::as_str)).collect();
            assert_eq!((&answers[..], without), (expected, usize::from(expected.is_empty())), "{moves}");
        }
    }
}
