//! Terms: a name, or a name with an operator and a value.

use super::headers::{BadValue, DateTest, EcoTest, HeaderTerm, Operator, Range, RoundTest};
use super::motifs::Motif;
use super::moves::{Line, MovePattern};
use super::parse::{ANY_COLOR, JOINING, MAX_TERMS, Parser};
use super::positions::{Material, Pattern, Variants, split_operator};
use super::route::Route;
use super::scan::{Result, Unquoted, Value};
use super::term_table::{ANY_TAG, Reading, SETUP, Term};
use super::text::MISSING;
use super::tree::{Castled, Leaf, Moment, Parsed, Test};
use crate::chess::Role;
use crate::notation::pgn::{GameResult, Nag, START_TAGS};

/// The values of `in:`.
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

impl Parser<'_> {
    /// Parses a term.
    pub(super) fn term(&mut self) -> Result<Parsed> {
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
        let known = Term::named(&key);
        let Some(operator) = self.scan.operator() else {
            return self.bare(known, &key, start, latest);
        };
        let value = self.scan.value()?;
        let unquoted = Unquoted { term: start, text: value.start, end: self.scan.at };
        let reading = known.and_then(|term| term.reading);
        let is_text = reading.is_some_and(Reading::is_text);
        self.latest = (is_text && !value.is_quoted).then_some(unquoted);
        if value.is_regex && !is_text {
            return Err(self.scan.error(value.start - 1, "a value; only texts have regular expressions"));
        }
        let Some(reading) = reading else {
            return Err(match known {
                Some(_) => self.scan.error(start + key.len(), format!("no value: `{key}` stands alone")),
                None => self.scan.error(start, expected_term(&key)),
            });
        };
        let is_compared = !matches!(operator, Operator::Colon | Operator::Equal);
        if is_compared && !reading.is_comparable() {
            return Err(self.scan.error(value.start, format!("`:` before the value of `{key}`")));
        }
        self.valued(reading, name, operator, &value)
    }

    /// A term without a value.
    fn bare(
        &mut self,
        known: Option<&Term>,
        key: &str,
        start: usize,
        latest: Option<Unquoted>,
    ) -> Result<Parsed> {
        let Some(bare) = known.and_then(Term::bare) else {
            let expected = changing(key, latest, self.scan.text).or_else(|| self.scan.quoted(latest, start));
            return Err(self.scan.error(start, expected.unwrap_or_else(|| expected_term(key))));
        };
        self.is_about_setups |= key == SETUP;
        self.scan.skip_space();
        Ok(bare)
    }

    /// Parses the value of a term with this name.
    fn valued(&mut self, reading: Reading, name: &str, operator: Operator, value: &Value) -> Result<Parsed> {
        let text = value.text.as_str();
        Ok(match reading {
            Reading::Tag(tag) => {
                Parsed::header(HeaderTerm::Tag(tag.to_owned(), self.scan.text(operator, value)?))
            }
            Reading::AnyTag => {
                let tag = &name[ANY_TAG.len()..];
                self.is_about_setups |= START_TAGS.contains(&tag);
                Parsed::header(self.any_tag(tag, operator, value)?)
            }
            Reading::Text(term) => term(self.scan.text(operator, value)?),
            Reading::Round if is_ordered(operator, value) => {
                Parsed::header(HeaderTerm::Round(self.scan.checked(value, RoundTest::read(operator, text))?))
            }
            Reading::Round => {
                Parsed::header(HeaderTerm::Tag("Round".to_owned(), self.scan.text(operator, value)?))
            }
            Reading::Rating(tags) => Parsed::header(self.rating(tags, operator, value)?),
            Reading::Date(term) => {
                Parsed::header(term(self.scan.checked(value, DateTest::read(operator, text))?))
            }
            Reading::Eco(term) => {
                Parsed::header(term(self.scan.checked(value, EcoTest::read(operator, text))?))
            }
            Reading::Number(term) => term(self.scan.checked(value, Range::read(operator, text))?),
            Reading::Stated(read) => {
                Parsed::test(Test::Stated(self.scan.checked(value, read(operator, text))?))
            }
            Reading::Motif(kind) => {
                let motif = self.scan.checked(value, Motif::read(kind, operator, text))?;
                Parsed::test(Test::Motif(Box::new(motif)))
            }
            Reading::Single(read) => read(self, value)?,
        })
    }

    /// A term about the ratings in these tags.
    fn rating(&self, tags: &[&str], operator: Operator, value: &Value) -> Result<HeaderTerm> {
        let names = tags.iter().map(|&tag| tag.to_owned()).collect();
        if value.text == MISSING {
            return Ok(HeaderTerm::NoNumber(names));
        }
        Ok(HeaderTerm::Number(names, self.scan.checked(value, Range::read(operator, &value.text))?))
    }

    /// A term about any tag: a text, or with an ordering operator a number or a date.
    fn any_tag(&self, tag: &str, operator: Operator, value: &Value) -> Result<HeaderTerm> {
        let name = tag.to_owned();
        let is_text = value.is_regex || !is_ordering(operator);
        Ok(if is_text {
            HeaderTerm::Tag(name, self.scan.text(operator, value)?)
        } else if tag.ends_with("Date") {
            HeaderTerm::Date(name, self.scan.checked(value, DateTest::read(operator, &value.text))?)
        } else {
            HeaderTerm::Number(vec![name], self.scan.checked(value, Range::read(operator, &value.text))?)
        })
    }

    /// The game is decided in this way.
    pub(super) fn result(&self, value: &Value) -> Result<HeaderTerm> {
        Ok(HeaderTerm::Result(match value.text.as_str() {
            "white" => GameResult::WhiteWins,
            "black" => GameResult::BlackWins,
            "draw" => GameResult::Draw,
            "decisive" => return Ok(HeaderTerm::Decisive),
            text => GameResult::from_marker(text.as_bytes())
                .ok_or_else(|| self.scan.error(value.start, RESULT))?,
        }))
    }

    /// A glyph such as `!!`, `$3` or `3`.
    pub(super) fn nag(&self, value: &Value) -> Result<Nag> {
        let text = value.text.as_str();
        let nag =
            Nag::from_suffix(text.as_bytes()).or_else(|| text.trim_start_matches('$').parse().ok().map(Nag));
        nag.ok_or_else(|| self.scan.error(value.start, NAG))
    }

    /// Extends the query to variations or comments.
    pub(super) fn extend_scope(&mut self, value: &Value) -> Result<Parsed> {
        match self.scan.one_of(value, &Place::NAMES)? {
            Place::Variations => self.scope.variations = true,
            Place::Comments => self.scope.comments = true,
        }
        Ok(Parsed::All(Vec::new()))
    }

    /// A pattern of men, with the modifiers after it.
    pub(super) fn pattern(
        &mut self,
        value: &Value,
        read: fn(&str, Variants) -> std::result::Result<Pattern, BadValue>,
    ) -> Result<Parsed> {
        let variants = self.variants();
        Ok(Parsed::test(Test::Pattern(self.scan.checked(value, read(&value.text, variants))?)))
    }

    /// The men on the board, of either color with a modifier.
    pub(super) fn material(&mut self, value: &Value) -> Result<Parsed> {
        let any_color = self.scan.take_word(ANY_COLOR);
        Ok(Parsed::test(Test::Material(self.scan.checked(value, Material::read(&value.text, any_color))?)))
    }

    /// The role of a captured man, or of a promotion.
    pub(super) fn role(&self, value: &Value) -> Result<Option<Role>> {
        let role = value.text.chars().next().filter(|_| value.text.len() == 1).and_then(Role::from_letter);
        role.map(Some).ok_or_else(|| self.scan.error(value.start, "one of P, N, B, R, Q"))
    }

    /// The route of a man.
    pub(super) fn route(&mut self, value: &Value) -> Result<Parsed> {
        let route = self.scan.checked(value, Route::read(&value.text))?;
        let memory = self.memories;
        self.memories += Route::MEMORIES;
        Ok(Parsed::test(Test::Route(Box::new(route), memory)))
    }

    /// The moves from the start of the game.
    pub(super) fn line(&mut self, value: &Value) -> Result<Parsed> {
        let line: Line = self.scan.checked(value, value.text.parse())?;
        if let Some(error) = line.illegal_move().filter(|_| !self.is_in_saved_query()) {
            let error = self.scan.error(value.start + error.at, error.expected);
            self.illegal.get_or_insert(error);
        }
        Ok(Parsed::test(Test::Line(line, self.memory())))
    }

    /// One move, or several in a row.
    pub(super) fn played(&mut self, value: &Value) -> Result<Parsed> {
        let moves = self.scan.checked(value, MovePattern::read_several(&value.text))?;
        Ok(self.moves(moves))
    }

    /// The wings to which the sides have castled.
    pub(super) fn castled(&mut self, value: &Value) -> Result<Parsed> {
        let castled = self.scan.one_of(value, &Castled::NAMES)?;
        Ok(Parsed::test(Test::Castled(castled, self.memory())))
    }

    /// A sequence of consecutive moves; `None` is any move.
    fn moves(&mut self, moves: Vec<Option<MovePattern>>) -> Parsed {
        let test = |pattern: Option<MovePattern>| Moment::Test(pattern.map_or(Test::Any, Test::Move));
        let mut moves = moves.into_iter().map(test);
        let first = moves.next().unwrap_or(Moment::Test(Test::Any));
        let all = moves.fold(first, |first, second| {
            let (first, second, memory) = (Box::new(first), Box::new(second), self.memory());
            Moment::Then { first, second, within: Some(1), memory }
        });
        Parsed::leaf(Leaf::Somewhere(all))
    }

    /// Reads the modifiers after a pattern.
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
}

