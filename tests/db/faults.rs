//! Collections under faults: full disks, damage, two writers, and kills during changes.

use super::{Pair, edit, random_games};
use crate::support;
use crate::support::binary::{BINARY, run};
use hematite::rng::Rng;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A limit on the size of files has the same effect for a program as a full disk; no stored data is lost.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_nothing_that_was_there() {
    let pair = Pair::new("full", &random_games(200, 9));
    let before = pair.export();
    let more = pair.folder.join("more.pgn");
    fs::write(&more, random_games(400, 10)).expect("a file can be written");
    let (more, new) = (more.to_str().expect("UTF-8"), pair.folder.join("new.hdb"));
    let new = new.to_str().expect("UTF-8");
    // Blocks of the shell's limit are of 512 bytes or of 1024. A list of deleted games is less than one.
    let fails = |command: &[&str], blocks: &str| {
        let limited = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", blocks, BINARY, "db"])
            .args(command)
            .output()
            .expect("it runs");
        let err = String::from_utf8_lossy(&limited.stderr);
        assert_eq!(limited.status.code(), Some(2), "{command:?}: {err}");
        assert!(err.lines().count() == 1 && err.contains(".hdb"), "{command:?}: {err}");
    };
    let commands: [(&[&str], &str); 4] = [
        (&["add", &pair.hdb, more], "2"),
        (&["create", new, more], "2"),
        (&["edit", "retag", &pair.hdb, "--fix", "none", "--set", "Annotator=me"], "2"),
        (&["delete", &pair.hdb, "result:1-0"], "0"),
    ];
    for (command, blocks) in commands {
        fails(command, blocks);
        assert!(pair.export() == before, "{command:?}");
    }
    assert!(!Path::new(new).join("manifest").exists() && run(&["db", "info", new], b"").code == Some(2));
    pair.check();
    pair.good(&["db", "add", &pair.hdb, more]);
    pair.good(&["db", "delete", &pair.hdb, "result:1-0"]);
    let before = pair.export();
    for blocks in ["0", "2"] {
        fails(&["compact", &pair.hdb], blocks);
        assert!(pair.export() == before);
        pair.check();
    }
    pair.good(&["db", "compact", &pair.hdb]);
    assert!(pair.export() == before);
}

/// Without its manifest a folder of segments is not taken for the remains of a killed change.
#[test]
fn a_lost_manifest_costs_no_games() {
    let pair = Pair::new("no-manifest", &random_games(50, 12));
    let before = pair.export();
    let manifest = Path::new(&pair.hdb).join("manifest");
    let kept = fs::read(&manifest).expect("a manifest");
    fs::remove_file(&manifest).expect("a file can be removed");
    let few = pair.folder.join("few.pgn");
    fs::write(&few, random_games(3, 13)).expect("a file can be written");
    let refused = run(&["db", "create", &pair.hdb, few.to_str().expect("UTF-8")], b"");
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    assert!(refused.err.contains("`000000.games`, but no `manifest`"), "{}", refused.err);
    fs::write(&manifest, kept).expect("a file can be written");
    assert_eq!(pair.export(), before);
    pair.check();
}

