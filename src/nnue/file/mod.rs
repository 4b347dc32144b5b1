//! Network files.
//!
//! All numbers are little endian. A file has a header of 80 bytes:
//!
//! | bytes | content                                                          |
//! |-------|------------------------------------------------------------------|
//! | 8     | `Hematite`                                                       |
//! | 4     | version of the format: 1                                         |
//! | 4     | kind of numbers: 1 quantized, 2 float                            |
//! | 32    | name of the architecture, padded with zeros                        |
//! | 5 x 4 | inputs, output buckets; activation, output and evaluation scale  |
//! | 4     | hidden neurons of one perspective                                |
//! | 8     | checksum: XXH3 of all bytes before and after it                  |
//!
//! Files from before scalars can also be read, and files from before threats, with one input for each piece and square.
//!
//! The weights and biases of each layer follow, in the order of [`Parameters`](super::Parameters): those of the first
//! layer and all weights as `i16`, other biases as `i32`, or all as `f32`.

mod header;

pub use header::{FileError, Kind};

use super::{FloatNetwork, Network, Parameters};
use header::Header;
use std::io::{Read, Write};
use std::{fmt, io};
use xxhash_rust::xxh3::Xxh3;

/// The checksum of a network file, which identifies the network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Checksum(pub u64);

impl fmt::Display for Checksum {
    /// All 16 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Checksum {
    /// The first 12 hexadecimal digits, the usual name of a network.
    pub fn short(self) -> String {
        format!("{:012x}", self.0 >> 16)
    }
}

/// A network of either kind.
#[derive(Clone, PartialEq, Debug)]
pub enum NetworkFile {
    /// A network of integers, for play.
    Quantized(Network),
    /// A network of real numbers, for training.
    Float(FloatNetwork),
}

impl NetworkFile {
    /// Reads a network of either kind, and at most one byte after it.
    ///
    /// # Errors
    /// [`FileError`] for the first field that is not as expected.
    pub fn read(mut from: impl Read) -> Result<Self, FileError> {
        let mut start = Vec::with_capacity(Header::BYTES);
        from.by_ref().take(Header::BYTES as u64).read_to_end(&mut start)?;
        let Ok(bytes) = <&[u8; Header::BYTES]>::try_from(&start[..]) else {
            return Err(if Header::has_magic_start(&start) {
                FileError::Length { found: start.len(), expected: Header::BYTES }
            } else {
                FileError::not_a_network(&start)
            });
        };
        let header = Header::parse(bytes)?;
        let expected = header.own_payload_bytes();
        let mut payload = Vec::with_capacity(expected);
        from.take(expected as u64 + 1).read_to_end(&mut payload)?;
        if payload.len() != expected {
            return Err(FileError::Length {
                found: Header::BYTES + payload.len(),
                expected: Header::BYTES + expected,
            });
        }
        let found = checksum(&start[..Header::UNSUMMED_BYTES], &payload);
        if found != header.checksum {
            return Err(FileError::Checksum { found, expected: header.checksum });
        }
        match header.kind {
            Kind::Quantized => Ok(Self::Quantized(Network::new(&decode(header, &payload))?)),
            Kind::Float => {
                let numbers = f32::all(&payload);
                match numbers.enumerate().find(|(_, number)| !number.is_finite()) {
                    Some((index, _)) => Err(FileError::NotFinite(index)),
                    None => Ok(Self::Float(FloatNetwork { parameters: decode(header, &payload) })),
                }
            }
        }
    }

    const fn kind(&self) -> Kind {
        match self {
            Self::Quantized(_) => Kind::Quantized,
            Self::Float(_) => Kind::Float,
        }
    }
}

impl Network {
    /// Reads a network of integers.
    ///
    /// # Errors
    /// [`FileError`] for the first field that is not as expected.
    pub fn read(from: impl Read) -> Result<Self, FileError> {
        match NetworkFile::read(from)? {
            NetworkFile::Quantized(network) => Ok(network),
            other => Err(FileError::Kind { found: other.kind(), expected: Kind::Quantized }),
        }
    }

    /// Writes the network as a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        Image::new(Kind::Quantized, &self.parameters()).write(to)
    }

    /// The checksum of the network's file.
    pub fn checksum(&self) -> Checksum {
        Checksum(Image::new(Kind::Quantized, &self.parameters()).checksum())
    }
}

impl FloatNetwork {
    /// Reads a network of real numbers.
    ///
    /// # Errors
    /// [`FileError`] for the first field that is not as expected.
    pub fn read(from: impl Read) -> Result<Self, FileError> {
        match NetworkFile::read(from)? {
            NetworkFile::Float(network) => Ok(network),
            other => Err(FileError::Kind { found: other.kind(), expected: Kind::Float }),
        }
    }

    /// Writes the network as a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        Image::new(Kind::Float, &self.parameters).write(to)
    }

    /// The checksum of the network's file.
    pub fn checksum(&self) -> Checksum {
        Checksum(Image::new(Kind::Float, &self.parameters).checksum())
    }
}

/// The content of a file without the checksum.
struct Image {
    header: Vec<u8>,
    payload: Vec<u8>,
}

impl Image {
    fn new<H: Number, W: Number, B: Number>(kind: Kind, parameters: &Parameters<H, W, B>) -> Self {
        let architecture = parameters.architecture();
        let mut payload = Vec::with_capacity(Header::payload_bytes(kind, architecture));
        H::append_all(&mut payload, parameters.feature_weights());
        H::append_all(&mut payload, parameters.feature_bias());
        W::append_all(&mut payload, parameters.second_weights());
        W::append_all(&mut payload, parameters.scalar_weights());
        B::append_all(&mut payload, parameters.second_bias());
        let later = [
            (parameters.third_weights(), parameters.third_bias()),
            (parameters.output_weights(), parameters.output_bias()),
        ];
        for (weights, biases) in later {
            W::append_all(&mut payload, weights);
            B::append_all(&mut payload, biases);
        }
        Self { header: Header::unsummed(kind, architecture), payload }
    }

