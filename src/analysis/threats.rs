//! Threats: the best play of a side if it had an extra move. They are found by a search of the position after a null
//! move (<https://www.chessprogramming.org/Null_Move>), or on the board without a search.
//!
//! A judged move may overlook a threat of the opponent, which the reply carries out; the better move or the reply may
//! create a threat. An only move may parry a threat.

use super::evaluator::Assessment;
use super::facts::{after_null, better, forked, is_carried_out, is_plain, reply};
use super::judgement::{MateChange, mate_change, winning_chances};
use super::studied_move::{StudiedMove, Threat, ThreatKind};
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::EvaluationScore;
use crate::search::see_ge;

/// The minimum gain of an extra move that is a threat, in winning chances on the scale from -1 to 1: the loss of a
/// mistake. The right to move alone gains less.
const THREAT_GAIN: f64 = 0.2;
/// The minimum gain of a quiet move that does not attack anything.
const QUIET_GAIN: f64 = 0.3;

/// The positions that must be searched for threats that explain a move.
pub(super) fn candidates(played: &StudiedMove) -> Vec<(ThreatKind, Position)> {
    let ask = |kind, position: &Position| after_null(position).map(|position| (kind, position));
    if played.only.is_some() {
        return ask(ThreatKind::Met, &played.before).into_iter().collect();
    }
    if played.judgement.is_none() {
        return Vec::new();
    }
    let mate = played.score_before.zip(played.score);
    let mate = mate.and_then(|(before, after)| mate_change(before, after, played.mover()));
    let mut asked = Vec::new();
    let is_quiet = |position: &Position, mv| !position.is_noisy(mv) && !position.after(mv).0.is_check();
    match mate {
        Some(MateChange::Missed) => return asked,
        None if is_plain(played) => return asked,
        _ => {}
    }
    let reply = reply(played);
    let mates = |mv| !played.after.after(mv).0.has_legal_moves();
    if mate.is_some() && reply.is_some_and(mates) {
        return asked;
    }
    if reply.is_some_and(|reply| is_carried_out(played, reply, |_| true)) {
        asked.extend(ask(ThreatKind::Overlooked, &played.before));
    }
    if mate.is_none() {
        if let Some(better) = better(played).filter(|&mv| is_quiet(&played.before, mv)) {
            asked.extend(ask(ThreatKind::Missed, &played.before.after(better).0));
        }
        if let Some(reply) = reply.filter(|&mv| is_quiet(&played.after, mv)) {
            asked.extend(ask(ThreatKind::Allowed, &played.after.after(reply).0));
        }
    }
    asked
}

/// The threat in a position after a null move; `None` unless the result is a mate that did not exist before, or a
/// sufficient gain.
pub(super) fn threat(
    played: &StudiedMove,
    kind: ThreatKind,
    position: &Position,
    found: &Assessment,
) -> Option<Threat> {
    let line = found.best().clone();
    // The score of the threatening side without the extra move.
    let usual = match kind {
        ThreatKind::Overlooked | ThreatKind::Met | ThreatKind::Missed => played.score_before?,
        ThreatKind::Allowed => played.score?,
    };
    let gain = winning_chances(line.score) - winning_chances(usual);
    let gain = if position.turn() == Color::White { gain } else { -gain };
    let threat = Threat { kind, position: *position, line };
    let is_mate = threat.mate_in().is_some();
    let is_there = match kind {
        // The reply must carry out the threat.
        ThreatKind::Overlooked => {
            let has_mate = matches!(played.score, Some(EvaluationScore::Mate(_)));
            threat.mv() == reply(played) && is_mate == has_mate
        }
        ThreatKind::Missed => !threat.mv().is_some_and(|mv| is_made_anyway(played, position, mv)),
        ThreatKind::Allowed | ThreatKind::Met => true,
    };
    let is_new_mate = is_mate && matches!(usual, EvaluationScore::Centipawns(_));
    let mv = threat.mv()?;
    let is_plain = position.is_noisy(mv) || position.after(mv).0.is_check() || forked(position, mv).is_some();
    let least = match kind {
        _ if is_plain => THREAT_GAIN,
        // Castling, or a move that only prepares the next one, is not called a threat.
        ThreatKind::Overlooked => f64::INFINITY,
        _ if mv.is_castle() => f64::INFINITY,
        _ => QUIET_GAIN,
    };
    (is_there && (is_new_mate || gain >= least)).then_some(threat)
}

/// Whether the move that was played threatens the same too, with the same effect as in `position`: then the better move
/// was not better because of it.
fn is_made_anyway(played: &StudiedMove, position: &Position, mv: Move) -> bool {
    let Some(own) = after_null(&played.after) else { return false };
    let effect = |position: &Position, mv: Move| {
        let after = position.after(mv).0;
        let signs = (after.is_check(), after.is_checkmate(), see_ge(position, mv, 0));
        (mv.to(), position.role_at(mv.from()), position.captured_role(mv), signs)
    };
    let wanted = effect(position, mv);
    own.legal_moves().into_iter().any(|own_mv| effect(&own, own_mv) == wanted)
}

