// Puts the functions of a WebAssembly module into an order in which it packs better.
//
// gzip finds what is repeated within 32 KB only, and a linker leaves functions that are alike anywhere. Only the numbers of functions change by this.

/** The sections that numbers of functions are in, and those that tell what a number stands for. */
const IMPORTS = 2;
const FUNCTIONS = 3;
const GLOBALS = 6;
const EXPORTS = 7;
const START = 8;
const ELEMENTS = 9;
const CODE = 10;

/** Returns the same module with its functions in another order. */
export function ordered(module) {
  const sections = new Map();
  const reader = new Copier(module.subarray(8));
  while (reader.isLeft()) {
    const id = reader.byte();
    sections.set(id, reader.take(reader.unsigned()));
  }
  const imported = sections.has(IMPORTS) ? importedFunctions(new Copier(sections.get(IMPORTS))) : 0;
  const types = rows(sections.get(FUNCTIONS), (types) => unsigned(types.unsigned()));
  const bodies = rows(sections.get(CODE), (code) => code.take(code.unsigned()));
  const order = likeAfterLike(bodies);
  const places = new Map(order.map((old, place) => [imported + old, imported + place]));
  const renumbered = (number) => places.get(number) ?? number;

  sections.set(FUNCTIONS, list(order.map((old) => types[old])));
  const moved = (old) => copied(bodies[old], renumbered, body);
  sections.set(CODE, list(order.map((old) => moved(old)).map((code) => Buffer.concat([unsigned(code.length), code]))));
  for (const [id, copy] of [[GLOBALS, globals], [EXPORTS, exported], [START, start], [ELEMENTS, elements]]) {
    if (sections.has(id)) sections.set(id, copied(sections.get(id), renumbered, copy));
  }
  const parts = [...sections].flatMap(([id, content]) => [Buffer.of(id), unsigned(content.length), content]);
  return Buffer.concat([module.subarray(0, 8), ...parts]);
}

/** Encodes a number in LEB128. */
function unsigned(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  return Buffer.of(...bytes, number);
}

const list = (rows) => Buffer.concat([unsigned(rows.length), ...rows]);

function rows(content, read) {
  const reader = new Copier(content);
  return Array.from({ length: reader.unsigned() }, () => read(reader));
}

function copied(content, renumbered, copy) {
  const copier = new Copier(content, renumbered);
  copy(copier);
  if (copier.isLeft()) throw new Error("a section of the module is longer than it says");
  return Buffer.from(copier.copy);
}

/** Reads parts of a module, and copies them with the numbers of functions changed. */
class Copier {
  copy = [];
  #at = 0;

  constructor(bytes, renumbered) {
    this.bytes = bytes;
    this.renumbered = renumbered;
  }

  isLeft() {
    return this.#at < this.bytes.length;
  }

