//! The signs that judge a move.

/// One of the six suffixes of section 8.2.3.8, each with its numeric glyph (section 10).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Annotation {
    /// `!`: a good move.
    Good = 1,
    /// `?`: a poor move.
    Poor = 2,
    /// `!!`: a very good move.
    VeryGood = 3,
    /// `??`: a very poor move.
    VeryPoor = 4,
    /// `!?`: a speculative move.
    Speculative = 5,
    /// `?!`: a questionable move.
    Questionable = 6,
}

impl Annotation {
    /// All six, in the order of their glyphs.
    pub const ALL: [Self; 6] =
        [Self::Good, Self::Poor, Self::VeryGood, Self::VeryPoor, Self::Speculative, Self::Questionable];

    /// The suffix.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Good => "!",
            Self::Poor => "?",
            Self::VeryGood => "!!",
            Self::VeryPoor => "??",
            Self::Speculative => "!?",
            Self::Questionable => "?!",
        }
    }

    /// The number of the numeric annotation glyph.
    pub const fn nag(self) -> u8 {
        self as u8
    }

    /// The annotation with this numeric glyph.
    pub fn from_nag(nag: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|annotation| annotation.nag() == nag)
    }

    /// The annotation with this suffix.
    pub fn from_suffix(suffix: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|annotation| annotation.suffix().as_bytes() == suffix)
    }

    /// Takes the suffix off a move. A suffix that is none of the six, such as `!!!`, stays.
    #[inline]
    pub fn split(text: &[u8]) -> (&[u8], Option<Self>) {
        match text.last() {
            Some(b'!' | b'?') => Self::split_suffix(text),
            _ => (text, None),
        }
    }

    #[cold]
    fn split_suffix(text: &[u8]) -> (&[u8], Option<Self>) {
        let length = text.iter().rev().take_while(|&&byte| matches!(byte, b'!' | b'?')).count();
        let (mv, suffix) = text.split_at(text.len() - length);
        match Self::from_suffix(suffix) {
            Some(annotation) => (mv, Some(annotation)),
            None => (text, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_split_off() {
        for annotation in Annotation::ALL {
            let text = format!("Qxa8+{}", annotation.suffix());
            assert_eq!(Annotation::split(text.as_bytes()), (&b"Qxa8+"[..], Some(annotation)));
            assert_eq!(Annotation::from_nag(annotation.nag()), Some(annotation));
        }
        for text in ["", "e4", "e4!!!", "e4?+"] {
            assert_eq!(Annotation::split(text.as_bytes()), (text.as_bytes(), None), "{text}");
        }
        assert_eq!(Annotation::from_nag(0), None);
        assert_eq!(Annotation::from_nag(7), None);
    }
}
