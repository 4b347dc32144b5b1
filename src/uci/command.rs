//! Commands of a GUI to an engine.

use super::tokens::Tokens;
use super::{BenchTokens, GenFensTokens, GoTokens, ParseWarning, PositionTokens, Shorthand, SpeedtestTokens};
use crate::notation::Excerpt;
use std::fmt;

/// A command to an engine: first those of the protocol, then those typed by users.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`: print name and options.
    Uci,
    /// `debug on|off`: print more, or less.
    Debug(bool),
    /// `isready`: answer after all earlier commands have been executed.
    IsReady,
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The name of the option as written, with single spaces.
        name: String,
        /// The value as written, including its inner spaces.
        value: Option<String>,
    },
    /// `register ...`: the registration of the user, or its postponement.
    Register(String),
    /// `ucinewgame`: the next positions belong to another game.
    UciNewGame,
    /// `position ...`: set up the position to search.
    Position(PositionTokens),
    /// `go ...`: search.
    Go(GoTokens),
    /// `stop`: print the best move found so far.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Display,
    /// `fen`: show the position as FEN.
    Fen,
    /// `eval`: evaluate the position without a search.
    Eval,
    /// `bench [depth] [threads] [hash]`: measure the speed.
    Bench(BenchTokens),
    /// `speedtest [seconds] [threads] [hash]`: measure the speed as in games.
    Speedtest(SpeedtestTokens),
    /// `perft <depth>`: count leaves, in plies.
    Perft(u32),
    /// `genfens N seed S book <None|FILE>`: generate openings for self-play.
    GenFens(GenFensTokens),
    /// `moves`: list the legal moves.
    Moves,
    /// `flip`: exchange the sides.
    Flip,
    /// `compiler`: print the build of the engine.
    Compiler,
    /// A position or moves without a command word.
    Shorthand(Shorthand),
    /// `wait`: execute the next commands after the end of the search.
    Wait,
    /// `help`: list the commands.
    Help,
}

/// The content of a line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Parsed {
    /// The command; `None` if the line is empty or has no valid command.
    pub command: Option<Command>,
    /// Warnings about words of the line.
    pub warnings: Vec<ParseWarning>,
}

/// The command words of the protocol. After unknown words only these are recognized, since the other command words are
/// common words.
const PROTOCOL: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

impl Command {
    /// Reads a line, with or without its line end. Bytes that are not UTF-8 become U+FFFD. Words before the first
    /// command word are skipped, as the protocol requires.
    pub fn parse(line: &[u8]) -> Parsed {
        let text = String::from_utf8_lossy(line);
        let mut tokens = Tokens::new(&text);
        let Some(first) = tokens.peek() else { return Parsed::default() };
        if first.starts_with('#') {
            return Parsed::default();
        }
        let mut warnings = Vec::new();
        let command = Self::read_typed(tokens, &mut warnings).unwrap_or_else(|| {
            let skipped = tokens.take_until(|word| PROTOCOL.contains(&word));
            if let (Some(word), Some(_)) = (skipped.first(), tokens.peek()) {
                let found = Excerpt::new(word);
                warnings.push(ParseWarning::UnknownToken { within: "command", found });
            }
            Self::read_protocol(tokens, &mut warnings).unwrap_or_else(|| {
                if let Some(shorthand) = Shorthand::read(Tokens::new(&text)) {
                    return Some(Self::Shorthand(shorthand));
                }
                warnings.push(ParseWarning::UnknownCommand(Excerpt::new(Tokens::new(&text).rest())));
                None
            })
        });
        Parsed { command, warnings }
    }

