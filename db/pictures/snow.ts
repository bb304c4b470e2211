import { noise, smooth } from "./noise.ts";
import { unit, type Ray, type Vec } from "./projection.ts";
import type { Paint, Shape } from "./shapes.ts";

const TOP = 2.1;

/** Snow around a cleared rectangle: ploughed banks at its edge, a lumpy blanket beyond. */
export function snow(halfX: number, halfY: number, paint: Paint): Shape {
  const height = (x: number, y: number) => depth(x, y, halfX, halfY);
  return {
    paint,
    shadow: false,
    meet(ray, from) {
      if (ray.dz >= 0 && ray.oz > TOP) return Infinity;
      let t = ray.oz > TOP ? Math.max(from, (TOP - ray.oz) / ray.dz) : from;
      let step = 0.06;
      while (t < 140) {
        const z = ray.oz + ray.dz * t;
        if (z > TOP && ray.dz >= 0) return Infinity;
        if (z < 0) return Infinity;
        const gap = z - height(ray.ox + ray.dx * t, ray.oy + ray.dy * t);
        if (gap < 0) return settle(ray, height, t - step, t);
        step = Math.max(0.05 + t * 0.003, gap * 0.45);
        t += step;
      }
      return Infinity;
    },
    face(hit) {
      const e = 0.05;
      const normal: Vec = unit([
        height(hit.x - e, hit.y) - height(hit.x + e, hit.y),
        height(hit.x, hit.y - e) - height(hit.x, hit.y + e),
        2 * e,
      ]);
      [hit.nx, hit.ny, hit.nz] = normal;
    },
  };
}

/** Halves the last step until it stands on the snow. */
function settle(
  ray: Ray,
  height: (x: number, y: number) => number,
  low: number,
  high: number,
): number {
  let [above, under] = [low, high];
  for (let n = 0; n < 7; n += 1) {
    const middle = (above + under) / 2;
    const ground = height(ray.ox + ray.dx * middle, ray.oy + ray.dy * middle);
    if (ray.oz + ray.dz * middle < ground) under = middle;
    else above = middle;
  }
  return (above + under) / 2;
}

/** Depth of the snow in metres; -0.05 on the cleared pitch. */
function depth(x: number, y: number, halfX: number, halfY: number): number {
  const wander = (noise(x * 0.35 + 3, y * 0.35) - 0.5) * 0.9;
  const out = Math.max(Math.abs(x) - halfX, Math.abs(y) - halfY) + wander;
  if (out < 0) return -0.05;
  const crest = 0.5 + 0.6 * noise(x * 0.21 + 9, y * 0.21);
  const rise = smooth(0, 1.25, out);
  const fall = smooth(1.5, 4.5, out);
  const lumps =
    (noise(x * 1.4, y * 1.4) - 0.5) * 0.4 +
    Math.abs(noise(x * 3.7, y * 3.7) - 0.5) * 0.3 +
    (noise(x * 9, y * 9) - 0.5) * 0.07;
  return rise * (crest + lumps) * (1 - fall) + fall * (0.4 + lumps * 0.2);
}
