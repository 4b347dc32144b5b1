//! Which sides can still checkmate: on a public set of positions, and on random positions compared with an exhaustive
//! solver that uses cozy-chess.

use crate::support::skip;
use cozy_chess::{Board, Color as CozyColor};
use hematite::chess::{Color, Move, Piece, Position, Role, Setup, Square, Winnability};
use hematite::notation::{CastlingStyle, Fen, UciMove, position_from_fen};
use hematite::rng::Rng;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn position(fen: &str) -> Position {
    position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

const fn cozy_color(color: Color) -> CozyColor {
    match color {
        Color::White => CozyColor::White,
        Color::Black => CozyColor::Black,
    }
}

/// The position with new clocks, which do not matter here: those of long random games exceed the range of cozy-chess.
fn cozy(position: &Position) -> Board {
    let fen = format!("{} 0 1", Fen::new(position).without_counters());
    Board::from_fen(&fen, false).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn is_mate(board: &Board, winner: Color) -> bool {
    let mut has_moves = false;
    board.generate_moves(|_| {
        has_moves = true;
        true
    });
    !has_moves && !board.checkers().is_empty() && board.side_to_move() != cozy_color(winner)
}

/// Whether `winner` can checkmate; `None` if more than `limit` positions are needed to decide.
fn solve(position: &Position, winner: Color, limit: usize) -> Option<bool> {
    let root = cozy(position);
    let mut seen = HashSet::from([root.hash()]);
    let mut open = vec![root];
    while let Some(board) = open.pop() {
        if is_mate(&board, winner) {
            return Some(true);
        }
        if seen.len() > limit {
            return None;
        }
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                if seen.insert(child.hash()) {
                    open.push(child);
                }
            }
            false
        });
    }
    Some(false)
}

/// Fails unless these moves are legal and end in checkmate.
fn assert_helpmate(position: &Position, winner: Color, line: &[Move]) {
    let name = Fen::new(position).to_string();
    let mut board = cozy(position);
    for &mv in line {
        let text = UciMove::new(mv, CastlingStyle::Chess960).to_string();
        let parsed = text.parse().unwrap_or_else(|_| panic!("{name}: {text}"));
        board.try_play(parsed).unwrap_or_else(|_| panic!("{name}: {text} is not legal"));
    }
    assert!(is_mate(&board, winner), "{name}: {} does not mate by {line:?}", winner.name());
}

/// The numbers of the verdicts.
#[derive(Default, Debug)]
struct Count {
    yes: usize,
    no: usize,
    /// The number of negative verdicts that the solver confirmed: it gives up if there are too many positions.
    confirmed: usize,
    undecided: usize,
}

impl Count {
    /// Checks a verdict if the solver can decide it.
    fn check(&mut self, position: &Position, winner: Color, limit: usize) {
        let verdict = position.can_checkmate(winner);
        let is_possible = position.may_checkmate(winner);
        let told = || format!("{}: {}", Fen::new(position), winner.name());
        match &verdict {
            Winnability::Winnable(line) => {
                self.yes += 1;
                assert!(is_possible, "{}", told());
                assert_helpmate(position, winner, line);
            }
            Winnability::Unwinnable => {
                self.no += 1;
                let solved = solve(position, winner, limit);
                assert_ne!(solved, Some(true), "{}", told());
                self.confirmed += usize::from(solved.is_some());
            }
            Winnability::Undetermined => self.undecided += 1,
        }
        if !is_possible {
            assert_eq!(verdict, Winnability::Unwinnable, "{}", told());
        }
    }
}

/// A position with these pieces, if it is valid.
fn placed(men: &[(Square, Piece)], turn: Color) -> Option<Position> {
    let mut setup = Setup { turn, ..Setup::EMPTY };
    for &(square, piece) in men {
        if setup.pieces[square].replace(piece).is_some() {
            return None;
        }
    }
    Position::try_from(setup).ok()
}

fn any<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    *rng.choose(items).expect("there are some")
}

