//! Encoding of animations as GIF: frames are drawn on all cores, reduced to a common palette, and encoded as
//! differences.

use super::super::{PngError, pixels};
use super::palette::{Histogram, Palette};
use super::scene::{Layout, Parts, Scene};
use super::{Animation, Shot};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use rayon::prelude::*;
use resvg::tiny_skia;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The allowed widths of animations, in pixels.
pub const GIF_WIDTHS_PX: RangeInclusive<u32> = 64..=2000;
/// The maximum number of frames of an animation.
pub const MAX_FRAMES: usize = 3000;
/// The number of frames from which the palette is made, in addition to those with marks.
const SAMPLES: usize = 12;
/// The maximum number of pixels in memory at a time.
const MAX_PIXELS: usize = 1 << 24;
/// The unit of time in a GIF.
const TICK: Duration = Duration::from_millis(10);

/// The reason why an animation cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum GifError {
    /// The animation has no frames.
    #[error("there is no frame")]
    Empty,
    /// There are more than [`MAX_FRAMES`].
    #[error("there are {0} frames, more than {MAX_FRAMES}")]
    TooManyFrames(usize),
    /// The picture of a frame is not valid SVG, or is too large.
    #[error(transparent)]
    Picture(#[from] PngError),
    /// The frames cannot be encoded.
    #[error("the GIF cannot be written: {0}")]
    Encoding(#[from] EncodingError),
}

/// A rectangular part of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// The smallest area with all pixels that differ between two pictures of this width; a single pixel if they are
    /// equal.
    fn of_changes(before: &[u8], after: &[u8], width: usize) -> Self {
        let rows = || before.chunks_exact(width).zip(after.chunks_exact(width)).enumerate();
        let differs = |(_, (before, after)): &(usize, (&[u8], &[u8]))| before != after;
        let mut changed = rows().filter(differs).peekable();
        let Some(&(top, _)) = changed.peek() else { return Self { left: 0, top: 0, width: 1, height: 1 } };
        let (mut bottom, mut left, mut right) = (top, width, 0);
        for (row, (before, after)) in changed {
            bottom = row;
            let is_other = |column: &usize| before[*column] != after[*column];
            left = (0..left).find(is_other).unwrap_or(left);
            right = (right..width).rev().find(is_other).map_or(right, |last| last + 1);
        }
        Self { left, top, width: right - left, height: bottom + 1 - top }
    }

    /// The rows of the area in a picture of this width.
    fn rows(self, picture: &[u8], width: usize) -> impl Iterator<Item = &[u8]> {
        let Self { left, top, width: own, height } = self;
        picture.chunks_exact(width).skip(top).take(height).map(move |row| &row[left..left + own])
    }
}

impl Animation {
    /// The parts of all frames.
    fn parts(&self) -> Parts {
        let has = |has: fn(&Shot) -> bool| self.shots.iter().any(has);
        Parts {
            players: self.players.is_some(),
            clocks: self.players.is_some() && has(|shot| shot.clocks.iter().any(Option::is_some)),
            evaluation: has(|shot| shot.chances.is_some()),
            caption: has(|shot| !shot.caption.is_empty()),
        }
    }

    fn layout(&self) -> Layout {
        Layout::new(self.style, self.parts(), self.width_px)
    }

    /// A frame, counted from 0, as SVG; `None` if there is no such frame.
    pub fn frame_svg(&self, index: usize) -> Option<String> {
        let shot = self.shots.get(index)?;
        Some(Scene { layout: self.layout(), players: self.players.as_ref(), shot }.to_svg())
    }

    /// The pixels of a frame.
    fn draw(&self, layout: Layout, shot: &Shot) -> Result<tiny_skia::Pixmap, GifError> {
        pixels(&Scene { layout, players: self.players.as_ref(), shot }.to_svg()).map_err(GifError::from)
    }

