import assert from "node:assert/strict";
import { test } from "node:test";
import { open, wide } from "./browser.mjs";

test("rays: the worked example is the first stage, with red and blue rays", async () => {
  const { page, data, until, shot, finish } = await open("#stage=rays", wide);
  assert.equal(await data("test"), "box");
  const list = await page.$$eval("#rays tr", (list) => list.map(({ cells }) => [cells[1].textContent, cells[2].textContent, getComputedStyle(cells[2]).color]));
  const [red, blue] = ["rgb(201, 34, 34)", "rgb(36, 92, 214)"];
  assert.deepEqual(list, [
    ["(-2, -2, -2) + t (2, 2, 2)", "1.25", red],
    ["(0, 0, 0) + t (0, 1, 0)", "no hit", blue],
    ["(0, 0, 0) + t (-1, 0, 0)", "no hit", blue],
    ["(1, 1, 1) + t (1, 1, 0)", "1", red],
    ["(0.4, 1, 1) + t (-1, 0, 0)", "no hit", blue],
  ]);
  await shot("rays");
  await page.click('[data-ray="0"]');
  assert.equal(await data("t"), "1.25");
  assert.deepEqual(await page.$$eval("#steps .lit", (lit) => lit.map(({ cells }) => cells[0].textContent)), ["enter <= leave", "leave >= 0"]);
  await page.click('[data-ray="1"]');
  assert.deepEqual(await page.$$eval("#steps .unlit", (no) => no.map(({ cells }) => cells[0].textContent)), ["enter <= leave", "leave >= 0"]);
  await page.click('[data-ray="0"]');
  await page.focus("#view");
  await page.keyboard.press("ArrowLeft");
  await until(() => Math.abs(document.body.dataset.t - 1.3) < 1e-6);
  assert.match(page.url(), /ray=-2/);
  await finish();
});

test("rays: each stage answers", async () => {
  const { page, data, finish } = await open("#stage=rays");
  const first = { plane: 1, sphere: 0.6890874, triangle: 1.0119047, matrix: 1.0119047, line: 2, circle: 1.0417424 };
  for (const [name, t] of Object.entries(first)) {
    await page.click(`[data-test="${name}"]`);
    await page.click('[data-ray="0"]');
    assert.equal(await data("test"), name);
    assert.ok(Math.abs(Number(await data("t")) - t) < 1e-6, `${name}: ${await data("t")}`);
    assert.match(page.url(), new RegExp(`test=${name}`));
  }
  await page.click('[data-test="triangle"]');
  for (const edge of [2, 3]) {
    await page.click(`[data-ray="${edge}"]`);
    assert.ok(Number(await data("t")) > 0, "a ray through an edge or a corner hits");
  }
  await page.click('[data-ray="1"]');
  assert.match(await page.textContent("#answer"), /back/);
  await finish();
});

test("rays: a ball is dragged, and the address holds the ray", async () => {
  const { page, at, data, until, finish } = await open("#stage=rays&test=circle&ray=-3,0.4,0,2,0,0");
  const before = await data("t");
  // The view looks straight at the plane, with the middle at (0, 0.3).
  const { width, height } = await page.locator("#view").boundingBox();
  const perUnit = 1 / (2 * 6 * Math.tan(Math.PI * 25 / 180));
  const across = perUnit * height / width;
  const place = (x, y) => at(0.5 + x * across, 0.5 - (y - 0.3) * perUnit);
  await page.mouse.move(...place(-3, 0.4));
  await page.mouse.down();
  await page.mouse.move(...place(-2.5, 0.1), { steps: 3 });
  await page.mouse.up();
  await until((before) => document.body.dataset.t !== before, before);
  const [x, y, z] = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("ray").split(",").map(Number);
  assert.ok(Math.abs(x + 2.5) < 0.05 && Math.abs(y - 0.1) < 0.05 && z === 0, `${x}, ${y}, ${z}`);
  await finish();
});

test("rays: plain f32 opens the cracks", async () => {
  const { page, data, shot, finish } = await open("#stage=rays&test=triangle", wide);
  await page.click("#plain");
  assert.match(page.url(), /plain=1/);
  const [plain, exact] = (await data("cracks")).split("/").map(Number);
  assert.ok(plain > 0, "plain f32 loses rays");
  assert.equal(exact, 0);
  await shot("cracks");
  await finish();
});
