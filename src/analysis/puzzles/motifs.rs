//! The tactical motifs of a line. Each motif is a predicate on the positions and moves, with positive and negative
//! tests.

use super::themes::{Line, Theme};
use crate::chess::{Bitboard, Board, Color, Position, Role, Square, attacks};

/// A motif, and a function that determines whether a line has it at the solver's move of an index.
type Motif = (Theme, fn(&Line, usize) -> bool);

const MOTIFS: [Motif; 15] = [
    (Theme::Fork, fork),
    (Theme::Pin, pin),
    (Theme::Skewer, skewer),
    (Theme::DiscoveredAttack, discovered_attack),
    (Theme::HangingPiece, hanging_piece),
    (Theme::TrappedPiece, trapped_piece),
    (Theme::Sacrifice, sacrifice),
    (Theme::Deflection, deflection),
    (Theme::Attraction, attraction),
    (Theme::CapturingDefender, capturing_defender),
    (Theme::Interference, interference),
    (Theme::Clearance, clearance),
    (Theme::Intermezzo, intermezzo),
    (Theme::XRayAttack, x_ray_attack),
    (Theme::QuietMove, quiet_move),
];

/// The motifs of a line.
pub(super) fn motifs(line: &Line) -> Vec<Theme> {
    let has = |question: fn(&Line, usize) -> bool| line.solver_plies().any(|ply| question(line, ply));
    MOTIFS.iter().filter(|(_, question)| has(*question)).map(|&(theme, _)| theme).collect()
}

/// The value of a piece in pawns; that of a king is greater than all others.
const fn points(role: Role) -> i32 {
    match role {
        Role::King => 100,
        other => other.points() as i32,
    }
}

/// The solver's move at an index, with the positions before and after it.
struct Step<'a> {
    before: &'a Position,
    after: &'a Position,
    from: Square,
    /// The square on which the piece lands.
    to: Square,
    /// The piece that moves.
    role: Role,
    captured: Option<Role>,
}

impl<'a> Step<'a> {
    fn of(line: &'a Line, ply: usize) -> Option<Self> {
        let (before, mv) = (line.positions.get(ply)?, *line.moves.get(ply)?);
        Some(Self {
            before,
            after: line.positions.get(ply + 1)?,
            from: mv.from(),
            to: mv.landing(),
            role: before.role_at(mv.from())?,
            captured: before.captured_role(mv),
        })
    }
}

/// Three consecutive moves: of the solver, the opponent, and the solver.
struct Combination<'a> {
    first: Step<'a>,
    reply: Step<'a>,
    second: Step<'a>,
}

impl<'a> Combination<'a> {
    /// The combination that ends with this move.
    fn ending(line: &'a Line, ply: usize) -> Option<Self> {
        let first = Step::of(line, ply.checked_sub(2)?)?;
        Some(Self { first, reply: Step::of(line, ply - 1)?, second: Step::of(line, ply)? })
    }

    /// The squares between the start and the target of the second move, if it is a capture by a slider.
    fn line_of_capture(&self) -> Option<Bitboard> {
        let is_slider = matches!(self.second.role, Role::Bishop | Role::Rook | Role::Queen);
        (is_slider && self.second.captured.is_some())
            .then(|| attacks::between(self.second.from, self.second.to))
    }
}

/// The squares that a piece attacks.
fn attacked_from(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    match (board.role_at(square), board.color_at(square)) {
        (Some(role), Some(color)) => attacks::attacks(role, color, square, occupied),
        _ => Bitboard::EMPTY,
    }
}

/// The pieces of a side that attack a square.
fn attackers(board: &Board, square: Square, side: Color) -> Bitboard {
    board.attackers(square, board.occupied()) & board.color(side)
}

/// Whether a capture of the piece on this square could be answered by a recapture: by a piece of its side, directly or
/// through a capturing slider.
fn is_defended(board: &Board, square: Square) -> bool {
    let Some(side) = board.color_at(square) else { return false };
    if !attackers(board, square, side).is_empty() {
        return true;
    }
    let sliders = board.diagonal_sliders() | board.orthogonal_sliders();
    (attackers(board, square, !side) & sliders).into_iter().any(|front| {
        let occupied = board.occupied() - front;
        !(board.attackers(square, occupied) & board.color(side)).is_empty()
    })
}

