//! The study of one game: the positions that must be evaluated, and the resulting reports on each move and on the game.

use super::accuracy::{GameSummary, PlayerSummary, START, centipawn_loss, move_accuracy, summarize};
use super::evaluator::{Assessment, Line, Question};
use super::judgement::{Judgement, winning_chances};
use super::phases::{Phase, Phases};
use super::queue::Inquiry;
use super::studied_move::{OnlyMove, StudiedMove, ThreatKind};
use super::threats::{candidates, threat};
use crate::chess::{Color, KeyHistory, Move, Outcome, Position};
use crate::notation::eco::{Opening, opening};
use crate::notation::pgn::{EvaluationScore, Game, GameResult, NodeId};

/// A best move is hard to find if the search prefers others up to this depth, in plies.
const HARD_DEPTH: u32 = 8;
/// A move is the only good one if every other loses at least this much of the winning chances on the scale from -1 to
/// 1: a blunder.
const ONLY_MOVE_LOSS: f64 = 0.3;
/// The winning chances at which a side is better, on the scale from -1 to 1: about a pawn.
const BETTER_CHANCES: f64 = 0.2;

/// The part of a game that is studied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The number of the first full move that is studied.
    pub from_move: u16,
    /// The side whose moves are judged; `None` for both.
    pub side: Option<Color>,
    /// Whether the evaluations in the comments of the game are used, without any search.
    pub takes_evaluations: bool,
}

/// The results of the study of a game.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The moves of the main line.
    pub moves: Vec<StudiedMove>,
    /// Accuracy, losses and judgements of the sides that are judged, from the first studied move on.
    pub summary: GameSummary,
    /// The side whose moves are judged; `None` for both.
    pub side: Option<Color>,
    /// The opening, and the number of plies up to the last named position.
    pub opening: Option<(&'static Opening, usize)>,
    /// The numbers of plies before the middlegame, and before the endgame.
    pub phases: [usize; 2],
    /// The plies, counted from 1, of the mistakes and blunders that change which side is better.
    pub turning_points: Vec<usize>,
    /// The outcome by the rules, including claimed draws; `None` if the game ends otherwise.
    pub outcome: Option<Outcome>,
}

impl GameReport {
    /// The summary of a player; `None` if the moves of this side are not judged.
    pub fn judged_player(&self, side: Color) -> Option<&PlayerSummary> {
        self.side.is_none_or(|judged| judged == side).then(|| self.summary.player(side))
    }

    /// The phase of a ply, counted from 0.
    pub const fn phase(&self, ply: usize) -> Phase {
        if ply < self.phases[0] {
            Phase::Opening
        } else if ply < self.phases[1] {
            Phase::Middlegame
        } else {
            Phase::Endgame
        }
    }

    /// The average loss of a side in a phase, in centipawns; `None` without moves.
    pub fn phase_loss_cp(&self, phase: Phase, side: Color) -> Option<f64> {
        let moves = self.moves.iter().enumerate();
        let moves = moves.filter(|&(ply, played)| self.phase(ply) == phase && played.mover() == side);
        super::average(moves.filter_map(|(_, played)| played.loss_cp).map(f64::from))
    }
}

/// A question without an answer yet.
#[derive(Clone, Copy, Debug)]
enum PendingQuestion {
    /// The position before this ply, or after the last.
    Position(usize),
    /// The position before this ply, without the move that was played.
    Without(usize),
    /// A position after a null move, for the move at this ply.
    Threat(usize, ThreatKind, Position),
}

/// The stage of the questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Positions,
    OnlyMoves,
    Threats,
    Done,
}

/// A score from White's point of view, with its depth: 0 if it follows from the rules, `None` if it comes from another
/// source.
type Scored = (EvaluationScore, Option<u32>);

