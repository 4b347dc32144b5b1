//! Writing the results of an analysis into a game as evaluations, glyphs, lines, words and tags, and removing them
//! again.
//!
//! A game that has been annotated has the tag [`ANALYSIS`]. In such a game, the following are Hematite's annotations:
//!
//! * comments that start with an evaluation with a depth, `[%eval 0.31,18]`, or without one with a word of
//!   [`super::words`], such as `Blunder: `, and have nothing else before it;
//! * on a move with such a comment, the glyph for its word;
//! * variations whose first move has such a comment.
//!
//! Everything else existed before and is kept. The tags of accuracy and loss are Hematite's, except those that the tag
//! [`ANALYSIS`] lists as kept. A value of [`ANALYSIS`] from another source is kept in a tag with a number, such as
//! `Analysis_2`, which is listed, too.

use super::evaluator::Line;
use super::judgement::{Judgement, winning_chances};
use super::studied_move::StudiedMove;
use super::study::GameReport;
use super::words;
use crate::chess::{Color, KeyHistory, Position};
use crate::database::Novelty;
use crate::notation::eco;
use crate::notation::pgn::{
    Command, Evaluation, EvaluationScore, Game, GameFull, MAX_GAME_MOVES, Nag, NodeId, Part, Tags,
};
use crate::tablebase::Tablebase;
use std::collections::HashSet;
use std::time::Duration;

/// The tag that states how a game has been analyzed.
pub const ANALYSIS: &str = "Analysis";
/// The start of the value of [`ANALYSIS`].
const OWN: &str = "Hematite ";
/// The tag of the annotators of a game, separated by colons (PGN standard, 9.9.1).
const ANNOTATOR: &str = "Annotator";
/// The tags of both players' accuracy in percent and average loss in centipawns.
const SUMMARY_TAGS: [(Color, &str, &str); 2] =
    [(Color::White, "WhiteAccuracy", "WhiteACPL"), (Color::Black, "BlackAccuracy", "BlackACPL")];
/// The text in the tag [`ANALYSIS`] before the names of the tags that are not Hematite's.
const KEPT: &str = "; kept ";

/// `$7`, the only legal move.
const FORCED: Nag = Nag(7);
/// `$8`, the only good move.
const SINGULAR: Nag = Nag(8);
/// `$1`, the only good move if it is hard to find.
const HARD: Nag = Nag::GOOD_MOVE;
/// Moderate and severe time pressure of White and Black.
const PRESSURES: [[Nag; 2]; 2] = [[Nag(136), Nag(138)], [Nag(137), Nag(139)]];
/// The fractions of the initial time below which time pressure is moderate and severe.
const PRESSURE_SHARES: [f64; 2] = [0.1, 0.03];

/// The default of [`Style::max_plies`].
pub const VARIATION_PLIES: usize = 10;
/// The maximum number of plies of a line that leads to mate.
const MAX_MATE_PLIES: usize = 20;
/// The minimum number of plies of a line, if it is that long.
const MIN_PLIES: usize = 3;

/// The style of annotations.
#[derive(Clone, Debug)]
pub struct Style {
    /// The evaluator and its budget: the value of the tag [`ANALYSIS`], which starts with [`own_annotator`].
    pub analysis: String,
    /// Whether Hematite is added to the tag `Annotator`.
    pub names_annotator: bool,
    /// The number of lines that are written for a judged move, at least 1.
    pub lines: usize,
    /// The maximum number of plies of a line that does not lead to mate.
    pub max_plies: usize,
}

/// Information about a game apart from its evaluations.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sources<'a> {
    /// The endgame tablebases.
    pub tables: Option<&'a Tablebase>,
    /// The move at which the game leaves earlier games.
    pub novelty: Option<&'a Novelty>,
}

/// The name and version of Hematite.
pub fn own_annotator() -> String {
    format!("{OWN}{}", env!("CARGO_PKG_VERSION"))
}

/// Whether a game has been annotated by Hematite.
pub fn is_annotated(tags: &Tags) -> bool {
    tags.get(ANALYSIS).is_some_and(|value| value.starts_with(OWN))
}

