//! The themes of a line: its goal and length, the part of the game, moves that are themes by themselves, motifs, and the
//! patterns of mates.

use super::motifs::motifs;
use super::themes::{Line, Theme, landing};
use crate::chess::{Board, Color, File, MoveKind, Position, Rank, Role, Square, attacks};
use crate::search::Score;

/// From so many centipawns on an advantage decides.
const CRUSHING_CP: i32 = 600;
/// An endgame has at most so many pieces but kings and pawns; a middlegame has at most ten
/// (<https://github.com/lichess-org/scalachess>, `Divider`).
const ENDGAME_PIECES: u32 = 6;
const MIDDLEGAME_PIECES: u32 = 10;
/// With fewer pieces on its back rank a side is developed.
const HOME_PIECES: u32 = 4;

/// The files between the king and the knight of Anastasia's mate, counted from the king.
const ANASTASIA_DISTANCE: u8 = 3;
/// The squares around a king that a queen beside it on a diagonal does not attack.
const DOVETAIL_SQUARES: u32 = 2;
/// The squares around a king that is not on the edge.
const FREE_NEIGHBORS: u8 = 8;

/// The themes of a line: `score` is the solver's before the last of the moves, and whether the opponent is in zugzwang
/// on the way is known to a search alone.
pub(super) fn themes_of(line: &Line, score: Score, is_zugzwang: bool) -> Vec<Theme> {
    let mut themes = Vec::new();
    themes.extend(goal(line, score));
    themes.push(match line.length() {
        0 | 1 => Theme::OneMove,
        2 => Theme::Short,
        3 => Theme::Long,
        _ => Theme::VeryLong,
    });
    themes.extend(phase(&line.positions[0]));
    themes.extend(special_moves(line));
    themes.extend(motifs(line));
    themes.extend(is_zugzwang.then_some(Theme::Zugzwang));
    if line.is_mate() {
        themes.extend(mate_pattern(line.end()));
    }
    themes.sort();
    themes.dedup();
    themes
}

fn goal(line: &Line, score: Score) -> Vec<Theme> {
    if !line.is_mate() {
        return vec![if score.to_cp() >= CRUSHING_CP { Theme::Crushing } else { Theme::Advantage }];
    }
    let length = match line.length() {
        0 | 1 => Theme::MateIn1,
        2 => Theme::MateIn2,
        3 => Theme::MateIn3,
        4 => Theme::MateIn4,
        _ => Theme::MateIn5,
    };
    vec![Theme::Mate, length]
}

/// The part of the game, and the kind of an endgame.
pub(super) fn phase(position: &Position) -> Vec<Theme> {
    let [pawns, knights, bishops, rooks, queens] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| position.role(role));
    let pieces = (knights | bishops | rooks | queens).count();
    if pieces > ENDGAME_PIECES {
        let is_home =
            |side: Color| (position.color(side) & side.back_rank().squares()).count() >= HOME_PIECES;
        let is_opening = pieces > MIDDLEGAME_PIECES && is_home(Color::White) && is_home(Color::Black);
        return vec![if is_opening { Theme::Opening } else { Theme::Middlegame }];
    }
    let has = [knights, bishops, rooks, queens].map(|set| !set.is_empty());
    let kind = match has {
        [false, false, false, false] => (!pawns.is_empty()).then_some(Theme::PawnEndgame),
        [true, false, false, false] => Some(Theme::KnightEndgame),
        [false, true, false, false] => Some(Theme::BishopEndgame),
        [false, false, true, false] => Some(Theme::RookEndgame),
        [false, false, false, true] => Some(Theme::QueenEndgame),
        [false, false, true, true] => Some(Theme::QueenRookEndgame),
        _ => None,
    };
    std::iter::once(Theme::Endgame).chain(kind).collect()
}