/// A game whose positions are evaluated.
#[derive(Debug)]
pub struct GameStudy<C> {
    /// The caller's data for the game.
    pub context: C,
    /// The game.
    pub game: Game,
    scope: Scope,
    /// The nodes and moves of the main line.
    played: Vec<(NodeId, Option<Move>)>,
    /// The positions before these moves, and the last position.
    positions: Vec<Position>,
    /// The first ply that is studied.
    first: usize,
    outcome: Option<Outcome>,
    stage: Stage,
    pending: Vec<PendingQuestion>,
    /// The assessment of each position.
    assessments: Vec<Option<Assessment>>,
    /// The scores of the positions with their depths, passed back from the end of the game; empty until all are known.
    scores: Vec<Option<Scored>>,
    /// The evaluations of the file after each ply, which are used without a search.
    stated: Vec<Option<EvaluationScore>>,
    /// For each ply, the assessment of the position without the move that was played.
    without: Vec<Option<Assessment>>,
    /// The results after null moves: the ply, the kind of the threat, the position and its assessment.
    passed: Vec<(usize, ThreatKind, Position, Assessment)>,
}

impl<C> GameStudy<C> {
    /// The study of a game whose moves could be read.
    pub fn new(game: Game, scope: Scope, context: C) -> Self {
        let mut positions = vec![*game.start()];
        let mut history = KeyHistory::new(game.start());
        let mut played = Vec::new();
        let mut now = *game.start();
        for node in game.mainline() {
            let mv = game.mv(node);
            played.push((node, mv));
            now = match mv {
                Some(mv) => now.after(mv).0,
                None => now.after_null(),
            };
            match mv {
                Some(_) => history.push(&now),
                None => history.push_null(&now),
            }
            positions.push(now);
        }
        let is_drawn = game.result == GameResult::Draw;
        let outcome = now.outcome(&history).filter(|outcome| !outcome.must_be_claimed() || is_drawn);
        let is_before = |position: &Position| position.fullmove_number() < scope.from_move;
        let first = positions.iter().take_while(|position| is_before(position)).count().min(played.len());
        let (assessments, without) = (vec![None; positions.len()], vec![None; played.len()]);
        let stated = played.iter().filter(|_| scope.takes_evaluations);
        let stated = stated.map(|&(node, _)| game.evaluation(node).map(|stated| stated.score)).collect();
        let stage = if scope.takes_evaluations { Stage::Done } else { Stage::Positions };
        Self {
            context,
            game,
            scope,
            played,
            positions,
            first,
            outcome,
            stage,
            pending: Vec::new(),
            assessments,
            scores: Vec::new(),
            stated,
            without,
            passed: Vec::new(),
        }
    }

    /// The study with other evaluations of the file, one for each ply of the main line: of a game whose comments no
    /// longer contain them.
    #[must_use]
    pub fn with_stated(mut self, stated: Vec<Option<EvaluationScore>>) -> Self {
        self.stated = stated;
        self
    }

    /// The number of plies of the main line.
    fn plies(&self) -> usize {
        self.played.len()
    }

    fn has_question(&self, index: usize) -> bool {
        let is_over = index == self.plies() && self.outcome.is_some();
        // A game without moves to study has no questions.
        self.first < self.plies() && !is_over && !self.positions[index].legal_moves().is_empty()
    }

    /// Whether the move that was played may be the only good one, so that a search of the others is worthwhile.
    fn may_be_only(&self, ply: usize) -> bool {
        let Some(assessment) = &self.assessments[ply] else { return false };
        self.is_in_scope(ply)
            && assessment.lines.len() == 1
            && assessment.settled >= HARD_DEPTH
            && self.played[ply].1 == Some(assessment.best().moves[0])
            && self.positions[ply].count_legal_moves() > 1
    }

    fn is_in_scope(&self, ply: usize) -> bool {
        ply >= self.first && self.scope.side.is_none_or(|side| self.positions[ply].turn() == side)
    }

    /// The score of a position after passing back, and its depth.
    fn score(&self, index: usize) -> Option<Scored> {
        self.scores.get(index).copied().unwrap_or_else(|| self.own_score(index))
    }

