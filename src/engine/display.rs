//! Output for users: the position, the evaluation of each piece, the build and the help. Also the exchange of the
//! sides.

use super::game::Game;
use super::io::NAME;
use crate::chess::attacks::Choice;
use crate::chess::{CastlingRight, Color, File, Piece, Position, Problem, Rank, Role, Setup, Square};
use crate::nnue::Kernel;
use crate::notation::{BoardText, CastlingStyle, Fen, UciMove};
use crate::search::Score;
use std::fmt;

/// Displays the board, the legal moves, the result if the game is over, the FEN, the key and the checkers. Programs
/// that drive Stockfish read the framed board, the FEN, and the checkers in the last line.
pub(super) struct Display<'a> {
    pub game: &'a Game,
    pub style: CastlingStyle,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.game.position;
        let moves = position.legal_moves();
        write!(f, "{}\n\nLegal moves: {}", BoardText::new(position).framed(), moves.len())?;
        moves.iter().try_for_each(|&mv| write!(f, " {}", UciMove::new(mv, self.style)))?;
        if let Some(outcome) = position.outcome(&self.game.key_history) {
            let claim = if outcome.must_be_claimed() { ", if claimed" } else { "" };
            write!(f, "\nResult: {} ({outcome}{claim})", outcome.result())?;
        }
        writeln!(f, "\nFen: {}", fen(position, self.style))?;
        writeln!(f, "Key: {}", position.key())?;
        f.write_str("Checkers:")?;
        position.checkers().into_iter().try_for_each(|square| write!(f, " {square}"))
    }
}

/// The FEN in the notation of this castling style.
pub(super) const fn fen(position: &Position, style: CastlingStyle) -> Fen<'_> {
    let fen = Fen::new(position);
    match style {
        CastlingStyle::Standard => fen,
        CastlingStyle::Chess960 => fen.shredder(),
    }
}

/// Displays the evaluation of a position that is not in check: for the side to move as in search reports, for each
/// piece, and at the end for White in the format of Stockfish, which other programs read together with the empty line.
pub(super) struct Evaluation<'a> {
    pub position: &'a Position,
    /// A function that returns the evaluation of a position for the side to move.
    pub evaluate: &'a dyn Fn(&Position) -> Score,
}

impl fmt::Display for Evaluation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, evaluate } = *self;
        let trace = EvalTrace { position, evaluate };
        writeln!(f, "Evaluation: {} (for {})\n\n{trace}\n", evaluate(position), position.turn().name())?;
        let pawns = f64::from(trace.for_white(position)) / CENTIPAWNS;
        writeln!(f, "Final evaluation       {pawns:+.2} (white side)\n")
    }
}

/// Displays the board and, below each piece, the change of the evaluation by the piece, in pawns from White's point of
/// view. Kings, and pieces without which the position would be illegal, have no value.
struct EvalTrace<'a> {
    position: &'a Position,
    evaluate: &'a dyn Fn(&Position) -> Score,
}

/// The width of a square, in characters.
const WIDTH: usize = 7;

impl fmt::Display for EvalTrace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let whole = self.for_white(position);
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank} ")?;
            for file in File::ALL {
                match position.piece_at(Square::new(file, rank)) {
                    Some(piece) => write!(f, "{:>WIDTH$}", piece.to_string())?,
                    None => write!(f, "{:>WIDTH$}", ".")?,
                }
            }
            f.write_str("\n  ")?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                match without(position, square) {
                    Some(rest) => {
                        let pawns = f64::from(whole - self.for_white(&rest)) / CENTIPAWNS;
                        write!(f, "{pawns:>+WIDTH$.2}")?;
                    }
                    None => write!(f, "{:WIDTH$}", "")?,
                }
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        File::ALL.into_iter().try_for_each(|file| write!(f, "{:>WIDTH$}", file.letter()))
    }
}

/// The number of centipawns in a pawn.
const CENTIPAWNS: f64 = 100.0;

impl EvalTrace<'_> {
    fn for_white(&self, position: &Position) -> i32 {
        let value = (self.evaluate)(position).to_cp();
        if position.turn() == Color::White { value } else { -value }
    }
}

/// The position without the piece on a square, if there is one and the position remains legal.
fn without(position: &Position, square: Square) -> Option<Position> {
    position.role_at(square).filter(|&role| role != Role::King)?;
    let mut setup = Setup::from(position);
    setup.pieces[square.index()] = None;
    // The evaluation does not depend on these.
    setup.castling.clear();
    setup.en_passant = None;
    Position::try_from(setup).ok()
}

/// Exchanges the sides: mirrors the ranks, and swaps the colors and the side to move. The evaluation for the side to
/// move is the same.
///
/// # Errors
/// None in practice: a legal position remains legal with exchanged sides.
pub(super) fn flip(position: &Position) -> Result<Position, Vec<Problem>> {
    let setup = Setup::from(position);
    let pieces = Square::ALL.map(|square| {
        let piece = setup.pieces[square.flip_rank().index()]?;
        Some(Piece::new(!piece.color(), piece.role()))
    });
    // White's rights come first.
    let rights = |color: Color| setup.castling.iter().copied().filter(move |right| right.color() != color);
    let castling = Color::ALL.into_iter().flat_map(rights).map(|right| match right {
        CastlingRight::Outermost(color, wing) => CastlingRight::Outermost(!color, wing),
        CastlingRight::WithRookOn(color, file) => CastlingRight::WithRookOn(!color, file),
    });
    Position::try_from(Setup {
        pieces,
        turn: !setup.turn,
        castling: castling.collect(),
        en_passant: setup.en_passant.map(Square::flip_rank),
        ..setup
    })
}