/// Moves that are themes by themselves.
fn special_moves(line: &Line) -> Vec<Theme> {
    let mut themes = Vec::new();
    let solver = line.solver();
    for ply in line.solver_plies() {
        let (before, mv, after) = (&line.positions[ply], line.moves[ply], &line.positions[ply + 1]);
        let to = landing(before, mv);
        match mv.kind() {
            MoveKind::EnPassant => themes.push(Theme::EnPassant),
            MoveKind::Castle => themes.push(Theme::Castling),
            _ => {}
        }
        if let Some(role) = mv.promotion() {
            themes.push(Theme::Promotion);
            themes.extend((role != Role::Queen).then_some(Theme::UnderPromotion));
        }
        let is_pawn = before.role_at(mv.from()) == Some(Role::Pawn);
        if is_pawn && solver.relative(to.rank()) >= Rank::Sixth {
            themes.push(Theme::AdvancedPawn);
        }
        let king = before.king(!solver);
        let is_weak_square = to == Square::new(File::F, (!solver).relative(Rank::Second));
        if is_weak_square && attacks::king(king).contains(to) && king.rank() == (!solver).back_rank() {
            themes.push(Theme::AttackingF2F7);
        }
        let checkers = after.checkers();
        if checkers.is_many() {
            themes.push(Theme::DoubleCheck);
        }
        if !(checkers - to).is_empty() && !mv.is_castle() {
            themes.push(Theme::DiscoveredCheck);
        }
    }
    themes
}

/// The names that mates with a pattern have (<https://en.wikipedia.org/wiki/Checkmate_pattern>). The side to move is
/// mated.
fn mate_pattern(position: &Position) -> Option<Theme> {
    let board: &Board = position.board();
    let mated = position.turn();
    let king = board.king(mated);
    let around = attacks::king(king);
    let own = board.color(mated);
    let checker = board.checkers().single()?;
    let role = board.role_at(checker)?;
    let (ours, occupied) = (board.color(!mated), board.occupied());
    let is_edge_file = |square: Square| matches!(square.file(), File::A | File::H);
    let is_back_rank = king.rank() == mated.back_rank();
    match role {
        Role::Knight if around.is_subset(own) => Some(Theme::SmotheredMate),
        Role::Rook | Role::Queen if is_back_rank && checker.rank() == king.rank() => {
            let forward = around & mated.relative(Rank::Second).squares();
            forward.is_subset(own).then_some(Theme::BackRankMate).or_else(|| arabian(board, checker, king))
        }
        Role::Rook if around.contains(checker) => arabian(board, checker, king),
        Role::Rook | Role::Queen if is_edge_file(king) && checker.file() == king.file() => {
            let knights = board.pieces(!mated, Role::Knight);
            // It takes the squares diagonally before the king, from the same rank.
            let is_there = knights.into_iter().any(|knight| {
                let distance = (knight.file() as i8 - king.file() as i8).unsigned_abs();
                knight.rank() == king.rank() && distance == ANASTASIA_DISTANCE
            });
            let beside = around & king.rank().squares();
            (is_there && beside.is_subset(own)).then_some(Theme::AnastasiaMate)
        }
        Role::Bishop => {
            let bishops = board.pieces(!mated, Role::Bishop);
            let is_taken_by_bishop =
                |square: Square| !(board.attackers(square, occupied - king) & ours & bishops).is_empty();
            let is_theirs = bishops.is_many() && (around - own).into_iter().all(is_taken_by_bishop);
            let side = |square: Square| (square.file() as i8 - king.file() as i8).signum();
            let sides: Vec<i8> = bishops.into_iter().map(side).collect();
            let is_crossing = sides.contains(&1) && sides.contains(&-1);
            is_theirs.then_some(if is_crossing { Theme::BodenMate } else { Theme::DoubleBishopMate })
        }
        Role::Queen if (attacks::bishop_rays(king) & around).contains(checker) => {
            let covered = attacks::queen(checker, occupied - king) | checker;
            let rest = around - covered;
            // The two squares beside the king's back are its own pieces', and the queen is protected.
            let is_dovetail = rest.count() == DOVETAIL_SQUARES && rest.is_subset(own);
            (is_dovetail && around.count() == u32::from(FREE_NEIGHBORS)).then_some(Theme::DovetailMate)
        }
        _ => None,
    }
}

/// A rook beside a king in the corner, protected by a knight that also takes the last square.
fn arabian(board: &Board, rook: Square, king: Square) -> Option<Theme> {
    let is_corner =
        matches!(king.file(), File::A | File::H) && matches!(king.rank(), Rank::First | Rank::Eighth);
    let is_beside = attacks::king(king).contains(rook) && board.role_at(rook) == Some(Role::Rook);
    let knights = board.pieces(!board.turn(), Role::Knight);
    let is_protected = !(attacks::knight(rook) & knights).is_empty();
    (is_corner && is_beside && is_protected).then_some(Theme::ArabianMate)
}
