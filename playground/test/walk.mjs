import assert from "node:assert/strict";
import { test } from "node:test";
import { open, phone } from "./browser.mjs";

const place = (text) => text.split(",").map(Number);

/** Waits until the character's own clock has advanced by `seconds`, because a slow machine draws few frames. */
async function pass({ data, until }, seconds) {
  await until((end) => Number(document.body.dataset.time) > end, Number(await data("time")) + seconds);
}

test("walk: somebody walks before anything is touched", async () => {
  const { until, shot, data, finish } = await open("#stage=walk");
  const [, , start] = place(await data("place"));
  await until((start) => Number(document.body.dataset.place?.split(",")[2]) > start + 3, start);
  await until(() => document.querySelector("#speed").textContent.startsWith("4"));
  await shot("walk");
  await finish();
});

test("walk: keys lead up the stairs", async () => {
  const { page, until, finish } = await open("#stage=walk&at=0,0.2,18,0");
  await page.keyboard.down("KeyW");
  await until(() => document.body.dataset.ground.startsWith("Stair"));
  // The volume is round, so it touches the edge of the deck before it is at full height.
  await until(() => document.body.dataset.ground === "Deck" && Math.abs(document.body.dataset.place.split(",")[1] - 5) < 0.02);
  await page.keyboard.up("KeyW");
  await finish();
});

test("walk: a wall stops it, and it slides along", async () => {
  const opened = await open("#stage=walk&at=5,1,24,0");
  const { page, until, data, shot, finish } = opened;
  await page.keyboard.down("ArrowUp");
  await until(() => Number(document.body.dataset.place.split(",")[2]) > 26.4);
  await pass(opened, 0.5);
  const [x, , z] = place(await data("place"));
  assert.ok(z > 26.5 && z < 26.66, `it stands before the wall at 27, at ${z}`);
  await page.keyboard.down("ArrowLeft");
  await until((x) => Math.abs(document.body.dataset.place.split(",")[0] - x) > 1, x);
  const [, , after] = place(await data("place"));
  assert.ok(after > 26.5 && after < 26.66, `it slides along the wall, at ${after}`);
  await page.keyboard.up("ArrowUp");
  await page.keyboard.up("ArrowLeft");
  await shot("wall");
  await finish();
});

test("walk: the lift carries it, and not a simple test", async () => {
  const { page, until, finish } = await open("#stage=walk&at=0,5.4,38.5,0");
  await until(() => document.body.dataset.ground === "Lift" && Number(document.body.dataset.place.split(",")[1]) > 9.9);
  await page.click("#naive");
  assert.match(page.url(), /naive=1/);
  await until(() => document.body.dataset.ground === "");
  await page.click("#again");
  await until(() => !location.hash.includes("at="));
  await finish();

  const naive = await open("#stage=walk&naive=1&at=0,0.2,17,0");
  await naive.page.keyboard.down("KeyW");
  await naive.until(() => Number(document.body.dataset.contacts) > 0);
  await pass(naive, 1.5);
  const [, height, z] = place(await naive.data("place"));
  assert.ok(height < 1 && z < 20.2, `it does not climb the stairs: ${height}, ${z}`);
  await naive.finish();
});

test("walk: a click fires, and the shot bounces", async () => {
  const { page, at, until, data, shot, finish } = await open("#stage=walk&at=0,5.1,30,0");
  await page.mouse.click(...at(0.5, 0.35));
  await until(() => document.body.dataset.fired === "1");
  assert.ok(Number(await data("bounces")) >= 1);
  await page.mouse.move(...at(0.5, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.7, 0.45), { steps: 4 });
  await page.mouse.up();
  assert.equal(await data("fired"), "1", "a drag looks around, and does not fire");
  await page.mouse.click(...at(0.6, 0.4));
  await until(() => document.body.dataset.fired === "2");
  assert.match(await page.textContent("#shot"), /^The shot hits/);
  await shot("shots");
  await page.keyboard.press("Space");
  await until(() => Number(document.body.dataset.place.split(",")[1]) > 5.3);
  await finish();
});

test("walk: a finger steers the stick and taps to fire, on a phone", async () => {
  const { page, at, until, data, shot, finish } = await open("#stage=walk&at=0,0.2,12,0", phone);
  const box = await page.locator("#stick").boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [, , start] = place(await data("place"));
  await touch("touchStart", { x, y });
  await touch("touchMove", { x, y: y - 50 });
  await until((start) => Number(document.body.dataset.place.split(",")[2]) > start + 1, start);
  await shot("walk-phone");
  await touch("touchEnd");
  await page.touchscreen.tap(...at(0.5, 0.3));
  await until(() => document.body.dataset.fired === "1");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the phone");
  await finish();
});
