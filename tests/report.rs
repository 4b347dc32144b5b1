//! `hematite report`, run by the built binary: pages, documents, text, and a real browser.

mod moves;
mod scripts;
mod tables;

use crate::support::binary::{BINARY, Run, folder, has, run, run_unread};
use crate::support::{self, data_path};
use hematite::chess::{Position, Square};
use hematite::notation::Fen;
use hematite::notation::pgn::{Element, Game};
use hematite::render::is_unchanged_page;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const OPERA: &str = "[Event \"Opera\"]\n[Site \"Paris\"]\n[Date \"1858.11.??\"]\n[Round \"?\"]\n[White \"Morphy, Paul\"]\n\
    [Black \"Duke & Count\"]\n[Result \"1-0\"]\n[WhiteElo \"2690\"]\n[TimeControl \"3600\"]\n\n\
    {A box at the opera.} 1. e4 {[%eval 0.3] [%clk 1:00:00]} e5 {[%eval 0.3] [%clk 0:59:00]} \
    2. Nf3 {[%eval 0.3] [%clk 0:58:00]} d6 {[%eval 0.5] [%clk 0:57:00]} 3. d4 {[%eval 0.4] [%clk 0:57:00] [%cal Gd4e5]} \
    Bg4 {[%eval 1.6] Pins. [%clk 0:56:00]} (3... exd4 4. Nxd4 (4. Qxd4 Nc6 $14) 4... Nf6 {is sound.}) \
    4. dxe5 {[%eval 1.6] [%clk 0:55:00]} Bxf3 $6 {[%eval 1.7] [%clk 0:05:00]} 5. Qxf3 {[%eval 1.7] [%clk 0:54:00]} \
    dxe5 {[%eval #2] [%clk 0:04:00]} 1-0\n\n";

/// Games with castling in which king and rook change places, with a null move, and without moves.
const ODD: &str = "[Event \"Odd\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R4KR1 w GA - 0 7\"]\n\n\
    7. O-O (7. O-O-O Ke7) 7... Kd7 8. -- Kd6 9. Kf2 *\n\n[Event \"Promotions\"]\n[SetUp \"1\"]\n\
    [FEN \"4k3/P7/8/8/3pP3/8/8/4K3 b - e3 0 1\"]\n\n1... dxe3 2. a8=N (2. a8=Q+ Kd7) 2... Kd7 *\n\n[Event \"None\"]\n\n{Nothing.} *\n\n";

fn report(arguments: &[&str], input: &str) -> Run {
    run(&[&["report"], arguments].concat(), input.as_bytes())
}

/// The page of these games.
fn page(arguments: &[&str], input: &str) -> String {
    let found = report(&[&["-"], arguments].concat(), input);
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{arguments:?}");
    found.out
}

/// The name and the attributes of each tag, with a slash before the name of a closing tag, except in comments, styles
/// and scripts. Fails unless all opened tags are closed in the right order.
fn tags(html: &str) -> Vec<String> {
    const VOID: [&str; 4] = ["meta", "link", "br", "hr"];
    let mut tags = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some((_, from)) = rest.split_once('<') {
        if from.starts_with('!') {
            rest = from.split_once('>').expect("a declaration ends").1;
            continue;
        }
        // A sign > may stand in quotes.
        let mut is_quoted = false;
        let end = from.find(|letter| {
            is_quoted ^= letter == '"';
            letter == '>' && !is_quoted
        });
        let end = end.unwrap_or_else(|| panic!("a tag does not end: {}", &from[..from.len().min(99)]));
        let tag = &from[..end];
        rest = &from[end + 1..];
        let name = tag.trim_end_matches('/').split(' ').next().unwrap_or_default().to_owned();
        assert!(name.trim_start_matches('/').chars().all(char::is_alphanumeric), "{tag}");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "what closes has been opened");
        } else if !tag.ends_with('/') && !VOID.contains(&&*name) {
            open.push(name.clone());
        }
        if ["style", "script"].contains(&&*name) {
            rest = &rest[rest.find("</").expect("it is closed")..];
        }
        tags.push(tag.to_owned());
    }
    assert_eq!(open, Vec::<String>::new());
    tags
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let from = tag.split(&format!(" {name}=")).nth(1)?;
    match from.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => from.split(' ').next(),
    }
}

