//! `hematite report`: reports on games, collections and documents, as self-contained HTML pages and in other formats.

mod chromium;
mod collection;
mod format;
mod latex;
mod markdown;
mod pictures;
mod profile;
mod script;

use super::diagram::{PiecesArg, theme};
use super::pgn::{Findings, GameName, Inputs, MAX_FINDINGS, QueryArg, Selection, language, read_found};
use super::streams::{IgnoreBrokenPipe, Input, Output, STDOUT, new_file, open, plain, write_json};
use super::values::integer_in;
use super::{CliError, ExitStatus};
use crate::files::{PathExcerpt, without_packed_extension};
use crate::notation::PieceLetters;
use crate::notation::pgn::{Game, MoveStyle};
use crate::render::latex::Paper;
use crate::render::markdown::{Diagrams, Written, finish};
use crate::render::{Diagram, DiagramStyle, Page, Theme, escape, is_unchanged_page, write_section};
use collection::{Entry, Facts, Form, JsonReport, body, whole_text};
use format::{DiagramsArg, Format, FormatArg};
use indicatif::ProgressBar;
use pictures::Pictures;
use script::{GameRef, Script};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  hematite report games.pgn -o games.html
  hematite report games.pgn#3 --figurines -o game.html
  hematite report archive.hdb --query 'player:tal' --title 'The games of Tal' -o tal.html
  hematite report article.md games.pgn -o article.html
  hematite report games.pgn --split -o pages/
  hematite report games.pgn --text --language German
  hematite report games.pgn --json
  hematite report games.pgn -o games.pdf
  hematite report games.pgn -o games.md --figurines
  hematite report article.md games.pgn -o article.tex

A page has boards to play on, moves with comments and variations, and curves of evaluations (%eval) and clocks (%clk).
It is one file that loads nothing. Of several games it has an index, cross tables, players, openings and errors.
A file whose name ends in .md is a document script: Markdown with directives such as {{diagram 12w}}, {{moves 12-20}}
and {{game 3}}; docs/documents.md lists them.
Markdown has its diagrams as SVG in a folder beside it, such as games-diagrams. LaTeX is for pdflatex with the packages
xskak and chessboard.
A page that was changed by hand is not replaced without --force. Exit code 1 if no game is found, or moves of a game
cannot be read.";

/// The extensions of document scripts.
const SCRIPT_ENDINGS: [&str; 2] = ["md", "markdown"];
/// The maximum number of games of a page.
const MAX_GAMES: usize = 20_000;
/// The number of games that a thread writes before it passes them on.
const BATCH: usize = 64;
/// The number of digits in the names of pages of single games.
const DIGITS: usize = 6;
/// The range of font sizes on paper, in points.
const FONT_SIZES_PT: std::ops::RangeInclusive<u8> = 5..=30;

