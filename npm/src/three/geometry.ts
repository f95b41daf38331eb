import { Vector3, type BufferAttribute, type BufferGeometry, type InterleavedBufferAttribute } from "three";
import type { Vertices } from "./triangles.js";

/** Returns the positions of a geometry as plain numbers: the geometry's array if it has this layout, else a copy. */
export function positionsOf(geometry: BufferGeometry): Float32Array {
  const position = geometry.attributes["position"] as BufferAttribute | InterleavedBufferAttribute | undefined;
  if (position === undefined) throw new Error("the geometry has no attribute `position`, so it has no triangles");
  const { array } = position as BufferAttribute;
  const isPlain = !("isInterleavedBufferAttribute" in position) && !position.normalized && position.itemSize === 3;
  if (isPlain && array instanceof Float32Array) return array.length === 3 * position.count ? array : array.subarray(0, 3 * position.count);
  const numbers = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) {
    numbers[3 * i] = position.getX(i);
    numbers[3 * i + 1] = position.getY(i);
    numbers[3 * i + 2] = position.getZ(i);
  }
  return numbers;
}

/** Returns the positions of an object's vertices in its present pose. */
export function posedPositions(vertices: Vertices, count: number, target: Float32Array): Float32Array {
  const at = new Vector3();
  for (let i = 0; i < count; i++) vertices.getVertexPosition(i, at).toArray(target, 3 * i);
  return target;
}

/** Returns the indices of a range of a geometry; a last incomplete triangle is left out. */
export function indicesOf(geometry: BufferGeometry, start = 0, count = Infinity): Uint32Array {
  const { index } = geometry;
  const total = index === null ? geometry.attributes["position"]!.count : index.count;
  const end = Math.min(total, start + count);
  const length = Math.max(0, Math.floor((end - start) / 3) * 3);
  if (index === null) return Uint32Array.from({ length }, (_, i) => start + i);
  const { array } = index;
  if (!("isInterleavedBufferAttribute" in index) && (array instanceof Uint32Array || array instanceof Uint16Array)) {
    return Uint32Array.from(array.subarray(start, start + length));
  }
  return Uint32Array.from({ length }, (_, i) => index.getX(start + i));
}
