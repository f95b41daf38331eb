// Passes messages from standard input to a WebAssembly module, and the answers of the module to standard output.
//
// A message is its length in 4 bytes, followed by its bytes. An answer is 8 bytes. All numbers are little endian. Any fault ends the process.
import { readFileSync, readSync, writeSync } from "node:fs";

const { exports: module } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])));
// A view becomes empty when the memory grows, so a new view is made for each use.
const bytes = (start, length) => new Uint8Array(module.memory.buffer, start >>> 0, length);

// Returns false at the end of the input.
function fill(target) {
  for (let at = 0; at < target.length; ) {
    const count = readSync(0, target, at, target.length - at, null);
    if (count === 0) {
      if (at > 0) throw new Error("the input ends within a message");
      return false;
    }
    at += count;
  }
  return true;
}

const length = new Uint8Array(4);
const answer = new DataView(new ArrayBuffer(8));
while (fill(length)) {
  const size = new DataView(length.buffer).getUint32(0, true);
  const start = module.reserve(size);
  if (!fill(bytes(start, size))) throw new Error("the input ends before a message");
  answer.setBigUint64(0, BigInt.asUintN(64, module.answer()), true);
  const errorLength = module.error_length();
  if (errorLength > 0) throw new Error(new TextDecoder().decode(bytes(module.error(), errorLength)));
  writeSync(1, new Uint8Array(answer.buffer));
}
