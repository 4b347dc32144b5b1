//! Closed positions: the squares that each man can ever reach, and whether a mate is possible on these squares. A man
//! is a piece or a pawn.
//!
//! The result is the least fixpoint of rules of which every legal move is an instance. It includes everything that can
//! happen in a game, and more: men are assumed to get out of each other's way if they can move, and to be captured if
//! they can be attacked. A mate that is impossible under these assumptions is impossible. The idea is that of
//! semi-static analysis by Miguel Ambrona ("A Practical Algorithm for Chess Unwinnability", 2022,
//! <https://drops.dagstuhl.de/entities/document/10.4230/LIPIcs.FUN.2022.2>).
//!
//! Proof by induction over the moves of a game that ends in the mate: before each move every man is on one of its
//! squares, every frozen man is on its first square, and no man has been captured that cannot be. Then the move is an
//! instance of a rule, and the same is true after it.
//!
//! * A pawn does not pass a pawn that faces it on its file while neither has captured or been captured.
//! * A king does not go to a square attacked by a frozen man, a pawn does not go to a square where a man of its own
//!   side always is, and so on.
//! * If one side has only king moves, the other king must leave it one; otherwise the game ends without a mate. This
//!   rule is applied to one of the kings at a time (`careful`), so that no move of one king depends on a later move of
//!   the other that depends on it.

use crate::chess::attacks::{bishop, bishop_rays, king, knight, pawn, queen, rook, rook_rays};
use crate::chess::{Bitboard, Board, CastlingSide, Color, Rank, Role, Square};
use arrayvec::ArrayVec;

/// The maximum number of men on a board.
const MAX_PIECES: usize = 32;

/// A man, and the squares and captures that it can ever reach.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Man {
    color: Color,
    role: Role,
    start: Square,
    /// The squares that the man can ever reach; for a pawn, those before promotion.
    squares: Bitboard,
    /// The squares that the man can ever reach after promotion to any role.
    promoted: Bitboard,
    /// The squares on which the man can ever capture.
    takes: Bitboard,
    /// Whether the man can ever be captured.
    is_prey: bool,
}

impl Man {
    /// All squares that the man can ever reach.
    fn reach(&self) -> Bitboard {
        self.squares | self.promoted
    }

    /// Whether the man is a pawn that can never capture, and so stays on its file until it promotes.
    fn keeps_file(&self) -> bool {
        self.role == Role::Pawn && self.takes.is_empty()
    }
}

/// The men of a position with all that they can ever do.
#[derive(Clone, PartialEq, Eq)]
struct Reach {
    winner: Color,
    /// The side whose king must leave the other king a move.
    careful: Color,
    men: ArrayVec<Man, MAX_PIECES>,
    /// The squares of men that can neither move nor be captured.
    frozen: Bitboard,
    /// The frozen squares of each side.
    frozen_of: [Bitboard; Color::COUNT],
    /// The first squares of kings, which cannot be captured.
    kings: Bitboard,
    /// The squares that men of each side other than the king can ever reach.
    prey: [Bitboard; Color::COUNT],
    /// The squares on which each side can ever capture.
    takes: [Bitboard; Color::COUNT],
    /// The rooks that may castle: their color, the square of the king and the square of the rook.
    castling: ArrayVec<(Color, Square, Square), 4>,
}

/// Whether a mate by `winner` is proved to be impossible. `false` proves nothing.
pub(super) fn rules_out_mate(board: &Board, winner: Color) -> bool {
    [winner, !winner].into_iter().any(|careful| Reach::new(board, winner, careful).excludes_mate(board))
}

impl Reach {
    /// The state before any rule has been applied.
    fn new(board: &Board, winner: Color, careful: Color) -> Self {
        let mut men = ArrayVec::new();
        let mut castling = ArrayVec::new();
        for color in Color::ALL {
            for role in Role::ALL {
                for start in board.pieces(color, role) {
                    let none = Bitboard::EMPTY;
                    let squares = start.bitboard();
                    men.push(Man {
                        color,
                        role,
                        start,
                        squares,
                        promoted: none,
                        takes: none,
                        is_prey: false,
                    });
                }
            }
            castling
                .extend(board.castling_rooks(color).into_iter().map(|rook| (color, board.king(color), rook)));
        }
        let kings = board.role(Role::King);
        let mut reach = Self {
            winner,
            careful,
            men,
            frozen: board.occupied(),
            frozen_of: Color::ALL.map(|color| board.color(color)),
            kings,
            prey: Color::ALL.map(|color| board.color(color) - kings),
            takes: [Bitboard::EMPTY; 2],
            castling,
        };
        if let Some(target) = board.en_passant() {
            reach.add_en_passant(target, board.turn());
        }
        reach
    }

    /// Adds the en passant capture of the pawn beside `target` by `taker`, as if the pawn could also be on `target`.
    fn add_en_passant(&mut self, target: Square, taker: Color) {
        let pawn = target.offset(0, if taker == Color::White { -1 } else { 1 });
        let Some(man) = self.men.iter_mut().find(|man| Some(man.start) == pawn) else { return };
        man.squares |= target;
        man.is_prey = true;
        let start = man.start.bitboard();
        self.prey[!taker] |= target;
        self.thaw(start);
    }

