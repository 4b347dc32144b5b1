//! Network files: written, read, and refused with a reason.

use crate::support::network::nonsense;
use hematite::nnue::file::{FileError, NetworkFile};
use hematite::nnue::{FloatNetwork, Network};
use proptest::prelude::*;
use proptest::sample::Index;

const WIDTH: usize = 16;

fn float() -> FloatNetwork {
    nonsense(WIDTH, 7)
}

fn float_bytes() -> Vec<u8> {
    let mut bytes = Vec::new();
    float().write(&mut bytes).expect("memory can be written");
    bytes
}

fn bytes() -> Vec<u8> {
    let mut bytes = Vec::new();
    float().quantize().expect("its sums fit").write(&mut bytes).expect("memory can be written");
    bytes
}

#[test]
fn what_is_written_is_read() {
    let network = float().quantize().expect("its sums fit");
    assert_eq!(Network::read(&bytes()[..]).expect("a network"), network);
    assert_eq!(FloatNetwork::read(&float_bytes()[..]).expect("a network"), float());
    assert_eq!(Network::new(&network.parameters()), Ok(network.clone()));
    let name = network.checksum().to_string();
    assert_eq!(name.len(), 16);
    assert!(name.starts_with(&network.checksum().short()));
    let stored = u64::from_le_bytes(bytes()[72..80].try_into().expect("eight bytes"));
    assert_eq!(network.checksum().0, stored);
}

#[test]
fn what_is_wrong_is_told() {
    let with = |at: usize, value: &[u8]| {
        let mut bytes = bytes();
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    let long = [bytes(), vec![0; 1000]].concat();
    let length = bytes().len();
    let cases = [
        (
            "empty",
            Vec::new(),
            "not a network of Hematite: the file is empty, expected `Hematite` at its start".to_owned(),
        ),
        (
            "text",
            b"A text that is longer than a header has to be. ".repeat(3),
            "not a network of Hematite: it starts with `A text t`, expected `Hematite`".to_owned(),
        ),
        (
            "short text",
            b"Hema\xff\n".to_vec(),
            r"not a network of Hematite: it starts with `Hema\xff\n`, expected `Hematite`".to_owned(),
        ),
        ("part of a header", bytes()[..50].to_vec(), "truncated: 50 bytes, expected 80".to_owned()),
        ("a header", bytes()[..80].to_vec(), format!("truncated: 80 bytes, expected {length}")),
        (
            "one byte too few",
            bytes()[..length - 1].to_vec(),
            format!("truncated: {} bytes, expected {length}", length - 1),
        ),
        ("too long", long, format!("has data after its end, expected {length} bytes")),
        ("version", with(8, &[2]), "format version 2, expected 1".to_owned()),
        ("kind", with(12, &[3]), "kind of numbers 3, expected 1 or 2".to_owned()),
        (
            "architecture",
            with(16, b"T"),
            "architecture `Threats4608-x2-pairs-s32-16-32-8`, expected `threats4608-x2-pairs-s32-16-32-8`"
                .to_owned(),
        ),
        ("inputs", with(48, &[1]), "inputs 4609, expected 4608".to_owned()),
        ("buckets", with(52, &[1]), "output buckets 1, expected 8".to_owned()),
        ("activation scale", with(56, &[1]), "activation scale 1, expected 255".to_owned()),
        ("output scale", with(60, &[1]), "output scale 1025, expected 1024".to_owned()),
        ("evaluation scale", with(64, &[0]), "evaluation scale 256, expected 300".to_owned()),
        (
            "no neuron",
            with(68, &[0]),
            "0 hidden neurons, expected a multiple of 16 from 16 to 1024".to_owned(),
        ),
        (
            "many neurons",
            with(68, &[0, 0, 0, 1]),
            "16777216 hidden neurons, expected a multiple of 16 from 16 to 1024".to_owned(),
        ),
    ];
    for (name, bytes, expected) in cases {
        let error = Network::read(&bytes[..]).expect_err(name);
        assert_eq!(error.to_string(), expected, "{name}");
    }
    let error = Network::read(&with(length - 1, &[77])[..]).expect_err("damaged");
    assert!(error.to_string().starts_with("damaged: checksum "), "{error}");
    let error = Network::read(&float_bytes()[..]).expect_err("the other kind");
    assert_eq!(error.to_string(), "a float network, expected a quantized one");
    let error = FloatNetwork::read(&bytes()[..]).expect_err("the other kind");
    assert_eq!(error.to_string(), "a quantized network, expected a float one");
}

#[test]
fn numbers_that_are_none_are_refused() {
    let mut network = float();
    network.parameters.output_bias_mut()[0] = f32::INFINITY;
    let mut bytes = Vec::new();
    network.write(&mut bytes).expect("memory can be written");
    let error = FloatNetwork::read(&bytes[..]).expect_err("an infinite number");
    assert!(matches!(error, FileError::NotFinite(_)), "{error}");
}

#[test]
fn a_reader_that_fails_is_told() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    assert_eq!(Network::read(Broken).expect_err("broken").to_string(), "broken");
    // Only as much is read as a network has.
    assert!(Network::read(std::io::repeat(0)).is_err());
    let bytes = bytes();
    let endless = std::io::Read::chain(&bytes[..], std::io::repeat(0));
    assert!(matches!(Network::read(endless), Err(FileError::Length { .. })));
}

proptest! {
    #[test]
    fn no_bytes_are_read_wrongly(
        is_float in any::<bool>(),
        changes in proptest::collection::vec((any::<Index>(), any::<u8>(), any::<bool>()), 1..6),
        cut in proptest::option::of(any::<Index>()),
    ) {
        let good = if is_float { float_bytes() } else { bytes() };
        let mut bytes = good.clone();
        for (index, value, in_header) in changes {
            let range = if in_header { 80 } else { bytes.len() };
            bytes[index.index(range)] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        prop_assert_eq!(NetworkFile::read(&bytes[..]).is_ok(), bytes == good);
    }

    #[test]
    fn no_noise_is_a_network(noise in proptest::collection::vec(any::<u8>(), 0..300)) {
        let with_magic = [b"Hematite\x01\0\0\0\x01\0\0\0", &noise[..]].concat();
        prop_assert!(NetworkFile::read(&noise[..]).is_err());
        prop_assert!(NetworkFile::read(&with_magic[..]).is_err());
    }
}
