//! The parser of queries: recursive descent over the text, without tokens, so that every error has its place.

use super::headers::{BadValue, DateTest, EcoTest, HeaderTerm, MISSING, Operator, Range, Text};
use super::moves::{End, GameTerm, Line};
use super::positions::{Bishops, Material, Pattern, Target, Variants, split_operator};
use super::tree::{Castled, Leaf, Moment, Node, Query, Test};
use crate::chess::{Color, Position, Role};
use crate::notation::pgn::{GameResult, Nag};
use crate::notation::{Excerpt, parse_san, position_from_fen, without_number};
use std::fmt;
use std::str::FromStr;

/// The most bytes of a query.
const MAX_BYTES: usize = 1 << 16;
/// The most parentheses and negations within one another.
const MAX_DEPTH: usize = 64;
/// The most terms of a query.
const MAX_TERMS: usize = 1000;

/// A text that is no query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is there; `None` at the end.
    found: Option<Excerpt>,
    expected: String,
}

impl std::error::Error for QueryError {}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: found ", self.column)?;
        match &self.found {
            Some(found) => write!(f, "{found}")?,
            None => f.write_str("the end of the query")?,
        }
        write!(f, ", expected {}", self.expected)
    }
}

impl FromStr for Query {
    type Err = QueryError;

    /// Reads a query; the empty one finds every game.
    ///
    /// # Errors
    /// [`QueryError`] with the place of the first error, and what is expected there.
    fn from_str(text: &str) -> Result<Self> {
        let mut parser = Parser { text, at: 0, depth: 0, terms: 0, memories: 0, with_variations: false };
        if text.len() > MAX_BYTES {
            return Err(parser.error(0, format!("at most {MAX_BYTES} bytes")));
        }
        parser.skip_space();
        let parsed = if parser.is_at_end() { Parsed::All(Vec::new()) } else { parser.any()? };
        if !parser.is_at_end() {
            return Err(parser.error(parser.at, "a term, or the end of the query"));
        }
        let mut leaves = Vec::new();
        let root = parsed.into_node(&mut leaves);
        Ok(Self { root, leaves, memories: parser.memories, with_variations: parser.with_variations })
    }
}

/// A part of a query that has been read.
enum Parsed {
    All(Vec<Parsed>),
    Any(Vec<Parsed>),
    Not(Box<Parsed>),
    Leaf(Box<Leaf>),
}

impl Parsed {
    fn leaf(leaf: Leaf) -> Self {
        Self::Leaf(Box::new(leaf))
    }

    fn header(term: HeaderTerm) -> Self {
        Self::leaf(Leaf::Header(term))
    }

    fn game(term: GameTerm) -> Self {
        Self::leaf(Leaf::Game(term))
    }

    fn test(test: Test) -> Self {
        Self::leaf(Leaf::Somewhere(Moment::Test(test)))
    }

    fn into_node(self, leaves: &mut Vec<Leaf>) -> Node {
        let mut nodes =
            |parts: Vec<Self>| parts.into_iter().map(|part| part.into_node(leaves)).collect::<Vec<_>>();
        match self {
            Self::All(parts) => Node::All(nodes(parts)),
            Self::Any(parts) => Node::Any(nodes(parts)),
            Self::Not(part) => Node::Not(Box::new(part.into_node(leaves))),
            Self::Leaf(leaf) => {
                leaves.push(*leaf);
                Node::Leaf(leaves.len() - 1)
            }
        }
    }

    /// The same as something that holds at one position; `None` if a part of it is about the whole game.
    fn into_moment(self) -> Option<Moment> {
        let moments = |parts: Vec<Self>| parts.into_iter().map(Self::into_moment).collect::<Option<Vec<_>>>();
        Some(match self {
            Self::All(parts) => {
                let mut moments = moments(parts)?;
                moments.sort_by_key(Moment::cost);
                Moment::All(moments)
            }
            Self::Any(parts) => Moment::Any(moments(parts)?),
            Self::Not(part) => Moment::Not(Box::new(part.into_moment()?)),
            Self::Leaf(leaf) => match *leaf {
                Leaf::Somewhere(moment) => moment,
                Leaf::Header(_) | Leaf::Game(_) | Leaf::Count(..) => return None,
            },
        })
    }
}