/// Writes a report into its game.
///
/// # Errors
/// [`GameFull`] if the game is too large.
pub fn annotate(
    game: &mut Game,
    report: &GameReport,
    style: &Style,
    sources: Sources<'_>,
) -> Result<(), GameFull> {
    let opening = words::on_opening(report);
    let novelty = sources.novelty.and_then(|novelty| Some((novelty.ply - 1, words::on_novelty(novelty)?)));
    let ending = sources.tables.and_then(|tables| ending(game, report, tables));
    let repeated = third_times(game, report);
    let pressure = pressures(game, report);
    for (ply, played) in report.moves.iter().enumerate() {
        let mut texts: Vec<String> = Vec::new();
        let is_last = ply + 1 == report.moves.len();
        // If the move has a glyph from another source, no glyph is added.
        let has_foreign_glyph = game.nags(played.node).any(Nag::is_of_move);
        let mut nags = Vec::new();
        if let Some(judgement) = played.judgement {
            let text = words::on_judged(
                played,
                judgement,
                !has_foreign_glyph,
                report.outcome.filter(|_| is_last),
                sources.tables,
            );
            texts.push(text);
            nags.push(judgement.nag());
            if let Some(pressure) = pressure[ply].filter(|_| !has_foreign_glyph) {
                nags.push(pressure);
                texts.push(words::TIME_PRESSURE.to_owned());
            }
        } else if let Some(only) = played.only {
            texts.push(words::on_only_move(played, only, !has_foreign_glyph));
            nags.push(if only.is_hard { HARD } else { SINGULAR });
        } else if played.is_forced {
            nags.push(FORCED);
        }
        for (at, text) in [&opening, &novelty, &ending].into_iter().flatten().chain(&repeated) {
            if *at == ply && played.is_in_scope {
                // The first text determines what the comment is about, and whether the move has a glyph of Hematite.
                texts.push(text.clone());
            }
        }
        let evaluation = played.score.zip(played.depth).map(|(score, depth)| evaluation(score, depth));
        add_comment(game, played.node, evaluation, &texts)?;
        let has_comment = played.depth.is_some() && played.score.is_some() || !texts.is_empty();
        if !has_foreign_glyph && has_comment {
            for nag in nags {
                game.add_nag(played.node, nag)?;
            }
        }
        if played.judgement.is_some() {
            for line in played.lines.iter().take(style.lines) {
                if line.moves.first().copied() != played.mv {
                    add_variation(game, played.node, &played.before, line, style)?;
                }
            }
            // The line that shows what is wrong with the move, if no fact does. The move after it is its alternative.
            let next = game.next(played.node);
            if let Some((next, reply)) = next.zip(played.reply.as_ref())
                && !words::has_fact(played, report.outcome.filter(|_| is_last), sources.tables)
            {
                add_variation(game, next, &played.after, reply, style)?;
            }
        }
    }
    add_summary(game, report)?;
    set_tags(game, report, style);
    Ok(())
}

fn evaluation(score: EvaluationScore, depth: u32) -> String {
    Command::Evaluation(Evaluation { score, depth: Some(depth) }).to_string()
}

/// A text that is safe in a comment: without braces, and without brackets that could be read as commands. Names may
/// contain them.
fn harmless(text: &str) -> String {
    let letter = |letter: char| match letter {
        '{' | '[' => '(',
        '}' | ']' => ')',
        _ if letter.is_control() => ' ',
        _ => letter,
    };
    text.chars().map(letter).collect()
}

fn add_comment(
    game: &mut Game,
    node: NodeId,
    evaluation: Option<String>,
    texts: &[String],
) -> Result<(), GameFull> {
    let words = texts.iter().map(|text| harmless(text));
    let text: Vec<String> = evaluation.into_iter().chain(words).collect();
    game.add_comment(node, &text.join(" "))
}

