//! `hematite pgn tree -i`, with lines of text and with the keys of a terminal.

use super::tree::game;
use crate::support::binary::{folder, run};
use std::fs;
use std::path::PathBuf;

/// A file of games in a separate folder.
fn file(name: &str) -> PathBuf {
    let file = folder(&format!("walk-{name}")).join("games.pgn");
    let games = game(&[], "1. d4 Nf6 2. c4 e6", "1-0")
        + &game(&[], "1. d4 d5 2. c4", "0-1")
        + &game(&[], "1. c4 Nf6 2. d4 g6", "1/2-1/2");
    fs::write(&file, games).expect("a file can be written");
    file
}

#[test]
fn lines_of_text_are_commands() {
    let file = file("lines");
    let file = file.to_str().expect("UTF-8");
    let found = run(&["pgn", "tree", "-i", file], b"d4\n\ne5\nNf6\nflip\nc4\nback\nstart\nquit\n");
    assert_eq!((found.code, &*found.err), (Some(0), ""));
    let titles: Vec<&str> = found
        .out
        .lines()
        .map(|line| line.trim_start_matches("> "))
        .filter(|line| line.starts_with("Initial") || line.starts_with("1. "))
        .collect();
    let expected = [
        "Initial position",
        "1. d4 · A40 Queen's Pawn Game",
        "1. d4 Nf6 · A45 Indian Defense",
        "1. d4 Nf6 · A45 Indian Defense",
        "1. d4 Nf6 2. c4 · A50 Indian Defense: Normal Variation",
        "1. d4 Nf6 · A45 Indian Defense",
        "Initial position",
    ];
    assert_eq!(titles, expected, "{}", found.out);
    assert!(
        found.out.contains("\n> > no game has `e5` here; a move plays it; back, start, games, flip, quit\n"),
        "{}",
        found.out
    );
    // White below, then Black, and the moves beside: by transposition, two games.
    assert!(found.out.contains("8  r n b q k b n r      Move"), "{}", found.out);
    let after = found.out.split("2. c4 · A50").nth(1).expect("it was reached");
    let rows: Vec<&str> = after.lines().skip(1).take_while(|line| !line.starts_with("> ")).collect();
    assert!(rows[0].starts_with("2 of 3 games: +1 =1 -0"), "{rows:?}");
    assert!(rows[2].starts_with("1  R N B K Q B N R"), "{rows:?}");
    assert!(rows.iter().any(|row| row.contains("2... e6")) && rows.iter().any(|row| row.contains("2... g6")));
    // The games behind the moves.
    let games = run(&["pgn", "tree", "-i", file], b"d4\nNf6\nc4\ngames\nback\n");
    let list = games.out.split("Game  White").nth(1).expect("a list");
    let rows: Vec<&str> = list.lines().skip(1).take(2).collect();
    assert!(rows[0].contains("1-0") && rows[0].contains("2... e6"), "{}", games.out);
    assert!(rows[1].contains("1/2") && rows[1].contains("2... g6"), "{}", games.out);
    // Only by the very moves.
    let exact = run(&["pgn", "tree", "-i", "--exact", "--moves", "1. d4 Nf6", file], b"c4\n");
    assert!(exact.out.contains("1 of 3 games: +1 =0 -0"), "{}", exact.out);
    assert_eq!(run(&["pgn", "tree", "-i", "--moves", "1. a3", file], b"").code, Some(1));
    let refused = run(&["pgn", "tree", "-i", "-"], b"");
    assert!(
        refused.code == Some(2) && refused.err.contains("standard input has the commands"),
        "{}",
        refused.err
    );
}

#[cfg(unix)]
mod terminal {
    use super::file;
    use crate::support::binary::BINARY;
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
    use std::fs::File;
    use std::io::{Read, Write};
    use std::process::{Child, Command, ExitStatus};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    /// The time limit for each step.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// A program on a pseudo-terminal of its own.
    struct Terminal {
        child: Child,
        /// The user's end of the pseudo-terminal.
        user: File,
        /// The program's end of the pseudo-terminal.
        own: File,
        before: Termios,
        written: Receiver<Vec<u8>>,
        text: String,
    }

