import * as THREE from "three";
import { el, rows, show, state, vector } from "./dom.js";
import { ball, dragBalls } from "./drag.js";
import { drawCracks, findCracks } from "./raytests/cracks.js";
import { tests } from "./raytests/index.js";
import { free } from "./view.js";

/** The colours of rays: rays that hit are red, and the others are blue. */
const colors = { hit: 0xd62828, miss: 0x245cd6 };
const asGiven = { normalize: false };
/** The t up to which a ray that misses is drawn. */
const followed = 2.2;

/** Draws a ray: an arrow for origin and direction, a line to its hit, and the normal there. */
function drawRay(group, { o, d }, hit, isChosen) {
  const color = hit ? colors.hit : colors.miss;
  const [origin, direction] = [new THREE.Vector3(...o), new THREE.Vector3(...d)];
  const length = direction.length();
  const end = origin.clone().addScaledVector(direction, hit ? hit.t : followed);
  const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([origin, end]), new THREE.LineBasicMaterial({ color }));
  const arrow = new THREE.ArrowHelper(direction.clone().normalize(), origin, length, color, Math.min(0.25, 0.3 * length), 0.12);
  const size = isChosen ? 0.09 : 0.05;
  const [from, tip] = [ball(origin, size, color), ball(origin.clone().add(direction), size * 0.8, color)];
  group.add(line, arrow, from, tip);
  if (hit) {
    const at = new THREE.Vector3(...hit.point);
    group.add(ball(at, 0.06, 0xffb000), new THREE.ArrowHelper(new THREE.Vector3(...hit.normal), at, 0.6, 0xffb000, 0.18, 0.1));
  }
  return { from: from.position, tip: tip.position };
}

