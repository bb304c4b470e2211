import { seeded } from "./noise.ts";
import { HEIGHT, WIDTH, type Camera, type Vec } from "./projection.ts";

/** A sky from the top of the picture down to the horizon; stops from 0 to 1. */
export function skyFill(horizon: number, stops: [number, string][]): string {
  const marks = stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`);
  return (
    `<linearGradient id="sky" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" ` +
    `y2="${fix(horizon)}">${marks.join("")}</linearGradient>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>`
  );
}

/** A soft round light, added to what is behind it. */
export function glow(x: number, y: number, radius: number, colour: string, strength: number) {
  const id = `g${fix(x)}-${fix(y)}-${fix(radius)}`.replaceAll(".", "_");
  const stops = [
    [0, 1],
    [0.06, 0.72],
    [0.16, 0.36],
    [0.35, 0.13],
    [0.65, 0.03],
    [1, 0],
  ].map(
    ([at, share]) =>
      `<stop offset="${at}" stop-color="${colour}" ` +
      `stop-opacity="${((share ?? 0) * strength).toFixed(3)}"/>`,
  );
  return (
    `<radialGradient id="${id}">${stops.join("")}</radialGradient>` +
    `<circle cx="${fix(x)}" cy="${fix(y)}" r="${fix(radius)}" fill="url(#${id})" ` +
    `style="mix-blend-mode:screen"/>`
  );
}

/** The halo of a floodlight head at a place in the world. */
export function halo(camera: Camera, at: Vec, radius: number, strength = 1, colour = "#eef8e6") {
  const spot = camera.project(at);
  return spot.distance < 0.1 ? "" : glow(spot.x, spot.y, radius, colour, strength);
}

/** Houses along the horizon: flat dark shapes, a few lit windows. */
export function skyline(options: {
  seed: number;
  horizon: number;
  height: number;
  colour: string;
  windows: string;
  share: number;
  from?: number;
  to?: number;
}): string {
  const { seed, horizon, height, colour, windows, share, from = -40, to = WIDTH + 40 } = options;
  const random = seeded(seed);
  const houses: string[] = [];
  const lights: string[] = [];
  for (let x = from; x < to;) {
    const wide = height * (0.55 + random() * 0.9);
    const tall = height * (0.5 + random() * 0.5);
    const top = horizon - tall;
    houses.push(roof(x, wide, top, horizon, random()));
    const step = Math.max(7, height * 0.13);
    for (let y = top + step * 0.8; y < horizon - step; y += step * 1.25) {
      for (let at = x + step * 0.7; at < x + wide - step; at += step) {
        if (random() > share) continue;
        const dim = 0.35 + random() * 0.65;
        lights.push(
          `<rect x="${fix(at)}" y="${fix(y)}" width="${fix(step * 0.4)}" ` +
            `height="${fix(step * 0.58)}" opacity="${fix(dim)}"/>`,
        );
      }
    }
    x += wide * (0.92 + random() * 0.35);
  }
  const windowed = `<g fill="${windows}">${lights.join("")}</g>`;
  return `<path d="${houses.join("")}" fill="${colour}"/>${windowed}`;
}

function roof(x: number, wide: number, top: number, base: number, kind: number): string {
  const right = x + wide;
  if (kind < 0.35) {
    const peak = top - wide * 0.16;
    return (
      `M${fix(x)} ${fix(base + 20)}V${fix(top)}L${fix(x + wide * 0.16)} ${fix(peak)}` +
      `H${fix(right - wide * 0.16)}L${fix(right)} ${fix(top)}V${fix(base + 20)}Z`
    );
  }
  const chimney = x + wide * (0.2 + kind * 0.5);
  return (
    `M${fix(x)} ${fix(base + 20)}V${fix(top)}H${fix(chimney)}v${fix(-wide * 0.09)}` +
    `h${fix(wide * 0.09)}v${fix(wide * 0.09)}H${fix(right)}V${fix(base + 20)}Z`
  );
}

/** The uneven top of a far wood or shore. */
export function woods(seed: number, base: number, height: number, colour: string, rough = 6) {
  const random = seeded(seed);
  let path = `M-20 ${fix(base + 60)}V${fix(base - height)}`;
  let drift = 0.6;
  for (let x = -20; x < WIDTH + 30; x += rough) {
    drift = Math.min(1, Math.max(0.25, drift + (random() - 0.5) * 0.24));
    const tip = base - height * drift - random() * rough * 1.1;
    path += `L${fix(x + rough * 0.5)} ${fix(tip)}L${fix(x + rough)} ${fix(base - height * drift)}`;
  }
  return `<path d="${path}V${fix(base + 60)}Z" fill="${colour}"/>`;
}

/** One spruce: drooping tiers around a straight stem. */
export function spruce(x: number, base: number, height: number, colour: string, seed: number) {
  const random = seeded(seed);
  const left: string[] = [];
  const right: string[] = [];
  const tiers = 15;
  for (let n = 0; n <= tiers; n += 1) {
    const y = base - height * (1 - n / tiers);
    const reach = height * 0.19 * (n / tiers) ** 0.85;
    for (const [side, list] of [
      [-1, left],
      [1, right],
    ] as const) {
      const tip = reach * (0.75 + random() * 0.5);
      list.push(`${fix(x + side * tip)} ${fix(y + height * 0.012)}`);
      list.push(`${fix(x + side * tip * 0.5)} ${fix(y + height * 0.004)}`);
    }
  }
  const points = [`${fix(x)} ${fix(base - height * 1.03)}`, ...left, ...right.reverse()];
  return `<path d="M${points.join("L")}Z" fill="${colour}"/>`;
}

/** Darker edges, and the faint grain of a night photograph; shares from 0 to 1. */
export function finish(edge = 0.5, grain = 0.05): string {
  return (
    `<radialGradient id="edge" cx="0.5" cy="0.48" r="0.75">` +
    `<stop offset="0.55" stop-color="#04100b" ` +
    `stop-opacity="0"/><stop offset="1" stop-color="#04100b" stop-opacity="${edge}"/>` +
    `</radialGradient><filter id="grain" x="0" y="0" width="1" height="1">` +
    `<feTurbulence type="fractalNoise" baseFrequency="0.7" numOctaves="2" seed="4"/>` +
    `<feColorMatrix values="0 0 0 0 0.5  0 0 0 0 0.5  0 0 0 0 0.5  0.9 0.9 0 0 -0.75"/></filter>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#edge)"/>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" filter="url(#grain)" opacity="${grain}"/>`
  );
}

export function fix(value: number): string {
  return String(Math.round(value * 10) / 10);
}
