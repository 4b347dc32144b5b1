//! `info`: the progress of a search.

use super::tokens::{Tokens, saturating};
use std::fmt;
use std::time::Duration;

/// The fields of an `info` line; fields that are not stated are `None` or empty. Moves are text, since the reader may
/// not know the position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Info {
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `seldepth`: the selective depth, in plies.
    pub seldepth: Option<u32>,
    /// `multipv`: the rank of the line, counted from 1.
    pub multi_pv: Option<u32>,
    /// `score`, from the engine's point of view.
    pub score: Option<InfoScore>,
    /// `nodes`: the number of nodes searched.
    pub nodes: Option<u64>,
    /// `nps`: nodes per second.
    pub nodes_per_second: Option<u64>,
    /// `hashfull`: the fill level of the hash table, in permille.
    pub hashfull: Option<u32>,
    /// `tbhits`: the number of tablebase hits.
    pub tb_hits: Option<u64>,
    /// `cpuload`, in permille.
    pub cpu_load: Option<u32>,
    /// `time`: the time of the search, in whole milliseconds.
    pub time: Option<Duration>,
    /// `currmove`: the root move being searched.
    pub current_move: Option<String>,
    /// `currmovenumber`: the number of the root move, counted from 1.
    pub current_move_number: Option<u32>,
    /// `refutation`: a move and the line that refutes it.
    pub refutation: Vec<String>,
    /// `currline`: the number of a thread and the line that it searches.
    pub current_line: Option<(u32, Vec<String>)>,
    /// `pv`: the principal variation.
    pub pv: Vec<String>,
    /// `string`: any text on one line; always the last field.
    pub text: Option<String>,
}

/// The value of a `score` field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InfoScore {
    /// The value of the position.
    pub value: InfoValue,
    /// The relation of the value to the true score.
    pub bound: InfoBound,
    /// `wdl`: the probabilities of the results of the game.
    pub wdl: Option<WinDrawLoss>,
}

/// The value in a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InfoValue {
    /// `cp`: the score in centipawns.
    Centipawns(i32),
    /// `mate`, in full moves, negative if the engine is mated.
    Mate(i32),
}

impl InfoValue {
    /// The value as a single number, for comparisons: centipawns, with mates beyond all evaluations. `mate 0` means
    /// that the side is already mated.
    pub const fn comparable_cp(self) -> i64 {
        const MATE_CP: i64 = i32::MAX as i64 + 1;
        match self {
            Self::Centipawns(value) => value as i64,
            Self::Mate(moves) if moves > 0 => MATE_CP,
            Self::Mate(_) => -MATE_CP,
        }
    }
}

/// The relation of a score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InfoBound {
    /// The score is the true score.
    Exact,
    /// `lowerbound`: the true score is this or more.
    Lower,
    /// `upperbound`: the true score is this or less.
    Upper,
}

/// The probabilities of the results, in permille, whose sum is 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct WinDrawLoss {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

