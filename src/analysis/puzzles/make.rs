//! Making puzzles of games.
//!
//! A candidate is a position after a move that sharply raises the winning chances of the side to move. It is a puzzle
//! if a search of two lines finds one winning move, with a gap to the next one. The line continues with the opponent's
//! best defense, as long as the solver has one winning move; a mate is proved by trying all moves. Every other only
//! move is confirmed by a longer search, since a second winning move may be seen late.

use super::difficulty::rate;
use super::patterns::themes_of;
use super::prover::{Comparison, Prover, chances};
use super::themes::{Line, Theme};
use super::{Origin, Puzzle};
use crate::analysis::{START, evaluations_of, winning_chances};
use crate::chess::{Color, Key, Move, Position};
use crate::notation::eco::opening_of;
use crate::notation::pgn::Game;
use crate::search::{MateProof, Score};

/// The settings for making puzzles. Chances are from -1 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The number of nodes for each position of a game without evaluations.
    pub scan_nodes: u64,
    /// The number of nodes of the searches that confirm only moves. If it is not greater than that of the prover,
    /// nothing is confirmed.
    pub confirm_nodes: u64,
    /// Whether the evaluations in a game are used.
    pub uses_evaluations: bool,
    /// The minimum rise of the winning chances by the opponent's move.
    pub jump: f64,
    /// The solver's minimum winning chances.
    pub win: f64,
    /// The minimum distance in winning chances to the second-best move.
    pub gap: f64,
    /// The minimum number of moves of the solver, unless they mate.
    pub min_moves: usize,
    /// The maximum number of moves of the solver.
    pub max_moves: usize,
    /// Whether the difficulty is measured.
    pub rates: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scan_nodes: 10_000,
            confirm_nodes: 0,
            uses_evaluations: true,
            jump: 0.3,
            win: 0.5,
            gap: 0.5,
            min_moves: 1,
            max_moves: 10,
            rates: true,
        }
    }
}

/// The longest mate that the mate solver tries to prove, in moves.
const MAX_MATE: usize = 8;

/// The winning chances by which a candidate may fall short before its search, which may find more than the scan did.
const SCAN_SLACK: f64 = 0.2;

/// The last move at which puzzles state an opening, as in lichess's puzzle file.
const LAST_OPENING_MOVE: u16 = 20;

/// The results for a game.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The puzzles, in the order of the game.
    pub puzzles: Vec<Puzzle>,
    /// The number of positions that were examined.
    pub candidates: u64,
    /// The number of mates that were left out because the budget was too small to prove them.
    pub unproved: u64,
    /// The number of puzzles that were left out because a longer search did not confirm an only move.
    pub unconfirmed: u64,
}

/// A choice of the solver between several moves.
struct Decision {
    /// The index of the move in the line.
    ply: usize,
    score: Score,
    /// Whether the opponent had to move and would have liked to pass.
    is_zugzwang: bool,
}

/// The winning line of a position.
struct Solution {
    /// The moves up to the last decision.
    moves: Vec<Move>,
    /// The first move is always a decision.
    decisions: Vec<Decision>,
    /// Whether all moves have been tried.
    is_proved: bool,
}

impl Solution {
    /// A line that begins with this decision.
    fn new(moves: Vec<Move>, score: Score, is_proved: bool) -> Self {
        Self { moves, decisions: vec![Decision { ply: 0, score, is_zugzwang: false }], is_proved }
    }

    /// Removes the moves after the last of the first `count` decisions.
    fn cut(&mut self, count: usize) {
        self.decisions.truncate(count);
        self.moves.truncate(self.decisions.last().map_or(0, |decision| decision.ply + 1));
    }

    /// The solver's score at the last decision.
    fn score(&self) -> Score {
        self.decisions.last().map_or(Score::DRAW, |decision| decision.score)
    }

    fn is_zugzwang(&self) -> bool {
        self.decisions.iter().any(|decision| decision.is_zugzwang)
    }
}

/// The reason why a candidate is rejected.
enum Rejection {
    /// The candidate does not have exactly one winning line.
    NoPuzzle,
    /// The budget is too small to prove the mate.
    Unproved,
    /// A longer search finds that the only move is none.
    Unconfirmed,
}

/// Makes puzzles of games.
pub struct Maker {
    prover: Prover,
    settings: Settings,
}

