import { lightAt, mayMeet, type LitWorld } from "./light.ts";
import type { Ray } from "./projection.ts";
import type { Group, Hit, Rgb, Shape, Surface } from "./shapes.ts";

/** What a shiny surface mirrors, kept apart so that it can be softened as a whole. */
export type Shine = { share: number; r: number; g: number; b: number };

export type Light = {
  r: number;
  g: number;
  b: number;
  a: number;
  /** Distance to the first solid thing. */
  t: number;
  hero: boolean;
  shine: Shine | null;
};

/**
 * Follows one line of sight through nets and fences until something solid. It sees `seen`; light
 * and reflections come from all of `lit`.
 */
export function look(
  seen: Group[],
  lit: LitWorld,
  ray: Ray,
  angle: number,
  turn: number,
  depth: number,
): Light {
  const out: Light = { r: 0, g: 0, b: 0, a: 0, t: Infinity, hero: false, shine: null };
  let left = 1;
  let from = 1e-3;
  for (let layer = 0; layer < 10 && left > 0.02; layer += 1) {
    const met = nearest(seen, ray, from);
    if (met === null) break;
    const hit = describe(met.shape, ray, met.t, angle);
    const surface = met.shape.paint(hit);
    const alpha = surface.alpha ?? 1;
    if (alpha > 0.004) {
      const shine = depth > 0 ? null : reflect(lit, hit, surface, angle, turn);
      const colour = shade(lit, hit, surface, turn + layer * 0.37, shine?.share ?? 0);
      const clear = lit.haze === undefined ? 1 : Math.exp(-met.t / lit.haze.reach);
      const share = left * alpha;
      add(out, colour, share * clear);
      if (lit.haze !== undefined) add(out, lit.haze.colour, share * (1 - clear));
      if (shine !== null) out.shine = { ...shine, share: shine.share * share * clear };
      if (out.t === Infinity || alpha > 0.5) {
        out.t = met.t;
        out.hero = met.hero;
      }
      left *= 1 - alpha;
    }
    from = met.t + 1e-3;
  }
  if (depth > 0) add(out, lit.sky(ray), left);
  return out;
}

function add(light: Light, colour: Rgb, share: number): void {
  light.r += colour[0] * share;
  light.g += colour[1] * share;
  light.b += colour[2] * share;
  light.a += share;
}

function nearest(groups: Group[], ray: Ray, from: number) {
  let best = Infinity;
  let shape: Shape | null = null;
  let hero = false;
  for (const each of groups) {
    if (!mayMeet(each, ray, best)) continue;
    for (const candidate of each.shapes) {
      const t = candidate.meet(ray, from);
      if (t < best) {
        best = t;
        shape = candidate;
        hero = each.hero === true;
      }
    }
  }
  return shape === null ? null : { shape, t: best, hero };
}

function describe(shape: Shape, ray: Ray, t: number, angle: number): Hit {
  const hit: Hit = {
    x: ray.ox + ray.dx * t,
    y: ray.oy + ray.dy * t,
    z: ray.oz + ray.dz * t,
    nx: 0,
    ny: 0,
    nz: 1,
    u: 0,
    v: 0,
    footprint: t * angle,
    stretch: t * angle,
    ray,
  };
  shape.face(hit);
  const facing = hit.nx * ray.dx + hit.ny * ray.dy + hit.nz * ray.dz;
  if (facing > 0) {
    hit.nx = -hit.nx;
    hit.ny = -hit.ny;
    hit.nz = -hit.nz;
  }
  hit.stretch = hit.footprint / Math.max(Math.abs(facing), 0.02);
  return hit;
}

function shade(world: LitWorld, hit: Hit, surface: Surface, turn: number, mirrored: number): Rgb {
  const [r, g, b] = lightAt(world, hit, surface, turn);
  const glow = surface.glow ?? [0, 0, 0];
  const kept = 1 - mirrored;
  return [
    (r * surface.colour[0] + glow[0]) * kept,
    (g * surface.colour[1] + glow[1]) * kept,
    (b * surface.colour[2] + glow[2]) * kept,
  ];
}

function reflect(
  world: LitWorld,
  hit: Hit,
  surface: Surface,
  angle: number,
  turn: number,
): Shine | null {
  const base = surface.mirror;
  if (base === undefined) return null;
  const { ray } = hit;
  const rough = surface.rough ?? 0;
  const swing = turn * 43.7;
  const spread = rough * Math.sqrt((turn * 9.31) % 1);
  const nx = hit.nx + Math.cos(swing) * spread;
  const ny = hit.ny + Math.sin(swing) * spread;
  const facing = ray.dx * nx + ray.dy * ny + ray.dz * hit.nz;
  const share = base + (1 - base) * (1 - Math.min(1, Math.abs(facing))) ** 5 * (1 - rough * 6);
  const bounced: Ray = {
    ox: hit.x,
    oy: hit.y,
    oz: hit.z,
    dx: ray.dx - 2 * facing * nx,
    dy: ray.dy - 2 * facing * ny,
    dz: ray.dz - 2 * facing * hit.nz,
  };
  const length = Math.sqrt(bounced.dx ** 2 + bounced.dy ** 2 + bounced.dz ** 2);
  bounced.dx /= length;
  bounced.dy /= length;
  bounced.dz /= length;
  const light = look(world.groups, world, bounced, angle * 2, turn, 1);
  return { share: Math.max(0, share), r: light.r, g: light.g, b: light.b };
}
