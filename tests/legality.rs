//! Legality by brute force, and incrementally updated values compared with newly computed ones, along random walks of
//! standard chess, Chess960 and double Chess960.

use crate::support;
use hematite::chess::{
    Bitboard, CastlingRight, Color, File, Move, MoveKind, MoveList, MoveSet, Piece, Position, Rank, Role,
    Setup, Square, attacks, chess960_back_rank,
};
use hematite::notation::{CastlingStyle, Fen, UciMove, parse_fen, parse_uci_move, position_from_fen};
use hematite::rng::Rng;
use std::collections::HashSet;

/// The kind of initial positions from which the walks of a test start.
#[derive(Clone, Copy, Debug)]
enum Variant {
    Standard,
    Chess960,
    DoubleChess960,
}

impl Variant {
    const ALL: [Self; 3] = [Self::Standard, Self::Chess960, Self::DoubleChess960];

    fn start(self, rng: &mut Rng) -> Position {
        let mut back_rank = || chess960_back_rank(rng.below(960) as u16).expect("there are 960");
        let setup = match self {
            Self::Standard => Setup::start(),
            Self::Chess960 => Setup::chess960(back_rank()),
            Self::DoubleChess960 => Setup::double_chess960(back_rank(), back_rank()),
        };
        Position::try_from(setup).expect("an initial position is legal")
    }
}

/// The events of the walks: a test that has not seen all of them proves little.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    castles: usize,
    en_passants: usize,
    promotions: usize,
    checks: usize,
    double_checks: usize,
    mates: usize,
    castling_in_corners: usize,
}

/// The maximum length of a walk, in plies: enough for promotions and nearly empty boards.
const MAX_PLIES: usize = 200;

impl Seen {
    /// Walks from initial positions until `visit` has seen this number of positions.
    fn walk(&mut self, variant: Variant, seed: u64, positions: usize, mut visit: impl FnMut(&Position)) {
        let mut rng = Rng::new(seed);
        let end = self.positions + positions;
        while self.positions < end {
            let mut position = variant.start(&mut rng);
            for _ in 0..MAX_PLIES {
                self.note_position(&position);
                let has_moves = !position.legal_moves().is_empty();
                assert_eq!(position.has_legal_moves(), has_moves, "{}", Fen::new(&position));
                visit(&position);
                let Some(mv) = choose(&position, &mut rng) else {
                    self.mates += usize::from(position.is_check());
                    break;
                };
                self.note_move(mv);
                position =
                    position.play(mv).unwrap_or_else(|error| panic!("{}: {error}", Fen::new(&position)));
            }
        }
    }

    fn note_position(&mut self, position: &Position) {
        self.positions += 1;
        self.checks += usize::from(position.is_check());
        self.double_checks += usize::from(position.checkers().is_many());
    }

    fn note_move(&mut self, mv: Move) {
        self.castles += usize::from(mv.is_castle());
        self.castling_in_corners +=
            usize::from(mv.is_castle() && mv.from().index().abs_diff(mv.to().index()) == 1);
        self.en_passants += usize::from(mv.kind() == MoveKind::EnPassant);
        self.promotions += usize::from(mv.promotion().is_some());
    }

    #[track_caller]
    fn assert_all(&self) {
        let kinds = [
            self.castles,
            self.castling_in_corners,
            self.en_passants,
            self.promotions,
            self.checks,
            self.double_checks,
            self.mates,
        ];
        assert!(kinds.iter().all(|&count| count > 0), "{self:?}");
    }
}

/// A random legal move; rare kinds of moves are as likely as all others together.
fn choose(position: &Position, rng: &mut Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let rare: Vec<Move> = moves.iter().copied().filter(|mv| mv.kind() != MoveKind::Normal).collect();
    let prefers_rare = rng.below(2) == 0;
    rng.choose(if prefers_rare && !rare.is_empty() { &rare } else { &moves }).copied()
}

