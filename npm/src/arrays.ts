import { wrong } from "./vectors.js";

/** An array of numbers: a typed array of any kind, or a plain array. */
export type Numbers = ArrayLike<number>;

function isNumbers(value: unknown): value is Numbers {
  if (ArrayBuffer.isView(value)) return typeof (value as unknown as Numbers)[0] !== "bigint" && !(value instanceof DataView);
  return Array.isArray(value) && value.every((number) => typeof number === "number");
}

/** @internal Returns numbers as f32: the array itself if it is a `Float32Array`, else a rounded copy. */
export function floats(value: Numbers, what: string): Float32Array {
  if (value instanceof Float32Array) return value;
  if (isNumbers(value)) return Float32Array.from(value);
  throw wrong(what, "numbers, in a Float32Array or any other array", value);
}

/** @internal Returns numbers as f64: the array itself if it is a `Float64Array`, else a copy. */
export function doublesOf(value: Numbers, what: string): Float64Array {
  if (value instanceof Float64Array) return value;
  if (isNumbers(value)) return Float64Array.from(value);
  throw wrong(what, "numbers, in a Float64Array or any other array", value);
}

/** @internal Returns numbers as bytes: the array itself if it is a `Uint8Array`, else a copy. */
export function bytesOf(value: Numbers, what: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value instanceof Uint8ClampedArray) return Uint8Array.from(value);
  return wholeNumbersOf(value, Uint8Array, 0xff, what);
}

/** @internal Returns whole numbers from 0 to 2^32 - 1: the array itself if it is a `Uint32Array`, else a copy. */
export function indicesFrom(value: Numbers, what: string): Uint32Array {
  if (value instanceof Uint32Array) return value;
  if (value instanceof Uint16Array || value instanceof Uint8Array) return Uint32Array.from(value);
  return wholeNumbersOf(value, Uint32Array, 0xffffffff, what);
}

/** Copies numbers of any kind. Each must be whole and within the range of the requested kind. */
function wholeNumbersOf<T>(value: Numbers, kind: { from(numbers: Numbers): T }, most: number, what: string): T {
  if (!isNumbers(value)) throw wrong(what, "whole numbers, in an array", value);
  for (let i = 0; i < value.length; i++) {
    const number = value[i]!;
    if (!(Number.isInteger(number) && number >= 0 && number <= most)) throw wrong(`number ${i} of ${what}`, `a whole number from 0 to ${most}`, number);
  }
  return kind.from(value);
}
