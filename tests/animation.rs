//! `hematite diagram` with GIF output: animations of games, decoded again.

use crate::support::binary::{BINARY, Run, folder, run};
use resvg::tiny_skia::Pixmap;
use std::fs;
use std::process::Command;

const GAME: &str = "[Event \"Opera\"]\n[White \"Morphy, Paul\"]\n[WhiteElo \"2690\"]\n[Black \"Duke & Count\"]\n[Result \"1-0\"]\n\n\
    1. e4 {[%eval 0.3] [%clk 1:00:00]} e5 {[%eval 0.3] [%clk 0:59:00]} 2. Nf3 {[%eval 0.3] [%clk 0:58:00]} \
    d6 {[%eval 0.5] [%clk 0:57:00]} 3. d4 {[%eval 0.4] [%cal Gd4e5][%csl Re5]} Bg4 {[%eval 1.6]} 4. dxe5 {[%eval #3]} 1-0\n\n";

/// A game from a set-up position, with a variation, a null move, and a castling move in which king and rook change
/// places.
const ODD: &str = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R4KR1 w GA - 0 7\"]\n\n\
    7. O-O (7. O-O-O (7. Ke2 Ke7) 7... Ke7) 7... Kd7 8. -- Kd6 9. Kf2 *\n\n";

/// A GIF that has been decoded.
struct Decoded {
    width: usize,
    height: usize,
    colors: usize,
    repeat: gif::Repeat,
    /// For each frame: the pixels that are visible after it, its own size in pixels, and its time in hundredths of a
    /// second.
    frames: Vec<(Vec<[u8; 3]>, usize, u16)>,
}

fn decoded(gif: &[u8]) -> Decoded {
    let mut decoder = gif::DecodeOptions::new().read_info(gif).expect("it is a GIF");
    let palette = decoder.global_palette().expect("there is one").to_vec();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut screen = vec![[0; 3]; width * height];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("it is complete") {
        assert!(frame.palette.is_none(), "all frames have the same colors");
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (row, pixels) in frame.buffer.chunks(usize::from(frame.width)).enumerate() {
            for (column, &pixel) in pixels.iter().enumerate() {
                if Some(pixel) != frame.transparent {
                    let at = 3 * usize::from(pixel);
                    let color = palette[at..at + 3].try_into().expect("three bytes");
                    screen[(top + row) * width + left + column] = color;
                }
            }
        }
        frames.push((screen.clone(), frame.buffer.len(), frame.delay));
    }
    Decoded { width, height, colors: palette.len() / 3, repeat: decoder.repeat(), frames }
}

/// Runs the command on this input, and decodes the GIF.
fn gif(arguments: &[&str], input: &str) -> Decoded {
    let command = [&["diagram", "--gif"], arguments].concat();
    let output = assert_cmd::Command::new(BINARY).args(command).write_stdin(input).output().expect("it runs");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    decoded(&output.stdout)
}

fn refused(arguments: &[&str], input: &str) -> Run {
    let found = run(&[&["diagram"], arguments].concat(), input.as_bytes());
    assert_eq!((found.code, found.out.as_str()), (Some(2), ""), "{arguments:?}");
    found
}

#[test]
fn the_last_frame_is_the_picture_of_the_final_position() {
    // Squares of 50 pixels in both, and nothing beside the board.
    let folder = folder("gif-last");
    let png = folder.join("last.png");
    let png = png.to_str().expect("UTF-8");
    for (game, flags) in
        [(GAME, &["--hide", "players,evaluation"][..]), (ODD, &["--flip", "--theme", "dark"])]
    {
        let look = [&["-", "--size", "436", "--caption", "none"], flags].concat();
        let animation = gif(&look, game);
        let look: Vec<&str> =
            look.into_iter().filter(|word| !["--hide", "players,evaluation"].contains(word)).collect();
        let drawn = run(&[&["diagram"], &look[..], &["-o", png]].concat(), game.as_bytes());
        assert_eq!((drawn.code, drawn.err.as_str()), (Some(0), ""));
        let picture = Pixmap::decode_png(&fs::read(png).expect("it is written")).expect("it is a PNG");
        assert_eq!((animation.width, animation.height), (436, 436));
        let (last, ..) = animation.frames.last().expect("there is one");
        let mut far = 0;
        for (index, (seen, pixel)) in last.iter().zip(picture.pixels()).enumerate() {
            let (column, row) = (index % 436, index / 436);
            // The paper of a picture has round corners.
            if [column, row].iter().all(|place| *place < 8 || *place >= 428) {
                continue;
            }
            let drawn = [pixel.red(), pixel.green(), pixel.blue()];
            let off = seen.iter().zip(drawn).map(|(one, other)| one.abs_diff(other)).max().unwrap_or(0);
            assert!(off <= 48, "{column}, {row}: {seen:?} and {drawn:?}");
            far += usize::from(off > 8);
        }
        assert!(far * 200 < last.len(), "{far} of {} pixels are off", last.len());
    }
}

