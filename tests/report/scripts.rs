//! Documents that a script describes.

use super::{ODD, OPERA, check_links, page, report};
use crate::support::binary::folder;
use crate::support::place::Place;
use std::fs;

#[test]
fn a_document_is_markdown_with_games_in_it() {
    let place = Place::new();
    let games = place.file("games.pgn", OPERA.to_owned() + ODD);
    let script = place.file(
        "article.md",
        "# A *short* game\n\n<script>alert(1)</script> It opens {{moves 1-2w}}, then:\n\n{{diagram}}\n\n{{moves 2b-3 notes}}\n\n\
         {{diagram 3b flip | Too early}}\n\n{{use 3}}{{diagram 0}}\n\n{{game games.pgn#1}}\n\n{{diagram 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1}}\n\n\
         {{players}}\n\n[a](javascript:b)\n",
    );
    let found = report(&[&script, &games], "");
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    let html = found.out;
    check_links(&html.replace("<a href=\"#\">", "<a>"));
    for part in [
        "<title>A short game</title>",
        "<h1>A <em>short</em> game</h1>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "It opens <span class=moves><i>1.</i>\u{a0}<b>e4</b> <b>e5</b> <i>2.</i>\u{a0}<b>Nf3</b></span>, then:",
        "<figcaption>Position after 2. Nf3</figcaption>",
        "<div class=\"moves line-of-moves\"><i>2...</i>\u{a0}<b>d6</b> <i>3.</i>\u{a0}<b>d4</b> <b>Bg4</b> <span class=c>Pins.</span><div class=v>",
        "<figcaption>Too early</figcaption>",
        "<article class=game id=f1",
        "<desc>White: king e1. Black: king e3, pawn e2. Black to move.</desc>",
        "<td>Morphy, Paul</td>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert_eq!(html.matches("<figure class=diagram>").count(), 4, "{html}");
    let text = report(&[&script, &games, "--text"], "");
    assert!(text.out.contains("It opens 1.e4 e5 2.Nf3, then:"), "{}", text.out);
    assert!(text.out.contains("1  . . . . K . . .\n   a b c d e f g h\n"), "{}", text.out);
    // The title of a page has no directives.
    let titled = place.file("titled.md", "# On {{moves 1}} and others\n");
    let found = report(&[&titled, &games], "").out;
    assert!(found.contains("<title>On and others</title>"), "{found}");
    // No games are needed for positions alone.
    let alone = place.file("alone.md", "{{diagram 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1}}\n");
    assert_eq!(report(&[&alone], "").code, Some(0));
    let cases = [
        ("a\n\n{{diagram 30w}}", "line 3: there is no move 30 of White: the game ends after 10 plies"),
        ("{{moves 2-1}}", "line 1: the last move comes before the first"),
        ("{{moves 4-9}}", "line 1: there is no move 9: the game ends after 10 plies"),
        ("{{game 9}}", "line 1: there is no game 9: the command has 4 games"),
        ("{{game other.pgn}}", "other.pgn: No such file"),
        ("\n{{what}}", "line 2: `what` is not known, expected diagram, moves, game"),
        ("{{diagram 12", "line 1: a directive is not closed"),
        ("![a](b.png)", "line 1: an image"),
    ];
    for (text, problem) in cases {
        let path = place.file("wrong.md", text);
        let found = report(&[&path, &games], "");
        assert!(found.code == Some(2) && found.err.contains(problem), "{text}: {}", found.err);
        assert!(found.err.contains("wrong.md: line") || found.err.contains("No such file"), "{}", found.err);
    }
    let refused = report(&[&script, &alone, &games], "");
    assert!(
        refused.code == Some(2) && refused.err.contains("at most one document script"),
        "{}",
        refused.err
    );
}

/// The list of games links to those that are in the document, at any place in it.
#[test]
fn a_list_of_games_links_to_what_is_there() {
    let folder = folder("report-links");
    let script = folder.join("list.md");
    fs::write(&script, "{{games}}\n\n{{game 3}}\n\n{{game 1}}\n\n{{game 3}}\n").expect("it can be written");
    let html = page(&[script.to_str().expect("UTF-8")], &(OPERA.to_owned() + ODD));
    check_links(&html);
    let sections: Vec<&str> = html
        .split("<article class=game id=")
        .skip(1)
        .map(|rest| rest.split([' ', '>']).next().unwrap_or_default())
        .collect();
    assert_eq!(sections, ["g3", "g1", "g3-2"]);
    for (number, cell) in [(1, "<a href=\"#g1\">1</a>"), (2, "2"), (3, "<a href=\"#g3\">3</a>"), (4, "4")] {
        assert!(html.contains(&format!("<td class=number>{cell}</td><td>")), "{number}: {html}");
    }
}

/// A document without a list of games may refer to any number of games.
#[test]
fn a_document_is_about_any_number_of_games() {
    let folder = folder("report-many");
    let script = folder.join("count.md");
    let script = script.to_str().expect("UTF-8");
    let games = "[Event \"x\"]\n\n*\n\n".repeat(20_001);
    for (text, code) in [("{{players}}\n", 0), ("{{games}}\n", 2)] {
        fs::write(script, text).expect("it can be written");
        let found = report(&["-", script], &games);
        assert_eq!(found.code, Some(code), "{text}: {}", found.err);
    }
}
