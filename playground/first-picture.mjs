// Measures when the built page shows its first picture, and when it answers, in Debian's Chromium without a graphics card: node first-picture.mjs [TIMES]
//
// Each measurement is of a browser's first visit, in milliseconds from the navigation. The first time ends when the frame with the first drawing calls is done.
// The second ends when the library has started and the first stage is open.
import { open, start, stop } from "./test/browser.mjs";

const times = Number(process.argv[2] ?? 9);
if (!(times >= 1)) throw new Error("usage: node first-picture.mjs [TIMES]");
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Runs before the page's own code, and notes the time of the frame after the first drawing call. */
function watch() {
  for (const kind of [WebGLRenderingContext, WebGL2RenderingContext]) {
    for (const name of ["drawArrays", "drawElements"]) {
      const draw = kind.prototype[name];
      kind.prototype[name] = function (...given) {
        draw.apply(this, given);
        if (globalThis.pictureAt !== undefined) return;
        globalThis.pictureAt = NaN;
        // The next frame begins after this frame was handed over to the browser.
        requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.pictureAt = performance.now())));
      };
    }
  }
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => {
      if (document.body.dataset.ready) globalThis.readyAt ??= performance.now();
    }).observe(document.body, { attributes: true });
  });
}

await start();
const found = [];
for (let time = 0; time < times; time++) {
  const { page, until, finish } = await open("", {}, watch);
  await until(() => globalThis.pictureAt > 0 && globalThis.readyAt > 0);
  found.push(await page.evaluate(() => [globalThis.pictureAt, globalThis.readyAt]));
  await finish();
}
await stop();
for (const [index, what] of ["first picture", "stage open"].entries()) {
  const all = found.map((row) => Math.round(row[index]));
  console.log(`${what.padEnd(16)} median ${median(all)} ms of ${all.join(", ")}`);
}
