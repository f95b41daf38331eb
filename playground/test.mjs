// Browser tests of the built page, with Debian's Chromium: node --test test.mjs
//
// Real clicks, touches and keys; models of ../shared/models, or of HITSCAN_MODELS, if they are there. Screenshots are kept in shots/.
// HITSCAN_STAGE=walk runs the tests of one file alone.
import { after, before } from "node:test";
import { start, stop } from "./test/browser.mjs";

before(start);
after(stop);
const files = ["pick", "rays", "walk", "inside", "page"];
for (const file of files) if ((process.env.HITSCAN_STAGE ?? file) === file) await import(`./test/${file}.mjs`);
