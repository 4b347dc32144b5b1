//! Closed positions: which squares each man can ever reach, and whether a mate is possible among these.
//!
//! The answer is the least fixpoint of rules of which every legal move is an instance, so it takes in all that can
//! happen in a game, and more: men are thought to be out of each other's way when they can leave, and to be taken when
//! they can be attacked. What stays impossible even so is impossible. The idea is that of semi-static analysis by
//! Miguel Ambrona ("A Practical Algorithm for Chess Unwinnability", 2022,
//! <https://drops.dagstuhl.de/entities/document/10.4230/LIPIcs.FUN.2022.2>).
//!
//! Proof by induction over the moves of a game: before each of them every man stands on one of its squares and every
//! frozen man on its first one, not captured. Then the move is an instance of a rule, and the same holds after it.

use crate::chess::attacks::{bishop, bishop_rays, king, knight, pawn, queen, rook, rook_rays};
use crate::chess::{Bitboard, Board, Color, Rank, Role, Square, Wing};
use arrayvec::ArrayVec;

/// The most men on a board.
const MAX_MEN: usize = 32;

/// A man and what it can ever do.
#[derive(Clone, Copy)]
struct Man {
    color: Color,
    role: Role,
    /// The squares that it can ever be on; for a pawn, as a pawn.
    squares: Bitboard,
    /// The squares that it can ever be on when it has promoted to any role.
    promoted: Bitboard,
}

impl Man {
    /// The squares that it can ever be on.
    fn reach(&self) -> Bitboard {
        self.squares | self.promoted
    }
}

/// What the men of a position can ever do.
struct Reach {
    men: ArrayVec<Man, MAX_MEN>,
    /// The squares of men that can neither move nor be captured.
    frozen: Bitboard,
    /// Those of each side.
    frozen_of: [Bitboard; Color::COUNT],
    /// The squares of kings, which cannot be captured.
    kings: Bitboard,
    /// The squares that men of each side other than its king can ever be on.
    prey: [Bitboard; Color::COUNT],
}

/// Whether nothing that can ever happen lets `winner` mate. `false` says nothing.
pub(super) fn rules_out_mate(board: &Board, winner: Color) -> bool {
    let mut reach = Reach::new(board);
    loop {
        let (men, frozen) = (reach.men.clone(), reach.frozen);
        reach.grow();
        if reach.promotes(winner) {
            return false;
        }
        let is_same = |(a, b): (&Man, &Man)| a.squares == b.squares && a.promoted == b.promoted;
        if frozen == reach.frozen && men.iter().zip(&reach.men).all(is_same) {
            return !reach.allows_mate(board, winner);
        }
    }
}

impl Reach {
    /// Nobody has moved yet.
    fn new(board: &Board) -> Self {
        let mut men = ArrayVec::new();
        let mut frozen = board.occupied();
        let mut prey = [Color::White, Color::Black].map(|color| board.color(color) - board.role(Role::King));
        for color in Color::ALL {
            for role in Role::ALL {
                for square in board.pieces(color, role) {
                    men.push(Man { color, role, squares: square.bitboard(), promoted: Bitboard::EMPTY });
                }
            }
            // Whether castling is ever possible is not looked into.
            let king = board.king(color);
            for rook in board.castling_rooks(color) {
                let wing = if rook > king { Wing::King } else { Wing::Queen };
                let rank = color.back_rank();
                for man in &mut men {
                    if man.squares.contains(king) {
                        man.squares |= Square::new(wing.king_file(), rank);
                    } else if man.squares.contains(rook) {
                        man.squares |= Square::new(wing.rook_file(), rank);
                    }
                }
                frozen = frozen - king - rook;
            }
        }
        if let Some(target) = board.en_passant() {
            // A pawn that can be captured beside the square is as good as one on it.
            let passer = !board.turn();
            let pawn = target.offset(0, if passer == Color::White { 1 } else { -1 });
            if let Some(man) = pawn.and_then(|pawn| men.iter_mut().find(|man| man.squares.contains(pawn))) {
                frozen -= man.squares;
                man.squares |= target;
                prey[passer] |= target;
            }
        }
        let mut reach = Self { men, frozen, frozen_of: prey, kings: board.role(Role::King), prey };
        reach.split(board);
        reach
    }

    fn split(&mut self, board: &Board) {
        self.frozen_of = Color::ALL.map(|color| self.frozen & board.color(color));
    }

    fn promotes(&self, color: Color) -> bool {
        self.men.iter().any(|man| man.color == color && !man.promoted.is_empty())
    }