/// Write games, a collection or a document as a page of HTML, as PDF, Markdown, LaTeX or text.
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    mut_arg("language", |arg| arg.long("input-language").help("The language of the piece letters in the files [default: English]")),
    mut_arg("files", |arg| arg.help(
        "Games: files, folders, collections, `-` for standard input, or one game such as games.pgn#3; and at most one \
         document script (.md)"
    ))
)]
pub(super) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    format: FormatArg,

    /// The form of diagrams in Markdown [default: svg, and text on standard output].
    #[arg(long, value_name = "FORM")]
    diagrams: Option<DiagramsArg>,

    /// Write each game as a page of its own into the folder that -o names, with an index; HTML or Markdown.
    #[arg(long, requires = "output", conflicts_with_all = ["text", "pdf", "json", "latex"])]
    split: bool,

    /// Write to this file, in the format that its name ends in, or with --split into this folder [default: standard
    /// output].
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace a page that was changed by hand, and any other file.
    #[arg(long)]
    force: bool,

    /// The title of the window [default: the players, the event or the name of the file].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// The heading of the page [default: the title, where there are several games].
    #[arg(long, value_name = "TEXT")]
    heading: Option<String>,

    /// A line below the heading [default: the number of games].
    #[arg(long, value_name = "TEXT")]
    subheading: Option<String>,

    /// Write the letters of pieces in this language, one of the 17 of the PGN standard, such as German.
    #[arg(id = "letters", long = "language", value_name = "NAME", value_parser = language, conflicts_with = "figurines")]
    letters: Option<PieceLetters>,

    /// Write figurines in place of letters.
    #[arg(long)]
    figurines: bool,

    /// Write moves in long algebraic notation, such as Ng1-f3.
    #[arg(long, conflicts_with_all = ["latex", "uci"])]
    lan: bool,

    /// Write moves in the notation of UCI, such as g1f3.
    #[arg(long, conflicts_with_all = ["latex", "letters", "figurines"])]
    uci: bool,

    /// The colors of boards: brown, green, blue, gray, dark, or print for paper.
    #[arg(long, value_name = "NAME", default_value = "brown", value_parser = theme)]
    theme: Theme,

    /// The drawings of the pieces.
    #[arg(long, value_name = "SET", default_value = "modern")]
    pieces: PiecesArg,

    /// Have Black below.
    #[arg(long)]
    flip: bool,

    /// The size of letters on paper in points, 5 to 30.
    #[arg(long, value_name = "PT", value_parser = integer_in::<u8>(FONT_SIZES_PT))]
    font_size: Option<u8>,

    /// Also put the PGN of each game into the page, to be copied. Not for text and JSON.
    #[arg(long, conflicts_with_all = ["text", "json"])]
    pgn: bool,

    /// Write the tables only, without the games.
    #[arg(long, conflicts_with = "split")]
    tables: bool,

    #[command(flatten)]
    selection: Selection,
}

/// Games that a thread has written.
#[derive(Default)]
struct Batch {
    entries: Vec<Entry>,
    /// Games that a script may refer to.
    games: Vec<Game>,
    facts: Facts,
    findings: Findings,
}

/// A game on its own page.
struct Article {
    title: String,
    content: String,
    pictures: Vec<Diagram>,
}

/// The event that all games have in common.
#[derive(Default)]
enum CommonEvent {
    /// No game has been read.
    #[default]
    Unknown,
    /// The event of all games so far.
    One(String),
    Several,
}

impl CommonEvent {
    fn add(&mut self, event: &str) {
        match self {
            Self::Unknown => *self = Self::One(event.to_owned()),
            Self::One(found) if found != event => *self = Self::Several,
            Self::One(_) | Self::Several => {}
        }
    }
}

/// The data of all games that were read.
#[derive(Default)]
struct Gathered {
    /// The entries of games, if they are needed.
    entries: Vec<Entry>,
    event: CommonEvent,
    /// The games that the script refers to.
    games: BTreeMap<GameRef, Game>,
    facts: Facts,
    status: Option<ExitStatus>,
}

