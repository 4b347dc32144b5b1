//! Conformance checks of an engine, step by step, with a verdict on each step.

mod session;

use crate::chess::{Outcome, Position};
use crate::client::{EngineConfig, EngineError, Launcher, Log, SearchReply, Timeouts};
use crate::notation::{CastlingStyle, UciMove, parse_uci_move, position_from_fen};
use crate::uci::{OptionKind, same_name};
use session::{Session, legal};
use std::time::{Duration, Instant};

/// The default time limits of the checks, for an engine on an otherwise idle machine. A search may exceed its limit by
/// the time allowed for `stop`.
pub const TIMEOUTS: Timeouts = Timeouts {
    start: Duration::from_secs(5),
    ping: Duration::from_secs(5),
    stop: Duration::from_millis(500),
    quit: Duration::from_secs(5),
    think: Duration::from_secs(30),
};

/// The result of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The name of the step.
    pub step: &'static str,
    /// The observation, or the problem and what was expected.
    pub result: Result<String, String>,
    /// The time that the step took.
    pub elapsed: Duration,
}

/// Runs all steps and reports each finding at once. A step during which the engine ends is a failure; the next one
/// starts a new process. If that does not answer `uci`, the remaining steps are reported as not tried; if an engine
/// does not answer `go`, so are the remaining steps that search.
///
/// # Errors
/// [`EngineError`] if the engine cannot be started at all.
pub fn check(
    settings: &EngineConfig,
    timeouts: Timeouts,
    launcher: &Launcher,
    log: &Log,
    mut report: impl FnMut(Finding),
) -> Result<(), EngineError> {
    let start = || Session::start(settings, timeouts, launcher, log);
    let mut session = Some(start()?);
    let (mut is_hopeless, mut is_mute) = (false, false);
    for &Step { name: step, searches, run } in STEPS {
        let begin = Instant::now();
        let obstacle = if is_hopeless {
            Some("uci")
        } else if is_mute && searches {
            Some("go")
        } else {
            None
        };
        if let Some(command) = obstacle {
            let result = Err(format!("not tried: the engine does not answer to `{command}`"));
            report(Finding { step, elapsed: begin.elapsed(), result });
            continue;
        }
        let mut current = match session.take() {
            Some(session) => session,
            None => {
                let mut fresh = start()?;
                if let Err(problem) = fresh.introduce() {
                    is_hopeless = true;
                    report(Finding { step, elapsed: begin.elapsed(), result: Err(problem) });
                    continue;
                }
                fresh
            }
        };
        let result = run(&mut current);
        report(Finding { step, elapsed: begin.elapsed(), result });
        is_mute |= current.is_mute();
        if current.is_alive() {
            session = Some(current);
        }
    }
    Ok(())
}

/// A step of the checks.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    /// Whether the step waits for the answer to a `go`.
    searches: bool,
    run: fn(&mut Session) -> Result<String, String>,
}

const fn plain(name: &'static str, run: fn(&mut Session) -> Result<String, String>) -> Step {
    Step { name, searches: false, run }
}

const fn search(name: &'static str, run: fn(&mut Session) -> Result<String, String>) -> Step {
    Step { name, searches: true, run }
}

/// All steps in their order; the last ones end the process.
const STEPS: &[Step] = &[
    plain("uci: id and uciok", introduction),
    plain("options are well-formed", options),
    plain("isready: readyok in time", ready),
    plain("unknown commands are skipped", unknown_commands),
    plain("setoption: Hash", hash),
    plain("ucinewgame, isready", new_game),
    search("position and go: legal moves", positions),
    search("go depth", depth),
    search("go nodes", nodes),
    search("go movetime", move_time),
    search("go with clocks", clocks),
    search("go mate: a mate in one is played", mate),
    search("go searchmoves", search_moves),
    search("info: depth, score and a legal pv", info),
    search("isready while searching", ready_while_searching),
    search("go infinite: silent until stop", infinite),
    search("stop: one bestmove in time", stop),
    search("go ponder, ponderhit", ponder_hit),
    search("go ponder, stop", ponder_stop),
    search("a position without legal moves", no_moves),
    search("UCI_Chess960: castling", chess960),
    plain("quit while searching", quit_searching),
    plain("end of input", end_of_input),
    plain("end of input while searching", end_of_input_searching),
    plain("quit", quit),
];

