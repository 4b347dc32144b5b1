//! `hematite diagram`, run by the built binary, and the pictures that it draws.

use crate::support::binary::{BINARY, Run, folder, run, run_unread};
use hematite::chess::{Color, Piece, Position, Role, Square};
use hematite::render::{Coordinates, Diagram, DiagramStyle, Mark, PieceSet, Rgb, Theme, png};
use proptest::prelude::*;
use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree::Document;
use std::fs;
use std::path::Path;

const RUY_LOPEZ: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3";

/// Two games: the first one has marks, the second one starts from a set-up position.
const GAMES: &str = "[Event \"a\"]\n\n{Look: [%csl Re4]} 1. e4 {Center. [%cal Ge2e4,Bd1h5][%csl Yd5]} 1... e5 2. Nf3 \
                     (2. f4 {[%cal Rf2f4]}) 2... Nc6 *\n\n\
                     [Event \"b\"]\n[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 12\"]\n\n\
                     12... O-O-O 13. O-O Rd7 *\n\n";

fn diagram(arguments: &[&str]) -> Run {
    run(&[&["diagram"], arguments].concat(), b"")
}

/// The SVG that a run has written.
fn svg(arguments: &[&str]) -> String {
    let found = diagram(arguments);
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{arguments:?}");
    found.out
}

/// The title, the description, and the number of pieces of a picture.
fn words(svg: &str) -> (String, String, usize) {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let text = |name| {
        let mut nodes = document.descendants().filter(|node| node.has_tag_name(name));
        nodes.next().and_then(|node| node.text()).unwrap_or_default().to_owned()
    };
    let uses = document.descendants().filter(|node| node.has_tag_name("use"));
    (text("title"), text("desc"), uses.count())
}

fn decoded(picture: &[u8]) -> Pixmap {
    Pixmap::decode_png(picture).expect("it is a PNG")
}

#[test]
fn each_format_has_its_option_and_its_names() {
    let folder = folder("diagram-formats");
    let written = |name: &str, arguments: &[&str]| {
        let path = folder.join(name);
        let path = path.to_str().expect("UTF-8");
        let found = diagram(&[&["startpos", "--moves", RUY_LOPEZ, "-o", path], arguments].concat());
        assert_eq!((found.code, found.err.as_str(), found.out.as_str()), (Some(0), "", ""), "{name}");
        fs::read(path).expect("it is written")
    };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let drawn = text(written("a.svg", &[]));
    assert_eq!(drawn, svg(&["startpos", "--moves", RUY_LOPEZ]));
    assert_eq!(drawn, text(written("a.SVG", &[])));
    assert_eq!(words(&drawn).0, "Position after 9. h3");
    assert_eq!(words(&drawn).2, 32);
    let picture = decoded(&written("a.png", &["--size", "100"]));
    assert_eq!(picture.width(), 100);
    assert_eq!(picture, decoded(&written("a.picture", &["--png", "--size", "100"])));
    let page = text(written("a.html", &[]));
    assert!(page.starts_with("<figure ") && page.ends_with("</figure>\n"), "{page}");
    assert!(page.contains("<figcaption>Position after 9. h3</figcaption>"), "{page}");
    let document = Document::parse(&page).expect("it is XML, too");
    assert!(document.descendants().any(|node| node.tag_name().name() == "svg"));
    assert_eq!(
        text(written("a.txt", &["--flip"])),
        "1  . K . R Q B N R\n2  . P P . P . P P\n3  P . N . . P B .\n4  . . . P . . . .\n5  . . . p . . p .\n\
             6  . . n . p n . p\n7  p p p b . p . .\n8  . k r . q b . r\n   h g f e d c b a\n\nPosition after 9. h3\n\
             Black to move\n"
    );
    let refused = diagram(&["startpos", "-o", folder.join("a.jpg").to_str().expect("UTF-8")]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("expected a name that ends in .svg, .png, .gif, .html or .txt"),
        "{}",
        refused.err
    );
}