    fn checksum(&self) -> u64 {
        checksum(&self.header, &self.payload)
    }

    fn write(&self, mut to: impl Write) -> io::Result<()> {
        to.write_all(&self.header)?;
        to.write_all(&self.checksum().to_le_bytes())?;
        to.write_all(&self.payload)?;
        to.flush()
    }
}

/// The checksum of a header without its checksum field, and of the payload.
fn checksum(header: &[u8], payload: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(header);
    hash.update(payload);
    hash.digest()
}

/// The parameters in a payload of the correct length.
fn decode<H: Number, W: Number, B: Number>(header: Header, payload: &[u8]) -> Parameters<H, W, B> {
    let mut parameters = Parameters::zeroed(header.architecture);
    let width = header.architecture.l1_size();
    let (first, others) = parameters.feature_weights_mut().split_at_mut(header.inputs * width);
    let rest = H::fill(first, payload);
    // A network from before threats has the same evaluation as before: all threats to a piece have the same weights.
    others.chunks_exact_mut(first.len()).for_each(|threat| threat.copy_from_slice(first));
    let rest = H::fill(parameters.feature_bias_mut(), rest);
    let rest = W::fill(parameters.second_weights_mut(), rest);
    let rest = if header.has_scalars { W::fill(parameters.scalar_weights_mut(), rest) } else { rest };
    let rest = B::fill(parameters.second_bias_mut(), rest);
    let rest = W::fill(parameters.third_weights_mut(), rest);
    let rest = B::fill(parameters.third_bias_mut(), rest);
    let rest = W::fill(parameters.output_weights_mut(), rest);
    B::fill(parameters.output_bias_mut(), rest);
    parameters
}

/// A number in a file, little endian.
pub(super) trait Number: Copy + Default {
    /// Appends the bytes of all numbers.
    fn append_all(bytes: &mut Vec<u8>, numbers: &[Self]);

    /// The numbers in these bytes; an incomplete number at the end is ignored.
    fn all(bytes: &[u8]) -> impl Iterator<Item = Self>;

    /// Fills `numbers` from the start of `bytes`, as far as the bytes suffice, and returns the remaining bytes.
    fn fill<'a>(numbers: &mut [Self], bytes: &'a [u8]) -> &'a [u8] {
        let (own, rest) = bytes.split_at(size_of_val(numbers).min(bytes.len()));
        for (number, value) in numbers.iter_mut().zip(Self::all(own)) {
            *number = value;
        }
        rest
    }
}

macro_rules! number {
    ($($name:ty)+) => {$(
        impl Number for $name {
            fn append_all(bytes: &mut Vec<u8>, numbers: &[Self]) {
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }

            fn all(bytes: &[u8]) -> impl Iterator<Item = Self> {
                bytes.as_chunks().0.iter().map(|chunk| Self::from_le_bytes(*chunk))
            }
        }
    )+};
}

number!(i16 i32 f32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Architecture;
    use crate::nnue::features::{INPUTS, PIECE_SQUARES};

    #[test]
    fn networks_from_before_threats_and_scalars_are_read() {
        const WIDTH: usize = 16;
        const INPUTS_AT: usize = 48;
        let mut network = FloatNetwork::zeroed(Architecture::new(WIDTH).expect("a width"));
        let numbers = &mut network.parameters;
        for (index, weight) in numbers.feature_weights_mut().iter_mut().enumerate() {
            *weight = (index % (PIECE_SQUARES * WIDTH)) as f32;
        }
        numbers.output_bias_mut().fill(0.5);
        let Image { mut header, payload } = Image::new(Kind::Float, numbers);
        let row = WIDTH * size_of::<f32>();
        // All weights of the scalars are zero.
        let scalars_at = (INPUTS + 1) * row + size_of_val(numbers.second_weights());
        let after = scalars_at + size_of_val(numbers.scalar_weights());
        let payload = [&payload[..scalars_at], &payload[after..]].concat();
        header[16..INPUTS_AT].fill(0);
        header[16..44].copy_from_slice(b"threats4608-x2-pairs-16-32-8");
        let mut bytes = Vec::new();
        let former = Image { header: header.clone(), payload: payload.clone() };
        former.write(&mut bytes).expect("memory can be written");
        assert_eq!(FloatNetwork::read(&bytes[..]).expect("a network"), network);
        header[16..INPUTS_AT].fill(0);
        header[16..44].copy_from_slice(b"mirrored768-x2-pairs-16-32-8");
        header[INPUTS_AT..INPUTS_AT + 4].copy_from_slice(&(PIECE_SQUARES as u32).to_le_bytes());
        let payload = [&payload[..PIECE_SQUARES * row], &payload[INPUTS * row..]].concat();
        let former = Image { header, payload };
        let mut bytes = Vec::new();
        former.write(&mut bytes).expect("memory can be written");
        assert_eq!(FloatNetwork::read(&bytes[..]).expect("a network"), network);
        bytes.pop();
        let error = FloatNetwork::read(&bytes[..]).expect_err("a byte is missing").to_string();
        assert_eq!(error, format!("truncated: {} bytes, expected {}", bytes.len(), bytes.len() + 1));
    }
}
