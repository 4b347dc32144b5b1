//! The header of a network file, and the errors of reading a file.

use crate::nnue::features::{INPUTS, PIECE_SQUARES};
use crate::nnue::quantization::{QA, QB};
use crate::nnue::{Architecture, BoundsError, EVAL_SCALE, OUTPUT_BUCKETS, WidthError};
use std::io;

/// The reason why a network file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not start like a network file, but with these bytes.
    #[error("not a network of Hematite: {}", start_problem(.0))]
    NotANetwork(Vec<u8>),
    /// The file is truncated, or has data after its end.
    #[error("{}", length_problem(*found, *expected))]
    Length {
        /// The number of bytes. Counting stops soon after the expected end.
        found: usize,
        /// The expected number of bytes.
        expected: usize,
    },
    /// The file has another format version.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// The kind of numbers is unknown.
    #[error("kind of numbers {0}, expected 1 or 2")]
    UnknownKind(u32),
    /// The kind of numbers is not the required one.
    #[error("a {} network, expected a {} one", found.name(), expected.name())]
    Kind {
        /// The kind in the file.
        found: Kind,
        /// The required kind.
        expected: Kind,
    },
    /// The file has another architecture, with this name.
    #[error("architecture `{}`, expected `{}`", .0.escape_debug(), Architecture::ID)]
    Architecture(String),
    /// The width is not valid.
    #[error("{0}")]
    Width(#[source] WidthError),
    /// A number of the architecture differs.
    #[error("{name} {found}, expected {expected}")]
    Field {
        /// The name of the number.
        name: &'static str,
        /// The number in the file.
        found: u32,
        /// The expected number.
        expected: u32,
    },
    /// The checksum does not match.
    #[error("damaged: checksum {found:016x}, expected {expected:016x}")]
    Checksum {
        /// The checksum of the bytes read.
        found: u64,
        /// The checksum stored in the file.
        expected: u64,
    },
    /// The number with this index is infinite or NaN.
    #[error("number {0} is not finite")]
    NotFinite(usize),
    /// A sum of the network could overflow.
    #[error("{0}")]
    Bounds(#[from] BoundsError),
}

/// The description of the start of another file, for [`FileError::NotANetwork`].
fn start_problem(start: &[u8]) -> String {
    let expected = MAGIC.escape_ascii();
    match start {
        [] => format!("the file is empty, expected `{expected}` at its start"),
        _ => format!("it starts with `{}`, expected `{expected}`", start.escape_ascii()),
    }
}

/// The text of [`FileError::Length`].
fn length_problem(found: usize, expected: usize) -> String {
    if found < expected {
        format!("truncated: {found} bytes, expected {expected}")
    } else {
        format!("has data after its end, expected {expected} bytes")
    }
}

impl FileError {
    /// The error for a file with this start.
    pub(super) fn not_a_network(start: &[u8]) -> Self {
        Self::NotANetwork(start[..start.len().min(MAGIC.len())].to_vec())
    }
}

/// The first bytes of every network.
const MAGIC: [u8; 8] = *b"Hematite";
/// The format version written, and the only one that can be read.
pub(super) const VERSION: u32 = 1;
/// Fields of 32 bits in a header: version, kind, inputs, the fixed fields and the width.
const NUMBERS: usize = 4 + FIXED.len();
/// Bytes of the architecture name, padded with zeros.
const ID_BYTES: usize = 32;

/// The kind of numbers of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Integers: a network for play.
    Quantized,
    /// Real numbers: a network for training.
    Float,
}

impl Kind {
    const fn code(self) -> u32 {
        match self {
            Self::Quantized => 1,
            Self::Float => 2,
        }
    }

    const fn from_code(code: u32) -> Option<Self> {
        match code {
            1 => Some(Self::Quantized),
            2 => Some(Self::Float),
            _ => None,
        }
    }

    /// `quantized` or `float`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quantized => "quantized",
            Self::Float => "float",
        }
    }

    /// The size of a network file of this architecture, in bytes.
    pub const fn file_bytes(self, architecture: Architecture) -> usize {
        Header::BYTES + Header::payload_bytes(self, architecture)
    }

    /// The size of a parameter of the first hidden layer, of another weight, and of another bias, in bytes.
    const fn sizes(self) -> [usize; 3] {
        match self {
            Self::Quantized => [size_of::<i16>(), size_of::<i16>(), size_of::<i32>()],
            Self::Float => [size_of::<f32>(); 3],
        }
    }
}

