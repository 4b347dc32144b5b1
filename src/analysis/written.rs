//! Reading the results of an analysis back from a game, and the evaluations that count in a game.

use super::accuracy::START;
use super::annotate::{is_annotated, is_own_comment, own_evaluation};
use super::judgement::Judgement;
use super::words::{stated_judgement, stated_summary, without_players};
use crate::chess::Color;
use crate::notation::PieceLetters;
use crate::notation::pgn::{EvaluationScore, Game, NodeId};

/// The annotations of the main line of a game that Hematite has analyzed.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenAnalysis {
    /// The judgement of each move.
    pub judgements: Vec<Option<Judgement>>,
    /// The accuracy in percent and the average loss in centipawns of White and Black, or `None` for one whose moves
    /// were not judged. `None` if the summary has been removed from the game.
    pub players: Option<[Option<(f64, f64)>; 2]>,
}

impl WrittenAnalysis {
    /// Reads the analysis; `None` if Hematite has not analyzed the game.
    pub fn of(game: &Game) -> Option<Self> {
        if !is_annotated(&game.tags) {
            return None;
        }
        let words = |node| {
            let comment = own_comment(game, node)?;
            stated_judgement(own_evaluation(comment).map_or(comment, |(_, words)| words))
        };
        let summary = |first| game.comments_before(first).find_map(stated_summary);
        Some(Self {
            judgements: game.mainline().map(words).collect(),
            players: game.next(NodeId::ROOT).and_then(summary),
        })
    }

    /// Whether the moves of this side were judged, as far as the summary shows.
    pub fn has_judged(&self, side: Color) -> bool {
        self.players.is_none_or(|players| players[side].is_some())
    }
}

/// Hematite's comment on a move of a game that it has analyzed. Comments from other sources come first.
fn own_comment(game: &Game, node: NodeId) -> Option<&str> {
    game.comments(node).filter(|text| is_own_comment(text)).last()
}

/// A comment of Hematite for a reader: its moves with these letters for pieces, and without the numbers of the players
/// if they stand in a table beside the game. `None` for a comment of another source.
pub fn shown_comment(text: &str, letters: PieceLetters, has_table: bool) -> Option<String> {
    if !is_own_comment(text) {
        return None;
    }
    let words = own_evaluation(text).map_or(text, |(_, words)| words);
    let words = without_players(words).filter(|_| has_table).unwrap_or(words);
    let mut shown = String::with_capacity(words.len());
    let mut is_after_number = false;
    for word in words.split_inclusive(' ') {
        match is_after_number {
            true => shown.extend(word.chars().map(|letter| match PieceLetters::ENGLISH.role(letter) {
                Some(role) => letters.letter(role),
                None => letter,
            })),
            false => shown.push_str(word),
        }
        let number = word.trim_end().trim_start_matches('(');
        let digits = number.trim_end_matches('.');
        is_after_number = number.len() > digits.len()
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit());
    }
    Some(shown)
}

/// The evaluation in Hematite's comment on a move of a game that it has analyzed.
fn own_score(game: &Game, node: NodeId) -> Option<EvaluationScore> {
    own_evaluation(own_comment(game, node)?).map(|(score, _)| score)
}

/// Whether Hematite has analyzed a game and has written evaluations of its own after moves of the main line.
pub fn has_own_evaluations(game: &Game) -> bool {
    is_annotated(&game.tags) && game.mainline().any(|node| own_score(game, node).is_some())
}

/// The evaluations that count after each of these moves. In a game that Hematite has analyzed, they are only its own,
/// if it has written any, since those of others belong to another search. In other games, and if the analysis used the
/// evaluations of the file, they are the first of each move. A mate in 0, which is on the board, is no evaluation: it
/// does not state which side has won.
pub fn evaluations_after(
    game: &Game,
    nodes: impl IntoIterator<Item = NodeId>,
) -> Vec<Option<EvaluationScore>> {
    let has_own = has_own_evaluations(game);
    let stated = |node| match has_own {
        true => own_score(game, node),
        false => game.evaluation(node).map(|stated| stated.score),
    };
    let is_open = |score: &EvaluationScore| *score != EvaluationScore::Mate(0);
    nodes.into_iter().map(|node| stated(node).filter(is_open)).collect()
}

