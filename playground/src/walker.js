import { Capsule, Character, CharacterState } from "hitscan";

export const speed = 4.5;
const gravity = 9.81;
const jump = 5.2;
const [radius, height] = [0.35, 1.8];
/** The options of things that block the character. Leaves are on the second layer: shots hit them, and the character walks through them. */
export const solid = { layers: 1 };

/** A character of the library: its volume and its state, and the upward velocity, which the caller of the library keeps. */
export class Walker {
  #volume = new Capsule([0, radius, 0], [0, height - radius, 0], radius);
  #character = new Character(this.#volume, { stepUp: 0.4, stepDown: 0.4 });
  #state;
  #rise = 0;
  /** True if it moves by a simple algorithm of games, instead of by the library. */
  isNaive = false;
  grounded = false;
  contacts = 0;
  ground;
  slope = 0;
  microseconds = 0;

  constructor(at) {
    this.#state = new CharacterState(at);
  }

  get position() {
    return this.#state.position;
  }

  put(at) {
    this.#state.position = at;
    this.#rise = 0;
  }

  /** Moves the character for a time with a horizontal velocity, [x, z]. Returns the distance. */
  step(scene, [x, z], wantsJump, dt) {
    if (wantsJump && this.grounded) this.#rise = jump;
    else this.#rise = this.grounded ? 0 : this.#rise - gravity * dt;
    const before = this.position;
    const start = performance.now();
    if (this.isNaive) this.#naive(scene, [x * dt, this.#rise * dt, z * dt]);
    else this.#slide(scene, [x, this.#rise, z], dt);
    this.microseconds += 0.05 * (1000 * (performance.now() - start) - this.microseconds);
    const after = this.position;
    return Math.hypot(after[0] - before[0], after[2] - before[2]);
  }

  #slide(scene, velocity, dt) {
    const moved = this.#character.moveAndSlide(scene, this.#state, velocity, dt, solid);
    this.#rise = moved.velocity[1];
    this.grounded = this.#state.isGrounded;
    this.contacts = moved.contacts.length;
    this.ground = moved.ground?.id;
    this.slope = moved.ground ? (Math.acos(Math.min(1, moved.ground.normal[1])) * 180) / Math.PI : 0;
  }

  /**
   * Moves the character along each axis, and undoes a motion that ends in an overlap. This is a common algorithm, but with it the character stops short of
   * walls, cannot climb a stair, and a lift passes through it.
   */
  #naive(scene, way) {
    this.contacts = 0;
    for (const [axis, length] of way.entries()) {
      const before = this.position;
      const at = before.map((x, i) => (i === axis ? x + length : x));
      if (scene.overlaps(this.#volume, at, solid)) {
        this.contacts++;
        if (axis === 1) {
          this.grounded = length < 0;
          this.#rise = 0;
        }
        continue;
      }
      this.#state.position = at;
      if (axis === 1) this.grounded = false;
    }
    this.ground = undefined;
    this.slope = 0;
  }

  dispose() {
    this.#volume.dispose();
    this.#character.dispose();
    this.#state.dispose();
  }
}

/** Leads the character from place to place until the user takes over. */
export class Guide {
  #next = 0;
  #waited = 0;
  #isAway = false;

  constructor(places) {
    this.places = places;
  }

  /** Returns the velocity that leads towards the next place. */
  lead([x, y, z], time, dt) {
    const { to, when } = this.places[this.#next];
    const [dx, dz] = [to[0] - x, to[1] - z];
    const distance = Math.hypot(dx, dz);
    this.#waited += dt;
    // After a while an unreached place is skipped, so that the tour never ends at an obstacle.
    if (distance < 0.25 || this.#waited > 16) {
      this.#next = (this.#next + 1) % this.places.length;
      this.#waited = 0;
      this.#isAway = false;
      return [0, 0];
    }
    if (when && !when({ time, y }) && !this.#isAway) return [0, 0];
    this.#isAway = true;
    return [(dx / distance) * speed, (dz / distance) * speed];
  }
}
