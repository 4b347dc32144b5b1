//! Chunks shuffled, merged and in one folder.

use super::*;

/// The games of a chunk, sorted so that their order in it does not matter.
fn sorted(games: Vec<Game>) -> Vec<String> {
    let mut texts: Vec<String> = games.iter().map(|game| format!("{game:?}")).collect();
    texts.sort();
    texts
}

#[test]
fn shuffled_and_merged_games_are_the_same_games() {
    let place = Place::new();
    let folder = place.path("run");
    done(&format!("--out {folder} --soft-nodes 60 --games 30 --chunk-games 10"));
    let merged = place.path("merged.games");
    let said = done(&format!("merge --out {merged} {folder}")).out;
    assert!(said.contains("merged.games: 30 games, "), "{said}");
    let in_order: Vec<Game> = games(&folder).into_values().collect();
    assert_eq!(games_of(&merged), in_order);
    let note: serde_json::Value = {
        let reader = ChunkReader::open(Path::new(&merged)).expect("a chunk");
        serde_json::from_str(reader.note()).expect("a note")
    };
    assert_eq!(
        (&note["how"], &note["chunks"], &note["sources"][0]["seed"]),
        (&"merged".into(), &3.into(), &1.into())
    );
    assert_eq!(note["sources"].as_array().map(Vec::len), Some(1));

    let shuffle = |name: &str, words: &str| -> (Vec<Game>, usize) {
        let out = place.path(name);
        done(&format!("shuffle --out {out} {words} {folder}"));
        done(&format!("check {out}"));
        let paths = chunk_files(&[out.into()]).expect("chunks");
        let games = paths.iter().flat_map(|path| games_of(path.to_str().expect("a plain path")));
        (games.collect(), paths.len())
    };
    let (first, chunks) = shuffle("first", "--seed 1 --chunk-games 8");
    assert_eq!(chunks, 4);
    assert_ne!(first, in_order);
    assert_eq!(sorted(first.clone()), sorted(in_order.clone()));
    assert_eq!(shuffle("again", "--seed 1 --chunk-games 8").0, first);
    let (other, chunks) = shuffle("other", "--seed 2");
    assert_eq!(chunks, 1);
    assert_ne!(other, first);
    assert_eq!(sorted(other), sorted(in_order));

    let refusals = [
        (format!("merge --out {merged} {folder}"), "is there already"),
        (format!("merge --out {} {folder} {merged} {merged}", place.path("m")), "the same games as"),
        (format!("shuffle --out {} {folder}", place.path("first")), "is there already"),
        (format!("shuffle --out {} {}", place.path("s"), place.path("none")), "No such file"),
    ];
    for (words, expected) in &refusals {
        let said = datagen(words);
        assert!(said.code == Some(2) && said.err.contains(expected), "{words}: {said:?}");
    }
    assert!(!Path::new(&place.path("m")).exists());
}

#[test]
fn shuffling_leaves_all_or_nothing() {
    let place = Place::new();
    let (run, mixed) = (place.path("run"), place.path("mixed"));
    done(&format!("--out {run} --soft-nodes 60 --games 8 --chunk-games 4 --threads 1"));
    // What a process that was killed leaves behind.
    fs::create_dir_all(&mixed).expect("a folder");
    let torn = ["heap-7.part", "shuffled-00009.part", ".heap-3.part.tmp", ".heap-3.part.1-2.tmp"];
    // Somebody's own files.
    let others = ["film.part", "heap-x.part", "heap-.part", ".film.part.tmp", "shuffled.txt"];
    for name in torn.into_iter().chain(others) {
        fs::write(place.join("mixed").join(name), "torn").expect("it can be written");
    }
    let lock = fs::File::create(place.join("mixed/lock")).expect("a file");
    lock.lock().expect("nobody has it");
    let said = datagen(&format!("shuffle --out {mixed} --chunk-games 2 {run}"));
    assert!(said.code == Some(2) && said.err.contains("another process writes to this folder"), "{said:?}");
    drop(lock);
    done(&format!("shuffle --out {mixed} --chunk-games 2 {run}"));
    let names = fs::read_dir(&mixed).expect("a folder").flatten();
    let mut names: Vec<_> = names.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect();
    names.retain(|name| !name.ends_with(".games"));
    names.sort();
    let mut others = others.to_vec();
    others.sort_unstable();
    assert_eq!(names, others);
    assert_eq!(json(&done(&format!("info --json {mixed}")))["games"], 8);
    // A file of the name of the lock, which is none.
    let (again, lock) = (place.path("again"), place.join("again/lock"));
    fs::create_dir(&again).expect("a folder");
    fs::write(&lock, "keys").expect("it can be written");
    let commands = [
        format!("shuffle --out {again} {run}"),
        format!("--out {again} --soft-nodes 60 --games 1"),
        format!("rescore --out {again} --nodes 100 {run}"),
    ];
    for words in commands {
        let said = datagen(&words);
        assert!(said.code == Some(2) && said.err.contains("`lock` is not empty"), "{words}: {said:?}");
        assert_eq!(fs::read_to_string(&lock).ok().as_deref(), Some("keys"), "{words}");
    }
}

#[test]
fn compressed_chunks_are_not_left_out_silently() {
    let place = Place::new();
    let run = six_games(&place);
    fs::write(format!("{run}/b.games.gz"), "compressed").expect("it can be written");
    let out = place.path("out");
    let commands = [
        format!("info {run}"),
        format!("check {run}"),
        format!("shuffle --out {out} {run}"),
        format!("rescore --out {out} --nodes 100 {run}"),
        format!("--out {run} --soft-nodes 60 --games 7 --chunk-games 3 --seed 5"),
    ];
    let mut said: Vec<Said> = commands.iter().map(|words| datagen(words)).collect();
    let train = Command::cargo_bin("hematite").expect("the binary is built");
    let train = { train }.args(["train", "--data", &run, "--out", &place.path("x.nnue")]).output();
    let train = train.expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    said.push(Said { code: train.status.code(), out: text(train.stdout), err: text(train.stderr) });
    for said in said {
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("the chunk b.games.gz is compressed, expected the unpacked"), "{said:?}");
        assert!(said.err.contains("b.games\n"), "{said:?}");
    }
}

#[test]
fn games_that_are_there_twice_are_found_in_all_files() {
    let place = Place::new();
    let run = six_games(&place);
    let other = place.path("copy.games");
    fs::copy(chunk_files(&[run.clone().into()]).expect("chunks")[0].clone(), &other).expect("a copy");
    done(&format!("check {run}"));
    let said = datagen(&format!("check {run} {other}"));
    assert!(said.code == Some(1) && said.out.contains("copy.games: the same games as "), "{said:?}");
    assert!(said.out.ends_with(": 1 problem\n"), "{said:?}");
    // Without a manifest a folder is not known to hold games twice, but it does.
    fs::remove_file(format!("{run}/manifest.jsonl")).expect("it can be removed");
    fs::rename(&other, format!("{run}/copy.games")).expect("it can be moved");
    let said = datagen(&format!("check {run}"));
    assert!(said.code == Some(1) && said.out.contains("the same games as "), "{said:?}");
}