/// Checks that every link within the page has a target, and that every anchor is unique.
fn check_links(html: &str) {
    let tags = tags(html);
    let ids: Vec<&str> = tags.iter().filter_map(|tag| attribute(tag, "id")).collect();
    let names: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), names.len(), "names are used once");
    for target in tags.iter().filter_map(|tag| attribute(tag, "href")?.strip_prefix('#')) {
        assert!(names.contains(target), "#{target} leads nowhere");
    }
}

/// The squares of a piece placement, starting with a1.
fn squares(placement: &str) -> Vec<char> {
    let mut board = vec!['.'; 64];
    for (row, rank) in placement.split('/').enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(count) => file += count as usize,
                None => {
                    board[(7 - row) * 8 + file] = letter;
                    file += 1;
                }
            }
        }
    }
    board
}

fn board_of(position: &Position) -> Vec<char> {
    Square::ALL.map(|square| position.piece_at(square).map_or('.', |piece| piece.letter())).to_vec()
}

/// The boards after each move, as the script of a page derives them from its data.
fn boards(article: &str) -> Vec<Vec<char>> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let start = attribute(article, "data-start").unwrap_or("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    // Each board with the one before it.
    let mut last = (squares(start), Vec::new());
    let mut waiting = Vec::new();
    let mut found = Vec::new();
    for token in
        attribute(article, "data-line").unwrap_or_default().split(' ').filter(|token| !token.is_empty())
    {
        match token {
            "(" => {
                waiting.push(last.clone());
                last = (last.1, Vec::new());
            }
            ")" => last = waiting.pop().expect("a variation was begun"),
            _ => {
                let mut board = last.0.clone();
                let letters: Vec<char> = token.chars().collect();
                for change in letters.chunks_exact(2) {
                    board[LETTERS.find(change[0]).expect("it is a square")] = change[1];
                }
                found.push(board.clone());
                last = (board, last.0);
            }
        }
    }
    found
}

#[test]
fn the_data_of_a_page_are_the_positions_of_its_games() {
    let mut texts = vec![OPERA.to_owned() + ODD];
    for name in ["pgn/lichess-org+scalachess", "pgn/jhlywa+chess.js"] {
        if let Some(folder) = support::data_folder_of(name) {
            let mut paths: Vec<PathBuf> = files(&folder);
            paths.sort();
            texts.extend(paths.iter().filter_map(|path| fs::read_to_string(path).ok()));
        }
    }
    let mut moves = 0;
    for text in texts {
        let found = report(&["-", "--quiet"], &text);
        if found.out.is_empty() {
            continue;
        }
        let tags = tags(&found.out);
        let articles = tags.iter().filter(|tag| tag.starts_with("article"));
        let mut reader = hematite::notation::pgn::Reader::new(text.as_bytes());
        let mut builder = hematite::notation::pgn::GameBuilder::new();
        for article in articles {
            assert!(reader.read_game(&mut builder).expect("memory can be read"));
            let game = builder.game();
            let expected: Vec<Vec<char>> = game
                .walk()
                .filter_map(|element| match element {
                    Element::Move(node) => Some(board_of(&game.position(node))),
                    _ => None,
                })
                .collect();
            moves += expected.len();
            assert_eq!(boards(article), expected, "{}", Fen::new(game.start()));
        }
    }
    assert!(moves >= 25, "{moves}");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read").flatten();
    entries
        .flat_map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { vec![entry.path()] })
        .collect()
}

