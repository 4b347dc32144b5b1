//! One macro for the small closed enumerations that index tables.

/// Declares a plain enumeration whose variants count from zero, with a checked
/// conversion from an index that compiles to a comparison, and tables indexed by it.
macro_rules! ordinal {
    ($(#[$meta:meta])* $name:ident [$count:literal] { $($(#[$variant_meta:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// How many values there are.
            pub const COUNT: usize = $count;

            /// Every value, in index order.
            pub const ALL: [Self; $count] = [$(Self::$variant),+];

            /// The value with this index, or `None` if there is none.
            #[inline]
            #[allow(non_upper_case_globals)]
            pub const fn from_index(index: usize) -> Option<Self> {
                $(const $variant: usize = $name::$variant as usize;)+
                match index {
                    $($variant => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The index of this value, counted from zero.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        const _: () = assert!(size_of::<Option<$name>>() == 1);

        impl<T> std::ops::Index<$name> for [T; $count] {
            type Output = T;
            #[inline(always)]
            fn index(&self, index: $name) -> &T {
                &self[index as usize] // no bounds check is emitted: every value is below the length
            }
        }

        impl<T> std::ops::IndexMut<$name> for [T; $count] {
            #[inline(always)]
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index as usize]
            }
        }
    };
}

pub(crate) use ordinal;
