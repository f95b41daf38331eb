import { BatchedMesh, InstancedMesh, Mesh, Object3D, SkinnedMesh } from "three";
import { acceleratedRaycast } from "./patch.js";

/**
 * @internal Returns whether an object is asked by its own `raycast`, like points, lines, sprites, levels of detail, fat lines, and any object to which the
 * program has given a `raycast`. A function that the program has set on the prototype of `Mesh` does not count.
 */
export function hasOwnRaycast(object: Object3D): boolean {
  const { raycast } = object;
  if ((object as Mesh).isMesh !== true) return raycast !== Object3D.prototype.raycast;
  return raycast !== usual(object).raycast && raycast !== acceleratedRaycast;
}

function usual(object: Object3D): Object3D {
  if ((object as BatchedMesh).isBatchedMesh === true) return BatchedMesh.prototype;
  if ((object as InstancedMesh).isInstancedMesh === true) return InstancedMesh.prototype;
  return (object as SkinnedMesh).isSkinnedMesh === true ? SkinnedMesh.prototype : Mesh.prototype;
}

/** @internal Returns whether an object consists of the triangles of its geometry. Fat lines do not. */
export function hasTriangles(object: Object3D): boolean {
  return (object as Mesh).isMesh === true && (object as { isLineSegments2?: true }).isLineSegments2 !== true;
}