#[test]
fn what_is_wrong_is_one_clear_error() {
    let pair = Pair::new("errors", &random_games(30, 6));
    let inside = |name: &str| pair.folder.join(name).to_str().expect("UTF-8").to_owned();
    fs::create_dir(inside("other")).expect("a folder can be made");
    fs::write(inside("other/file"), "").expect("a file can be written");
    let old = pair.export();
    let cases: &[(&[&str], &str)] = &[
        (&["db", "create", &pair.hdb, &pair.pgn], "`db add`"),
        (&["db", "create", &inside("other"), &pair.pgn], "other files"),
        (&["db", "create", &inside("games.pgn/x.hdb"), &pair.pgn], "games.pgn/x.hdb"),
        (&["db", "create", &inside("new.hdb"), &inside("missing.pgn")], "missing.pgn"),
        (&["db", "create", &inside("new.hdb"), &pair.pgn, &inside("missing.pgn")], "no game is added"),
        (&["db", "add", &pair.hdb, &inside("missing.pgn")], "missing.pgn"),
        (&["db", "add", &inside("other"), &pair.pgn], "no collection"),
        (&["db", "info", &inside("../nothing.hdb")], "nothing.hdb"),
        (&["db", "delete", &pair.hdb, "white:"], "column"),
        (&["db", "delete", &pair.hdb, "--games", "0"], "numbers from 1"),
        (&["db", "delete", &pair.hdb], "QUERY"),
    ];
    for (arguments, expected) in cases {
        let run = run(arguments, b"");
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.out);
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
    }
    assert!(!Path::new(&inside("new.hdb")).exists(), "a collection that was not made");
    assert!(pair.export() == old);

    let manifest = PathBuf::from(&pair.hdb).join("manifest");
    let whole = fs::read_to_string(&manifest).expect("a file");
    for (changed, expected) in [
        (whole.replacen("collection 2", "collection 7", 1), "version 7"),
        (whole.replacen("\"games\": ", "\"games\": 1", 1), "checksum"),
        (String::new(), "manifest"),
    ] {
        fs::write(&manifest, changed).expect("a file can be written");
        for command in
            [&["db", "check", &pair.hdb][..], &["pgn", "check", &pair.hdb], &["db", "undo", &pair.hdb]]
        {
            let run = run(command, b"");
            assert_eq!(run.code, Some(2), "{command:?}");
            assert!(run.err.contains(expected) && run.err.contains("games.hdb"), "{}", run.err);
        }
    }
    fs::write(&manifest, whole).expect("a file can be written");
    pair.check();
}

