/** Returns a generator of random numbers by xorshift, which are the same everywhere. They have 24 bits, so that f32 can hold them. */
function numbers(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Makes the mesh and the rays of the digest. */
export function question(count) {
  const next = numbers(2463534242);
  const side = 120;
  const positions = new Float32Array(3 * (side + 1) ** 2);
  for (let i = 0; i <= side; i++) for (let j = 0; j <= side; j++) positions.set([i / 8 - 7.5, 2 * next(), j / 8 - 7.5], 3 * (i * (side + 1) + j));
  const indices = new Uint32Array(6 * side * side);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const a = i * (side + 1) + j;
      const b = a + side + 1;
      indices.set([a, a + 1, b, b, a + 1, b + 1], 6 * (i * side + j));
    }
  }
  const rays = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) rays.set([20 * next() - 10, 4 * next(), 20 * next() - 10, 2 * next() - 1, 2 * next() - 1.5, 2 * next() - 1], 6 * i);
  return { positions, indices, rays };
}

/** Returns one number for all bits of the answers (FNV-1a over words of 4 bytes). */
export function digest(columns) {
  let hash = 0x811c9dc5;
  for (const column of columns) {
    for (const word of new Uint32Array(column.buffer, column.byteOffset, column.length)) hash = Math.imul(hash ^ word, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
