import { optional, place, records, vector } from "./answers.js";
import { glue } from "./glue.js";
import { wholeNumbers } from "./mesh.js";
import { disposed, doubles, ready, recordStart } from "./module.js";
import type { FilterOptions } from "./questions.js";
import { characterContact, type CharacterContact } from "./records.js";
import type { Scene } from "./scene.js";
import { Shape, type Volume } from "./shapes.js";
import { quat, readVec3, vec3, wrong, type QuatLike, type Vec3, type Vec3Like } from "./vectors.js";

/** The abilities of a character. The defaults follow from the size of its volume. */
export interface CharacterSettings {
  /** The gap that the character keeps to all surfaces. */
  skin: number;
  /** The steepest ground that can be walked on, in radians from level; 50 degrees by default. Above about 87 degrees nothing is ground. */
  maxSlope: number;
  /** The highest step that is climbed without a jump. */
  stepUp: number;
  /** The least depth of a step. */
  stepDepth: number;
  /** The distance over which the character follows the ground down. */
  stepDown: number;
  /** The speed at which the character leaves solids that it is in; infinite by default. */
  escapeSpeed: number;
  /** If true, as by default, the speed along a slope is the wanted speed; otherwise the horizontal speed is the wanted speed. */
  keepsSpeedOnSlopes: boolean;
  /** The up direction, of unit length. */
  up: Vec3;
}

/**
 * The effect of a contact on a character. The entity is solid, or it is ignored for the rest of the move (a trigger, a pickup, a one-way platform from below),
 * or it is solid and its surface moves at a velocity, like a conveyor belt that carries the character.
 */
export type ContactResponse = "solid" | "passThrough" | { readonly conveyor: Vec3Like };

/** The result of a move. */
export interface Moved<K> {
  motion: Vec3;
  /** The remaining velocity: pass it to the next move, after adding gravity. On the ground it has no component along up. */
  velocity: Vec3;
  /** The entity on which the character stands. */
  ground: { id: K; normal: Vec3 } | undefined;
  /** The velocity of the platform under the character. */
  groundVelocity: Vec3;
  /** The height that was climbed by steps. */
  stepped: number;
  contacts: CharacterContact<K>[];
  /** The contacts with the entities that enclose the character if it cannot leave them. Then it does not move. */
  crushed: CharacterContact<K>[];
  /** The entities that the function of `moveAndRespond` let the character pass through, each listed once. */
  passed: K[];
}

/** The place of a character, and the ground that it stands on. */
export class CharacterState<K = string> {
  #handle: glue.CharacterState | undefined;

  constructor(position: Vec3Like) {
    ready();
    this.#handle = new glue.CharacterState(...vec3(position, "the position"));
  }

  /** @internal */
  get handle(): glue.CharacterState {
    return this.#handle ?? disposed("state of a character");
  }

  /** The position of the volume's origin. */
  get position(): Vec3 {
    const [x, y, z] = this.handle.position();
    return [x!, y!, z!];
  }

  set position(position: Vec3Like) {
    this.handle.set_position(...vec3(position, "the position"));
  }

  /** Puts the character at a place, in the air: the ground carries it no longer. */
  teleport(position: Vec3Like): void {
    this.handle.teleport(...vec3(position, "the position"));
  }

  /** Says that the character jumps: no ground holds it until its velocity no longer points up. */
  leaveGround(): void {
    this.handle.leave_ground();
  }

  /** Says that the entity under the character was placed somewhere else rather than moved, so that it does not carry the character. */
  groundWasPlaced(): void {
    this.handle.ground_was_placed();
  }

  /**
   * Turns the volume. With a NaN, the character has no room anywhere and does not move.
   *
   * @throws If the quaternion is zero.
   */
  setRotation(rotation: QuatLike): void {
    this.handle.set_rotation(...quat(rotation, "the rotation"));
  }

  /** Returns whether the character stands on something. */
  get isGrounded(): boolean {
    return this.handle.is_grounded();
  }

  /** Returns the entity on which the character stands. */
  ground(scene: Scene<K>): K | undefined {
    return scene.keyOf(this.handle.ground());
  }

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A volume that walks, slides along walls, climbs steps and stays on the ground. Many characters may share it, each with a state. */
export class Character {
  #handle: glue.Character | undefined;

