//! `hematite report` in LaTeX, typeset by pdflatex where it is installed.

use crate::support::binary::{Run, folder, has, run};
use crate::support::{data_path, skip};
use hematite::render::is_unchanged_page;
use std::fs;
use std::path::Path;
use std::process::Command;

const OPERA: &str = "[Event \"Opera 50% & more\"]\n[Site \"Paris\"]\n[Date \"1858.11.??\"]\n[White \"Morphy, Paul\"]\n\
    [Black \"Żółć_Иван #1 {x} $y$ ~ ^ \\\\\"]\n[Result \"1-0\"]\n[WhiteElo \"2690\"]\n\n\
    {A box at the opera. 100% [x] *y* -- ``z''} 1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.3]} d6 {[%eval 0.5]} \
    3. d4 {[%eval 0.4] [%cal Gd4e5,Ra1a1] [%csl Yd4]} Bg4 $16 $43 $146 {[%eval 1.6] Pins ± ∞ 你好 😀.} \
    (3... exd4 4. Nxd4 (4. Qxd4 Nc6 $14 (4... Bd7 5. -- a6)) 4... Nf6 {is sound.}) \
    4. dxe5 {[%eval 1.6]} Bxf3 $6 {[%eval 1.7]} 5. Qxf3 {[%eval 1.7]} dxe5 {[%eval #2]} 1-0\n\n";
/// Games with Chess960, null moves, promotions, en passant, disambiguation by two letters, move numbers that start
/// late, and no moves.
const ODD: &str = "[White \"A\"]\n[Black \"B\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R4KR1 w GA - 0 7\"]\n\n\
    7. O-O (7. O-O-O Ke7) 7... Kd7 8. -- Kd6 9. Kf2 *\n\n\
    [White \"A\"]\n[Black \"C\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/3pP3/8/8/4K3 b - e3 0 1\"]\n\n1... dxe3 2. a8=N (2. a8=Q+ Kd7) 2... Kd7 *\n\n\
    [White \"B\"]\n[Black \"C\"]\n[SetUp \"1\"]\n[FEN \"1k6/8/8/8/7Q/8/8/K3Q2Q w - - 0 120\"]\n\n120. Qh4e4 Ka7 121. Qee7+ *\n\n\
    [White \"B\"]\n[Black \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"A\"]\n[Black \"B\"]\n\n{Nothing.} *\n\n";

fn report(arguments: &[&str], input: &str) -> Run {
    run(&[&["report", "--latex"], arguments].concat(), input.as_bytes())
}

fn latex(arguments: &[&str], input: &str) -> String {
    let found = report(&[&["-"], arguments].concat(), input);
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{arguments:?}");
    found.out
}

#[test]
fn a_document_has_all_of_a_game() {
    let text = latex(&[], OPERA);
    assert!(is_unchanged_page(text.as_bytes()));
    let joined = text.replace('\n', " ");
    for part in [
        "\\documentclass[a4paper]{article}",
        "\\usepackage{xskak}",
        "\\usetextfig \\settextfigchars{K}{Q}{R}{B}{N}{P}",
        "\\fallback{0418}{И}{I}",
        "\\subsection*{Morphy, Paul {\\small 2690} -- Żółć\\_Иван \\#1 \\{x\\} \\$y\\$ \\textasciitilde{} \\textasciicircum{}",
        "Opera 50\\% \\& more",
        "white={Morphy, Paul}",
        "\\mainline[level=1]{1. e4 e5 2. Nf3 d6 3. d4 Bg4? $16 $146} \\$43 Pins \\wupperhand{} \\unclear{}",
        "\\begin{quote} (\\variation[level=2]{3... exd4 4. Nxd4} (\\variation[level=2]{4. Qxd4 Nc6 $14} (\\variation[level=2]{4... Bd7}",
        "\\chessboard[setfen={",
        "Position after 3... Bg4?",
        "\\textbf{1--0}",
        "\\end{document} % hematite page ",
    ] {
        assert!(joined.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|line| line.len() < 400), "lines are short");
    assert!(latex(&["--language", "French"], OPERA).contains("\\settextfigchars{R}{D}{T}{F}{C}{P}"));
    let figurines = latex(&["--figurines"], OPERA);
    assert!(!figurines.contains("\\usetextfig") && figurines.contains("Position after 5... dxe5"));
    assert!(latex(&["--flip"], OPERA).contains("1},inverse"));
    let tables = latex(&["--tables"], &format!("{OPERA}{ODD}"));
    assert!(tables.contains("\\begin{longtable}") && !tables.contains("\\mainline[level"), "{tables}");
    let folder = folder("latex-files");
    let file = folder.join("game.tex");
    let name = file.to_str().expect("UTF-8");
    assert_eq!(run(&["report", "-", "-o", name], OPERA.as_bytes()).code, Some(0));
    assert_eq!(fs::read_to_string(&file).expect("it is written"), text);
    fs::write(&file, text.replace("Pins", "Wins")).expect("it can be written");
    let refused = run(&["report", "-", "-o", name], OPERA.as_bytes());
    assert!(refused.code == Some(2) && refused.err.contains("--force"), "{}", refused.err);
}

#[test]
fn exit_codes_tell_what_was_found() {
    let cases: &[(&[&str], &str, i32, &str)] = &[
        (&["-"], "", 1, "no game is found"),
        (&["-"], "1. e4 Ke4 *", 1, ""),
        (&["-", "--split", "-o", "folder"], OPERA, 2, "cannot be used with"),
        (&["-", "--text"], OPERA, 2, "cannot be used with"),
    ];
    for (arguments, input, code, problem) in cases {
        let found = report(arguments, input);
        assert_eq!(found.code, Some(*code), "{arguments:?}: {}", found.err);
        assert!(found.err.contains(problem), "{arguments:?}: {}", found.err);
    }
}

