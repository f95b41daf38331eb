//! Disjoint sets whose members face alike or opposite (R. E. Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", 1975).

/// Numbers in sets. Each member knows whether it faces like the first member of its set.
pub(super) struct LinkedSets {
    parents: Vec<u32>,
    /// The numbers that face opposite to their parents.
    turned: Vec<bool>,
}

/// The relation of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facing {
    Alike,
    Opposite,
}

impl LinkedSets {
    /// Makes sets of one number each, for the numbers below `count`.
    pub(super) fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect(), turned: vec![false; count] }
    }

    /// Returns the lowest number of the set that a number is in, and how the number faces it.
    pub(super) fn first_of(&mut self, number: u32) -> (u32, Facing) {
        let (mut at, mut is_turned) = (number as usize, false);
        while self.parents[at] as usize != at {
            let parent = self.parents[at] as usize;
            // The path becomes shorter for later calls. A root faces like itself.
            self.turned[at] ^= self.turned[parent];
            self.parents[at] = self.parents[parent];
            is_turned ^= self.turned[at];
            at = self.parents[at] as usize;
        }
        (at as u32, if is_turned { Facing::Opposite } else { Facing::Alike })
    }

    /// Joins the sets of two numbers. Returns `false` if the two were in one set already, and face each other in the other way.
    pub(super) fn join(&mut self, one: u32, other: u32, facing: Facing) -> bool {
        let ((first, own), (second, others)) = (self.first_of(one), self.first_of(other));
        let is_turned = (own == others) != (facing == Facing::Alike);
        if first == second {
            return !is_turned;
        }
        let (low, high) = (first.min(second), first.max(second) as usize);
        self.parents[high] = low;
        self.turned[high] = is_turned;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_know_how_they_face() {
        let mut sets = LinkedSets::new(6);
        assert!(
            sets.join(5, 4, Facing::Opposite) && sets.join(3, 4, Facing::Alike) && sets.join(3, 1, Facing::Opposite)
        );
        let facing = |sets: &mut LinkedSets, number| sets.first_of(number);
        assert_eq!(facing(&mut sets, 1), (1, Facing::Alike));
        assert_eq!(facing(&mut sets, 3), (1, Facing::Opposite));
        assert_eq!(facing(&mut sets, 4), (1, Facing::Opposite));
        assert_eq!(facing(&mut sets, 5), (1, Facing::Alike));
        assert_eq!(facing(&mut sets, 0), (0, Facing::Alike));
        assert!(
            sets.join(5, 1, Facing::Alike) && !sets.join(5, 3, Facing::Alike) && !sets.join(4, 3, Facing::Opposite)
        );
    }
}
