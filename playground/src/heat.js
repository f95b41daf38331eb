import * as THREE from "three";

/** The size of a square of the picture, in CSS pixels. */
const square = 5;
const stops = [[48, 18, 59], [70, 107, 227], [40, 187, 236], [49, 242, 153], [162, 252, 60], [237, 208, 58], [251, 128, 34], [210, 49, 5], [122, 4, 3]];

/** Returns the colour of a cost, from 0 to 1: blue is low, red is high. */
export function heatColor(x) {
  const place = Math.min(1, Math.max(0, x)) * (stops.length - 1);
  const first = Math.min(stops.length - 2, Math.floor(place));
  return stops[first].map((low, i) => low + (stops[first + 1][i] - low) * (place - first));
}

/** A picture of the cost of each pixel's ray, of which each frame computes a few rows. */
export class HeatMap {
  /** The highest cost, the sum of all costs, and their number. */
  most = 1;
  sum = 0;
  count = 0;
  #row = Infinity;
  #matrix = new THREE.Matrix4();
  #costs = new Uint32Array(0);

  constructor(canvas) {
    this.canvas = canvas;
  }

  get isDone() {
    return this.#row >= this.canvas.height;
  }

  /** Begins a new picture, for example after a change of the tree. */
  restart() {
    this.#row = Infinity;
    this.#matrix.makeScale(0, 0, 0);
  }

  /** Continues the picture for some milliseconds, from the beginning if the camera has moved. */
  work(view, mesh, budget) {
    const { camera } = view;
    const [width, height] = view.size().map((pixels) => Math.max(1, Math.ceil(pixels / square)));
    const now = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse);
    if (!now.equals(this.#matrix) || this.canvas.width !== width || this.canvas.height !== height) {
      this.#matrix.copy(now);
      Object.assign(this.canvas, { width, height });
      this.#costs = new Uint32Array(width * height);
      [this.#row, this.most, this.sum, this.count] = [0, 1, 0, 0];
    }
    const end = performance.now() + budget;
    while (!this.isDone && performance.now() < end) this.#line(camera, mesh);
  }

  #line(camera, mesh) {
    const { width, height } = this.canvas;
    const rays = new Float32Array(6 * width);
    const origin = camera.position;
    const at = new THREE.Vector3();
    for (let x = 0; x < width; x++) {
      at.set((2 * (x + 0.5)) / width - 1, 1 - (2 * (this.#row + 0.5)) / height, 0.5).unproject(camera).sub(origin).normalize();
      rays.set([origin.x, origin.y, origin.z, at.x, at.y, at.z], 6 * x);
    }
    const costs = mesh.visitCounts(rays);
    this.#costs.set(costs, this.#row * width);
    for (const cost of costs) {
      this.sum += cost;
      this.most = Math.max(this.most, cost);
    }
    this.count += width;
    this.#row++;
    if (this.#row % 8 === 0 || this.isDone) this.#paint();
  }

  #paint() {
    const { width, height } = this.canvas;
    const picture = new ImageData(width, height);
    this.#costs.forEach((cost, i) => cost > 0 && picture.data.set([...heatColor(cost / this.most), 255], 4 * i));
    this.canvas.getContext("2d").putImageData(picture, 0, 0);
  }
}
