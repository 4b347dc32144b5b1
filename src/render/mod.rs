//! Pictures and pages of chess: positions as SVG and PNG, games as GIF and HTML, without using files, fonts or engines.

mod animation;
mod checksum;
mod curve;
mod diagram;
mod game_section;
mod games_index;
mod inline;
pub mod latex;
mod lettering;
pub mod markdown;
mod moves;
mod page;
mod ratings;
mod style;

pub use animation::{Animation, GIF_WIDTHS_PX, GifError, MAX_FRAMES, Player, Shot};
pub use checksum::is_unchanged_page;
pub use curve::{Curve, clock_curve};
pub use diagram::{Coordinates, Diagram, DiagramStyle, Mark, marks_of};
pub use game_section::{
    Course, GameSection, PlayerCourse, event_line, players_line, result_sign, write_section,
};
pub use games_index::{IndexRow, games_index};
pub use lettering::escape;
pub use moves::{Moves, Reword, caption_after};
pub use page::Page;
pub use ratings::RatingCurve;
pub use style::{PieceSet, Rgb, RgbError, Theme};

use resvg::{tiny_skia, usvg};
use std::ops::RangeInclusive;

/// The allowed widths of pictures, in pixels.
pub const WIDTHS_PX: RangeInclusive<u32> = 16..=4096;

/// The reason why a picture cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PngError {
    /// The text is not valid SVG.
    #[error("the SVG cannot be read: {0}")]
    Svg(String),
    /// There is not enough memory for the pixels.
    #[error("a picture of {width} x {height} pixels is too large")]
    TooLarge {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The pixels cannot be encoded.
    #[error("the PNG cannot be written: {0}")]
    Png(String),
}

/// Converts a picture to PNG, in the size that the SVG states. Text elements are not drawn: pictures made by this
/// module have none.
///
/// ```
/// use hematite_games::chess::Position;
/// use hematite_games::render::{Diagram, DiagramStyle, png};
/// let svg = Diagram::new(&Position::start(), DiagramStyle::default()).to_svg(200);
/// assert!(png(&svg).unwrap().starts_with(b"\x89PNG"));
/// ```
///
/// # Errors
/// [`PngError`] if the text is not valid SVG or the picture is too large.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    pixels(svg)?.encode_png().map_err(|error| PngError::Png(error.to_string()))
}

/// Draws the pixels of a picture.
fn pixels(svg: &str) -> Result<tiny_skia::Pixmap, PngError> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default());
    let tree = tree.map_err(|error| PngError::Svg(error.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or(PngError::TooLarge { width, height })?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    Ok(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The width and height of a PNG, from its header.
    fn size(png: &[u8]) -> (u32, u32) {
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        (number(16), number(20))
    }

    #[test]
    fn the_size_is_that_of_the_svg() {
        let board = crate::chess::Position::start();
        for width in [*WIDTHS_PX.start(), 33, 400] {
            let style = DiagramStyle { coordinates: Coordinates::None, ..DiagramStyle::default() };
            let png = png(&Diagram::new(&board, style).to_svg(width)).expect("it can be drawn");
            assert_eq!(size(&png), (width, width));
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(matches!(png("<svg"), Err(PngError::Svg(_))));
        let large = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4000000000\" height=\"4000000000\"/>";
        assert!(png(large).is_err());
    }
}
