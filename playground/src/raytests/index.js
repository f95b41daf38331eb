import { flat } from "./flat.js";
import { solids } from "./solids.js";
import { triangles } from "./triangles.js";

/**
 * The tests. Each has a drawing, the function that answers, the steps of the formula with their values, and the answer of plain f32.
 *
 * `rays` are the rays that the stage shows at the start. The worked example is the first test.
 */
export const tests = { ...solids, ...triangles, ...flat };
