// Compares with three-mesh-bvh and three.js' Raycaster: node bench.mjs [--page] [TRIANGLES]
//
// In node the table has processor time, which other programs do not change. With `--page` a page of Debian's Chromium measures, where only the
// wall clock is available: measure there when nothing else runs. ROUNDS=15 is the number of rounds.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { build } from "esbuild";
import { measure } from "./bench/measure.mjs";

const isInPage = process.argv.includes("--page");
const wanted = Number(process.argv.slice(2).find((argument) => argument !== "--page") ?? 80000);
const rounds = Number(process.env.ROUNDS ?? 15);
if (!(wanted >= 100 && rounds >= 1)) throw new Error("usage: node bench.mjs [--page] [TRIANGLES], with at least 100 triangles");
const lines = isInPage ? await measureInPage() : await measureHere();
console.log(lines.join("\n"));

function measureHere() {
  return measure({ wanted, rounds, now: () => process.cpuUsage().user, engine: `node ${process.version}` });
}

/** Opens a page that measures, and returns its lines. The playground's packages drive the browser. */
async function measureInPage() {
  const file = (path) => new URL(path, import.meta.url);
  const { chromium } = createRequire(file("../playground/package.json"))("playwright-core");
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
  if (executablePath === undefined) throw new Error("there is no Chromium (on Debian: `apt-get install chromium`)");
  const options = { entryPoints: [file("bench/page.mjs").pathname], bundle: true, format: "esm", target: "es2022", write: false, logLevel: "warning" };
  const [script] = (await build(options)).outputFiles;
  const server = createServer(({ url }, response) => {
    const [type, content] = url === "/page.js" ? ["text/javascript", script.text] : ["text/html", '<script type="module" src="page.js"></script>'];
    // An isolated page has a finer clock.
    const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
    response.writeHead(200, { "content-type": type, ...isolated }).end(content);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`http://127.0.0.1:${server.address().port}/?triangles=${wanted}&rounds=${rounds}`);
    await page.waitForFunction(() => globalThis.measured !== undefined);
    return await page.evaluate(() => globalThis.measured);
  } finally {
    await browser.close();
    server.close();
  }
}