const START: &str = "position startpos";
/// The time during which an engine must not answer to show that it waits.
const SILENCE: Duration = Duration::from_millis(150);

fn introduction(session: &mut Session) -> Result<String, String> {
    let begin = Instant::now();
    session.introduce()?;
    let name = session.name.as_deref().filter(|name| !name.is_empty()).ok_or("no `id name`")?;
    let author = session.author.as_deref().filter(|author| !author.is_empty()).ok_or("no `id author`")?;
    Ok(format!("{name} by {author}, {} ms", begin.elapsed().as_millis()))
}

fn options(session: &mut Session) -> Result<String, String> {
    if let Some(line) = &session.bad_option {
        return Err(format!("not a declaration: {line}"));
    }
    for (index, option) in session.options.iter().enumerate() {
        let name = &option.name;
        if session.options[..index].iter().any(|other| same_name(&other.name, name)) {
            return Err(format!("{name} is declared twice"));
        }
        match &option.kind {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                return Err(format!("{name}: default {default} is not in {min} to {max}"));
            }
            OptionKind::Combo { default, values } if !values.contains(default) => {
                return Err(format!("{name}: default {default} is none of {}", values.join(", ")));
            }
            _ => {}
        }
    }
    Ok(format!("{} options", session.options.len()))
}

fn ready(session: &mut Session) -> Result<String, String> {
    session.ready().map(|time| format!("{} ms", time.as_millis()))
}

fn unknown_commands(session: &mut Session) -> Result<String, String> {
    for line in ["", "xyzzy", "setoption name No Such Option value 1", "joho debug off"] {
        session.send(line);
    }
    ready(session)
}

fn hash(session: &mut Session) -> Result<String, String> {
    let option = session.options.iter().find(|option| same_name(&option.name, "Hash"));
    let Some(OptionKind::Spin { default, min, max }) = option.map(|option| option.kind.clone()) else {
        return Ok("the engine has no such option".to_owned());
    };
    for value in [2_i64.clamp(min, max), default] {
        session.send(&format!("setoption name Hash value {value}"));
        session.ready()?;
    }
    Ok(format!("{min} to {max} MiB, default {default}"))
}

fn new_game(session: &mut Session) -> Result<String, String> {
    session.send("ucinewgame");
    ready(session)
}

fn position(fen: &str) -> Result<Position, String> {
    position_from_fen(fen).map_err(|error| error.to_string())
}

fn positions(session: &mut Session) -> Result<String, String> {
    const CASES: [(&str, &str); 8] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4 c7c5 g1f3 d7d6"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1 e8g8"),
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2d4"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a7a8q"),
        ("7k/8/8/8/8/8/6r1/6K1 w - - 99 150", ""),
        ("8/8/8/8/8/1k6/8/K6q w - - 0 1", ""),
    ];
    let mut count = 0;
    for (fen, moves) in CASES {
        let mut now = position(fen)?;
        for text in moves.split_whitespace() {
            now = now.after(parse_uci_move(text, &now).map_err(|error| error.to_string())?).0;
        }
        if !now.has_legal_moves() {
            continue;
        }
        let command = match moves {
            "" => format!("position fen {fen}"),
            _ => format!("position fen {fen} moves {moves}"),
        };
        let answer = session.search(&command, "go depth 2")?;
        legal(&answer, &now).map_err(|error| format!("{command}: {error}"))?;
        count += 1;
    }
    Ok(format!("{count} positions"))
}

fn limited(session: &mut Session, go: &str) -> Result<(SearchReply, String), String> {
    let answer = session.search(START, go)?;
    legal(&answer, &Position::start())?;
    let time = format!("{} ms", answer.elapsed.as_millis());
    Ok((answer, time))
}

