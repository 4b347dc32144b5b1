//! Words about moves, from facts alone: a mate, a lost piece, a fork, a draw, a tablebase result.
//!
//! Every comment starts with a word that states its subject and by which the comment is recognized later, see
//! [`super::annotate`].

use super::facts::{ReplyName, fact, numbered, reply, threatened};
use super::judgement::Judgement;
use super::phases::Phase;
use super::scale::TABLEBASE_CENTIPAWNS;
use super::studied_move::{OnlyMove, StudiedMove, ThreatKind};
use super::study::GameReport;
use crate::chess::{Color, Outcome, Position};
use crate::database::Novelty;
use crate::notation::pgn::{Evaluation, EvaluationScore};
use crate::notation::pluralize;
use crate::tablebase::{Tablebase, Wdl};
use std::fmt::Write;

/// The start of comments on only moves that have Hematite's glyph.
pub(super) const ONLY_MOVE: &str = "Only move: ";
/// The start of such comments if the move is hard to find.
pub(super) const HARD_MOVE: &str = "Only move, hard to find: ";
/// The starts of comments on moves that have a glyph from another source, and of those that have none.
pub(super) const OTHERS: [&str; 6] =
    ["Engine: ", "Opening: ", "Novelty: ", "Summary: ", "Ending: ", "Repetition: "];
/// The last sentence about a move made in time pressure.
pub(super) const TIME_PRESSURE: &str = "In time pressure.";

/// The start of a comment on a judged move that has Hematite's glyph.
pub(super) const fn lead(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "Inaccuracy: ",
        Judgement::Mistake => "Mistake: ",
        Judgement::Blunder => "Blunder: ",
    }
}

/// A score from White's point of view, such as `+1.35` or `#-3`. A result of the tablebases is in words.
pub fn show_score(score: EvaluationScore) -> String {
    let text = Evaluation { score, depth: None }.to_string();
    match score {
        EvaluationScore::Centipawns(TABLEBASE_CENTIPAWNS) => tables_win(Color::White),
        EvaluationScore::Centipawns(score) if score == -TABLEBASE_CENTIPAWNS => tables_win(Color::Black),
        EvaluationScore::Centipawns(score) if score > 0 => format!("+{text}"),
        _ => text,
    }
}

fn tables_win(side: Color) -> String {
    format!("a win for {} by the tables", side.name())
}

/// Words about a judged move. Without a fact they name the reply, by which the score comes about.
pub(super) fn on_judged(
    played: &StudiedMove,
    judgement: Judgement,
    has_own_glyph: bool,
    outcome: Option<Outcome>,
    tables: Option<&Tablebase>,
) -> String {
    let mut text = String::new();
    let fact = fact(played, outcome, tables, ReplyName::Named);
    let name = judgement.to_string().to_lowercase();
    let article = if judgement == Judgement::Inaccuracy { "an" } else { "a" };
    let scores = match (played.score_before, played.score) {
        (Some(before), Some(after)) => format!("{} to {}", show_score(before), show_score(after)),
        _ => String::new(),
    };
    let after = match reply(played) {
        Some(mv) => format!(" after {}", numbered(&played.after, mv)),
        None => String::new(),
    };
    // Writing to a string cannot fail.
    let _ = match (&fact, has_own_glyph) {
        (Some(fact), true) => write!(text, "{}{} ({scores}).", lead(judgement), fact.words),
        (Some(fact), false) => write!(text, "Engine: {article} {name} that {} ({scores}).", fact.words),
        (None, true) => write!(text, "{}from {scores}{after}.", lead(judgement)),
        (None, false) => write!(text, "Engine: {article} {name}, from {scores}{after}."),
    };
    let names_better = fact.is_some_and(|fact| fact.names_better);
    if let Some(better) = played.better().and_then(|line| line.moves.first()).filter(|_| !names_better) {
        let _ = write!(text, " Better is {}.", numbered(&played.before, *better));
    }
    text
}

/// Whether a fact explains what is wrong with a judged move.
pub(super) fn has_fact(played: &StudiedMove, outcome: Option<Outcome>, tables: Option<&Tablebase>) -> bool {
    fact(played, outcome, tables, ReplyName::Named).is_some()
}