#[test]
fn a_page_has_all_of_a_game() {
    let html = page(&[], OPERA);
    check_links(&html);
    assert!(is_unchanged_page(html.as_bytes()));
    for part in [
        "<title>Morphy, Paul – Duke &amp; Count, Opera · Paris · 1858.11</title>",
        "<h2><bdi>Morphy, Paul</bdi> <small>2690</small> – <bdi>Duke &amp; Count</bdi> <span class=result>1–0</span></h2>",
        "<p>C41 Philidor Defense</p>",
        "<div class=moves><p class=c>A box at the opera.</p><i>1.</i>\u{a0}<b>e4</b> <b>e5</b>",
        // A mistake by the evaluations; its diagram; a variation within a variation.
        "<b class=n2>Bg4<abbr title=mistake>?</abbr></b> <span class=c>Pins.</span><figure class=d>",
        "<figcaption>Position after 3... Bg4?</figcaption>",
        "<div class=v>(<i>3...</i>\u{a0}<b>exd4</b> <i>4.</i>\u{a0}<b>Nxd4</b> <span class=w>(<i>4.</i>\u{a0}<b>Qxd4</b> <b>Nc6</b> \
         <abbr title=\"White has a slight advantage\">+/=</abbr>)</span> <i>4...</i>\u{a0}<b>Nf6</b> <span class=c>is sound.</span>)</div>",
        // The glyph of the annotator.
        "<b class=n6>Bxf3<abbr title=\"dubious move\">?!</abbr></b>",
        "<figcaption>Position after 5... dxe5</figcaption>",
        "White expects 0.51 at the start and 0.98 at the end",
        "Time of White at the end: 54:00, Time of Black at the end: 4:00.",
        "data-marks=\"5 gd4e5\"",
        "<tr><th scope=row class=black><bdi>Duke &amp; Count</bdi></th>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert_eq!(html.matches("<figure class=d>").count(), 2, "Bg4 and dxe5");
    assert!(!html.contains("[%"));
    for outside in ["http:", "https:", "src=", "@import", "url(", " style=", "onclick="] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert_eq!(page(&[], OPERA), html, "the same games are the same page");
}

#[test]
fn pieces_are_written_in_languages_and_as_figurines() {
    let cases = [
        (&["--language", "German"][..], "<b>Sf3</b>"),
        (&["--language", "spanish"], "<b>Cf3</b>"),
        (&["--figurines"], "<b>♘f3</b>"),
        (&["--theme", "print", "--pieces", "sharp", "--flip", "--font-size", "9"], "<b>Nf3</b>"),
    ];
    for (arguments, expected) in cases {
        let html = page(arguments, OPERA);
        assert!(html.contains(expected), "{arguments:?}");
        tags(&html);
    }
    let german = "[Event \"?\"]\n\n1. e4 e5 2. Sf3 Sc6 *\n";
    assert!(page(&["--input-language", "German"], german).contains("<b>Nf3</b> <b>Nc6</b>"));
    let refused = report(&["-", "--language", "Klingon"], OPERA);
    assert!(refused.code == Some(2) && refused.err.contains("expected one of Czech"), "{}", refused.err);
    let with_pgn = page(&["--pgn", "--language", "German"], OPERA);
    assert!(
        with_pgn.contains("[White &quot;Morphy, Paul&quot;]") && with_pgn.contains("2. Nf3"),
        "{with_pgn}"
    );
}

#[test]
fn what_is_hostile_is_text() {
    let hostile = "<script>alert(1)</script></title><img src=x onerror=a>\u{202e}\u{2066}javascript:b";
    let games = format!(
        "[Event \"{hostile}\"]\n[Site \"{hostile}\"]\n[White \"{hostile}\"]\n[Black \"' \\\" {hostile}\"]\n[WhiteElo \"{hostile}\"]\n\
         [ECO \"{hostile}\"]\n[Opening \"{hostile}\"]\n[Round \"{hostile}\"]\n[Result \"*\"]\n\n{{ {hostile} --> ]]> }} 1. e4 {{ {hostile} }} \
         (1. d4 {{ {hostile} </div></span> }}) *\n\n"
    );
    for (arguments, input) in
        [(&["--pgn"][..], games.clone()), (&[], games.repeat(3)), (&["--text"], games.clone())]
    {
        let html = page(arguments, &input);
        assert!(!html.contains('\u{202e}') || arguments == ["--text"], "{html}");
        if arguments == ["--text"] {
            continue;
        }
        let tags = tags(&html);
        let names = tags.iter().map(|tag| tag.split(' ').next().unwrap_or_default());
        assert_eq!(names.filter(|name| *name == "script").count(), 1);
        for tag in &tags {
            assert!(
                !tag.starts_with("img") && !tag.contains("onerror") && !tag.contains("javascript"),
                "{tag}"
            );
        }
        check_links(&html);
    }
    // A megabyte of comment, and markup at its end.
    let long = format!("1. e4 {{{}<b>}} e5 *\n", "a <i> & \"".repeat(120_000));
    let html = page(&[], &long);
    assert!(html.len() > 2 << 20 && html.contains("&lt;b&gt;</span> <i>1...</i>"), "{}", html.len());
    // Words that are glued together, and a deep nest of variations.
    let deep = format!("1. e4 {} *\n", "(1. d4 ".repeat(200) + &")".repeat(200));
    tags(&page(&["--quiet"], &deep));
}

#[test]
fn pages_that_were_changed_by_hand_stay() {
    let folder = folder("report-changes");
    let path = folder.join("page.html");
    let name = path.to_str().expect("UTF-8");
    let write = |more: &[&str]| report(&[&["-", "-o", name], more].concat(), OPERA);
    assert_eq!(write(&[]).code, Some(0));
    assert_eq!(write(&["--figurines"]).code, Some(0), "a page that nobody has changed is replaced");
    let made = fs::read_to_string(&path).expect("it is written");
    for changed in [made.replace("Morphy", "Somebody"), made.clone() + " ", "my notes".to_owned()] {
        fs::write(&path, &changed).expect("it can be written");
        let refused = write(&[]);
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains("expected --force or another name"), "{}", refused.err);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), changed);
    }
    assert_eq!(write(&["--force"]).code, Some(0));
    assert!(is_unchanged_page(&fs::read(&path).expect("it is written")));
    let packed = folder.join("page.html.gz");
    for _ in 0..2 {
        assert_eq!(report(&["-", "-o", packed.to_str().expect("UTF-8")], OPERA).code, Some(0));
    }
}

