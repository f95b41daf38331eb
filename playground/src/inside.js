import * as THREE from "three";
import { Mesh } from "hitscan";
import { el, rows, show, state } from "./dom.js";
import { ball, dragBalls } from "./drag.js";
import { HeatMap } from "./heat.js";
import { free, holdCamera, light } from "./view.js";
import { village } from "./village.js";

/** The colours of the levels of the tree, beginning with the root. */
const levels = [0x7a4bd0, 0x4a6fe3, 0x2a9fd6, 0x22b8a0, 0x4cbf4c, 0xb5b52c, 0xe0942a, 0xd9603b, 0xc23b5a, 0x9a2f7c];
const levelColor = (depth) => levels[Math.min(depth, levels.length - 1)];

/** Returns the corners of all triangles below an object, in the world. */
function triangles(root) {
  root.updateMatrixWorld(true);
  const numbers = [];
  const at = new THREE.Vector3();
  root.traverse((object) => {
    if (!object.isMesh) return;
    const { index, attributes } = object.geometry;
    const count = index?.count ?? attributes.position.count;
    const end = count - (count % 3);
    for (let i = 0; i < end; i++) {
      object.getVertexPosition(index ? index.getX(i) : i, at).applyMatrix4(object.matrixWorld);
      numbers.push(at.x, at.y, at.z);
    }
  });
  return Float32Array.from(numbers);
}

/** The twelve edges of a box, as pairs of corners. Bit k of a corner is 0 at the low end of axis k, and 1 at the high end. */
const edges = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((from) => [1, 2, 4].filter((bit) => !(from & bit)).map((bit) => [from, from | bit])).flat();
const edgesOf = ({ min, max }) => edges.flatMap((corner) => [0, 1, 2].map((axis) => (corner >> axis & 1 ? max : min)[axis]));

function lines(numbers, color, opacity = 1) {
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(numbers, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color, transparent: true, opacity, depthTest: opacity === 1 }));
}

function readRay(text, fallback) {
  const numbers = (text ?? "").split(",").map(Number);
  const isRay = numbers.length === 6 && numbers.every((x) => Number.isFinite(x) && Math.abs(x) < 1e6);
  return isRay && numbers.slice(0, 3).some((x, i) => x !== numbers[i + 3]) ? [numbers.slice(0, 3), numbers.slice(3)] : fallback;
}

