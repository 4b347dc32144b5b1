//! From tables to a plan.

use super::keys::Keys;
use super::{BookFile, Entrant, Plan, PlanError};
use crate::arena::game::{Adjudication, DrawRule, Limits, ResignRule, parse_seconds};
use crate::arena::log::Details;
use crate::arena::opening::{BookFormat, Order, Sequence};
use crate::arena::schedule::Format;
use crate::arena::statistics::{EloModel, Sprt};
use crate::client::{EngineSettings, InitialOption, Timeouts};
use crate::files::PathExcerpt;
use crate::uci::same_name;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use toml::{Table, Value};

const SECONDS: &str = "a number of seconds";
const NUMBER: &str = "a number";
const WHOLE: &str = "a whole number from 0 up";
/// How many games are played at a time at most: what systems allow in processes and files.
const MAX_CONCURRENCY: usize = 1024;
/// How many games or pairs of games there are at most: who plays whom is kept in memory.
const MAX_ENCOUNTERS: usize = 10_000_000;
/// How many openings can be passed over at most: random orders are made from their beginning on.
const MAX_START: usize = 100_000_000;

pub(super) fn plan(table: Table) -> Result<Plan, PlanError> {
    let mut keys = Keys::new(None, table);
    let entrants = entrants(&mut keys)?;
    let games: Option<usize> = keys.count("games")?;
    let repeat = keys.flag("repeat")?;
    if games.is_some_and(|games| games > 2) {
        return Err(
            keys.error("games: more than 2 games an opening, expected 1, or 2 with colors swapped".into())
        );
    }
    let adjudication = Adjudication {
        draw: draw(&mut keys)?,
        resign: resign(&mut keys)?,
        max_moves: keys.count("maxmoves")?,
    };
    let (book, sequence) = openings(&mut keys)?;
    let (pgn, details) = pgn(&mut keys)?;
    let path = |text: String| PathBuf::from(text);
    // A match whose games are kept can go on.
    let beside_games = || pgn.as_ref().map(|games| games.with_added_extension(STATE_EXTENSION));
    let state = keys.text("state")?.map(path).or_else(beside_games);
    let plan = Plan {
        entrants,
        format: keys
            .read("tournament", "roundrobin or gauntlet", |text| match text {
                "roundrobin" | "round-robin" => Some(Format::RoundRobin),
                "gauntlet" => Some(Format::Gauntlet),
                _ => None,
            })?
            .unwrap_or_default(),
        rounds: keys.count("rounds")?.unwrap_or(1),
        is_repeated: repeat.unwrap_or(games == Some(2)),
        concurrency: keys
            .read("concurrency", &format!("a whole number from 1 to {MAX_CONCURRENCY}"), |text| {
                text.parse().ok().filter(|number| (1..=MAX_CONCURRENCY).contains(number))
            })?
            .unwrap_or(1),
        variant: keys.parse("variant", "standard, fischerandom or dfrc")?.unwrap_or_default(),
        book,
        sequence,
        adjudication,
        sprt: sprt(&mut keys)?,
        timeouts: timeouts(&mut keys)?,
        pgn,
        details,
        epd: keys.text("epd-out")?.map(path),
        log: keys.text("log")?.map(path),
        state,
        report_interval: keys.count("report")?.unwrap_or(DEFAULT_REPORT_INTERVAL),
        event: keys.text("event")?.unwrap_or_else(|| "Hematite match".to_owned()),
        site: keys.text("site")?.unwrap_or_else(|| "?".to_owned()),
    };
    if plan.sprt.is_some() && plan.entrants.len() != 2 {
        return Err(keys.error(format!("sprt: {} engines, expected 2 for a test", plan.entrants.len())));
    }
    if plan.schedule().count().is_none_or(|encounters| encounters > MAX_ENCOUNTERS) {
        let problem =
            format!("rounds: too many, expected at most {MAX_ENCOUNTERS} for all pairings together");
        return Err(keys.error(problem));
    }
    if let Some(problem) = shared_file(&plan) {
        return Err(keys.error(problem));
    }
    keys.finish()?;
    Ok(plan)
}