#[test]
fn each_game_can_have_its_page() {
    let folder = folder("report-split");
    let name = folder.to_str().expect("UTF-8");
    let games = OPERA.to_owned() + ODD;
    for _ in 0..2 {
        let found = report(&["-", "--split", "-o", name], &games);
        assert_eq!((found.code, found.out.as_str(), found.err.as_str()), (Some(0), "", ""));
    }
    let mut names: Vec<String> =
        files(&folder).iter().filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect();
    names.sort();
    assert_eq!(names, ["000001.html", "000002.html", "000003.html", "000004.html", "index.html"]);
    for name in &names {
        let html = fs::read_to_string(folder.join(name)).expect("it is written");
        check_links(&html);
        for target in tags(&html)
            .iter()
            .filter_map(|tag| attribute(tag, "href"))
            .filter(|target| target.ends_with(".html"))
        {
            assert!(names.iter().any(|name| name == target), "{target}");
        }
    }
    let second = fs::read_to_string(folder.join("000002.html")).expect("it is written");
    assert!(
        second.contains("<a href=\"000001.html\">Previous game</a><a href=\"000003.html\">Next game</a>"),
        "{second}"
    );
    fs::write(folder.join("000003.html"), "mine").expect("it can be written");
    assert_eq!(report(&["-", "--split", "-o", name], &games).code, Some(2));
}

#[test]
fn games_are_written_as_text() {
    let expected = "\
Morphy, Paul – Duke & Count  1-0
Opera · Paris · 1858.11 · round 1
C41 Philidor Defense
White: accuracy 99.4 %, average loss 2, 0 inaccuracies, 0 mistakes, 0 blunders
Black: accuracy 48.3 %, average loss 196, 1 inaccuracy, 1 mistake, 1 blunder

A box at the opera. 1.e4 e5 2.Sf3 d6 3.d4 Lg4? Pins. (3...exd4 4.Sxd4 (4.Dxd4
Sc6 +/=) 4...Sf6 is sound.) 4.dxe5 Lxf3?! 5.Dxf3 dxe5??
1-0
";
    let games = OPERA.replace("[Round \"?\"]", "[Round \"1\"]");
    let found = page(&["--text", "--language", "German"], &games);
    assert_eq!(found, expected);
    let both = page(&["--text"], &(games.clone() + &games));
    assert!(both.starts_with("Opera\n2 games: 2 won by White, 0 drawn, 0 won by Black\n\n"), "{both}");
    assert!(both.contains("\nPlayers\n") && both.matches("C41 Philidor Defense\n").count() == 2, "{both}");
}

