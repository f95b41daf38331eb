import * as glue from "../build/glue/hitscan_web.js";

/** @internal The exports of the module, available after `init`. No public declaration may name these exports, because their types are not in the package. */
export { glue };
