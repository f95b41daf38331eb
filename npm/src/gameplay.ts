import { place, records, vector, type Hit } from "./answers.js";
import { doubles, recordStart } from "./module.js";
import type { FilterOptions, SceneRayOptions, SightOptions } from "./questions.js";
import { blastHit, ledge, type BlastHit, type Ledge } from "./records.js";
import type { Scene } from "./scene.js";
import { notNegative, positive, vec3, wrong, type Vec3, type Vec3Like } from "./vectors.js";

/** The effect of a hit on a shot: the shot ends, is reflected, or goes straight on, into or out of the entity. */
export type Impact = "stop" | "ricochet" | "passThrough";

const impacts: Record<Impact, number> = { stop: 0, ricochet: 1, passThrough: 2 };

/** The hit of a shot, with the direction of the leg that ends there, of unit length. */
export type ShotHit<K> = Hit<K> & { direction: Vec3 };

/** A straight part of a shot. */
export interface ShotLeg<K> {
  /** The start: the muzzle, or the point of the previous hit. */
  from: Vec3;
  /** The end: the point of the hit, or where the range ends. */
  to: Vec3;
  /** The hit at the end; `null` where the range ends. */
  hit: Hit<K> | null;
}

/**
 * Follows a shot of a range in world units, and returns its legs in order, at most 1,024. The direction may have any length; a direction of length 0 gives no
 * legs.
 *
 * `impact` says how the shot goes on at every hit. Or it is a function that decides this for each hit, and must not change the scene. A shot that passes
 * through a solid has a hit where it enters and one where it leaves. It never hits a surface that it has just left.
 *
 * @throws If the range is not above 0, and if the function throws.
 */
export function shoot<K>(
  scene: Scene<K>,
  origin: Vec3Like,
  direction: Vec3Like,
  range: number,
  impact: Impact | ((hit: ShotHit<K>) => Impact) = "stop",
  options?: Omit<SceneRayOptions<K>, "normalize" | "tMin" | "tMax">,
): ShotLeg<K>[] {
  const ray = [...vec3(origin, "the origin"), ...vec3(direction, "the direction")] as const;
  const length = range === Infinity ? range : positive(range, "the range");
  const bits = scene.begin(options);
  scene.decide((row, at) => {
    return impactNumber(typeof impact === "function" ? impact({ ...scene.hit(), direction: vector(row, at + place.second) }) : impact);
  });
  const count = scene.handle.shoot(...ray, length, bits);
  scene.end();
  return records(count, (row, at) => ({ from: vector(row, at + place.second), to: vector(row, at + place.third), hit: scene.hitOrNull(row, at) }));
}

function impactNumber(impact: Impact): number {
  const number = impacts[impact];
  if (number === undefined) throw wrong("the impact", '"stop", "ricochet" or "passThrough"', impact);
  return number;
}

/**
 * Returns the entities within a radius of a center, the nearest first; at equal distances, the entity that was inserted first comes first. An entity at exactly
 * the radius counts. Only the surface of a mesh counts, not its inside. An entity that a filter leaves out is not reached. It gives no cover either, unless
 * `hiddenBy` selects it.
 *
 * @throws If the radius is not finite and above 0.
 */
export function blast<K>(scene: Scene<K>, center: Vec3Like, radius: number, options?: FilterOptions<K> & Pick<SightOptions<K>, "hiddenBy">): BlastHit<K>[] {
  const at = vec3(center, "the center");
  const reach = positive(radius, "the radius");
  scene.begin(options);
  const count = scene.handle.blast(...at, reach);
  scene.end();
  return records(count, (row, start) => blastHit(scene.keyOf(row[start + place.id]!)!, row, start));
}

/** The place of a camera at the end of its arm. */
export interface ArmEnd<K> {
  position: Vec3;
  /** The distance of the camera from its target. */
  length: number;
  /** The entity that blocks the full length. */
  blockedBy: K | undefined;
}

/** An arm that holds a camera away from a target, as far as there is room. */
export class CameraArm {
  /** The distance of the camera from its target if nothing blocks it. */
  readonly length: number;
  /** The room that the camera keeps around itself: at least the distance from the eye to a corner of the near plane. */
  readonly radius: number;

  /** @throws If the length is negative or the radius is not above 0. */
  constructor({ length, radius }: { readonly length: number; readonly radius: number }) {
    this.length = notNegative(length, "the length of the arm");
    this.radius = positive(radius, "the radius of the arm");
  }

  /**
   * Returns the end of the arm that goes from a target in a direction of any length. Exclude the target itself. An obstacle that the camera touches at the
   * start does not stop it if the camera moves away from the obstacle. A target inside of a solid, or numbers that are not finite, leave the camera at the
   * target.
   */
  end<K>(scene: Scene<K>, target: Vec3Like, direction: Vec3Like, options?: FilterOptions<K>): ArmEnd<K> {
    const numbers = [...vec3(target, "the target"), ...vec3(direction, "the direction")] as const;
    scene.begin(options);
    scene.handle.camera_arm_end(this.length, this.radius, ...numbers);
    scene.end();
    const row = doubles();
    const at = recordStart();
    return { position: vector(row, at + place.point), length: row[at]!, blockedBy: scene.keyOf(row[at + place.id]!) };
  }
}

/** The edge that a probe looks for. */
export interface LedgeSettings {
  /** The distance ahead in which an edge is searched for. */
  readonly reach: number;
  /** The least height of the edge above the feet. */
  readonly lowest: number;
  /** The largest height of the edge above the feet. */
  readonly highest: number;
  /** The radius of the ball that probes the surface: about the size of a hand. The ball does not fall through narrower gaps. */
  readonly radius: number;
  /** The steepest surface behind the edge, in radians from level. */
  readonly maxSlope: number;
}

/** A probe for the edge of a surface in front of a character, at a height where hands reach. */
export class LedgeProbe {
  readonly settings: LedgeSettings;
  readonly #numbers: [number, number, number, number, number];

  /** @throws If a setting is negative or not finite, the reach or the radius is 0, or the lowest edge is above the highest. */
  constructor(settings: LedgeSettings) {
    const { reach, lowest, highest, radius, maxSlope } = settings;
    this.#numbers = [
      positive(reach, "the reach"),
      notNegative(lowest, "the lowest edge"),
      notNegative(highest, "the highest edge"),
      positive(radius, "the radius"),
      notNegative(maxSlope, "the steepest slope"),
    ];
    if (lowest > highest) throw wrong("the lowest edge", `at most the highest one, ${highest}`, lowest);
    this.settings = { reach, lowest, highest, radius, maxSlope };
  }

  /**
   * Returns the nearest edge ahead of the feet, or `null`. "Ahead" is the direction of the component of `forward` perpendicular to `up`. Both may have any
   * length. Exclude the character itself. The path of the hand, up from the lowest to the highest edge and then ahead, must be free. At most 64 places
   * are probed, so a thin edge may be missed if the reach is more than 64 radii.
   */
  find<K>(scene: Scene<K>, feet: Vec3Like, forward: Vec3Like, up: Vec3Like, options?: FilterOptions<K>): Ledge<K> | null {
    const numbers = [...vec3(feet, "the feet"), ...vec3(forward, "the forward direction"), ...vec3(up, "the up direction")] as const;
    scene.begin(options);
    const found = scene.handle.find_ledge(...this.#numbers, ...numbers);
    scene.end();
    return found ? ledge(scene.keyOf(doubles()[recordStart() + place.id]!)!) : null;
  }
}
