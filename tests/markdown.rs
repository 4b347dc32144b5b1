//! `hematite report` in Markdown, as rendered by a Markdown reader.

use crate::support::binary::{Run, folder, run, run_unread};
use hematite::render::is_unchanged_page;
use pulldown_cmark::{Event, Options, Parser, Tag, html};
use resvg::usvg::roxmltree::Document;
use std::fs;
use std::path::Path;

const OPERA: &str = "[Event \"Opera\"]\n[Site \"Paris\"]\n[Date \"1858.11.??\"]\n[White \"Morphy, Paul\"]\n\
    [Black \"Duke & Count\"]\n[Result \"1-0\"]\n[WhiteElo \"2690\"]\n\n\
    {A box at the opera.} 1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.3]} d6 {[%eval 0.5]} 3. d4 {[%eval 0.4] [%cal Gd4e5]} \
    Bg4 {[%eval 1.6] Pins.} (3... exd4 4. Nxd4 (4. Qxd4 Nc6 $14) 4... Nf6 {is sound.}) 4. dxe5 {[%eval 1.6]} \
    Bxf3 $6 {[%eval 1.7]} 5. Qxf3 {[%eval 1.7]} dxe5 {[%eval #2]} 1-0\n\n";
const ODD: &str = "[Event \"Odd\"]\n[White \"A\"]\n[Black \"B\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"4k3/8/8/8/8/8/8/R4KR1 w GA - 0 7\"]\n\n7. O-O (7. O-O-O Ke7) 7... Kd7 8. -- Kd6 9. Kf2 *\n\n\
    [Event \"None\"]\n[White \"A\"]\n[Black \"C\"]\n\n{Nothing.} *\n\n";

fn report(arguments: &[&str], input: &str) -> Run {
    run(&[&["report", "--markdown"], arguments].concat(), input.as_bytes())
}

/// The Markdown text of these games.
fn markdown(arguments: &[&str], input: &str) -> String {
    let found = report(&[&["-"], arguments].concat(), input);
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{arguments:?}");
    found.out
}

/// The HTML that a Markdown reader generates.
fn page(markdown: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(markdown, Options::all()));
    page
}

/// The paths of the pictures in a file, each of which must be an existing SVG file.
fn pictures(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("it is written");
    assert!(is_unchanged_page(text.as_bytes()));
    let picture = |event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    let found: Vec<String> = Parser::new(&text).filter_map(picture).collect();
    for address in &found {
        let path = file.with_file_name(address.replace("%20", " "));
        let svg = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Document::parse(&svg).expect("it is SVG");
    }
    found
}

#[test]
fn a_game_has_its_head_moves_and_diagrams() {
    let text = markdown(&[], OPERA);
    assert!(is_unchanged_page(text.as_bytes()));
    for part in [
        "# Morphy, Paul (2690) – Duke &amp; Count, 1–0\n\nOpera · Paris · 1858.11\\\nC41 Philidor Defense",
        "| Player | Accuracy | Loss | ?! | ? | ?? |\n",
        "A box at the opera. **1. e4 e5 2. Nf3 d6 3. d4 Bg4?** Pins.\n\n",
        "> (3... exd4 4. Nxd4 (4. Qxd4 Nc6 +/=) 4... Nf6 is sound.)\n\n",
        "```text\n8  r n . q k b n r\n",
        "*Position after 3... Bg4?*\n\n> (3...",
        "\n\n**4. dxe5 Bxf3?! 5. Qxf3",
        "\n**1–0**\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("!["), "{text}");
    let german = markdown(&["--language", "German", "--diagrams", "none", "--pgn"], OPERA);
    assert!(german.contains("2. Sf3") && !german.contains("```text"), "{german}");
    assert!(german.contains("```pgn\n[Event \"Opera\"]\n"), "{german}");
    assert!(markdown(&["--figurines"], OPERA).contains("2. ♘f3"));
    assert!(markdown(&["--flip"], OPERA).contains("```text\n1  "));
}

#[test]
fn games_have_an_index_and_tables() {
    let text = markdown(&[], &format!("{OPERA}{ODD}"));
    for part in [
        "# Games\n\n3 games: 1 won by White, 0 drawn, 0 won by Black\n\n## Games\n\n| # | White | Black |",
        "| [1](#g1) | Morphy, Paul | Duke &amp; Count | 1–0 | 5 | 1858.11.?? | C41 Philidor Defense",
        "## Players\n\n",
        "<a id=\"g2\"></a>\n\n## A – B, \\*\n\nOdd\n\n```text\n8  . . . . k . . .\n",
        "\n\n*Initial position, White to move*\n\n**7. O-O**\n\n> (7. O-O-O Ke7)\n\n**7... Kd7 8. -- Kd6 9. Kf2**\n\n",
        "## A – C, \\*\n\nNone\n\nNothing.\n\n**\\***\n\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let shown = page(&text);
    assert!(shown.matches("<table>").count() >= 3, "{shown}");
    let tables = markdown(&["--tables"], &format!("{OPERA}{ODD}"));
    assert!(tables.contains("## Players") && !tables.contains("Bg4"), "{tables}");
}

#[test]
fn pictures_stand_beside_the_file() {
    let folder = folder("markdown-pictures");
    let file = folder.join("my games.md");
    let name = file.to_str().expect("UTF-8");
    let found = run(&["report", "-", "-o", name], OPERA.as_bytes());
    assert_eq!((found.code, found.err.as_str(), found.out.as_str()), (Some(0), "", ""));
    let drawn = pictures(&file);
    assert_eq!(drawn.first().map(String::as_str), Some("my%20games-diagrams/000001.svg"));
    assert!(drawn.len() >= 2, "{drawn:?}");
    // Our own file is replaced, and one that was changed by hand is not.
    let again = run(&["report", "-", "-o", name, "--flip"], OPERA.as_bytes());
    assert_eq!(again.code, Some(0), "{}", again.err);
    let mut text = fs::read_to_string(&file).expect("it is there");
    text.insert_str(0, "By hand.\n");
    fs::write(&file, &text).expect("it can be written");
    let refused = run(&["report", "-", "-o", name], OPERA.as_bytes());
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("expected --force or another name"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), text);
    assert_eq!(run(&["report", "-", "-o", name, "--force"], OPERA.as_bytes()).code, Some(0));
    // Each game in a file of its own.
    let pages = folder.join("pages");
    let name = pages.to_str().expect("UTF-8");
    let split = report(&["-", "--split", "-o", name], &format!("{OPERA}{ODD}"));
    assert_eq!((split.code, split.err.as_str()), (Some(0), ""));
    assert!(pictures(&pages.join("000001.md"))[0].starts_with("diagrams/0"));
    assert!(pictures(&pages.join("index.md")).is_empty());
    let second = fs::read_to_string(pages.join("000002.md")).expect("it is written");
    let links = "[Index](index.md) · [Previous game](000001.md) · [Next game](000003.md)\n\n## A – B";
    assert!(second.starts_with(links), "{second}");
}

#[test]
fn a_script_remains_a_script() {
    let folder = folder("markdown-script");
    let script = "# My *article*\n\nWhite opens: {{moves 1-2w}} and so on.\n\n{{diagram 2w}}\n\n- An item {{diagram 1b flip | Black *sees* it}}\n\n\
                  {{moves 3-4 notes}}\n\n{{games}}\n\n{{game 1}}\n\n`{{code}}`\n";
    let path = folder.join("article.md");
    fs::write(&path, script).expect("it can be written");
    fs::write(folder.join("games.pgn"), OPERA).expect("it can be written");
    let [path, games] = [path, folder.join("games.pgn")].map(|path| path.to_str().expect("UTF-8").to_owned());
    let found = run(&["report", &path, &games, "--markdown"], b"");
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    for part in [
        "# My *article*\n\nWhite opens: **1. e4 e5 2. Nf3** and so on.\n\n```text\n8  r n b q k b n r\n",
        "- An item\n\n  ```text\n  1  R N B K Q B N R\n",
        "\n  *Black \\*sees\\* it*\n",
        "> (3... exd4",
        "| [1](#g1) |",
        "<a id=\"g1\"></a>\n\n## Morphy",
        "`{{code}}`",
    ] {
        assert!(found.out.contains(part), "{part}: {}", found.out);
    }
    // The script itself is not replaced by what it makes.
    let refused = run(&["report", &path, &games, "-o", &path], b"");
    assert_eq!(refused.code, Some(2));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), script);
    let written = folder.join("written.md");
    let found = run(&["report", &path, &games, "-o", written.to_str().expect("UTF-8")], b"");
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    assert!(pictures(&written).len() >= 4);
}

