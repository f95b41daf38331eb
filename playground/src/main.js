import { init, simdLevel } from "hitscan";
import { el, say, state } from "./dom.js";
import { makeView } from "./view.js";
import { pickStage, showVillage } from "./pick.js";
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

const wanted = () => {
  const { stage } = state.read();
  return Object.hasOwn(stages, stage) ? stage : "pick";
};

let view;
try {
  view = makeView(document.getElementById("view"));
  // The page shows a picture while the library starts.
  if (wanted() === "pick") showVillage(view);
  await init();
  begin(view);
} catch (error) {
  say(error.message);
  document.body.dataset.failed = "true";
}

function begin(view) {
  const buttons = Object.entries(stages).map(([key, [name]]) => el("button", { "data-stage": key, onclick: () => open(key) }, name));
  document.getElementById("stages").append(...buttons);
  const open = (key) => {
    leave();
    panel.replaceChildren();
    state.write({ stage: key });
    for (const button of buttons) button.setAttribute("aria-current", button.dataset.stage === key);
    document.getElementById("says").textContent = stages[key][2];
    leave = stages[key][1](view, panel);
    document.body.dataset.ready = key;
  };
  open(wanted());
  addEventListener("hashchange", () => {
    // A closed stage removes its own state from the address, but not a state that the user has just written there.
    const { hash } = location;
    leave();
    leave = () => {};
    history.replaceState(null, "", hash);
    open(wanted());
  });
  setTimeout(() => showDigest(document.getElementById("digest"), simdLevel()), 500);
}
