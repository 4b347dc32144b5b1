//! Sorting by the first bits of keys, which are as good as random: a few passes, whatever the number of items.

/// The bits by which a pass sorts.
const DIGIT_BITS: u32 = 11;

/// Sorts items by the number that their first bits are. Items with the same number stay in their order.
pub(super) fn sort_by_bits<T: Copy>(mut items: Vec<T>, bits: u32, number: impl Fn(&T) -> usize) -> Vec<T> {
    let mut sorted = items.clone();
    for shift in (0..bits).step_by(DIGIT_BITS as usize) {
        let digit = |item: &T| number(item) >> shift & ((1 << DIGIT_BITS) - 1);
        let mut ends = [0_usize; 1 << DIGIT_BITS];
        for item in &items {
            ends[digit(item)] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        for item in &items {
            let place = &mut ends[digit(item)];
            sorted[*place] = *item;
            *place += 1;
        }
        std::mem::swap(&mut items, &mut sorted);
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn it_sorts_as_others_do() {
        let mut rng = Rng::new(1);
        for (count, bits) in [(0, 1), (1, 5), (1000, 1), (5000, 11), (5000, 12), (20_000, 30)] {
            let items: Vec<(u64, usize)> = (0..count).map(|index| (rng.next_u64(), index)).collect();
            let number = |item: &(u64, usize)| (item.0 >> (u64::BITS - bits)) as usize;
            let mut expected = items.clone();
            expected.sort_by_key(number);
            assert_eq!(sort_by_bits(items, bits, number), expected);
        }
    }
}
