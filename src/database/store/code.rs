//! Encoding of a collection: numbers of variable length, checked reading, and compressed parts with checksums.

use crc64fast::Digest;
use std::cell::RefCell;
use std::io;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{CParameter, Strategy};

/// The name of the manifest in the folder of a collection.
pub(super) const MANIFEST: &str = "manifest";
/// The maximum size of a decompressed part, in bytes, so that a damaged length does not exhaust the memory.
pub(super) const MAX_PART_BYTES: usize = 1 << 29;
/// The level of Zstandard; higher levels hardly make parts smaller.
const LEVEL: i32 = 3;
/// The number of payload bits in each byte of a number; the highest bit states whether another byte follows.
pub(super) const DIGIT_BITS: u32 = 7;

/// An error about stored bytes that are damaged.
pub(super) fn damage(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}

/// The checksum of these bytes.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut digest = Digest::new();
    digest.write(bytes);
    digest.sum64()
}

/// Appends a number; small numbers take few bytes.
#[inline]
pub(super) fn put(out: &mut Vec<u8>, number: u64) {
    // Most numbers are small.
    if number >> DIGIT_BITS == 0 {
        out.push(number as u8);
    } else {
        put_large(out, number);
    }
}

fn put_large(out: &mut Vec<u8>, mut number: u64) {
    while number >> DIGIT_BITS != 0 {
        out.push(number as u8 | 1 << DIGIT_BITS);
        number >>= DIGIT_BITS;
    }
    out.push(number as u8);
}

/// Appends a signed number.
pub(super) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, (number << 1 ^ number >> (i64::BITS - 1)) as u64);
}

/// Appends the number of bytes, and the bytes.
pub(super) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Bytes that are read from the first to the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    pub(super) fn byte(&mut self) -> io::Result<u8> {
        let (&first, rest) = self.0.split_first().ok_or_else(|| damage("the bytes end too early"))?;
        self.0 = rest;
        Ok(first)
    }

    #[inline(always)]
    pub(super) fn number(&mut self) -> io::Result<u64> {
        const MORE: u8 = 1 << DIGIT_BITS;
        // Most numbers are small.
        match *self.0 {
            [first, ref rest @ ..] if first < MORE => {
                self.0 = rest;
                Ok(first.into())
            }
            [first, second, ref rest @ ..] if second < MORE => {
                self.0 = rest;
                Ok(u64::from(first - MORE) | u64::from(second) << DIGIT_BITS)
            }
            _ => self.large_number(),
        }
    }

    #[inline(never)]
    fn large_number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(DIGIT_BITS as usize) {
            let byte = self.byte()?;
            let digit = u64::from(byte & ((1 << DIGIT_BITS) - 1));
            if digit << shift >> shift != digit {
                break;
            }
            number |= digit << shift;
            if byte >> DIGIT_BITS == 0 {
                return Ok(number);
            }
        }
        Err(damage("a number is too large"))
    }

    pub(super) fn signed(&mut self) -> io::Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Reads a number of items, each of which takes at least one byte.
    #[inline]
    pub(super) fn count(&mut self) -> io::Result<usize> {
        let count = self.length()?;
        if count > self.0.len() {
            return Err(damage("the bytes end too early"));
        }
        Ok(count)
    }

    /// Reads a number of bytes or items.
    #[inline]
    pub(super) fn length(&mut self) -> io::Result<usize> {
        usize::try_from(self.number()?).map_err(|_| damage("a number is too large"))
    }

    #[inline(always)]
    pub(super) fn fixed(&mut self) -> io::Result<u64> {
        let mut bytes = [0; size_of::<u64>()];
        bytes.copy_from_slice(self.take(size_of::<u64>())?);
        Ok(u64::from_le_bytes(bytes))
    }

    #[inline]
    pub(super) fn take(&mut self, count: usize) -> io::Result<&'a [u8]> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or_else(|| damage("the bytes end too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Reads the number of bytes, and the bytes.
    pub(super) fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    pub(super) fn text(&mut self) -> io::Result<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| damage("a text is not UTF-8"))
    }
}