const KEYWORDS: [&str; 17] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "cpuload",
    "time",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl Info {
    /// A line of text for the user.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// Reads the text after the word `info`. Unknown words are skipped, so that the lines of every engine can be read.
    pub fn parse(text: &str) -> Self {
        let mut tokens = Tokens::new(text);
        let mut info = Self::default();
        while let Some(word) = tokens.next() {
            match word {
                "depth" => info.depth = number(&mut tokens),
                "seldepth" => info.seldepth = number(&mut tokens),
                "multipv" => info.multi_pv = number(&mut tokens),
                "score" => info.score = InfoScore::read(&mut tokens),
                "nodes" => info.nodes = number(&mut tokens),
                "nps" => info.nodes_per_second = number(&mut tokens),
                "hashfull" => info.hashfull = number(&mut tokens),
                "tbhits" => info.tb_hits = number(&mut tokens),
                "cpuload" => info.cpu_load = number(&mut tokens),
                "time" => info.time = number(&mut tokens).map(Duration::from_millis),
                "currmove" => info.current_move = tokens.next_unless(is_keyword).map(str::to_owned),
                "currmovenumber" => info.current_move_number = number(&mut tokens),
                "refutation" => info.refutation = moves(&mut tokens),
                "currline" => {
                    let processor = number(&mut tokens).unwrap_or(1);
                    info.current_line = Some((processor, moves(&mut tokens)));
                }
                "pv" => info.pv = moves(&mut tokens),
                "string" => {
                    info.text = Some(tokens.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }
}

impl InfoScore {
    /// The score from the other side's point of view.
    #[must_use]
    pub fn reversed(self) -> Self {
        let value = match self.value {
            InfoValue::Centipawns(value) => InfoValue::Centipawns(value.saturating_neg()),
            InfoValue::Mate(moves) => InfoValue::Mate(moves.saturating_neg()),
        };
        let bound = match self.bound {
            InfoBound::Exact => InfoBound::Exact,
            InfoBound::Lower => InfoBound::Upper,
            InfoBound::Upper => InfoBound::Lower,
        };
        let wdl = self.wdl.map(|chances| WinDrawLoss { win: chances.loss, loss: chances.win, ..chances });
        Self { value, bound, wdl }
    }

    /// An exact score.
    pub const fn exact(value: InfoValue) -> Self {
        Self { value, bound: InfoBound::Exact, wdl: None }
    }

    fn read(tokens: &mut Tokens<'_>) -> Option<Self> {
        let mut score = None;
        let mut bound = InfoBound::Exact;
        let mut wdl = None;
        while let Some(word) = tokens.next_unless(is_keyword) {
            match word {
                "cp" => score = number(tokens).map(InfoValue::Centipawns),
                "mate" => score = number(tokens).map(InfoValue::Mate),
                "lowerbound" => bound = InfoBound::Lower,
                "upperbound" => bound = InfoBound::Upper,
                "wdl" => wdl = WinDrawLoss::read(tokens),
                _ => {}
            }
        }
        Some(Self { value: score?, bound, wdl })
    }
}

impl WinDrawLoss {
    fn read(tokens: &mut Tokens<'_>) -> Option<Self> {
        Some(Self { win: number(tokens)?, draw: number(tokens)?, loss: number(tokens)? })
    }
}

/// The next number, if there is one that fits the type.
fn number<T: TryFrom<i64>>(tokens: &mut Tokens<'_>) -> Option<T> {
    let value = saturating(tokens.next_unless(|word| saturating(word).is_none())?)?;
    T::try_from(value).ok()
}

fn moves(tokens: &mut Tokens<'_>) -> Vec<String> {
    tokens.take_until(is_keyword).into_iter().map(str::to_owned).collect()
}

impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            InfoValue::Centipawns(value) => write!(f, "cp {value}")?,
            InfoValue::Mate(moves) => write!(f, "mate {moves}")?,
        }
        match self.bound {
            InfoBound::Exact => {}
            InfoBound::Lower => f.write_str(" lowerbound")?,
            InfoBound::Upper => f.write_str(" upperbound")?,
        }
        match self.wdl {
            Some(WinDrawLoss { win, draw, loss }) => write!(f, " wdl {win} {draw} {loss}"),
            None => Ok(()),
        }
    }
}

/// Writes a token and its value, if there is one.
fn field(f: &mut fmt::Formatter<'_>, token: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {token} {value}"))
}

/// Writes a token and its moves, if there are any.
fn line(f: &mut fmt::Formatter<'_>, token: &str, moves: &[String]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {token}")?;
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

impl fmt::Display for Info {
    /// The line that parses as these fields, without its line end. Control characters in the text become spaces, so
    /// that it is a single line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multi_pv)?;
        field(f, "score", self.score)?;
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nodes_per_second)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tb_hits)?;
        field(f, "cpuload", self.cpu_load)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.current_move.as_ref())?;
        field(f, "currmovenumber", self.current_move_number)?;
        line(f, "refutation", &self.refutation)?;
        if let Some((processor, moves)) = &self.current_line {
            write!(f, " currline {processor}")?;
            moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        line(f, "pv", &self.pv)?;
        field(f, "string", self.text.as_ref().map(|text| text.replace(char::is_control, " ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_text_parses_back() {
        for line in [
            "info depth 12 seldepth 20 multipv 1 score cp -13 nodes 12345 nps 1000000 hashfull 12 time 12 pv e2e4 e7e5 g1f3",
            "info depth 5 score mate -3 upperbound wdl 0 10 990 nodes 1",
            "info depth 5 score cp 20 lowerbound",
            "info depth 1 currmove e2e4 currmovenumber 1",
            "info tbhits 5 cpuload 500 refutation d1h5 g6h5 pv a2a3",
            "info currline 2 e2e4 e7e5",
            "info string  any depth 5 text",
            "info",
        ] {
            let info = Info::parse(line.strip_prefix("info").expect("each starts with info"));
            assert_eq!(info.to_string(), line.replace("string  ", "string "));
        }
    }

    #[test]
    fn foreign_lines_are_read_as_far_as_they_go() {
        let score = |value| Some(InfoScore::exact(value));
        let cases = [
            ("order", "pv e2e4 score cp 5 depth 3", Some(3), score(InfoValue::Centipawns(5)), 1),
            ("unknown tokens", "depth 3 joho 7 ebf 1.5 pv e2e4", Some(3), None, 1),
            ("bad numbers", "depth x score cp nodes y pv e2e4", None, None, 1),
            ("negative depth", "depth -3 score mate -1", None, score(InfoValue::Mate(-1)), 0),
            ("beyond all numbers", "depth 99999999999999999999 score cp 99999999999999", None, None, 0),
            ("nothing", "", None, None, 0),
        ];
        for (name, line, depth, score, moves) in cases {
            let info = Info::parse(line);
            assert_eq!((info.depth, info.score, info.pv.len()), (depth, score, moves), "{name}");
        }
    }

    #[test]
    fn text_stays_on_one_line() {
        assert_eq!(Info::text("a\nb\rc").to_string(), "info string a b c");
    }
}
