//! Positions from JavaScript.

use wasm_bindgen::JsError;

/// Groups the coordinates of positions.
pub(crate) fn positions(numbers: &[f32]) -> Result<&[[f32; 3]], JsError> {
    match numbers.as_chunks::<3>() {
        (positions, []) => Ok(positions),
        (_, rest) => Err(JsError::new(&format!(
            "positions are three numbers each: of {} numbers, {} are left over",
            numbers.len(),
            rest.len()
        ))),
    }
}