#[test]
fn a_place_in_a_game_is_found() {
    let folder = folder("diagram-games");
    let path = folder.join("games.pgn");
    fs::write(&path, GAMES).expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    let second = format!("{path}#2");
    let cases: &[(&[&str], &str, &str)] = &[
        (&[path], "Position after 2... Nc6", "Last move: b8-c6."),
        (&[path, "--ply", "3"], "Position after 2. Nf3", "Last move: g1-f3."),
        (&[path, "--move", "1b"], "Position after 1... e5", "Last move: e7-e5."),
        (&[path, "--ply", "0"], "Chess position", "White to move. Marked: e4."),
        (&[path, "--ply", "1w"], "Position after 1. e4", "Last move: e2-e4. Marked: e2-e4 d1-h5 d5."),
        (
            &[path, "--ply", "1", "--arrow", "a1-a8:red", "--last-move", "none"],
            "Position after 1. e4",
            "Black to move. Marked: e2-e4 d1-h5 d5 a1-a8.",
        ),
        (&[&second], "Position after 13... Rd7", "Last move: d8-d7."),
        (&[path, "--game", "2", "--ply", "1"], "Position after 12... O-O-O", "Last move: e8-c8."),
        (&[&second, "--ply", "13w"], "Position after 13. O-O", "Last move: e1-g1."),
        (&[path, "--caption", "none"], "Chess position", "Last move: b8-c6."),
        (&[path, "--caption", "Look!", "--last-move", "a1a8"], "Look!", "Last move: a1-a8."),
    ];
    for (arguments, title, description) in cases {
        let found = words(&svg(arguments));
        assert_eq!(found.0, *title, "{arguments:?}");
        assert!(found.1.ends_with(description), "{arguments:?}: {}", found.1);
    }
    let red = svg(&[path, "--ply", "1"]);
    assert!(
        red.contains(&format!("fill=\"{}\"", Rgb::BLUE))
            && red.contains(&format!("fill=\"{}\"", Rgb::YELLOW))
    );
    // The same from standard input.
    let found = run(&["diagram", "-", "--game", "2"], GAMES.as_bytes());
    assert_eq!((found.code, found.out), (Some(0), svg(&[&second])));
}

#[test]
fn positions_come_from_texts_and_files() {
    let folder = folder("diagram-positions");
    let path = folder.join("positions.epd");
    let epd = "# three\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"Mate & more\";\n\n\
               8/8/8/8/8/4k3/4p3/4K3 b - - 0 1\n8/8/8/8/8/8/8/8 w - -\n";
    fs::write(&path, epd).expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    assert_eq!(words(&svg(&[path])).0, "Mate & more");
    let second = words(&svg(&[path, "--game", "2"]));
    assert_eq!(second.1, "White: king e1. Black: king e3, pawn e2. Black to move.");
    for arguments in [&["8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"][..], &["8/8/8/8/8/4k3/4p3/4K3", "b", "-", "-"]] {
        assert_eq!(words(&svg(arguments)), second, "{arguments:?}");
    }
    let found = run(&["diagram", "-", "--game", "2"], epd.as_bytes());
    assert_eq!((found.code, words(&found.out)), (Some(0), second));
    let repaired = diagram(&["4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"]);
    assert_eq!(repaired.code, Some(0));
    assert!(repaired.err.starts_with("the FEN is repaired: ") && repaired.err.lines().count() == 1);
}

#[test]
fn many_pictures_are_written_at_once() {
    let folder = folder("diagram-all");
    let [games, positions] = ["games.pgn", "positions.epd"].map(|name| folder.join(name));
    fs::write(&games, GAMES).expect("it can be written");
    fs::write(&positions, "8/8/8/8/8/4k3/4p3/4K3 b - -\nx/8/8/8/8/8/8/8 w - -\n4k3/8/8/8/8/8/8/4K3 w - -\n")
        .expect("it can be written");
    let draw = |input: &Path, out: &str, more: &[&str]| {
        let out = folder.join(out);
        let [input, name] = [input, &out].map(|path| path.to_str().expect("UTF-8"));
        let found = diagram(&[&[input, "--all", "-o", name], more].concat());
        let mut names: Vec<String> = fs::read_dir(&out)
            .map(|files| {
                files.map(|file| file.expect("it is there").file_name().to_string_lossy().into()).collect()
            })
            .unwrap_or_default();
        names.sort();
        (found.code, found.err, names, out)
    };
    let (code, err, names, out) = draw(&games, "all", &[]);
    assert_eq!(
        (code, err.as_str(), names),
        (Some(0), "", vec!["000001.svg".to_owned(), "000002.svg".to_owned()])
    );
    for (name, title) in
        [("000001.svg", "Position after 2... Nc6"), ("000002.svg", "Position after 13... Rd7")]
    {
        let svg = fs::read_to_string(out.join(name)).expect("it is written");
        assert_eq!(words(&svg).0, title);
    }
    let (code, err, names, _) = draw(&games, "some", &["--ply", "4", "--png", "--size", "64"]);
    assert_eq!((code, names), (Some(1), vec!["000001.png".to_owned()]));
    assert!(err.ends_with("games.pgn: game 2: there is no ply 4: the game ends after 3 plies\n"), "{err}");
    let (code, err, names, _) = draw(&positions, "positions", &["--html"]);
    assert_eq!((code, names), (Some(1), vec!["000001.html".to_owned(), "000003.html".to_owned()]));
    assert!(err.contains("positions.epd:2: ") && err.lines().count() == 1, "{err}");
}