#[test]
fn a_move_is_legal_exactly_if_it_is_generated() {
    const POSITIONS: usize = 1020;
    let all: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_bits).collect();
    let mut seen = Seen::default();
    for variant in Variant::ALL {
        seen.walk(variant, 1, POSITIONS / Variant::ALL.len(), |position| {
            let mut generated = vec![false; 1 << u16::BITS];
            for mv in position.legal_moves() {
                generated[usize::from(mv.bits())] = true;
            }
            for &mv in &all {
                let is_generated = generated[usize::from(mv.bits())];
                assert_eq!(position.is_legal(mv), is_generated, "{mv:?} in {}", Fen::new(position));
                assert_eq!(position.play(mv).is_ok(), is_generated, "{mv:?} in {}", Fen::new(position));
            }
        });
    }
    seen.assert_all();
}

#[test]
fn noisy_and_quiet_moves_are_all_moves_once() {
    let mut seen = Seen::default();
    for variant in Variant::ALL {
        seen.walk(variant, 2, 5_000, |position| {
            let all: HashSet<Move> = position.legal_moves().into_iter().collect();
            assert_eq!(all.len(), position.legal_moves().len(), "{}", Fen::new(position));
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            position.add_noisy_moves(&mut noisy);
            position.add_quiet_moves(&mut quiet);
            assert!(noisy.iter().all(|&mv| position.is_noisy(mv)), "{}", Fen::new(position));
            assert!(!quiet.iter().any(|&mv| position.is_noisy(mv)), "{}", Fen::new(position));
            assert_eq!(noisy.len() + quiet.len(), all.len(), "{}", Fen::new(position));
            assert_eq!(noisy.into_iter().chain(quiet).collect::<HashSet<_>>(), all, "{}", Fen::new(position));
        });
    }
    seen.assert_all();
}

#[test]
fn attacked_squares_are_those_that_have_attackers() {
    let mut seen = Seen::default();
    seen.walk(Variant::Standard, 31, 2_000, |position| {
        for color in Color::ALL {
            let attacked = position.attacked_by(color);
            for square in Square::ALL {
                let attackers = position.attackers(square, position.occupied()) & position.color(color);
                assert_eq!(
                    attacked.contains(square),
                    !attackers.is_empty(),
                    "{position:?} {color:?} {square:?}"
                );
            }
        }
    });
}

