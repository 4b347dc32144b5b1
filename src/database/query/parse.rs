//! The parser of queries: recursive descent on the text without tokens, so that every error has a position.

use super::change::{Change, any_of};
use super::headers::{HeaderTerm, Range};
use super::path::{MAX_REPEATS, MAX_STEPS, NoPath, Path, Steps};
use super::scan::{QueryError, Result, Scanner, Unquoted, Value};
use super::tree::{Leaf, Moment, Parsed, Query, Scope};
use crate::chess::Color;
use std::collections::BTreeMap;
use std::str::FromStr;

/// The maximum length of a query, in bytes.
const MAX_BYTES: usize = 1 << 16;
/// The maximum nesting of parentheses and negations.
const MAX_DEPTH: usize = 64;
/// The maximum number of terms of a query.
pub(super) const MAX_TERMS: usize = 1000;
/// The maximum number of position tests, including the variants of those that may be anywhere on the board.
const MAX_TESTS: usize = 20_000;

impl FromStr for Query {
    type Err = QueryError;

    /// Parses a query; the empty query finds every game.
    ///
    /// # Errors
    /// [`QueryError`] with the position of the first error, and what is expected there.
    fn from_str(text: &str) -> Result<Self> {
        Self::with_saved(text, &BTreeMap::new())
    }
}

impl Query {
    /// Parses a query that may refer to saved queries by their names, such as `query:french`.
    ///
    /// # Errors
    /// The same as for [`Query::from_str`].
    pub fn with_saved(text: &str, saved: &BTreeMap<String, String>) -> Result<Self> {
        let mut parser = Parser {
            scan: Scanner { text, at: 0 },
            saved,
            naming: Vec::new(),
            depth: 0,
            terms: 0,
            memories: 0,
            scope: Scope::default(),
            latest: None,
            illegal: None,
            is_about_setups: false,
        };
        let parsed = parser.whole()?;
        if let Some(error) = parser.illegal.filter(|_| !parser.is_about_setups) {
            return Err(error);
        }
        let mut leaves = Vec::new();
        let root = parsed.into_node(&mut leaves);
        Ok(Self { root, leaves, memories: parser.memories, scope: parser.scope })
    }
}

/// The parser of a query.
pub(super) struct Parser<'a> {
    pub scan: Scanner<'a>,
    /// The saved queries by their names.
    saved: &'a BTreeMap<String, String>,
    /// The names of the saved queries that are being parsed.
    naming: Vec<String>,
    depth: usize,
    pub terms: usize,
    pub memories: usize,
    pub scope: Scope,
    /// The latest term with an unquoted text.
    pub latest: Option<Unquoted>,
    /// The error for a line that no game from the initial position has.
    pub illegal: Option<QueryError>,
    /// Whether a term is about games from other positions.
    pub is_about_setups: bool,
}

impl Parser<'_> {
    /// Whether the text of a saved query is being parsed.
    pub(super) const fn is_in_saved_query(&self) -> bool {
        !self.naming.is_empty()
    }
}

/// Words that join terms, and are not terms.
pub(super) const JOINING: [&str; 6] = ["and", "or", "then", "for", "within", "until"];