/// Adds a line from a position as a variation on the move played there, unless there is a variation with the same first
/// move.
fn add_variation(
    game: &mut Game,
    node: NodeId,
    position: &Position,
    line: &Line,
    style: &Style,
) -> Result<(), GameFull> {
    let Some(parent) = game.parent(node) else { return Ok(()) };
    let is_there = game.children(parent).any(|node| game.mv(node) == line.moves.first().copied());
    if is_there {
        return Ok(());
    }
    let moves = &line.moves[..clear_end(position, line, style.max_plies)];
    if game.len() + moves.len() > MAX_GAME_MOVES {
        return Err(GameFull);
    }
    // The moves are legal, since they have been searched.
    let Ok(nodes) = game.add_line(parent, moves.iter().copied()) else { return Ok(()) };
    if let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) {
        game.add_comment(first, &evaluation(line.score, line.depth))?;
        game.add_nag(last, position_glyph(line.score))?;
    }
    Ok(())
}

/// The number of plies at which a line may be cut: after its last capture, promotion or check and the answer to it, and
/// after a move of the side that plays the line. A mate is shown to its end.
fn clear_end(position: &Position, line: &Line, max_plies: usize) -> usize {
    let is_mate = matches!(line.score, EvaluationScore::Mate(_));
    let most = if is_mate { MAX_MATE_PLIES.max(max_plies) } else { max_plies };
    let moves = &line.moves[..line.moves.len().min(most)];
    if is_mate {
        return moves.len();
    }
    let mut now = *position;
    let mut forcing = 0;
    for (index, &mv) in moves.iter().enumerate() {
        let is_noisy = now.is_noisy(mv);
        now = now.after(mv).0;
        if is_noisy || now.is_check() {
            forcing = index + 1;
        }
    }
    let end = (forcing + 1).max(MIN_PLIES).min(moves.len());
    // An odd number of moves ends with a move of the side that plays the line.
    if end % 2 == 0 && end > MIN_PLIES && end != forcing { end - 1 } else { end }
}

/// The glyph of a position: `$10` for an even one, `$14` to `$19` for an advantage.
fn position_glyph(score: EvaluationScore) -> Nag {
    /// The winning chances at which an advantage is decisive, clear, and slight, with the glyphs.
    const BOUNDS: [(f64, u8); 3] = [(0.75, 18), (0.35, 16), (0.1, 14)];
    const EVEN: u8 = 10;
    let chances = winning_chances(score);
    let found = BOUNDS.iter().find(|(bound, _)| chances.abs() >= *bound);
    Nag(found.map_or(EVEN, |&(_, nag)| nag + u8::from(chances < 0.0)))
}

/// For each move, the glyph of time pressure if it was made in time pressure: by the clocks in the comments, as
/// fractions of the maximum clock time.
fn pressures(game: &Game, report: &GameReport) -> Vec<Option<Nag>> {
    let clocks: Vec<Option<Duration>> = report.moves.iter().map(|played| game.clock(played.node)).collect();
    let most = clocks.iter().flatten().max().copied().unwrap_or_default();
    let pressure = |(played, clock): (&StudiedMove, &Option<Duration>)| {
        let share = (*clock)?.as_secs_f64() / most.as_secs_f64();
        let [moderate, severe] = PRESSURES[played.mover()];
        let [least, most] = PRESSURE_SHARES;
        match share {
            _ if share <= most => Some(severe),
            _ if share <= least => Some(moderate),
            _ => None,
        }
    };
    report.moves.iter().zip(&clocks).map(pressure).collect()
}

/// The first move after which the tablebases contain the position, with the words about it. A game that starts with
/// such a position enters no ending.
fn ending(game: &Game, report: &GameReport, tables: &Tablebase) -> Option<(usize, String)> {
    if tables.probe_wdl(game.start()).is_some() {
        return None;
    }
    let is_played = |played: &&StudiedMove| played.after.has_legal_moves();
    let mut moves = report.moves.iter().take_while(is_played).enumerate();
    moves.find_map(|(ply, played)| Some((ply, words::on_ending(&played.after, tables)?)))
}

