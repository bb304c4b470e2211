import { blades } from "./blades.ts";
import { pitchMarks } from "./lines.ts";
import type { World } from "./light.ts";
import { by, marked, mix, poured, turf } from "./materials.ts";
import { noise, smooth } from "./noise.ts";
import { glow, skyFill, woods } from "./paint.ts";
import { createCamera, type Camera, type Ray, type Vec } from "./projection.ts";
import { ballAt, goal, player } from "./props.ts";
import { furnish, withBall, type Scene } from "./scene.ts";
import { everywhere, panel, type Rgb } from "./shapes.ts";
import { birch } from "./trees.ts";

const SUN: Vec = [-110, 260, 26];

/** Birches as [x, y, height], in metres. */
const SIDE_BIRCHES: Vec[] = [
  [-14, 13, 11],
  [-16.5, 18, 9],
  [-19, 15, 12],
  [14.5, 17, 10],
  [17, 21, 12],
  [-15.2, 24, 9],
];
const END_BIRCHES: Vec[] = [
  [-9, 24.5, 9],
  [-12, 27, 10],
  [-15, 25, 9],
  [-6.6, 29, 8],
];

/** Grass by the sea at dusk: birches, an orange horizon under blue. */
export function arabiaShore(): Scene[] {
  const world = shore();
  const red: Rgb = [0.4, 0.06, 0.04];
  const dark: Rgb = [0.04, 0.05, 0.08];
  const wide = createCamera([4.2, -13, 1.7], [-1.2, 4, 2.6], 72);
  const close = createCamera([7.4, 12.4, 1.25], [0.4, 20, 1.35], 64);
  const players = [
    player(-4.5, 0, red, 0.9, 0.5),
    player(1.2, 3, dark, -0.8, 2),
    player(-1.5, 9, red, 0.7, 3.4),
    player(6, 8, dark, 1, 1.1),
  ];
  return [
    {
      ...dusk(wide, grove(wide, SIDE_BIRCHES)),
      world: furnish(world, ...players, ballAt(-2.6, 0.5)),
    },
    { ...dusk(close, grove(close, END_BIRCHES)), world: furnish(world, ballAt(4.6, 16)) },
    lastLight(world),
  ];
}

/** The ball in the grass, close to the ground. */
function lastLight(world: World): Scene {
  const camera = createCamera([0.5, -1.7, 0.2], [-0.5, 4, 0.95], 58);
  const ball: Vec = [0.02, -0.25, 0.115];
  const grass = blades(camera, {
    seed: 5,
    near: 0.9,
    far: 5,
    height: 0.055,
    count: 5200,
    colours: ["#1c2a12", "#26381a", "#33481f", "#4d5a26", "#7a6a30"],
    ball,
    painted: { colour: "#b9b39c", on: (x, y) => Math.abs(y) < 0.05 || Math.hypot(x, y) < 0.12 },
  });
  return {
    ...dusk(camera, ""),
    foreground: grass,
    world: withBall(world, ball, 0.9),
    focus: { near: 2.8, far: 7, blur: 6 },
  };
}

/** Birches, the far ones first. */
function grove(camera: Camera, places: Vec[]): string {
  const order = [...places].sort((a, b) => b[1] - a[1]);
  return order.map(([x, y, height], n) => tree(camera, x, y, height, n + 3)).join("");
}

function tree(camera: Camera, x: number, y: number, height: number, seed: number): string {
  const foot = camera.project([x, y, 0]);
  return birch({
    x: foot.x,
    base: foot.y,
    height: height / camera.unitAngle / foot.distance,
    stem: "#6f6860",
    twig: "#171510",
    leaf: "#1d2010",
    leaves: 9,
    seed,
  });
}