/// A game from a set-up position starts with that position, in each format: it may be a problem.
#[test]
fn set_up_positions_are_shown() {
    let problem = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n\n";
    let text = page(&["--text"], problem);
    assert!(
        text.contains("\n6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n\n8  . . . . . . k .\n")
            && text.contains("\nWhite to move\n\n1.Ra8#\n"),
        "{text}"
    );
    let markdown = page(&["--markdown"], problem);
    let parts: Vec<&str> = markdown.split("*Initial position, White to move*").collect();
    assert!(parts.len() == 2 && parts[1].contains("**1. Ra8#**"), "{markdown}");
    assert!(parts[1].contains("*Position after 1. Ra8#*"), "{markdown}");
    let latex = page(&["--latex"], problem);
    let (before, after) = latex.split_once("\\mainline[level=1]{1. Ra8#}").expect("it has moves");
    assert!(before.contains("Initial position, White to move"), "{latex}");
    assert!(after.contains("\\chessboard"), "{latex}");
    let html = page(&[], problem);
    let view = html.split("<figure class=view>").nth(1).and_then(|rest| rest.split("</figure>").next());
    assert!(view.is_some_and(|view| view.contains("Initial position, White to move")), "{html}");
    let rest = html.split("class=moves>").nth(1).expect("it has moves");
    assert!(rest.contains("Position after 1. Ra8#"), "{html}");
    let usual = page(&["--markdown"], OPERA);
    assert!(!usual.contains("Initial position"), "{usual}");
}

#[test]
fn pgn_is_for_pages() {
    for refused in [
        &["--text", "--pgn"][..],
        &["--json", "--pgn"],
        &["-o", "a.txt", "--pgn"],
        &["-o", "a.json", "--pgn"],
    ] {
        let found = report(&[&["-"], refused].concat(), OPERA);
        assert_eq!((found.code, &*found.out), (Some(2), ""), "{refused:?}");
        assert!(found.err.contains("--pgn"), "{refused:?}: {}", found.err);
    }
}

/// Our comments have the letters of the page, and do not repeat its table.
#[test]
fn our_comments_are_translated() {
    let ours = "[Analysis \"Hematite 0.1.0, 9 nodes\"]\n\n{Summary: White 90.0 % accuracy, 12 cp average loss, \
                0 inaccuracies, 0 mistakes, 1 blunder; Black 80.0 % accuracy, 20 cp average loss, 0 inaccuracies, 0 \
                mistakes, 0 blunders. Moves: opening 1-2.} 1. e4 {[%eval 0.31,18]} e5 {By Nf3} {[%eval 1.31,18] \
                Engine: a blunder, from +0.31 to +1.31 after 2. Nf3. Better is 1... Nc6.} 2. Nf3 {[%eval 1.3,9]} *\n";
    let text = page(&["--text", "--language", "German"], ours).replace('\n', " ");
    assert!(text.contains(" Moves: opening 1-2. 1.e4 ") && !text.contains("Summary"), "{text}");
    assert!(
        text.contains(
            "By Nf3. Engine: a blunder, from +0.31 to +1.31 after 2. Sf3. Better is 1... Sc6. 2.Sf3"
        ),
        "{text}"
    );
    for format in ["--markdown", "--latex"] {
        let found = page(&[format, "--language", "German"], ours);
        assert!(found.contains("Better is 1... Sc6.") && found.contains("Nf3"), "{found}");
    }
}

/// One game of a file is selected, and its findings are shown as for the whole file.
#[test]
fn a_game_by_its_number_is_chosen_like_others() {
    let folder = folder("report-number");
    let path = folder.join("games.pgn");
    let broken = "[White \"Tal\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n\n";
    fs::write(&path, OPERA.to_owned() + broken + "1. e4 e5\n\n").expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    let cases: [(&str, &[&str], i32, &str); 7] = [
        ("1", &[], 0, ""),
        ("1", &["--query", "white:tal"], 1, "no game is found"),
        ("2", &["--query", "white:tal"], 1, "games.pgn:"),
        ("2", &["--quiet"], 1, ""),
        ("2", &["--broken", "drop", "--quiet"], 1, "no game is found"),
        ("3", &[], 0, "games.pgn:"),
        ("3", &["--strict", "--quiet"], 1, ""),
    ];
    for (number, arguments, code, told) in cases {
        let found = report(&[&[&*format!("{path}#{number}")], arguments].concat(), "");
        assert_eq!(found.code, Some(code), "{number} {arguments:?}: {}", found.err);
        assert!(
            found.err.contains(told) && found.err.is_empty() == told.is_empty(),
            "{number} {arguments:?}: {found:?}"
        );
    }
}