    /// The score of a position by its own assessment.
    fn own_score(&self, index: usize) -> Option<Scored> {
        if index < self.first {
            return None;
        }
        if index == self.plies() {
            match self.outcome {
                Some(Outcome::Checkmate { .. }) => return None,
                Some(_) => return Some((EvaluationScore::Centipawns(0), Some(0))),
                None => {}
            }
        }
        if self.scope.takes_evaluations {
            let score = match index.checked_sub(1) {
                Some(ply) => self.stated.get(ply).copied().flatten(),
                None => (!self.game.is_set_up()).then_some(START),
            };
            return score.map(|score| (score, None));
        }
        let best = self.assessments[index].as_ref()?.best();
        Some((best.score, Some(best.depth)))
    }

    /// The scores of all positions, each at least as good as the score after the move that was played, which the search
    /// of the position itself may not have found. Therefore results late in the game count for earlier moves.
    fn led_back(&self) -> Vec<Option<Scored>> {
        let mut scores: Vec<Option<Scored>> = (0..=self.plies()).map(|index| self.own_score(index)).collect();
        for ply in (self.first..self.plies()).rev() {
            let mover = self.positions[ply].turn();
            let (Some(before), Some(after)) = (scores[ply], scores[ply + 1]) else { continue };
            let led_back = before_move(after.0, mover);
            if self.played[ply].1.is_some() && rank(led_back, mover) > rank(before.0, mover) {
                scores[ply] = Some((led_back, after.1));
            }
        }
        scores
    }

    /// The line that belongs to the score of a position: if the score was passed back, the moves that were played and
    /// the best line after them.
    fn best_line(&self, index: usize) -> Option<Line> {
        let is_led_back = |index| {
            self.score(index).map(|(score, _)| score) != self.own_score(index).map(|(score, _)| score)
        };
        let (mut moves, mut end) = (Vec::new(), index);
        while is_led_back(end) {
            moves.extend(self.played[end].1);
            end += 1;
        }
        let best = self.assessments[end].as_ref().map(Assessment::best);
        if moves.is_empty() {
            return best.cloned();
        }
        let (score, depth) = self.score(index)?;
        moves.extend(best.into_iter().flat_map(|line| &line.moves));
        Some(Line { score, depth: depth?, moves })
    }

    /// Details of the only good move; `None` if the move that was played is not the only good one.
    fn only_move(&self, ply: usize) -> Option<OnlyMove> {
        let assessment = self.assessments[ply].as_ref()?;
        let (best, played) = (assessment.best(), self.played[ply].1?);
        let next = match &self.without[ply] {
            Some(without) => without.best(),
            None => assessment.lines.get(1)?,
        };
        let loss = winning_chances(best.score) - winning_chances(next.score);
        let loss = if self.positions[ply].turn() == Color::White { loss } else { -loss };
        // A recapture is obvious.
        let last = ply.checked_sub(1).and_then(|ply| self.played[ply].1);
        let takes_back = last.is_some_and(|last| last.to() == played.to());
        let is_only = best.moves[0] == played && loss >= ONLY_MOVE_LOSS && !takes_back;
        is_only.then(|| OnlyMove {
            is_hard: assessment.settled >= HARD_DEPTH,
            next: next.moves[0],
            score: next.score,
        })
    }