    /// Applies the rules until nothing changes, and returns whether a mate is impossible.
    fn excludes_mate(mut self, board: &Board) -> bool {
        loop {
            let before = self.clone();
            self.grow();
            if self.men.iter().any(|man| man.color == self.winner && !man.promoted.is_empty()) {
                return false;
            }
            if self == before {
                return !self.allows_mate(board);
            }
        }
    }

    /// Applies every rule to every man once.
    fn grow(&mut self) {
        self.castle();
        let guarded = Color::ALL.map(|color| self.guarded(color));
        for index in 0..self.men.len() {
            let man = self.men[index];
            // A man neither moves to a square that a man of its own side never leaves, nor captures a king.
            let barred = self.frozen_of[man.color] | self.kings & self.frozen;
            let grown = match man.role {
                Role::King => self.grow_king(&man, barred | guarded[!man.color]),
                Role::Pawn => self.grow_pawn(&man, barred),
                _ => {
                    let targets = self.targets(man.role, man.squares) - barred;
                    Man { squares: man.squares | targets, takes: man.takes | targets, ..man }
                }
            };
            if grown.squares.is_many() || !grown.promoted.is_empty() {
                self.thaw(man.start.bitboard());
            }
            self.thaw(grown.takes & self.frozen_of[!man.color]);
            self.takes[man.color] |= grown.takes;
            if man.role != Role::King {
                self.prey[man.color] |= grown.reach();
            }
            let is_prey = man.is_prey || grown.reach().intersects(self.takes[!man.color]);
            self.men[index] = Man { is_prey, ..grown };
        }
    }

