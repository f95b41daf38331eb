import { init, simdLevel } from "hitscan";
import { el, say, state } from "./dom.js";
import { makeView } from "./view.js";
import { pickStage } from "./pick.js";
import { rayStage } from "./rays.js";
import { walkStage } from "./walk.js";
import { insideStage } from "./inside.js";
import { showDigest } from "./digest.js";

const stages = {
  pick: ["Pick", pickStage, "Which thing, which triangle, which point is under the cursor: exactly, in microseconds."],
  rays: ["Ray tests", rayStage, "Does the ray hit, where, and how is it computed? Drag the ray, and see every term."],
  walk: ["Walk", walkStage, "A character that slides along walls, climbs stairs and rides on lifts. Take over with W A S D."],
  inside: ["Inside", insideStage, "Why a ray among thousands of triangles takes a microsecond: the few boxes that it looks at."],
};
const panel = document.getElementById("panel");
let leave = () => {};

addEventListener("error", ({ message }) => say(message));
addEventListener("unhandledrejection", ({ reason }) => say(reason?.message ?? String(reason)));

let view;
try {
  await init();
  view = makeView(document.getElementById("view"));
} catch (error) {
  say(error.message);
  document.body.dataset.failed = "true";
}
if (view !== undefined) {
  const nav = document.getElementById("stages");
  const buttons = Object.entries(stages).map(([key, [name]]) => el("button", { "data-stage": key, onclick: () => open(key) }, name));
  nav.append(...buttons);
  const open = (key) => {
    leave();
    panel.replaceChildren();
    state.write({ stage: key });
    for (const button of buttons) button.setAttribute("aria-current", button.dataset.stage === key);
    leave = stages[key][1](view, panel);
    document.getElementById("says").textContent = stages[key][2];
    document.body.dataset.ready = key;
  };
  const wanted = state.read().stage;
  open(wanted in stages ? wanted : "pick");
  addEventListener("hashchange", () => {
    const { stage } = state.read();
    if (stage in stages && stage !== document.body.dataset.ready) open(stage);
  });
  setTimeout(() => showDigest(document.getElementById("digest"), simdLevel()), 500);
}
