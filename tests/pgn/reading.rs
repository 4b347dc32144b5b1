//! The games that are read from a text, and the messages about its errors.

use super::{Trickle, check_round_trip, only_game};
use hematite::chess::Move;
use hematite::notation::pgn::{
    Element, Export, GameResult, MAX_GAME_NOTES, Nag, PgnError, PgnProblem, games,
};

#[test]
fn games_begin_where_they_should_and_set_up_positions_are_kept() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"]\n\n17... Kd7 18. e4 1/2-1/2";
    let (game, errors) = only_game(text.as_bytes());
    assert_eq!(errors, []);
    let exported = Export::new().reduced().game(&game);
    assert!(
        exported.contains(
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"]\n[SetUp \"1\"]\n\n17... Kd7 18. e4 1/2-1/2"
        ),
        "{exported}"
    );

    let chess960 = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/5K1R w H - 0 1\"]

1. O-O *";
    let (game, errors) = only_game(chess960.as_bytes());
    assert_eq!(errors, []);
    assert!(game.mv(game.last()).is_some_and(Move::is_castle));

    let (game, errors) = only_game(b"[Variant \"Atomic\"]\n\n1. e4 e5 *");
    assert!(game.is_empty());
    assert_eq!(game.unread(), "1. e4 e5");
    assert!(matches!(errors[..], [PgnError { problem: PgnProblem::Variant(_), .. }]), "{errors:?}");
}

#[test]
fn errors_tell_the_place_and_the_next_game_is_read() {
    let cases: [(&str, &str, usize, &[&str]); 17] = [
        ("an illegal move", "1. e4 e5\n2. Ke3 Nc6 1-0\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 2, column 4"]),
        ("in a variation", "1. e4 (1. Ke3 e5) e5 2. Nf3 *", 1, &["line 1, column 11"]),
        ("no result", "[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 5, column 1"]),
        ("no moves", "[Event \"a\"]\n[Site \"b\"]\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 4, column 1"]),
        (
            "an open comment",
            "1. e4 {oh\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 1, column 8", "line 3, column 1"],
        ),
        (
            "an open comment before the tags",
            "{oh\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 1, column 2", "line 3, column 1"],
        ),
        (
            "an open comment behind the tags",
            "[Event \"a\"]\n\n{oh 1. e4 *\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 3, column 2", "line 5, column 1"],
        ),
        (
            "an open comment, and no game that is known by its tag",
            "{oh\n\n[White \"a\"]\n\n1. e4 *",
            1,
            &["line 1, column 2", "line 5, column 8"],
        ),
        (
            "an open variation",
            "1. e4 (1. d4 *\n\n[Event \"b\"]\n\n1. d4 *",
            2,
            &["line 3, column 1", "line 3, column 1"],
        ),
        ("a closed variation", "1. e4 ) e5 *", 1, &["line 1, column 7"]),
        ("a variation of nothing", "(1. e4) 1. d4 *", 1, &["line 1, column 1"]),
        ("an open value", "[Event \"a]\n[Site \"b\"]\n\n1. e4 *", 1, &["line 1, column 9"]),
        ("no tag", "[Event \"a\"]\n[Site]\n\n1. e4 *", 1, &["line 2, column 1"]),
        ("a stray sign", "1. e4 > e5 *", 1, &["line 1, column 7"]),
        ("a glyph too large", "1. e4 $256 e5 *", 1, &["line 1, column 7"]),
        ("behind the result", "1. e4 1-0 ff\n\n[Event \"b\"]\n\n1. d4 *", 2, &["line 1, column 11"]),
        ("CR alone", "[Event \"a\"]\r\r1. e4 é\r1... e5 *", 1, &["line 3, column 7"]),
    ];
    for (name, text, count, places) in cases {
        for newline in ["\n", "\r\n"] {
            let text = text.replace('\n', newline);
            let found: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
            assert_eq!(found.len(), count, "{name}: {found:?}");
            let errors: Vec<String> =
                found.iter().flat_map(|(_, errors)| errors).map(|error| error.place.to_string()).collect();
            assert_eq!(errors, places, "{name}: {found:?}");
            if count == 2 {
                assert_eq!(found[1].0.tags.get("Event"), Some("b"), "{name}");
                assert_eq!(found[1].0.len(), 1, "{name}");
            }
        }
    }
}

