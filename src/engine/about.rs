//! The name of the engine, its build, and the help text.

use crate::chess::attacks::Choice;
use crate::nnue::Kernel;
use std::fmt;

/// The name of the engine, as `id name` prints it.
pub const NAME: &str = concat!("Hematite ", env!("CARGO_PKG_VERSION"));

/// Its authors, as `id author` prints them.
pub(super) const AUTHOR: &str = "the Hematite authors";

/// The text of `UCI_EngineAbout`.
pub(super) const ABOUT: &str = concat!(
    "Hematite ",
    env!("CARGO_PKG_VERSION"),
    " by the Hematite authors, free software under GPL-3.0-or-later"
);

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
  wait                                 run the next commands when the search is over
  help                                 this text
  # ...                                a comment
";

/// Displays compiler, target, the processor features that the build uses, and what is chosen for this CPU.
pub(super) struct Build;

/// The processor features that matter, and whether this build uses them.
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
        writeln!(f, "{}", NAME)?;
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
