//! The style of diagrams: colors, themes and sets of pieces.

use crate::chess::{Color, Piece};
use std::fmt;
use std::str::FromStr;

/// A color: red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The error for a text that is not a color.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected a color such as #b58863 or #fff, or one of green, red, yellow, blue, orange, purple, gray, black, white"
)]
pub struct RgbError;

impl Rgb {
    /// The default color of marks.
    pub const GREEN: Self = Self(0x2f, 0x9e, 0x44);
    /// The color of warning marks.
    pub const RED: Self = Self(0xd6, 0x33, 0x3f);
    /// The third color of `%cal` and `%csl`.
    pub const YELLOW: Self = Self(0xe8, 0xb0, 0x10);
    /// The fourth color of `%cal` and `%csl`.
    pub const BLUE: Self = Self(0x1f, 0x78, 0xc8);
    /// A gray that is legible on white and on black.
    const MIDDLE: Self = Self(0x80, 0x80, 0x80);
    const BLACK: Self = Self(0, 0, 0);
    const WHITE: Self = Self(0xff, 0xff, 0xff);

    const NAMED: [(&'static str, Self); 9] = [
        ("green", Self::GREEN),
        ("red", Self::RED),
        ("yellow", Self::YELLOW),
        ("blue", Self::BLUE),
        ("orange", Self(0xf0, 0x7c, 0x1c)),
        ("purple", Self(0x86, 0x4c, 0xbf)),
        ("gray", Self::MIDDLE),
        ("black", Self::BLACK),
        ("white", Self::WHITE),
    ];

    /// Whether black is more legible on this color than white: by its luma (ITU-R BT.601), in thousandths.
    const fn is_light(self) -> bool {
        const SHARES: (u32, u32, u32) = (299, 587, 114);
        let luma = SHARES.0 * self.0 as u32 + SHARES.1 * self.1 as u32 + SHARES.2 * self.2 as u32;
        luma > 1000 * u8::MAX as u32 / 2
    }
}

impl FromStr for Rgb {
    type Err = RgbError;

    fn from_str(text: &str) -> Result<Self, RgbError> {
        if let Some((_, color)) = Self::NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
            return Ok(*color);
        }
        let digits = text.strip_prefix('#').ok_or(RgbError)?;
        let digits: Option<Vec<u8>> = digits
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        match digits.ok_or(RgbError)?[..] {
            // Each digit is doubled, as in CSS.
            [red, green, blue] => Ok(Self(red * 17, green * 17, blue * 17)),
            [r, red, g, green, b, blue] => Ok(Self(r << 4 | red, g << 4 | green, b << 4 | blue)),
            _ => Err(RgbError),
        }
    }
}

impl fmt::Display for Rgb {
    /// Writes the color in the format of SVG and CSS, with as few characters as possible.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(red, green, blue) = *self;
        if [red, green, blue].iter().all(|share| share % 17 == 0) {
            return write!(f, "#{:x}{:x}{:x}", red / 17, green / 17, blue / 17);
        }
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The colors of a board and its surroundings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// The light squares.
    pub light: Rgb,
    /// The dark squares, or the lines on them if they are hatched.
    pub dark: Rgb,
    /// The squares of the last move.
    pub highlight: Rgb,
    /// The background around the board; `None` for transparent.
    paper: Option<Rgb>,
    /// The coordinates, the caption and the frame.
    ink: Rgb,
    /// Whether dark squares are hatched and the last move is framed, for paper.
    is_hatched: bool,
}

impl Theme {
    /// The themes by name. The first one is the default.
    const NAMED: [(&'static str, Self); 6] = [
        (
            "brown",
            Self {
                light: Rgb(0xf1, 0xdf, 0xc4),
                dark: Rgb(0xb7, 0x88, 0x62),
                highlight: Rgb(0xf2, 0xc9, 0x1f),
                paper: Some(Rgb(0xfb, 0xf6, 0xee)),
                ink: Rgb(0x5a, 0x43, 0x30),
                is_hatched: false,
            },
        ),
        (
            "green",
            Self {
                light: Rgb(0xee, 0xf0, 0xd8),
                dark: Rgb(0x74, 0x98, 0x55),
                highlight: Rgb(0xf5, 0xe0, 0x3c),
                paper: Some(Rgb(0xf8, 0xf9, 0xf1)),
                ink: Rgb(0x3a, 0x4d, 0x2b),
                is_hatched: false,
            },
        ),
        (
            "blue",
            Self {
                light: Rgb(0xe4, 0xeb, 0xf2),
                dark: Rgb(0x7a, 0x97, 0xb5),
                highlight: Rgb(0x50, 0xc8, 0xb4),
                paper: Some(Rgb(0xf7, 0xf9, 0xfb)),
                ink: Rgb(0x33, 0x47, 0x5b),
                is_hatched: false,
            },
        ),
        (
            "gray",
            Self {
                light: Rgb(0xec, 0xec, 0xec),
                dark: Rgb(0xa6, 0xa6, 0xa6),
                highlight: Rgb(0x7d, 0xb4, 0xe6),
                paper: Some(Rgb::WHITE),
                ink: Rgb(0x40, 0x40, 0x40),
                is_hatched: false,
            },
        ),
        (
            "dark",
            Self {
                light: Rgb(0x9a, 0xa3, 0xae),
                dark: Rgb(0x5f, 0x6a, 0x78),
                highlight: Rgb(0xe0, 0xb4, 0x3c),
                paper: Some(Rgb(0x22, 0x26, 0x2b)),
                ink: Rgb(0xc4, 0xcb, 0xd4),
                is_hatched: false,
            },
        ),
        (
            "print",
            Self {
                light: Rgb::WHITE,
                dark: Rgb(0x55, 0x55, 0x55),
                highlight: Rgb::BLACK,
                paper: Some(Rgb::WHITE),
                ink: Rgb::BLACK,
                is_hatched: true,
            },
        ),
    ];

    /// The theme with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, theme)| *theme)
    }