/// The moves after which a position occurs for the third time, with the words about it.
fn third_times(game: &Game, report: &GameReport) -> Vec<(usize, String)> {
    let mut history = KeyHistory::new(game.start());
    let mut found = Vec::new();
    for (ply, played) in report.moves.iter().enumerate() {
        match played.mv {
            Some(_) => history.push(&played.after),
            None => history.push_null(&played.after),
        }
        // Two earlier occurrences make this one the third.
        if played.mv.is_some() && history.repetitions(&played.after) == 2 {
            found.push((ply, words::THIRD_TIME.to_owned()));
        }
    }
    found
}

/// Adds a comment about the whole game before its first move.
fn add_summary(game: &mut Game, report: &GameReport) -> Result<(), GameFull> {
    match (report.moves.first(), words::on_game(report)) {
        (Some(first), Some(text)) => game.add_comment_before(first.node, &harmless(&text)),
        _ => Ok(()),
    }
}

fn summary_tags() -> impl Iterator<Item = &'static str> {
    SUMMARY_TAGS.into_iter().flat_map(|(_, accuracy, loss)| [accuracy, loss])
}

/// The tags of a game that are not Hematite's, although their names suggest it, according to its tag [`ANALYSIS`].
fn foreign_tags(tags: &Tags) -> Vec<String> {
    let kept = tags.get(ANALYSIS).and_then(|value| value.rsplit_once(KEPT));
    kept.map_or_else(Vec::new, |(_, names)| names.split(", ").map(str::to_owned).collect())
}

/// Moves a tag [`ANALYSIS`] from another source to a tag with a number, and returns the name of that tag.
fn keep_analysis(tags: &mut Tags) -> Option<String> {
    let value = tags.get(ANALYSIS).filter(|_| !is_annotated(tags))?.to_owned();
    let mut names = (2_u32..).map(|number| format!("{ANALYSIS}_{number}"));
    let name = names.find(|name| tags.get(name).is_none())?;
    tags.set(&name, value);
    Some(name)
}

