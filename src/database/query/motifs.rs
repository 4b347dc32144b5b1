//! Geometric motifs: kinds of pawns and files, and attacks between men. Each motif is counted, and the count is
//! compared.
//!
//! Only the placement on the board matters: attacks do not depend on pins or on the side to move.

use super::change::Change;
use super::content::Designator;
use super::headers::{BadValue, Operator, Range};
use super::positions::split_operator;
use crate::chess::{Bitboard, Color, Rank, Role, Square, attacks};
use crate::database::men::Arrangement;

/// The kinds of motifs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Passed,
    Isolated,
    Doubled,
    Backward,
    Connected,
    OpenFile,
    HalfOpen,
    Attacks,
    XRay,
    Pin,
    Skewer,
    Battery,
    Hanging,
    Fork,
    Outpost,
}

impl Kind {
    /// The name of the term.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Isolated => "isolated",
            Self::Doubled => "doubled",
            Self::Backward => "backward",
            Self::Connected => "connected",
            Self::OpenFile => "open-file",
            Self::HalfOpen => "half-open",
            Self::Attacks => "attacks",
            Self::XRay => "xray",
            Self::Pin => "pin",
            Self::Skewer => "skewer",
            Self::Battery => "battery",
            Self::Hanging => "hanging",
            Self::Fork => "fork",
            Self::Outpost => "outpost",
        }
    }

    /// Whether the motif has a meaning without designated men.
    pub(super) const fn stands_alone(self) -> bool {
        !matches!(self, Self::Attacks | Self::XRay)
    }

    /// The roles of the first man, and their name for errors; `None` if it may be any man.
    const fn roles(self) -> Option<(&'static [Role], &'static str)> {
        const PAWNS: (&[Role], &str) = (&[Role::Pawn], "pawns, such as P, p or white");
        const LINES: (&[Role], &str) =
            (&[Role::Bishop, Role::Rook, Role::Queen], "bishops, rooks or queens, such as B, r or white");
        match self {
            Self::Passed | Self::Isolated | Self::Doubled | Self::Backward | Self::Connected => Some(PAWNS),
            Self::XRay | Self::Pin | Self::Skewer | Self::Battery => Some(LINES),
            _ => None,
        }
    }

    /// The maximum number of designators, separated by arrows.
    const fn most(self) -> usize {
        match self {
            Self::XRay | Self::Pin | Self::Skewer => 3,
            Self::Attacks | Self::Battery | Self::Fork => 2,
            _ => 1,
        }
    }
}

/// A motif with the range of its count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Motif {
    kind: Kind,
    /// The men in the order of the arrows: the attacker, the attacked, and the man behind it. Without a designator, the
    /// kind determines the men.
    men: [Option<Designator>; 3],
    range: Range,
}

const ARROW: &str = "->";

impl Motif {
    /// The motif at least once, if it needs no designated men.
    pub(super) fn alone(kind: Kind) -> Option<Self> {
        kind.stands_alone().then(|| Self { kind, men: [None; 3], range: Range::at_least(1) })
    }

    /// Reads a count, or men with arrows between them, followed by a count.
    pub(super) fn read(kind: Kind, operator: Operator, text: &str) -> Result<Self, BadValue> {
        let is_count = text.starts_with(|letter: char| letter.is_ascii_digit());
        if is_count || !matches!(operator, Operator::Colon | Operator::Equal) {
            let range = Range::read(operator, text)?;
            let motif = Self::alone(kind).ok_or_else(|| BadValue::new(0, "men, such as N->q"))?;
            return Ok(Self { range, ..motif });
        }
        // The `>` of an arrow is not a comparison.
        let mut end = text.len();
        let mut range = Range::at_least(1);
        let signs = text.char_indices().find(|&(at, letter)| {
            matches!(letter, '=' | '<' | '>') && !(letter == '>' && text[..at].ends_with('-'))
        });
        if let Some((at, _)) = signs
            && let Some((operator, value)) = split_operator(&text[at..])
        {
            let offset = text.len() - value.len();
            range = Range::read(operator, value.trim())
                .map_err(|error| BadValue { at: offset + error.at, ..error })?;
            end = at;
        }
        let mut men = [None; 3];
        let mut at = 0;
        for (index, word) in text[..end].split(ARROW).enumerate() {
            if index >= kind.most() {
                return Err(BadValue::new(at, "no more men"));
            }
            let start = at + (word.len() - word.trim_start().len());
            let word_read = match kind {
                Kind::OpenFile => Designator::read_squares(word.trim()),
                _ => Designator::read(word.trim()),
            };
            men[index] = Some(word_read.map_err(|error| BadValue { at: start + error.at, ..error })?);
            at += word.len() + ARROW.len();
        }
        let named = men.iter().flatten().count();
        let is_attacked = matches!(kind, Kind::Pin | Kind::Skewer) && named == 1;
        if let (Some((roles, expected)), Some(first)) = (kind.roles(), men[0].filter(|_| !is_attacked))
            && !first.has_roles(roles)
        {
            return Err(BadValue::new(0, expected));
        }
        match kind {
            Kind::Attacks if named < 2 => Err(BadValue::new(end, "two kinds of men, such as N->q")),
            Kind::XRay if named < 3 => Err(BadValue::new(end, "three kinds of men, such as R->q->k")),
            // In a pin or a skewer, a single designator is for the man that is attacked.
            _ if is_attacked => Ok(Self { kind, men: [None, men[0], None], range }),
            _ => Ok(Self { kind, men, range }),
        }
    }

