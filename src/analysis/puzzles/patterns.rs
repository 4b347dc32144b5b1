//! The themes of a line: its goal and length, the phase of the game, special moves, motifs, and checkmate patterns.

use super::motifs::motifs;
use super::themes::{Line, Theme};
use crate::analysis::{Phase, lichess_score};
use crate::chess::{Board, File, MoveKind, Position, Rank, Role, Square, attacks};
use crate::notation::pgn::EvaluationScore;
use crate::search::Score;

/// The minimum advantage for [`Theme::Crushing`], in lichess's centipawns.
const CRUSHING_CP: i32 = 600;

/// The files between the king and the knight of Anastasia's mate, counted from the king.
const ANASTASIA_DISTANCE: u8 = 3;
/// The number of squares around a king that a queen next to it on a diagonal does not attack.
const DOVETAIL_SQUARES: u32 = 2;
/// The number of squares around a king that is not on the edge.
const FREE_NEIGHBORS: u8 = 8;

/// The themes of a line. `score` is the solver's score before the last move. `is_zugzwang` states whether the opponent
/// is in zugzwang within the line, which only a search can find.
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
        let is_crushing = match lichess_score(score) {
            EvaluationScore::Centipawns(cp) => cp >= CRUSHING_CP,
            EvaluationScore::Mate(moves) => moves > 0,
        };
        return vec![if is_crushing { Theme::Crushing } else { Theme::Advantage }];
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

/// The phase of the game, and the kind of an endgame.
pub(super) fn phase(position: &Position) -> Vec<Theme> {
    match Phase::of(position) {
        Phase::Opening => return vec![Theme::Opening],
        Phase::Middlegame => return vec![Theme::Middlegame],
        Phase::Endgame => {}
    }
    let has = |role| !position.role(role).is_empty();
    let kind = match [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(has) {
        [false, false, false, false] => has(Role::Pawn).then_some(Theme::PawnEndgame),
        [true, false, false, false] => Some(Theme::KnightEndgame),
        [false, true, false, false] => Some(Theme::BishopEndgame),
        [false, false, true, false] => Some(Theme::RookEndgame),
        [false, false, false, true] => Some(Theme::QueenEndgame),
        [false, false, true, true] => Some(Theme::QueenRookEndgame),
        _ => None,
    };
    std::iter::once(Theme::Endgame).chain(kind).collect()
}

/// The themes of single moves.
fn special_moves(line: &Line) -> Vec<Theme> {
    let mut themes = Vec::new();
    let solver = line.solver();
    for ply in line.solver_plies() {
        let (before, mv, after) = (&line.positions[ply], line.moves[ply], &line.positions[ply + 1]);
        let to = mv.landing();
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

/// The named checkmate pattern of a position (<https://en.wikipedia.org/wiki/Checkmate_pattern>). The side to move is
/// checkmated.
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
            // The knight takes the squares diagonally in front of the king, from the same rank.
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
            // The two squares that the queen does not attack are occupied by the king's own pieces, and the queen is
            // protected.
            let is_dovetail = rest.count() == DOVETAIL_SQUARES && rest.is_subset(own);
            (is_dovetail && around.count() == u32::from(FREE_NEIGHBORS)).then_some(Theme::DovetailMate)
        }
        _ => None,
    }
}