#[test]
fn promotions_may_be_in_parentheses() {
    let start = "[FEN \"r3k3/1P2P3/8/8/8/8/7p/4K3 w - - 0 1\"]\n\n";
    let text =
        format!("{start}1. bxa8(Q)+ (1. b8(N) h1(R)+!? 2. Kd2(2. Ke2)) Kxe7 2. Qb7+ Ke6 3. Qb3+(3. Qc6+) *");
    let (game, errors) = only_game(text.as_bytes());
    assert_eq!(errors, []);
    let exported = Export::new().game(&game);
    let moves = exported.rsplit("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    assert_eq!(
        moves,
        "1. bxa8=Q+ (1. b8=N h1=R+ $5 2. Kd2 (2. Ke2)) 1... Kxe7 2. Qb7+ Ke6 3. Qb3+ (3. Qc6+) *"
    );
    let (_, errors) = only_game(format!("{start}1. e8(Q) *").as_bytes());
    assert!(matches!(errors[..], [PgnError { problem: PgnProblem::Move(_), .. }]), "{errors:?}");
}

#[test]
fn text_too_long_before_the_moves_is_told_and_left_out() {
    let moves = "e4 e5 Nf3 Nc6 ".repeat(400_000);
    let (too_long, too_large) = ("continues for more than 1048576 bytes", "the game is too large");
    let tag = "[Event \"a\"]\n\n";
    let cases: [(&str, String, &str); 7] = [
        ("a comment", format!("{tag}{{{moves}}} 1. d4 *"), too_long),
        ("a comment before the tags", format!("{{{moves}}}\n{tag}1. d4 *"), too_long),
        ("a line", format!("{tag};{moves}\n1. d4 *"), too_long),
        ("an escape", format!("{tag}%{moves}\n1. d4 *"), too_long),
        ("an escape before the tags", format!("%{moves}\n{tag}1. d4 *"), too_long),
        ("little more than is read", format!("{tag}{{{}}} 1. d4 *", &moves[..1_400_000]), too_long),
        ("several", format!("{tag}{} 1. d4 *", format!("{{{}}}", &moves[..600_000]).repeat(3)), too_large),
    ];
    for (name, text, expected) in cases {
        let (game, errors) = only_game(text.as_bytes());
        let is_told = matches!(&errors[..], [error] if error.to_string().contains(expected));
        assert!(is_told, "{name}: {errors:?}");
        assert_eq!((game.tags.get("Event"), game.len()), (Some("a"), 1), "{name}");
    }
}

#[test]
fn a_comment_without_a_game_is_told() {
    let text = "1. e4 *\n\n% private\n\n{one}\n; two\n";
    let found: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
    let [(game, errors)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(errors[..], [PgnError { problem: PgnProblem::MissingGame, .. }]), "{errors:?}");
    assert_eq!(game.comments(game.last()).collect::<Vec<_>>(), ["one", "two"]);
    // Without a game before it, it is a game of its own; an escaped line alone is none.
    assert_eq!(games(&b"% private\n"[..]).count(), 0);
    let (game, errors) = only_game(b"{one}\n; two\n");
    assert!(matches!(errors[..], [PgnError { problem: PgnProblem::MissingGame, .. }]), "{errors:?}");
    assert_eq!(game.comments(game.last()).collect::<Vec<_>>(), ["one", "two"]);
    // What is private is nobody's business, and is kept.
    let (game, errors) = only_game(b"1. e4 *\n\n% private\n");
    assert_eq!(errors, []);
    assert!(game.walk().any(|element| matches!(element, Element::Escape(" private"))), "{game:?}");
}

#[test]
fn moves_behind_the_result_and_results_in_variations_are_told() {
    let (game, errors) = only_game(b"1. e4 e5 1-0 Nf3 Nc6 {odd}\n{below}\n");
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(matches!(error.problem, PgnProblem::MovesAfterResult(_)) && error.problem.is_unread());
    assert_eq!(error.place.column, 14);
    let comments: Vec<&str> = game.comments(game.last()).collect();
    assert_eq!(comments, [r"[%unread Nf3 Nc6 \(odd\)]", "below"]);
    check_round_trip(&game, "moves behind the result");

    let (game, errors) = only_game(b"1. e4 (1. d4 1-0) (1. c4 *) 1... e5 0-1\n");
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(error.problem, PgnProblem::VariationResult(GameResult::WhiteWins));
    assert_eq!((error.place.column, game.result), (14, GameResult::BlackWins));
}

