//! Numbers as bytes.

/// A number that files hold, little endian.
pub(super) trait Number: Copy + Default {
    /// Adds the bytes of all numbers.
    fn append_all(bytes: &mut Vec<u8>, numbers: &[Self]);

    /// The numbers that the bytes are, but for bytes too few to be one.
    fn all(bytes: &[u8]) -> impl Iterator<Item = Self>;

    /// Reads as many numbers as there is place for, if there are so many, and returns the
    /// bytes that are left.
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
