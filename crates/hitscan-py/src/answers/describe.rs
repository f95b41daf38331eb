//! The texts by which answers describe themselves.

use pyo3::prelude::*;

/// Returns a count with its noun, such as "1,000 rays".
pub(crate) fn counted(count: usize, what: &str) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    match (count, what.strip_suffix("ty")) {
        (1, _) => format!("{text} {what}"),
        (_, Some(stem)) => format!("{text} {stem}ties"),
        _ => format!("{text} {what}s"),
    }
}

/// Returns the number of elements of an array, and the number of elements for which a comparison with 0 is true.
pub(crate) fn tally(py: Python<'_>, array: &Py<PyAny>, comparison: &str) -> PyResult<(usize, usize)> {
    let array = array.bind(py);
    let holds = array.call_method1(comparison, (0,))?.call_method0("sum")?.extract()?;
    Ok((array.getattr("size")?.extract()?, holds))
}

/// Describes first hits, given a column that is negative on a miss, and t.
pub(crate) fn first_hits(py: Python<'_>, name: &str, which: &Py<PyAny>, t: &Py<PyAny>) -> PyResult<String> {
    let (rays, hits) = tally(py, which, "__ge__")?;
    let head = format!("<hitscan.{name}: {}", counted(rays, "ray"));
    if hits == 0 {
        return Ok(format!("{head}, no hit>"));
    }
    let found = py.import("numpy")?.call_method1("ravel", (t.bind(py),))?;
    let found = found.get_item(found.call_method1("__lt__", (f32::INFINITY,))?)?;
    let bound = |name: &str| found.call_method0(name)?.extract::<f32>();
    Ok(format!("{head}, {}, t from {} to {}>", counted(hits, "hit"), bound("min")?, bound("max")?))
}

/// Describes the answers to several questions, given the start of each question's answers.
pub(crate) fn ragged(py: Python<'_>, name: &str, splits: &Py<PyAny>, of: &str, what: &str) -> PyResult<String> {
    let splits = splits.bind(py);
    let (questions, found) = (splits.len()? - 1, splits.get_item(-1)?.extract()?);
    Ok(format!("<hitscan.{name}: {}, {}>", counted(questions, of), counted(found, what)))
}

/// Describes the answers to questions with at most one answer each, given a column that is negative where there is no answer.
pub(crate) fn single(py: Python<'_>, name: &str, which: &Py<PyAny>, of: &str, what: &str) -> PyResult<String> {
    let (questions, found) = tally(py, which, "__ge__")?;
    Ok(format!("<hitscan.{name}: {}, {}>", counted(questions, of), counted(found, what)))
}
