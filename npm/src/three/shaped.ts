import type { BufferGeometry, Material, Mesh as ThreeMesh } from "three";
import { Mesh } from "hitscan";
import { cutOut, holesOf } from "./alpha.js";
import { complain, wordsOf } from "./complaints.js";
import { indicesOf, posedPositions, positionsOf } from "./geometry.js";
import { Look } from "./look.js";
import { isDeformed } from "./pose.js";

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

  constructor({ mesh, isMended }: Built, first: number, isOwn: boolean) {
    this.mesh = mesh;
    this.isMended = isMended;
    this.first = first;
    this.isOwn = isOwn;
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
    const shaped = isDeformed(object) ? deformed(object) : this.#rigid(object, range);
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
    let shapes = this.#shared.get(geometry);
    if (shapes === undefined) this.#shared.set(geometry, (shapes = new Map()));
    const masked = holesOf(geometry, material);
    const key = `${range?.start ?? 0}+${range?.count ?? "all"} ${masked}`;
    const known = shapes.get(key);
    if (known !== undefined && !known.look.hasChanged(object)) return known;
    // The known mesh now has the look of the changed geometry. If the build fails, the mesh must not be found by it.
    shapes.delete(key);
    const built = build(object, positionsOf(geometry), indicesOf(geometry, range?.start, range?.count));
    cutOutAll(built.mesh, geometry, material);
    const shaped = new Shaped(built, (range?.start ?? 0) / 3, false);
    shaped.look.hasChanged(object);
    // The users of the previous mesh release it when they see the change.
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

function deformed(object: ThreeMesh): Shaped {
  const { geometry, material } = object;
  const built = build(object, poseOf(object), indicesOf(geometry));
  cutOutAll(built.mesh, geometry, material);
  return new Shaped(built, 0, true);
}

/** @internal Returns the positions of an object's vertices in its present pose. */
export function poseOf(object: ThreeMesh): Float32Array {
  const { count } = object.geometry.attributes["position"]!;
  return posedPositions(object, count, new Float32Array(3 * count));
}

/** Makes the holes of all materials. If a material is refused, the mesh is freed. */
function cutOutAll(mesh: Mesh, geometry: BufferGeometry, material: Material | Material[] | null | undefined): void {
  try {
    cutOutGroups(mesh, geometry, material);
  } catch (error) {
    mesh.dispose();
    throw error;
  }
}

function cutOutGroups(mesh: Mesh, geometry: BufferGeometry, material: Material | Material[] | null | undefined): void {
  if (!Array.isArray(material)) {
    if (material) cutOut(mesh, geometry, material);
    return;
  }
  for (const { start, count, materialIndex = 0 } of geometry.groups) {
    const chosen = material[materialIndex];
    const [first, end] = [Math.ceil(start / 3), Math.min(Math.floor((start + count) / 3), mesh.triangleCount)];
    // A geometry may keep groups of triangles that it no longer has.
    if (chosen && first < end) cutOut(mesh, geometry, chosen, [first, end]);
  }
}
