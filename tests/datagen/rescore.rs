//! `hematite datagen rescore`.

use super::*;

/// Searches the positions of the games in `run` again; returns the folder of the new chunks.
fn rescore(place: &Place, run: &str, out: &str, options: &str) -> (String, Said) {
    let out = place.path(out);
    let said = done(&format!("rescore --nodes 400 --out {out} --chunk-games 2 {options} {run}"));
    (out, said)
}

#[test]
fn rescoring_changes_the_scores_of_quiet_positions_and_nothing_else() {
    let place = Place::new();
    let run = six_games(&place);
    let (once, report) = rescore(&place, &run, "once", "--json --threads 1");
    let report = json(&report);
    let (twice, _) = rescore(&place, &run, "twice", "--threads 2");
    assert_eq!(files(&once), files(&twice), "the number of threads has no effect");
    assert_eq!((&report["games"], &report["kept_games"]), (&6.into(), &0.into()), "{report}");
    let before: Vec<Game> = games(&run).into_values().collect();
    let paths = chunk_files(&[once.clone().into()]).expect("chunks");
    assert_eq!(paths.len(), 4, "two chunks of each file of three games");
    let after: Vec<Game> = paths.iter().flat_map(|path| games_of(path.to_str().expect("UTF-8"))).collect();
    let (mut changed, mut searched) = (0, 0);
    let mut changes = Vec::new();
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((before.start(), before.result()), (after.start(), after.result()));
        assert_eq!(before.termination(), after.termination());
        assert_eq!(before.plies().len(), after.plies().len());
        for (before, after) in before.samples().zip(after.samples()) {
            assert_eq!(before.mv, after.mv);
            let position = &before.position;
            let is_quiet = !position.is_check() && !position.is_noisy(before.mv) && before.ply >= 16;
            let is_taken = is_quiet && !before.score.is_mate() && before.score.units().abs() <= 3000;
            searched += u64::from(is_taken);
            changed += u64::from(before.score != after.score);
            if is_taken && !after.score.is_mate() {
                changes.push(before.score.units().abs_diff(after.score.units()));
            }
            assert!(is_taken || before.score == after.score, "a score changed that training does not take");
        }
    }
    assert_eq!(report["positions"], searched, "{report}");
    let mean = f64::from(changes.iter().sum::<u32>()) / changes.len() as f64;
    assert_eq!(report["mean_change"], mean, "{report}");
    let chunk = ChunkReader::open(&paths[0]).expect("a chunk");
    let note: serde_json::Value = serde_json::from_str(chunk.note()).expect("JSON");
    assert_eq!(note["rescored"]["plain_scores"], true, "{note}");
    assert_eq!(note["source"]["settings"]["plain_scores"], true, "{note}");
    assert!(changed * 2 > searched, "{changed} of {searched} scores changed");
    // Again: nothing is left to do, but what was lost is made anew.
    let all = files(&once);
    let lost = games_of(paths[1].to_str().expect("UTF-8")).len();
    fs::remove_file(&paths[1]).expect("a chunk");
    let (_, report) = rescore(&place, &run, "once", "--json");
    let report = json(&report);
    assert_eq!(report["kept_games"], 6 - lost);
    assert_eq!(files(&once), all);
    let other = datagen(&format!("rescore --nodes 500 --out {once} --chunk-games 2 {run}"));
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(other.err.contains("rescored in another way"), "{other:?}");
    let few = datagen(&format!("rescore --nodes 10 --out {once} {run}"));
    assert_eq!((few.code, few.err.contains("--nodes 10: expected at least 50")), (Some(2), true), "{few:?}");
    let torn = place.path("torn.games");
    let bytes = fs::read(&paths[0]).expect("a chunk");
    fs::write(&torn, &bytes[..bytes.len() - 5]).expect("it can be written");
    let torn = datagen(&format!("rescore --nodes 100 --out {} {torn}", place.path("none")));
    assert_eq!((torn.code, torn.err.contains("before the chunk was closed")), (Some(2), true), "{torn:?}");
}

