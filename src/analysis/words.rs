//! Words about moves, from facts alone: the mate, the piece that is lost, the fork, the draw, the verdict of the tables.
//!
//! Every comment starts with a word that says what it is about. By that it is known again later, see
//! [`super::annotate`].

use super::judgement::{Judgement, MateChange, mate_change};
use super::phases::Phase;
use super::study::{GameReport, OnlyMove, StudiedMove};
use crate::chess::{Color, Move, Outcome, Position, Role, attacks};
use crate::database::Novelty;
use crate::notation::pgn::{Evaluation, EvaluationScore};
use crate::notation::{San, pluralize};
use crate::search::{exchange_value, see_ge};
use crate::tablebase::{Tablebase, Wdl};
use std::fmt::Write;

/// The starts of comments on moves that have a glyph of ours, with the glyph.
pub(super) const ONLY_MOVE: &str = "Only move: ";
/// As [`ONLY_MOVE`], for one that is hard to find.
pub(super) const HARD_MOVE: &str = "Only move, hard to find: ";
/// The starts of comments on moves that have a glyph of someone else, and of those that have none.
pub(super) const OTHERS: [&str; 4] = ["Engine: ", "Opening: ", "Novelty: ", "Summary: "];
/// The last sentence about a move that was made with little time.
pub(super) const TIME_PRESSURE: &str = "In time pressure.";

/// The start of a comment on a judged move that has our glyph.
pub(super) const fn lead(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "Inaccuracy: ",
        Judgement::Mistake => "Mistake: ",
        Judgement::Blunder => "Blunder: ",
    }
}

/// A move with its number: `24... Nd5`.
pub fn numbered(position: &Position, mv: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmove_number(), San::new(position, mv).text())
}

/// A score seen from White: `+1.35`, `#-3`.
pub fn show_score(score: EvaluationScore) -> String {
    let text = Evaluation { score, depth: None }.to_string();
    match score {
        EvaluationScore::Centipawns(score) if score > 0 => format!("+{text}"),
        _ => text,
    }
}

/// Words about a judged move.
pub(super) fn on_judged(
    played: &StudiedMove,
    judgement: Judgement,
    has_own_glyph: bool,
    outcome: Option<Outcome>,
    tables: Option<&Tablebase>,
) -> String {
    let mut text = String::new();
    let fact = fact(played, outcome, tables);
    let name = judgement.to_string().to_lowercase();
    let article = if judgement == Judgement::Inaccuracy { "an" } else { "a" };
    let scores = match (played.score_before, played.score) {
        (Some(before), Some(after)) => format!("{} to {}", show_score(before), show_score(after)),
        _ => String::new(),
    };
    // Writing to a string cannot fail.
    let _ = match (&fact, has_own_glyph) {
        (Some(fact), true) => write!(text, "{}{} ({scores}).", lead(judgement), fact.words),
        (Some(fact), false) => write!(text, "Engine: {article} {name} that {} ({scores}).", fact.words),
        (None, true) => write!(text, "{}from {scores}.", lead(judgement)),
        (None, false) => write!(text, "Engine: {article} {name}, from {scores}."),
    };
    let names_better = fact.is_some_and(|fact| fact.names_better);
    if let Some(better) = played.better().and_then(|line| line.moves.first()).filter(|_| !names_better) {
        let _ = write!(text, " Better is {}.", numbered(&played.before, *better));
    }
    text
}

/// What is wrong with a move.
struct Fact {
    /// What the move does: `allows mate in 2 by 24... Qg2#`.
    words: String,
    /// Whether the better move is named.
    names_better: bool,
}

/// The fact that matters most about a judged move.
fn fact(played: &StudiedMove, outcome: Option<Outcome>, tables: Option<&Tablebase>) -> Option<Fact> {
    let on_reply = |words| Fact { words, names_better: false };
    let on_better = |words| Fact { words, names_better: true };
    mate(played)
        .or_else(|| by_tables(played, tables?).map(on_reply))
        .or_else(|| drawn(played, outcome).map(on_reply))
        .or_else(|| loses_piece(played).map(on_reply))
        .or_else(|| missed_piece(played).map(on_better))
        .or_else(|| allowed_fork(played).map(on_reply))
        .or_else(|| missed_fork(played).map(on_better))
}

/// The first move of the reply, and of the better line.
fn reply(played: &StudiedMove) -> Option<Move> {
    played.reply.as_ref()?.moves.first().copied()
}

fn better(played: &StudiedMove) -> Option<Move> {
    played.better()?.moves.first().copied()
}