#[cfg(test)]
mod tests {
    use super::threat;
    use crate::analysis::studied_move::ThreatKind;
    use crate::analysis::words::tests::played;
    use crate::analysis::words::{on_judged, on_only_move};
    use crate::analysis::{Assessment, Line};
    use crate::analysis::{Budget, Evaluator, EvaluatorOptions, GameStudy, Inquiry, OwnEvaluator, Scope};
    use crate::notation::parse_san;
    use crate::notation::pgn::{EvaluationScore, Game};
    use std::time::Duration;

    /// A threat explains a better move only if the move that was played does not create it too.
    #[test]
    fn what_is_threatened_anyway_is_not_missed() {
        let fen = "r4rk1/pp3ppp/8/6N1/8/8/5PPP/3Q2K1 w - - 0 20";
        for (san, is_missed) in [("Qc2", false), ("Qb1", false), ("Qb3", true), ("h3", true)] {
            let played = played(fen, san, Some(("Qd3", 50)), &["b6"], 0);
            let better = played.lines[0].moves[0];
            let position = played.before.after(better).0.after_null();
            let mate = parse_san("Qxh7#", &position).ok().and_then(|mv| mv.mv()).expect("it mates");
            let line = Line { score: EvaluationScore::Mate(1), depth: 9, moves: vec![mate] };
            let found = Assessment { lines: vec![line], settled: 1, nodes: 1, time: Duration::ZERO };
            let threat = threat(&played, ThreatKind::Missed, &position, &found);
            assert_eq!(threat.is_some(), is_missed, "{san}");
        }
    }

    /// The words about the first move from a position, from searches of all questions.
    fn words(fen: &str, san: &str, lines: usize) -> String {
        let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{san} *");
        let (game, errors) = Game::read(text.as_bytes()).expect("it is text").expect("a game");
        assert!(errors.is_empty(), "{errors:?}");
        let options = EvaluatorOptions {
            budget: Budget { nodes: Some(20_000), ..Budget::default() },
            multi_pv: lines,
            hash_mib: 1,
            signals: std::sync::Arc::default(),
        };
        let mut evaluator = OwnEvaluator::new(options, None).expect("a MiB");
        let scope = Scope { from_move: 1, side: None, takes_evaluations: false };
        let mut study = GameStudy::new(game, scope, ());
        loop {
            let questions = study.questions();
            if questions.is_empty() {
                break;
            }
            for (index, question) in questions.iter().enumerate() {
                let found = evaluator.assess(question).expect("it can search").expect("it is not stopped");
                study.answer(index, found);
            }
        }
        let played = &study.report().moves[0];
        match (played.judgement, played.only) {
            (Some(judgement), _) => on_judged(played, judgement, true, None, None),
            (None, Some(only)) => on_only_move(played, only, true),
            (None, None) => String::new(),
        }
    }

    #[test]
    fn threats_are_named() {
        let cases = [
            (
                "a mate that is not seen",
                "r4rk1/pp4p1/6P1/8/1q6/8/1PP1Q3/2K4R b - - 0 25",
                "b5",
                1,
                "overlooks the threat of mate in 2 by 26. Qe6+ (",
            ),
            (
                "a mate by a knight",
                "2b2k1r/4Nppp/1pnp2q1/4p1B1/2B1P2P/b1PP1Q2/P3NPP1/R3K2R b KQ - 0 18",
                "Bb7",
                1,
                "overlooks the threat of mate in 2 by 19. Nxg6+ (",
            ),
            (
                "a pawn that drives a knight off",
                "r2qkbnr/nbpppppp/8/pp6/3PP3/8/1PPP1PPP/RNBQKBNR w KQkq - 1 4",
                "Nc3",
                1,
                "allows 4... b4, which threatens 5... bxc3 (",
            ),
            (
                "and is not pushed",
                "rn1qkbnr/1bpppppp/8/pp6/3PP3/P1N5/1PP2PPP/R1BQKBNR b KQkq - 2 4",
                "Nf6",
                1,
                "misses 4... b4, which threatens 5... bxc3 (",
            ),
            (
                "the only defense",
                "r3k3/1pp2p2/p2p4/3Bp3/P3P1P1/3PBPq1/1P4Pr/Q4RK1 w q - 1 22",
                "Rf2",
                2,
                "it meets the threat 22... Qxg2#; next comes 22.",
            ),
            (
                "what the move itself makes possible",
                "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
                "g4",
                1,
                "Blunder: allows mate in 1 by 2... Qh4# (",
            ),
        ];
        let wrong = cases.iter().filter_map(|&(name, fen, san, lines, expected)| {
            let words = words(fen, san, lines);
            (!words.contains(expected)).then(|| format!("{name}: {words}"))
        });
        let wrong: Vec<String> = wrong.collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