fn depth(session: &mut Session) -> Result<String, String> {
    const DEPTH: u32 = 3;
    let (answer, time) = limited(session, &format!("go depth {DEPTH}"))?;
    match answer.depth {
        Some(depth) if depth > DEPTH => Err(format!("depth {depth} was searched, expected {DEPTH}")),
        _ => Ok(time),
    }
}

fn nodes(session: &mut Session) -> Result<String, String> {
    const NODES: u64 = 2000;
    /// The factor by which a node limit may be exceeded, since engines check their limits only at intervals.
    const TOLERANCE: u64 = 10;
    let (answer, time) = limited(session, &format!("go nodes {NODES}"))?;
    match answer.nodes {
        Some(nodes) if nodes > TOLERANCE * NODES => Err(format!("{nodes} nodes, expected about {NODES}")),
        _ => Ok(time),
    }
}

fn move_time(session: &mut Session) -> Result<String, String> {
    const TIME: Duration = Duration::from_millis(200);
    let (answer, time) = limited(session, &format!("go movetime {}", TIME.as_millis()))?;
    let longest = TIME + session.timeouts.stop;
    if answer.elapsed > longest {
        return Err(format!("{time}, expected at most {} ms", longest.as_millis()));
    }
    Ok(time)
}

fn clocks(session: &mut Session) -> Result<String, String> {
    for go in [
        "go wtime 1000 btime 1000",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 500 btime 500 movestogo 1",
        "go wtime 1 btime 1",
    ] {
        let (answer, time) = limited(session, go)?;
        let clock = go.split_whitespace().nth(2).and_then(|text| text.parse().ok()).unwrap_or(0);
        let longest = Duration::from_millis(clock) + session.timeouts.stop;
        if answer.elapsed > longest {
            return Err(format!("{go}: {time}, expected at most {} ms", longest.as_millis()));
        }
    }
    Ok("4 clocks".to_owned())
}

fn mate(session: &mut Session) -> Result<String, String> {
    const FEN: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let answer = session.search(&format!("position fen {FEN}"), "go mate 1 depth 10")?;
    let start = position(FEN)?;
    let after = start.after(legal(&answer, &start)?).0;
    let key_history = crate::chess::KeyHistory::new(&after);
    match after.outcome(&key_history) {
        Some(Outcome::Checkmate { .. }) => Ok(answer.best.unwrap_or_default()),
        _ => Err(format!("bestmove {}, expected a1a8", answer.best.unwrap_or_default())),
    }
}

fn search_moves(session: &mut Session) -> Result<String, String> {
    let answer = session.search(START, "go depth 3 searchmoves a2a3 h2h4")?;
    match answer.best.as_deref() {
        Some(best @ ("a2a3" | "h2h4")) => Ok(best.to_owned()),
        best => Err(format!("bestmove {}, expected a2a3 or h2h4", best.unwrap_or("(none)"))),
    }
}

fn info(session: &mut Session) -> Result<String, String> {
    let answer = session.search(START, "go depth 4")?;
    if answer.score.is_none() || answer.pv.is_empty() {
        return Err("no `info` with score and pv".to_owned());
    }
    let depth = answer.depth.ok_or("an `info` with score but no depth")?;
    let mut now = Position::start();
    for text in &answer.pv {
        let mv = parse_uci_move(text, &now).map_err(|error| format!("pv: {error}"))?;
        now = now.after(mv).0;
    }
    if answer.best.as_ref() != answer.pv.first() {
        return Err("the pv begins with another move than bestmove".to_owned());
    }
    Ok(format!("depth {depth}, {} moves", answer.pv.len()))
}

/// Starts a search without a limit.
fn go_infinite(session: &mut Session) {
    session.send(START);
    session.send("go infinite");
}

fn stop_now(session: &mut Session) -> Result<String, String> {
    let begin = Instant::now();
    session.send("stop");
    let answer = session.answer(begin, session.timeouts.think)?;
    legal(&answer, &Position::start())?;
    let (took, longest) = (answer.elapsed, session.timeouts.stop);
    if took > longest {
        return Err(format!("{} ms, expected at most {} ms", took.as_millis(), longest.as_millis()));
    }
    Ok(format!("{:.1} ms", took.as_secs_f64() * 1000.0))
}

