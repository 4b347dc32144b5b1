//! The data before the plies of games: texts, numbers, and start positions.

use super::mixing::Mixer;
use super::range_coder::BitCoder;
use crate::chess::Square;
use crate::train::data::{START_BYTES, StartFields};

/// Codes 32-bit integers; small ones and those similar to the last one take few bits.
#[derive(Debug)]
pub(super) struct NumberModel {
    mixer: Mixer<2, 3>,
    last: u32,
}

/// The number of contexts of the number of bits, and of the bits.
const NUMBER_NODES: usize = 2 * (MAX_LENGTH + 1) + (MAX_LENGTH + 1) * 64;
const MAX_LENGTH: usize = u32::BITS as usize;

impl NumberModel {
    pub(super) fn new() -> Self {
        Self { mixer: Mixer::new(NUMBER_NODES * (MAX_LENGTH + 2), [NUMBER_NODES, 1], 250), last: 0 }
    }

    /// Codes a number, which an encoder must be given.
    pub(super) fn code(&mut self, coder: &mut impl BitCoder, wanted: u32) -> u32 {
        let last_length = MAX_LENGTH - self.last.leading_zeros() as usize;
        let mut ask = |node: usize, decision: bool| {
            let shares = [node, (last_length + 1) * NUMBER_NODES + node];
            self.mixer.code(coder, decision, shares, &[], [node, 0])
        };
        let wanted_length = MAX_LENGTH - wanted.leading_zeros() as usize;
        let mut length = 0;
        while length < MAX_LENGTH && ask(length, wanted_length > length) {
            length += 1;
        }
        let mut number = u64::from(length > 0);
        for bit in (0..length.saturating_sub(1)).rev() {
            let known = length - 2 - bit;
            let place = if known < 5 { number as usize } else { 32 + bit };
            let node = 2 * (MAX_LENGTH + 1) + length * 64 + place;
            number = number << 1 | u64::from(ask(node, wanted >> bit & 1 == 1));
        }
        self.last = number as u32;
        self.last
    }
}

/// Codes texts byte by byte, each predicted by the bytes before it, so that a text similar to an earlier one takes few
/// bytes.
#[derive(Debug)]
pub(super) struct TextModel {
    length: NumberModel,
    mixer: Mixer<TEXT_CONTEXTS, { TEXT_CONTEXTS + 1 }>,
}

/// The number of contexts: those of one, two, four and six bytes.
const TEXT_CONTEXTS: usize = 4;
const CONTEXT_BYTES: [u32; TEXT_CONTEXTS] = [1, 2, 4, 6];
/// The binary logarithm of the number of shares of one context.
const TEXT_BITS: u32 = 16;

impl TextModel {
    pub(super) fn new() -> Self {
        Self { length: NumberModel::new(), mixer: Mixer::new(TEXT_CONTEXTS << TEXT_BITS, [256, 1], 30) }
    }

    /// Codes bytes, which an encoder must be given. `None` if there are more than `most`, or the code has ended.
    pub(super) fn code(&mut self, coder: &mut impl BitCoder, wanted: &[u8], most: usize) -> Option<Vec<u8>> {
        let length = self.length.code(coder, wanted.len() as u32) as usize;
        if length > most {
            return None;
        }
        let mut bytes = Vec::new();
        let mut before = 0_u64;
        for index in 0..length {
            let wanted = wanted.get(index).copied().unwrap_or_default();
            let mut node = 1;
            for bit in (0..u8::BITS).rev() {
                let mut context = 0;
                let shares = CONTEXT_BYTES.map(|count| {
                    let known = before & ((1 << (count * u8::BITS)) - 1);
                    context += 1;
                    ((context - 1) << TEXT_BITS) + hash(known << 8 | node as u64, context as u64)
                });
                let decision = wanted >> bit & 1 == 1;
                node = node << 1 | usize::from(self.mixer.code(coder, decision, shares, &[], [node, 0]));
            }
            let byte = node as u8;
            bytes.push(byte);
            before = before << u8::BITS | u64::from(byte);
            if coder.is_exhausted() {
                return None;
            }
        }
        Some(bytes)
    }
}

/// An index of the shares of a context.
fn hash(key: u64, context: u64) -> usize {
    /// An odd number with well-distributed bits: 2⁶⁴ divided by the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    ((key ^ context << 56).wrapping_mul(FACTOR) >> (u64::BITS - TEXT_BITS)) as usize
}

const EMPTY: u8 = StartFields::EMPTY;
/// The number of codes of the content of a square, which are those of chunks.
const CODES: usize = 16;

/// Codes start positions, square by square.
#[derive(Debug)]
pub(super) struct StartModel {
    squares: Mixer<SQUARE_CONTEXTS, { SQUARE_CONTEXTS + 1 }>,
    numbers: [NumberModel; 3],
}

const SQUARE_CONTEXTS: usize = 4;
/// The number of shares of a context of squares.
const SQUARE_SHARES: usize = Square::COUNT * CODES * CODES * CODES;

impl StartModel {
    pub(super) fn new() -> Self {
        Self {
            squares: Mixer::new(SQUARE_CONTEXTS * SQUARE_SHARES, [CODES, Square::COUNT], 250),
            numbers: std::array::from_fn(|_| NumberModel::new()),
        }
    }

    /// Codes the bytes of a start position, which an encoder must be given. Decoded bytes need not be a valid position.
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        wanted: &[u8; START_BYTES],
    ) -> [u8; START_BYTES] {
        let wanted = StartFields::of(wanted);
        let mut codes = [EMPTY; Square::COUNT];
        let mut counts = [0_usize; CODES];
        for square in 0..Square::COUNT {
            let code_at =
                |distance: usize| square.checked_sub(distance).map_or(EMPTY, |at| codes[at]) as usize;
            let is_filled = |code: &&u8| **code != EMPTY;
            let count = codes[..square].iter().filter(is_filled).count();
            let mut node = 1;
            for bit in (0..4).rev() {
                let common = square * CODES + node;
                let contexts = [
                    common,
                    (common * CODES + code_at(1)) * CODES + code_at(8),
                    (common * CODES + (count.min(31) / 2)) * CODES,
                    (node * CODES + code_at(8)) * CODES + counts[EMPTY as usize].min(15),
                ];
                let mut context = 0;
                let shares = contexts.map(|index| {
                    context += 1;
                    (context - 1) * SQUARE_SHARES + index
                });
                let decision = wanted.codes[square] >> bit & 1 == 1;
                node =
                    node << 1 | usize::from(self.squares.code(coder, decision, shares, &[], [node, square]));
            }
            codes[square] = (node % CODES) as u8;
            counts[codes[square] as usize] += 1;
        }
        let [flags, halfmove_clock, fullmove_number] = &mut self.numbers;
        StartFields {
            codes,
            flags: flags.code(coder, wanted.flags.into()) as u8,
            halfmove_clock: halfmove_clock.code(coder, wanted.halfmove_clock.into()) as u16,
            fullmove_number: fullmove_number.code(coder, wanted.fullmove_number.into()) as u16,
        }
        .pack()
    }
}