/// A value as it is written.
struct Value {
    text: String,
    is_quoted: bool,
    is_regex: bool,
    /// Where its text starts in the query.
    start: usize,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    terms: usize,
    memories: usize,
    with_variations: bool,
}

type Result<T> = std::result::Result<T, QueryError>;

/// Words that join terms, and are none.
const JOINING: [&str; 5] = ["and", "or", "then", "for", "within"];

/// What is expected where a term about positions must be.
const MOMENT: &str = "terms on positions or moves only, such as fen:, pattern:, material: or move:";

const NAG: &str = "a glyph such as `!!` or `$3`";
const RESULT: &str = "1-0, 0-1, 1/2-1/2, *, white, black, draw or decisive";

impl<'a> Parser<'a> {
    fn error(&self, at: usize, expected: impl Into<String>) -> QueryError {
        // An offset within a value with escapes may be off; it never leaves the text.
        let at = (0..=at.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        let (before, rest) = self.text.split_at(at);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ')').unwrap_or(rest.len());
        let found = match &rest[..end] {
            "" => rest.chars().next().map(|letter| Excerpt::new(letter.encode_utf8(&mut [0; 4]))),
            word => Some(Excerpt::new(word)),
        };
        QueryError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            found,
            expected: expected.into(),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Skips white space, and comments from `#` to the end of their line.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let text = rest.trim_start();
            self.at += rest.len() - text.len();
            if !text.starts_with('#') {
                return;
            }
            self.at += text.find('\n').unwrap_or(text.len());
        }
    }

    /// The word here, without taking it: letters, digits, and `.`, `_` and `-` within.
    fn peek_word(&self) -> &'a str {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
        let rest = self.rest();
        if !rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return "";
        }
        &rest[..rest.find(|letter: char| !is_word(letter)).unwrap_or(rest.len())]
    }

    /// Takes this word if it is here and no term: an operator behind it would make it one.
    fn take_word(&mut self, word: &str) -> bool {
        let is_here = self.peek_word().eq_ignore_ascii_case(word)
            && split_operator(&self.rest()[word.len()..]).is_none();
        if is_here {
            self.at += word.len();
            self.skip_space();
        }
        is_here
    }

    fn take(&mut self, sign: char) -> bool {
        let is_here = self.rest().starts_with(sign);
        if is_here {
            self.at += sign.len_utf8();
            self.skip_space();
        }
        is_here
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(self.at, format!("at most {MAX_DEPTH} parentheses within one another")));
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// `a or b`
    fn any(&mut self) -> Result<Parsed> {
        let mut parts = vec![self.all()?];
        while self.take_word("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Parsed::Any(parts) })
    }

    /// `a b` or `a and b`
    fn all(&mut self) -> Result<Parsed> {
        let mut parts = Vec::new();
        let mut players = Vec::new();
        loop {
            let start = self.at;
            let part = self.unary()?;
            match part {
                Parsed::Leaf(leaf) if matches!(*leaf, Leaf::Header(HeaderTerm::Player(_))) => {
                    let Leaf::Header(HeaderTerm::Player(text)) = *leaf else { continue };
                    if players.len() == Color::COUNT {
                        return Err(self.error(start, "two players at most"));
                    }
                    players.push(text);
                }
                part => parts.push(part),
            }
            let is_joined = self.take_word("and");
            let word = self.peek_word();
            let is_end = self.is_at_end()
                || self.rest().starts_with(')')
                || JOINING.iter().any(|joining| word.eq_ignore_ascii_case(joining));
            if is_end && !is_joined {
                break;
            }
        }
        // Two players are two: both terms are not to mean the same one.
        let mut players = players.into_iter();
        if let Some(first) = players.next() {
            parts.insert(
                0,
                Parsed::header(match players.next() {
                    Some(second) => HeaderTerm::Pair(first, second),
                    None => HeaderTerm::Player(first),
                }),
            );
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Parsed::All(parts) })
    }

    /// `not a` or `-a`
    fn unary(&mut self) -> Result<Parsed> {
        if self.take('-') || self.take_word("not") {
            let start = self.at;
            let had_variations = self.with_variations;
            let part = self.nested(Self::unary)?;
            if self.with_variations != had_variations {
                return Err(self.error(start, "a term; what is said of the whole query cannot be negated"));
            }
            return Ok(Parsed::Not(Box::new(part)));
        }
        self.sequence()
    }

    /// `a then b within 6`
    fn sequence(&mut self) -> Result<Parsed> {
        let start = self.at;
        let mut part = self.lasting()?;
        while self.take_word("then") {
            let first = self.moment(part, start)?;
            let second_start = self.at;
            let second = self.lasting()?;
            let second = self.moment(second, second_start)?;
            let within = if self.take_word("within") { Some(self.positive("plies")?) } else { None };
            let memory = self.memory();
            let (first, second) = (Box::new(first), Box::new(second));
            part = Parsed::leaf(Leaf::Somewhere(Moment::Then { first, second, within, memory }));
        }
        Ok(part)
    }

    /// `a for 10`
    fn lasting(&mut self) -> Result<Parsed> {
        let start = self.at;
        let part = self.primary()?;
        if !self.take_word("for") {
            return Ok(part);
        }
        let moment = Box::new(self.moment(part, start)?);
        let positions = self.positive("positions")?;
        let memory = self.memory();
        Ok(Parsed::leaf(Leaf::Somewhere(Moment::Lasts { moment, positions, memory })))
    }

    fn moment(&self, part: Parsed, start: usize) -> Result<Moment> {
        part.into_moment().ok_or_else(|| self.error(start, MOMENT))
    }

    fn memory(&mut self) -> usize {
        self.memories += 1;
        self.memories - 1
    }

    /// A number of at least one.
    fn positive(&mut self, of: &str) -> Result<u32> {
        let rest = self.rest();
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ')').unwrap_or(rest.len());
        let Some(number) = rest[..end].parse().ok().filter(|&number| number > 0) else {
            return Err(self.error(self.at, format!("a number of {of}")));
        };
        self.at += end;
        self.skip_space();
        Ok(number)
    }

    /// `(a)`, `at(a)`, `count(a)>=2` or a term.
    fn primary(&mut self) -> Result<Parsed> {
        if self.take('(') {
            let part = self.nested(Self::any)?;
            self.close()?;
            return Ok(part);
        }
        let word = self.peek_word();
        let has_parenthesis = self.rest()[word.len()..].starts_with('(');
        if has_parenthesis && matches!(word.to_ascii_lowercase().as_str(), "at" | "count") {
            let is_count = word.eq_ignore_ascii_case("count");
            self.at += word.len();
            self.take('(');
            let start = self.at;
            let part = self.nested(Self::any)?;
            let moment = self.moment(part, start)?;
            if !is_count {
                self.close()?;
                return Ok(Parsed::leaf(Leaf::Somewhere(moment)));
            }
            if !self.rest().starts_with(')') {
                self.close()?;
            }
            self.at += 1;
            let Some(operator) = self.operator() else {
                return Err(self.error(self.at, "an operator and a number, such as `>=2`"));
            };
            let value = self.value()?;
            let range = self.checked(&value, Range::read(operator, &value.text))?;
            return Ok(Parsed::leaf(Leaf::Count(moment, range)));
        }
        self.term()
    }

    fn close(&mut self) -> Result<()> {
        if self.take(')') { Ok(()) } else { Err(self.error(self.at, "a term or `)`")) }
    }

    fn operator(&mut self) -> Option<Operator> {
        let (operator, rest) = split_operator(self.rest())?;
        self.at = self.text.len() - rest.len();
        Some(operator)
    }

    /// Reads a value directly behind its operator.
    fn value(&mut self) -> Result<Value> {
        let delimiter = self.rest().chars().next().filter(|letter| matches!(letter, '"' | '/'));
        let Some(delimiter) = delimiter else {
            let rest = self.rest();
            let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | '"');
            let end = rest.find(is_end).unwrap_or(rest.len());
            if end == 0 {
                return Err(self.error(self.at, "a value; one with spaces or parentheses needs quotes"));
            }
            let start = self.at;
            self.at += end;
            self.skip_space();
            return Ok(Value { text: rest[..end].to_owned(), is_quoted: false, is_regex: false, start });
        };
        let open = self.at;
        let start = open + 1;
        let mut text = String::new();
        let mut letters = self.text[start..].char_indices();
        while let Some((offset, letter)) = letters.next() {
            if letter == delimiter {
                self.at = start + offset + 1;
                self.skip_space();
                return Ok(Value { text, is_quoted: true, is_regex: delimiter == '/', start });
            }
            // Within quotes, `\"` and `\\` are escapes; within slashes, `\/` is.
            let next = letters.clone().next().map(|(_, next)| next);
            let is_escape = letter == '\\'
                && next.is_some_and(|next| next == delimiter || next == '\\' && delimiter == '"');
            let is_kept_pair = letter == '\\' && delimiter == '/' && next == Some('\\');
            if is_kept_pair {
                text.push(letter);
            }
            if is_escape || is_kept_pair {
                text.extend(letters.next().map(|(_, next)| next));
            } else {
                text.push(letter);
            }
        }
        Err(self.error(open, format!("a `{delimiter}` that ends this")))
    }

    /// Gives an error in a value its place in the query.
    fn checked<T>(&self, value: &Value, read: std::result::Result<T, BadValue>) -> Result<T> {
        read.map_err(|error| self.error(value.start + error.at, error.expected))
    }

    fn text(&self, operator: Operator, value: &Value) -> Result<Text> {
        let text = if value.is_regex {
            Text::regex(&value.text)
        } else {
            Text::read(operator, &value.text, value.is_quoted)
        };
        self.checked(value, text)
    }

    /// One of some names.
    fn one_of<T: Copy>(&self, value: &Value, names: &[(&str, T)]) -> Result<T> {
        names.iter().find(|(name, _)| *name == value.text).map(|&(_, found)| found).ok_or_else(|| {
            let names: Vec<&str> = names.iter().map(|&(name, _)| name).collect();
            self.error(value.start, format!("one of {}", names.join(", ")))
        })
    }

    fn term(&mut self) -> Result<Parsed> {
        let start = self.at;
        let name = self.peek_word();
        let key = name.to_ascii_lowercase();
        let is_reserved = JOINING.contains(&&*key) || key == "not";
        if name.is_empty() || is_reserved && split_operator(&self.rest()[name.len()..]).is_none() {
            return Err(self.error(start, "a term such as white:tal, date>=1990 or move:Nxf7"));
        }
        self.terms += 1;
        if self.terms > MAX_TERMS {
            return Err(self.error(start, format!("at most {MAX_TERMS} terms")));
        }
        self.at += name.len();
        let Some(operator) = self.operator() else {
            let parsed = bare_term(&key).ok_or_else(|| self.error(start, self.expected_term(&key)))?;
            self.skip_space();
            return Ok(parsed);
        };
        let value = self.value()?;
        if value.is_regex && !is_text(&key) {
            return Err(self.error(value.start - 1, "a value; only texts have regular expressions"));
        }
        if let Some(tag) = name.get("tag.".len()..).filter(|tag| key.starts_with("tag.") && !tag.is_empty()) {
            return self.tag_term(tag, operator, &value);
        }
        let comparing = matches!(operator, Operator::Colon | Operator::Equal);
        let ranged =
            RANGED.contains(&&*key) || is_text(&key) || matches!(&*key, "date" | "eventdate" | "eco");
        if !comparing && !ranged && is_valued(&key) {
            return Err(self.error(value.start, format!("`:` before the value of `{key}`")));
        }
        self.valued_term(&key, start, operator, &value)
    }

    fn valued_term(&mut self, key: &str, start: usize, operator: Operator, value: &Value) -> Result<Parsed> {
        let text = value.text.as_str();
        let tag = |name: &str| name.to_owned();
        let elo = |names: &[&str]| -> Result<HeaderTerm> {
            let names = names.iter().map(|&name| tag(name)).collect();
            if text == MISSING {
                return Ok(HeaderTerm::NoNumber(names));
            }
            Ok(HeaderTerm::Number(names, self.checked(value, Range::read(operator, text))?))
        };
        let range = || self.checked(value, Range::read(operator, text));
        let role = || {
            let role = text.chars().next().filter(|_| text.len() == 1).and_then(Role::from_letter);
            role.map(Some).ok_or_else(|| self.error(value.start, "one of P, N, B, R, Q"))
        };
        Ok(match key {
            "white" => Parsed::header(HeaderTerm::Tag(tag("White"), self.text(operator, value)?)),
            "black" => Parsed::header(HeaderTerm::Tag(tag("Black"), self.text(operator, value)?)),
            "event" => Parsed::header(HeaderTerm::Tag(tag("Event"), self.text(operator, value)?)),
            "site" => Parsed::header(HeaderTerm::Tag(tag("Site"), self.text(operator, value)?)),
            "round" => Parsed::header(HeaderTerm::Tag(tag("Round"), self.text(operator, value)?)),
            "annotator" => Parsed::header(HeaderTerm::Tag(tag("Annotator"), self.text(operator, value)?)),
            "player" => Parsed::header(HeaderTerm::Player(self.text(operator, value)?)),
            "winner" => Parsed::header(HeaderTerm::Winner(self.text(operator, value)?)),
            "loser" => Parsed::header(HeaderTerm::Loser(self.text(operator, value)?)),
            "opening" => Parsed::header(HeaderTerm::Opening(self.text(operator, value)?)),
            "whiteelo" => Parsed::header(elo(&["WhiteElo"])?),
            "blackelo" => Parsed::header(elo(&["BlackElo"])?),
            "elo" => Parsed::header(elo(&["WhiteElo", "BlackElo"])?),
            "date" | "eventdate" => {
                let name = if key == "date" { "Date" } else { "EventDate" };
                Parsed::header(HeaderTerm::Date(
                    tag(name),
                    self.checked(value, DateTest::read(operator, text))?,
                ))
            }
            "eco" => Parsed::header(HeaderTerm::Eco(self.checked(value, EcoTest::read(operator, text))?)),
            "result" => Parsed::header(self.result(value)?),
            "plies" => Parsed::game(GameTerm::Plies(range()?)),
            "moves" => Parsed::game(GameTerm::Moves(range()?)),
            "comment" => Parsed::game(GameTerm::Comment(self.text(operator, value)?)),
            "nag" => Parsed::game(GameTerm::Nag(read_nag(text).ok_or_else(|| self.error(value.start, NAG))?)),
            "end" => Parsed::game(GameTerm::End(self.one_of(value, &End::NAMES)?)),
            "in" => {
                self.one_of(value, &[("variations", ())])?;
                self.with_variations = true;
                Parsed::All(Vec::new())
            }
            "fen" => Parsed::test(Test::Position(self.checked(value, read_fen(text))?)),
            "reaches" => Parsed::test(Test::Position(self.checked(value, read_reached(text))?)),
            "pattern" => {
                let variants = self.variants();
                Parsed::test(Test::Pattern(self.checked(value, Pattern::read(text, variants))?))
            }
            "structure" => {
                let variants = self.variants();
                Parsed::test(Test::Pattern(self.checked(value, Pattern::read_structure(text, variants))?))
            }
            "material" => {
                let any_color = self.take_word(ANY_COLOR);
                Parsed::test(Test::Material(self.checked(value, Material::read(text, any_color))?))
            }
            "bishops" => Parsed::test(Test::Bishops(self.one_of(value, &Bishops::NAMES)?)),
            "turn" => {
                let sides = [("white", Color::White), ("black", Color::Black)];
                Parsed::test(Test::Turn(self.one_of(value, &sides)?))
            }
            "ply" => Parsed::test(Test::Ply(range()?)),
            "men" => Parsed::test(Test::Men(range()?)),
            "balance" => Parsed::test(Test::Balance(range()?)),
            "sacrifice" => Parsed::test(Test::Sacrifice(range()?)),
            "move" => Parsed::test(Test::Move(self.checked(value, text.parse())?)),
            "capture" => Parsed::test(Test::Capture(role()?)),
            "promotion" => Parsed::test(Test::Promotion(role()?)),
            "line" => {
                let line: Line = self.checked(value, text.parse())?;
                Parsed::test(Test::Line(line, self.memory()))
            }
            "castled" => {
                let castled = self.one_of(value, &Castled::NAMES)?;
                Parsed::test(Test::Castled(castled, self.memory()))
            }
            _ if bare_term(key).is_some() => {
                return Err(self.error(start + key.len(), format!("no value: `{key}` stands alone")));
            }
            _ => return Err(self.error(start, self.expected_term(key))),
        })
    }

    /// A term on any tag: a text, or with the signs of an order a number or a date.
    fn tag_term(&self, tag: &str, operator: Operator, value: &Value) -> Result<Parsed> {
        let name = tag.to_owned();
        let is_text =
            value.is_regex || matches!(operator, Operator::Colon | Operator::Equal | Operator::Tilde);
        Ok(Parsed::header(if is_text {
            HeaderTerm::Tag(name, self.text(operator, value)?)
        } else if tag.ends_with("Date") {
            HeaderTerm::Date(name, self.checked(value, DateTest::read(operator, &value.text))?)
        } else {
            HeaderTerm::Number(vec![name], self.checked(value, Range::read(operator, &value.text))?)
        }))
    }

    fn result(&self, value: &Value) -> Result<HeaderTerm> {
        Ok(HeaderTerm::Result(match value.text.as_str() {
            "white" => GameResult::WhiteWins,
            "black" => GameResult::BlackWins,
            "draw" => GameResult::Draw,
            "decisive" => return Ok(HeaderTerm::Decisive),
            text => {
                GameResult::from_marker(text.as_bytes()).ok_or_else(|| self.error(value.start, RESULT))?
            }
        }))
    }

    /// Reads the words behind a pattern.
    fn variants(&mut self) -> Variants {
        let mut variants = Variants::default();
        loop {
            if self.take_word(ANY_COLOR) {
                variants.any_color = true;
            } else if self.take_word("mirror") {
                variants.mirror = true;
            } else if self.take_word("shift") {
                variants.shift = true;
            } else {
                return variants;
            }
        }
    }

    /// What to write in place of a word that is no term.
    fn expected_term(&self, key: &str) -> String {
        /// Less alike than this, a word is not a misspelled one.
        const ALIKE: f64 = 0.8;
        let likeness = |name: &str| strsim::jaro_winkler(key, name);
        let nearest = names().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        match nearest.filter(|name| likeness(name) >= ALIKE) {
            Some(name) if name == key => format!("`:` and a value behind `{name}`"),
            Some(name) => format!("a term; is `{name}` meant?"),
            None => "a term such as white:tal, date>=1990 or move:Nxf7".to_owned(),
        }
    }
}