/// A rook next to a king in the corner, protected by a knight that also attacks the last square.
fn arabian(board: &Board, rook: Square, king: Square) -> Option<Theme> {
    let is_corner =
        matches!(king.file(), File::A | File::H) && matches!(king.rank(), Rank::First | Rank::Eighth);
    let is_beside = attacks::king(king).contains(rook) && board.role_at(rook) == Some(Role::Rook);
    let knights = board.pieces(!board.turn(), Role::Knight);
    let is_protected = !(attacks::knight(rook) & knights).is_empty();
    (is_corner && is_beside && is_protected).then_some(Theme::ArabianMate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_epd, parse_uci_move};
    use std::collections::HashSet;

    /// A theme, a line that has it, and a line that does not have it.
    type Sample = (Theme, &'static str, &'static str, &'static str, &'static str);

    #[rustfmt::skip]
    const SAMPLES: &[Sample] = {
        use Theme::*;
        &[
            (Mate, "6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a8", "6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a7"),
            (MateIn1, "6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a8", "k7/8/2K5/8/8/8/8/7R w - -", "c6b6 a8b8 h1h8"),
            (MateIn2, "k7/8/2K5/8/8/8/8/7R w - -", "c6b6 a8b8 h1h8", "6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a8"),
            (MateIn3, "k7/8/2K5/8/8/8/8/6R1 w - -", "g1h1 a8a7 h1h8 a7a6 h8a8", "k7/8/2K5/8/8/8/8/7R w - -", "c6b6 a8b8 h1h8"),
            (MateIn4, "k7/8/1K6/8/8/8/8/5R2 w - -", "f1g1 a8b8 g1f1 b8a8 f1h1 a8b8 h1h8", "k7/8/2K5/8/8/8/8/7R w - -", "c6b6 a8b8 h1h8"),
            (MateIn5, "k7/8/2K5/8/8/8/8/6R1 w - -", "g1g2 a8b8 g2g1 b8a8 g1h1 a8a7 h1h8 a7a6 h8a8", "k7/8/1K6/8/8/8/8/5R2 w - -", "f1g1 a8b8 g1f1 b8a8 f1h1 a8b8 h1h8"),
            (Opening, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -", "e7e5", "r4rk1/pp3ppp/2n1bn2/3q4/3Q4/2N1BN2/PP3PPP/R4RK1 w - -", "d4d5"),
            (Middlegame, "r4rk1/pp3ppp/2n1bn2/3q4/3Q4/2N1BN2/PP3PPP/R4RK1 w - -", "d4d5", "4k3/4p3/8/8/8/8/4P3/4K3 w - -", "e2e4"),
            (Endgame, "4k3/4p3/8/8/8/8/4P3/4K3 w - -", "e2e4", "r4rk1/pp3ppp/2n1bn2/3q4/3Q4/2N1BN2/PP3PPP/R4RK1 w - -", "d4d5"),
            (PawnEndgame, "4k3/4p3/8/8/8/8/4P3/4K3 w - -", "e2e4", "4k1n1/4p3/8/8/8/8/4P3/4K3 w - -", "e2e4"),
            (KnightEndgame, "4k1n1/4p3/8/8/8/8/4P3/4K1N1 w - -", "e2e4", "4k1n1/4p3/8/8/8/8/4P3/4K1B1 w - -", "e2e4"),
            (BishopEndgame, "4k1b1/4p3/8/8/8/8/4P3/4K1B1 w - -", "e2e4", "4k1n1/4p3/8/8/8/8/4P3/4K1B1 w - -", "e2e4"),
            (RookEndgame, "4k1r1/4p3/8/8/8/8/4P3/4K3 w - -", "e2e4", "4k1r1/4p3/8/8/8/8/4P3/4K1Q1 w - -", "e2e4"),
            (QueenEndgame, "4k1q1/4p3/8/8/8/8/4P3/4K1Q1 w - -", "e2e4", "4k1r1/4p3/8/8/8/8/4P3/4K1Q1 w - -", "e2e4"),
            (QueenRookEndgame, "4k1r1/4p3/8/8/8/8/4P3/4K1Q1 w - -", "e2e4", "4k1r1/4p3/8/8/8/8/4P3/4K1R1 w - -", "e2e4"),
            (AdvancedPawn, "4k3/8/2P5/8/8/8/8/4K3 w - -", "c6c7", "4k3/8/8/8/2P5/8/8/4K3 w - -", "c4c5"),
            (Promotion, "8/2P3k1/8/8/8/8/8/4K3 w - -", "c7c8q", "8/2P3k1/8/8/8/8/8/4K3 w - -", "e1e2"),
            (UnderPromotion, "8/2P3k1/8/8/8/8/8/4K3 w - -", "c7c8n", "8/2P3k1/8/8/8/8/8/4K3 w - -", "c7c8q"),
            (EnPassant, "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "4k3/8/3p4/4P3/8/8/8/4K3 w - -", "e5d6"),
            (Castling, "4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", "4k3/8/8/8/8/8/8/4K2R w K -", "e1f1"),
            (AttackingF2F7, "4k3/5p2/8/8/2B5/8/8/4K3 w - -", "c4f7", "4k3/3p4/8/8/8/8/8/3QK3 w - -", "d1d7"),
            (DoubleCheck, "4k3/8/8/8/4N3/8/8/K3R3 w - -", "e4f6", "4k3/8/8/8/4N3/8/8/K3R3 w - -", "e4c3"),
            (DiscoveredCheck, "4k3/8/8/8/4N3/8/8/K3R3 w - -", "e4c3", "4k3/8/8/8/8/8/8/K2R4 w - -", "d1e1"),
            (DiscoveredAttack, "3q2k1/8/8/8/3N4/8/8/3RK3 w - -", "d4f5 g8h7 d1d8", "3q2k1/8/8/8/8/8/8/3RK1N1 w - -", "g1f3 g8h7 d1d8"),
            (Fork, "r3k3/8/8/3N4/8/8/8/4K3 w - -", "d5c7 e8d7 c7a8", "r6k/8/8/3N4/8/8/8/4K3 w - -", "d5c7 h8g8 c7a8"),
            (Pin, "4k3/8/2n5/8/8/8/8/4KB2 w - -", "f1b5", "4k3/3p4/2n5/8/8/8/8/4KB2 w - -", "f1b5"),
            (Pin, "4k3/4n3/8/8/8/8/3Q4/K3R3 w - -", "d2d5", "4k3/4n3/8/8/8/8/3Q4/K2R4 w - -", "d2d5"),
            (Skewer, "8/8/8/4k2q/8/8/8/R3K3 w - -", "a1a5 e5e4 a5h5", "7q/8/8/4k3/8/8/8/R3K3 w - -", "a1a5 e5e4 a5a8"),
            (HangingPiece, "4k3/8/8/3n4/8/8/8/3RK3 w - -", "d1d5", "4k3/8/4p3/3n4/8/8/8/3RK3 w - -", "d1d5"),
            (TrappedPiece, "4k3/8/8/8/8/1P6/b1P1K3/7R w - -", "h1a1 e8e7 a1a2", "4k3/8/8/8/8/8/b1P1K3/7R w - -", "h1a1 e8e7 a1a2"),
            (Sacrifice, "6k1/6pp/8/8/8/8/8/4K2Q w - -", "h1h7 g8h7 e1e2", "6k1/6pp/8/8/8/8/8/4K2Q w - -", "h1a8 g8f7 a8b7"),
            (Deflection, "3r2k1/5ppp/8/1Q6/8/8/5PPP/4R1K1 w - -", "b5d5 d8d5 e1e8", "3r2k1/5ppp/8/1Q6/8/8/5PPP/4R1K1 w - -", "b5b4 d8d5 e1e8"),
            (Attraction, "6k1/6pp/8/8/8/5N2/8/4K2Q w - -", "h1h7 g8h7 f3g5", "6k1/6pp/8/8/8/5N2/8/4K2Q w - -", "h1h7 g8h7 f3d4"),
            (CapturingDefender, "4k3/8/2n5/1B2b3/8/5N2/8/4K3 w - -", "b5c6 e8e7 f3e5", "4k3/8/2r5/1B2b3/8/5N2/8/4K3 w - -", "b5c6 e8e7 f3e5"),
            (Interference, "3rk3/8/8/1N6/3b4/8/8/3RK3 w - -", "b5d6 e8f8 d1d4", "3rk3/8/8/8/3b4/1N6/8/3RK3 w - -", "b3a5 e8f8 d1d4"),
            (Clearance, "6k1/5pp1/8/8/8/8/4K3/Q6R w - -", "h1h8 g8h8 a1h1", "6k1/5pp1/8/8/8/8/4K3/Q6R w - -", "h1h2 g8f8 a1h1"),
            (XRayAttack, "4b1k1/4rppp/8/1Q6/8/8/5PPP/4R1K1 w - -", "b5e8 e7e8 e1e8", "r3b1k1/5ppp/8/1Q6/8/8/5PPP/4R1K1 w - -", "b5e8 a8e8 e1e8"),
            (QuietMove, "4k3/8/8/8/8/8/8/R3K3 w - -", "e1e2 e8e7 a1a7", "4k3/8/8/8/8/8/8/R3K3 w - -", "a1a8 e8e7 a8a7"),
            (BackRankMate, "6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a8", "k7/8/1K6/8/8/8/8/7R w - -", "h1h8"),
            (SmotheredMate, "6rk/6pp/8/6N1/8/8/8/4K3 w - -", "g5f7", "7k/R7/5N2/8/8/8/8/4K3 w - -", "a7h7"),
            (ArabianMate, "7k/R7/5N2/8/8/8/8/4K3 w - -", "a7h7", "7k/R7/6K1/8/8/8/8/8 w - -", "a7a8"),
            (AnastasiaMate, "8/4N1pk/8/8/8/8/4K3/3R4 w - -", "d1h1", "8/5K1k/8/8/8/8/8/3R4 w - -", "d1h1"),
            (BodenMate, "2kr4/3n4/8/8/5B2/8/4B3/4K3 w - -", "e2a6", "7k/7p/8/8/2B5/8/8/K1B5 w - -", "c1b2"),
            (DoubleBishopMate, "7k/7p/8/8/2B5/8/8/K1B5 w - -", "c1b2", "2kr4/3n4/8/8/5B2/8/4B3/4K3 w - -", "e2a6"),
            (DovetailMate, "8/8/4p3/4kp2/8/2P5/8/3QK3 w - -", "d1d4", "7k/8/5K2/8/8/8/8/6Q1 w - -", "g1g7"),
        ]
    };

    fn position(fen: &str) -> Position {
        *parse_epd(fen).unwrap_or_else(|error| panic!("{fen}: {error}")).position()
    }

    fn line(fen: &str, moves: &str, lead: Option<(&str, &str)>) -> Line {
        let start = position(fen);
        let (mut at, mut found) = (start, Vec::new());
        for text in moves.split(' ') {
            let mv = parse_uci_move(text, &at).unwrap_or_else(|error| panic!("{fen}: {error}"));
            at = at.after(mv).0;
            found.push(mv);
        }
        let lead = lead.map(|(fen, text)| {
            let before = position(fen);
            (before, parse_uci_move(text, &before).expect(text))
        });
        Line::new(start, lead, &found).expect("it has been played")
    }

    fn themes(fen: &str, moves: &str, lead: Option<(&str, &str)>) -> Vec<Theme> {
        themes_of(&line(fen, moves, lead), Score::from_cp(700), false)
    }

    #[test]
    fn each_theme_is_where_it_is_and_nowhere_else() {
        for &(theme, with, moves, without, others) in SAMPLES {
            let found = themes(with, moves, None);
            assert!(found.contains(&theme), "{theme}: {with} {moves}: {found:?}");
            let found = themes(without, others, None);
            assert!(!found.contains(&theme), "{theme}: {without} {others}: {found:?}");
        }
        // Themes with tests of their own.
        let others = [
            Theme::Crushing,
            Theme::Advantage,
            Theme::OneMove,
            Theme::Short,
            Theme::Long,
            Theme::VeryLong,
            Theme::Intermezzo,
            Theme::Zugzwang,
        ];
        let tested: HashSet<Theme> = SAMPLES.iter().map(|sample| sample.0).chain(others).collect();
        assert_eq!(tested.len(), Theme::ALL.len());
    }

    #[test]
    fn names_are_different_and_read_back() {
        for theme in Theme::ALL {
            assert_eq!(Theme::from_name(theme.name()), Some(*theme));
        }
        assert_eq!(Theme::from_name("Fork"), None);
    }

    #[test]
    fn the_score_and_the_length_have_themes() {
        let one = line("4k3/8/8/3n4/8/8/8/3RK3 w - -", "d1d5", None);
        for (cp, expected) in [(460, Theme::Advantage), (480, Theme::Crushing)] {
            let found = themes_of(&one, Score::from_cp(cp), false);
            assert!(found.contains(&expected) && found.contains(&Theme::OneMove), "{cp}: {found:?}");
        }
        let cases = [
            ("a1b1", Theme::OneMove),
            ("a1b1 e8d8 b1a1", Theme::Short),
            ("a1b1 e8d8 b1a1 d8e8 a1b1", Theme::Long),
            ("a1b1 e8d8 b1a1 d8e8 a1b1 e8d8 b1a1", Theme::VeryLong),
        ];
        for (moves, expected) in cases {
            let found = themes("4k3/8/8/8/8/8/8/R3K3 w - -", moves, None);
            let lengths = [Theme::OneMove, Theme::Short, Theme::Long, Theme::VeryLong];
            let found: Vec<Theme> = found.into_iter().filter(|theme| lengths.contains(theme)).collect();
            assert_eq!(found, [expected], "{moves}");
        }
    }

    #[test]
    fn a_search_knows_zugzwang() {
        let line = line("4k3/4p3/8/8/8/8/4P3/4K3 w - -", "e2e4", None);
        assert!(themes_of(&line, Score::DRAW, true).contains(&Theme::Zugzwang));
        assert!(!themes_of(&line, Score::DRAW, false).contains(&Theme::Zugzwang));
    }

    #[test]
    fn the_move_before_matters() {
        let before = "6k1/8/1n6/3N4/8/8/8/R2RK3 b - -";
        let (start, moves) = ("6k1/8/8/3n4/8/8/8/R2RK3 w - -", "a1a8 g8h7 d1d5");
        assert!(themes(start, moves, Some((before, "b6d5"))).contains(&Theme::Intermezzo));
        assert!(!themes(start, moves, None).contains(&Theme::Intermezzo));
        // A recapture is not the capture of a hanging piece.
        assert!(themes(start, "d1d5", None).contains(&Theme::HangingPiece));
        assert!(!themes(start, "d1d5", Some((before, "b6d5"))).contains(&Theme::HangingPiece));
    }
}