fn mate(played: &StudiedMove) -> Option<Fact> {
    let (before, after) = (played.score_before?, played.score?);
    let moves = |score| match score {
        EvaluationScore::Mate(moves) => Some(moves.unsigned_abs()),
        EvaluationScore::Centipawns(_) => None,
    };
    match mate_change(before, after, played.mover())? {
        MateChange::Allowed => {
            let by = reply(played).map(|mv| format!(" by {}", numbered(&played.after, mv)));
            let words = format!("allows mate in {}{}", moves(after)?, by.unwrap_or_default());
            Some(Fact { words, names_better: false })
        }
        MateChange::Missed => {
            let better = better(played);
            let by = better.map(|mv| format!(" by {}", numbered(&played.before, mv)));
            let words = format!("misses mate in {}{}", moves(before)?, by.unwrap_or_default());
            Some(Fact { words, names_better: better.is_some() })
        }
    }
}

/// The verdicts of the tables before and after the move, if it changes them.
fn by_tables(played: &StudiedMove, tables: &Tablebase) -> Option<String> {
    let before = tables.probe_at_clock(&played.before)?;
    let after = tables.probe_at_clock(&played.after)?.reversed();
    let name = |wdl| match wdl {
        Wdl::Win => "won",
        Wdl::Loss => "lost",
        Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => "drawn",
    };
    let (before, after) = (name(before), name(after));
    (before != after).then(|| format!("turns a {before} ending into a {after} one, as the tables have it"))
}

/// A draw by the rules, or one to which the reply leads.
fn drawn(played: &StudiedMove, outcome: Option<Outcome>) -> Option<String> {
    if let Some(outcome) = outcome.filter(|outcome| outcome.winner().is_none() && played.reply.is_none()) {
        let outcome = outcome.to_string();
        return Some(format!("ends in a {}", outcome.replacen("Draw", "draw", 1)));
    }
    let line = played.reply.as_ref()?;
    if line.score != EvaluationScore::Centipawns(0) {
        return None;
    }
    let mut position = played.after;
    let mut keys = vec![played.before.key(), position.key()];
    for &mv in &line.moves {
        position = position.after(mv).0;
        if keys.contains(&position.key()) {
            return Some(format!(
                "allows a draw by repetition from {}",
                numbered(&played.after, line.moves[0])
            ));
        }
        keys.push(position.key());
    }
    None
}

/// The value of what a move captures, in units of exchanges.
fn captured(position: &Position, mv: Move) -> i32 {
    position.captured_role(mv).map_or(0, exchange_value)
}

/// The reply wins more by exchanges on its square than the move has taken.
fn loses_piece(played: &StudiedMove) -> Option<String> {
    let reply = reply(played)?;
    let role = played.after.captured_role(reply)?;
    let taken = captured(&played.before, played.mv?);
    let pawn = exchange_value(Role::Pawn);
    if !see_ge(&played.after, reply, taken + pawn) {
        return None;
    }
    let by = numbered(&played.after, reply);
    if taken > 0 {
        return Some(format!("loses material to {by}"));
    }
    let role = role.name();
    // A pawn that is taken in passing stands elsewhere.
    Some(if played.after.role_at(reply.to()).is_some() {
        format!("loses the {role} on {} to {by}", reply.to())
    } else {
        format!("loses a {role} to {by}")
    })
}

/// The better move wins something by exchanges on its square.
fn missed_piece(played: &StudiedMove) -> Option<String> {
    let better = better(played)?;
    let role = played.before.captured_role(better)?;
    let pawn = exchange_value(Role::Pawn);
    if !see_ge(&played.before, better, pawn) {
        return None;
    }
    let by = numbered(&played.before, better);
    Some(if see_ge(&played.before, better, exchange_value(role)) {
        format!("misses {by}, which wins a {}", role.name())
    } else {
        format!("misses {by}, which wins material")
    })
}

fn allowed_fork(played: &StudiedMove) -> Option<String> {
    let reply = reply(played)?;
    let targets = forked(&played.after, reply)?;
    Some(format!("allows {}, which attacks {targets}", numbered(&played.after, reply)))
}

fn missed_fork(played: &StudiedMove) -> Option<String> {
    let better = better(played)?;
    let targets = forked(&played.before, better)?;
    Some(format!("misses {}, which attacks {targets}", numbered(&played.before, better)))
}

/// Two pieces that a move attacks at once with a piece that is safe: the king, a more valuable one, or one that is not
/// guarded (<https://www.chessprogramming.org/Double_Attack>).
fn forked(position: &Position, mv: Move) -> Option<String> {
    if mv.is_castle() || !see_ge(position, mv, 0) {
        return None;
    }
    let (us, after) = (position.turn(), position.after(mv).0);
    let role = after.role_at(mv.to())?;
    let attacked = attacks::attacks(role, us, mv.to(), after.occupied()) & after.color(!us);
    let mut targets: Vec<(Role, String)> = Vec::new();
    for square in attacked {
        let Some(target) = after.role_at(square) else { continue };
        let is_guarded = !(after.attackers(square, after.occupied()) & after.color(!us)).is_empty();
        let is_worth = target == Role::King
            || exchange_value(target) > exchange_value(role)
            || target != Role::Pawn && !is_guarded;
        if is_worth {
            let place = if target == Role::King { String::new() } else { format!(" on {square}") };
            targets.push((target, format!("the {}{place}", target.name())));
        }
    }
    targets.sort_by_key(|(role, _)| std::cmp::Reverse(*role));
    match &*targets {
        [(_, first), (_, second), ..] => Some(format!("{first} and {second}")),
        _ => None,
    }
}