/// The variable fields of a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub kind: Kind,
    pub architecture: Architecture,
    /// The number of inputs whose weights are in the file: all, or one for each piece and square in files from before
    /// threats.
    pub inputs: usize,
    /// Whether the weights of the scalars are in the file.
    pub has_scalars: bool,
    /// The checksum of all other bytes of the file.
    pub checksum: u64,
}

impl Header {
    /// The size of a header without the checksum, which comes last, in bytes.
    pub(super) const UNSUMMED_BYTES: usize = MAGIC.len() + ID_BYTES + NUMBERS * size_of::<u32>();
    /// The size of a header, in bytes.
    pub(super) const BYTES: usize = Self::UNSUMMED_BYTES + size_of::<u64>();

    /// The number of bytes after the header.
    pub(super) const fn payload_bytes(kind: Kind, architecture: Architecture) -> usize {
        let [hidden, weight, bias] = kind.sizes();
        hidden * ((INPUTS + 1) * architecture.l1_size())
            + weight * architecture.later_weights()
            + bias * architecture.later_biases()
    }

    /// The number of bytes after this header, which may be of a former architecture.
    pub(super) const fn own_payload_bytes(&self) -> usize {
        let [hidden, weight, _] = self.kind.sizes();
        let missing = if self.has_scalars { 0 } else { weight * self.architecture.scalar_weights() };
        let inputs = hidden * (INPUTS - self.inputs) * self.architecture.l1_size();
        Self::payload_bytes(self.kind, self.architecture) - inputs - missing
    }

    /// The bytes of a header without the checksum.
    pub(super) fn unsummed(kind: Kind, architecture: Architecture) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(kind.code().to_le_bytes());
        bytes.extend(padded(Architecture::ID));
        bytes.extend((INPUTS as u32).to_le_bytes());
        for (_, value) in FIXED {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend((architecture.l1_size() as u32).to_le_bytes());
        bytes
    }

    /// Reads a header.
    ///
    /// # Errors
    /// [`FileError`] for the first field that is not as expected.
    pub(super) fn parse(bytes: &[u8; Self::BYTES]) -> Result<Self, FileError> {
        let mut fields = Fields(bytes);
        if fields.take() != MAGIC {
            return Err(FileError::not_a_network(bytes));
        }
        let version = fields.number();
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let code = fields.number();
        let kind = Kind::from_code(code).ok_or(FileError::UnknownKind(code))?;
        let id: [u8; ID_BYTES] = fields.take();
        let (inputs, has_scalars) = if id == padded(Architecture::ID) {
            (INPUTS, true)
        } else if id == padded(THREATS_ID) {
            (INPUTS, false)
        } else if id == padded(FORMER_ID) {
            (PIECE_SQUARES, false)
        } else {
            let id = String::from_utf8_lossy(&id);
            return Err(FileError::Architecture(id.trim_end_matches('\0').to_owned()));
        };
        let (name, found, expected) = ("inputs", fields.number(), inputs as u32);
        if found != expected {
            return Err(FileError::Field { name, found, expected });
        }
        for (name, expected) in FIXED {
            let found = fields.number();
            if found != expected {
                return Err(FileError::Field { name, found, expected });
            }
        }
        let architecture = Architecture::new(fields.number() as usize).map_err(FileError::Width)?;
        Ok(Self { kind, architecture, inputs, has_scalars, checksum: u64::from_le_bytes(fields.take()) })
    }

    /// Whether a file that starts with these bytes is a network file. For files shorter than a header.
    pub(super) fn has_magic_start(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }
}

/// The fields that have the same value in every file of this version and architecture.
const FIXED: [(&str, u32); 4] = [
    ("output buckets", OUTPUT_BUCKETS as u32),
    ("activation scale", QA as u32),
    ("output scale", QB as u32),
    ("evaluation scale", EVAL_SCALE as u32),
];

/// The name of the architecture before scalars.
const THREATS_ID: &str = "threats4608-x2-pairs-16-32-8";

/// The name of the architecture before threats: one input for each piece and square.
const FORMER_ID: &str = "mirrored768-x2-pairs-16-32-8";

/// The name of an architecture, padded as in a header.
fn padded(name: &str) -> [u8; ID_BYTES] {
    const { assert!(Architecture::ID.len() <= ID_BYTES && FORMER_ID.len() <= ID_BYTES) };
    let mut id = [0; ID_BYTES];
    id[..name.len()].copy_from_slice(name.as_bytes());
    id
}

/// The bytes of a header that have not been read yet.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.0.split_first_chunk().expect("a header is as long as its fields");
        self.0 = rest;
        *field
    }

    fn number(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
}
