import { pitchMarks } from "./lines.ts";
import type { Lamp, World } from "./light.ts";
import { asphalt, by, courses, marked, net, plain, scale } from "./materials.ts";
import { glow, halo, skyFill, skyline, woods } from "./paint.ts";
import { createCamera, type Camera, type Vec } from "./projection.ts";
import { ballAt, goal, mast, player } from "./props.ts";
import { furnish, withBall, type Scene } from "./scene.ts";
import { bar, everywhere, group, panel, type Group, type Rgb } from "./shapes.ts";

const HALF_X = 10;
const HALF_Y = 17;
const LAMP: Rgb = [0.94, 1, 0.9];
const MASTS: Vec[] = [
  [-11.2, -11, 9.6],
  [11.2, -11, 9.6],
  [-11.2, 11, 9.6],
  [11.2, 11, 9.6],
];

/** The floodlit cage at night: mesh fence, blue-green surface, the city behind. */
export function tooloCage(): Scene[] {
  const world = cage();
  const lime: Rgb = [0.5, 0.64, 0.06];
  const white: Rgb = [0.6, 0.62, 0.6];
  const players = [
    player(-2.2, 3.4, lime, 0.9, 0.5),
    player(2.8, 6, white, -0.8, 2),
    player(4.6, 9, lime, 0.7, 3.4),
    player(-4, 11, white, 1, 1.1),
  ];
  const wide = cageCamera();
  const close = createCamera([3.3, 16.7, 1.55], [-0.9, 2, 2.3], 78);
  const low = createCamera([-0.62, -7.2, 0.24], [6.2, 11.5, 2.5], 62);
  return [
    { ...night(wide, 31), world: furnish(world, ...players, ballAt(0.5, 4.6)) },
    { ...night(close, 12), world: furnish(world, ...players.slice(0, 2), ballAt(0.7, 11.6)) },
    {
      ...night(low, 57),
      world: withBall(world, [0, -6, 0.11]),
      focus: { near: 1.9, far: 4.6, blur: 6 },
    },
  ];
}

/** The same place, empty, wide and low: for the card that links show. */
export function socialCard(): Scene {
  const camera = createCamera([0, -12.4, 1.75], [0, 6, 2.9], 78);
  return { ...night(camera, 31), world: cage(), grain: 0 };
}

function cageCamera(): Camera {
  return createCamera([-5.2, -12.2, 1.75], [0.1, 4, 2.85], 78);
}

function night(camera: Camera, seed: number): Omit<Scene, "world"> {
  const { horizon } = camera;
  const far = { horizon: horizon + 2, windows: "#ffd695", seed };
  const halos = MASTS.map((at) => {
    const spot = camera.project(at);
    return halo(camera, at, 4200 / spot.distance + 90, 1);
  });
  return {
    camera,
    backdrop:
      skyFill(horizon, [
        [0, "#050b12"],
        [0.5, "#0b1a22"],
        [0.85, "#203539"],
        [1, "#455047"],
      ]) +
      glow(900, horizon, 720, "#d99a58", 0.34) +
      glow(250, horizon, 420, "#9fc3b0", 0.2) +
      skyline({ ...far, height: 84, colour: "#16242a", share: 0.24 }) +
      skyline({ ...far, seed: seed + 5, height: 132, colour: "#0d181c", share: 0.3 }) +
      woods(seed + 3, horizon + 6, 46, "#070f10", 7),
    foreground: halos.join(""),
    edge: 0.58,
  };
}

function cage(): World {
  const ground = marked(asphalt([0.011, 0.047, 0.049], 0.9), [
    { marks: pitchMarks(16, 30, 0.9), colour: [0.74, 0.78, 0.72], width: 0.085 },
  ]);
  const outside = asphalt([0.035, 0.037, 0.036], 0.3);
  const floor = by((hit) =>
    Math.abs(hit.x) < HALF_X && Math.abs(hit.y) < HALF_Y ? ground : outside,
  );
  const lamps: Lamp[] = MASTS.map((at) => ({
    at,
    colour: scale(LAMP, 260),
    size: 0.35,
    aim: [at[0] * 0.3, at[1] * 0.6, 0],
  }));
  return {
    groups: [
      everywhere(panel([-150, -150, 0], [300, 0, 0], [0, 300, 0], floor, false)),
      ...fence(),
      ...MASTS.map(([x, y, z]) => mast(x, y, z, [0, y * 0.4, 0], scale(LAMP, 14))),
      goal(15, 3, 2),
      goal(-15, 3, 2),
    ],
    lamps,
    above: [0.02, 0.032, 0.036],
    below: [0.03, 0.04, 0.036],
    sky: () => [0.022, 0.036, 0.042],
    haze: { colour: [0.016, 0.026, 0.028], reach: 120 },
    exposure: 1.5,
  };
}

/** Steel posts, boards to knee height, mesh up to four metres on all sides. */
function fence(): Group[] {
  const mesh = net([0.16, 0.19, 0.18], 0.06, 0.0045, true);
  const boards = courses([0.075, 0.1, 0.095], 2, 0.5, 0.012);
  const sides: [Vec, Vec][] = [
    [
      [-HALF_X, HALF_Y, 0],
      [HALF_X * 2, 0, 0],
    ],
    [
      [-HALF_X, -HALF_Y, 0],
      [HALF_X * 2, 0, 0],
    ],
    [
      [-HALF_X, -HALF_Y, 0],
      [0, HALF_Y * 2, 0],
    ],
    [
      [HALF_X, -HALF_Y, 0],
      [0, HALF_Y * 2, 0],
    ],
  ];
  const panels = sides.flatMap(([corner, edge]) => [
    panel(corner, edge, [0, 0, 1], boards),
    panel([corner[0], corner[1], 1], edge, [0, 0, 3.2], mesh, false),
  ]);
  return [everywhere(...panels), ...sides.map(([corner, edge]) => posts(corner, edge))];
}

function posts(corner: Vec, edge: Vec): Group {
  const steel = plain([0.13, 0.16, 0.15]);
  const length = Math.hypot(...edge);
  const at = (share: number, z: number): Vec => [
    corner[0] + edge[0] * share,
    corner[1] + edge[1] * share,
    z,
  ];
  const shapes = [1.02, 2.6, 4.2].map((z) => bar(at(0, z), at(1, z), 0.028, steel, false));
  const count = Math.round(length / 2.5);
  for (let n = 0; n <= count; n += 1) {
    shapes.push(bar(at(n / count, 0), at(n / count, 4.25), 0.04, steel, false));
  }
  return group(
    at(0.5, 2.1),
    [Math.abs(edge[0]) / 2 + 0.1, Math.abs(edge[1]) / 2 + 0.1, 2.3],
    shapes,
  );
}