/// Whether capturing the piece on this square wins material: a less valuable piece attacks it, or it is undefended.
fn is_in_danger(board: &Board, square: Square) -> bool {
    let (Some(side), Some(role)) = (board.color_at(square), board.role_at(square)) else { return false };
    let attackers = attackers(board, square, !side);
    let is_lesser =
        |from: Square| board.role_at(from).is_some_and(|attacker| points(attacker) < points(role));
    !attackers.is_empty() && (!is_defended(board, square) || attackers.into_iter().any(is_lesser))
}

/// A piece attacks two others that are more valuable or undefended, and is itself safe; if the solver moves again, the
/// piece captures.
fn fork(line: &Line, ply: usize) -> bool {
    let Some(Step { after, to, .. }) = Step::of(line, ply) else { return false };
    let Some(role) = after.role_at(to).filter(|&role| role != Role::King) else { return false };
    if after.is_checkmate() || is_in_danger(after, to) {
        return false;
    }
    let is_target = |&square: &Square| {
        let target = after.role_at(square).unwrap_or(Role::Pawn);
        target != Role::Pawn && (points(target) > points(role) || !is_defended(after, square))
    };
    let attacked = attacked_from(after, to, after.occupied()) & after.color(!line.solver());
    let targets: Bitboard = attacked.into_iter().filter(is_target).collect();
    // If a king is among the targets, it moves away; otherwise, the targets may move as well.
    let is_taken = Step::of(line, ply + 2).is_none_or(|next| next.from == to && next.captured.is_some());
    targets.is_many() && is_taken
}

/// A piece of the opponent is between its king and a piece of the solver, and therefore cannot capture what it attacks,
/// or cannot move away though it is attacked.
fn pin(line: &Line, ply: usize) -> bool {
    let Some(Step { after, .. }) = Step::of(line, ply) else { return false };
    let (solver, occupied) = (line.solver(), after.occupied());
    let (ours, theirs, king) = (after.color(solver), after.color(!solver), after.king(!solver));
    let pinners = (after.orthogonal_sliders() & attacks::rook_rays(king)
        | after.diagonal_sliders() & attacks::bishop_rays(king))
        & ours;
    !after.is_checkmate()
        && pinners.into_iter().any(|pinner| {
            let between = attacks::between(pinner, king);
            let Some(pinned) = (between & occupied).single().filter(|&square| theirs.contains(square)) else {
                return false;
            };
            let Some(role) = after.role_at(pinned) else { return false };
            let reach = attacked_from(after, pinned, occupied);
            let is_prey = |target: Square| {
                let worth = after.role_at(target).map_or(0, points);
                worth > points(role) || !is_defended(after, target)
            };
            let cannot_take = (reach & (ours - between - pinner)).into_iter().any(is_prey);
            let cannot_leave = role != Role::Pawn && !reach.contains(pinner) && is_in_danger(after, pinned);
            cannot_take || cannot_leave
        })
}

/// A piece moves off a line, and the slider that attacked it captures a less or equally valuable piece behind it.
fn skewer(line: &Line, ply: usize) -> bool {
    let Some(combination) = Combination::ending(line, ply) else { return false };
    let Combination { first, reply, second } = &combination;
    let Some(between) = combination.line_of_capture() else { return false };
    let is_same_piece = second.from == first.to;
    let was_behind = second.to != reply.to && second.captured.is_some_and(|role| role != Role::Pawn);
    let is_worth_more = second.captured.is_some_and(|role| points(reply.role) >= points(role));
    is_same_piece && was_behind && is_worth_more && between.contains(reply.from)
}