impl Maker {
    /// A maker with these settings.
    pub const fn new(prover: Prover, settings: Settings) -> Self {
        Self { prover, settings }
    }

    /// The puzzles of a game's main line.
    pub fn puzzles_of(&mut self, game: &Game) -> Found {
        let mut positions = vec![*game.start()];
        let mut moves = Vec::new();
        for node in game.mainline() {
            let (Some(mv), Some(&before)) = (game.mv(node), positions.last()) else { break };
            moves.push(mv);
            positions.push(before.after(mv).0);
        }
        let chances = self.chances_of(game, &positions);
        let mut found = Found::default();
        for (ply, &mv) in moves.iter().enumerate() {
            let start = &positions[ply + 1];
            let sign = if start.turn() == Color::White { 1.0 } else { -1.0 };
            let (before, after) = (sign * chances[ply], sign * chances[ply + 1]);
            let is_candidate =
                after - before >= self.settings.jump && after >= self.settings.win - SCAN_SLACK;
            // If the game is over, or the opponent could claim a draw, there is nothing to win.
            if !is_candidate || !start.has_legal_moves() || start.is_drawn_by_fifty_moves() {
                continue;
            }
            found.candidates += 1;
            let lead = Some((positions[ply], mv));
            match self.puzzle(start, lead, || origin(game, ply + 1, start)) {
                Ok(puzzle) => found.puzzles.push(puzzle),
                Err(Rejection::Unproved) => found.unproved += 1,
                Err(Rejection::Unconfirmed) => found.unconfirmed += 1,
                Err(Rejection::NoPuzzle) => {}
            }
        }
        found
    }

    /// White's winning chances in each position, by the game's evaluations or by a search.
    fn chances_of(&mut self, game: &Game, positions: &[Position]) -> Vec<f64> {
        self.prover.clear();
        let evaluations = evaluations_of(game);
        let mut found = Vec::with_capacity(positions.len());
        for (ply, position) in positions.iter().enumerate() {
            let stated = match ply.checked_sub(1) {
                Some(index) => evaluations[index],
                None => (!game.is_set_up()).then_some(START),
            };
            found.push(match stated.filter(|_| self.settings.uses_evaluations || ply == 0) {
                Some(score) => winning_chances(score),
                None => {
                    let sign = if position.turn() == Color::White { 1.0 } else { -1.0 };
                    sign * chances(self.prover.score(position, self.settings.scan_nodes))
                }
            });
        }
        found
    }

    /// The puzzle that starts in this position; an error if there is none.
    fn puzzle(
        &mut self,
        start: &Position,
        lead: Option<(Position, Move)>,
        origin: impl FnOnce() -> Origin,
    ) -> Result<Puzzle, Rejection> {
        let mut solution = self.solve(start)?;
        let mut line = self.line(start, lead, &solution.moves).ok_or(Rejection::NoPuzzle)?;
        if !solution.is_proved {
            let length = solution.moves.len();
            self.confirm(start, &mut solution)?;
            if solution.moves.len() < length {
                line = self.line(start, lead, &solution.moves).ok_or(Rejection::Unconfirmed)?;
            }
        }
        let themes = themes_of(&line, solution.score(), solution.is_zugzwang());
        let alternatives = other_mates(&line);
        Ok(Puzzle {
            id: id_of(start.key()),
            start: *start,
            lead,
            themes: themes.iter().map(|theme| theme.name().to_owned()).collect(),
            rating: self.settings.rates.then(|| rate(&mut self.prover, &line, &alternatives)),
            moves: solution.moves,
            alternatives,
            stated_mate: None,
            nodes: Some(self.prover.nodes()),
            origin: origin(),
        })
    }

    /// The line of these moves, if it is worth a puzzle.
    fn line(&self, start: &Position, lead: Option<(Position, Move)>, moves: &[Move]) -> Option<Line> {
        let line = Line::new(*start, lead, moves)?;
        // A plain recapture is not worth a puzzle.
        let takes_back = line.length() == 1
            && lead.is_some_and(|(position, mv)| {
                position.captured_role(mv).is_some() && mv.to() == moves[0].to()
            });
        let is_long = line.length() >= self.settings.min_moves;
        (line.is_mate() || is_long && !takes_back).then_some(line)
    }

