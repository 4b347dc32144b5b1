//! Making puzzles of games.
//!
//! A candidate is a position after a move that sharply raises the winning chances of the side to move. It is a puzzle
//! if a search of two lines finds one winning move, with a gap to the next one. The line continues with the opponent's
//! best defense, as long as the solver has one winning move; a mate is proved by trying all moves. At the end longer
//! searches confirm each decision: a second winning move is often seen late.

use super::difficulty::rate;
use super::patterns::themes_of;
use super::prover::{Comparison, Prover, Scored, chances};
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
    /// The number of nodes of the search that confirms each decision of a line; 0 for none.
    pub confirm_nodes: u64,
    /// Whether the difficulty is measured.
    pub rates: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scan_nodes: 10_000,
            uses_evaluations: true,
            jump: 0.3,
            win: 0.5,
            gap: 0.5,
            min_moves: 1,
            max_moves: 10,
            confirm_nodes: 0,
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
    /// The number of puzzles that were left out because a longer search found another winning move, or no winning one.
    pub unconfirmed: u64,
}

/// The winning line of a position.
struct Solution {
    moves: Vec<Move>,
    /// The solver's score at the last decision.
    score: Score,
    /// The ply of the solver's first move that puts the opponent in zugzwang.
    zugzwang_ply: Option<usize>,
}

impl Solution {
    /// A mate, which a search announced with this score.
    const fn mate(moves: Vec<Move>, score: Score) -> Self {
        Self { moves, score, zugzwang_ply: None }
    }
}

/// The reason why a candidate is rejected.
enum Rejection {
    /// The candidate does not have exactly one winning line.
    NoPuzzle,
    /// The budget is too small to prove the mate.
    Unproved,
    /// A longer search finds another winning move, or no winning one.
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
        let found = self.solve(start)?;
        let line = Line::new(*start, lead, &found.moves).ok_or(Rejection::NoPuzzle)?;
        if !self.is_worthwhile(&line, lead) {
            return Err(Rejection::NoPuzzle);
        }
        let solution = if line.is_mate() { found } else { self.confirmed(&line, found) };
        let line = Line::new(*start, lead, &solution.moves).ok_or(Rejection::Unconfirmed)?;
        if !self.is_worthwhile(&line, lead) {
            return Err(Rejection::Unconfirmed);
        }
        let is_zugzwang = solution.zugzwang_ply.is_some_and(|ply| ply < solution.moves.len());
        let themes = themes_of(&line, solution.score, is_zugzwang);
        let alternatives = other_mates(&line);
        Ok(Puzzle {
            id: id_of(start.key()),
            start: *start,
            lead,
            themes: themes.iter().map(|theme| theme.name().to_owned()).collect(),
            rating: self.settings.rates.then(|| rate(&mut self.prover, &line, &alternatives)),
            moves: solution.moves,
            alternatives,
            nodes: Some(self.prover.nodes()),
            origin: origin(),
        })
    }

    /// Whether the line is a mate, or long enough and more than a plain recapture.
    fn is_worthwhile(&self, line: &Line, lead: Option<(Position, Move)>) -> bool {
        let takes_back = lead.is_some_and(|(position, mv)| {
            position.captured_role(mv).is_some()
                && line.moves.first().is_some_and(|first| first.to() == mv.to())
        });
        line.is_mate() || line.length() >= self.settings.min_moves && (line.length() > 1 || !takes_back)
    }

    /// The part of the line in which longer searches find the same only winning moves.
    fn confirmed(&mut self, line: &Line, solution: Solution) -> Solution {
        let nodes = self.settings.confirm_nodes;
        let Solution { mut moves, mut score, zugzwang_ply } = solution;
        if nodes == 0 {
            return Solution { moves, score, zugzwang_ply };
        }
        for ply in line.solver_plies() {
            let position = &line.positions[ply];
            if position.legal_moves().len() < 2 {
                continue;
            }
            let found = self.prover.compare_with(position, &[line.moves[ply]], nodes);
            match found.and_then(|found| self.decision(&found)) {
                Some(scored) => score = scored.score,
                None => {
                    moves.truncate(ply.saturating_sub(1)); // without the opponent's move before it
                    break;
                }
            }
        }
        // A line does not end with moves without a choice.
        let is_forced =
            |moves: &Vec<Move>| moves.len() > 1 && line.positions[moves.len() - 1].legal_moves().len() < 2;
        while is_forced(&moves) {
            moves.truncate(moves.len() - 2);
        }
        Solution { moves, score, zugzwang_ply }
    }

    /// The solver's move, if it wins and no other move does.
    fn decision(&self, found: &Comparison) -> Option<Scored> {
        let best = found.solution.filter(|best| best.chances() >= self.settings.win)?;
        let is_only = found.other.is_none_or(|other| best.chances() - other.chances() >= self.settings.gap);
        is_only.then_some(best)
    }

    /// The winning line from this position.
    fn solve(&mut self, start: &Position) -> Result<Solution, Rejection> {
        // Without a choice there is nothing to find.
        if start.legal_moves().len() < 2 {
            return Err(Rejection::NoPuzzle);
        }
        let (mv, score) = self.only_move(start)?.ok_or(Rejection::NoPuzzle)?;
        let mate = score.mate_in().and_then(|moves| usize::try_from(moves).ok());
        let mut is_unproved = false;
        if let Some(moves) = mate.filter(|&moves| moves <= MAX_MATE) {
            match self.mate_line(start, moves) {
                MateProof::Mate(moves) => return Ok(Solution::mate(moves, score)),
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
        let mut solution = Solution { moves: vec![first], score, zugzwang_ply: None };
        let mut position = start.after(first).0;
        // The number of moves without a choice for the solver at the end of the line.
        let mut forced = 0;
        while solution.moves.len().div_ceil(2) < self.settings.max_moves && !position.is_checkmate() {
            let Some(defense) = self.prover.best(&position) else { return Err(Rejection::NoPuzzle) };
            let next = position.after(defense.mv).0;
            let replies = next.legal_moves();
            let (mv, is_forced) = match replies.as_slice() {
                // The opponent has mated or is stalemated: that is not a win.
                [] => return Err(Rejection::NoPuzzle),
                [only] => (*only, true),
                _ => match self.only_move(&next)? {
                    Some((mv, score)) => {
                        if self.is_zugzwang(&position, score) {
                            solution.zugzwang_ply.get_or_insert(solution.moves.len() - 1);
                        }
                        solution.score = score;
                        (mv, false)
                    }
                    None => break,
                },
            };
            forced = if is_forced { forced + 1 } else { 0 };
            solution.moves.extend([defense.mv, mv]);
            position = next.after(mv).0;
        }
        solution.moves.truncate(solution.moves.len() - 2 * forced);
        Ok(solution)
    }

    /// The only winning move and its score; `None` if other moves win as well. An error if nothing wins.
    fn only_move(&mut self, position: &Position) -> Result<Option<(Move, Score)>, Rejection> {
        let found = self.prover.compare(position, &[]).ok_or(Rejection::NoPuzzle)?;
        if found.solution.is_none_or(|best| best.chances() < self.settings.win) {
            return Err(Rejection::NoPuzzle);
        }
        Ok(self.decision(&found).map(|best| (best.mv, best.score)))
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
