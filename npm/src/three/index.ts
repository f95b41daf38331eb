export { HitscanBVH, type HitscanBVHOptions } from "./bvh.js";
export { acceleratedRaycast, computeBatchedBoundsTree, computeBoundsTree, disposeBoundsTree } from "./patch.js";
export { HitscanRaycaster } from "./raycaster.js";
export { HitscanScene, type HitscanSceneOptions, type Target } from "./scene.js";