/// The evaluations that count after each move of the main line. A checkmate, which can only be the last position, has
/// none, whatever a comment states.
pub fn evaluations_of(game: &Game) -> Vec<Option<EvaluationScore>> {
    let mut evaluations = evaluations_after(game, game.mainline());
    if let Some(last) = evaluations.last_mut().filter(|last| last.is_some())
        && game.position(game.last()).is_checkmate()
    {
        *last = None;
    }
    evaluations
}

/// The judgement of each move of the main line. In a game that Hematite has analyzed it is the written one: a move that
/// it has not judged is not a mistake, whatever its evaluations suggest. In other games the glyph of an annotator takes
/// precedence over the evaluations, and only moves with evaluations before and after them are judged. A null move is no
/// move of a player.
pub fn judgements_of(game: &Game) -> Vec<Option<Judgement>> {
    if let Some(written) = WrittenAnalysis::of(game) {
        return written.judgements;
    }
    let after = evaluations_of(game);
    let start = (after.iter().any(Option::is_some) && !game.is_set_up()).then_some(START);
    let mut mover = game.start().turn();
    let mut judgements = Vec::with_capacity(after.len());
    let mut before = start;
    for (node, after) in game.mainline().zip(after) {
        let scores = before.zip(after).filter(|_| game.mv(node).is_some());
        judgements.push(scores.and_then(
            |(before, after)| match game.nags(node).find(|nag| nag.is_of_move()) {
                Some(own) => Judgement::from_nag(own),
                None => Judgement::of_move(before, after, mover),
            },
        ));
        before = after;
        mover = !mover;
    }
    judgements
}

#[cfg(test)]
mod tests {
    use super::*;
    use EvaluationScore::{Centipawns, Mate};

    fn game(text: &str) -> Game {
        Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0
    }

    #[test]
    fn ours_and_those_of_others_are_not_mixed() {
        let moves = "1. e4 {[%eval 0.2]} {[%eval 0.31,18] Opening: x} e5 {[%eval 0.4]} 2. Ba6 {[%eval #-3,9] Blunder: y} *";
        let foreign = [Some(Centipawns(20)), Some(Centipawns(40)), Some(Mate(-3))];
        assert_eq!(evaluations_of(&game(moves)), foreign);
        let ours = game(&format!("[Analysis \"Hematite 0.1.0, 9 nodes\"]\n\n{moves}"));
        assert_eq!(evaluations_of(&ours), [Some(Centipawns(31)), None, Some(Mate(-3))]);
        let taken = "[Analysis \"Hematite 0.1.0, evaluations of the file\"]\n\n1. e4 {[%eval 0.2]} e5 {[%eval 0.4]} *";
        assert_eq!(evaluations_of(&game(taken)), [Some(Centipawns(20)), Some(Centipawns(40))]);
        let varied = "1. e4 {[%eval 0.2,18]} (1. d4 {[%eval 0.1]}) (1. c4 {[%eval 0.1,18]}) *";
        for (tags, expected) in [
            ("", [Some(Centipawns(20)), Some(Centipawns(10)), Some(Centipawns(10))]),
            (
                "[Analysis \"Hematite 0.1.0, 9 nodes\"]\n\n",
                [Some(Centipawns(20)), None, Some(Centipawns(10))],
            ),
        ] {
            let game = game(&format!("{tags}{varied}"));
            assert_eq!(evaluations_after(&game, game.children(NodeId::ROOT)), expected, "{tags}");
        }
    }

