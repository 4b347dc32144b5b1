//! `hematite tune`, and the parameters as options, in builds with and without the feature `tune`.

use crate::support::place::Place;
use assert_cmd::Command;
use hematite::search::{Parameter, Params};

fn hematite() -> Command {
    Command::cargo_bin("hematite").expect("the binary is built")
}

/// The output of a command.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn tune(words: &str) -> Said {
    let output = hematite().arg("tune").args(words.split_whitespace()).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A folder with a book of three openings.
fn place_with_book() -> Place {
    const BOOK: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
                        rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n\
                        rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 1 2\n";
    let place = Place::new();
    place.write("book.epd", BOOK);
    place
}

#[test]
fn parameters_are_listed_as_openbench_reads_them() {
    let said = tune("--list --params rfp_margin,lmr_noisy --rate 0.003");
    assert_eq!(said.code, Some(0), "{said:?}");
    let line = |name| {
        let Parameter { name, default, low, high, step } = Params::declared(name).expect("a parameter");
        format!("{name}, int, {default}, {low}, {high}, {step}, 0.003\n")
    };
    assert_eq!(said.out, line("rfp_margin") + &line("lmr_noisy"));
    let all = tune("--list");
    assert!(all.out.lines().count() > 50, "{all:?}");
    for line in all.out.lines() {
        let words: Vec<_> = line.split(", ").collect();
        let [_, "int", numbers @ ..] = &words[..] else { panic!("{line}") };
        let numbers: Vec<f64> = numbers.iter().map(|word| word.parse().expect(line)).collect();
        let &[default, low, high, step, rate] = &numbers[..] else { panic!("{line}") };
        assert!(low <= default && default <= high && step > 0.0 && rate == 0.002, "{line}");
    }
}

#[test]
fn what_cannot_be_tuned_is_refused_with_the_reason() {
    let place = place_with_book();
    let book = place.path("book.epd");
    let usual = format!("--openings {book} --out {}", place.path("new.json"));
    let cases = [
        ("--list --params rfp_margins".to_owned(), "no search parameter is called rfp_margins"),
        ("--out x.json".to_owned(), "--openings"),
        (format!("{usual} --resume x.json"), "cannot be used with"),
        (format!("{usual} --clock 10k+100 --nodes 500"), "cannot be used with"),
        (format!("{usual} --screen x"), "expected a number above 0"),
        (format!("{usual} --rate 0"), "expected a number above 0"),
        (format!("{usual} --clock x"), "expected a number such as 500, 20k or 3M, as in 600k+6k"),
    ];
    let in_tune_builds = [
        (format!("{usual} --params tm_*"), "tm_* has no effect in games at fixed nodes"),
        (format!("{usual} --nodes 10"), "--nodes 10: expected 50 to"),
        (format!("{usual} --clock 10"), "--clock 10: expected 1000 to"),
        (format!("{usual} --clock 10k+9999M"), "--clock: increment 9999000000: expected 0 to"),
        (format!("{usual} --rate 11"), "--rate 11: expected"),
        (format!("--openings {book} --out {book}"), "book.epd: is there already"),
        (format!("--resume {book}"), "book.epd: expected value at line 1"),
        ("--openings /no/such/book --out x.json".to_owned(), "/no/such/book: "),
    ];
    let reason = |words: &str| {
        let said = tune(words);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words}: {said:?}");
        said.err
    };
    for (words, expected) in cases {
        assert!(reason(&words).contains(expected), "{words}: {}", reason(&words));
    }
    for (words, expected) in in_tune_builds {
        let expected = if Params::CAN_BE_SET { expected } else { "cargo build --release --features tune" };
        assert!(reason(&words).contains(expected), "{words}: {}", reason(&words));
    }
    assert!(!place.join("new.json").exists());
}