#[test]
fn errors_have_one_line() {
    let folder = folder("diagram-errors");
    let [games, broken, positions] =
        ["games.pgn", "broken.pgn", "positions.epd"].map(|name| folder.join(name));
    fs::write(&games, GAMES).expect("it can be written");
    fs::write(&broken, "1. e4 e5 2. Ke3 Nc6 *\n").expect("it can be written");
    fs::write(&positions, "8/8/8/8/8/8/8/8 w - -\n").expect("it can be written");
    let [games, broken, positions] = [&games, &broken, &positions].map(|path| path.to_str().expect("UTF-8"));
    let cases: &[(&[&str], &str)] = &[
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["startpos", "--moves", "e4 Ke2"], "Ke2"),
        (&["no-such-file.pgn"], "no-such-file.pgn"),
        (&[games, "--game", "3"], "it has 2 games, expected a game 3"),
        (&[games, "--ply", "9"], "game 1: there is no ply 9: the game ends after 4 plies"),
        (&[games, "--ply", "9b"], "there is no move 9 of Black"),
        (&[games, "--moves", "e4"], "--moves is for a FEN"),
        (&[&format!("{games}#1"), "--game", "1"], "expected no --game"),
        (&["startpos", "--ply", "1"], "expected a file"),
        (&[positions], "positions.epd:1: "),
        (&[positions, "--game", "2"], "it has 1 position, expected a position 2"),
        (&[positions, "--ply", "2"], "--ply is for games"),
        (&["startpos", "--text", "--arrow", "e2e4"], "--arrow is for pictures"),
        (&["startpos", "--text", "--mark", "e4"], "--mark is for pictures"),
        (&["startpos", "--text", "--last-move", "e2e4"], "--last-move is for pictures"),
        (&["startpos", "--size", "300", "-o", "board.txt"], "--size is for pictures"),
    ];
    for (arguments, expected) in cases {
        let found = diagram(arguments);
        assert_eq!((found.code, found.out.as_str()), (Some(2), ""), "{arguments:?}: {}", found.err);
        assert!(
            found.err.contains(expected) && found.err.lines().count() == 1,
            "{arguments:?}: {}",
            found.err
        );
    }
    let usage: &[&[&str]] = &[
        &["startpos", "--size", "15"],
        &["startpos", "--size", "4097"],
        &["startpos", "--theme", "plaid"],
        &["startpos", "--light", "#12345"],
        &["startpos", "--arrow", "e2"],
        &["startpos", "--mark", "i9"],
        &["startpos", "--svg", "--png"],
        &[games, "--all"],
    ];
    for arguments in usage {
        let found = diagram(arguments);
        assert_eq!((found.code, found.out.as_str()), (Some(2), ""), "{arguments:?}");
    }
    // What can be read of a game is drawn.
    let found = diagram(&[broken]);
    assert_eq!((found.code, words(&found.out).0.as_str()), (Some(1), "Position after 1... e5"));
    assert!(found.err.contains("broken.pgn:1:") && found.err.lines().count() == 1, "{}", found.err);
    assert_eq!(run_unread(&["diagram", "startpos"], b""), Some(0));
}

#[test]
fn captions_are_text_whatever_they_are() {
    let long = "Immer mit der Ruhe, ".repeat(400);
    let captions = [
        "</title><script>alert(1)</script>",
        "\"&<>'",
        "Žluťoučký kůň – Ёж ♞ 棋",
        "a\u{1b}[31mb\u{7}\u{ffff}\u{202e}c",
        "",
        &long,
    ];
    for caption in captions {
        for format in ["--svg", "--html"] {
            let found = svg(&["startpos", "--caption", caption, format]);
            let document = Document::parse(&found).unwrap_or_else(|error| panic!("{caption}: {error}"));
            assert!(document.descendants().all(|node| node.tag_name().name() != "script"), "{caption}");
        }
        assert!(!svg(&["startpos", "--caption", caption, "--text"]).contains('\u{1b}'), "{caption}");
    }
    assert_eq!(captions.len(), captions.iter().collect::<std::collections::BTreeSet<_>>().len());
    let title = words(&svg(&["startpos", "--caption", captions[2]])).0;
    assert_eq!(title, captions[2]);
}

