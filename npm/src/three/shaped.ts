import type { BufferGeometry, Material, Mesh as ThreeMesh } from "three";
import { Mesh } from "hitscan";
import { cutOut, holesOf } from "./alpha.js";
import { complain, wordsOf } from "./complaints.js";
import { indicesOf, posedPositions, positionsOf } from "./geometry.js";
import { Layers } from "./layers.js";
import { Look } from "./look.js";
import { isDeformed } from "./pose.js";
import { materialAt, materialOfGroup, materialsAt, type MaterialAt } from "./triangles.js";

/** @internal A mesh that entities share, made from a geometry or a range of it. */
export class Shaped {
  readonly mesh: Mesh;
  /** The number of the mesh's first triangle in the geometry. */
  readonly first: number;
  readonly look = new Look();
  /** The number of entities that use the mesh. */
  holders = 0;
  /** Whether only one object uses it, because that object is deformed. */
  readonly isOwn: boolean;
  /** Whether triangles were removed because a corner is not finite or missing. */
  readonly isMended: boolean;
  /** The positions of the vertices in scenes, if these differ from the positions in the mesh. */
  posed: Float32Array | undefined;
  readonly #layers: Layers | undefined;

  /** Builds the mesh of an object, or of a range of its geometry, with the holes of its materials. */
  constructor(object: ThreeMesh, positions: Float32Array, range: Range | undefined, isOwn: boolean) {
    const { geometry, material } = object;
    const own = indicesOf(geometry, range?.start, range?.count);
    this.first = (range?.start ?? 0) / 3;
    this.isOwn = isOwn;
    const hasHoles = holesOf(geometry, material) !== "";
    this.#layers = hasHoles && Array.isArray(material) ? new Layers(geometry, material, this.first, own.length / 3) : undefined;
    const indices = this.#layers?.indices(own) ?? own;
    const { mesh, isMended } = build(object, positions, indices);
    this.mesh = mesh;
    this.isMended = isMended;
    try {
      this.#cutOut(geometry, material, indices);
    } catch (error) {
      mesh.dispose();
      throw error;
    }
  }

  #cutOut(geometry: BufferGeometry, material: Material | Material[] | null | undefined, indices: Uint32Array): void {
    if (!Array.isArray(material)) {
      if (material) cutOut(this.mesh, geometry, material, indices, [0, this.mesh.triangleCount]);
      return;
    }
    for (const { group, first, end } of this.#layers?.runs() ?? []) {
      cutOut(this.mesh, geometry, materialOfGroup(geometry.groups[group]!, material)!, indices, [first, end]);
    }
  }

  /** Returns the triangle of the geometry that a triangle of the mesh is, and the materials with which it is hit. */
  triangleAt({ geometry, material }: ThreeMesh, number: number): { readonly triangle: number; readonly materials: MaterialAt[] } {
    if (this.#layers === undefined || !Array.isArray(material)) {
      const triangle = number + this.first;
      return { triangle, materials: materialsAt(geometry, material, triangle) };
    }
    const { triangle, group } = this.#layers.at(number);
    const drawn = geometry.groups[group];
    return { triangle: triangle + this.first, materials: drawn === undefined ? [] : materialAt(drawn, group, material) };
  }
}

/** A part of a geometry's index. */
export interface Range {
  start: number;
  count: number;
}

/** @internal The meshes of geometries. Each is built once, and again when the geometry has changed. A deformed object has a mesh of its own. */
export class Shapes {
  readonly #shared = new Map<BufferGeometry, Map<string, Shaped>>();

  /** Returns the mesh of an object, or of a range of its geometry, which must be released; `undefined` without triangles. */
  acquire(object: ThreeMesh, range: Range | undefined): Shaped | undefined {
    const { geometry } = object;
    const position = geometry.attributes["position"];
    if (position === undefined || position.count === 0) return undefined;
    const shaped = isDeformed(object) ? new Shaped(object, poseOf(object), undefined, true) : this.#rigid(object, range);
    shaped.holders++;
    return shaped;
  }

  /** Releases a mesh. The last release frees it. */
  release(shaped: Shaped): void {
    if (--shaped.holders > 0) return;
    shaped.mesh.dispose();
    for (const [geometry, shapes] of this.#shared) {
      for (const [key, known] of shapes) if (known === shaped) shapes.delete(key);
      if (shapes.size === 0) this.#shared.delete(geometry);
    }
  }

  #rigid(object: ThreeMesh, range: Range | undefined): Shaped {
    const { geometry, material } = object;
    const key = `${range?.start ?? 0}+${range?.count ?? "all"} ${holesOf(geometry, material)}`;
    const known = this.#shared.get(geometry)?.get(key);
    if (known !== undefined && !known.look.hasChanged(object)) return known;
    // The known mesh now has the look of the changed geometry. If the build fails, the mesh must not be found by it. Its users release it when they see the change.
    this.#shared.get(geometry)?.delete(key);
    const shaped = new Shaped(object, positionsOf(geometry), range, false);
    shaped.look.hasChanged(object);
    let shapes = this.#shared.get(geometry);
    if (shapes === undefined) this.#shared.set(geometry, (shapes = new Map()));
    shapes.set(key, shaped);
    return shaped;
  }

  /** Frees all meshes. */
  dispose(): void {
    for (const shapes of this.#shared.values()) for (const { mesh } of shapes.values()) mesh.dispose();
    this.#shared.clear();
  }
}

/** A mesh that was built, perhaps without faulty triangles. */
interface Built {
  readonly mesh: Mesh;
  readonly isMended: boolean;
}

/** Builds a mesh. Faulty triangles lose their area, so that the others keep their numbers, and their object is named once on the console. */
function build(object: ThreeMesh, positions: Float32Array, indices: Uint32Array): Built {
  try {
    return { mesh: new Mesh(positions, indices), isMended: false };
  } catch (error) {
    const mended = positions.slice();
    const areGood = Array.from({ length: positions.length / 3 }, (_, i) => isFinite(positions[3 * i]! + positions[3 * i + 1]! + positions[3 * i + 2]!));
    areGood.forEach((isGood, i) => isGood || mended.fill(0, 3 * i, 3 * i + 3));
    const used = indices.slice();
    let lost = 0;
    for (let i = 0; i < used.length; i += 3) {
      if (areGood[used[i]!] && areGood[used[i + 1]!] && areGood[used[i + 2]!]) continue;
      used.fill(0, i, i + 3);
      lost++;
    }
    const mesh = new Mesh(mended, used);
    if (lost > 0) complain(object, `has ${lost === 1 ? "a triangle that is" : `${lost} triangles that are`} not hit: ${wordsOf(error)}`);
    return { mesh, isMended: true };
  }
}

/** @internal Returns the positions of an object's vertices in its present pose. */
export function poseOf(object: ThreeMesh): Float32Array {
  const { count } = object.geometry.attributes["position"]!;
  return posedPositions(object, count, new Float32Array(3 * count));
}