/// What is wrong if two things are to be written to one file.
fn shared_file(plan: &Plan) -> Option<String> {
    let files = [("pgn", &plan.pgn), ("epd-out", &plan.epd), ("log", &plan.log), ("state", &plan.state)];
    let mut seen: BTreeMap<PathBuf, &str> = BTreeMap::new();
    for (key, path) in files {
        let Some(path) = path else { continue };
        // `x` and `./x` are one file.
        let full = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        if let Some(other) = seen.insert(full, key) {
            let path = PathExcerpt::new(path);
            return Some(format!("{other} and {key}: both {path}, expected a file for each"));
        }
    }
    None
}

/// What is added to the name of the file of games for that of the state, where none is given.
const STATE_EXTENSION: &str = "state";
/// Games between two reports.
const DEFAULT_REPORT_INTERVAL: usize = 10;

fn entrants(keys: &mut Keys) -> Result<Vec<Entrant>, PlanError> {
    let each = match keys.take("each") {
        None => Table::new(),
        Some(Value::Table(table)) => table,
        Some(_) => return Err(keys.error("each: a single value, expected keys and values".into())),
    };
    // What is wrong there is told once, and not of each engine.
    let mut shared = each.clone();
    shared.insert("cmd".to_owned(), Value::from("-"));
    shared.entry("depth").or_insert(Value::from(1));
    if each.contains_key("name") || each.contains_key("cmd") {
        return Err(keys.error("each: every engine has a name and a cmd of its own".into()));
    }
    entrant(Keys::new(Some("each"), shared), &[])?;
    let engines = match keys.take("engine") {
        None => Vec::new(),
        Some(Value::Array(engines)) => engines,
        Some(single) => vec![single],
    };
    let mut entrants = Vec::new();
    for (index, engine) in engines.into_iter().enumerate() {
        let group = format!("engine {}", index + 1);
        let Value::Table(own) = engine else {
            return Err(keys.error(format!("{group}: a single value, expected keys and values")));
        };
        let own_options: Vec<String> = options(&own).map(|(name, _)| name.clone()).collect();
        let merged = merge(each.clone(), own);
        entrants.push(entrant(Keys::new(Some(&group), merged), &own_options)?);
    }
    if entrants.len() < 2 {
        return Err(keys.error(format!("engine: {} given, expected 2 or more", entrants.len())));
    }
    Ok(entrants)
}

fn options(table: &Table) -> impl Iterator<Item = (&String, &Value)> {
    table.get("option").and_then(Value::as_table).into_iter().flatten()
}

/// What both say; `over` is right where they differ. Limits of different kinds exclude one
/// another, so an engine that has limits of its own has none of those for all.
fn merge(base: Table, over: Table) -> Table {
    const LIMITS: [&str; 4] = ["tc", "st", "nodes", "depth"];
    let mut merged = base;
    if LIMITS.iter().any(|key| over.contains_key(*key)) {
        LIMITS.iter().for_each(|key| drop(merged.remove(*key)));
    }
    for (key, value) in over {
        match (merged.get_mut(&key), value) {
            (Some(Value::Table(shared)), Value::Table(own)) => {
                // To engines, names that differ in case alone are the same.
                shared.retain(|name, _| !own.keys().any(|other| same_name(name, other)));
                shared.extend(own);
            }
            (_, value) => drop(merged.insert(key, value)),
        }
    }
    merged
}

fn entrant(mut keys: Keys, own_options: &[String]) -> Result<Entrant, PlanError> {
    let mut options = Vec::new();
    match keys.take("option") {
        None => {}
        Some(Value::Table(table)) => {
            for (name, value) in table {
                let value = keys.scalar(&name, value)?;
                let is_required = own_options.contains(&name);
                options.push(InitialOption { name, value, is_required });
            }
        }
        Some(_) => return Err(keys.error("option: no name, expected option.NAME=VALUE".into())),
    }
    let arguments = match keys.take("args") {
        None => Vec::new(),
        Some(Value::Array(list)) => {
            list.into_iter().map(|value| keys.scalar("args", value)).collect::<Result<_, _>>()?
        }
        Some(value) => keys.scalar("args", value)?.split_whitespace().map(str::to_owned).collect(),
    };
    keys.read("proto", "uci", |text| (text == "uci").then_some(()))?;
    let settings = EngineSettings {
        name: keys.text("name")?,
        command: keys.text("cmd")?.ok_or_else(|| keys.error("no cmd, expected cmd=PROGRAM".into()))?,
        arguments,
        directory: keys.text("dir")?.map(PathBuf::from),
        options,
        restarts: keys.flag("restart")?.unwrap_or(false),
        ponders: keys.flag("ponder")?.unwrap_or(false),
    };
    let milliseconds = |text: &str| text.parse().ok().map(Duration::from_millis);
    let limits = Limits {
        clock: keys
            .read("tc", "MOVES/SECONDS+INCREMENT such as 8+0.08, 40/60, 3:00+2, or inf", |text| match text {
                "inf" | "infinite" => Some(None),
                _ => text.parse().ok().map(Some),
            })?
            .flatten(),
        move_time: keys.read("st", SECONDS, |text| parse_seconds(text).filter(|time| !time.is_zero()))?,
        nodes: keys.count("nodes")?,
        depth: keys.count("depth")?,
        margin: keys.read("timemargin", "a number of milliseconds", milliseconds)?.unwrap_or_default(),
    };
    if !limits.is_limited() {
        return Err(keys.error("no limit, expected one of tc, st, nodes, depth".into()));
    }
    keys.finish()?;
    Ok(Entrant { settings, limits })
}