    /// Repeats the decisions of a line with more nodes, and cuts the line before the first one where another move wins,
    /// too. An error if that is the first move, or if nothing wins.
    fn confirm(&mut self, start: &Position, solution: &mut Solution) -> Result<(), Rejection> {
        let nodes = self.settings.confirm_nodes;
        if nodes <= self.prover.nodes() {
            return Ok(());
        }
        let mut position = *start;
        let mut confirmed = 0;
        for (ply, &mv) in solution.moves.iter().enumerate() {
            if solution.decisions.get(confirmed).is_some_and(|decision| decision.ply == ply) {
                match self.only_move(&position, nodes) {
                    Ok(Some((best, _))) if best == mv => confirmed += 1,
                    Ok(_) if confirmed > 0 => break,
                    Ok(_) | Err(_) => return Err(Rejection::Unconfirmed),
                }
            }
            position = position.after(mv).0;
        }
        solution.cut(confirmed);
        Ok(())
    }

    /// The winning line from this position.
    fn solve(&mut self, start: &Position) -> Result<Solution, Rejection> {
        // Without a choice there is nothing to find.
        if start.count_legal_moves() < 2 {
            return Err(Rejection::NoPuzzle);
        }
        let (mv, score) = self.only_move(start, self.prover.nodes())?.ok_or(Rejection::NoPuzzle)?;
        let mate = score.mate_in().and_then(|moves| usize::try_from(moves).ok());
        let mut is_unproved = false;
        if let Some(moves) = mate.filter(|&moves| moves <= MAX_MATE) {
            match self.mate_line(start, moves) {
                MateProof::Mate(line) if line.len().div_ceil(2) > self.settings.max_moves => {
                    return Err(Rejection::NoPuzzle);
                }
                MateProof::Mate(line) => return Ok(Solution::new(line, score, true)),
                MateProof::NoMate => {}
                MateProof::Unknown => is_unproved = true,
            }
        }
        let solution = self.winning_line(start, mv, score)?;
        let end = solution.moves.iter().fold(*start, |position, &mv| position.after(mv).0);
        // A line that ends in mate claims a forced mate, which must be proved.
        match end.is_checkmate() {
            true if is_unproved || mate.is_none_or(|moves| moves > MAX_MATE) => Err(Rejection::Unproved),
            true => Err(Rejection::NoPuzzle),
            false => Ok(solution),
        }
    }

    /// The line of the shortest mate, if every move but the last is the only one that mates in time.
    fn mate_line(&mut self, start: &Position, moves: usize) -> MateProof {
        let line = match self.prover.prove_mate(start, &[], moves) {
            MateProof::Mate(line) => line,
            other => return other,
        };
        let length = line.len().div_ceil(2);
        let mut position = *start;
        for (ply, &mv) in line.iter().enumerate() {
            let left = length - ply / 2;
            if ply.is_multiple_of(2) && left > 1 {
                match self.prover.prove_other_mate(&position, &[mv], left) {
                    MateProof::NoMate => {}
                    MateProof::Mate(_) => return MateProof::NoMate,
                    MateProof::Unknown => return MateProof::Unknown,
                }
            }
            position = position.after(mv).0;
        }
        MateProof::Mate(line)
    }

    /// The line of only moves that starts with the move `first`.
    fn winning_line(&mut self, start: &Position, first: Move, score: Score) -> Result<Solution, Rejection> {
        let mut solution = Solution::new(vec![first], score, false);
        let mut position = start.after(first).0;
        while solution.moves.len().div_ceil(2) < self.settings.max_moves && !position.is_checkmate() {
            let Some(defense) = self.prover.best(&position) else { return Err(Rejection::NoPuzzle) };
            let next = position.after(defense.mv).0;
            let replies = next.legal_moves();
            let mv = match replies.as_slice() {
                // The opponent has mated or is stalemated: that is not a win.
                [] => return Err(Rejection::NoPuzzle),
                [only] => *only,
                _ => match self.only_move(&next, self.prover.nodes())? {
                    Some((mv, score)) => {
                        let is_zugzwang = self.is_zugzwang(&position, score);
                        let ply = solution.moves.len() + 1;
                        solution.decisions.push(Decision { ply, score, is_zugzwang });
                        mv
                    }
                    None => break,
                },
            };
            solution.moves.extend([defense.mv, mv]);
            position = next.after(mv).0;
        }
        // Moves without a choice at the end are nothing to find.
        solution.cut(solution.decisions.len());
        Ok(solution)
    }

