import { smooth } from "./noise.ts";
import type { Ray, Vec } from "./projection.ts";
import type { Group, Hit, Rgb, Surface } from "./shapes.ts";

export type Lamp = {
  at: Vec;
  colour: Rgb;
  /** Radius in metres: how soft its shadows are. */
  size: number;
  /** A floodlight shines towards `aim` and little elsewhere. */
  aim?: Vec;
};

export type World = {
  groups: Group[];
  lamps: Lamp[];
  /** Light that comes from everywhere: from above and from below. */
  above: Rgb;
  below: Rgb;
  /** What a reflection sees beyond all shapes. */
  sky(direction: Ray): Rgb;
  haze?: { colour: Rgb; reach: number };
  exposure: number;
  /** Round things that darken the ground they touch. */
  resting?: { at: Vec; radius: number }[];
};

/** Less light than this does not show, and is not worth a shadow. */
const FAINT = 0.0012;

/** A world with what throws shadows sorted out once. */
export type LitWorld = World & { casters: Group[] };

export function lightUp(world: World): LitWorld {
  return { ...world, casters: world.groups.filter((each) => each.casts) };
}

/** Light that falls on a surface: from everywhere, and from each lamp that is not hidden. */
export function lightAt(world: LitWorld, hit: Hit, surface: Surface, turn: number): Rgb {
  const open = shelter(world, hit);
  const high = (hit.nz + 1) / 2;
  let r = (world.above[0] * high + world.below[0] * (1 - high)) * open;
  let g = (world.above[1] * high + world.below[1] * (1 - high)) * open;
  let b = (world.above[2] * high + world.below[2] * (1 - high)) * open;
  let swing = turn;
  for (const lamp of world.lamps) {
    const share = lampShare(world, lamp, hit, surface.through ?? 0, swing);
    swing += 0.618;
    r += lamp.colour[0] * share;
    g += lamp.colour[1] * share;
    b += lamp.colour[2] * share;
  }
  return [r, g, b];
}

/** Darkening under and beside resting round things, by how much of the sky they cover. */
function shelter(world: World, hit: Hit): number {
  let open = 1;
  for (const { at, radius } of world.resting ?? []) {
    const x = at[0] - hit.x;
    const y = at[1] - hit.y;
    const z = at[2] - hit.z;
    const far = Math.sqrt(x * x + y * y + z * z);
    if (far > radius * 6 || far < radius * 1.001) continue;
    const facing = Math.max(0, (x * hit.nx + y * hit.ny + z * hit.nz) / far);
    open *= 1 - facing * (radius / far) ** 2;
  }
  return open;
}

function lampShare(world: LitWorld, lamp: Lamp, hit: Hit, through: number, turn: number): number {
  const swing = turn * Math.PI * 2 * 7.13;
  const spread = lamp.size * Math.sqrt((turn * 5.77) % 1);
  const x = lamp.at[0] + Math.cos(swing) * spread - hit.x;
  const y = lamp.at[1] + Math.sin(swing) * spread - hit.y;
  const z = lamp.at[2] - hit.z;
  const square = x * x + y * y + z * z;
  const far = Math.sqrt(square);
  let facing = (x * hit.nx + y * hit.ny + z * hit.nz) / far;
  facing = facing > 0 ? facing : -facing * through;
  if (facing === 0) return 0;
  const share = (facing * cone(lamp, x, y, z, far)) / square;
  if (share * lamp.colour[0] < FAINT) return 0;
  const ray = { ox: hit.x, oy: hit.y, oz: hit.z, dx: x / far, dy: y / far, dz: z / far };
  return blocked(world.casters, ray, far) ? 0 : share;
}

function cone(lamp: Lamp, x: number, y: number, z: number, far: number): number {
  if (lamp.aim === undefined) return 1;
  const ax = lamp.aim[0] - lamp.at[0];
  const ay = lamp.aim[1] - lamp.at[1];
  const az = lamp.aim[2] - lamp.at[2];
  const reach = Math.sqrt(ax * ax + ay * ay + az * az);
  const straight = -(ax * x + ay * y + az * z) / (reach * far);
  return 0.015 + 0.985 * smooth(0.2, 0.95, straight);
}

function blocked(casters: Group[], ray: Ray, far: number): boolean {
  for (const each of casters) {
    if (!mayMeet(each, ray, far)) continue;
    for (const shape of each.shapes) {
      if (shape.shadow && shape.meet(ray, 0.004) < far - 0.3) return true;
    }
  }
  return false;
}

/** Whether a ray may meet anything of a group before `limit`. */
export function mayMeet({ low, high }: Group, ray: Ray, limit: number): boolean {
  if (low[0] === -Infinity) return true;
  let one = (low[0] - ray.ox) / ray.dx;
  let two = (high[0] - ray.ox) / ray.dx;
  let near = Math.min(one, two);
  let far = Math.max(one, two);
  one = (low[1] - ray.oy) / ray.dy;
  two = (high[1] - ray.oy) / ray.dy;
  near = Math.max(near, Math.min(one, two));
  far = Math.min(far, Math.max(one, two));
  one = (low[2] - ray.oz) / ray.dz;
  two = (high[2] - ray.oz) / ray.dz;
  near = Math.max(near, Math.min(one, two), 0);
  far = Math.min(far, Math.max(one, two), limit);
  return near <= far;
}