#[test]
fn colors_and_sizes_are_those_asked_for() {
    let pixel = |arguments: &[&str], x: u32, y: u32| {
        let command =
            [&["diagram", "startpos", "--png", "--size", "832", "--coordinates", "none"], arguments].concat();
        let output = assert_cmd::Command::new(BINARY).args(&command).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let picture = decoded(&output.stdout);
        assert_eq!((picture.width(), picture.height()), (832, 832));
        let color = picture.pixel(x, y).expect("it is within").demultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    };
    let colors = ["--light", "#eef", "--dark", "#123456", "--background", "#fed", "--caption", "none"];
    // The empty squares a4, which is light, and a3; the margin.
    assert_eq!(pixel(&colors, 66, 466), [0xee, 0xee, 0xff, 0xff]);
    assert_eq!(pixel(&colors, 66, 566), [0x12, 0x34, 0x56, 0xff]);
    assert_eq!(pixel(&colors, 400, 5), [0xff, 0xee, 0xdd, 0xff]);
    assert_eq!(pixel(&["--background", "none"], 400, 5)[3], 0);
    for size in ["16", "4096"] {
        let svg = svg(&["startpos", "--size", size]);
        assert!(svg.contains(&format!(" width=\"{size}\" ")), "{svg}");
    }
}

#[test]
fn pieces_are_told_apart_at_16_pixels() {
    /// The side of a square in the units of a diagram, and the width of one without coordinates.
    const UNITS: (u32, u32) = (100, 832);
    /// The minimum sum of differences between two pieces, in units of a color channel of a pixel: eight pixels from
    /// black to white.
    const LEAST: u32 = 8 * 255;
    let theme = Theme::named("gray").expect("it is named");
    for pieces in PieceSet::ALL {
        let style = DiagramStyle { theme, pieces, coordinates: Coordinates::None, ..DiagramStyle::default() };
        let mut seen: Vec<(Piece, Vec<u8>)> = Vec::new();
        // Each piece that may stand there, on the light square d1, in place of White's queen or Black's.
        for piece in Piece::ALL {
            let fen = match piece.role() {
                Role::King if piece.color() == Color::White => "7k/8/8/8/3K4/8/8/8 w - - 0 1".to_owned(),
                Role::King => "7K/8/8/8/3k4/8/8/8 w - - 0 1".to_owned(),
                _ => format!(
                    "8/7k/8/8/3{piece}4/8/8/4K3 {} - - 0 1",
                    if piece.color() == Color::White { "w" } else { "b" }
                ),
            };
            let position =
                hematite::notation::position_from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let width = UNITS.1 * 16 / UNITS.0;
            let picture =
                decoded(&png(&Diagram::new(&position, style).to_svg(width)).expect("it can be drawn"));
            // The square d4.
            let (left, top) = (2 + 3 * 16, 2 + 4 * 16);
            let square = (top..top + 16).flat_map(|y| (left..left + 16).map(move |x| (x, y)));
            seen.push((
                piece,
                square.map(|(x, y)| picture.pixel(x, y).expect("it is within").green()).collect(),
            ));
        }
        for (index, (piece, pixels)) in seen.iter().enumerate() {
            for (other, others) in &seen[index + 1..] {
                let difference: u32 = pixels.iter().zip(others).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
                assert!(difference > LEAST, "{}: {piece:?} and {other:?}: {difference}", pieces.name());
            }
        }
    }
}

/// The position after random moves.
fn walked(steps: &[u16]) -> Position {
    let mut position = Position::start();
    for &step in steps {
        let moves = position.legal_moves();
        match moves.len() {
            0 => break,
            count => position = position.after(moves[usize::from(step) % count]).0,
        }
    }
    position
}

