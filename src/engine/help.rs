//! What `help` says.

/// The commands, for a person at the keyboard.
pub(super) const HELP: &str = "\
The commands of the UCI protocol:
  uci                                  introduce yourself, list the options
  isready                              answer `readyok` when all is done
  setoption name NAME [value VALUE]    set an option
  ucinewgame                           forget what was learned
  position startpos [moves MOVE...]    the initial position, and moves from there
  position fen FEN [moves MOVE...]     any position, and moves from there
  go [depth N] [nodes N] [movetime MS] [mate N] [wtime MS btime MS winc MS binc MS]
     [movestogo N] [searchmoves MOVE...] [infinite] [ponder] [perft N]
                                       search; without a limit until `stop`
  stop, ponderhit                      end the search; go on on one's own time
  debug on|off, register, quit
And these:
  d                                    show the position
  moves                                list the legal moves
  flip                                 exchange the sides
  FEN                                  set it up
  MOVE...                              play moves such as Nf3 or g1f3
  fen                                  show it as FEN
  eval                                 evaluate it without a search, and tell what each piece counts
  perft N                              count the leaves of its tree to depth N
  bench [DEPTH] [THREADS] [HASH]       search fixed positions, report nodes and speed
  speedtest [SECONDS] [THREADS] [HASH] report the speed of all threads over a time
  genfens N seed S book <None|FILE>    make N openings for games against itself
  compiler                             how the engine was built
  wait                                 do what follows when the search is over
  help                                 this text
  # ...                                nothing
";