    /// The palette for all frames, computed from some of them. Frames with marks are included for their colors.
    fn palette(&self, layout: Layout) -> Result<Palette, GifError> {
        let count = self.shots.len();
        let step = count.div_ceil(SAMPLES).max(1);
        // Includes the last frame.
        let mut samples: Vec<&Shot> = self.shots.iter().rev().step_by(step).collect();
        samples.extend(self.shots.first());
        samples.extend(self.shots.iter().filter(|shot| !shot.marks.is_empty()).take(SAMPLES));
        let drawn: Result<Vec<_>, GifError> =
            samples.into_par_iter().map(|shot| self.draw(layout, shot)).collect();
        let mut histogram = Histogram::default();
        drawn?.iter().for_each(|picture| histogram.add(picture.data()));
        Ok(Palette::new(&histogram))
    }

    /// The animation as a GIF file. Equal animations give equal files. `done` is called with the number of completed
    /// frames.
    ///
    /// # Errors
    /// [`GifError`] if there are no frames or too many, or if one cannot be drawn.
    pub fn to_gif(&self, done: &dyn Fn(usize)) -> Result<Vec<u8>, GifError> {
        let count = self.shots.len();
        match count {
            0 => return Err(GifError::Empty),
            count if count > MAX_FRAMES => return Err(GifError::TooManyFrames(count)),
            _ => {}
        }
        let layout = self.layout();
        let too_large = || PngError::TooLarge { width: layout.width_px, height: layout.height_px };
        let side = |pixels: u32| u16::try_from(pixels).map_err(|_| GifError::from(too_large()));
        let (width, height) = (side(layout.width_px)?, side(layout.height_px)?);
        let palette = self.palette(layout)?;
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette.bytes())?;
        match self.loops {
            None => encoder.set_repeat(Repeat::Infinite)?,
            // GIF states the number of repetitions, one less than the number of times played.
            Some(loops) if loops > 1 => encoder.set_repeat(Repeat::Finite(loops - 1))?,
            Some(_) => {}
        }
        let at_once = (MAX_PIXELS / (usize::from(width) * usize::from(height))).max(1);
        let mut before: Option<Vec<u8>> = None;
        let mut number = 0;
        for shots in self.shots.chunks(at_once) {
            let pictures: Result<Vec<Vec<u8>>, GifError> = shots
                .par_iter()
                .map(|shot| self.draw(layout, shot).map(|picture| palette.indices(picture.data())))
                .collect();
            for picture in pictures? {
                number += 1;
                let delay = ticks(if number == count { self.last_delay } else { self.delay });
                let frame = match &before {
                    None => {
                        Frame { width, height, delay, buffer: Cow::Borrowed(&picture), ..Frame::default() }
                    }
                    Some(before) => {
                        changes(before, &picture, usize::from(width), delay, palette.transparent())
                    }
                };
                encoder.write_frame(&frame)?;
                before = Some(picture);
            }
            done(number);
        }
        Ok(encoder.into_inner()?)
    }
}

/// Converts a duration to the time unit of GIF.
fn ticks(time: Duration) -> u16 {
    u16::try_from(time.as_millis() / TICK.as_millis()).unwrap_or(u16::MAX)
}