    impl Terminal {
        fn start(arguments: &[&str]) -> Self {
            let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal can be made");
            grantpt(&user).and_then(|()| unlockpt(&user)).expect("it can be opened");
            let name = ptsname(&user, Vec::new()).expect("it has a name");
            let own = File::options().read(true).write(true).open(name.to_str().expect("UTF-8"));
            let own = own.expect("it can be opened");
            let size = Winsize { ws_row: 24, ws_col: 90, ws_xpixel: 0, ws_ypixel: 0 };
            tcsetwinsize(&own, size).expect("it has a size");
            let before = tcgetattr(&own).expect("it is a terminal");
            let end = || own.try_clone().expect("it is open");
            let child = Command::new(BINARY)
                .args(arguments)
                .env("NO_COLOR", "1")
                .stdin(end())
                .stdout(end())
                .stderr(end())
                .spawn()
                .expect("the binary starts");
            let user = File::from(user);
            let mut reader = user.try_clone().expect("it is open");
            let (send, written) = channel();
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = reader.read(&mut bytes) {
                    if send.send(bytes[..count].to_vec()).is_err() {
                        break;
                    }
                }
            });
            Self { child, user, own, before, written, text: String::new() }
        }

        fn is_raw(&self) -> bool {
            let now = tcgetattr(&self.own).expect("it is a terminal");
            !now.local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO)
        }

        /// Waits until this text has been written, and drops everything up to it.
        fn expect(&mut self, wanted: &str) {
            let start = Instant::now();
            loop {
                if let Some((_, rest)) = self.text.split_once(wanted) {
                    self.text = rest.to_owned();
                    return;
                }
                assert!(start.elapsed() < PATIENCE, "no `{wanted}` in {:?}", self.text);
                if let Ok(bytes) = self.written.recv_timeout(Duration::from_millis(50)) {
                    self.text += &String::from_utf8_lossy(&bytes);
                }
            }
        }

        fn press(&mut self, keys: &str) {
            self.user.write_all(keys.as_bytes()).expect("keys can be pressed");
        }

        /// Waits for the end of the program, after which the mode of the terminal must be restored.
        fn end(mut self) -> ExitStatus {
            let start = Instant::now();
            let status = loop {
                match self.child.try_wait().expect("it can be asked") {
                    Some(status) => break status,
                    None => std::thread::sleep(Duration::from_millis(5)),
                }
                assert!(start.elapsed() < PATIENCE, "it does not end: {:?}", self.text);
            };
            let after = tcgetattr(&self.own).expect("it is a terminal");
            assert_eq!(after.local_modes, self.before.local_modes);
            status
        }
    }

    impl Drop for Terminal {
        fn drop(&mut self) {
            let _ = self.child.kill();
        }
    }

    #[test]
    fn arrow_keys_walk_and_the_terminal_is_restored() {
        let file = file("keys");
        let mut terminal = Terminal::start(&["pgn", "tree", "-i", file.to_str().expect("UTF-8")]);
        terminal.expect("> 1. d4");
        terminal.expect("q leave");
        assert!(terminal.is_raw());
        terminal.press("\x1b[B");
        terminal.expect("> 1. c4");
        terminal.press("\x1b[C");
        terminal.expect("1. c4 · A10 English Opening");
        terminal.press("\r");
        terminal.expect("1. c4 Nf6 · A15");
        terminal.press("x\x1b[24~f");
        terminal.expect("1  R N B K Q B N R");
        terminal.press("\x1b[D");
        terminal.press("\x1b[D");
        // The choice is where it was.
        terminal.expect("Initial position");
        terminal.expect("> 1. c4");
        terminal.press("q");
        assert_eq!(terminal.end().code(), Some(0));
    }

    #[test]
    fn whatever_ends_it_restores_the_terminal() {
        for key in ["\x1b", "\x04"] {
            let file = file("end");
            let mut terminal = Terminal::start(&["pgn", "tree", "-i", file.to_str().expect("UTF-8")]);
            terminal.expect("q leave");
            terminal.press(key);
            assert_eq!(terminal.end().code(), Some(0), "{key:?}");
        }
        for signal in ["-INT", "-TERM"] {
            let file = file("signal");
            let mut terminal = Terminal::start(&["pgn", "tree", "-i", file.to_str().expect("UTF-8")]);
            terminal.expect("q leave");
            let process = terminal.child.id().to_string();
            assert!(Command::new("kill").args([signal, &process]).status().expect("there is kill").success());
            assert_eq!(terminal.end().code(), Some(130), "{signal}");
        }
        // The file is gone, so that the next position cannot be counted.
        let file = file("error");
        let mut terminal = Terminal::start(&["pgn", "tree", "-i", file.to_str().expect("UTF-8")]);
        terminal.expect("q leave");
        std::fs::remove_file(&file).expect("it is there");
        terminal.press("\r");
        assert_eq!(terminal.end().code(), Some(2));
    }
}
