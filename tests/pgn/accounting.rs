//! No text of a file is lost: the export and the findings together account for all of it.

use super::{NOISE, files, only_game};
use crate::support;
use hematite::notation::pgn::{
    Element, Export, Game, GameBuilder, GameResult, Nag, PgnError, PgnProblem, RawText, Reader, Skip, UNREAD,
    Visitor,
};
use hematite::rng::Rng;
use std::fs;
use std::ops::Range;

/// A part of a game that the reader has passed on.
enum Part {
    /// The name and the value of a tag, as they are written in the file.
    Tag(String, String),
    /// Text as it is written in the file.
    Text(String),
    /// Text as it is written in the file, possibly before the tags.
    Late(String),
    /// Text that is not read as moves, to which the reader adds missing closing brackets.
    Unread(String),
    Error(PgnError),
}

/// The numbers of the parts of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Counts {
    moves: usize,
    glyphs: usize,
    comments: usize,
    escapes: usize,
}

/// Builds a game and records the parts that it is built from.
#[derive(Default)]
struct Ledger {
    builder: GameBuilder,
    parts: Vec<Part>,
    counts: Counts,
    tags: Vec<(String, String)>,
    is_skipped: bool,
}

impl Ledger {
    fn text(&mut self, bytes: &[u8]) {
        self.parts.push(Part::Text(String::from_utf8_lossy(bytes).into_owned()));
    }

    fn remark(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.parts.push(if self.counts.moves == 0 { Part::Late(text) } else { Part::Text(text) });
    }
}

impl Visitor for Ledger {
    fn begin_game(&mut self) {
        let builder = std::mem::take(&mut self.builder);
        *self = Self { builder, ..Self::default() };
        self.builder.begin_game();
    }
    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        self.parts.push(Part::Tag(text(name), text(value.bytes())));
        self.tags.push((String::from_utf8_lossy(name).into_owned(), value.decode().into_owned()));
        self.builder.tag(name, value)
    }
    fn end_tags(&mut self) -> Skip {
        let skip = self.builder.end_tags();
        self.is_skipped = skip == Skip::Yes;
        skip
    }
    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        self.builder.mv(text)?;
        self.text(text);
        self.counts.moves += 1;
        Ok(())
    }
    fn unread(&mut self, text: RawText<'_>) {
        self.parts.push(Part::Unread(text.decode().into_owned()));
        self.counts.comments += usize::from(!self.is_skipped);
        self.builder.unread(text);
    }
    fn nag(&mut self, nag: Nag) {
        self.counts.glyphs += 1;
        self.builder.nag(nag);
    }
    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        self.remark(text.bytes());
        // An empty comment is none.
        self.counts.comments += usize::from(text.decode().split_whitespace().next().is_some());
        self.builder.comment(text)
    }
    fn escape(&mut self, text: RawText<'_>) {
        self.remark(text.bytes());
        self.counts.escapes += 1;
        self.builder.escape(text);
    }
    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        self.builder.begin_variation()
    }
    fn end_variation(&mut self) {
        self.builder.end_variation();
    }
    fn result(&mut self, result: GameResult) {
        self.builder.result(result);
    }
    fn error(&mut self, error: PgnError) {
        self.parts.push(Part::Error(error.clone()));
        self.builder.error(error);
    }
    fn complete(&mut self) -> Result<(), Box<PgnProblem>> {
        self.builder.complete()
    }
    fn end_game(&mut self) {
        self.builder.end_game();
    }
}

/// Whether this character only separates or closes parts. Digits are those of move numbers and results, which an export
/// counts again.
fn is_syntax(letter: char) -> bool {
    letter.is_ascii_digit()
        || letter.is_whitespace()
        || "[]{}()\"\\;%$.!?+-=/*#:,".contains(letter)
        || "\u{200b}\u{feff}\u{2060}“”`'\0\u{1a}".contains(letter)
}

/// Whether a word is read as a glyph or ignored: words, and parts of `e.p.` and `=/oo`, and all signs of [`NOISE`].
fn is_sign(word: &str) -> bool {
    ["N", "TN", "D", "Diagram", "RR", "ep", "e", "p", "oo", "o"].contains(&word)
        || word.chars().all(|letter| "±∓⩲⩱∞□⌓→↑⇆−–—…‼⁉½".contains(letter))
}