    /// The motif on a changed board; `None` if something would leave it.
    pub(super) fn changed(&self, change: Change) -> Option<Self> {
        let mut men = [None; 3];
        for (to, from) in men.iter_mut().zip(&self.men) {
            *to = match from {
                Some(from) => Some(from.changed(change)?),
                None => None,
            };
        }
        Some(Self { men, ..self.clone() })
    }

    /// The cost of the evaluation, relative to other tests.
    pub(super) const fn cost(&self) -> u8 {
        match self.kind {
            Kind::Passed | Kind::Isolated | Kind::Doubled | Kind::Backward | Kind::Connected => 2,
            Kind::OpenFile | Kind::HalfOpen | Kind::Outpost => 2,
            Kind::Attacks | Kind::XRay | Kind::Pin | Kind::Skewer | Kind::Battery => 3,
            Kind::Hanging | Kind::Fork => 4,
        }
    }

    pub(super) fn holds(&self, board: &impl Arrangement) -> bool {
        self.range.contains(self.count(board))
    }

    /// The men of a designator, or `others` if there is none.
    fn men(&self, index: usize, board: &impl Arrangement, others: Bitboard) -> Bitboard {
        self.men[index].map_or(others, |men| men.find(board))
    }

    fn count(&self, board: &impl Arrangement) -> i64 {
        match self.kind {
            Kind::Passed | Kind::Isolated | Kind::Doubled | Kind::Backward | Kind::Connected => {
                let pawns = Color::ALL
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, color| all | pawns(self.kind, color, board));
                number(self.men(0, board, pawns) & pawns)
            }
            Kind::OpenFile => number(
                !file_fill(board.role(Role::Pawn)) & Rank::First.squares() & files_of(self.men[0].as_ref()),
            ),
            Kind::HalfOpen => {
                let of = |color: Color| {
                    let own = file_fill(board.pieces(color, Role::Pawn));
                    let other = file_fill(board.pieces(!color, Role::Pawn));
                    let is_meant = self.men[0].is_none_or(|men| men.has_color(color));
                    (other & !own & Rank::First.squares() & files_of(self.men[0].as_ref())).only_if(is_meant)
                };
                number(of(Color::White)) + number(of(Color::Black))
            }
            Kind::Attacks => {
                let targets = self.men(1, board, Bitboard::EMPTY);
                self.sum(board, |from| number(attacked_from(board, from) & targets))
            }
            Kind::XRay | Kind::Pin | Kind::Skewer => self.rays(board),
            Kind::Battery => {
                let partners = self.men(1, board, board.occupied());
                self.sum(board, |from| {
                    let own = board.color(color_at(board, from)) & partners;
                    let has_partner = (line_attacks(board, from) & own)
                        .into_iter()
                        .any(|partner| line_attacks(board, partner).contains(from));
                    i64::from(has_partner)
                })
            }
            Kind::Hanging => {
                let hanging = Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, color| {
                    all | hanging(board, color) & !board.role(Role::King)
                });
                number(self.men(0, board, hanging) & hanging)
            }
            Kind::Fork => {
                let hanging = Color::ALL.map(|color| hanging(board, color));
                self.sum(board, |from| {
                    let color = color_at(board, from);
                    let enemies = attacked_from(board, from) & board.color(!color);
                    let prey = match &self.men[1] {
                        Some(men) => men.find(board),
                        None => worth_more(board, from) | hanging[!color],
                    };
                    i64::from((enemies & prey).is_many())
                })
            }
            Kind::Outpost => {
                let minor = board.role(Role::Knight) | board.role(Role::Bishop);
                let outposts =
                    Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, color| all | outposts(board, color));
                number(self.men(0, board, minor) & outposts)
            }
        }
    }

    /// The sum over all men of the first designator.
    fn sum(&self, board: &impl Arrangement, count: impl Fn(Square) -> i64) -> i64 {
        let men = self.men(0, board, board.occupied()) & board.occupied();
        men.into_iter().map(count).sum()
    }

    /// The number of lines through one man to another.
    fn rays(&self, board: &impl Arrangement) -> i64 {
        let occupied = board.occupied();
        let pieces = occupied & !board.role(Role::Pawn);
        let middle = self.men(1, board, occupied) & occupied;
        let behind = match self.kind {
            Kind::Pin => self.men(2, board, board.role(Role::King)),
            Kind::Skewer => self.men(2, board, pieces & !board.role(Role::King)),
            _ => self.men(2, board, occupied),
        };
        self.sum(board, |from| {
            let seen = line_attacks(board, from);
            let through = |man: Square| {
                let line = line_from(board, from, occupied - man) & !seen & occupied;
                let target = (line & behind).first()?;
                let enemy = !color_at(board, from);
                let are_enemies = board.color(enemy).contains(man) && board.color(enemy).contains(target);
                let fits = match self.kind {
                    Kind::Pin => are_enemies,
                    Kind::Skewer => are_enemies && worth(board, man) > worth(board, target),
                    _ => true,
                };
                fits.then_some(())
            };
            (seen & middle).into_iter().filter_map(through).count() as i64
        })
    }
}

