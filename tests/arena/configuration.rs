//! Command lines and TOML files with the same meaning.

use crate::arena::runner::{Place, run};

#[test]
fn what_is_printed_can_be_read_again() {
    let place = Place::new();
    let words = "--each tc=8+0.08 option.Hash=16 --openings file=book.epd order=random --rounds 500 --repeat --concurrency 2 --sprt elo0=0 elo1=10 --draw movenumber=40 movecount=8 score=10 --resign movecount=3 score=600 twosided --pgn g.pgn nodes pv --seed 9 --print-config";
    let printed = run(&place.arguments(&["name A", "name B"], words));
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{printed:?}");
    for part in [
        "rounds = 500\n",
        "tc = \"8+0.08\"",
        "Hash = \"16\"",
        "state = \"g.pgn.state\"",
        "model = \"normalized\"",
    ] {
        assert!(printed.out.contains(part), "{part}: {}", printed.out);
    }
    let file = place.path("match.toml");
    std::fs::write(&file, &printed.out).expect("the file is written");
    let again = run(&["match", "--config", &file, "--print-config"]);
    assert_eq!(again.out, printed.out, "{}", again.err);
    let changed = run(&[
        "match",
        "--config",
        &file,
        "--rounds",
        "7",
        "--openings",
        "order=sequential",
        "--print-config",
    ]);
    assert!(
        changed.out.contains("rounds = 7\n") && changed.out.contains("order = \"sequential\""),
        "{changed:?}"
    );
    assert!(changed.out.contains("file = \"book.epd\""), "what is not changed stays: {}", changed.out);
}

#[test]
fn numbers_and_times_have_units() {
    let place = Place::new();
    let words = |first: &str, each: &str, timeouts: &str| {
        format!("--each {each} --rounds {first} --timeouts {timeouts} --seed 9 --print-config")
    };
    for (with, without) in [
        (("2k", "nodes=20k", "start=1m30s stop=500ms"), ("2000", "nodes=20000", "start=90 stop=0.5")),
        (("1", "st=100ms timemargin=2s", "think=1h"), ("1", "st=0.1 timemargin=2000", "think=3600")),
        (("1", "tc=1m+500ms", "ping=3"), ("1", "tc=60+0.5", "ping=3s")),
    ] {
        let printed = |(first, each, timeouts): (&str, &str, &str)| {
            let printed = run(&place.arguments(&["name A", "name B"], &words(first, each, timeouts)));
            assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{printed:?}");
            printed.out
        };
        assert_eq!(printed(with), printed(without), "{with:?}");
    }
    for (each, expected) in [
        ("nodes=1kk", "nodes=`1kk`, expected a whole number from 1 up"),
        ("st=1d", "st=`1d`, expected a number of seconds, or a time such as 500ms, 20s or 2m"),
    ] {
        let refused = run(&place.arguments(&["name A", "name B"], &words("1", each, "stop=1")));
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(expected), "{refused:?}");
    }
}

/// Flags have the names of other match runners as aliases.
#[test]
fn flags_may_have_one_dash_and_other_names() {
    let place = Place::new();
    let words = "--each tc=8+0.08 --rounds 5 --repeat --pgn g.pgn nodes --seed 9 --report 20 --print-config";
    let two = run(&place.arguments(&["name A", "name B"], words));
    assert_eq!((two.code, two.err.as_str()), (Some(0), ""), "{two:?}");
    let words = "-each tc=8+0.08 -rounds 5 -repeat -pgnout file=g.pgn nodes=true -srand 9 -ratinginterval 20 -print-config";
    let mut arguments = place.arguments(&["name A", "name B"], words);
    arguments.iter_mut().filter(|word| *word == "--engine").for_each(|word| *word = "-engine".to_owned());
    let one = run(&arguments);
    assert_eq!((one.code, one.err.as_str()), (Some(0), ""), "{one:?}");
    assert_eq!(one.out, two.out);
}

#[test]
fn options_of_all_engines_add_up() {
    let place = Place::new();
    let file = place.path("match.toml");
    let text = "each = { tc = '1', option = { Hash = 256, Threads = 4 } }\nopenings = { order = 'random' }\n";
    std::fs::write(&file, text).expect("the file is written");
    let words = format!("--config {file} --each option.Hash=64 --each option.Clear=1 --print-config");
    let printed = run(&place.arguments(&["", ""], &words));
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let (each, _) = printed.out.split_once("[[engine]]").expect("what is for all comes first");
    for option in ["Hash = \"64\"", "Threads = \"4\"", "Clear = \"1\""] {
        assert_eq!(
            (each.matches(option).count(), printed.out.matches(option).count()),
            (1, 1),
            "{option}: {printed:?}"
        );
    }
}

