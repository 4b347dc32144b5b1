//! Terms: a name, or a name with an operator and a value.

use super::headers::{DateTest, EcoTest, HeaderTerm, Operator, Range, RoundTest};
use super::motifs::{Kind, Motif};
use super::moves::{End, GameTerm, Line, MovePattern};
use super::parse::{ANY_COLOR, JOINING, MAX_TERMS, Parser};
use super::positions::{Bishops, Material, Pattern, Target, Variants, split_operator};
use super::route::Route;
use super::scan::{Result, Unquoted, Value};
use super::similar::Similar;
use super::speed::Speed;
use super::stated::{Fact, Stated};
use super::text::MISSING;
use super::tree::{Castled, Leaf, Moment, Parsed, Test};
use crate::chess::{Color, Role};
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
        let Some(operator) = self.scan.operator() else {
            let changing = || {
                let text = latest.filter(|_| CHANGING.contains(&&*key));
                text.map(|text| {
                    let term = self.scan.text[text.term..text.end].trim_end();
                    format!("a term; `{key}` follows terms on positions, or parentheses: ({term}) {key}")
                })
            };
            let quoted = || changing().or_else(|| self.scan.quoted(latest, start));
            let expected = || quoted().unwrap_or_else(|| self.expected_term(&key));
            let parsed = bare_term(&key).ok_or_else(|| self.scan.error(start, expected()))?;
            self.is_about_setups |= key == SETUP;
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
            self.is_about_setups |= START_TAGS.contains(&tag);
            return self.tag_term(tag, operator, &value);
        }
        let comparing = matches!(operator, Operator::Colon | Operator::Equal);
        let ranged = RANGED.contains(&&*key)
            || is_text(&key)
            || matches!(&*key, "date" | "eventdate" | "added" | "eco" | "played-eco");
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
        if let Some(kind) = Kind::named(key) {
            let motif = self.scan.checked(value, Motif::read(kind, operator, text))?;
            return Ok(Parsed::test(Test::Motif(Box::new(motif))));
        }
        Ok(match key {
            "white" => Parsed::header(HeaderTerm::Tag(tag("White"), self.scan.text(operator, value)?)),
            "black" => Parsed::header(HeaderTerm::Tag(tag("Black"), self.scan.text(operator, value)?)),
            "event" => Parsed::header(HeaderTerm::Tag(tag("Event"), self.scan.text(operator, value)?)),
            "site" => Parsed::header(HeaderTerm::Tag(tag("Site"), self.scan.text(operator, value)?)),
            "round" if is_ordered(operator, value) => {
                Parsed::header(HeaderTerm::Round(self.scan.checked(value, RoundTest::read(operator, text))?))
            }
            "round" => Parsed::header(HeaderTerm::Tag(tag("Round"), self.scan.text(operator, value)?)),
            "speed" => Parsed::header(HeaderTerm::Speed(self.scan.one_of(value, &Speed::NAMES)?)),
            "source" => Parsed::header(HeaderTerm::Source(self.scan.text(operator, value)?)),
            "added" => {
                Parsed::header(HeaderTerm::Added(self.scan.checked(value, DateTest::read(operator, text))?))
            }
            "annotator" => {
                Parsed::header(HeaderTerm::Tag(tag("Annotator"), self.scan.text(operator, value)?))
            }
            "player" => Parsed::header(HeaderTerm::Player(self.scan.text(operator, value)?)),
            "winner" => Parsed::header(HeaderTerm::Winner(self.scan.text(operator, value)?)),
            "loser" => Parsed::header(HeaderTerm::Loser(self.scan.text(operator, value)?)),
            "opening" => Parsed::header(HeaderTerm::Opening(self.scan.text(operator, value)?)),
            "played-opening" => Parsed::header(HeaderTerm::PlayedOpening(self.scan.text(operator, value)?)),
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
            "played-eco" => Parsed::header(HeaderTerm::PlayedEco(
                self.scan.checked(value, EcoTest::read(operator, text))?,
            )),
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
            "similar" => {
                Parsed::test(Test::Similar(Box::new(self.scan.checked(value, Similar::read(text))?)))
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
            "move" => {
                let moves = self.scan.checked(value, MovePattern::read_several(text))?;
                self.moves(moves)
            }
            "route" => {
                let route = self.scan.checked(value, Route::read(text))?;
                let memory = self.memories;
                self.memories += Route::MEMORIES;
                Parsed::test(Test::Route(Box::new(route), memory))
            }
            "eval" => {
                Parsed::test(Test::Stated(self.scan.checked(value, Stated::read_evaluation(operator, text))?))
            }
            "clk" => {
                Parsed::test(Test::Stated(self.scan.checked(value, Stated::read_clock(operator, text))?))
            }
            "emt" => {
                Parsed::test(Test::Stated(self.scan.checked(value, Stated::read_elapsed(operator, text))?))
            }
            "query" => self.saved_query(value)?,
            "has" => Parsed::test(Test::Stated(Stated::Has(self.scan.one_of(value, &Fact::NAMES)?))),
            "capture" => Parsed::test(Test::Capture(role()?)),
            "promotion" => Parsed::test(Test::Promotion(role()?)),
            "line" => {
                let line: Line = self.scan.checked(value, text.parse())?;
                if let Some(error) = line.illegal_move().filter(|_| !self.is_in_saved_query()) {
                    let error = self.scan.error(value.start + error.at, error.expected);
                    self.illegal.get_or_insert(error);
                }
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

    /// A term about any tag: a text, or with an ordering operator a number or a date.
    fn tag_term(&self, tag: &str, operator: Operator, value: &Value) -> Result<Parsed> {
        let name = tag.to_owned();
        let is_text = value.is_regex || !is_ordering(operator);
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

    /// The expected text instead of an unknown term.
    fn expected_term(&self, key: &str) -> String {
        /// The minimum similarity of a word to a term for a suggestion.
        const ALIKE: f64 = 0.8;
        let likeness = |name: &str| strsim::jaro_winkler(key, name);
        let nearest = names().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        match nearest.filter(|name| likeness(name) >= ALIKE) {
            Some(name) if name == key => format!("`:` and a value after `{name}`"),
            Some(name) => format!("a term; is `{name}` meant?"),
            None => A_TERM.to_owned(),
        }
    }
}

/// The words that change the board of the term before them.
const CHANGING: [&str; 3] = [ANY_COLOR, "mirror", "shift"];
/// The term for games from other positions.
const SETUP: &str = "setup";

const A_TERM: &str = "a term such as white:tal, date>=1990 or move:Nxf7";

/// The terms with a text.
const TEXTS: [&str; 13] = [
    "white",
    "black",
    "event",
    "site",
    "round",
    "annotator",
    "source",
    "player",
    "winner",
    "loser",
    "opening",
    "played-opening",
    "comment",
];
/// The terms with a number.
const RANGED: [&str; 12] = [
    "whiteelo",
    "blackelo",
    "elo",
    "plies",
    "moves",
    "ply",
    "men",
    "balance",
    "sacrifice",
    "eval",
    "clk",
    "emt",
];
/// The other terms with a value.
const VALUED: [&str; 25] = [
    "date",
    "eventdate",
    "added",
    "speed",
    "eco",
    "played-eco",
    "result",
    "nag",
    "end",
    "in",
    "fen",
    "reaches",
    "pattern",
    "structure",
    "similar",
    "material",
    "bishops",
    "turn",
    "move",
    "capture",
    "promotion",
    "line",
    "route",
    "has",
    "query",
];
/// The terms without a value.
const BARE: [&str; 13] = [
    "annotated",
    "commented",
    "variations",
    "setup",
    "check",
    "mate",
    "last",
    "capture",
    "promotion",
    "sacrifice",
    "any",
    "double-check",
    "discovered-check",
];

/// The names of all terms.
fn names() -> impl Iterator<Item = &'static str> {
    let motifs = Kind::NAMES.iter().map(|&(name, _)| name);
    TEXTS.iter().chain(&RANGED).chain(&VALUED).chain(&BARE).copied().chain(["castled"]).chain(motifs)
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

/// Whether the value of the term is a text.
fn is_text(key: &str) -> bool {
    TEXTS.contains(&key) || key.starts_with("tag.")
}

fn is_valued(key: &str) -> bool {
    VALUED.contains(&key) || key == "castled"
}

/// A term without a value.
fn bare_term(key: &str) -> Option<Parsed> {
    /// The minimum loss in pawns for a sacrifice: less may be a gambit or a mistake.
    const LEAST_SACRIFICE: i64 = 2;
    Some(match key {
        "annotated" => Parsed::game(GameTerm::Annotated),
        "commented" => Parsed::game(GameTerm::HasComments),
        "variations" => Parsed::game(GameTerm::HasVariations),
        SETUP => Parsed::game(GameTerm::SetUp),
        "check" => Parsed::test(Test::Check),
        "mate" => Parsed::test(Test::Mate),
        "last" => Parsed::test(Test::Last),
        "capture" => Parsed::test(Test::Capture(None)),
        "promotion" => Parsed::test(Test::Promotion(None)),
        "sacrifice" => Parsed::test(Test::Sacrifice(Range::at_least(LEAST_SACRIFICE))),
        "any" => Parsed::test(Test::Any),
        "double-check" => Parsed::test(Test::DoubleCheck),
        "discovered-check" => Parsed::test(Test::DiscoveredCheck),
        _ => Parsed::test(Test::Motif(Box::new(Motif::alone(Kind::named(key)?)?))),
    })
}

/// Parses a glyph such as `!!`, `$3` or `3`.
fn read_nag(text: &str) -> Option<Nag> {
    Nag::from_suffix(text.as_bytes()).or_else(|| text.trim_start_matches('$').parse().ok().map(Nag))
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