    /// The only winning move and its score, by a search of this number of nodes; `None` if other moves win as well. An
    /// error if nothing wins.
    fn only_move(&mut self, position: &Position, nodes: u64) -> Result<Option<(Move, Score)>, Rejection> {
        let found = self.prover.compare_with(position, &[], nodes).ok_or(Rejection::NoPuzzle)?;
        let Comparison { solution: Some(best), other, .. } = found else { return Err(Rejection::NoPuzzle) };
        let chances = best.chances();
        if chances < self.settings.win {
            return Err(Rejection::NoPuzzle);
        }
        let is_only = other.is_none_or(|other| chances - other.chances() >= self.settings.gap);
        Ok(is_only.then_some((best.mv, best.score)))
    }

    /// Whether the side to move in an endgame would lose much less if it could pass. `score` is the solver's score
    /// after the best move.
    fn is_zugzwang(&mut self, position: &Position, score: Score) -> bool {
        let is_endgame = super::patterns::phase(position).contains(&Theme::Endgame);
        if !is_endgame || position.is_check() {
            return false;
        }
        let passed = position.after_null();
        passed.has_legal_moves()
            && self
                .prover
                .best(&passed)
                .is_some_and(|best| chances(score) - best.chances() >= self.settings.jump)
    }
}

/// The alternatives to the last move of the line that also mate, with its index.
fn other_mates(line: &Line) -> Vec<(usize, Move)> {
    let ply = line.moves.len() - 1;
    let position = &line.positions[ply];
    let is_other = |mv: &Move| *mv != line.moves[ply] && position.after(*mv).0.is_checkmate();
    if !line.is_mate() {
        return Vec::new();
    }
    position.legal_moves().into_iter().filter(is_other).map(|mv| (ply, mv)).collect()
}

/// Nine digits of base 62, which are almost certainly different for different positions.
fn id_of(key: Key) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const LENGTH: usize = 9;
    let mut rest = key.bits();
    let mut digit = || {
        let digit = DIGITS[(rest % DIGITS.len() as u64) as usize];
        rest /= DIGITS.len() as u64;
        char::from(digit)
    };
    (0..LENGTH).map(|_| digit()).collect()
}

/// The game from which a puzzle comes.
fn origin(game: &Game, ply: usize, start: &Position) -> Origin {
    const TAGS: [&str; 9] =
        ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "UTCDate"];
    let tag = |name: &str| Some((name.to_owned(), game.tags.get(name)?.to_owned()));
    let mut tags: Vec<(String, String)> = TAGS.into_iter().filter_map(tag).collect();
    let opening = opening_of(game).filter(|_| start.fullmove_number() <= LAST_OPENING_MOVE);
    if let Some(opening) = opening {
        tags.push(("ECO".to_owned(), opening.code().to_string()));
        tags.push(("Opening".to_owned(), opening.name().to_owned()));
    }
    let address =
        game.tags.get("Site").filter(|site| site.starts_with("https://") || site.starts_with("http://"));
    Origin {
        tags,
        url: address.map(|address| format!("{address}#{ply}")),
        opening_tags: opening.map(|opening| {
            let family = keyed(opening.family());
            match opening.variation() {
                Some(variation) => format!("{family} {family}_{}", keyed(variation)),
                None => family,
            }
        }),
        file: None,
        game: None,
        ply: Some(ply),
    }
}

