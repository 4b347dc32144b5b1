//! The parser of queries: recursive descent over the text, without tokens, so that every error has its place.

use super::headers::{DateTest, EcoTest, HeaderTerm, MISSING, Operator, Range};
use super::moves::{End, GameTerm, Line};
use super::positions::{Bishops, Material, Pattern, Target, Variants, split_operator};
use super::scan::{QueryError, Result, Scanner, Unquoted, Value};
use super::tree::{Castled, Leaf, Moment, Parsed, Query, Scope, Test};
use crate::chess::{Color, Role};
use crate::notation::pgn::{GameResult, Nag};
use std::str::FromStr;

/// The most bytes of a query.
const MAX_BYTES: usize = 1 << 16;
/// The most parentheses and negations within one another.
const MAX_DEPTH: usize = 64;
/// The most terms of a query.
const MAX_TERMS: usize = 1000;

impl FromStr for Query {
    type Err = QueryError;

    /// Reads a query; the empty one finds every game.
    ///
    /// # Errors
    /// [`QueryError`] with the place of the first error, and what is expected there.
    fn from_str(text: &str) -> Result<Self> {
        let mut parser = Parser {
            scan: Scanner { text, at: 0 },
            depth: 0,
            terms: 0,
            memories: 0,
            scope: Scope::default(),
            latest: None,
        };
        if text.len() > MAX_BYTES {
            return Err(parser.scan.error(0, format!("at most {MAX_BYTES} bytes")));
        }
        parser.scan.skip_space();
        let parsed = if parser.scan.is_at_end() { Parsed::All(Vec::new()) } else { parser.any()? };
        if !parser.scan.is_at_end() {
            return Err(parser.scan.error(parser.scan.at, "a term, or the end of the query"));
        }
        let mut leaves = Vec::new();
        let root = parsed.into_node(&mut leaves);
        Ok(Self { root, leaves, memories: parser.memories, scope: parser.scope })
    }
}

struct Parser<'a> {
    scan: Scanner<'a>,
    depth: usize,
    terms: usize,
    memories: usize,
    scope: Scope,
    /// The latest term with a text without quotes.
    latest: Option<Unquoted>,
}

/// Words that join terms, and are none.
const JOINING: [&str; 5] = ["and", "or", "then", "for", "within"];

/// What is expected where a term about positions must be.
const MOMENT: &str = "terms on positions or moves only, such as fen:, pattern:, material: or move:";

/// What `in:` names.
#[derive(Clone, Copy)]
enum Place {
    Variations,
    Comments,
}

impl Place {
    const NAMES: [(&str, Self); 2] = [("variations", Self::Variations), ("comments", Self::Comments)];
}

const NAG: &str = "a glyph such as `!!` or `$3`";
const RESULT: &str = "1-0, 0-1, 1/2-1/2, *, white, black, draw or decisive";

