//! The terms of the language: their names, values and meaning, and what is proposed for them during input.

use super::headers::{BadValue, DateTest, EcoTest, HeaderTerm, Operator, Range};
use super::motifs::{Kind, Motif};
use super::moves::{End, GameTerm};
use super::parse::Parser;
use super::positions::{Bishops, Pattern, Target};
use super::scan::{Result, Value};
use super::similar::Similar;
use super::speed::Speed;
use super::stated::{Fact, Stated};
use super::text::Text;
use super::tree::{Parsed, Test};
use crate::chess::Color;

/// The value of a term, and the construction of the term from it.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// The text of this tag.
    Tag(&'static str),
    /// The value of the tag that follows the name of the term.
    AnyTag,
    /// A text.
    Text(fn(Text) -> Parsed),
    /// A round: a text, or in a range numbers with dots.
    Round,
    /// A rating in one of these tags.
    Rating(&'static [&'static str]),
    Date(fn(DateTest) -> HeaderTerm),
    /// Codes of openings.
    Eco(fn(EcoTest) -> HeaderTerm),
    /// A range of whole numbers.
    Number(fn(Range) -> Parsed),
    /// A range of numbers that comments state.
    Stated(fn(Operator, &str) -> std::result::Result<Stated, BadValue>),
    /// The men of a motif and their number.
    Motif(Kind),
    /// A value of another kind, which is not compared by order.
    Single(fn(&mut Parser<'_>, &Value) -> Result<Parsed>),
}

impl Reading {
    /// Whether the value is a text, which may be a regular expression.
    pub(super) const fn is_text(self) -> bool {
        matches!(self, Self::Tag(_) | Self::AnyTag | Self::Text(_) | Self::Round)
    }

    /// Whether other operators than `:` and `=` may precede the value.
    pub(super) const fn is_comparable(self) -> bool {
        !matches!(self, Self::Single(_))
    }
}

/// A term of the language.
#[derive(Clone, Copy)]
pub(super) struct Term {
    name: &'static str,
    /// The form with a value.
    pub reading: Option<Reading>,
    /// The form without a value.
    bare: Option<fn() -> Parsed>,
    /// Texts that are proposed during input, with descriptions.
    proposed: &'static [(&'static str, &'static str)],
    /// Values that are proposed after the name, with descriptions.
    values: &'static [(&'static str, &'static str)],
}

impl Term {
    const fn valued(name: &'static str, reading: Reading) -> Self {
        Self { name, reading: Some(reading), bare: None, proposed: &[], values: &[] }
    }

    const fn only_bare(name: &'static str, bare: fn() -> Parsed) -> Self {
        Self { name, reading: None, bare: Some(bare), proposed: &[], values: &[] }
    }

    const fn tag(name: &'static str, tag: &'static str) -> Self {
        Self::valued(name, Reading::Tag(tag))
    }

    const fn text(name: &'static str, term: fn(Text) -> Parsed) -> Self {
        Self::valued(name, Reading::Text(term))
    }

    const fn number(name: &'static str, term: fn(Range) -> Parsed) -> Self {
        Self::valued(name, Reading::Number(term))
    }

    const fn date(name: &'static str, term: fn(DateTest) -> HeaderTerm) -> Self {
        Self::valued(name, Reading::Date(term))
    }

    const fn eco(name: &'static str, term: fn(EcoTest) -> HeaderTerm) -> Self {
        Self::valued(name, Reading::Eco(term))
    }

    const fn single(name: &'static str, read: fn(&mut Parser<'_>, &Value) -> Result<Parsed>) -> Self {
        Self::valued(name, Reading::Single(read))
    }

    const fn motif(kind: Kind) -> Self {
        Self::valued(kind.name(), Reading::Motif(kind))
    }

    const fn or_bare(self, bare: fn() -> Parsed) -> Self {
        Self { bare: Some(bare), ..self }
    }

    const fn proposed(self, proposed: &'static [(&'static str, &'static str)]) -> Self {
        Self { proposed, ..self }
    }

    const fn values(self, values: &'static [(&'static str, &'static str)]) -> Self {
        Self { values, ..self }
    }

    /// The term with this name in lower case.
    pub(super) fn named(key: &str) -> Option<&'static Self> {
        let is_tag = key.len() > ANY_TAG.len() && key.starts_with(ANY_TAG);
        let name = if is_tag { ANY_TAG } else { key };
        TERMS.iter().find(|term| term.name == name && (is_tag || name != ANY_TAG))
    }

    /// The names of all terms except [`ANY_TAG`], which is the start of names.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        TERMS.iter().map(|term| term.name).filter(|&name| name != ANY_TAG)
    }

    /// The term without a value; `None` if it needs one.
    pub(super) fn bare(&self) -> Option<Parsed> {
        match (self.bare, self.reading) {
            (Some(bare), _) => Some(bare()),
            (None, Some(Reading::Motif(kind))) => Some(test(Test::Motif(Box::new(Motif::alone(kind)?)))),
            (None, _) => None,
        }
    }
}