/// Words about the last move of a player whose game goes on: whether it was good, what was missed and why, without any
/// move of the opponent that is still to come.
pub fn coached(played: &StudiedMove, tables: Option<&Tablebase>) -> String {
    let Some(judgement) = played.judgement else {
        let text = match (played.is_forced, played.only, played.better()) {
            (true, _, _) => "The only legal move.",
            (false, Some(OnlyMove { is_hard: true, .. }), _) => {
                "Very good: the only good move, and hard to find."
            }
            (false, Some(_), _) => "Very good: the only good move.",
            (false, None, None) => "The best move.",
            (false, None, Some(_)) => "A good move.",
        };
        return text.to_owned();
    };
    let article = if judgement == Judgement::Inaccuracy { "An" } else { "A" };
    let name = judgement.to_string().to_lowercase();
    let fact = fact(played, None, tables, ReplyName::Hidden);
    let why = fact.as_ref().map_or_else(String::new, |fact| format!(": it {}", fact.words));
    let better = played.better().and_then(|line| line.moves.first()).copied();
    match better.filter(|_| !fact.is_some_and(|fact| fact.names_better)) {
        Some(better) => format!("{article} {name}{why}. Better was {}.", numbered(&played.before, better)),
        None => format!("{article} {name}{why}."),
    }
}

/// Words about the only good move.
pub(super) fn on_only_move(played: &StudiedMove, only: OnlyMove, has_own_glyph: bool) -> String {
    let lead = match (has_own_glyph, only.is_hard) {
        (false, _) => "Engine: the only move; ",
        (true, true) => HARD_MOVE,
        (true, false) => ONLY_MOVE,
    };
    let threat = played.threat.as_ref().filter(|threat| threat.kind == ThreatKind::Met).and_then(threatened);
    let meets = threat.map_or_else(String::new, |threat| format!("it meets the threat {threat}; "));
    format!(
        "{lead}{meets}next comes {} with {}.",
        numbered(&played.before, only.next),
        show_score(only.score)
    )
}

/// Words about the last move of the book.
pub(super) fn on_opening(report: &GameReport) -> Option<(usize, String)> {
    let (opening, plies) = report.opening?;
    let ply = plies.checked_sub(1)?;
    Some((ply, format!("Opening: {} {}, the last move of the book.", opening.code(), opening.name())))
}

/// Words about a novelty.
pub(super) fn on_novelty(novelty: &Novelty) -> Option<String> {
    let last = novelty.last.as_ref()?;
    let [white, black, ..] = &last.texts;
    let games = match novelty.games {
        1 => "1 earlier game".to_owned(),
        games => format!("{games} earlier games"),
    };
    Some(format!("Novelty: {games} came to the position before, the last {white} - {black}, {}.", last.date))
}

/// Words about the result of a position by the tablebases; `None` if they do not contain it.
pub(super) fn on_ending(position: &Position, tables: &Tablebase) -> Option<String> {
    let side = position.turn();
    let verdict = match tables.probe_at_clock(position)? {
        Wdl::Win => format!("won for {}", side.name()),
        Wdl::Loss => format!("won for {}", (!side).name()),
        Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => "drawn".to_owned(),
    };
    Some(format!("Ending: {verdict}, as the tables have it."))
}

/// Words about a position that occurs for the third time.
pub(super) const THIRD_TIME: &str = "Repetition: the position occurs for the third time.";

/// The start of the words about the whole game.
const SUMMARY: &str = "Summary: ";
/// The text between the accuracy in percent of a player and the average loss.
const ACCURACY: &str = " % accuracy, ";
const LOSS: &str = " cp average loss";
/// The text after the players.
const MOVES: &str = ". Moves: ";

