// Numbers and vectors of tests.
import assert from "node:assert/strict";

/** Returns a function of the same numbers from 0 to 1 each time. */
export function randoms(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

/** Returns some numbers in a range. */
export function numbersOf(next, count, least, most) {
  return Array.from({ length: count }, () => least + (most - least) * next());
}

export const plus = (a, b) => a.map((x, i) => x + b[i]);
export const minus = (a, b) => a.map((x, i) => x - b[i]);
export const scaled = (a, by) => a.map((x) => x * by);
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
export const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

/** Fails unless two numbers differ by at most an error. */
export function close(found, expected, error) {
  assert.ok(Math.abs(found - expected) <= error, `${found}, not ${expected}`);
}
