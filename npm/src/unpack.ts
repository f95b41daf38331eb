// Unpacks LZMA, in which the module is a third smaller than in DEFLATE. No browser has it. The format is in the specification of the LZMA SDK.

/** The state after a literal, by the state before. In the states 0 to 6 the packet before was a literal. */
const afterLiteral = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5];

/** The probabilities of lengths start here: of both choices, of short lengths and longer ones by place, and of long ones. */
const lengthTables = { short: 2, longer: 2 + (16 << 3), long: 2 + (32 << 3), size: 2 + (32 << 3) + 256 };

/** Makes probabilities of one half. */
function halves(count: number): Uint16Array {
  return new Uint16Array(count).fill(1024);
}

/** @internal Unpacks a `.lzma` file to a known number of bytes. */
export function unpack(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  // The first byte has the numbers of bits of a literal's context: of the byte before and of the place, and of a packet's place.
  const properties = packed[0] ?? 225;
  if (properties >= 225) damaged();
  const contextBits = properties % 9;
  const literalMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
  const placeMask = (1 << Math.floor(properties / 45)) - 1;
  const out = new Uint8Array(size);
  const literals = halves((768 * (literalMask + 1)) << contextBits);
  const [isMatch, isLong] = [halves(12 << 4), halves(12 << 4)];
  const [isRepeat, isOlder, isThird, isFourth] = [halves(12), halves(12), halves(12), halves(12)];
  const [slots, near, aligned] = [halves(4 << 6), halves(128), halves(16)];
  const [lengths, repeatedLengths] = [halves(lengthTables.size), halves(lengthTables.size)];

  // 13 bytes are the head, and the first byte of the stream is 0.
  let next = 14;
  // The range and the code, of 32 bits without a sign. Engines would make an object of each such number in a variable.
  const coder = Int32Array.of(-1, 0);
  const shift = (): void => {
    // The encoder ends the stream with more bytes than are needed.
    if (next >= packed.length) damaged();
    coder[1] = (coder[1]! << 8) | packed[next++]!;
  };
  for (let i = 0; i < 4; i++) shift();

  /** Decodes a bit by the probability that it is 0, which adapts to it. */
  const bit = (probabilities: Uint16Array, at: number): number => {
    const probability = probabilities[at]!;
    const range = coder[0]!;
    const code = coder[1]!;
    const bound = Math.imul(range >>> 11, probability);
    const isOne = code >>> 0 >= bound >>> 0;
    let rest = bound;
    if (isOne) {
      rest = (range - bound) | 0;
      coder[1] = code - bound;
      probabilities[at] = probability - (probability >> 5);
    } else {
      probabilities[at] = probability + ((2048 - probability) >> 5);
    }
    if (rest >>> 0 < 0x1000000) {
      rest <<= 8;
      shift();
    }
    coder[0] = rest;
    return isOne ? 1 : 0;
  };
  /** Decodes a number whose highest bit is first. */
  const tree = (probabilities: Uint16Array, at: number, bits: number): number => {
    let node = 1;
    for (let i = 0; i < bits; i++) node = 2 * node + bit(probabilities, at + node);
    return node - (1 << bits);
  };
  /** Decodes a number whose lowest bit is first. */
  const reversed = (probabilities: Uint16Array, at: number, bits: number): number => {
    let value = 0;
    for (let i = 0, node = 1; i < bits; i++) {
      const digit = bit(probabilities, at + node);
      node = 2 * node + digit;
      value |= digit << i;
    }
    return value;
  };
  /** Decodes a number of bits that are as often 0 as 1. */
  const plain = (bits: number): number => {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const half = coder[0]! >>> 1;
      const isOne = coder[1]! >>> 0 >= half;
      if (isOne) coder[1] = coder[1]! - half;
      value = 2 * value + (isOne ? 1 : 0);
      coder[0] = half;
      if (half < 0x1000000) {
        coder[0] = half << 8;
        shift();
      }
    }
    return value;
  };
  const lengthAt = (probabilities: Uint16Array, place: number): number => {
    if (bit(probabilities, 0) === 0) return 2 + tree(probabilities, lengthTables.short + (place << 3), 3);
    if (bit(probabilities, 1) === 0) return 10 + tree(probabilities, lengthTables.longer + (place << 3), 3);
    return 18 + tree(probabilities, lengthTables.long, 8);
  };
  /** Decodes a distance, less by one. */
  const distance = (length: number): number => {
    const slot = tree(slots, Math.min(length - 2, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const start = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return start + reversed(near, start - slot, bits);
    return start + 16 * plain(bits - 4) + reversed(aligned, 0, 4);
  };

  // The last four distances, each less by one.
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = 0, state = 0; at < size; ) {
    const place = at & placeMask;
    if (bit(isMatch, (state << 4) + place) === 0) {
      const before = at === 0 ? 0 : out[at - 1]!;
      const start = 768 * (((at & literalMask) << contextBits) + (before >> (8 - contextBits)));
      let node = 1;
      // After a match, the next byte probably differs from the one at the match's distance.
      for (let other = state < 7 ? -1 : out[at - first - 1]!; other >= 0 && node < 256; ) {
        const expected = (other >> 7) & 1;
        const found = bit(literals, start + ((1 + expected) << 8) + node);
        node = 2 * node + found;
        other = found === expected ? (other << 1) & 255 : -1;
      }
      while (node < 256) node = 2 * node + bit(literals, start + node);
      out[at++] = node;
      state = afterLiteral[state]!;
      continue;
    }
    let length = 1;
    if (bit(isRepeat, state) === 0) {
      length = lengthAt(lengths, place);
      fourth = third;
      third = second;
      second = first;
      first = distance(length);
      state = state < 7 ? 7 : 10;
    } else {
      if (bit(isOlder, state) === 1) {
        let chosen = second;
        if (bit(isThird, state) === 1) {
          chosen = third;
          if (bit(isFourth, state) === 1) {
            chosen = fourth;
            fourth = third;
          }
          third = second;
        }
        second = first;
        first = chosen;
        length = 0;
      } else if (bit(isLong, (state << 4) + place) === 1) length = 0;
      if (length === 0) {
        length = lengthAt(repeatedLengths, place);
        state = state < 7 ? 8 : 11;
      } else state = state < 7 ? 9 : 11;
    }
    if (first >= at || length > size - at) damaged();
    for (const end = at + length; at < end; at++) out[at] = out[at - first - 1]!;
  }
  return out;
}

function damaged(): never {
  throw new Error("the packed module is damaged");
}