  byte() {
    const byte = this.bytes[this.#at++];
    if (byte === undefined) throw new Error("the module ends too early");
    this.copy.push(byte);
    return byte;
  }

  skip(count) {
    for (let i = 0; i < count; i++) this.byte();
  }

  take(count) {
    this.#at += count;
    return this.bytes.subarray(this.#at - count, this.#at);
  }

  /** Reads a number in LEB128, whose value is only right without a sign. */
  unsigned() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  numbers(count) {
    for (let i = 0; i < count; i++) this.unsigned();
  }

  each(copy) {
    for (let left = this.unsigned(); left > 0; left--) copy(this);
  }

  function() {
    const before = this.copy.length;
    const number = this.unsigned();
    this.copy.length = before;
    this.copy.push(...unsigned(this.renumbered(number)));
  }
}

function importedFunctions(copier) {
  let count = 0;
  const limits = () => copier.numbers(copier.byte() & 1 ? 2 : 1);
  copier.each(() => {
    for (let name = 0; name < 2; name++) copier.skip(copier.unsigned());
    const kind = copier.byte();
    if (kind > 3) throw new Error(`the module imports something of the unknown kind ${kind}`);
    if (kind === 0) count++;
    if (kind === 0) copier.unsigned();
    if (kind === 1) copier.byte();
    if (kind === 1 || kind === 2) limits();
    if (kind === 3) copier.skip(2);
  });
  return count;
}

function globals(copier) {
  copier.each(() => {
    copier.skip(2);
    expression(copier);
  });
}

function exported(copier) {
  copier.each(() => {
    copier.skip(copier.unsigned());
    if (copier.byte() === 0) copier.function();
    else copier.unsigned();
  });
}

function start(copier) {
  copier.function();
}

function elements(copier) {
  copier.each(() => {
    const flags = copier.unsigned();
    const [isPassive, isExplicit, areExpressions] = [flags & 1, flags & 2, flags & 4];
    if (!isPassive && isExplicit) copier.unsigned();
    if (!isPassive) expression(copier);
    if (isPassive || isExplicit) copier.byte();
    copier.each(areExpressions ? expression : () => copier.function());
  });
}

function body(copier) {
  copier.each(() => {
    copier.unsigned();
    copier.byte();
  });
  while (copier.isLeft()) instruction(copier);
}

function expression(copier) {
  while (instruction(copier) !== 0x0b);
}

/** Copies an instruction with what follows it, and returns its first byte. */
function instruction(copier) {
  const code = copier.byte();
  if (code === 0x10 || code === 0x12 || code === 0xd2) copier.function();
  else if (code === 0x0e || code === 0x1c) {
    copier.each(() => copier.unsigned());
    if (code === 0x0e) copier.unsigned();
  } else if (code === 0x43 || code === 0x44) copier.skip(code === 0x43 ? 4 : 8);
  else if (code === 0xfc) copier.numbers(NUMBERS_OF_BULK[copier.unsigned()] ?? 0);
  else if (code === 0xfd) vector(copier, copier.unsigned());
  else if (code <= 0xd1) copier.numbers(numbersOf(code));
  else throw new Error(`the module has the unknown instruction 0x${code.toString(16)}`);
  return code;
}

/** Returns how many numbers follow an instruction of one byte. */
function numbersOf(code) {
  if ((code >= 0x02 && code <= 0x04) || code === 0x0c || code === 0x0d) return 1;
  if (code === 0x11 || code === 0x13 || (code >= 0x28 && code <= 0x3e)) return 2;
  if ((code >= 0x20 && code <= 0x26) || (code >= 0x3f && code <= 0x42) || code === 0xd0) return 1;
  if (code <= 0x01 || code === 0x05 || code === 0x0b || code === 0x0f || code === 0x1a || code === 0x1b) return 0;
  if ((code >= 0x45 && code <= 0xc4) || code === 0xd1) return 0;
  throw new Error(`the module has the unknown instruction 0x${code.toString(16)}`);
}

/** The instructions for whole ranges of memory and tables, which come after conversions without any numbers. */
const NUMBERS_OF_BULK = { 8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1 };

function vector(copier, code) {
  const isLane = code >= 84 && code <= 91;
  if (code <= 11 || isLane || code === 92 || code === 93) copier.numbers(2);
  if (code === 12 || code === 13) copier.skip(16);
  if (isLane || (code >= 21 && code <= 34)) copier.byte();
}

/** The bytes of a shingle, and how many of the least hashes stand for a function (A. Broder, "On the resemblance and containment of documents", 1997). */
const SHINGLE = 3;
const HASHES = 64;
/** How much of the likeness to those before the last one counts. */
const MEMORY = 0.75;

/** Returns the numbers of pieces of code in an order in which each comes after those that it is most like. */
function likeAfterLike(bodies) {
  const hashes = bodies.map(leastHashes);
  const left = new Set(bodies.keys());
  const likeness = new Float64Array(bodies.length);
  const order = [];
  let next = 0;
  for (const number of left) if (bodies[number].length > bodies[next].length) next = number;
  while (left.delete(next)) {
    order.push(next);
    const last = hashes[next];
    let most = -1;
    for (const number of left) {
      const own = hashes[number];
      let same = 0;
      for (let i = 0; i < HASHES; i++) if (own[i] === last[i]) same++;
      likeness[number] = MEMORY * likeness[number] + same;
      if (likeness[number] > most) [most, next] = [likeness[number], number];
    }
  }
  return order;
}

function leastHashes(bytes) {
  const shingles = new Set();
  for (let at = 0; at + SHINGLE <= bytes.length; at++) shingles.add(bytes.readUIntBE(at, SHINGLE));
  const least = new Uint32Array(HASHES).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let i = 0; i < HASHES; i++) {
      const hash = Math.imul(shingle ^ Math.imul(i, 0x9e3779b9), 0x85ebca6b + 2 * i);
      const mixed = (hash ^ (hash >>> 15)) >>> 0;
      if (mixed < least[i]) least[i] = mixed;
    }
  }
  return least;
}