/// The length of the text at the start of `text` that a finding shows between backquotes, with control characters
/// replaced; `None` if the text is longer than the part that is shown.
fn told_length(text: &str, shown: &str) -> Option<usize> {
    let mut shown = shown.strip_prefix('`')?.strip_suffix('`')?;
    for (at, letter) in text.char_indices() {
        if shown.is_empty() {
            return Some(at);
        }
        let sign = if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
        shown = shown.strip_prefix(&*sign)?;
    }
    shown.is_empty().then_some(text.len())
}

/// The text of a file, with marks for the parts that are accounted for.
struct Account<'a> {
    text: &'a str,
    is_known: Vec<bool>,
    is_told: Vec<bool>,
    /// The start of the game, and the index after its latest part.
    game: usize,
    at: usize,
}

impl<'a> Account<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, is_known: vec![false; text.len()], is_told: vec![false; text.len()], game: 0, at: 0 }
    }

    fn mark(&mut self, range: Range<usize>) {
        self.is_known[range].fill(true);
    }

    /// Marks the next occurrence of this text. Texts before the moves may be passed on late.
    fn find(&mut self, part: &str, is_late: bool) {
        if part.trim().is_empty() {
            return;
        }
        let is_unmarked = |marks: &[bool], at: usize| !marks[at..at + part.len()].contains(&true);
        let is_free = |&at: &usize| is_unmarked(&self.is_known, at);
        // What a finding tells is hardly ever passed on as well.
        let is_untold = |at: &usize| is_free(at) && is_unmarked(&self.is_told, *at);
        let (before, behind) = (&self.text[self.game..self.at], &self.text[self.at..]);
        let late = || before.match_indices(part).map(|(at, _)| at + self.game).find(is_free);
        let next = || behind.match_indices(part).map(|(at, _)| at + self.at);
        if is_late && let Some(at) = late() {
            self.mark(at..at + part.len());
        } else if let Some(at) = next().find(is_untold).or_else(|| next().find(is_free)) {
            self.mark(at..at + part.len());
            self.at = at + part.len();
        } else if part.contains(char::is_whitespace) {
            // Passed on with other spaces between its words.
            part.split_whitespace().for_each(|word| self.find(word, is_late));
        }
    }

    /// Marks a tag, whose name precedes its value.
    fn find_tag(&mut self, name: &str, value: &str) {
        const QUOTES: [char; 10] = ['"', '“', '”', '„', '«', '»', '‘', '’', '\'', '`'];
        let is_space = |letter: char| letter.is_whitespace() || "\u{200b}\u{feff}\u{2060}".contains(letter);
        for (at, _) in self.text[self.at..].match_indices(name) {
            let start = self.at + at;
            let end = start + name.len();
            let rest = self.text[end..].trim_start_matches(is_space);
            let has_bracket = self.text[..start].trim_end_matches(is_space).ends_with('[');
            let is_value = |rest: &str| {
                rest.strip_prefix(value).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            };
            if has_bracket && rest.strip_prefix(QUOTES).is_some_and(is_value) {
                let quote = rest.chars().next().map_or(0, char::len_utf8);
                let from = self.text.len() - rest.len() + quote;
                self.mark(start..end);
                self.mark(from..from + value.len());
                self.at = from + value.len();
                return;
            }
        }
    }

    /// Marks text that is not read, without the closing brackets that the reader has added.
    fn find_unread(&mut self, part: &str) {
        const FEW: usize = 24;
        // The reader has closed what was open.
        let start: String = part.trim_end_matches([')', '}', ' ', '\n', '\r']).chars().take(FEW).collect();
        let Some(at) = self.text[self.at..].find(&start).map(|at| at + self.at) else {
            // Of a game that is not read, comments before the tags come with their signs around them.
            if let Some(comment) = part.strip_prefix(';') {
                return self.find(comment, true);
            }
            let part = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')).unwrap_or(part);
            return self.find(part, true);
        };
        let same = self.text[at..].bytes().zip(part.bytes()).take_while(|(a, b)| a == b).count();
        self.mark(at..at + same);
        let mut end = at + same;
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        self.at = end;
    }

    /// Marks the text that a finding reports: a word, or the rest of the line.
    fn explain(&mut self, error: &PgnError) {
        let start = usize::try_from(error.place.offset).expect("a small file").min(self.text.len());
        let rest = &self.text[start..];
        let to_space = || {
            rest.char_indices()
                .find(|&(at, letter)| at > 0 && (letter.is_whitespace() || "{}()[];*".contains(letter)))
                .map(|(at, _)| at)
        };
        let length = match &error.problem {
            PgnProblem::AfterResult(_) => rest.find(['\n', '\r']),
            PgnProblem::Word(found) | PgnProblem::Stray(found) | PgnProblem::Glyph(found) => {
                // What follows in the same word may have been read.
                told_length(rest, &found.to_string()).or_else(to_space)
            }
            PgnProblem::TooLong { .. } | PgnProblem::UnopenedVariation | PgnProblem::VariationResult(_) => {
                to_space()
            }
            // What these are about is passed on.
            _ => return,
        };
        self.is_told[start..start + length.unwrap_or(rest.len())].fill(true);
    }

    /// The first word that is not accounted for.
    fn unknown(&self) -> Option<&'a str> {
        let mut start = None;
        for (at, letter) in self.text.char_indices().chain([(self.text.len(), ' ')]) {
            let has = |marks: &[bool]| marks.get(at).copied().unwrap_or(true);
            let is_known = has(&self.is_known) || has(&self.is_told) || is_syntax(letter);
            match (start, is_known) {
                (None, false) => start = Some(at),
                (Some(from), true) => {
                    if !is_sign(&self.text[from..at]) {
                        return Some(&self.text[from..at]);
                    }
                    start = None;
                }
                _ => {}
            }
        }
        None
    }
}