/// Whether a tag holds a value of [`ANALYSIS`] from another source.
fn is_kept_analysis(name: &str) -> bool {
    let number = name.strip_prefix(ANALYSIS).and_then(|rest| rest.strip_prefix('_'));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

fn set_tags(game: &mut Game, report: &GameReport, style: &Style) {
    let own = own_annotator();
    let mut foreign: Vec<String> = Vec::from_iter(keep_analysis(&mut game.tags));
    foreign.extend(summary_tags().filter(|name| game.tags.get(name).is_some()).map(str::to_owned));
    let kept = if foreign.is_empty() { String::new() } else { format!("{KEPT}{}", foreign.join(", ")) };
    game.tags.set(ANALYSIS, harmless(&style.analysis) + &kept);
    if style.names_annotator {
        let others =
            game.tags.get(ANNOTATOR).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
        let value = others.map_or_else(|| own.clone(), |others| format!("{others}:{own}"));
        game.tags.set(ANNOTATOR, value);
    }
    for (side, accuracy, loss) in SUMMARY_TAGS {
        let Some(summary) = report.judged_player(side) else { continue };
        let values = [
            (accuracy, summary.accuracy.map(|value| format!("{value:.1}"))),
            (loss, summary.average_loss_cp.map(|value| format!("{value:.0}"))),
        ];
        for (name, value) in values {
            // A value from another source is kept; the tag [`ANALYSIS`] lists it.
            if let Some(value) = value.filter(|_| game.tags.get(name).is_none()) {
                game.tags.set(name, value);
            }
        }
    }
    if game.tags.get("ECO").is_none() && game.tags.get("Opening").is_none() {
        eco::label(game);
    }
}

/// Whether a comment is Hematite's, in a game that Hematite has annotated.
pub(crate) fn is_own_comment(text: &str) -> bool {
    let words = without_evaluation(text);
    let leads = Judgement::ALL.map(words::lead);
    let mut leads = leads.iter().chain(&[words::ONLY_MOVE, words::HARD_MOVE]).chain(&words::OTHERS);
    words.is_some_and(str::is_empty) || leads.any(|lead| words.unwrap_or(text).starts_with(lead.trim_end()))
}

/// The evaluation with a depth at the start of a comment, and the text after it.
pub(super) fn own_evaluation(text: &str) -> Option<(EvaluationScore, &str)> {
    let (command, rest) = text.strip_prefix("[%eval ")?.split_once(']')?;
    match Command::new("eval", command) {
        Command::Evaluation(Evaluation { score, depth: Some(_) }) => Some((score, rest.trim_start())),
        _ => None,
    }
}

/// The text after the evaluation with a depth at the start of a comment.
fn without_evaluation(text: &str) -> Option<&str> {
    own_evaluation(text).map(|(_, rest)| rest)
}

/// The glyphs that belong to a comment of Hematite.
fn own_glyphs(text: &str) -> Vec<Nag> {
    let words = without_evaluation(text).unwrap_or(text);
    let mut nags: Vec<Nag> = Judgement::ALL
        .into_iter()
        .filter(|&judgement| words.starts_with(words::lead(judgement)))
        .map(Judgement::nag)
        .collect();
    match () {
        () if words.starts_with(words::HARD_MOVE) => nags.push(HARD),
        () if words.starts_with(words::ONLY_MOVE) => nags.push(SINGULAR),
        () => {}
    }
    if words.contains(words::TIME_PRESSURE) {
        nags.extend(PRESSURES.into_iter().flatten());
    }
    nags
}

/// The game without Hematite's annotations; unchanged if it has none.
///
/// # Errors
/// None for a game that is within the limits.
pub fn without_own(game: &Game) -> Result<Game, GameFull> {
    if !is_annotated(&game.tags) {
        return Ok(game.clone());
    }
    // If a glyph is repeated, only one is Hematite's.
    let mut taken: HashSet<(NodeId, Nag)> = HashSet::new();
    let mut position = (NodeId::ROOT, *game.start());
    let mut forced: HashSet<NodeId> = HashSet::new();
    for node in game.mainline() {
        if position.1.count_legal_moves() == 1 {
            forced.insert(node);
        }
        let after = match game.mv(node) {
            Some(mv) => position.1.after(mv).0,
            None => position.1.after_null(),
        };
        position = (node, after);
    }
    // Hematite's comment on the latest node: a node may have many glyphs in a row.
    let mut latest: Option<(NodeId, Option<&str>)> = None;
    let mut own_comment = |node| match latest {
        Some((found, text)) if found == node => text,
        _ => {
            let text = game.comments(node).find(|text| is_own_comment(text));
            latest = Some((node, text));
            text
        }
    };
    let mut copy = game.without(|part| match part {
        Part::Comment(_, text) => is_own_comment(text),
        Part::Variation(first) => {
            own_comment(first).is_some_and(|text| without_evaluation(text).is_some_and(str::is_empty))
        }
        Part::Nag(node, nag) => {
            let is_own = own_comment(node).is_some_and(|text| {
                own_glyphs(text).contains(&nag) || nag == FORCED && forced.contains(&node)
            });
            is_own && taken.insert((node, nag))
        }
    })?;
    let foreign = foreign_tags(&copy.tags);
    let moved = foreign.iter().find(|name| is_kept_analysis(name));
    match moved.and_then(|name| Some((name, copy.tags.get(name)?.to_owned()))) {
        Some((name, value)) => {
            copy.tags.set(ANALYSIS, value);
            copy.tags.remove(name);
        }
        None => copy.tags.remove(ANALYSIS),
    }
    for name in summary_tags().filter(|name| foreign.iter().all(|foreign| foreign != name)) {
        copy.tags.remove(name);
    }
    let annotators = copy.tags.get(ANNOTATOR).map(str::to_owned);
    if let Some(annotators) = annotators.filter(|value| value.contains(OWN)) {
        let others: Vec<&str> =
            annotators.split(':').filter(|name| !name.trim_start().starts_with(OWN)).collect();
        match &*others {
            [] => copy.tags.remove(ANNOTATOR),
            others => copy.tags.set(ANNOTATOR, others.join(":")),
        }
    }
    Ok(copy)
}
