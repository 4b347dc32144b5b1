//! Items grouped by their parts, for a known number of parts.

use std::ops::Range;

/// Items ordered by part; within a part, they are in their original order.
pub(super) struct Partition<T> {
    items: Vec<T>,
    /// The end of each part.
    ends: Vec<usize>,
}

impl<T: Copy> Partition<T> {
    /// Groups items, each of which comes with the number of its part. This is fast if the items fit in the processor's
    /// cache.
    pub(super) fn new(parts: usize, items: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut sizes = vec![0; parts];
        items.clone().for_each(|(part, _)| sizes[part] += 1);
        Self::of_sizes(sizes, items)
    }

    /// Groups items like [`Self::new`], if the number of items of each part is known.
    pub(super) fn of_sizes(sizes: Vec<usize>, items: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut ends = sizes;
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let Some((_, any)) = items.clone().next() else { return Self { items: Vec::new(), ends } };
        let mut sorted = vec![any; start];
        items.for_each(|(part, item)| {
            let place = &mut ends[part];
            sorted[*place] = item;
            *place += 1;
        });
        Self { items: sorted, ends }
    }

    /// The items of a part.
    pub(super) fn part(&self, number: usize) -> &[T] {
        &self.items[self.range(number)]
    }

    /// The items of a part, as a mutable reference.
    pub(super) fn part_mut(&mut self, number: usize) -> &mut [T] {
        let range = self.range(number);
        &mut self.items[range]
    }

    fn range(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[number]
    }

    /// All items, ordered by part.
    pub(super) fn into_items(self) -> Vec<T> {
        self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn items_keep_their_order_in_their_part() {
        let mut rng = Rng::new(1);
        for (count, parts) in [(0, 1), (1, 5), (1000, 1), (5000, 64), (300, 1000)] {
            let items: Vec<(usize, usize)> =
                (0..count).map(|index| (rng.below(parts as u64) as usize, index)).collect();
            let partition = Partition::new(parts, items.iter().copied());
            for part in 0..parts {
                let once: Vec<usize> =
                    items.iter().filter(|item| item.0 == part).map(|item| item.1).collect();
                assert_eq!(partition.part(part), once);
            }
        }
    }
}