const ANY_COLOR: &str = "any-color";

/// Terms with a text.
const TEXTS: [&str; 11] = [
    "white",
    "black",
    "event",
    "site",
    "round",
    "annotator",
    "player",
    "winner",
    "loser",
    "opening",
    "comment",
];
/// Terms with a number.
const RANGED: [&str; 9] =
    ["whiteelo", "blackelo", "elo", "plies", "moves", "ply", "men", "balance", "sacrifice"];
/// Other terms with a value.
const VALUED: [&str; 18] = [
    "date",
    "eventdate",
    "eco",
    "result",
    "nag",
    "end",
    "in",
    "fen",
    "reaches",
    "pattern",
    "structure",
    "material",
    "bishops",
    "turn",
    "move",
    "capture",
    "promotion",
    "line",
];
/// Terms without a value.
const BARE: [&str; 9] =
    ["annotated", "commented", "variations", "check", "mate", "last", "capture", "promotion", "sacrifice"];

/// The names of all terms.
fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().chain(&RANGED).chain(&VALUED).chain(&BARE).copied().chain(["castled"])
}

/// Whether the term has a text as its value.
fn is_text(key: &str) -> bool {
    TEXTS.contains(&key) || key.starts_with("tag.")
}

fn is_valued(key: &str) -> bool {
    VALUED.contains(&key) || key == "castled"
}

