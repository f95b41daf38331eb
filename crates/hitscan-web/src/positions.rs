//! Positions from JavaScript.

use wasm_bindgen::JsError;

/// Groups the coordinates of positions.
pub(crate) fn positions<T>(numbers: &[T]) -> Result<&[[T; 3]], JsError> {
    match numbers.as_chunks::<3>() {
        (positions, []) => Ok(positions),
        (_, rest) => Err(JsError::new(&format!(
            "positions are three numbers each: of {} numbers, {} are left over",
            numbers.len(),
            rest.len()
        ))),
    }
}