/// The words that change the board of the term before them.
const CHANGING: [&str; 3] = [ANY_COLOR, "mirror", "shift"];
const A_TERM: &str = "a term such as white:tal, date>=1990 or move:Nxf7";

/// The expected text instead of an unknown term.
fn expected_term(key: &str) -> String {
    /// The minimum similarity of a word to a term for a suggestion.
    const ALIKE: f64 = 0.8;
    let likeness = |name: &str| strsim::jaro_winkler(key, name);
    let nearest = Term::names().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|name| likeness(name) >= ALIKE) {
        Some(name) if name == key => format!("`:` and a value after `{name}`"),
        Some(name) => format!("a term; is `{name}` meant?"),
        None => A_TERM.to_owned(),
    }
}

/// The expected text instead of a word that changes the board but follows a term with an unquoted text.
fn changing(key: &str, latest: Option<Unquoted>, query: &str) -> Option<String> {
    let latest = latest.filter(|_| CHANGING.contains(&key))?;
    let term = query[latest.term..latest.end].trim_end();
    Some(format!("a term; `{key}` follows terms on positions, or parentheses: ({term}) {key}"))
}

/// Whether a value is compared by order and not as a text.
fn is_ordered(operator: Operator, value: &Value) -> bool {
    let is_range = operator == Operator::Colon && value.text.contains("..");
    !value.is_regex && (is_range || is_ordering(operator))
}

