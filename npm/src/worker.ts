import { Mesh, type MeshOptions } from "./mesh.js";

type Request = { hitscan: "build"; id: number; positions: Float32Array; indices: Uint32Array | undefined; options: MeshOptions };
type Reply = { hitscan: "built"; id: number; bytes?: Uint8Array; error?: string };

/** The methods that both ends of a connection with a worker have: `Worker`, `self` in the worker, and node's `parentPort`. */
interface Port {
  postMessage(message: unknown, transfer?: unknown): void;
  addEventListener?(type: "message", listener: (event: { data: unknown }) => void): void;
  on?(type: "message", listener: (data: unknown) => void): void;
}

function listen(port: Port, handle: (data: unknown) => void): void {
  if (port.addEventListener !== undefined) port.addEventListener("message", ({ data }) => handle(data));
  else port.on?.("message", handle);
}

/**
 * Builds the meshes that `buildMeshInWorker` asks for, and sends them back. A worker has two lines:
 *
 * ```js
 * import { init, serveMeshBuilds } from "hitscan";
 * await init();
 * serveMeshBuilds(self); // in node: serveMeshBuilds(parentPort)
 * ```
 */
export function serveMeshBuilds(port: Port): void {
  listen(port, (data) => {
    const request = data as Request | { hitscan: "hello" };
    if (request?.hitscan === "hello") port.postMessage({ hitscan: "ready" });
    if (request?.hitscan !== "build") return;
    try {
      const mesh = new Mesh(request.positions, request.indices, request.options);
      const bytes = mesh.toBytes();
      mesh.dispose();
      port.postMessage({ hitscan: "built", id: request.id, bytes } satisfies Reply, [bytes.buffer]);
    } catch (error) {
      port.postMessage({ hitscan: "built", id: request.id, error: error instanceof Error ? error.message : String(error) } satisfies Reply);
    }
  });
  port.postMessage({ hitscan: "ready" });
}

let last = 0;
const waiting = new WeakMap<object, { builds: Map<number, { resolve(mesh: Mesh): void; reject(error: Error): void }>; requests: Request[] | undefined }>();

/** Builds a mesh in a worker that calls `serveMeshBuilds`, so that the page stays responsive. The arrays are copied. */
export function buildMeshInWorker(worker: Port, positions: Float32Array, indices?: Uint32Array | null, options: MeshOptions = {}): Promise<Mesh> {
  let state = waiting.get(worker);
  if (state === undefined) {
    state = { builds: new Map(), requests: [] };
    waiting.set(worker, state);
    const { builds } = state;
    const own = state;
    listen(worker, (data) => {
      const reply = data as Reply | { hitscan: "ready" };
      if (reply?.hitscan === "ready") {
        own.requests?.forEach((request) => worker.postMessage(request));
        own.requests = undefined;
      }
      if (reply?.hitscan !== "built") return;
      const build = builds.get(reply.id);
      builds.delete(reply.id);
      if (reply.bytes === undefined) build?.reject(new Error(reply.error));
      else build?.resolve(Mesh.fromBytes(reply.bytes));
    });
    // A message that is sent before the other side listens is lost. So both sides send a greeting, and the later greeting arrives.
    worker.postMessage({ hitscan: "hello" });
  }
  const request: Request = { hitscan: "build", id: ++last, positions, indices: indices ?? undefined, options };
  const { builds, requests } = state;
  return new Promise((resolve, reject) => {
    builds.set(request.id, { resolve, reject });
    if (requests === undefined) worker.postMessage(request);
    else requests.push(request);
  });
}
