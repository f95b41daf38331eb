//! Lists in an input.

use arbitrary::{Arbitrary, Result, Unstructured};
use std::ops::Deref;

/// A list of limited length, in which all lengths are equally likely. A `Vec` by Arbitrary has one element on average.
#[derive(Debug)]
pub struct List<T, const MOST: usize>(Vec<T>);

impl<'a, T: Arbitrary<'a>, const MOST: usize> Arbitrary<'a> for List<T, MOST> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let length = u.int_in_range(0..=MOST)?;
        let mut list = Vec::new();
        while list.len() < length && !u.is_empty() {
            list.push(T::arbitrary(u)?);
        }
        Ok(Self(list))
    }
}

impl<T, const MOST: usize> Deref for List<T, MOST> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}
