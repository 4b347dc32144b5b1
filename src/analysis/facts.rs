//! Facts that explain what is wrong with a move: a mate, the result by the tablebases, a draw, an overlooked threat, a
//! lost piece, a double attack.

use super::judgement::{MateChange, mate_change};
use super::studied_move::{StudiedMove, Threat, ThreatKind};
use crate::chess::{Color, Move, Outcome, Position, Role, attacks};
use crate::notation::San;
use crate::notation::pgn::EvaluationScore;
use crate::search::{see_ge, see_value};
use crate::tablebase::{Tablebase, Wdl};

/// A move with its number, such as `24... Nd5`.
pub fn numbered(position: &Position, mv: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmove_number(), San::new(position, mv).text())
}

/// A fact that explains what is wrong with a move.
pub(super) struct Fact {
    /// The effect of the move, such as `allows mate in 2 by 24... Qg2#`.
    pub words: String,
    /// Whether the words name the better move.
    pub names_better: bool,
}

/// Whether the words name the opponent's reply. A player whose game continues must not learn it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplyName {
    Named,
    Hidden,
}

impl ReplyName {
    /// The reply with a preposition before it, such as ` by 24... Qg2#`; empty if it is hidden.
    fn with(self, preposition: &str, reply: &str) -> String {
        match self {
            Self::Named => format!(" {preposition} {reply}"),
            Self::Hidden => String::new(),
        }
    }

    /// The reply as a threat.
    fn threat(self, reply: &str) -> String {
        match self {
            Self::Named => format!("the threat {reply}"),
            Self::Hidden => "a threat".to_owned(),
        }
    }

    /// The start of a clause about `named`, or about `hidden`: `24... Qg2, which`, `a move that`.
    fn clause(self, named: &str, hidden: &str) -> String {
        match self {
            Self::Named => format!("{named}, which"),
            Self::Hidden => format!("{hidden} that"),
        }
    }
}

/// The most important fact about a judged move.
pub(super) fn fact(
    played: &StudiedMove,
    outcome: Option<Outcome>,
    tables: Option<&Tablebase>,
    name: ReplyName,
) -> Option<Fact> {
    mate(played, name)
        .or_else(|| by_tables(played, tables?).map(on_reply))
        .or_else(|| drawn(played, outcome, name).map(on_reply))
        .or_else(|| on_material(played, name))
        .or_else(|| played.threat.as_ref().and_then(|threat| on_threat(played, threat, name)))
}

/// Whether a fact visible on the board explains what is wrong with a move, so that no search is needed.
pub(super) fn is_plain(played: &StudiedMove) -> bool {
    drawn(played, None, ReplyName::Named).is_some() || on_material(played, ReplyName::Named).is_some()
}

const fn on_reply(words: String) -> Fact {
    Fact { words, names_better: false }
}

const fn on_better(words: String) -> Fact {
    Fact { words, names_better: true }
}

/// The fact about the most material that is won or lost at once, or by a double attack.
fn on_material(played: &StudiedMove, name: ReplyName) -> Option<Fact> {
    let facts = [
        loses_piece(played, name).map(|(worth, words)| (worth, on_reply(words))),
        missed_piece(played).map(|(worth, words)| (worth, on_better(words))),
        allowed_fork(played, name).map(|(worth, words)| (worth, on_reply(words))),
        missed_fork(played).map(|(worth, words)| (worth, on_better(words))),
    ];
    // The last maximum is taken, and the first of equal facts is wanted.
    facts.into_iter().flatten().rev().max_by_key(|(worth, _)| *worth).map(|(_, fact)| fact)
}

/// A fact about a threat that a search has found.
fn on_threat(played: &StudiedMove, threat: &Threat, name: ReplyName) -> Option<Fact> {
    let what = threatened(threat)?;
    match threat.kind {
        ThreatKind::Overlooked => {
            let by = numbered(&played.after, reply(played)?);
            Some(on_reply(format!("overlooks {}", name.threat(&by))))
        }
        ThreatKind::Missed => {
            let by = numbered(&played.before, better(played)?);
            Some(on_better(format!("misses {by}, which threatens {what}")))
        }
        ThreatKind::Allowed => {
            let by = numbered(&played.after, reply(played)?);
            Some(on_reply(match name {
                ReplyName::Named => format!("allows {by}, which threatens {what}"),
                ReplyName::Hidden => "allows a strong threat".to_owned(),
            }))
        }
        ThreatKind::Met => None,
    }
}

/// The threat in words: `25... Qxh2#`, `mate in 3 by 25... Rh6`, `25... Nxe4`.
pub(super) fn threatened(threat: &Threat) -> Option<String> {
    let by = numbered(&threat.position, threat.mv()?);
    Some(match threat.mate_in() {
        Some(moves) if moves > 1 => format!("mate in {moves} by {by}"),
        _ => by,
    })
}