fn styles() -> impl Strategy<Value = DiagramStyle> {
    let theme = prop::sample::select(Theme::names().collect::<Vec<_>>());
    let coordinates =
        prop::sample::select(vec![Coordinates::Outside, Coordinates::Inside, Coordinates::None]);
    let pieces = prop::sample::select(PieceSet::ALL.to_vec());
    (theme, coordinates, pieces, any::<bool>(), any::<bool>()).prop_map(
        |(theme, coordinates, pieces, is_flipped, shows_turn)| DiagramStyle {
            theme: Theme::named(theme).expect("it is named"),
            pieces,
            coordinates,
            is_flipped,
            shows_turn,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_position_is_drawn_as_it_is(
        steps in prop::collection::vec(any::<u16>(), 0..120),
        style in styles(),
        caption in prop::option::of(any::<String>()),
        width in 16_u32..=4096,
        arrows in prop::collection::vec((0_usize..64, 0_usize..64), 0..4),
    ) {
        let position = walked(&steps);
        let mut diagram = Diagram::new(&position, style);
        diagram.caption = caption;
        diagram.marks = arrows
            .iter()
            .map(|&(from, to)| Mark::Arrow(Rgb::GREEN, Square::wrapping(from), Square::wrapping(to)))
            .collect();
        let svg = diagram.to_svg(width);
        prop_assert_eq!(&svg, &diagram.to_svg(width));
        let document = Document::parse(&svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
        // Each piece stands on its square, by the places of all of them.
        let mut places: Vec<(f64, f64, String)> = Vec::new();
        for node in document.descendants().filter(|node| node.has_tag_name("use")) {
            let number = |name| node.attribute(name).and_then(|text| text.parse::<f64>().ok()).expect("a number");
            places.push((number("x"), number("y"), node.attribute("href").expect("it is named").to_owned()));
        }
        prop_assert_eq!(places.len(), position.occupied().into_iter().count());
        let left = if style.coordinates == Coordinates::Outside { 56.0 } else { 16.0 };
        for (x, y, name) in places {
            let (column, row) = (((x - left) / 100.0) as usize, ((y - 16.0) / 100.0) as usize);
            let (file, rank) = if style.is_flipped { (7 - column, row) } else { (column, 7 - row) };
            let piece = position.piece_at(Square::wrapping(rank * 8 + file)).expect("a piece is there");
            prop_assert_eq!(name, format!("#{}", style.pieces.id(piece)));
        }
        // Numbers are short: none has more than two digits behind the point.
        // In a path, `3.2.9` is 3.2 and 0.9.
        let is_long = |number: &str| number.split('.').skip(1).any(|digits| digits.len() > 2);
        let numbers = svg.split("<defs>").nth(1).unwrap_or_default();
        let mut numbers = numbers.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
        prop_assert!(!numbers.any(is_long));
    }
}

#[test]
fn any_picture_becomes_pixels() {
    for (index, steps) in [&[1_u16, 2, 3, 4, 5, 6, 7, 8][..], &[9; 60], &[]].iter().enumerate() {
        let position = walked(steps);
        for pieces in PieceSet::ALL {
            let names: Vec<&str> = Theme::names().collect();
            let theme = Theme::named(names[index % names.len()]).expect("it is named");
            let mut diagram =
                Diagram::new(&position, DiagramStyle { theme, pieces, ..DiagramStyle::default() });
            diagram.caption = Some("Müller <&>".to_owned());
            diagram.marks =
                vec![Mark::Arrow(Rgb::RED, Square::A1, Square::A1), Mark::Square(Rgb::BLUE, Square::H8)];
            assert_eq!(decoded(&png(&diagram.to_svg(97)).expect("it can be drawn")).width(), 97);
        }
    }
}

#[test]
fn pictures_of_the_documents_are_those_of_the_commands() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = |name| fs::read_to_string(root.join(name)).expect("it can be read");
    let pages = ["docs/documents.md", "docs/analysis.md"].map(page).concat();
    let mut pictures = 0;
    for line in pages.lines().filter(|line| line.starts_with("hematite diagram startpos ")) {
        let Some((command, name)) = line.split_once(" -o ") else { continue };
        let Ok(stored) = fs::read_to_string(root.join("docs/pictures").join(name)) else { continue };
        let (words, quoted) = command.split_once('\'').expect("the moves are quoted");
        let (moves, others) = quoted.split_once('\'').expect("the moves are quoted");
        let arguments: Vec<&str> = words.split(' ').skip(1).filter(|word| !word.is_empty()).collect();
        let others: Vec<&str> = others.split(' ').filter(|word| !word.is_empty()).collect();
        let found = run(&[&arguments[..], &[moves], &others].concat(), b"");
        assert_eq!((found.code, found.out), (Some(0), stored), "{line}");
        pictures += 1;
    }
    assert_eq!(pictures, 3);
}
