import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./browser.mjs";

test("inside: a ray wanders through the tree, and the levels are shown", async () => {
  const { page, data, until, shot, finish } = await open("#stage=inside");
  const first = await data("visits");
  await until((first) => document.body.dataset.visits !== first, first);
  await until(() => Number(document.body.dataset.level) > 0);
  await shot("inside");
  const levels = await page.$$eval("#levels td", (cells) => cells.map((cell) => cell.textContent));
  assert.equal(levels[0], "1 of 1");
  const visited = levels.map((text) => Number(text.split(" ")[0])).reduce((sum, boxes) => sum + boxes);
  assert.ok(visited > 2 && visited < 200, `a ray looks at ${visited} boxes`);
  await page.focus("#level");
  await page.keyboard.press("End");
  assert.equal(await data("level"), String(levels.length - 1));
  assert.match(page.url(), /level=/);
  await finish();
});

test("inside: the cost of each pixel, and a hasty tree costs more", async () => {
  const { page, at, data, until, shot, finish } = await open("#stage=inside&heat=1&level=2");
  await until(() => Number(document.body.dataset.heat) > 0);
  const good = Number(await data("heat"));
  await shot("heat");
  await page.click("#hasty");
  assert.match(page.url(), /hasty=1/);
  await until((good) => Number(document.body.dataset.heat) > good, good);
  await page.mouse.move(...at(0.3, 0.8));
  await page.mouse.down();
  await page.mouse.move(...at(0.4, 0.8), { steps: 3 });
  await page.mouse.up();
  await page.click("#heat");
  assert.ok(await page.locator("#heat-map").isHidden());
  await finish();
});

test("inside: the address holds the ray, and keys move it", async () => {
  const { page, data, until, finish } = await open("#stage=inside&ray=0,40,0,0,0,0");
  assert.ok(Number(await data("t")) > 0, "the ray from above hits the village");
  const before = await data("t");
  await page.focus("#view");
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  await until((before) => document.body.dataset.t !== before, before);
  assert.match(page.url(), /ray=0%2C40/);
  await finish();
});