    /// Reads a command typed by a user; the outer `None` if the first word is not one of these commands, the inner one
    /// if the command is invalid.
    fn read_typed(mut tokens: Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Option<Self>> {
        let word = tokens.peek()?;
        Some(Some(match word {
            "d" => Self::Display,
            "fen" => Self::Fen,
            "eval" => Self::Eval,
            "wait" => Self::Wait,
            "help" => Self::Help,
            "moves" => Self::Moves,
            "flip" => Self::Flip,
            "compiler" => Self::Compiler,
            "genfens" => {
                tokens.next();
                return Some(GenFensTokens::read(&mut tokens, warnings).map(Self::GenFens));
            }
            "speedtest" => {
                tokens.next();
                Self::Speedtest(SpeedtestTokens::read(&mut tokens, warnings))
            }
            "bench" => {
                tokens.next();
                Self::Bench(BenchTokens::read(&mut tokens, warnings))
            }
            "perft" => return Some(GoTokens::read(&mut tokens, warnings).perft.map(Self::Perft)),
            _ => return None,
        }))
    }

    /// Reads a command of the protocol; the outer `None` if the first word is not one of these commands, the inner one
    /// if the command is invalid.
    fn read_protocol(mut tokens: Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Option<Self>> {
        Some(match tokens.next()? {
            "uci" => Some(Self::Uci),
            "isready" => Some(Self::IsReady),
            "ucinewgame" => Some(Self::UciNewGame),
            "stop" => Some(Self::Stop),
            "ponderhit" => Some(Self::PonderHit),
            "quit" => Some(Self::Quit),
            "register" => Some(Self::Register(tokens.rest().to_owned())),
            "debug" => Self::read_debug(&mut tokens, warnings),
            "setoption" => Self::read_option(&mut tokens, warnings),
            "position" => Some(Self::Position(PositionTokens::read(&mut tokens, warnings))),
            "go" => Some(Self::Go(GoTokens::read(&mut tokens, warnings))),
            _ => return None,
        })
    }

    fn read_debug(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Self> {
        for word in tokens {
            match word {
                "on" => return Some(Self::Debug(true)),
                "off" => return Some(Self::Debug(false)),
                _ => warnings.push(ParseWarning::UnknownToken { within: "debug", found: Excerpt::new(word) }),
            }
        }
        warnings.push(ParseWarning::MissingValue { token: "debug", expected: "`on` or `off`" });
        None
    }

    fn read_option(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Self> {
        for found in tokens.take_until(|word| word == "name") {
            warnings.push(ParseWarning::UnknownToken { within: "setoption", found: Excerpt::new(found) });
        }
        tokens.next();
        let name = tokens.text_until(|word| word == "value");
        if name.is_empty() {
            let expected = "`name` and the name of an option";
            warnings.push(ParseWarning::MissingValue { token: "setoption", expected });
            return None;
        }
        let value = tokens.next().map(|_| tokens.rest().to_owned());
        Some(Self::SetOption { name, value })
    }
}

impl fmt::Display for Command {
    /// The line that parses as this command, without its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(true) => f.write_str("debug on"),
            Self::Debug(false) => f.write_str("debug off"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => write!(f, "setoption name {name} value {value}"),
            Self::Register(rest) => write!(f, "register {rest}"),
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Position(tokens) => tokens.fmt(f),
            Self::Go(tokens) => tokens.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Display => f.write_str("d"),
            Self::Fen => f.write_str("fen"),
            Self::Eval => f.write_str("eval"),
            Self::Bench(tokens) => tokens.fmt(f),
            Self::Speedtest(tokens) => tokens.fmt(f),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::GenFens(tokens) => tokens.fmt(f),
            Self::Moves => f.write_str("moves"),
            Self::Flip => f.write_str("flip"),
            Self::Compiler => f.write_str("compiler"),
            Self::Shorthand(shorthand) => shorthand.fmt(f),
            Self::Wait => f.write_str("wait"),
            Self::Help => f.write_str("help"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, value: Option<&str>) -> Option<Command> {
        Some(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    }

    #[test]
    fn lines_become_commands() {
        let cases: Vec<(&str, &[u8], Option<Command>, usize)> = vec![
            ("empty", b"", None, 0),
            ("white space only", b" \t \r\n", None, 0),
            ("comment", b"# go infinite", None, 0),
            ("plain", b"uci", Some(Command::Uci), 0),
            ("DOS line end", b"isready\r\n", Some(Command::IsReady), 0),
            ("white space around", b"\t stop  \r", Some(Command::Stop), 0),
            ("byte order mark", b"\xef\xbb\xbfuci", Some(Command::Uci), 0),
            ("skipped words", b"joho debug on", Some(Command::Debug(true)), 1),
            ("skipped words within", b"debug joho off", Some(Command::Debug(false)), 1),
            ("debug alone", b"debug", None, 1),
            ("unknown", b"xyzzy", None, 1),
            ("other case", b"UCI", None, 1),
            ("typed words count only in front", b"hello d", None, 1),
            ("not UTF-8", b"\xff\xfe isready", Some(Command::IsReady), 1),
            ("not UTF-8 at all", b"\x80\x81\x82", None, 1),
            ("trailing words", b"quit now", Some(Command::Quit), 0),
            ("option", b"setoption name Hash value 32", option("Hash", Some("32")), 0),
            (
                "option with spaces",
                b"setoption name  Move   Overhead value 5",
                option("Move Overhead", Some("5")),
                0,
            ),
            ("button", b"setoption name Clear Hash", option("Clear Hash", None), 0),
            ("path", b"setoption name F value  a  b.bin ", option("F", Some("a  b.bin")), 0),
            ("empty value", b"setoption name F value", option("F", Some("")), 0),
            ("no name", b"setoption", None, 1),
            ("no name but a value", b"setoption name value 3", None, 1),
            ("no word name", b"setoption Hash value 3", None, 4),
            ("perft", b"perft 5", Some(Command::Perft(5)), 0),
            ("a move", b"Nf3", Some(Command::Shorthand(Shorthand::Moves(vec!["Nf3".into()]))), 0),
            ("moves before a command are skipped words", b"e2e4 isready", Some(Command::IsReady), 1),
            ("perft without depth", b"perft", None, 1),
            ("register", b"register later", Some(Command::Register("later".to_owned())), 0),
            (
                "bench",
                b"bench 8 2 x",
                Some(Command::Bench(BenchTokens { depth: Some(8), threads: Some(2), hash_mib: None })),
                1,
            ),
        ];
        for (name, line, expected, warnings) in cases {
            let parsed = Command::parse(line);
            assert_eq!(parsed.command, expected, "{name}");
            assert_eq!(parsed.warnings.len(), warnings, "{name}: {:?}", parsed.warnings);
        }
    }

    #[test]
    fn written_text_parses_back() {
        for line in [
            "uci",
            "debug on",
            "debug off",
            "isready",
            "setoption name Clear Hash",
            "setoption name Book File value a  b",
            "register name Stefan MK code 4359874324",
            "ucinewgame",
            "position startpos",
            "position",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves e2e4 e7e5",
            "go depth 5",
            "stop",
            "ponderhit",
            "quit",
            "d",
            "fen",
            "eval",
            "bench 5 1",
            "perft 3",
            "speedtest 5 2 16",
            "genfens 10 seed 3 book None",
            "moves",
            "flip",
            "compiler",
            "e2e4 e7e5",
            "wait",
            "help",
        ] {
            let parsed = Command::parse(line.as_bytes());
            assert_eq!(parsed.warnings, [], "{line}");
            assert_eq!(parsed.command.map(|command| command.to_string()).as_deref(), Some(line));
        }
    }
}
