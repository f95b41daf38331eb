import { Raycaster, type Intersection, type Object3D } from "three";
import { hasOwnRaycast } from "./own.js";
import { HitscanScene } from "./scene.js";

/**
 * A `Raycaster` whose `intersectObject` and `intersectObjects` are answered by hitscan. To switch, replace the class:
 *
 * ```js
 * import { HitscanRaycaster } from "hitscan/three";
 * const raycaster = new HitscanRaycaster();
 * ```
 *
 * For each root it makes a `HitscanScene`, which follows the objects, and keeps this scene as long as the root exists.
 */
export class HitscanRaycaster extends Raycaster {
  /** Whether only the first hit is wanted, which is faster. */
  firstHitOnly = false;
  /** Whether objects with `visible = false`, and their descendants, are left out (`"skip"`) or hit (`"hit"`, as three.js does). */
  invisible: "skip" | "hit" = "skip";
  readonly #scenes = new WeakMap<Object3D, HitscanScene>();

  /** Returns the scene of a root. Set its `autoUpdate` to false, and call `update` once a frame, to cast many rays a frame. */
  sceneOf(root: Object3D): HitscanScene {
    let scene = this.#scenes.get(root);
    if (scene === undefined) this.#scenes.set(root, (scene = HitscanScene.fromObject3D(root, { invisible: this.invisible })));
    scene.invisible = this.invisible;
    return scene;
  }

  override intersectObject<T extends Object3D>(object: Object3D, recursive = true, intersects: Intersection<T>[] = []): Intersection<T>[] {
    if (!recursive) return super.intersectObject(object, false, intersects);
    return this.#sorted(this.sceneOf(object).raycast(this) as Intersection<T>[], intersects);
  }

  override intersectObjects<T extends Object3D>(objects: Object3D[], recursive = true, intersects: Intersection<T>[] = []): Intersection<T>[] {
    const parent = objects[0]?.parent;
    if (!recursive || !parent) {
      if (!recursive) return super.intersectObjects(objects, false, intersects);
      for (const object of objects) this.intersectObject(object, true, intersects);
      return intersects;
    }
    const isWhole = objects.length === parent.children.length && objects.every((object, i) => object === parent.children[i]);
    const asksParent = "isMesh" in parent || hasOwnRaycast(parent) || !parent.visible;
    if (isWhole && !asksParent) return this.#sorted(this.sceneOf(parent).raycast(this) as Intersection<T>[], intersects);
    for (const object of objects) this.intersectObject(object, true, intersects);
    return intersects;
  }

  #sorted<T extends Object3D>(found: Intersection<T>[], intersects: Intersection<T>[]): Intersection<T>[] {
    intersects.push(...found);
    return intersects.sort((a, b) => a.distance - b.distance);
  }
}
