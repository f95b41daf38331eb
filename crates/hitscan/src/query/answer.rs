//! Trait implementations for answers that have private fields.

/// Implements equality and [`Debug`](core::fmt::Debug) of an answer by its public fields; its private fields record how it was found. If the private fields
/// are given too, the macro also implements `with_id`, which returns the same answer under another id.
macro_rules! by_public_fields {
    ($answer:ident $(<$key:ident>)? { $($field:ident),* }) => {
        /// Compares the public fields.
        impl $(<$key: PartialEq>)? PartialEq for $answer $(<$key>)? {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&*
            }
        }

        impl $(<$key: core::fmt::Debug>)? core::fmt::Debug for $answer $(<$key>)? {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($answer))
                    $(.field(stringify!($field), &self.$field))*
                    .finish_non_exhaustive()
            }
        }
    };
    ($answer:ident<$key:ident> { id, $($field:ident),* } beside { $($hidden:ident),* }) => {
        $crate::query::answer::by_public_fields!($answer<$key> { id, $($field),* });

        impl<$key> $answer<$key> {
            fn with_id<L>(self, id: impl FnOnce($key) -> L) -> $answer<L> {
                $answer { id: id(self.id), $($field: self.$field,)* $($hidden: self.$hidden),* }
            }
        }
    };
}
pub(in crate::query) use by_public_fields;