fn openings(keys: &mut Keys) -> Result<(Option<BookFile>, Sequence), PlanError> {
    let seed = keys.parse("seed", WHOLE)?;
    let mut sequence = Sequence { order: Order::Sequential, first: 0, seed: seed.unwrap_or(0) };
    let Some(mut keys) = keys.group("openings")? else { return Ok((None, sequence)) };
    let path = keys.text("file")?;
    let format = keys.read("format", "epd or pgn", |text| match text {
        "epd" => Some(BookFormat::Epd),
        "pgn" => Some(BookFormat::Pgn),
        _ => None,
    })?;
    let plies = keys.count("plies")?;
    let order = keys.read("order", "sequential or random", |text| match text {
        "sequential" => Some(Order::Sequential),
        "random" => Some(Order::Random),
        _ => None,
    })?;
    sequence.order = order.unwrap_or_default();
    let start = keys.read("start", &format!("a whole number from 1 to {MAX_START}"), |text| {
        text.parse().ok().filter(|number| (1..=MAX_START).contains(number))
    })?;
    sequence.first = start.unwrap_or(1) - 1;
    keys.finish()?;
    Ok((path.map(|path| BookFile { path: path.into(), format, plies }), sequence))
}

fn sprt(keys: &mut Keys) -> Result<Option<Sprt>, PlanError> {
    let Some(mut keys) = keys.group("sprt")? else { return Ok(None) };
    let elo0 = keys.parse("elo0", NUMBER)?.unwrap_or(0.0);
    let elo1 =
        keys.parse("elo1", NUMBER)?.ok_or_else(|| keys.error("no elo1, expected elo1=NUMBER".into()))?;
    let alpha = keys.parse("alpha", NUMBER)?.unwrap_or(Sprt::DEFAULT_RISK);
    let beta = keys.parse("beta", NUMBER)?.unwrap_or(Sprt::DEFAULT_RISK);
    let model: EloModel = keys.parse("model", "logistic, normalized or bayesian")?.unwrap_or_default();
    let sprt = Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| keys.error(error.to_string()))?;
    keys.finish()?;
    Ok(Some(sprt))
}

fn draw(keys: &mut Keys) -> Result<Option<DrawRule>, PlanError> {
    let Some(mut keys) = keys.group("draw")? else { return Ok(None) };
    let rule = DrawRule {
        move_number: keys.parse("movenumber", WHOLE)?.unwrap_or(0),
        move_count: keys.count("movecount")?.unwrap_or(1),
        score: keys.parse("score", WHOLE)?.unwrap_or(0),
    };
    keys.finish()?;
    Ok(Some(rule))
}

fn resign(keys: &mut Keys) -> Result<Option<ResignRule>, PlanError> {
    let Some(mut keys) = keys.group("resign")? else { return Ok(None) };
    let score = keys.count("score")?;
    let rule = ResignRule {
        move_count: keys.count("movecount")?.unwrap_or(1),
        score: score.ok_or_else(|| keys.error("no score, expected score=CENTIPAWNS".into()))?,
        is_two_sided: keys.flag("twosided")?.unwrap_or(false),
    };
    keys.finish()?;
    Ok(Some(rule))
}