fn ready_while_searching(session: &mut Session) -> Result<String, String> {
    go_infinite(session);
    let time = session.ready()?;
    stop_now(session)?;
    Ok(format!("{} ms", time.as_millis()))
}

fn infinite(session: &mut Session) -> Result<String, String> {
    // The mate is found at once and there is nothing left to search, but `stop` has not been sent.
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    session.send("go infinite");
    let silence = session.expect_silence(SILENCE, "before `stop`");
    session.send("stop");
    if silence.is_ok() {
        session.answer(Instant::now(), session.timeouts.think)?;
    }
    silence.map(|()| "silent".to_owned())
}

fn stop(session: &mut Session) -> Result<String, String> {
    go_infinite(session);
    session.expect_silence(SILENCE, "before `stop`")?;
    let time = stop_now(session)?;
    session.send("stop");
    session.expect_silence(SILENCE, "a second time")?;
    Ok(time)
}

fn ponder_hit(session: &mut Session) -> Result<String, String> {
    session.send(START);
    session.send("go ponder wtime 400 btime 400");
    session.expect_silence(SILENCE, "before `ponderhit`")?;
    let begin = Instant::now();
    session.send("ponderhit");
    let answer = session.answer(begin, session.timeouts.think)?;
    legal(&answer, &Position::start())?;
    Ok(format!("{} ms", answer.elapsed.as_millis()))
}

fn ponder_stop(session: &mut Session) -> Result<String, String> {
    session.send(START);
    session.send("go ponder wtime 1000 btime 1000");
    session.expect_silence(SILENCE, "before `stop`")?;
    stop_now(session)
}

fn no_moves(session: &mut Session) -> Result<String, String> {
    for fen in ["R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let answer = session.search(&format!("position fen {fen}"), "go depth 3")?;
        if let Some(best) = answer.best {
            return Err(format!("bestmove {best}, expected (none) or 0000"));
        }
    }
    session.ready()?;
    Ok("mate and stalemate".to_owned())
}

fn chess960(session: &mut Session) -> Result<String, String> {
    const FEN: &str = "4k3/8/8/8/8/8/8/1R3KR1 w BG - 0 1";
    if !session.options.iter().any(|option| same_name(&option.name, "UCI_Chess960")) {
        return Ok("the engine has no such option".to_owned());
    }
    session.send("setoption name UCI_Chess960 value true");
    let answer = session.search(&format!("position fen {FEN}"), "go depth 1 searchmoves f1g1")?;
    session.send("setoption name UCI_Chess960 value false");
    let start = position(FEN)?;
    let mv = legal(&answer, &start)?;
    match UciMove::new(mv, CastlingStyle::Chess960).to_string() {
        text if text == "f1g1" && mv.is_castle() => Ok("f1g1".to_owned()),
        text => Err(format!("bestmove {text}, expected f1g1")),
    }
}

fn ends(session: &mut Session) -> Result<String, String> {
    let begin = Instant::now();
    let timeout = session.timeouts.quit;
    let has_ended = session.process().wait_for_end(timeout);
    session.retire();
    if !has_ended {
        return Err(format!("still running after {:.1} s", timeout.as_secs_f64()));
    }
    let time = begin.elapsed();
    match session.process().exit_status(timeout) {
        Some(status) if status.success() => Ok(format!("{} ms", time.as_millis())),
        Some(status) => Err(format!("ended with {status}, expected success")),
        None => Err("its output is closed, but it is still running".to_owned()),
    }
}

fn quit_searching(session: &mut Session) -> Result<String, String> {
    go_infinite(session);
    session.send("quit");
    ends(session)
}

fn end_of_input(session: &mut Session) -> Result<String, String> {
    session.process().close_input();
    ends(session)
}

fn end_of_input_searching(session: &mut Session) -> Result<String, String> {
    go_infinite(session);
    session.process().close_input();
    ends(session)
}

fn quit(session: &mut Session) -> Result<String, String> {
    session.send("quit");
    ends(session)
}
