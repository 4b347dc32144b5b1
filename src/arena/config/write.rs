//! From a plan to tables.

use super::{Entrant, Plan};
use crate::arena::game::Limits;
use crate::arena::opening::{BookFormat, Order, Variant};
use crate::arena::schedule::Format;
use crate::client::InitialOption;
use crate::uci::same_name;
use std::path::Path;
use std::time::Duration;
use toml::{Table, Value};

pub(super) fn plan(plan: &Plan) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| drop(table.insert(key.to_owned(), value));
    put("event", plan.event.clone().into());
    put("site", plan.site.clone().into());
    put(
        "tournament",
        match plan.format {
            Format::RoundRobin => "roundrobin",
            Format::Gauntlet => "gauntlet",
        }
        .into(),
    );
    put("rounds", number(plan.rounds));
    put("repeat", plan.is_repeated.into());
    put("concurrency", number(plan.concurrency));
    put("variant", Variant::name(plan.variant).into());
    // TOML knows no numbers above this; such a seed is written as text.
    put(
        "seed",
        i64::try_from(plan.sequence.seed).map_or_else(|_| plan.sequence.seed.to_string().into(), Value::from),
    );
    put("report", number(plan.report_interval));
    for (key, path) in [("epd-out", &plan.epd), ("log", &plan.log), ("state", &plan.state)] {
        if let Some(path) = path {
            put(key, text(path));
        }
    }
    if let Some(moves) = plan.adjudication.max_moves {
        put("maxmoves", i64::from(moves).into());
    }
    put("openings", openings(plan).into());
    put("timeouts", timeouts(plan).into());
    if let Some(rule) = plan.adjudication.draw {
        let entries =
            [("movenumber", rule.move_number), ("movecount", rule.move_count), ("score", rule.score)];
        put("draw", entries.map(|(key, value)| (key, i64::from(value))).into_iter().collect::<Numbers>().0);
    }
    if let Some(rule) = plan.adjudication.resign {
        let mut resign = Table::new();
        resign.insert("movecount".to_owned(), i64::from(rule.move_count).into());
        resign.insert("score".to_owned(), i64::from(rule.score).into());
        resign.insert("twosided".to_owned(), rule.is_two_sided.into());
        put("resign", resign.into());
    }
    if let Some(sprt) = plan.sprt {
        let mut group = Table::new();
        for (key, value) in
            [("elo0", sprt.elo0()), ("elo1", sprt.elo1()), ("alpha", sprt.alpha()), ("beta", sprt.beta())]
        {
            group.insert(key.to_owned(), value.into());
        }
        group.insert("model".to_owned(), sprt.model().name().into());
        put("sprt", group.into());
    }
    if let Some(path) = &plan.pgn {
        put("pgn", pgn(plan, path).into());
    }
    let shared = shared_options(plan);
    if !shared.is_empty() {
        let each = Table::from_iter([("option".to_owned(), options(shared.iter().copied()).into())]);
        put("each", each.into());
    }
    let engines = plan.entrants.iter().map(|entrant| engine(entrant, &shared).into());
    put("engine", Value::Array(engines.collect()));
    table
}

/// The options for all, which an engine may lack: each engine has them so, or one of its own in their place. Any others
/// cannot be told from an engine's own.
fn shared_options(plan: &Plan) -> Vec<&InitialOption> {
    let is_of_all = |option: &&InitialOption| {
        let is_in_place = |other: &InitialOption| other.is_required && same_name(&other.name, &option.name);
        let has_it = |entrant: &Entrant| {
            entrant.settings.options.iter().any(|other| other == *option || is_in_place(other))
        };
        !option.is_required && plan.entrants.iter().all(has_it)
    };
    plan.entrants.iter().flat_map(|entrant| &entrant.settings.options).filter(is_of_all).collect()
}

fn options<'a>(options: impl Iterator<Item = &'a InitialOption>) -> Table {
    options.map(|option| (option.name.clone(), option.value.clone().into())).collect()
}

/// A table of whole numbers.
struct Numbers(Value);

impl FromIterator<(&'static str, i64)> for Numbers {
    fn from_iter<I: IntoIterator<Item = (&'static str, i64)>>(entries: I) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), Value::from(value)));
        Self(Value::Table(entries.collect()))
    }
}

fn number(value: usize) -> Value {
    i64::try_from(value).unwrap_or(i64::MAX).into()
}

fn text(path: &Path) -> Value {
    path.display().to_string().into()
}

fn seconds(time: Duration) -> Value {
    time.as_secs_f64().into()
}

fn openings(plan: &Plan) -> Table {
    let mut table = Table::new();
    if let Some(book) = &plan.book {
        table.insert("file".to_owned(), text(&book.path));
        if let Some(format) = book.format {
            let name = match format {
                BookFormat::Epd => "epd",
                BookFormat::Pgn => "pgn",
            };
            table.insert("format".to_owned(), name.into());
        }
        if let Some(plies) = book.plies {
            table.insert("plies".to_owned(), number(plies));
        }
    }
    let order = match plan.sequence.order {
        Order::Sequential => "sequential",
        Order::Random => "random",
    };
    table.insert("order".to_owned(), order.into());
    table.insert("start".to_owned(), number(plan.sequence.first + 1));
    table
}

fn timeouts(plan: &Plan) -> Table {
    let times = plan.timeouts;
    [
        ("start", times.start),
        ("ping", times.ping),
        ("stop", times.stop),
        ("quit", times.quit),
        ("think", times.think),
    ]
    .into_iter()
    .map(|(key, time)| (key.to_owned(), seconds(time)))
    .collect()
}

fn pgn(plan: &Plan, path: &Path) -> Table {
    let details = plan.details;
    let mut table = Table::new();
    table.insert("file".to_owned(), text(path));
    for (key, is_wanted) in [
        ("nodes", details.nodes),
        ("seldepth", details.selective_depth),
        ("nps", details.nodes_per_second),
        ("hashfull", details.hash_full),
        ("timeleft", details.time_left),
        ("latency", details.latency),
        ("pv", details.pv),
    ] {
        if is_wanted {
            table.insert(key.to_owned(), true.into());
        }
    }
    table
}

fn engine(entrant: &Entrant, shared: &[&InitialOption]) -> Table {
    let Entrant { settings, limits } = entrant;
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| drop(table.insert(key.to_owned(), value));
    put("cmd", settings.command.clone().into());
    if let Some(name) = &settings.name {
        put("name", name.clone().into());
    }
    if !settings.arguments.is_empty() {
        put("args", settings.arguments.clone().into());
    }
    if let Some(directory) = &settings.directory {
        put("dir", text(directory));
    }
    if settings.restarts {
        put("restart", true.into());
    }
    if settings.ponders {
        put("ponder", true.into());
    }
    put_limits(limits, &mut put);
    let own = options(settings.options.iter().filter(|option| !shared.contains(option)));
    if !own.is_empty() {
        put("option", own.into());
    }
    table
}

fn put_limits(limits: &Limits, put: &mut impl FnMut(&str, Value)) {
    if let Some(clock) = limits.clock {
        put("tc", clock.to_string().into());
    }
    if let Some(time) = limits.move_time {
        put("st", seconds(time));
    }
    if let Some(nodes) = limits.nodes {
        put("nodes", i64::try_from(nodes).unwrap_or(i64::MAX).into());
    }
    if let Some(depth) = limits.depth {
        put("depth", i64::from(depth).into());
    }
    if !limits.margin.is_zero() {
        put("timemargin", i64::try_from(limits.margin.as_millis()).unwrap_or(i64::MAX).into());
    }
}
