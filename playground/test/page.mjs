import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./browser.mjs";

test("page: the digest of 100,000 rays is the native one", async () => {
  const { page, until, finish } = await open("#stage=rays");
  await until(() => document.querySelector("#digest").dataset.same);
  assert.equal(await page.getAttribute("#digest", "data-same"), "true", await page.textContent("#digest"));
  await finish();
});

test("page: the window changes its size, and a fine screen is drawn finely", async () => {
  const { page, until, finish } = await open("#stage=rays&test=sphere&ray=0,5,0,0,-1,0", { deviceScaleFactor: 2 });
  assert.equal(await page.evaluate(() => document.body.dataset.test + document.body.dataset.t), "sphere4");
  const isFine = () => {
    const { width, clientWidth, height, clientHeight } = document.querySelector("#view");
    return width === 2 * clientWidth && height === 2 * clientHeight;
  };
  await until(isFine);
  await page.setViewportSize({ width: 620, height: 700 });
  await until(() => document.querySelector("#view").clientWidth === 620);
  await until(isFine);
  await finish();
});

test("page: keys reach every stage, and the address follows", async () => {
  const { page, data, until, finish } = await open("#stage=unknown");
  assert.equal(await data("ready"), "pick");
  for (const stage of ["pick", "rays", "walk", "inside"]) {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.stage), stage);
    await page.keyboard.press("Enter");
    await until((stage) => document.body.dataset.ready === stage, stage);
    assert.match(page.url(), new RegExp(`stage=${stage}`));
    assert.equal(await page.evaluate(() => document.querySelectorAll("#panel h2").length > 1), true);
  }
  await page.evaluate(() => (location.hash = "#stage=rays&test=plane"));
  await until(() => document.body.dataset.test === "plane");
  await finish();
});

test("page: without WebGL it says so", async () => {
  const { page, finish } = await open("", {}, () => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
    };
  });
  await page.waitForSelector("#message:not([hidden])");
  assert.match(await page.textContent("#message"), /no WebGL/);
  await finish();
});
