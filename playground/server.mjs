// Serves a folder on loopback: node server.mjs [FOLDER]
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".glb": "model/gltf-binary" };

/** Serves the files of a folder, and returns the address. */
export function serve(folder, port = 0) {
  const server = createServer(({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://here").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end("not found");
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve({ address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(process.argv[2] ?? join(fileURLToPath(new URL(".", import.meta.url)), "dist/page"), Number(process.env.PORT ?? 0));
  console.log(address);
}