#[test]
fn positions_near_those_of_games_become_games_of_one_move() {
    let place = Place::new();
    let run = six_games(&place);
    let near = |out: &str, options: &str| rescore(&place, &run, out, &format!("--random-plies 2 {options}"));
    let (once, report) = near("once", "--threads 1 --json");
    let (twice, _) = near("twice", "--threads 2");
    assert_eq!(files(&once), files(&twice), "the number of threads has no effect");
    let report = json(&report);
    assert_eq!((&report["games"], &report["mean_change"]), (&6.into(), &serde_json::Value::Null), "{report}");
    let paths = chunk_files(&[once.clone().into()]).expect("chunks");
    let found: Vec<Game> = paths.iter().flat_map(|path| games_of(path.to_str().expect("UTF-8"))).collect();
    let of_games: Vec<Vec<_>> = games(&run)
        .into_values()
        .map(|game| game.samples().map(|sample| sample.position).collect())
        .collect();
    let known: Vec<_> = of_games.iter().flatten().collect();
    let after_one: Vec<_> = known
        .iter()
        .flat_map(|position| position.legal_moves().into_iter().map(|mv| position.after(mv).0))
        .collect();
    let keys: std::collections::HashSet<_> = after_one.iter().map(|position| position.key()).collect();
    let (mut one, mut won, mut expected) = (0, 0.0, 0.0);
    for game in &found {
        let [ply] = game.plies() else { panic!("{} plies, expected 1", game.plies().len()) };
        assert!(!game.start().is_check(), "{game:?}");
        one += usize::from(keys.contains(&game.start().key()));
        won += f64::from(game.result().half_points(game.start().turn())) / 2.0;
        expected += 1.0 / (1.0 + (-f64::from(ply.score.units()) / 300.0).exp());
    }
    assert_eq!(report["positions"], found.len(), "{report}");
    let count = found.len();
    assert!(count > 100 && (count / 4..count * 3 / 4).contains(&one), "{one} of {count} after one move");
    assert!(
        (won - expected).abs() < (count as f64).sqrt() * 1.5,
        "{won} of {count} won, {expected} expected"
    );
    // Rescored games do not go with them.
    let other = datagen(&format!("rescore --nodes 400 --out {once} --chunk-games 2 {run}"));
    assert!(other.code == Some(2) && other.err.contains("rescored in another way"), "{other:?}");
    let (_, said) = near("once", "");
    assert!(
        said.out.ends_with("6 games, 6 of them from before; 0 positions near theirs searched\n"),
        "{said:?}"
    );
    let none = datagen(&format!("rescore --nodes 400 --random-plies 0 --out {once} {run}"));
    assert_eq!(none.code, Some(2), "{none:?}");
}

#[test]
fn other_games_of_the_same_name_are_rescored_elsewhere() {
    let place = Place::new();
    let all: Vec<Game> = games(&six_games(&place)).into_values().collect();
    let [first, second] = ["first/a.games", "second/a.games"].map(|name| place.write(name, ""));
    write_chunk(&first, &all[..2]);
    write_chunk(&second, &all[2..4]);
    let out = place.path("out");
    let rescore = |file: &Path| format!("rescore --nodes 100 --out {out} {}", file.display());
    done(&rescore(&first));
    let before = files(&out);
    let said = datagen(&rescore(&second));
    assert!(said.code == Some(2) && said.err.contains("holds other games of the same name"), "{said:?}");
    assert_eq!(files(&out), before);
    done(&rescore(&first));

    // Without its extension such a name is the same, too.
    let other = place.join("first/a.chunk");
    fs::copy(&second, &other).expect("it can be copied");
    let said = datagen(&format!("{} {}", rescore(&first), other.display()));
    assert!(said.code == Some(2) && said.err.contains("expected names that differ before"), "{said:?}");
    assert_eq!(files(&out), before);
}

#[test]
fn rescoring_removes_what_a_killed_run_has_left() {
    let place = Place::new();
    let run = six_games(&place);
    let torn = place.write("out/.a-rescored-0000000000-0000000511.games.99-0.tmp", "torn");
    let other = place.write("out/.b.games.99-0.tmp", "not of this command");
    done(&format!("rescore --nodes 100 --out {} {run}", place.path("out")));
    assert!(!torn.exists() && other.exists());
}