#[test]
fn exit_codes_tell_what_was_found() {
    let folder = folder("report-codes");
    let path = folder.join("none.html");
    let name = path.to_str().expect("UTF-8");
    let none = report(&["-", "--query", "white:nobody", "-o", name], OPERA);
    assert_eq!((none.code, none.err.as_str()), (Some(1), "no game is found: nothing is written\n"));
    assert!(!path.exists());
    let broken = report(&["-", "-o", name], "1. e4 e5 2. Ke3 Nc6 *\n");
    assert_eq!(broken.code, Some(1));
    assert!(broken.err.contains("standard input:1:13: "), "{}", broken.err);
    assert!(fs::read_to_string(&path).expect("it is written").contains("<b>e5</b>"));
    // Also if nobody reads the page.
    for (games, code) in [(OPERA, 0), ("1. e4 e5 2. Ke3 Nc6 *\n", 1)] {
        assert_eq!(run_unread(&["report", "-"], games.as_bytes()), Some(code), "{games}");
    }
    assert_eq!(report(&["no-such-file.pgn"], "").code, Some(2));
    assert_eq!(report(&["-", "--split"], OPERA).code, Some(2));
    assert_eq!(report(&[], "").code, Some(2));
}

#[test]
fn a_hundred_games_are_less_than_a_mebibyte() {
    let Some(path) = data_path("pgn/lichess-sample.pgn") else { return };
    let text = fs::read_to_string(path).expect("it can be read");
    // Those with evaluations take the most room.
    let starts = text.match_indices("[Event ").map(|(at, _)| at).chain([text.len()]).collect::<Vec<_>>();
    let games: Vec<&str> = starts.windows(2).map(|range| &text[range[0]..range[1]]).collect();
    let evaluated: Vec<&str> = games.iter().copied().filter(|game| game.contains("%eval")).collect();
    assert!(evaluated.len() > 30);
    for some in [games[..100].concat(), evaluated.iter().cycle().take(100).copied().collect::<String>()] {
        let html = page(&[], &some);
        assert!(html.len() < 1 << 20, "{}", html.len());
        check_links(&html);
    }
}

#[test]
fn chromium_prints_if_it_is_there() {
    let print = |path: Option<&str>| {
        let mut command = Command::new(BINARY);
        command
            .args(["report", "--pdf", "-"])
            .env_remove("HEMATITE_CHROMIUM")
            .stdin(std::process::Stdio::piped());
        if let Some(path) = path {
            command.env("PATH", path);
        }
        let mut child = command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary runs");
        std::io::Write::write_all(&mut child.stdin.take().expect("it is a pipe"), OPERA.as_bytes())
            .expect("it reads");
        child.wait_with_output().expect("it ends")
    };
    let refused = print(Some("/no-such-folder"));
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2));
    assert!(error.contains("--pdf needs Chromium, which is not installed"), "{error}");
    if !has("chromium") {
        return support::skip("no chromium");
    }
    let printed = print(None);
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    assert!(printed.stdout.starts_with(b"%PDF-"));
}

#[test]
fn a_browser_plays_through_the_pages() {
    if !has("chromium") || !has("chromedriver") || !has("python3") {
        return support::skip("no chromium with chromedriver and python3");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/report_page.py");
    let output = Command::new("python3").arg(script).arg(BINARY).arg(folder("report-browser")).output();
    let output = output.expect("python3 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn games_of_the_library_can_be_read_back() {
    // The PGN in a page is that of the game.
    let html = page(&["--pgn"], OPERA);
    let pgn = html.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next()).expect("there is PGN");
    let pgn = pgn.replace("&quot;", "\"").replace("&amp;", "&").replace("&#39;", "'");
    let read = |text: &str| Game::read(text.as_bytes()).expect("it is memory").expect("a game").0;
    assert!(read(&pgn).has_same_content(&read(OPERA)), "{pgn}");
}