/// The names of all terms of queries; `tag.` is followed by the name of a tag.
pub fn query_terms() -> impl Iterator<Item = &'static str> {
    TERMS.iter().map(|term| term.name)
}

/// Starts of terms to be proposed during input, with descriptions.
pub fn proposed_terms() -> impl Iterator<Item = (&'static str, &'static str)> {
    TERMS.iter().flat_map(|term| term.proposed).copied()
}

/// Values to be proposed during input after the name of a term in lower case, with descriptions.
pub fn proposed_values(term: &str) -> &'static [(&'static str, &'static str)] {
    Term::named(term).map_or(&[], |term| term.values)
}

fn header(term: HeaderTerm) -> Parsed {
    Parsed::header(term)
}

fn game(term: GameTerm) -> Parsed {
    Parsed::game(term)
}

fn test(test: Test) -> Parsed {
    Parsed::test(test)
}

/// The start of the names of terms on any tag.
pub(super) const ANY_TAG: &str = "tag.";
/// The term for games from other positions.
pub(super) const SETUP: &str = "setup";

/// The minimum loss in pawns for a sacrifice: less may be a gambit or a mistake.
const LEAST_SACRIFICE: i64 = 2;

/// All terms, in the order in which they are proposed.
static TERMS: &[Term] = &[
    Term::text("player", |text| header(HeaderTerm::Player(text)))
        .proposed(&[("player:", "a player with either color")]),
    Term::tag("white", "White").proposed(&[("white:", "the player of White")]),
    Term::tag("black", "Black").proposed(&[("black:", "the player of Black")]),
    Term::text("winner", |text| header(HeaderTerm::Winner(text))).proposed(&[("winner:", "who has won")]),
    Term::text("loser", |text| header(HeaderTerm::Loser(text))).proposed(&[("loser:", "who has lost")]),
    Term::tag("event", "Event").proposed(&[("event:", "the event")]),
    Term::tag("site", "Site").proposed(&[("site:", "the place")]),
    Term::valued("round", Reading::Round).proposed(&[("round=", "the round")]),
    Term::tag("annotator", "Annotator").proposed(&[("annotator:", "who has annotated")]),
    Term::text("source", |text| header(HeaderTerm::Source(text)))
        .proposed(&[("source:", "the file that it is from")]),
    Term::date("added", HeaderTerm::Added).proposed(&[("added>=", "the day on which that file was added")]),
    Term::single("result", |parser, value| Ok(header(parser.result(value)?)))
        .proposed(&[("result:", "the result")])
        .values(&[
            ("1-0", "White has won"),
            ("0-1", "Black has won"),
            ("1/2-1/2", "drawn"),
            ("*", "without a result"),
            ("decisive", "not drawn"),
        ]),
    Term::date("date", |date| HeaderTerm::Date("Date".to_owned(), date)).proposed(&[
        ("date:", "year or month"),
        ("date>=", "since"),
        ("date<", "before"),
    ]),
    Term::date("eventdate", |date| HeaderTerm::Date("EventDate".to_owned(), date)),
    Term::valued("elo", Reading::Rating(&["WhiteElo", "BlackElo"])).proposed(&[("elo>=", "a rating")]),
    Term::valued("whiteelo", Reading::Rating(&["WhiteElo"])).proposed(&[("whiteelo>=", "White's rating")]),
    Term::valued("blackelo", Reading::Rating(&["BlackElo"])).proposed(&[("blackelo>=", "Black's rating")]),
    Term::single("speed", |parser, value| {
        Ok(header(HeaderTerm::Speed(parser.scan.one_of(value, &Speed::NAMES)?)))
    })
    .proposed(&[("speed:", "bullet, blitz, rapid, classical, correspondence or none")])
    .values(&[
        ("bullet", "less than 3 minutes for 40 moves"),
        ("blitz", "less than 8 minutes"),
        ("rapid", "less than 25 minutes"),
        ("classical", "less than a day"),
        ("correspondence", "a day or more"),
        ("none", "no known time control"),
    ]),
    Term::eco("eco", HeaderTerm::Eco).proposed(&[("eco:", "codes of openings")]),
    Term::text("opening", |text| header(HeaderTerm::Opening(text)))
        .proposed(&[("opening:", "name of the opening")]),
    Term::eco("played-eco", HeaderTerm::PlayedEco)
        .proposed(&[("played-eco:", "codes of the moves, whatever the tags say")]),
    Term::text("played-opening", |text| header(HeaderTerm::PlayedOpening(text)))
        .proposed(&[("played-opening:", "name of the opening by the moves")]),
    Term::number("moves", |moves| game(GameTerm::Moves(moves)))
        .proposed(&[("moves>=", "length in moves"), ("moves<", "length in moves")]),
    Term::number("plies", |plies| game(GameTerm::Plies(plies)))
        .proposed(&[("plies>", "length in half-moves")]),
    Term::valued(ANY_TAG, Reading::AnyTag).proposed(&[("tag.", "any tag")]),
    Term::single("line", |parser, value| parser.line(value)).proposed(&[("line:", "exactly these moves")]),
    Term::single("reaches", |parser, value| {
        let target = parser.scan.checked(value, Target::read_moves(&value.text))?;
        Ok(test(Test::Position(target)))
    })
    .proposed(&[("reaches:", "a position by its moves")]),
    Term::single("fen", |parser, value| {
        let target = parser.scan.checked(value, Target::read_fen(&value.text))?;
        Ok(test(Test::Position(target)))
    })
    .proposed(&[("fen:", "a position")]),
    Term::single("move", |parser, value| parser.played(value)).proposed(&[("move:", "a move, such as Nxf7")]),
    Term::single("route", |parser, value| parser.route(value)),
    Term::single("pattern", |parser, value| parser.pattern(value, Pattern::read))
        .proposed(&[("pattern:", "men on squares")]),
    Term::single("structure", |parser, value| parser.pattern(value, Pattern::read_structure))
        .proposed(&[("structure:", "a structure of pawns")]),
    Term::single("similar", |parser, value| {
        let similar = parser.scan.checked(value, Similar::read(&value.text))?;
        Ok(test(Test::Similar(Box::new(similar))))
    })
    .proposed(&[("similar:", "positions like this one")]),
    Term::single("material", |parser, value| parser.material(value))
        .proposed(&[("material:", "men on the board")]),
    Term::number("balance", |pawns| test(Test::Balance(pawns)))
        .proposed(&[("balance>=", "the difference in points")]),
    Term::single("bishops", |parser, value| {
        Ok(test(Test::Bishops(parser.scan.one_of(value, &Bishops::NAMES)?)))
    })
    .proposed(&[("bishops:opposite", "bishops of different colors")])
    .values(&[("opposite", "on squares of different colors"), ("same", "on squares of one color")]),
    Term::number("men", |men| test(Test::Men(men))).proposed(&[("men<=", "men on the board")]),
    Term::number("ply", |plies| test(Test::Ply(plies))).proposed(&[("ply>=", "after so many plies")]),
    Term::single("end", |parser, value| Ok(game(GameTerm::End(parser.scan.one_of(value, &End::NAMES)?))))
        .proposed(&[("end:", "how the game ends")])
        .values(&[
            ("mate", "by mate"),
            ("stalemate", "by stalemate"),
            ("material", "neither side can mate"),
            ("repetition", "by the third occurrence of a position"),
            ("fifty-moves", "by fifty moves without a capture or pawn move"),
            ("open", "before an end on the board"),
        ]),
    Term::only_bare("annotated", || game(GameTerm::Annotated))
        .proposed(&[("annotated", "with comments, signs or variations")]),
    Term::only_bare("commented", || game(GameTerm::HasComments)).proposed(&[("commented", "with comments")]),
    Term::only_bare("variations", || game(GameTerm::HasVariations)),
    Term::only_bare(SETUP, || game(GameTerm::SetUp)),
    Term::text("comment", |text| game(GameTerm::Comment(text))).proposed(&[("comment:", "a comment")]),
    Term::single("nag", |parser, value| Ok(game(GameTerm::Nag(parser.nag(value)?))))
        .proposed(&[("nag:", "a sign")]),
    Term::valued("eval", Reading::Stated(Stated::read_evaluation)),
    Term::valued("clk", Reading::Stated(Stated::read_clock)),
    Term::valued("emt", Reading::Stated(Stated::read_elapsed)),
    Term::single("has", |parser, value| {
        Ok(test(Test::Stated(Stated::Has(parser.scan.one_of(value, &Fact::NAMES)?))))
    })
    .values(&[("eval", "an evaluation"), ("clk", "the clock"), ("emt", "the time of a move")]),
    Term::only_bare("check", || test(Test::Check)).proposed(&[("check", "a check")]),
    Term::only_bare("double-check", || test(Test::DoubleCheck)),
    Term::only_bare("discovered-check", || test(Test::DiscoveredCheck)),
    Term::only_bare("mate", || test(Test::Mate)).proposed(&[("mate", "a mate")]),
    Term::single("capture", |parser, value| Ok(test(Test::Capture(parser.role(value)?))))
        .or_bare(|| test(Test::Capture(None)))
        .proposed(&[("capture", "a capture")]),
    Term::single("promotion", |parser, value| Ok(test(Test::Promotion(parser.role(value)?))))
        .or_bare(|| test(Test::Promotion(None)))
        .proposed(&[("promotion", "a promotion")]),
    Term::number("sacrifice", |pawns| test(Test::Sacrifice(pawns)))
        .or_bare(|| test(Test::Sacrifice(Range::at_least(LEAST_SACRIFICE))))
        .proposed(&[("sacrifice", "a sacrifice")]),
    Term::single("castled", |parser, value| parser.castled(value))
        .proposed(&[("castled:", "who has castled")])
        .values(&[
            ("white", "White has castled"),
            ("black", "Black has castled"),
            ("same", "both on the same wing"),
            ("opposite", "both on different wings"),
        ]),
    Term::single("turn", |parser, value| {
        let sides = [("white", Color::White), ("black", Color::Black)];
        Ok(test(Test::Turn(parser.scan.one_of(value, &sides)?)))
    })
    .proposed(&[("turn:", "who is to move")])
    .values(&[("white", "White is to move"), ("black", "Black is to move")]),
    Term::only_bare("any", || test(Test::Any)),
    Term::only_bare("last", || test(Test::Last)).proposed(&[("last", "the last position")]),
    Term::single("in", |parser, value| parser.extend_scope(value))
        .proposed(&[("in:variations", "also in variations")])
        .values(&[("variations", "also in variations"), ("comments", "also in comments")]),
    Term::single("query", |parser, value| parser.saved_query(value)),
    Term::motif(Kind::Passed),
    Term::motif(Kind::Isolated),
    Term::motif(Kind::Doubled),
    Term::motif(Kind::Backward),
    Term::motif(Kind::Connected),
    Term::motif(Kind::OpenFile),
    Term::motif(Kind::HalfOpen),
    Term::motif(Kind::Attacks),
    Term::motif(Kind::XRay),
    Term::motif(Kind::Pin),
    Term::motif(Kind::Skewer),
    Term::motif(Kind::Battery),
    Term::motif(Kind::Hanging),
    Term::motif(Kind::Fork),
    Term::motif(Kind::Outpost),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Query;

    #[test]
    fn proposed_values_can_be_read() {
        for term in TERMS {
            for (value, _) in term.values {
                let query = format!("mate {}:{value}", term.name);
                assert!(query.parse::<Query>().is_ok(), "{query}");
            }
        }
    }

    /// Where a term takes one of a few names, all are proposed.
    #[test]
    fn all_names_are_proposed() {
        fn names<T, const N: usize>(names: [(&'static str, T); N]) -> Vec<&'static str> {
            names.into_iter().map(|(name, _)| name).collect()
        }
        for (term, mut expected) in [
            ("speed", names(Speed::NAMES)),
            ("bishops", names(Bishops::NAMES)),
            ("end", names(End::NAMES)),
            ("has", names(Fact::NAMES)),
            ("turn", vec!["white", "black"]),
        ] {
            let mut proposed: Vec<&str> = proposed_values(term).iter().map(|(value, _)| *value).collect();
            expected.sort_unstable();
            proposed.sort_unstable();
            assert_eq!(proposed, expected, "{term}");
        }
    }
}