#[cfg(feature = "tune")]
mod in_tune_builds {
    use super::*;
    use crate::support::binary::run_unread;
    use hematite::rng::Rng;
    use hematite::search::Parameter;
    use hematite::tuner::{State, Tuned};
    use hematite::uci::{Message, OptionKind};
    use std::fs;
    use std::path::Path;
    use std::process::{Command as Process, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    fn talk(input: &str) -> Vec<String> {
        let said = hematite().write_stdin(input).assert().success().get_output().stdout.clone();
        String::from_utf8(said).expect("text").lines().map(str::to_owned).collect()
    }

    fn done(words: &str) -> Said {
        let said = tune(words);
        assert_eq!(said.code, Some(0), "{words}: {said:?}");
        said
    }

    fn state(path: &str) -> State {
        State::read(Path::new(path)).expect("a state")
    }

    #[test]
    fn every_parameter_is_an_option_with_its_range() {
        let lines = talk("uci\n");
        let options: Vec<_> = lines
            .iter()
            .filter_map(|line| match Message::parse(line.as_bytes()) {
                Some(Message::Option(option)) => Some(option),
                _ => None,
            })
            .collect();
        for parameter in Params::DECLARED {
            let option = options.iter().find(|option| option.name == parameter.name);
            let expected = OptionKind::Spin {
                default: parameter.default.into(),
                min: parameter.low.into(),
                max: parameter.high.into(),
            };
            assert_eq!(option.map(|option| &option.kind), Some(&expected), "{}", parameter.name);
        }
        let mut refused = String::new();
        for parameter in Params::DECLARED {
            refused += &format!("setoption name {} value {}\n", parameter.name, parameter.high + 1);
        }
        assert_eq!(talk(&refused).len(), Params::DECLARED.len());
    }

    #[test]
    fn options_change_the_search_and_their_defaults_change_it_back() {
        let nodes = |options: &str| {
            let lines = talk(&format!("{options}bench 6\nwait\n"));
            let last = lines.last().expect("a last line");
            last.split(' ').next().and_then(|word| word.parse::<u64>().ok()).expect("a number of nodes")
        };
        let usual = nodes("");
        let set_all = |value: &mut dyn FnMut(&Parameter) -> i32| {
            let set = |parameter: &Parameter| {
                format!("setoption name {} value {}\n", parameter.name, value(parameter))
            };
            Params::DECLARED.iter().map(set).collect::<String>()
        };
        let defaults = set_all(&mut |parameter| parameter.default);
        assert_eq!(nodes(&defaults), usual);
        assert_ne!(nodes("setoption name rfp_margin value 120\n"), usual);
        assert_eq!(nodes(&format!("setoption name RFP_MARGIN value 120\n{defaults}")), usual);
    }

    #[test]
    fn no_values_within_the_ranges_do_any_harm() {
        let mut rng = Rng::new(1);
        for round in 0..8 {
            let mut input = String::new();
            for Parameter { name, low, high, .. } in Params::DECLARED {
                let value = match round {
                    0 => *low,
                    1 => *high,
                    _ => low + rng.below((high - low + 1) as u64) as i32,
                };
                input += &format!("setoption name {name} value {value}\n");
            }
            let lines = talk(&(input + "bench 5\nwait\n"));
            assert!(lines.last().is_some_and(|line| line.ends_with(" nps")), "{lines:?}");
        }
    }

    /// Runs few iterations with few nodes.
    fn run(place: &Place, out: &str, more: &str) -> String {
        let (book, out) = (place.path("book.epd"), place.path(out));
        done(&format!(
            "--params rfp_*,lmr_base --openings {book} --out {out} --nodes 200 --iterations 3 \
             --pairs-per-iteration 3 --rate 0.2 {more}"
        ));
        out
    }

    #[test]
    fn a_run_depends_on_its_seed_and_not_on_its_threads() {
        let place = place_with_book();
        let bytes = |out: &str, more: &str| fs::read(run(&place, out, more)).expect("it can be read");
        let one = bytes("one.json", "--threads 1");
        assert_eq!(bytes("two.json", "--threads 2 --json"), one);
        assert_ne!(bytes("other.json", "--seed 2"), one);
        let state = state(&place.path("one.json"));
        assert_eq!((state.iteration, state.tally.games(), state.history.len()), (3, 18, 4));
        let names: Vec<_> = state.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        assert_eq!(names, ["rfp_depth", "rfp_margin", "rfp_tt_pv", "rfp_hash_quiet", "lmr_base"]);
        let said = done(&format!("--resume {}", place.path("one.json"))).out;
        assert!(said.contains("3 iterations, 18 games") && said.contains("\nrfp_margin "), "{said}");
    }

    #[test]
    fn a_screening_measures_and_moves_nothing() {
        let place = place_with_book();
        let (book, out) = (place.path("book.epd"), place.path("screen.json"));
        let run = format!("--params rfp_margin,lmr_base --openings {book} --out {out} --nodes 200");
        let said = done(&format!("{run} --screen 3 --iterations 4 --pairs-per-iteration 1"));
        let line = |name| {
            let Parameter { default, step, .. } = Params::declared(name).expect("a parameter");
            let line = said.out.lines().find(|line| line.starts_with(name)).expect("a line of it");
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            let values = [default - 3 * step, default + 3 * step].map(|value| value.to_string());
            assert_eq!(words[..2], values.each_ref().map(String::as_str), "{line}");
            assert!(words.len() == 5 && words[3] == "±" || words[2] == "?", "{line}");
        };
        line("rfp_margin");
        line("lmr_base");
        let state = state(&out);
        assert!(state.parameters.iter().all(|parameter| parameter.change() == 0.0));
        assert_eq!((state.iteration, state.effect(2)), (4, None));
        let said = done(&format!("--resume {out} --json")).out;
        let value: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        assert_eq!(value["parameters"][0]["values"][0], 51 - 18, "{value}");
        for wrong in ["--screen 0", "--screen x", "--screen 2 --rate 0.1"] {
            assert_eq!(tune(&format!("{run} {wrong}")).code, Some(2), "{wrong}");
        }
    }

    #[test]
    fn a_screening_depends_on_its_seed_and_not_on_its_threads() {
        let place = place_with_book();
        let screen = |out: &str, more: &str| {
            let (book, out) = (place.path("book.epd"), place.path(out));
            done(&format!(
                "--params rfp_*,lmr_base --openings {book} --out {out} --nodes 200 --screen 2 --iterations 9 \
                 --pairs-per-iteration 1 {more}"
            ));
            fs::read(&out).expect("it can be read")
        };
        let one = screen("one.json", "--threads 1");
        assert_eq!(screen("three.json", "--threads 3"), one);
        assert_ne!(screen("other.json", "--threads 3 --seed 2"), one);
        assert_eq!(state(&place.path("three.json")).tally.games(), 18);
    }

    #[test]
    fn games_are_played_also_if_nobody_reads() {
        let place = place_with_book();
        let out = place.path("one.json");
        let words = format!(
            "tune --params rfp_margin --openings {} --out {out} --nodes 200 --iterations 2 --pairs-per-iteration 1",
            place.path("book.epd")
        );
        assert_eq!(run_unread(&words.split_whitespace().collect::<Vec<_>>(), b""), Some(0));
        assert_eq!(state(&out).iteration, 2);
        assert_eq!(run_unread(&["tune", "--resume", &out], b""), Some(0));
    }

    #[test]
    fn what_matters_to_a_clock_is_tuned_with_one() {
        let place = place_with_book();
        let (book, one) = (place.path("book.epd"), place.path("one.json"));
        let words = |out: &str, more: &str| {
            format!(
                "--params tm_* --openings {book} --out {out} --clock 5k+50 --iterations 3 \
                 --pairs-per-iteration 3 --rate 0.2 {more}"
            )
        };
        let said = done(&words(&one, "--threads 1")).out;
        assert!(said.contains("3 pairs an iteration, a clock of 5000 nodes and 50 more a move"), "{said}");
        let two = place.path("two.json");
        done(&words(&two, "--threads 2 --json"));
        assert_eq!(fs::read(&two).expect("it can be read"), fs::read(&one).expect("it can be read"));
        let state = state(&one);
        assert_eq!((state.iteration, state.tally.games()), (3, 18));
        assert!(state.parameters.iter().any(|parameter| parameter.name == "tm_horizon"));
        done(&format!("--resume {one}"));
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupted_run_goes_on_as_if_it_had_not_been() {
        let place = place_with_book();
        let (book, whole, parts) =
            (place.path("book.epd"), place.path("whole.json"), place.path("parts.json"));
        let words = |out: &str| {
            format!(
                "tune --params lmr_* --openings {book} --out {out} --nodes 200 --iterations 12 \
                 --pairs-per-iteration 2 --rate 0.2 --threads 1"
            )
        };
        hematite().args(words(&whole).split_whitespace()).assert().success();
        crate::support::signals::heed();
        let mut child = Process::new(env!("CARGO_BIN_EXE_hematite"))
            .args(words(&parts).split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let started = Instant::now();
        while !fs::read_to_string(&parts).is_ok_and(|text| text.contains("\"iteration\":2")) {
            assert!(started.elapsed() < Duration::from_secs(120), "it does not get on");
            thread::sleep(Duration::from_millis(2));
        }
        interrupt(child.id());
        let status = child.wait().expect("it ends");
        // It may have been faster than we were.
        assert!(status.code() == Some(2) || state(&parts).is_done(), "{status}");
        done(&format!("--resume {parts} --threads 2"));
        assert_eq!(fs::read(&parts).expect("it can be read"), fs::read(&whole).expect("it can be read"));
        // What begins at an edge of its range may have to stay there.
        let is_at_edge =
            |parameter: &Tuned| [parameter.low, parameter.high].contains(&(parameter.value as i32));
        let has_moved = |parameter: &Tuned| parameter.change() != 0.0 || is_at_edge(parameter);
        assert!(state(&whole).parameters.iter().all(has_moved));
        assert!(state(&whole).parameters.iter().any(|parameter| parameter.change() != 0.0));
        fs::write(&book, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n").expect("it can be written");
        let said = tune(&format!("--resume {parts}"));
        assert!(said.code == Some(2) && said.err.contains("openings: found a book of 1"), "{said:?}");
    }

    #[cfg(unix)]
    fn interrupt(process: u32) {
        let status = Process::new("kill").args(["-INT", &process.to_string()]).status();
        assert!(status.expect("there is a command for that").success());
    }
}