thread_local! {
    /// Creating a compressor takes as long as compressing or decompressing a small part, so each thread keeps its own.
    static PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static MOVE_PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static NUMBER_PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Compresses bytes; returns them unchanged if they do not become smaller.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    PACKER.with(|packer| pack_with(packer, &[], bytes))
}

/// Compresses moves, clocks, counts and similar data in half the time of [`pack`]: a better search, also for shorter
/// repetitions, would save one to three percent.
pub(super) fn pack_moves(bytes: &[u8]) -> Vec<u8> {
    const PARAMETERS: [CParameter; 2] = [CParameter::CompressionLevel(1), CParameter::MinMatch(7)];
    MOVE_PACKER.with(|packer| pack_with(packer, &PARAMETERS, bytes))
}

/// Compresses numbers that are almost random, but some of which are more frequent than others. Repetitions in them are
/// coincidental, and a reference to one takes more space than the literal bytes: searching for few of them is faster
/// and compresses better.
pub(super) fn pack_numbers(bytes: &[u8]) -> Vec<u8> {
    const PARAMETERS: [CParameter; 3] =
        [CParameter::Strategy(Strategy::ZSTD_fast), CParameter::MinMatch(7), CParameter::HashLog(6)];
    NUMBER_PACKER.with(|packer| pack_with(packer, &PARAMETERS, bytes))
}

fn pack_with(
    packer: &RefCell<Option<Compressor<'static>>>,
    parameters: &[CParameter],
    bytes: &[u8],
) -> Vec<u8> {
    let pack = || {
        let mut packer = packer.try_borrow_mut().map_err(io::Error::other)?;
        let packer = match &mut *packer {
            Some(packer) => packer,
            none => {
                let mut packer = Compressor::new(LEVEL)?;
                parameters.iter().try_for_each(|&parameter| packer.set_parameter(parameter))?;
                none.insert(packer)
            }
        };
        packer.compress(bytes)
    };
    match pack() {
        Ok(packed) if packed.len() < bytes.len() => packed,
        // Bytes that do not become smaller are stored unchanged.
        _ => bytes.to_vec(),
    }
}

/// Decompresses bytes that [`pack`] has returned.
pub(super) fn unpack(packed: &[u8], length: usize) -> io::Result<Vec<u8>> {
    if packed.len() == length {
        return Ok(packed.to_vec());
    }
    if length > MAX_PART_BYTES {
        return Err(damage("a part is too large"));
    }
    let bytes = UNPACKER.with(|unpacker| {
        let mut unpacker = unpacker.try_borrow_mut().map_err(io::Error::other)?;
        let unpacker = match &mut *unpacker {
            Some(unpacker) => unpacker,
            none => none.insert(Decompressor::new()?),
        };
        unpacker.decompress(packed, length).map_err(|error| damage(error.to_string()))
    })?;
    if bytes.len() != length {
        return Err(damage("a part has another length than stated"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 14, u64::from(u32::MAX), i64::MAX as u64, u64::MAX];
        let mut out = Vec::new();
        for number in numbers {
            put(&mut out, number);
            put_signed(&mut out, number as i64);
        }
        let mut bytes = Bytes(&out);
        for number in numbers {
            assert_eq!(bytes.number().expect("it was written"), number);
            assert_eq!(bytes.signed().expect("it was written"), number as i64);
        }
        assert!(bytes.is_empty());
        assert!(bytes.number().is_err());
        assert!(Bytes(&[0xff; 10]).number().is_err(), "more than 64 bits");
    }

    #[test]
    fn parts_come_back_and_wrong_lengths_are_refused() {
        let numbers: Vec<u8> =
            (0..20_000_u32).map(|number| (number.wrapping_pow(3) >> 7) as u8 % 3).collect();
        for part in [&b""[..], b"abc", &[7; 1000], &numbers] {
            assert_eq!(unpack(&pack(part), part.len()).expect("it was packed"), part);
            assert_eq!(unpack(&pack_moves(part), part.len()).expect("it was packed"), part);
            assert_eq!(unpack(&pack_numbers(part), part.len()).expect("it was packed"), part);
        }
        assert!(unpack(&pack(&[7; 1000]), 999).is_err());
        assert!(unpack(&pack(&[7; 1000]), 1001).is_err());
        assert!(unpack(&pack(&[7; 1000]), usize::MAX).is_err());
    }
}
