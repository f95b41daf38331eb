import type { BufferGeometry, Material } from "three";
import { materialOfGroup } from "./triangles.js";

/** Triangles of a mesh that one group draws, from `first` up to but not including `end`. */
export interface Run {
  readonly group: number;
  readonly first: number;
  readonly end: number;
}

/**
 * @internal The triangles of a mesh whose materials have holes. A mesh has a triangle once for each group that draws it, so that each group has holes of its own:
 * a ray passes a triangle only where all of its groups have a hole.
 *
 * The triangles of the geometry keep their numbers. The copies of triangles that several groups draw come after them.
 */
export class Layers {
  /** The number of triangles of the geometry. */
  readonly #count: number;
  /** The number of the group of each triangle of the mesh, or -1. */
  readonly #groups: Int32Array;
  /** The triangles of the geometry that the copies are of. */
  readonly #copied: Uint32Array;

  /** Distributes `count` triangles, the first of which has the number `start` in the geometry. */
  constructor(geometry: BufferGeometry, materials: readonly Material[], start: number, count: number) {
    const groups = new Int32Array(count).fill(-1);
    const [copied, groupsOfCopies]: [number[], number[]] = [[], []];
    geometry.groups.forEach((group, number) => {
      if (!materialOfGroup(group, materials)) return;
      const first = Math.max(Math.ceil(group.start / 3) - start, 0);
      const end = Math.min(Math.ceil((group.start + group.count) / 3) - start, count);
      for (let triangle = first; triangle < end; triangle++) {
        if (groups[triangle] === -1) groups[triangle] = number;
        else {
          copied.push(triangle);
          groupsOfCopies.push(number);
        }
      }
    });
    this.#count = count;
    this.#groups = new Int32Array(count + copied.length);
    this.#groups.set(groups);
    this.#groups.set(groupsOfCopies, count);
    this.#copied = Uint32Array.from(copied);
  }

  /** Returns the indices of the mesh, given the indices of the geometry. */
  indices(indices: Uint32Array): Uint32Array {
    if (this.#copied.length === 0) return indices;
    const all = new Uint32Array(3 * this.#groups.length);
    all.set(indices);
    this.#copied.forEach((triangle, i) => all.set(indices.subarray(3 * triangle, 3 * triangle + 3), 3 * (this.#count + i)));
    return all;
  }

  /** Returns the triangle of the geometry that a triangle of the mesh is, and its group, or -1. */
  at(triangle: number): { readonly triangle: number; readonly group: number } {
    return { triangle: triangle < this.#count ? triangle : this.#copied[triangle - this.#count]!, group: this.#groups[triangle]! };
  }

  /** Returns the triangles of the mesh that are in groups. */
  runs(): Run[] {
    const runs: Run[] = [];
    const groups = this.#groups;
    for (let first = 0, end = 0; first < groups.length; first = end) {
      const group = groups[first]!;
      while (end < groups.length && groups[end] === group) end++;
      if (group >= 0) runs.push({ group, first, end });
    }
    return runs;
  }
}