#[test]
fn options_for_all_may_be_lacking_also_where_they_were_printed() {
    let place = Place::new();
    let words = "--each nodes=1 option.Threads=2 --maxmoves 2 --print-config";
    let printed = run(&place.arguments(&["name A", "name B"], words));
    let file = place.path("match.toml");
    std::fs::write(&file, &printed.out).expect("the file is written");
    let played = run(&["match", "--config", &file]);
    assert_eq!(played.code, Some(0), "{played:?}");
    assert!(played.err.contains("has no option Threads, it is left out"), "{played:?}");
    place.assert_no_process_left();
}

#[test]
fn slips_are_refused_with_a_suggestion() {
    let place = Place::new();
    let cases = [
        ("--each tc=1 optoin.Hash=1", "error: each: unknown key `optoin.Hash`, did you mean `option.Hash`?"),
        ("--each tc=1 --openings fiel=x", "error: openings: unknown key `fiel`, did you mean `file`?"),
        (
            "--each tc=1 --sprt elo0=0 elo1=5 modle=logistic",
            "error: sprt: unknown key `modle`, did you mean `model`?",
        ),
        ("--each tc=1 --concurency 2", "error: unexpected argument '--concurency' found"),
        ("--each tc=1:2:3", "error: each: tc=`1:2:3`, expected MOVES/SECONDS+INCREMENT"),
        ("--each tc=1 tc=2", "error: --each: tc is given twice"),
        (
            "--each tc=1 --games 3 --repeat",
            "error: games=`3`, expected a multiple of the 2 games on each opening",
        ),
        (
            "--each tc=1 --games 1 --repeat",
            "error: games=`1`, expected a multiple of the 2 games on each opening",
        ),
        ("--each tc=1 --games 1001", "error: games=`1001`, expected a whole number from 1 to 1000"),
        ("--each tc=1 --seeds 2 --tournament gauntlet", "error: seeds: all 2 engines, expected fewer"),
        (
            "--each tc=1 --tbpieces 4",
            "error: tbpieces, tbignore50, tbadjudicate: no endgame tables, expected tb=FOLDER",
        ),
        ("--each tc=1 bookdepth=4", "error: engine 1: bookdepth: no book, expected book=FILE"),
        ("--each tc=1 st=1d", "error: each: st=`1d`, expected a number of seconds, or a time such as 500ms"),
        ("--each tc=1 stderr=x --pgn ./x", "error: pgn and stderr: both `x`, expected a file for each"),
        ("--each tc=1 --rounds 10000000001", "error: rounds: too many, expected at most 10000000 "),
        (
            "--each tc=1 --openings start=1000000000000",
            "error: openings: start=`1000000000000`, expected a whole",
        ),
        ("--each tc=1 --openings no-such-book.epd", "error: no-such-book.epd: No such file"),
        ("--each tc=1 --pgn x --log ./x", "error: pgn and log: both `./x`, expected a file for each"),
        ("--rounds 3", "error: engine 1: no limit, expected one of tc, st, nodes, depth"),
    ];
    for (words, message) in cases {
        let played = run(&place.arguments(&["", ""], words));
        assert_eq!((played.code, played.out.as_str()), (Some(2), ""), "{words}: {played:?}");
        assert!(played.err.starts_with(message), "{words}: {}", played.err);
    }
    let file = place.path("bad.toml");
    for (text, message) in
        [("rounds = [", "TOML parse error"), ("rouns = 3\n", "engine: 0 given, expected 2 or more")]
    {
        std::fs::write(&file, text).expect("the file is written");
        let played = run(&["match", "--config", &file]);
        assert_eq!(played.code, Some(2), "{played:?}");
        assert!(played.err.contains(&file) && played.err.contains(message), "{}", played.err);
    }
}

#[test]
fn compressed_books_are_read() {
    use std::io::Write;
    let place = Place::new();
    let line = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
    let gzip = place.path("book.epd.gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(line).expect("it is written");
    std::fs::write(&gzip, encoder.finish().expect("it is written")).expect("the file is written");
    let zstandard = place.path("book.epd.zst");
    std::fs::write(&zstandard, zstd::encode_all(&line[..], 1).expect("it is written"))
        .expect("the file is written");
    let archive = place.path("book.zip");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&archive).expect("the file is made"));
    writer.start_file("book.epd", zip::write::SimpleFileOptions::default()).expect("it is begun");
    writer.write_all(line).expect("it is written");
    writer.finish().expect("it is finished");
    for book in [gzip, zstandard, archive] {
        let words =
            format!("--each nodes=1 --maxmoves 2 --openings {book} --epd-out {}", place.path("end.epd"));
        let played = place.play(&["", ""], &words);
        assert_eq!(played.code, Some(0), "{book}: {played:?}");
    }
    assert_eq!(place.text("end.epd").lines().count(), 3);
    assert!(
        place.text("end.epd").lines().all(|line| !line.contains('q')),
        "the bare kings' opening was used"
    );
}