    /// The squares to which a piece of this role moves from any of these squares.
    fn targets(&self, role: Role, squares: Bitboard) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |all, from| {
            all | match role {
                Role::Knight => knight(from),
                Role::Bishop => bishop(from, self.frozen),
                Role::Rook => rook(from, self.frozen),
                _ => queen(from, self.frozen),
            }
        })
    }

    fn grow_king(&self, man: &Man, barred: Bitboard) -> Man {
        let mut targets = beside(man.squares) - barred;
        // Before its first move the king may shield a man, which that move sets free.
        if man.color == self.careful && !self.frozen.contains(man.start) && self.is_alone(!man.color) {
            targets = targets
                .into_iter()
                .filter(|&to| man.squares.contains(to) || self.leaves_moves(man, to))
                .collect();
        }
        Man { squares: man.squares | targets, takes: man.takes | targets, ..*man }
    }

    fn grow_pawn(&self, man: &Man, barred: Bitboard) -> Man {
        let taking = man.squares.into_iter().fold(Bitboard::EMPTY, |all, from| all | pawn(man.color, from));
        let captures = taking & self.prey[!man.color] & !barred;
        let targets = self.ahead(man) | captures;
        let last = man.color.relative(Rank::Eighth).squares();
        let mut promoted = man.promoted | targets & last;
        let officer = (self.targets(Role::Queen, promoted) | self.targets(Role::Knight, promoted)) - barred;
        promoted |= officer;
        Man {
            squares: man.squares | (targets - last),
            promoted,
            takes: man.takes | captures | officer,
            ..*man
        }
    }

    /// The squares to which a pawn can push.
    fn ahead(&self, man: &Man) -> Bitboard {
        let step = |set: Bitboard| man.color.forward(set);
        let closed = if man.keeps_file() { self.frozen | self.beyond_facing(man) } else { self.frozen };
        let once = step(man.squares) - closed;
        let first = step(man.squares & man.color.relative(Rank::Second)) - closed;
        once | (step(first) - closed)
    }

    /// The squares blocked by pawns on the file that face this pawn and cannot leave or be captured, and all squares
    /// beyond them.
    fn beyond_facing(&self, man: &Man) -> Bitboard {
        let is_ahead = |other: Square| match man.color {
            Color::White => other > man.start,
            Color::Black => other < man.start,
        };
        let faces = |other: &&Man| {
            other.color != man.color
                && other.keeps_file()
                && !other.is_prey
                && other.start.file() == man.start.file()
                && is_ahead(other.start)
        };
        let facing = self.men.iter().filter(faces).map(|other| other.start);
        let file = man.start.file().squares();
        facing.fold(Bitboard::EMPTY, |all, from| {
            let below = from.bitboard().bits() - 1;
            let beyond = match man.color {
                Color::White => !Bitboard::from_bits(below),
                Color::Black => Bitboard::from_bits(below).with(from),
            };
            all | beyond & file
        })
    }

    /// Applies castling, unless a frozen man is in the way of the king or the rook.
    fn castle(&mut self) {
        for (color, king, rook) in self.castling.clone() {
            let [king_to, rook_to] = CastlingSide::of(king, rook).castled(king.rank());
            let on_way = |from: Square, to: Square| crate::chess::attacks::between(from, to) | to;
            let way = (on_way(king, king_to) | on_way(rook, rook_to)) - king - rook;
            if way.intersects(self.frozen) {
                continue;
            }
            self.thaw(king.bitboard() | rook);
            for man in &mut self.men {
                if man.start == king && man.color == color {
                    man.squares |= king_to;
                } else if man.start == rook && man.color == color {
                    man.squares |= rook_to;
                }
            }
        }
    }

    /// Marks the men on these squares as able to move or to be captured.
    fn thaw(&mut self, squares: Bitboard) {
        self.frozen -= squares;
        for frozen in &mut self.frozen_of {
            *frozen -= squares;
        }
    }

    /// Whether all men of a side except the king are frozen.
    fn is_alone(&self, color: Color) -> bool {
        self.men
            .iter()
            .filter(|man| man.color == color && man.role != Role::King)
            .all(|man| self.frozen.contains(man.start))
    }

    /// Whether the other king, the only man of its side that can move, can have a move after this king has gone to
    /// `to`, or can be mated by a man that this king was in the way of.
    fn leaves_moves(&self, man: &Man, to: Square) -> bool {
        let other = self.king(!man.color);
        let free = other.squares - king(to) - to;
        if beside(free).intersects(free) {
            return true;
        }
        let left = man.squares & king(to);
        man.color == self.winner
            && free.into_iter().any(|square| {
                let walls = self.frozen - other.start;
                self.has_mobile(Role::Bishop) && bishop(square, walls).intersects(left)
                    || self.has_mobile(Role::Rook) && rook(square, walls).intersects(left)
            })
    }

    fn king(&self, color: Color) -> &Man {
        let found = self.men.iter().find(|man| man.color == color && man.role == Role::King);
        found.expect("a board has a king of each color")
    }

    /// Whether the winner has a man that moves like this role and is not frozen.
    fn has_mobile(&self, role: Role) -> bool {
        let is_such = |man: &Man| man.role == role || man.role == Role::Queen;
        self.men
            .iter()
            .any(|man| man.color == self.winner && is_such(man) && !self.frozen.contains(man.start))
    }

    /// The squares that frozen men of this side attack forever: the adjacent squares that they attack, and those a
    /// knight's jump away.
    fn guarded(&self, color: Color) -> Bitboard {
        let frozen = self.men.iter().filter(|man| man.color == color && self.frozen.contains(man.start));
        frozen.fold(Bitboard::EMPTY, |all, man| {
            let from = man.start;
            all | match man.role {
                Role::Pawn => pawn(color, from),
                Role::Knight => knight(from),
                Role::Bishop => king(from) & bishop_rays(from),
                Role::Rook => king(from) & rook_rays(from),
                Role::Queen | Role::King => king(from),
            }
        })
    }

    /// Whether the loser's king can ever be on a square where a man of the winner can check it, while each adjacent
    /// square is either attacked by a man of the winner or occupied by a man of the loser.
    fn allows_mate(&self, board: &Board) -> bool {
        let loser = !self.winner;
        // The loser's king does not shield the squares behind it.
        let walls = self.frozen - board.king(loser);
        let mut cover = Bitboard::EMPTY;
        let mut blockers = ArrayVec::<Bitboard, MAX_PIECES>::new();
        for man in self.men.iter().filter(|man| man.role != Role::King) {
            if man.color == self.winner {
                cover |= attacked(man, walls);
            } else if !self.frozen.contains(man.start) {
                blockers.push(man.reach());
            }
        }
        let walled = self.frozen_of[loser] - self.kings;
        let own_king = self.king(self.winner).squares;
        (self.king(loser).squares & cover).into_iter().any(|square| {
            let open = king(square) - cover - walled;
            let is_enough = |covered: Bitboard| can_fill(open - covered, &blockers);
            is_enough(Bitboard::EMPTY)
                || (own_king - king(square) - square).into_iter().any(|own| is_enough(king(own)))
        })
    }
}

/// The squares adjacent to any of these squares.
fn beside(squares: Bitboard) -> Bitboard {
    let rows = squares | squares.east() | squares.west();
    squares.east() | squares.west() | rows.north() | rows.south()
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

/// Whether each of these squares, which are adjacent to a king, can be occupied by a different man: bipartite matching
/// by augmenting paths.
fn can_fill(squares: Bitboard, men: &[Bitboard]) -> bool {
    fn place(
        square: Square,
        men: &[Bitboard],
        on: &mut [Option<Square>; MAX_PIECES],
        tried: &mut u32,
    ) -> bool {
        (0..men.len()).any(|man| {
            if !men[man].contains(square) || *tried >> man & 1 != 0 {
                return false;
            }
            *tried |= 1 << man;
            let is_free = on[man].is_none_or(|other| place(other, men, on, tried));
            if is_free {
                on[man] = Some(square);
            }
            is_free
        })
    }
    let mut on = [None; MAX_PIECES];
    squares.into_iter().all(|square| place(square, men, &mut on, &mut 0))
}

/// Whether the pawns block each other on every file that has any, and no pawn can ever reach a square from which it
/// could capture another. Only in such positions is the computation of reachable squares worth its time.
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