/// The first move leaves the line along which the second move captures.
fn discovered_attack(line: &Line, ply: usize) -> bool {
    let Some(combination) = Combination::ending(line, ply) else { return false };
    let Combination { first, reply, second } = &combination;
    let Some(between) = combination.line_of_capture() else { return false };
    between.contains(first.from)
        && !between.contains(first.to)
        && second.from != first.to
        && second.to != reply.to
        && second.to != first.to
}

/// The first move captures an undefended piece, and is not a recapture.
fn hanging_piece(line: &Line, ply: usize) -> bool {
    let Some(Step { before, to, captured, .. }) = Step::of(line, ply).filter(|_| ply == 0) else {
        return false;
    };
    let takes_back = line
        .lead
        .as_ref()
        .is_some_and(|(position, mv)| mv.to() == to && position.captured_role(*mv).is_some());
    captured.is_some_and(|role| role != Role::Pawn) && !takes_back && !is_defended(before, to)
}

/// The captured piece was in danger, and no move would have saved it.
fn trapped_piece(line: &Line, ply: usize) -> bool {
    let Some(Combination { reply, second, .. }) = Combination::ending(line, ply) else { return false };
    let square = if reply.to == second.to { reply.from } else { second.to };
    second.captured.is_some() && is_trapped(reply.before, square)
}

/// Whether a piece of the side to move is in danger and remains so wherever it moves.
fn is_trapped(position: &Position, square: Square) -> bool {
    let Some(role) = position.role_at(square) else { return false };
    if matches!(role, Role::Pawn | Role::King)
        || position.is_check()
        || position.pinned().contains(square)
        || !is_in_danger(position, square)
    {
        return false;
    }
    position.legal_moves().into_iter().filter(|mv| mv.from() == square).all(|mv| {
        let pays = position.captured_role(mv).is_some_and(|captured| points(captured) >= points(role));
        !pays && is_in_danger(&position.after(mv).0, mv.to())
    })
}

/// The material of a side minus that of the other, in pawns.
fn balance(position: &Position, side: Color) -> i32 {
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let worth = |color: Color| {
        roles.iter().map(|&role| points(role) * position.pieces(color, role).count() as i32).sum::<i32>()
    };
    worth(side) - worth(!side)
}

/// After the reply to this move, the solver has lost at least two pawns' worth of material since the start.
fn sacrifice(line: &Line, ply: usize) -> bool {
    const LEAST: i32 = 2;
    let solver = line.solver();
    // A promotion of the opponent also changes the balance, but is not a sacrifice.
    let has_promoted = line.moves[..line.moves.len().min(ply + 2)]
        .iter()
        .skip(1)
        .step_by(2)
        .any(|mv| mv.promotion().is_some());
    let Some(later) = line.positions.get(ply + 2) else { return false };
    !has_promoted && balance(&line.positions[0], solver) - balance(later, solver) >= LEAST
}

/// A piece of the opponent is forced away, by a capture or by check, and no longer defends the target of the second
/// move, which captures, promotes or mates.
fn deflection(line: &Line, ply: usize) -> bool {
    let Some(Combination { first, reply, second }) = Combination::ending(line, ply) else { return false };
    let pays =
        second.captured.is_some() || line.moves[ply].promotion().is_some() || second.after.is_checkmate();
    let is_lured = reply.captured.is_some() && reply.to == first.to || first.after.is_check();
    let defended =
        attacked_from(reply.before, reply.from, reply.before.occupied() | second.to).contains(second.to);
    let defends =
        attacked_from(reply.after, reply.to, reply.after.occupied() - second.from).contains(second.to);
    pays && is_lured && second.to != reply.to && second.to != first.to && defended && !defends
}

/// A king, queen or rook captures on the square of the first move, and the second move attacks it there: a king is in
/// check, another piece is captured next.
fn attraction(line: &Line, ply: usize) -> bool {
    let Some(Combination { first, reply, second }) = Combination::ending(line, ply) else { return false };
    if reply.to != first.to || reply.captured.is_none() {
        return false;
    }
    let is_attacked = attacked_from(second.after, second.to, second.after.occupied()).contains(reply.to);
    match reply.role {
        Role::King => second.after.is_check(),
        Role::Queen | Role::Rook => {
            let is_taken = Step::of(line, ply + 2)
                .is_some_and(|third| third.to == reply.to && third.captured == Some(reply.role));
            is_attacked && is_taken
        }
        _ => false,
    }
}