/// Words about the whole game.
pub(super) fn on_game(report: &GameReport) -> Option<String> {
    let player = |side: Color| {
        let summary = report.judged_player(side)?;
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
        Some(format!("{} {accuracy:.1}{ACCURACY}{loss:.0}{LOSS}, {judged}", side.name()))
    };
    let players: Vec<String> = Color::ALL.into_iter().filter_map(player).collect();
    if players.is_empty() {
        return None;
    }
    let mut text = SUMMARY.to_owned() + &players.join("; ");
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
    let _ = write!(text, "{MOVES}{}.", phases.join(", "));
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

/// The accuracy in percent and the average loss in centipawns of White and Black, read from the words of [`on_game`];
/// `None` for a player whose moves were not judged, and if the text has another form.
pub(super) fn stated_summary(text: &str) -> Option<[Option<(f64, f64)>; 2]> {
    let (players, _) = text.strip_prefix(SUMMARY)?.split_once(MOVES)?;
    Some(Color::ALL.map(|side| {
        let stated = players.split("; ").find_map(|player| player.strip_prefix(side.name()))?;
        let (accuracy, rest) = stated.split_once(ACCURACY)?;
        let (loss, _) = rest.split_once(LOSS)?;
        Some((accuracy.trim().parse().ok()?, loss.parse().ok()?))
    }))
}

/// The words of [`on_game`] without the numbers of the players; `None` if the text has another form.
pub(super) fn without_players(text: &str) -> Option<&str> {
    text.strip_prefix(SUMMARY)?.find(MOVES).map(|at| text[SUMMARY.len() + at..].trim_start_matches(". "))
}

/// The judgement in the words of [`on_judged`], for a move with or without Hematite's glyph.
pub(super) fn stated_judgement(text: &str) -> Option<Judgement> {
    Judgement::ALL.into_iter().find(|&judgement| {
        let name = judgement.to_string().to_lowercase();
        let engine = text.strip_prefix("Engine: ").and_then(|words| words.split_once(' '));
        let is_of_engine = engine.is_some_and(|(article, words)| {
            matches!(article, "a" | "an")
                && words.strip_prefix(&*name).is_some_and(|rest| rest.starts_with([',', ' ']))
        });
        text.starts_with(lead(judgement)) || is_of_engine
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::{Role, Square};
    use crate::notation::{parse_san, position_from_fen};

    /// A move with the better line and the reply, each with the score before or after it.
    pub(in crate::analysis) fn played(
        fen: &str,
        san: &str,
        better: Option<(&str, i32)>,
        reply: &[&str],
        score: i32,
    ) -> StudiedMove {
        use super::super::evaluator::Line;
        let score_of = |value: i32| match value {
            ..-90 => EvaluationScore::Mate(value + 90),
            91..200 => EvaluationScore::Mate(value - 90),
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
            lost_before: None,
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
            threat: None,
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
                "Blunder: overlooks the threat of mate in 1 by 4. Qxf7# (+0.20 to #1). Better is 3... Nf6.",
            ),
            (
                "mate missed",
                played("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30", "h3", Some(("Ra8#", 91)), &["Kf8"], 60),
                "Blunder: misses mate in 1 by 30. Ra8# (#1 to +6.00).",
            ),
            (
                "a piece is left",
                played("4k3/8/8/3q4/8/5N2/8/4K2R w K - 0 20", "O-O", Some(("Rh3", -40)), &["Qxf3"], -90),
                "Blunder: from -4.00 to -9.00 after 20... Qxf3. Better is 20. Rh3.",
            ),
            (
                "and not guarded",
                played("4k3/8/8/3q4/8/5N2/8/4K2R w K - 0 20", "Kf1", Some(("Rh3", -40)), &["Qxf3+"], -90),
                "Blunder: overlooks the threat 20... Qxf3+ and loses the knight on f3 (-4.00 to -9.00). Better is 20. Rh3.",
            ),
            (
                "a piece is not taken",
                played("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 20", "Kf1", Some(("exd5", 60)), &["Qxe4"], -60),
                "Blunder: misses 20. exd5, which wins a queen (+6.00 to -6.00).",
            ),
            (
                "a piece is not taken, and nothing is lost",
                played("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 20", "Kf2", Some(("exd5", 60)), &["Kd7"], 0),
                "Blunder: misses 20. exd5, which wins a queen (+6.00 to 0.00).",
            ),
            (
                "no fork",
                played(forks, "Ra7", Some(("Nc3", -20)), &["Rh5"], 40),
                "Blunder: from -2.00 to +4.00 after 21. Rh5. Better is 20... Nc3.",
            ),
            (
                "king and rook",
                played("4k3/8/8/8/1n6/8/8/R3K3 b - - 0 20", "Kd7", Some(("Nc2+", -20)), &["Kd1"], 40),
                "Blunder: misses 20... Nc2+, which attacks the king and the rook on a1 (-2.00 to +4.00).",
            ),
        ];
        let knight = (Square::D2, Role::Knight);
        let cases = cases.into_iter().chain([
            (
                "the same piece is taken",
                played("4k3/8/8/8/8/8/3b4/1N1QK3 w - - 0 9", "Nxd2", Some(("Qxd2", 90)), &["Ke7"], 50),
                "Blunder: from +9.00 to +5.00 after 9... Ke7. Better is 9. Qxd2.",
            ),
            (
                "a piece is only taken back",
                StudiedMove {
                    lost_before: Some(knight),
                    ..played("4k3/8/8/8/8/8/3b4/3Q2K1 w - - 0 9", "Kf1", Some(("Qxd2", 90)), &["Ke7"], 50)
                },
                "Blunder: misses the recapture 9. Qxd2 (+9.00 to +5.00).",
            ),
            (
                "a better piece is taken back",
                StudiedMove {
                    lost_before: Some(knight),
                    ..played("4k3/8/8/8/8/8/3q4/3Q2K1 w - - 0 9", "Kh1", Some(("Qxd2", 90)), &["Ke7"], 0)
                },
                "Blunder: misses 9. Qxd2, which wins a queen for a knight (+9.00 to 0.00).",
            ),
            (
                "a rook is lost for a bishop",
                played("4k3/8/8/8/1b6/8/7R/3K4 w - - 0 20", "Rd2", Some(("Ke2", 40)), &["Bxd2"], 0),
                "Blunder: loses the exchange to 20... Bxd2 (+4.00 to 0.00). Better is 20. Ke2.",
            ),
            (
                "a rook could be taken for a bishop",
                played("3k4/8/7b/8/1B6/8/3r4/6K1 b - - 0 20", "Kc7", Some(("Rd5", 0)), &["Bxd2"], 40),
                "Blunder: overlooks the threat 21. Bxd2 and loses the exchange (0.00 to +4.00). Better is 20... Rd5.",
            ),
            (
                "a queen is lost for a knight",
                played("4k3/8/4p3/3n4/8/8/8/3QK3 w - - 0 20", "Qxd5", Some(("Qd4", 40)), &["exd5"], -40),
                "Blunder: loses the queen on d5 for a knight to 20... exd5 (+4.00 to -4.00). Better is 20. Qd4.",
            ),
            (
                "a fork is worth more than its pawn",
                played("4k3/8/8/8/3n4/8/P1P3P1/R3K3 w - - 0 20", "g3", Some(("Kd2", 20)), &["Nxc2+"], -40),
                "Blunder: overlooks the threat 20... Nxc2+, which attacks the king and the rook on a1 (+2.00 to -4.00). \
                 Better is 20. Kd2.",
            ),
            (
                "a fork wins nothing",
                played("4k3/8/8/8/8/q7/8/5K1R b - - 0 20", "Kd7", Some(("Qf3+", 0)), &["Kg2"], 90),
                "Blunder: from 0.00 to +9.00 after 21. Kg2. Better is 20... Qf3+.",
            ),
            (
                "the tables know the result",
                played("4k3/8/8/8/8/8/4P3/4K3 w - - 0 40", "Kf1", Some(("Kd2", 2000)), &["Kd7"], 0),
                "Blunder: from a win for White by the tables to 0.00 after 40... Kd7. Better is 40. Kd2.",
            ),
        ]);
        for (name, played, expected) in cases {
            assert_eq!(on_judged(&played, Judgement::Blunder, true, None, None), expected, "{name}");
        }
        let other = played(italian, "h6", Some(("Nf6", 2)), &["Qxf7#"], 91);
        assert_eq!(
            on_judged(&other, Judgement::Blunder, false, None, None),
            "Engine: a blunder that overlooks the threat of mate in 1 by 4. Qxf7# (+0.20 to #1). Better is 3... Nf6."
        );
    }

    /// Words that are written can be read back.
    #[test]
    fn words_are_read_again() {
        let text = "Summary: White 80.8 % accuracy, 36 cp average loss, 1 inaccuracy, 0 mistakes, 2 blunders; Black \
                    100.0 % accuracy, 0 cp average loss, 0 inaccuracies, 0 mistakes, 0 blunders. Moves: opening 1-9.";
        assert_eq!(stated_summary(text), Some([Some((80.8, 36.0)), Some((100.0, 0.0))]));
        let (one, _) = text.split_once("; ").expect("two players");
        let one = format!("{one}. Moves: opening 1-9.");
        assert_eq!(stated_summary(&one), Some([Some((80.8, 36.0)), None]));
        assert_eq!(stated_summary("Summary: a fine game"), None);
        let cases = [
            ("Inaccuracy: from 0.00 to -0.70.", Some(Judgement::Inaccuracy)),
            ("Engine: an inaccuracy, from 0.00 to -0.70.", Some(Judgement::Inaccuracy)),
            ("Engine: a blunder that loses the knight on f3 (-4.00 to -9.00).", Some(Judgement::Blunder)),
            ("Engine: the only move; next comes 3. Nf3 with 0.00.", None),
            ("Engine: a mistaken idea", None),
            ("Opening: C41 Philidor Defense, the last move of the book.", None),
        ];
        for (text, expected) in cases {
            assert_eq!(stated_judgement(text), expected, "{text}");
        }
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