fn counts(game: &Game) -> Counts {
    let mut counts = Counts::default();
    for element in game.walk() {
        match element {
            Element::Move(_) => counts.moves += 1,
            Element::Nag(_) => counts.glyphs += 1,
            Element::Comment(_) => counts.comments += 1,
            Element::Escape(_) => counts.escapes += 1,
            Element::Begin | Element::End => {}
        }
    }
    counts
}

/// The maximum number of findings that are reported of a game.
const MAX_ERRORS: usize = 15;

/// Reads a file, compares the counts before and after the export, and returns an error that states what is missing.
fn check(text: &str) -> Result<(), String> {
    let mut account = Account::new(text);
    let mut reader = Reader::new(text.as_bytes());
    let mut ledger = Ledger::default();
    let mut is_told_all = true;
    while reader.read_game(&mut ledger).expect("memory can be read") {
        account.game = account.at;
        for part in &ledger.parts {
            match part {
                Part::Tag(name, value) => account.find_tag(name, value),
                Part::Text(part) => account.find(part, false),
                Part::Late(part) => account.find(part, true),
                Part::Unread(part) => account.find_unread(part.trim()),
                Part::Error(error) => account.explain(error),
            }
        }
        let errors = ledger.builder.errors();
        // Of a text that is no game at all, not everything is told.
        is_told_all &= errors.len() < MAX_ERRORS;
        let game = ledger.builder.game();
        if counts(game) != ledger.counts {
            return Err(format!("read {:?}, built {:?}", ledger.counts, counts(game)));
        }
        let (again, _) = only_game(Export::new().game(game).as_bytes());
        if counts(&again) != ledger.counts {
            return Err(format!("read {:?}, exported {:?}", ledger.counts, counts(&again)));
        }
        let is_unread = errors.iter().any(|error| error.problem.is_unread());
        let has_unread = !game.unread().is_empty()
            || game
                .walk()
                .any(|element| matches!(element, Element::Comment(text) if text.starts_with(UNREAD)));
        if has_unread && !is_unread && !text.contains(UNREAD) {
            return Err(format!("not read, but not told: {errors:?}"));
        }
        for (name, value) in &ledger.tags {
            let is_same = |kept: &str| kept == value || kept == value.replace(char::is_control, " ");
            let is_kept = again.tags.iter().any(|(_, kept)| is_same(kept));
            let is_start = matches!(&**name, "FEN" | "SetUp" | "Result");
            if !is_kept && !is_start && !matches!(value.trim(), "" | "?") {
                return Err(format!("the tag {name} {value:?} is lost"));
            }
        }
    }
    match account.unknown() {
        Some(word) if is_told_all => Err(format!("{word:?} is neither exported nor told")),
        _ => Ok(()),
    }
}

