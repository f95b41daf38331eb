import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { village } from "../src/village.js";
import { models, open, phone, wide } from "./browser.mjs";

test("pick: the first look says what the page does, and something moves", async () => {
  const { page, data, until, shot, finish } = await open("", wide);
  await until(() => document.body.dataset.hit);
  const first = await data("hit");
  assert.match(await page.textContent("#says"), /under the cursor/);
  await until(() => document.querySelector("#times tr:nth-child(3) td")?.textContent.includes("x"));
  assert.match(await page.textContent("#time"), /µs|ms/);
  assert.equal(await data("model"), "village");
  await shot("pick");
  await until((first) => document.body.dataset.hit !== first, first);
  await finish();
});

test("pick: click, rectangle, lasso, keys and the slower raycaster", async () => {
  const { page, at, data, until, shot, finish } = await open();
  await page.mouse.move(...at(0.5, 0.5));
  await page.mouse.click(...at(0.5, 0.6));
  await until(() => document.body.dataset.selected);
  const one = await data("selected");
  await page.keyboard.down("Shift");
  await page.mouse.click(...at(0.3, 0.75));
  await page.keyboard.up("Shift");
  assert.ok((await data("selected")).startsWith(one), "a click with shift adds");
  await page.click('[data-tool="rect"]');
  await page.mouse.move(...at(0.2, 0.2));
  await page.mouse.down();
  await page.mouse.move(...at(0.8, 0.8), { steps: 3 });
  assert.ok(await page.locator("#overlay rect").isVisible());
  await page.mouse.up();
  await until(() => document.body.dataset.selected.split("|").length > 5);
  const many = (await data("selected")).split("|").length;
  await shot("rectangle");
  await page.keyboard.press("l");
  await page.mouse.move(...at(0.4, 0.4));
  await page.mouse.down();
  for (const [x, y] of [[0.55, 0.4], [0.55, 0.6], [0.4, 0.6]]) await page.mouse.move(...at(x, y), { steps: 2 });
  await page.mouse.up();
  await until((many) => document.body.dataset.selected.split("|").length < many, many);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await until(() => document.body.dataset.selected === "");
  await page.click("#slower");
  assert.match(page.url(), /engine=three\.js/);
  await finish();
});

test("pick: a click goes through the holes between leaves", async () => {
  const root = village();
  const tree = root.children.find(({ name }) => name === "Leaves 2");
  const { x, y, z } = tree.position;
  const { page, at, data, until, shot, finish } = await open(`#view=${x},${y + 0.4},${z + 4},${x},${y},${z}`);
  const seen = {};
  // All these places are within the outline of the crown.
  for (let i = 0; i < 16 && (!seen.leaf || !seen.hole); i++) {
    const place = at(0.44 + 0.008 * i, 0.5);
    await page.mouse.move(...place);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    seen[(await data("hit")) === tree.name ? "leaf" : "hole"] ??= place;
  }
  assert.ok(seen.leaf && seen.hole, `leaves and holes are there: ${JSON.stringify(seen)}`);
  await page.mouse.click(...seen.leaf);
  await until((name) => document.body.dataset.selected === name, tree.name);
  await page.mouse.click(...seen.hole);
  await until((name) => document.body.dataset.selected !== name, tree.name);
  await shot("leaves");
  await finish();
});

test("pick: a finger selects, on a phone, in the dark", async () => {
  const { page, at, until, shot, finish } = await open("", phone);
  await page.touchscreen.tap(...at(0.5, 0.6));
  await until(() => document.body.dataset.selected);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the phone");
  await shot("phone");
  await finish();
});

/** A GLB with one triangle, in the form that three.js' exporter and others write. */
function triangle() {
  const document = { asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, name: "Sail" }], meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }], materials: [{ doubleSided: true }], accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [-1, -1, 0], max: [1, 1, 0] }], bufferViews: [{ buffer: 0, byteLength: 36 }], buffers: [{ byteLength: 36 }] };
  const text = JSON.stringify(document);
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4));
  const bytes = Buffer.from(Float32Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0).buffer);
  const head = Uint32Array.of(0x46546c67, 2, 20 + json.length + 8 + bytes.length, json.length, 0x4e4f534a);
  return Buffer.concat([Buffer.from(head.buffer), json, Buffer.from(Uint32Array.of(bytes.length, 0x4e4942).buffer), bytes]);
}

test("pick: a model is dropped, and a damaged one is refused in words", async (t) => {
  const { page, at, data, until, shot, finish } = await open();
  // After this first input, nothing turns by itself.
  await page.mouse.move(...at(0.5, 0.5));
  const drop = (name, bytes) => page.evaluate(({ name, base64 }) => {
    const file = new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, { name, base64: Buffer.from(bytes).toString("base64") });
  await drop("broken.glb", "this is no model");
  await page.waitForSelector("#message:not([hidden])");
  assert.match(await page.textContent("#message"), /broken\.glb cannot be opened/);
  await drop("cut.glb", triangle().subarray(0, 300));
  await until(() => document.querySelector("#message").textContent.startsWith("cut.glb cannot be opened"));
  await drop("picture.png", "no model");
  await until(() => document.querySelector("#message").textContent.includes("no .glb"));
  assert.equal(await data("model"), "village", "what was there stays");
  await drop("sail.glb", triangle());
  await until(() => document.body.dataset.model === "sail.glb");
  await page.mouse.click(...at(0.5, 0.5));
  await until(() => document.body.dataset.selected === "Sail");
  await page.click('[data-stage="inside"]');
  await until(() => document.querySelector("#levels td")?.textContent === "1 of 1");
  await page.click('[data-stage="pick"]');
  assert.equal(await data("model"), "sail.glb");
  for (const name of ["scenes/car.glb", "scenes/low-poly-terrain.glb", "transforms/truck-flat-mirrored.glb"]) {
    const file = join(models, name);
    if (!existsSync(file)) {
      t.diagnostic(`skipped: ${name}: the models are not there`);
      continue;
    }
    await drop(name.split("/").at(-1), readFileSync(file));
    await until((name) => document.body.dataset.model === name, name.split("/").at(-1));
    await page.mouse.click(...at(0.5, 0.5));
    await until(() => document.body.dataset.selected);
  }
  await shot("model");
  await finish();
});