    fn studied(&self, ply: usize) -> StudiedMove {
        let (node, mv) = self.played[ply];
        let (before, after) = (self.positions[ply], self.positions[ply + 1]);
        let last = ply.checked_sub(1).and_then(|last| Some((&self.positions[last], self.played[last].1?)));
        let lost_before = last.and_then(|(position, mv)| Some((mv.to(), position.captured_role(mv)?)));
        // Moves before the scope have no score, though the position at its start has one.
        let is_studied = ply >= self.first;
        let [score_before, score] = [ply, ply + 1].map(|index| self.score(index).filter(|_| is_studied));
        let lines: Vec<Line> =
            self.assessments[ply].as_ref().map_or_else(Vec::new, |assessment| assessment.lines.clone());
        let reply = self.best_line(ply + 1);
        let depth = score.and_then(|(_, depth)| depth);
        let (score_before, score) = (score_before.map(|(score, _)| score), score.map(|(score, _)| score));
        let both = score_before.zip(score).filter(|_| mv.is_some());
        let mover = before.turn();
        let is_best = mv.is_some() && lines.first().is_some_and(|line| line.moves.first().copied() == mv);
        let is_in_scope = self.is_in_scope(ply);
        let measured = both.filter(|_| is_in_scope);
        let judgement = measured.filter(|_| !is_best);
        let mut played = StudiedMove {
            node,
            mv,
            before,
            after,
            lost_before,
            is_in_scope,
            score_before,
            score,
            depth,
            lines,
            reply,
            judgement: judgement.and_then(|(before, after)| Judgement::of_move(before, after, mover)),
            accuracy: measured.map(|(before, after)| move_accuracy(before, after, mover)),
            loss_cp: measured.map(|(before, after)| centipawn_loss(before, after, mover)),
            is_forced: is_in_scope && mv.is_some() && before.count_legal_moves() == 1,
            only: if is_in_scope { self.only_move(ply) } else { None },
            threat: None,
        };
        let passed = self.passed.iter().filter(|(at, ..)| *at == ply);
        let threats = passed.filter_map(|(_, kind, position, found)| threat(&played, *kind, position, found));
        played.threat = threats.min_by_key(|threat| threat.kind as usize);
        played
    }

    /// The results of the study. Call it after all questions have been answered.
    pub fn report(&self) -> GameReport {
        let moves: Vec<StudiedMove> = (0..self.plies()).map(|ply| self.studied(ply)).collect();
        let scores: Vec<Option<EvaluationScore>> =
            (self.first..self.plies()).map(|ply| moves[ply].score).collect();
        let start = self.score(self.first).map(|(score, _)| score);
        let is_move = |index: usize| self.played[self.first + index].1.is_some();
        let mut summary = summarize(self.positions[self.first].turn(), start, &scores, is_move);
        // Only judged moves are counted: neither best moves, nor moves of a side out of scope.
        for (side, player) in [(Color::White, &mut summary.white), (Color::Black, &mut summary.black)] {
            if self.scope.side.is_some_and(|judged| judged != side) {
                *player = PlayerSummary::default();
                continue;
            }
            player.judged = [0; 3];
            let judged = moves.iter().filter(|played| played.mover() == side);
            for judgement in judged.filter_map(|played| played.judgement) {
                player.judged[judgement as usize] += 1;
            }
        }
        let named = self.positions.iter().enumerate();
        let opening = named.filter_map(|(ply, position)| Some((opening(position)?, ply))).next_back();
        let mut phases = Phases::new(&self.positions[0]);
        let of_plies: Vec<Phase> = self.positions.iter().map(|position| phases.next(position)).collect();
        let before = |phase| of_plies.partition_point(|&found| found < phase).min(self.plies());
        let phases = [Phase::Middlegame, Phase::Endgame].map(before);
        let turning_points = turning_points(&moves);
        let (side, outcome) = (self.scope.side, self.outcome);
        GameReport { moves, summary, side, opening, phases, turning_points, outcome }
    }
}

impl<C> Inquiry for GameStudy<C> {
    fn questions(&mut self) -> Vec<Question> {
        loop {
            let (pending, next): (Vec<PendingQuestion>, Stage) = match self.stage {
                Stage::Positions => {
                    let indices = self.first..=self.plies();
                    let indices = indices.filter(|&index| self.has_question(index));
                    (indices.map(PendingQuestion::Position).collect(), Stage::OnlyMoves)
                }
                Stage::OnlyMoves => {
                    self.scores = self.led_back();
                    let plies = (0..self.plies()).filter(|&ply| self.may_be_only(ply));
                    (plies.map(PendingQuestion::Without).collect(), Stage::Threats)
                }
                Stage::Threats => {
                    let pending = (0..self.plies()).flat_map(|ply| {
                        let candidates = candidates(&self.studied(ply)).into_iter();
                        candidates.map(move |(kind, position)| PendingQuestion::Threat(ply, kind, position))
                    });
                    (pending.collect(), Stage::Done)
                }
                Stage::Done => return Vec::new(),
            };
            self.stage = next;
            self.pending = pending;
            if !self.pending.is_empty() {
                let question = |pending: &PendingQuestion| match *pending {
                    PendingQuestion::Position(index) => {
                        Question { position: self.positions[index], without: None }
                    }
                    PendingQuestion::Without(ply) => {
                        Question { position: self.positions[ply], without: self.played[ply].1 }
                    }
                    PendingQuestion::Threat(_, _, position) => Question { position, without: None },
                };
                return self.pending.iter().map(question).collect();
            }
        }
    }

