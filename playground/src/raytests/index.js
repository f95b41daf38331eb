import { flat } from "./flat.js";
import { solids } from "./solids.js";
import { triangles } from "./triangles.js";

/**
 * The tests: what is drawn, what answers, the steps of the formula with their values, and what plain f32 answers.
 *
 * `rays` are those that the stage shows at the start. The worked example is the first one.
 */
export const tests = { ...solids, ...triangles, ...flat };
