//! The meaning of annotation glyphs, in signs and in words (PGN standard, section 10).

use super::Nag;
use crate::chess::Color;
use std::borrow::Cow;

/// The first code of those that exist for each side: the code for White is even, and the next one is for Black.
const FIRST_OF_SIDES: u8 = 14;

/// The meanings of the codes from 0, about a move or a position.
const PLAIN: [&str; FIRST_OF_SIDES as usize] = [
    "no annotation",
    "good move",
    "mistake",
    "brilliant move",
    "blunder",
    "interesting move",
    "dubious move",
    "forced move",
    "only move",
    "worst move",
    "drawish position",
    "equal, quiet position",
    "equal, active position",
    "unclear position",
];

/// The meanings of the pairs of codes from [`FIRST_OF_SIDES`], about a side. The standard prints the codes of rooks as
/// 84 to 87 by mistake.
#[rustfmt::skip]
const OF_SIDES: [&str; 63] = [
    "has a slight advantage", "has a moderate advantage", "has a decisive advantage", "has a crushing advantage",
    "is in zugzwang",
    "has slightly more space", "has more space", "has decisively more space",
    "is slightly ahead in development", "is ahead in development", "is decisively ahead in development",
    "has the initiative", "has a lasting initiative", "has the attack",
    "has too little for the material", "has enough for the material", "has more than enough for the material",
    "controls slightly more of the center", "controls more of the center", "controls the center decisively",
    "controls slightly more of the kingside", "controls more of the kingside", "controls the kingside decisively",
    "controls slightly more of the queenside", "controls more of the queenside", "controls the queenside decisively",
    "has a weak first rank", "has a well protected first rank",
    "has a poorly protected king", "has a well protected king",
    "has a poorly placed king", "has a well placed king",
    "has a very weak pawn structure", "has a rather weak pawn structure",
    "has a rather strong pawn structure", "has a very strong pawn structure",
    "has badly placed knights", "has well placed knights",
    "has badly placed bishops", "has well placed bishops",
    "has badly placed rooks", "has well placed rooks",
    "has a badly placed queen", "has a well placed queen",
    "has badly coordinated pieces", "has well coordinated pieces",
    "has played the opening very badly", "has played the opening badly",
    "has played the opening well", "has played the opening very well",
    "has played the middlegame very badly", "has played the middlegame badly",
    "has played the middlegame well", "has played the middlegame very well",
    "has played the ending very badly", "has played the ending badly",
    "has played the ending well", "has played the ending very well",
    "has slight counterplay", "has counterplay", "has decisive counterplay",
    "is short of time", "is in severe time trouble",
];

impl Nag {
    /// Whether the glyph is about the move, and not about the position after it.
    pub const fn is_of_move(self) -> bool {
        matches!(self.0, 1..=9)
    }

    /// Whether the glyph requests a diagram of the position, as in some programs.
    pub const fn is_diagram(self) -> bool {
        matches!(self.0, 220 | 221)
    }

    /// The sign after a move: a suffix of PGN, or a common sign of annotators that most fonts have. `None` if there is
    /// no such sign.
    pub const fn sign(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "!",
            2 => "?",
            3 => "!!",
            4 => "??",
            5 => "!?",
            6 => "?!",
            7 | 8 => "□",
            10..=12 => "=",
            13 => "∞",
            14 => "+/=",
            15 => "=/+",
            16 => "±",
            17 => "∓",
            18 | 20 => "+−",
            19 | 21 => "−+",
            22 | 23 => "⊙",
            24..=29 => "○",
            30..=35 => "↻",
            36..=39 => "↑",
            40 | 41 => "→",
            44..=47 => "=∞",
            130..=135 => "⇆",
            136..=139 => "⊕",
            140 => "∆",
            141 => "∇",
            142 => "⌓",
            145 => "RR",
            146 => "N",
            _ => return None,
        })
    }

    /// The meaning in words. `None` for a code that the standard does not define and on which programs do not agree.
    ///
    /// ```
    /// use hematite_core::notation::pgn::Nag;
    /// assert_eq!(Nag(4).words().as_deref(), Some("blunder"));
    /// assert_eq!(Nag(97).words().as_deref(), Some("Black has well placed rooks"));
    /// assert_eq!(Nag(255).words(), None);
    /// ```
    pub fn words(self) -> Option<Cow<'static, str>> {
        if let Some(&words) = PLAIN.get(usize::from(self.0)) {
            return Some(words.into());
        }
        let pair = usize::from((self.0 - FIRST_OF_SIDES) / 2);
        if let Some(words) = OF_SIDES.get(pair) {
            let side = if self.0.is_multiple_of(2) { Color::White } else { Color::Black };
            return Some(format!("{} {words}", side.name()).into());
        }
        Some(Cow::Borrowed(match self.0 {
            140 => "with the idea",
            141 => "aimed against",
            142 => "better is",
            143 => "worse is",
            144 => "equivalent is",
            145 => "editorial comment",
            146 => "novelty",
            _ if self.is_diagram() => "diagram",
            _ => return None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_standard_have_words() {
        let cases = [
            (1, "good move"),
            (13, "unclear position"),
            (14, "White has a slight advantage"),
            (21, "Black has a crushing advantage"),
            (23, "Black is in zugzwang"),
            (44, "White has enough for the material"),
            (66, "White has a weak first rank"),
            (94, "White has badly placed rooks"),
            (113, "Black has played the opening very well"),
            (136, "White is short of time"),
            (139, "Black is in severe time trouble"),
            (146, "novelty"),
        ];
        for (code, words) in cases {
            assert_eq!(Nag(code).words().as_deref(), Some(words), "${code}");
        }
        assert!((0..=139).all(|code| Nag(code).words().is_some()));
    }

    #[test]
    fn suffixes_are_the_signs_of_their_codes() {
        for suffix in ["!", "?", "!!", "??", "!?", "?!"] {
            let nag = Nag::from_suffix(suffix.as_bytes()).expect("it is a suffix");
            assert_eq!(nag.sign(), Some(suffix));
            assert!(nag.is_of_move());
        }
        assert!(!Nag(14).is_of_move() && Nag(255).sign().is_none());
    }
}