/// No text of a game becomes a command of TeX.
#[test]
fn what_is_hostile_is_text() {
    let found = latex(&[], &hostile(1 << 18));
    for command in ["\\input{/etc", "\\write18", "\\immediate", "^^5c", "\\end{document}\\"] {
        assert!(!found.contains(command), "{command}");
    }
    assert_eq!(found.matches("\\end{document}").count(), 1);
    assert_eq!(found.matches("\\begin{document}").count(), 1);
    assert!(found.len() > 1 << 20);
    assert!(found.lines().all(|line| line.len() < 1000), "TeX reads lines of 200,000 bytes");
}

/// A game whose names and comments are commands. The last comment has a word of `letters` letters, and twice that
/// amount of further text.
/// text.
fn hostile(letters: usize) -> String {
    let evil = "\\\\input{/etc/passwd} \\\\immediate\\\\write18{touch x} ^^5cinput{x} \\\\end{document}\\\\catcode`% #1 $ & _ \u{202e}] [ * \u{0301}";
    let comment = evil.replace(['{', '}'], "(").replace("\\\\", "\\");
    let long = format!("{} {}", "y".repeat(letters), "% \\x ^^M word\n\n".repeat(letters / 8))
        .replace(['{', '}'], "");
    format!(
        "[Event \"{evil}\"]\n[Site \"{evil}\"]\n[White \"{evil}\"]\n[Black \"[{evil}\"]\n[Round \"{evil}\"]\n\n1. e4 {{{comment}}} e5 (1... c5 {{{comment}}}) 2. Nf3 {{{long}}} *\n"
    )
}

/// Typesets a file by pdflatex, which must report no error; returns the number of pages.
fn typeset(folder: &Path, name: &str, text: &str) -> usize {
    fs::write(folder.join(format!("{name}.tex")), text).expect("it can be written");
    let output = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name])
        .current_dir(folder)
        .output()
        .expect("it runs");
    let log = String::from_utf8_lossy(&output.stdout);
    let errors: Vec<&str> = log.lines().skip_while(|line| !line.starts_with('!')).take(12).collect();
    assert!(output.status.success(), "{name}: {}", errors.join("\n"));
    let pages = log
        .split("pdf (")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .and_then(|count| count.parse().ok());
    pages.unwrap_or_else(|| panic!("{name}: {log}"))
}

/// Whether pdflatex and the packages are installed.
fn is_installed() -> bool {
    has("pdflatex")
        && Command::new("kpsewhich")
            .args(["xskak.sty", "chessboard.sty", "lambda.sty", "ulem.sty"])
            .output()
            .is_ok_and(|found| String::from_utf8_lossy(&found.stdout).lines().count() == 4)
}

#[test]
fn pdflatex_typesets_it_if_it_is_there() {
    if !is_installed() {
        return skip("pdflatex or a package of TeX Live for chess (xskak, chessboard) is not installed");
    }
    let folder = folder("latex-typeset");
    assert!((1..=2).contains(&typeset(&folder, "opera", &latex(&["--pgn"], OPERA))));
    let all = format!("{OPERA}{ODD}");
    for (name, flags) in [
        ("figurines", &["--figurines", "--flip"][..]),
        ("polish", &["--language", "Polish"]),
        ("large", &["--font-size", "20"]),
    ] {
        assert!(typeset(&folder, name, &latex(flags, &all)) >= 2, "{name}");
    }
    assert!(typeset(&folder, "hostile", &latex(&[], &hostile(1 << 14))) > 5);
    assert!(!folder.join("x").exists());
    let script = "# A _b_ & *c* `d_e` [f](https://g.h/?i=j&k#l)\n\n{{moves 1-2}} and {{diagram 2w}} more[^1]\n\n## {{moves 1}}\n\n\
                  1. x\n   - y {{diagram 1w}}\n     - z\n       > {{moves notes}}\n\n| a | b |\n| - | -: |\n| {{moves 1}} | {{diagram 0}} |\n\n\
                  **{{diagram 1b}}** ~~{{moves 3}}~~\n\n```\n\\end{document}\n```\n\n{{game 1}}\n\n{{games}}\n\n{{players}}\n\n{{errors}}\n\n[^1]: See {{moves 2}}.\n";
    fs::write(folder.join("script.md"), script).expect("it can be written");
    fs::write(folder.join("games.pgn"), &all).expect("it can be written");
    let [script, games] =
        ["script.md", "games.pgn"].map(|name| folder.join(name).to_str().expect("UTF-8").to_owned());
    let found = run(&["report", "--latex", &script, &games], b"");
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    assert!(typeset(&folder, "document", &found.out) >= 2);
}

/// Games written by many programs; games with many moves are printed without checking their moves.
#[test]
fn pdflatex_typesets_games_of_others() {
    let Some(path) = data_path("pgn/lichess-sample.pgn").filter(|_| is_installed()) else {
        return skip("there is no pdflatex, or no data");
    };
    let folder = folder("latex-others");
    let text = fs::read_to_string(path).expect("it can be read");
    // Enough of them that the main lines are only printed.
    let games: Vec<&str> = text.split("\n\n[Event").take(60).collect();
    let found = report(&["-", "--quiet"], &games.join("\n\n[Event"));
    assert!(found.out.contains("\\renewcommand{\\mainline}"), "{}", found.err);
    assert!(typeset(&folder, "lichess", &found.out) > 20);
}