#[test]
fn lesser_attackers_are_worth_less() {
    /// The roles that are worth less beyond dispute.
    fn lesser(role: Role) -> &'static [Role] {
        match role {
            Role::Pawn | Role::King => &[],
            Role::Knight | Role::Bishop => &[Role::Pawn],
            Role::Rook => &[Role::Pawn, Role::Knight, Role::Bishop],
            Role::Queen => &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook],
        }
    }
    let mut seen = Seen::default();
    seen.walk(Variant::Standard, 37, 2_000, |position| {
        for color in Color::ALL {
            let attacked = position.attack_map(color).by_lesser();
            for role in Role::ALL {
                let wanted =
                    lesser(role).iter().fold(Bitboard::EMPTY, |all, &role| all | position.role(role));
                for square in Square::ALL {
                    let attackers = position.attackers(square, position.occupied()) & position.color(color);
                    assert_eq!(
                        attacked[role].contains(square),
                        attackers.intersects(wanted),
                        "{position:?} {color:?} {role:?} {square:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn greater_pieces_are_attacked_from_the_squares_that_say_so() {
    /// The roles of the opponent that are worth more.
    fn greater(role: Role) -> &'static [Role] {
        match role {
            Role::Pawn => &[Role::Knight, Role::Bishop, Role::Rook, Role::Queen],
            Role::Knight | Role::Bishop => &[Role::Rook, Role::Queen],
            Role::Rook => &[Role::Queen],
            Role::Queen | Role::King => &[],
        }
    }
    let mut seen = Seen::default();
    seen.walk(Variant::Standard, 41, 2_000, |position| {
        for color in Color::ALL {
            let origins = position.attacks_on_greater(color);
            for role in Role::ALL {
                let greater =
                    greater(role).iter().fold(Bitboard::EMPTY, |all, &role| all | position.role(role));
                for square in Square::ALL {
                    let occupied = position.occupied();
                    let attacked = match role {
                        Role::Pawn => attacks::pawn(color, square),
                        Role::Knight => attacks::knight(square),
                        Role::Bishop => attacks::bishop(square, occupied),
                        Role::Rook => attacks::rook(square, occupied),
                        Role::Queen | Role::King => Bitboard::EMPTY,
                    };
                    assert_eq!(
                        origins[role].contains(square),
                        attacked.intersects(greater & position.color(!color)),
                        "{position:?} {color:?} {role:?} {square:?}"
                    );
                }
            }
        }
    });
}

/// All fields of a position, including its key, checks and pins, equal those of the same position when it is set up
/// from its fields, after every move and after null moves.
#[test]
fn what_is_kept_up_is_what_is_computed_anew() {
    fn assert_sound(position: &Position) {
        assert_eq!(position.key(), position.key_from_scratch(), "{}", Fen::new(position));
        assert_eq!(Position::try_from(Setup::from(position)), Ok(*position), "{}", Fen::new(position));
    }
    let mut seen = Seen::default();
    for variant in Variant::ALL {
        seen.walk(variant, 3, 2_000, |position| {
            assert_sound(position);
            for mv in position.legal_moves() {
                assert_sound(&position.after(mv).0);
            }
            if !position.is_check() {
                assert_sound(&position.after_null());
            }
        });
    }
    seen.assert_all();
}

/// The changes that a move reports are the actual changes.
#[test]
fn deltas_lead_from_one_position_to_the_next() {
    let mut seen = Seen::default();
    for variant in Variant::ALL {
        seen.walk(variant, 4, 1_000, |position| {
            for mv in position.legal_moves() {
                let (after, delta) = position.after(mv);
                let mut pieces = Setup::from(position).pieces;
                for placed in delta.removed() {
                    assert_eq!(
                        pieces[placed.square].take(),
                        Some(placed.piece),
                        "{mv:?} in {}",
                        Fen::new(position)
                    );
                }
                for placed in delta.added() {
                    assert_eq!(
                        pieces[placed.square].replace(placed.piece),
                        None,
                        "{mv:?} in {}",
                        Fen::new(position)
                    );
                }
                assert_eq!(pieces, Setup::from(&after).pieces, "{mv:?} in {}", Fen::new(position));
                let captured = delta.captured().map(|placed| placed.piece.role());
                assert_eq!(captured, position.captured_role(mv), "{mv:?} in {}", Fen::new(position));
            }
        });
    }
    seen.assert_all();
}

/// An independent move generator finds the same moves.
#[test]
fn cozy_chess_finds_the_same_moves() {
    const GAMES: usize = 100;
    let mut seen = Seen::default();
    let mut rng = Rng::new(5);
    for variant in Variant::ALL {
        for _ in 0..GAMES {
            let mut position = variant.start(&mut rng);
            let fen = Fen::new(&position).shredder().to_string();
            let mut theirs = cozy_chess::Board::from_fen(&fen, true).expect("an initial position is legal");
            for _ in 0..MAX_PLIES {
                seen.note_position(&position);
                let mut our_moves: Vec<String> =
                    position.legal_moves().into_iter().map(king_takes_rook).collect();
                let mut their_moves = Vec::new();
                theirs.generate_moves(|moves| {
                    their_moves.extend(moves.into_iter().map(|mv| mv.to_string()));
                    false
                });
                our_moves.sort_unstable();
                their_moves.sort_unstable();
                assert_eq!(our_moves, their_moves, "{}", Fen::new(&position));
                let Some(mv) = choose(&position, &mut rng) else {
                    seen.mates += usize::from(position.is_check());
                    break;
                };
                seen.note_move(mv);
                theirs.play(king_takes_rook(mv).parse().expect("both spell moves alike"));
                position = position.after(mv).0;
            }
        }
    }
    seen.assert_all();
}

/// Random setups, most of which no game leads to: both generators agree on whether a setup is a legal position, and on
/// the moves of legal ones.
#[test]
fn cozy_chess_agrees_on_arbitrary_setups() {
    let setups = support::fuzz_cases(100_000) as usize;
    let mut rng = Rng::new(7);
    let (mut accepted, mut refused, mut en_passants, mut castles) = (0, 0, 0, 0);
    for _ in 0..setups {
        let fen = arbitrary_fen(&mut rng);
        let (ours, theirs) = match (position_from_fen(&fen), cozy_chess::Board::from_fen(&fen, true)) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Ok(ours), Err(_)) => {
                assert!(has_check_over_passed_square(&ours), "{fen}");
                continue;
            }
            (Err(error), Ok(_)) => {
                assert!(kings_touch(&fen), "{fen}: {error}");
                continue;
            }
            (Err(_), Err(_)) => {
                refused += 1;
                continue;
            }
        };
        accepted += 1;
        en_passants += usize::from(ours.en_passant().is_some());
        let moves = ours.legal_moves();
        castles += moves.iter().filter(|mv| mv.is_castle()).count();
        let mut count = 0;
        theirs.generate_moves(|moves| {
            count += moves.len();
            false
        });
        assert_eq!(moves.len(), count, "{fen}");
        let nodes: usize = moves.into_iter().map(|mv| ours.after(mv).0.legal_moves().len()).sum();
        assert_eq!(nodes, cozy_perft_2(&theirs), "{fen}");
    }
    let counts = (accepted, refused, en_passants, castles);
    assert!(
        accepted > setups / 10 && refused > setups / 10 && en_passants > 100 && castles > 100,
        "{counts:?}"
    );
}

/// The only arrangement that only Hematite refuses.
fn kings_touch(fen: &str) -> bool {
    let pieces = parse_fen(fen).expect("it is well written").pieces;
    let king = |color| {
        let king = Some(Piece::new(color, Role::King));
        Square::ALL.into_iter().find(|&square| pieces[square] == king).expect("each side has one")
    };
    attacks::king(king(Color::White)).contains(king(Color::Black))
}

/// The only en passant square that only Hematite accepts: a slider gives check across it.
fn has_check_over_passed_square(position: &Position) -> bool {
    let king = position.king(position.turn());
    position.double_push_square().is_some_and(|passed| {
        position.checkers().into_iter().any(|checker| attacks::between(king, checker).contains(passed))
    })
}

fn cozy_perft_2(board: &cozy_chess::Board) -> usize {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            child.generate_moves(|moves| {
                nodes += moves.len();
                false
            });
        }
        false
    });
    nodes
}