    /// The names of all themes; the first one is the default.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMED.iter().map(|(name, _)| *name)
    }

    /// The theme with this color around the board, or with a transparent background. The text color is chosen for
    /// legibility.
    #[must_use]
    pub const fn on(self, paper: Option<Rgb>) -> Self {
        let ink = match paper {
            None => Rgb::MIDDLE,
            Some(paper) if paper.is_light() => Rgb(0x30, 0x30, 0x30),
            Some(_) => Rgb(0xd8, 0xd8, 0xd8),
        };
        Self { paper, ink, ..self }
    }

    /// The color around the board; `None` for transparent.
    pub const fn paper(&self) -> Option<Rgb> {
        self.paper
    }

    /// The color of text and of the frame.
    pub const fn ink(&self) -> Rgb {
        self.ink
    }

    /// Whether dark squares are hatched and the last move is framed.
    pub const fn is_hatched(&self) -> bool {
        self.is_hatched
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::NAMED[0].1
    }
}

/// A set of drawings of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PieceSet {
    /// Round and flat, with a bold outline.
    #[default]
    Modern,
    /// Angular, with facets and thin lines.
    Sharp,
}

/// The colors that replace the colors of a drawing, in the order of [`DRAWN`].
type Palette = [&'static str; DRAWN.len()];

/// The colors of the drawings: body, outline, shade, and lines within the body. For White, the first one is kept.
const DRAWN: [&str; 4] = ["#fff", "#000", "#ddd", "#111"];

impl PieceSet {
    /// All sets.
    pub const ALL: [Self; 2] = [Self::Modern, Self::Sharp];

    /// The name of the set.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Sharp => "sharp",
        }
    }

    /// The drawings: a line with a group for each role, on a square of 100 units, in the colors of White.
    pub const fn drawings(self) -> &'static str {
        match self {
            Self::Modern => include_str!("pieces/modern.svg"),
            Self::Sharp => include_str!("pieces/sharp.svg"),
        }
    }

    const fn palette(self, color: Color) -> Palette {
        match (self, color) {
            (Self::Modern, Color::White) => ["#fff", "#26262b", "#d9d9de", "#26262b"],
            (Self::Modern, Color::Black) => ["#43434b", "#17171b", "#333", "#f4f4f6"],
            (Self::Sharp, Color::White) => ["#fff", "#111", "#cfd2da", "#111"],
            (Self::Sharp, Color::Black) => ["#3d3f48", "#000", "#15161a", "#fff"],
        }
    }

    /// The name of the drawing of a piece in a picture. The sets use different names, since an HTML page may contain
    /// several pictures.
    pub fn id(self, piece: Piece) -> String {
        format!("chess-{}-{piece}", self.name())
    }

    /// The drawing of a piece as an SVG group, on a square of 100 units.
    pub fn drawing(self, piece: Piece) -> String {
        let start = format!("<g id=\"{}\"", piece.role().name());
        let lines = self.drawings().lines();
        let drawn = lines.filter_map(|line| line.strip_prefix(&start)).next().expect("each role is drawn");
        let palette = self.palette(piece.color());
        let mut drawing = format!("<g id=\"{}\"", self.id(piece));
        for part in drawn.split_inclusive('"') {
            let color = part.strip_suffix('"').and_then(|part| DRAWN.iter().position(|drawn| *drawn == part));
            match color {
                Some(color) => {
                    drawing.push_str(palette[color]);
                    drawing.push('"');
                }
                None => drawing.push_str(part),
            }
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn colors_are_read_and_written() {
        let cases = [
            ("#fff", Some("#fff")),
            ("#ffffff", Some("#fff")),
            ("#B58863", Some("#b58863")),
            ("#012", Some("#012")),
            ("Black", Some("#000")),
            ("red", Some("#d6333f")),
            ("", None),
            ("#", None),
            ("#12", None),
            ("#1234", None),
            ("#ggg", None),
            ("fff", None),
            ("#ééé", None),
            ("#fff\"", None),
        ];
        for (text, expected) in cases {
            let written = text.parse::<Rgb>().ok().map(|color| color.to_string());
            assert_eq!(written.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn every_piece_is_drawn_for_itself() {
        let mut drawings = HashSet::new();
        for set in PieceSet::ALL {
            for piece in Piece::ALL {
                let drawing = set.drawing(piece);
                assert!(drawing.starts_with("<g id=\"") && drawing.ends_with("</g>"), "{drawing}");
                let colors = drawing.split('"').filter(|part| part.starts_with('#'));
                let known = set.palette(piece.color());
                assert!(colors.into_iter().all(|color| known.contains(&color)), "{drawing}");
                drawings.insert(drawing);
            }
        }
        assert_eq!(drawings.len(), PieceSet::ALL.len() * Piece::COUNT);
    }

    #[test]
    fn what_is_written_can_be_read_on_any_paper() {
        let [light, dark] = [Rgb::WHITE, Rgb(0x10, 0x10, 0x10)].map(|paper| Theme::default().on(Some(paper)));
        assert!(!light.ink().is_light() && dark.ink().is_light());
        for name in Theme::names() {
            let theme = Theme::named(name).expect("it is named");
            let paper = theme.paper().expect("each has paper");
            assert_ne!(theme.ink().is_light(), paper.is_light(), "{name}");
            assert!(theme.light.is_light(), "{name}");
        }
    }
}
