// A mesh that is built in a worker.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { Mesh, buildMeshInWorker, init } from "hitscan";

const script = `
  import { parentPort } from "node:worker_threads";
  import { init, serveMeshBuilds } from "hitscan";
  await init();
  serveMeshBuilds(parentPort);
`;

test("a worker builds, and its errors arrive", async () => {
  await init();
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script.replace('"hitscan"', JSON.stringify(import.meta.resolve("hitscan"))))}`));
  try {
    const positions = Float32Array.from({ length: 9000 }, (_, i) => Math.sin(i * 78.233) * 5);
    const [built, other] = await Promise.all([buildMeshInWorker(worker, positions), buildMeshInWorker(worker, positions, Uint32Array.of(0, 1, 2))]);
    using here = new Mesh(positions);
    assert.deepEqual(built.toBytes(), here.toBytes());
    assert.equal(other.triangleCount, 1);
    await assert.rejects(buildMeshInWorker(worker, positions, Uint32Array.of(0, 1)), /3/);
  } finally {
    await worker.terminate();
  }
});