/// The expected form of a term about positions.
const MOMENT: &str = "terms on positions or moves only, such as fen:, pattern:, material: or move:";

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

    /// Parses the whole text.
    fn whole(&mut self) -> Result<Parsed> {
        if self.scan.text.len() > MAX_BYTES {
            return Err(self.scan.error(0, format!("at most {MAX_BYTES} bytes")));
        }
        self.scan.skip_space();
        let parsed = if self.scan.is_at_end() { Parsed::All(Vec::new()) } else { self.any()? };
        if !self.scan.is_at_end() {
            return Err(self.scan.error(self.scan.at, "a term, or the end of the query"));
        }
        Ok(parsed)
    }

    /// Parses the saved query with this name, as if its text were in parentheses.
    pub(super) fn saved_query(&mut self, value: &Value) -> Result<Parsed> {
        let Some(text) = self.saved.get(&value.text) else {
            let names: Vec<&str> = self.saved.keys().map(String::as_str).collect();
            let expected = match names[..] {
                [] => "the name of a query that a collection keeps; there is none".to_owned(),
                _ => format!("the name of a query that a collection keeps: {}", names.join(", ")),
            };
            return Err(self.scan.error(value.start, expected));
        };
        if self.naming.contains(&value.text) {
            return Err(self.scan.error(value.start, "a query that does not name itself"));
        }
        self.nested(|parser| {
            parser.naming.push(value.text.clone());
            let outer = std::mem::replace(&mut parser.scan, Scanner { text, at: 0 });
            let parsed = parser.whole();
            parser.scan = outer;
            parser.naming.pop();
            parser.latest = None;
            parsed.map_err(|error| {
                parser.scan.error(value.start, format!("a query that can be read ({error})"))
            })
        })
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
        // A player is not counted twice: the two terms must match different players.
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

    /// `a then b within 6 until c`
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
            let until_start = self.scan.at;
            part = Parsed::leaf(Leaf::Somewhere(if self.scan.take_word("until") {
                let until = self.lasting()?;
                let until = self.moment(until, until_start)?;
                self.before(first, second, within, until)
                    .ok_or_else(|| self.scan.error(until_start, format!("`within` of at most {MAX_STEPS}")))?
            } else {
                let memory = self.memory();
                let (first, second) = (Box::new(first), Box::new(second));
                Moment::Then { first, second, within, memory }
            }));
        }
        Ok(part)
    }

    /// The second moment follows the first, and the third does not hold between them. `None` if the evaluation may take
    /// too long.
    fn before(
        &mut self,
        first: Moment,
        second: Moment,
        within: Option<u32>,
        until: Moment,
    ) -> Option<Moment> {
        let between = match within {
            Some(plies) => Some(usize::try_from(plies).ok()? - 1),
            None => None,
        };
        let steps = [Steps::One(0), Steps::Repeat(Box::new(Steps::One(1)), 0, between), Steps::One(2)];
        let moments = vec![first, Moment::Not(Box::new(until)), second];
        let path = Path::new(&Steps::All(steps.to_vec()), moments.len()).ok()?;
        Some(self.path_of(path, moments))
    }

    fn path_of(&mut self, path: Path, moments: Vec<Moment>) -> Moment {
        let memory = self.memories;
        self.memories += path.memories();
        Moment::Path { path: Box::new(path), moments, memory }
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

    pub(super) fn memory(&mut self) -> usize {
        self.memories += 1;
        self.memories - 1
    }

    /// `(a)`, `at(a)`, `path(a b)`, `count(a)>=2` or a term, and the words that change the board.
    fn primary(&mut self) -> Result<Parsed> {
        let is_group = self.scan.rest().starts_with('(');
        let part = self.plain()?;
        // An unquoted text may be followed by any word, for which there is a special error message.
        if !is_group
            && matches!(&part, Parsed::Leaf(leaf) if matches!(**leaf, Leaf::Header(_) | Leaf::Game(_)))
        {
            return Ok(part);
        }
        self.variants_of(part)
    }

    /// Applies `any-color`, `mirror` and `shift` after a part, to the whole part at the same time.
    fn variants_of(&mut self, mut part: Parsed) -> Result<Parsed> {
        loop {
            let start = self.scan.at;
            let memories = &mut self.memories;
            let changed = if self.scan.take_word(ANY_COLOR) {
                any_of(part, [Change::Exchange].into_iter(), memories)
            } else if self.scan.take_word("mirror") {
                any_of(part, [Change::Mirror].into_iter(), memories)
            } else if self.scan.take_word("shift") {
                any_of(part, Change::shifts(), memories)
            } else {
                return Ok(part);
            };
            part = changed.map_err(|expected| self.scan.error(start, expected))?;
            if part.tests() > MAX_TESTS {
                return Err(self.scan.error(start, "fewer terms in what may be anywhere"));
            }
        }
    }

    fn plain(&mut self) -> Result<Parsed> {
        if self.scan.take('(') {
            let part = self.nested(Self::any)?;
            self.close()?;
            return Ok(part);
        }
        let word = self.scan.peek_word();
        let has_parenthesis = self.scan.rest()[word.len()..].starts_with('(');
        let name = word.to_ascii_lowercase();
        if has_parenthesis && matches!(&*name, "at" | "count" | "path") {
            self.scan.at += word.len();
            self.scan.take('(');
            let start = self.scan.at;
            if name == "path" {
                return self.path(start);
            }
            let part = self.nested(Self::any)?;
            let moment = self.moment(part, start)?;
            if name == "at" {
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

    /// `path(a b+ (c or d){2,5})`, after its opening parenthesis.
    fn path(&mut self, start: usize) -> Result<Parsed> {
        let mut moments = Vec::new();
        let steps = self.nested(|parser| parser.steps(&mut moments))?;
        self.close()?;
        let path = Path::new(&steps, moments.len()).map_err(|problem| {
            let expected = match problem {
                NoPath::TooLong => format!("at most {MAX_STEPS} steps, each as often as it may be repeated"),
                NoPath::Empty => "a path with a step that must be there".to_owned(),
            };
            self.scan.error(start, expected)
        })?;
        Ok(Parsed::leaf(Leaf::Somewhere(self.path_of(path, moments))))
    }

    /// Parses consecutive steps, or alternatives separated by `or`.
    fn steps(&mut self, moments: &mut Vec<Moment>) -> Result<Steps> {
        let mut any = Vec::new();
        loop {
            let mut all = vec![self.step(moments)?];
            loop {
                let word = self.scan.peek_word();
                if self.scan.is_at_end()
                    || self.scan.rest().starts_with(')')
                    || word.eq_ignore_ascii_case("or")
                {
                    break;
                }
                all.push(self.step(moments)?);
            }
            any.push(Steps::All(all));
            if !self.scan.take_word("or") {
                return Ok(if any.len() == 1 { any.remove(0) } else { Steps::Any(any) });
            }
        }
    }

    /// Parses a step with its repetitions.
    fn step(&mut self, moments: &mut Vec<Moment>) -> Result<Steps> {
        let mut step = if self.scan.take('(') {
            let steps = self.nested(|parser| parser.steps(moments))?;
            self.close()?;
            steps
        } else {
            let start = self.scan.at;
            let part = self.step_part()?;
            moments.push(self.moment(part, start)?);
            Steps::One(moments.len() - 1)
        };
        while let Some((least, most)) = self.repeats()? {
            step = Steps::Repeat(Box::new(step), least, most);
        }
        Ok(step)
    }

    /// Parses the condition of a single step.
    fn step_part(&mut self) -> Result<Parsed> {
        if self.scan.take('-') || self.scan.take_word("not") {
            let part = self.nested(Self::step_part)?;
            return Ok(Parsed::Not(Box::new(part)));
        }
        self.primary()
    }

    /// `+`, `*`, `?`, `{3}`, `{3,}` or `{3,5}`.
    fn repeats(&mut self) -> Result<Option<(usize, Option<usize>)>> {
        for (sign, repeats) in [('+', (1, None)), ('*', (0, None)), ('?', (0, Some(1)))] {
            if self.scan.take(sign) {
                return Ok(Some(repeats));
            }
        }
        let start = self.scan.at;
        if !self.scan.take('{') {
            return Ok(None);
        }
        let rest = self.scan.rest();
        let number = |text: &str| text.trim().parse().ok().filter(|&number: &usize| number <= MAX_REPEATS);
        let read = rest.split_once('}').and_then(|(text, _)| {
            let (least, most) = match text.split_once(',') {
                Some((least, most)) if most.trim().is_empty() => (number(least)?, None),
                Some((least, most)) => (number(least)?, Some(number(most)?)),
                None => (number(text)?, Some(number(text)?)),
            };
            most.is_none_or(|most| most >= least).then_some((least, most))
        });
        let Some(repeats) = read else {
            return Err(self
                .scan
                .error(start, format!("numbers such as {{2}}, {{2,}} or {{2,5}}, at most {MAX_REPEATS}")));
        };
        self.scan.at += rest.find('}').unwrap_or(0);
        self.scan.take('}');
        Ok(Some(repeats))
    }

    fn close(&mut self) -> Result<()> {
        if self.scan.take(')') { Ok(()) } else { Err(self.scan.error(self.scan.at, "a term or `)`")) }
    }
}

/// The modifier for either color.
pub(super) const ANY_COLOR: &str = "any-color";

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
            "path(move:Bxh7+ (check or capture)* not check{2,3} any? mate) for 2 then check within 3 until capture",
            "(white:tal) any-color (pattern:\"8/8/8/3P4/8/8/8/8\" passed:Pd5) mirror shift passed>=2 fork:N->[kq]",
            "route:\"Nb1...d5xf6\" any-color eval:-1..0.5 clk<1:30 has:emt round>=2.1 move:\"1.e4 * 2. Nf3\"",
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
            ("white", "column 1: found `white`, expected `:` and a value after `white`"),
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
            ("path(check", "column 11: found the end of the query, expected a term or `)`"),
            ("path(check*)", "column 6: found `check*`, expected a path with a step that must be there"),
            (
                "path(check{3,2})",
                "column 11: found `{3,2}`, expected numbers such as {2}, {2,} or {2,5}, at most 128",
            ),
            ("path(check{99} check{99})", "column 6: found `check{99}`, expected at most 128 steps"),
            ("path(white:tal)", "column 6: found `white:tal`, expected terms on positions or moves only"),
            (
                "check then mate within 999 until capture",
                "column 28: found `until`, expected `within` of at most 128",
            ),
            ("(line:\"1.e4\") any-color", "column 15: found `any-color`, expected no `line:`"),
            ("(reaches:\"1.e4\") shift", "column 18: found `shift`, expected no `fen:`"),
            (
                "(similar:\"4k3/8/8/8/8/8/8/4K3 w - -\") shift",
                "column 39: found `shift`, expected no `similar:` in what is moved",
            ),
            ("similar:\"4k3/8/8/8/8/8/8/4K3 w - - <=x\"", "column 38: found `x\"`, expected a number"),
            ("passed:x", "column 8: found `x`, expected men such as N"),
            ("attacks", "column 1: found `attacks`, expected `:` and a value after `attacks`"),
            ("route:Nb1", "column 10: found the end of the query, expected a route such as"),
            ("eval>x", "column 6: found `x`, expected pawns such as 1.5 or -0.35, or mate"),
            (
                "query:x",
                "column 7: found `x`, expected the name of a query that a collection keeps; there is none",
            ),
            ("reaches:\"1.e4 e4\"", "column 15: found `e4\"`, expected moves from the initial position"),
        ];
        for (text, expected) in cases {
            let found = error(text);
            assert!(found.starts_with(expected), "{text}\nfound:    {found}\nexpected: {expected}");
        }
    }

    #[test]
    fn queries_name_others() {
        let saved =
            [("draws", "result:draw or result:*"), ("one", "query:two"), ("two", "query:one"), ("bad", "x")];
        let saved = saved.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let read = |text| Query::with_saved(text, &saved).map_err(|error| error.to_string());
        let (named, written) =
            (read("-query:draws check"), "-(result:draw or result:*) check".parse::<Query>());
        assert_eq!(format!("{:?}", named.expect("a query")), format!("{:?}", written.expect("a query")));
        let cases = [
            (
                "check query:other",
                "column 13: found `other`, expected the name of a query that a collection keeps: bad, draws",
            ),
            (
                "query:one",
                "column 7: found `one`, expected a query that can be read (column 7: found `two`, expected a query that can be read (column 7: found `one`, expected a query that does not name itself",
            ),
            ("query:bad", "column 7: found `bad`, expected a query that can be read (column 1: found `x`"),
        ];
        for (text, expected) in cases {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(expected), "{text}: {error}");
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

    /// Fragments of queries, in any order.
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