impl Arguments {
    pub(super) fn run(mut self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether games were found.
        let out = &mut IgnoreBrokenPipe::new(out);
        self.format.check(self.named_file())?;
        let format = self.format();
        if format == Format::Pdf && self.is_standard() && io::stdout().is_terminal() {
            return Err(CliError::usage("a terminal cannot show a PDF, expected -o FILE"));
        }
        self.check_diagrams()?;
        if format == Format::Latex && (self.lan || self.uci) {
            return Err(CliError::Usage(
                "LaTeX has moves in SAN only, expected no --lan and no --uci".to_owned(),
            ));
        }
        // The name of the file may state the format.
        if self.pgn && matches!(format, Format::Text | Format::Json) {
            return Err(CliError::usage("text and JSON have no PGN to be copied, expected no --pgn"));
        }
        let script = self.take_script()?;
        if script.is_some() && (self.split || self.tables || format == Format::Json) {
            return Err(CliError::usage(
                "--split, --tables and --json are for games, and this is a document script",
            ));
        }
        // The target is checked before the games are read, so that an error is reported early.
        if !self.split {
            self.check_target(self.output.as_deref().filter(|_| !self.is_standard()))?;
        }
        if self.split {
            return self.write_folder();
        }
        let mut gathered = self.gather(script.as_ref(), &mut |_| Ok(()))?;
        let status = gathered.status.unwrap_or(ExitStatus::Yes);
        if format == Format::Json {
            let title = self.title.clone().unwrap_or_else(|| self.default_title(&gathered));
            let json = JsonReport::new(&title, &gathered.entries, &gathered.facts, !self.tables);
            let mut output = self.open(out)?;
            write_json(&mut output, &json)?;
            output.finish()?;
            return Ok(if gathered.facts.games == 0 { ExitStatus::No } else { status });
        }
        let (page, pictures) = match &script {
            Some(script) => self.document(script, &gathered)?,
            None if gathered.entries.is_empty() && gathered.facts.games == 0 => {
                return Ok(self.nothing_found());
            }
            None => self.page_of_games(&mut gathered),
        };
        let mut output = self.open(out)?;
        match format {
            Format::Text => output.write_all(page.body.as_bytes())?,
            Format::Pdf => output.write_all(&chromium::pdf(&page.to_html())?)?,
            Format::Markdown => {
                let written = Written { text: page.body, pictures };
                // Pictures are written only with a file.
                let file = self.output.as_deref().unwrap_or(Path::new(STDOUT));
                let text = Pictures::beside(file).place(written)?;
                output.write_all(finish(&text).as_bytes())?;
            }
            Format::Latex => {
                let Page { heading, subheading, body, font_size_pt, .. } = page;
                let letters = self.form().letters;
                let paper = Paper { heading, subheading, body, letters, font_size_pt };
                output.write_all(paper.to_latex().as_bytes())?;
            }
            Format::Html | Format::Json => output.write_all(page.to_html().as_bytes())?,
        }
        output.finish()?;
        Ok(status)
    }

    /// The requested format.
    fn format(&self) -> Format {
        self.format.format(self.named_file())
    }

