//! Exercises from the mistakes in annotated games: the learner finds a better move.

use super::exercise::{Accepts, Exercise, Kind, Learner};
use crate::analysis::{Judgement, is_annotated, numbered};
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::{Game, GameFull, NodeId};

/// The exercises of a game: the moves of this side (or of both) that are judged as inaccuracies or worse, by a glyph or
/// by the evaluations around them, and that have a better variation. In a game annotated by Hematite, only glyphs
/// count, not evaluations. The second value is the number of judged moves without a better variation.
///
/// # Errors
/// [`GameFull`] if the moves do not fit into a game.
pub fn mistakes_of(
    game: &Game,
    side: Option<Color>,
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
            && let Some(judgement) = judgement(game, before, node, mover, is_analyzed)
        {
            let better: Vec<Move> = game
                .children(before)
                .filter(|&other| other != node && !is_judged(game, other))
                .filter_map(|other| game.mv(other))
                .filter(|&other| other != mv)
                .collect();
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

fn is_judged(game: &Game, node: NodeId) -> bool {
    game.nags(node).any(|nag| Judgement::from_nag(nag).is_some())
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
        let (exercises, without) = mistakes_of(&game, side, "A - B").expect("it is short");
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
}