/// The text of `help`.
pub(super) const HELP: &str = "\
The commands of the UCI protocol:
  uci                                  print name and options
  isready                              answer `readyok` when all earlier commands are done
  setoption name NAME [value VALUE]    set an option
  ucinewgame                           start a new game: clear the hash table and the histories
  position startpos [moves MOVE...]    the initial position, and moves from there
  position fen FEN [moves MOVE...]     any position, and moves from there
  go [depth N] [nodes N] [movetime MS] [mate N] [wtime MS btime MS winc MS binc MS]
     [movestogo N] [searchmoves MOVE...] [infinite] [ponder] [perft N]
                                       search; without a limit until `stop`
  stop, ponderhit                      stop the search; continue after the expected move
  debug on|off, register, quit
And these:
  d                                    show the position
  moves                                list the legal moves
  flip                                 exchange the sides
  FEN                                  set up a position
  MOVE...                              play moves such as Nf3 or g1f3
  fen                                  print the FEN of the position
  eval                                 evaluate the position without a search, and each piece
  perft N                              count the leaves of the tree to depth N
  bench [DEPTH] [THREADS] [HASH]       search fixed positions, print nodes and speed
  speedtest [SECONDS] [THREADS] [HASH] measure the speed of all threads
  genfens N seed S book <None|FILE>    print N random openings for self-play
  compiler                             print the build of the engine
  wait                                 run the next commands, `isready` and `quit` as well, when the search is over
  help                                 this text
  # ...                                a comment
";

/// Displays the compiler, the target, the processor features used by the build, and the choices made for this CPU.
pub(super) struct Build;

/// The processor features that affect the speed, and whether this build uses them.
const FEATURES: [(&str, bool); 9] = [
    ("sse4.1", cfg!(target_feature = "sse4.1")),
    ("popcnt", cfg!(target_feature = "popcnt")),
    ("avx2", cfg!(target_feature = "avx2")),
    ("bmi1", cfg!(target_feature = "bmi1")),
    ("bmi2", cfg!(target_feature = "bmi2")),
    ("avx512bw", cfg!(target_feature = "avx512bw")),
    ("avx512vnni", cfg!(target_feature = "avx512vnni")),
    ("neon", cfg!(target_feature = "neon")),
    ("dotprod", cfg!(target_feature = "dotprod")),
];

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{NAME}")?;
        writeln!(f, "Compiled by : {}", env!("HEMATITE_RUSTC"))?;
        writeln!(f, "Target      : {}", env!("HEMATITE_TARGET"))?;
        let profile = if cfg!(debug_assertions) { "with" } else { "without" };
        writeln!(f, "Build       : {profile} debug assertions")?;
        f.write_str("Processor   :")?;
        FEATURES.iter().filter(|(_, is_used)| *is_used).try_for_each(|(name, _)| write!(f, " {name}"))?;
        writeln!(f, "\nSliders     : {}", Choice::of_the_build())?;
        writeln!(f, "In perft    : {}", Choice::at_run_time())?;
        write!(f, "Network     : {}, the best of this CPU", Kernel::best())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;
    use crate::notation::position_from_fen;
    use crate::search::evaluate;

    // Evaluation of each piece

    #[test]
    fn each_piece_counts_for_its_side() {
        let position = position_from_fen("3qk3/8/8/8/8/8/8/R3K3 b Q - 0 1").expect("legal");
        let network = embedded();
        let text =
            EvalTrace { position: &position, evaluate: &|position| evaluate(position, &network) }.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 17, "{text}");
        let queen: f64 = lines[1].trim().parse().expect("only the queen is weighed");
        let rook: f64 = lines[15].trim().parse().expect("only the rook is weighed");
        assert!(queen < -2.0 && rook > 1.0, "{text}");
        // Without the rook, Black would be in check by the queen.
        let shield = position_from_fen("4k3/8/8/8/4r3/8/4Q3/4K3 w - - 0 1").expect("legal");
        assert_eq!(without(&shield, Square::E4), None);
    }

    // Exchanged sides

    #[test]
    fn sides_are_exchanged_and_twice_is_nothing() {
        let cases = [
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
            ),
            ("r3k3/8/8/8/8/8/8/4K2R b Kq - 4 30", "4k2r/8/8/8/8/8/8/R3K3 w Qk - 4 30"),
        ];
        let network = embedded();
        for (fen, expected) in cases {
            let position = position_from_fen(fen).expect(fen);
            let flipped = flip(&position).expect(fen);
            assert_eq!(Fen::new(&flipped).to_string(), expected);
            assert_eq!(flip(&flipped), Ok(position), "{fen}");
            assert_eq!(evaluate(&flipped, &network), evaluate(&position, &network), "{fen}");
        }
    }
}