/// Texts that break the syntax of a game.
const BREAKS: [&str; 17] = [
    "\n\n",
    "$300",
    "$",
    "; the rest\n",
    "\n% escaped\n",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "1-0",
    "*",
    "\n[Annotator \"me\"]\n",
    "\n\n[Event \"cut\n",
    "[White: nobody]",
];

/// Damages a text in a few places.
fn spoil(text: &str, rng: &mut Rng) -> String {
    const MAX_CHANGES: u64 = 8;
    const KINDS: u64 = 6;
    let mut letters: Vec<char> = text.chars().collect();
    let below =
        |rng: &mut Rng, limit: usize| usize::try_from(rng.below(limit.max(1) as u64)).expect("it is small");
    for _ in 0..=rng.below(MAX_CHANGES) {
        let at = below(rng, letters.len());
        match rng.below(KINDS) {
            0 => drop(letters.drain(at..(at + 1).min(letters.len()))),
            1 => {
                let length = below(rng, 12).min(letters.len() - at);
                let copy = letters[at..at + length].to_vec();
                letters.splice(at..at, copy);
            }
            2 => {
                let flipped = u8::try_from(letters[at]).unwrap_or(b'x') ^ (1 << rng.below(7));
                letters[at] = char::from(flipped & 0x7f);
            }
            _ => {
                // Between two words, if one ends near here.
                let space = letters[at..].iter().take(20).position(|letter| *letter == ' ').unwrap_or(0);
                let choice = below(rng, NOISE.len() + BREAKS.len());
                let noise = NOISE.iter().chain(&BREAKS).nth(choice).expect("one of both");
                letters.splice(at + space..at + space, format!(" {noise} ").chars());
            }
        }
    }
    letters.into_iter().collect()
}

/// Games with all elements of PGN.
const RICH: &str = "[Event \"a \\\"b\\\" c\"]\n[Site \"é\"]\n[Date \"2024.05.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[ECO \"C50\"]\n\n%escape\n1. e4 {[%clk 0:01:00] best by test} e5 (1... c5 2. Nf3 $1 (2. c3 d5) 2... d6) 2. Nf3!? Nc6 3. Bc4 Bc5 ; Italian\n4. O-O Nf6 5. d3 d6 1-0\n\n[Event \"b\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O O-O-O 2. Rf7 += {good} Rd2 1/2-1/2\n\n{between}\n[Event \"c\"]\n\n1. d4 d5 2. c4 dxc4 0-1\n";

#[test]
fn every_move_comment_and_tag_of_spoiled_games_is_exported_or_told() {
    let mut rng = Rng::new(2024);
    let mut texts = vec![RICH.to_owned()];
    if let Some(sample) = support::data("pgn/lichess-sample.pgn") {
        let games: Vec<&str> = sample.split("\n\n[Event").take(24).collect();
        texts.extend(games.chunks(2).map(|pair| pair.join("\n\n[Event")).map(|text| {
            match text.starts_with('[') {
                true => text,
                false => format!("[Event{text}"),
            }
        }));
    }
    for text in &texts {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    let mut failures = Vec::new();
    for index in 0..support::fuzz_cases(10_000) as usize {
        let text = spoil(&texts[index % texts.len()], &mut rng);
        if let Err(problem) = check(&text) {
            failures.push(format!("file {index}: {problem}\n{text}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures, among them\n{}",
        failures.len(),
        failures[..failures.len().min(6)].join("\n----\n")
    );
}

#[test]
fn every_word_of_the_public_games_is_exported_or_told() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let mut failures = Vec::new();
    for path in files(&folder) {
        // The record of parts takes UTF-8.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if let Err(problem) = check(&text) {
            failures.push(format!("{}: {problem}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