    fn answer(&mut self, index: usize, assessment: Assessment) {
        match self.pending[index] {
            PendingQuestion::Position(index) => self.assessments[index] = Some(assessment),
            PendingQuestion::Without(ply) => self.without[ply] = Some(assessment),
            PendingQuestion::Threat(ply, kind, position) => {
                self.passed.push((ply, kind, position, assessment))
            }
        }
    }
}

/// A key that orders scores by their value for a side: a mate is better the sooner it is, and worse if it is the
/// opponent's.
pub fn rank(score: EvaluationScore, side: Color) -> (i8, i32) {
    let sign = if side == Color::White { 1 } else { -1 };
    match score {
        EvaluationScore::Centipawns(score) => (0, score.saturating_mul(sign)),
        EvaluationScore::Mate(moves) if moves.signum() == sign => (1, -moves.abs()),
        EvaluationScore::Mate(moves) => (-1, moves.abs()),
    }
}

/// Converts the score after a move of this side to the score before it: its own mate takes one move more.
pub const fn before_move(after: EvaluationScore, side: Color) -> EvaluationScore {
    match (after, side) {
        (EvaluationScore::Mate(moves @ 1..), Color::White) => EvaluationScore::Mate(moves + 1),
        (EvaluationScore::Mate(moves @ ..=-1), Color::Black) => EvaluationScore::Mate(moves - 1),
        _ => after,
    }
}

/// The side that is better: 1 for White, -1 for Black, 0 for neither.
fn leader(score: EvaluationScore) -> i8 {
    let chances = winning_chances(score);
    i8::from(chances > BETTER_CHANCES) - i8::from(chances < -BETTER_CHANCES)
}

/// Whether a game turns with a judged move from one score to another: with a mistake or a blunder that changes which
/// side is better.
pub fn is_turning_point(judgement: Judgement, before: EvaluationScore, after: EvaluationScore) -> bool {
    judgement >= Judgement::Mistake && leader(before) != leader(after)
}