/// A term without a value.
fn bare_term(key: &str) -> Option<Parsed> {
    /// What is given up counts as a sacrifice from two pawns on: less may be a gambit or a mistake.
    const LEAST_SACRIFICE: i64 = 2;
    Some(match key {
        "annotated" => Parsed::game(GameTerm::Annotated),
        "commented" => Parsed::game(GameTerm::HasComments),
        "variations" => Parsed::game(GameTerm::HasVariations),
        "check" => Parsed::test(Test::Check),
        "mate" => Parsed::test(Test::Mate),
        "last" => Parsed::test(Test::Last),
        "capture" => Parsed::test(Test::Capture(None)),
        "promotion" => Parsed::test(Test::Promotion(None)),
        "sacrifice" => Parsed::test(Test::Sacrifice(Range::at_least(LEAST_SACRIFICE))),
        _ => return None,
    })
}

/// A glyph: `!!`, `$3` or `3`.
fn read_nag(text: &str) -> Option<Nag> {
    Nag::from_suffix(text.as_bytes()).or_else(|| text.trim_start_matches('$').parse().ok().map(Nag))
}

fn read_fen(text: &str) -> std::result::Result<Target, BadValue> {
    match position_from_fen(text) {
        Ok(position) => Ok(Target(Box::new(position))),
        Err(error) => {
            let reason = error.reasons().next().map(ToString::to_string).unwrap_or_default();
            Err(BadValue::new(0, format!("the FEN of a position ({reason})")))
        }
    }
}