fn pgn(keys: &mut Keys) -> Result<(Option<PathBuf>, Details), PlanError> {
    let Some(mut keys) = keys.group("pgn")? else { return Ok((None, Details::default())) };
    let file = keys.text("file")?.ok_or_else(|| keys.error("no file, expected file=PATH".into()))?;
    let details = Details {
        nodes: keys.flag("nodes")?.unwrap_or(false),
        selective_depth: keys.flag("seldepth")?.unwrap_or(false),
        nodes_per_second: keys.flag("nps")?.unwrap_or(false),
        hash_full: keys.flag("hashfull")?.unwrap_or(false),
        time_left: keys.flag("timeleft")?.unwrap_or(false),
        latency: keys.flag("latency")?.unwrap_or(false),
        pv: keys.flag("pv")?.unwrap_or(false),
    };
    keys.finish()?;
    Ok((Some(file.into()), details))
}

fn timeouts(keys: &mut Keys) -> Result<Timeouts, PlanError> {
    let Some(mut keys) = keys.group("timeouts")? else { return Ok(Timeouts::default()) };
    let default = Timeouts::default();
    let timeouts = Timeouts {
        start: keys.read("start", SECONDS, parse_seconds)?.unwrap_or(default.start),
        ping: keys.read("ping", SECONDS, parse_seconds)?.unwrap_or(default.ping),
        stop: keys.read("stop", SECONDS, parse_seconds)?.unwrap_or(default.stop),
        quit: keys.read("quit", SECONDS, parse_seconds)?.unwrap_or(default.quit),
        think: keys.read("think", SECONDS, parse_seconds)?.unwrap_or(default.think),
    };
    keys.finish()?;
    Ok(timeouts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Plan, String> {
        let table = text.parse::<Table>().expect("valid TOML");
        Plan::read(table).map_err(|error| error.to_string())
    }

    const TWO: &str = "[[engine]]\ncmd='a'\n[[engine]]\ncmd='b'\n";

    #[test]
    fn a_full_plan_survives_being_written_and_read() {
        let text = "
            rounds = 500\nrepeat = true\nconcurrency = 2\nseed = 7\nvariant = 'dfrc'\nmaxmoves = 200
            epd-out = 'end.epd'\nlog = 'l'\nstate = 's'\nreport = 20\nevent = 'E'\nsite = 'S'\ntournament = 'gauntlet'
            openings = { file = 'b.pgn', format = 'pgn', order = 'random', start = 3, plies = 8 }
            sprt = { elo0 = 0, elo1 = 10, alpha = 0.01, model = 'logistic' }
            draw = { movenumber = 40, movecount = 8, score = 10 }
            resign = { movecount = 3, score = 600, twosided = true }
            pgn = { file = 'g.pgn', nodes = true, pv = true, seldepth = true, nps = true, hashfull = true, timeleft = true, latency = true }
            timeouts = { start = 1, ping = 2.5, stop = 3, quit = 4, think = 5 }
            each = { tc = '8+0.08', timemargin = 100, option = { Hash = 16, 'Move Overhead' = '5' } }
            [[engine]]
            cmd = './a'\nname = 'A'\nargs = '-x  1'\ndir = '/tmp'\nponder = true\nrestart = true
            [[engine]]
            cmd = 'b'\nst = 0.5\nargs = ['a b', 'c']\noption = { Hash = 32 }";
        let plan = read(text).expect("a plan");
        assert_eq!(plan.entrants[0].limits.to_string(), "8+0.08");
        assert_eq!(plan.entrants[1].limits.to_string(), "0.5/move");
        assert_eq!(plan.entrants[0].settings.arguments, ["-x", "1"]);
        let told: Vec<_> = plan.entrants[1]
            .settings
            .options
            .iter()
            .map(|option| (option.name.as_str(), option.value.as_str(), option.is_required))
            .collect();
        assert_eq!(told, [("Hash", "32", true), ("Move Overhead", "5", false)]);
        assert_eq!(plan.sequence, Sequence { order: Order::Random, first: 2, seed: 7 });
        let again = Plan::read(plan.write()).expect("what was written is a plan");
        assert_eq!(again, plan);
    }

    #[test]
    fn options_for_all_stay_what_an_engine_may_lack() {
        let cases = [
            ("for all", "each.option = { A = 1, B = 2 }", ["", ""]),
            ("one engine has its own", "each.option = { A = 1, B = 2 }", ["option = { a = 3 }", ""]),
            (
                "each has its own",
                "each.option = { A = 1 }",
                ["option = { A = 3, C = 4 }", "option = { a = 1 }"],
            ),
            ("names that differ in case alone", "each.option = { A = 1, a = 2 }", ["option = { C = 3 }", ""]),
            ("none for all", "", ["option = { A = 1 }", ""]),
        ];
        for (name, each, [first, second]) in cases {
            let text = format!(
                "{each}\neach.nodes = 1\n[[engine]]\ncmd = 'a'\n{first}\n[[engine]]\ncmd = 'b'\n{second}"
            );
            let plan = read(&text).expect(name);
            assert_eq!(Plan::read(plan.write()), Ok(plan), "{name}");
        }
    }

    #[test]
    fn a_file_has_one_purpose() {
        let read_with = |words: &str| read(&format!("{words}\neach = {{ nodes = 1 }}\n{TWO}"));
        let cases = [
            ("pgn.file = 'x'\nlog = 'x'", "pgn and log: both "),
            ("pgn.file = 'x'\nepd-out = './x'", "pgn and epd-out: both "),
            ("epd-out = 'folder/x'\nstate = 'folder//x'", "epd-out and state: both "),
            ("pgn.file = 'x'\nlog = 'x.state'", "log and state: both "),
        ];
        for (words, message) in cases {
            let error = read_with(words).expect_err(message);
            assert!(error.starts_with(message) && error.ends_with("expected a file for each"), "{error}");
        }
        let plan = read_with("pgn.file = 'x'\nlog = 'folder/x'\nepd-out = 'y'").expect("different files");
        assert_eq!(plan.state, Some(PathBuf::from("x.state")));
    }

    #[test]
    fn what_is_wrong_is_told_with_a_suggestion() {
        let each = format!("each = {{ tc = '1+0.01' }}\n{TWO}");
        let cases = [
            ("", "engine: 0 given, expected 2 or more"),
            (TWO, "engine 1: no limit, expected one of tc, st, nodes, depth"),
            ("each = { tcc = '1+1' }", "each: unknown key `tcc`, did you mean `tc`?"),
            ("each = { tc = '1+x' }", "each: tc=`1+x`, expected MOVES/SECONDS+INCREMENT such as"),
            ("each = { name = 'x' }", "each: every engine has a name"),
            (
                "[[engine]]\ncmd='a'\noptoin={Hash=1}\ntc=1",
                "engine 1: unknown key `optoin`, did you mean `option`?",
            ),
            ("[[engine]]\ntc=1", "engine 1: no cmd, expected cmd=PROGRAM"),
            (&format!("concurency = 2\n{each}"), "unknown key `concurency`, did you mean `concurrency`?"),
            (&format!("rounds = 0\n{each}"), "rounds=`0`, expected a whole number from 1 up"),
            (&format!("repeat = 'perhaps'\n{each}"), "repeat=`perhaps`, expected true or false"),
            (
                &format!("sprt = {{ elo1 = 5, elo2 = 1 }}\n{each}"),
                "sprt: unknown key `elo2`, did you mean `elo0`?",
            ),
            (
                &format!("sprt = {{ elo0 = 5, elo1 = 1 }}\n{each}"),
                "sprt: elo0=5 elo1=1, expected elo0 to be less",
            ),
            (
                &format!("openings = {{ oder = 'random' }}\n{each}"),
                "openings: unknown key `oder`, did you mean `order`?",
            ),
            (&format!("openings = 3\n{each}"), "`openings` is a single value, expected keys and values"),
            (&format!("zzzzzz = 3\n{each}"), "unknown key `zzzzzz`, expected one of each, engine,"),
        ];
        for (text, message) in cases {
            let error = read(text).expect_err(message);
            assert!(error.starts_with(message), "found {error}\nexpected {message}");
        }
    }

    #[test]
    fn an_engine_s_own_option_counts_however_it_is_written() {
        let text = "each = { nodes = 1, option = { hash = 16, 'Move Overhead' = 5 } }
            [[engine]]\ncmd = 'a'\noption = { Hash = 256 }\n[[engine]]\ncmd = 'b'\noption = { 'move overhead' = 9 }";
        let plan = read(text).expect("a plan");
        let told = plan.entrants.iter().map(|entrant| {
            let options = entrant.settings.options.iter();
            options.map(|option| (option.name.as_str(), option.value.as_str())).collect::<Vec<_>>()
        });
        let told: Vec<_> = told.collect();
        assert_eq!(
            told,
            [[("Hash", "256"), ("Move Overhead", "5")], [("hash", "16"), ("move overhead", "9")]]
        );
    }
}