    /// The file whose extension states the format; `None` for a folder.
    fn named_file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|_| !self.split && !self.is_standard())
    }

    /// The form of diagrams in Markdown.
    fn diagrams(&self) -> Diagrams {
        let default = if self.is_standard() { DiagramsArg::Text } else { DiagramsArg::Svg };
        self.diagrams.unwrap_or(default).into()
    }

    fn check_diagrams(&self) -> Result<(), CliError> {
        let problem = match self.diagrams {
            Some(_) if self.format() != Format::Markdown => {
                "--diagrams is for Markdown, expected --markdown or a file whose name ends in .md"
            }
            Some(DiagramsArg::Svg) if self.is_standard() => {
                "standard output has no folder for pictures, expected -o FILE or --diagrams text"
            }
            _ => return Ok(()),
        };
        Err(CliError::usage(problem))
    }

    /// Reports that there are no games, so nothing is written.
    fn nothing_found(&self) -> ExitStatus {
        // A failure to write is ignored: the exit code also reports it.
        let _ = writeln!(io::stderr(), "no game is found: nothing is written");
        ExitStatus::No
    }

    fn is_standard(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path.as_os_str() == STDOUT)
    }

    fn open<'a>(&self, out: &'a mut dyn Write) -> Result<Output<'a>, CliError> {
        open(self.output.as_deref().unwrap_or(Path::new(STDOUT)), out)
    }

    fn form(&self) -> Form {
        let letters = if self.figurines { PieceLetters::FIGURINES } else { self.letters.unwrap_or_default() };
        let style = DiagramStyle {
            theme: self.theme,
            pieces: self.pieces.into(),
            is_flipped: self.flip,
            ..DiagramStyle::default()
        };
        Form {
            letters,
            moves: match self {
                Self { lan: true, .. } => MoveStyle::Lan,
                Self { uci: true, .. } => MoveStyle::Uci,
                _ => MoveStyle::San,
            },
            style,
            has_pgn: self.pgn,
            format: self.format(),
            diagrams: self.diagrams(),
            has_content: true,
        }
    }

    /// Takes the document script from the files.
    fn take_script(&mut self) -> Result<Option<Script>, CliError> {
        let is_script = |path: &PathBuf| {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            SCRIPT_ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(extension))
        };
        let mut scripts = self.inputs.take_files(is_script);
        let Some(path) = scripts.pop() else { return Ok(None) };
        if !scripts.is_empty() {
            return Err(CliError::usage("expected at most one document script (.md)"));
        }
        let (name, text) = Input::open(&path)?.read_text()?;
        Script::new(name, &text, path.parent().unwrap_or(Path::new(""))).map(Some)
    }

    /// Reads all games. With `split`, their pages are passed to `take` in the order of the games.
    fn gather(
        &self,
        script: Option<&Script>,
        take: &mut dyn FnMut(Article) -> Result<(), CliError>,
    ) -> Result<Gathered, CliError> {
        let mut gathered = Gathered::default();
        let wanted: BTreeSet<GameRef> = script.map(Script::games).unwrap_or_default();
        for (reference, name) in script.iter().flat_map(|script| script.files()) {
            // A script includes the games that it names, regardless of the selection of other games.
            let (game, _) = self.read_named(&name, &mut gathered)?;
            gathered.games.insert(reference, game);
        }
        let form = Form { has_content: script.is_none() && !self.tables, ..self.form() };
        let query = self.query.read(self.inputs.files())?;
        if let [path] = self.inputs.files()
            && let Some(name) = path.to_str().and_then(GameName::numbered)
        {
            let (game, is_taken) = self.read_named(&name, &mut gathered)?;
            let last = game.unread().is_empty().then(|| game.position(game.last()));
            if is_taken && query.as_ref().is_none_or(|query| query.is_true(&game, last.as_ref())) {
                let entry = Entry::new(&game, form, &mut gathered.facts);
                self.keep(entry, script, &mut gathered, take)?;
                gathered.games.insert(GameRef::Number(1), game);
            }
            return Ok(gathered);
        }
        if self.inputs.files().is_empty() {
            return Ok(gathered);
        }
        let keeps_games = wanted.iter().any(|game| matches!(game, GameRef::Number(_)));
        let end = self.inputs.read(
            self.is_standard(),
            |part, emit| {
                let mut builder = self.inputs.builder();
                let mut batch = Batch::default();
                part.reader.require_found(query.as_ref())?;
                while read_found(part, query.as_ref(), &mut builder)? {
                    let game = builder.game();
                    if batch.findings.add_game(builder.errors(), self.selection) {
                        batch.entries.push(Entry::new(game, form, &mut batch.facts));
                        if keeps_games {
                            batch.games.push(game.clone());
                        }
                    }
                    if batch.entries.len() >= BATCH || batch.findings.found.len() >= MAX_FINDINGS {
                        emit(std::mem::take(&mut batch))?;
                    }
                }
                emit(batch)
            },
            |source, bar, batch: Batch| {
                self.selection.print(&batch.findings.found, source, bar);
                gathered.note(batch.findings.has_broken);
                let before = gathered.facts.games;
                gathered.facts.merge(batch.facts)?;
                for (number, game) in (before + 1..).zip(batch.games) {
                    if wanted.contains(&GameRef::Number(number)) {
                        gathered.games.insert(GameRef::Number(number), game);
                    }
                }
                batch.entries.into_iter().try_for_each(|entry| self.keep(entry, script, &mut gathered, take))
            },
        )?;
        let status = end.status()?;
        gathered.status = Some(gathered.status.unwrap_or(ExitStatus::Yes).max(status));
        Ok(gathered)
    }

    /// Keeps the entry of a game if it is needed, and passes on its page with `split`.
    fn keep(
        &self,
        mut entry: Entry,
        script: Option<&Script>,
        gathered: &mut Gathered,
        take: &mut dyn FnMut(Article) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        gathered.event.add(&entry.event_name);
        if self.split {
            let content = std::mem::take(&mut entry.content);
            let pictures = std::mem::take(&mut entry.pictures);
            take(Article { title: entry.title.clone(), content, pictures })?;
        }
        let is_needed = match script {
            Some(script) => script.has_index(),
            // The title of the page may be that of the only game.
            None => !self.tables || gathered.entries.is_empty(),
        };
        if !is_needed {
            return Ok(());
        }
        if !self.split && gathered.entries.len() >= MAX_GAMES {
            return Err(CliError::Usage(format!(
                "there are more than {MAX_GAMES} games, too many for a page, expected --query for fewer, --tables or --split"
            )));
        }
        gathered.entries.push(entry);
        Ok(())
    }

    /// Reads one game by its name, and whether it is selected. Findings are printed and recorded.
    fn read_named(&self, name: &GameName, gathered: &mut Gathered) -> Result<(Game, bool), CliError> {
        let read = name.read(self.inputs.letters())?;
        let mut findings = Findings::default();
        let is_taken = findings.add_game(&read.errors, self.selection);
        self.selection.print(&findings.found, &read.source, &ProgressBar::hidden());
        gathered.note(findings.has_broken);
        Ok((read.game, is_taken))
    }

    /// The default title.
    fn default_title(&self, gathered: &Gathered) -> String {
        let entries = &gathered.entries;
        if let [only] = &entries[..]
            && gathered.facts.games == 1
        {
            return only.title.clone();
        }
        if let CommonEvent::One(event) = &gathered.event
            && event.chars().any(char::is_alphanumeric)
        {
            return event.clone();
        }
        let file = self.inputs.files().first().map(|path| without_packed_extension(path));
        let stem = file.as_ref().and_then(|file| file.file_stem()).and_then(|stem| stem.to_str());
        stem.filter(|stem| *stem != STDOUT).map_or_else(|| "Games".to_owned(), str::to_owned)
    }

    fn page(&self, title: String, heading: String, subheading: String, body: String) -> Page {
        let style = self.form().style;
        Page { title, heading, subheading, body, style, font_size_pt: self.font_size.map(f64::from) }
    }

    /// The page of the games, and the pictures that are separate files.
    fn page_of_games(&self, gathered: &mut Gathered) -> (Page, Vec<Diagram>) {
        let default = self.default_title(gathered);
        let Gathered { entries, facts, .. } = gathered;
        let is_one = facts.games == 1 && !self.tables;
        let title = self.title.clone().unwrap_or(match entries.first() {
            Some(entry) if is_one && !entry.event.is_empty() => format!("{default}, {}", entry.event),
            _ => default.clone(),
        });
        let heading = self.heading.clone().or_else(|| self.title.clone());
        let heading = heading.unwrap_or_else(|| if is_one { String::new() } else { default });
        let subheading = self.subheading.clone();
        let count = if is_one { String::new() } else { facts.count_line() };
        let subheading = subheading.unwrap_or(count);
        let has_games = !self.tables;
        let mut pictures = Vec::new();
        let body = match self.format() {
            Format::Text => {
                let mut text = String::new();
                for line in [&heading, &subheading].into_iter().filter(|line| !line.is_empty()) {
                    let _ = writeln!(text, "{}", plain(line));
                }
                if !text.is_empty() {
                    text.push('\n');
                }
                text + &whole_text(entries, facts, has_games)
            }
            Format::Markdown => {
                let written = markdown::body(entries, facts, None, has_games);
                pictures = written.pictures;
                markdown::head(&heading, &subheading) + &written.text
            }
            Format::Latex => latex::body(entries, facts, has_games),
            Format::Html | Format::Pdf | Format::Json => body(entries, facts, None, has_games),
        };
        (self.page(title, heading, subheading, body), pictures)
    }

    /// The page of a script, and the pictures that are separate files.
    fn document(&self, script: &Script, gathered: &Gathered) -> Result<(Page, Vec<Diagram>), CliError> {
        let written = script.write(&gathered.games, &gathered.entries, &gathered.facts, self.form())?;
        let own = script.heading().map(str::to_owned);
        let title = self.title.clone().or_else(|| self.heading.clone()).or(own);
        let title = title.unwrap_or_else(|| "Document".to_owned());
        let heading = self.heading.clone().unwrap_or_default();
        let subheading = self.subheading.clone().unwrap_or_default();
        let body = match self.format() {
            Format::Markdown => markdown::head(&heading, &subheading) + &written.text,
            _ => written.text,
        };
        Ok((self.page(title, heading, subheading, body), written.pictures))
    }

    /// Refuses to replace a page that was changed by hand, or a file that is not a page.
    fn check_target(&self, path: Option<&Path>) -> Result<(), CliError> {
        let Some(path) = path.filter(|path| path.is_file()) else { return Ok(()) };
        if self.force || !self.format().is_sealed() {
            return Ok(());
        }
        let mut content = Vec::new();
        let is_own = Input::open_binary(path)?.reader.read_to_end(&mut content).is_ok()
            && (content.is_empty() || is_unchanged_page(&content));
        if is_own {
            return Ok(());
        }
        Err(CliError::Usage(format!(
            "{}: not replaced, since it was changed by hand or is no page of this program, expected --force or another name",
            PathExcerpt::new(path)
        )))
    }

    /// Writes a page for each game, and an index page.
    fn write_folder(&self) -> Result<ExitStatus, CliError> {
        let folder = self.output.as_deref().unwrap_or(Path::new(""));
        let index = folder.join(self.index_file());
        self.check_target(Some(&index))?;
        let mut count = 0;
        // The page of a game links to the next one, so it is written when that is known.
        let mut waiting: Option<Article> = None;
        let mut pictures = Pictures::within(folder);
        let mut gathered = self.gather(None, &mut |article| {
            if let Some(before) = waiting.replace(article) {
                count += 1;
                self.write_game(folder, count, before, true, &mut pictures)?;
            }
            Ok(())
        })?;
        let Some(last) = waiting else { return Ok(self.nothing_found()) };
        self.write_game(folder, count + 1, last, false, &mut pictures)?;
        let default = self.default_title(&gathered);
        let title = self.title.clone().unwrap_or(default);
        let heading = self.heading.clone().unwrap_or_else(|| title.clone());
        let subheading = self.subheading.clone();
        let subheading = subheading.unwrap_or_else(|| gathered.facts.count_line());
        let address = |index: usize| self.game_file(index + 1);
        let Gathered { entries, facts, .. } = &mut gathered;
        let page = match self.format() {
            Format::Markdown => {
                let written = markdown::body(entries, facts, Some(&address), true);
                finish(&(markdown::head(&heading, &subheading) + &written.text))
            }
            _ => {
                let body = body(entries, facts, Some(&address), true);
                self.page(title, heading, subheading, body).to_html()
            }
        };
        write_file(&index, &page)?;
        Ok(gathered.status.unwrap_or(ExitStatus::Yes))
    }

    fn write_game(
        &self,
        folder: &Path,
        number: usize,
        article: Article,
        has_next: bool,
        pictures: &mut Pictures,
    ) -> Result<(), CliError> {
        let path = folder.join(self.game_file(number));
        self.check_target(Some(&path))?;
        let previous = (number > 1).then(|| (self.game_file(number - 1), "Previous game"));
        let next = has_next.then(|| (self.game_file(number + 1), "Next game"));
        let links = [Some((self.index_file(), "Index")), previous, next].into_iter().flatten();
        let Article { title, content, pictures: drawn } = article;
        let page = match self.format() {
            Format::Markdown => {
                let links: Vec<String> = links.map(|(file, text)| format!("[{text}]({file})")).collect();
                let text = pictures.place(Written { text: content, pictures: drawn })?;
                finish(&format!("{}\n\n{text}", links.join(" · ")))
            }
            _ => {
                let mut body = String::from("<nav aria-label=Games>");
                for (file, text) in links {
                    let _ = write!(body, "<a href=\"{file}\">{}</a>", escape(text));
                }
                body.push_str("</nav>\n");
                write_section(&mut body, "g1", &content);
                self.page(title, String::new(), String::new(), body).to_html()
            }
        };
        write_file(&path, &page)
    }

    /// The name of the file of a game.
    fn game_file(&self, number: usize) -> String {
        format!("{number:0DIGITS$}.{}", self.format().extension())
    }

    fn index_file(&self) -> String {
        format!("index.{}", self.format().extension())
    }
}

impl Gathered {
    /// Records whether moves of a game cannot be read.
    fn note(&mut self, is_broken: bool) {
        if is_broken {
            self.status = Some(self.status.unwrap_or(ExitStatus::Yes).max(ExitStatus::No));
        }
    }
}

fn write_file(path: &Path, page: &str) -> Result<(), CliError> {
    let mut file = new_file(path)?;
    file.write_all(page.as_bytes())?;
    Ok(file.commit()?)
}
