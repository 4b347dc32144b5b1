//! An engine for tests of the match runner: it plays random legal moves, and misbehaves as the words of its command
//! line state. Unknown words are skipped, so that a test can mark its processes.
//!
//! | words | effect |
//! |---|---|
//! | `seed N` | plays other random moves |
//! | `name TEXT` | states this name |
//! | `score N` | reports this score with every move, in centipawns |
//! | `delay MS` | takes this long for each move |
//! | `crash N` | ends at its Nth move, with a message on standard error |
//! | `mute N` | never answers from its Nth move on, not even to `stop` |
//! | `flood N` | prints `info` lines without end from its Nth move on, but no move |
//! | `unread N` | does not read its input after the Nth line |
//! | `illegal N` | plays an illegal move as its Nth |
//! | `slow N` | exceeds the time on its clock at its Nth move |
//! | `rubbish` | prints a meaningless line before each line |
//! | `deaf` | ends neither at `quit` nor at the end of its input |
//! | `options N` | declares N additional options |
//! | `silent` | does not even answer `uci` |
//! | `stubborn` | ignores `searchmoves` |
//! | `endless` | searches until `stop`, whatever the limits |

use hematite::chess::Position;
use hematite::notation::{CastlingStyle, UciMove, parse_uci_move, position_from_fen};
use hematite::rng::Rng;
use hematite::uci::{Command, GoTokens, PositionTokens, StartPosition};
use std::io::{BufRead, Write, stdin, stdout};
use std::process::exit;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::Duration;

/// The words of the command line.
struct Manner(Vec<String>);

impl Manner {
    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|found| found == word)
    }

    fn number(&self, word: &str) -> Option<u64> {
        let at = self.0.iter().position(|found| found == word)?;
        self.0.get(at + 1)?.parse().ok()
    }

    fn text(&self, word: &str) -> Option<&str> {
        let at = self.0.iter().position(|found| found == word)?;
        self.0.get(at + 1).map(String::as_str)
    }
}

struct Mock {
    manner: Manner,
    rng: Rng,
    position: Position,
    /// The number of moves made in this process.
    moves: u64,
    is_chess960: bool,
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

fn main() {
    let manner = Manner(std::env::args().skip(1).collect());
    let rng = Rng::new(manner.number("seed").unwrap_or(1));
    let mut mock = Mock { manner, rng, position: Position::start(), moves: 0, is_chess960: false };
    if mock.manner.has("silent") {
        forever();
    }
    let (sender, lines) = channel();
    let last_line = mock.manner.number("unread");
    spawn(move || {
        for (number, line) in (1..).zip(stdin().lock().lines().map_while(Result::ok)) {
            if sender.send(line).is_err() {
                break;
            }
            if Some(number) == last_line {
                forever();
            }
        }
    });
    while let Ok(line) = lines.recv() {
        match Command::parse(line.as_bytes()).command {
            Some(Command::Uci) => mock.introduce(),
            Some(Command::IsReady) => mock.say("readyok"),
            Some(Command::SetOption { name, value }) if name == "UCI_Chess960" => {
                mock.is_chess960 = value.as_deref() == Some("true");
            }
            Some(Command::Position(tokens)) => mock.place(&tokens),
            Some(Command::Go(go)) => mock.go(&go, &lines),
            Some(Command::Quit) if mock.manner.has("deaf") => {}
            Some(Command::Quit) => return,
            _ => {}
        }
    }
    if mock.manner.has("deaf") {
        forever();
    }
}

impl Mock {
    fn say(&self, line: &str) {
        let mut out = stdout().lock();
        if self.manner.has("rubbish") {
            let _ = out.write_all(b"\0\xff\xfe {\"x\": [1 ] } ; bestmov e2e4\ninfo depth x score cp\n\n");
        }
        let _ = writeln!(out, "{line}");
        let _ = out.flush();
    }

    fn introduce(&self) {
        let name = self.manner.text("name").unwrap_or("Mock");
        self.say(&format!("id name {name}\nid author the tests"));
        self.say("option name Hash type spin default 16 min 1 max 1024");
        self.say("option name Clear Hash type button");
        self.say("option name UCI_Chess960 type check default false");
        self.say("option name Ponder type check default false");
        self.say("option name Text type string default x");
        for number in 0..self.manner.number("options").unwrap_or(0) {
            self.say(&format!("option name {number} type button"));
        }
        self.say("uciok");
    }

    fn place(&mut self, tokens: &PositionTokens) {
        self.position = match &tokens.base {
            StartPosition::Startpos => Position::start(),
            StartPosition::Fen(fen) => position_from_fen(fen).expect("the runner sends legal positions"),
            StartPosition::Missing => panic!("the runner sends legal positions"),
        };
        for text in &tokens.moves {
            let mv = parse_uci_move(text, &self.position).expect("the runner sends legal moves");
            self.position = self.position.play(mv).expect("the runner sends legal moves");
        }
    }

    /// Whether the current move is the one at which the engine must do this. `mute` applies to all later moves as well.
    fn is_time_to(&self, word: &str) -> bool {
        self.manner.number(word) == Some(self.moves)
    }

    fn go(&mut self, go: &GoTokens, lines: &Receiver<String>) {
        self.moves += 1;
        if self.is_time_to("crash") {
            eprintln!("mock: cannot go on");
            exit(3);
        }
        if self.is_time_to("mute") {
            forever();
        }
        if self.is_time_to("flood") {
            let lines = "info string still thinking\n".repeat(1000);
            // It ends when nobody listens any more.
            while stdout().write_all(lines.as_bytes()).is_ok() {}
        }
        if self.is_time_to("slow") {
            let clocks = [go.white_time, go.black_time, go.move_time];
            let longest = clocks.into_iter().flatten().max().unwrap_or_default();
            sleep(longest + Duration::from_millis(200));
        }
        sleep(Duration::from_millis(self.manner.number("delay").unwrap_or(0)));
        let best = self.choose(go);
        let score = self.manner.text("score").unwrap_or("0");
        self.say(&format!("info depth 1 seldepth 2 score cp {score} nodes 20 nps 1000 time 0 pv {best}"));
        if go.ponder || go.infinite || self.manner.has("endless") {
            self.wait(lines);
        }
        self.say(&format!("bestmove {best}"));
    }

    fn choose(&mut self, go: &GoTokens) -> String {
        if self.is_time_to("illegal") {
            return "a1a8".to_owned();
        }
        let mut legal: Vec<_> = self.position.legal_moves().into_iter().collect();
        if !go.search_moves.is_empty() && !self.manner.has("stubborn") {
            let wanted = |text: &String| parse_uci_move(text, &self.position).ok();
            legal = go.search_moves.iter().filter_map(wanted).collect();
        }
        let style = if self.is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        // A mate in one is seen: the checks ask for it.
        let mates = legal.iter().find(|&&mv| {
            let after = self.position.after(mv).0;
            after.is_check() && after.legal_moves().is_empty()
        });
        let chosen = mates.or_else(|| self.rng.choose(&legal));
        chosen.map_or_else(|| "(none)".to_owned(), |&mv| UciMove::new(mv, style).to_string())
    }

    /// Waits until the search may end.
    fn wait(&self, lines: &Receiver<String>) {
        for line in lines {
            match Command::parse(line.as_bytes()).command {
                Some(Command::Stop | Command::PonderHit) => return,
                Some(Command::IsReady) => self.say("readyok"),
                Some(Command::Quit) => exit(0),
                _ => {}
            }
        }
        exit(0)
    }
}