/// Command lines of other match runners are accepted.
#[test]
fn flags_of_other_match_runners_are_taken() {
    let place = Place::new();
    let cases = [
        (
            "cutechess-cli",
            "-each tc=40/60+0.6 proto=uci timemargin=50 restart=auto trust whitepov -rounds 10 -games 2 -repeat -recover -noswap \
             -concurrency 2 -ratinginterval 10 -maxmoves 0 -draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=500 \
             -tournament round-robin -event E -site S -srand 5 -wait 100 -bookmode ram -openings order=random policy=round \
             -pgnout g.pgn min fi -epdout e.epd -variant standard -print-config",
            &[
                "games = 2\n",
                "repeat = 2\n",
                "noswap = true\n",
                "wait = 100\n",
                "policy = \"round\"",
                "min = true",
                "whitepov = true",
                "epd-out = \"e.epd\"",
            ][..],
        ),
        (
            "fastchess",
            "-each plies=5 st=500ms restart=on -rounds 10 -games 2 -repeat -concurrency 2 -force-concurrency -autosaveinterval 0 \
             -output format=fastchess -scoreinterval 1 -report penta=true -ratinginterval 0 -seeds 1 -tournament gauntlet \
             -pgnout file=g.pgn append=true notation=san tbhits=true nodes=false -epdout file=e.epd append=true \
             -log file=l.log level=trace append=true compress=false realtime=false engine=true -startup-ms 1500 -ping-ms 2000 \
             -ucinewgame-ms 3000 -state file=s.state -reverse -recover -print-config",
            &[
                "depth = 5\n",
                "st = 0.5\n",
                "report = 0\n",
                "reverse = true\n",
                "start = 1.5\n",
                "ping = 3.0\n",
                "log = \"l.log\"",
                "state = \"s.state\"",
                "epd-out = \"e.epd\"",
                "tbhits = true",
            ],
        ),
    ];
    for (name, words, parts) in cases {
        let printed = run(&place.arguments(&["", ""], words));
        assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{name}: {printed:?}");
        for part in parts {
            assert!(printed.out.contains(part), "{name}: {part}: {}", printed.out);
        }
        // What is printed means the same.
        let file = place.path("match.toml");
        std::fs::write(&file, &printed.out).expect("the file is written");
        let again = run(&["match", "-config", &format!("file={file}"), "stats=true", "-print-config"]);
        assert_eq!(again.out, printed.out, "{name}: {}", again.err);
    }
}

#[test]
fn flags_that_cannot_be_taken_are_named_with_the_reason() {
    let place = Place::new();
    let cases = [
        ("-use-affinity 0-3", "error: --use-affinity: engines are not bound to processors"),
        ("-use-affinity", "error: --use-affinity: engines are not bound to processors"),
        ("-debug", "error: --debug: nothing is printed between reports"),
        ("-quick cmd=a cmd=b book=c", "error: --quick: there are no ready-made settings"),
        ("-crc32 pgn=true", "error: --crc32: no checksum"),
        ("-show-latency", "error: --show-latency: the report has no latency; expected --pgn FILE latency"),
        ("-testEnv", "error: --testEnv: there is only one form of output"),
        ("-outcomeinterval 5", "error: --outcomeinterval: outcomes are printed at the end"),
        ("-version", "error: --version: expected `hematite --version`"),
        (
            "-output format=cutechess",
            "error: --output: format=`cutechess`: the report has the format of fastchess",
        ),
        ("-report penta=false", "error: --report: penta=`false`: pairs are reported"),
        ("-bookmode tape", "error: --bookmode: `tape`, expected ram or disk"),
        ("-autosaveinterval x", "error: --autosaveinterval: `x`, expected a whole number"),
        ("-ping-ms x", "error: --ping-ms: `x`, expected a number of milliseconds"),
        ("-log flie=x", "error: --log: unknown key `flie`, did you mean `file`?"),
        (
            "-log file=x level=warn",
            "error: --log: level=`warn`: the log has all communication, expected trace",
        ),
        (
            "-epdout file=x append=false",
            "error: --epd-out: append=`false`: no file is overwritten, expected true",
        ),
        ("-log a -log b", "error: --log: given 2 times, expected once"),
        ("-state file=", "error: --state: file=``, expected a value"),
        ("-pgnout x notation=uci", "error: --pgn: notation=`uci`: moves are written in SAN, expected san"),
        ("-each conf=x", "error: --each: conf=`x`: there is no list of engines, expected cmd=PROGRAM"),
        ("-recovr", "error: unexpected argument '--recovr' found"),
    ];
    for (words, message) in cases {
        let played = run(&place.arguments(&["", ""], &format!("{words} -rounds 1")));
        assert_eq!((played.code, played.out.as_str()), (Some(2), ""), "{words}: {played:?}");
        assert!(played.err.starts_with(message), "{words}: {}", played.err);
    }
}