/// The first move of the reply.
pub(super) fn reply(played: &StudiedMove) -> Option<Move> {
    played.reply.as_ref()?.moves.first().copied()
}

/// The first move of the better line.
pub(super) fn better(played: &StudiedMove) -> Option<Move> {
    played.better()?.moves.first().copied()
}

fn mate(played: &StudiedMove, name: ReplyName) -> Option<Fact> {
    let (before, after) = (played.score_before?, played.score?);
    let moves = |score| match score {
        EvaluationScore::Mate(moves) => Some(moves.unsigned_abs()),
        EvaluationScore::Centipawns(_) => None,
    };
    match mate_change(before, after, played.mover())? {
        MateChange::Allowed => {
            let by = reply(played).map(|mv| name.with("by", &numbered(&played.after, mv)));
            let mates = |position: &Position, mv| {
                let after = position.after(mv).0;
                after.is_checkmate()
            };
            let is_plain =
                reply(played).is_some_and(|mv| is_carried_out(played, mv, |position| mates(position, mv)));
            let moves = moves(after)?;
            let threat = played.threat.as_ref().and_then(Threat::overlooked_mate).or(is_plain.then_some(1));
            let verb = match threat {
                Some(threat) if threat == moves => "overlooks the threat of mate",
                Some(_) => "overlooks a threat of mate and allows it",
                None => "allows mate",
            };
            let words = format!("{verb} in {moves}{}", by.unwrap_or_default());
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

/// The tablebase results before and after the move, if the move changes the result.
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

/// The draw by the rules, or the draw by repetition that the reply allows.
fn drawn(played: &StudiedMove, outcome: Option<Outcome>, name: ReplyName) -> Option<String> {
    if let Some(outcome) = outcome.filter(|outcome| outcome.winner().is_none() && played.reply.is_none()) {
        let outcome = outcome.to_string();
        return Some(format!("ends in a {}", outcome.replacen("Draw", "draw", 1)));
    }
    let line = played.reply.as_ref()?;
    let draw = EvaluationScore::Centipawns(0);
    if line.score != draw || played.score != Some(draw) {
        return None;
    }
    let mut position = played.after;
    let mut keys = vec![played.before.key(), position.key()];
    for &mv in &line.moves {
        position = position.after(mv).0;
        if keys.contains(&position.key()) {
            let from = name.with("from", &numbered(&played.after, line.moves[0]));
            return Some(format!("allows a draw by repetition{from}"));
        }
        keys.push(position.key());
    }
    None
}

/// More than any exchange wins or loses, in units of the static exchange evaluation.
const MAX_EXCHANGE: i32 = 4_000;
/// The minimum worth of a fact about material, in the same units: a pawn.
fn least_worth() -> i32 {
    see_value(Role::Pawn)
}

/// The material that a move wins by exchanges on its square, in units of the static exchange evaluation.
fn exchange(position: &Position, mv: Move) -> i32 {
    let (mut won, mut too_much) = (-MAX_EXCHANGE, MAX_EXCHANGE);
    while too_much - won > 1 {
        let middle = i32::midpoint(won, too_much);
        if see_ge(position, mv, middle) {
            won = middle;
        } else {
            too_much = middle;
        }
    }
    won
}

/// Whether a capture of this piece with this gain wins the exchange: a rook for a minor piece.
fn is_the_exchange(captured: Role, gain: i32) -> bool {
    let minor = [Role::Knight, Role::Bishop].map(see_value);
    captured == Role::Rook && minor.contains(&(see_value(Role::Rook) - gain))
}

/// The piece that the move loses, with the worth of the loss: the reply wins at least a pawn more by exchanges on its
/// square than the move has captured. A capture that takes back on another square is no gain.
fn loses_piece(played: &StudiedMove, name: ReplyName) -> Option<(i32, String)> {
    let (mv, reply) = (played.mv?, reply(played)?);
    let role = played.after.captured_role(reply)?;
    let taken = played.before.captured_role(mv);
    let taken_back = played.lost_before.filter(|(square, _)| *square == mv.to()).map(|(_, lost)| lost);
    let gain = taken.map_or(0, see_value) - taken_back.map_or(0, see_value);
    let gain = if mv.to() == reply.to() { taken.map_or(0, see_value) } else { gain.max(0) };
    let lost = exchange(&played.after, reply);
    let worth = lost - gain;
    if worth < least_worth() {
        return None;
    }
    let by = numbered(&played.after, reply);
    let what = if lost >= see_value(role) {
        // A pawn that is captured en passant is on another square.
        if played.after.role_at(reply.to()).is_some() {
            format!("the {} on {}", role.name(), reply.to())
        } else {
            format!("a {}", role.name())
        }
    } else if is_the_exchange(role, lost) && gain == 0 {
        "the exchange".to_owned()
    } else {
        "material".to_owned()
    };
    let is_whole = lost >= see_value(role);
    let words = match taken.filter(|_| gain > 0) {
        Some(taken) if is_whole => {
            format!("loses {what} for a {}{}", taken.name(), name.with("to", &by))
        }
        Some(_) => format!("loses material{}", name.with("to", &by)),
        None => {
            // The piece was there before the move, and could have been captured then.
            let is_threat = mv.to() != reply.to()
                && is_carried_out(played, reply, |position| {
                    position.captured_role(reply) == Some(role) && see_ge(position, reply, least_worth())
                });
            if is_threat {
                format!("overlooks {} and loses {what}", name.threat(&by))
            } else {
                format!("loses {what}{}", name.with("to", &by))
            }
        }
    };
    Some((worth, words))
}

/// The better move wins at least a pawn more by exchanges on its square than the move that was played, with the worth
/// of the difference.
fn missed_piece(played: &StudiedMove) -> Option<(i32, String)> {
    let better = better(played)?;
    let role = played.before.captured_role(better)?;
    let gain = exchange(&played.before, better);
    let own = played.mv.map_or(0, |mv| exchange(&played.before, mv).max(0));
    let worth = gain - own;
    if worth < least_worth() {
        return None;
    }
    let by = numbered(&played.before, better);
    let is_whole = gain >= see_value(role);
    // A capture on the square where the opponent has just captured takes back.
    let lost = played.lost_before.filter(|(square, _)| *square == better.to()).map(|(_, lost)| lost);
    let words = match lost {
        Some(lost) if gain - see_value(lost) < least_worth() => format!("misses the recapture {by}"),
        Some(lost) if is_whole => format!("misses {by}, which wins a {} for a {}", role.name(), lost.name()),
        Some(_) => format!("misses {by}, which wins material"),
        None if is_whole => format!("misses {by}, which wins a {}", role.name()),
        None if is_the_exchange(role, gain) => format!("misses {by}, which wins the exchange"),
        None => format!("misses {by}, which wins material"),
    };
    Some((worth, words))
}

fn allowed_fork(played: &StudiedMove, name: ReplyName) -> Option<(i32, String)> {
    let reply = reply(played)?;
    let targets = forked(&played.after, reply)?;
    let worth = fork_gain(&played.after, reply)?;
    let is_threat =
        is_carried_out(played, reply, |position| forked(position, reply).as_ref() == Some(&targets));
    let by = numbered(&played.after, reply);
    let effect = if is_threat {
        format!("overlooks {}", name.clause(&name.threat(&by), "a threat"))
    } else {
        format!("allows {}", name.clause(&by, "a move"))
    };
    Some((worth, format!("{effect} attacks {targets}")))
}

fn missed_fork(played: &StudiedMove) -> Option<(i32, String)> {
    let better = better(played)?;
    let targets = forked(&played.before, better)?;
    let worth = fork_gain(&played.before, better)?;
    Some((worth, format!("misses {}, which attacks {targets}", numbered(&played.before, better))))
}

/// The material that a double attack wins against the best defense, in units of the static exchange evaluation; `None`
/// for less than a pawn. A defense that captures the attacker is answered, since the attacker is safe.
fn fork_gain(position: &Position, mv: Move) -> Option<i32> {
    let after = position.after(mv).0;
    let attacked = after.color(after.turn());
    let gain_after = |defense: Move| {
        let defended = after.after(defense).0;
        let captures = defended.legal_moves().into_iter().filter(|next| {
            next.from() == mv.to() && attacked.contains(next.to()) && defended.captured_role(*next).is_some()
        });
        let gain = captures.map(|next| exchange(&defended, next)).max().unwrap_or_default();
        let cost = after.captured_role(defense).map_or(0, see_value);
        gain.max(0) - cost
    };
    let defenses = after.legal_moves().into_iter().filter(|defense| defense.to() != mv.to());
    defenses.map(gain_after).min().filter(|&gain| gain >= least_worth())
}

/// The first two targets that a move attacks at once with a piece that is safe: the king, a more valuable piece, or an
/// unprotected piece other than a pawn (<https://www.chessprogramming.org/Double_Attack>).
pub(super) fn forked(position: &Position, mv: Move) -> Option<String> {
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
            || see_value(target) > see_value(role)
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

/// The position with the side that has just moved to move again; `None` if the other side is in check and cannot pass.
pub(super) fn after_null(position: &Position) -> Option<Position> {
    if position.is_check() {
        return None;
    }
    let passed = position.after_null();
    passed.has_legal_moves().then_some(passed)
}

/// Whether the opponent could have made the reply before the move that was played, with the effect given by the
/// predicate: then the move overlooks a threat.
pub(super) fn is_carried_out(
    played: &StudiedMove,
    reply: Move,
    has_effect: impl FnOnce(&Position) -> bool,
) -> bool {
    after_null(&played.before).is_some_and(|position| position.is_legal(reply) && has_effect(&position))
}