/// Both kings and up to three other pieces.
fn few_men(rng: &mut Rng) -> Option<Position> {
    const OTHERS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let mut men =
        vec![(any(rng, &Square::ALL), Piece::WhiteKing), (any(rng, &Square::ALL), Piece::BlackKing)];
    for _ in 0..=rng.below(3) {
        let piece = Piece::new(any(rng, &Color::ALL), any(rng, &OTHERS));
        men.push((any(rng, &Square::ALL), piece));
    }
    placed(&men, any(rng, &Color::ALL))
}

/// Pawns that block each other on most files, kings, and up to three minor pieces.
fn locked(rng: &mut Rng) -> Option<Position> {
    let mut men =
        vec![(any(rng, &Square::ALL), Piece::WhiteKing), (any(rng, &Square::ALL), Piece::BlackKing)];
    let step = 1 + rng.below(2) as usize;
    for file in (rng.below(2) as usize..8).step_by(step) {
        if rng.below(8) == 0 {
            continue;
        }
        let rank = 1 + rng.below(5) as usize;
        let rank = if rng.below(2) == 0 { 3 } else { rank };
        men.push((Square::ALL[8 * rank + file], Piece::WhitePawn));
        men.push((Square::ALL[8 * (rank + 1) + file], Piece::BlackPawn));
    }
    for _ in 0..rng.below(4) {
        let role = any(rng, &[Role::Bishop, Role::Bishop, Role::Knight]);
        men.push((any(rng, &Square::ALL), Piece::new(any(rng, &Color::ALL), role)));
    }
    placed(&men, any(rng, &Color::ALL))
}

/// A position after at most this number of random moves from the start.
fn walked(rng: &mut Rng, plies: u64) -> Option<Position> {
    let mut position = Position::start();
    for _ in 0..rng.below(plies) {
        let moves = position.legal_moves();
        position = position.after(*rng.choose(&moves)?).0;
    }
    Some(position)
}

/// Checks this number of random positions of each kind.
fn check_random(positions: usize, limit: usize) -> [Count; 3] {
    let kinds: [fn(&mut Rng) -> Option<Position>; 3] = [few_men, locked, |rng| walked(rng, 300)];
    kinds.map(|make| {
        let mut rng = Rng::new(32);
        let mut count = Count::default();
        let mut left = positions;
        while left > 0 {
            let Some(position) = make(&mut rng) else { continue };
            count.check(&position, any(&mut rng, &Color::ALL), limit);
            left -= 1;
        }
        count
    })
}

#[test]
fn verdicts_on_random_positions_are_true() {
    let counts = check_random(200, 3_000);
    for count in &counts {
        assert!(count.yes > 30 && count.undecided < 30, "{counts:?}");
    }
    assert!(counts[0].no > 30, "{counts:?}");
}

#[test]
#[ignore = "takes minutes; 100,000 positions"]
fn all_verdicts_on_random_positions_are_true() {
    let counts = check_random(34_000, 20_000);
    for (name, Count { yes, no, confirmed, undecided }) in
        ["few men", "locked pawns", "random games"].into_iter().zip(counts)
    {
        println!("{name}: {yes} positive, {no} negative ({confirmed} confirmed), {undecided} undecided");
    }
}

/// A position of the public set, and the sides that can checkmate in it.
struct Known {
    line: String,
    position: Position,
    can_mate: [bool; 2],
}

/// A public set of positions with verdicts, such as `W-` if only White can checkmate, from the file that
/// `HEMATITE_DEAD` names; `None` without it. Its license does not allow a copy here: see "Dead positions" in
/// `docs/benchmarks.md`.
fn public_positions() -> Option<Vec<Known>> {
    let Some(path) = std::env::var_os("HEMATITE_DEAD").map(PathBuf::from) else {
        skip("HEMATITE_DEAD names no file with dead positions");
        return None;
    };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| line.as_bytes().get(2) == Some(&b' ') && !line.starts_with('#'));
    let known = |line: &str| {
        let (verdict, fen) = line.split_at(3);
        // A few have no more than pieces and side to move.
        let rest = if fen.split_whitespace().count() == 2 { " - -" } else { "" };
        let can_mate = [verdict.contains('W'), verdict.contains('B')];
        Known { line: line.to_owned(), position: position(&format!("{}{rest}", fen.trim())), can_mate }
    };
    Some(lines.map(known).collect())
}

