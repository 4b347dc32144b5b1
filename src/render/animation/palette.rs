//! The palette of an animation: a small number of colors for all frames.

use std::collections::HashMap;

/// The maximum number of colors. One of 128 numbers is left for transparency; smaller numbers make smaller files.
const MAX_COLORS: usize = 127;
/// The maximum squared distance between an omitted color and its substitute, unless the color is rare.
const TOLERANCE: u64 = 24;
/// The minimum number of pixels, for each unit of squared distance, for which an additional color is worthwhile.
const WORTH: u64 = 60;
/// The number of entries of the cache of substitutes, a power of two.
const CACHE: usize = 1 << 12;

/// A color of three bytes, red in the most significant.
type Packed = u32;

/// The number of bytes of a pixel of a picture: red, green, blue and opacity.
pub(super) const PIXEL: usize = 4;

const fn packed(pixel: &[u8; PIXEL]) -> Packed {
    let [red, green, blue, _] = *pixel;
    (red as u32) << 16 | (green as u32) << 8 | blue as u32
}

const fn channels(color: Packed) -> [u8; 3] {
    let [_, red, green, blue] = color.to_be_bytes();
    [red, green, blue]
}

/// The squared distance between two colors.
fn distance(one: Packed, other: Packed) -> u64 {
    let pairs = channels(one).into_iter().zip(channels(other));
    pairs.map(|(one, other)| u64::from(one.abs_diff(other)).pow(2)).sum()
}

/// The number of pixels of each color.
#[derive(Default)]
pub(super) struct Histogram(HashMap<Packed, u64>);

impl Histogram {
    /// Counts the pixels of a picture.
    pub(super) fn add(&mut self, pixels: &[u8]) {
        // Adjacent pixels are often equal.
        for same in pixels.as_chunks::<PIXEL>().0.chunk_by(|one, other| one == other) {
            *self.0.entry(packed(&same[0])).or_default() += same.len() as u64;
        }
    }
}

/// The colors of an animation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Palette(Vec<Packed>);

impl Palette {
    /// The palette for a histogram; the colors of large areas are exact. Each next color is the one with the largest
    /// total error in the palette so far.
    pub(super) fn new(histogram: &Histogram) -> Self {
        let mut left: Vec<(Packed, u64, u64)> =
            histogram.0.iter().map(|(&color, &count)| (color, count, u64::MAX)).collect();
        // The order of a hash map is random.
        left.sort_unstable();
        let mut colors = Vec::new();
        while colors.len() < MAX_COLORS {
            let missed = |&&(color, count, error): &&(Packed, u64, u64)| (count.saturating_mul(error), color);
            let Some(&(next, count, error)) = left.iter().max_by_key(missed) else { break };
            if error <= TOLERANCE || count.saturating_mul(error) < WORTH * TOLERANCE {
                break;
            }
            colors.push(next);
            for (color, _, error) in &mut left {
                *error = (*error).min(distance(*color, next));
            }
        }
        Self(colors)
    }

    /// The colors in the format of GIF: a byte each for red, green and blue.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|&color| channels(color)).collect()
    }

    /// The color number for transparency, which no color has.
    pub(super) fn transparent(&self) -> u8 {
        u8::try_from(self.0.len()).expect("a palette has less than 256 colors")
    }

    fn nearest(&self, color: Packed) -> u8 {
        let nearest = (0_u8..).zip(&self.0).min_by_key(|(_, known)| distance(color, **known));
        nearest.map_or(0, |(index, _)| index)
    }

    /// The color numbers of the pixels of a picture.
    pub(super) fn indices(&self, pixels: &[u8]) -> Vec<u8> {
        const _: () = assert!(CACHE.is_power_of_two());
        let place = |color: Packed| (color ^ color >> 7) as usize & (CACHE - 1);
        let mut cache: Vec<Option<(Packed, u8)>> = vec![None; CACHE];
        let mut indices = Vec::with_capacity(pixels.len() / PIXEL);
        for same in pixels.as_chunks::<PIXEL>().0.chunk_by(|one, other| one == other) {
            let color = packed(&same[0]);
            let entry = &mut cache[place(color)];
            let index = match *entry {
                Some((known, index)) if known == color => index,
                _ => {
                    let index = self.nearest(color);
                    *entry = Some((color, index));
                    index
                }
            };
            indices.resize(indices.len() + same.len(), index);
        }
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(colors: &[(u32, usize)]) -> Vec<u8> {
        let pixel = |color: u32| {
            let [red, green, blue] = channels(color);
            [red, green, blue, u8::MAX]
        };
        colors.iter().flat_map(|&(color, count)| pixel(color).repeat(count)).collect()
    }

    fn palette(pixels: &[u8]) -> Palette {
        let mut histogram = Histogram::default();
        histogram.add(pixels);
        Palette::new(&histogram)
    }

    #[test]
    fn large_areas_are_exact_and_rare_shades_are_not() {
        let areas = [(0x00_f1_df_c4, 5000), (0x00_b7_88_62, 4000), (0x00_ff_ff_ff, 900)];
        let shades: Vec<(u32, usize)> = (0..200).map(|shade| (0x00_b7_88_00 | shade, 1)).collect();
        let picture = pixels(&[&areas[..], &shades].concat());
        let found = palette(&picture);
        for (color, _) in areas {
            assert!(found.0.contains(&color), "{color:06x}");
        }
        assert!(found.0.len() < 50, "{}", found.0.len());
        let indices = found.indices(&picture);
        assert_eq!(indices.len(), picture.len() / PIXEL);
        assert!(indices.iter().all(|index| *index < found.transparent()));
        assert_eq!(found.0[usize::from(indices[0])], areas[0].0);
    }

    #[test]
    fn there_are_never_more_colors_than_a_gif_has() {
        let many: Vec<(u32, usize)> = (0..4096).map(|color| ((color * 4099) & 0x00_ff_ff_ff, 100)).collect();
        let found = palette(&pixels(&many));
        assert_eq!(found.0.len(), MAX_COLORS);
        assert_eq!(found.bytes().len(), 3 * MAX_COLORS);
        assert_eq!(found, palette(&pixels(&many.iter().rev().copied().collect::<Vec<_>>())));
        assert_eq!(palette(&[]).indices(&[]), Vec::<u8>::new());
    }
}
