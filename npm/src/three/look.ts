import type { BufferAttribute, BufferGeometry, Mesh as ThreeMesh } from "three";
import { holesOf } from "./alpha.js";
import { bufferOf, type Attribute } from "./identity.js";

/** @internal The state of an object on which the triangles and holes of its mesh depend. three.js counts the changes of attributes and textures. */
export class Look {
  #geometry: BufferGeometry | undefined;
  #position: unknown;
  /** The buffer with the positions, which may be another one of the same version in the same attribute. */
  #positionBuffer: unknown;
  #positionVersion = NaN;
  #positionCount = NaN;
  #index: BufferAttribute | null = null;
  #indexVersion = NaN;
  #indexCount = NaN;
  /** The key of the holes; `undefined` before the first look. */
  #holes: string | undefined;

  /** Updates the state, and returns whether the mesh must be built again. */
  hasChanged({ geometry, material }: ThreeMesh): boolean {
    let changed = this.#takeGeometry(geometry);
    const holes = holesOf(geometry, material);
    if (holes !== this.#holes) changed = true;
    this.#holes = holes;
    return changed;
  }

  #takeGeometry(geometry: BufferGeometry): boolean {
    const { index } = geometry;
    const position = geometry.attributes["position"] as Attribute | undefined;
    const positionBuffer = position && bufferOf(position);
    const positionVersion = positionBuffer?.version ?? -1;
    const positionCount = position?.count ?? 0;
    const indexVersion = index?.version ?? -1;
    const indexCount = index?.count ?? -1;
    if (
      geometry === this.#geometry && position === this.#position && positionBuffer === this.#positionBuffer &&
      positionVersion === this.#positionVersion && positionCount === this.#positionCount &&
      index === this.#index && indexVersion === this.#indexVersion && indexCount === this.#indexCount
    ) return false;
    this.#geometry = geometry;
    this.#position = position;
    this.#positionBuffer = positionBuffer;
    this.#positionVersion = positionVersion;
    this.#positionCount = positionCount;
    this.#index = index;
    this.#indexVersion = indexVersion;
    this.#indexCount = indexCount;
    return true;
  }
}