/// The first move captures the defender of the piece that the second move captures, which is then undefended.
fn capturing_defender(line: &Line, ply: usize) -> bool {
    let Some(Combination { first, reply, second }) = Combination::ending(line, ply) else { return false };
    let defended = attacked_from(first.before, first.to, first.before.occupied()).contains(second.to);
    let was_there = first.before.color_at(second.to) == Some(!line.solver());
    first.captured.is_some()
        && second.captured.is_some()
        && second.to != first.to
        && second.to != reply.to
        && was_there
        && defended
        && !is_defended(second.before, second.to)
}

/// The first move interposes between a piece and the piece it defends, which the second move captures.
fn interference(line: &Line, ply: usize) -> bool {
    let Some(Combination { first, reply, second }) = Combination::ending(line, ply) else { return false };
    if second.captured.is_none() || second.to == reply.to || is_defended(second.before, second.to) {
        return false;
    }
    let sliders = (first.before.diagonal_sliders() | first.before.orthogonal_sliders())
        & first.before.color(!line.solver());
    sliders.into_iter().filter(|&slider| slider != reply.from).any(|slider| {
        let defended = attacked_from(first.before, slider, first.before.occupied()).contains(second.to);
        defended && attacks::between(slider, second.to).contains(first.to)
    })
}

/// The first move, which checks or is captured, vacates a square that the second move needs as its target or on its
/// way.
fn clearance(line: &Line, ply: usize) -> bool {
    let Some(Combination { first, reply, second }) = Combination::ending(line, ply) else { return false };
    let has_tempo = first.after.is_check() || reply.to == first.to && reply.captured.is_some();
    let needs = second.to == first.from
        || second.captured.is_none() && attacks::between(second.from, second.to).contains(first.from);
    first.captured.is_none() && second.from != first.to && has_tempo && needs
}

/// The opponent has captured on a square, and the solver recaptures only after an intermediate move.
fn intermezzo(line: &Line, ply: usize) -> bool {
    let Some(Combination { first, second, .. }) = Combination::ending(line, ply) else { return false };
    let (position, mv) = match (ply.checked_sub(3), &line.lead) {
        (Some(earlier), _) => (&line.positions[earlier], line.moves[earlier]),
        (None, Some((position, mv))) => (position, *mv),
        (None, None) => return false,
    };
    second.captured.is_some()
        && mv.to() == second.to
        && position.captured_role(mv).is_some()
        && first.to != second.to
        && first.before.is_legal(line.moves[ply])
}

/// The second move recaptures through the square from which the opponent's capturing piece came.
fn x_ray_attack(line: &Line, ply: usize) -> bool {
    let Some(combination) = Combination::ending(line, ply) else { return false };
    let Combination { first, reply, second } = &combination;
    let Some(between) = combination.line_of_capture() else { return false };
    second.to == reply.to && reply.to == first.to && between.contains(reply.from)
}

/// A move before the last that neither checks, captures nor promotes, is not made in check, and does not attack
/// anything that is more valuable or undefended.
fn quiet_move(line: &Line, ply: usize) -> bool {
    let Some(Step { before, after, to, captured, .. }) = Step::of(line, ply) else { return false };
    let is_loud = captured.is_some() || line.moves[ply].promotion().is_some() || after.is_check();
    if is_loud || before.is_check() || ply + 2 > line.moves.len() {
        return false;
    }
    let worth = after.role_at(to).map_or(0, points);
    let is_prey = |target: Square| {
        let role = after.role_at(target).unwrap_or(Role::Pawn);
        points(role) > worth || !is_defended(after, target)
    };
    let attacked = attacked_from(after, to, after.occupied()) & after.color(!line.solver());
    !attacked.into_iter().any(is_prey)
}