fn number(squares: Bitboard) -> i64 {
    squares.count().into()
}

fn color_at(board: &impl Arrangement, square: Square) -> Color {
    if board.color(Color::White).contains(square) { Color::White } else { Color::Black }
}

/// The squares that the man on a square attacks, whether empty or not.
fn attacked_from(board: &impl Arrangement, from: Square) -> Bitboard {
    board
        .role_at(from)
        .map_or(Bitboard::EMPTY, |role| attacks::attacks(role, color_at(board, from), from, board.occupied()))
}

/// The squares that a bishop, rook or queen on a square attacks; empty for other men.
fn line_attacks(board: &impl Arrangement, from: Square) -> Bitboard {
    line_from(board, from, board.occupied())
}

fn line_from(board: &impl Arrangement, from: Square, occupied: Bitboard) -> Bitboard {
    match board.role_at(from) {
        Some(Role::Bishop) => attacks::bishop(from, occupied),
        Some(Role::Rook) => attacks::rook(from, occupied),
        Some(Role::Queen) => attacks::queen(from, occupied),
        _ => Bitboard::EMPTY,
    }
}

/// All squares that a side attacks.
fn attacked_by(board: &impl Arrangement, color: Color) -> Bitboard {
    board.color(color).into_iter().fold(Bitboard::EMPTY, |all, from| all | attacked_from(board, from))
}

/// The men of a side that are attacked and unprotected.
fn hanging(board: &impl Arrangement, color: Color) -> Bitboard {
    board.color(color) & attacked_by(board, !color) & !attacked_by(board, color)
}

/// The men that give check to the side to move.
pub(super) fn checkers(board: &impl Arrangement) -> Bitboard {
    let enemy = !board.turn();
    let Some(king) = board.king(board.turn()) else { return Bitboard::EMPTY };
    let occupied = board.occupied();
    let queens = board.role(Role::Queen);
    board.color(enemy)
        & (attacks::pawn(!enemy, king) & board.role(Role::Pawn)
            | attacks::knight(king) & board.role(Role::Knight)
            | attacks::bishop(king, occupied) & (board.role(Role::Bishop) | queens)
            | attacks::rook(king, occupied) & (board.role(Role::Rook) | queens))
}