/// A FEN with two kings, often on their initial squares, other pieces on random squares, castling rights of some rooks,
/// and sometimes an en passant square behind a pawn.
fn arbitrary_fen(rng: &mut Rng) -> String {
    let mut setup = Setup { turn: Color::ALL[rng.below(2) as usize], ..Setup::EMPTY };
    let mut squares = Square::ALL;
    rng.shuffle(&mut squares);
    for _ in 0..rng.below(20) {
        let piece = Piece::ALL[rng.below(Piece::COUNT as u64) as usize];
        let is_odd = piece.role() == Role::King;
        if let (false, Some(square)) = (is_odd, rng.choose(&squares)) {
            let is_back_rank = [Rank::First, Rank::Eighth].contains(&square.rank());
            if !(piece.role() == Role::Pawn && is_back_rank) {
                setup.pieces[*square] = Some(piece);
            }
        }
    }
    if rng.below(3) == 0 {
        let passed = Square::new(File::ALL[rng.below(8) as usize], setup.turn.relative(Rank::Sixth));
        let up = if setup.turn == Color::White { 1 } else { -1 };
        let [pawn, origin] =
            [-up, up].map(|ranks| passed.offset(0, ranks).expect("a square beside the sixth rank"));
        setup.pieces[pawn] = Some(Piece::new(!setup.turn, Role::Pawn));
        let capturer = pawn.offset(1, 0).or(pawn.offset(-1, 0)).expect("every file has a neighbor");
        setup.pieces[capturer] = Some(Piece::new(setup.turn, Role::Pawn));
        for empty in [passed, origin] {
            setup.pieces[empty] = None;
        }
        setup.en_passant = Some(passed);
    }
    for color in Color::ALL {
        let at_home = Square::new(File::ALL[rng.below(8) as usize], color.back_rank());
        let square = if rng.below(2) == 0 { at_home } else { squares[color.index()] };
        setup.pieces[square] = Some(Piece::new(color, Role::King));
        for file in File::ALL {
            let is_rook =
                setup.pieces[Square::new(file, color.back_rank())] == Some(Piece::new(color, Role::Rook));
            if is_rook && square.rank() == color.back_rank() && rng.below(2) == 0 {
                setup.castling.push(CastlingRight::WithRookOn(color, file));
            }
        }
    }
    write_setup(&setup)
}

