// The shared parts of the browser tests: Debian's Chromium, the built page, and the functions that drive it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../server.mjs";

const here = fileURLToPath(new URL("..", import.meta.url));
const shots = join(here, "shots");
/** The folder of real models, which may be missing. */
export const models = process.env.HITSCAN_MODELS ?? join(here, "../../../shared/models");
const patience = { timeout: 120000 };
const path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
let server;
let browser;

/** Starts the browser and the server. */
export async function start() {
  mkdirSync(shots, { recursive: true });
  server = await serve(join(here, "dist/page"));
  const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
  browser = await chromium.launch({ executablePath: path, args });
}

export async function stop() {
  await browser?.close();
  server?.close();
}

/**
 * Opens the page at a state, and returns the functions that drive it. `finish` fails if the page has logged an error.
 *
 * `prepare` runs before the page's own code.
 */
export async function open(hash = "", options = {}, prepare = undefined) {
  const context = await browser.newContext({ viewport: { width: 800, height: 500 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.setDefaultTimeout(patience.timeout);
  if (prepare) await page.addInitScript(prepare);
  await page.goto(`${server.address}${hash}`);
  await page.waitForSelector("body[data-ready], body[data-failed]", patience);
  const box = await page.locator("#view").boundingBox();
  return {
    page,
    /** A place of the view, from 0 to 1 across and down, in pixels of the page. */
    at: (x, y) => [box.x + box.width * x, box.y + box.height * y],
    data: (key) => page.evaluate((key) => document.body.dataset[key], key),
    until: (condition, value) => page.waitForFunction(condition, value, patience),
    shot: (name) => page.screenshot({ path: join(shots, `${name}.png`) }),
    finish: async () => {
      assert.deepEqual(errors, []);
      await context.close();
    },
  };
}

/** The size of screenshots for people. Others are smaller, because drawing without a graphics card is slow. */
export const wide = { viewport: { width: 1280, height: 800 } };

/** A phone, in the dark. */
export const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: "dark" };
