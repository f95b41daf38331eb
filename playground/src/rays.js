import * as THREE from "three";
import { Mesh } from "hitscan";
import { el, show, state, vector } from "./dom.js";
import { aim, pixel } from "./view.js";
import { plainTriangle, tests } from "./tests.js";

const colors = { hit: 0x1f7ae0, miss: 0xd3312f };
const plain = { normalize: false };

/** Draws a ray: its line, a ball at its origin and one at its tip, and where it hits. */
function drawRay(group, { o, d }, hit, isChosen) {
  const color = hit ? colors.hit : colors.miss;
  const [origin, direction] = [new THREE.Vector3(...o), new THREE.Vector3(...d)];
  const reach = Math.max(1, hit ? hit.t * 1.15 : 0, 3 / direction.length());
  const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([origin, origin.clone().addScaledVector(direction, reach)]), new THREE.LineBasicMaterial({ color }));
  const ball = (at, radius, color) => {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 20, 14), new THREE.MeshBasicMaterial({ color, depthTest: false }));
    mesh.position.copy(at);
    mesh.renderOrder = 2;
    return mesh;
  };
  const size = isChosen ? 0.09 : 0.05;
  const [from, tip] = [ball(origin, size, color), ball(origin.clone().add(direction), size * 0.8, color)];
  group.add(line, from, tip);
  if (hit) {
    const at = new THREE.Vector3(...hit.point);
    group.add(ball(at, 0.06, 0xffcc00), new THREE.ArrowHelper(new THREE.Vector3(...hit.normal), at, 0.6, 0xffcc00, 0.18, 0.1));
  }
  return { from, tip };
}

