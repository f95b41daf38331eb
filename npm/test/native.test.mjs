// The bits of the answers to 100,000 rays, in both modules and natively: at a mesh that is made here, and at Sponza if the models are there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const native = process.env.HITSCAN_NATIVE ?? "../target/debug/examples/cast_file";
const models = process.env.HITSCAN_MODELS ?? "../../shared/models";
const count = 100000;

/** Casts the rays of a file with one module, in a process of its own, and writes rows as the native program does. */
const script = `
  import { readFileSync, writeFileSync } from "node:fs";
  import { Mesh, init } from "hitscan";
  const [file, to, level] = process.argv.slice(1);
  await init({ level });
  const { buffer, byteOffset } = readFileSync(file);
  const [vertices, triangles, rays] = new Uint32Array(buffer.slice(byteOffset, byteOffset + 12));
  let at = byteOffset + 12;
  const take = (Kind, length) => new Kind(buffer.slice(at, (at += 4 * length)));
  const mesh = new Mesh(take(Float32Array, 3 * vertices), take(Uint32Array, 3 * triangles));
  const all = take(Float32Array, 6 * rays);
  const row = new DataView(new ArrayBuffer(40 * rays));
  const batch = mesh.castBatch(all, { normalize: false, uvs: true, points: true, normals: true });
  for (let i = 0; i < rays; i++) {
    const [ox, oy, oz, dx, dy, dz] = all.subarray(6 * i);
    const hit = mesh.cast([ox, oy, oz], [dx, dy, dz], { normalize: false });
    const { t, triangle, u, v, point, normal } = hit ?? { t: Infinity, triangle: 4294967295, u: 0, v: 0, point: [0, 0, 0], normal: [0, 0, 0] };
    if (!Object.is(batch.t[i], t) || batch.triangle[i] !== triangle) throw new Error("a batch answers otherwise");
    [t, triangle, u, v, ...point, ...normal].forEach((number, k) => (k === 1 ? row.setUint32(40 * i + 4, number, true) : row.setFloat32(40 * i + 4 * k, number, true)));
  }
  writeFileSync(to, new Uint8Array(row.buffer));
`;

function random() {
  let state = 2463534242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 8) / 2 ** 24;
  };
}

/** A crumpled sheet, with rays at its vertices, edges and anywhere. */
function crumpled(next) {
  const side = 100;
  const positions = Float32Array.from({ length: 3 * (side + 1) ** 2 }, (_, i) => [Math.floor(i / 3 / (side + 1)) / 8 - 6, 2 * next(), (Math.floor(i / 3) % (side + 1)) / 8 - 6][i % 3]);
  const indices = [];
  for (let i = 0; i < side; i++) for (let j = 0; j < side; j++) indices.push(...((a) => [a, a + 1, a + side + 1, a + side + 1, a + 1, a + side + 2])(i * (side + 1) + j));
  return { positions, indices: Uint32Array.from(indices) };
}

/** All triangles of a GLB whose positions are plain floats. */
function glb(file) {
  const bytes = readFileSync(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString());
  const start = 28 + length;
  const positions = [];
  const indices = [];
  const kinds = { 5121: ["getUint8", 1], 5123: ["getUint16", 2], 5125: ["getUint32", 4], 5126: ["getFloat32", 4] };
  const read = (number, width) => {
    const { bufferView, byteOffset = 0, componentType, count } = json.accessors[number];
    const { byteOffset: offset = 0, byteStride } = json.bufferViews[bufferView];
    const [get, size] = kinds[componentType];
    const stride = byteStride ?? size * width;
    return Array.from({ length: count * width }, (_, i) => view[get](start + offset + byteOffset + Math.floor(i / width) * stride + (i % width) * size, true));
  };
  for (const { primitives } of json.meshes) {
    for (const primitive of primitives) {
      const first = positions.length / 3;
      for (const number of read(primitive.attributes.POSITION, 3)) positions.push(number);
      for (const number of read(primitive.indices, 1)) indices.push(first + number);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function raysAt({ positions, indices }, next) {
  const box = [0, 1, 2].map((axis) => {
    let [min, max] = [Infinity, -Infinity];
    for (let i = axis; i < positions.length; i += 3) [min, max] = [Math.min(min, positions[i]), Math.max(max, positions[i])];
    return [min, max];
  });
  const somewhere = (axis) => box[axis][0] + next() * (box[axis][1] - box[axis][0]);
  const rays = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) {
    const triangle = 3 * Math.floor(next() * (indices.length / 3));
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[triangle + k]);
    const [p, q] = i % 4 === 0 ? [1, 0] : i % 4 === 1 ? [0.5, 0.5] : [next(), next() / 2];
    for (let axis = 0; axis < 3; axis++) {
      const origin = Math.fround(somewhere(axis));
      const target = i % 4 === 3 ? somewhere(axis) : positions[a + axis] * p + positions[b + axis] * q + positions[c + axis] * (1 - p - q);
      rays[6 * i + axis] = origin;
      rays[6 * i + 3 + axis] = target - origin;
    }
  }
  return rays;
}

const cases = [["a crumpled sheet", crumpled]];
const sponza = join(models, "interiors/sponza.glb");
if (existsSync(sponza)) cases.push(["Sponza", () => glb(sponza)]);

for (const [name, make] of cases) {
  test(`${count} rays have the same bits in both modules and natively: ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "hitscan-"));
    try {
      const next = random();
      const mesh = make(next);
      const rays = raysAt(mesh, next);
      const file = join(folder, "rays");
      const head = Uint32Array.of(mesh.positions.length / 3, mesh.indices.length / 3, count);
      writeFileSync(file, Buffer.concat([head, mesh.positions, mesh.indices, rays].map((numbers) => Buffer.from(numbers.buffer))));
      const expected = execFileSync(native, [file], { maxBuffer: 2 ** 28 });
      const hits = Array.from({ length: count }, (_, i) => expected.readUInt32LE(40 * i + 4)).filter((triangle) => triangle !== 4294967295).length;
      assert.ok(hits > count / 4, `${hits} hits`);
      for (const level of ["simd128", "scalar"]) {
        const to = join(folder, level);
        execFileSync(process.execPath, ["--input-type=module", "--eval", script, file, to, level]);
        const found = readFileSync(to);
        const differs = Array.from({ length: count }, (_, i) => i).filter((i) => !found.subarray(40 * i, 40 * i + 40).equals(expected.subarray(40 * i, 40 * i + 40)));
        assert.equal(differs.length, 0, `${level}: ray ${differs[0]} and ${differs.length - 1} more`);
      }
      console.log(`${name}: ${mesh.indices.length / 3} triangles, ${hits} of ${count} rays hit, all bits equal`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