/// The changes between two pictures of this width, as a frame that is drawn over the first one. Unchanged pixels are
/// transparent: long runs of one color compress to almost nothing.
fn changes(before: &[u8], after: &[u8], width: usize, delay: u16, transparent: u8) -> Frame<'static> {
    let area = Area::of_changes(before, after, width);
    let rows = area.rows(before, width).zip(area.rows(after, width));
    let pixels = rows.flat_map(|(before, after)| {
        before.iter().zip(after).map(|(before, after)| if before == after { transparent } else { *after })
    });
    // The sides of pictures are 16-bit numbers.
    let short = |side: usize| u16::try_from(side).expect("an area is within its picture");
    Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(transparent),
        left: short(area.left),
        top: short(area.top),
        width: short(area.width),
        height: short(area.height),
        buffer: Cow::Owned(pixels.collect()),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Course, DiagramStyle, png};
    use super::super::palette::PIXEL;
    use super::*;
    use crate::notation::pgn::Game;

    #[test]
    fn areas_have_all_that_differs() {
        let area = |before: &[u8], after: &[u8]| {
            let Area { left, top, width, height } = Area::of_changes(before, after, 4);
            [left, top, width, height]
        };
        let even = [0; 12];
        let changed = |places: &[usize]| {
            let mut picture = even;
            places.iter().for_each(|&place| picture[place] = 1);
            picture
        };
        for (places, expected) in [
            (&[][..], [0, 0, 1, 1]),
            (&[0], [0, 0, 1, 1]),
            (&[11], [3, 2, 1, 1]),
            (&[2, 5], [1, 0, 2, 2]),
            (&[3, 8], [0, 0, 4, 3]),
            (&[5, 6], [1, 1, 2, 1]),
        ] {
            assert_eq!(area(&even, &changed(places)), expected, "{places:?}");
        }
    }

    fn animation(text: &str) -> Animation {
        let (game, _) = Game::read(text.as_bytes()).expect("memory can be read").expect("a game");
        let course = Course { chances: vec![Some(0.5), Some(0.9), Some(0.0)], ..Course::default() };
        Animation::new(&game, &course, 0..=usize::MAX, DiagramStyle::default())
    }

    /// The picture and the delay of each frame as viewers show them.
    fn seen(gif: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
        let mut decoder = gif::DecodeOptions::new().read_info(gif).expect("it is a GIF");
        let palette = decoder.global_palette().expect("there is one").to_vec();
        let width = usize::from(decoder.width());
        let mut screen = vec![[0; 3]; width * usize::from(decoder.height())];
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("it is complete") {
            let (left, top) = (usize::from(frame.left), usize::from(frame.top));
            for (row, pixels) in frame.buffer.chunks(usize::from(frame.width)).enumerate() {
                for (column, &pixel) in pixels.iter().enumerate() {
                    if Some(pixel) != frame.transparent {
                        let at = 3 * usize::from(pixel);
                        let color = palette[at..at + 3].try_into().expect("three bytes");
                        screen[(top + row) * width + left + column] = color;
                    }
                }
            }
            frames.push((screen.clone(), frame.delay));
        }
        frames
    }

    #[test]
    fn what_is_seen_is_what_is_drawn() {
        let text =
            "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 {[%cal Ge2e4]} 2. -- Nf6 3. Nf3 {[%csl Rd4]} Nc6 1-0";
        for width_px in [64, 111, 300] {
            let animation = Animation { width_px, loops: Some(3), ..animation(text) };
            let gif = animation.to_gif(&|_| {}).expect("it can be made");
            assert_eq!(gif, animation.to_gif(&|_| {}).expect("it can be made"));
            let frames = seen(&gif);
            assert_eq!(frames.len(), 7);
            let delays: Vec<u16> = frames.iter().map(|(_, delay)| *delay).collect();
            assert_eq!(delays, [80, 80, 80, 80, 80, 80, 400]);
            for (index, (screen, _)) in frames.iter().enumerate() {
                let svg = animation.frame_svg(index).expect("there is one");
                let drawn = tiny_skia::Pixmap::decode_png(&png(&svg).expect("it is SVG")).expect("it is PNG");
                let mut sum = 0;
                for (seen, drawn) in screen.iter().zip(drawn.data().as_chunks::<PIXEL>().0) {
                    let off = seen.iter().zip(drawn).map(|(one, other)| u32::from(one.abs_diff(*other)));
                    let off = off.max().unwrap_or(0);
                    // A rare shade at the edge of a piece may differ by this much.
                    assert!(off <= 48, "frame {index} at {width_px} pixels is off by {off}");
                    sum += off;
                }
                let mean = f64::from(sum) / screen.len() as f64;
                // Small pictures consist mostly of edges, with more shades than a palette has colors.
                assert!(mean < 1.0, "frame {index} at {width_px} pixels is off by {mean}");
            }
        }
    }

    #[test]
    fn what_cannot_be_made_is_an_error() {
        let one = animation("*");
        let with = |count: usize| Animation { shots: vec![one.shots[0].clone(); count], ..one.clone() };
        assert!(matches!(with(0).to_gif(&|_| {}), Err(GifError::Empty)));
        assert!(matches!(with(MAX_FRAMES + 1).to_gif(&|_| {}), Err(GifError::TooManyFrames(3001))));
        assert_eq!(one.frame_svg(1), None);
    }
}