/// The Shredder-FEN of a setup that need not be a legal position.
fn write_setup(setup: &Setup) -> String {
    let rank_text = |rank: Rank| -> String {
        let squares = File::ALL.map(|file| setup.pieces[Square::new(file, rank)]);
        squares
            .chunk_by(|a, b| a.is_none() && b.is_none())
            .map(|run| match run[0] {
                Some(piece) => piece.to_string(),
                None => run.len().to_string(),
            })
            .collect()
    };
    let pieces = Rank::ALL.into_iter().rev().map(rank_text).collect::<Vec<_>>().join("/");
    let turn = if setup.turn == Color::White { "w" } else { "b" };
    let rights: String = setup.castling.iter().map(ToString::to_string).collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    let en_passant = setup.en_passant.map_or("-".to_owned(), |square| square.to_string());
    format!("{pieces} {turn} {rights} {en_passant} 0 1")
}

fn king_takes_rook(mv: Move) -> String {
    UciMove::new(mv, CastlingStyle::Chess960).to_string()
}

/// Positions and moves are read back as they were written.
#[test]
fn texts_round_trip() {
    let mut seen = Seen::default();
    for variant in Variant::ALL {
        seen.walk(variant, 6, 5_000, |position| {
            for fen in [Fen::new(position), Fen::new(position).shredder()] {
                assert_eq!(position_from_fen(&fen.to_string()), Ok(*position), "{fen}");
            }
            for mv in position.legal_moves() {
                for style in [CastlingStyle::Standard, CastlingStyle::Chess960] {
                    let text = UciMove::new(mv, style).to_string();
                    assert_eq!(parse_uci_move(&text, position), Ok(mv), "{text} in {}", Fen::new(position));
                }
            }
        });
    }
    seen.assert_all();
}

/// The moves of a position, collected role by role.
fn by_role(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut collect = |set: MoveSet| match set {
        MoveSet::Piece { from, targets, .. } => {
            moves.extend(targets.into_iter().map(|to| Move::new(from, to, MoveKind::Normal)));
        }
        MoveSet::Pawns { offset: (files, ranks), targets, promotes } => {
            let kinds = if promotes { &MoveKind::PROMOTIONS[..] } else { &[MoveKind::Normal] };
            for to in targets {
                let from = to.offset(-files, -ranks).expect("a pawn comes from a square");
                moves.extend(kinds.iter().map(|&kind| Move::new(from, to, kind)));
            }
        }
        MoveSet::EnPassant { from, to } => moves.push(Move::new(from, to, MoveKind::EnPassant)),
        MoveSet::Castle { king, rook } => moves.push(Move::new(king, rook, MoveKind::Castle)),
    };
    for role in Role::ALL {
        position.visit_moves_from(position.role(role), &mut collect);
    }
    position.visit_castling(&mut collect);
    moves
}

/// The moves of each role and castling moves are together all legal moves.
#[test]
fn moves_role_by_role_are_all_moves() {
    let check = |position: &Position| {
        let key = |mv: &Move| (mv.from() as u8, mv.to() as u8, mv.promotion().map(|role| role as u8));
        let (mut found, mut expected) = (by_role(position), position.legal_moves().to_vec());
        found.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(found, expected, "{}", Fen::new(position));
    };
    // With two pins, a pinned piece may reach a square on the line of the other one.
    for fen in [
        "4r2k/8/8/8/8/4B3/8/4KN1r w - - 0 1",
        "4r2k/8/8/8/8/4Q3/8/4KN1r w - - 0 1",
        "7k/8/1b3b2/8/3R4/2R5/1K6/8 w - - 0 1",
        "6rk/8/8/6Q1/b7/8/2Q5/3K2R1 w - - 0 1",
    ] {
        check(&position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")));
    }
    let mut seen = Seen::default();
    for variant in Variant::ALL {
        seen.walk(variant, 7, 5_000, |position| check(position));
    }
    seen.assert_all();
}