#[test]
fn frames_are_the_positions_that_are_asked_for() {
    let all = gif(&["-"], GAME);
    assert_eq!((all.width, all.frames.len(), all.repeat), (480, 8, gif::Repeat::Infinite));
    assert!(all.height > all.width && all.colors <= 128, "{} {}", all.height, all.colors);
    let delays: Vec<u16> = all.frames.iter().map(|(_, _, delay)| *delay).collect();
    assert_eq!(delays, [80, 80, 80, 80, 80, 80, 80, 400]);
    // Only what changes is encoded: a move, the clocks, the bar and the line of text.
    let whole = all.width * all.height;
    assert_eq!(all.frames[0].1, whole);
    assert!(all.frames.windows(2).all(|pair| pair[0].0 != pair[1].0));
    let part = gif(
        &["-", "--from", "1b", "--to", "3w", "--delay", "500ms", "--last-delay", "2", "--loops", "3"],
        GAME,
    );
    let times: Vec<u16> = part.frames.iter().map(|(_, _, delay)| *delay).collect();
    assert_eq!((times, part.repeat), (vec![50, 50, 50, 200], gif::Repeat::Finite(2)));
    assert_eq!(gif(&["-", "--loops", "1"], GAME).repeat, gif::Repeat::Finite(0));
    // A move without anything beside the board changes two squares.
    let bare = gif(&["-", "--hide", "players,evaluation", "--caption", "none", "--to", "1"], GAME);
    assert!(bare.frames[1].1 < 2 * 60 * 4 * 60, "{}", bare.frames[1].1);
    assert!(bare.height < all.height && bare.width == all.width);
    let odd = gif(&["-", "--coordinates", "inside", "--side-to-move", "--pieces", "sharp"], ODD);
    assert_eq!(odd.frames.len(), 6);
    let line = gif(&["startpos", "--moves", "e4 e5", "--size", "64"], "");
    assert_eq!((line.frames.len(), line.width), (3, 64));
    assert_eq!(gif(&["6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"], "").frames.len(), 1);
    assert_eq!(gif(&["-"], "[White \"A\"]\n\n*\n").frames.len(), 1);
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let cases: &[(&[&str], &str)] = &[
        (&["-", "--gif", "--ply", "3"], "expected --from and --to in place of --ply"),
        (&["-", "--gif", "--arrow", "e2e4"], "--arrow is for one position"),
        (&["-", "--gif", "--last-move", "none"], "--last-move is for one position"),
        (&["-", "--gif", "--background", "none"], "expected a color for --background"),
        (&["-", "--gif", "--size", "4000"], "a GIF is 64 to 2000 pixels wide, found --size 4000"),
        (&["-", "--delay", "1"], "--delay is for a GIF"),
        (&["-", "--png", "--hide", "clocks"], "--hide is for a GIF"),
        (&["-", "--gif", "--delay", "1ms"], "expected a time from 20ms to 600s"),
        (&["-", "--gif", "--from", "9w"], "there is no move 9 of White: the game ends after 7 plies"),
        (&["-", "--gif", "--from", "3", "--to", "2"], "--from comes after --to"),
        (&["-", "--gif", "--game", "2"], "it has 1 game, expected a game 2"),
    ];
    for (arguments, problem) in cases {
        let found = refused(arguments, GAME);
        assert!(found.err.contains(problem), "{arguments:?}: {}", found.err);
    }
}

#[test]
fn files_are_replaced_when_they_are_complete() {
    let folder = folder("gif-files");
    let path = folder.join("game.gif");
    let name = path.to_str().expect("UTF-8");
    fs::write(&path, "old").expect("it can be written");
    let failed = refused(&["-", "-o", name, "--from", "9w"], GAME);
    assert!(failed.err.contains("no move 9"), "{}", failed.err);
    assert_eq!(fs::read(&path).expect("it is there"), b"old");
    let found = run(&["diagram", "-", "-o", name], GAME.as_bytes());
    assert_eq!((found.code, found.err.as_str(), found.out.as_str()), (Some(0), "", ""));
    assert_eq!(decoded(&fs::read(&path).expect("it is there")).frames.len(), 8);
    // Each game of a file, and one whose moves cannot be read.
    let games = folder.join("games.pgn");
    fs::write(&games, format!("{GAME}{ODD}[White \"A\"]\n\n1. e4 Ke4 *\n\n")).expect("it can be written");
    let drawn = folder.join("drawn");
    let output = Command::new(BINARY)
        .args(["diagram", "--all", "--gif", "--size", "100", "-o"])
        .args([&drawn, &games])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let frames = |number: usize| {
        decoded(&fs::read(drawn.join(format!("{number:06}.gif"))).expect("it is written")).frames.len()
    };
    assert_eq!([1, 2, 3].map(frames), [8, 6, 2]);
}

/// Games with names and comments of any length and with any characters have an animation.
#[test]
fn hostile_games_have_an_animation() {
    let name = "<script>\\u{202e}\u{202e}&\u{1f600}\0Ж".repeat(1000);
    let comment = "x ".repeat(1 << 19);
    let text = format!(
        "[White \"{name}\"]\n[Black \"B\"]\n[WhiteElo \"{name}\"]\n[Event \"{name}\"]\n\n1. e4 {{[%clk 999999:00:00] {comment}}} \
         {{[%csl Re4,Ge5][%cal Ra1a1]}} e5 {{[%eval 99999999]}} *\n"
    );
    let found = gif(&["-", "--size", "64"], &text);
    assert_eq!((found.frames.len(), found.width), (3, 64));
}

/// The GIF of a game of 80 plies is small, and made quickly.
#[test]
fn long_games_make_small_files() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 ".repeat(10);
    let output = assert_cmd::Command::new(BINARY)
        .args(["diagram", "startpos", "--gif", "--moves", moves.trim()])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(decoded(&output.stdout).frames.len(), 81);
    assert!(output.stdout.len() < 500_000, "{}", output.stdout.len());
}