/// Games are not doubled by accident: a file that has been added is refused as long as it and its games are there.
#[test]
fn a_file_is_added_once() {
    let pair = Pair::new("again", &random_games(12, 21));
    let before = pair.export();
    let add = |options: &[&str]| run(&[&["db", "add"], options, &[&pair.hdb, &pair.pgn]].concat(), b"");
    let info = pair.good(&["db", "info", "--json", &pair.hdb]).json();
    let time = info["sources"][0]["added"].as_str().expect("a time").to_owned();
    for options in [&[][..], &["--query", "plies>5"]] {
        let refused = add(options);
        assert_eq!((refused.code, &*refused.out), (Some(2), ""), "{}", refused.err);
        assert!(
            ["games.pgn", &*time, "--again"].iter().all(|part| refused.err.contains(part)),
            "{}",
            refused.err
        );
        assert!(pair.export() == before);
    }
    assert_eq!(add(&["--again"]).code, Some(0));
    assert_eq!(pair.export(), before.repeat(2));
    pair.good(&["db", "undo", &pair.hdb]);
    // Another content, and a file whose games are deleted, are added.
    pair.good(&["db", "remove", &pair.hdb, &pair.pgn]);
    assert_eq!(add(&[]).code, Some(0));
    assert_eq!(pair.export(), before);
    fs::write(&pair.pgn, random_games(3, 22)).expect("a file can be written");
    assert_eq!(add(&[]).code, Some(0));
    assert_eq!(add(&[]).code, Some(2));
    // Members of an archive are files of their own.
    let archive = pair.folder.join("games.zip");
    let zip = |names: &[&str]| {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for name in names {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).expect("memory can be written");
            std::io::Write::write_all(&mut zip, format!("[White \"{name}\"]\n\n1. e4 *\n").as_bytes())
                .expect("memory can be written");
        }
        let bytes = zip.finish().expect("memory can be written").into_inner();
        fs::write(&archive, bytes).expect("a file can be written");
    };
    let archive = archive.to_str().expect("UTF-8");
    zip(&["a.pgn", "b.pgn"]);
    pair.good(&["db", "add", &pair.hdb, archive]);
    zip(&["a.pgn", "c.pgn"]);
    let refused = run(&["db", "add", &pair.hdb, archive], b"");
    assert!(refused.code == Some(2) && refused.err.contains("games.zip/a.pgn"), "{}", refused.err);
    zip(&["c.pgn", "d.pgn"]);
    pair.good(&["db", "add", &pair.hdb, archive]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let pair = Pair::new("read-only", &random_games(10, 7));
    fs::set_permissions(&pair.hdb, fs::Permissions::from_mode(0o555)).expect("they can be set");
    let is_writable = fs::write(PathBuf::from(&pair.hdb).join("probe"), "").is_ok();
    // Permissions mean nothing to root, which can become a user without any.
    let nobody: &[&str] = &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let user = if is_writable { nobody } else { &["env"] };
    let run_as_user = |arguments: &[&str]| {
        let output = Command::new(user[0]).args(&user[1..]).arg(BINARY).args(arguments).output().ok()?;
        Some((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    if run_as_user(&["db", "info", &pair.hdb]).is_some_and(|(code, _)| code == Some(0)) {
        let before = pair.export();
        for command in [
            &["db", "add", &pair.hdb, &pair.pgn][..],
            &["db", "compact", &pair.hdb],
            &["db", "delete", &pair.hdb, "plies>=0"],
            &["db", "edit", "retag", &pair.hdb, "--fix", "none", "--set", "Annotator=me"],
            &["db", "edit", "replace", &pair.hdb, "1", &pair.pgn, "--force"],
        ] {
            let (code, error) = run_as_user(command).expect("it ran before");
            assert_eq!(code, Some(2), "{command:?}");
            assert_eq!(error.lines().count(), 1, "{error}");
            assert!(error.contains("games.hdb"), "{error}");
            assert!(pair.export() == before, "{command:?}");
        }
        pair.check();
    } else {
        support::skip("no user without permissions who can run the program");
    }
    fs::set_permissions(&pair.hdb, fs::Permissions::from_mode(0o755)).expect("they can be set");
}

#[test]
fn damage_costs_one_segment() {
    let pair = Pair::new("damage", &random_games(40, 8));
    let second = pair.folder.join("second.pgn");
    fs::write(&second, random_games(25, 9)).expect("a file can be written");
    pair.good(&["db", "add", &pair.hdb, second.to_str().expect("UTF-8")]);
    let segments = pair.files("games");
    assert_eq!(segments.len(), 2);
    let good = run(&["pgn", "export", "-q", second.to_str().expect("UTF-8")], b"").out;
    let whole = fs::read(&segments[0]).expect("a file");
    let mut rng = Rng::new(10);
    for round in 0..24 {
        let mut damaged = whole.clone();
        let at = rng.below(whole.len() as u64) as usize;
        match round % 4 {
            0 => damaged.truncate(at),
            _ => damaged[at] ^= 1 << rng.below(8),
        }
        fs::write(&segments[0], &damaged).expect("a file can be written");
        let checked = run(&["db", "check", "--json", &pair.hdb], b"");
        assert_eq!(checked.code, Some(1), "byte {at}: {}{}", checked.out, checked.err);
        let damage = checked.json()["damage"].to_string();
        assert!(damage.contains("segment 000000.games"), "{damage}");
        // The other segment is there, whatever is left of this one.
        let exported = run(&["db", "export", "-q", &pair.hdb], b"");
        assert!(exported.out.ends_with(&good), "byte {at}: {}", exported.err);
        assert!(exported.err.lines().all(|line| line.starts_with("error: ")), "{}", exported.err);
        // What cannot be read is not changed.
        if exported.code == Some(2) {
            let run = run(&["db", "delete", &pair.hdb, "plies>=0"], b"");
            assert_eq!(run.code, Some(2), "byte {at}: {}", run.out);
        }
    }
    fs::remove_file(&segments[0]).expect("a file can be removed");
    let run = run(&["db", "export", "-q", &pair.hdb], b"");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("000000.games") && run.out == good, "{}", run.err);
    fs::write(&segments[0], &whole).expect("a file can be written");
    pair.check();
}

#[test]
fn one_process_at_a_time_changes_a_collection() {
    let pair = Pair::new("writers", &random_games(10, 11));
    // It holds the lock as long as its input is open, certainly once it writes.
    let mut child = Command::new(BINARY)
        .args(["db", "add", &pair.hdb, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let text = random_games(4000, 16);
    child.stdin.as_mut().expect("it is piped").write_all(text.as_bytes()).expect("it reads");
    let writes = || {
        let mut names = fs::read_dir(&pair.hdb).expect("a folder can be listed").flatten();
        names.any(|entry| entry.file_name().to_string_lossy().ends_with(".games.tmp"))
    };
    while !writes() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let second = run(&["db", "add", &pair.hdb, &pair.pgn], b"");
    assert_eq!(second.code, Some(2));
    assert!(second.err.contains("another process"), "{}", second.err);
    // Readers do not wait.
    let before = run(&["pgn", "export", "-q", &pair.pgn], b"").out;
    assert!(pair.export() == before);
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
    pair.good(&["db", "add", "--again", &pair.hdb, &pair.pgn]);
    pair.check();
}

/// Kills changes at random moments: afterwards the complete state before or after the change is there, and the next
/// change succeeds. The collection has at least `games` games, and `added` games are added.
fn kill_at_random(rounds: u64, name: &str, games: u64, added: u64) {
    /// The number of kinds of changes.
    const KINDS: u64 = 5;
    let pair = Pair::new(name, &random_games(games, 12));
    let more = pair.folder.join("more.pgn");
    fs::write(&more, random_games(added, 13)).expect("a file can be written");
    let more = more.to_str().expect("UTF-8");
    let mut rng = Rng::new(14);
    // Moments are spread over the time that a change takes here.
    let whole = pair.folder.join("whole.hdb");
    let start = Instant::now();
    pair.good(&["db", "create", whole.to_str().expect("UTF-8"), more]);
    let longest = start.elapsed().as_micros() as u64 + 1;
    let mut killed = 0;
    for round in 0..rounds {
        let other = pair.folder.join(format!("{round}.hdb"));
        let other = other.to_str().expect("UTF-8").to_owned();
        let creates = round % KINDS == 4;
        let command: Vec<&str> = match round % KINDS {
            0 => vec!["db", "add", "--again", &pair.hdb, more],
            1 => vec!["db", "delete", &pair.hdb, "result:1-0"],
            2 => vec!["db", "edit", "retag", &pair.hdb, "--fix", "none", "--set", "Annotator=x"],
            3 => vec!["db", "compact", &pair.hdb],
            _ => vec!["db", "create", &other, more],
        };
        let before = pair.export();
        let mut child = Command::new(BINARY)
            .args(&command)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        std::thread::sleep(std::time::Duration::from_micros(rng.below(longest)));
        let _ = child.kill();
        let output = child.wait_with_output().expect("it ends");
        let is_done = output.status.success();
        killed += u64::from(!is_done && output.status.code().is_none());
        pair.check();
        let after = pair.export();
        let expected = match round % KINDS {
            0 => before.clone() + &run(&["pgn", "export", "-q", more], b"").out,
            1 => run(&["pgn", "find", "-q", "not result:1-0", "-"], before.as_bytes()).out,
            2 => edit::retagged(&before, &["--fix", "none", "--set", "Annotator=x"]),
            _ => before.clone(),
        };
        assert!(after == expected || !is_done && after == before, "round {round}: {command:?}");
        if creates && Path::new(&other).exists() {
            if is_done {
                let exported = run(&["db", "export", "-q", &other], b"").out;
                assert_eq!(exported, run(&["pgn", "export", "-q", more], b"").out, "round {round}");
            }
            let made = run(&["db", "check", &other], b"");
            if made.code != Some(0) {
                assert!(!is_done && made.err.contains("no collection"), "{}", made.err);
                pair.good(&["db", "create", &other, more]);
            }
            fs::remove_dir_all(&other).expect("a folder can be removed");
        }
        if round % KINDS == 3 {
            // The next change is possible, and takes away what is left over.
            pair.good(&["db", "compact", &pair.hdb]);
            let last = format!("{}..1000000", games + 1);
            let few = run(&["db", "delete", &pair.hdb, "--games", &last], b"");
            assert!(few.code < Some(2), "{}", few.err);
            pair.good(&["db", "compact", &pair.hdb]);
            assert_eq!(fs::read_dir(&pair.hdb).expect("a folder").count(), 2, "a segment and the manifest");
        }
    }
    println!("{killed} of {rounds} were killed before their end");
}

#[test]
fn a_killed_change_is_made_or_not() {
    kill_at_random(support::fuzz_cases(10).min(100).into(), "killed", 60, 400);
}

#[test]
#[ignore = "takes half a minute; ten rounds run always"]
fn all_killed_changes_are_made_or_not() {
    kill_at_random(100, "all-killed", 2000, 3000);
}