/// The rank of a man by its value; knights and bishops are equal, and kings have the highest rank.
fn worth(board: &impl Arrangement, square: Square) -> u8 {
    match board.role_at(square) {
        None => 0,
        Some(Role::Pawn) => 1,
        Some(Role::Knight | Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        Some(Role::King) => 5,
    }
}

/// All men that are worth more than the one on a square, and all kings.
fn worth_more(board: &impl Arrangement, than: Square) -> Bitboard {
    let roles: &[Role] = match worth(board, than) {
        1 => &[Role::Knight, Role::Bishop, Role::Rook, Role::Queen],
        2 => &[Role::Rook, Role::Queen],
        3 => &[Role::Queen],
        _ => &[],
    };
    roles.iter().fold(board.role(Role::King), |all, &role| all | board.role(role))
}

/// The squares in front of these, to the end of their files.
fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    let bits = squares.bits();
    Bitboard::from_bits(match color {
        Color::White => {
            let bits = bits << 8;
            let bits = bits | bits << 8;
            let bits = bits | bits << 16;
            bits | bits << 32
        }
        Color::Black => {
            let bits = bits >> 8;
            let bits = bits | bits >> 8;
            let bits = bits | bits >> 16;
            bits | bits >> 32
        }
    })
}

fn file_fill(squares: Bitboard) -> Bitboard {
    squares | ahead(Color::White, squares) | ahead(Color::Black, squares)
}

/// The files of the designated squares, or all.
fn files_of(men: Option<&Designator>) -> Bitboard {
    men.map_or(Bitboard::from_bits(u64::MAX), |men| file_fill(men.squares()))
}

fn beside(squares: Bitboard) -> Bitboard {
    squares.east() | squares.west()
}

/// The pawns of a side of a kind.
fn pawns(kind: Kind, color: Color, board: &impl Arrangement) -> Bitboard {
    let (own, enemy) = (board.pieces(color, Role::Pawn), board.pieces(!color, Role::Pawn));
    match kind {
        Kind::Passed => {
            let stopped = ahead(!color, enemy);
            own & !(stopped | beside(stopped))
        }
        Kind::Isolated => own & !beside(file_fill(own)),
        Kind::Doubled => own & (ahead(color, own) | ahead(!color, own)),
        Kind::Connected => {
            let beside = beside(own);
            own & (beside | beside.north() | beside.south())
        }
        Kind::Backward => {
            let supported = beside(own | ahead(color, own));
            let alone = own & !supported & beside(file_fill(own));
            let attacked = attacks::pawns(!color, enemy);
            alone & (!color).forward(color.forward(alone) & attacked)
        }
        _ => Bitboard::EMPTY,
    }
}

