// Records the digest of the native library: node record.mjs NATIVE
//
// NATIVE is the program that `cargo build --package hitscan-digest --example cast_file` makes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digest, question } from "./src/question.js";

const rays = 100000;
const folder = mkdtempSync(join(tmpdir(), "hitscan-"));
const file = join(folder, "rays");
const { positions, indices, rays: numbers } = question(rays);
const head = Uint32Array.of(positions.length / 3, indices.length / 3, rays);
writeFileSync(file, Buffer.concat([head, positions, indices, numbers].map(({ buffer }) => Buffer.from(buffer))));
const bytes = execFileSync(process.argv[2], [file], { maxBuffer: 2 ** 28 });
rmSync(folder, { recursive: true });
const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const column = (first, width) => Uint32Array.from({ length: rays * width }, (_, i) => words[10 * Math.floor(i / width) + first + (i % width)]);
const hits = column(1, 1).reduce((hits, triangle) => hits + (triangle === 4294967295 ? 0 : 1), 0);
const native = digest([column(0, 1), column(1, 1), column(4, 3), column(7, 3)]);
writeFileSync(new URL("src/digest.json", import.meta.url), `${JSON.stringify({ rays, hits, native })}\n`);
console.log(`${rays} rays, ${hits} hits, ${native}`);