#[test]
fn what_is_hostile_is_text() {
    let evil = "<script>alert(1)</script> [a](javascript:x) ![b](http://c) `{{game 1}}` **d** | # e \u{202e}f\u{f8e2}";
    let comment = "<img src=x onerror=y>\n\n# heading\n\n    code\n\n| a | b |\n| - | - |\n> quote \u{202e} "
        .repeat(20_000);
    let tag = evil.replace('"', "");
    let text = format!(
        "[Event \"{tag}\"]\n[White \"{tag}\"]\n[Black \"{tag}\"]\n\n1. e4 {{{}}} e5 (1... c5 {{{tag}}}) *\n\n",
        comment.replace(['{', '}'], "")
    );
    for input in [text.clone(), format!("{text}{text}")] {
        let found = report(&["-", "--pgn"], &input);
        assert!(matches!(found.code, Some(0 | 1)), "{}", found.err);
        assert!(!found.out.contains(['\u{202e}', '\u{f8e2}']));
        // Names of headings and links of the index are ours; code is no markup.
        let shown = page(&found.out);
        for tag in ["<script", "<img", "javascript:x\"", "<del", "<h1>heading", "<code>code"] {
            assert!(!shown.contains(tag), "{tag}");
        }
    }
}

#[test]
fn exit_codes_tell_what_was_found() {
    let cases: &[(&[&str], &str, i32, &str)] = &[
        (&["-"], "", 1, "no game is found"),
        (&["-"], "1. e4 Ke4 *", 1, ""),
        (&["-", "--query", "white:nobody"], OPERA, 1, "no game is found"),
        (&["-", "--diagrams", "svg"], OPERA, 2, "expected -o FILE or --diagrams text"),
        (&["no-such-file.pgn"], "", 2, "no-such-file.pgn"),
        (&["-", "--split"], OPERA, 2, "--output"),
    ];
    for (arguments, input, code, problem) in cases {
        let found = report(arguments, input);
        assert_eq!(found.code, Some(*code), "{arguments:?}: {}", found.err);
        assert!(found.err.contains(problem), "{arguments:?}: {}", found.err);
    }
    let html = run(&["report", "-", "--diagrams", "none"], OPERA.as_bytes());
    assert!(html.code == Some(2) && html.err.contains("--diagrams is for Markdown"), "{}", html.err);
    assert_eq!(run_unread(&["report", "-", "--markdown"], OPERA.as_bytes()), Some(0));
    let folder = folder("markdown-none");
    let file = folder.join("none.md");
    assert_eq!(run(&["report", "-", "-o", file.to_str().expect("UTF-8")], b"").code, Some(1));
    assert!(!file.exists());
}