/** Begins the stage that shows one test at a time. Returns the function that ends the stage. */
export function rayStage(view, panel) {
  const listening = new AbortController();
  const { canvas, camera, controls } = view;
  let key = state.read().test;
  if (!Object.hasOwn(tests, key)) key = "box";
  let test;
  let shape;
  let rays;
  let chosen = 0;
  let isPlain = state.read().plain === "1";
  let handles = [];
  let touched = false;
  const drawing = new THREE.Group();
  const cracks = new THREE.Group();

  const number = el("div", { class: "number", id: "t" });
  const answer = el("table", { id: "answer" });
  const steps = el("table", { id: "steps" });
  const list = el("table", { id: "rays" });
  const crackText = el("p", { class: "dim", id: "cracks" });
  const buttons = Object.entries(tests).map(([name, { name: shown }]) => el("button", { "data-test": name, onclick: () => open(name) }, shown));
  const worse = el("button", { id: "plain", "aria-pressed": String(isPlain), onclick: () => {
    isPlain = !isPlain;
    touched = true;
    state.write({ plain: isPlain ? "1" : undefined });
    worse.setAttribute("aria-pressed", isPlain);
    showCracks();
    update();
  } }, "Plain f32 instead");
  panel.append(
    el("div", { class: "row" }, ...buttons), el("h2", {}, "t"), number, answer, el("div", { class: "row" }, worse), crackText,
    el("h2", {}, "The rays"), list, el("h2", {}, "How"), steps, el("p", { class: "dim" }, "Drag the balls of the ray; the arrow keys move its origin. Hits are red, misses blue."),
  );

  function readRay() {
    const given = state.read();
    const numbers = (given.ray ?? "").split(",").map(Number);
    const isRay = given.test === key && numbers.length === 6 && numbers.every(Number.isFinite) && numbers.slice(3).some((x) => x !== 0);
    return isRay ? { o: numbers.slice(0, 3), d: numbers.slice(3) } : {};
  }

  function open(name) {
    key = name;
    test = tests[key];
    shape?.dispose();
    shape = test.make();
    rays = test.rays.map((ray) => ({ ...ray, o: [...ray.o], d: [...ray.d] }));
    Object.assign(rays[0], readRay());
    chosen = 0;
    if (state.read().test !== key) state.write({ test: key, ray: undefined });
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.test === key);
    free(view.scene);
    const grid = new THREE.GridHelper(10, 10, 0x888888, 0x888888);
    Object.assign(grid.material, { opacity: 0.25, transparent: true });
    if (test.isFlat) grid.rotateX(Math.PI / 2);
    view.scene = new THREE.Scene();
    view.scene.add(test.draw(), drawing, cracks, new THREE.AxesHelper(2.7), grid, new THREE.HemisphereLight(0xffffff, 0x888888, 3));
    controls.target.set(...(test.isFlat ? [0, 0.3, 0] : [-0.1, 0.2, 0]));
    camera.position.set(...(test.isFlat ? [0, 0.3, 6] : [4.1, 3.1, 6]));
    Object.assign(camera, { near: 0.05, far: 2000 });
    camera.updateProjectionMatrix();
    document.body.dataset.test = key;
    // The rows are made once for each test, so that a click begins and ends on the same row.
    list.replaceChildren(...rays.map((_, i) => el("tr", { "data-ray": i, onclick: () => choose(i) }, el("td"), el("td"), el("td"))));
    showCracks();
    update();
  }

  const exact = (ray) => shape.cast(ray.o, ray.d, asGiven);

  function update() {
    free(drawing);
    drawing.clear();
    const answers = rays.map((ray) => (isPlain && test.plain(ray) === null ? null : exact(ray)));
    handles = rays.map((ray, i) => drawRay(drawing, ray, answers[i], i === chosen));
    const ray = rays[chosen];
    const hit = exact(ray);
    const rough = test.plain(ray);
    const told = isPlain ? rough : hit;
    number.textContent = told === null ? "no hit" : show(told.t);
    number.className = `number ${told === null ? "miss" : "hit"}`;
    const isWrong = (rough === null) !== (hit === null) || (hit !== null && rough.t !== hit.t);
    const lines = hit === null ? [["answer", "no hit"]] : [["side", hit.side], ["point", vector(hit.point)], ["normal", vector(hit.normal)], ...(hit.u === undefined ? [] : [["u, v", vector([hit.u, hit.v])]])];
    lines.push(["plain f32", el("span", { class: isWrong ? "bad" : "" }, isWrong ? `${rough === null ? "no hit" : show(rough.t)}: not the exact answer` : "the same here")]);
    rows(answer, lines);
    // Steps are highlighted by whether their condition holds.
    steps.replaceChildren(...test.steps(ray).map(({ text, value, holds }) => el("tr", { class: holds === undefined ? "" : holds ? "lit" : "unlit" }, el("td", {}, el("code", {}, text)), el("td", {}, typeof value === "number" ? show(Number(value.toPrecision(9))) : value))));
    rays.forEach((ray, i) => {
      const [name, line, t] = list.rows[i].cells;
      name.replaceChildren(i === chosen ? el("b", {}, ray.name) : ray.name);
      line.textContent = `${vector(ray.o)} + t ${vector(ray.d)}`;
      t.textContent = answers[i] ? show(answers[i].t) : "no hit";
      for (const cell of [name, t]) cell.className = answers[i] ? "hit" : "miss";
    });
    document.body.dataset.t = hit === null ? "" : String(hit.t);
    document.body.dataset.plainT = rough === null ? "" : String(rough.t);
  }

  function choose(i) {
    chosen = i;
    touched = true;
    update();
  }

  function showCracks() {
    cracks.clear();
    if (!isPlain) {
      crackText.textContent = "";
      return;
    }
    const { rays, plain, exact } = findCracks();
    cracks.add(drawCracks(isPlain));
    crackText.textContent = `From the middle of a closed ball, ${rays.toLocaleString("en")} rays go through its vertices and edges. Plain f32 lets ${plain.length} of them out, hitscan ${exact.length}.`;
    document.body.dataset.cracks = `${plain.length}/${exact.length}`;
  }

  function moved() {
    touched = true;
    if (chosen === 0) state.write({ ray: [...rays[0].o, ...rays[0].d].join(",") });
    update();
  }
  const inPlane = (at) => (test.isFlat ? [at[0], at[1], 0] : at);
  /** The balls of all rays, beginning with the chosen ray. */
  const balls = () => {
    const order = [chosen, ...rays.keys()].filter((ray, i) => i === 0 || ray !== chosen);
    return order.flatMap((i) => {
      const grabbed = () => choose(i);
      const origin = { at: handles[i].from, grabbed, move: (at) => { rays[i].o = inPlane(at); moved(); } };
      const tip = { at: handles[i].tip, grabbed, move: (at) => {
        const way = inPlane(at).map((x, k) => Math.fround(x - rays[i].o[k]));
        if (way.some((x) => x !== 0)) rays[i].d = way;
        moved();
      } };
      return i === chosen ? [origin, tip] : [origin];
    });
  };
  dragBalls(view, listening.signal, balls, () => (touched = true));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!step) return;
    event.preventDefault();
    rays[chosen].o = rays[chosen].o.map((x, i) => Math.fround(x + (step[i] ?? 0)));
    moved();
  }, { signal: listening.signal });

  open(key);
  view.frame = (time) => {
    // Until the first input, the rays of the list are shown in turns.
    if (touched || state.read().ray) return;
    const next = Math.floor(time / 2) % rays.length;
    if (next !== chosen) {
      chosen = next;
      update();
    }
  };
  return () => {
    listening.abort();
    view.frame = () => {};
    shape.dispose();
    free(view.scene);
    state.write({ test: undefined, ray: undefined, plain: undefined });
    for (const name of ["test", "t", "plainT", "cracks"]) delete document.body.dataset[name];
  };
}
