// Browsers without vector instructions have no DecompressionStream either, so the module is unpacked here (RFC 1951).

const lengthBase = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
];
const distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A canonical Huffman code as a table. The index consists of the next bits of the input, and the entry is the symbol times 16, plus the length of its code. */
interface Code {
  readonly table: Uint16Array;
  readonly bits: number;
}

function makeCode(lengths: ArrayLike<number>): Code {
  let bits = 1;
  for (let i = 0; i < lengths.length; i++) bits = Math.max(bits, lengths[i]!);
  const table = new Uint16Array(1 << bits);
  let code = 0;
  for (let length = 1; length <= bits; length++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      for (let at = reversed; at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
      code++;
    }
  }
  return { table, bits };
}

/** @internal Unpacks raw DEFLATE data to a known number of bytes. */
export function inflate(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  let written = 0;
  let next = 0;
  let held = 0;
  let count = 0;

  const take = (bits: number): number => {
    while (count < bits) {
      held |= (packed[next++] ?? 0) << count;
      count += 8;
    }
    const value = held & ((1 << bits) - 1);
    held >>>= bits;
    count -= bits;
    return value;
  };
  const symbol = ({ table, bits }: Code): number => {
    while (count < bits) {
      held |= (packed[next++] ?? 0) << count;
      count += 8;
    }
    const entry = table[held & ((1 << bits) - 1)]!;
    if (entry === 0) throw new Error("the packed module is damaged");
    held >>>= entry & 15;
    count -= entry & 15;
    return entry >> 4;
  };
  const dynamic = (): [Code, Code] => {
    const literals = take(5) + 257;
    const distances = take(5) + 1;
    const used = take(4) + 4;
    const small = new Uint8Array(19);
    for (let i = 0; i < used; i++) small[order[i]!] = take(3);
    const code = makeCode(small);
    const lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < lengths.length; ) {
      const what = symbol(code);
      if (what < 16) lengths[i++] = what;
      else {
        const repeated = what === 16 ? lengths[i - 1]! : 0;
        const end = i + (what === 16 ? take(2) + 3 : what === 17 ? take(3) + 3 : take(7) + 11);
        lengths.fill(repeated, i, end);
        i = end;
      }
    }
    return [makeCode(lengths.subarray(0, literals)), makeCode(lengths.subarray(literals))];
  };
  const fixed = (): [Code, Code] => {
    const lengths = Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
    return [makeCode(lengths), makeCode(new Uint8Array(30).fill(5))];
  };

  for (let last = 0; last === 0; ) {
    last = take(1);
    const kind = take(2);
    if (kind === 0) {
      next -= count >> 3;
      held = count = 0;
      const length = packed[next]! | (packed[next + 1]! << 8);
      out.set(packed.subarray(next + 4, next + 4 + length), written);
      next += 4 + length;
      written += length;
      continue;
    }
    if (kind === 3) throw new Error("the packed module is damaged");
    const [literals, distances] = kind === 1 ? fixed() : dynamic();
    for (;;) {
      const what = symbol(literals);
      if (what < 256) {
        if (written >= size) throw new Error("the packed module is damaged");
        out[written++] = what;
      } else if (what === 256) break;
      else {
        const length = lengthBase[what - 257]! + take(lengthBits[what - 257]!);
        const code = symbol(distances);
        const distance = distanceBase[code]! + take(distanceBits[code]!);
        for (let i = 0; i < length; i++, written++) out[written] = out[written - distance]!;
      }
      if (next > packed.length + 4) throw new Error("the packed module is damaged");
    }
  }
  if (written !== size) throw new Error("the packed module is damaged");
  return out;
}