    /// Applies every rule once to every man.
    fn grow(&mut self) {
        let guarded = Color::ALL.map(|color| self.guarded(color));
        for index in 0..self.men.len() {
            let man = self.men[index];
            let (own, enemy) = (self.frozen_of[man.color], self.frozen_of[!man.color]);
            // Nobody goes where a man of his own always is, nor captures a king.
            let barred = own | self.kings & self.frozen;
            let mut captures = Bitboard::EMPTY;
            let mut squares = man.squares;
            let mut promoted = man.promoted;
            match man.role {
                Role::King => {
                    let targets = man.squares.into_iter().fold(Bitboard::EMPTY, |all, from| all | king(from));
                    captures = targets - barred - guarded[!man.color];
                    squares |= captures;
                }
                Role::Pawn => {
                    let ahead = self.ahead(man.color, man.squares);
                    let taking = man
                        .squares
                        .into_iter()
                        .fold(Bitboard::EMPTY, |all, from| all | pawn(man.color, from));
                    captures = taking & self.prey[!man.color] & !barred;
                    let last = man.color.relative(Rank::Eighth).squares();
                    squares |= (ahead | captures) - last;
                    promoted |= (ahead | captures) & last;
                }
                role => {
                    let targets = man.squares.into_iter().fold(Bitboard::EMPTY, |all, from| {
                        all | match role {
                            Role::Knight => knight(from),
                            Role::Bishop => bishop(from, self.frozen),
                            Role::Rook => rook(from, self.frozen),
                            _ => queen(from, self.frozen),
                        }
                    });
                    captures |= targets - barred;
                    squares |= captures;
                }
            }
            for from in promoted {
                promoted |= (queen(from, self.frozen) | knight(from)) - barred;
            }
            captures |= promoted;
            let has_moved = squares.is_many() || !promoted.is_empty();
            let moved = if has_moved { man.squares & own } else { Bitboard::EMPTY };
            // Only its first square can be among the frozen ones, since nobody enters one of his own side.
            self.thaw(moved | captures & enemy);
            if man.role != Role::King {
                self.prey[man.color] |= squares | promoted;
            }
            self.men[index] = Man { squares, promoted, ..man };
        }
    }

    /// The men that were frozen on these squares can move or be captured.
    fn thaw(&mut self, squares: Bitboard) {
        self.frozen -= squares;
        for frozen in &mut self.frozen_of {
            *frozen -= squares;
        }
    }

    /// The squares that pawns on these squares can push to.
    fn ahead(&self, color: Color, pawns: Bitboard) -> Bitboard {
        let step = |set: Bitboard| match color {
            Color::White => set.north(),
            Color::Black => set.south(),
        };
        let once = step(pawns) - self.frozen;
        once | step(step(pawns & color.relative(Rank::Second)) - self.frozen) - self.frozen
    }

    /// The squares that frozen men of this side attack for ever: those next to them, and a knight's jump away.
    fn guarded(&self, color: Color) -> Bitboard {
        let mut guarded = Bitboard::EMPTY;
        for man in self.men.iter().filter(|man| man.color == color && man.squares.is_subset(self.frozen)) {
            let Some(from) = man.squares.first() else { continue };
            guarded |= match man.role {
                Role::Pawn => pawn(color, from),
                Role::Knight => knight(from),
                Role::Bishop => king(from) & bishop_rays(from),
                Role::Rook => king(from) & rook_rays(from),
                Role::Queen | Role::King => king(from),
            };
        }
        guarded
    }

    /// Whether the other king can ever be on a square where a man of `winner` can give check, each square beside it
    /// denied to him by a man of `winner` that can attack it or by one of his own that can be there.
    fn allows_mate(&self, board: &Board, winner: Color) -> bool {
        let loser = !winner;
        // A king does not hide the squares behind him.
        let walls = self.frozen - board.pieces(loser, Role::King);
        let mut cover = Bitboard::EMPTY;
        let mut kings = [Bitboard::EMPTY; Color::COUNT];
        let mut blockable = Bitboard::EMPTY;
        let mut blockers = 0;
        for man in &self.men {
            if man.role == Role::King {
                kings[man.color] = man.squares;
            } else if man.color == winner {
                cover |= Self::attacked(man, walls);
            } else if !man.squares.is_subset(self.frozen) {
                blockable |= man.reach();
                blockers += 1;
            }
        }
        let walled = self.frozen_of[loser] - self.kings;
        (kings[loser] & cover).into_iter().any(|square| {
            let open = king(square) - cover - walled;
            let is_enough = |covered: Bitboard| {
                let left = open - covered;
                left.is_subset(blockable) && left.count() <= blockers
            };
            let near = king(square) | square;
            is_enough(Bitboard::EMPTY) || (kings[winner] - near).into_iter().any(|own| is_enough(king(own)))
        })
    }

    /// The squares that a man other than a king can ever attack.
    fn attacked(man: &Man, walls: Bitboard) -> Bitboard {
        man.squares.into_iter().fold(Bitboard::EMPTY, |all, from| {
            all | match man.role {
                Role::Pawn => pawn(man.color, from),
                Role::Knight => knight(from),
                Role::Bishop => bishop(from, walls),
                Role::Rook => rook(from, walls),
                Role::Queen => queen(from, walls),
                Role::King => Bitboard::EMPTY,
            }
        })
    }
}

/// Whether pawns of both sides stand in each other's way on every file that has any, and none can ever come to where it
/// could capture another. Only such positions are worth a look at what the men can reach.
pub(super) fn is_closed(board: &Board) -> bool {
    let [white, black] = [Color::White, Color::Black].map(|color| board.pieces(color, Role::Pawn));
    let (mut up, mut down) = (white, black);
    for _ in 0..Rank::COUNT - 2 {
        up |= up.north() - black;
        down |= down.south() - white;
    }
    let ahead = up.north();
    let meets = (ahead.east() | ahead.west()).intersects(down);
    let is_free = up.intersects(Rank::Eighth.squares()) || down.intersects(Rank::First.squares());
    !(meets || is_free || (white | black).is_empty())
}