    #[test]
    fn a_mate_on_the_board_has_no_evaluation() {
        let moves = "1. f3 {[%eval 0.1]} e5 {[%eval 0.1]} 2. g4 {[%eval #-1]} Qh4# {[%eval LAST]} 0-1";
        for last in ["#0", "#-0", "#-1", "#1", "0.0", "-99"] {
            let game = game(&moves.replace("LAST", last));
            assert_eq!(evaluations_of(&game)[3], None, "{last}");
            assert_eq!(judgements_of(&game), [None, None, Some(Judgement::Blunder), None], "{last}");
        }
        let game = game("1. e4 {[%eval #0]} e5 {[%eval 0.2]} *");
        assert_eq!(evaluations_of(&game), [None, Some(Centipawns(20))]);
    }

    #[test]
    fn null_moves_are_not_judged() {
        let moves = "1. e4 {[%eval 0.2]} e5 {[%eval 0.2]} 2. -- {[%eval -3.0]} d5 {[%eval -3.0]} *";
        assert_eq!(judgements_of(&game(moves)), [None; 4]);
        assert_eq!(judgements_of(&game(&moves.replace("--", "-- $4"))), [None; 4]);
    }

    #[test]
    fn moves_in_comments_have_the_letters_of_the_reader() {
        let summary = "Summary: White 90.0 % accuracy, 12 cp average loss, 0 inaccuracies, 0 mistakes, 1 blunder. \
                       Moves: opening 1-2. Turning points: 1... Nc6.";
        let cases = [
            (
                "[%eval 0.31,18] Blunder: allows 24... Qg1#, by Nf3 (0.31 to #-1). Better is 1. e8=Q+.",
                false,
                Some("Blunder: allows 24... Dg1#, by Nf3 (0.31 to #-1). Better is 1. e8=D+."),
            ),
            (
                "Novelty: 3 earlier games, the last Bo - Nunn, 1990.01.02.",
                true,
                Some("Novelty: 3 earlier games, the last Bo - Nunn, 1990.01.02."),
            ),
            (summary, true, Some("Moves: opening 1-2. Turning points: 1... Sc6.")),
            (summary, false, Some(&*summary.replace("Nc6", "Sc6"))),
            ("Better is 1. Nc3.", true, None),
        ];
        for (text, has_table, expected) in cases {
            assert_eq!(shown_comment(text, PieceLetters::GERMAN, has_table).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn moves_are_judged_by_glyphs_and_evaluations() {
        use Judgement::{Blunder, Inaccuracy};
        let moves =
            "1. e4 {[%eval 0.2]} e5?! {[%eval 0.2]} 2. Ba6 {[%eval -3.1]} Nxa6! {[%eval 3.1]} 3. a3 *";
        assert_eq!(judgements_of(&game(moves)), [None, Some(Inaccuracy), Some(Blunder), None, None]);
        let ours = game(&format!("[Analysis \"Hematite 0.1.0, 9 nodes\"]\n\n{moves}"));
        assert_eq!(judgements_of(&ours), [None; 5], "what it has not judged is no mistake");
        assert_eq!(judgements_of(&game("1. e4? e5 *")), [None; 2], "without evaluations");
    }

    #[test]
    fn judgements_and_summaries_are_read() {
        let text = "[Analysis \"Hematite 0.1.0, 9 nodes\"]\n\n{A note.} {Summary: Black 90.0 % accuracy, 12 cp average loss, \
                    0 inaccuracies, 0 mistakes, 1 blunder. Moves: opening 1-2.} 1. e4 {[%eval 0.31,18]} e5 $2 {[%eval 1.31,18] \
                    Engine: a blunder, from +0.31 to +1.31.} 2. Nf3 $4 *";
        let written = WrittenAnalysis::of(&game(text)).expect("it is ours");
        assert_eq!(written.judgements, [None, Some(Judgement::Blunder), None], "{written:?}");
        assert_eq!(written.players, Some([None, Some((90.0, 12.0))]));
        assert_eq!(WrittenAnalysis::of(&game("1. e4 *")), None);
    }
}