/// Whether the operator compares by order.
const fn is_ordering(operator: Operator) -> bool {
    matches!(operator, Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast)
}

#[cfg(test)]
mod tests {
    use crate::database::Query;

    fn error(text: &str) -> Option<String> {
        text.parse::<Query>().err().map(|error| error.to_string())
    }

    #[test]
    fn what_no_game_can_match_is_an_error() {
        let cases = [
            (
                "date:1992..1990",
                "column 6: found `1992..1990`, expected a range in ascending order: 1990..1992",
            ),
            ("plies:50..20", "column 7: found `50..20`, expected a range in ascending order: 20..50"),
            ("eco:E99..E60", "column 5: found `E99..E60`, expected a range in ascending order: E60..E99"),
            ("round:3..2.4", "column 7: found `3..2.4`, expected a range in ascending order: 2.4..3"),
            ("eval:0.5..-0.5", "column 6: found `0.5..-0.5`, expected a range in ascending order: -0.5..0.5"),
            ("line:\"1.e4 c5 2.Ng3\"", "column 17: found `Ng3\"`, expected a legal move; with `setup`"),
            ("passed:N", "column 8: found `N`, expected pawns, such as P, p or white"),
            ("isolated:Kd", "column 10: found `Kd`, expected pawns, such as P, p or white"),
            (
                "xray:N->q->k",
                "column 6: found `N->q->k`, expected bishops, rooks or queens, such as B, r or white",
            ),
            (
                "white:tal any-color",
                "column 11: found `any-color`, expected a term; `any-color` follows terms on positions, or parentheses: (white:tal) any-color",
            ),
        ];
        for (text, expected) in cases {
            let found = error(text).unwrap_or_default();
            assert!(found.starts_with(expected), "{text}\nfound:    {found}\nexpected: {expected}");
        }
    }

    #[test]
    fn what_can_be_true_is_read() {
        for query in [
            "date:1990..1990 plies:20..20 eco:E60..E60 round:2.1..2 eval:-0.5..0.5 date:1990.05..1990",
            "line:\"1.e4 c5 2.Ng3\" setup",
            "tag.Variant:chess960 line:\"1.e4 c5 2.Ng3\"",
            "line:\"1.Kf6 Kd8\"",
            "passed:[NP] isolated:? outpost:Q battery:q pin:N",
            "(white:tal) any-color",
        ] {
            assert_eq!(error(query), None, "{query}");
        }
    }
}