impl<'a> Parser<'a> {
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self
                .scan
                .error(self.scan.at, format!("at most {MAX_DEPTH} parentheses within one another")));
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// `a or b`
    fn any(&mut self) -> Result<Parsed> {
        let mut parts = vec![self.all()?];
        while self.scan.take_word("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Parsed::Any(parts) })
    }

    /// `a b` or `a and b`
    fn all(&mut self) -> Result<Parsed> {
        let mut parts = Vec::new();
        let mut players = Vec::new();
        loop {
            let start = self.scan.at;
            let part = self.unary()?;
            match part {
                Parsed::Leaf(leaf) if matches!(*leaf, Leaf::Header(HeaderTerm::Player(_))) => {
                    let Leaf::Header(HeaderTerm::Player(text)) = *leaf else { continue };
                    if players.len() == Color::COUNT {
                        return Err(self.scan.error(start, "two players at most"));
                    }
                    players.push(text);
                }
                part => parts.push(part),
            }
            let is_joined = self.scan.take_word("and");
            let word = self.scan.peek_word();
            let is_end = self.scan.is_at_end()
                || self.scan.rest().starts_with(')')
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
        if self.scan.take('-') || self.scan.take_word("not") {
            let start = self.scan.at;
            let scope = self.scope;
            let part = self.nested(Self::unary)?;
            if self.scope != scope {
                return Err(self
                    .scan
                    .error(start, "a term; what is said of the whole query cannot be negated"));
            }
            return Ok(Parsed::Not(Box::new(part)));
        }
        self.sequence()
    }

    /// `a then b within 6`
    fn sequence(&mut self) -> Result<Parsed> {
        let start = self.scan.at;
        let mut part = self.lasting()?;
        while self.scan.take_word("then") {
            let first = self.moment(part, start)?;
            let second_start = self.scan.at;
            let second = self.lasting()?;
            let second = self.moment(second, second_start)?;
            let within =
                if self.scan.take_word("within") { Some(self.scan.positive("plies")?) } else { None };
            let memory = self.memory();
            let (first, second) = (Box::new(first), Box::new(second));
            part = Parsed::leaf(Leaf::Somewhere(Moment::Then { first, second, within, memory }));
        }
        Ok(part)
    }

    /// `a for 10`
    fn lasting(&mut self) -> Result<Parsed> {
        let start = self.scan.at;
        let part = self.primary()?;
        if !self.scan.take_word("for") {
            return Ok(part);
        }
        let moment = Box::new(self.moment(part, start)?);
        let positions = self.scan.positive("positions")?;
        let memory = self.memory();
        Ok(Parsed::leaf(Leaf::Somewhere(Moment::Lasts { moment, positions, memory })))
    }

    fn moment(&self, part: Parsed, start: usize) -> Result<Moment> {
        part.into_moment().ok_or_else(|| self.scan.error(start, MOMENT))
    }

    fn memory(&mut self) -> usize {
        self.memories += 1;
        self.memories - 1
    }

    /// `(a)`, `at(a)`, `count(a)>=2` or a term.
    fn primary(&mut self) -> Result<Parsed> {
        if self.scan.take('(') {
            let part = self.nested(Self::any)?;
            self.close()?;
            return Ok(part);
        }
        let word = self.scan.peek_word();
        let has_parenthesis = self.scan.rest()[word.len()..].starts_with('(');
        if has_parenthesis && matches!(word.to_ascii_lowercase().as_str(), "at" | "count") {
            let is_count = word.eq_ignore_ascii_case("count");
            self.scan.at += word.len();
            self.scan.take('(');
            let start = self.scan.at;
            let part = self.nested(Self::any)?;
            let moment = self.moment(part, start)?;
            if !is_count {
                self.close()?;
                return Ok(Parsed::leaf(Leaf::Somewhere(moment)));
            }
            if !self.scan.rest().starts_with(')') {
                self.close()?;
            }
            self.scan.at += 1;
            let Some(operator) = self.scan.operator() else {
                return Err(self.scan.error(self.scan.at, "an operator and a number, such as `>=2`"));
            };
            let value = self.scan.value()?;
            let range = self.scan.checked(&value, Range::read(operator, &value.text))?;
            return Ok(Parsed::leaf(Leaf::Count(moment, range)));
        }
        self.term()
    }

    fn close(&mut self) -> Result<()> {
        if self.scan.take(')') { Ok(()) } else { Err(self.scan.error(self.scan.at, "a term or `)`")) }
    }

    fn term(&mut self) -> Result<Parsed> {
        let start = self.scan.at;
        let latest = self.latest.take();
        let name = self.scan.peek_word();
        let key = name.to_ascii_lowercase();
        let is_reserved = JOINING.contains(&&*key) || key == "not";
        if name.is_empty() || is_reserved && split_operator(&self.scan.rest()[name.len()..]).is_none() {
            return Err(self
                .scan
                .error(start, self.scan.quoted(latest, start).unwrap_or_else(|| A_TERM.to_owned())));
        }
        self.terms += 1;
        if self.terms > MAX_TERMS {
            return Err(self.scan.error(start, format!("at most {MAX_TERMS} terms")));
        }
        self.scan.at += name.len();
        let Some(operator) = self.scan.operator() else {
            let expected = || self.scan.quoted(latest, start).unwrap_or_else(|| self.expected_term(&key));
            let parsed = bare_term(&key).ok_or_else(|| self.scan.error(start, expected()))?;
            self.scan.skip_space();
            return Ok(parsed);
        };
        let value = self.scan.value()?;
        let unquoted = Unquoted { term: start, text: value.start, end: self.scan.at };
        self.latest = (is_text(&key) && !value.is_quoted).then_some(unquoted);
        if value.is_regex && !is_text(&key) {
            return Err(self.scan.error(value.start - 1, "a value; only texts have regular expressions"));
        }
        if let Some(tag) = name.get("tag.".len()..).filter(|tag| key.starts_with("tag.") && !tag.is_empty()) {
            return self.tag_term(tag, operator, &value);
        }
        let comparing = matches!(operator, Operator::Colon | Operator::Equal);
        let ranged =
            RANGED.contains(&&*key) || is_text(&key) || matches!(&*key, "date" | "eventdate" | "eco");
        if !comparing && !ranged && is_valued(&key) {
            return Err(self.scan.error(value.start, format!("`:` before the value of `{key}`")));
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
            Ok(HeaderTerm::Number(names, self.scan.checked(value, Range::read(operator, text))?))
        };
        let range = || self.scan.checked(value, Range::read(operator, text));
        let role = || {
            let role = text.chars().next().filter(|_| text.len() == 1).and_then(Role::from_letter);
            role.map(Some).ok_or_else(|| self.scan.error(value.start, "one of P, N, B, R, Q"))
        };
        Ok(match key {
            "white" => Parsed::header(HeaderTerm::Tag(tag("White"), self.scan.text(operator, value)?)),
            "black" => Parsed::header(HeaderTerm::Tag(tag("Black"), self.scan.text(operator, value)?)),
            "event" => Parsed::header(HeaderTerm::Tag(tag("Event"), self.scan.text(operator, value)?)),
            "site" => Parsed::header(HeaderTerm::Tag(tag("Site"), self.scan.text(operator, value)?)),
            "round" => Parsed::header(HeaderTerm::Tag(tag("Round"), self.scan.text(operator, value)?)),
            "annotator" => {
                Parsed::header(HeaderTerm::Tag(tag("Annotator"), self.scan.text(operator, value)?))
            }
            "player" => Parsed::header(HeaderTerm::Player(self.scan.text(operator, value)?)),
            "winner" => Parsed::header(HeaderTerm::Winner(self.scan.text(operator, value)?)),
            "loser" => Parsed::header(HeaderTerm::Loser(self.scan.text(operator, value)?)),
            "opening" => Parsed::header(HeaderTerm::Opening(self.scan.text(operator, value)?)),
            "whiteelo" => Parsed::header(elo(&["WhiteElo"])?),
            "blackelo" => Parsed::header(elo(&["BlackElo"])?),
            "elo" => Parsed::header(elo(&["WhiteElo", "BlackElo"])?),
            "date" | "eventdate" => {
                let name = if key == "date" { "Date" } else { "EventDate" };
                Parsed::header(HeaderTerm::Date(
                    tag(name),
                    self.scan.checked(value, DateTest::read(operator, text))?,
                ))
            }
            "eco" => {
                Parsed::header(HeaderTerm::Eco(self.scan.checked(value, EcoTest::read(operator, text))?))
            }
            "result" => Parsed::header(self.result(value)?),
            "plies" => Parsed::game(GameTerm::Plies(range()?)),
            "moves" => Parsed::game(GameTerm::Moves(range()?)),
            "comment" => Parsed::game(GameTerm::Comment(self.scan.text(operator, value)?)),
            "nag" => {
                Parsed::game(GameTerm::Nag(read_nag(text).ok_or_else(|| self.scan.error(value.start, NAG))?))
            }
            "end" => Parsed::game(GameTerm::End(self.scan.one_of(value, &End::NAMES)?)),
            "in" => {
                match self.scan.one_of(value, &Place::NAMES)? {
                    Place::Variations => self.scope.variations = true,
                    Place::Comments => self.scope.comments = true,
                }
                Parsed::All(Vec::new())
            }
            "fen" => Parsed::test(Test::Position(self.scan.checked(value, Target::read_fen(text))?)),
            "reaches" => Parsed::test(Test::Position(self.scan.checked(value, Target::read_moves(text))?)),
            "pattern" => {
                let variants = self.variants();
                Parsed::test(Test::Pattern(self.scan.checked(value, Pattern::read(text, variants))?))
            }
            "structure" => {
                let variants = self.variants();
                Parsed::test(Test::Pattern(
                    self.scan.checked(value, Pattern::read_structure(text, variants))?,
                ))
            }
            "material" => {
                let any_color = self.scan.take_word(ANY_COLOR);
                Parsed::test(Test::Material(self.scan.checked(value, Material::read(text, any_color))?))
            }
            "bishops" => Parsed::test(Test::Bishops(self.scan.one_of(value, &Bishops::NAMES)?)),
            "turn" => {
                let sides = [("white", Color::White), ("black", Color::Black)];
                Parsed::test(Test::Turn(self.scan.one_of(value, &sides)?))
            }
            "ply" => Parsed::test(Test::Ply(range()?)),
            "men" => Parsed::test(Test::Men(range()?)),
            "balance" => Parsed::test(Test::Balance(range()?)),
            "sacrifice" => Parsed::test(Test::Sacrifice(range()?)),
            "move" => Parsed::test(Test::Move(self.scan.checked(value, text.parse())?)),
            "capture" => Parsed::test(Test::Capture(role()?)),
            "promotion" => Parsed::test(Test::Promotion(role()?)),
            "line" => {
                let line: Line = self.scan.checked(value, text.parse())?;
                Parsed::test(Test::Line(line, self.memory()))
            }
            "castled" => {
                let castled = self.scan.one_of(value, &Castled::NAMES)?;
                Parsed::test(Test::Castled(castled, self.memory()))
            }
            _ if bare_term(key).is_some() => {
                return Err(self.scan.error(start + key.len(), format!("no value: `{key}` stands alone")));
            }
            _ => return Err(self.scan.error(start, self.expected_term(key))),
        })
    }

    /// A term on any tag: a text, or with the signs of an order a number or a date.
    fn tag_term(&self, tag: &str, operator: Operator, value: &Value) -> Result<Parsed> {
        let name = tag.to_owned();
        let is_text =
            value.is_regex || matches!(operator, Operator::Colon | Operator::Equal | Operator::Tilde);
        Ok(Parsed::header(if is_text {
            HeaderTerm::Tag(name, self.scan.text(operator, value)?)
        } else if tag.ends_with("Date") {
            HeaderTerm::Date(name, self.scan.checked(value, DateTest::read(operator, &value.text))?)
        } else {
            HeaderTerm::Number(vec![name], self.scan.checked(value, Range::read(operator, &value.text))?)
        }))
    }

    fn result(&self, value: &Value) -> Result<HeaderTerm> {
        Ok(HeaderTerm::Result(match value.text.as_str() {
            "white" => GameResult::WhiteWins,
            "black" => GameResult::BlackWins,
            "draw" => GameResult::Draw,
            "decisive" => return Ok(HeaderTerm::Decisive),
            text => GameResult::from_marker(text.as_bytes())
                .ok_or_else(|| self.scan.error(value.start, RESULT))?,
        }))
    }

    /// Reads the words behind a pattern.
    fn variants(&mut self) -> Variants {
        let mut variants = Variants::default();
        loop {
            if self.scan.take_word(ANY_COLOR) {
                variants.any_color = true;
            } else if self.scan.take_word("mirror") {
                variants.mirror = true;
            } else if self.scan.take_word("shift") {
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
            None => A_TERM.to_owned(),
        }
    }
}

const A_TERM: &str = "a term such as white:tal, date>=1990 or move:Nxf7";

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
            "comment:novelty tag.Annotator:\"Nunn\" end:mate in:variations in:comments",
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
                "-event:My Event",
                "column 11: found `Event`, expected a term, or quotes around a text of several words: event:\"My Event\"",
            ),
            (
                "white=Ulf Åkesson result:1-0",
                "column 11: found `Åkesson`, expected a term, or quotes around a text of several words: white=\"Ulf Åkesson\"",
            ),
            ("white:tal whte:x", "column 11: found `whte:x`, expected a term; is `white` meant?"),
            ("in:text", "column 4: found `text`, expected one of variations, comments"),
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