/** Begins the stage that shows a tree, and the path of a ray in it. Returns the function that ends the stage. */
export function insideStage(view, panel) {
  const listening = new AbortController();
  const { canvas, camera, controls } = view;
  const root = view.opened?.root ?? (view.village ??= village());
  const positions = triangles(root);
  const given = state.read();
  let isHasty = given.hasty === "1";
  let hasHeat = given.heat === "1";
  let mesh;
  let counts = [];
  let level = 0;
  let touched = given.ray !== undefined || given.level !== undefined;

  const bounds = new THREE.Box3().setFromObject(root);
  const [center, size] = [bounds.getCenter(new THREE.Vector3()), Math.min(90, bounds.getSize(new THREE.Vector3()).length()) || 1];
  if (!view.opened) center.set(0, 3, 0);
  const [from, to] = [[0.3, 0.22, 0.3], [-0.1, 0.02, -0.05]].map((way) => way.map((x, i) => x * size + center.getComponent(i)));
  let [origin, target] = readRay(given.ray, [from, to]);

  view.scene = new THREE.Scene();
  const drawn = { level: new THREE.Group(), ray: new THREE.Group() };
  view.scene.add(root, drawn.level, drawn.ray);
  light(view.scene);
  controls.target.copy(center);
  camera.position.copy(center).add(new THREE.Vector3(0.45, 0.35, 0.75).multiplyScalar(view.opened ? size : 50));
  Object.assign(camera, { near: size / 2000, far: size * 20 });
  camera.updateProjectionMatrix();

  holdCamera(view, listening.signal);

  const number = el("div", { class: "number", id: "visits" });
  const caption = el("div", { class: "dim" });
  const hasty = el("button", { id: "hasty", "aria-pressed": String(isHasty), onclick: () => {
    isHasty = !isHasty;
    hasty.setAttribute("aria-pressed", isHasty);
    state.write({ hasty: isHasty ? "1" : undefined });
    build();
  } }, "A hastily built tree instead");
  const heatButton = el("button", { id: "heat", "aria-pressed": String(hasHeat), onclick: () => {
    hasHeat = !hasHeat;
    heatButton.setAttribute("aria-pressed", hasHeat);
    state.write({ heat: hasHeat ? "1" : undefined });
    picture.hidden = !hasHeat;
    heatText.textContent = "";
  } }, "What each pixel costs");
  const slider = el("input", { type: "range", id: "level", min: 0, max: 0, value: 0, "aria-label": "Level of the tree", oninput: ({ target }) => {
    touched = true;
    showLevel(Number(target.value));
    state.write({ level });
  } });
  const levelText = el("div", { class: "dim" });
  const table = el("table", { id: "levels" });
  const heatText = el("p", { class: "dim", id: "heat-text" });
  const picture = el("canvas", { id: "heat-map", hidden: !hasHeat });
  const heat = new HeatMap(picture);
  canvas.parentElement.append(picture);
  panel.append(
    el("h2", {}, "This ray looks at"), number, caption, el("div", { class: "row" }, hasty, heatButton), heatText,
    el("h2", {}, "Level by level"), slider, levelText, table, el("p", { class: "dim" }, "Drag the balls of the ray, or the slider."),
  );

  function clear(group) {
    free(group);
    group.clear();
  }

  function showLevel(wanted) {
    level = Math.min(wanted, counts.length - 1);
    slider.value = level;
    clear(drawn.level);
    drawn.level.add(lines(mesh.levelLines(level), levelColor(level)));
    levelText.textContent = `Level ${level} of ${counts.length - 1}: ${counts[level].toLocaleString("en")} boxes`;
    document.body.dataset.level = level;
  }

  function build() {
    mesh?.dispose();
    const start = performance.now();
    mesh = new Mesh(positions, undefined, { quality: isHasty ? "fast" : "best" });
    const took = performance.now() - start;
    counts = [];
    for (let depth = 0; ; depth++) {
      // A box has twelve edges of six numbers.
      const boxes = mesh.levelLines(depth).length / 72;
      if (boxes === 0) break;
      counts.push(boxes);
    }
    slider.max = counts.length - 1;
    caption.textContent = `boxes, of ${counts.reduce((sum, boxes) => sum + boxes, 0).toLocaleString("en")} around ${mesh.triangleCount.toLocaleString("en")} triangles; built in ${took.toFixed(0)} ms`;
    heat.restart();
    showLevel(given.level === undefined || touched === false ? level : Number(given.level) || 0);
    delete given.level;
    update();
  }

  /** Casts the ray, and shows the boxes that it visits. */
  function update() {
    const direction = target.map((x, i) => x - origin[i]);
    const visits = mesh.visits(origin, direction);
    const hit = mesh.cast(origin, direction);
    clear(drawn.ray);
    const perLevel = counts.map((_, depth) => visits.filter((visit) => visit.depth === depth));
    perLevel.forEach((list, depth) => {
      const [leaves, nodes] = [list.filter(({ isLeaf }) => isLeaf), list.filter(({ isLeaf }) => !isLeaf)];
      if (nodes.length > 0) drawn.ray.add(lines(nodes.flatMap(edgesOf), levelColor(depth), 0.55));
      if (leaves.length > 0) drawn.ray.add(lines(leaves.flatMap(edgesOf), 0xffcc00, 0.95));
    });
    const [a, b] = [new THREE.Vector3(...origin), new THREE.Vector3(...target)];
    const end = hit ? new THREE.Vector3(...hit.point) : a.clone().addScaledVector(b.clone().sub(a), 4);
    const radius = size / 130;
    drawn.ray.add(lines([...a.toArray(), ...end.toArray()], hit ? 0x1f7ae0 : 0xd3312f, 0.999), ball(a, radius, 0x1f7ae0), ball(b, radius * 0.8, 0x1f7ae0));
    if (hit) drawn.ray.add(ball(end, radius * 0.7, 0xffcc00));
    number.textContent = visits.length.toLocaleString("en");
    rows(table, counts.map((boxes, depth) => [`level ${depth}`, `${perLevel[depth].length} of ${boxes.toLocaleString("en")}`]));
    Object.assign(document.body.dataset, { visits: visits.length, t: hit ? show(hit.t) : "" });
  }

  function moved() {
    touched = true;
    state.write({ ray: [...origin, ...target].map((x) => Number(x.toFixed(3))).join(",") });
    update();
  }
  const handles = () => [
    { at: new THREE.Vector3(...target), move: (at) => at.some((x, i) => x !== origin[i]) && ((target = at), moved()) },
    { at: new THREE.Vector3(...origin), move: (at) => at.some((x, i) => x !== target[i]) && ((origin = at), moved()) },
  ];
  dragBalls(view, listening.signal, handles, () => (touched = true));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.01, 0, 0], ArrowRight: [0.01, 0, 0], ArrowUp: [0, 0.01, 0], ArrowDown: [0, -0.01, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    target = target.map((x, i) => Math.fround(x + step[i] * size));
    moved();
  }, { signal: listening.signal });

  build();
  let [shown, last] = [0, 0];
  view.frame = (time) => {
    // Until the first input, the ray wanders, and the levels are shown in turns.
    if (!touched) {
      target = [to[0] + 0.16 * size * Math.cos(time * 0.6), to[1], to[2] + 0.12 * size * Math.sin(time * 0.9)].map(Math.fround);
      update();
      if (time - shown > 1.6) {
        shown = time;
        // Levels of thousands of boxes are confusing, and slow without a graphics card.
        const many = counts.findIndex((boxes) => boxes > 1000);
        showLevel((level + 1) % (many < 1 ? counts.length : many));
      }
    }
    // If frames are slow, the heat map gets more time in each frame.
    const budget = Math.min(80, Math.max(8, 500 * (time - last)));
    last = time;
    if (!hasHeat) return;
    heat.work(view, mesh, budget);
    heatText.textContent = `Blue is cheap, red is ${heat.most.toLocaleString("en")} boxes; ${(heat.sum / Math.max(1, heat.count)).toFixed(1)} on average.`;
    document.body.dataset.heat = heat.isDone ? (heat.sum / heat.count).toFixed(2) : "";
  };
  return () => {
    listening.abort();
    view.frame = () => {};
    picture.remove();
    mesh.dispose();
    free(view.scene);
    state.write({ ray: undefined, level: undefined, heat: undefined, hasty: undefined });
    for (const name of ["level", "visits", "t", "heat"]) delete document.body.dataset[name];
  };
}