function dusk(camera: Camera, foreground: string): Omit<Scene, "world"> {
  const { horizon } = camera;
  const sun = camera.project(SUN);
  return {
    camera,
    backdrop:
      skyFill(horizon, [
        [0, "#16324f"],
        [0.4, "#3f6283"],
        [0.66, "#8d8f98"],
        [0.84, "#dd9d68"],
        [0.95, "#f6b268"],
        [1, "#f9c582"],
      ]) +
      clouds(horizon) +
      glow(sun.x, horizon - 8, 560, "#ffb25e", 0.75) +
      woods(7, horizon + 3, 15, "#5b5358", 9) +
      woods(9, horizon + 4, 26, "#37393f", 7),
    foreground: glow(sun.x, horizon, 420, "#ff9d4a", 0.28) + foreground,
    edge: 0.45,
  };
}

/** Long thin clouds, lit from below near the horizon. */
function clouds(horizon: number): string {
  let bands = "";
  for (let n = 0; n < 16; n += 1) {
    const y = horizon * (0.18 + 0.05 * n);
    const x = 1280 * noise(n * 3.7, 8);
    const long = 180 + 420 * noise(n * 5.1, 2);
    const colour = n > 9 ? "#ffca8c" : n > 5 ? "#c99a8a" : "#7d93a8";
    bands +=
      `<ellipse cx="${Math.round(x)}" cy="${Math.round(y)}" rx="${Math.round(long)}" ` +
      `ry="${5 + (n % 4) * 2.4}" fill="${colour}" opacity="0.3"/>`;
  }
  return (
    `<filter id="cloud" x="-0.5" y="-0.5" width="2" height="2"><feTurbulence type="fractalNoise" ` +
    `baseFrequency="0.006 0.03" numOctaves="4" seed="9" result="n"/>` +
    `<feDisplacementMap in="SourceGraphic" ` +
    `in2="n" scale="60"/><feGaussianBlur stdDeviation="5 2.5"/></filter>` +
    `<g filter="url(#cloud)">${bands}</g>`
  );
}

function shore(): World {
  const grass = marked(turf([0.06, 0.092, 0.024], 2.5), [
    { marks: pitchMarks(24, 40, 1.1), colour: [0.66, 0.66, 0.6], width: 0.1 },
  ]);
  const rough = turf([0.06, 0.075, 0.02], 0, 1.6);
  const stones = turf([0.08, 0.075, 0.065], 0, 1.8);
  const sea = by((hit) => {
    const swell = 0.08 + 0.05 * noise(hit.x * 0.12, hit.y * 0.5);
    return poured([0.02, 0.04, 0.055], 0.1 + swell, 0.085);
  });
  const floor = by((hit) => {
    const edge = 33 + 3 * noise(hit.x * 0.1, 4) + 0.6 * noise(hit.x * 0.9, 7);
    if (hit.y > edge + 1.2) return sea;
    if (hit.y > edge) return stones;
    return Math.abs(hit.x) < 13.5 && Math.abs(hit.y) < 22 ? grass : rough;
  });
  return {
    groups: [
      everywhere(panel([-900, -60, 0], [1800, 0, 0], [0, 2400, 0], floor, false)),
      goal(20, 4, 2.1),
      goal(-20, 4, 2.1),
    ],
    lamps: [{ at: SUN, colour: [330000, 165000, 62000], size: 6 }],
    above: [0.42, 0.52, 0.66],
    below: [0.16, 0.15, 0.1],
    sky: duskSky,
    haze: { colour: [0.62, 0.4, 0.26], reach: 420 },
    exposure: 1.1,
  };
}

const HIGH: Rgb = [0.09, 0.17, 0.28];
const MIDDLE: Rgb = [0.36, 0.33, 0.34];
const LOW: Rgb = [0.62, 0.33, 0.15];

function duskSky({ dx, dy, dz }: Ray): Rgb {
  const towards = (dx * SUN[0] + dy * SUN[1]) / Math.hypot(SUN[0], SUN[1]);
  const near = mix(MIDDLE, LOW, smooth(-0.2, 1, towards));
  return mix(near, HIGH, smooth(0.02, 0.42, dz));
}