/// The squares of a side in the enemy's half or just before it that are protected by a pawn and can never be attacked
/// by an enemy pawn.
fn outposts(board: &impl Arrangement, color: Color) -> Bitboard {
    let ranks = match color {
        Color::White => [Rank::Fourth, Rank::Fifth, Rank::Sixth],
        Color::Black => [Rank::Fifth, Rank::Fourth, Rank::Third],
    };
    let zone = ranks.iter().fold(Bitboard::EMPTY, |all, rank| all | rank.squares());
    let protected = attacks::pawns(color, board.pieces(color, Role::Pawn));
    let reached = beside(ahead(!color, board.pieces(!color, Role::Pawn)));
    board.color(color) & zone & protected & !reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;

    const KINDS: [Kind; 15] = [
        Kind::Passed,
        Kind::Isolated,
        Kind::Doubled,
        Kind::Backward,
        Kind::Connected,
        Kind::OpenFile,
        Kind::HalfOpen,
        Kind::Attacks,
        Kind::XRay,
        Kind::Pin,
        Kind::Skewer,
        Kind::Battery,
        Kind::Hanging,
        Kind::Fork,
        Kind::Outpost,
    ];

    fn holds(term: &str, fen: &str) -> bool {
        let (name, value) = term.split_once(':').unwrap_or((term, ""));
        let kind = KINDS.into_iter().find(|kind| kind.name() == name).expect(name);
        let motif = match value {
            "" => Motif::alone(kind),
            _ => Motif::read(kind, Operator::Colon, value).ok(),
        };
        motif.expect(term).holds(position_from_fen(fen).expect(fen).board())
    }

    #[test]
    fn pawns_and_files() {
        let fen = "4k3/pp3p2/8/1P1p2p1/3P2P1/2P5/P7/4K3 w - - 0 1";
        let cases = [
            ("passed", false),
            ("isolated:P=1", true),
            ("isolated:Pg", true),
            ("isolated:p=2", false),
            ("isolated:pd5", true),
            ("doubled", false),
            ("connected:P=2", true),
            ("connected:p=2", true),
            ("backward:P", true),
            ("backward:Pc3", true),
            ("open-file:2", true),
            ("open-file:e", true),
            ("open-file:a-d", false),
            ("half-open:A=0", false),
            ("half-open:white", true),
            ("half-open:ac", true),
            ("half-open:Af", true),
        ];
        for (term, expected) in cases {
            assert_eq!(holds(term, fen), expected, "{term}");
        }
        let passed = "4k3/8/2p5/8/P2P4/8/P6p/4K3 w - - 0 1";
        for (term, expected) in [
            ("passed:P=2", true),
            ("passed:Pa=2", true),
            ("passed:Pd", false),
            ("passed:p=1", true),
            ("passed:ph2", true),
            ("doubled:P=2", true),
            ("doubled:black", false),
        ] {
            assert_eq!(holds(term, passed), expected, "{term}");
        }
    }

    #[test]
    fn lines_and_attacks() {
        let cases = [
            ("attacks:N->q", "4k3/8/3q4/8/4N3/8/8/4K3 w - - 0 1", true),
            ("attacks:q->N", "4k3/8/3q4/8/4N3/8/8/4K3 w - - 0 1", false),
            ("attacks:R->.e4", "7k/8/8/8/8/8/4R3/4K3 w - - 0 1", true),
            ("attacks:A->?e4>=2", "7k/8/8/8/8/2N5/4R3/4K3 w - - 0 1", true),
            ("attacks:P->b", "4k3/8/8/3b4/4P3/8/8/4K3 w - - 0 1", true),
            ("attacks:P->B", "4k3/8/8/3B4/4P3/8/8/4K3 w - - 0 1", true),
            ("pin", "4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", true),
            ("pin:n", "4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", true),
            ("pin:N", "4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", false),
            ("pin:B->n->q", "3qk3/8/5n2/6B1/8/8/8/4K3 w - - 0 1", true),
            ("pin:B->n", "3qk3/8/5n2/6B1/8/8/8/4K3 w - - 0 1", false),
            ("skewer", "q3k3/8/2r5/8/4B3/8/8/4K3 w - - 0 1", false),
            ("skewer", "r3k3/1q6/8/8/4B3/8/8/4K3 w - - 0 1", true),
            ("skewer:B->q->r", "r3k3/1q6/8/8/4B3/8/8/4K3 w - - 0 1", true),
            ("xray:R->R->k", "4k3/8/8/8/8/4R3/4R3/4K3 b - - 0 1", true),
            ("battery:R->R", "3k4/8/8/8/8/4R3/4R3/4K3 w - - 0 1", true),
            ("battery:Q->B", "7k/8/8/8/4B3/3Q4/8/4K3 w - - 0 1", true),
            ("battery:R->B", "7k/8/8/8/4B3/3R4/8/4K3 w - - 0 1", false),
            ("hanging:q", "4k3/8/3q4/8/4N3/8/8/4K3 w - - 0 1", true),
            ("hanging:N", "4k3/8/3q4/8/4N3/8/8/4K3 w - - 0 1", false),
            ("fork", "r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1", true),
            ("fork:N->r", "r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1", false),
            ("fork:N->[kr]", "r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1", true),
            ("outpost:N", "4k3/2p2p2/8/3N4/4P3/8/8/4K3 w - - 0 1", false),
            ("outpost:N", "4k3/5p2/8/3N4/4P3/8/8/4K3 w - - 0 1", true),
            ("outpost:n", "4k3/8/8/4p3/3n4/8/8/4K3 w - - 0 1", true),
        ];
        for (term, fen, expected) in cases {
            assert_eq!(holds(term, fen), expected, "{term} {fen}");
        }
    }

    #[test]
    fn wrong_motifs_have_a_place() {
        for (kind, text, at) in [
            (Kind::Attacks, "N", 1),
            (Kind::Attacks, "N->x", 3),
            (Kind::Attacks, "N->q->k", 6),
            (Kind::XRay, "R->q", 4),
            (Kind::Passed, "P>=x", 3),
            (Kind::Passed, "Pz", 1),
            (Kind::OpenFile, "z", 0),
            (Kind::Attacks, "2", 0),
        ] {
            assert_eq!(Motif::read(kind, Operator::Colon, text).expect_err(text).at, at, "{text}");
        }
    }
}
