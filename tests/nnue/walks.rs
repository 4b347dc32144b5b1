//! Random games that include all kinds of events.

use hematite::chess::{Color, Delta, Move, MoveKind, Position, Role, Setup, chess960_back_rank};
use hematite::notation::position_from_fen;
use hematite::rng::Rng;

/// The maximum length of a game, in plies.
pub(crate) const LONGEST: usize = 160;

/// Positions with promotions, en passant captures and castling close at hand.
const STARTS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "7k/PPPP4/8/8/8/8/pppp4/7K w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
];

/// The initial positions of games: standard chess, Chess960, double Chess960, and special ones.
pub(crate) fn starts(seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut back_rank = || chess960_back_rank(rng.below(960) as u16).expect("there are 960");
    let setups = [Setup::chess960(back_rank()), Setup::double_chess960(back_rank(), back_rank())];
    let mut starts = vec![Position::start()];
    starts.extend(setups.map(|setup| Position::try_from(setup).expect("a legal start")));
    starts.extend(STARTS.map(|fen| position_from_fen(fen).expect("a legal position")));
    starts
}

/// The events of the games, to check that all kinds have occurred.
#[derive(Default, Debug)]
pub(crate) struct Events {
    pub(crate) castlings: usize,
    pub(crate) promotions: usize,
    pub(crate) en_passants: usize,
    pub(crate) nulls: usize,
    pub(crate) king_crossings: usize,
}

/// A step of a game: the position after a move or a null move, and its changes.
pub(crate) struct Step {
    pub(crate) position: Position,
    pub(crate) delta: Delta,
}

/// A random game from `start` that prefers special moves.
pub(crate) fn game(rng: &mut Rng, start: &Position, events: &mut Events) -> Vec<Step> {
    let mut position = *start;
    let mut steps = Vec::new();
    for _ in 0..LONGEST {
        if !position.is_check() && rng.below(8) == 0 {
            events.nulls += 1;
            position = position.after_null();
            steps.push(Step { position, delta: Delta::NONE });
            continue;
        }
        let moves = position.legal_moves();
        let is_special = |mv: &Move| mv.kind() != MoveKind::Normal || moves_king(&position, *mv);
        let special: Vec<Move> = moves.iter().copied().filter(is_special).collect();
        let choice = if rng.below(3) == 0 { rng.choose(&special) } else { None };
        let Some(&mv) = choice.or_else(|| rng.choose(&moves)) else { break };
        events.castlings += usize::from(mv.kind() == MoveKind::Castle);
        events.en_passants += usize::from(mv.kind() == MoveKind::EnPassant);
        events.promotions += usize::from(mv.promotion().is_some());
        let side = |position: &Position, color: Color| position.king(color).file() as usize / 4;
        let turn = position.turn();
        let (next, delta) = position.after(mv);
        events.king_crossings += usize::from(side(&position, turn) != side(&next, turn));
        position = next;
        steps.push(Step { position, delta });
    }
    steps
}

fn moves_king(position: &Position, mv: Move) -> bool {
    position.role_at(mv.from()) == Some(Role::King)
}