fn turning_points(moves: &[StudiedMove]) -> Vec<usize> {
    let turns = |played: &StudiedMove| {
        let scores = played.score_before.zip(played.score);
        let judged = played.judgement.zip(scores);
        judged.is_some_and(|(judgement, (before, after))| is_turning_point(judgement, before, after))
    };
    (1..).zip(moves).filter(|(_, played)| turns(played)).map(|(ply, _)| ply).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const SCOPE: Scope = Scope { from_move: 1, side: None, takes_evaluations: false };

    fn study(text: &str, scope: Scope) -> GameStudy<()> {
        let (game, errors) = Game::read(text.as_bytes()).expect("it is text").expect("a game");
        assert!(errors.is_empty(), "{errors:?}");
        GameStudy::new(game, scope, ())
    }

    fn line(position: &Position, san: &str, score: EvaluationScore) -> Line {
        let mv = crate::notation::parse_san(san, position).ok().and_then(|mv| mv.mv()).expect(san);
        Line { score, depth: 12, moves: vec![mv] }
    }

    /// Answers with the best move and the score of each position, and the depth at which the move was found.
    fn answer(study: &mut GameStudy<()>, answers: &[(&str, i32, u32)]) {
        let questions = study.questions();
        assert_eq!(questions.len(), answers.len(), "{questions:?}");
        for (index, (question, &(san, score, settled))) in questions.iter().zip(answers).enumerate() {
            let line = line(&question.position, san, EvaluationScore::Centipawns(score));
            study.answer(index, Assessment { lines: vec![line], settled, nodes: 1, time: Duration::ZERO });
        }
    }

    #[test]
    fn moves_are_judged_and_only_moves_found() {
        let mut study = study("1. e4 g5 2. d4 *", SCOPE);
        answer(&mut study, &[("e4", 20, 1), ("e5", 20, 3), ("d4", 160, 9), ("Bg7", 150, 1)]);
        let questions = study.questions();
        assert_eq!(questions.len(), 1, "2. d4 was found late");
        let d4 = study.played[2].1;
        assert_eq!((questions[0].position, questions[0].without), (study.positions[2], d4));
        let next = line(&questions[0].position, "Nc3", EvaluationScore::Centipawns(-10));
        study.answer(0, Assessment { lines: vec![next.clone()], settled: 1, nodes: 1, time: Duration::ZERO });
        // The overlooked, missed and allowed threats of 1... g5, and the threat parried by 2. d4; only 3. Bxg5 gains
        // enough.
        answer(&mut study, &[("d4", 50, 1), ("Nf6", 10, 1), ("Bxg5", 400, 1), ("Nc6", 100, 1)]);
        assert!(study.questions().is_empty());
        let report = study.report();
        let threats: Vec<_> =
            report.moves.iter().map(|played| played.threat.as_ref().map(|threat| threat.kind)).collect();
        assert_eq!(threats, [None, Some(ThreatKind::Allowed), None]);
        let judgements: Vec<_> = report.moves.iter().map(|played| played.judgement).collect();
        assert_eq!(judgements, [None, Some(Judgement::Mistake), None]);
        assert_eq!(report.moves[1].loss_cp, Some(140));
        assert!(report.moves[1].better().is_some() && report.moves[0].better().is_none());
        let only = report.moves[2].only.expect("nothing else keeps the advantage");
        assert!(only.is_hard && only.next == next.moves[0]);
        assert_eq!(report.turning_points, [2]);
        assert_eq!(report.summary.black.judged, [0, 1, 0]);
    }

    /// If a move is better than the evaluation of its position, the move before it was worse than it seemed.
    #[test]
    fn scores_are_led_back() {
        let mut found_late = study("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", SCOPE);
        let answers =
            [("e4", 20, 1), ("c5", 20, 1), ("Nc3", 0, 1), ("d6", 150, 1), ("Bc4", 120, 1), ("a6", 160, 1)];
        answer(&mut found_late, &answers);
        assert_eq!(found_late.score(1), Some((EvaluationScore::Centipawns(20), Some(12))), "not yet");
        assert!(found_late.questions().iter().all(|question| question.without.is_none()));
        let report = found_late.report();
        let scores: Vec<_> = report.moves.iter().map(|played| played.score).collect();
        let expected = [20, 150, 150, 160, 160].map(|score| Some(EvaluationScore::Centipawns(score)));
        assert_eq!(scores, expected, "2. Nf3 keeps 1.50, and 3. Bb5 1.60");
        assert_eq!(report.moves[1].judgement, Some(Judgement::Mistake), "1... e5");
        let reply = report.moves[1].reply.as_ref().expect("a line");
        let score = EvaluationScore::Centipawns(150);
        assert_eq!((reply.score, reply.moves.len()), (score, 2), "2. Nf3, which has led there, and 2... d6");
        assert_eq!(Some(reply.moves[0]), report.moves[2].mv);
        let mates = [
            (EvaluationScore::Mate(3), Color::White, EvaluationScore::Mate(4)),
            (EvaluationScore::Mate(3), Color::Black, EvaluationScore::Mate(3)),
            (EvaluationScore::Mate(-3), Color::Black, EvaluationScore::Mate(-4)),
        ];
        for (after, mover, before) in mates {
            assert_eq!(before_move(after, mover), before, "{after:?} {mover:?}");
        }
        use EvaluationScore::{Centipawns, Mate};
        let ascending = [Mate(-1), Mate(-9), Centipawns(-20_000), Centipawns(5), Mate(9), Mate(2)];
        assert!(ascending.is_sorted_by_key(|&score| rank(score, Color::White)));
        assert!(ascending.iter().rev().is_sorted_by_key(|&score| rank(score, Color::Black)));
    }

    #[test]
    fn the_end_of_a_game_is_known() {
        let mate = "1. f3 e5 2. g4 Qh4# 0-1";
        let mut one = study(mate, SCOPE);
        assert_eq!(one.questions().len(), 4, "the mate is not searched");
        assert_eq!(one.score(4), None);
        let draw = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2";
        let mut two = study(draw, SCOPE);
        assert_eq!(two.questions().len(), 8);
        assert_eq!(two.score(8), Some((EvaluationScore::Centipawns(0), Some(0))));
        let mut three = study(&draw.replace("1/2-1/2", "1-0"), SCOPE);
        assert_eq!(three.questions().len(), 9, "nobody claimed the draw");
    }

    #[test]
    fn a_scope_leaves_moves_out() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *";
        let mut late = study(text, Scope { from_move: 3, ..SCOPE });
        assert_eq!(late.questions().len(), 3);
        let mut none = study(text, Scope { from_move: 9, ..SCOPE });
        assert!(none.questions().is_empty());
        assert_eq!(none.report().moves.len(), 6);
        let mut black = study(text, Scope { side: Some(Color::Black), ..SCOPE });
        assert_eq!(black.questions().len(), 7);
        let in_scope: Vec<bool> = (0..6).map(|ply| black.is_in_scope(ply)).collect();
        assert_eq!(in_scope, [false, true, false, true, false, true]);
        let evaluated =
            "1. e4 { [%eval 0.2] } e5 { [%eval 0.3] } 2. Ba6 { [%eval -3.1] } Nxa6 { [%eval -3] } *";
        let scope = Scope { side: Some(Color::Black), takes_evaluations: true, ..SCOPE };
        let report = study(evaluated, scope).report();
        assert!(report.judged_player(Color::White).is_none(), "nothing is said about White");
        assert_eq!(report.summary.white, PlayerSummary::default());
        assert_eq!(report.judged_player(Color::Black).map(|player| player.moves), Some(2));
        let losses: Vec<bool> = report.moves.iter().map(|played| played.loss_cp.is_some()).collect();
        assert_eq!(losses, [false, true, false, true]);
    }

    #[test]
    fn evaluations_of_the_file_are_taken() {
        let text =
            "1. e4 { [%eval 0.2] } e5 { [%eval 0.3] } 2. Ba6 { [%eval -3.1] } Nxa6 { [%clk 0:01:00] } *";
        let mut study = study(text, Scope { takes_evaluations: true, ..SCOPE });
        assert!(study.questions().is_empty());
        let report = study.report();
        let judgements: Vec<_> = report.moves.iter().map(|played| played.judgement).collect();
        assert_eq!(judgements, [None, None, Some(Judgement::Blunder), None]);
        assert_eq!((report.summary.white.moves, report.summary.black.moves), (2, 1));
        assert_eq!(report.moves[3].score, None);
    }

    #[test]
    fn null_moves_are_not_moves_of_a_player() {
        let text = "1. e4 { [%eval 0.2] } e5 { [%eval 0.2] } 2. -- { [%eval -3] } d5 { [%eval -3] } *";
        let report = study(text, Scope { takes_evaluations: true, ..SCOPE }).report();
        assert_eq!((report.summary.white.moves, report.summary.black.moves), (1, 2));
        assert_eq!(report.summary.white.average_loss_cp, Some(0.0));
        assert_eq!(report.summary.white.judged, [0; 3]);
    }

    #[test]
    fn phases_follow_the_pieces() {
        let endgame = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 40\"]\n\n40. e4 Kd7 *";
        assert_eq!(study(endgame, SCOPE).report().phases, [0, 0]);
        let opening = study("1. e4 c5 2. Nf3 d6 *", SCOPE).report();
        assert_eq!(opening.phases, [4, 4]);
        assert_eq!(
            opening.opening.map(|(opening, plies)| (opening.code().to_string(), plies)),
            Some(("B50".to_owned(), 4))
        );
        assert_eq!(opening.phase(3), Phase::Opening);
    }
}
