// Browser tests of the built page, with Debian's Chromium: node test.mjs [SCREENSHOTS]
//
// Real clicks, touches and keys; models of ../shared/models, or of HITSCAN_MODELS, if they are there.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const shots = join(here, "shots");
const models = process.env.HITSCAN_MODELS ?? join(here, "../../../shared/models");
const path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const patience = { timeout: 120000 };
let server;
let browser;

before(async () => {
  mkdirSync(shots, { recursive: true });
  server = await serve(join(here, "dist/page"));
  browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"] });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the page, and fails on any error that it logs. */
async function open(hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.setDefaultTimeout(120000);
  await page.goto(`${server.address}${hash}`);
  await page.waitForSelector("body[data-ready], body[data-failed]", patience);
  return { page, errors, data: (key) => page.evaluate((key) => document.body.dataset[key], key), close: () => context.close() };
}

const until = (page, condition, value) => page.waitForFunction(condition, value, patience);

test("the first look says what the page does, and something moves", async () => {
  const { page, errors, data, close } = await open();
  await until(page, () => document.body.dataset.hit);
  assert.match(await page.textContent("#says"), /under the cursor/);
  await until(page, () => document.querySelector("#times tr:nth-child(3) td")?.textContent.includes("x"));
  assert.match(await page.textContent("#time"), /µs|ms/);
  assert.equal(await data("model"), "village");
  await page.screenshot({ path: join(shots, "pick.png") });
  assert.deepEqual(errors, []);
  await close();
});

test("click, rectangle, lasso, keys and the slower raycaster", async () => {
  const { page, errors, data, close } = await open();
  const box = await page.locator("#view").boundingBox();
  const at = (x, y) => [box.x + box.width * x, box.y + box.height * y];
  await page.mouse.move(...at(0.5, 0.5));
  await until(page, () => document.body.dataset.hit);
  await page.mouse.click(...at(0.5, 0.6));
  await until(page, () => document.body.dataset.selected);
  await page.click('[data-tool="rect"]');
  await page.mouse.move(...at(0.2, 0.2));
  await page.mouse.down();
  await page.mouse.move(...at(0.8, 0.8), { steps: 3 });
  await page.screenshot({ path: join(shots, "rectangle.png") });
  await page.mouse.up();
  await until(page, () => document.body.dataset.selected.split("|").length > 5);
  const many = (await data("selected")).split("|").length;
  await page.keyboard.press("l");
  await page.mouse.move(...at(0.4, 0.4));
  await page.mouse.down();
  for (const [x, y] of [[0.55, 0.4], [0.55, 0.6], [0.4, 0.6]]) await page.mouse.move(...at(x, y), { steps: 2 });
  await page.mouse.up();
  await until(page, (many) => document.body.dataset.selected.split("|").length < many, many);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await until(page, () => document.body.dataset.selected === "");
  await page.click("#slower");
  assert.match(page.url(), /engine=three\.js/);
  assert.deepEqual(errors, []);
  await close();
});

test("touch selects, on a phone, in the dark", async () => {
  const { page, errors, close } = await open("", { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: "dark" });
  const box = await page.locator("#view").boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height * 0.6);
  await until(page, () => document.body.dataset.selected);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(wide, "nothing is wider than the phone");
  await page.screenshot({ path: join(shots, "phone.png") });
  assert.deepEqual(errors, []);
  await close();
});

test("a model is dropped, and a damaged one is refused in words", async (t) => {
  const { page, data, close } = await open();
  const drop = (name, bytes) => page.evaluate(({ name, base64 }) => {
    const file = new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, { name, base64: Buffer.from(bytes).toString("base64") });
  await drop("broken.glb", "this is no model");
  await page.waitForSelector("#message:not([hidden])");
  assert.match(await page.textContent("#message"), /broken\.glb cannot be opened/);
  await drop("picture.png", "no model");
  await until(page, () => document.querySelector("#message").textContent.includes("no .glb"));
  for (const name of ["scenes/car.glb", "scenes/low-poly-terrain.glb", "transforms/truck-flat-mirrored.glb"]) {
    const file = join(models, name);
    if (!existsSync(file)) {
      t.diagnostic(`skipped: ${name}: the models are not there`);
      continue;
    }
    await drop(name.split("/").at(-1), readFileSync(file));
    await until(page, (name) => document.body.dataset.model === name, name.split("/").at(-1));
    const box = await page.locator("#view").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await until(page, () => document.body.dataset.selected);
  }
  await page.screenshot({ path: join(shots, "model.png") });
  assert.ok(await data("model"));
  await close();
});

test("the ray tests: the worked example first, each stage, dragging, plain f32", async () => {
  const { page, errors, data, close } = await open("#stage=rays");
  assert.equal(await data("test"), "box");
  const rows = await page.$$eval("#rays tr", (rows) => rows.map((row) => row.lastChild.textContent));
  assert.deepEqual(rows, ["1.25", "no hit", "no hit", "1", "no hit"]);
  await page.screenshot({ path: join(shots, "rays.png") });
  const box = await page.locator("#view").boundingBox();
  await page.click('[data-ray="0"]');
  assert.equal(await data("t"), "1.25");
  await page.focus("#view");
  await page.keyboard.press("ArrowLeft");
  await until(page, () => Math.abs(document.body.dataset.t - 1.3) < 1e-6);
  assert.match(page.url(), /ray=-2/);
  assert.match(await data("cracks"), /^\d+\/0$/);
  for (const [name, t] of [["plane", 1], ["sphere", 0.6848485], ["triangle", null]]) {
    await page.click(`[data-test="${name}"]`);
    assert.equal(await data("test"), name);
    if (t !== null) assert.ok(Math.abs(Number(await data("t")) - t) < 0.01, `${name}: ${await data("t")}`);
  }
  await page.click('[data-ray="2"]');
  assert.ok(Number(await data("t")) > 0, "a ray through the edge hits");
  await page.click("#plain");
  assert.match(page.url(), /plain=1/);
  assert.ok(box.width > 0);
  assert.deepEqual(errors, []);
  await close();
});

test("the address holds the state, the window may change its size, and the digest is the native one", async () => {
  const { page, errors, data, close } = await open("#stage=rays&test=sphere&ray=0,5,0,0,-1,0");
  assert.equal(await data("test"), "sphere");
  assert.equal(await data("t"), "4");
  await page.setViewportSize({ width: 700, height: 900 });
  await until(page, () => document.querySelector("#view").clientWidth === 700);
  await until(page, () => document.querySelector("#digest").dataset.same);
  assert.equal(await page.getAttribute("#digest", "data-same"), "true", await page.textContent("#digest"));
  assert.deepEqual(errors, []);
  await close();
});

test("without WebGL the page says so", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
    };
  });
  await page.goto(server.address);
  await page.waitForSelector("#message:not([hidden])", patience);
  assert.match(await page.textContent("#message"), /no WebGL/);
  await context.close();
});