/// Words about the only good move.
pub(super) fn on_only_move(played: &StudiedMove, only: OnlyMove, has_own_glyph: bool) -> String {
    let lead = match (has_own_glyph, only.is_hard) {
        (false, _) => "Engine: the only move; ",
        (true, true) => HARD_MOVE,
        (true, false) => ONLY_MOVE,
    };
    format!("{lead}next comes {} with {}.", numbered(&played.before, only.next), show_score(only.score))
}

/// Words about the last move of the book.
pub(super) fn on_opening(report: &GameReport) -> Option<(usize, String)> {
    let (opening, plies) = report.opening?;
    let ply = plies.checked_sub(1)?;
    Some((ply, format!("Opening: {} {}, the last move of the book.", opening.code(), opening.name())))
}

/// Words about a move that is new.
pub(super) fn on_novelty(novelty: &Novelty) -> Option<String> {
    let last = novelty.last.as_ref()?;
    let [white, black, ..] = &last.texts;
    let games = match novelty.games {
        1 => "1 earlier game".to_owned(),
        games => format!("{games} earlier games"),
    };
    Some(format!("Novelty: {games} came to the position before, the last {white} - {black}, {}.", last.date))
}

/// Words about the whole game.
pub(super) fn on_game(report: &GameReport) -> Option<String> {
    let player = |side: Color| {
        let summary = report.summary.player(side);
        let (accuracy, loss) = (summary.accuracy?, summary.average_loss_cp?);
        let judged = Judgement::ALL.map(|judgement| {
            let noun = judgement.to_string().to_lowercase();
            let noun = if judgement == Judgement::Inaccuracy { "inaccurac" } else { &noun };
            let count = summary.count(judgement);
            match (judgement, count) {
                (Judgement::Inaccuracy, 1) => "1 inaccuracy".to_owned(),
                (Judgement::Inaccuracy, _) => format!("{count} {noun}ies"),
                _ => pluralize(count as u64, noun),
            }
        });
        let judged = judged.join(", ");
        Some(format!("{} {accuracy:.1} % accuracy, {loss:.0} cp average loss, {judged}", side.name()))
    };
    let players: Vec<String> = Color::ALL.into_iter().filter_map(player).collect();
    if players.is_empty() {
        return None;
    }
    let mut text = format!("Summary: {}.", players.join("; "));
    let plies = report.moves.len();
    let mut start = 0;
    let mut phases = Vec::new();
    for (phase, end) in Phase::ALL.into_iter().zip([report.phases[0], report.phases[1], plies]) {
        let end = end.min(plies);
        if let Some(last) = end.checked_sub(1).filter(|&last| last >= start) {
            let [from, to] = [start, last].map(|ply| report.moves[ply].before.fullmove_number());
            phases.push(format!("{} {from}-{to}", phase.name()));
        }
        start = start.max(end);
    }
    let _ = write!(text, " Moves: {}.", phases.join(", "));
    let turns = report.turning_points.iter().filter_map(|&ply| {
        let played = &report.moves[ply - 1];
        Some(numbered(&played.before, played.mv?))
    });
    let turns: Vec<String> = turns.collect();
    if !turns.is_empty() {
        let _ = write!(text, " Turning points: {}.", turns.join(", "));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_san, position_from_fen};

    /// A move with the better line and the reply, each with the score before or after it.
    fn played(fen: &str, san: &str, better: Option<(&str, i32)>, reply: &[&str], score: i32) -> StudiedMove {
        use super::super::evaluator::Line;
        let score_of = |value: i32| match value {
            ..-90 => EvaluationScore::Mate(value + 90),
            91.. => EvaluationScore::Mate(value - 90),
            _ => EvaluationScore::Centipawns(value * 10),
        };
        let find = |position: &Position, san: &str| {
            parse_san(san, position).ok().and_then(|mv| mv.mv()).unwrap_or_else(|| panic!("{san}"))
        };
        let before = position_from_fen(fen).expect(fen);
        let mv = find(&before, san);
        let after = before.after(mv).0;
        let line = |position: &Position, texts: &[&str], score| {
            let mut now = *position;
            let moves = texts.iter().map(|san| {
                let mv = find(&now, san);
                now = now.after(mv).0;
                mv
            });
            Line { score, depth: 9, moves: moves.collect() }
        };
        let lines = better.map(|(san, score)| line(&before, &[san], score_of(score)));
        StudiedMove {
            node: crate::notation::pgn::NodeId::ROOT,
            mv: Some(mv),
            before,
            after,
            is_in_scope: true,
            score_before: lines.as_ref().map(|line| line.score),
            score: Some(score_of(score)),
            depth: Some(9),
            lines: lines.into_iter().collect(),
            reply: (!reply.is_empty()).then(|| line(&after, reply, score_of(score))),
            judgement: Some(Judgement::Blunder),
            accuracy: None,
            loss_cp: None,
            is_forced: false,
            only: None,
        }
    }

    #[test]
    fn facts_are_named() {
        let italian = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
        let forks = "r3k3/8/8/3n4/8/8/8/R3K2R b KQq - 0 20";
        let cases = [
            (
                "mate allowed",
                played(italian, "h6", Some(("Nf6", 2)), &["Qxf7#"], 91),
                "Blunder: allows mate in 1 by 4. Qxf7# (+0.20 to #1). Better is 3... Nf6.",
            ),
            (
                "mate missed",
                played("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30", "h3", Some(("Ra8#", 91)), &["Kf8"], 60),
                "Blunder: misses mate in 1 by 30. Ra8# (#1 to +6.00).",
            ),
            (
                "a piece is left",
                played("4k3/8/8/3q4/8/5N2/8/4K2R w K - 0 20", "O-O", Some(("Rh3", -40)), &["Qxf3"], -90),
                "Blunder: from -4.00 to -9.00. Better is 20. Rh3.",
            ),
            (
                "and not guarded",
                played("4k3/8/8/3q4/8/5N2/8/4K2R w K - 0 20", "Kf1", Some(("Rh3", -40)), &["Qxf3+"], -90),
                "Blunder: loses the knight on f3 to 20... Qxf3+ (-4.00 to -9.00). Better is 20. Rh3.",
            ),
            (
                "a piece is not taken",
                played("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 20", "Kf1", Some(("exd5", 60)), &["Qxe4"], -60),
                "Blunder: loses the pawn on e4 to 20... Qxe4 (+6.00 to -6.00). Better is 20. exd5.",
            ),
            (
                "a piece is not taken, and nothing is lost",
                played("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 20", "Kf2", Some(("exd5", 60)), &["Kd7"], 0),
                "Blunder: misses 20. exd5, which wins a queen (+6.00 to 0.00).",
            ),
            (
                "no fork",
                played(forks, "Ra7", Some(("Nc3", -20)), &["Rh5"], 40),
                "Blunder: from -2.00 to +4.00. Better is 20... Nc3.",
            ),
            (
                "king and rook",
                played("4k3/8/8/8/1n6/8/8/R3K3 b - - 0 20", "Kd7", Some(("Nc2+", -20)), &["Kd1"], 40),
                "Blunder: misses 20... Nc2+, which attacks the king and the rook on a1 (-2.00 to +4.00).",
            ),
        ];
        for (name, played, expected) in cases {
            assert_eq!(on_judged(&played, Judgement::Blunder, true, None, None), expected, "{name}");
        }
        let other = played(italian, "h6", Some(("Nf6", 2)), &["Qxf7#"], 91);
        assert_eq!(
            on_judged(&other, Judgement::Blunder, false, None, None),
            "Engine: a blunder that allows mate in 1 by 4. Qxf7# (+0.20 to #1). Better is 3... Nf6."
        );
    }

    #[test]
    fn draws_are_named() {
        let fen = "7k/8/8/8/8/8/1q6/3Q3K w - - 0 30";
        let perpetual = played(fen, "Qd3", Some(("Qd8+", 50)), &["Qa1+", "Kh2", "Qb2+", "Kh1", "Qa1+"], 0);
        assert_eq!(
            on_judged(&perpetual, Judgement::Mistake, true, None, None),
            "Mistake: allows a draw by repetition from 30... Qa1+ (+5.00 to 0.00). Better is 30. Qd8+."
        );
        let stalemate = played("7k/8/6K1/8/8/8/8/5Q2 w - - 0 60", "Qf7", Some(("Qf8#", 91)), &[], 0);
        let words = on_judged(&stalemate, Judgement::Blunder, true, Some(Outcome::Stalemate), None);
        assert_eq!(words, "Blunder: misses mate in 1 by 60. Qf8# (#1 to 0.00).");
        let no_mate = StudiedMove { score_before: Some(EvaluationScore::Centipawns(900)), ..stalemate };
        let words = on_judged(&no_mate, Judgement::Blunder, true, Some(Outcome::Stalemate), None);
        assert_eq!(words, "Blunder: ends in a draw by stalemate (+9.00 to 0.00). Better is 60. Qf8#.");
    }
}
