import { Mesh, type BatchedMesh, type BufferGeometry, type Intersection, type Raycaster } from "three";
import { HitscanBVH, type HitscanBVHOptions } from "./bvh.js";

/** A geometry that may have a tree. */
type WithTree = BufferGeometry & { boundsTree?: HitscanBVH | null | undefined };

const original = Mesh.prototype.raycast;

/** Builds a tree for a geometry; for `BufferGeometry.prototype.computeBoundsTree`. */
export function computeBoundsTree(this: BufferGeometry, options: HitscanBVHOptions = {}): HitscanBVH {
  const tree = new HitscanBVH(this, options);
  (this as WithTree).boundsTree = tree;
  return tree;
}

/** Disposes the tree of a geometry; for `BufferGeometry.prototype.disposeBoundsTree`. */
export function disposeBoundsTree(this: BufferGeometry): void {
  (this as WithTree).boundsTree?.dispose();
  (this as WithTree).boundsTree = null;
}

/** Casts rays through the tree of a mesh's geometry, if it has one; for `Mesh.prototype.raycast`. With `raycaster.firstHitOnly` it returns only the first hit. */
export function acceleratedRaycast(this: Mesh, raycaster: Raycaster, intersects: Intersection[]): void {
  const tree = (this.geometry as WithTree).boundsTree;
  if (tree) tree.raycastObject3D(this, raycaster, intersects);
  else original.call(this, raycaster, intersects);
}

/** A batched mesh with the fields of three-mesh-bvh: a tree for each of its geometries. */
type WithTrees = BatchedMesh & { boundsTrees?: (HitscanBVH | null)[]; readonly _geometryCount: number };

/** Builds a tree for one geometry of a batched mesh, or for all; for `BatchedMesh.prototype.computeBoundsTree`, with three-mesh-bvh's `acceleratedRaycast`. */
export function computeBatchedBoundsTree(this: BatchedMesh, index = -1, options: HitscanBVHOptions = {}): HitscanBVH | null | (HitscanBVH | null)[] {
  const batched = this as WithTrees;
  const trees = (batched.boundsTrees ??= []);
  while (trees.length < batched._geometryCount) trees.push(null);
  const wanted = index < 0 ? trees.map((_, i) => i) : index < trees.length ? [index] : [];
  for (const i of wanted) {
    const tree = new HitscanBVH(this.geometry, { ...options, range: this.getGeometryRangeAt(i)! });
    trees[i]?.dispose();
    trees[i] = tree;
  }
  return index < 0 ? trees : (trees[index] ?? null);
}