/// The position that moves from the initial one lead to.
fn read_reached(text: &str) -> std::result::Result<Target, BadValue> {
    let mut position = Position::start();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let written = word.trim_end();
        let san = without_number(written);
        if !san.is_empty() {
            let place = at + written.len() - san.len();
            let mv = parse_san(san, &position).map_err(|error| {
                BadValue::new(place, format!("moves from the initial position ({error})"))
            })?;
            position = mv.after(&position);
        }
        at += word.len();
    }
    if at == 0 {
        return Err(BadValue::new(0, "moves from the initial position"));
    }
    Ok(Target(Box::new(position)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        match text.parse::<Query>() {
            Ok(query) => format!("{query:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_the_documents_show_is_read() {
        let queries = [
            "",
            "  # only a comment",
            "white:kasparov date>=1990 eco:E60..E99 result:0-1",
            "player:tal -player:botvinnik",
            "(opening:\"Ruy Lopez\" or line:\"1.e4 e5 2.Nf3 Nc6 * 3.d4\") plies>80",
            "material:\"KRPkr\" for 10",
            "pattern:\"8/8/2p5/3p4/3P4/4P3/8/8\" any-color mirror shift",
            "move:\"12.Be3\" and move:\"Nxf7\" AND NOT annotated",
            "comment:novelty tag.Annotator:\"Nunn\" end:mate in:variations",
            "move:Bxh7+ then move:Ng5+ within 4 then mate",
            "at(material:\"KRPkr\" turn:white not check) for 3",
            "count(check)>=5 sacrifice>=3 castled:opposite",
            "white:/^kas.*v$/ black=\"Tal, M\" event~candidates tag.TimeControl>=300 tag.UTCDate<2020",
            "at(result.x:1 or check)",
        ];
        for (index, query) in queries.iter().enumerate() {
            let is_last = index + 1 == queries.len();
            assert_eq!(query.parse::<Query>().is_err(), is_last, "{query}: {}", error(query));
        }
    }

    #[test]
    fn errors_have_a_column_and_say_what_is_expected() {
        let cases = [
            (
                "kasparov",
                "column 1: found `kasparov`, expected a term such as white:tal, date>=1990 or move:Nxf7",
            ),
            ("whte:tal", "column 1: found `whte:tal`, expected a term; is `white` meant?"),
            ("white", "column 1: found `white`, expected `:` and a value behind `white`"),
            (
                "white:",
                "column 7: found the end of the query, expected a value; one with spaces or parentheses needs quotes",
            ),
            ("é:x", "column 1: found `é:x`, expected a term such as white:tal, date>=1990 or move:Nxf7"),
            (
                "white:\"é\" date>=199x",
                "column 17: found `199x`, expected a date such as 1990, 1990.05 or 1990.05.31",
            ),
            ("(white:tal", "column 11: found the end of the query, expected a term or `)`"),
            ("white:tal)", "column 10: found `)`, expected a term, or the end of the query"),
            (
                "white:tal or",
                "column 13: found the end of the query, expected a term such as white:tal, date>=1990 or move:Nxf7",
            ),
            ("white:\"tal", "column 7: found `\"tal`, expected a `\"` that ends this"),
            ("plies:x", "column 7: found `x`, expected a number or a range such as 10..20"),
            ("plies~3", "column 7: found `3`, expected `:` `=` `<` `<=` `>` or `>=` before a number"),
            ("move<Nf3", "column 6: found `Nf3`, expected `:` before the value of `move`"),
            ("check:3", "column 6: found `:3`, expected no value: `check` stands alone"),
            (
                "end:soon",
                "column 5: found `soon`, expected one of mate, stalemate, material, repetition, fifty-moves, open",
            ),
            (
                "result:2-0",
                "column 8: found `2-0`, expected 1-0, 0-1, 1/2-1/2, *, white, black, draw or decisive",
            ),
            ("material:KRPkr for x", "column 20: found `x`, expected a number of positions"),
            ("check then mate within 0", "column 24: found `0`, expected a number of plies"),
            (
                "at(white:tal check)",
                "column 4: found `white:tal`, expected terms on positions or moves only, such as fen:, pattern:, material: or move:",
            ),
            (
                "white:tal then check",
                "column 1: found `white:tal`, expected terms on positions or moves only, such as fen:, pattern:, material: or move:",
            ),
            (
                "count(check)",
                "column 13: found the end of the query, expected an operator and a number, such as `>=2`",
            ),
            ("player:a player:b player:c", "column 19: found `player:c`, expected two players at most"),
            (
                "-in:variations",
                "column 2: found `in:variations`, expected a term; what is said of the whole query cannot be negated",
            ),
            (
                "white:tal\nblack:\nx",
                "line 2, column 7: found `\\n`, expected a value; one with spaces or parentheses needs quotes",
            ),
            ("line:\"1.e4 e5 3.Nf3\"", "column 15: found `3.Nf3\"`, expected move 2."),
            ("date:/x/", "column 6: found `/x/`, expected a value; only texts have regular expressions"),
            ("white:/(/", "column 8: found `(/`, expected a regular expression (unclosed group)"),
            ("reaches:\"1.e4 e4\"", "column 15: found `e4\"`, expected moves from the initial position"),
        ];
        for (text, expected) in cases {
            let found = error(text);
            assert!(found.starts_with(expected), "{text}\nfound:    {found}\nexpected: {expected}");
        }
    }

    #[test]
    fn what_is_too_deep_or_too_long_is_refused() {
        for open in ["(", "-", "not ", "at(", "-("] {
            assert!(error(&open.repeat(10_000)).contains("at most 64 parentheses"), "{open}");
        }
        assert!(error(&"check ".repeat(1001)).contains("at most 1000 terms"));
        assert!(error(&"check then ".repeat(999).repeat(10)).contains("at most"));
        assert!("check ".repeat(1000).parse::<Query>().is_ok());
    }

    /// Pieces of queries, in any order.
    fn pieces() -> impl Strategy<Value = String> {
        const PIECES: [&str; 40] = [
            "(",
            ")",
            "-",
            "not ",
            "or ",
            "and ",
            " then ",
            " within 3",
            " for 2",
            "at(",
            "count(",
            "white",
            ":",
            "=",
            ">=",
            "\"",
            "/",
            "\\",
            "é",
            "1.e4 ",
            "e5",
            "*",
            "..",
            "1990",
            "E60",
            "KRPkr",
            "8/8/",
            "[NB]",
            "material:",
            "pattern:",
            "move:",
            "line:",
            "date",
            "check ",
            "sacrifice",
            "tag.X",
            "\n",
            "#",
            " any-color",
            "fen:",
        ];
        prop::collection::vec(prop::sample::select(&PIECES[..]), 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_panics(text in any::<String>(), pieces in pieces()) {
            for text in [text, pieces] {
                if let Err(error) = text.parse::<Query>() {
                    prop_assert!(error.column >= 1 && error.to_string().contains("expected"), "{}", error);
                }
            }
        }
    }
}
