//! Colours.

use std::sync::LazyLock;

/// Returns the linear light of an sRGB value from 0 to 1 (IEC 61966-2-1).
pub(crate) fn linear(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
}

/// Returns the linear light of an sRGB value from 0 to 255.
pub(crate) fn linear_byte(value: u8) -> f32 {
    static LINEAR: LazyLock<[f32; 256]> =
        LazyLock::new(|| std::array::from_fn(|value| linear(value as f32 / f32::from(u8::MAX))));
    LINEAR[usize::from(value)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_light_is_at_188() {
        assert_eq!((linear(0.0), linear(1.0)), (0.0, 1.0));
        assert_eq!((linear_byte(0), linear_byte(255)), (0.0, 1.0));
        assert!((linear_byte(188) - 0.5).abs() < 0.01);
        assert!((linear(0.02) - 0.02 / 12.92).abs() < 1e-9);
    }
}