/** The stage with one test at a time. Returns what ends it. */
export function rayStage(view, panel) {
  const listening = new AbortController();
  const { canvas, camera, controls } = view;
  const raycaster = new THREE.Raycaster();
  let key = state.read().test;
  if (!(key in tests)) key = "box";
  let test;
  let shape;
  let rays;
  let chosen = 0;
  let isPlain = state.read().plain === "1";
  let handles = [];
  let grabbed;
  let touched = false;
  const drawing = new THREE.Group();

  const number = el("div", { class: "number", id: "t" });
  const answer = el("table", { id: "answer" });
  const terms = el("table", { id: "terms" });
  const formula = el("div", { class: "formula" });
  const list = el("table", { id: "rays" });
  const cracks = el("p", { class: "dim", id: "cracks" });
  const buttons = Object.entries(tests).map(([name, { name: shown }]) => el("button", { "data-test": name, onclick: () => open(name) }, shown));
  const worse = el("button", { id: "plain", "aria-pressed": isPlain, onclick: () => {
    isPlain = !isPlain;
    state.write({ plain: isPlain ? "1" : undefined });
    worse.setAttribute("aria-pressed", isPlain);
    update();
  } }, "Plain f32 instead");
  panel.append(el("div", { class: "row" }, ...buttons), el("h2", {}, "t"), number, answer, el("div", { class: "row" }, worse), cracks, el("h2", {}, "The rays"), list, el("h2", {}, "How"), formula, terms, el("p", { class: "dim" }, "Drag the balls of the ray; the arrow keys move its origin."));

  function open(name) {
    key = name;
    test = tests[key];
    shape?.dispose();
    shape = test.make();
    rays = test.rays.map((ray) => ({ ...ray, o: [...ray.o], d: [...ray.d] }));
    const given = state.read();
    if (given.test === key && given.ray) {
      const numbers = given.ray.split(",").map(Number);
      if (numbers.length === 6 && numbers.every(Number.isFinite)) Object.assign(rays[0], { o: numbers.slice(0, 3), d: numbers.slice(3) });
    }
    chosen = 0;
    state.write({ test: key });
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.test === key);
    view.scene = new THREE.Scene();
    view.scene.add(test.draw(), drawing, new THREE.AxesHelper(3), new THREE.GridHelper(10, 10, 0x888888, 0x888888), new THREE.HemisphereLight(0xffffff, 0x888888, 3));
    view.scene.children.find(({ isGridHelper, type }) => isGridHelper || type === "GridHelper").material.opacity = 0.25;
    view.scene.children.find(({ type }) => type === "GridHelper").material.transparent = true;
    controls.target.set(0.3, 0.6, 0.3);
    camera.position.set(3.6, 3.4, 6.2);
    camera.near = 0.05;
    camera.far = 2000;
    camera.updateProjectionMatrix();
    formula.textContent = test.formula;
    cracks.textContent = crackText();
    document.body.dataset.test = key;
    // The rows stay, so that a click that begins on one ends on it.
    list.replaceChildren(...rays.map((_, i) => el("tr", { "data-ray": i, onclick: () => choose(i) }, el("td"), el("td"), el("td"))));
    update();
  }

  const exact = (ray) => shape.cast(ray.o, ray.d, plain);

  function update() {
    drawing.traverse(({ geometry, material }) => {
      geometry?.dispose();
      material?.dispose?.();
    });
    drawing.clear();
    handles = rays.map((ray, i) => drawRay(drawing, ray, exact(ray), i === chosen));
    const ray = rays[chosen];
    const hit = exact(ray);
    const rough = test.plain(ray);
    number.textContent = isPlain ? (rough === null ? "no hit" : show(rough.t)) : hit === null ? "no hit" : show(hit.t);
    number.className = `number ${(isPlain ? rough : hit) === null ? "miss" : "hit"}`;
    const isWrong = (rough === null) !== (hit === null) || (hit !== null && rough.t !== hit.t);
    const rows = hit === null ? [["answer", "no hit"]] : [["side", hit.side], ["point", vector(hit.point)], ["normal", vector(hit.normal)], ...(hit.u === undefined ? [] : [["u, v", vector([hit.u, hit.v])]])];
    if (isPlain) rows.push(["plain f32", el("span", { class: isWrong ? "miss" : "" }, isWrong ? "differs from the exact answer" : "the same here")]);
    answer.replaceChildren(...rows.map(([name, value]) => el("tr", {}, el("th", {}, name), el("td", {}, value))));
    terms.replaceChildren(...test.terms(ray).map(([name, value]) => el("tr", {}, el("th", {}, name), el("td", {}, typeof value === "number" ? show(Number(value.toPrecision(9))) : value))));
    rays.forEach((ray, i) => {
      const hit = exact(ray);
      const [name, line, t] = list.rows[i].cells;
      name.replaceChildren(i === chosen ? el("b", {}, ray.name) : ray.name);
      line.textContent = `${vector(ray.o)} + t ${vector(ray.d)}`;
      t.textContent = hit ? show(hit.t) : "no hit";
      for (const cell of [name, t]) cell.className = hit ? "hit" : "miss";
    });
    document.body.dataset.t = hit === null ? "" : String(hit.t);
    document.body.dataset.plainT = rough === null ? "" : String(rough.t);
  }

  function choose(i) {
    chosen = i;
    touched = true;
    update();
  }

  /** Counts rays through the vertices of a ball that plain f32 loses. */
  function crackText() {
    const ball = new THREE.IcosahedronGeometry(1, 12).rotateX(0.3).rotateY(0.7);
    const { array } = ball.attributes.position;
    using mesh = new Mesh(array);
    const seen = new Set();
    const lost = { plain: 0, hitscan: 0 };
    for (let i = 0; i < array.length; i += 9) {
      const d = [array[i], array[i + 1], array[i + 2]];
      if (seen.has(d.join())) continue;
      seen.add(d.join());
      if (mesh.cast([0, 0, 0], d, plain) === null) lost.hitscan++;
      // Only triangles near the ray can be hit: the others are left out for speed.
      let isHit = false;
      for (let k = 0; k < array.length && !isHit; k += 9) {
        if (array[k] * d[0] + array[k + 1] * d[1] + array[k + 2] * d[2] < 0.9) continue;
        isHit = plainTriangle([0, 0, 0], d, [array.slice(k, k + 3), array.slice(k + 3, k + 6), array.slice(k + 6, k + 9)]) !== null;
      }
      if (!isHit) lost.plain++;
      if (seen.size === 400) break;
    }
    document.body.dataset.cracks = `${lost.plain}/${lost.hitscan}`;
    return `From the middle of a closed ball through ${seen.size} of its vertices: plain f32 loses ${lost.plain} rays, hitscan ${lost.hitscan}.`;
  }

  // Dragging: the ball moves in the plane of the screen.
  const plane = new THREE.Plane();
  function grab(event) {
    aim(view, raycaster, pixel(view, event));
    for (const [i, { from, tip }] of handles.entries()) {
      for (const [part, ball] of [["o", from], ["d", tip]]) {
        // A finger is wider than a ball.
        const reach = ball.position.distanceTo(camera.position) * (event.pointerType === "touch" ? 0.05 : 0.025);
        if (raycaster.ray.distanceToPoint(ball.position) > reach) continue;
        if (i !== chosen && part === "d") continue;
        grabbed = { part };
        chosen = i;
        plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), ball.position);
        controls.enabled = false;
        canvas.setPointerCapture(event.pointerId);
        update();
        return;
      }
    }
  }
  function drag(event) {
    if (!grabbed) return;
    aim(view, raycaster, pixel(view, event));
    const at = raycaster.ray.intersectPlane(plane, new THREE.Vector3());
    if (at === null) return;
    const ray = rays[chosen];
    const place = at.toArray().map(Math.fround);
    if (grabbed.part === "o") ray.o = place;
    else if (place.some((x, i) => x !== ray.o[i])) ray.d = place.map((x, i) => Math.fround(x - ray.o[i]));
    moved();
  }
  function moved() {
    touched = true;
    if (chosen === 0) state.write({ ray: [...rays[0].o, ...rays[0].d].join(",") });
    update();
  }
  const on = (target, name, handle) => target.addEventListener(name, handle, { signal: listening.signal });
  // This must come before the controls, which would turn the camera.
  canvas.addEventListener("pointerdown", (event) => { touched = true; grab(event); }, { signal: listening.signal, capture: true });
  on(canvas, "pointermove", drag);
  for (const name of ["pointerup", "pointercancel"]) on(canvas, name, () => {
    grabbed = undefined;
    controls.enabled = true;
  });
  on(canvas, "keydown", (event) => {
    const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!step) return;
    event.preventDefault();
    rays[chosen].o = rays[chosen].o.map((x, i) => Math.fround(x + (step[i] ?? 0)));
    moved();
  });

  open(key);
  view.frame = (time) => {
    // Until somebody comes, the rays of the list are shown in turns.
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
    state.write({ test: undefined, ray: undefined, plain: undefined });
    for (const name of ["test", "t", "plainT", "cracks"]) delete document.body.dataset[name];
  };
}
