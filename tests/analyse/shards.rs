//! Shards of an analysis, and the evaluations that a run leaves.

use super::*;
use crate::support::place::Place;

#[test]
fn shards_are_put_together_again() {
    let folder = folder("analyse-shards");
    let many = GAMES.repeat(2);
    for (form, name) in [(None, "pgn"), (Some("--json"), "json")] {
        let whole = analyse(&[form.as_slice(), &["-"]].concat(), &many).out;
        let mut paths = Vec::new();
        for index in 1..=3 {
            let shard = format!("{index}/3");
            let part = analyse(&[form.as_slice(), &["--shard", &shard, "-"]].concat(), &many);
            let path = folder.join(format!("part{index}.{name}"));
            fs::write(&path, part.out).expect("it can be written");
            paths.push(path.to_str().expect("a plain name").to_owned());
        }
        let mut arguments = vec!["analyse", "--merge"];
        arguments.extend(paths.iter().map(String::as_str));
        let merged = run(&arguments, b"");
        assert_eq!(merged.out, whole, "{name}");
        arguments[2..].reverse();
        let wrong = run(&arguments, b"");
        assert_eq!(wrong.code, Some(2), "{name}: {}", wrong.err);
        assert!(wrong.err.contains("expected the outputs of"), "{}", wrong.err);
    }
    for shard in ["0/3", "4/3", "1/0", "x", "1"] {
        assert_eq!(run(&["analyse", "--shard", shard, "-"], b"").code, Some(2), "{shard}");
    }
}

#[test]
fn torn_shards_are_refused() {
    let place = Place::new();
    let odd = "[Event \"Variant\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 2. N@f3 *\n\n[Event \"No position\"]\n\
               [SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n1. e4 e5 2. Ke3 Nc6 *\n\n";
    for (form, name) in [(None, "pgn"), (Some("--json"), "json")] {
        let options = [form.as_slice(), &["--quiet", "--nodes", "400", "--hash", "1", "-"]].concat();
        let whole = run(&[&["analyse"], &*options].concat(), (GAMES.to_owned() + odd).as_bytes()).out;
        let merge =
            |text: &str| run(&["analyse", "--merge", &place.file(&format!("part.{name}"), text)], b"");
        let merged = merge(&whole);
        assert_eq!((merged.code, merged.out), (Some(0), whole.clone()), "{name}: {}", merged.err);
        let result = whole.find("\n1/2-1/2").or(whole.find(" 1/2-1/2")).unwrap_or(whole.len() / 2);
        for cut in [9, whole.len() / 3, whole.len() / 2, result, whole.len() - 3] {
            let torn = merge(&whole[..cut]);
            assert_eq!(torn.code, Some(2), "{name}: {}", &whole[cut.saturating_sub(30)..cut]);
            assert!(torn.err.contains("expected the whole output of a shard"), "{}", torn.err);
        }
    }
    for line in ["[1]\n", "{\"a\":}\n", "\n"] {
        let path = place.file("wrong.json", format!("{{\"a\":1}}\n{line}"));
        let found = run(&["analyse", "--merge", &path], b"");
        assert_eq!(found.code, Some(2), "{line}");
        assert!(found.err.contains("line 2 is no JSON object"), "{line}: {}", found.err);
    }
    let path = place.file("part.pgn", "1. e4 *\n");
    for option in [&["--broken", "drop"][..], &["--strict"], &["--threads", "2"], &["--language", "German"]] {
        let found = run(&[&["analyse", "--merge", &path], option].concat(), b"");
        assert_eq!(found.code, Some(2), "{option:?}");
    }
}

/// A file of evaluations is kept only beside a regular file, and only if it holds some.
#[test]
fn needless_evaluations_are_not_kept() {
    let folder = folder("analyse-needless");
    let missing = folder.join("typo.pgn");
    let out = folder.join("out.pgn");
    let [missing, out] = [&missing, &out].map(|path| path.to_str().expect("a plain name"));
    for form in [&[][..], &["--epd"]] {
        let found = run(&[&["analyse", missing, "-o", out], form].concat(), b"");
        assert_eq!(found.code, Some(2), "{form:?}");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0, "{form:?}: {}", found.err);
    }
    #[cfg(target_os = "linux")]
    {
        let beside = std::path::Path::new("/dev/null.evaluations");
        let found = run(&["analyse", "--nodes", "100", "--hash", "1", "-", "-o", "/dev/null"], b"1. e4 *\n");
        assert!(!beside.exists() && !found.err.contains("evaluations"), "{}", found.err);
    }
}

/// An interrupted run keeps its evaluations, and a second run continues with them.
#[cfg(unix)]
#[test]
fn what_was_evaluated_is_not_lost() {
    use crate::support::signals::heed;
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    heed();
    let folder = folder("analyse-interrupted");
    let (games, out) = (folder.join("games.pgn"), folder.join("out.pgn"));
    let pending = folder.join("out.pgn.evaluations");
    fs::write(&games, GAMES).expect("it can be written");
    let command = || {
        let mut command = Command::new(BINARY);
        command
            .args(["analyse", "--nodes", "3000", "--hash", "1", "--threads", "1"])
            .arg(&games)
            .arg("-o")
            .arg(&out);
        command
    };
    for signal in ["-INT", "-KILL"] {
        let child = command().stderr(Stdio::piped()).spawn().expect("the binary starts");
        let begin = Instant::now();
        // The header, and a position or two.
        while fs::metadata(&pending).map_or(0, |file| file.len()) < 200 {
            assert!(begin.elapsed() < Duration::from_secs(60), "nothing is evaluated");
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let ended = child.wait_with_output().expect("it ends");
        if signal == "-INT" {
            assert_eq!(ended.status.code(), Some(2), "{ended:?}");
            let told = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(told.starts_with("error: interrupted; the evaluations so far are kept"), "{told}");
        }
        assert!(!out.exists() && pending.exists(), "{signal}");
    }
    let resumed: Run = command().output().expect("the binary runs").into();
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(effort(&resumed).1 > 0, "{resumed:?}");
    assert!(!pending.exists(), "it is of no use any more");
    let whole = fs::read_to_string(&out).expect("it is complete");
    let again =
        run(&["analyse", "--nodes", "3000", "--hash", "1", games.to_str().expect("a plain name")], b"");
    assert_eq!(again.out, whole);
}
