//! Indexes and tables of reports.

use super::*;

#[test]
fn a_collection_has_an_index_and_tables() {
    let game = |white: &str, black: &str, result: &str, round: u32| {
        format!(
            "[Event \"Cup\"]\n[Date \"2026.01.0{round}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
             1. e4 {{[%eval 0.2] [%clk 0:01:00]}} e5 {{[%eval 3.0] [%clk 0:01:00]}} 2. Nf3 {{[%eval 3.0] [%clk 0:00:04]}} Nc6 {{[%eval 3.0] [%clk 0:00:50]}} {result}\n\n"
        )
    };
    let games = game("Tal, Mihail", "Bronstein, David", "1-0", 1)
        + &game("Bronstein, David", "Keres, Paul", "1/2-1/2", 2)
        + &game("Keres, Paul", "Tal, M", "0-1", 3);
    let html = page(&[], &games);
    check_links(&html);
    for part in [
        "<h1>Cup</h1><p>3 games: 1 won by White, 1 drawn, 1 won by Black</p>",
        "<a href=\"#g2\">2</a></td><td>Bronstein, David</td><td>Keres, Paul</td><td class=center>½–½</td>",
        "<section id=cross-tables><h2>Cross tables</h2>\n<h3>Cup</h3>",
        "<section id=players><h2>Players</h2>",
        "<td>King&#39;s Knight Opening</td>",
        "<h3>Errors by phase</h3>",
        "<h3>Errors by opening</h3>",
        "<h3>Time trouble</h3>",
        "<article class=game id=g3",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    // Both spellings are one player; Black's first move is a blunder each time.
    let profile = html.split("<h3>Errors by phase</h3>").nth(1).expect("it is there");
    let row =
        profile.split("<tr>").find(|row| row.starts_with("<td>Tal, Mihail</td>")).expect("there is a row");
    assert!(row.contains("<td class=\"number\">2</td><td class=\"number\">4</td>"), "{row}");
    assert!(row.contains(">0 · 0 · 1 (70)<"), "{row}");
    // Only tables, and only what a query finds.
    let tables = page(&["--tables", "--title", "T & U", "--subheading", "V"], &games);
    assert!(
        tables.contains("<title>T &amp; U</title>") && tables.contains("<h1>T &amp; U</h1><p>V</p>"),
        "{tables}"
    );
    assert!(!tables.contains("<article") && !tables.contains("<script"), "{tables}");
    let headed = page(&["--tables", "--title", "T", "--heading", "H <b>"], &games);
    assert!(headed.contains("<title>T</title>") && headed.contains("<h1>H &lt;b&gt;</h1>"), "{headed}");
    let found = page(&["--query", "result:draw"], &games);
    assert!(
        found.contains("<bdi>Bronstein, David</bdi> – <bdi>Keres, Paul</bdi>") && !found.contains("<h1>"),
        "{found}"
    );
    // The same for programs.
    let json = |arguments: &[&str]| -> Value {
        let run = report(&[&["-", "--json"], arguments].concat(), &games);
        assert_eq!(run.code, Some(0), "{run:?}");
        serde_json::from_str(&run.out).expect("a JSON object")
    };
    let all = json(&[]);
    assert_eq!((&all["title"], &all["games"]), (&json!("Cup"), &json!(3)));
    assert_eq!(all["results"], json!({"white": 1, "draws": 1, "black": 1}));
    let second = &all["index"][1];
    assert_eq!((&second["number"], &second["white"]), (&json!(2), &json!("Bronstein, David")));
    assert_eq!((&second["result"], &second["moves"]), (&json!("1/2-1/2"), &json!(2)));
    assert_eq!(second["clock"], json!([60.0, 60.0, 4.0, 50.0]));
    assert_eq!(second["win_percent"].as_array().map(Vec::len), Some(5));
    assert_eq!(second["players"][1]["blunders"], 1);
    assert_eq!(all["cross_tables"][0]["players"].as_array().map(Vec::len), Some(3));
    let named = |list: &str, key: &str, name: &str| {
        let rows = all[list].as_array().expect("rows");
        rows.iter().find(|row| row[key] == name).cloned().unwrap_or_else(|| panic!("{name}: {all}"))
    };
    assert_eq!(named("players", "name", "Tal, Mihail")["points"], 2.0);
    assert_eq!(named("openings", "name", "King's Knight Opening")["games"], 3);
    let errors = named("errors", "player", "Tal, Mihail");
    assert_eq!((&errors["games"], &errors["moves"], &errors["blunders"]), (&json!(2), &json!(4), &json!(1)));
    assert_eq!(
        (&errors["average_loss_cp"], &errors["phases"]["opening"]["moves"]),
        (&json!(70.0), &json!(4))
    );
    assert_eq!(errors["short_of_time"]["moves"], 0);
    let tables = json(&["--tables", "--query", "result:draw"]);
    assert_eq!((&tables["games"], tables.get("index")), (&json!(1), None));
    // The same of a collection.
    let folder = folder("report-collection");
    let (pgn, store) = (folder.join("cup.pgn"), folder.join("cup.hdb"));
    fs::write(&pgn, &games).expect("it can be written");
    let [pgn, store] = [&pgn, &store].map(|path| path.to_str().expect("UTF-8"));
    assert_eq!(run(&["db", "create", store, pgn], b"").code, Some(0));
    assert_eq!(report(&[pgn], "").out, report(&[store], "").out);
    assert_eq!(report(&[&format!("{store}#3")], "").out, report(&[&format!("{pgn}#3")], "").out);
}

/// JSON has a cross table of each event; documents say how many are left out.
#[test]
fn events_without_a_table_are_counted() {
    let game = |event: usize, white: &str, black: &str| {
        format!(
            "[Event \"E{event}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        )
    };
    let cup = |event: usize| game(event, "A", "B") + &game(event, "B", "C") + &game(event, "C", "A");
    let large: String = (0..101)
        .map(|number| game(999, &format!("P{number}"), &format!("P{}", (number + 1) % 101)))
        .collect();
    let many: String = (0..52).map(cup).collect();
    let cases = [
        (many.clone(), 52, Some("and 2 more events;")),
        (many + &large, 53, Some("and 3 more events, 1 with more than 100 players;")),
        (large, 1, Some("1 event without a table here, 1 with more than 100 players;")),
        (cup(1), 1, None),
    ];
    for (games, count, note) in cases {
        let json = report(&["-", "--json", "--tables"], &games).json();
        assert_eq!(json["cross_tables"].as_array().map(Vec::len), Some(count));
        for format in ["--html", "--text", "--markdown", "--latex"] {
            let found = page(&["--tables", format], &games);
            let found = found.replace('\n', " ");
            assert_eq!(found.contains("pgn crosstable"), note.is_some(), "{format}: {found}");
            assert!(found.contains(note.unwrap_or_default()), "{format}: {note:?}\n{found}");
        }
    }
}

#[test]
fn tables_have_the_title_of_all_games() {
    let game = |event: &str, result: &str| {
        format!(
            "[Event \"{event}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
        )
    };
    let cases = [
        (game("Cup", "1-0") + &game("Open", "0-1") + &game("Cup", "*"), "Games", 3),
        (game("Cup", "1-0") + &game("Cup", "0-1"), "Cup", 2),
        (game("Cup", "1-0"), "A – B", 1),
    ];
    for (games, title, count) in cases {
        let html = page(&["--tables"], &games);
        let expected = format!("<h1>{title}</h1><p>{count} game");
        assert!(html.contains(&expected), "{expected}: {html}");
        assert!(html.contains(": 1 won by White, 0 drawn"), "{html}");
    }
}
