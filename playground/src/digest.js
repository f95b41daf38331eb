import { Mesh } from "hitscan";
import recorded from "./digest.json";
import { digest, question } from "./question.js";

/** Computes the digest in this browser. */
export function compute(count) {
  const { positions, indices, rays } = question(count);
  using mesh = new Mesh(positions, indices);
  const { t, triangle, point, normal } = mesh.castBatch(rays, { normalize: false, points: true, normals: true });
  const hits = t.reduce((hits, t) => hits + (t < Infinity ? 1 : 0), 0);
  for (const column of [point, normal]) for (let i = 0; i < column.length; i++) if (column[i] !== column[i]) column[i] = 0;
  return { hits, digest: digest([t, triangle, point, normal]) };
}

/** Shows the digest of this browser beside the digest of the native library. */
export function showDigest(place, level) {
  const { hits, digest } = compute(recorded.rays);
  const isSame = digest === recorded.native && hits === recorded.hits;
  place.textContent = `${recorded.rays.toLocaleString("en")} rays, ${hits.toLocaleString("en")} hits, all bits of the answers: ${digest} here (${level}), ${recorded.native} native: ${isSame ? "the same" : "DIFFERENT"}`;
  place.className = isSame ? "" : "bad";
  place.dataset.same = isSame;
}
