// The decoder of LZMA beside another author's encoder.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { before, test } from "node:test";
import { build } from "esbuild";
import { randoms } from "./numbers.mjs";

const { LZMA } = createRequire(import.meta.url)("lzma/src/lzma_worker.js");
let unpack;

before(async () => {
  await build({ entryPoints: ["src/unpack.ts"], outfile: "build/unpack.mjs", format: "esm", target: "es2022", logLevel: "warning" });
  ({ unpack } = await import(new URL("../unpack.mjs", import.meta.url)));
});

/** Returns bytes that repeat themselves at many distances, with runs, copies with one other byte, and noise. */
function bytesOf(next, count) {
  const bytes = [];
  while (bytes.length < count) {
    const length = 1 + Math.floor(next() ** 4 * 400);
    const from = Math.floor(next() * bytes.length);
    const kind = next();
    for (let i = 0; i < length; i++) bytes.push(kind < 0.6 && bytes.length > 0 ? bytes[from + i] : kind < 0.8 ? 7 : Math.floor(next() * 256));
    if (kind < 0.3) bytes[bytes.length - 1] ^= 1;
  }
  return Uint8Array.from(bytes.slice(0, count));
}

const pack = (bytes, mode) => Uint8Array.from(LZMA.compress(bytes, mode));

test("what was packed is unpacked", () => {
  const next = randoms(5);
  for (const count of [0, 1, 2, 3, 17, 300, 5000, 200000]) {
    for (const mode of [1, 6]) {
      const bytes = bytesOf(next, count);
      assert.deepEqual(unpack(pack(bytes, mode), count), bytes);
    }
  }
});

test("damaged bytes are refused, or give other bytes, but never hang", () => {
  const next = randoms(6);
  const bytes = bytesOf(next, 3000);
  const packed = pack(bytes, 6);
  assert.throws(() => unpack(new Uint8Array(0), 3000), /the packed module is damaged/);
  for (const length of [1, 13, 20, packed.length / 2]) assert.throws(() => unpack(packed.subarray(0, length), 3000), /damaged/);
  assert.throws(() => unpack(packed, 2 * bytes.length), /damaged/);
  let refused = 0;
  for (let i = 0; i < 300; i++) {
    const damaged = packed.slice();
    damaged[Math.floor(next() * damaged.length)] ^= 1 << Math.floor(next() * 8);
    try {
      assert.equal(unpack(damaged, bytes.length).length, bytes.length);
    } catch (error) {
      assert.match(error.message, /the packed module is damaged/);
      refused++;
    }
  }
  assert.ok(refused > 100, `${refused}`);
});
