//! Types of numbers.

/// A type of number. The format has two names for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Float32,
    Float64,
}

impl Scalar {
    pub(super) fn of_name(name: &[u8]) -> Option<Self> {
        match name {
            b"char" | b"int8" => Some(Self::Int8),
            b"uchar" | b"uint8" => Some(Self::Uint8),
            b"short" | b"int16" => Some(Self::Int16),
            b"ushort" | b"uint16" => Some(Self::Uint16),
            b"int" | b"int32" => Some(Self::Int32),
            b"uint" | b"uint32" => Some(Self::Uint32),
            b"float" | b"float32" => Some(Self::Float32),
            b"double" | b"float64" => Some(Self::Float64),
            _ => None,
        }
    }

    /// Returns the number of bytes of one value.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Float64 => 8,
        }
    }

    /// Returns the value of this type that means 1.
    pub(super) fn whole(self) -> f32 {
        match self {
            Self::Int8 => f32::from(i8::MAX),
            Self::Uint8 => f32::from(u8::MAX),
            Self::Int16 => f32::from(i16::MAX),
            Self::Uint16 => f32::from(u16::MAX),
            Self::Int32 => i32::MAX as f32,
            Self::Uint32 => u32::MAX as f32,
            Self::Float32 | Self::Float64 => 1.0,
        }
    }

    /// Returns the value of its bytes, the lowest first; every value is exact in f64.
    pub(super) fn value(self, bytes: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = bytes;
        match self {
            Self::Int8 => f64::from(i8::from_le_bytes([a])),
            Self::Uint8 => f64::from(a),
            Self::Int16 => f64::from(i16::from_le_bytes([a, b])),
            Self::Uint16 => f64::from(u16::from_le_bytes([a, b])),
            Self::Int32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::Uint32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::Float32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::Float64 => f64::from_le_bytes(bytes),
        }
    }
}