#[test]
fn a_game_that_cannot_hold_more_says_so_even_behind_its_last_move() {
    let many = "$1 ".repeat(MAX_GAME_NOTES + 1);
    for text in [format!("1. e4 {many}*"), format!("{many}*")] {
        let (game, errors) = only_game(text.as_bytes());
        assert_eq!(game.nags(game.last()).count(), MAX_GAME_NOTES);
        let [error] = &errors[..] else { panic!("{errors:?}") };
        assert_eq!(error.problem, PgnProblem::TooLarge);
    }
}

#[test]
fn text_is_read_in_either_encoding() {
    let cases: [(&str, &[u8]); 3] = [
        ("UTF-8", "[White \"Gómez\"] 1. e4 {café} *".as_bytes()),
        ("with a byte order mark", "\u{feff}[White \"Gómez\"] 1. e4 {café} *".as_bytes()),
        ("Latin-1", b"[White \"G\xf3mez\"] 1. e4 {caf\xe9} *"),
    ];
    for (name, text) in cases {
        let (game, errors) = only_game(text);
        assert_eq!(errors, [], "{name}");
        assert_eq!(game.tags.get("White"), Some("Gómez"), "{name}");
        assert_eq!(game.comments(game.last()).collect::<Vec<_>>(), ["café"], "{name}");
    }
    // Each text speaks for itself, in whatever order they come.
    let latin1 = b"[White \"G\xf3mez\"] 1. e4 {caf\xe9} *\n\n";
    let utf8 = "[White \"Gómez\"] 1. e4 {café} *\n\n".as_bytes();
    for mixed in [[&latin1[..], utf8].concat(), [utf8, latin1].concat()] {
        let found: Vec<_> = games(&mixed[..]).collect::<Result<_, _>>().expect("memory can be read");
        for (game, _) in &found {
            assert_eq!(game.tags.get("White"), Some("Gómez"));
            assert_eq!(game.comments(game.last()).collect::<Vec<_>>(), ["café"]);
        }
    }
}

#[test]
fn annotations_are_kept_where_they_are() {
    let (game, errors) = only_game(
        b"{start} 1. e4! $10 {[%clk 0:05:00] good} {more} (1. d4 {other}) {then} 1... e5 {end} 1-0",
    );
    assert_eq!(errors, []);
    let first = game.mainline().next().expect("a move");
    let second = game.last();
    assert_eq!(game.comments_before(first).collect::<Vec<_>>(), ["start"]);
    assert_eq!(game.comments(first).collect::<Vec<_>>(), ["[%clk 0:05:00] good", "more"]);
    assert_eq!(game.nags(first).collect::<Vec<_>>(), [Nag::GOOD_MOVE, Nag(10)]);
    assert_eq!(game.comments_before(second).collect::<Vec<_>>(), ["then"]);
    assert_eq!(game.comments(second).collect::<Vec<_>>(), ["end"]);
    let variation = game.next_alternative(first).expect("a variation");
    assert_eq!(game.comments(variation).collect::<Vec<_>>(), ["other"]);
    assert_eq!(game.result, GameResult::WhiteWins);
}

#[test]
fn it_does_not_matter_how_the_bytes_come() {
    let text = "[Event \"a \\\"b\\\" c\"]\r\n[White \"Gómez\"]\r\n\r\n%esc\r\n1. e4 {one\r\ntwo} (1. d4 $1 ; rest\r\n) e5 1-0\r\n\r\n[Event \"b\"]\r\n\r\n1. Kx *";
    let whole: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
    for count in 1..=7 {
        let pieces: Vec<_> =
            games(Trickle(text.as_bytes(), count)).collect::<Result<_, _>>().expect("memory can be read");
        assert_eq!(pieces, whole, "{count} bytes at a time");
    }
}

#[test]
fn a_comment_belongs_to_the_game_above_if_no_line_is_empty() {
    let text = "1. e4 *\n{of the first}\n\n{of the second} 1. d4 *\n{of the second too} c4 *\r\n \r\n{of the fourth}[Event \"\"] *";
    let found: Vec<_> = games(text.as_bytes()).collect::<Result<_, _>>().expect("memory can be read");
    let movetexts: Vec<String> = found
        .iter()
        .map(|(game, errors)| {
            assert_eq!(errors[..], []);
            let mut movetext = String::new();
            Export::new().write_movetext(game, &mut movetext);
            movetext
        })
        .collect();
    let expected = [
        "1. e4 {of the first} *\n",
        "{of the second} 1. d4 {of the second too} *\n",
        "1. c4 *\n",
        "{of the fourth} *\n",
    ];
    assert_eq!(movetexts, expected);
}