/// A name with underscores for spaces and without other punctuation, as in lichess's puzzle file.
fn keyed(name: &str) -> String {
    let words = name
        .split([' ', '-'])
        .map(|word| word.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_epd, parse_uci_move};

    const NODES: u64 = 3_000;

    fn maker(confirm_nodes: u64) -> Maker {
        let prover = Prover::new(NODES, None).expect("there is memory");
        Maker::new(prover, Settings { confirm_nodes, rates: false, ..Settings::default() })
    }

    fn position(fen: &str) -> Position {
        *parse_epd(fen).expect("a position").position()
    }

    fn moves(start: &Position, text: &str) -> Vec<Move> {
        let mut position = *start;
        let mut read = |text| {
            let mv = parse_uci_move(text, &position).expect("a legal move");
            position = position.after(mv).0;
            mv
        };
        text.split(' ').map(&mut read).collect()
    }

    /// A rook gives check to the king before the queen, and then takes it.
    const SKEWER: &str = "2q5/5ppp/8/1Pk5/8/8/5PPP/R5K1 w - -";

    /// The line has two decisions, and between them the only defense that takes something.
    #[test]
    fn a_line_goes_on_while_one_move_wins() {
        let start = position(SKEWER);
        for confirm_nodes in [0, 4 * NODES] {
            let made = maker(confirm_nodes).puzzle(&start, None, || origin(&Game::default(), 1, &start));
            let Ok(puzzle) = made else { panic!("there is a puzzle") };
            assert_eq!(puzzle.moves, moves(&start, "a1c1 c5b5 c1c8"));
        }
    }

    /// A line is cut before a decision that a longer search does not find, and nothing is left if that is the first
    /// one.
    #[test]
    fn only_moves_are_confirmed() {
        let start = position(SKEWER);
        let claim = |text: &str, plies: &[usize]| {
            let decision = |&ply| Decision { ply, score: Score::DRAW, is_zugzwang: ply == 4 };
            Solution {
                moves: moves(&start, text),
                decisions: plies.iter().map(decision).collect(),
                is_proved: false,
            }
        };
        let cases = [
            ("a1c1 c5b5 c1c8", &[0, 2][..], Some(3)),
            // Many moves win once the queen is taken.
            ("a1c1 c5b5 c1c8 b5b4 c8c7", &[0, 2, 4], Some(3)),
            // The move before was no decision.
            ("a1c1 c5b5 c1c8 b5b4 c8c7", &[0, 4], Some(1)),
            // The queen is the only thing to take.
            ("a1c1 c5b5 c1b1", &[0, 2], Some(1)),
            ("a1b1 c8b8 b1c1", &[0, 2], None),
        ];
        for (text, plies, expected) in cases {
            let mut solution = claim(text, plies);
            let confirmed = maker(4 * NODES).confirm(&start, &mut solution).is_ok();
            assert_eq!(confirmed.then_some(solution.moves.len()), expected, "{text}");
            assert!(!confirmed || !solution.is_zugzwang(), "{text}: that was cut off");
            // Without more nodes nothing is repeated.
            let mut solution = claim(text, plies);
            assert!(maker(NODES).confirm(&start, &mut solution).is_ok(), "{text}");
            assert_eq!(solution.moves.len(), moves(&start, text).len());
        }
    }

    /// The line of a mate in three has five plies though another defense is mated at once.
    #[test]
    fn a_mate_has_the_longest_defense() {
        let start = position("8/5KPN/8/7k/8/8/8/8 w - -");
        let mut maker = maker(0);
        let MateProof::Mate(line) = maker.mate_line(&start, 3) else { panic!("there is one mate") };
        assert_eq!(line.len(), 5);
        let defender = start.after(line[0]).0;
        let mut is_worse =
            |mv| matches!(maker.prover.prove_mate(&defender.after(mv).0, &[], 1), MateProof::Mate(_));
        assert!(defender.legal_moves().into_iter().any(&mut is_worse) && !is_worse(line[1]));
        // Two first moves mate in two: there is no line.
        let both = position("k7/8/2K5/8/8/8/8/7R w - -");
        assert!(matches!(maker.mate_line(&both, 2), MateProof::NoMate));
    }

    /// The side to move loses the pawn, and a queen wins against a move and against a pass.
    #[test]
    fn zugzwang_is_found_by_a_search() {
        for (fen, expected) in [
            ("8/8/8/4pK2/3kP3/8/8/8 b - -", true),
            ("8/8/8/4k3/8/8/3QK3/8 b - -", false),
            // A check cannot be passed, and a middlegame is no ending.
            ("8/8/8/4k3/8/8/4QK2/8 b - -", false),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -", false),
        ] {
            let (position, mut maker) = (position(fen), maker(0));
            let defense = maker.prover.best(&position).expect("a move");
            let reply = maker.prover.best(&position.after(defense.mv).0).expect("a move");
            assert_eq!(maker.is_zugzwang(&position, reply.score), expected, "{fen}");
        }
    }
}
