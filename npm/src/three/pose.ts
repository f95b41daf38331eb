import type { Mesh as ThreeMesh, Object3D, SkinnedMesh } from "three";
import { stateOf, type Attribute } from "./identity.js";
import { take } from "./tree.js";

/** @internal The deformation of an object: its bones, or the influences of its morph targets. */
export class Pose {
  #numbers = new Float64Array(0);

  /** Updates the pose, and returns whether it may have changed. */
  hasChanged(object: ThreeMesh): boolean {
    const skinned = object as unknown as SkinnedMesh;
    const bones = skinned.isSkinnedMesh === true ? skinned.skeleton.bones.length : 0;
    const influences = object.morphTargetInfluences ?? [];
    const morphs = (object.geometry.morphAttributes["position"] ?? []) as Attribute[];
    const length = 39 + 32 * bones + influences.length + 3 * morphs.length;
    let changed = this.#numbers.length !== length;
    if (changed) this.#numbers = new Float64Array(length).fill(NaN);
    let at = 0;
    const put = (number: number): void => {
      if (this.#numbers[at] !== number) {
        this.#numbers[at] = number;
        changed = true;
      }
      at++;
    };
    put(object.geometry.morphTargetsRelative ? 1 : 0);
    influences.forEach(put);
    for (const morph of morphs) stateOf(morph).forEach(put);
    if (skinned.isSkinnedMesh !== true) return changed;
    const { skinIndex, skinWeight } = object.geometry.attributes;
    stateOf(skinIndex).forEach(put);
    stateOf(skinWeight).forEach(put);
    const { skeleton } = skinned;
    for (const matrix of [skinned.bindMatrix, skinned.bindMatrixInverse]) {
      changed = take(matrix, this.#numbers, at) || changed;
      at += 16;
    }
    for (let i = 0; i < bones; i++) {
      changed = take(skeleton.bones[i]!.matrixWorld, this.#numbers, at) || changed;
      changed = take(skeleton.boneInverses[i]!, this.#numbers, at + 16) || changed;
      at += 32;
    }
    return changed;
  }
}

/** @internal Returns whether an object has bones or morph targets, which move its vertices. */
export function isDeformed(object: ThreeMesh): boolean {
  const morphs = object.geometry?.morphAttributes["position"] !== undefined && object.morphTargetInfluences !== undefined;
  return morphs || (object as unknown as SkinnedMesh).isSkinnedMesh === true;
}

/** @internal Updates the matrices that deform an object, wherever its bones are. */
export function followBones(object: ThreeMesh, isFresh: (bone: Object3D) => boolean): void {
  const skinned = object as unknown as SkinnedMesh;
  if (skinned.isSkinnedMesh !== true) return;
  for (const bone of skinned.skeleton.bones) if (!isFresh(bone)) bone.updateWorldMatrix(true, false);
  // three.js would do this only when it draws the next time.
  if (skinned.bindMode === "attached") skinned.bindMatrixInverse.copy(skinned.matrixWorld).invert();
}
