//! Names by number, in the order of their first appearance.

use std::collections::HashMap;

/// Names by number, in the order of their first appearance.
#[derive(Default)]
pub(super) struct Names {
    list: Vec<String>,
    known: HashMap<String, u32>,
}

impl Names {
    /// Returns the number of a name.
    pub(super) fn number(&mut self, name: String) -> u32 {
        if let Some(&known) = self.known.get(&name) {
            return known;
        }
        // A name takes a line of its own, and a file of this many lines would not fit into memory.
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(name.clone());
        self.known.insert(name, number);
        number
    }

    pub(super) fn get(&self, number: u32) -> Option<&str> {
        self.list.get(number as usize).map(String::as_str)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }
}
