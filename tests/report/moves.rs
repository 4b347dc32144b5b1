//! Games in reports: evaluations, clocks, marks, and moves that are odd.

use super::*;

/// Of several evaluations of a move the page has the one that counts: ours, if we have analyzed the game.
#[test]
fn a_move_has_one_evaluation_and_one_clock() {
    let moves = "1. e4 {[%eval 0.18] [%clk 0:09:00]} {[%clk 0:08:00]} {[%eval 0.28,9]} e5 {[%eval 0.21]} {[%eval 0.5,9]} \
                 (1... c5 {[%eval 0.9]} {[%eval 0.4,9]} 2. Nf3 {[%eval 0.7]}) 2. Nf3 {[%eval 0.13]} *\n";
    for (tag, evaluations) in
        [("", "18 21 90 70 13"), ("[Analysis \"Hematite 0.1.0, 9 nodes\"]\n\n", "28 50 40  ")]
    {
        let html = page(&[], &format!("{tag}{moves}"));
        let article = tags(&html).into_iter().find(|tag| tag.starts_with("article")).expect("a game");
        assert_eq!(attribute(&article, "data-evals"), Some(evaluations.trim_end()), "{article}");
        assert_eq!(attribute(&article, "data-clocks"), Some("540"), "{article}");
    }
}

/// Moves that cannot be read are text in each format, as those of an unknown variant are.
#[test]
fn moves_that_cannot_be_read_are_in_documents() {
    let game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Ke3 Nc6 {no} 3. Bb5 1-0\n\n";
    let exported = run(&["pgn", "export", "-"], game.as_bytes()).out;
    assert!(exported.contains("[%unread Ke3"), "{exported}");
    for (format, expected) in [
        ("--text", "1.e4 e5 Ke3 Nc6 {no} 3. Bb5\n1-0\n"),
        ("--markdown", "**1. e4 e5** Ke3 Nc6 \\{no\\} 3. Bb5\n\n**1–0**"),
        ("--latex", "\\mainline[level=1]{1. e4 e5}\nKe3 Nc6 \\{no\\} 3. Bb5\n"),
        ("--html", "<span class=c>Ke3 Nc6 {no} 3.\u{a0}Bb5</span> <strong>1–0</strong>"),
    ] {
        for (text, code) in [(game, 1), (&exported, 0)] {
            let found = report(&["-", format], text);
            assert_eq!(found.code, Some(code), "{format}: {}", found.err);
            assert!(found.out.contains(expected), "{format}: {}", found.out);
        }
    }
}

#[test]
fn null_moves_and_mates_are_no_mistakes() {
    let games = "1. e4 {[%eval 0.2]} e5 {[%eval 0.2]} 2. -- {[%eval -3.0]} d5 {[%eval -3.0]} *\n\n\
                 1. f3 {[%eval 0.1]} e5 {[%eval 0.1]} 2. g4 {[%eval #-1]} Qh4# {[%eval #0]} 0-1\n\n";
    let text = page(&["--text"], games);
    assert!(text.contains("\n1.e4 e5 2.-- d5\n") && text.contains("\n1.f3 e5 2.g4?? Qh4#\n"), "{text}");
    assert!(text.contains("average loss 0, 0 inaccuracies, 0 mistakes, 0 blunders"), "{text}");
    let ends = [("1. e4 -- *\n", "Position after 1... --"), ("*\n", "Initial position")];
    for (game, caption) in ends {
        let html = page(&[], game);
        assert!(html.contains(&format!("<figcaption>{caption}</figcaption>")), "{game}: {html}");
    }
}

/// Marks of the initial position are among the data of the playable board.
#[test]
fn marks_of_the_start_are_data() {
    let set_up = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n";
    for (game, marks) in [
        ("{[%cal Ga1a8] [%csl Rg8]} 1. Ra8# {[%csl Yh8]} *\n", "0 ga1a8 rg8,1 yh8"),
        ("{[%csl Rg8]} *\n", "0 rg8"),
    ] {
        let html = page(&[], &format!("{set_up}{game}"));
        let article = tags(&html).into_iter().find(|tag| tag.starts_with("article")).expect("a game");
        assert_eq!(attribute(&article, "data-marks"), Some(marks), "{article}");
    }
}

/// Unread movetext is shown as text, without control characters.
#[test]
fn unread_moves_have_no_control_characters() {
    let game = "[SetUp \"1\"]\n[FEN \"nonsense\"]\n\n1. e4 {a \u{1b}[31m\nb} e5 *\n";
    let found = report(&["-", "--text"], game);
    assert_eq!(found.code, Some(1), "{}", found.err);
    assert!(found.out.contains("1. e4 {a  [31m\nb} e5"), "{:?}", found.out);
    assert!(!found.out.contains('\u{1b}'), "{:?}", found.out);
}

#[test]
fn moves_have_the_notation_of_the_page() {
    let cases: [(&[&str], &str); 4] = [
        (&["--text", "--lan"], "2.Ng1-f3 d7-d6"),
        (&["--text", "--lan", "--language", "German"], "2.Sg1-f3 d7-d6"),
        (&["--text", "--uci"], "2.g1f3 d7d6"),
        (&["--uci"], "<b>g1f3</b>"),
    ];
    for (arguments, expected) in cases {
        let found = page(arguments, OPERA);
        assert!(found.contains(expected), "{arguments:?}: {found}");
    }
    for refused in [&["--latex", "--lan"][..], &["-o", "a.tex", "--uci"], &["--uci", "--figurines"]] {
        assert_eq!(report(&[&["-"], refused].concat(), OPERA).code, Some(2), "{refused:?}");
    }
}