  /** @throws If the volume has no extent along some axis, or a setting is invalid. */
  constructor(volume: Volume, settings: Partial<CharacterSettings> = {}) {
    this.#handle = new glue.Character(Shape.handleOf(volume));
    this.configure(settings);
  }

  /** @internal */
  get handle(): glue.Character {
    return this.#handle ?? disposed("character");
  }

  /** Returns the settings. */
  get settings(): CharacterSettings {
    const [skin, maxSlope, stepUp, stepDepth, stepDown, escapeSpeed, keeps, x, y, z] = this.handle.settings();
    return {
      skin: skin!,
      maxSlope: maxSlope!,
      stepUp: stepUp!,
      stepDepth: stepDepth!,
      stepDown: stepDown!,
      escapeSpeed: escapeSpeed!,
      keepsSpeedOnSlopes: keeps !== 0,
      up: [x!, y!, z!],
    };
  }

  /** Changes some settings. */
  configure(settings: Partial<CharacterSettings>): void {
    const s = { ...this.settings, ...settings };
    const keeps = s.keepsSpeedOnSlopes ? 1 : 0;
    this.handle.set_settings(
      Float64Array.of(s.skin, s.maxSlope, s.stepUp, s.stepDepth, s.stepDown, s.escapeSpeed, keeps, ...vec3(s.up, "the up direction")),
    );
  }

  /** Returns whether there is room for the character where its state is. */
  hasRoom<K>(scene: Scene<K>, state: CharacterState<K>, options?: FilterOptions<K>): boolean {
    scene.begin(options);
    const room = this.handle.has_room(scene.handle, state.handle);
    scene.end();
    return room;
  }

  /** Moves the character with a wanted velocity for a time, and returns the result. */
  moveAndSlide<K>(scene: Scene<K>, state: CharacterState<K>, velocity: Vec3Like, dt: number, options?: FilterOptions<K>): Moved<K> {
    scene.begin(options);
    return this.#moved(scene, state, velocity, dt, false);
  }

  /**
   * Moves the character as `moveAndSlide` does, and asks a function what each contact does.
   *
   * The function is called for everything that the character reaches, also by its probes for steps and ground, so it may be asked about an entity several
   * times. It only decides, and must not change the scene or the state: `contacts` and `passed` of the answer list what happened. If the function throws, this
   * method throws the same error, and the character does not move.
   */
  moveAndRespond<K>(
    scene: Scene<K>,
    state: CharacterState<K>,
    velocity: Vec3Like,
    dt: number,
    respond: (contact: CharacterContact<K>) => ContactResponse,
    options?: FilterOptions<K>,
  ): Moved<K> {
    scene.begin(options);
    scene.decide((row, at) => answered(respond(characterContact(scene.keyOf(row[at + place.id]!)!, row, at))));
    return this.#moved(scene, state, velocity, dt, true);
  }

  /** Moves the character, and reads the result. */
  #moved<K>(scene: Scene<K>, state: CharacterState<K>, velocity: Vec3Like, dt: number, responds: boolean): Moved<K> {
    const count = this.handle.move_and_slide(scene.handle, state.handle, ...vec3(velocity, "the velocity"), dt, responds);
    scene.end();
    const row = doubles();
    const at = recordStart();
    const id = row[at + place.id]!;
    const all = records(count, (row, at) => characterContact(scene.keyOf(row[at + place.id]!)!, row, at));
    const met = count - row[at + place.part]!;
    const hasGround = optional(row[at + place.second]!) !== undefined;
    return {
      motion: vector(row, at + place.point),
      velocity: vector(row, at + place.normal),
      ground: hasGround ? { id: scene.keyOf(id)!, normal: vector(row, at + place.second) } : undefined,
      groundVelocity: vector(row, at + place.third),
      stepped: row[at + place.extra]!,
      contacts: all.slice(0, met),
      crushed: all.slice(met),
      passed: Array.from(wholeNumbers(row[at + place.feature]!), (number) => scene.keyOf(number)!),
    };
  }

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Returns the number of a response. The velocity of a conveyor is written to the record. */
function answered(response: ContactResponse): number {
  if (response === "solid") return 0;
  if (response === "passThrough") return 1;
  const conveyor = (response as { readonly conveyor?: Vec3Like } | undefined)?.conveyor;
  if (conveyor === undefined) throw wrong("the response to a contact", '"solid", "passThrough" or { conveyor: velocity }', response);
  readVec3(conveyor, doubles(), recordStart() + place.second, "the velocity of a conveyor");
  return 2;
}