#[test]
#[ignore = "takes a minute; a public set of 1803 positions"]
fn all_public_positions_are_judged_as_they_are() {
    let Some(positions) = public_positions() else { return };
    let (mut dead, mut found, mut undecided) = (0, 0, 0);
    for Known { line, position, can_mate } in &positions {
        let mut verdicts = Vec::new();
        for color in Color::ALL {
            let start = Instant::now();
            let verdict = position.can_checkmate(color);
            let time = start.elapsed();
            match &verdict {
                Winnability::Winnable(moves) => {
                    assert_helpmate(position, color, moves);
                    assert!(can_mate[color], "{line}: {}", color.name());
                }
                Winnability::Unwinnable => assert!(!can_mate[color], "{line}: {}", color.name()),
                Winnability::Undetermined => {
                    println!("undecided: {line} {} {time:?}", color.name());
                    undecided += 1;
                }
            }
            verdicts.push(verdict);
        }
        if *can_mate == [false; 2] {
            dead += 1;
            found += usize::from(verdicts == [Winnability::Unwinnable, Winnability::Unwinnable]);
        }
    }
    println!(
        "{found} of {dead} dead positions found, {undecided} verdicts of {} undecided",
        2 * positions.len()
    );
    assert!(found * 100 >= dead * 99);
}

#[test]
#[ignore = "measures times, which depend on the machine"]
fn all_times_are_told() {
    let positions = crate::support::fuzz_cases(1_500) as usize;
    for (name, make) in
        [("few men", few_men as fn(&mut Rng) -> _), ("locked", locked), ("walked", walked_far)]
    {
        println!("{name}, {positions} positions:");
        tell_times(positions, make);
    }
}

fn walked_far(rng: &mut Rng) -> Option<Position> {
    walked(rng, 120).filter(|position| !position.legal_moves().is_empty())
}

/// The number of rounds through all positions; the best time of each counts, as far as the machine is quiet in one.
const ROUNDS: usize = 5;
/// Decisions that take longer are measured once.
const LONG: Duration = Duration::from_micros(300);

/// Prints the time of the decision for random positions.
fn tell_times(positions: usize, make: fn(&mut Rng) -> Option<Position>) {
    let mut rng = Rng::new(7);
    let mut cases = Vec::new();
    while cases.len() < 2 * positions {
        let Some(position) = make(&mut rng) else { continue };
        cases.extend(Color::ALL.map(|color| (position, color)));
    }
    let mut times = [vec![Duration::MAX; cases.len()], vec![Duration::MAX; cases.len()]];
    let [mut yes, mut undecided] = [0; 2];
    for round in 0..ROUNDS {
        for (index, (position, color)) in cases.iter().enumerate() {
            if round > 0 && times[1][index] > LONG {
                continue;
            }
            let start = Instant::now();
            let is_possible = position.may_checkmate(*color);
            times[0][index] = times[0][index].min(start.elapsed());
            let start = Instant::now();
            let verdict = position.can_checkmate(*color);
            times[1][index] = times[1][index].min(start.elapsed());
            // The glance never denies what can be proved.
            assert!(is_possible || !matches!(verdict, Winnability::Winnable(_)), "{}", Fen::new(position));
            if round == 0 {
                yes += usize::from(matches!(verdict, Winnability::Winnable(_)));
                undecided += usize::from(matches!(verdict, Winnability::Undetermined));
            }
        }
    }
    for (name, times) in ["at a glance", "with proof"].into_iter().zip(&mut times) {
        times.sort();
        let at = |part: usize| times[(times.len() - 1) * part / 100];
        println!(
            "  {name}: median {:?}, 90 % within {:?}, 99 % within {:?}, worst {:?}",
            at(50),
            at(90),
            at(99),
            at(100)
        );
    }
    println!("  {yes} of {} proved, {undecided} undecided", cases.len());
}
