//! Analyses of games that were analyzed before, by Hematite or by others.

use super::*;

#[test]
fn a_second_run_changes_nothing_and_ours_can_be_renewed() {
    let once = analyse(&["-"], GAMES);
    let twice = analyse(&["-"], &once.out);
    assert_eq!(twice.out, once.out);
    assert_eq!(effort(&twice), (0, 0));
    assert!(twice.err.contains("3 games analyzed before"), "{}", twice.err);
    let renewed = analyse(&["--replace-own", "-"], &once.out);
    assert_eq!(renewed.out, once.out);
    let deeper =
        analyse(&["--replace-own", "--nodes", "900", "--multipv", "2", "--no-annotator", "-"], &once.out);
    assert_ne!(deeper.out, once.out);
    let back = analyse(&["--replace-own", "-"], &deeper.out);
    assert_eq!(back.out, once.out);
    assert!(deeper.out.contains("[Annotator \"Smith\"]"), "{}", deeper.out);
}

/// A tag `Analysis` of another program is kept under another name, and is there again without ours.
#[test]
fn an_analysis_of_someone_else_is_kept() {
    let foreign = "[Analysis \"by hand\"]\n[Analysis_2 \"taken\"]\n";
    let games = GAMES.replacen("[Annotator", &format!("{foreign}[Annotator"), 1);
    let once = analyse(&["-"], &games).out;
    let tags = &read(&once)[0].tags;
    assert!(tags.get("Analysis").is_some_and(|value| value.ends_with("; kept Analysis_3")), "{once}");
    assert_eq!((tags.get("Analysis_2"), tags.get("Analysis_3")), (Some("taken"), Some("by hand")), "{once}");
    assert_eq!(analyse(&["--replace-own", "-"], &once).out, once);
    let restored = without_own(&read(&once)[0]).expect("it is within the limits");
    assert_eq!(restored.tags.get("Analysis"), Some("by hand"));
    assert_eq!((restored.tags.get("Analysis_2"), restored.tags.get("Analysis_3")), (Some("taken"), None));
}

/// Evaluations of ours are not removed before they are used.
#[test]
fn our_evaluations_are_not_destroyed() {
    let once = analyse(&["-"], GAMES).out;
    let kept = analyse(&["--use-evals", "--replace-own", "-"], &once);
    assert_eq!(kept.out, once);
    assert!(kept.err.contains("3 games analyzed before and kept as they are; their eval"), "{}", kept.err);
    let searched = analyse(&["--json", "-"], GAMES).out;
    let used = analyse(&["--json", "--use-evals", "-"], &once).out;
    let scores = |text: &str| -> Vec<Value> {
        let games = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a JSON object"));
        let moves = games.flat_map(|game| game["moves"].as_array().expect("moves").clone());
        moves.map(|played| played["score"].clone()).collect()
    };
    assert!(scores(&searched).iter().filter(|score| !score.is_null()).count() > 30);
    // A game that ends with a draw by the rules has its score from there.
    assert_eq!(scores(&used), scores(&searched));
}

/// Accuracies that another program has written are kept, also when Hematite's own are renewed.
#[test]
fn accuracy_of_someone_else_is_kept() {
    let foreign = "[WhiteAccuracy \"12.3\"]\n[BlackACPL \"7\"]\n";
    let games = GAMES.replacen("[Annotator", &format!("{foreign}[Annotator"), 1);
    let once = analyse(&["-"], &games).out;
    let renewed = analyse(&["--replace-own", "--nodes", "900", "-"], &once).out;
    assert_eq!(analyse(&["--replace-own", "-"], &renewed).out, once);
    for text in [&once, &renewed] {
        let tags = &read(text)[0].tags;
        assert_eq!((tags.get("WhiteAccuracy"), tags.get("BlackACPL")), (Some("12.3"), Some("7")), "{text}");
        assert!(tags.get("BlackAccuracy").is_some() && tags.get("WhiteACPL").is_some(), "{text}");
        assert!(tags.get("Analysis").is_some_and(|value| value.ends_with("; kept WhiteAccuracy, BlackACPL")));
    }
}
