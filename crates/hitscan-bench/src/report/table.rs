//! Markdown tables.

/// The cells by row and column, each in the order in which it first occurred.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<String>>)>,
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn set(&mut self, row: &str, column: &str, cell: String) {
        let at = self.columns.iter().position(|name| name == column).unwrap_or(self.columns.len());
        if at == self.columns.len() {
            self.columns.push(column.into());
        }
        if !self.rows.iter().any(|(name, _)| name == row) {
            self.rows.push((row.into(), Vec::new()));
        }
        if let Some((_, cells)) = self.rows.iter_mut().find(|(name, _)| name == row) {
            cells.resize(cells.len().max(at + 1), None);
            cells[at] = Some(cell);
        }
    }

    /// Returns the table with these columns moved to the end.
    pub(super) fn ordered_last(&self, last: &[&str]) -> Self {
        let is_last = |column: &usize| last.contains(&self.columns[*column].as_str());
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(is_last);
        let rows = self.rows.iter().map(|(name, cells)| {
            let cells = order.iter().map(|&column| cells.get(column).cloned().flatten());
            (name.clone(), cells.collect())
        });
        Self { rows: rows.collect(), columns: order.iter().map(|&column| self.columns[column].clone()).collect() }
    }

    pub(super) fn markdown(&self) -> String {
        let line = |first: &str, cells: &mut dyn Iterator<Item = &str>| {
            cells.fold(format!("| {first} |"), |line, cell| format!("{line} {cell} |")) + "\n"
        };
        let mut text = line("", &mut self.columns.iter().map(String::as_str));
        text += &line("---", &mut self.columns.iter().map(|_| "---:"));
        for (name, cells) in &self.rows {
            let cell = |column| cells.get(column).and_then(Option::as_deref).unwrap_or("-");
            text += &line(name, &mut (0..self.columns.len()).map(cell));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        let mut table = Table::default();
        table.set("a", "all", "1".into());
        table.set("a", "x", "2".into());
        table.set("b", "x", "3".into());
        assert_eq!(
            table.ordered_last(&["all"]).markdown(),
            "|  | x | all |\n| --- | ---: | ---: |\n| a | 2 | 1 |\n| b | 3 | - |\n"
        );
    }
}
